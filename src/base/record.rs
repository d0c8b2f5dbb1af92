//! The state at a goal's start, as a JSON blob under `refs/plan/starts/<id>/<contract>-<tree>-<told>`: written once, never
//! moved. Anyone who can run git can write it too: it is a record, not a proof.
//!
//! A start can be thrown away with its log line (`git checkout plan.md`, another branch) and made again with the same contract, on the
//! same files, but on another commit or with another result of verify. So its record has a name of its own: `<told>` is a digest of both.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Runner;
use crate::error::Result;
use crate::lang::closing_lines::TestTally;
use crate::lang::failed_assertions::FailedAssertion;
use crate::plan::contract::{Digest, GoalContract};
use crate::plan::log::StartLine;
use crate::repo::{ObjectId, Repo, Written};

/// The state at a goal's start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartRecord {
    /// The version of the schema.
    pub version: u32,
    /// The goal's id.
    pub goal: String,
    /// The whole contract, in its canonical form.
    pub contract: serde_json::Value,
    /// The digest of the contract.
    pub contract_digest: String,
    /// The id of the tree.
    pub tree: String,
    /// The commit, as in the log line.
    pub at: String,
    /// The plan's root, relative to the top: verify ran there. `None` in the records of older versions.
    #[serde(default)]
    pub root: Option<PathBuf>,
    /// The verify line; `None` if the goal has none.
    #[serde(default)]
    pub verify: Option<String>,
    /// The result of verify, as in the log line: `red exit 1`, `green`, `unstartable`, `not run`, `none`.
    pub seen: String,
    /// The counts of its tests, from their runner's own closing line.
    #[serde(default)]
    pub tests: Option<TestTally>,
    /// The assertions that failed, as far as the runner names them; `None` if nobody looked.
    #[serde(default)]
    pub failed: Option<Vec<FailedAssertion>>,
    /// The programs and variables that run verify.
    #[serde(default)]
    pub runner: Runner,
    /// The time by the system's clock.
    pub time: String,
    /// The version of `plan` that wrote the record.
    pub plan_version: String,
}

impl StartRecord {
    /// The newest schema, which this version writes.
    pub const VERSION: u32 = 1;
    /// The maximum size of a record, in bytes.
    pub const LARGEST: u64 = 1 << 20;

    /// Returns the ref of the record of a start line.
    pub fn reference(id: &str, start: &StartLine<'_>) -> String {
        let told = Digest::of(format!("{}\n{}", start.at, start.verify).as_bytes()).short();
        format!("{}-{}", stem(id, start), &told[..TOLD])
    }

    /// Returns the record of a start line, of these refs: its own, or the one of older versions; else a record of another start with the
    /// same contract and files, which contradicts the line.
    pub fn named(names: &BTreeMap<String, ObjectId>, id: &str, start: &StartLine<'_>) -> Option<ObjectId> {
        let (own, older) = (StartRecord::reference(id, start), stem(id, start));
        let found = names.get(&own).or_else(|| names.get(&older)).copied();
        found.or_else(|| StartRecord::alike(names, id, start).next())
    }

