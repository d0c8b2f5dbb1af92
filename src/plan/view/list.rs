//! The task list (P-51, P-52): the important goals first, as much as fits the screen.

mod next;

use super::board::Board;
use super::groups::{Filter, Groups, no_goals};
use super::kept::{KeptLine, lines};
use super::layout::{Row, Screen};
use super::remarks::Remark;
use super::{Sink, Style, steps};
use crate::plan::lookup::GoalNumbers;
use crate::plan::model::{GoalRef, Plan, Span, Status};

/// To make room for this many ready or waiting goals, the active goals are shown in a shorter form.
const READY: usize = 3;
/// At least this many goals of the groups "to look at" and "active" are shown, however small the screen is; the rest is counted.
const LEAST: usize = 1;
/// On a terminal, at most this many needs of a waiting goal are listed.
const NEEDS: usize = 3;
/// Columns that the ends of two wrapped lines may leave empty.
const SLACK: usize = 16;

/// The options of the list.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The options by which the caller named the plan (` -C pkg`), for the suggested commands.
    pub options: String,
    /// Shows done and cancelled goals too, and leaves nothing out.
    pub all: bool,
    /// Selects the goals to show.
    pub filter: Filter,
    /// The size of the output.
    pub screen: Screen,
    /// Commands that cannot be run, or that cannot fail: no start or sign-off of their goals is suggested as the next command.
    pub unfit: Vec<Span>,
    /// Notes about what stops or drives the work: a word (`paused`, `loop`) and its explanation.
    pub notes: Vec<(&'static str, String)>,
}

/// How much is shown of a goal that is active or has a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowForm {
    /// Its steps, its remarks and the commands that fix them.
    Whole,
    /// Its remarks and the step to do now.
    Short,
    /// Like `Short`, but without blank lines, and with the id only if it fits beside the subject.
    Tight,
    /// One row.
    Row,
}

/// Writes the task list. It contains an archived goal only if the goal is done without a valid sign-off. Returns the number of
/// goals found.
pub fn list(plan: &Plan<'_>, listing: &Listing, sink: &mut impl Sink) -> usize {
    let mut board = Board::new(plan);
    board.groups.retain(|goal| listing.filter.takes(goal, &board.needs));
    let numbers = GoalNumbers::new(plan);
    let hang = numbers.highest().to_string().len() + 3;
    let list = List { plan, listing, board: &board, numbers, hang, screen: listing.screen };
    list.put(&board.groups, sink)
}

struct List<'p, 'a> {
    plan: &'p Plan<'a>,
    listing: &'p Listing,
    board: &'p Board<'p, 'a>,
    numbers: GoalNumbers,
    /// The column in which subjects begin.
    hang: usize,
    screen: Screen,
}

impl List<'_, '_> {
    fn put(&self, groups: &Groups<'_, '_>, sink: &mut impl Sink) -> usize {
        if !self.listing.filter.is_empty() {
            return self.filtered(groups, sink);
        }
        match self.screen.lines.filter(|_| !self.listing.all) {
            // The prompt is a line too.
            Some(lines) => self.fitted(groups, lines.saturating_sub(1), sink),
            None => self.whole(groups, sink),
        }
        self.plan.all_goals().len()
    }

    /// Writes everything directly, without buffering it to see whether it fits.
    fn whole(&self, groups: &Groups<'_, '_>, sink: &mut impl Sink) {
        self.head(sink);
        self.first(groups, RowForm::Whole, usize::MAX, sink);
        self.group("ready", &groups.ready, sink);
        self.group("waiting", &groups.waiting, sink);
        if self.listing.all {
            self.group("signed off", &groups.done, sink);
            self.group("cancelled", &groups.cancelled, sink);
        }
        self.left_out(groups, (groups.ready.len(), groups.waiting.len()), sink);
        self.tail(sink);
    }

