//! The lines of a goal: id, fields, items, continuation lines, steps.

use super::step::split;
use super::{GapAfterList, OpenField, Parser};
use crate::error::Result;
use crate::plan::model::{Field, Item, Key, Mark, Span, Status, Step};
use crate::plan::scan::{LineKind, SourceLine, trim_end};

/// Longest id (`FORMAT.md`, id).
const ID_BYTES: usize = 64;

impl Parser<'_> {
    /// Reads a line of a goal that is neither blank nor a heading.
    pub(super) fn goal_line(&mut self, line: &SourceLine) -> Result<()> {
        let field =
            if line.kind == LineKind::Text && line.indent == 0 && self.in_fields { self.key(line) } else { None };
        if field.is_none() {
            self.extend_steps(line);
        } else {
            self.open_steps.clear();
        }
        match line.kind {
            LineKind::Id { start, end } => self.id(line, start, end),
            LineKind::Item { mark: Some(mark), .. } => self.step(line, mark),
            LineKind::Item { ordered, .. } if self.runs_on(line, ordered) => self.continuation(line),
            LineKind::Item { ordered: false, start, .. } if self.takes_item() => self.item(line, start),
            LineKind::Text => match field {
                Some((key, colon)) => self.field(line, key, colon),
                None => self.continuation(line),
            },
            _ => {
                self.reads_prose();
                self.ends_list(line);
                Ok(())
            }
        }
    }

    /// Handles a line that is no part of the open field. The field ends here, unless the line is within its list.
    fn ends_list(&mut self, line: &SourceLine) {
        if !self.stands_in_list(line) {
            self.passed(line);
            self.open_field = OpenField::Nothing;
        }
    }

    /// Closes the open steps that this line no longer belongs to, and extends the others to the end of the line.
    pub(super) fn extend_steps(&mut self, line: &SourceLine) {
        while let Some(&(_, depth)) = self.open_steps.last()
            && depth > line.kept
        {
            self.open_steps.pop();
        }
        for &(step, _) in &self.open_steps {
            self.plan.steps[step].end = line.next as u32;
        }
    }

    fn id(&mut self, line: &SourceLine, start: usize, end: usize) -> Result<()> {
        self.passed(line);
        self.open_field = OpenField::Nothing;
        self.check(line)?;
        let valid = is_id(&self.plan.source[start..end]);
        let Some(goal) = self.plan.goals.last_mut() else { return Ok(()) };
        let whole = Span::new(line.start..line.next);
        if valid && goal.id.is_none() {
            goal.id = Some((whole, Span::new(start..end)));
        } else if !valid && goal.bad_id.is_none() {
            goal.bad_id = Some(whole);
        } else {
            goal.has_prose = true;
        }
        Ok(())
    }

    /// The key at the start of a line at column 0, and the offset of its colon.
    fn key(&self, line: &SourceLine) -> Option<(Key, usize)> {
        let text = &self.plan.source[line.start..line.end];
        // No two keys begin with the same letter.
        let key = match text.first()? {
            b's' => Key::Status,
            b'd' => Key::DoneWhen,
            b'v' => Key::Verify,
            b'f' => Key::FailureModes,
            b'n' => Key::Needs,
            b'p' => Key::Priority,
            b'k' => Key::Kind,
            b'm' => Key::MayChange,
            b'e' => Key::Evidence,
            _ => return None,
        };
        let rest = text.strip_prefix(key.word().as_bytes())?;
        (rest.first() == Some(&b':')).then(|| (key, line.start + key.word().len()))
    }

    fn field(&mut self, line: &SourceLine, key: Key, colon: usize) -> Result<()> {
        let text = trim_end(&self.plan.source[colon + 1..line.end]);
        let skipped = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let value = Span::new(colon + 1 + skipped..colon + 1 + text.len().max(skipped));
        let (items, continuations) = (self.plan.items.len() as u32, self.plan.continuations.len() as u32);
        let repeated = self.has_field(key);
        self.check(line)?;
        // The status is needed more often than other fields, so it is parsed once.
        let status = (key == Key::Status && !repeated).then(|| Status::from_word(self.plan.text(value))).flatten();
        self.plan.fields.push(Field {
            key,
            lines: Span::new(line.start..line.next),
            value,
            continuations: continuations..continuations,
            items: items..items,
            repeated,
        });
        if let Some(goal) = self.plan.goals.last_mut() {
            goal.fields.end += 1;
            goal.status = status.unwrap_or(goal.status);
        }
        (self.open_field, self.gap) = match key.is_list() {
            true => (OpenField::ValueOrItems, GapAfterList::Nothing),
            false => (OpenField::Value, GapAfterList::Prose),
        };
        self.blanks = 0;
        Ok(())
    }

    /// True if the line looks like an item but continues the value above it, as in CommonMark: the value takes no list,
    /// or it has begun and the number merely happens to be at the start of the line.
    fn runs_on(&self, line: &SourceLine, ordered: bool) -> bool {
        let begun = || {
            let field = self.plan.fields.last();
            field.is_some_and(|field| !field.value.is_empty() || !field.continuations.is_empty())
        };
        let is_value = match self.open_field {
            OpenField::Value => true,
            OpenField::ValueOrItems => ordered && begun(),
            OpenField::Items | OpenField::NextItem | OpenField::Nothing => false,
        };
        is_value && line.indent >= 4 && self.blanks == 0
    }

    /// True if a plain item belongs to the open field. One blank line may precede it, but not after a value.
    fn takes_item(&self) -> bool {
        match self.open_field {
            OpenField::Nothing | OpenField::Value => false,
            OpenField::Items | OpenField::NextItem => self.blanks <= 1,
            OpenField::ValueOrItems => {
                let empty = self
                    .plan
                    .fields
                    .last()
                    .is_some_and(|field| field.value.is_empty() && field.continuations.is_empty());
                self.blanks == 0 || self.blanks == 1 && empty
            }
        }
    }

    fn item(&mut self, line: &SourceLine, start: usize) -> Result<()> {
        let continuations = self.plan.continuations.len() as u32;
        let text = trim_end(&self.plan.source[start..line.end]);
        self.plan.items.push(Item {
            lines: Span::new(line.start..line.next),
            text: Span::new(start..start + text.len()),
            continuations: continuations..continuations,
        });
        if let Some(field) = self.plan.fields.last_mut() {
            field.items.end += 1;
            field.lines.end = line.next as u32;
        }
        (self.open_field, self.blanks, self.item_kept) = (OpenField::Items, 0, line.kept);
        self.gap = GapAfterList::Nothing;
        self.check(line)
    }

    /// Prose; it continues the field above if it is indented and directly below it.
    fn continuation(&mut self, line: &SourceLine) -> Result<()> {
        self.reads_prose();
        if self.open_field == OpenField::Nothing {
            self.passed(line);
            return Ok(());
        }
        let start = line.start
            + self.plan.source[line.start..line.end].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let text = trim_end(&self.plan.source[start..line.end]);
        if line.indent < 2 || self.blanks > 0 || self.open_field == OpenField::NextItem {
            self.ends_list(line);
            return Ok(());
        }
        self.plan.continuations.push(Span::new(start..start + text.len()));
        if let Some(field) = self.plan.fields.last_mut() {
            field.lines.end = line.next as u32;
            if self.open_field != OpenField::Items {
                field.continuations.end += 1;
            } else if let Some(item) = self.plan.items.last_mut() {
                item.continuations.end += 1;
                item.lines.end = line.next as u32;
            }
        }
        self.check(line)
    }

    fn step(&mut self, line: &SourceLine, mark_at: usize) -> Result<()> {
        self.open_field = OpenField::Nothing;
        if self.gap != GapAfterList::Prose {
            self.gap = GapAfterList::Steps;
        }
        self.check(line)?;
        let source = self.plan.source;
        let rest = (mark_at + 2 + usize::from(mark_at + 2 < line.end)).min(line.end);
        // A line that is not UTF-8 was refused above.
        let text = self.plan.text(Span::new(rest..line.end));
        let parts = split(text);
        let shift = |span: std::ops::Range<usize>| Span::new(rest + span.start..rest + span.end);
        let after = self.plan.afters.len() as u32;
        if let Some(numbers) = &parts.after {
            self.plan.afters.extend(numbers_of(&text[numbers.clone()]));
        }
        let step = Step {
            goal: (self.plan.goals.len() - 1) as u32,
            line: Span::new(line.start..line.next),
            mark_at: mark_at as u32,
            mark: Mark::from_byte(source[mark_at]).unwrap_or_default(),
            number: parts.number,
            text: shift(parts.text),
            run: parts.run.map(shift),
            after: after..self.plan.afters.len() as u32,
            outcome: parts.outcome.map(shift),
            rest: Span::new(rest..line.end),
            end: line.next as u32,
        };
        self.open_steps.push((self.plan.steps.len(), line.kept + 1));
        self.plan.steps.push(step);
        if let Some(goal) = self.plan.goals.last_mut() {
            goal.steps.end += 1;
        }
        Ok(())
    }
}

/// The numbers in `1, 3`; a number that does not fit 32 bits is left out.
fn numbers_of(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split([',', ' ', '\t']).filter_map(|word| word.parse().ok())
}

/// `[a-z0-9][a-z0-9_-]{0,63}`
pub(in crate::plan) fn is_id(text: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=ID_BYTES).contains(&text.len())
        && plain(&text[0])
        && text.iter().all(|byte| plain(byte) || matches!(byte, b'_' | b'-'))
}
