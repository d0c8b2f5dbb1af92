//! The filter of the list.

use super::version::{ListEntry, PlanVersion};
use crate::plan::view::Group;

/// Which goals the list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shown {
    #[default]
    All,
    Look,
    Active,
    Open,
    Done,
}

impl Shown {
    /// In the order of the last line.
    pub(super) const EACH: [Shown; 5] = [Shown::Look, Shown::Active, Shown::Open, Shown::Done, Shown::All];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Shown::All => "all",
            Shown::Look => "to look at",
            Shown::Active => "active",
            Shown::Open => "open",
            Shown::Done => "done",
        }
    }

    /// The next of them.
    pub(super) fn next(self) -> Self {
        let at = Shown::EACH.iter().position(|shown| *shown == self).unwrap_or_default();
        Shown::EACH[(at + 1) % Shown::EACH.len()]
    }

    /// Whether the list has a row.
    pub(super) fn takes(self, version: &PlanVersion<'_, '_>, entry: &ListEntry<'_, '_>) -> bool {
        match (self, entry) {
            (Shown::All, _) | (Shown::Look, ListEntry::Remark(_)) => true,
            (_, ListEntry::Remark(_)) => false,
            (Shown::Look, ListEntry::Goal(group, goal)) => {
                *group == Group::Look || version.board.remarks(*goal).next().is_some()
            }
            (Shown::Active, ListEntry::Goal(group, _)) => *group == Group::Active,
            (Shown::Open, ListEntry::Goal(group, _)) => *group == Group::Open,
            (Shown::Done, ListEntry::Goal(group, _)) => *group == Group::Done,
        }
    }
}
