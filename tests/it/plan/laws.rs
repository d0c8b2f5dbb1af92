//! Laws on generated plans (P-39, P-40): reading never panics, a change shows exactly what was meant, in the fewest lines.
//! Long because the generators and the laws that they feed are read together.

use plan::error::Kind;
use plan::plan::change::{Change, NewGoal, edits};
use plan::plan::edit::apply;
use plan::plan::model::{Key, Mark, Status};
use plan::plan::parse;
use plan::plan::text::{log_text, one_line, plain_line, slug, step_text};
use proptest::prelude::*;

use super::support::{LINES, Seen, changed, compose, diff, seen};

/// Printed as text when a law breaks.
#[derive(Clone)]
struct Source(Vec<u8>);

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}\n{}", String::from_utf8_lossy(&self.0), String::from_utf8_lossy(&self.0))
    }
}

fn source() -> impl Strategy<Value = Source> {
    (proptest::collection::vec(0..LINES.len(), 0..30), 0..3u8, any::<bool>(), any::<bool>())
        .prop_map(|(picks, ending, bom, last)| Source(compose(&picks, ending, bom, last)))
}

/// The same with goals often enough that changes have something to do.
fn goals() -> impl Strategy<Value = Source> {
    let rest = proptest::collection::vec(0..LINES.len(), 0..24);
    (rest, proptest::option::of(0..24usize), 0..3u8, any::<bool>(), any::<bool>()).prop_map(
        |(mut picks, second, ending, bom, last)| {
            picks.insert(0, 2);
            if let Some(at) = second.filter(|at| *at < picks.len()) {
                picks.insert(at + 1, 3);
            }
            Source(compose(&picks, ending, bom, last))
        },
    )
}

const TEXTS: &[&str] = &[
    "plain",
    "two\nlines",
    "- [x] done",
    "## Goal: evil",
    "<!-- hidden",
    "a --> b",
    "a \u{2014} b",
    "\u{2014} a",
    "a \u{2014}",
    "```",
    "> quote",
    "1. one",
    "3. three (after 2)",
    "x (run: rm -rf /)",
    "  ",
    "#",
    "a #",
    "a ##",
    "---",
    "* * *",
    "-",
    "\u{1b}[31mred\u{202e}",
    "tab\tin",
    "\u{2028}line\u{85}next",
    "caf\u{e9} \u{1f469}\u{200d}\u{1f4bb}",
    "[ ] box",
    "===",
    "x (check: grep '<!--' f)",
    "\\",
    "a\\ ##",
    "~~~ x",
    "+",
    "status: done",
    "2026-06-15 14:02  x",
    "\u{e0041}tag",
    "x <!-- id: q -->",
];

fn text() -> impl Strategy<Value = String> {
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

/// Changes on goals and steps 0 to 3; those that are not there are dropped by the test.
fn change() -> impl Strategy<Value = Change> {
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
        (goal.clone(), key(), text()).prop_map(|(goal, key, text)| Change::AddListItem { goal, key, text }),
        (goal.clone(), text()).prop_map(|(goal, subject)| Change::SetSubject { goal, subject }),
        goal.clone().prop_map(|goal| Change::AddId { goal }),
        goal.clone().prop_map(|goal| Change::RemoveGoal { goal }),
        (goal.clone(), text(), proptest::collection::vec(1..9u32, 0..3), proptest::option::of(text()))
            .prop_map(|(goal, text, after, run)| Change::AddStep { goal, text, after, run }),
        (step.clone(), text()).prop_map(|(step, text)| Change::SetStepText { step, text }),
        (step.clone(), goal.clone(), proptest::option::of(1..5usize)).prop_map(|(step, goal, at)| Change::MoveStep {
            step,
            goal,
            at
        }),
        step.prop_map(|step| Change::RemoveStep { step }),
        goal.prop_map(|goal| Change::Archive { goals: vec![goal] }),
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
                steps,
                ..NewGoal::default()
            })),
    ]
}

