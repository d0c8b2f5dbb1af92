//! Laws on generated plans (P-39, P-40): reading never panics, and a change shows exactly the intended result, in the fewest lines.

use plan::error::Kind;
use plan::plan::change::{Change, edits};
use plan::plan::edit::apply;
use plan::plan::parse;
use plan::plan::text::{log_text, one_line, plain_line, slug, step_text};
use proptest::prelude::*;

use super::expected::expected;
use super::kept::{is_only_moved, is_untouched_outside};
use super::random::{Source, change, goals, source, text};
use super::support::{changed, diff, seen};

/// `PLAN_CASES` raises the number of cases; no file is written next to the sources.
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
        prop_assert!(is_untouched_outside(&source, &bytes, &edits));
        prop_assert!(is_only_moved(&source, &bytes, &change), "{}\n--- after\n{}", source.escape_ascii(), bytes.escape_ascii());
        few_lines(&source, &bytes, &change, plan.all_goals().all(|goal| goal.id().is_some()))?;
        // New lines take the line endings of their neighbours: a file with one sort of ending keeps that sort.
        if !source.contains(&b'\r') {
            prop_assert!(!bytes.contains(&b'\r'));
        } else if newlines(&source).iter().all(|crlf| *crlf) {
            prop_assert!(newlines(&bytes).iter().all(|crlf| *crlf));
        }
        // If the change is made again, a part that is already so stays as it is.
        if matches!(change, Change::SetStatus { .. } | Change::SetMark { .. } | Change::SetField { .. } | Change::AddId { .. } | Change::SetSubject { .. } | Change::SetStepText { .. } | Change::SetObjective { .. }) {
            let again = changed(&bytes, &[change]).unwrap();
            prop_assert_eq!(again.escape_ascii().to_string(), bytes.escape_ascii().to_string());
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
        | Change::SetSubject { goal, .. }
        | Change::AddId { goal }
        | Change::RemoveGoal { goal }
        | Change::Restore { goal }
        | Change::AddStep { goal, .. }
        | Change::AddGoalBefore { before: goal, .. } => *goal < goals,
        Change::SetMark { step, .. }
        | Change::SetStepText { step, .. }
        | Change::SetStepParts { step, .. }
        | Change::AddNumber { step }
        | Change::RemoveStep { step } => *step < steps,
        Change::MoveStep { step, goal, .. } => *step < steps && *goal < goals,
        Change::Archive { goals: which } => which[0] < goals,
        _ => true,
    }
}

/// A tick, a status or a log line changes or adds only one line.
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
