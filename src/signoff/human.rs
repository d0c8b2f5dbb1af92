//! The judge `human`: a person at a terminal answers for each criterion and failure mode (`SIGNOFF.md` §6).

use std::io::{BufRead, Write};

use super::judge::case::Case;
use super::sanitize::{as_printed, one_line};
use super::verdict::{Id, Outcome};
use crate::error::{Error, Kind, Result};

/// The person's terminal. `answers` and `screen` are its two directions.
pub struct Terminal<'a> {
    /// Lines that the person types.
    pub answers: &'a mut dyn BufRead,
    /// The output that the person sees.
    pub screen: &'a mut dyn Write,
    /// True if both directions are a terminal.
    pub is_terminal: bool,
    /// Its width.
    pub columns: Option<usize>,
}

/// Shows changes, contract, findings, output and evidence, and asks about each criterion and failure mode.
///
/// The outcome is inconclusive if the input ends before the last answer.
///
/// # Errors
/// [`Kind::Unknown`] without a terminal, or if it breaks.
pub fn ask(case: &Case, terminal: &mut Terminal<'_>) -> Result<Outcome> {
    require_terminal(terminal.is_terminal)?;
    converse(case, terminal)
        .map_err(|error| Error::new(Kind::Unknown, format!("the terminal of judge `human`: {error}")))
}

/// Fails if there is no terminal, because then nobody can be asked.
///
/// # Errors
/// [`Kind::Unknown`].
pub fn require_terminal(is_terminal: bool) -> Result<()> {
    match is_terminal {
        true => Ok(()),
        false => Err(Error::new(Kind::Unknown, "judge `human` needs a terminal")
            .hint("nothing was run; `plan judge set checks` needs nobody")),
    }
}

fn converse(case: &Case, terminal: &mut Terminal<'_>) -> std::io::Result<Outcome> {
    show(case, terminal)?;
    let mut missing = Vec::new();
    for (id, text) in questions(case) {
        let (question, failed) = match id {
            Id::Criterion(_) => ("Is it met?", "not met"),
            Id::FailureMode(_) => ("Is it ruled out?", "not ruled out"),
        };
        writeln!(terminal.screen, "\n{id}  {}", one_line(text))?;
        let Some(yes) = yes_or_no(question, terminal)? else { return Ok(unanswered(id)) };
        if !yes {
            let Some(what) = line("What is missing? ", terminal)? else { return Ok(unanswered(id)) };
            let what = if what.is_empty() { one_line(text) } else { what };
            missing.push(format!("{id} {failed}: {what}"));
        }
    }
    Ok(if missing.is_empty() { Outcome::Accept } else { Outcome::Reject { missing } })
}

fn questions(case: &Case) -> impl Iterator<Item = (Id, &str)> {
    let criteria = case.criteria.iter().enumerate().map(|(at, text)| (Id::Criterion(at + 1), text.as_str()));
    let modes = case.failure_modes.iter().enumerate();
    criteria.chain(modes.map(|(at, mode)| (Id::FailureMode(at + 1), mode.text.as_str())))
}

fn unanswered(id: Id) -> Outcome {
    Outcome::Inconclusive { why: format!("the person left before {id} was answered"), retry: false }
}

/// Shows the case. All text from the repository goes through [`one_line`] or [`as_printed`], so that it cannot draw on the screen.
fn show(case: &Case, terminal: &mut Terminal<'_>) -> std::io::Result<()> {
    let (screen, columns) = (&mut *terminal.screen, terminal.columns);
    writeln!(screen, "{}  {}", one_line(&case.id), one_line(&case.subject))?;
    match &case.diff {
        Some(diff) => {
            writeln!(screen, "\nchanged since the goal's start:")?;
            diff.lines(columns).iter().try_for_each(|line| writeln!(screen, "  {line}"))?;
        }
        None => writeln!(screen, "\nthe changes are not known: this clone has no record of the goal's start")?,
    }
    if case.changes.is_empty() {
        writeln!(screen, "  the contract did not change")?;
    }
    for (title, entries) in [
        ("the contract changed", &case.changes),
        ("findings", &case.findings),
        ("leads", &case.leads),
        ("claims", &case.claims),
        ("evidence", &case.paths),
    ] {
        if !entries.is_empty() {
            writeln!(screen, "\n{title}:")?;
        }
        entries.iter().try_for_each(|entry| writeln!(screen, "  - {}", one_line(entry)))?;
    }
    for (at, mode) in case.failure_modes.iter().enumerate() {
        if let Some(check) = &mode.check {
            writeln!(screen, "\ncheck of F{}: {}  {}", at + 1, one_line(&check.command), one_line(&check.end))?;
        }
    }
    let Some(verify) = &case.verify else { return writeln!(screen, "\nverify: none") };
    writeln!(screen, "\nverify: {}  {}, {:.1} s", one_line(&verify.command), one_line(&verify.end), verify.seconds)?;
    let (first, text) = verify.shown();
    text.lines().enumerate().try_for_each(|(at, line)| writeln!(screen, "  {}: {}", first + at, as_printed(line)))
}

