//! The full gate of a check: verify again, in clean exports of the tree that is signed off.

use std::time::Duration;

use super::facts::Facts;
use super::ground::Ground;
use super::{Ask, Report};
use crate::config;
use crate::error::Result;
use crate::signoff::checks;
use crate::signoff::gate::{Level, full};

/// Adds what the full gate finds to the report.
///
/// # Errors
/// As [`full::run`].
pub(super) fn look(ask: &Ask<'_>, ground: &Ground<'_>, facts: &mut Facts, report: &mut Report) -> Result<()> {
    let deep = match (&ground.repo, &facts.after, &ground.line) {
        (Some(repo), Some(tree), Some(line)) => {
            let clean = tree.submodules.iter().filter(|submodule| !submodule.dirty);
            full::run(&full::Job {
                repo,
                root: &ask.place.root.canonicalize().unwrap_or_else(|_| ask.place.root.clone()),
                goal: ground.goal.id().unwrap_or_default(),
                line,
                checks: &checks::lines(ground.goal),
                kind: ground.goal.kind(),
                may_change: &ground.goal.may_change(),
                plan_file: Some(&ask.place.file),
                entries: &tree.entries,
                submodules: &clean.map(|submodule| submodule.path.clone()).collect::<Vec<_>>(),
                base: facts.base.as_ref(),
                start: facts.started.last.as_ref(),
                seen: facts.seen,
                limit: ground.limits.verify,
                budget: Duration::from_secs(ask.config.gate_budget.unwrap_or(config::GATE_SECONDS)),
                keep: &ask.config.gate_keep,
                alone: false,
                watch: ask.watch,
            })?
        }
        (_, _, None) => full::nothing_to_run("the goal has no verify"),
        _ => full::nothing_to_run("there is no repository to export"),
    };
    facts.red_on_base = deep.seen_red;
    report.gate = deep.extent();
    report.not_reached = deep.not_reached().iter().map(|row| (*row).to_owned()).collect();
    report.findings.extend(deep.findings);
    report.findings.sort_by_key(|finding| finding.level != Level::Block);
    Ok(())
}
