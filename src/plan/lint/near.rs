//! Finds lines that look like structure but are read as prose. These findings spare a user an hour of wondering.

mod listed;
mod looks;
#[cfg(test)]
mod tests;

use super::{Findings, quoted};
use crate::plan::model::{Key, LintFinding, Plan, Span};
use crate::plan::parse::BOM;
use crate::plan::scan::{LineKind, Scanner, SourceLine};
use crate::plan::snippet::Places;
use looks::Checkbox;

/// A line that was meant as a field which its goal lacks, or as the heading of a goal: the plan holds less than it seems to.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The index of the goal, and the field; `None` for a heading.
    pub field: Option<(usize, Key)>,
    /// The finding of `plan lint` about it.
    pub finding: LintFinding,
}

/// Returns the lost lines in file order. A heading may come later, because only the lines below it show that it was meant as a goal.
pub(super) fn check(plan: &Plan<'_>, found: &mut Findings) -> Vec<Lost> {
    let bom = if plan.source.starts_with(BOM) { BOM.len() } else { 0 };
    let from = plan.front.map_or(bom, |front| front.end as usize);
    let end = plan.archive.map_or(plan.source.len(), |archive| archive.start as usize);
    let mut scanner = Scanner::new(plan.source, from);
    let mut reader = Reader {
        plan,
        found,
        goal: 0,
        field: 0,
        below: None,
        suspect: None,
        other: None,
        is_told: false,
        lost: Vec::new(),
        places: Places::new(plan.source),
    };
    loop {
        let open = scanner.open().is_some();
        let Some(line) = scanner.line().filter(|line| line.start < end) else { return reader.lost };
        if let Some(behind) = reader.behind_plain_goal(&line) {
            // A heading begins anew, whatever is above it; so the scanner can skip this goal.
            scanner = Scanner::new(plan.source, behind);
            continue;
        }
        let fenced = line.kind == LineKind::Opaque && (open || scanner.open().is_some());
        if !fenced && line.kind != LineKind::Blank {
            reader.line(&line);
        }
    }
}

/// Walks through the lines and, in parallel, through the tables of the plan.
struct Reader<'p, 'a, 'f> {
    plan: &'p Plan<'a>,
    found: &'f mut Findings,
    /// The index of the first goal that does not end above the line.
    goal: usize,
    /// The index of the first field that does not end above the line.
    field: usize,
    /// The first deeper heading in this goal; below it the goal has no fields.
    below: Option<Span>,
    /// A heading such as `## Goal two`. It may be no goal on purpose, as long as no line below it looks like a goal's.
    suspect: Option<Span>,
    /// Any other heading of level 2 outside of goals, and the number of fields below it.
    other: Option<(Span, usize)>,
    /// True once a finding asked for a goal; then no stray checkbox is reported.
    is_told: bool,
    lost: Vec<Lost>,
    places: Places<'a>,
}

