//! Two transcripts that the docs show and these tests write (`UPDATE=1`): a new user who has only README, and the answers of `plan` to
//! mistakes.

use std::collections::BTreeSet;

use crate::readme::{assert_shown, read};
use crate::support::World;
use crate::support::output::Output;

const SEARCH: &str = "def lookup(name):\n    return open('names.txt').read().split().count(name)\n";
const CACHED: &str = "import functools\n\n\n@functools.cache\ndef lookup(name):\n    return open('names.txt').read().split().count(name)\n";
const TEST: &str = "import builtins\nimport unittest\nfrom unittest import mock\n\nimport search\n\n\n\
    class Lookups(unittest.TestCase):\n    def test_the_second_lookup_reads_no_file(self):\n        \
    with mock.patch('builtins.open', wraps=builtins.open) as opened:\n            \
    self.assertEqual(search.lookup('ada'), 2)\n            self.assertEqual(search.lookup('ada'), 2)\n        \
    self.assertEqual(opened.call_count, 1)\n";
const HITS: &str = "import sys\n\nimport search\n\nfor name in ['ada', 'bob', 'ada']:\n    search.lookup(name)\n\
    hits = getattr(search.lookup, 'cache_info', lambda: None)()\n\
    sys.exit(0 if hits and hits.hits >= int(sys.argv[2]) else 'the cache was not used')\n";

/// The commands of README's first goal, each complete, without comments.
fn first_goal(readme: &str) -> Vec<String> {
    let section = readme.split("## Your first goal").nth(1).unwrap();
    let block = section.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let lines = block.replace("\\\n", "\n\\");
    let lines = lines.lines().map(|line| line.split("  # ").next().unwrap().trim_end().to_owned());
    let mut commands: Vec<String> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        match line.strip_prefix('\\') {
            Some(rest) => {
                let command = commands.last_mut().unwrap();
                *command = format!("{} \\\n{rest}", command.trim_end());
            }
            None => commands.push(line),
        }
    }
    commands
}

/// The text that a terminal would show for a command.
fn shown(command: &str, output: &Output) -> String {
    let lines: String = output.stderr.lines().chain(output.stdout.lines()).map(|line| format!("  {line}\n")).collect();
    format!("$ {}\n{}", command.replace('\n', "\n  "), lines.replace("\n  \n", "\n\n"))
}

// P-9, P-44: README alone leads to a first sign-off, in a repository with a Python module and a red test
#[test]
fn a_stranger_signs_a_first_goal_off_with_readme_alone() {
    let world = World::new()
        .file("search.py", SEARCH)
        .file("names.txt", "ada bob ada\n")
        .file("tests/__init__.py", "")
        .file("tests/test_cache.py", TEST)
        .file("tools/hits.py", HITS)
        .file(".gitignore", "__pycache__/\n")
        .committed();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_plan"), world.base().join("bin/plan")).unwrap();
    // The page shows the files, so a reader can repeat the section.
    let page = read("docs/first-goal.md");
    for (name, text) in
        [("tests/test_cache.py", TEST), ("tools/hits.py", HITS), ("search.py", SEARCH), ("search.py", CACHED)]
    {
        assert!(
            page.contains(&format!("`{name}`")) && page.contains(&format!("```python\n{text}```\n")),
            "{name}:\n{text}"
        );
    }
    let mut transcript = String::new();
    let mut last = None;
    for command in first_goal(&read("README.md")) {
        if command.starts_with('#') {
            world.write("search.py", CACHED);
            transcript += &format!("{command}\n");
            continue;
        }
        let output = world.call_program("sh", ["-c", &command]).run();
        assert_eq!(output.code, 0, "{command}\n{output:?}");
        transcript += &shown(&command, &output);
        last = Some(output);
    }
    assert!(last.unwrap().stdout.contains("signed off"), "{transcript}");
    assert!(world.plan_md().contains("status: done"), "{}", world.plan_md());
    assert_shown("docs/first-goal.md", "$ plan init", &transcript.replace("[TMP]/home", "~"));
}

