//! Compares sign-off lines with their attestations: a typed line has no attestation, and a changed line disagrees with its
//! attestation (`SIGNOFF.md` §8).

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use super::attestation::Attestation;
use super::facts::AuditFacts;
use super::finding::{AuditFinding, names};
use super::refs::Refs;
use super::since::done_since;
use crate::base::{StartRecord, sign_off_ref};
use crate::plan::contract::{GoalContract, goal_contract};
use crate::plan::log::{GoalEvent, StartLine};
use crate::plan::rules::{SignOff, Standing};

/// The remedy for a plan file that was moved.
pub(super) const MOVED: &str = "nothing, if it was moved on purpose";
/// The remedy for a plan file that was moved together with a sign-off. A new start would not help: nothing has changed since.
pub(super) const NOT_MOVED: &str = "move the plan back, or move it in a change in which no goal becomes done";

pub(super) fn find(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    let Some(refs) = facts.refs else { return };
    starts(facts, refs, found);
    // If a goal was done since the base, its missing record counts, whether or not there are other records.
    let asked: HashSet<usize> = match facts.base() {
        Some(_) => done_since(facts).iter().filter_map(|since| since.done.line.map(|(at, _)| at)).collect(),
        None => HashSet::new(),
    };
    let mut vouched = UsedRecords::default();
    for (at, id, line) in signed(facts) {
        match vouched.next(refs, id, &line) {
            Some(Ok(())) => {}
            Some(Err(why)) => found.push(differs(at, id, &line, &why)),
            None if refs.are_here() || asked.contains(&at) => found.push(missing(at, id, &line)),
            None => {}
        }
    }
    if let Some((at, ..)) = signed(facts).next().filter(|_| !refs.are_here() && asked.is_empty()) {
        let seen = "this clone has no record of any sign-off: only the log mentions them";
        let expected = "a record of each sign-off under `refs/plan/signoffs/`";
        let resolve = "`plan audit --fetch origin`, if someone has pushed them with `plan audit --push origin`";
        found.push(AuditFinding::note("no-records", at, seen, expected, resolve));
    }
    let new: HashSet<usize> = match facts.base() {
        Some(_) => done_since(facts).iter().map(|since| since.done.goal.index()).collect(),
        None => HashSet::new(),
    };
    for done in facts.done.iter().filter(|done| done.standing == Standing::SignedOff) {
        let (Some(id), Some((at, line))) = (done.goal.id(), &done.line) else { continue };
        if let Some(Ok(record)) = of_line(refs, id, line) {
            standing(*at, id, &goal_contract(done.goal), &record, found);
            found.extend(elsewhere(facts, new.contains(&done.goal.index()), *at, id, &record));
        }
    }
}

/// Returns the sign-off lines, in file order.
fn signed<'f>(facts: &'f AuditFacts<'_>) -> impl Iterator<Item = (usize, &'f str, SignOff<'f>)> {
    facts.log.iter().filter_map(|line| {
        let (id, sign_off) = line.signed_off()?;
        Some((line.at, id, sign_off))
    })
}

/// The records that already confirm a line: a record confirms only one line. If the same work is signed off again after a
/// goal was reopened, that leaves another record; a copied line leaves none.
#[derive(Default)]
struct UsedRecords {
    used: HashSet<(String, String, String, usize)>,
}

impl UsedRecords {
    /// Finds the record for the next line: among the unused records of its contract and tree, the first one that agrees. If no
    /// record agrees, returns the differences of the first one.
    fn next(&mut self, refs: &Refs, id: &str, line: &SignOff<'_>) -> Option<Result<(), String>> {
        let mut why = None;
        for (at, record) in refs.attestations(id, line.contract, line.tree).enumerate() {
            let key = (id.to_owned(), line.contract.to_owned(), line.tree.to_owned(), at);
            if self.used.contains(&key) {
                continue;
            }
            let differences =
                record.map(|record| differences(id, line, &record).join("; ")).unwrap_or_else(|error| error);
            if differences.is_empty() {
                self.used.insert(key);
                return Some(Ok(()));
            }
            why.get_or_insert(differences);
        }
        why.map(Err)
    }
}

