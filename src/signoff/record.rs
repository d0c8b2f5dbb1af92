//! The record of a check: log lines exactly as `CLI.md` defines them, and the attestation (`SIGNOFF.md` §7, §8).

use serde::Serialize;
use serde_json::Value;

use super::mask::mask;
use crate::gate::GateFinding;
use crate::plan::log::{GoalEvent, Rejecter, SignOff};
use crate::plan::text;
use crate::verify::stage1;

/// The maximum length of the reason in a log line, in characters (`SIGNOFF.md` §1).
const REASON: usize = 200;

/// The maximum number of bytes of an attestation: a tail of 4 KiB, answers, findings. `plan` writes no larger one.
pub const LARGEST: u64 = 1 << 20;

/// The wording of log lines about one goal.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'l> {
    /// The goal's id.
    pub id: &'l str,
}

impl Lines<'_> {
    /// `<id> signed off (…)`
    pub fn signed_off(&self, line: SignOff<'_>) -> String {
        GoalEvent::SignedOff(line).of(self.id).to_string()
    }

    /// `<id> rejected (verify exit 1): <last line>`
    pub fn verify(&self, report: &stage1::Report) -> String {
        self.rejected(Rejecter::Verify(&report.reason()), &report.last_line())
    }

    /// `<id> rejected (gate <code>): <what>`
    pub fn gate(&self, finding: &GateFinding) -> String {
        self.rejected(Rejecter::Gate(finding.code), &finding.seen)
    }

    /// `<id> rejected (oracle <judge>): missing: a; b`
    pub fn oracle(&self, judge: &str, missing: &[String]) -> String {
        self.rejected(Rejecter::Oracle(judge), &format!("missing: {}", missing.join("; ")))
    }

    /// `<id> inconclusive (oracle <judge>): <why>`
    pub fn inconclusive(&self, judge: &str, why: &str) -> String {
        GoalEvent::Inconclusive { judge, why: &reason(why) }.of(self.id).to_string()
    }

    fn rejected(&self, by: Rejecter<'_>, why: &str) -> String {
        GoalEvent::Rejected { by, why: &reason(why) }.of(self.id).to_string()
    }
}

/// Returns stage 1 as the line of a sign-off shows it; `None` if the goal has no verify.
pub fn green(report: Option<&stage1::Report>) -> String {
    report.map_or_else(|| "none".to_owned(), |report| format!("green {:.1}s", report.seconds))
}

/// Returns a text as one line of at most 200 characters, with secrets masked.
fn reason(text: &str) -> String {
    let line = text::one_line(&mask(text));
    match line.char_indices().nth(REASON) {
        Some(_) => line.chars().take(REASON - 1).collect::<String>() + "…",
        None => line,
    }
}

/// A judge's entry in the record.
#[derive(Clone, Debug, Serialize)]
pub struct JudgeRecord {
    /// Its name in the log.
    pub judge: String,
    /// The whole REF of a program, masked.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The model that answered, if it is known.
    pub model: Option<String>,
    /// The one who named the judge: `user` or `caller`.
    pub named_by: &'static str,
    /// SHA-256 of the prompt's text before it was filled; `None` for a judge without a prompt.
    pub prompt: Option<String>,
    /// SHA-256 of the judge's program, if it is a file.
    pub program: Option<String>,
    /// The operating system's sandbox around it.
    pub sandbox: String,
    /// Names of variables that were set and may have led it to another model than its vendor's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redirected: Vec<&'static str>,
    /// Its answers with their citations, each with the id of its question.
    pub answers: Vec<(String, String)>,
    /// Its remarks.
    pub notes: Vec<String>,
}

