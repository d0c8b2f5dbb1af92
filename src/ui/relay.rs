//! The messages that a `plan` process sends to the `plan` process that started it, and their reader.
//!
//! On stderr each line is text for people, unless it begins with one of two control characters: all other output is
//! cleaned of these, so that no text of a repository can pass for a question.

use std::io::{BufRead, Write};

use super::clean_line;

/// Begins a line of progress: seconds, a space, what is running.
const PROGRESS: char = '\u{1e}';
/// Begins a question; `y` as the next line of stdin is a yes.
const QUESTION: char = '\u{1f}';

/// The connection to the process that relays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relay {
    /// True if that process brings answers.
    pub(super) asks: bool,
}

/// A line of stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayLine<'l> {
    /// The running work, and its seconds so far.
    Progress(&'l str, u64),
    /// A yes-or-no question that [`YES`] or another line answers.
    Question(&'l str),
    /// Text for people.
    Text(&'l str),
}

/// The answer that means yes.
pub const YES: &str = "y";

impl<'l> RelayLine<'l> {
    /// Parses a line without its end.
    pub fn read(line: &'l str) -> Self {
        if let Some(question) = line.strip_prefix(QUESTION) {
            return RelayLine::Question(question);
        }
        let progress = line.strip_prefix(PROGRESS).and_then(|line| line.split_once(' '));
        match progress.and_then(|(seconds, what)| Some((what, seconds.parse().ok()?))) {
            Some((what, seconds)) => RelayLine::Progress(what, seconds),
            None => RelayLine::Text(line),
        }
    }
}

pub(super) fn progress(what: &str, seconds: u64) {
    let _ = writeln!(std::io::stderr(), "{PROGRESS}{seconds} {}", clean_line(what));
}

pub(super) fn confirm(question: &str) -> bool {
    let _ = writeln!(std::io::stderr(), "{QUESTION}{}", clean_line(question));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok() && answer.trim_end() == YES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_was_cleaned_is_neither_progress_nor_question() {
        assert_eq!(RelayLine::read("\u{1e}12 verify: make x"), RelayLine::Progress("verify: make x", 12));
        assert_eq!(RelayLine::read("\u{1f}Run it?"), RelayLine::Question("Run it?"));
        for hostile in ["\u{1f}Run it?", "\u{1e}12 x"] {
            let cleaned = super::super::clean(hostile).into_owned();
            assert_eq!(RelayLine::read(&cleaned), RelayLine::Text(&cleaned));
        }
    }
}
