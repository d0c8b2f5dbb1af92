//! The bar at the top: the objective, the plan's progress, and whether the view is live.

use ratatui_core::layout::Rect;

use super::{Screen, skip};
use crate::plan::view::{Style, elided, width};
use crate::watch::filter::ListFilter;
use crate::watch::paint::Look;

/// The height in rows below which there is no bar.
const LEAST: u16 = 4;

impl Screen<'_, '_, '_, '_> {
    /// Draws the bar; returns the rest of the area.
    pub(super) fn head(&mut self, area: Rect) -> Rect {
        if area.height < LEAST {
            return area;
        }
        let columns = usize::from(area.width);
        let objective = self.version.plan().objective().filter(|text| !text.is_empty()).unwrap_or("plan.md");
        let facts = self.facts(area);
        let room = columns.saturating_sub(width(&facts) + 4);
        let left = format!(" {}", elided(&crate::ui::clean_line(objective), room));
        let fill = columns.saturating_sub(width(&left) + width(&facts) + 1);
        let bar = vec![(Style::Plain, format!("{left}{}{facts} ", " ".repeat(fill)))];
        self.canvas.line(area, area.y, &bar, Look::REVERSED);
        skip(area, 1)
    }

    /// The facts in the longest form that leaves a third of the line to the objective.
    fn facts(&self, area: Rect) -> String {
        let tally = self.version.tally;
        let live = if self.live.trouble.is_some() { "not live" } else { "live" };
        let shown = match self.state.filter {
            ListFilter::All => String::new(),
            shown => format!("{}  ", shown.word()),
        };
        let some = |count: usize, what: &str, gap: &str| {
            if count == 0 { String::new() } else { format!("{gap}{count} {what}") }
        };
        let with = |of: &str, gap: &str, live: &str| {
            let (active, look) = (some(tally.active, "active", gap), some(tally.look, "to look at", gap));
            format!("{}{of}{} signed off{active}{look}{gap}{live}", tally.signed_off, tally.all)
        };
        let whole = with(" of ", "   ", &format!("{live}, {} {}", self.live.file, self.live.changed));
        let forms = [
            whole,
            format!("{shown}{}", with("/", "  ", live)),
            format!("{shown}{}/{} {live}", tally.signed_off, tally.all),
            live.to_owned(),
        ];
        let room = usize::from(area.width) * 2 / 3;
        let first = usize::from(area.width < 100);
        let fitting = forms.iter().skip(first).find(|form| width(form) <= room);
        fitting.cloned().unwrap_or_default()
    }
}
