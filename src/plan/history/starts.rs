//! The starts of a goal in the log, and the result of verify at the start that made the base.
//!
//! A goal begins at its first start, and begins anew if it is started again after a sign-off, because its work and agreement are
//! closed. A goal that was cancelled, or marked done by hand, and is started again keeps its old beginning.

use super::LoggedContracts;
use crate::plan::contract::goal_contract;
use crate::plan::log::{Amended, GoalEvent, StartLine, events_of};
use crate::plan::model::Plan;

/// The result of verify on the files that the goal began with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seen {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Neither red nor green, or it was another verify.
    #[default]
    Unknown,
}

/// Returns every start of a goal since it began, oldest first, without the starts of another goal that had the id before.
pub fn starts<'a>(plan: &Plan<'a>, id: &str) -> Vec<StartLine<'a>> {
    read(plan, id).starts
}

/// Returns every start in the log under this id, even if the id belonged to another goal then.
pub fn every_start<'a>(plan: &Plan<'a>, id: &str) -> Vec<StartLine<'a>> {
    let start = |event| match event {
        GoalEvent::Started(start) => Some(start),
        _ => None,
    };
    events_of(plan, id).filter_map(start).collect()
}

/// Returns the first start of another goal that had the id before, if that goal was not signed off after it.
pub fn abandoned_start<'a>(plan: &Plan<'a>, id: &str) -> Option<StartLine<'a>> {
    let (mut open, mut abandoned) = (None, None);
    for event in events_of(plan, id) {
        match event {
            GoalEvent::Started(start) => open = open.or(Some(start)),
            GoalEvent::SignedOff(_) => open = None,
            GoalEvent::Added { .. } => abandoned = abandoned.or(open.take()),
            _ => {}
        }
    }
    abandoned
}

/// Returns the result of verify at the goal's beginning. A rejection does not count as red: the worker can cause one at will.
pub fn seen(plan: &Plan<'_>, id: &str) -> Seen {
    read(plan, id).seen
}

/// Whether verify counts as red for a new start with this contract, whatever verify returns then.
pub fn red_stays(plan: &Plan<'_>, id: &str, contract: &str) -> bool {
    let now = read(plan, id);
    now.seen == Seen::Red && !now.is_done && now.contracts.last == Some(contract)
}

/// The state of the goal after the log lines read so far.
#[derive(Default)]
struct Reading<'a> {
    starts: Vec<StartLine<'a>>,
    seen: Seen,
    /// The goal was signed off since its last start.
    is_done: bool,
    contracts: LoggedContracts<'a>,
}

impl<'a> Reading<'a> {
    fn started(&mut self, start: StartLine<'a>) {
        if self.is_done {
            *self = Reading { contracts: std::mem::take(&mut self.contracts), ..Reading::default() };
        }
        // The first start kept no files, because there was no repository.
        if self.starts.first().is_some_and(|first| first.tree == "none") && start.tree != "none" {
            (self.starts, self.seen) = (Vec::new(), Seen::Unknown);
        }
        // If this is not the contract logged last, verify may have changed.
        if self.is_not(start.contract) {
            self.seen = Seen::Unknown;
        }
        let is_base = self.starts.first().is_none_or(|first| first.tree == start.tree);
        match start.verify {
            _ if !is_base => {}
            red if red.starts_with("red ") => self.seen = Seen::Red,
            "green" if self.seen != Seen::Red => self.seen = Seen::Green,
            _ => {}
        }
        self.starts.push(start);
    }

    fn is_not(&self, contract: &str) -> bool {
        self.contracts.last.is_some_and(|own| own != contract)
    }

    /// Whether an amendment skips the contract logged last. One with a reason covers the whole change since the last agreed contract.
    fn is_behind(&self, amended: &Amended<'_>) -> bool {
        amended.because.is_none() && self.is_not(amended.old)
    }
}

fn read<'a>(plan: &Plan<'a>, id: &str) -> Reading<'a> {
    let mut so_far = Reading::default();
    for event in events_of(plan, id) {
        match event {
            // An added goal is not the goal that had the id before.
            GoalEvent::Added { .. } => so_far = Reading::default(),
            GoalEvent::Started(start) => so_far.started(start),
            // The result belongs to another command; or, after a change by hand, nobody knows.
            GoalEvent::Amended(amended) if is_other_verify(amended.what) || so_far.is_behind(&amended) => {
                so_far.seen = Seen::Unknown;
            }
            GoalEvent::SignedOff(_) => so_far.is_done = true,
            GoalEvent::Reopened { .. } if so_far.is_done => so_far.seen = Seen::Unknown,
            _ => {}
        }
        so_far.contracts.take(event);
    }
    if so_far.contracts.may_go_on()
        && let Some(goal) = plan.all_goals().find(|goal| goal.id() == Some(id))
    {
        let now = goal_contract(goal).digest;
        let way = so_far.contracts.way(|contract| now.is_short(contract)).unwrap_or_default();
        if way.iter().any(|amended| is_other_verify(amended.what)) {
            so_far.seen = Seen::Unknown;
        }
    }
    so_far
}

