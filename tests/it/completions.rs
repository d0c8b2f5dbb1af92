//! TAB in a real bash: the script of `plan completions` asks `plan`, which knows the plan's names.

use std::path::Path;

use crate::support::World;

const PLAN: &str = "# Plan: p\n\n## Goal: Implement cache layer\n<!-- id: cache-layer-1 -->\nstatus: open\n- [ ] 1. wire\n\
    - [x] 2. look\n\n## Goal: Load test\n<!-- id: load-test-1 -->\nstatus: active\n- [ ] 3. run it\n";

/// The words that bash would offer for a line; the last given word is only typed in part.
fn offered(world: &World, words: &[&str]) -> Vec<String> {
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "PATH={folder}:$PATH; source <(plan completions bash)
         COMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 )); COMP_TYPE=9
         _clap_complete_plan plan \"${{COMP_WORDS[COMP_CWORD]}}\" x
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        folder = Path::new(env!("CARGO_BIN_EXE_plan")).parent().unwrap().display(),
        words = words.join(" ")
    );
    let asked = world.call_program("bash", ["-c", &script]).run();
    assert_eq!((asked.code, &*asked.stderr), (0, ""), "{words:?}");
    asked.stdout.lines().map(str::to_owned).collect()
}

// CLI.md, Care: `plan completions`.
#[test]
fn bash_completes_what_the_plan_names() {
    let world = World::without_git().file("plan.md", PLAN);
    for (words, expected) in [
        (&["plan", "comp"][..], &["complete", "completions"][..]),
        (&["plan", "audit", "--rer"], &["--rerun"]),
        (&["plan", "goal", "start", "c"], &["cache-layer-1"]),
        (&["plan", "complete", "imp"], &["cache-layer-1"]),
        (&["plan", "start", "Load"], &["load-test-1"]),
        (&["plan", "goal", "set", "load-test-1", "--needs", "c"], &["cache-layer-1"]),
        (&["plan", "goal", "add", "x", "--kind", "b"], &["bugfix"]),
        (&["plan", "complete", "load-test-1", "--judge", "c"], &["claude", "codex", "checks"]),
        (&["plan", "hook", "ge"], &["gemini"]),
        (&["plan", "list", "--status", "open,d"], &["open,done"]),
        (&["plan", "complete", "x", "--gate", "f"], &["fast", "full"]),
        (&["plan", "nosuch", "x"], &[""]),
    ] {
        assert_eq!(offered(&world, words), expected, "{words:?}");
    }
    let steps = offered(&world, &["plan", "step", "done", ""]);
    assert_eq!(steps[..3], ["3", "1", "2"], "{steps:?}");
    let goals = offered(&world, &["plan", "show", ""]);
    assert_eq!(goals[..2], ["load-test-1", "cache-layer-1"], "{goals:?}");
    assert_eq!(world.plan_md(), PLAN);
}

/// Neither plan.md nor file names add anything to the line that a shell would run or a terminal would obey.
#[test]
fn a_hostile_repository_completes_to_plain_words() {
    let world = World::without_git().file("$(touch run)", "").file("plain.txt", "").file(
        "plan.md",
        "## Goal: a\u{1b}[31m $(touch run) `touch run` \u{202e}\tb\n- [ ] 1. x\u{7}\n## Goal: z\n<!-- id: z-1 -->\n",
    );
    assert_eq!(offered(&world, &["plan", "--file", "p"]), ["plain.txt", "plan.md"]);
    assert!(!offered(&world, &["plan", "--file", ""]).iter().any(|path| path.contains('$')));
    assert_eq!(offered(&world, &["plan", "show", ""])[..2], ["1", "z-1"]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        for words in [["plan", "show", ""], ["plan", "step", "done"]] {
            let asked = world.call(std::iter::once("--").chain(words)).env("PLAN_COMPLETE", shell);
            let told = asked.env("_CLAP_COMPLETE_INDEX", "2").run();
            assert_eq!((told.code, &*told.stderr), (0, ""), "{shell}");
            assert!(!told.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shell}: {:?}", told.stdout);
        }
    }
}

/// Without a plan, with an unreadable plan, or for an unknown shell, there is no output.
#[test]
fn completing_never_prints_an_error() {
    let world = World::without_git();
    assert!(offered(&world, &["plan", "show", ""]).contains(&"--full".to_owned()));
    world.write("plan.md", b"<<<<<<< ours\n\x00\n");
    assert_eq!(offered(&world, &["plan", "complete", "x"]), [""]);
    for shell in ["", "nosuch"] {
        let told = world.call(["--", "plan", "show"]).env("PLAN_COMPLETE", shell).run();
        assert_eq!(told.stdout, "", "{shell}");
        assert_eq!(told.code == 0, !shell.is_empty(), "without a shell it is a command line like any other");
    }
}