    /// Writes as much as fits in `room` lines.
    fn fitted(&self, groups: &Groups<'_, '_>, room: usize, sink: &mut impl Sink) {
        let (head, tail) = (lines(|out| self.head(out)), lines(|out| self.tail(out)));
        let some = (groups.ready.len().min(1), groups.waiting.len().min(1));
        let left_out = [(0, 0), some].map(|shown| lines(|out| self.left_out(groups, shown, out)).len());
        let left_out = left_out[0].max(left_out[1]);
        let room = room.saturating_sub(head.len() + tail.len() + left_out);
        // A row takes at least one line, so no more rows can fit.
        let rows = self.open_rows(groups, room.max(READY) + 1);
        let ready = match rows.iter().take(READY).map(|(row, _)| row.len()).sum::<usize>() {
            0 => 0,
            height => height + 2,
        };
        let first = self.fitting(groups, room, ready);
        let left = room.saturating_sub(first.len());
        let is_full = !first.is_empty() && rows.first().is_some_and(|(row, _)| row.len() + 2 > left);
        [head, first].into_iter().flatten().for_each(|line| line.put(sink));
        let shown = self.open(if is_full { &[] } else { &rows }, left, sink);
        self.left_out(groups, shown, sink);
        tail.into_iter().for_each(|line| line.put(sink));
    }

    /// The goals that come first, in the longest form that fits. The whole form must leave room for the `ready` lines of ready goals.
    fn fitting(&self, groups: &Groups<'_, '_>, room: usize, ready: usize) -> Vec<KeptLine> {
        // Each goal takes at least one line.
        let may_fit = groups.look.len() + groups.active.len() <= room;
        if may_fit {
            let whole = lines(|out| self.first(groups, RowForm::Whole, usize::MAX, out));
            if whole.len() + ready <= room {
                return whole;
            }
        }
        let forms = [RowForm::Short, RowForm::Tight, RowForm::Row].into_iter().filter(|_| may_fit);
        let forms = forms.map(|form| (form, usize::MAX));
        let fewer = (LEAST..=room.max(LEAST)).rev().map(|most| (RowForm::Row, most));
        let mut found = Vec::new();
        for (form, most) in forms.chain(fewer) {
            found = lines(|out| self.first(groups, form, most, out));
            if found.len() <= room {
                break;
            }
        }
        found
    }

    /// Writes only the goals that the filter selects.
    fn filtered(&self, groups: &Groups<'_, '_>, sink: &mut impl Sink) -> usize {
        let all = [&groups.look, &groups.active, &groups.ready, &groups.waiting, &groups.done, &groups.cancelled];
        all.iter().flat_map(|group| group.iter()).for_each(|goal| self.goal(*goal, RowForm::Short, sink));
        let found = all.iter().map(|group| group.len()).sum();
        let of = self.plan.live_goals().count();
        let told = match (found, of) {
            (0, 0) => no_goals(self.plan),
            (0, of) => format!("none of {of} goals; `plan list --all` shows them"),
            _ => format!("{found} of {of} goals"),
        };
        Row::new(0).with(Style::Dim, told).put(self.screen, sink);
        found
    }

    fn head(&self, sink: &mut impl Sink) {
        if let Some(objective) = self.plan.objective().filter(|text| !text.is_empty()) {
            Row::new(0).with(Style::Title, objective).put(self.screen, sink);
        }
        if self.plan.live_goals().next().is_none() {
            Row::new(0).with(Style::Dim, no_goals(self.plan)).put(self.screen, sink);
        } else {
            let tally = self.board.tally();
            let mut row = Row::new(0).with(Style::Dim, format!("{} of {} signed off", tally.signed_off, tally.all));
            if tally.active > 0 {
                row = row.with(Style::Dim, format!(", {} active", tally.active));
            }
            if tally.look > 0 {
                row = row.with(Style::Dim, ", ").with(Style::Bad, format!("{} to look at", tally.look));
            }
            row.put(self.screen, sink);
        }
        for (word, told) in &self.listing.notes {
            Row::new(2).with(Style::Warning, *word).with(Style::Plain, format!("  {told}")).put(self.screen, sink);
        }
    }