impl Reader<'_, '_, '_> {
    fn line(&mut self, line: &SourceLine) {
        let in_goal = self.advance(line.start);
        let in_field = self.plan.fields.get(self.field).is_some_and(|field| field.lines.start as usize <= line.start);
        let at = line.start
            + self.plan.source[line.start..line.end].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let Ok(text) = std::str::from_utf8(&self.plan.source[at..line.end]) else { return };
        if in_field {
            return self.continuation(line, at, text);
        }
        match line.kind {
            LineKind::Heading { level, start, end } => self.heading(line, level, start, end, in_goal),
            LineKind::Item { mark: Some(_), start, .. } if !in_goal => self.stray_step(Span::new(start..line.end)),
            LineKind::Item { mark: None, ordered, start } => self.item(line, ordered, start, in_goal),
            LineKind::Text => self.text(line, at, text, in_goal),
            LineKind::Opaque if line.indent >= 4 => self.code(at, line, text, in_goal),
            LineKind::Opaque => self.comment(at, line, text),
            LineKind::Id { .. } => self.id(at, line, in_goal),
            LineKind::Blank | LineKind::Item { .. } => {}
        }
    }

    /// Returns the end of the goal that begins with this line, if the goal has no prose: then no line in it is lost.
    fn behind_plain_goal(&mut self, line: &SourceLine) -> Option<usize> {
        let LineKind::Heading { level: 2, .. } = line.kind else { return None };
        self.advance(line.start);
        let goal = self.plan.goals.get(self.goal)?;
        let is_it = goal.body.start as usize == line.start && !goal.has_prose;
        is_it.then(|| {
            (self.suspect, self.other) = (None, None);
            goal.body.end as usize
        })
    }

    /// Whether the line above is not blank.
    fn is_below_text(&self, line: &SourceLine) -> bool {
        let above = self.plan.source[..line.start].strip_suffix(b"\n").unwrap_or_default();
        let start = memchr::memrchr(b'\n', above).map_or(0, |newline| newline + 1);
        !above[start..].trim_ascii().is_empty()
    }

    /// Records the last finding as a lost field of this goal, unless the goal has the field elsewhere.
    fn lose(&mut self, key: Key) {
        let is_lost = self.plan.goal(self.goal).is_some_and(|goal| goal.field(key).is_none());
        if let Some(finding) = self.found.list.last().filter(|_| is_lost) {
            self.lost.push(Lost { field: Some((self.goal, key)), finding: finding.clone() });
        }
    }

    /// Records the last finding as the lost heading of a goal, if the next line with text looks like a goal's.
    fn lose_goal(&mut self) {
        let Some(finding) = self.found.list.last() else { return };
        let below = self.plan.source[finding.span.end as usize..].trim_ascii_start();
        let line = &below[..memchr::memchr(b'\n', below).unwrap_or(below.len())];
        if std::str::from_utf8(line).is_ok_and(|line| looks::is_nearly_id(line) || looks::key(line).is_some()) {
            self.lost.push(Lost { field: None, finding: finding.clone() });
        }
    }

    /// Reports an indented field that is read as part of the field above it, if the goal lacks it.
    fn continuation(&mut self, line: &SourceLine, at: usize, text: &str) {
        let Some(field) = self.plan.fields.get(self.field).filter(|_| line.kind == LineKind::Text && at > line.start)
        else {
            return;
        };
        let lacks = |key: &Key| self.plan.goal(self.goal).is_some_and(|goal| goal.field(*key).is_none());
        if let Some(key) = looks::field(text).filter(lacks) {
            let (word, other) = (key.word(), field.key.word());
            self.found.warning(
                "near-field",
                Span::new(at..at + word.len()),
                format!("`{word}` is read as part of `{other}`: a field begins at the start of its line"),
                "remove the text in front of it",
            );
            self.lose(key);
        }
    }

    /// Moves `field` and `goal` forward to a line; returns true if the line is in a goal.
    fn advance(&mut self, at: usize) -> bool {
        while self.plan.fields.get(self.field).is_some_and(|field| field.lines.end as usize <= at) {
            self.field += 1;
        }
        while self.plan.goals.get(self.goal).is_some_and(|goal| goal.body.end as usize <= at) {
            self.goal += 1;
            self.below = None;
        }
        self.plan.goals.get(self.goal).is_some_and(|goal| goal.body.start as usize <= at)
    }

    fn heading(&mut self, line: &SourceLine, level: u8, start: usize, end: usize, in_goal: bool) {
        let span = Span::new(line.start..line.end);
        if in_goal && level > 2 {
            self.below.get_or_insert(span);
        }
        let text = self.plan.text(Span::new(start..end));
        let slip = looks::goal_heading(level, text);
        let is_open = level == 2 && !in_goal && slip.is_none();
        let is_suspect = looks::goal_without_colon(text) || looks::goal_misspelt(text);
        self.suspect = (is_open && is_suspect).then_some(span);
        self.other = (is_open && !is_suspect).then_some((span, 0));
        if let Some(slip) = slip {
            self.found.warning("near-goal", span, format!("this is not a goal: {slip}"), "write `## Goal: <subject>`");
            self.lose_goal();
        } else if looks::is_nearly_log(text) {
            self.found.warning(
                "near-log",
                span,
                "this is not a log: expected a heading with the one word `Log`",
                "write `## Log`",
            );
        } else if level != 1 && text.eq_ignore_ascii_case("archive") && !self.plan.goals.is_empty() {
            self.found.note(
                "near-archive",
                span,
                "this is not the archive: that is a heading of level 1",
                "write `# Archive`",
            );
        }
    }

    fn text(&mut self, line: &SourceLine, at: usize, text: &str, in_goal: bool) {
        let span = Span::new(at..line.end);
        if text.starts_with('#') && looks::goal_heading(0, text.trim_start_matches('#')).is_some() {
            self.found.warning(
                "near-goal",
                span,
                "this is not a heading: a space is missing after the `#`s",
                "write `## Goal: <subject>`",
            );
            self.lose_goal();
        } else if in_goal && looks::is_underline(text) && self.is_below_text(line) {
            self.found.warning(
                "near-heading",
                span,
                "the line above is not a heading, because it does not begin with `#`; the goal goes on here",
                "write `## ` in front of the line above, and remove this one",
            );
        } else if in_goal && let Some(slip) = looks::checkbox_line(text) {
            self.checkbox(span, slip);
        } else if in_goal {
            self.field(line, at, text);
        } else if looks::key(text).is_some() {
            self.suspected();
            self.counted(at == line.start, text);
        }
    }

    /// Counts a correct field below another heading, and reports the heading at the second field: only a goal has two.
    fn counted(&mut self, is_at_edge: bool, text: &str) {
        let is_field = |key: Key| text.strip_prefix(key.word()).is_some_and(|rest| rest.starts_with(':'));
        let Some((heading, fields)) = self.other.filter(|_| is_at_edge && Key::ALL.into_iter().any(is_field)) else {
            return;
        };
        self.other = (fields == 0).then_some((heading, 1));
        if fields > 0 {
            let message = "this is not a goal: its heading does not begin with `Goal:`";
            self.found.warning("near-goal", heading, message, "write `## Goal: <subject>`");
            self.lose_goal();
            self.is_told = true;
        }
    }

    /// Reports the suspect heading, if there is one: a line below it looks like a goal's.
    fn suspected(&mut self) {
        if let Some(heading) = self.suspect.take() {
            let text = self.plan.text(heading);
            let slip = match text.trim_start_matches(['#', ' ', '\t']).split_once(':') {
                Some((word, _)) if !looks::goal_without_colon(word) => {
                    format!("did you mean `## Goal:` and not {}?", quoted(word))
                }
                _ => "put a colon directly after the word `Goal`".to_owned(),
            };
            let message = format!("this is not a goal: {slip}");
            self.found.warning("near-goal", heading, message, "write `## Goal: <subject>`");
            self.lose_goal();
            self.is_told = true;
        }
    }

    /// Reports a checkbox outside of every goal, if the plan has no goals. In other plans it belongs to a user's own list.
    fn stray_step(&mut self, span: Span) {
        self.suspected();
        if self.plan.goals.is_empty() && !std::mem::replace(&mut self.is_told, true) {
            self.found.note(
                "step-without-goal",
                span,
                "this is not a step: no goal is above it, and the plan has none",
                "write `## Goal: <subject>` above it",
            );
        }
    }

    fn item(&mut self, line: &SourceLine, ordered: bool, start: usize, in_goal: bool) {
        let span = Span::new(start..line.end);
        let text = self.plan.text(span);
        if !in_goal {
            return;
        }
        if let Some(slip) = looks::checkbox(text, ordered) {
            self.checkbox(span, slip);
        } else if self.is_below_steps(line) {
            self.without_box(span);
        } else if !ordered && line.indent == 0 {
            self.field(line, start, text);
        }
    }

    fn checkbox(&mut self, span: Span, slip: Checkbox) {
        self.found.warning(
            "near-checkbox",
            span,
            format!("this is not a step: {}", slip.sentence()),
            "write `- [ ] text`; marks are a space, `/`, `x`, `!` and `-`",
        );
    }

    /// Reports a line of a goal that begins with a key, but is not read as a field.
    fn field(&mut self, line: &SourceLine, at: usize, text: &str) {
        let Some((key, length)) = looks::key(text) else { return self.misspelt(line, at, text) };
        let span = Span::new(at..at + length);
        let word = key.word();
        if text[..length] != *word || !text[length..].starts_with(':') {
            self.found.warning(
                "near-field",
                span,
                format!("{} is read as prose: the field is `{word}:`", quoted(&text[..length])),
                format!("write `{word}:` at the start of the line, in small letters"),
            );
            self.lose(key);
        } else if let Some(below) = self.below {
            let number = self.places.of(below.start as usize).0;
            self.found.warning(
                "field-below-heading",
                span,
                format!("`{word}` is read as prose: below a deeper heading (line {number}) a goal has no fields"),
                "move it up, directly below the goal's heading",
            );
            self.lose(key);
        } else if line.indent > 0 || at > line.start {
            self.found.warning(
                "near-field",
                span,
                format!("`{word}` is read as prose: a field begins at the start of its line"),
                "remove the text in front of it",
            );
            self.lose(key);
        }
    }

    /// Reports a line that begins with a misspelt key, or with a key and `=`.
    fn misspelt(&mut self, line: &SourceLine, at: usize, text: &str) {
        let slip = looks::misspelt(text).or_else(|| looks::assigned(text));
        let Some((key, length)) = slip.filter(|_| line.indent == 0 && at == line.start) else { return };
        let word = key.word();
        self.found.warning(
            "near-field",
            Span::new(at..at + length),
            format!("{} is read as prose: did you mean `{word}:`?", quoted(&text[..length])),
            format!("write `{word}:`"),
        );
        self.lose(key);
    }

    /// Reports indented code that was meant as a step, a field or a heading.
    fn code(&mut self, at: usize, line: &SourceLine, text: &str, in_goal: bool) {
        let exact = |(key, length): &(Key, usize)| text[..*length] == *key.word() && text[*length..].starts_with(':');
        let field = looks::key(text).filter(exact);
        let structure = text.starts_with("- [") && looks::is_checkbox(&text[2..])
            || field.is_some()
            || text.starts_with("## Goal:");
        if in_goal && structure {
            self.found.warning(
                "indented-code",
                Span::new(at..line.end),
                "four or more columns of white space make this line code, not structure",
                "indent it less; a tab counts as four columns",
            );
            field.into_iter().for_each(|(key, _)| self.lose(key));
        }
    }

    fn comment(&mut self, at: usize, line: &SourceLine, text: &str) {
        if looks::is_nearly_id(text) {
            self.found.warning(
                "near-id",
                Span::new(at..line.end),
                "this is not an id: expected `<!-- id: slug -->`, alone on its line",
                "write it so, or remove it",
            );
        }
    }

    fn id(&mut self, at: usize, line: &SourceLine, in_goal: bool) {
        let span = Span::new(at..line.end);
        if !in_goal && self.suspect.is_some() {
            return self.suspected();
        }
        if !in_goal {
            let remedy = "move it below a `## Goal:` heading, or remove it";
            self.found.note("stray-id", span, "this id belongs to no goal", remedy);
            return;
        }
        let goal = &self.plan.goals[self.goal];
        let used = [goal.id.map(|(line, _)| line.start), goal.bad_id.map(|line| line.start)];
        if !used.contains(&Some(line.start as u32)) {
            self.found.warning(
                "second-id",
                span,
                "this goal already has an id, the first one counts",
                "remove one of them",
            );
        }
    }
}
