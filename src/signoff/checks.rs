//! The judge `checks`: it has no model and decides only by what can be measured (`SIGNOFF.md` §6). This module also runs the
//! `(check: …)` commands, whose results every judge gets.

use super::judge::JudgeResult;
use super::judge::case::Case;
use super::text_file::text_at;
use super::verdict::{Id, JudgeAnswer, Outcome, VerdictLine, Word};
use crate::error::Result;
use crate::gate::{Depth, trivial};
use crate::plan::model::GoalRef;
use crate::shell::quote;
use crate::verify::check::CheckResult;
use crate::verify::stage1::{self, CommandLine, RunContext};
use crate::verify::watch::Watch;

/// Runs the check of every failure mode that has one, without a shell like `verify`, and stores the results in `case`. A line
/// that cannot be read or run is a check that did not pass.
///
/// # Errors
/// [`crate::error::Kind::Interrupted`].
pub fn run(case: &mut Case, context: &RunContext<'_>, watch: &dyn Watch) -> Result<()> {
    for mode in &mut case.failure_modes {
        let Some(command) = &mode.command else { continue };
        mode.check = Some(match CommandLine::read(command) {
            // A check that cannot fail rules nothing out. A check that only looks may do so (`test ! -e secrets.env`).
            Ok(line) if trivial::cannot_fail(&line.sequence, &text_at(context.root)) => {
                let end = "cannot fail, whatever the state of the work; it was not run".to_owned();
                CheckResult { command: command.clone(), passed: false, red: false, end }
            }
            Ok(line) => CheckResult::from(&stage1::run(&line, context, watch)?),
            Err(error) => CheckResult { command: command.clone(), passed: false, red: false, end: error.message },
        });
    }
    Ok(())
}

/// Returns the readable checks of a goal, each with the number of its failure mode.
pub(crate) fn lines(goal: GoalRef<'_, '_>) -> Vec<(usize, CommandLine)> {
    let modes = goal.failure_modes().into_iter().zip(1..);
    modes.filter_map(|(mode, number)| Some((number, CommandLine::read(&mode.check?).ok()?))).collect()
}

const NO_MODE: &str = "a failure mode with a `(check: …)` that rules it out";
const NEVER_RED: &str = "`verify` was never seen red";

/// Decides without a model, and gives the ground of each answer. `seen_red`: `verify` was seen red, or did not have to be
/// (`kind: refactor`). A question that it cannot decide counts as missing and not as passed; at the fast gate, the text also
/// names the command that decides it.
pub fn judge(case: &Case, seen_red: bool, depth: Depth) -> JudgeResult {
    let outcome = outcome(case, seen_red, depth);
    let accepts = outcome == Outcome::Accept;
    JudgeResult { answer: accepts.then(|| answer(case)), ..JudgeResult::without_process(outcome) }
}

/// Returns the grounds of an accept, for the record: `verify` for every criterion, and its own check for every failure mode.
fn answer(case: &Case) -> JudgeAnswer {
    let verify = case.verify.as_ref().map(|verify| format!("verify: {}", verify.end)).unwrap_or_default();
    let criteria = (1..=case.criteria.len()).map(|at| (Id::Criterion(at), verify.clone()));
    let modes = (1..=case.failure_modes.len()).map(|at| (Id::FailureMode(at), format!("check {at}: exit 0")));
    let line = |(id, text)| VerdictLine { id, holds: true, text };
    let shared = (case.criteria.len() > 1).then(|| {
        let all: Vec<String> = (1..=case.criteria.len()).map(|at| Id::Criterion(at).to_string()).collect();
        format!("one verify covers {}: `checks` cannot tell which of them it measures", all.join(", "))
    });
    JudgeAnswer {
        probe: String::new(),
        lines: criteria.chain(modes).map(line).collect(),
        missing: Vec::new(),
        notes: shared.into_iter().collect(),
        verdict: Word::Accept,
    }
}

