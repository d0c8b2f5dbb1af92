//! An attestation as it is read back: JSON that anybody who can push can have written.

use serde_json::Value;

use crate::audit::records::{Cited, JudgeVerdict, RecordedAnswer, Verdict};
use crate::plan::contract::GoalContract;
use crate::signoff::citation::{Citation, read::citations};

/// What an attestation says.
#[derive(Clone, Debug)]
pub(super) struct Attestation {
    pub(super) goal: String,
    pub(super) plan_file: String,
    pub(super) contract: GoalContract,
    pub(super) contract_digest: String,
    pub(super) tree: Option<String>,
    pub(super) at: String,
    /// How stage 1 ended and how long it took; none where there was none.
    pub(super) verify: Option<(String, f64)>,
    /// Codes of findings that block, and of leads.
    pub(super) blocks: Vec<String>,
    pub(super) leads: Vec<String>,
    /// Rows of the gate that its budget left out.
    pub(super) not_reached: Vec<String>,
    pub(super) judges: Vec<Judge>,
    pub(super) plan_version: String,
    /// What was claimed, and the evidence files.
    claim: Option<String>,
    evidence: Vec<String>,
}

/// A judge as an attestation has it.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    pub(super) judge: String,
    /// Its whole REF, of a program.
    pub(super) reference: Option<String>,
    pub(super) by_caller: bool,
    /// Digest of its program.
    pub(super) program: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) sandbox: String,
    /// Variables that can have led it to another model than its vendor's.
    pub(super) redirected: Vec<String>,
    model: Option<String>,
    /// Its answers, an id each.
    answers: Vec<(String, String)>,
    notes: Vec<String>,
}

impl Attestation {
    /// Reads one; the error says what is wrong with it.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(bytes).map_err(|_| "it is no JSON document".to_owned())?;
        if value["version"] != 1 {
            return Err(format!("it is of schema {}, and this version reads 1", value["version"]));
        }
        let contract = GoalContract::read(&value["contract"].to_string()).ok_or("its contract is none")?;
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
            tree: value["tree"].as_str().map(str::to_owned),
            at: text(&value["at"]),
            verify: verify.map(|verify| (text(&verify["end"]), verify["seconds"].as_f64().unwrap_or(f64::NAN))),
            blocks: of("block"),
            leads: of("lead"),
            not_reached: list(&value["not_reached"]).iter().map(text).collect(),
            judges: list(&value["judges"]).iter().map(Judge::read).collect(),
            plan_version: text(&value["plan_version"]),
            claim: value["evidence"]["claim"].as_str().filter(|claim| !claim.is_empty()).map(str::to_owned),
            evidence: list(&value["evidence"]["files"]).iter().map(|file| text(&file["path"])).collect(),
        })
    }

    /// What a reader is shown of it.
    pub(super) fn into_verdict(self) -> Verdict {
        let judges = self.judges.into_iter().map(Judge::into_verdict).collect();
        Verdict { claim: self.claim, evidence: self.evidence, leads: self.leads, judges }
    }
}

impl Judge {
    fn read(value: &Value) -> Self {
        Judge {
            judge: text(&value["judge"]),
            reference: value["ref"].as_str().map(str::to_owned),
            by_caller: value["named_by"] == "caller",
            program: value["program"].as_str().map(str::to_owned),
            prompt: value["prompt"].as_str().map(str::to_owned),
            sandbox: text(&value["sandbox"]),
            redirected: list(&value["redirected"]).iter().map(text).collect(),
            model: value["model"].as_str().map(str::to_owned),
            answers: list(&value["answers"]).iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect(),
            notes: list(&value["notes"]).iter().map(text).collect(),
        }
    }

    fn into_verdict(self) -> JudgeVerdict {
        let answer = |(id, text): (String, String)| RecordedAnswer { id, citations: cited(text) };
        JudgeVerdict {
            judge: self.judge,
            model: self.model,
            sandbox: self.sandbox,
            answers: self.answers.into_iter().map(answer).collect(),
            notes: self.notes,
        }
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

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
