//! Help, completions and the manual page exist for every command, with a real example.

use crate::support::{World, hosts};

const COMMANDS: &[&str] = &[
    "list", "show", "next", "watch", "report", "init", "ask", "goal add", "goal start", "goal set", "goal remove",
    "goal cancel", "goal list", "step add", "step set", "step move", "step remove", "step start", "step done",
    "step fail", "step skip", "step retry", "step run", "log", "complete", "verify", "audit", "install ci",
    "uninstall ci", "undo", "judge list", "judge set", "judge test", "archive", "clear", "lint", "doctor", "inject",
    "remind", "loop start", "loop pause", "loop resume", "loop clear", "loop status", "loop run", "events",
    "export prd", "export planner", "export json", "stats", "demo", "install git", "uninstall git", "completions",
    "man", "draft", "import", "review", "approve", "progress", "pause", "judge example", "hook", "mcp", "rewind",
];

/// The commands, with those that install and uninstall a host.
fn commands() -> Vec<String> {
    let of_host = |host| [format!("install {host}"), format!("uninstall {host}")];
    COMMANDS.iter().map(|command| (*command).to_owned()).chain(hosts().into_iter().flat_map(of_host)).collect()
}

#[test]
fn every_command_has_help_with_an_example_that_names_it() {
    let world = World::without_git();
    for command in commands() {
        let output = world.plan(command.split(' ').chain(["--help"]));
        assert_eq!((output.code, &*output.stderr), (0, ""), "{command}");
        let examples: Vec<&str> = output.stdout.split("Example:\n").skip(1).flat_map(str::lines).collect();
        let called = format!("plan {command}");
        let is_call = |line: &&str| {
            let rest = line.split_once(&called).map(|(_, rest)| rest);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '"']))
        };
        let named = examples.iter().any(is_call);
        assert!(named, "no example in `plan {command} --help`:\n{}", output.stdout);
    }
}

#[test]
fn the_overview_names_every_command() {
    let overview = World::without_git().plan(["--help"]).stdout;
    assert!(overview.lines().all(|line| line.chars().count() <= 80), "{overview}");
    for command in commands() {
        let verb = command.split(' ').next().unwrap();
        assert!(overview.lines().any(|l| l.trim_start().starts_with(&format!("{verb} "))), "{verb}:\n{overview}");
    }
}

#[test]
fn completions_are_scripts_that_the_shell_takes() {
    let world = World::without_git();
    for shell in ["bash", "zsh", "fish"] {
        let script = world.plan(["completions", shell]);
        assert!(script.code == 0 && script.stdout.contains("complete"), "{shell}");
        let found = world.call_program("sh", ["-c", &format!("command -v {shell}")]).run().code == 0;
        if found {
            let checked = world.call_program(shell, ["-n", "/dev/stdin"]).stdin(&script.stdout).run();
            assert_eq!((checked.code, &*checked.stderr), (0, ""), "{shell}");
        }
    }
}

#[test]
fn the_manual_page_is_one() {
    let page = World::without_git().plan(["man"]);
    assert_eq!(page.code, 0);
    assert!(page.stdout.contains(".TH plan 1") && page.stdout.contains(".SH"), "{}", page.stdout);
}

#[test]
fn a_page_is_found_by_its_name_and_describes_every_option() {
    let world = World::without_git();
    let page = world.plan(["man", "goal", "add"]);
    assert!(page.code == 0 && page.stdout.contains(".TH plan-goal-add 1"), "{page:?}");
    for name in ["goal-add", "plan-goal-add"] {
        assert_eq!(world.plan(["man", name]).stdout, page.stdout, "{name}");
    }
    // roff: the option, then its description on the next line.
    let lines: Vec<&str> = page.stdout.lines().collect();
    for option in ["\\-\\-file", "\\-C", "\\-\\-json", "\\-\\-color", "\\-\\-verify"] {
        let at = lines.iter().position(|line| line.starts_with(&format!("\\fB{option}\\fR"))).unwrap();
        assert!(!lines[at + 1].trim().is_empty(), "{option}: {}", page.stdout);
    }
    let unknown = world.plan(["man", "goal-frob"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("`plan --help` lists the commands"), "{unknown:?}");
}