fn outcome(case: &Case, seen_red: bool, depth: Depth) -> Outcome {
    let mut missing: Vec<String> = Vec::new();
    match case.verify {
        None => missing.push(format!(
            "a `verify` that can be run, the command of your test: `plan goal set {} --verify COMMAND`",
            case.id
        )),
        Some(_) if !seen_red => missing.push(match depth {
            Depth::Fast => {
                let id = &case.id;
                format!("{NEVER_RED}: `plan complete {id} --gate full` tries today's tests on the source of its start")
            }
            Depth::Auto | Depth::Full => NEVER_RED.to_owned(),
        }),
        Some(_) => {}
    }
    if case.failure_modes.is_empty() {
        missing.push(format!(
            "{NO_MODE}, a command that fails if the work is wrong in this way: \
             `plan goal set {} --failure-mode \"… (check: COMMAND)\"`",
            case.id
        ));
    }
    for (at, mode) in case.failure_modes.iter().enumerate() {
        let id = Id::FailureMode(at + 1);
        match &mode.check {
            Some(check) if check.passed => {}
            Some(check) => missing.push(format!("{id} is not ruled out: `{}` {}", check.command, check.end)),
            None => {
                let mended = quote(&format!("{} (check: COMMAND)", mode.text));
                let set = format!("`plan goal set {} --add-failure-mode {mended}`", case.id);
                missing.push(format!(
                    "{id} has no `(check: …)`, a command that fails if the work is wrong in this way: {}; {set}",
                    mode.text
                ));
            }
        }
    }
    missing.extend(case.open.iter().map(|lead| format!("open lead: {lead}")));
    if missing.is_empty() { Outcome::Accept } else { Outcome::Reject { missing } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::run::Tail;
    use crate::signoff::judge::case::VerifyResult;
    use crate::verify::check::FailureMode;

    fn passed() -> CheckResult {
        CheckResult { command: "sh check.sh".to_owned(), passed: true, red: false, end: "exit 0".to_owned() }
    }

    fn case() -> Case {
        Case {
            id: "a-1".to_owned(),
            criteria: vec!["fast".to_owned()],
            failure_modes: vec![FailureMode {
                text: "bypassed (check: sh check.sh)".to_owned(),
                command: None,
                check: Some(passed()),
            }],
            verify: Some(VerifyResult {
                command: "make".to_owned(),
                end: "exit 0".to_owned(),
                seconds: 0.1,
                tail: Tail::default(),
            }),
            ..Case::default()
        }
    }

    fn missing(change: impl FnOnce(&mut Case), seen_red: bool) -> Vec<String> {
        let mut case = case();
        change(&mut case);
        match judge(&case, seen_red, Depth::Full).outcome {
            Outcome::Reject { missing } => missing,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_measured_is_accepted() {
        assert_eq!(judge(&case(), true, Depth::Fast).outcome, Outcome::Accept);
    }

    // SIGNOFF.md §6
    #[test]
    fn each_answer_says_what_it_rests_on_and_what_cannot_be_told_apart() {
        let answer = |case: &Case| judge(case, true, Depth::Fast).answer.unwrap();
        let told = |answer: JudgeAnswer| {
            answer.lines.iter().map(|line| format!("{} {}", line.id, line.text)).collect::<Vec<_>>()
        };
        assert_eq!(told(answer(&case())), ["C1 verify: exit 0", "F1 check 1: exit 0"]);
        assert_eq!(answer(&case()).notes, [""; 0]);
        let two = Case { criteria: vec!["fast".to_owned(), "documented".to_owned()], ..case() };
        assert_eq!(answer(&two).lines.len(), 3);
        let note = "one verify covers C1, C2: `checks` cannot tell which of them it measures";
        assert_eq!(answer(&two).notes, [note]);
    }

    // P-50
    #[test]
    fn what_cannot_be_told_is_missing() {
        assert_eq!(missing(|_| (), false), ["`verify` was never seen red"]);
        assert_eq!(
            missing(|case| case.verify = None, true),
            ["a `verify` that can be run, the command of your test: `plan goal set a-1 --verify COMMAND`"]
        );
        let none = missing(|case| case.failure_modes.clear(), true);
        assert!(none[0].starts_with("a failure mode with a `(check: …)`") && none.len() == 1, "{none:?}");
        assert_eq!(missing(|case| case.open.push("no-change".to_owned()), true), ["open lead: no-change"]);
        let unchecked = FailureMode { text: "too small".to_owned(), command: None, check: None };
        assert_eq!(
            missing(|case| case.failure_modes.push(unchecked), true),
            [
                "F2 has no `(check: …)`, a command that fails if the work is wrong in this way: too small; `plan goal set a-1 --add-failure-mode 'too small (check: COMMAND)'`"
            ]
        );
        let red = CheckResult { passed: false, end: "exit 1: no evictions".to_owned(), ..passed() };
        assert_eq!(
            missing(|case| case.failure_modes[0].check = Some(red), true),
            ["F1 is not ruled out: `sh check.sh` exit 1: no evictions"]
        );
    }
}