/// The blob under `refs/plan/signoffs/<id>/<contract>-<tree>`. A record, not a proof.
#[derive(Clone, Debug, Serialize)]
pub struct Attestation<'a> {
    /// The version of this schema.
    pub version: u32,
    /// The goal's id.
    pub goal: &'a str,
    /// The plan file, relative to the top of the work tree.
    pub plan_file: String,
    /// The goal contract in canonical form.
    pub contract: Value,
    /// The whole digest of the contract.
    pub contract_digest: String,
    /// The whole id of the tree; `None` without a repository.
    pub tree: Option<String>,
    /// HEAD as in the log line.
    pub at: &'a str,
    /// Stage 1, its tail masked.
    pub verify: Option<Value>,
    /// Findings and leads.
    pub findings: &'a [GateFinding],
    /// Rows of the gate that were not reached.
    pub not_reached: &'a [String],
    /// The claim, and the evidence files with their digests.
    pub evidence: Value,
    /// The judges.
    pub judges: &'a [JudgeRecord],
    /// The system's clock, RFC 3339.
    pub time: String,
    /// The version of `plan`.
    pub plan_version: &'static str,
}

impl Attestation<'_> {
    /// Returns its bytes. Secrets are masked in all text that somebody wrote or printed. They are not masked in the contract,
    /// which its digest covers and plan.md shows anyway, nor in text that the log line contains too.
    pub fn bytes(&self) -> Vec<u8> {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        ["verify", "findings", "evidence"].iter().for_each(|key| masked(&mut value[*key]));
        for judge in value["judges"].as_array_mut().into_iter().flatten() {
            ["answers", "notes"].iter().for_each(|key| masked(&mut judge[*key]));
        }
        serde_json::to_vec_pretty(&value).unwrap_or_default()
    }
}

