//! Events of a session and the answers to them, in the same terms for every host (`INJECTION.md` §2).

use std::path::PathBuf;

/// One event of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The host's name for the session, exactly as it was sent.
    pub session: String,
    /// The folder that the session works in, if the host reports it.
    pub cwd: Option<PathBuf>,
    /// The folder that the session was started in, if it may have left it since.
    pub project: Option<PathBuf>,
    /// The session's model by the host's own name for it, if the host reports it.
    pub model: Option<String>,
    /// The file that the host writes the conversation to, if the host reports it.
    pub transcript: Option<PathBuf>,
    /// The host's name for the turn that its tools ran in, if it has one. Tools of one turn were called at once.
    pub turn: Option<String>,
    /// True if it comes from an agent that another agent started.
    pub is_subagent: bool,
    /// What happened.
    pub moment: Moment,
}

/// What happened in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The session begins or continues.
    Start(SessionStart),
    /// A message of a person; its text.
    Prompt(String),
    /// The host is about to ask its model, and takes text for this request alone.
    Request,
    /// The model is about to be asked again after tools: the boundary between two turns, for a host that reports each tool.
    Turn,
    /// A tool is about to run.
    Before(ToolCall),
    /// Tools have run. Several are a batch that the model called at once.
    After(Vec<ToolCall>),
    /// The agent ended its turn with this text.
    Stop(Stop),
    /// The host is about to have its conversation summed up, and takes text for whoever does it.
    Compacting,
    /// The context was compacted.
    Compacted,
    /// A person interrupted the agent.
    Interrupted,
    /// The session ended.
    End,
}

/// Why a session starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionStart {
    /// It is new.
    Fresh,
    /// An earlier session continues.
    Resumed,
    /// Its context was emptied.
    Cleared,
    /// Its context was compacted.
    Compacted,
}

/// A call of a tool, without the host's names for it and for what it was called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// What it does.
    pub kind: ToolKind,
    /// The files that it names.
    pub paths: Vec<String>,
    /// The run id of the review that its output asks for.
    pub review: Option<String>,
}

/// What a tool call does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// Writes files.
    Edits {
        /// It holds the whole text of a file.
        whole: bool,
    },
    /// Runs this command line.
    Runs(String),
    /// Calls the tool of our server that has this verb.
    Ours(String),
    /// Only reads, by its name.
    Reads,
    /// Keeps a plan of the host's own; how a text names that plan.
    KeepsPlan(&'static str),
    /// Makes a goal of the host's own, which then drives the session; how a text names that goal.
    BeginsGoal(&'static str),
    /// Says that this goal is complete.
    EndsGoal,
    /// Anything else.
    Other,
}

/// How an agent ended its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// Its last text.
    pub reply: String,
    /// The host reports that the turn already continued after an earlier stop.
    pub is_again: bool,
    /// Work of its own is running in the background, and will wake it.
    pub is_busy: bool,
}

/// The answer to a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HookAnswer {
    /// Nothing: the host continues as if there were no hook.
    #[default]
    Nothing,
    /// Text for the model, beside what happened.
    Context(String),
    /// The turn continues with this text. Only after [`Moment::Stop`].
    Push(String),
    /// The tool must not run, and why. Only after [`Moment::Before`].
    Deny(String),
    /// A line for the person only.
    Notice(String),
    /// An answer together with a line for the person.
    With(Box<HookAnswer>, String),
}
