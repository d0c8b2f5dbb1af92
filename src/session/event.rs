//! What a host tells of its session, and what it is answered: the same words for every host (`INJECTION.md` §2).

use std::path::PathBuf;

/// One event of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The host's own name for the session, whatever bytes it sent.
    pub session: String,
    /// The folder that the session works in; none where the host does not tell.
    pub cwd: Option<PathBuf>,
    /// The folder that the session was started in, where it may have left it since.
    pub project: Option<PathBuf>,
    /// The session's model by the host's own name for it, where the host tells.
    pub model: Option<String>,
    /// The file that the host writes the conversation to, where it tells.
    pub transcript: Option<PathBuf>,
    /// The turn that its tools ran in, where the host has a name for it. Tools of one turn were called at once.
    pub turn: Option<String>,
    /// Whether it comes from an agent that another agent started.
    pub is_subagent: bool,
    /// What happened.
    pub moment: Moment,
}

/// What happened in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The session begins or goes on.
    Start(Start),
    /// A message of a person; its text.
    Prompt(String),
    /// The host is about to ask its model, and takes text for this one request that it does not keep.
    Request,
    /// The model is to be asked again after tools: the boundary between two turns, for a host that tells of each tool.
    Turn,
    /// A tool is about to run.
    Before(Tool),
    /// Tools have run. Several: a batch that the model called at once.
    After(Vec<Tool>),
    /// The agent ended its turn with this text.
    Stop(Stop),
    /// The context was compacted.
    Compacted,
    /// A person interrupted the agent.
    Interrupted,
    /// The session ended.
    End,
}

/// Why a session starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A new one.
    Fresh,
    /// An old one goes on.
    Resumed,
    /// Its context was emptied.
    Cleared,
    /// Its context was compacted.
    Compacted,
}

/// A tool that the agent uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The host's name for it.
    pub name: String,
    /// What it can do.
    pub kind: ToolKind,
    /// What it was called with, as JSON.
    pub input: String,
}

/// What a tool can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// Writes files.
    Edits,
    /// Runs a program.
    Runs,
    /// Anything else.
    Other,
}

/// How an agent ended its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// Its last text.
    pub reply: String,
    /// The host says that the turn went on after an earlier stop.
    pub is_again: bool,
    /// Work of its own goes on in the background, and wakes it.
    pub is_busy: bool,
}

/// What a host is answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing: the host goes on as if it had not asked.
    #[default]
    Nothing,
    /// Text for the model, beside what happened.
    Context(String),
    /// The turn goes on with this text. After [`Moment::Stop`] only.
    Push(String),
    /// The tool is not to run, and why. After [`Moment::Before`] only.
    Deny(String),
    /// A line for the person, none for the model.
    Notice(String),
    /// The answer, and a line for the person beside it.
    With(Box<Answer>, String),
}
