//! A `verify` is only words: no shell is ever started, and a line that would need one is refused by name, in every command that takes or
//! runs the line (`SIGNOFF.md` §2).

use crate::support::World;
use crate::support::judge::{HONEST, PLAN, world};
use crate::support::output::Output;

fn with_judge() -> World {
    world().judge("judge", HONEST, "accept")
}

fn with_verify(world: &World, verify: &str) {
    world.write("plan.md", PLAN.replace("verify: sh check.sh", &format!("verify: {verify}")));
    world.commit("verify");
}

/// Passes the line to `goal add`, `verify` and `complete`; each must answer 2, name `what` and change nothing.
#[track_caller]
fn refused(verify: &str, what: &[&str]) {
    let world = with_judge();
    let look = |output: &Output, command: &str| {
        assert_eq!((output.code, &*output.stdout), (2, ""), "{command} `{verify}`: {output:?}");
        for part in what {
            assert!(output.stderr.contains(part), "{command} `{verify}`: no `{part}` in {}", output.stderr);
        }
    };
    look(&world.plan(["goal", "add", "New", "--verify", verify]), "goal add");
    assert_eq!(world.plan_md(), PLAN, "`{verify}`");
    look(&world.plan(["goal", "set", "docs-1", "--verify", verify]), "goal set");
    assert_eq!(world.plan_md(), PLAN, "`{verify}`");
    with_verify(&world, verify);
    let before = world.plan_md();
    look(&world.plan(["verify", "fast-1"]), "verify");
    look(&world.plan(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"]), "complete");
    assert_eq!(world.plan_md(), before, "`{verify}`");
    for file in ["log", "proof", "1", "2"] {
        assert!(!world.path(file).exists(), "`{verify}` was run by a shell: it made `{file}`");
    }
}

// P-44
#[test]
fn what_only_a_shell_understands_is_refused_by_name_and_column() {
    for (verify, character, column) in [
        ("sh check.sh | tee log", "|", 13),
        ("sh check.sh || true", "||", 13),
        ("sh check.sh; touch proof", ";", 12),
        ("sh check.sh & touch proof", "&", 13),
        ("sh check.sh > log", ">", 13),
        ("sh check.sh 2>log", ">", 14),
        ("sh < check.sh", "<", 4),
        ("(touch proof)", "(", 1),
        ("touch proof)", ")", 12),
        ("sh check.sh $HOME", "$", 13),
        ("sh check.sh $(touch proof)", "$", 13),
        ("sh \"$HOME/check.sh\"", "$", 5),
        ("sh check.sh `touch proof`", "`", 13),
        ("sh *.sh", "*", 4),
        ("sh check.s?", "?", 11),
        ("sh ~/check.sh", "~", 4),
        ("sh check.sh # and more", "#", 13),
        ("sh 'check.sh", "'", 4),
        ("sh \"check.sh", "\"", 4),
        ("sh check.sh \\", "\\", 13),
        ("über | x", "|", 6),
    ] {
        refused(verify, &[&format!("`{character}`"), &format!("column {column}")]);
    }
}

// P-44
#[test]
fn an_empty_part_is_refused() {
    for verify in ["&&", "sh check.sh &&", "&& sh check.sh", "sh check.sh && && sh check.sh", "MODE=fast"] {
        refused(verify, &[]);
    }
}

// P-44
#[test]
fn an_empty_line_is_no_verify() {
    let world = with_judge();
    for verify in ["", "   ", "\t"] {
        let output = world.plan(["goal", "add", "New", "--verify", verify]);
        assert_eq!(output.code, 2, "`{verify}`: {output:?}");
        assert_eq!(world.plan_md(), PLAN);
    }
}

/// Words that look like shell syntax arrive unchanged: a program prints its arguments, one per line.
// P-44
#[test]
fn what_is_quoted_is_one_word_and_arrives_unchanged() {
    // These shells are found before the real ones and leave a note.
    let folder = crate::support::tempdir();
    let note = folder.path().join("shell-started");
    let trap = format!("#!/bin/sh\necho \"$0 $*\" >> {}\n", note.display());
    let world = ["sh", "bash", "dash"].iter().fold(world(), |world, shell| world.program(shell, &trap));
    world.script(
        "args",
        "#!/usr/bin/env python3\nimport sys\nopen('seen', 'w').write('\\n'.join(sys.argv[1:]) + '\\n')\n",
    );
    for (verify, seen) in [
        ("./args 'a && b'", "a && b\n"),
        ("./args \"a && b\" c", "a && b\nc\n"),
        ("./args a'&&'b", "a&&b\n"),
        ("./args \\& \\; '|' '$HOME' '*' '#'", "&\n;\n|\n$HOME\n*\n#\n"),
        ("./args '' x", "\nx\n"),
        ("./args a#b", "a#b\n"),
        ("./args 'é ü' --flag=x", "é ü\n--flag=x\n"),
        ("true 1 && ./args second", "second\n"),
        ("true 1&&./args glued", "glued\n"),
        ("MODE=x env ./args 'A=B'", "A=B\n"),
    ] {
        with_verify(&world, verify);
        std::fs::remove_file(world.path("seen")).ok();
        let output = world.plan(["verify", "fast-1"]);
        assert!(output.code <= 1, "`{verify}`: {output:?}");
        assert_eq!(world.read("seen"), seen, "`{verify}`");
    }
    assert!(!note.exists(), "a shell was started: {}", std::fs::read_to_string(note).unwrap());
}

// P-44
#[test]
fn a_sequence_stops_at_its_first_failure() {
    let world = with_judge();
    with_verify(&world, "sh -c 'exit 3' && touch proof");
    let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(world.plan_md().contains("rejected (verify exit 3)"), "{}", world.plan_md());
    assert!(!world.path("proof").exists());
}

// P-44
#[test]
fn a_line_of_a_hundred_kilobytes_is_words_too() {
    let world = with_judge();
    let long = "x".repeat(100_000);
    with_verify(&world, &format!("sh check.sh {long}"));
    let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"]);
    assert_eq!(output.code, 0, "{}", output.stderr.chars().take(500).collect::<String>());
    refused(&format!("sh check.sh {long} | tee log"), &["`|`", "column 100014"]);
    let words = format!("sh check.sh {}", "y ".repeat(50_000));
    with_verify(&world, words.trim_end());
    assert_eq!(world.plan(["verify", "fast-1", "--gate", "fast"]).code, 0);
}
