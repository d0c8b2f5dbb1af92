//! The menu of `plan review` on a terminal: Ready, Edit, $EDITOR, Cancel.

use std::ffi::OsStr;

use serde_json::json;

use super::{Shown, approve, check, name, print, shown};
use crate::command::{Context, Exit};
use crate::contract::approve::Approver;
use crate::error::{Error, Result};
use crate::process::environment::Environment;
use crate::process::{attached::attached, words};
use crate::session::review;
use crate::store::Place;
use crate::ui;

/// In the order of the menu.
const ITEMS: [&str; 4] = ["Ready: approve it", "Edit: say what to change", "$EDITOR: open plan.md", "Cancel"];

/// Shows the contract, or what changed in it, until the person has decided.
pub(in crate::command) fn run(context: &Context, place: &Place) -> Result<Exit> {
    loop {
        let shown = shown(context, place)?;
        if !shown.is_open {
            context.ui.line(&nothing_to_decide(&shown));
            context.ui.json(&json!({ "review": "approved" }));
            return Ok(Exit::Yes);
        }
        print(context, &shown);
        let invalid = check(place).err();
        if let Some(error) = &invalid {
            context.ui.error(error);
        }
        context.ui.flush();
        match ui::select("What now?", &ITEMS)? {
            Some(0) if invalid.is_none() => {
                approve(context, place, &shown.version, &Approver::new(&name(None), "terminal", None))?;
                return Ok(Exit::Yes);
            }
            Some(0) => context.ui.note("note: mend the plan first; it is shown again"),
            Some(1) => {
                if let Some(block) = asked(place, &shown)? {
                    context.ui.line(&block);
                    return Ok(Exit::No);
                }
            }
            Some(2) => edit(place)?,
            _ => {
                context.ui.line("nothing was decided");
                return Ok(Exit::No);
            }
        }
    }
}

/// `nothing to decide: ada approved it (2026-06-15 14:02)`
pub(in crate::command) fn nothing_to_decide(shown: &Shown) -> String {
    format!("nothing to decide: {}", shown.approved.as_deref().unwrap_or("it is approved"))
}

/// The block for the agent's next message, with what the person wants changed. `None`: the person typed nothing.
fn asked(place: &Place, shown: &Shown) -> Result<Option<String>> {
    let words = ui::ask_line("What is to change?")?;
    Ok(match words.trim() {
        "" => None,
        words => review::feedback_on(place, &shown.text(), words),
    })
}

/// Opens plan.md in the person's editor.
fn edit(place: &Place) -> Result<()> {
    let of = |variable: &str| std::env::var(variable).ok().filter(|line| !line.trim().is_empty());
    let line = of("VISUAL").or_else(|| of("EDITOR")).unwrap_or_else(|| "vi".to_owned());
    let unfit = || Error::input(format!("`$EDITOR`: expected one program with its arguments, found `{line}`"));
    let sequence = words::split(&line).map_err(|_| unfit())?;
    let [command] = &sequence.commands[..] else { return Err(unfit()) };
    let argv = command.argv();
    let (program, rest) = argv.split_first().ok_or_else(unfit)?;
    let args: Vec<&OsStr> = rest.iter().map(OsStr::new).chain([place.file.as_os_str()]).collect();
    let environment =
        command.env.iter().fold(Environment::inherited(), |environment, (name, value)| environment.set(name, value));
    attached(OsStr::new(program), &args, &place.root, &environment).map(drop)
}
