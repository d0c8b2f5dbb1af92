//! The laws of contract mode (`CONTRACT.md` §3.5, 1 to 4, 7 and 9), with random commands and random edits by hand, in this process. The
//! changes that the check of every change allows are compared with a small reference.

use plan::plan::change::{Change, edits, next_number, settle};
use plan::plan::contract::plan_contract;
use plan::plan::edit::apply;
use plan::plan::log::{LogLine, ProposedEdit};

use plan::plan::model::{Mark, Plan, Status};
use plan::plan::parse;
use plan::plan::rules::{self, GoalMove, PlanRequest, PlanState, StepMove};
use proptest::prelude::*;

use crate::support::size::size;

mod laws;
mod merged;

const STAMP: &str = "2026-06-15 14:33";
const DRAFT: &str = "---\nmode: contract\n---\n# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n- [ ] 1. one\n- [ ] 2. two\n\n\
    ## Goal: B\n<!-- id: b-1 -->\nstatus: open\n- [ ] 3. three (after 1)\n- [ ] 4. four\n\n## Goal: C\n<!-- id: c-1 -->\nstatus: open\n\
    needs: a-1\n- [ ] 5. five\n\n## Log\n";

/// An action. Steps are numbers, goals are indexes from 0.
#[derive(Clone, Debug)]
enum Act {
    Step(StepMove, u32),
    Cancel(usize),
    AddStep(usize, bool),
    Reword(u32, bool),
    Remove(u32, bool),
    Shift(u32, usize, bool),
    AddGoal(bool),
    RemoveGoal(usize, bool),
    Log,
    /// A command that does not declare its request, and changes the contract, a mark or a status.
    Careless(u8),
    /// The actions of a person.
    Approve,
    Reject,
    /// Edits by hand: a mark, a word of a step, the mode, a removed approval line.
    HandMark(u32, Mark),
    HandWord(u32),
    HandMode,
    HandStatus(usize, Status),
}

fn act() -> impl Strategy<Value = Act> {
    let (step, goal) = (|| 1..9u32, || 0..4usize);
    let moves = prop_oneof![
        Just(StepMove::Start),
        Just(StepMove::Done),
        Just(StepMove::Skip),
        Just(StepMove::Fail),
        Just(StepMove::Retry)
    ];
    let mark = prop_oneof![
        Just(Mark::Pending),
        Just(Mark::Active),
        Just(Mark::Complete),
        Just(Mark::Failed),
        Just(Mark::Skipped)
    ];
    let status = prop_oneof![Just(Status::Open), Just(Status::Active), Just(Status::Done), Just(Status::Cancelled)];
    prop_oneof![
        12 => (moves, step()).prop_map(|(to, step)| Act::Step(to, step)),
        1 => goal().prop_map(Act::Cancel),
        2 => (goal(), any::<bool>()).prop_map(|(goal, why)| Act::AddStep(goal, why)),
        2 => (step(), any::<bool>()).prop_map(|(step, why)| Act::Reword(step, why)),
        2 => (step(), any::<bool>()).prop_map(|(step, why)| Act::Remove(step, why)),
        1 => (step(), goal(), any::<bool>()).prop_map(|(step, goal, why)| Act::Shift(step, goal, why)),
        1 => any::<bool>().prop_map(Act::AddGoal),
        1 => (goal(), any::<bool>()).prop_map(|(goal, why)| Act::RemoveGoal(goal, why)),
        1 => Just(Act::Log),
        2 => (0..4u8).prop_map(Act::Careless),
        6 => Just(Act::Approve),
        2 => Just(Act::Reject),
        1 => (step(), mark).prop_map(|(step, mark)| Act::HandMark(step, mark)),
        1 => step().prop_map(Act::HandWord),
        1 => Just(Act::HandMode),
        1 => (goal(), status).prop_map(|(goal, status)| Act::HandStatus(goal, status)),
    ]
}

fn line(text: impl ToString) -> Change {
    Change::AppendLog { stamp: STAMP.to_owned(), text: text.to_string() }
}