/// Returns the record of a sign-off line, if line and record agree.
pub(super) fn agreeing(refs: &Refs, id: &str, line: &SignOff<'_>) -> Option<Attestation> {
    of_line(refs, id, line)?.ok().filter(|record| differences(id, line, record).is_empty())
}

/// Finds start lines that contradict their record: an edit of the line does not change the record.
fn starts(facts: &AuditFacts<'_>, refs: &Refs, found: &mut Vec<AuditFinding>) {
    let starts = || {
        facts.log.iter().filter_map(|line| match line.said? {
            (id, GoalEvent::Started(start)) => Some((line.at, id, start, refs.start(id, &start)?)),
            _ => None,
        })
    };
    let agree = |start: &StartLine<'_>, record: &StartRecord| start.verify == record.seen && start.at == record.at;
    let key = |id: &str, start: &StartLine<'_>| (id.to_owned(), start.contract.to_owned(), start.tree.to_owned());
    // Only the first start with the same files and contract is recorded: verify may have ended differently since.
    let told: BTreeSet<_> =
        starts().filter(|(.., start, record)| agree(start, record)).map(|(_, id, start, _)| key(id, &start)).collect();
    for (at, id, start, record) in starts().filter(|(.., start, record)| !agree(start, record)) {
        let (line, kept) = match start.verify == record.seen {
            false => (format!("verify was `{}`", start.verify), format!("it was `{}`", record.seen)),
            true => (format!("it was on `{}`", start.at), format!("it was on `{}`", record.at)),
        };
        let seen = format!(
            "the log and the record of the start of {id} differ: the log says that {line}, the record says that {kept}"
        );
        let resolve = crate::gate::start::DIFFERS;
        let finding = AuditFinding::new("start-differs", at, seen, "a start line that agrees with its record", resolve);
        found.push(finding.of(id).only_note_if(told.contains(&key(id, &start))));
    }
}

/// Finds the record of a sign-off line: among the records of its contract and tree, the one that agrees, else the first.
pub(super) fn of_line(refs: &Refs, id: &str, line: &SignOff<'_>) -> Option<Result<Attestation, String>> {
    let mut all: Vec<_> = refs.attestations(id, line.contract, line.tree).collect();
    let same =
        |one: &Result<Attestation, String>| one.as_ref().is_ok_and(|record| differences(id, line, record).is_empty());
    let at = all.iter().position(same).unwrap_or_default();
    (!all.is_empty()).then(|| all.swap_remove(at))
}

/// Compares the plan file with that of a record. Verify in another folder saw other files, so this is a finding for a goal that became
/// done since the base (`is_new`).
fn elsewhere(facts: &AuditFacts<'_>, is_new: bool, at: usize, id: &str, record: &Attestation) -> Option<AuditFinding> {
    if record.plan_file == facts.file {
        return None;
    }
    let folder = |file: &str| Path::new(file).parent().map(Path::to_owned);
    let seen = format!("{id} was signed off when the plan was `{}`", record.plan_file);
    let expected = format!("`{}`", facts.file);
    Some(match folder(&record.plan_file) != folder(facts.file) && is_new {
        true => AuditFinding::new("plan-moved", at, seen, expected, NOT_MOVED).of(id),
        false => AuditFinding::note("plan-moved", at, seen, expected, MOVED).of(id),
    })
}

/// Compares the current goal with its record, after the log and the record were compared.
fn standing(at: usize, id: &str, contract: &GoalContract, record: &Attestation, found: &mut Vec<AuditFinding>) {
    // Someone can find a text with the same twelve digits by trying; the full digest and the text cannot be forged.
    if record.contract.json != contract.json || record.contract_digest != contract.digest.to_string() {
        let seen = format!("{id} was signed off for another contract, whose digest begins with the same digits");
        let expected = "the very contract that was signed off";
        found.push(AuditFinding::new("other-contract", at, seen, expected, format!("`plan complete {id}`")).of(id));
    }
    if !record.not_reached.is_empty() {
        let rows = names(record.not_reached.iter().map(String::as_str));
        let seen = format!("{id} was signed off although the gate had not reached {rows}");
        let resolve = "`plan audit --rerun`; raise `gate_budget` if the budget ended the gate";
        found.push(AuditFinding::note("not-reached", at, seen, "every row of the gate", resolve).of(id));
    }
    let leads = &record.verdict.leads;
    if !leads.is_empty() {
        let seen = format!("{id} was signed off with leads: {}", names(leads.iter().map(String::as_str)));
        let resolve = "read them in its record: `git cat-file blob refs/plan/signoffs/…`";
        found.push(AuditFinding::note("leads", at, seen, "no lead at sign-off", resolve).of(id));
    }
}

