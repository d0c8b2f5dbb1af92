//! The views as `--json` prints them, without the `version` that the command adds. Keys are part of the interface.

use serde::Serialize;
use serde_json::{Value, json};

use super::Filter;
use super::show::log_of;
use crate::plan::contract::Digests;
use crate::plan::log::SignOff;
use crate::plan::lookup::{GoalNumbers, StepRef};
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::rules::{self, GoalRecords, Needs, PlanState, Standing, step_to_do};
use crate::plan::snippet::Places;

/// A plan.
#[derive(Clone, Debug, Serialize)]
pub struct PlanView {
    /// The objective; null if no heading gives one.
    pub objective: Option<String>,
    /// `guide` or `contract`.
    pub mode: &'static str,
    /// The state of a plan in contract mode: `unapproved`, `proposed`, `active`, …; left out in guide mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'static str>,
    /// Why the plan waits, with the command that helps; left out if it does not wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    /// The number of goals with each status, without archived goals.
    pub counts: Counts,
    /// Goals in file order: all, or those that are not finished.
    pub goals: Vec<GoalView>,
    /// The last log line.
    pub last: Option<LogView>,
    /// The `!` lines.
    pub warnings: Vec<String>,
}

/// The number of goals with each status.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    /// `open`
    pub open: usize,
    /// `active`
    pub active: usize,
    /// `done`
    pub done: usize,
    /// `cancelled`
    pub cancelled: usize,
}

/// A goal.
#[derive(Clone, Debug, Serialize)]
pub struct GoalView {
    /// Its id; null if it has no valid one.
    pub id: Option<String>,
    /// Its number in the list; null for an archived goal.
    pub number: Option<usize>,
    /// Its subject.
    pub subject: String,
    /// `open`, `active`, `done`, `cancelled`
    pub status: &'static str,
    /// Below `# Archive`.
    pub archived: bool,
    /// 1 to 4.
    pub priority: u8,
    /// `feature`, `bugfix`, `refactor`, `docs`, `test`, `chore`
    pub kind: &'static str,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Acceptance criteria.
    pub done_when: Vec<String>,
    /// The verify command line; null if there is none.
    pub verify: Option<String>,
    /// Failure modes with their checks.
    pub failure_modes: Vec<ModeView>,
    /// The goals that it needs, by id.
    pub needs: Vec<String>,
    /// The `needs` that are not done.
    pub waits_for: Vec<String>,
    /// Globs.
    pub may_change: Vec<String>,
    /// Paths.
    pub evidence: Vec<String>,
    /// Steps that are complete or skipped.
    pub steps_settled: usize,
    /// In file order.
    pub steps: Vec<StepView>,
    /// First 12 hex digits of the goal contract's digest.
    pub contract: String,
    /// Whether it is done, and the last log line that counts is a sign-off for this contract.
    pub signed_off: bool,
}

/// A failure mode.
#[derive(Clone, Debug, Serialize)]
pub struct ModeView {
    /// The whole text, the check included.
    pub text: String,
    /// The command of its check.
    pub check: Option<String>,
}

/// A step.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    /// Its name in commands: its number, else `<goal>.<position>`.
    pub name: String,
    /// Its number.
    pub number: Option<u32>,
    /// Its text.
    pub text: String,
    /// `pending`, `active`, `complete`, `failed`, `skipped`
    pub mark: &'static str,
    /// Outcome, reason or note.
    pub outcome: Option<String>,
    /// Numbers of the steps that come first.
    pub after: Vec<u32>,
    /// Its command.
    pub run: Option<String>,
}

/// A log line.
#[derive(Clone, Debug, Serialize)]
pub struct LogView {
    /// `YYYY-MM-DD HH:MM`, local time.
    pub at: String,
    /// Its text.
    pub text: String,
}

/// A goal that may be worked on.
#[derive(Clone, Debug, Serialize)]
pub struct ReadyView {
    /// Its id; null if it has no valid one.
    pub id: Option<String>,
    /// Its subject.
    pub subject: String,
    /// `open` or `active`
    pub status: &'static str,
    /// 1 to 4.
    pub priority: u8,
    /// The step to be done now.
    pub step: Option<StepView>,
}

/// Returns a plan. Finished goals are included only with `all`, or if the filter selects them; archived goals never.
pub fn plan_view(plan: &Plan<'_>, all: bool, filter: &Filter) -> PlanView {
    let (needs, record, numbers) = (Needs::new(plan), GoalRecords::new(plan), GoalNumbers::new(plan));
    let mut counts = Counts::default();
    let (mut places, mut digests) = (Places::new(plan.source), Digests::default());
    let mut goals = Vec::new();
    for goal in plan.live_goals() {
        let status = goal.status();
        *match status {
            Status::Open => &mut counts.open,
            Status::Active => &mut counts.active,
            Status::Done => &mut counts.done,
            Status::Cancelled => &mut counts.cancelled,
        } += 1;
        let is_shown = if filter.is_empty() { all || !status.is_finished() } else { filter.takes(goal, &needs) };
        if is_shown {
            let (line, _) = places.of(goal.raw().heading.start as usize);
            goals.push(goal_view(goal, (line, numbers.of(goal)), &needs, &record, &mut digests));
        }
    }
    PlanView {
        objective: plan.objective().map(str::to_owned),
        mode: if plan.is_contract_mode() { "contract" } else { "guide" },
        state: Some(rules::state(plan)).filter(|state| *state != PlanState::Guide).map(PlanState::word),
        held: rules::held(plan).map(|held| held.to_string()),
        counts,
        goals,
        last: plan.log_lines().next_back().map(|(at, text)| LogView { at: at.to_owned(), text: text.to_owned() }),
        warnings: super::warnings(plan),
    }
}

