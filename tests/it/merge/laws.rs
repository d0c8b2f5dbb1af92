//! Laws of every merge, for random plans and random histories of both sides, with edits by hand.

use std::collections::HashMap;
use std::ops::Range;

use plan::plan::contract::{Digests, goal_contract};
use plan::plan::lookup::StepRef;
use plan::plan::model::{GoalRef, Plan, Status};
use plan::plan::parse;
use plan::plan::rules::{GoalRecords, Standing};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::history::{BASES, EDITS, PLAIN, WITH_IDS, base, edited};
use super::support::{merged, rendered};
use crate::support::size;

fn lines(text: &[u8]) -> HashMap<&[u8], usize> {
    let mut counts = HashMap::new();
    for line in text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()) {
        *counts.entry(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)).or_insert(0) += 1;
    }
    counts
}

/// Lines that are joined from both sides to a third one; their text is tested elsewhere.
fn is_joined(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let text = line.trim_start();
    text.starts_with("status:") || text.starts_with("- [")
}

fn laws(base: &str, ours: &str, theirs: &str) -> Result<bool, TestCaseError> {
    let versions = [base.as_bytes(), ours.as_bytes(), theirs.as_bytes()];
    let [b, o, t] = versions;
    for (three, expected) in [([b, o, o], o), ([b, b, t], t), ([b, o, b], o)] {
        prop_assert_eq!(&rendered(&merged(three)), expected);
    }
    let one = merged(versions);
    let other = merged([b, t, o]);
    let (text, swapped) = (rendered(&one), rendered(&other));
    let shown = || {
        format!(
            "--- base\n{base}\n--- ours\n{ours}\n--- theirs\n{theirs}\n--- merged\n{}",
            String::from_utf8_lossy(&text)
        )
    };
    prop_assert_eq!(
        one.conflicts() == 0,
        other.conflicts() == 0,
        "{}\n--- swapped\n{}",
        shown(),
        String::from_utf8_lossy(&swapped)
    );
    let (in_base, in_ours, in_theirs, in_merged) = (lines(b), lines(o), lines(t), lines(&text));
    let count = |of: &HashMap<&[u8], usize>, line: &[u8]| of.get(line).copied().unwrap_or_default();
    for line in in_ours.keys().chain(in_theirs.keys()).filter(|line| !is_joined(line)) {
        let (base, ours, theirs, found) =
            (count(&in_base, line), count(&in_ours, line), count(&in_theirs, line), count(&in_merged, line));
        prop_assert!(base > 0 || found > 0, "lost: {}\n{}", String::from_utf8_lossy(line), shown());
        let most = (ours + theirs).saturating_sub(base).max(ours).max(theirs);
        prop_assert!(one.conflicts() > 0 || found <= most, "doubled: {}\n{}", String::from_utf8_lossy(line), shown());
    }
    if one.conflicts() > 0 {
        return Ok(false);
    }
    prop_assert_eq!(&text, &swapped, "{}\n--- swapped\n{}", shown(), String::from_utf8_lossy(&swapped));
    let plan = parse(&text);
    prop_assert!(plan.is_ok(), "{}", shown());
    let plan = plan.unwrap();
    let sides = [parse(o).unwrap(), parse(t).unwrap()];
    untouched_is_the_others(&parse(b).unwrap(), &sides, &plan, &one.reopened, &shown)?;
    steps_stand_once(&parse(b).unwrap(), &sides, &plan, one.by_text, &shown)?;
    done_is_signed_off(&sides, &plan, &shown)?;
    Ok(true)
}

/// A goal that one side left alone is the other side's, byte for byte; a goal that both left alone is the base's.
fn untouched_is_the_others(
    base: &Plan<'_>,
    sides: &[Plan<'_>; 2],
    merged: &Plan<'_>,
    reopened: &[String],
    shown: &dyn Fn() -> String,
) -> Result<(), TestCaseError> {
    let body = |plan: &Plan<'_>, id: &str| {
        let goal = plan.all_goals().find(|goal| goal.id() == Some(id))?;
        let text = String::from_utf8_lossy(&plan.source[goal.raw().body.range()]).replace("\r\n", "\n");
        Some(text.trim_end().to_owned())
    };
    // A repeated id does not tell which goal is meant.
    let once = |id: &&str| {
        [base, &sides[0], &sides[1]]
            .iter()
            .all(|plan| plan.all_goals().filter(|goal| goal.id() == Some(*id)).count() < 2)
    };
    let names = base.all_goals().filter_map(|goal| goal.id()).filter(|id| !reopened.iter().any(|name| name == id));
    for id in names.filter(once) {
        let before = body(base, id);
        for (this, that) in [(0, 1), (1, 0)] {
            if body(&sides[this], id) == before {
                prop_assert_eq!(body(merged, id), body(&sides[that], id), "{}: {}", id, shown());
            }
        }
    }
    Ok(())
}

