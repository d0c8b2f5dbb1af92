//! Events of a session and the answers to them, in the same types for every host (`INJECTION.md` §2).

use std::path::PathBuf;

/// One event of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionEvent {
    /// The host's name for the session, exactly as it was sent.
    pub session: String,
    /// The session's working folder, if the host reports it.
    pub cwd: Option<PathBuf>,
    /// The folder in which the session was started, if it may have left that folder since.
    pub project: Option<PathBuf>,
    /// The host's name for the session's model, if the host reports it.
    pub model: Option<String>,
    /// The file to which the host writes the conversation, if the host reports it.
    pub transcript: Option<PathBuf>,
    /// The host's name for the turn in which the tools ran, if it has one. The model called the tools of one turn at once.
    pub turn: Option<String>,
    /// True if the event comes from an agent that another agent started.
    pub is_subagent: bool,
    /// The kind of the event and its details.
    pub moment: Moment,
}

/// An event of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The session begins or continues.
    Start(SessionStart),
    /// A message of the user, with its text.
    Prompt(String),
    /// The host is about to ask its model, and accepts text for this request only.
    Request,
    /// The host is about to ask the model again after tools: the boundary between two turns, for a host that reports each tool.
    Turn,
    /// A tool is about to run.
    Before(ToolCall),
    /// Tools have run. If there are several, the model called them at once.
    After(Vec<ToolCall>),
    /// The agent ended its turn with this text.
    Stop(Stop),
    /// The host is about to have its conversation summarized, and accepts text for the summarizer.
    Compacting,
    /// The context was compacted.
    Compacted,
    /// The user interrupted the agent.
    Interrupted,
    /// The session ended.
    End,
}

/// Why a session starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionStart {
    /// The session is new.
    Fresh,
    /// An earlier session continues.
    Resumed,
    /// Its context was emptied.
    Cleared,
    /// Its context was compacted.
    Compacted,
}

/// A tool call, without the host's names for the tool and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The kind of the call.
    pub kind: ToolKind,
    /// The files that the call names.
    pub paths: Vec<String>,
    /// The run id of the review that the tool's output asks for.
    pub review: Option<String>,
}

/// The kind of a tool call, by its effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// Writes files.
    Edits {
        /// True if the call contains the whole text of a file.
        whole: bool,
    },
    /// Runs this command line.
    Runs(String),
    /// Calls the tool of our server that has this verb.
    Ours(String),
    /// Only reads, judging by its name.
    Reads,
    /// Keeps the host's own plan. The text is the name of that plan in messages.
    KeepsPlan(&'static str),
    /// Creates the host's own goal, which then drives the session. The text is the name of that goal in messages.
    BeginsGoal(&'static str),
    /// Declares the host's own goal complete.
    EndsGoal,
    /// Anything else.
    Other,
}

/// How an agent ended its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// The agent's last text.
    pub reply: String,
    /// True if the host reports that the turn already continued after an earlier stop.
    pub is_again: bool,
    /// True if the agent has work running in the background, which will wake it.
    pub is_busy: bool,
}

/// The answer to a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HookAnswer {
    /// Nothing: the host continues as if there were no hook.
    #[default]
    Nothing,
    /// Text for the model, in addition to the event itself.
    Context(String),
    /// The turn continues with this text. Only after [`Moment::Stop`].
    Push(String),
    /// The tool must not run, with the reason. Only after [`Moment::Before`].
    Deny(String),
    /// A line for the user only.
    Notice(String),
    /// An answer together with a line for the user.
    With(Box<HookAnswer>, String),
}
