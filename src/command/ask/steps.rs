//! Writes a planner's steps into plan.md: as a new goal, or in place of the last plan's incomplete steps.

use serde_json::json;

use super::RepliedRequest;
use crate::command::confirmed::{shell_needing, shown};
use crate::command::{Exit, happened};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::exchange::planner::{self, PlannedStep, PlannedSteps, Reply, StepStatus};
use crate::exchange::{self, TaskList, TaskState};
use crate::plan::change::{Change, next_number, quotes};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Plan};
use crate::plan::rules::PlanRequest;
use crate::plan::text::{counted, cut, log_text, one_line};
use crate::plan::view;
use crate::session::events;
use crate::store;

/// Returns the last goal made of a planner's steps that is not finished and has a step left to do.
pub(super) fn goal_of<'p, 'a>(plan: &'p Plan<'a>) -> Option<GoalRef<'p, 'a>> {
    let heading = format!("From {} ", planner::READER.tool);
    let made = quotes(plan).into_iter().filter(|(_, quote)| quote.heading.starts_with(&heading));
    let goals = made.filter_map(|(index, _)| plan.goal(index));
    let is_open = |goal: &GoalRef<'_, '_>| !goal.raw().archived && !goal.status().is_finished();
    goals.filter(is_open).filter(|goal| goal.steps().iter().any(|step| !step.mark.is_settled())).last()
}

/// Shows the steps, asks, writes them, and shows the goal.
pub(super) fn run(asked: &RepliedRequest<'_>, planned: &PlannedSteps) -> Result<Exit> {
    let (context, place) = (asked.context, asked.place);
    let stamp = config::stamp()?;
    let mut old = goal_of(asked.plan);
    let new = old.map_or_else(|| planned.steps.clone(), |goal| still_to_do(goal, planned));
    let list = listed(planned, &new, &stamp);
    if new.is_empty() {
        context.ui.line("nothing is planned: every step of the reply is complete already");
        context.ui.json(&json!({ "reply": super::shown(&Reply::Plan(planned.clone())), "done": false }));
        return Ok(Exit::Yes);
    }
    show(asked, &list, old);
    let question = if old.is_some() { "Replace them?" } else { "Write them into plan.md?" };
    match asked.agrees(&Reply::Plan(planned.clone()), "writes steps", question)? {
        None => return Ok(Exit::Code(4)),
        Some(true) => {}
        // The last plan may be about something else.
        Some(false) if old.is_some() && context.ui.confirm("Write them as a goal of their own?")? => old = None,
        Some(false) => {
            context.ui.line("nothing was written");
            return Ok(Exit::No);
        }
    }
    let because = log_text(&format!("asked: {}", cut(asked.request, BECAUSE)));
    let request = PlanRequest::Shape { because: Some(&because), again: None };
    let (first, name) = (next_number(asked.plan), old.map(|goal| goal.name().to_owned()));
    let mut goal_name = name.clone();
    context.change_as(place, request, |now| {
        if now.source != asked.plan.source {
            return Err(Error::new(Kind::Changed, "plan.md changed while you read the steps; nothing was written")
                .hint(asked.again.clone()));
        }
        match &name {
            Some(name) => Ok(replaced(now.find_goal(name)?, &list)),
            None => {
                let import = added(now, list.clone(), &stamp)?;
                goal_name = import.report.mapped.first().map(|mapped| mapped.goal.clone());
                Ok(import.changes)
            }
        }
    })?;
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    let goal = plan.find_goal(&goal_name.unwrap_or_default())?;
    tell(asked, goal, first, name.is_some());
    Ok(Exit::Yes)
}

/// The maximum length of a request in the log, in bytes.
const BECAUSE: usize = 200;

/// Returns the steps of a reply, except those that it marks completed and that the goal already has as complete.
fn still_to_do(goal: GoalRef<'_, '_>, planned: &PlannedSteps) -> Vec<PlannedStep> {
    let first = goal.raw().steps.start as usize;
    let complete: Vec<StepRef<'_, '_>> = (first..first + goal.steps().len())
        .filter_map(|at| goal.plan().step(at))
        .filter(|step| step.raw().mark == Mark::Complete)
        .collect();
    let is_complete = |step: &&PlannedStep| {
        let is_it =
            |done: &StepRef<'_, '_>| done.text() == one_line(step.label()) && done.run() == step.command.as_deref();
        step.status == StepStatus::Completed && complete.iter().any(is_it)
    };
    planned.steps.iter().filter(|step| !is_complete(step)).cloned().collect()
}

