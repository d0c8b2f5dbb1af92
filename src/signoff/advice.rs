//! Lint findings about a `verify` line, at the time it is written, when fixing it costs nothing (`SIGNOFF.md` §4).

use crate::error::{Error, Result};
use crate::gate::{leads, trivial};
use crate::plan::model::{GoalRef, Key, LintFinding, Plan, Severity, Span};
use crate::plan::rules;
use crate::shell::strict;

/// Refuses a line that cannot be run without a shell, or that cannot fail.
///
/// # Errors
/// [`crate::error::Kind::Input`]
pub fn refuse_unfit(verify: &str) -> Result<()> {
    unfit(verify).map_or(Ok(()), |(_, error)| Err(error))
}

/// Refuses a goal with a `(check: …)` that cannot be run without a shell, or that cannot fail.
///
/// # Errors
/// [`crate::error::Kind::Input`]
pub fn refuse_unfit_checks(goal: GoalRef<'_, '_>) -> Result<()> {
    unfit_check(goal).map_or(Ok(()), Err)
}

/// Refuses a goal that still has a placeholder of a template, because nobody could say whether it holds.
///
/// # Errors
/// [`crate::error::Kind::Input`]
pub fn refuse_placeholder(goal: GoalRef<'_, '_>) -> Result<()> {
    let Some((key, found)) = rules::placeholder_of(goal) else { return Ok(()) };
    let what = format!("a placeholder `{found}` is left in `{}` of {}", key.word(), goal.name());
    Err(Error::input(what).hint(rules::replacing(goal, key)))
}

/// Returns the fields that the goal lacks and without which no command can check it.
pub fn lacking(goal: GoalRef<'_, '_>) -> Vec<Key> {
    [Key::DoneWhen, Key::Verify].into_iter().filter(|key| goal.list(*key).is_empty()).collect()
}

/// Returns the command that adds the fields of [`lacking`] to a goal; `None` if it lacks none.
pub fn completing(goal: &str, lacking: &[Key]) -> Option<String> {
    let option = |key: &Key| match key {
        Key::Verify => " --verify COMMAND",
        _ => " --done-when \"what must be true\"",
    };
    let options: String = lacking.iter().map(option).collect();
    (!options.is_empty()).then(|| format!("plan goal set {}{options}", crate::shell::quote(goal)))
}

/// Describes the placeholders in a command: `fill in the command of your test`. Returns `None` if the command can be pasted as it is.
pub fn to_fill_in(command: &str) -> Option<String> {
    let blanks = [
        ("\"what must be true\"", "what must be true"),
        ("--verify COMMAND", "the command of your test"),
        ("\"… (check: COMMAND)\"", "a failure mode and a command that fails if the work is wrong in this way"),
        ("(check: COMMAND)'", "a command that fails if the work is wrong in this way"),
        ("--because \"why\"", "the reason"),
    ];
    let words: Vec<&str> =
        blanks.into_iter().filter(|(blank, _)| command.contains(blank)).map(|(_, words)| words).collect();
    (!words.is_empty()).then(|| format!("fill in {}", words.join(" and ")))
}

/// Returns the findings about the commands of a plan: those of [`errors`], and each `verify` that may succeed although a command in it fails.
pub fn findings(plan: &Plan<'_>) -> Vec<LintFinding> {
    let masked = |goal: GoalRef<'_, '_>| {
        let (line, field) = goal.verify().zip(goal.field(Key::Verify))?;
        let why = leads::masks::in_line(&line).filter(|_| unfit(&line).is_none())?;
        let message = format!("`{line}` {why}");
        let remedy = "let verify end with the exit code of the test".to_owned();
        Some(LintFinding { code: "exit-masked", severity: Severity::Warning, span: field.value, message, remedy })
    };
    let mut found = errors(plan);
    found.extend(rules::unfinished(plan).filter_map(masked));
    found
}

