//! Reads attestations: JSON that anyone with push access can have written.

use serde::Serialize;
use serde_json::Value;

use crate::plan::contract::GoalContract;
use crate::signoff::citation::{Citation, read::citations};

#[derive(Clone, Debug)]
pub(super) struct Attestation {
    pub(super) goal: String,
    pub(super) plan_file: String,
    pub(super) contract: GoalContract,
    pub(super) contract_digest: String,
    pub(super) tree: Option<String>,
    pub(super) at: String,
    /// How stage 1 ended, and its seconds; `None` without a verify.
    pub(super) verify: Option<(String, f64)>,
    /// Codes of findings that block.
    pub(super) blocks: Vec<String>,
    /// Rows of the gate that were not reached within its budget.
    pub(super) not_reached: Vec<String>,
    /// The judges, in the same order as in `verdict`.
    pub(super) judges: Vec<Judge>,
    pub(super) plan_version: String,
    /// The part that is shown to a reader.
    pub(super) verdict: Verdict,
}

/// The facts about a judge in an attestation, apart from its verdict.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    /// The judge's name in the log.
    pub(super) judge: String,
    /// The full REF, if the judge is a program.
    pub(super) reference: Option<String>,
    pub(super) by_caller: bool,
    pub(super) program: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) sandbox: String,
    /// Environment variables that may have redirected the judge to a model that is not its vendor's.
    pub(super) redirected: Vec<String>,
}

/// The part of a sign-off's record that is not in its log line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// The claim.
    pub claim: Option<String>,
    /// Files that were given as evidence.
    pub evidence: Vec<String>,
    /// Codes of leads.
    pub leads: Vec<String>,
    /// The judges, in the order of the log line.
    pub judges: Vec<JudgeVerdict>,
}

/// A judge that accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeVerdict {
    /// The judge's name in the log.
    pub judge: String,
    /// The model that answered, if known.
    pub model: Option<String>,
    /// The sandbox around it.
    pub sandbox: String,
    /// The judge's answers, in its own order.
    pub answers: Vec<RecordedAnswer>,
    /// The judge's notes.
    pub notes: Vec<String>,
}

/// A judge's answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedAnswer {
    /// The id of the question: `C1`, `F2`.
    pub id: String,
    /// The citations of the answer.
    pub citations: Vec<Cited>,
}

/// A place that a judge cites.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cited {
    /// `src/a.rs:3`, `verify:12`, `absent src/**`, `gone old.rs`, `check 1`; empty if the answer has no readable citation.
    pub place: String,
    /// The quoted words; the whole answer if it has no readable citation.
    pub quote: String,
}

impl Attestation {
    /// Reads an attestation; the error says what is wrong with it.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(bytes).map_err(|_| "it is not JSON".to_owned())?;
        if value["version"] != 1 {
            return Err(format!("it is of schema {}, and this version reads 1", value["version"]));
        }
        let contract = GoalContract::read(&value["contract"].to_string()).ok_or("its contract cannot be read")?;
        let findings = list(&value["findings"]);
        let of = |level: &str| {
            let of_level = findings.iter().filter(|finding| finding["level"] == level);
            of_level.map(|finding| text(&finding["code"])).collect()
        };
        let verify = Some(&value["verify"]).filter(|verify| !verify.is_null());
        Ok(Attestation {
            goal: text(&value["goal"]),
            plan_file: text(&value["plan_file"]),
            contract,
            contract_digest: text(&value["contract_digest"]),
            tree: optional(&value["tree"]),
            at: text(&value["at"]),
            verify: verify.map(|verify| (text(&verify["end"]), verify["seconds"].as_f64().unwrap_or(f64::NAN))),
            blocks: of("block"),
            not_reached: texts(&value["not_reached"]),
            judges: list(&value["judges"]).iter().map(judge).collect(),
            plan_version: text(&value["plan_version"]),
            verdict: Verdict {
                claim: optional(&value["evidence"]["claim"]).filter(|claim| !claim.is_empty()),
                evidence: list(&value["evidence"]["files"]).iter().map(|file| text(&file["path"])).collect(),
                leads: of("lead"),
                judges: list(&value["judges"]).iter().map(verdict).collect(),
            },
        })
    }
}

fn judge(value: &Value) -> Judge {
    Judge {
        judge: text(&value["judge"]),
        reference: optional(&value["ref"]),
        by_caller: value["named_by"] == "caller",
        program: optional(&value["program"]),
        prompt: optional(&value["prompt"]),
        sandbox: text(&value["sandbox"]),
        redirected: texts(&value["redirected"]),
    }
}

fn verdict(value: &Value) -> JudgeVerdict {
    let answer = |pair: &Value| RecordedAnswer { id: text(&pair[0]), citations: cited(text(&pair[1])) };
    JudgeVerdict {
        judge: text(&value["judge"]),
        model: optional(&value["model"]),
        sandbox: text(&value["sandbox"]),
        answers: list(&value["answers"]).iter().map(answer).collect(),
        notes: texts(&value["notes"]),
    }
}

fn cited(text: String) -> Vec<Cited> {
    let Ok(citations) = citations(&text) else { return vec![Cited { place: String::new(), quote: text }] };
    let cited = |citation| match citation {
        Citation::File { path, line, quote } => Cited { place: format!("{path}:{line}"), quote },
        Citation::Verify { line, quote } => Cited { place: format!("verify:{line}"), quote },
        Citation::Absent { glob, text } => Cited { place: format!("absent {glob}"), quote: text },
        Citation::Gone { path } => Cited { place: format!("gone {path}"), quote: String::new() },
        Citation::Check { number } => Cited { place: format!("check {number}"), quote: String::new() },
    };
    citations.into_iter().map(cited).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn optional(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    list(value).iter().map(text).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
