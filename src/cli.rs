//! The command line as clap reads it: types and help text, no logic.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::command;
use crate::ui::{self, Color};

/// The overview: every command once, in groups, and the options of every command.
const HELP: &str = "\
{about}

{usage-heading} {usage}

Look
  list         List the goals; also `plan` alone, `plan ls`, `plan status`
  show         Show a goal with its contract, steps, log lines and sign-off
  next         Print the next goal or step to work on, in one line
  watch        Show the plan live on the whole screen; keys run commands
  report       Print the plan with its verdicts: Markdown, or one HTML page
  events       Print the events so far, one JSON line each
  stats        Count sign-offs, rejections and more; show the time to done
Plan
  init         Write a plan.md
  draft        Have a read-only agent draft goals; `plan` checks and writes them
  ask          Ask a read-only agent for an answer, one command, or steps
  import       Import the tasks of another program as goals
  goal         Add, start, change, remove, cancel and list goals
  review       Approve or reject the plan in a menu, or ask a person to do so
  approve      Approve the plan's contract; only a person may do this
Work
  step         Add, change, move, remove, mark and run steps
  log          Append one line to the log
  progress     Mark a step complete and start the next, in one call
  pause        Pause the work and say why, until a person writes
  loop         Ask an agent to continue at each stop, within a budget of turns
Sign off
  complete     Sign a goal off: run verify and the gate, then ask a judge
  verify       Rehearse a sign-off: ask no model, write nothing
  audit        Check that every done goal is signed off; for reviewers and CI
  judge        Show, set and try the judges
Agents
  install      Set up an agent's client, git's merges, or a CI job
  uninstall    Remove the entries and files of `plan install`
  inject       Print the text about the plan that hooks show an agent
  remind       Print the reminder when it is due
  hook         Answer a host's hook: JSON on stdin and stdout
  mcp          Serve the plan as MCP tools on stdin and stdout
Repository
  archive      Move done and cancelled goals below `# Archive`
  clear        End the plan: all goals go to the archive
  rewind       Go back to the files and marks at the end of a step
  export       Write the plan as user stories or as JSON
  undo         Restore plan.md as it was before the last write
Care
  lint         Check plan.md: each finding with its place and remedy
  doctor       Look for faults around plan.md: git, hooks, sign-offs, settings
  demo         Watch it work in a throwaway repository
  completions  Print a completion script for a shell
  man          Show the manual page, or that of one command

Everywhere
  --file PATH   the plan file; default: plan.md, from the working folder upward
  -C DIR        work as if started in this folder
  --json        one JSON document on stdout
  --color WHEN  auto, always or never
  -h, --help    of `plan`, or of one command: plan complete --help{after-help}";

/// Keeps an agent's plan in plan.md. A goal is done if a command and a judge agree.
#[derive(Debug, Parser)]
#[command(name = "plan", version, disable_help_subcommand = true, max_term_width = 100)]
#[command(help_template = ui::entries(HELP), after_help = "Example:\n  plan init \"Sorting\"\n  plan goal add \"Sort is stable\" --done-when \"equal keys keep order\" \\\n    \
    --verify \"cargo test stable\" \\\n    --failure-mode \"only ints (check: cargo test strings)\" --start\n  plan complete sort-is-stable-1")]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// Show done and cancelled goals too.
    #[arg(long)]
    pub all: bool,
    /// Set for the process that `complete --detach` leaves behind.
    #[arg(long, hide = true)]
    pub detached: bool,
    /// The command; without one, the list is shown.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// Options of every command.
#[derive(Args, Clone, Debug, Default)]
pub struct Global {
    /// The plan file; else plan.md from the working folder upward.
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        help_heading = "Everywhere",
        hide_short_help = true,
        hide_long_help = true
    )]
    pub file: Option<PathBuf>,
    /// Work as if started in this folder.
    #[arg(
        short = 'C',
        global = true,
        value_name = "DIR",
        help_heading = "Everywhere",
        hide_short_help = true,
        hide_long_help = true
    )]
    pub dir: Option<PathBuf>,
    /// One JSON document on stdout.
    #[arg(long, global = true, help_heading = "Everywhere", hide_short_help = true, hide_long_help = true)]
    pub json: bool,
    /// Colours.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Everywhere",
        hide_short_help = true,
        hide_long_help = true
    )]
    pub color: Color,
}

/// The verbs. Each is described where its arguments are: a comment here would take the place of that help.
#[derive(Debug, Subcommand)]
#[expect(missing_docs, reason = "see above")]
pub enum Verb {
    List(command::list::Args),
    Show(command::show::Args),
    Next(command::next::Args),
    Watch(command::watch::Args),
    Report(command::report::Args),
    Init(command::init::Args),
    Draft(command::draft::Args),
    Ask(command::ask::Args),
    Goal(command::goal::Args),
    Step(command::step::Args),
    Log(command::log::Args),
    Complete(command::complete::Args),
    Verify(command::verify::Args),
    Audit(command::audit::Args),
    Judge(command::judge::Args),
    Inject(command::inject::Args),
    Remind(command::remind::Args),
    Progress(command::progress::Args),
    Pause(command::pause::Args),
    Review(command::review::Args),
    Approve(command::approve::Args),
    Loop(command::loop_driver::Args),
    Hook(command::hook::Args),
    Rewind(command::rewind::Args),
    Undo(command::undo::Args),
    Archive(command::archive::Args),
    Import(command::import::Args),
    Clear(command::clear::Args),
    Events(command::events::Args),
    Export(command::export::Args),
    Stats(command::stats::Args),
    Lint(command::lint::Args),
    Doctor(command::doctor::Args),
    Demo(command::demo::Args),
    Install(command::install::Args),
    Uninstall(command::install::Uninstall),
    #[cfg(feature = "mcp")]
    Mcp(command::mcp::Args),
    Completions(command::completions::Args),
    Man(command::man::Args),
}