    /// Returns the records of starts with the same contract and files as this line.
    pub fn alike(
        names: &BTreeMap<String, ObjectId>,
        id: &str,
        start: &StartLine<'_>,
    ) -> impl Iterator<Item = ObjectId> {
        let stem = stem(id, start);
        let first = stem.clone();
        let is_alike = move |name: &str| {
            name.strip_prefix(stem.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        names.range(first..).take_while(move |(name, _)| is_alike(name)).map(|(_, object)| *object)
    }

    /// Returns the contract that the goal was started with; `None` if it does not have the recorded digest.
    pub fn goal_contract(&self) -> Option<GoalContract> {
        let contract = GoalContract::read(&self.contract.to_string())?;
        (contract.digest.to_string() == self.contract_digest).then_some(contract)
    }

    /// Writes the record, unless there is one already. Runs three processes.
    ///
    /// # Errors
    /// [`crate::error::Kind::Unknown`] if git cannot write.
    pub fn write(&self, repo: &Repo, name: &str) -> Result<Written> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        repo.write_record(name, &bytes)
    }

    /// Reads a record as hostile input, whoever made its ref: it must be about this goal, contract and tree.
    pub fn read(bytes: &[u8], id: &str, contract: &str, tree: &str) -> Option<Self> {
        let record: StartRecord =
            (bytes.len() as u64 <= StartRecord::LARGEST).then(|| serde_json::from_slice(bytes).ok())??;
        let about = record.goal == id && record.tree.starts_with(tree);
        let whole = record.goal_contract().is_some_and(|whole| whole.digest.is_short(contract));
        (about && whole && record.version == StartRecord::VERSION).then_some(record)
    }
}

/// How many digits a name has of the digest of commit and result of verify.
const TOLD: usize = 8;

/// The beginning that the refs of all starts with a contract and tree share. It is the whole name in older versions.
fn stem(id: &str, start: &StartLine<'_>) -> String {
    format!("refs/plan/starts/{id}/{}-{}", start.contract, start.tree)
}

/// Returns the name of the ref that holds the first record of a sign-off. Contract and tree are as in its log line: 12
/// digits, or `none`.
pub fn sign_off_ref(id: &str, contract: &str, tree: &str) -> String {
    format!("refs/plan/signoffs/{id}/{contract}-{tree}")
}

/// Returns the ref names of the records of one contract and tree: the first, then the same with `-2`, `-3`, … at the end.
pub fn sign_off_refs(id: &str, contract: &str, tree: &str) -> impl Iterator<Item = String> + use<> {
    let first = sign_off_ref(id, contract, tree);
    std::iter::once(first.clone()).chain((2_u32..).map(move |number| format!("{first}-{number}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> StartRecord {
        let json = r#"[["id","a-1"],["subject","A"]]"#;
        let contract = GoalContract::read(json).unwrap();
        StartRecord {
            version: StartRecord::VERSION,
            goal: "a-1".to_owned(),
            contract: serde_json::from_str(json).unwrap(),
            contract_digest: contract.digest.to_string(),
            tree: "0123456789abcdef".to_owned(),
            at: "none".to_owned(),
            root: None,
            verify: None,
            seen: "none".to_owned(),
            tests: None,
            failed: None,
            runner: Runner::default(),
            time: String::new(),
            plan_version: String::new(),
        }
    }

    // P-12, P-72
    #[test]
    fn a_record_is_believed_only_where_it_is_about_this_start() {
        let record = record();
        let contract = record.goal_contract().unwrap().digest.short();
        let bytes = serde_json::to_vec(&record).unwrap();
        let read = |bytes: &[u8], id: &str, tree: &str| StartRecord::read(bytes, id, &contract, tree);
        assert_eq!(read(&bytes, "a-1", "0123456789ab").as_ref(), Some(&record));
        // Older versions did not record the plan's root.
        let mut older = serde_json::to_value(&record).unwrap();
        older.as_object_mut().unwrap().remove("root");
        assert_eq!(read(older.to_string().as_bytes(), "a-1", "0123456789ab").as_ref(), Some(&record));
        assert_eq!(read(&bytes, "b-1", "0123456789ab"), None);
        assert_eq!(read(&bytes, "a-1", "1123456789ab"), None);
        assert_eq!(StartRecord::read(&bytes, "a-1", "0123456789ab", "0123456789ab"), None);
        for other in [
            StartRecord { version: 2, ..record.clone() },
            StartRecord { contract: serde_json::json!([["id", "a-1"], ["subject", "B"]]), ..record.clone() },
            StartRecord { contract_digest: "00".repeat(32), ..record.clone() },
        ] {
            assert_eq!(read(&serde_json::to_vec(&other).unwrap(), "a-1", "0123456789ab"), None);
        }
        for bytes in [&b""[..], b"{}", b"[[[[", b"null", &vec![b' '; StartRecord::LARGEST as usize + 1], &[b'['; 5000]]
        {
            assert_eq!(read(bytes, "a-1", "0123456789ab"), None);
        }
    }
}
