use super::{sheet, verify};
use crate::process::run::Tail;
use crate::signoff::check::{Opinion, Outcome, Report, Verified};
use crate::signoff::gate::Finding;
use crate::signoff::gate::full::Spent;
use crate::signoff::record::Judged;
use crate::signoff::stage1::{self, Ended};

fn ran(ended: Ended, printed: &str) -> stage1::Report {
    stage1::Report { ended, seconds: 2.06, tail: Tail::of(printed.as_bytes()), ..stage1::Report::of("make test") }
}

fn report(outcome: Outcome, reason: &str) -> Report {
    Report {
        goal: "a-1".to_owned(),
        subject: "Fast".to_owned(),
        outcome,
        reason: reason.to_owned(),
        missing: Vec::new(),
        verify: Some(ran(Ended::Green, "ok\n")),
        checks: Vec::new(),
        gate: "fast".to_owned(),
        gate_spent: Spent::default(),
        not_reached: Vec::new(),
        rows: Vec::new(),
        findings: Vec::new(),
        judges: Vec::new(),
        contract: "0123456789ab".to_owned(),
        tree: "ba9876543210".to_owned(),
        at: "89abcdef0123+".to_owned(),
        log: None,
        attestation: None,
        repeated: false,
        person_needed: false,
    }
}

fn opinion(outcome: &'static str, missing: &[&str]) -> Opinion {
    Opinion {
        outcome,
        missing: missing.iter().map(|&one| one.to_owned()).collect(),
        judged: Judged {
            judge: "claude:opus".to_owned(),
            reference: None,
            model: Some("opus-5".to_owned()),
            named_by: "user",
            prompt: Some("f".repeat(64)),
            program: None,
            sandbox: "own".to_owned(),
            redirected: Vec::new(),
            answers: vec![("C1".to_owned(), "bench/p95.log:3 \"p95 47 ms\"".to_owned())],
            notes: vec!["the log is small".to_owned()],
        },
        seconds: 1.0,
        callers: None,
    }
}

fn lead() -> Finding {
    Finding::lead("no-change", "other files", "nothing was changed", "do the work")
}

// P-47
#[test]
fn accepted() {
    let report = Report {
        findings: vec![lead()],
        judges: vec![opinion("accept", &[])],
        attestation: Some("refs/plan/signoffs/a-1/x".to_owned()),
        ..report(Outcome::Accepted, "")
    };
    assert_eq!(
        sheet(&report),
        "\
✓ a-1 signed off: Fast
  verify   green after 2.1 s: make test
  lead     no-change: nothing was changed
           to resolve: do the work
  judge    claude:opus: accept (sandbox own, opus-5)
    C1  bench/p95.log:3 \"p95 47 ms\"
    note: the log is small
  record   contract 0123456789ab, tree ba9876543210, at 89abcdef0123+
           refs/plan/signoffs/a-1/x
"
    );
}

// P-45
#[test]
fn rejected_by_verify_shows_the_tail() {
    let failed = ran(Ended::Exit { code: 1 }, "one\n2 failed\n");
    let report = Report { verify: Some(failed), ..report(Outcome::Rejected, "verify exit 1") };
    assert_eq!(
        sheet(&report),
        "\
✗ a-1 rejected: verify exit 1
  verify   exit 1 after 2.1 s: make test
    | one
    | 2 failed
"
    );
}

#[test]
fn rejected_by_the_gate_says_what_would_resolve_it() {
    let found = Finding::block("tree-moved", "files that stay", "verify changed `a.rs`", "stop it").at("a.rs");
    let report = Report { findings: vec![found], ..report(Outcome::Rejected, "gate tree-moved: …") };
    let text = sheet(&report);
    assert!(
        text.ends_with(
            "  gate     tree-moved: a.rs: verify changed `a.rs`\n           expected files that stay; to resolve: stop it\n"
        ),
        "{text}"
    );
}

// P-48
#[test]
fn rejected_by_a_judge_lists_what_is_missing() {
    let report = Report {
        missing: vec!["an eviction count".to_owned()],
        repeated: true,
        person_needed: true,
        ..report(Outcome::Rejected, "oracle claude:opus")
    };
    assert_eq!(
        sheet(&report),
        "\
✗ a-1 rejected: oracle claude:opus
  verify   green after 2.1 s: make test
  judge    not asked: it rejected this very contract, tree and evidence before
missing: an eviction count
The same work was rejected three times: a person is needed.
"
    );
}

// A lead is printed once, with what resolves it; what speaks against nobody needs nothing.
#[test]
fn each_finding_is_said_once_with_what_resolves_it() {
    let lead = Finding::lead("tests-deleted", "the tests", "a test is gone", "put it back").at("a.py");
    let findings = vec![lead.clone(), Finding::not_applicable("canary-survived", "no literal")];
    let missing = vec![format!("open lead: {}", lead.brief())];
    let report = Report { findings, missing, ..report(Outcome::Rejected, "oracle checks") };
    assert_eq!(
        sheet(&report),
        "\
✗ a-1 rejected: oracle checks
  verify   green after 2.1 s: make test
  lead     tests-deleted: a.py: a test is gone
           to resolve: put it back
  note     not-applicable: canary-survived: no literal
missing: open lead: tests-deleted: a.py
"
    );
}

// P-50
#[test]
fn inconclusive_says_that_nothing_changed() {
    let text = sheet(&report(Outcome::Inconclusive, "oracle claude:opus: no verdict"));
    assert!(
        text.starts_with("? a-1 inconclusive: oracle claude:opus: no verdict\n  The goal stays as it was.\n"),
        "{text}"
    );
}

#[test]
fn verify_alone() {
    let verified = |passed, report, findings| Verified {
        goal: "a-1".to_owned(),
        passed,
        verify: report,
        checks: Vec::new(),
        gate: "fast".to_owned(),
        gate_spent: Spent::default(),
        findings,
        rows: Vec::new(),
    };
    assert_eq!(
        verify(&verified(true, Some(ran(Ended::Green, "ok\n")), Vec::new())),
        "✓ a-1: all checks pass; no judge was asked\n  verify   green after 2.1 s: make test\n"
    );
    assert_eq!(
        verify(&verified(false, None, Vec::new())),
        "? a-1: not verified, it has no `verify`; `plan goal set a-1 --verify 'COMMAND'` gives it one\n"
    );
    let why = "`pytest` is not on PATH".to_owned();
    assert_eq!(
        verify(&verified(false, Some(ran(Ended::Unstartable { why }, "")), Vec::new())),
        "✗ a-1\n  verify   unstartable after 2.1 s: make test\n    | `pytest` is not on PATH\n"
    );
}