/// A command line of one verb, without the others.
#[derive(Debug, Parser)]
struct One<A: Args> {
    #[command(flatten)]
    global: Global,
    #[command(flatten)]
    args: A,
}

impl Cli {
    /// Returns whether one JSON document is asked for, by the option of every command or by a command's own option.
    pub fn is_json(&self) -> bool {
        self.global.json || matches!(&self.verb, Some(Verb::Audit(args)) if args.is_json())
    }

    /// Parses a valid command line that begins with one of the most frequent verbs: building the tree of all verbs
    /// takes longer than reading a small plan. Returns `None` for anything else, also for help and mistakes, which the
    /// whole tree answers.
    pub fn of_one_verb(arguments: &[OsString]) -> Option<Self> {
        let [_, verb, ..] = arguments else {
            return Some(Cli { global: Global::default(), all: false, detached: false, verb: None });
        };
        let rest = &arguments[1..];
        match verb.to_str()? {
            "list" | "ls" | "status" => one(rest, Verb::List),
            "show" => one(rest, Verb::Show),
            "next" => one(rest, Verb::Next),
            "log" => one(rest, Verb::Log),
            "goal" => one(rest, Verb::Goal),
            "step" => one(rest, Verb::Step),
            "inject" => one(rest, Verb::Inject),
            _ => None,
        }
    }
}

fn one<A: Args>(arguments: &[OsString], verb: fn(A) -> Verb) -> Option<Cli> {
    let One { global, args } = One::<A>::try_parse_from(arguments).ok()?;
    Some(Cli { global, all: false, detached: false, verb: Some(verb(args)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_names_every_command_once() {
        let command = <Cli as clap::CommandFactory>::command();
        for verb in command.get_subcommands().map(clap::Command::get_name) {
            assert_eq!(HELP.matches(&format!("\n  {verb} ")).count(), 1, "{verb}");
        }
    }

    /// Each line is read as by the whole tree; `None` if the whole tree refuses the line or answers by itself.
    #[test]
    fn one_verb_is_read_as_among_all() {
        let lines = [
            "",
            "list",
            "ls --all",
            "status --status open,done --needs a",
            "list some text",
            "list --status",
            "show",
            "show a-1",
            "show --line",
            "show --line a-1",
            "show --format mermaid",
            "show --format=x",
            "show a b",
            "next",
            "next --all",
            "next --json --all",
            "next -C /tmp",
            "next -C/tmp --file x.md",
            "next --color always",
            "next --color",
            "next --help",
            "next -h",
            "next --version",
            "next -V",
            "next x",
            "next --",
            "next -- x",
            "next --al",
            "log",
            "log text",
            "log --json text",
            "log -- --json",
            "log -x",
            "log a b",
            "log text --file",
            "step",
            "step done 3",
            "step done 3 out",
            "step --json done 3",
            "step done --json 3",
            "step done",
            "step help",
            "step help done",
            "step done --help",
            "step dun 3",
            "step start 1 2 3",
            "step run 3 --yes",
            "step add g text --after 1",
            "goal",
            "goal add S",
            "goal add S --done-when a --done-when b --verify v --start",
            "goal add -",
            "goal help add",
            "goal list --all",
            "goal -C x list",
            "goal start a",
            "goal set a --priority 1",
            "goal cancel a",
            "goal remove a",
            "inject --full",
            "inject --max-bytes 9",
            "inject --max-bytes x",
            "inject --if always",
            "inject --if never",
            "inject --json --full --file a",
            "--json next",
            "-C x next",
            "nxt",
            "help",
            "help next",
            "--version",
            "complete a",
        ];
        let mut read = 0;
        for line in lines {
            let arguments: Vec<OsString> =
                "plan".split(' ').chain(line.split_terminator(' ')).map(Into::into).collect();
            let whole = Cli::try_parse_from(&arguments);
            match Cli::of_one_verb(&arguments) {
                Some(one) => {
                    read += 1;
                    assert_eq!(format!("{one:?}"), format!("{:?}", whole.unwrap()), "{line}");
                }
                None => assert!(
                    whole.is_err()
                        || !["list", "ls", "status", "show", "next", "log", "step", "goal", "inject"]
                            .iter()
                            .any(|verb| line.starts_with(verb)),
                    "{line}"
                ),
            }
        }
        assert!(read > 25, "{read}");
    }
}
