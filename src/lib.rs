//! `plan` keeps an agent's plan in one git-tracked plan.md and signs a goal off only when a command and a judge agree.
//!
//! Each module describes its purpose and its interface. The core, [`plan`], is pure; the modules around it do the input and output.

pub mod agent;
pub mod audit;
pub mod base;
pub mod cli;
pub mod command;
pub mod config;
pub mod contract;
pub mod disk;
pub mod doctor;
pub mod error;
pub mod exchange;
pub mod gate;
pub mod host;
pub mod lang;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod mutate;
pub mod plan;
pub mod process;
pub mod prompt;
pub mod replay;
pub mod repo;
pub mod report;
pub mod session;
pub mod settings;
pub mod shell;
pub mod signoff;
pub mod store;
pub mod ui;
pub mod verify;
#[cfg(feature = "watch")]
pub mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::cli::{Cli, Verb};
use crate::command::{Context, Exit};
use crate::error::Result;
use crate::ui::Ui;

/// Runs one command line and returns its exit status (`CLI.md`, exit codes).
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = command::usage::whole(arguments.into_iter().collect());
    if arguments.get(1).is_some_and(|word| word == process::child::VERB) {
        return ExitCode::from(process::child::main());
    }
    if arguments.get(1).is_some_and(|word| word == process::sandbox::VERB) {
        Ui::new(false, ui::Color::Never).note(&process::sandbox::enter(&arguments[2..]));
        return ExitCode::from(process::sandbox::REFUSED);
    }
    if arguments.get(1).is_some_and(|word| word == process::account::VERB) {
        let ui = Ui::new(false, ui::Color::Never);
        ui.raw(&std::env::home_dir().unwrap_or_default().to_string_lossy());
        ui.finish();
        return ExitCode::SUCCESS;
    }
    if arguments.get(1).is_some_and(|word| word == command::demo::judge::VERB) {
        return command::demo::judge::main();
    }
    if arguments.get(1).is_some_and(|word| word == repo::MERGE_VERB) {
        return command::merge::main(&arguments[2..]);
    }
    if arguments.get(1).is_some_and(|word| word == session::review::AGREE_VERB) {
        return command::review::answer::main(&arguments[2..]);
    }
    if let Some(code) = command::quick(&arguments) {
        return code;
    }
    if let Some(code) = command::completions::answer(&arguments, Cli::command) {
        return code;
    }
    if arguments.get(1).is_some_and(|word| word == process::own::VERB) {
        process::own::settle();
        let asks = arguments.get(2).is_some_and(|word| word == process::own::ASKS);
        let words: Vec<OsString> =
            arguments.into_iter().enumerate().filter(|(at, _)| !(1..=2).contains(at)).map(|(_, word)| word).collect();
        return obey(&words, |_, _| Ui::relayed(asks));
    }
    obey(&arguments, Ui::new)
}

fn obey(arguments: &[OsString], ui: impl FnOnce(bool, ui::Color) -> Ui) -> ExitCode {
    match Cli::of_one_verb(arguments).map_or_else(|| Cli::try_parse_from(arguments), Ok) {
        Ok(cli) => {
            let json = cli.is_json();
            let Cli { global, all, detached, verb } = cli;
            let context = Context::new(ui(json, global.color), global.dir, global.file);
            let result = match &verb {
                None => command::list::run(&context, &command::list::Args::of(all)),
                Some(Verb::Complete(args)) if detached => command::complete::run_detached(&context, args),
                Some(verb) => dispatch(&context, verb),
            };
            command::end(&context, result)
        }
        Err(error) if error.use_stderr() && command::hook::is_passed_over(arguments) => ExitCode::SUCCESS,
        Err(error) => command::usage::answer(arguments, &error, Cli::command()),
    }
}

fn dispatch(context: &Context, verb: &Verb) -> Result<Exit> {
    match verb {
        Verb::List(args) => command::list::run(context, args),
        Verb::Show(args) => command::show::run(context, args),
        Verb::Next(args) => command::next::run(context, args),
        Verb::Watch(args) => command::watch::run(context, args),
        Verb::Report(args) => command::report::run(context, args),
        Verb::Init(args) => command::init::run(context, args),
        Verb::Draft(args) => command::draft::run(context, args),
        Verb::Ask(args) => command::ask::run(context, args),
        Verb::Goal(args) => command::goal::run(context, args),
        Verb::Step(args) => command::step::run(context, args),
        Verb::Log(args) => command::log::run(context, args),
        Verb::Complete(args) => command::complete::run(context, args),
        Verb::Verify(args) => command::verify::run(context, args),
        Verb::Audit(args) => command::audit::run(context, args),
        Verb::Judge(args) => command::judge::run(context, args),
        Verb::Inject(args) => command::inject::run(context, args),
        Verb::Remind(args) => command::remind::run(context, args),
        Verb::Progress(args) => command::progress::run(context, args),
        Verb::Pause(args) => command::pause::run(context, args),
        Verb::Review(args) => command::review::run(context, args),
        Verb::Approve(args) => command::approve::run(context, args),
        Verb::Loop(args) => command::loop_driver::run(context, args),
        Verb::Export(args) => command::export::run(context, args),
        Verb::Events(args) => command::events::run(context, args),
        Verb::Stats(args) => command::stats::run(context, args),
        Verb::Hook(args) => command::hook::run(context, args),
        Verb::Rewind(args) => command::rewind::run(context, args),
        Verb::Undo(args) => command::undo::run(context, args),
        Verb::Archive(args) => command::archive::run(context, args),
        Verb::Import(args) => command::import::run(context, args),
        Verb::Clear(args) => command::clear::run(context, args),
        Verb::Lint(args) => command::lint::run(context, args),
        Verb::Doctor(args) => command::doctor::run(context, args),
        Verb::Demo(args) => command::demo::run(context, args),
        Verb::Install(args) => command::install::run(context, args),
        Verb::Uninstall(args) => command::install::remove(context, args),
        #[cfg(feature = "mcp")]
        Verb::Mcp(args) => command::mcp::run(context, args),
        Verb::Completions(args) => command::completions::run(context, args),
        Verb::Man(args) => command::man::run(context, args, Cli::command()),
    }
}