/// Exit code and command line; plan.md is unchanged after each. A line without a code is a heading.
const MISTAKES: &str = include_str!("../../fixtures/mistakes.txt");

fn world_of_mistakes() -> World {
    let broken = "# Plan: x\n<<<<<<< ours\n## Goal: a\n=======\n## Goal: b\n>>>>>>> theirs\n";
    let world = World::new()
        .file("test.sh", "exit 1\n")
        .file("src/lib.sh", "true\n")
        .file("binary.md", "a\0b")
        .file("conflict.md", broken)
        .file("typos.md", "# Plan: x\n\n## Goal: a\nprioritiy: 1\nneeds: b-2\nverify: cd x && make\n")
        .committed();
    let goal = |subject: &str, more: &[&str]| {
        let contract = ["--done-when", "it works", "--verify", "sh test.sh", "--failure-mode", "it does not"];
        assert_eq!(world.plan([&["goal", "add", subject], &contract[..], more].concat()).code, 0);
    };
    assert_eq!(world.plan(["init", "Faster search"]).code, 0);
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    goal("Greet by name", &[]);
    goal("Cache lookups", &["--step", "Write it", "--step", "Measure it", "--step", "Document it", "--start"]);
    goal("Cache layer", &["--needs", "cache-lookups-1"]);
    assert_eq!(world.plan(["step", "done", "1", "written"]).code, 0);
    let by_hand = "## Goal: By hand\n<!-- id: by-hand-1 -->\nstatus: done\n\n## Log\n";
    world.write("plan.md", world.plan_md().replacen("## Log\n", by_hand, 1));
    world
}

/// The commands in an answer, without their arguments.
fn named(answer: &str) -> BTreeSet<&str> {
    let begins = answer.split(['`', '\n']).map(|part| part.trim_start().trim_start_matches("help: "));
    begins.filter_map(|part| part.strip_prefix("plan ")?.split([' ', '\n']).next()).collect()
}

// P-1: each mistake gets an answer with the fault and the remedy, and changes nothing
#[test]
fn each_mistake_is_answered_and_changes_nothing() {
    let world = world_of_mistakes();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_plan"), world.base().join("bin/plan")).unwrap();
    let commands = world.plan(["--help"]).stdout;
    let (before, mut transcript, mut count, mut wrong) = (world.plan_md(), String::new(), 0, Vec::new());
    for line in MISTAKES.lines().filter(|line| !line.is_empty()) {
        let Some((code, command)) =
            line.split_once(' ').and_then(|(code, rest)| Some((code.parse::<i32>().ok()?, rest)))
        else {
            transcript += &format!("\n{line}\n");
            continue;
        };
        let output = world.call_program("sh", ["-c", &format!("plan {command}")]).run();
        let answer = format!("{}{}", output.stderr, output.stdout);
        let told = shown(&format!("plan {command}"), &output);
        let mut faults = Vec::new();
        if output.code != code {
            faults.push(format!("exit {}, expected {code}", output.code));
        }
        if answer.contains("panicked") || !(answer.contains("plan ") || answer.contains('`')) {
            faults.push("names no way out".to_owned());
        }
        let typed = command.split(' ').next().unwrap();
        for verb in named(&answer).into_iter().filter(|verb| !verb.starts_with('-') && *verb != typed) {
            if !commands.contains(&format!("\n  {verb} ")) {
                faults.push(format!("names `plan {verb}`, which does not exist"));
            }
        }
        if !command.starts_with("complete ") && world.plan_md() != before {
            faults.push("changes plan.md".to_owned());
        }
        wrong.extend(faults.iter().map(|fault| format!("{fault}:\n{told}")));
        world.write("plan.md", &before);
        transcript += &told;
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 80, "{count}");
    assert_shown("docs/mistakes.md", "# commands", &transcript);
}
