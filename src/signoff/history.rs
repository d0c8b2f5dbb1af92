//! What the log says about a goal's verify before this run.

use super::stage1;
use crate::plan::log::{GoalEvent, LogLine, Rejecter, events_of};
use crate::plan::model::Plan;
use crate::repo::ObjectId;

/// How verify was seen since the goal was last started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seen {
    /// Red: at the start, or in a rejected `complete` since (`SIGNOFF.md` §6, `checks`).
    Red,
    /// Green at the start.
    Green,
    /// Neither.
    #[default]
    Unknown,
}

/// Reads the log for one goal.
pub fn seen(plan: &Plan<'_>, id: &str) -> Seen {
    read(plan, id).seen
}

/// Whether verify counts as red, whatever it is at a start with this contract now: a goal that was cancelled and is started
/// again keeps its base, and what was seen there.
pub fn red_stays(plan: &Plan<'_>, id: &str, contract: &str) -> bool {
    read(plan, id).keeps_red(contract)
}

/// What the log says of verify, as far as it was read.
struct Reading<'a> {
    seen: Seen,
    /// It was red when the goal was cancelled.
    was_red: bool,
    /// It was signed off since it was last reopened.
    is_done: bool,
    /// The newest contract that the log names.
    contract: Option<&'a str>,
}

impl Reading<'_> {
    /// With another contract that no amendment tells of, verify may be another one.
    fn keeps_red(&self, contract: &str) -> bool {
        self.was_red && self.contract == Some(contract)
    }

    fn is_not(&self, contract: &str) -> bool {
        self.contract.is_some_and(|own| own != contract)
    }
}

fn read<'a>(plan: &Plan<'a>, id: &str) -> Reading<'a> {
    let mut so_far = Reading { seen: Seen::Unknown, was_red: false, is_done: false, contract: None };
    for event in events_of(plan, id) {
        match event {
            GoalEvent::Started(start) => {
                so_far.seen = match start.verify {
                    red if red.starts_with("red ") => Seen::Red,
                    _ if so_far.keeps_red(start.contract) => Seen::Red,
                    "green" => Seen::Green,
                    _ => Seen::Unknown,
                }
            }
            // What was added is another goal than the one that had the id before.
            GoalEvent::Added { .. } => (so_far.seen, so_far.was_red, so_far.is_done) = (Seen::Unknown, false, false),
            GoalEvent::Reopened { .. } => (so_far.seen, so_far.is_done) = (Seen::Unknown, false),
            // What was seen was seen of another command; or nobody knows, behind a change by hand.
            GoalEvent::Amended(amended) if is_other_verify(amended.what) || so_far.is_not(amended.old) => {
                (so_far.seen, so_far.was_red) = (Seen::Unknown, false);
            }
            GoalEvent::Rejected { by: Rejecter::Verify(end), why } if was_red(end, why) => so_far.seen = Seen::Red,
            // What it asked for was there; a red one of before says nothing of what is done next.
            GoalEvent::SignedOff(_) => (so_far.was_red, so_far.is_done) = (false, true),
            GoalEvent::Cancelled { .. } => so_far.was_red = !so_far.is_done && so_far.seen == Seen::Red,
            GoalEvent::Amended(_) | GoalEvent::Rejected { .. } | GoalEvent::Inconclusive { .. } => {}
        }
        so_far.contract = event.contract().or(so_far.contract);
    }
    so_far
}

/// A rejection because verify failed. What never started or could not be loaded was no red, here as at a start; nor was
/// what its caller may have cut short.
fn was_red(end: &str, why: &str) -> bool {
    let is_neither = matches!(end, "unstartable" | "exit 126" | "exit 127") || end.starts_with("killed after ");
    !is_neither && !stage1::says_unloadable(why)
}

/// `reworded: verify changed, …`
fn is_other_verify(what: &str) -> bool {
    ["verify changed", "verify added", "verify dropped"].iter().any(|change| what.contains(change))
}

/// The tree that the log names for a goal's first start; none where it was never started, or in no repository.
pub fn began<'a>(plan: &Plan<'a>, id: &str) -> Option<&'a str> {
    starts(plan, id).first().map(|begin| begin.tree).filter(|tree| *tree != "none")
}

/// Whether the log tells that a tree was the base of another goal, which had the id before.
pub fn is_of_another(plan: &Plan<'_>, id: &str, tree: &ObjectId) -> bool {
    let mut before: Vec<&str> = Vec::new();
    let mut is_of_another = false;
    for event in events_of(plan, id) {
        match event {
            GoalEvent::Started(start) => before.push(start.tree),
            GoalEvent::Added { .. } => is_of_another |= before.drain(..).any(|other| tree.short() == other),
            _ => {}
        }
    }
    is_of_another
}

