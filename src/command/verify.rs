//! `plan verify`: rehearses a sign-off and writes nothing.

use std::time::Duration;

use super::{Context, Exit, complete};
use crate::config;
use crate::error::{Error, Result};
use crate::gate::Depth;
use crate::shell::quote;
use crate::signoff::check::{self, CheckRequest};
use crate::signoff::{judge, report_text};

/// Rehearse a sign-off: run a goal's verify, the gate, and the judge `checks` if it is set; ask no model, write nothing
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan verify cache-layer-1 --gate full")]
pub struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: String,
    /// The depth of the gate, as for `plan complete`.
    #[arg(long, value_name = "GATE", value_parser = Depth::WORDS)]
    gate: Option<String>,
    /// A shorter limit for verify, in seconds.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
}

/// Exits with 0 if verify is green, nothing blocks and the judge `checks`, if it would judge, misses nothing. Without a
/// verify, the result is unknown.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.place()?;
    context.refuse_inside_judge()?;
    let config = config::load()?;
    // A rehearsal needs no judge, so a missing judge is not mentioned.
    let judges =
        judge::choose(&[], &config.judge.list(), &|name| std::env::var_os(name), Some(&place)).unwrap_or_default();
    let report = check::verify(&CheckRequest {
        place: &place,
        caller: &context.cwd,
        config: &config,
        id: &context.goal_name(&place, &args.id)?,
        claim: None,
        paths: &[],
        judges: &judges,
        depth: complete::depth(args.gate.as_deref(), &place)?,
        repeat: 1,
        timeout: args.timeout.map(Duration::from_secs),
        prompt: None,
        person: &|_| Err(Error::input("`verify` asks nobody")),
        watch: &context.ui,
    })?;
    let gate = args.gate.as_ref().map(|gate| format!(" --gate {gate}")).unwrap_or_default();
    let limit = args.timeout.filter(|_| !report.check.may_have_timed_out());
    let limit = limit.map(|limit| format!(" --timeout {limit}")).unwrap_or_default();
    let again = format!("plan verify {}{limit}{gate}", quote(&report.check.goal));
    context.ui.rows(&context.rows_in_place(report_text::verify(&report, &again)));
    context.ui.json(&report);
    Ok(match report.passed {
        true => Exit::Yes,
        false if report.check.verify.is_none() && !report.check.is_blocked() => Exit::Unknown,
        false => Exit::No,
    })
}
