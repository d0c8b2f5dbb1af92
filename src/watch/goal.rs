//! A goal as lines: the contract with the missing items of a rejection below each criterion, the steps, the sign-off.

use crate::plan::log::{GoalEvent, LogLine, Missing, folded};
use crate::plan::model::{GoalRef, Key, Status};
use crate::plan::rules::step_to_do;
use crate::plan::view::{Board, LogView, Row, Screen, Sink, Style, logs, short_stamp, step_line, steps};

/// Pieces of text with their styles.
pub(super) type Pieces = Vec<(Style, String)>;

/// A line of an open goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PaneLine {
    pub(super) pieces: Pieces,
    /// The step in this line.
    pub(super) step: Option<usize>,
    /// Its line in plan.md.
    pub(super) at: Option<usize>,
}

/// Collects rows wrapped to a width, and gives each line the position that was set last.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<PaneLine>,
    /// The line being written.
    open: PaneLine,
    columns: Option<usize>,
}

impl Lines {
    /// Lines of this width; with `None` they are not wrapped.
    pub(super) fn new(columns: Option<usize>) -> Self {
        Lines { columns, ..Lines::default() }
    }

    pub(super) fn row(&mut self, row: &Row) {
        row.put(Screen { columns: self.columns, lines: None }, self);
    }

    pub(super) fn blank(&mut self) {
        self.newline();
    }

    fn at(&mut self, step: Option<usize>, at: Option<usize>) {
        (self.open.step, self.open.at) = (step, at);
    }

    pub(super) fn end(self) -> Vec<PaneLine> {
        self.lines
    }
}

impl Sink for Lines {
    fn put(&mut self, style: Style, text: &str) {
        if !text.is_empty() {
            self.open.pieces.push((style, text.to_owned()));
        }
    }

    fn newline(&mut self) {
        let next = PaneLine { pieces: Vec::new(), ..self.open };
        self.lines.push(std::mem::replace(&mut self.open, next));
    }
}

/// A remark that belongs to no goal.
pub(super) fn remark(board: &Board<'_, '_>, at: usize, columns: usize) -> Vec<PaneLine> {
    let mut lines = Lines::new(Some(columns));
    if let Some(remark) = board.others().nth(at) {
        lines.row(&Row::new(0).with(Style::Plain, &remark.sentence));
        lines.row(&Row::new(0).with(Style::Dim, remark.command.as_deref().unwrap_or("plan lint")));
    }
    lines.end()
}

/// All lines of a goal.
pub(super) fn lines(board: &Board<'_, '_>, goal: GoalRef<'_, '_>, columns: usize) -> Vec<PaneLine> {
    let mut lines = Lines::new(Some(columns));
    let log = logs(goal.plan(), &[goal]).pop().unwrap_or_default();
    lines.at(None, Some(goal.line()));
    lines.row(&Row::new(0).with(Style::Dim, facts(board, goal, &log).join("   ")));
    for remark in board.remarks(goal) {
        lines.row(&Row::new(2).with(Style::Bad, "! ").with(Style::Plain, &remark.short));
        if let Some(command) = &remark.command {
            lines.row(&Row::command(2, command));
        }
    }
    let (head, missing) = rejected(board, goal);
    contract(goal, head, &missing, &mut lines);
    if !goal.steps().is_empty() {
        lines.blank();
        label("steps", &mut lines);
        let next = step_to_do(goal);
        for step in steps(goal) {
            lines.at(Some(step.index()), Some(step.line()));
            lines.row(&step_line(step, next, 0, true));
        }
        lines.at(None, Some(goal.line()));
    }
    let is_end = |line: &&LogView| matches!(event(line), Some(GoalEvent::SignedOff(_) | GoalEvent::Cancelled { .. }));
    if let Some(line) = log.iter().rfind(is_end).filter(|_| goal.status().is_finished()) {
        lines.blank();
        let text = format!("  {}", folded(&line.text));
        lines.row(&Row::new(13).with(Style::Dim, short_stamp(&line.at)).with(Style::Plain, text));
    }
    lines.end()
}

/// The lines below the list that show how far a goal is: its criteria, without its verify and steps.
pub(super) fn criteria(board: &Board<'_, '_>, goal: GoalRef<'_, '_>, columns: usize) -> Vec<PaneLine> {
    let mut lines = Lines::new(Some(columns));
    let (_, missing) = rejected(board, goal);
    let (style, told) = match board.rejection(goal).filter(|_| !goal.status().is_finished()) {
        Some((at, _)) => (Style::Bad, format!("rejected {at}")),
        None => (Style::Dim, goal.status().word().to_owned()),
    };
    let told =
        goal.id().into_iter().chain([told.as_str()]).fold(String::new(), |line, part| format!("{line}   {part}"));
    lines.row(&Row::new(2).with(Style::Title, goal.subject()).with(style, told));
    criteria_of(goal, &missing, &mut lines);
    lines.end()
}