/// A start that the log tells: contract and tree, 12 digits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin<'a> {
    /// The goal contract.
    pub contract: &'a str,
    /// The tree; `none` without a repository.
    pub tree: &'a str,
}

/// Every start of a goal, oldest first; those of another goal that had the id before are not among them.
pub fn starts<'a>(plan: &Plan<'a>, id: &str) -> Vec<Begin<'a>> {
    let mut starts = Vec::new();
    for event in events_of(plan, id) {
        match event {
            GoalEvent::Added { .. } => starts.clear(),
            GoalEvent::Started(start) => starts.push(Begin { contract: start.contract, tree: start.tree }),
            _ => {}
        }
    }
    starts
}

/// The tree of a line that tells a start, and how verify was seen: `red exit 1`.
pub fn start_of(text: &str) -> Option<(&str, &str)> {
    match LogLine::parse(text)?.goal()?.1 {
        GoalEvent::Started(start) => Some((start.tree, start.verify)),
        _ => None,
    }
}

/// How a goal's contract came to be what it is since the goal was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amended {
    /// One line each, oldest first.
    pub told: Vec<String>,
    /// The contract that the log named before a change by hand which a later amendment covers up.
    pub by_hand: Option<String>,
    /// The contract of the last start.
    pub started: Option<String>,
}

/// Reads the amendments of one goal from the log. What was changed before the first start was a draft.
pub fn amended(plan: &Plan<'_>, id: &str) -> Amended {
    let mut amended = Amended::default();
    let mut last: Option<&str> = None;
    for event in events_of(plan, id) {
        let started = amended.started.is_some();
        match (event, last) {
            (GoalEvent::Added { .. }, _) => amended = Amended::default(),
            (GoalEvent::Started(start), Some(last)) if started && last != start.contract => {
                amended.told.push(format!("started again with another contract ({last} -> {})", start.contract));
            }
            (GoalEvent::Amended(line), _) if started => {
                if let Some(last) = last.filter(|last| line.old != *last) {
                    amended.told.push(format!("changed by hand, which the log does not say ({last} -> {})", line.old));
                    amended.by_hand = Some(last.to_owned());
                }
                amended.told.push(event.to_string());
            }
            _ => {}
        }
        if let GoalEvent::Started(start) = event {
            (amended.started, amended.by_hand) = (Some(start.contract.to_owned()), None);
        }
        last = event.contract().or(last);
    }
    amended
}

