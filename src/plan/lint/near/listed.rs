//! Finds lists that their author calls steps, but whose items have no boxes.

use super::Reader;
use crate::plan::model::Span;
use crate::plan::scan::SourceLine;

/// The labels that users write above their steps.
const LABELS: [&str; 5] = ["steps", "tasks", "todo", "to-do", "to do"];

impl Reader<'_, '_, '_> {
    /// Whether the nearest line above that is not blank labels a list as steps: `Steps:`, `### Tasks`.
    pub(super) fn is_below_steps(&self, line: &SourceLine) -> bool {
        let above = self.plan.source[..line.start].trim_ascii_end();
        let start = memchr::memrchr(b'\n', above).map_or(0, |newline| newline + 1);
        let Ok(text) = std::str::from_utf8(&above[start..]) else { return false };
        let label = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | ':'));
        // An item that may belong to a list field was reported already.
        let is_told = || self.plan.findings.iter().any(|found| found.span.range().contains(&(line.end - 1)));
        LABELS.iter().any(|known| label.eq_ignore_ascii_case(known)) && !is_told()
    }

    /// Reports an item without a box, and how to write it as a step.
    pub(super) fn without_box(&mut self, span: Span) {
        let remedy = format!("write `- [ ] {}`, and the others alike", self.plan.text(span).trim());
        self.found.warning("near-checkbox", span, "this is not a step: it has no box", remedy);
    }
}
