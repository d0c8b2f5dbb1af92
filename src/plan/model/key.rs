//! The keys of a goal's fields.

/// Declares the keys with their words, and the list of all of them, in one place: a list of its own could lack a key.
macro_rules! keys {
    ($($(#[$about:meta])* $key:ident = $word:literal,)*) => {
        /// The keys that a goal may have, in the order in which `plan` writes them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Key {
            $($(#[$about])* $key,)*
        }

        impl Key {
            /// All keys, in writing order.
            pub const ALL: [Key; [$($word),*].len()] = [$(Key::$key),*];

            /// The word before the colon.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Key::$key => $word,)*
                }
            }
        }
    };
}

keys! {
    /// Where the goal is: open, active, done or cancelled.
    Status = "status",
    /// The acceptance criteria.
    DoneWhen = "done_when",
    /// The line that checks the work.
    Verify = "verify",
    /// Ways in which the work may look right and be wrong, with their checks.
    FailureModes = "failure_modes",
    /// The goals that have to be done first.
    Needs = "needs",
    /// 1 to 4.
    Priority = "priority",
    /// The sort of work: feature, bugfix, …
    Kind = "kind",
    /// The tests that the work may change.
    MayChange = "may_change",
    /// The files that prove the work.
    Evidence = "evidence",
}

impl Key {
    /// True for a key whose value may be a list of items; the others take one line.
    pub const fn is_list(self) -> bool {
        match self {
            Key::DoneWhen | Key::FailureModes | Key::Needs | Key::MayChange | Key::Evidence => true,
            Key::Status | Key::Verify | Key::Priority | Key::Kind => false,
        }
    }

    /// True for a key whose value is a list of words on one line, separated by commas.
    pub const fn is_words(self) -> bool {
        match self {
            Key::Needs | Key::MayChange | Key::Evidence => true,
            Key::Status | Key::DoneWhen | Key::Verify | Key::FailureModes | Key::Priority | Key::Kind => false,
        }
    }

    /// True for a key that is part of the agreed contract (`FORMAT.md`, two digests).
    pub const fn is_agreed(self) -> bool {
        match self {
            Key::DoneWhen | Key::Verify | Key::FailureModes | Key::Needs | Key::Kind | Key::MayChange => true,
            Key::Status | Key::Priority | Key::Evidence => false,
        }
    }
}
