//! `plan approve`: a person agrees to the contract (`CONTRACT.md` §1).

use serde_json::json;

use super::{Context, Exit, decision};
use crate::contract::approve::Approver;
use crate::contract::person;
use crate::error::{Error, Kind, Result};

/// Approve the plan's contract
///
/// Shows the contract, or what changed in it since it was approved last, and asks. Only a person approves: a call from an agent's
/// session is refused. In contract mode the first step becomes active, and from then on the contract changes by proposals only.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan approve --note \"step 4 may wait\"")]
pub struct Args {
    /// A remark for the log.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    note: Option<String>,
    /// Who approves; by default git's `user.name`, else the name of the account.
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

/// Shows the contract, asks the person, and writes the approval.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    person::require()?;
    if !args.yes && !context.ui.can_ask() {
        return Err(Error::new(Kind::Refused, "`approve` asks a person first, and there is no terminal")
            .hint("run it in a terminal: `plan approve`"));
    }
    let shown = decision::shown(context, &place)?;
    if !shown.is_open {
        let by = shown.approved.as_deref().unwrap_or("it is approved");
        context.ui.line(&format!("already approved: {by}"));
        context.ui.json(&json!({ "approved": null, "state": shown.state.word() }));
        return Ok(Exit::Yes);
    }
    decision::check(&place)?;
    decision::print(context, &shown);
    if !args.yes {
        context.ui.flush();
        if !context.ui.agrees(decision::menu::QUESTION)? {
            context.ui.line("nothing was approved");
            context.ui.json(&json!({ "approved": null, "state": shown.state.word() }));
            return Ok(Exit::No);
        }
    }
    let way = if args.yes { "--yes" } else { "terminal" };
    let by = Approver::new(&decision::name(&place, args.name.as_deref()), way, args.note.as_deref());
    decision::approve(context, &place, &shown.version, &by)?;
    Ok(Exit::Yes)
}
