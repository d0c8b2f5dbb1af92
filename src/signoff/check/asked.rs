//! The judges of a check: the case that they get, and their answers.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::callers;
use super::claims;
use super::context::Check;
use super::named;
use super::report::Opinion;
use super::request::CheckRequest;
use crate::error::{Error, Kind, Result};
use crate::gate::{GateFinding, GateLevel, start};
use crate::host;
use crate::plan::contract::Digest;
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::signoff::checks;
use crate::signoff::judge::case::{Case, VerifyResult};
use crate::signoff::judge::{self, Reference, Setting};
use crate::signoff::memory;
use crate::signoff::record::JudgeRecord;
use crate::signoff::verdict::Outcome;

/// Returns the case: everything that a judge gets to know.
pub(super) fn case(check: &Check<'_>) -> Case {
    let Check { ask, facts, report, .. } = check;
    let of = |level| report.findings.iter().filter(move |finding| finding.level == level).map(|finding| finding.line());
    let mut case = Case::of(check.goal);
    case.findings = of(GateLevel::Block).collect();
    case.leads = of(GateLevel::Lead).chain(of(GateLevel::Note)).collect();
    // Not listed again: the result of a check is listed with its failure mode, and the uncommitted files of the start have been looked at.
    let is_told = |code: &str| matches!(code, "check-unresolved" | "modes-unchecked" | start::UNCOMMITTED);
    let open = report.findings.iter().filter(|finding| finding.level == GateLevel::Lead && !is_told(finding.code));
    case.open = open.map(GateFinding::brief).collect();
    case.changes.clone_from(&report.changes);
    if let Some(old) = &check.changed_since {
        let now = check.contract.digest.short();
        case.changes.push(format!("the contract was changed by hand since the log named it ({old}, now {now})"));
    }
    case.failure_modes.clone_from(&facts.modes);
    case.verify = report.verify.as_ref().map(|verify| VerifyResult {
        command: verify.line.clone(),
        end: if verify.is_green() { "exit 0".to_owned() } else { verify.reason() },
        seconds: verify.seconds,
        tail: verify.tail.clone(),
    });
    case.claims = ask.claim.map(str::to_owned).into_iter().collect();
    // Count lines only for a person, because no other judge reads the counts.
    if ask.judges.contains(&Reference::Human) {
        case.diff = facts.diff_stat();
    }
    case.paths = facts.evidence.iter().map(|(file, _)| file.path.to_string_lossy().into_owned()).collect();
    case
}

/// Returns the key of a judgement: contract, tree, evidence, results of the checks, everything else in the case, the
/// judges with their programs, and their prompt. Returns `None` without a tree.
pub(super) fn key(check: &Check<'_>, case: &Case) -> Option<String> {
    let Check { ask, facts, .. } = check;
    let tree = facts.after.as_ref()?;
    let evidence: Vec<String> = facts.evidence.iter().map(|(file, _)| file.sha256.clone()).collect();
    let checks: Vec<String> = case.checks().iter().map(|check| format!("{check:?}")).collect();
    let judges: Vec<String> = ask.judges.iter().map(ToString::to_string).collect();
    let programs: Vec<String> = ask.judges.iter().flat_map(|judge| programs(ask, judge)).collect();
    let mut parts = vec![check.contract.digest.to_string(), tree.id.to_string()];
    for list in [&evidence, &checks, &case.changes, &case.leads, &case.claims, &case.paths, &judges, &programs] {
        parts.push(list.len().to_string());
        parts.extend(list.iter().cloned());
    }
    parts.extend(ask.prompt.map(str::to_owned));
    Some(memory::key(&parts))
}

/// Returns the digests of a judge's own program and of the files that its arguments name, because a changed program is another judge.
fn programs(ask: &CheckRequest<'_>, judge: &Reference) -> Vec<String> {
    let Reference::Program { command, .. } = judge else { return Vec::new() };
    let Some((program, arguments)) = command.words.split_first() else { return Vec::new() };
    let program = resolve(program.text.as_ref(), ask.caller, &Environment::inherited()).ok();
    let arguments = arguments.iter().map(|word| ask.place.root.join(&word.text)).filter(|path| path.is_file());
    program.into_iter().chain(arguments).filter_map(|path| program_digest(&path)).collect()
}

pub(super) fn setting<'s>(check: &Check<'s>, files: &'s [PathBuf]) -> Setting<'s> {
    let ask = check.ask;
    Setting {
        root: &ask.place.root,
        top: ask.place.top.as_deref().unwrap_or(&ask.place.root),
        plan_file: &ask.place.file,
        caller: ask.caller,
        files,
        limit: check.limits.judge,
        prompt: ask.prompt,
        launcher: None,
        watch: ask.watch,
    }
}