    /// Writes the remarks and goals to look at, and the active goals: at most `most` of each group.
    fn first(&self, groups: &Groups<'_, '_>, form: RowForm, most: usize, sink: &mut impl Sink) {
        let is_airy = matches!(form, RowForm::Whole | RowForm::Short);
        let mut is_begun = is_airy;
        let mut air = |sink: &mut _| {
            if is_airy || !std::mem::replace(&mut is_begun, true) {
                Sink::newline(sink);
            }
        };
        for remark in self.board.remarks.others().take(most) {
            air(sink);
            Row::new(2).with(Style::Bad, "! ").with(Style::Plain, &remark.short).put(self.screen, sink);
        }
        for (goals, what) in [(&groups.look, "to look at"), (&groups.active, "active")] {
            for goal in goals.iter().take(most) {
                air(sink);
                self.goal(*goal, form, sink);
            }
            if goals.len() > most {
                air(sink);
                let more = format!("{} more {what} (plan --all)", goals.len() - most);
                Row::new(2).with(Style::Dim, more).put(self.screen, sink);
            }
        }
    }

    /// Writes a goal with the lines that belong below it.
    fn goal(&self, goal: GoalRef<'_, '_>, form: RowForm, sink: &mut impl Sink) {
        let row = self.row(goal);
        match form {
            RowForm::Whole | RowForm::Short => row.put(self.screen, sink),
            RowForm::Tight | RowForm::Row => row.put_on_one_line(self.screen, sink),
        }
        if form == RowForm::Row {
            return;
        }
        for remark in self.board.remarks.of(goal) {
            self.remark(remark, form, sink);
        }
        if goal.status() != Status::Active {
            return;
        }
        if let Some((stamp, rejection)) = self.board.rejection(goal) {
            self.below()
                .with(Style::Bad, format!("rejected {stamp}"))
                .with(Style::Plain, format!("  {}", self.in_two_lines(rejection.why, stamp.len())))
                .put(self.screen, sink);
        }
        match self.screen.columns {
            None => steps::all(goal, self.hang, sink),
            Some(_) if form == RowForm::Whole => steps::open(goal, self.hang, self.screen, sink),
            Some(_) => steps::current(goal, self.hang, self.screen, sink),
        }
    }

    /// Cuts a rejection to two lines, after its word and a stamp of `stamp` bytes; `plan show` shows all of it.
    fn in_two_lines(&self, why: &str, stamp: usize) -> String {
        let Some(columns) = self.screen.columns else { return why.to_owned() };
        // Words are not cut, so a line may be shorter than the screen.
        let room = (2 * columns.saturating_sub(self.hang)).saturating_sub("rejected ".len() + stamp + SLACK);
        match why.char_indices().nth(room.max(SLACK)) {
            Some((end, _)) => format!("{}…", why[..end].trim_end()),
            None => why.to_owned(),
        }
    }

    fn below(&self) -> Row {
        Row::new(self.hang).with(Style::Plain, " ".repeat(self.hang))
    }

    fn remark(&self, remark: &Remark, form: RowForm, sink: &mut impl Sink) {
        self.below().with(Style::Bad, &remark.short).put(self.screen, sink);
        if let Some(command) = remark.command.as_ref().filter(|_| form == RowForm::Whole) {
            self.below().with(Style::Dim, self.typed(command)).put(self.screen, sink);
        }
    }

    /// `●  2 Each order is charged once  2/4                  each-order-once-1`
    fn row(&self, goal: GoalRef<'_, '_>) -> Row {
        let digits = self.hang - 3;
        let number = match self.numbers.of(goal) {
            Some(number) => format!(" {number:>digits$} "),
            None => " ".repeat(digits + 2),
        };
        let (style, sign) = self.board.mark(goal);
        let title = if goal.status() == Status::Active { Style::Title } else { Style::Plain };
        let mut row =
            Row::new(self.hang).with(style, sign).with(Style::Dim, number).with(title, goal.subject()).right(goal.id());
        let (settled, steps) = goal.progress();
        if steps > 0 && !goal.status().is_finished() {
            row = row.with(Style::Dim, format!("  {settled}/{steps}"));
        }
        if goal.priority() != 2 && !goal.status().is_finished() {
            row = row.with(Style::Dim, format!("  p{}", goal.priority()));
        }
        if let Some(needs) = self.waits_for(goal) {
            row = row.with(Style::Dim, format!("  needs {needs}"));
        }
        row
    }

