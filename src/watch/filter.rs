//! The filter of the list.

use super::version::{ListEntry, PlanVersion};
use crate::plan::view::Group;

/// The goals that the list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ListFilter {
    #[default]
    All,
    Look,
    Active,
    Open,
    Done,
}

impl ListFilter {
    /// All filters, in the order of the last line of the screen.
    pub(super) const EACH: [ListFilter; 5] =
        [ListFilter::Look, ListFilter::Active, ListFilter::Open, ListFilter::Done, ListFilter::All];

    pub(super) const fn word(self) -> &'static str {
        match self {
            ListFilter::All => "all",
            ListFilter::Look => "to look at",
            ListFilter::Active => "active",
            ListFilter::Open => "open",
            ListFilter::Done => "done",
        }
    }

    /// The filter after this one.
    pub(super) fn next(self) -> Self {
        let at = ListFilter::EACH.iter().position(|shown| *shown == self).unwrap_or_default();
        ListFilter::EACH[(at + 1) % ListFilter::EACH.len()]
    }

    /// Whether the filter accepts a row.
    pub(super) fn takes(self, version: &PlanVersion<'_, '_>, entry: &ListEntry<'_, '_>) -> bool {
        match (self, entry) {
            (ListFilter::All, _) | (ListFilter::Look, ListEntry::Remark(_)) => true,
            (_, ListEntry::Remark(_)) => false,
            (ListFilter::Look, ListEntry::Goal(group, goal)) => {
                *group == Group::Look || version.board.remarks(*goal).next().is_some()
            }
            (ListFilter::Active, ListEntry::Goal(group, _)) => *group == Group::Active,
            (ListFilter::Open, ListEntry::Goal(group, _)) => *group == Group::Open,
            (ListFilter::Done, ListEntry::Goal(group, _)) => *group == Group::Done,
        }
    }
}
