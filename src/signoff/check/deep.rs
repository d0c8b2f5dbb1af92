//! The rows of a check that run verify again, in clean exports of the tree that is signed off.

use super::Ask;
use super::context::CheckContext;
use super::facts::Facts;
use crate::error::Result;
use crate::gate::{Depth, Finding, Level, full, said};
use crate::replay::ReplayRequest;
use crate::signoff::checks;
use crate::verify::stage1;
use crate::verify::watch::Followed;

/// What these rows came to; none where they were not asked for, or where something blocks already.
///
/// # Errors
/// As [`full::run`].
pub(super) fn look(
    ask: &Ask<'_>,
    context: &CheckContext<'_>,
    facts: &mut Facts,
    verify: Option<&stage1::Report>,
    findings: &mut Vec<Finding>,
) -> Result<Option<full::FullReport>> {
    if ask.depth == Depth::Fast || findings.iter().any(|finding| finding.level == Level::Block) {
        return Ok(None);
    }
    let deep = match (&context.repo, &facts.after, &context.line) {
        (Some(repo), Some(tree), Some(line)) => {
            let clean = tree.submodules.iter().filter(|submodule| !submodule.dirty);
            full::run(&full::FullRequest {
                replay: ReplayRequest {
                    repo,
                    root: &ask.place.root.canonicalize().unwrap_or_else(|_| ask.place.root.clone()),
                    line,
                    submodules: &clean.map(|submodule| submodule.path.clone()).collect::<Vec<_>>(),
                    keep: &ask.config.gate_keep,
                    limit: context.limits.verify,
                    budget: ask.depth.budget(ask.config),
                    usual: verify.map(|verify| verify.seconds),
                    watch: &Followed { watch: ask.watch, next: super::next_judge(ask.judges).as_deref() },
                },
                goal: context.goal.id().unwrap_or_default(),
                said: &said::of(context.goal),
                checks: &checks::lines(context.goal),
                kind: context.goal.kind(),
                may_change: &context.goal.may_change(),
                plan_file: Some(&ask.place.file),
                entries: &tree.entries,
                base: facts.base.as_ref(),
                start: facts.started.last.as_ref(),
                seen: facts.seen,
                depth: ask.depth,
                alone: false,
            })?
        }
        (_, _, None) => full::nothing_to_run("the goal has no verify"),
        _ => full::nothing_to_run("there is no repository to export"),
    };
    facts.red_on_base = deep.seen_red;
    findings.extend(deep.findings.iter().cloned());
    findings.sort_by_key(|finding| finding.level != Level::Block);
    Ok(Some(deep))
}
