//! `plan init`: writes the first plan.md.

use serde_json::json;

use super::{Context, Exit};
use crate::doctor;
use crate::error::Result;
use crate::plan::change::{self, NO_OBJECTIVE, new_plan};
use crate::session::events;
use crate::store;

/// Write a plan.md
///
/// Without an objective, the heading is yours to fill in.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan init \"Faster search\" --template feature")]
pub struct Args {
    /// The plan's aim in one line.
    objective: Option<String>,
    /// Begin with a goal of this sort.
    #[arg(long, value_enum)]
    template: Option<Template>,
    /// `guide`: goals and steps may change without approval. `contract`: a person approves them, and each later change waits for
    /// approval (docs/contract.md).
    #[arg(long, value_name = "MODE", default_value = "guide", value_parser = ["guide", "contract"])]
    mode: String,
}

/// The goals that a plan can begin with.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Template {
    /// Something new.
    Feature,
    /// A bug: reproduced, then fixed.
    Bugfix,
    /// A new structure; the behaviour stays the same.
    Refactor,
}

impl From<Template> for change::Template {
    fn from(template: Template) -> Self {
        match template {
            Template::Feature => change::Template::Feature,
            Template::Bugfix => change::Template::Bugfix,
            Template::Refactor => change::Template::Refactor,
        }
    }
}

/// Writes the file; exit 2 if it exists already.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    let place = context.new_place()?;
    context.refuse_other_tool(&place)?;
    let above = context.find().ok().flatten().filter(|above| above.file != place.file);
    let is_contract = args.mode == "contract";
    let text = new_plan(args.objective.as_deref().unwrap_or(NO_OBJECTIVE), is_contract, args.template.map(Into::into));
    let made = store::create(&place, text.as_bytes())?;
    context.notes(&made.notes);
    events::append(&place, "plan_created", &json!({ "objective": args.objective }));
    context.ui.line(&format!("wrote {}", context.shown(&place.file)));
    if let Some(above) = above {
        let there = context.shown(&above.file);
        context.ui.note(&format!("note: `{there}` exists too; in this folder `plan` now uses the new one"));
    }
    context.note_ignored(&place);
    if let Some(command) = doctor::unformatted(&place, &context.cwd) {
        context.ui.note(&format!("note: prettier would rewrite plan.md, and goals would lose fields: `{command}`"));
    }
    if args.objective.is_none() {
        context.ui.line(&format!(
            "first: in {}, write your objective in place of `{NO_OBJECTIVE}`",
            context.shown(&place.file)
        ));
    }
    let options = if is_contract { "--step \"…\"" } else { "--start" };
    context.ui.line(&match args.template {
        Some(_) => {
            format!(
                "next, fill in the command of your test: {}   (`plan lint --quality` shows what else is missing)",
                context.typed("plan goal set 1 --verify COMMAND")
            )
        }
        None => {
            let add = "plan goal add \"subject\" --done-when \"…\" --verify \"…\" --failure-mode \"…\"";
            format!("next: {} {options}", context.typed(add))
        }
    });
    context.ui.json(&json!({ "file": place.file.to_string_lossy() }));
    Ok(Exit::Yes)
}
