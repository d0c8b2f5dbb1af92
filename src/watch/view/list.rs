//! The list of goals, one row each; only visible rows are drawn.

use ratatui_core::layout::Rect;

use super::Screen;
use crate::plan::model::{GoalRef, Status};
use crate::plan::view::{Group, Row, Screen as Size, Style, open_steps};
use crate::watch::goal::{Lines, Pieces};
use crate::watch::paint::Look;
use crate::watch::version::ListEntry;

/// The form of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Mark and subject.
    Bare,
    /// The selected goal unfolds below its row.
    Unfolded,
    /// The goal is shown beside the list.
    Beside,
}

impl Screen<'_, '_, '_, '_> {
    /// Draws the rows around the selected one.
    pub(super) fn list(&mut self, area: Rect, form: Form) {
        let height = usize::from(area.height);
        let state = &mut *self.state;
        state.page = height;
        if state.rows.is_empty() || height == 0 {
            return self.empty(area);
        }
        let unfolded = match (form, state.entry(self.version)) {
            (Form::Unfolded, Some(ListEntry::Goal(_, goal))) => self.unfolded(goal, height - 1),
            _ => Vec::new(),
        };
        let state = &mut *self.state;
        // Scrolls down until the selected row and its unfolded lines are visible, but not past the selected row.
        let below = state.selected + 1 + unfolded.len();
        state.top = state.top.max(below.saturating_sub(height)).min(state.selected);
        // Leaves no empty rows at the end if there are rows to fill them.
        let all = state.rows.len() + unfolded.len();
        state.top = state.top.min(all.saturating_sub(height)).min(state.selected);
        let (top, selected) = (state.top, state.selected);
        let rows: Vec<usize> = state.rows.iter().skip(top).take(height).copied().collect();
        let mut y = area.y;
        for (row, entry) in rows.into_iter().enumerate() {
            let is_selected = top + row == selected;
            self.entry(area, y, entry, form, is_selected);
            y += 1;
            if is_selected {
                for pieces in &unfolded {
                    if y < area.bottom() {
                        self.canvas.line(area, y, pieces, Look::default());
                    }
                    y += 1;
                }
            }
            if y >= area.bottom() {
                break;
            }
        }
    }

    fn empty(&mut self, area: Rect) {
        let told = match self.version.entries.is_empty() {
            true => "no goals yet: plan goal add \"subject\"".to_owned(),
            false => format!("no goal is {}; f shows others", self.state.filter.word()),
        };
        self.canvas.line(area, area.y, &[(Style::Dim, told)], Look::default());
    }

    fn entry(&mut self, area: Rect, y: u16, entry: usize, form: Form, is_selected: bool) {
        let (mark, subject, right, is_fresh) = match self.version.entries[entry] {
            ListEntry::Remark(at) => {
                let text = self.version.board.others().nth(at).map(|remark| remark.short.clone()).unwrap_or_default();
                ((Style::Bad, "!"), (Style::Plain, text), String::new(), false)
            }
            ListEntry::Goal(group, goal) => {
                let style = match (group, goal.status()) {
                    (_, Status::Active) => Style::Title,
                    (Group::Done | Group::Cancelled, _) => Style::Dim,
                    _ => Style::Plain,
                };
                let right = if form == Form::Bare { String::new() } else { self.beside(goal) };
                let is_fresh = self.state.fresh.contains(&goal.index());
                (self.version.board.mark(goal), (style, goal.subject().to_owned()), right, is_fresh)
            }
        };
        let mut pieces: Pieces = Vec::new();
        if !self.canvas.colours {
            pieces.push((Style::Plain, if is_selected { "> " } else { "  " }.to_owned()));
        }
        pieces.extend([(mark.0, format!("{} ", mark.1)), subject]);
        self.canvas.row(area, y, &pieces, &right, Look { reversed: is_selected, bold: is_fresh });
    }

    /// `waits 3  p1  2/4`
    fn beside(&self, goal: GoalRef<'_, '_>) -> String {
        let mut parts = Vec::new();
        let is_finished = goal.status().is_finished();
        let waits = if goal.status() == Status::Open { self.waits(goal) } else { 0 };
        if waits > 0 {
            parts.push(format!("waits {waits}"));
        }
        if goal.priority() != 2 && !is_finished {
            parts.push(format!("p{}", goal.priority()));
        }
        let (settled, steps) = goal.progress();
        if steps > 0 && (goal.status() != Status::Open || settled > 0) {
            parts.push(format!("{settled}/{steps}"));
        }
        parts.join("  ")
    }

    fn waits(&self, goal: GoalRef<'_, '_>) -> usize {
        self.version.plan().goal(goal.index()).map_or(0, |goal| self.version.board.waits(goal))
    }

    /// The lines below the selected goal, at most `room`.
    fn unfolded(&self, goal: GoalRef<'_, '_>, room: usize) -> Vec<Pieces> {
        let mut lines = Lines::new(None);
        for remark in self.version.board.remarks(goal) {
            lines.row(&Row::new(2).with(Style::Plain, "  ").with(Style::Bad, &remark.short));
        }
        if !goal.status().is_finished() {
            open_steps(goal, 2, Size::default(), &mut lines);
        }
        lines.end().into_iter().map(|line| line.pieces).take(room).collect()
    }
}
