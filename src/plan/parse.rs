//! Parses lines into a [`Plan`] (`FORMAT.md` §1, §2): which headings are goals, and which lines below them are fields, items, steps and log lines.

mod body;
mod front;
mod refuse;
mod step;
mod unread;

use super::model::{Field, Goal, Key, LintFinding, LogEntry, LogSection, Plan, Severity, Span, Status};
use super::scan::{LineKind, Scanner, SourceLine, trim_end};
use crate::error::Result;

pub(super) use body::is_id;
pub use refuse::{FILE, MAX_BYTES, conflict};
pub use step::{Parts, options_at_end, split};
pub(super) use unread::UNREAD;

/// The byte order mark: skipped, but kept in the file.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Parses a plan. Only what `FORMAT.md` defines is interpreted; the rest is prose.
///
/// # Errors
/// [`crate::error::Kind::Input`] for a NUL byte, more than 64 MiB, a byte that is not UTF-8 in a line that is read as
/// structure, and git conflict markers; the message begins with line and column and shows the line.
pub fn parse(source: &[u8]) -> Result<Plan<'_>> {
    refuse::whole(source)?;
    let from = if source.starts_with(BOM) { BOM.len() } else { 0 };
    let mut parser = Parser::new(source);
    let from = parser.front(from)?;
    let mut scanner = Scanner::new(source, from);
    while let Some(line) = scanner.line() {
        parser.line(&line)?;
    }
    parser.finish(&scanner)
}

/// The lines that may still be added to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenField {
    /// No field is open.
    Nothing,
    /// Continuation lines only.
    Value,
    /// Continuation lines of the value, or the first item of its list.
    ValueOrItems,
    /// Items and their continuation lines.
    Items,
    /// Items: the lines above are no longer part of the last item.
    NextItem,
}

/// The gap between a list field and the current line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GapAfterList {
    /// No list field above, or prose below it: an item here is a note.
    Prose,
    /// Only blank lines.
    Nothing,
    /// Steps.
    Steps,
    /// A line that ends the list, such as a fence.
    Interruption,
}

/// The tables being filled, and the state at the next line.
#[derive(Debug)]
struct Parser<'a> {
    plan: Plan<'a>,
    /// Whether the parser is in the body of a goal.
    in_goal: bool,
    /// Whether the line is above the goal's first deeper heading.
    in_fields: bool,
    open_field: OpenField,
    /// Blank lines since the open field's last line.
    blanks: u32,
    /// The number of list items that contain the last item of the open field.
    item_kept: usize,
    /// The gap since the last list field; it decides the finding about an unread item.
    gap: GapAfterList,
    /// Steps whose blocks are still open, with the number of containers that a line must keep to stay inside.
    open_steps: Vec<(usize, usize)>,
    /// Whether the line is inside the last log section of the table.
    in_log: bool,
}

impl<'a> Parser<'a> {
    fn new(source: &'a [u8]) -> Self {
        let plan = Plan {
            source,
            whole: std::str::from_utf8(source).ok(),
            front: None,
            front_entries: Vec::new(),
            objective: None,
            objective_line: None,
            // Estimates of what plans hold, so that the tables seldom move; unused memory costs nothing.
            goals: Vec::with_capacity(source.len() / 256),
            fields: Vec::with_capacity(source.len() / 96),
            items: Vec::with_capacity(source.len() / 128),
            continuations: Vec::new(),
            steps: Vec::with_capacity(source.len() / 96),
            afters: Vec::new(),
            logs: Vec::new(),
            log: Vec::new(),
            archive: None,
            unclosed: None,
            findings: Vec::new(),
            unsettled: std::cell::OnceCell::new(),
        };
        Parser {
            plan,
            in_goal: false,
            in_fields: false,
            open_field: OpenField::Nothing,
            blanks: 0,
            item_kept: 0,
            gap: GapAfterList::Prose,
            open_steps: Vec::new(),
            in_log: false,
        }
    }

    fn line(&mut self, line: &SourceLine) -> Result<()> {
        if line.kind == LineKind::Blank {
            self.blanks += 1;
            return Ok(());
        }
        if self.in_log {
            self.log_line(line)?;
        }
        match line.kind {
            LineKind::Heading { level, start, end } => return self.heading(line, level, start, end),
            _ if self.in_goal => self.goal_line(line)?,
            _ => {}
        }
        Ok(())
    }

    fn heading(&mut self, line: &SourceLine, level: u8, start: usize, end: usize) -> Result<()> {
        (self.open_field, self.gap) = (OpenField::Nothing, GapAfterList::Prose);
        self.in_fields = false;
        if level <= 2 {
            self.end_goal(line.start);
        } else {
            self.extend_steps(line);
            self.reads_prose();
        }
        let text = &self.plan.source[start..end];
        let is_log = text.eq_ignore_ascii_case(b"log");
        if self.in_log && self.plan.logs.last().is_some_and(|log| level <= log.level) {
            self.end_log(line.start);
        }
        if is_log && !self.in_log {
            self.start_log(line, level);
        } else if level == 1 && text.eq_ignore_ascii_case(b"archive") && self.plan.archive.is_none() {
            self.plan.archive = Some(Span::new(line.start..self.plan.source.len()));
        } else if let Some(objective) =
            name(text, b"plan:").filter(|_| level == 1 && self.plan.objective_line.is_none())
        {
            self.check(line)?;
            self.plan.objective = Some(Span::new(end - objective.len()..end));
            self.plan.objective_line = Some(Span::new(line.start..line.next));
        } else if let Some(subject) = name(text, b"goal:").filter(|_| level == 2) {
            self.check(line)?;
            self.start_goal(line, Span::new(end - subject.len()..end));
        }
        Ok(())
    }

