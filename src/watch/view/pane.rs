//! Draws the goal, and below it the sign-off and the log.

use ratatui_core::layout::Rect;

use super::{Screen, skip, split};
use crate::plan::log::folded;
use crate::plan::view::{Style, short_stamp};
use crate::watch::goal::{self, PaneLine, Pieces};
use crate::watch::paint::Look;
use crate::watch::run::CheckState;
use crate::watch::version::ListEntry;

/// The most log lines that are shown.
const LOG: u16 = 5;
/// The maximum width of the text in columns.
const WIDEST: u16 = 110;

impl Screen<'_, '_, '_, '_> {
    /// Draws the goal, the sign-off and the log, one below the other.
    pub(super) fn column(&mut self, area: Rect, has_keys: bool) {
        let area = Rect { width: area.width.min(WIDEST), ..area };
        let goal = self.state.goal_lines(self.version, usize::from(area.width)).len() as u16;
        let check = self.live.check.map(|check| check.lines(usize::from(area.width)));
        let check = check.map_or(Vec::new(), |lines| lines.into_iter().map(|line| line.pieces).collect::<Vec<_>>());
        // The heading and a blank line.
        let wanted = if self.live.check.is_some() { check.len() as u16 + 2 } else { 0 };
        let check_rows = wanted.min(area.height / 2);
        let spare = area.height.saturating_sub(check_rows + goal);
        let all = u16::try_from(self.version.plan().log_lines().count()).unwrap_or(u16::MAX);
        let log_rows = if all == 0 { 0 } else { (all.min(LOG) + 2).min(spare.max(area.height / 6)) };
        let log_rows = if log_rows < 3 { 0 } else { log_rows };
        let goal_rows = goal.min(area.height.saturating_sub(check_rows + log_rows));
        let (upper, _) = split(area, area.height - goal_rows);
        self.goal(upper, has_keys);
        let rest = skip(area, goal_rows);
        self.check(skip(Rect { height: check_rows.min(rest.height), ..rest }, 1), &check);
        let rest = skip(rest, check_rows);
        self.log(skip(Rect { height: log_rows.min(rest.height), ..rest }, 1));
    }

    /// Draws the lines of the goal around the cursor.
    pub(super) fn goal(&mut self, area: Rect, has_keys: bool) {
        let area = Rect { width: area.width.min(WIDEST), ..area };
        let height = usize::from(area.height);
        let lines = self.state.goal_lines(self.version, usize::from(area.width)).len();
        self.state.goal_page = height;
        let cursor = self.state.line;
        let top = self.state.goal_top.max((cursor + 1).saturating_sub(height)).min(cursor);
        self.state.goal_top = top.min(lines.saturating_sub(height));
        let top = self.state.goal_top;
        let seen: Vec<PaneLine> = self
            .state
            .goal_lines(self.version, usize::from(area.width))
            .iter()
            .skip(top)
            .take(height)
            .cloned()
            .collect();
        for (row, line) in seen.iter().enumerate() {
            let reversed = has_keys && top + row == cursor;
            self.canvas.line(area, area.y + row as u16, &line.pieces, Look { reversed, bold: false });
        }
    }

    fn check(&mut self, area: Rect, lines: &[Pieces]) {
        let Some(check) = self.live.check.filter(|_| area.height > 0) else { return };
        self.heading(area, &check.heading(), false);
        let rest = skip(area, 1);
        let is_ended = matches!(check.state, CheckState::Ended(_));
        // A report shows its beginning, a running check its end.
        let first = if is_ended { 0 } else { lines.len().saturating_sub(usize::from(rest.height)) };
        for (y, pieces) in (rest.top()..rest.bottom()).zip(&lines[first..]) {
            self.canvas.line(rest, y, pieces, Look::default());
        }
    }

    /// Draws the end of the log, newest line first.
    fn log(&mut self, area: Rect) {
        if area.height < 2 {
            return;
        }
        self.heading(area, "Log", false);
        let rest = skip(area, 1);
        let lines: Vec<Pieces> =
            self.version.plan().log_lines().rev().take(usize::from(rest.height)).map(logged).collect();
        for (y, pieces) in (rest.top()..rest.bottom()).zip(&lines) {
            self.canvas.line(rest, y, pieces, Look::default());
        }
    }

    /// Draws the criteria of the selected goal, below the list.
    pub(super) fn criteria(&mut self, area: Rect) {
        let columns = usize::from(area.width);
        let lines = match self.state.entry(self.version) {
            Some(ListEntry::Goal(_, goal)) => goal::criteria(&self.version.board, goal, columns),
            Some(ListEntry::Remark(at)) => goal::remark(&self.version.board, at, columns),
            None => Vec::new(),
        };
        for (y, line) in (area.top()..area.bottom()).zip(&lines) {
            self.canvas.line(area, y, &line.pieces, Look::default());
        }
    }
}

/// A log line: its stamp, and its text without digests.
pub(super) fn logged((stamp, text): (&str, &str)) -> Pieces {
    vec![(Style::Dim, format!("{}  ", short_stamp(stamp))), (Style::Plain, folded(text).into_owned())]
}
