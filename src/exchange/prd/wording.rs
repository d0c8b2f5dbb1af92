//! Keeps the words of a prd.json that plan.md must write in another form: `## Goal: x` as a title, two lines in one criterion. A quote
//! below the goal holds them as JSON texts, one per line, so that the export returns the file's words until somebody edits the goal.
//!
//! ```text
//! ### From prd.json US-002
//!
//! > plan.md writes these words of the file otherwise:
//! > "## Goal: not a heading"
//! > "- [x] looks ticked"
//! ```

use std::collections::HashSet;

use serde_json::Value;

use super::Story;
use crate::plan::change::Quote;
use crate::plan::text::one_line;

/// The heading of the quote, before the id of the story.
const HEADING: &str = "From prd.json ";

/// The first line of the quote, before the words.
const REMARK: &str = "plan.md writes these words of the file otherwise:";

/// The heading of a story's quote.
pub(super) fn heading(id: &str) -> String {
    format!("{HEADING}{id}")
}

/// The id of a story in the form that its heading has.
fn written_id(id: &str) -> String {
    let line = Quote::heading_line(&heading(id));
    line.strip_prefix(HEADING).unwrap_or_default().to_owned()
}

/// The words of a story that plan.md must write in another form; empty if there are none.
pub(super) fn quoted(story: &Story) -> String {
    let criteria = story.acceptance_criteria.iter().map(|text| (one_line(text), text));
    let texts: Vec<(String, &String)> =
        [(written_id(&story.id), &story.id), (Quote::heading_line(&story.title), &story.title)]
            .into_iter()
            .chain(criteria)
            .collect();
    let differing: HashSet<&str> =
        texts.iter().filter(|(written, said)| written != *said).map(|(written, _)| written.as_str()).collect();
    if differing.is_empty() {
        return String::new();
    }
    // If two texts have the same written form, both are kept, so that each gets its own words back.
    let kept = texts.iter().filter(|(written, _)| differing.contains(written.as_str()));
    kept.fold(REMARK.to_owned(), |text, (_, said)| format!("{text}\n{}", Value::from(said.as_str())))
}

/// The words of one story.
#[derive(Debug, Default)]
pub(super) struct Wording(Vec<String>);

impl Wording {
    /// Returns the story id of the heading and the words in the quote, or `None` if it is another quote.
    pub(super) fn read(quote: &Quote) -> Option<(String, Self)> {
        let id = quote.heading.strip_prefix(HEADING)?;
        let lines = quote.text.lines().filter(|line| line.starts_with('"'));
        let mut words = Wording(lines.filter_map(|line| serde_json::from_str(line).ok()).collect());
        Some((words.take(id, written_id), words))
    }

    pub(super) fn title(&mut self, text: &str) -> String {
        self.take(text, Quote::heading_line)
    }

    pub(super) fn criterion(&mut self, text: &str) -> String {
        self.take(text, one_line)
    }

    /// Returns the file's words for plan.md's `text`. Each of them is returned once.
    fn take(&mut self, text: &str, written: impl Fn(&str) -> String) -> String {
        let found = self.0.iter().position(|said| written(said) == text);
        found.map_or_else(|| text.to_owned(), |at| self.0.remove(at))
    }
}