/// The request and the changes of a command; `None` if it names something that does not exist.
fn command<'w>(plan: &Plan<'_>, act: &Act) -> Option<(PlanRequest<'w>, Vec<Change>)> {
    let shape = |why: bool| PlanRequest::Shape { because: why.then_some("it is needed"), again: None };
    let step = |number: u32| plan.find_step(&number.to_string()).ok().filter(|step| !step.goal().raw().archived);
    let goal = |at: usize| plan.live_goals().nth(at);
    Some(match act {
        Act::Cancel(at) => {
            let goal = goal(*at)?;
            let is_proposed = matches!(rules::state(plan), PlanState::Active | PlanState::Proposed);
            let id: &'static str = goal.name().to_owned().leak();
            let request = PlanRequest::Goal { to: GoalMove::Cancel, goal: id, because: Some("not needed") };
            let proposal = LogLine::Proposed { edit: ProposedEdit::Cancel { goal: id }, because: "not needed" };
            match is_proposed {
                true => (request, vec![line(proposal)]),
                false => (request, vec![Change::SetStatus { goal: goal.index(), status: Status::Cancelled }]),
            }
        }
        Act::AddStep(at, why) => {
            let change =
                Change::AddStep { goal: goal(*at)?.index(), text: "new".into(), after: vec![], run: None, note: None };
            (shape(*why), vec![change])
        }
        Act::Reword(number, why) => {
            let step = step(*number)?;
            let text = format!("{} and more", step.text());
            (shape(*why), vec![Change::SetStepText { step: step.index(), text }])
        }
        Act::Remove(number, why) => (shape(*why), vec![Change::RemoveStep { step: step(*number)?.index() }]),
        Act::Shift(number, at, why) => {
            let (step, goal) = (step(*number)?.index(), goal(*at)?.index());
            (shape(*why), vec![Change::MoveStep { step, goal, at: None }])
        }
        Act::AddGoal(why) => {
            let new = plan::plan::change::NewGoal {
                subject: "New".into(),
                steps: vec!["task".into()],
                ..plan::plan::change::NewGoal::default()
            };
            (shape(*why), vec![Change::AddGoal(new)])
        }
        Act::RemoveGoal(at, why) => (shape(*why), vec![Change::RemoveGoal { goal: goal(*at)?.index() }]),
        Act::Log => (PlanRequest::Free, vec![line("a line")]),
        Act::Careless(what) => {
            let (step, goal) = (plan.step(0)?, goal(0)?);
            let change = match what {
                0 => Change::SetStepText { step: step.index(), text: format!("{} by stealth", step.text()) },
                1 => Change::SetMark { step: step.index(), mark: Mark::Complete, outcome: None },
                2 => Change::SetStatus { goal: goal.index(), status: Status::Done },
                _ => Change::AddStep {
                    goal: goal.index(),
                    text: "by stealth".into(),
                    after: vec![],
                    run: None,
                    note: None,
                },
            };
            (PlanRequest::Free, vec![change])
        }
        Act::Step(to, number) => {
            let name: &'static str = number.to_string().leak();
            let command = match to {
                StepMove::Start => "step start",
                StepMove::Done => "step done",
                StepMove::Skip => "step skip",
                StepMove::Fail => "step fail",
                StepMove::Retry => "step retry",
            };
            let request = PlanRequest::Step { command, to: *to, step: name, text: Some("so") };
            let found = step(*number)?;
            let changes = match to {
                StepMove::Retry => {
                    vec![line(LogLine::Proposed { edit: ProposedEdit::Retry { step: name }, because: "so" })]
                }
                _ => settle(found, to.mark(), Some("so"), STAMP),
            };
            (request, changes)
        }
        _ => return None,
    })
}

/// Writes as `Context::change_as` does, without files and git.
fn write(source: &[u8], act: &Act) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    let (request, mut changes) = command(&plan, act)?;
    rules::allow(&plan, request).ok()?;
    let after = apply(source, &edits(&plan, &changes).ok()?).ok()?;
    let after = parse::parse(&after).ok()?;
    rules::refuse_again(&plan, &after, request).ok()?;
    let proposed = rules::hold(&plan, &after, request).ok()?;
    changes.extend(proposed.lines.iter().map(line));
    if request.activates() {
        activate(&after, &mut changes);
    }
    apply(source, &edits(&plan, &changes).ok()?).ok()
}

