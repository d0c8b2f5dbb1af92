//! What holds for every merge, over random plans and random histories of both sides, hand edits among them.

use std::collections::HashMap;

use plan::plan::change::{Change, NewGoal, edits};
use plan::plan::contract::{Digests, goal_contract};
use plan::plan::edit::apply;
use plan::plan::model::{Key, Mark, Plan, Status};
use plan::plan::parse;
use plan::plan::rules::{Record, Standing};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::support::{PLAN, merged, rendered, signed_off};
use crate::support::size;

/// One edit of a side: what is done, to which of the candidates, in which words.
type Step = (u8, usize, u8);

const BASES: u8 = 4;

fn base(pick: u8) -> String {
    match pick % BASES {
        0 => PLAN.to_owned(),
        1 => PLAN.replace('\n', "\r\n"),
        2 => format!(
            "\u{feff}---\nmode: guide\n---\n{PLAN}\n# Archive\n## Goal: Old\n<!-- id: old-1 -->\nstatus: cancelled\n"
        ),
        _ => signed_off(&PLAN.replace("## Log", "## Notes\n\nmore prose\n\n## Log"), "cache-1", "2026-06-15 14:01")
            .trim_end()
            .to_owned(),
    }
}

/// The text after one edit; as it was where the edit does not apply.
fn edited(text: &str, (what, pick, word): Step, side: &str) -> String {
    let Ok(plan) = parse(text.as_bytes()) else { return text.to_owned() };
    let goals: Vec<usize> = plan.live_goals().map(|goal| goal.index()).collect();
    let goal = goals.get(pick % goals.len().max(1)).copied();
    let step = (!plan.steps.is_empty()).then(|| pick % plan.steps.len());
    let word = format!("{side}{word}");
    let stamp = format!("2026-06-15 14:{:02}", 2 + pick % 30);
    let statuses = [Status::Open, Status::Active, Status::Done, Status::Cancelled];
    let marks = [Mark::Complete, Mark::Active, Mark::Failed, Mark::Skipped, Mark::Pending];
    let keys = [Key::Verify, Key::DoneWhen, Key::Priority, Key::FailureModes, Key::Kind];
    let change = match what % 16 {
        0 => step.map(|step| Change::SetMark { step, mark: marks[pick % 5], outcome: None }),
        1 => step.map(|step| Change::SetMark { step, mark: marks[pick % 5], outcome: Some(word.clone()) }),
        2 => goal.map(|goal| Change::SetStatus { goal, status: statuses[pick % 4] }),
        3 => goal.map(|goal| Change::SetField { goal, key: keys[pick % 5], values: vec![word.clone()] }),
        4 => goal.map(|goal| Change::AddListItem { goal, key: Key::FailureModes, text: word.clone() }),
        5 => goal.map(|goal| Change::AddStep { goal, text: word.clone(), after: vec![], run: None }),
        6 => Some(Change::AppendLog { stamp: stamp.clone(), text: word.clone() }),
        7 => Some(Change::AppendLog { stamp: stamp.clone(), text: "the same on both sides".into() }),
        8 => Some(Change::AddGoal(NewGoal {
            subject: format!("New {word}"),
            steps: vec!["s".into()],
            ..NewGoal::default()
        })),
        9 => goal.map(|goal| Change::RemoveGoal { goal }),
        10 => goal.map(|goal| Change::Archive { goals: vec![goal] }),
        11 => goal.map(|goal| Change::SetSubject { goal, subject: word.clone() }),
        12 => step.map(|step| Change::RemoveStep { step }),
        _ => None,
    };
    if let Some(change) = change {
        let bytes = edits(&plan, &[change]).and_then(|edits| apply(text.as_bytes(), &edits));
        return bytes.map_or(text.to_owned(), |bytes| String::from_utf8(bytes).unwrap());
    }
    match what % 16 {
        13 => by_hand(text, pick, &word),
        14 => goal.and_then(|goal| plan.goal(goal)?.id()).map_or(text.to_owned(), |id| {
            if plan.goal(goal.unwrap()).unwrap().field(Key::Status).is_some() {
                signed_off(text, id, &stamp)
            } else {
                text.to_owned()
            }
        }),
        _ => moved(&plan, text, pick),
    }
}

