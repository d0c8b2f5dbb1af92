//! List items below a list field that are not read as part of it (`FORMAT.md` §1 defines where a list ends). Their
//! author may think that they count, so the first one is a finding.

use super::{GapAfterList, OpenField, Parser};
use crate::plan::model::{Field, LintFinding, Severity, Span};
use crate::plan::scan::{LineKind, SourceLine};

impl Parser<'_> {
    /// True if a line adds nothing to a list and does not end it: a comment, or text inside the last item, below its first paragraph.
    pub(super) fn stands_in_list(&mut self, line: &SourceLine) -> bool {
        let lazy = line.kind == LineKind::Text && self.open_field == OpenField::Items && self.blanks == 0;
        let inside = match (self.open_field, line.kind) {
            (_, LineKind::Opaque) if self.is_comment(line) => match self.open_field {
                OpenField::Items | OpenField::NextItem => true,
                OpenField::ValueOrItems => self.plan.fields.last().is_some_and(is_empty),
                OpenField::Nothing | OpenField::Value => false,
            },
            (OpenField::Items | OpenField::NextItem, LineKind::Opaque | LineKind::Text) => {
                line.kept > self.item_kept && !lazy
            }
            _ => false,
        };
        if inside {
            (self.open_field, self.blanks) = (OpenField::NextItem, 0);
        }
        inside
    }

    fn is_comment(&self, line: &SourceLine) -> bool {
        let text = self.plan.source[line.start..line.end].trim_ascii();
        text.starts_with(b"<!--") && text.ends_with(b"-->")
    }

    /// Records a line below a list field that is not read as part of it.
    pub(super) fn passed(&mut self, line: &SourceLine) {
        if self.gap == GapAfterList::Prose || !self.open_steps.is_empty() {
            return;
        }
        let is_code = line.kind == LineKind::Opaque && line.indent >= 4 && line.kept == 0 && self.blanks > 0;
        match line.kind {
            LineKind::Item { mark: None, ordered, .. } => self.unread(line, ordered),
            LineKind::Opaque if is_code && self.gap == GapAfterList::Nothing && self.looks_like_item(line) => {
                self.unread(line, false);
            }
            LineKind::Opaque if self.is_comment(line) => {}
            LineKind::Text if self.blanks > 0 => self.gap = GapAfterList::Prose,
            _ if self.gap == GapAfterList::Steps => self.gap = GapAfterList::Prose,
            _ => self.gap = GapAfterList::Interruption,
        }
    }

    fn looks_like_item(&self, line: &SourceLine) -> bool {
        matches!(self.plan.source[line.start..line.end].trim_ascii(), [b'-' | b'*' | b'+', b' ' | b'\t', ..])
    }

    /// Reports the first item that is not read: an error if the author can hardly have meant anything else, otherwise a
    /// warning. After blank lines or steps it may be a note.
    fn unread(&mut self, line: &SourceLine, ordered: bool) {
        let gap = std::mem::replace(&mut self.gap, GapAfterList::Prose);
        let Some(field) = self.plan.fields.last().filter(|_| self.plan.archive.is_none()) else { return };
        let why = match gap {
            GapAfterList::Steps => "a step ends the list",
            GapAfterList::Interruption => "the text above it ends the list",
            _ if line.kind == LineKind::Opaque => "four or more columns of white space below a blank line make it code",
            _ if ordered => "its list is numbered, an item begins with `- `",
            _ => "the blank lines above it end the list",
        };
        if gap == GapAfterList::Steps && field.items.is_empty() && !is_empty(field) {
            return; // A value on one line, then steps: this item continues no list.
        }
        let is_error = match gap {
            GapAfterList::Steps => false,
            GapAfterList::Interruption => true,
            _ => ordered && self.blanks == 0 || is_empty(field),
        };
        let key = field.key.word();
        let front = self.plan.source[line.start..line.end].iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        self.plan.findings.push(LintFinding {
            code: UNREAD,
            severity: if is_error { Severity::Error } else { Severity::Warning },
            span: Span::new(line.start + front.count()..line.end),
            message: format!("this list item below `{key}` is not read: {why}"),
            remedy: format!(
                "if it is a step, write it as `- [ ] {}`; if it belongs to `{key}`, put it directly below the items \
                 that are read, as `- …`; if it is a note, put a blank line and then a line of prose above it",
                self.bare(line)
            ),
        });
    }

    /// The text of an item without its bullet or number; `…` if it is long.
    fn bare(&self, line: &SourceLine) -> String {
        let text = self.plan.text(Span::new(line.start..line.end)).trim_start();
        let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = number.trim_start_matches(['-', '*', '+', '.', ')']).trim();
        if text.len() > LONGEST { "…".to_owned() } else { text.to_owned() }
    }
}

/// The longest item, in bytes, that a remedy repeats.
const LONGEST: usize = 60;

/// The code of the finding.
pub(in crate::plan) const UNREAD: &str = "unread-item";

fn is_empty(field: &Field) -> bool {
    field.value.is_empty() && field.continuations.is_empty() && field.items.is_empty()
}