/// What a reader must see after `change`; none where the test has no opinion of its own.
fn expected(mut before: Seen, after: &Seen, change: &Change, numbers: u32) -> Option<Seen> {
    match change {
        Change::SetStatus { goal, status } => before.goals[*goal].status = *status,
        Change::SetMark { step, mark, outcome } => {
            let step = step_mut(&mut before, *step);
            step.mark = *mark;
            if let Some(outcome) = outcome {
                step.outcome = Some(one_line(outcome)).filter(|text| !text.is_empty());
            }
        }
        Change::AppendLog { text, .. } => {
            let at = before.log.iter().filter(|line| !line.2).count();
            before.log.insert(at, ("2026-06-15 14:33".into(), one_line(text), false));
        }
        Change::SetField { goal, key, .. } | Change::AddListItem { goal, key, .. } => {
            let slot = |seen: &Seen| seen.goals[*goal].fields.iter().position(|field| field.0 == *key).unwrap();
            let at = slot(&before);
            before.goals[*goal].fields[at] = after.goals[*goal].fields[at].clone();
        }
        Change::SetSubject { goal, subject } => {
            before.goals[*goal].subject.clone_from(&after.goals[*goal].subject);
            assert_eq!(after.goals[*goal].subject.replace('\\', ""), one_line(subject).replace('\\', ""));
        }
        Change::AddId { .. } => {}
        Change::RemoveGoal { goal } => {
            before.goals.remove(*goal);
            before.log.clone_from(&after.log); // A log section that stood in it is gone too.
        }
        Change::AddStep { goal, text, after: first, run } => {
            let step = super::support::SeenStep {
                mark: Mark::Pending,
                number: Some(numbers),
                text: step_text(text),
                run: run.as_deref().map(plain_line).filter(|run| !run.is_empty()),
                after: first.clone(),
                outcome: None,
            };
            let at = after_steps(after, *goal, &step);
            before.goals[*goal].steps.insert(at, step);
        }
        Change::SetStepText { step, text } => {
            let new = step_mut(&mut before, *step);
            let written = step_text(text);
            new.text = if new.number.is_none() { find_text(after, *step) } else { written };
        }
        Change::MoveStep { step, goal, at } => {
            let moved = step_mut(&mut before, *step).clone();
            let sorted = |seen: &Seen| {
                let mut steps: Vec<String> =
                    seen.goals.iter().flat_map(|goal| &goal.steps).map(|step| format!("{step:?}")).collect();
                steps.sort();
                steps
            };
            assert_eq!(sorted(&before), sorted(after), "no step is lost or made");
            let steps = &after.goals[*goal].steps;
            assert!(steps.contains(&moved));
            assert!(at.is_none_or(|at| steps.get(at - 1) == Some(&moved)), "{steps:?}");
            for (old, new) in before.goals.iter_mut().zip(&after.goals) {
                old.steps.clone_from(&new.steps);
            }
            before.log.clone_from(&after.log); // A log line that hangs on a step goes with it.
        }
        Change::RemoveStep { step } => {
            let (goal, at) = find(&before, *step);
            before.goals[goal].steps.remove(at);
            before.log.clone_from(&after.log); // A log line that hangs on it goes with it.
        }
        Change::Archive { goals } => {
            let mut goal = before.goals.remove(goals[0]);
            goal.archived = true;
            before.goals.push(goal);
            before.has_archive = true;
            before.log.clone_from(&after.log); // A log below a deeper heading moves with its goal.
        }
        Change::SetObjective { text } => {
            assert_eq!(after.objective.as_deref().unwrap().replace('\\', ""), one_line(text).replace('\\', ""));
            before.objective.clone_from(&after.objective);
        }
        Change::AddGoal(new) => {
            let at = after.goals.iter().position(|goal| !before.goals.contains(goal)).unwrap();
            let goal = &after.goals[at];
            assert_eq!(goal.steps.len(), new.steps.len());
            let listed: Vec<String> =
                new.done_when.iter().map(|text| one_line(text)).filter(|text| !text.is_empty()).collect();
            assert_eq!(goal.fields[0].1, listed);
            before.goals.insert(at, goal.clone());
        }
        Change::AddGoalBlock { .. } => return None,
    }
    // The first write to a goal without an id gives it one.
    if before.goals.len() == after.goals.len() {
        for (old, new) in before.goals.iter_mut().zip(&after.goals) {
            if old.id.is_none() {
                old.id.clone_from(&new.id);
            }
        }
    }
    Some(before)
}

fn find(seen: &Seen, step: usize) -> (usize, usize) {
    let mut left = step;
    for (at, goal) in seen.goals.iter().enumerate() {
        if left < goal.steps.len() {
            return (at, left);
        }
        left -= goal.steps.len();
    }
    panic!("no step {step}")
}

fn step_mut(seen: &mut Seen, step: usize) -> &mut super::support::SeenStep {
    let (goal, at) = find(seen, step);
    &mut seen.goals[goal].steps[at]
}

fn find_text(seen: &Seen, step: usize) -> String {
    let (goal, at) = find(seen, step);
    seen.goals[goal].steps[at].text.clone()
}

fn after_steps(seen: &Seen, goal: usize, step: &super::support::SeenStep) -> usize {
    seen.goals[goal].steps.iter().position(|other| other == step).expect("the new step is read back")
}

