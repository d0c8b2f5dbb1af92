//! Remarks that the user should look at: done goals without a sign-off, changed contracts, marks set by hand in contract mode,
//! lint errors (P-52).

mod faults;

use std::collections::HashMap;

use crate::plan::contract::{Digests, Effect};
use crate::plan::log::GoalEvent;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{self, ContractChange, GoalRecords, OddMarks, PlanState, Standing};
use crate::plan::{block, lint, log};
use faults::Faults;
pub use faults::Remark;

/// The remarks about a plan.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    /// Each with the index of the goal that it is about.
    all: Vec<(Option<usize>, Remark)>,
    /// For each index of a goal: indices into `all`.
    of_goals: HashMap<usize, Vec<usize>>,
    faults: Faults,
}

impl Remarks {
    /// Reads the plan. Lint errors belong to the goal that contains them. They come last, except shared ids and unread fields.
    pub(super) fn new(plan: &Plan<'_>, record: &GoalRecords<'_>) -> Self {
        let (mut remarks, mut digests) = (Remarks::default(), Digests::default());
        remarks.faults = Faults::new(plan);
        for goal in plan.all_goals() {
            // `# Archive` above a goal that the log mentions must not hide a missing sign-off. Other archived goals may be older than the log.
            let is_known = || goal.status() == Status::Done && record.contract(goal).is_some();
            if !goal.raw().archived || is_known() {
                let of_record = || of_goal(goal, record, &mut digests);
                let found = remarks.faults.before(goal, of_record);
                found.into_iter().for_each(|one| remarks.add(Some(goal.index()), one));
            }
        }
        if rules::state(plan) != PlanState::Guide {
            rules::odd_marks(plan).iter().for_each(|odd| remarks.mark(plan, odd));
        }
        std::mem::take(&mut remarks.faults.others).into_iter().for_each(|(goal, one)| remarks.add(goal, one));
        remarks
    }

    /// The command that lists the lines of a goal that were meant as fields but are read as something else.
    pub(super) fn lost(&self, goal: GoalRef<'_, '_>) -> Option<String> {
        self.faults.lost(goal)
    }

    /// Adds a remark about a mark that was set by hand in contract mode.
    fn mark(&mut self, plan: &Plan<'_>, odd: &OddMarks) {
        let goal = match odd {
            OddMarks::Unlogged(step) => plan.step(*step).map(|step| step.goal().index()),
            OddMarks::SeveralActive(_) => None,
        };
        let sentence = odd.describe(plan);
        self.add(goal, Remark { short: sentence.clone(), sentence, command: None });
    }

    fn add(&mut self, goal: Option<usize>, remark: Remark) {
        if let Some(goal) = goal {
            self.of_goals.entry(goal).or_default().push(self.all.len());
        }
        self.all.push((goal, remark));
    }

    /// The remarks about a goal.
    pub(super) fn of(&self, goal: GoalRef<'_, '_>) -> impl Iterator<Item = &Remark> {
        let places = self.of_goals.get(&goal.index()).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|at| self.all.get(*at)).map(|(_, remark)| remark)
    }

    /// The remarks about no goal.
    pub(super) fn others(&self) -> impl Iterator<Item = &Remark> {
        self.all.iter().filter(|(goal, _)| goal.is_none()).map(|(_, remark)| remark)
    }
}

/// The `!` lines: done goals without a matching sign-off, contracts that were changed since they were logged, lint errors.
pub fn warnings(plan: &Plan<'_>) -> Vec<String> {
    Remarks::new(plan, &GoalRecords::new(plan)).all.into_iter().map(|(_, remark)| remark.sentence).collect()
}

/// The remarks about a plan, each with the index of the goal that it is about, if any.
pub fn remarks(plan: &Plan<'_>) -> Vec<(Option<usize>, Remark)> {
    Remarks::new(plan, &GoalRecords::new(plan)).all
}

/// Returns the warnings that neither the list of open goals nor the next goal shows: goals that were marked done by hand, and
/// unfinished goals below `# Archive`.
pub fn out_of_sight(plan: &Plan<'_>) -> Vec<String> {
    let unsigned: Vec<_> = GoalRecords::new(plan).unsigned(plan).into_iter().map(|(goal, _)| goal).collect();
    let mut lines: Vec<String> =
        Some(block::unsigned(&unsigned)).filter(|_| !unsigned.is_empty()).into_iter().collect();
    lines.extend(lint::archived_open(plan).into_iter().map(|finding| finding.message));
    lines
}

