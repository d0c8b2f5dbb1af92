//! `plan step run`: runs a step's command after a person agreed.

use serde_json::json;

use crate::command::{Context, Exit, context};
use crate::contract::rewind::refuse_interrupted;
use crate::error::{Error, Kind, Result};
use crate::plan::change;
use crate::plan::rules::{self, StepMove, Wish};
use crate::plan::text;
use crate::signoff::stage1;
use crate::{config, store};

/// Run a step's command without a shell, and mark the step by its result
///
/// Shows number, text and command, and asks first. plan.md holds the command as `(run: …)`.
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
    // What is asked for here needs an outcome that the run will bring.
    let wish = |to, text| Wish::Step { command: "step run", to, step: &args.step, text };
    context::permit(&place, &plan, wish(StepMove::Done, Some("its run")))?;
    let step = plan.find_step(&args.step)?.index();
    rules::check_step_move(plan.find_step(&args.step)?, StepMove::Done)?;
    let (name, title) = (super::name(&plan, step), super::title(&plan, step));
    let command = plan.steps[step].run.map(|span| plan.text(span)).ok_or_else(|| {
        Error::input(format!("step {name} has no command")).hint("in plan.md, write `(run: COMMAND)` at the end of its line; `plan step add GOAL \"text\" --run \"COMMAND\"` adds another step with one")
    })?;
    let line = stage1::Line::read(command)?;
    context.ui.note(&format!("{title}\n  {command}"));
    if !args.yes {
        if !context.ui.can_ask() {
            return Err(Error::new(
                Kind::Refused,
                "`step run` asks before it runs a command, and there is no terminal",
            )
            .hint(format!("run it in a terminal: `plan step run {}`", args.step)));
        }
        if !context.ui.confirm("Run it?")? {
            context.ui.line(&format!("step {name} was not run"));
            context.ui.json(&json!({ "step": name, "ran": false }));
            return Ok(Exit::No);
        }
    }
    let limits = stage1::Limits::of(Some(&plan), &config::load()?, None);
    let ground = stage1::RunContext { root: &place.root, log: None, limit: limits.verify };
    let report = stage1::run(&line, &ground, &context.ui)?;
    let outcome = text::one_line(&report.summary());
    let to = if report.is_green() { StepMove::Done } else { StepMove::Fail };
    let mark = to.mark();
    let stamp = config::stamp()?;
    let written = context.change_as(&place, wish(to, Some(&outcome)), |now| {
        let found = now.find_step(&args.step)?;
        if found.run() != Some(command) {
            return Err(Error::new(
                Kind::Changed,
                format!("step {name} was changed while its command ran; nothing written"),
            ));
        }
        rules::check_step_move(found, to)?;
        Ok(change::settle(found, mark, Some(&outcome), &stamp))
    })?;
    context.ui.line(&report.tail_text());
    let next = written.activated.map(|next| format!(" → Step {}: {}", next.step, next.text)).unwrap_or_default();
    context.ui.line(&format!("{} Step {name} {}: {outcome}{next}", super::mark::sign(mark), mark.word()));
    context.checkpoint(&place, mark, &name);
    context.ui.json(&json!({ "step": name, "ran": true, "mark": mark.word(), "verify": report }));
    Ok(if report.is_green() { Exit::Yes } else { Exit::No })
}