    fn start_goal(&mut self, line: &SourceLine, subject: Span) {
        let (fields, steps) = (self.plan.fields.len() as u32, self.plan.steps.len() as u32);
        self.plan.goals.push(Goal {
            body: Span::new(line.start..self.plan.source.len()),
            heading: Span::new(line.start..line.next),
            subject,
            id: None,
            bad_id: None,
            fields: fields..fields,
            steps: steps..steps,
            status: Status::default(),
            archived: self.plan.archive.is_some(),
            has_prose: false,
        });
        (self.in_goal, self.in_fields) = (true, true);
    }

    fn end_goal(&mut self, at: usize) {
        self.open_steps.clear();
        if std::mem::take(&mut self.in_goal)
            && let Some(goal) = self.plan.goals.last_mut()
        {
            goal.body.end = at as u32;
        }
    }

    /// Notes that the goal has a line that is in none of the tables.
    fn reads_prose(&mut self) {
        if let Some(goal) = self.plan.goals.last_mut().filter(|_| self.in_goal) {
            goal.has_prose = true;
        }
    }

    fn start_log(&mut self, line: &SourceLine, level: u8) {
        let lines = self.plan.log.len() as u32;
        self.plan.logs.push(LogSection {
            level,
            heading: Span::new(line.start..line.next),
            body: Span::new(line.next..self.plan.source.len()),
            insert_at: line.next as u32,
            lines: lines..lines,
            archived: self.plan.archive.is_some(),
        });
        self.in_log = true;
    }

    fn end_log(&mut self, at: usize) {
        self.in_log = false;
        if let Some(log) = self.plan.logs.last_mut() {
            log.body.end = at as u32;
        }
    }

    /// Reads a line below a log heading: moves the place for new lines, and keeps the line if it has a stamp.
    fn log_line(&mut self, line: &SourceLine) -> Result<()> {
        let ends = matches!(line.kind, LineKind::Heading { level, .. } if self.plan.logs.last().is_some_and(|log| level <= log.level));
        let Some(log) = self.plan.logs.last_mut().filter(|_| !ends) else { return Ok(()) };
        log.insert_at = line.next as u32;
        let LineKind::Item { ordered: false, start, .. } = line.kind else { return Ok(()) };
        let text = &self.plan.source[start..line.end];
        if line.indent > 3 || !is_stamp(text) {
            return Ok(());
        }
        log.lines.end += 1;
        let spaces = text[STAMP.len()..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let end = start + trim_end(text).len();
        let stamp = start + STAMP.len();
        self.plan.log.push(LogEntry {
            line: Span::new(line.start..line.next),
            stamp: Span::new(start..stamp),
            text: Span::new((stamp + spaces).min(end)..end),
        });
        self.check(line)
    }

    /// Refuses a line that is read as structure but is not UTF-8.
    fn check(&self, line: &SourceLine) -> Result<()> {
        if self.plan.whole.is_some() { Ok(()) } else { refuse::not_utf8(self.plan.source, line.start, line.end) }
    }

    fn finish(mut self, scanner: &Scanner<'_>) -> Result<Plan<'a>> {
        if let Some(open) = scanner.open().filter(|open| open.base == 0) {
            let span = Span::new(open.start..open.end);
            let (code, what) = match open.fence {
                Some(_) => ("unclosed-fence", "code fence"),
                None => ("unclosed-comment", "comment"),
            };
            self.plan.unclosed = Some(span);
            self.plan.findings.push(LintFinding {
                code,
                severity: Severity::Warning,
                span,
                message: format!("this {what} is never closed, so everything below it is text"),
                remedy: format!("close the {what}"),
            });
        }
        Ok(self.plan)
    }

    /// Whether the current goal already has a field with this key.
    fn has_field(&self, key: Key) -> bool {
        let from = self.plan.goals.last().map_or(0, |goal| goal.fields.start as usize);
        self.plan.fields[from..].iter().any(|field: &Field| field.key == key)
    }
}

/// The text after a heading's word and colon; the word may be in any case.
fn name<'t>(text: &'t [u8], word: &[u8]) -> Option<&'t [u8]> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then(|| rest.trim_ascii_start())
}

const STAMP: &[u8] = b"0000-00-00 00:00";

/// `YYYY-MM-DD HH:MM` with a plausible date and time, then white space or the end.
fn is_stamp(text: &[u8]) -> bool {
    let Some((stamp, rest)) = text.split_at_checked(STAMP.len()) else { return false };
    let shape =
        stamp.iter().zip(STAMP).all(|(byte, model)| if *model == b'0' { byte.is_ascii_digit() } else { byte == model });
    let two = |at: usize| (stamp[at] & 15) * 10 + (stamp[at + 1] & 15);
    shape
        && matches!(rest.first(), None | Some(b' ' | b'\t' | b'\r'))
        && (1..=12).contains(&two(5))
        && (1..=31).contains(&two(8))
        && two(11) < 24
        && two(14) < 60
}

#[cfg(test)]
mod tests;