fn of_goal(goal: GoalRef<'_, '_>, record: &GoalRecords<'_>, digests: &mut Digests) -> Vec<Remark> {
    let first = match goal.status() {
        Status::Done => match of_done(goal, record, digests) {
            Ok(remark) => remark,
            Err(Archived) => return Vec::new(),
        },
        Status::Open | Status::Active => of_contract(goal, record, digests),
        Status::Cancelled => return Vec::new(),
    };
    first.into_iter().chain(amended(goal, record)).collect()
}

/// The goal is archived and signed off: nothing to look at.
struct Archived;

fn of_done(
    goal: GoalRef<'_, '_>,
    record: &GoalRecords<'_>,
    digests: &mut Digests,
) -> std::result::Result<Option<Remark>, Archived> {
    let name = goal.name();
    let again = Some(match is_explained(goal, record, digests) {
        true => format!("plan complete {}", goal.typed()),
        false => explaining(goal),
    });
    let (whole, short, command) = match record.standing(goal, digests) {
        Standing::SignedOff if goal.raw().archived => return Err(Archived),
        Standing::SignedOff if record.is_callers(goal) => {
            ("was signed off by a judge that its caller named", "signed off by a judge that its caller named", None)
        }
        Standing::SignedOff if record.is_own_prompt(goal) => (
            "was signed off by a judge with a prompt other than the built-in one",
            "signed off by a judge with a prompt other than the built-in one",
            None,
        ),
        Standing::SignedOff => return Ok(None),
        Standing::OtherContract => (
            "is done but was signed off for another contract",
            "done, but the contract changed since its sign-off",
            again,
        ),
        Standing::NotSignedOff => {
            let short = match record.rejection(goal) {
                Some(_) => "done, but its last check was rejected",
                None => "done by hand, not signed off",
            };
            ("is done but has no sign-off that matches its contract", short, again)
        }
    };
    Ok(Some(Remark { sentence: format!("{name} {whole}"), short: short.to_owned(), command }))
}

/// The command that gives the reason for a contract change.
fn explaining(goal: GoalRef<'_, '_>) -> String {
    format!("plan goal set {} --because \"why\"", goal.typed())
}

/// True if the log explains the contract; then no check is refused for it.
fn is_explained(goal: GoalRef<'_, '_>, record: &GoalRecords<'_>, digests: &mut Digests) -> bool {
    let is_now = |logged: &str| digests.of(goal).is_short(logged);
    let agreement = record.agreement(goal).filter(|agreement| agreement.started.is_some());
    agreement.is_none_or(|agreement| agreement.unexplained().is_empty() && agreement.contracts.last.is_none_or(is_now))
}

/// The remark about a contract that differs from the logged one, or that was changed without a reason while the goal was active.
fn of_contract(goal: GoalRef<'_, '_>, record: &GoalRecords<'_>, digests: &mut Digests) -> Option<Remark> {
    let (name, agreement) = (goal.name(), record.agreement(goal)?);
    let (logged, digest) = (agreement.contracts.last?, digests.of(goal));
    let explain = explaining(goal);
    if !digest.is_short(logged) {
        let now = digest.short();
        return Some(Remark {
            sentence: format!(
                "the contract of {name} was changed since it was logged ({logged}, now {now}): {explain}"
            ),
            short: "its contract was changed by hand since it was logged".to_owned(),
            command: Some(explain),
        });
    }
    let change = *agreement.unexplained().last()?;
    let short = match change {
        ContractChange::Amended(event) => log::folded_event(GoalEvent::Amended(event)),
        ContractChange::Restarted { .. } => "started again with another contract".to_owned(),
        ContractChange::ByHand { .. } => "its contract was changed by hand".to_owned(),
    };
    Some(Remark {
        sentence: format!("{name} was changed while active, without a reason ({change}): {explain}"),
        short: format!("{short}, without a reason"),
        command: Some(explain),
    })
}

/// The remarks about amendments that have a reason. For a done goal only what it no longer asks for, which its judge was told.
fn amended(goal: GoalRef<'_, '_>, record: &GoalRecords<'_>) -> Vec<Remark> {
    let is_done = goal.status() == Status::Done;
    let shown = |what: &&str| !is_done || Effect::of_line(what) == Some(Effect::Loosened);
    let explained = record.agreement(goal).into_iter().flat_map(|agreement| agreement.explained());
    let remark = |(what, why): (&str, &str)| Remark {
        sentence: format!("{} was amended while active ({what}) because {why}", goal.name()),
        short: format!("amended while active ({what}) because {why}"),
        command: None,
    };
    explained.filter(|(what, _)| shown(what)).map(remark).collect()
}
