use super::{complete, verify};
use crate::gate::GateFinding;
use crate::plan::model::Key;
use crate::plan::view::{Row, Screen};
use crate::process::run::Tail;
use crate::signoff::check::{CheckReport, Opinion, Outcome, VerifyReport};
use crate::signoff::record::JudgeRecord;
use crate::verify::stage1::{self, Ended};

fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    rows.iter().for_each(|row| row.put(Screen::default(), &mut text));
    text
}

fn ran(ended: Ended, printed: &str) -> stage1::Report {
    stage1::Report { ended, seconds: 2.06, tail: Tail::of(printed.as_bytes()), ..stage1::Report::of("make test") }
}

fn report(outcome: Outcome, reason: &str) -> CheckReport {
    CheckReport {
        goal: "a-1".to_owned(),
        subject: "Fast".to_owned(),
        outcome,
        reason: reason.to_owned(),
        verify: Some(ran(Ended::Green, "ok\n")),
        gate: "fast".to_owned(),
        contract: "0123456789ab".to_owned(),
        tree: "ba9876543210".to_owned(),
        at: "89abcdef0123+".to_owned(),
        ..CheckReport::default()
    }
}

fn opinion(outcome: &'static str, missing: &[&str]) -> Opinion {
    Opinion {
        outcome,
        missing: missing.iter().map(|&one| one.to_owned()).collect(),
        judged: JudgeRecord {
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

fn lead() -> GateFinding {
    GateFinding::lead("no-change", "other files", "nothing was changed", "do the work")
}

// P-47
#[test]
fn accepted() {
    let report = CheckReport {
        findings: vec![lead()],
        judges: vec![opinion("accept", &[])],
        attestation: Some("refs/plan/signoffs/a-1/x".to_owned()),
        ..report(Outcome::Accepted, "")
    };
    assert_eq!(
        text(&complete(&report, "plan complete a-1")),
        "\
✓ Fast  a-1
  signed off
  verify   green after 2.1 s: make test
  lead     no-change: nothing was changed
           to resolve: do the work
  judge    claude:opus: accept (sandbox own, opus-5)
           C1  bench/p95.log:3 \"p95 47 ms\"
           note: the log is small
"
    );
}

// P-45
#[test]
fn rejected_by_verify_shows_the_tail() {
    let failed = ran(Ended::Exit { code: 1 }, "one\n2 failed\n");
    let report = CheckReport { verify: Some(failed), ..report(Outcome::Rejected, "verify exit 1") };
    assert_eq!(
        text(&complete(&report, "plan complete a-1")),
        "\
✗ Fast  a-1
  rejected: verify exit 1
  verify   exit 1 after 2.1 s: make test
    | one
    | 2 failed

When it is fixed:
  plan complete a-1
"
    );
}

#[test]
fn rejected_by_the_gate_says_what_would_resolve_it() {
    let found = GateFinding::block("tree-moved", "files that stay", "verify changed `a.rs`", "stop it").at("a.rs");
    let report = CheckReport { findings: vec![found], ..report(Outcome::Rejected, "gate tree-moved: …") };
    let text = text(&complete(&report, "plan complete a-1"));
    assert!(
        text.ends_with(
            "  block    tree-moved: a.rs: verify changed `a.rs`\n           expected files that stay\n           to resolve: stop it\n\n\
             When it is fixed:\n  plan complete a-1\n"
        ),
        "{text}"
    );
}

// P-48
#[test]
fn rejected_by_a_judge_lists_what_is_missing() {
    let report = CheckReport {
        missing: vec!["an eviction count".to_owned()],
        repeated: true,
        person_needed: true,
        ..report(Outcome::Rejected, "oracle claude:opus")
    };
    assert_eq!(
        text(&complete(&report, "plan complete a-1")),
        "\
✗ Fast  a-1
  rejected: judge claude:opus
  verify   green after 2.1 s: make test
  judge    not asked: it rejected the same contract, files and evidence before
missing: an eviction count
The same work was rejected three times: a person is needed.

When it is fixed:
  plan complete a-1
"
    );
}

// A lead is printed once, with its remedy; a note needs none.
#[test]
fn each_finding_is_said_once_with_what_resolves_it() {
    let lead = GateFinding::lead("tests-deleted", "the tests", "a test is gone", "put it back").at("a.py");
    let findings = vec![lead.clone(), GateFinding::not_applicable("canary-survived", "no literal")];
    let missing = vec![format!("open lead: {}", lead.brief())];
    let report = CheckReport { findings, missing, ..report(Outcome::Rejected, "oracle checks") };
    assert_eq!(
        text(&complete(&report, "plan complete a-1")),
        "\
✗ Fast  a-1
  rejected: judge checks
  verify   green after 2.1 s: make test
  lead     tests-deleted: a.py: a test is gone
           to resolve: put it back
  note     not-applicable: canary-survived: no literal
missing: open lead: tests-deleted: a.py

When it is fixed:
  plan complete a-1
"
    );
}

// P-50
#[test]
fn inconclusive_says_that_nothing_changed() {
    let report = report(Outcome::Inconclusive, "oracle claude:opus: no verdict");
    let text = text(&complete(&report, "plan complete a-1"));
    assert!(
        text.starts_with("? Fast  a-1\n  inconclusive: judge claude:opus: no verdict; the goal stays as it was\n"),
        "{text}"
    );
}

#[test]
fn verify_alone() {
    let verified = |passed, verify, lacking| {
        let check = CheckReport { verify, lacking, findings: Vec::new(), ..report(Outcome::Rejected, "") };
        VerifyReport { check, passed, is_finished: false }
    };
    let shown = |verified: &VerifyReport| text(&verify(verified, "plan verify a-1"));
    assert_eq!(
        shown(&verified(true, Some(ran(Ended::Green, "ok\n")), Vec::new())),
        "✓ Fast  a-1\n  all checks pass; no judge was asked\n  verify   green after 2.1 s: make test\n\nNext:\n  plan complete a-1\n"
    );
    assert_eq!(
        shown(&verified(false, None, vec![Key::Verify])),
        "? Fast  a-1\n  not verified: it has no `verify`\n  missing  the goal has no `verify`\n\nTo fix it, fill in the command of your test:\n  plan goal set a-1 --verify COMMAND\n"
    );
    let why = "`pytest` is not on PATH".to_owned();
    assert_eq!(
        shown(&verified(false, Some(ran(Ended::Unstartable { why }, "")), Vec::new())),
        "✗ Fast  a-1\n  would be rejected\n  verify   unstartable: make test\n    | `pytest` is not on PATH\n\n\
         When it is fixed:\n  plan verify a-1\n"
    );
}

// P-45: the report says that a goal has no `verify` before it shows any finding.
#[test]
fn a_goal_that_lacks_fields_is_told_the_command_that_adds_them() {
    let blocked = CheckReport {
        verify: None,
        lacking: vec![Key::DoneWhen, Key::Verify],
        findings: vec![GateFinding::block("no-change", "other files", "nothing has changed", "do the work")],
        ..report(Outcome::Rejected, "gate no-change: nothing has changed")
    };
    let command = "plan goal set a-1 --done-when \"what must be true\" --verify COMMAND";
    let all = text(&complete(&blocked, "plan complete a-1"));
    assert!(all.find("the goal has no `done_when` and no `verify`") < all.find("no-change: nothing"), "{all}");
    assert!(
        all.ends_with(&format!("\nTo fix it, fill in what must be true and the command of your test:\n  {command}\n")),
        "{all}"
    );
    let mut opinion = opinion("reject", &[]);
    opinion.judged.judge = "checks".to_owned();
    let missing = vec!["a failure mode: `plan goal set a-1 --failure-mode x`".to_owned()];
    assert_eq!(last(&CheckReport { missing, judges: vec![opinion], findings: Vec::new(), ..blocked }), command);
}

fn last(report: &CheckReport) -> String {
    text(&complete(report, "plan complete a-1")).lines().last().unwrap_or_default().trim().to_owned()
}

// P-45
#[test]
fn a_refusal_ends_with_the_command_that_mends_it() {
    let blocked = |resolve: &str| {
        let findings = vec![GateFinding::block("contract-changed", "x", "y", resolve)];
        last(&CheckReport { findings, ..report(Outcome::Rejected, "gate contract-changed: y") })
    };
    assert_eq!(
        blocked("`plan goal set a-1 --because \"why\"` says why; or put it back"),
        "plan goal set a-1 --because \"why\""
    );
    // A command that applies only under a condition is not the one to paste.
    assert_eq!(
        blocked("put it back; if the goal asks for it: `plan goal set a-1 --may-change x`"),
        "plan complete a-1"
    );
    assert_eq!(blocked("`bench.log` is to be in git"), "plan complete a-1");
    let misses = |judge: &str, missing: &str| {
        let mut opinion = opinion("reject", &[missing]);
        opinion.judged.judge = judge.to_owned();
        let missing = vec![missing.to_owned()];
        last(&CheckReport { missing, judges: vec![opinion], ..report(Outcome::Rejected, "oracle x") })
    };
    assert_eq!(
        misses("checks", "never red: `plan complete a-1 --gate full` tries it"),
        "plan complete a-1 --gate full"
    );
    // The options that the caller gave are given again.
    let report_with = CheckReport {
        findings: vec![GateFinding::block("x", "y", "z", "`plan complete a-1 --gate full`")],
        ..report(Outcome::Rejected, "gate x")
    };
    let again = "plan complete a-1 --judge checks --gate fast";
    assert!(text(&complete(&report_with, again)).ends_with("\n  plan complete a-1 --judge checks --gate full\n"));
    assert_eq!(misses("claude", "run `plan goal set a-1 --verify true`"), "plan complete a-1");
    assert_eq!(last(&report(Outcome::Inconclusive, "oracle claude: no verdict")), "plan complete a-1");
}
