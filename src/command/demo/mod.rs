//! `plan demo`: what it is for, shown on a throwaway repository.

pub mod judge;
mod scenes;
mod stage;

use serde_json::json;

use self::scenes::Play;
use self::stage::Stage;
use super::{Context, Exit};
use crate::error::Result;

/// Show, in a throwaway repository, an honest goal signed off, a gamed one refused, a bad merge caught
///
/// Needs git and `sh`, nothing else: the judge is a small script inside this program, and is named so.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan demo")]
pub struct Args {}

/// Plays the scenes; exit 1 where one of them did not end as it must.
pub fn run(context: &Context, _args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    let stage = Stage::new(&context.ui)?;
    let mut play = Play::new(&context.ui, &stage);
    let result = play.all();
    context.ui.line(&format!("\nEverything is in {}; remove it when you have looked.", stage.folder().display()));
    // A scene that went wrong is told as the error that it is: one document, not two.
    result?;
    context.ui.line("Your own agent as judge, on three small cases:  plan judge test claude");
    context.ui.json(&json!({ "folder": stage.folder().to_string_lossy(), "passed": true, "commands": play.ran }));
    Ok(Exit::Yes)
}
