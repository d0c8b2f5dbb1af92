//! Rows about the things that vouch for the plan: records, approvals, checkpoints, and sign-off itself.

use std::collections::{BTreeMap, HashSet};

use super::file::first_line;
use super::git::repository;
use super::{Context, DoctorResult, Fault};
use crate::base::sign_off_ref;
use crate::contract::{approved, checkpoint};
use crate::error::Result;
use crate::plan::model::{Plan, Status};
use crate::plan::rules::{self, PlanState, SignOff};
use crate::repo::{ObjectId, Settings};
use crate::shell::quote;
use crate::signoff::selftest::{self, End, FalseCompletion};
use crate::verify::watch::NoProgress;

/// The remote that is asked.
const REMOTE: &str = "origin";

pub(super) fn records(context: &Context<'_>) -> DoctorResult {
    let (Some((repo, place, _)), Some(plan)) = (repository(context), context.plan) else { return DoctorResult::Absent };
    let wanted = wanted(plan);
    if wanted.is_empty() {
        return DoctorResult::Absent;
    }
    let look = || -> Result<Option<usize>> {
        let here = repo.list_refs("refs/plan/signoffs/")?;
        let here: HashSet<String> = here.into_iter().map(|(name, _)| name).collect();
        let missing: Vec<&String> = wanted.iter().filter(|name| !here.contains(*name)).collect();
        let git_dir = place.git_dir.as_deref().unwrap_or(repo.git_dir());
        let has_remote = Settings::of_project(git_dir).get(repo.top(), "remote.origin.url")?.is_some();
        if missing.is_empty() || !has_remote {
            return Ok(None);
        }
        let there = repo.remote_records(REMOTE)?;
        let count = missing.into_iter().filter(|name| there.contains(*name)).count();
        Ok((count > 0).then_some(count))
    };
    let command = format!("plan audit --fetch {REMOTE}");
    match look() {
        Ok(None) => DoctorResult::FINE,
        Ok(Some(count)) => {
            let what = match count {
                1 => format!("the record of a sign-off is missing here, and `{REMOTE}` has it"),
                count => format!("the records of {count} sign-offs are missing here, and `{REMOTE}` has them"),
            };
            DoctorResult::one(Fault::new(what, command))
        }
        Err(error) => {
            let what = format!("records of sign-offs are missing here, and `{REMOTE}` did not say whether it has them");
            DoctorResult::one(Fault::blind(format!("{what}: {}", first_line(&error)), command))
        }
    }
}

/// Returns the ref of the record of the last sign-off in the log, for each goal that is done.
fn wanted(plan: &Plan<'_>) -> Vec<String> {
    let done: HashSet<&str> =
        plan.all_goals().filter(|goal| goal.status() == Status::Done).filter_map(|goal| goal.id()).collect();
    let lines = plan.log_lines().filter_map(|(_, text)| SignOff::read(text));
    let last: BTreeMap<&str, String> = lines
        .filter(|(id, line)| line.tree != "none" && done.contains(id))
        .map(|(id, line)| (id, sign_off_ref(id, line.contract, line.tree)))
        .collect();
    last.into_values().collect()
}

pub(super) fn approval(context: &Context<'_>) -> DoctorResult {
    let (Some(place), Some(plan)) = (context.place(), context.plan) else { return DoctorResult::Absent };
    if rules::state(plan) == PlanState::Guide {
        return DoctorResult::Absent;
    }
    let fault =
        |_| Fault::new("neither this clone nor the last commit knows the newest approval in the log", "plan approve");
    DoctorResult::of(approved::require(place, plan).err().map(fault))
}

pub(super) fn checkpoint(context: &Context<'_>) -> DoctorResult {
    let Some((repo, place, _)) = repository(context) else { return DoctorResult::Absent };
    let listed = checkpoint::list(place);
    if listed.is_empty() {
        return DoctorResult::Absent;
    }
    let ids: Vec<ObjectId> = listed.iter().flatten().map(|checkpoint| checkpoint.tree).collect();
    let gone = match repo.missing(&ids) {
        Ok(gone) => gone,
        Err(error) => return DoctorResult::one(Fault::blind(first_line(&error), "plan rewind --list")),
    };
    let fault = |one: &std::result::Result<checkpoint::Checkpoint, checkpoint::UnreadableRecord>| {
        let (number, why) = match one {
            // A newer version of `plan` can read it.
            Err(damaged) if damaged.why.contains("newer") => return None,
            Err(damaged) => (damaged.number, damaged.why),
            Ok(checkpoint) if gone.contains(&checkpoint.tree) => (checkpoint.number, "has lost its files"),
            Ok(_) => return None,
        };
        let path = checkpoint::path(place, number);
        Some(Fault::new(format!("checkpoint {number} {why}"), format!("rm {}", quote(&path.to_string_lossy()))))
    };
    DoctorResult::Seen(listed.iter().filter_map(fault).collect())
}

pub(super) fn canary(context: &Context<'_>) -> DoctorResult {
    if context.plan.is_none() {
        return DoctorResult::Absent;
    }
    // `plan judge test` tries a judge that costs money, when a person wants it.
    let Ok(config) = context.config() else { return DoctorResult::Absent };
    match selftest::try_out(&[], context.cwd, config, &NoProgress) {
        Ok(planted) => DoctorResult::Seen(planted.iter().filter_map(signed_off).collect()),
        Err(error) => DoctorResult::one(Fault::blind(first_line(&error), "plan judge test checks")),
    }
}

fn signed_off(planted: &FalseCompletion) -> Option<Fault> {
    let FalseCompletion { case, end, why } = planted;
    let command = "plan judge test checks";
    match end {
        End::Refused => None,
        End::Accepted => Some(Fault::new(format!("a false completion was signed off: {case}"), command)),
        End::Untold => {
            Some(Fault::blind(format!("could not test whether a false completion is refused ({case}): {why}"), command))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_completion_that_is_signed_off_is_an_error_and_one_that_nobody_can_tell_is_not() {
        let planted = |end| signed_off(&FalseCompletion { case: "verify is red", end, why: "no sh".to_owned() });
        assert!(planted(End::Refused).is_none());
        assert!(planted(End::Accepted).is_some_and(|fault| !fault.is_blind && fault.what.contains("signed off")));
        assert!(planted(End::Untold).is_some_and(|fault| fault.is_blind && fault.what.contains("no sh")));
    }
}