/// Returns goals with their log lines, and each with its sign-off line if that is valid: `plan show --json`, `plan export json`.
pub fn shown(plan: &Plan<'_>, goals: &[GoalRef<'_, '_>]) -> Value {
    let goals: Vec<Value> =
        goal_views(plan, goals.iter().copied()).iter().zip(logs(plan, goals)).map(with_log).collect();
    let mut body = json!({ "objective": plan.objective(), "goals": goals });
    let state = rules::state(plan);
    if state != PlanState::Guide {
        body["state"] = state.word().into();
        body["held"] = json!(rules::held(plan).map(|held| held.to_string()));
    }
    body
}

/// The log lines of each goal, in file order.
pub fn logs(plan: &Plan<'_>, goals: &[GoalRef<'_, '_>]) -> Vec<Vec<LogView>> {
    let log = log_of(plan, goals);
    let view = |(at, text): &(&str, &str)| LogView { at: (*at).to_owned(), text: (*text).to_owned() };
    let of = |goal: &GoalRef<'_, '_>| goal.id().and_then(|id| log.get(id)).into_iter().flatten().map(view).collect();
    goals.iter().map(of).collect()
}

fn with_log((goal, log): (&GoalView, Vec<LogView>)) -> Value {
    let is_sign_off = |line: &&LogView| SignOff::read(&line.text).is_some();
    let sign_off = log.iter().rfind(is_sign_off).filter(|_| goal.signed_off);
    let mut value = json!(goal);
    value["sign_off"] = json!(sign_off);
    value["log"] = json!(log);
    value
}

/// Returns views of these goals of a plan, in the given order.
pub fn goal_views<'p, 'a: 'p>(plan: &'p Plan<'a>, goals: impl IntoIterator<Item = GoalRef<'p, 'a>>) -> Vec<GoalView> {
    let (needs, record, numbers) = (Needs::new(plan), GoalRecords::new(plan), GoalNumbers::new(plan));
    let (mut places, mut digests) = (Places::new(plan.source), Digests::default());
    let view = |goal: GoalRef<'_, '_>| {
        let line = places.of(goal.raw().heading.start as usize).0;
        goal_view(goal, (line, numbers.of(goal)), &needs, &record, &mut digests)
    };
    goals.into_iter().map(view).collect()
}

/// A goal of `plan next`.
pub fn ready_view(goal: GoalRef<'_, '_>) -> ReadyView {
    ReadyView {
        id: goal.id().map(str::to_owned),
        subject: goal.subject().to_owned(),
        status: goal.status().word(),
        priority: goal.priority(),
        step: step_to_do(goal).and_then(|index| goal.plan().step(index)).map(step_view),
    }
}

fn goal_view<'a>(
    goal: GoalRef<'_, 'a>,
    (line, number): (usize, Option<usize>),
    needs: &Needs<'a>,
    record: &GoalRecords<'_>,
    digests: &mut Digests,
) -> GoalView {
    let first = goal.raw().steps.start as usize;
    GoalView {
        id: goal.id().map(str::to_owned),
        number,
        subject: goal.subject().to_owned(),
        status: goal.status().word(),
        archived: goal.raw().archived,
        priority: goal.priority(),
        kind: goal.kind().word(),
        line,
        done_when: goal.list(Key::DoneWhen).into_iter().map(std::borrow::Cow::into_owned).collect(),
        verify: goal.verify().map(std::borrow::Cow::into_owned),
        failure_modes: goal
            .failure_modes()
            .into_iter()
            .map(|mode| ModeView { text: mode.text.into_owned(), check: mode.check.map(std::borrow::Cow::into_owned) })
            .collect(),
        needs: needs.of(goal),
        waits_for: needs.missing(goal),
        may_change: goal.may_change(),
        evidence: goal.evidence(),
        steps_settled: goal.progress().0,
        steps: (first..first + goal.steps().len()).filter_map(|index| goal.plan().step(index)).map(step_view).collect(),
        contract: digests.of(goal).short(),
        signed_off: goal.status() == Status::Done && record.standing(goal, digests) == Standing::SignedOff,
    }
}

fn step_view(step: StepRef<'_, '_>) -> StepView {
    StepView {
        name: step.name(),
        number: step.raw().number,
        text: step.text().to_owned(),
        mark: step.raw().mark.word(),
        outcome: step.outcome().map(str::to_owned),
        after: step.after().to_vec(),
        run: step.run().map(str::to_owned),
    }
}