/// Returns the steps as one task. All are pending, because only `plan` knows how far a step is.
fn listed(planned: &PlannedSteps, steps: &[PlannedStep], stamp: &str) -> TaskList {
    let pending = |step: &PlannedStep| PlannedStep { status: StepStatus::Pending, ..step.clone() };
    let steps = PlannedSteps { summary: planned.summary.clone(), steps: steps.iter().map(pending).collect() };
    let mut list = planner::tasks(&steps, stamp.split(' ').next().unwrap_or_default());
    list.tasks.iter_mut().for_each(|task| task.state = TaskState::Active);
    list
}

fn show(asked: &RepliedRequest<'_>, list: &TaskList, old: Option<GoalRef<'_, '_>>) {
    let (ui, task) = (&asked.context.ui, &list.tasks[0]);
    let mut lines = vec![cut(&one_line(&task.subject), BECAUSE)];
    for step in &task.steps {
        let title = format!("{}. {}", step.id, step.text);
        let shown = shown(&title, step.note.as_deref(), step.run.as_deref());
        lines.extend(shown.lines().map(|line| format!("  {line}")));
    }
    let commands = task.steps.iter().filter(|step| step.run.is_some()).count();
    lines.push(format!("{}, {} with a command; nothing is run now", counted(task.steps.len(), "step"), commands));
    lines.extend(shell_needing(list));
    if let Some(goal) = old {
        let left: Vec<_> = goal.steps().iter().filter(|step| !step.mark.is_settled()).collect();
        let stay = goal.steps().len() - left.len();
        lines.push(format!(
            "replaces {} of `{}`; {} there",
            counted(left.len(), "step"),
            goal.name(),
            if stay == 1 { "1 step stays".to_owned() } else { format!("{stay} steps stay") }
        ));
    }
    ui.note(&lines.join("\n"));
}

/// Returns the changes that replace a goal's unsettled steps by the steps of the list.
fn replaced(goal: GoalRef<'_, '_>, list: &TaskList) -> Vec<Change> {
    let first = goal.raw().steps.start as usize;
    let left = goal.steps().iter().enumerate().filter(|(_, step)| !step.mark.is_settled());
    let mut changes: Vec<Change> = left.map(|(at, _)| Change::RemoveStep { step: first + at }).collect();
    for step in list.tasks.iter().flat_map(|task| &task.steps) {
        changes.push(Change::AddStep {
            goal: goal.index(),
            text: step.text.clone(),
            after: Vec::new(),
            run: step.run.clone(),
            note: step.note.clone(),
        });
    }
    changes
}

/// Returns the changes that write the steps as a new goal. If another plan has the same name, the name gets a number.
fn added(plan: &Plan<'_>, mut list: TaskList, stamp: &str) -> Result<exchange::Import> {
    let name = list.tasks[0].id.clone();
    for count in 2.. {
        let import = exchange::write(plan, &list, false, stamp)?;
        if !import.report.mapped.is_empty() {
            return Ok(import);
        }
        list.tasks[0].id = format!("{name} ({count})");
    }
    Err(Error::input("no name is free for these steps"))
}

/// Records the new plan as an event, and shows the goal. `first` is the number of the first new step.
fn tell(asked: &RepliedRequest<'_>, goal: GoalRef<'_, '_>, first: u32, is_replaced: bool) {
    let (context, place) = (asked.context, asked.place);
    let new = goal.steps().iter().filter_map(|step| step.number).filter(|number| *number >= first);
    let numbers: Vec<String> = new.map(|number| number.to_string()).collect();
    let mut history = happened::history(place);
    let revision = if is_replaced { history.revision(goal.name()) + 1 } else { 0 };
    let event = if is_replaced { "plan_updated" } else { "plan_created" };
    events::append(place, event, &json!({ "goal": goal.name(), "revision": revision, "steps": numbers }));
    history = happened::history(place);
    let (plan, goals) = (goal.plan(), [goal]);
    view::show(plan, &goals, false, context.ui.screen(), &mut context.ui.page());
    if let Some(step) = planner::current(goal, &history, &happened::masked) {
        let name = step.name();
        let next = match step.run() {
            Some(_) => format!("plan step run {name}"),
            None => format!("plan step done {name} \"outcome\""),
        };
        context.ui.note(&format!("next: {next}"));
    }
}
