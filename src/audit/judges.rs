//! Checks the judges that signed off: judges that the caller chose, changed prompts, redirected models, judges without a
//! sandbox (`SIGNOFF.md` §6).

use std::collections::BTreeMap;
use std::path::Path;

use super::attestation::{Attestation, Judge};
use super::attested;
use super::facts::{AuditFacts, AuditLine, DoneGoal, same_goal};
use super::finding::{AuditFinding, names};
use crate::config;
use crate::plan::contract::Digest;
use crate::plan::model::Status;
use crate::plan::rules::{SignOff, Standing};
use crate::prompt::Prompt;
use crate::signoff::check::asked::program_digest;
use crate::signoff::check::named;
use crate::signoff::judge::Reference;

const EXPECTED: &str = "a judge that the caller of `plan complete` did not choose";

/// Adds the findings of this check to `found`. The caller of the audit accepts the judges in `accepted`.
pub(super) fn find(facts: &AuditFacts<'_>, accepted: &[AcceptedJudge], found: &mut Vec<AuditFinding>) {
    let (mut without_sandbox, mut fast) = (Vec::new(), Vec::new());
    for done in facts.done.iter().filter(|done| done.standing == Standing::SignedOff) {
        let (Some(id), Some((at, line))) = (done.goal.id(), &done.line) else { continue };
        let record = facts.refs.and_then(|refs| attested::of_line(refs, id, line)).and_then(Result::ok);
        of_line(accepted, *at, id, line, record.as_ref(), found);
        anew(facts, id, *at, line, found);
        if line.gate == "fast" {
            fast.push((*at, id));
        }
        let Some(record) = record else { continue };
        for judge in &record.judges {
            of_record(*at, id, judge, &record.plan_version, found);
            if judge.prompt.is_some() && judge.sandbox == "none" {
                without_sandbox.push((*at, id));
            }
        }
    }
    let mut note = |code, mut all: Vec<(usize, &str)>, what: &str, expected: &str, resolve: &str| {
        let Some((at, _)) = all.first().copied() else { return };
        all.dedup();
        let seen = format!("{what}: {}", names(all.into_iter().map(|(_, id)| id)));
        found.push(AuditFinding::note(code, at, seen, expected, resolve));
    };
    let expected = "a judge that the operating system prevents from writing";
    let resolve = "`require_sandbox: true` in the configuration of the person who signs off";
    note("sandbox-none", without_sandbox, "signed off by a judge without a sandbox", expected, resolve);
    let what = "signed off with `--gate fast`, which does not run verify without the work";
    let resolve = "`plan audit --rerun` runs every row on the files as they are now";
    note("gate-fast", fast, what, "a gate that ran every row", resolve);
    changed(facts, found);
}

/// A judge that the caller of the audit accepts, although the caller of `plan complete` named it.
pub(super) struct AcceptedJudge {
    /// The judge's name in the log.
    name: String,
    /// The full REF, if the judge is a program.
    reference: Option<String>,
    /// The digest of its program, if the program is here.
    program: Option<String>,
}

impl AcceptedJudge {
    /// Looks up a judge from `cwd`.
    pub(super) fn of(judge: &Reference, cwd: &Path) -> Self {
        AcceptedJudge {
            name: named::name(judge, false, None),
            reference: named::whole(judge),
            program: named::program_file(judge, cwd).and_then(|file| program_digest(&file)),
        }
    }

    /// Returns true if this is the judge of the log and of the record, if there is one: called with the same words, and the
    /// same program if that is here to compare.
    fn is(&self, name: &str, record: Option<&Judge>) -> bool {
        let same = |own: &Option<String>, other: &Option<String>| own.is_none() || other.is_none() || own == other;
        self.name == name
            && record.is_none_or(|judge| same(&self.reference, &judge.reference) && same(&self.program, &judge.program))
    }
}