/// No goal has a step more often than a goal of one side has it. If both sides doubled it by hand, no more often than both changes add up
/// to.
fn steps_stand_once(
    base: &Plan<'_>,
    sides: &[Plan<'_>; 2],
    merged: &Plan<'_>,
    by_text: bool,
    shown: &dyn Fn() -> String,
) -> Result<(), TestCaseError> {
    for step in merged.all_steps() {
        let Some(number) = step.raw().number else { continue };
        let same = |other: &StepRef<'_, '_>| other.raw().number == Some(number) && other.text() == step.text();
        let count = |plan: &Plan<'_>| plan.all_steps().filter(same).count();
        let in_goal = |goal: GoalRef<'_, '_>| {
            goal.plan().all_steps().filter(same).filter(|s| s.goal().index() == goal.index()).count()
        };
        let most_in_one = |plan: &Plan<'_>| plan.all_goals().map(in_goal).max().unwrap_or(0);
        let [ours, theirs] = sides;
        let both = (count(ours) + count(theirs)).saturating_sub(count(base));
        let most = both.max(most_in_one(ours)).max(most_in_one(theirs)).max(1);
        prop_assert!(by_text || in_goal(step.goal()) <= most, "step {}: {}", number, shown());
        let is_once =
            |plan: &Plan<'_>| plan.all_steps().filter(|other| other.raw().number == Some(number)).count() == 1;
        if [base, ours, theirs].into_iter().all(is_once) {
            prop_assert!(is_once(merged), "step {} stands more than once: {}", number, shown());
        }
    }
    Ok(())
}

/// A `done` goal has a sign-off for its current contract, or had none on its own side either.
fn done_is_signed_off(
    sides: &[Plan<'_>; 2],
    merged: &Plan<'_>,
    shown: &dyn Fn() -> String,
) -> Result<(), TestCaseError> {
    let record = GoalRecords::new(merged);
    for goal in merged.all_goals().filter(|goal| goal.status() == Status::Done) {
        let signed = record.standing(goal, &mut Digests::default()) == Standing::SignedOff;
        let before = sides.iter().any(|side| {
            let record = GoalRecords::new(side);
            side.all_goals().any(|old| {
                old.name() == goal.name()
                    && old.status() == Status::Done
                    && goal_contract(old).digest == goal_contract(goal).digest
                    && record.standing(old, &mut Digests::default()) != Standing::SignedOff
            })
        });
        prop_assert!(signed || before, "{} is done: {}", goal.name(), shown());
    }
    Ok(())
}

/// Both sides come from `plans` and `edits`, each with this many edits; at least `clean` percent of the merges are clean.
fn laws_hold(
    cases: usize,
    plans: Range<u8>,
    edits: impl Strategy<Value = u8> + Clone,
    length: Range<usize>,
    clean: u32,
) {
    let cases = cases as u32;
    let found = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let script = || proptest::collection::vec((edits.clone(), 0usize..1000, 0u8..3), length.clone());
    let result = runner.run(&(plans, script(), script(), script()), |(pick, before, ours, theirs)| {
        let base = before.iter().fold(base(pick), |text, step| edited(&text, *step, "b"));
        let [ours, theirs] = [(ours, "o"), (theirs, "t")]
            .map(|(script, side)| script.iter().fold(base.clone(), |text, step| edited(&text, *step, side)));
        if laws(&base, &ours, &theirs)? {
            found.set(found.get() + 1);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let found = found.get();
    assert!(found > cases * clean / 100, "{found} of {cases} merges were clean: the laws were hardly asked");
}

// P-7, P-12
#[test]
fn the_laws_hold_over_random_histories() {
    laws_hold(size(250, 2_000), 0..WITH_IDS, 0..PLAIN, 0..6, 50);
}

#[test]
fn the_laws_hold_over_long_histories() {
    laws_hold(size(60, 800), 0..BASES, 0..EDITS, 3..16, 5);
}

#[test]
fn the_laws_hold_where_goals_have_no_names_or_common_ones() {
    laws_hold(size(60, 800), 0..BASES, prop_oneof![0..PLAIN, PLAIN..EDITS], 0..6, 20);
}
