//! The fixed words and marks of plan.md: status, kind, mark.

/// The status word of a goal (`FORMAT.md`, status).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not begun; also the meaning of an absent or unknown word.
    #[default]
    Open,
    /// Being worked on; several may be.
    Active,
    /// Marked as done, with or without a sign-off.
    Done,
    /// Given up, with a reason in the log.
    Cancelled,
}

impl Status {
    /// The word in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Active => "active",
            Status::Done => "done",
            Status::Cancelled => "cancelled",
        }
    }

    /// The status with this word, which has to be in lower case.
    pub fn from_word(word: &str) -> Option<Self> {
        [Status::Open, Status::Active, Status::Done, Status::Cancelled].into_iter().find(|s| s.word() == word)
    }

    /// True if it is done or cancelled: there is nothing more to do.
    pub const fn is_finished(self) -> bool {
        matches!(self, Status::Done | Status::Cancelled)
    }
}

/// The kind of a goal. It determines what is expected of `verify` at the goal's start (`FORMAT.md`, kind).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GoalKind {
    /// The default.
    #[default]
    Feature,
    /// Fixes a defect.
    Bugfix,
    /// Keeps the behaviour; verify may be green from the start.
    Refactor,
    /// Changes only text.
    Docs,
    /// Adds tests of existing behaviour.
    Test,
    /// Necessary work that changes no behaviour: settings, dependencies, formatting.
    Chore,
}

impl GoalKind {
    /// All kinds, the default first.
    pub const ALL: [GoalKind; 6] =
        [GoalKind::Feature, GoalKind::Bugfix, GoalKind::Refactor, GoalKind::Docs, GoalKind::Test, GoalKind::Chore];

    /// The word in the file.
    pub const fn word(self) -> &'static str {
        match self {
            GoalKind::Feature => "feature",
            GoalKind::Bugfix => "bugfix",
            GoalKind::Refactor => "refactor",
            GoalKind::Docs => "docs",
            GoalKind::Test => "test",
            GoalKind::Chore => "chore",
        }
    }

    /// Whether verify may be green before the work, because its result stays the same.
    pub const fn begins_green(self) -> bool {
        matches!(self, GoalKind::Refactor | GoalKind::Test | GoalKind::Chore)
    }

    /// Whether verify is red before the work, and code makes it green.
    pub const fn begins_red(self) -> bool {
        matches!(self, GoalKind::Feature | GoalKind::Bugfix)
    }

    /// The kind with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        GoalKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// The mark in a step's checkbox (`FORMAT.md`, step).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `[ ]`
    #[default]
    Pending,
    /// `[/]`
    Active,
    /// `[x]` or `[X]`
    Complete,
    /// `[!]`
    Failed,
    /// `[-]`
    Skipped,
}

impl Mark {
    /// The character between the brackets, as `plan` writes it.
    pub const fn character(self) -> char {
        match self {
            Mark::Pending => ' ',
            Mark::Active => '/',
            Mark::Complete => 'x',
            Mark::Failed => '!',
            Mark::Skipped => '-',
        }
    }

    /// The word in messages and in `--json`.
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Pending => "pending",
            Mark::Active => "active",
            Mark::Complete => "complete",
            Mark::Failed => "failed",
            Mark::Skipped => "skipped",
        }
    }

    /// The mark that a byte between brackets stands for.
    pub const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            b' ' => Some(Mark::Pending),
            b'/' => Some(Mark::Active),
            b'x' | b'X' => Some(Mark::Complete),
            b'!' => Some(Mark::Failed),
            b'-' => Some(Mark::Skipped),
            _ => None,
        }
    }

    /// True if it is complete or skipped: steps that wait for it may go on.
    pub const fn is_settled(self) -> bool {
        matches!(self, Mark::Complete | Mark::Skipped)
    }
}
