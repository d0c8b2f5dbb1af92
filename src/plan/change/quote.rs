//! Text from elsewhere, quoted in a goal: a block quote below its own heading. Nothing in it is read as structure.
//!
//! ```text
//! ### From Task Master master 5
//!
//! > # Archive            every line of the text, with `> ` in front
//! > - [ ] no step
//! ```
//!
//! A line ends only at a line feed, so that removing the `> ` restores the original bytes. A NUL would make the whole plan.md
//! unreadable: the caller replaces it.

use std::ops::Range;

use super::goal::heading_text;
use crate::plan::model::Plan;
use crate::plan::scan::{LineKind, Scanner};
use crate::plan::text::one_line;

const MARK: &str = "> ";
const LEVEL: u8 = 3;

/// A heading, and the text quoted below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quote {
    /// The heading's text: `From Task Master master 5`.
    pub heading: String,
    /// Any text without a NUL; an empty text gets no block quote.
    pub text: String,
}

impl Quote {
    /// Returns the heading as it is written and read back.
    pub fn heading_line(heading: &str) -> String {
        heading_text(&one_line(heading))
    }

    pub(super) fn write(&self, out: &mut String, eol: &str) {
        *out += &format!("{eol}### {}{eol}", Quote::heading_line(&self.heading));
        if self.text.is_empty() {
            return;
        }
        out.push_str(eol);
        for line in self.text.split('\n') {
            // The line endings inside the quote come from the text.
            out.extend([MARK, line, "\n"]);
        }
    }
}

/// Returns the quotes of all goals, archived goals too, each with the index of its goal in [`Plan::goals`].
pub fn quotes(plan: &Plan<'_>) -> Vec<(usize, Quote)> {
    let mut found: Vec<(usize, Quote)> = Vec::new();
    if memchr::memmem::find(plan.source, b"### ").is_none() {
        return found;
    }
    for (index, goal) in plan.goals.iter().enumerate() {
        let mut scanner = Scanner::new(plan.source, goal.body.start as usize);
        let mut open: Option<(String, Vec<Range<usize>>)> = None;
        while let Some(line) = scanner.line().filter(|line| line.start < goal.body.end as usize) {
            match line.kind {
                LineKind::Heading { level, start, end } => {
                    found.extend(open.take().map(|quote| (index, whole(plan, quote))));
                    let heading = String::from_utf8_lossy(&plan.source[start..end]).into_owned();
                    open = (level == LEVEL).then(|| (heading, Vec::new()));
                }
                _ => {
                    if let Some((_, lines)) = open.as_mut().filter(|_| plan.source[line.start..].starts_with(b">")) {
                        lines.push(line.start..line.next);
                    }
                }
            }
        }
        found.extend(open.take().map(|quote| (index, whole(plan, quote))));
    }
    found
}

fn whole(plan: &Plan<'_>, (heading, lines): (String, Vec<Range<usize>>)) -> Quote {
    let mut text: Vec<u8> = Vec::new();
    for line in lines {
        let line = &plan.source[line];
        text.extend_from_slice(line.strip_prefix(MARK.as_bytes()).unwrap_or(&line[1..]));
    }
    if text.ends_with(b"\n") {
        text.pop();
    }
    Quote { heading, text: String::from_utf8_lossy(&text).into_owned() }
}