/// Refuses a judge that would run without a sandbox, if the user requires one.
///
/// # Errors
/// [`Kind::Unknown`].
pub(super) fn enclosed(ask: &CheckRequest<'_>) -> Result<()> {
    let is_open = |judge: &&Reference| match judge {
        Reference::Checks | Reference::Human => false,
        judge => judge::WriteProtection::of(judge) == judge::WriteProtection::None,
    };
    match ask.judges.iter().find(is_open).filter(|_| ask.config.require_sandbox) {
        None => Ok(()),
        Some(judge) => Err(Error::new(Kind::Unknown, format!("judge `{judge}` would run without a sandbox"))
            .hint("your configuration says `require_sandbox: true`")),
    }
}

/// Asks the judges in turn, and takes the repository's fingerprint before and after each.
pub(super) fn judges(check: &mut Check<'_>, case: &Case) -> Result<Outcome> {
    let (ask, facts) = (check.ask, &check.facts);
    let files: Vec<PathBuf> =
        facts.after.iter().flat_map(|tree| &tree.entries).map(|entry| entry.path.clone()).collect();
    let exclude = [ask.place.file.as_path()];
    let repo = check.repo.as_ref();
    // Begin with the very tree that is signed off, so that any later change counts as a change.
    let tree = repo.zip(facts.after.clone());
    let mut before = tree.map(|(repo, tree)| repo.fingerprint_of(tree)).transpose()?;
    let (mut all, mut findings, mut opinions) = (Vec::new(), Vec::new(), Vec::new());
    for (reference, callers) in ask.judges.iter().zip(callers::of_all(ask)?) {
        let mut judged = one(check, case, reference, &files)?;
        if let Some((repo, earlier)) = repo.zip(before.take()) {
            let after = repo.fingerprint_since(&exclude, &earlier)?;
            let changed = crate::repo::Fingerprint::changed(&earlier, &after);
            before = Some(after);
            if !changed.is_empty() {
                let why = format!("answer void: the repository changed while the judge ran: {}", changed.join(", "));
                judged.outcome = Outcome::Inconclusive { why, retry: false };
            }
        }
        if judged.runs > 0 && judged.outcome == Outcome::Accept {
            findings.extend(claims::in_answer(judged.answer.as_ref(), case));
        }
        opinions.push(opinion(ask, reference, &judged, callers));
        let rejected = matches!(judged.outcome, Outcome::Reject { .. });
        all.push(judged);
        // One rejection decides, so the other judges need not be paid for.
        if rejected {
            break;
        }
    }
    check.report.findings.extend(findings);
    check.report.judges = opinions;
    Ok(judge::combine(&all))
}

fn one(check: &Check<'_>, case: &Case, reference: &Reference, files: &[PathBuf]) -> Result<judge::JudgeResult> {
    let ask = check.ask;
    match reference {
        Reference::Checks => Ok(checks::judge(case, check.seen_red(), ask.depth)),
        Reference::Human => Ok(judge::JudgeResult::without_process((ask.person)(case)?)),
        _ => {
            ask.watch.note(&format!(
                "asking judge {reference} (sandbox {})",
                judge::WriteProtection::of(reference).describe()
            ));
            judge::ask(reference, case, &setting(check, files))
        }
    }
}

fn opinion(
    ask: &CheckRequest<'_>,
    reference: &Reference,
    judged: &judge::JudgeResult,
    callers: Option<String>,
) -> Opinion {
    let answer = judged.answer.as_ref();
    let is_process = judged.runs > 0;
    Opinion {
        outcome: judged.outcome.word(),
        missing: judged.outcome.reasons(),
        seconds: judged.seconds,
        judged: JudgeRecord {
            judge: named::name(reference, callers.is_some(), ask.prompt),
            reference: named::whole(reference),
            model: judged.model.clone(),
            named_by: if callers.is_some() { "caller" } else { "user" },
            prompt: is_process.then(|| Digest::of(judge::template(ask.prompt).as_bytes()).to_string()),
            program: judged.program.as_deref().and_then(program_digest),
            sandbox: judged.level.to_string(),
            redirected: reference
                .host()
                .map(|host| host::redirected(host, &|name| std::env::var_os(name)))
                .unwrap_or_default(),
            answers: answer
                .iter()
                .flat_map(|answer| &answer.lines)
                .map(|line| (line.id.to_string(), line.text.clone()))
                .collect(),
            notes: answer.map(|answer| answer.notes.clone()).unwrap_or_default(),
        },
        callers,
    }
}

/// Returns the digest of a judge's program, to tell which one judged. The file may have a hundred megabytes.
pub(crate) fn program_digest(path: &Path) -> Option<String> {
    let mut file = std::fs::File::open(path).ok()?;
    let mut hash = Sha256::new();
    std::io::copy(&mut file, &mut hash).ok()?;
    Some(format!("{:x}", hash.finalize()))
}
