//! The rows of a check that run verify again, in clean exports of the tree that is signed off.

use super::context::Check;
use super::request::next_judge;
use crate::error::Result;
use crate::gate::{Depth, GateLevel, full, goal_text, no_change};
use crate::replay::ReplayRequest;
use crate::signoff::checks;
use crate::verify::watch::NextStageWatch;

impl Check<'_> {
    /// Runs these rows, if they were requested and nothing blocks already.
    ///
    /// # Errors
    /// As [`full::run`].
    pub(super) fn gate(&mut self) -> Result<()> {
        if self.ask.depth == Depth::Fast || self.report.is_blocked() {
            return Ok(());
        }
        let deep = self.replayed()?;
        self.facts.red_on_base = deep.seen_red;
        let report = &mut self.report;
        (report.gate, report.gate_spent) = (deep.extent(), deep.spent);
        report.not_reached = deep.not_reached().into_iter().map(str::to_owned).collect();
        report.rows = deep.rows;
        report.findings.retain(|finding| !(deep.own_work && no_change::is_of_another(finding)));
        report.findings.extend(deep.findings);
        report.findings.sort_by_key(|finding| finding.level != GateLevel::Block);
        Ok(())
    }

    fn replayed(&self) -> Result<full::FullReport> {
        let (ask, facts) = (self.ask, &self.facts);
        let (repo, tree, line) = match (&self.repo, &facts.after, &self.line) {
            (Some(repo), Some(tree), Some(line)) => (repo, tree, line),
            (_, _, None) => {
                let resolve =
                    format!("give it the command of your test: `plan goal set {} --verify COMMAND`", self.goal.typed());
                return Ok(full::nothing_to_run("the goal has no verify", &resolve));
            }
            _ => {
                let resolve = format!(
                    "keep the plan in a git repository: `git init`, then commit the files as they were before the work, \
                     then `plan goal start {}`",
                    self.goal.typed()
                );
                let why = "there is no git repository, and these rows run verify in a copy of one";
                return Ok(full::nothing_to_run(why, &resolve));
            }
        };
        full::run(&full::FullRequest {
            replay: ReplayRequest {
                repo,
                root: &ask.place.root.canonicalize().unwrap_or_else(|_| ask.place.root.clone()),
                line,
                submodules: &tree.submodules,
                keep: &ask.config.gate_keep,
                limit: self.limits.verify,
                budget: ask.depth.budget(ask.config),
                usual: self.report.verify.as_ref().map(|verify| verify.seconds),
                watch: &NextStageWatch { watch: ask.watch, next: next_judge(ask.judges).as_deref() },
            },
            goal: self.goal.id().unwrap_or_default(),
            said: &goal_text::of(self.goal),
            checks: &checks::lines(self.goal),
            others: &no_change::others(&self.report.findings, self.goal, &tree.id.short()),
            kind: self.goal.kind(),
            may_change: &self.goal.may_change(),
            plan_file: Some(&ask.place.file),
            entries: &tree.entries,
            base: facts.base.as_ref(),
            start: facts.started.last.as_ref(),
            seen: facts.seen,
            depth: ask.depth,
            alone: false,
        })
    }
}
