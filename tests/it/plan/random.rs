//! Random plans, texts and changes.

use plan::plan::change::{Change, NewGoal};
use plan::plan::model::{Key, Mark, Status};
use proptest::prelude::*;

use super::support::{FOREIGN, LINES, compose};

/// A source that is printed as text if a law breaks.
#[derive(Clone)]
pub(super) struct Source(pub(super) Vec<u8>);

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}\n{}", String::from_utf8_lossy(&self.0), String::from_utf8_lossy(&self.0))
    }
}

pub(super) fn source() -> impl Strategy<Value = Source> {
    (proptest::collection::vec(0..LINES.len(), 0..30), 0..3u8, any::<bool>(), any::<bool>())
        .prop_map(|(picks, ending, bom, last)| Source(compose(&picks, ending, bom, last)))
}

/// The same with enough goals that changes apply.
pub(super) fn goals() -> impl Strategy<Value = Source> {
    let rest = proptest::collection::vec(0..LINES.len(), 0..24);
    (rest, proptest::option::of(0..24usize), 0..3u8, any::<bool>(), any::<bool>()).prop_map(
        |(mut picks, second, ending, bom, last)| {
            picks.insert(0, 2);
            if let Some(at) = second.filter(|at| *at < picks.len()) {
                picks.insert(at + 1, 3);
            }
            Source(with_bytes(compose(&picks, ending, bom, last)))
        },
    )
}

/// Replaces each [`FOREIGN`] with a byte that is not UTF-8, in lines that are not read as structure.
fn with_bytes(source: Vec<u8>) -> Vec<u8> {
    let bytes: Vec<u8> = source.iter().map(|byte| if *byte == FOREIGN { 0xff } else { *byte }).collect();
    if plan::plan::parse(&bytes).is_ok() { bytes } else { source }
}

const TEXTS: &[&str] = &[
    "plain", "two\nlines", "- [x] done", "## Goal: evil", "<!-- hidden", "a --> b", "a \u{2014} b", "\u{2014} a",
    "a \u{2014}", "```", "> quote", "1. one", "3. three (after 2)", "x (run: rm -rf /)", "  ", "#", "a #", "a ##",
    "---", "* * *", "-", "\u{1b}[31mred\u{202e}", "tab\tin", "\u{2028}line\u{85}next",
    "caf\u{e9} \u{1f469}\u{200d}\u{1f4bb}", "[ ] box", "===", "x (check: grep '<!--' f)", "\\", "a\\ ##", "~~~ x", "+",
    "status: done", "2026-06-15 14:02  x", "\u{e0041}tag", "x <!-- id: q -->",
];

pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![(0..TEXTS.len()).prop_map(|at| TEXTS[at].to_owned()), ".{0,30}"]
}

fn mark() -> impl Strategy<Value = Mark> {
    prop_oneof![Just(Mark::Pending), Just(Mark::Active), Just(Mark::Complete), Just(Mark::Failed), Just(Mark::Skipped)]
}

fn status() -> impl Strategy<Value = Status> {
    prop_oneof![Just(Status::Open), Just(Status::Active), Just(Status::Done), Just(Status::Cancelled)]
}

fn key() -> impl Strategy<Value = Key> {
    (1..Key::ALL.len()).prop_map(|at| Key::ALL[at])
}

/// Changes of goals and steps 0 to 3; the test drops changes of missing ones.
pub(super) fn change() -> impl Strategy<Value = Change> {
    let goal = 0..3usize;
    let step = 0..5usize;
    prop_oneof![
        (goal.clone(), status()).prop_map(|(goal, status)| Change::SetStatus { goal, status }),
        (step.clone(), mark(), proptest::option::of(text())).prop_map(|(step, mark, outcome)| Change::SetMark {
            step,
            mark,
            outcome
        }),
        text().prop_map(|text| Change::AppendLog { stamp: "2026-06-15 14:33".into(), text }),
        (goal.clone(), key(), proptest::collection::vec(text(), 0..4))
            .prop_map(|(goal, key, values)| Change::SetField { goal, key, values }),
        (goal.clone(), text()).prop_map(|(goal, subject)| Change::SetSubject { goal, subject }),
        goal.clone().prop_map(|goal| Change::AddId { goal }),
        goal.clone().prop_map(|goal| Change::RemoveGoal { goal }),
        (
            goal.clone(),
            text(),
            proptest::collection::vec(1..9u32, 0..3),
            proptest::option::of(text()),
            proptest::option::of(text()),
        )
            .prop_map(|(goal, text, after, run, note)| Change::AddStep { goal, text, after, run, note }),
        (step.clone(), text()).prop_map(|(step, text)| Change::SetStepText { step, text }),
        (step.clone(), goal.clone(), proptest::option::of(1..5usize)).prop_map(|(step, goal, at)| Change::MoveStep {
            step,
            goal,
            at
        }),
        (
            step.clone(),
            proptest::option::of(text()),
            proptest::option::of(proptest::collection::vec(1..9u32, 0..3)),
            proptest::option::of(text())
        )
            .prop_map(|(step, text, after, run)| Change::SetStepParts { step, text, after, run }),
        step.clone().prop_map(|step| Change::AddNumber { step }),
        step.prop_map(|step| Change::RemoveStep { step }),
        goal.clone().prop_map(|goal| Change::Archive { goals: vec![goal] }),
        (goal.clone(), text()).prop_map(|(before, subject)| Change::AddGoalBefore {
            before,
            new: NewGoal { subject, ..NewGoal::default() }
        }),
        goal.prop_map(|goal| Change::Restore { goal }),
        text().prop_map(|text| Change::SetObjective { text }),
        (
            text(),
            proptest::collection::vec(text(), 0..3),
            proptest::collection::vec(text(), 0..3),
            proptest::option::of(text())
        )
            .prop_map(|(subject, list, steps, verify)| Change::AddGoal(NewGoal {
                subject,
                done_when: list.clone(),
                failure_modes: list,
                verify,
                steps: steps.into_iter().map(Into::into).collect(),
                ..NewGoal::default()
            })),
    ]
}