/// Asks until the answer is yes or no. An empty line is neither.
fn yes_or_no(question: &str, terminal: &mut Terminal<'_>) -> std::io::Result<Option<bool>> {
    loop {
        let Some(answer) = line(&format!("{question} [y/n] "), terminal)? else { return Ok(None) };
        match answer.to_lowercase().as_str() {
            "y" | "yes" => return Ok(Some(true)),
            "n" | "no" => return Ok(Some(false)),
            _ => {}
        }
    }
}

/// Reads one typed line; `None` at the end of the input.
fn line(prompt: &str, terminal: &mut Terminal<'_>) -> std::io::Result<Option<String>> {
    write!(terminal.screen, "{prompt}")?;
    terminal.screen.flush()?;
    let mut bytes = Vec::new();
    let count = terminal.answers.read_until(b'\n', &mut bytes)?;
    Ok((count > 0).then(|| one_line(&String::from_utf8_lossy(&bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::facts::ChangedFile;
    use crate::process::run::Tail;
    use crate::repo::PathChange;
    use crate::signoff::diff_stat::{DiffStat, Role};
    use crate::signoff::judge::case::VerifyResult;
    use crate::verify::check::{CheckResult, FailureMode};

    fn diff() -> DiffStat {
        let file = |path: &str| ChangedFile {
            path: path.into(),
            change: PathChange::Modified,
            then: Some("a\nb\n".to_owned()),
            now: Some("a\nc\n".to_owned()),
            link: None,
        };
        let [work, test] = [file("src/a\u{1b}[2J.rs"), file("t/b.rs")];
        DiffStat::of([(&work, Role::Work), (&test, Role::Test)].into_iter())
    }

    fn case() -> Case {
        let check =
            CheckResult { command: "sh check.sh".to_owned(), passed: false, red: true, end: "exit 1".to_owned() };
        Case {
            id: "fast-1".to_owned(),
            subject: "Make it fast\u{1b}[2J".to_owned(),
            criteria: vec!["p95 below 50 ms".to_owned()],
            failure_modes: vec![FailureMode {
                text: "bypassed".to_owned(),
                check: Some(check),
                ..FailureMode::default()
            }],
            leads: vec!["no change".to_owned()],
            diff: Some(diff()),
            verify: Some(VerifyResult {
                command: "make".to_owned(),
                end: "exit 0".to_owned(),
                seconds: 2.06,
                tail: Tail { bytes: b"  ok \x1b]0;x\x07\nlast\r\n".to_vec(), total_bytes: 90, total_lines: 12 },
            }),
            paths: vec!["bench/p95.log".to_owned()],
            ..Case::default()
        }
    }

    fn talk(typed: &str) -> (Outcome, String) {
        let mut screen = Vec::new();
        let mut terminal =
            Terminal { answers: &mut typed.as_bytes(), screen: &mut screen, is_terminal: true, columns: None };
        let outcome = ask(&case(), &mut terminal).unwrap();
        (outcome, String::from_utf8(screen).unwrap())
    }

    #[test]
    fn yes_to_everything_accepts() {
        assert_eq!(talk("y\nyes\n").0, Outcome::Accept);
        assert_eq!(talk("\nperhaps\n Y \ny\n").0, Outcome::Accept);
    }

    #[test]
    fn a_no_asks_what_is_missing() {
        let reject = |missing: &str| Outcome::Reject { missing: vec![missing.to_owned()] };
        assert_eq!(talk("y\nn\na hit rate\n").0, reject("F1 not ruled out: a hit rate"));
        assert_eq!(talk("n\n\ny\n").0, reject("C1 not met: p95 below 50 ms"));
    }

    #[test]
    fn the_end_of_the_input_is_no_answer() {
        for (typed, id) in [("", "C1"), ("y\n", "F1"), ("y\nn\n", "F1"), ("maybe\n", "C1")] {
            let why = format!("the person left before {id} was answered");
            assert_eq!(talk(typed).0, Outcome::Inconclusive { why, retry: false });
        }
    }

    #[test]
    fn everything_that_decides_is_shown_and_nothing_draws() {
        let (_, screen) = talk("y\ny\n");
        for line in [
            "fast-1  Make it fast [2J",
            "changed since the goal's start:",
            "  t/b.rs       |    2 +- (test)",
            "  src/a [2J.rs |    2 +-",
            "  2 files, 2 lines added, 2 removed; 1 of them is a test or a file of verify",
            "  the contract did not change",
            "  - no change",
            "  - bench/p95.log",
            "check of F1: sh check.sh  exit 1",
            "verify: make  exit 0, 2.1 s",
            "  11:   ok  ]0;x",
            "  12: last",
            "C1  p95 below 50 ms",
        ] {
            assert!(screen.lines().any(|shown| shown == line), "`{line}` is not in\n{screen}");
        }
        assert!(screen.chars().all(|c| c == '\n' || !c.is_control()));
    }

    #[test]
    fn without_a_terminal_nobody_is_asked() {
        let mut screen = Vec::new();
        let mut terminal =
            Terminal { answers: &mut &b"y\ny\n"[..], screen: &mut screen, is_terminal: false, columns: None };
        let error = ask(&case(), &mut terminal).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (Kind::Unknown, "judge `human` needs a terminal"));
        assert!(screen.is_empty());
    }
}