fn masked(value: &mut Value) {
    match value {
        Value::String(text) => *text = mask(text),
        Value::Array(values) => values.iter_mut().for_each(masked),
        Value::Object(values) => values.values_mut().for_each(masked),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns a verify report as the record keeps it.
pub fn kept(report: &stage1::Report) -> Value {
    let mut value = serde_json::to_value(report).unwrap_or_default();
    if let Some(report) = value.as_object_mut() {
        // The paths are of one machine, and the files there are soon overwritten.
        report.remove("logs");
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::log::LogLine;
    use crate::plan::rules::is_plan_line;
    use crate::process::run::Tail;
    use crate::verify::stage1::{Ended, Report};

    const LINES: Lines<'static> = Lines { id: "a-1" };

    fn ran(ended: Ended, printed: &str) -> Report {
        Report { ended, seconds: 2.06, tail: Tail::of(printed.as_bytes()), ..Report::of("make test") }
    }

    // P-38; CLI.md, "Log lines that plan writes"
    #[test]
    fn a_sign_off_names_what_was_checked() {
        let verify = green(Some(&ran(Ended::Green, "ok\n")));
        let facts = SignOff {
            verify: &verify,
            gate: "fast",
            judges: "claude:opus, cmd:yes.py (named by caller)",
            contract: "0123456789ab",
            tree: "ba9876543210",
            at: "89abcdef0123+",
        };
        let line = LINES.signed_off(facts);
        assert_eq!(
            line,
            "a-1 signed off (verify green 2.1s, gate fast, oracle accept by claude:opus, cmd:yes.py (named by caller), \
             contract 0123456789ab, tree ba9876543210, at 89abcdef0123+)"
        );
        assert_eq!(SignOff::read(&line), Some(("a-1", facts)));
        let bare = LINES.signed_off(SignOff { verify: &green(None), tree: "none", at: "none", ..facts });
        assert!(bare.starts_with("a-1 signed off (verify none, gate fast, oracle "), "{bare}");
        assert!(bare.ends_with(", contract 0123456789ab, tree none, at none)"), "{bare}");
        assert_eq!(SignOff::read(&bare).map(|(_, line)| line.contract), Some("0123456789ab"));
    }

    // CLI.md, "Log lines that plan writes"
    #[test]
    fn other_ends_are_exact_and_are_read_as_what_they_say() {
        let why = "`pytest` is not on PATH".to_owned();
        let found = GateFinding::block("tree-moved", "files that stay", "verify changed `a.rs`", "stop it");
        let missing = ["an eviction count".to_owned(), "b".to_owned()];
        for (line, expected, is_rejected) in [
            (
                LINES.verify(&ran(Ended::Exit { code: 1 }, "one\n2 failed\n\n")),
                "a-1 rejected (verify exit 1): 2 failed",
                true,
            ),
            (
                LINES.verify(&ran(Ended::TimedOut { seconds: 600 }, "")),
                "a-1 rejected (verify killed after 600 s): no output",
                true,
            ),
            (
                LINES.verify(&ran(Ended::Unstartable { why }, "")),
                "a-1 rejected (verify unstartable): `pytest` is not on PATH",
                true,
            ),
            (LINES.gate(&found), "a-1 rejected (gate tree-moved): verify changed `a.rs`", true),
            (LINES.oracle("codex", &missing), "a-1 rejected (oracle codex): missing: an eviction count; b", true),
            (LINES.inconclusive("codex", "no verdict"), "a-1 inconclusive (oracle codex): no verdict", false),
        ] {
            assert_eq!(line, expected);
            let (id, event) = LogLine::parse(&line).and_then(LogLine::goal).unwrap();
            assert_eq!((id, matches!(event, GoalEvent::Rejected { .. })), ("a-1", is_rejected), "{line}");
            assert_eq!(matches!(event, GoalEvent::Inconclusive { .. }), !is_rejected, "{line}");
            assert!(is_plan_line(&line), "{line}");
        }
    }

    // SIGNOFF.md §8
    #[test]
    fn a_record_holds_no_secret_and_no_path_of_the_log() {
        let report = Report {
            argv: vec!["/usr/bin/env".to_owned(), "API_TOKEN=hunter2".to_owned()],
            logs: vec!["/repo/.git/plan/runs/a-1.1.log".into()],
            ..ran(Ended::Exit { code: 1 }, "password=hunter2\nnot ok\n")
        };
        let judged = JudgeRecord {
            judge: "cmd:token=x".to_owned(),
            model: None,
            named_by: "caller",
            prompt: None,
            program: None,
            sandbox: "none".to_owned(),
            redirected: Vec::new(),
            reference: None,
            answers: vec![("C1".to_owned(), "met: a:1 \"secret: hunter2\"".to_owned())],
            notes: vec!["`Authorization: Bearer hunter2` is in the log".to_owned()],
        };
        let attestation = Attestation {
            version: 1,
            goal: "a-1",
            plan_file: "plan.md".to_owned(),
            contract: serde_json::json!([["id", "a-1"], ["verify", "env API_TOKEN=x sh t.sh"]]),
            contract_digest: String::new(),
            tree: None,
            at: "none",
            verify: Some(kept(&report)),
            findings: &[GateFinding::lead("stale", "fresh", "TOKEN=hunter2", "x")],
            not_reached: &[],
            evidence: serde_json::json!({ "claim": "API_TOKEN=hunter2", "files": [] }),
            judges: &[judged],
            time: String::new(),
            plan_version: "",
        };
        let record: Value = serde_json::from_slice(&attestation.bytes()).unwrap();
        assert!(!record.to_string().contains("hunter2"), "{record:#}");
        assert_eq!(record["verify"]["tail"], "password=[masked]\nnot ok\n");
        assert_eq!(record["verify"]["argv"][1], "API_TOKEN=[masked]");
        assert_eq!((&record["goal"], &record["verify"]["code"]), (&"a-1".into(), &1.into()));
        assert!(record["verify"].get("logs").is_none(), "{record:#}");
        assert_eq!(record["contract"][1][1], "env API_TOKEN=x sh t.sh", "its digest holds it");
        assert_eq!(record["judges"][0]["judge"], "cmd:token=x", "the line says so too");
    }

    #[test]
    fn a_reason_is_one_line_of_at_most_200_characters() {
        let line = LINES.inconclusive("claude", &format!("é\n{}", "x".repeat(300)));
        assert_eq!(line.chars().count(), "a-1 inconclusive (oracle claude): ".len() + 200);
        assert!(line.ends_with('…') && !line.contains('\n'));
    }

    #[test]
    fn secrets_do_not_reach_the_log() {
        let line = LINES.oracle("claude", &["TOKEN=abc is in the log".to_owned()]);
        assert_eq!(line, "a-1 rejected (oracle claude): missing: TOKEN=[masked] is in the log");
    }
}