/// `PLAN_CASES` tries more; nothing is written beside the sources.
fn config() -> ProptestConfig {
    let cases = std::env::var("PLAN_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000);
    ProptestConfig { cases, failure_persistence: None, max_global_rejects: cases * 4, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn reading_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&bytes);
    }

    // P-39, P-40
    #[test]
    fn reading_lines_never_fails_and_no_edit_changes_nothing(Source(source) in source()) {
        let plan = parse(&source).unwrap();
        prop_assert_eq!(apply(&source, &[]).unwrap(), source.clone());
        for goal in plan.all_goals() {
            let body = goal.raw().body.range();
            prop_assert!(body.end <= source.len() && goal.raw().heading.range().end <= body.end);
            for step in goal.steps() {
                prop_assert!(body.contains(&(step.line.start as usize)) && step.end as usize <= body.end);
                prop_assert_eq!(step.goal as usize, goal.index());
            }
            for field in goal.fields() {
                prop_assert!(body.contains(&(field.lines.start as usize)) && field.lines.end as usize <= body.end);
            }
        }
    }

    // P-40
    #[test]
    fn a_change_shows_exactly_what_was_meant(Source(source) in goals(), change in change()) {
        let plan = parse(&source).unwrap();
        let before = seen(&plan);
        let (goals, steps) = (plan.goals.len(), plan.steps.len());
        prop_assume!(fits(&change, goals, steps));
        let edits = match edits(&plan, std::slice::from_ref(&change)) {
            Ok(edits) => edits,
            Err(error) => {
                prop_assert_eq!(error.kind, Kind::Input);
                return Ok(());
            }
        };
        let bytes = apply(&source, &edits).unwrap();
        let after = parse(&bytes).unwrap();
        let numbers = plan::plan::change::next_number(&plan);
        let now = seen(&after);
        if let Some(expected) = expected(before, &now, &change, numbers) {
            prop_assert_eq!(expected, now, "{}\n--- after\n{}", String::from_utf8_lossy(&source), String::from_utf8_lossy(&bytes));
        }
        outside_is_untouched(&source, &bytes, &edits)?;
        few_lines(&source, &bytes, &change, plan.all_goals().all(|goal| goal.id().is_some()))?;
        // Line endings are the neighbours': a file of one sort stays of one sort.
        if !source.contains(&b'\r') {
            prop_assert!(!bytes.contains(&b'\r'));
        } else if newlines(&source).iter().all(|crlf| *crlf) {
            prop_assert!(newlines(&bytes).iter().all(|crlf| *crlf));
        }
        // Asked again, what is so already stays as it is.
        if matches!(change, Change::SetStatus { .. } | Change::SetMark { .. } | Change::SetField { .. } | Change::AddId { .. } | Change::SetSubject { .. } | Change::SetStepText { .. } | Change::SetObjective { .. }) {
            prop_assert_eq!(String::from_utf8(changed(&bytes, &[change]).unwrap()).unwrap(), String::from_utf8(bytes).unwrap());
        }
    }

    #[test]
    fn texts_stay_as_they_are_when_fitted_again(text in text()) {
        for fit in [one_line, plain_line, step_text, log_text] {
            let once = fit(&text);
            prop_assert_eq!(fit(&once), once.clone());
            prop_assert!(!once.chars().any(char::is_control) && once.trim() == once);
        }
        prop_assert!(log_text(&text.repeat(100)).len() <= 500);
        let slug = slug(&text);
        prop_assert!(!slug.is_empty() && slug.len() <= 56 && !slug.starts_with('-') && !slug.ends_with('-'));
    }
}

fn fits(change: &Change, goals: usize, steps: usize) -> bool {
    match change {
        Change::SetStatus { goal, .. }
        | Change::SetField { goal, .. }
        | Change::AddListItem { goal, .. }
        | Change::SetSubject { goal, .. }
        | Change::AddId { goal }
        | Change::RemoveGoal { goal }
        | Change::AddStep { goal, .. } => *goal < goals,
        Change::SetMark { step, .. } | Change::SetStepText { step, .. } | Change::RemoveStep { step } => *step < steps,
        Change::MoveStep { step, goal, .. } => *step < steps && *goal < goals,
        Change::Archive { goals: which } => which[0] < goals,
        _ => true,
    }
}

/// Every byte that no edit names is there, in order, between the edits' texts.
fn outside_is_untouched(old: &[u8], new: &[u8], edits: &[plan::plan::edit::Edit]) -> Result<(), TestCaseError> {
    let (mut from, mut to) = (0, 0);
    for edit in edits {
        let kept = &old[from..edit.range.start];
        prop_assert_eq!(kept, &new[to..to + kept.len()]);
        to += kept.len();
        prop_assert_eq!(edit.text.as_bytes(), &new[to..to + edit.text.len()]);
        to += edit.text.len();
        from = edit.range.end;
    }
    prop_assert_eq!(&old[from..], &new[to..]);
    Ok(())
}

/// A tick, a status, a log line: one changed or added line.
fn few_lines(old: &[u8], new: &[u8], change: &Change, has_ids: bool) -> Result<(), TestCaseError> {
    let (gone, come) = diff(old, new);
    let bare = !old.ends_with(b"\n") && !old.is_empty();
    match change {
        Change::SetStatus { .. } | Change::SetMark { .. } if has_ids && !bare => {
            prop_assert!(gone.len() <= 1 && come.len() <= 2, "{gone:?} {come:?}");
        }
        Change::AppendLog { .. } if !bare => {
            prop_assert!(gone.is_empty() && come.len() <= 4, "{gone:?} {come:?}");
            let logs = parse(old).unwrap().logs.iter().any(|section| !section.archived);
            prop_assert!(!logs || come.len() == 1, "{gone:?} {come:?}");
        }
        _ => {}
    }
    Ok(())
}

fn newlines(text: &[u8]) -> Vec<bool> {
    text.split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n"))
        .map(|line| line.ends_with(b"\r\n"))
        .collect()
}
