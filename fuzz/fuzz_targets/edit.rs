//! Any plan, any change: it is refused, or what comes of it is read again and the rest is as it was.
#![no_main]

use plan::plan::change::{Change, edits};
use plan::plan::edit::apply;
use plan::plan::model::{Key, Mark, Status};
use plan::plan::parse;

#[path = "../../tests/it/plan/kept.rs"]
mod kept;

libfuzzer_sys::fuzz_target!(|input: (u8, u8, &str, &[u8])| {
    let (kind, pick, text, source) = input;
    let Ok(plan) = parse(source) else { return };
    let goal = pick as usize % plan.goals.len().max(1);
    let step = pick as usize % plan.steps.len().max(1);
    let key = Key::ALL[pick as usize % Key::ALL.len()];
    let text = text.to_owned();
    let change = match kind % 12 {
        0 => Change::SetStatus { goal, status: Status::Done },
        1 => Change::SetMark { step, mark: Mark::Failed, outcome: Some(text) },
        2 => Change::AppendLog { stamp: "2026-06-15 14:33".into(), text },
        3 => Change::SetField { goal, key, values: vec![text] },
        4 => Change::SetField { goal, key, values: vec![text, "b".to_owned()] },
        5 => Change::SetSubject { goal, subject: text },
        6 => Change::RemoveGoal { goal },
        7 => Change::AddStep { goal, text, after: vec![1], run: None, note: None },
        8 => Change::SetStepText { step, text },
        9 => Change::MoveStep { step, goal, at: Some(1) },
        10 => Change::RemoveStep { step },
        _ => Change::Archive { goals: vec![goal] },
    };
    let Ok(edits) = edits(&plan, std::slice::from_ref(&change)) else { return };
    let bytes = apply(source, &edits).expect("edits of one call fit together");
    assert!(kept::is_untouched_outside(source, &bytes, &edits), "bytes that no edit names");
    assert!(kept::is_only_moved(source, &bytes, &change), "lines that were only to be moved");
    parse(&bytes).expect("what was written is read");
});