/// Returns the findings that keep a goal from being signed off: a `verify` or a check that cannot be run without a shell or
/// cannot fail. Every list of goals asks for them, so each line is read once.
pub fn errors(plan: &Plan<'_>) -> Vec<LintFinding> {
    let verify = |goal: GoalRef<'_, '_>| {
        let (line, field) = goal.verify().zip(goal.field(Key::Verify))?;
        let (code, Error { message, hints, .. }) = unfit(&line)?;
        let message = message.trim_start_matches("verify-trivial: ").to_owned();
        Some(LintFinding { code, severity: Severity::Error, span: field.value, message, remedy: hints.join("; ") })
    };
    let check = |goal: GoalRef<'_, '_>| {
        let Error { message, hints, .. } = unfit_check(goal)?;
        let at = goal.field(Key::FailureModes)?.lines.start;
        let span = Span { start: at, end: at + Key::FailureModes.word().len() as u32 };
        Some(LintFinding { code: "check-unfit", severity: Severity::Error, span, message, remedy: hints.join("; ") })
    };
    let goals = || rules::unfinished(plan);
    goals().filter_map(verify).chain(goals().filter_map(check)).collect()
}

/// Returns the error about the first check of a goal that cannot be run without a shell or cannot fail.
fn unfit_check(goal: GoalRef<'_, '_>) -> Option<Error> {
    let lines = goal.field(Key::FailureModes)?.lines;
    // Few goals have a check, and each list of goals asks for all of them.
    memchr::memmem::find(&goal.plan().source[lines.range()], b"(check:")?;
    let modes = goal.failure_modes();
    let why = |check: &str| match strict::split(check) {
        Ok(sequence) if trivial::cannot_fail(&sequence, &|_| None) => {
            Some(format!("`{check}` cannot fail, so it rules nothing out"))
        }
        Ok(_) => None,
        Err(error) => Some(error.to_string()),
    };
    let why = modes.iter().find_map(|mode| why(mode.check.as_deref()?))?;
    Some(Error::input(format!("`check`: {why}")).hint("leave `(check: …)` out if a judge is to read this failure mode"))
}

/// Returns why a line cannot be a `verify`, with the code of the finding.
fn unfit(verify: &str) -> Option<(&'static str, Error)> {
    let why = match strict::plain_words(verify) {
        Some(words) => trivial::verify_trivial(&[words], &|_| None),
        None => match strict::split(verify) {
            Ok(sequence) => trivial::verify_trivial(&sequence.argvs(), &|_| None),
            Err(error) => return Some(("verify-unfit", Error::input(format!("`verify`: {error}")))),
        },
    }?;
    let error = Error::input(format!("verify-trivial: `{verify}` {why}"));
    Some(("verify-trivial", error.hint("name a command that fails until the goal is reached")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parse;

    #[test]
    fn open_goals_whose_verify_cannot_run_or_cannot_fail() {
        let goal = |at: u32, rest: &str| format!("## Goal: G{at}\n<!-- id: g-{at} -->\n{rest}\n");
        let text = [
            goal(1, "verify: cargo test"),
            goal(2, "verify: true"),
            goal(3, "verify: make test | tee log"),
            goal(4, "status: done\nverify: true"),
            goal(5, "verify:"),
            goal(7, "verify: npx jest --passWithNoTests"),
            goal(6, "failure_modes:\n- a (check: sh a.sh)\n- b (check: a | b)"),
            goal(8, "failure_modes:\n- a (check: test ! -e left)\n- b (check: true)"),
        ]
        .concat();
        let plan = parse(text.as_bytes()).unwrap();
        let found = findings(&plan);
        let seen: Vec<_> = found.iter().map(|finding| (finding.code, plan.text(finding.span))).collect();
        assert_eq!(
            seen,
            [
                ("verify-trivial", "true"),
                ("verify-unfit", "make test | tee log"),
                ("check-unfit", "failure_modes"),
                ("check-unfit", "failure_modes"),
                ("exit-masked", "npx jest --passWithNoTests")
            ]
        );
        assert!(found[0].message.starts_with("`true` ") && !found[0].remedy.is_empty());
        assert!(found[1].message.starts_with("`verify`: "));
        assert_eq!(found[3].message, "`check`: `true` cannot fail, so it rules nothing out");
        assert_eq!(errors(&plan), found[..4]);
    }
}
