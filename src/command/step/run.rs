//! `plan step run`: runs a step's command after a person agreed.

use serde_json::json;

use crate::command::{Context, Exit, confirmed, context};
use crate::config;
use crate::contract::rewind::refuse_interrupted;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::model::Mark;
use crate::plan::rules::{self, PlanRequest, StepMove};
use crate::plan::{Plan, text, view};
use crate::store::{self, Place};

/// Run a step's command without a shell, and mark the step by its result
///
/// Shows number, text, description and command, and asks first. The step is active while the command runs. plan.md holds the
/// command as `(run: …)`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step run 3")]
pub(super) struct Args {
    /// The step's number, or goal and position.
    step: String,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    refuse_interrupted(&place)?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    // The request needs an outcome; the run will bring it.
    let request = |to, text| PlanRequest::Step { command: "step run", to, step: &args.step, text };
    context::permit(&place, &plan, request(StepMove::Done, Some("its run")))?;
    let found = plan.find_step(&args.step)?;
    rules::check_step_move(found, StepMove::Done)?;
    let (name, title) = (found.name(), super::title(&plan, found.index()));
    let command = found.run().ok_or_else(|| {
        Error::input(format!("step {name} has no command"))
            .hint(format!("give it the command to run: `plan step set {name} --run COMMAND`"))
    })?;
    let line = confirmed::line(command)?;
    confirmed::show(context, &place, &title, found.outcome(), command);
    if !args.yes {
        let again = format!("plan step run {}", args.step);
        confirmed::needs_terminal(context, "`step run` asks before it runs a command", &again)?;
        if !context.ui.confirm("Run it?")? {
            context.ui.line(&format!("step {name} was not run"));
            context.ui.json(&json!({ "step": name, "ran": false }));
            return Ok(Exit::No);
        }
    }
    // S-7: anyone who looks at the plan meanwhile sees what runs.
    let is_begun = found.raw().mark == Mark::Pending;
    if is_begun {
        remark(context, &place, args, command, request(StepMove::Start, None), Mark::Active)?;
    }
    let report = match confirmed::run(context, &place, &plan, &line) {
        Ok(report) => report,
        Err(error) => {
            if is_begun {
                remark(context, &place, args, command, request(StepMove::Start, None), Mark::Pending)?;
            }
            return Err(error);
        }
    };
    let outcome = text::one_line(&report.summary());
    let to = if report.is_green() { StepMove::Done } else { StepMove::Fail };
    let mark = to.mark();
    let stamp = config::stamp()?;
    let written = context.change_as(&place, request(to, Some(&outcome)), |now| {
        let found = now.find_step(&args.step)?;
        if found.run() != Some(command) {
            return Err(changed(&name));
        }
        rules::check_step_move(found, to)?;
        Ok(change::settle(found, mark, Some(&outcome), &stamp))
    })?;
    context.ui.line(&report.tail_text());
    let next =
        written.activated.as_ref().map(|next| format!(" → Step {}: {}", next.step, next.text)).unwrap_or_default();
    context.ui.line(&format!("{} Step {name} {}: {outcome}{next}", super::mark::sign(mark), mark.word()));
    render(context, &place, args)?;
    context.checkpoint(&place, &written, mark, &name);
    context.ui.json(&json!({ "step": name, "ran": true, "mark": mark.word(), "verify": report }));
    Ok(if report.is_green() { Exit::Yes } else { Exit::No })
}

/// Sets another mark, if the step still has the command that was shown.
fn remark(
    context: &Context,
    place: &Place,
    args: &Args,
    command: &str,
    request: PlanRequest<'_>,
    mark: Mark,
) -> Result<()> {
    let make = |now: &Plan<'_>| {
        let found = now.find_step(&args.step)?;
        match found.run() == Some(command) {
            true => Ok(vec![Change::SetMark { step: found.index(), mark, outcome: None }]),
            false => Err(changed(&found.name())),
        }
    };
    context.change_as(place, request, make).map(drop)
}

fn changed(name: &str) -> Error {
    Error::new(Kind::Changed, format!("step {name} was changed while its command ran; nothing written"))
}

/// Shows the goal's steps as they are now.
fn render(context: &Context, place: &Place, args: &Args) -> Result<()> {
    if context.ui.is_json() {
        return Ok(());
    }
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    view::open_steps(plan.find_step(&args.step)?.goal(), 2, context.ui.screen(), &mut context.ui.page());
    Ok(())
}