fn of_line(
    accepted: &[AcceptedJudge],
    at: usize,
    id: &str,
    line: &SignOff<'_>,
    record: Option<&Attestation>,
    found: &mut Vec<AuditFinding>,
) {
    for (number, (judge, callers, own_prompt)) in line.each_judge().enumerate() {
        let judged = record.and_then(|record| record.judges.get(number));
        if accepted.iter().any(|accepted| accepted.is(judge, judged)) {
            continue;
        }
        // The remedy never names a program that the worker chose: the reader must choose a judge.
        let known = Reference::parse(judge).ok().filter(|judge| !matches!(judge, Reference::Program { .. }));
        let (set, complete) = config::own_judge_commands(id, known.as_ref().map_or("REF", |_| judge));
        let which = if known.is_some() { "" } else { ", where REF is a judge of yours (`plan judge list`)" };
        let resolve =
            format!("`{set}` in your own terminal, then `{complete}`{which}: your judge checks the goal again");
        if callers {
            let called = judged.and_then(|judged| judged.reference.as_ref());
            let called = called.map(|called| format!(" as `{called}`")).unwrap_or_default();
            let seen = format!("{id} was signed off by {judge}, which its caller named{called}");
            found.push(AuditFinding::new("judge-named-by-caller", at, seen, EXPECTED, &*resolve).of(id));
        }
        if own_prompt {
            let seen = format!("{id} was signed off by {judge} with a prompt other than the built-in one");
            found.push(AuditFinding::new("own-prompt", at, seen, "the built-in prompt", &*resolve).of(id));
        }
        if Reference::parse(judge).is_err() {
            let seen = format!("{id} was signed off by `{judge}`, which this version does not know");
            let expected = "a judge such as `claude`, `checks`, `human`";
            found.push(AuditFinding::new("unknown-judge", at, seen, expected, resolve).of(id));
        }
    }
}

/// Adds a note if a judge that its caller named signed the goal off earlier: the goal began anew from the files of that sign-off.
fn anew(facts: &AuditFacts<'_>, id: &str, at: usize, line: &SignOff<'_>, found: &mut Vec<AuditFinding>) {
    if callers(line).is_some() {
        return;
    }
    let earlier = facts.about(id).rev().filter(|earlier| earlier.at < at);
    let mut named = earlier.filter_map(|earlier| Some((earlier.at, callers(&earlier.signed_off()?.1)?)));
    if let Some((at, judge)) = named.next() {
        let seen =
            format!("{id} was signed off before by {judge}, which its caller named; it started again from there");
        let resolve = "`git log -p` shows what came with that sign-off";
        found.push(AuditFinding::note("judge-named-by-caller", at, seen, EXPECTED, resolve).of(id));
    }
}

/// Returns the first judge of a sign-off that the caller named.
fn callers<'s>(line: &SignOff<'s>) -> Option<&'s str> {
    line.each_judge().find(|(_, callers, _)| *callers).map(|(judge, ..)| judge)
}

fn of_record(at: usize, id: &str, judge: &Judge, version: &str, found: &mut Vec<AuditFinding>) {
    let built_in = Digest::of(Prompt::EvidenceJudge.text().as_bytes()).to_string();
    let marked = judge.judge.ends_with(" (own prompt)");
    if judge.prompt.as_ref().is_some_and(|prompt| *prompt != built_in) && !marked {
        // Another version of plan has another prompt.
        let same_version = version == env!("CARGO_PKG_VERSION");
        let name = &judge.judge;
        let seen = match same_version {
            true => {
                format!("{id} was signed off by {name} with a prompt that is not the built-in one of plan {version}")
            }
            false => format!("{id} was signed off by plan {version}, whose prompt this version does not know"),
        };
        let resolve = format!("`plan goal start {id}` and `plan complete {id}` with this version");
        let finding = AuditFinding::new("prompt-differs", at, seen, "the built-in prompt", resolve).of(id);
        found.push(finding.only_note_if(!same_version));
    }
    if !judge.redirected.is_empty() {
        let variables = names(judge.redirected.iter().map(String::as_str));
        let seen = format!("{id}: the environment may have redirected {}: {variables} was set", judge.judge);
        let resolve = "ask the person who signed it off where these variables point";
        found.push(
            AuditFinding::note("judge-redirected", at, seen, "a judge that talks to its own vendor", resolve).of(id),
        );
    }
}

/// Finds goals that one judge had signed off at the base and another judge has signed off now.
fn changed(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    let Some((then, plan)) = facts.base().and_then(|then| Some((then, then.plan?))) else { return };
    let mut last: BTreeMap<&str, SignOff<'_>> = BTreeMap::new();
    last.extend(then.log().iter().filter_map(AuditLine::signed_off));
    let signed = |done: &&DoneGoal<'_>| done.standing == Standing::SignedOff;
    for done in facts.done.iter().filter(signed) {
        let (Some(id), Some((at, line))) = (done.goal.id(), &done.line) else { continue };
        let was_done = same_goal(plan, id).is_some_and(|goal| goal.status() == Status::Done);
        if let Some(old) = last.get(id).filter(|old| was_done && old.judges != line.judges) {
            let seen = format!("{id} was signed off by {} and is now by {}", old.judges, line.judges);
            let resolve = "nothing, if that was intended";
            found.push(AuditFinding::note("judge-changed", *at, seen, "the same judge", resolve).of(id));
        }
    }
}