fn missing(at: usize, id: &str, line: &SignOff<'_>) -> AuditFinding {
    let name = sign_off_ref(id, line.contract, line.tree);
    let seen = match line.tree {
        "none" => format!("the log says that {id} was signed off outside a git repository, which leaves no record"),
        _ => format!("the log says that {id} was signed off, and its record `{name}` is missing"),
    };
    let expected = "a record for each sign-off line";
    let resolve = format!(
        "`plan audit --fetch origin` if its author has pushed the record; otherwise the line was typed: `plan goal start {id}`, then `plan complete {id}`"
    );
    AuditFinding::new("no-attestation", at, seen, expected, resolve).of(id)
}

fn differs(at: usize, id: &str, line: &SignOff<'_>, why: &str) -> AuditFinding {
    let name = sign_off_ref(id, line.contract, line.tree);
    let seen = format!("the sign-off line of {id} and its record `{name}` do not agree: {why}");
    let resolve = format!("`plan goal start {id}`, then `plan complete {id}`; or restore the line as it was written");
    AuditFinding::new("attestation-differs", at, seen, "a line that agrees with its record", resolve).of(id)
}

/// Returns the points in which an attestation differs from its name or from the log line.
fn differences(id: &str, line: &SignOff<'_>, record: &Attestation) -> Vec<String> {
    let digest = &record.contract.digest;
    let is_digest = record.contract_digest == digest.to_string() && digest.is_short(line.contract);
    let of = record.contract.id.as_deref().unwrap_or("none");
    let tree = record.tree.as_deref().unwrap_or("none");
    // The line may have the first 12 digits.
    let is_start = |id: crate::repo::ObjectId| line.tree.len() == 12 && id.short() == line.tree;
    let is_tree = tree == line.tree || crate::repo::ObjectId::parse(tree).is_some_and(is_start);
    let verify = match &record.verify {
        None => "none".to_owned(),
        Some((end, seconds)) => format!("{end} {seconds:.1}s"),
    };
    let missed = record.not_reached.join(", ");
    let is_whole = matches!(line.gate, "fast" | "full") == record.not_reached.is_empty();
    let points = [
        (record.goal == id, "goal", &*record.goal, id),
        (is_digest, "contract", &*record.contract_digest, line.contract),
        (record.contract.id.as_deref() == Some(id), "a contract of goal", of, id),
        (is_tree, "tree", tree, line.tree),
        (record.at == line.at, "commit", &*record.at, line.at),
        (verify == line.verify, "verify", &*verify, line.verify),
        (is_whole, "rows of the gate that were not reached", &*missed, line.gate),
    ];
    let differ = points.into_iter().filter(|(is_same, ..)| !is_same);
    let mut all: Vec<String> =
        differ.map(|(_, what, record, line)| format!("the record says {what} `{record}`, the line `{line}`")).collect();
    if record.verify.is_some() != record.contract.verify.is_some() {
        all.push("only one of the record and its contract has a verify".to_owned());
    }
    all.extend(of_judges(line, record));
    if !record.blocks.is_empty() {
        all.push(format!("the record names findings that block: {}", names(record.blocks.iter().map(String::as_str))));
    }
    all
}

fn of_judges(line: &SignOff<'_>, record: &Attestation) -> Option<String> {
    let judges = record.judges.iter().map(|judge| judge.judge.as_str()).collect::<Vec<_>>().join(", ");
    if judges != line.judges {
        return Some(format!("the record says judges `{judges}`, the line `{}`", line.judges));
    }
    let marked = line.each_judge().map(|(_, callers, _)| callers);
    let unmarked = record.judges.iter().zip(marked).any(|(judge, marked)| judge.by_caller != marked);
    unmarked.then(|| "the record and the line differ in who named the judge".to_owned())
}