/// The words of a log line for a change whose old text is not available: anything may have changed.
pub const BY_HAND: &str = "changed by hand, and the earlier contract is not available";
/// The words for such a change in older logs.
const BY_HAND_ONCE: &str = "changed by hand, and the contract before is not at hand";

/// Whether the changes of an amendment, such as `reworded: verify changed, …`, may have replaced verify.
fn is_other_verify(what: &str) -> bool {
    ["verify changed", "verify lengthened", "verify added", "verify dropped", BY_HAND, BY_HAND_ONCE]
        .iter()
        .any(|change| what.contains(change))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parse;

    const A: &str = "0123456789ab";
    const B: &str = "ba9876543210";
    const CANCELLED: [&str; 2] = ["a-1 cancelled: needs its tests", "a-1 reopened (was cancelled)"];

    fn with<T>(lines: &[&str], ask: impl Fn(&Plan<'_>) -> T) -> T {
        let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
        ask(&parse(format!("# Plan: x\n\n## Log\n{log}").as_bytes()).unwrap())
    }

    fn seen_in(lines: &[&str]) -> Seen {
        with(lines, |plan| seen(plan, "a-1"))
    }

    fn started(contract: &str, tree: &str, how: &str) -> String {
        format!("a-1 started (contract {contract}, at none, tree {tree}, verify {how})")
    }

    fn signed(contract: &str) -> String {
        format!(
            "a-1 signed off (verify green 2.1s, gate full, oracle accept by human:me, contract {contract}, tree none, at none)"
        )
    }

    // SIGNOFF.md §8: a rejection is not red, because the worker can cause it.
    #[test]
    fn red_is_red_on_the_files_of_the_start_alone() {
        let [red, green, other] = ["red exit 1", "green", "unstartable"].map(|how| started(A, "1", how));
        assert_eq!(seen_in(&[&red]), Seen::Red);
        assert_eq!(seen_in(&[&green]), Seen::Green);
        assert_eq!(seen_in(&[&other]), Seen::Unknown);
        assert_eq!(seen_in(&[&green, "a-1 rejected (verify exit 1): boom"]), Seen::Green);
        assert_eq!(seen_in(&["a-1 rejected (verify exit 1): boom"]), Seen::Unknown);
        assert_eq!(seen_in(&["b-1 rejected (verify exit 1): y"]), Seen::Unknown);
        // A start on other files says nothing about the files that the goal began with.
        let elsewhere = started(A, "2", "red exit 1");
        let [cancelled, reopened] = CANCELLED;
        assert_eq!(seen_in(&[&green, cancelled, reopened, &elsewhere]), Seen::Green);
        assert_eq!(seen_in(&[&other, cancelled, reopened, &elsewhere]), Seen::Unknown);
        assert_eq!(seen_in(&[&started(A, "1", "not run"), cancelled, reopened, &red]), Seen::Red, "the same files");
    }

    // P-5, P-12
    #[test]
    fn red_stays_red_where_a_goal_is_cancelled_and_started_again() {
        let (red, green) = (started(A, "1", "red exit 1"), started(A, "2", "green"));
        let [cancelled, reopened] = CANCELLED;
        assert_eq!(seen_in(&[&red, cancelled, reopened, &green]), Seen::Red);
        assert_eq!(seen_in(&[&red, cancelled, reopened, &green, cancelled, reopened, &green]), Seen::Red);
        let amended = |what: &str| format!("a-1 amended ({what}; contract {A} -> {B})");
        let widened = amended("loosened: may_change widened");
        assert_eq!(seen_in(&[&red, &widened, cancelled, reopened, &started(B, "2", "green")]), Seen::Red);
        assert!(with(&[&red, &widened, cancelled], |plan| red_stays(plan, "a-1", B) && !red_stays(plan, "a-1", A)));
        // Another verify; another contract without an amendment; a verify that never was red.
        let other = amended("reworded: verify changed");
        let again = started(B, "2", "green");
        assert_eq!(seen_in(&[&red, cancelled, &other, reopened, &again]), Seen::Unknown);
        assert_eq!(seen_in(&[&red, cancelled, reopened, &again]), Seen::Unknown);
        assert_eq!(seen_in(&[&started(A, "1", "green"), cancelled, reopened, &green]), Seen::Green);
        // An amendment that covers a change by hand.
        let c = "cccccccccccc";
        let covers = format!("a-1 amended (loosened: may_change widened; contract {B} -> {c})");
        assert_eq!(seen_in(&[&red, cancelled, &covers, reopened, &started(c, "2", "green")]), Seen::Unknown);
    }

    fn trees(lines: &[&str]) -> Vec<String> {
        with(lines, |plan| starts(plan, "a-1").iter().map(|start| start.tree.to_owned()).collect())
    }

    // SIGNOFF.md §3
    #[test]
    fn a_goal_begins_anew_after_a_sign_off_and_in_no_other_way() {
        let [one, two, three] = ["1", "2", "3"].map(|tree| started(A, tree, "red exit 1"));
        let done = signed(A);
        let [cancelled, reopened] = CANCELLED;
        assert_eq!(trees(&[&one, cancelled, reopened, &two]), ["1", "2"]);
        assert_eq!(trees(&[&one, "a-1 reopened (was done)", &two]), ["1", "2"], "ticked by hand");
        assert_eq!(trees(&[&one, &done]), ["1"], "until it is started again");
        assert_eq!(trees(&[&one, &done, "a-1 reopened (was done)", &two]), ["2"]);
        assert_eq!(seen_in(&[&one, &done, "a-1 reopened (was done)", &started(A, "2", "green")]), Seen::Green);
        assert_eq!(trees(&[&one, &done, "a-1 reopened (was done)", &two, cancelled, reopened, &three]), ["2", "3"]);
        assert!(with(&[&one, &done], |plan| !red_stays(plan, "a-1", A)));
        let merged = "a-1 reopened (merge: signed off for contract 0123456789ab, now ba9876543210)";
        assert_eq!(
            (trees(&[&one, &done, merged]), seen_in(&[&one, &done, merged])),
            (vec!["1".to_owned()], Seen::Unknown)
        );
    }

    // SIGNOFF.md §3: a start that kept files replaces one that kept none.
    #[test]
    fn a_start_without_files_gives_way_to_one_with_files() {
        let at =
            |at: &str, tree: &str, how: &str| format!("a-1 started (contract {A}, at {at}, tree {tree}, verify {how})");
        let both = |lines: &[&str]| (trees(lines), seen_in(lines));
        let [cancelled, reopened] = CANCELLED;
        let (late, clean) = (at("c0ffee+", "2", "green"), at("c0ffee", "1", "red exit 1"));
        assert_eq!(both(&[&at("none", "none", "red exit 1"), &late]), (vec!["2".to_owned()], Seen::Green));
        for (first, then) in [(late, clean), (at("c0ffee", "2", "green"), at("none", "none", "red exit 1"))] {
            assert_eq!(trees(&[&first, cancelled, reopened, &then]).len(), 2, "{first} {then}");
        }
    }

    #[test]
    fn another_goal_of_the_id_says_nothing() {
        let added = "a-1 added (contract 0123456789ab)";
        let [one, two] = [started(A, "1", "red exit 1"), started(A, "2", "green")];
        assert_eq!(seen_in(&[added, &one]), Seen::Red);
        assert_eq!((seen_in(&[added, &one, added]), trees(&[added, &one, added])), (Seen::Unknown, vec![]));
        assert_eq!(seen_in(&[added, &one, added, &two]), Seen::Green);
        assert_eq!(trees(&[added, &one, added, &two]), ["2"]);
    }

    // P-5
    #[test]
    fn another_verify_that_was_red_says_nothing() {
        let red = started(A, "1", "red exit 1");
        let amended = |what: &str| format!("a-1 amended ({what}; contract 0123456789ab -> ba9876543210)");
        assert_eq!(seen_in(&[&red, &amended("reworded: verify changed")]), Seen::Unknown);
        assert_eq!(seen_in(&[&red, &amended("loosened: criterion dropped, verify changed")]), Seen::Unknown);
        assert_eq!(seen_in(&[&red, &amended("tightened: verify lengthened")]), Seen::Unknown);
        for by_hand in [BY_HAND, BY_HAND_ONCE] {
            assert_eq!(seen_in(&[&red, &amended(&format!("loosened: {by_hand}"))]), Seen::Unknown);
        }
        assert_eq!(seen_in(&[&red, &amended("tightened: criterion added, verify extended")]), Seen::Red);
    }
}
