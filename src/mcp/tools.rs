//! The tools: `prompts/mcp.json` has their descriptions, and this file the commands that they run.

use std::ffi::OsString;

use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::input::{Argv, Input, Refusal};
use crate::error::{Error, Kind, Result};
use crate::prompt;

/// The texts for the client.
#[derive(Deserialize)]
pub(super) struct Words {
    /// Instructions about the server as a whole.
    pub(super) instructions: String,
    /// The tools' names, descriptions and schemas.
    pub(super) tools: Vec<Tool>,
}

impl Words {
    pub(super) fn read() -> Result<Words> {
        serde_json::from_str(prompt::MCP).map_err(|error| Error::new(Kind::Unknown, format!("`mcp.json`: {error}")))
    }
}

/// Returns the command line of a tool's call; `None` for a tool that does not exist.
pub(super) fn argv(tool: &str, fields: Map<String, Value>) -> Option<std::result::Result<Vec<OsString>, Refusal>> {
    let command = match tool {
        "plan_show" => show,
        "plan_goal" => goal,
        "plan_step" => step,
        "plan_progress" => progress,
        "plan_complete" => complete,
        "plan_verify" => verify,
        "plan_pause" => pause,
        "plan_log" => log,
        "plan_review" => review,
        _ => return None,
    };
    let mut input = Input::new(fields);
    Some(command(&mut input).and_then(|argv| {
        input.finish()?;
        argv.finish()
    }))
}

type ToolCommand = std::result::Result<Argv, Refusal>;

fn show(input: &mut Input) -> ToolCommand {
    Ok(Argv::of(&["show"]).texts(input.text("goal")?))
}

fn goal(input: &mut Input) -> ToolCommand {
    match input.needed("do")?.as_str() {
        "add" => Ok(contract(input, Argv::of(&["goal", "add"]))?
            .option("id", input.text("goal")?)
            .option("step", input.list("steps")?)
            .flag("start", input.flag("start")?)
            .option("because", input.text("because")?)
            .texts([input.needed("subject")?])),
        "set" => Ok(contract(input, Argv::of(&["goal", "set"]))?
            .option("subject", input.text("subject")?)
            .option("because", input.text("because")?)
            .texts([input.needed("goal")?])),
        "start" => Ok(Argv::of(&["goal", "start"]).texts([input.needed("goal")?])),
        "remove" => {
            Ok(Argv::of(&["goal", "remove"]).option("because", input.text("because")?).texts([input.needed("goal")?]))
        }
        "cancel" => Ok(Argv::of(&["goal", "cancel"])
            .option("because", input.text("because")?)
            .texts([input.needed("goal")?, input.needed("reason")?])),
        other => Err(format!("expected `do` to be add, start, set, cancel or remove, found `{other}`")),
    }
}

fn contract(input: &mut Input, argv: Argv) -> ToolCommand {
    Ok(argv
        .option("done-when", input.list("done_when")?)
        .option("verify", input.text("verify")?)
        .option("failure-mode", input.list("failure_modes")?)
        .option("needs", input.list("needs")?)
        .option("may-change", input.list("may_change")?)
        .option("kind", input.text("kind")?)
        .option("priority", input.text("priority")?))
}

fn step(input: &mut Input) -> ToolCommand {
    let verb = input.needed("do")?;
    let argv = Argv::of(&["step", &verb]);
    match verb.as_str() {
        "add" => Ok(argv
            .option("run", input.text("run")?)
            .option("because", input.text("because")?)
            .texts([input.needed("goal")?, input.needed("text")?])),
        "set" => {
            Ok(argv.option("because", input.text("because")?).texts([input.needed("step")?, input.needed("text")?]))
        }
        "remove" => Ok(argv.option("because", input.text("because")?).texts([input.needed("step")?])),
        "retry" => {
            Ok(argv.option("because", input.text("because")?).texts([input.needed("step")?]).texts(input.text("text")?))
        }
        "run" => Ok(argv.texts([input.needed("step")?])),
        "start" | "done" | "fail" | "skip" => Ok(argv.texts([input.needed("step")?]).texts(input.text("text")?)),
        other => {
            Err(format!("expected `do` to be start, done, fail, skip, retry, add, set, remove or run, found `{other}`"))
        }
    }
}

fn progress(input: &mut Input) -> ToolCommand {
    Ok(Argv::of(&["progress"])
        .option("step", input.text("step")?)
        .option("summary", input.text("summary")?)
        .option("next", input.text("next")?)
        .flag("done", input.flag("done")?))
}

fn complete(input: &mut Input) -> ToolCommand {
    Ok(Argv::of(&["complete"])
        .option("evidence", input.text("evidence")?)
        .option("path", input.list("paths")?)
        .option("judge", input.list("judges")?)
        .option("gate", input.text("gate")?)
        .option("wait", input.text("wait")?)
        .flag("detach", input.flag("detach")?)
        .texts([input.needed("goal")?]))
}

fn verify(input: &mut Input) -> ToolCommand {
    Ok(Argv::of(&["verify"]).option("gate", input.text("gate")?).texts([input.needed("goal")?]))
}

fn pause(input: &mut Input) -> ToolCommand {
    let off = input.flag("off")?;
    let why = if off { input.text("why")? } else { Some(input.needed("why")?) };
    Ok(Argv::of(&["pause"]).flag("off", off).texts(why))
}

fn log(input: &mut Input) -> ToolCommand {
    Ok(Argv::of(&["log"]).texts([input.needed("text")?]))
}

/// Only asks the question: the answer comes by the chat. An acceptance that a client gives by itself is not a person's word.
fn review(_: &mut Input) -> ToolCommand {
    Ok(Argv::of(&["review", "--by-mark"]))
}
