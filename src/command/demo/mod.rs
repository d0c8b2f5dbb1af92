//! `plan demo`: shows what `plan` is for, in a throwaway repository.

pub mod judge;
mod scenes;
mod stage;

use serde_json::json;

use self::scenes::Play;
use self::stage::Stage;
use super::{Context, Exit};
use crate::error::Result;
use crate::plan::view::{Row, Style};
use crate::ui::Ui;

/// The summary of what a viewer has seen and can do next: mark, its style, text.
const SUMMARY: [(&str, Style, &str); 8] = [
    ("✓", Style::Good, "an honest goal: red before the work, green after it, and a judge that cites lines"),
    ("✓", Style::Good, "a goal without a model: `checks` runs one command for each failure mode"),
    ("✗", Style::Bad, "a false \"done\": refused twice, before any judge was asked"),
    ("✗", Style::Bad, "a bad merge: plain git kept `done`, plan's driver opened the goal again"),
    ("$", Style::Dim, "plan init \"what you want\"    begin, in your repository"),
    ("$", Style::Dim, "plan judge set checks        no account needed; or claude, codex, pi, gemini, opencode, qwen"),
    ("$", Style::Dim, "plan install claude          your agent keeps the plan after each compaction"),
    ("$", Style::Dim, "plan demo --keep             play it again and keep the repository"),
];

/// Play four goals in a throwaway repository: two honest, one false, one broken by a merge
///
/// Needs git and `sh`. No model is asked: the judge is a small script inside this program.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan demo --keep")]
pub struct Args {
    /// Keep the repository, and say where it is.
    #[arg(long)]
    keep: bool,
}

/// Plays the scenes; exit 1 if one of them did not end as it must.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    let stage = Stage::new(&context.ui, &context.cwd, args.keep)?;
    let mut play = Play::new(&context.ui, &stage);
    let result = play.all();
    if args.keep {
        context.ui.line(&format!("\nThe repository: {}", stage.repo().display()));
    }
    // A scene that failed is reported as its own error: one document, not two.
    result?;
    summary(&context.ui);
    let kept = args.keep.then(|| stage.folder().to_string_lossy());
    context.ui.json(&json!({ "folder": kept, "passed": true, "commands": play.ran }));
    Ok(Exit::Yes)
}

fn summary(ui: &Ui) {
    let row = |(mark, style, text): (&str, Style, &str)| {
        Row::new(3).with(style, mark).with(Style::Plain, format!("  {text}"))
    };
    ui.rows(&[Row::new(0)]);
    ui.rows(&SUMMARY.map(row));
}