/// As a person edits: a line of prose or a blank line put in, a line taken out or changed.
fn by_hand(text: &str, pick: usize, word: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let at = pick % lines.len();
    match pick % 5 {
        0 => lines.insert(at, format!("prose {word}\n")),
        1 => lines.insert(at, "\n".into()),
        2 => drop(lines.remove(at)),
        3 => lines[at] = format!("{} {word}\n", lines[at].trim_end()),
        _ => lines.push(format!("\nthe end {word}\n")),
    }
    lines.concat()
}

/// The first goal behind the second.
fn moved(plan: &Plan<'_>, text: &str, pick: usize) -> String {
    let goals: Vec<_> = plan.live_goals().map(|goal| goal.raw().body.range()).collect();
    let Some([a, b]) = goals.windows(2).nth(pick % goals.len().max(1)) else { return text.to_owned() };
    if a.end != b.start {
        return text.to_owned();
    }
    [&text[..a.start], &text[b.clone()], &text[a.clone()], &text[b.end..]].concat()
}

fn lines(text: &[u8]) -> HashMap<&[u8], usize> {
    let mut counts = HashMap::new();
    for line in text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()) {
        *counts.entry(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)).or_insert(0) += 1;
    }
    counts
}

/// Lines that are joined from both sides to a third one; by what they say, they are looked at elsewhere.
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
    steps_stand_once(&sides, &plan, one.by_text, &shown)?;
    done_is_signed_off(&sides, &plan, &shown)?;
    Ok(true)
}

/// A goal that one side left as it was is the other side's, byte for byte; one that is the base's on both sides, too.
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
    for id in base.all_goals().filter_map(|goal| goal.id()).filter(|id| !reopened.iter().any(|name| name == id)) {
        let before = body(base, id);
        for (this, that) in [(0, 1), (1, 0)] {
            if body(&sides[this], id) == before {
                prop_assert_eq!(body(merged, id), body(&sides[that], id), "{}: {}", id, shown());
            }
        }
    }
    Ok(())
}

/// Every step of either side that the other did not take out stands, and no more often than on a side.
fn steps_stand_once(
    sides: &[Plan<'_>; 2],
    merged: &Plan<'_>,
    by_text: bool,
    shown: &dyn Fn() -> String,
) -> Result<(), TestCaseError> {
    let count = |plan: &Plan<'_>, number: u32, text: &str, goal: &str| {
        let same = |step: &plan::plan::lookup::StepRef<'_, '_>| {
            step.raw().number == Some(number) && step.text() == text && step.goal().name() == goal
        };
        plan.all_steps().filter(same).count()
    };
    for step in merged.all_steps() {
        let Some(number) = step.raw().number else { continue };
        let most: usize =
            sides.iter().map(|side| count(side, number, step.text(), step.goal().name())).max().unwrap_or(0);
        prop_assert!(
            by_text || count(merged, number, step.text(), step.goal().name()) <= most.max(1),
            "step {}: {}",
            number,
            shown()
        );
    }
    Ok(())
}

/// `done` has a sign-off for the contract that stands, or had none on the side that it comes from either.
fn done_is_signed_off(
    sides: &[Plan<'_>; 2],
    merged: &Plan<'_>,
    shown: &dyn Fn() -> String,
) -> Result<(), TestCaseError> {
    let record = Record::new(merged);
    for goal in merged.live_goals().filter(|goal| goal.status() == Status::Done) {
        let signed = record.standing(goal, &mut Digests::default()) == Standing::SignedOff;
        let before = sides.iter().any(|side| {
            let record = Record::new(side);
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

// W-2, W-3
#[test]
fn the_laws_hold_over_random_histories() {
    let cases = size(250, 5_000) as u32;
    let clean = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let step = || (0u8..16, 0usize..1000, 0u8..3);
    let script = || proptest::collection::vec(step(), 0..6);
    let result = runner.run(&(0u8..BASES, script(), script(), script()), |(pick, before, ours, theirs)| {
        let base = before.iter().fold(base(pick), |text, step| edited(&text, *step, "b"));
        let [ours, theirs] = [(ours, "o"), (theirs, "t")]
            .map(|(script, side)| script.iter().fold(base.clone(), |text, step| edited(&text, *step, side)));
        if laws(&base, &ours, &theirs)? {
            clean.set(clean.get() + 1);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(clean.get() > cases / 2, "{} of {cases} merges were clean: the laws were hardly asked", clean.get());
}