fn label(name: &str, lines: &mut Lines) {
    lines.row(&Row::new(0).with(Style::Dim, name));
}

/// `each-order-once-1`, `active since 06-15 09:12`, `priority 1`, `needs queue-1 ✓`
fn facts(board: &Board<'_, '_>, goal: GoalRef<'_, '_>, log: &[LogView]) -> Vec<String> {
    let mut facts: Vec<String> = goal.id().map(str::to_owned).into_iter().collect();
    let begun = log.iter().rfind(|line| matches!(event(line), Some(GoalEvent::Started(_))));
    let begun = begun.filter(|_| goal.status() == Status::Active);
    let since = begun.map(|line| format!(" since {}", short_stamp(&line.at))).unwrap_or_default();
    facts.push(format!("{}{since}", goal.status().word()));
    if goal.priority() != 2 {
        facts.push(format!("priority {}", goal.priority()));
    }
    let needs = board.needs(goal);
    if !needs.is_empty() {
        let each = needs.iter().map(|(id, is_done)| if *is_done { format!("{id} ✓") } else { id.clone() });
        facts.push(format!("needs {}", each.collect::<Vec<_>>().join(", ")));
    }
    facts
}

fn event(line: &LogView) -> Option<GoalEvent<'_>> {
    LogLine::parse(&line.text).and_then(LogLine::goal).map(|(_, event)| event)
}

/// The rejection of the goal: by which judge, when, and the missing items.
fn rejected<'a>(board: &Board<'_, 'a>, goal: GoalRef<'_, '_>) -> (String, Vec<Missing<'a>>) {
    let found = board.rejection(goal).filter(|_| !goal.status().is_finished());
    found.map_or_else(Default::default, |(at, rejection)| {
        (format!("rejected by {}, {at}", rejection.by.describe()), rejection.by.missing(rejection.why))
    })
}

fn contract(goal: GoalRef<'_, '_>, rejected: String, missing: &[Missing<'_>], lines: &mut Lines) {
    lines.blank();
    let row = Row::new(0).with(Style::Dim, "done when");
    lines.row(&if rejected.is_empty() { row } else { row.with(Style::Bad, format!("   {rejected}")) });
    if goal.criteria().is_empty() {
        let told = format!("    no criterion yet: plan goal set {} --done-when \"…\"", goal.typed());
        lines.row(&Row::new(0).with(Style::Dim, told));
    }
    criteria_of(goal, missing, lines);
    if let Some(verify) = goal.verify() {
        lines.blank();
        lines.row(&Row::new(12).with(Style::Dim, "verify      ").with(Style::Plain, verify));
    }
    let modes = goal.failure_modes();
    if !modes.is_empty() {
        lines.blank();
        label("failure modes", lines);
    }
    for (index, mode) in modes.iter().enumerate() {
        let name = format!("F{}", index + 1);
        lines.row(&Row::new(4).with(Style::Dim, format!("{name:<4}")).with(Style::Plain, mode.text.as_ref()));
        answers(&name, missing, lines);
    }
    let may_change = goal.may_change();
    if !may_change.is_empty() {
        lines.blank();
        lines.row(&Row::new(12).with(Style::Dim, "may change  ").with(Style::Plain, may_change.join(", ")));
    }
}

fn criteria_of(goal: GoalRef<'_, '_>, missing: &[Missing<'_>], lines: &mut Lines) {
    let criteria = goal.list(Key::DoneWhen);
    let names: Vec<String> = (1..=criteria.len()).map(|number| format!("C{number}")).collect();
    for (name, text) in names.iter().zip(&criteria) {
        lines.row(&Row::new(4).with(Style::Dim, format!("{name:<4}")).with(Style::Plain, text.as_ref()));
        answers(name, missing, lines);
    }
    let modes = goal.failure_modes().len();
    let is_below =
        |name: &str| names.iter().any(|known| known == name) || (1..=modes).any(|number| name == format!("F{number}"));
    for other in missing.iter().filter(|missing| !missing.criterion.is_some_and(is_below)) {
        lines.row(&Row::new(4).with(Style::Bad, "✗   ").with(Style::Plain, other.whole));
    }
}

/// The missing items of one criterion.
fn answers(name: &str, missing: &[Missing<'_>], lines: &mut Lines) {
    for missing in missing.iter().filter(|missing| missing.criterion == Some(name)) {
        lines.row(&Row::new(15).with(Style::Bad, "    ✗ missing  ").with(Style::Plain, missing.what));
    }
}