fn activate(after: &Plan<'_>, changes: &mut Vec<Change>) {
    let Some(step) = rules::next_activation(after).and_then(|at| after.step(at)) else { return };
    changes.push(Change::SetMark { step: step.index(), mark: Mark::Active, outcome: None });
    if step.goal().status() == Status::Open {
        changes.push(Change::SetStatus { goal: step.goal().index(), status: Status::Active });
    }
}

/// A person's approval: it carries out retries and cancellations, its line names the current contract, and the next step begins.
fn approve(source: &[u8]) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    if !matches!(rules::state(&plan), PlanState::Unapproved | PlanState::Proposed)
        || !rules::violations(&plan).is_empty()
    {
        return None;
    }
    let mut changes = Vec::new();
    for proposal in rules::Approvals::read(&plan).by_line() {
        match proposal.edit {
            ProposedEdit::Retry { step } => {
                let step = plan.find_step(step).ok().filter(|step| step.raw().mark == Mark::Failed);
                changes.extend(step.map(|step| Change::SetMark {
                    step: step.index(),
                    mark: Mark::Pending,
                    outcome: None,
                }));
            }
            ProposedEdit::Cancel { goal } => {
                let goal = plan.goal_named(goal).ok().filter(|goal| !goal.status().is_finished());
                changes.extend(goal.map(|goal| Change::SetStatus { goal: goal.index(), status: Status::Cancelled }));
            }
            _ => {}
        }
    }
    changes.dedup();
    let (contract, steps) = (plan_contract(&plan).short(), next_number(&plan) - 1);
    changes.push(line(format!("plan approved by ada via terminal (contract {contract}, steps to {steps})")));
    let after = apply(source, &edits(&plan, &changes).ok()?).ok()?;
    activate(&parse::parse(&after).ok()?, &mut changes);
    apply(source, &edits(&plan, &changes).ok()?).ok()
}

/// A rejection if only lines are proposed; the contract itself is put back elsewhere.
fn reject(source: &[u8]) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    let contract = plan_contract(&plan).short();
    let is_proposed = rules::state(&plan) == PlanState::Proposed;
    let text = format!("edit rejected: not now (contract {contract})");
    is_proposed.then(|| apply(source, &edits(&plan, &[line(text)]).ok()?).ok())?
}

fn by_hand(source: &[u8], act: &Act) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    let step = |number: &u32| plan.find_step(&number.to_string()).ok();
    let change = match act {
        Act::HandMark(number, mark) => Change::SetMark { step: step(number)?.index(), mark: *mark, outcome: None },
        Act::HandWord(number) => Change::SetStepText { step: step(number)?.index(), text: "by hand".into() },
        Act::HandStatus(at, status) => Change::SetStatus { goal: plan.live_goals().nth(*at)?.index(), status: *status },
        Act::HandMode => {
            let text = String::from_utf8(source.to_vec()).ok()?;
            let is_there = text.starts_with("---\n");
            let other = if is_there {
                text.replacen("---\nmode: contract\n---\n", "", 1)
            } else {
                format!("---\nmode: contract\n---\n{text}")
            };
            return Some(other.into_bytes());
        }
        _ => return None,
    };
    apply(source, &edits(&plan, &[change]).ok()?).ok()
}

/// The reference: the digest of the newest approval of a plan that was approved in contract mode, kept outside the file.
#[derive(Clone, Debug, Default)]
struct Reference {
    agreed: Option<String>,
    /// Retries and cancellations that nobody has answered.
    asked: usize,
}

impl Reference {
    /// The states that the plan may have: active or complete only if it is the agreed plan and no question is open.
    fn expects(&self, plan: &Plan<'_>) -> &'static str {
        match &self.agreed {
            None if plan.is_contract_mode() && plan.live_goals().next().is_none() => "none",
            None if plan.is_contract_mode() => "unapproved",
            None => "guide",
            Some(_) if plan.live_goals().next().is_none() => "none",
            Some(digest) if self.asked == 0 && plan_contract(plan).is_short(digest) => "agreed",
            Some(_) => "proposed",
        }
    }
}

/// The number of sequences of acts, each with up to 40 acts.
fn sequences() -> u32 {
    u32::try_from(size(300, 1_500)).unwrap()
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 2_000, ..ProptestConfig::default() }
}