/// The last log text that names the goal as the subject of a line of ours.
pub fn last_line<'a>(plan: &Plan<'a>, id: &str) -> Option<&'a str> {
    let is_about = |text: &&str| LogLine::parse(text).and_then(LogLine::goal).is_some_and(|(named, _)| named == id);
    plan.log_lines().rev().map(|(_, text)| text).find(is_about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parse;

    fn seen_in(lines: &[&str]) -> Seen {
        let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
        let text = format!("# Plan: x\n\n## Log\n{log}");
        seen(&parse(text.as_bytes()).unwrap(), "a-1")
    }

    #[test]
    fn red_is_red_at_the_start_or_in_a_rejection_since() {
        let started = |how: &str| format!("a-1 started (contract 0123456789ab, at none, tree none, verify {how})");
        assert_eq!(seen_in(&[&started("red exit 1")]), Seen::Red);
        assert_eq!(seen_in(&[&started("green")]), Seen::Green);
        assert_eq!(seen_in(&[&started("green"), "a-1 rejected (verify exit 1): boom"]), Seen::Red);
        assert_eq!(seen_in(&[&started("green"), "a-1 rejected (gate tree-moved): x"]), Seen::Green);
        assert_eq!(
            seen_in(&[&started("red exit 1"), "a-1 reopened (was done)", &started("unstartable")]),
            Seen::Unknown
        );
        assert_eq!(
            seen_in(&["a-1 rejected (verify unstartable): x", "b-1 rejected (verify exit 1): y"]),
            Seen::Unknown
        );
    }

    // P-5, P-12
    #[test]
    fn red_stays_red_where_a_goal_is_cancelled_and_started_again() {
        let (a, b) = ("0123456789ab", "ba9876543210");
        let started =
            |contract: &str, how: &str| format!("a-1 started (contract {contract}, at none, tree none, verify {how})");
        let (red, green) = (started(a, "red exit 1"), started(a, "green"));
        let (cancelled, reopened) = ("a-1 cancelled: needs its tests", "a-1 reopened (was cancelled)");
        assert_eq!(seen_in(&[&red, cancelled, reopened, &green]), Seen::Red);
        assert_eq!(seen_in(&[&red, cancelled, reopened, &green, cancelled, reopened, &green]), Seen::Red);
        let amended = |what: &str| format!("a-1 amended ({what}; contract {a} -> {b})");
        let widened = amended("loosened: may_change widened");
        assert_eq!(seen_in(&[&red, &widened, cancelled, reopened, &started(b, "green")]), Seen::Red);
        // Another verify; another contract that nobody told of; a goal that was done; one that never was red.
        let other = amended("reworded: verify changed");
        assert_eq!(seen_in(&[&red, cancelled, &other, reopened, &started(b, "green")]), Seen::Green);
        assert_eq!(seen_in(&[&red, cancelled, reopened, &started(b, "green")]), Seen::Green);
        let done = format!(
            "a-1 signed off (verify green 2.1s, gate full, oracle accept by human:me, contract {a}, tree none, at none)"
        );
        assert_eq!(seen_in(&[&red, &done, cancelled, reopened, &green]), Seen::Green);
        assert_eq!(seen_in(&[&green, cancelled, reopened, &green]), Seen::Green);
        // An amendment that covers a change by hand.
        let c = "cccccccccccc";
        let covers = format!("a-1 amended (loosened: may_change widened; contract {b} -> {c})");
        assert_eq!(seen_in(&[&red, cancelled, &covers, reopened, &started(c, "green")]), Seen::Green);
    }

    #[test]
    fn what_another_goal_of_the_id_was_seen_to_do_says_nothing() {
        let started =
            |tree: &str, how: &str| format!("a-1 started (contract 0123456789ab, at none, tree {tree}, verify {how})");
        let added = "a-1 added (contract 0123456789ab)";
        let (one, two) = ("1".repeat(12), "2".repeat(12));
        let red = started(&one, "red exit 1");
        assert_eq!(seen_in(&[added, &red]), Seen::Red);
        assert_eq!(seen_in(&[added, &red, added]), Seen::Unknown);
        assert_eq!(seen_in(&[added, &red, added, &started(&two, "green")]), Seen::Green);
        let of_another = |lines: &[&str]| {
            let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
            let text = format!("# Plan: x\n\n## Log\n{log}");
            let plan = parse(text.as_bytes()).unwrap();
            ["1", "2"].map(|digit| is_of_another(&plan, "a-1", &ObjectId::parse(&digit.repeat(40)).unwrap()))
        };
        assert_eq!(of_another(&[added, &red]), [false, false]);
        assert_eq!(of_another(&[added, &red, added, &started(&two, "green")]), [true, false]);
        assert_eq!(of_another(&["b-1 added (contract 0123456789ab)", &red]), [false, false]);
    }

    // P-12, P-74
    #[test]
    fn amendments_are_told_and_do_not_cover_a_change_by_hand() {
        let of = |lines: &[&str]| {
            let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
            amended(&parse(format!("# Plan: x\n\n## Log\n{log}").as_bytes()).unwrap(), "a-1")
        };
        let (a, b, c) = ("aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc");
        let started = |contract: &str| format!("a-1 started (contract {contract}, at none, tree none, verify green)");
        let to = |old: &str, new: &str| format!("a-1 amended (tightened: criterion added; contract {old} -> {new})");
        assert_eq!(of(&[&to(a, b), &started(c)]).told, [""; 0], "a draft");
        let honest = of(&[&started(a), &to(a, b)]);
        assert_eq!(honest.told, [format!("amended (tightened: criterion added; contract {a} -> {b})")]);
        assert_eq!(honest.by_hand, None);
        let covered = of(&[&started(a), &to(b, c)]);
        assert_eq!(covered.told[0], format!("changed by hand, which the log does not say ({a} -> {b})"));
        assert_eq!(covered.by_hand.as_deref(), Some(a));
        let again = of(&[&started(a), "a-1 cancelled: x", "a-1 reopened (was cancelled)", &started(b)]);
        assert_eq!(again.told, [format!("started again with another contract ({a} -> {b})")]);
    }

    // P-5
    #[test]
    fn another_verify_that_was_red_says_nothing() {
        let red = "a-1 started (contract 0123456789ab, at none, tree none, verify red exit 1)";
        let amended = |what: &str| format!("a-1 amended ({what}; contract 0123456789ab -> ba9876543210)");
        assert_eq!(seen_in(&[red, &amended("reworded: verify changed")]), Seen::Unknown);
        assert_eq!(seen_in(&[red, &amended("loosened: criterion dropped, verify changed")]), Seen::Unknown);
        assert_eq!(seen_in(&[red, &amended("tightened: criterion added")]), Seen::Red);
        for no in ["exit 127): sh: x: not found", "exit 1): ModuleNotFoundError: no x", "killed after 1 s): no output"]
        {
            assert_eq!(seen_in(&[&format!("a-1 rejected (verify {no}")]), Seen::Unknown, "{no}");
        }
    }
}