    fn waits_for(&self, goal: GoalRef<'_, '_>) -> Option<String> {
        if goal.status().is_finished() || self.board.needs.are_done(goal) {
            return None;
        }
        let missing = self.board.needs.missing(goal);
        let by_hand =
            |id: &String| if self.board.needs.is_by_hand(id) { format!("{id} (done by hand)") } else { id.clone() };
        let named = if self.screen.columns.is_some() { NEEDS } else { usize::MAX };
        let mut told = missing.iter().take(named).map(by_hand).collect::<Vec<_>>().join(", ");
        if missing.len() > named {
            told += &format!(" and {} more", missing.len() - named);
        }
        Some(told)
    }

    /// The first `most` rows of ready goals, then of waiting goals, each with whether the goal waits.
    fn open_rows(&self, groups: &Groups<'_, '_>, most: usize) -> Vec<(Vec<KeptLine>, bool)> {
        let ready = groups.ready.iter().map(|goal| (goal, false));
        let goals = ready.chain(groups.waiting.iter().map(|goal| (goal, true)));
        goals.take(most).map(|(goal, waits)| (lines(|out| self.row(*goal).put(self.screen, out)), waits)).collect()
    }

    /// Writes as many of the rows as fit, but at least the first. Returns the numbers of ready and waiting goals that were shown.
    fn open(&self, rows: &[(Vec<KeptLine>, bool)], room: usize, sink: &mut impl Sink) -> (usize, usize) {
        let (mut shown, mut used) = ((0, 0), 0);
        for (index, (row, waits)) in rows.iter().enumerate() {
            let is_first = index == 0 || rows[index - 1].1 != *waits;
            let height = row.len() + if is_first { 2 } else { 0 };
            if index > 0 && used + height > room {
                break;
            }
            used += height;
            if is_first {
                sink.newline();
                Row::new(0).with(Style::Heading, if *waits { "waiting" } else { "ready" }).put(self.screen, sink);
            }
            row.iter().for_each(|line| line.put(sink));
            *if *waits { &mut shown.1 } else { &mut shown.0 } += 1;
        }
        shown
    }

    fn group(&self, name: &str, goals: &[GoalRef<'_, '_>], sink: &mut impl Sink) {
        if goals.is_empty() {
            return;
        }
        sink.newline();
        Row::new(0).with(Style::Heading, name).put(self.screen, sink);
        goals.iter().for_each(|goal| self.row(*goal).put(self.screen, sink));
    }

    /// `8 more ready, 4 wait for others, 9 signed off, 1 cancelled (plan --all)`
    fn left_out(&self, groups: &Groups<'_, '_>, (ready, waiting): (usize, usize), sink: &mut impl Sink) {
        let more = |shown: usize| if shown > 0 { "more " } else { "" };
        let mut parts = Vec::new();
        let mut part = |count: usize, told: String| parts.extend((count > 0).then(|| format!("{count} {told}")));
        let (left_ready, left_waiting) = (groups.ready.len() - ready, groups.waiting.len() - waiting);
        part(left_ready, format!("{}ready", more(ready)));
        let wait = if left_waiting == 1 { "waits for others" } else { "wait for others" };
        part(left_waiting, format!("{}{wait}", more(waiting)));
        if !self.listing.all {
            part(groups.done.len(), "signed off".to_owned());
            part(groups.cancelled.len(), "cancelled".to_owned());
        }
        if !parts.is_empty() {
            sink.newline();
            Row::new(0).with(Style::Dim, format!("{} (plan --all)", parts.join(", "))).put(self.screen, sink);
        }
    }
}
