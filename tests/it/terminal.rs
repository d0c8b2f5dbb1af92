//! What a person at a terminal sees and answers. The terminal is the one that `script` makes; it takes Linux's options.
#![cfg(target_os = "linux")]

use crate::support::World;
use crate::support::judge::world;
use crate::support::output::Output;

/// Runs `plan` on a terminal and types `keys`.
fn typed(world: &World, args: &str, keys: &str) -> Output {
    let line = format!("{} {args}", env!("CARGO_BIN_EXE_plan"));
    // Keys wait in the terminal's queue; the pause lets `plan` reach its question before the input ends.
    let feed = format!("(printf '{keys}'; sleep 1) | script --quiet --return --command '{line}' /dev/null");
    world.call_program("sh", ["-c", &feed]).env("TERM", "xterm-256color").run()
}

#[test]
fn a_person_can_be_the_judge() {
    let world = world();
    let output = typed(&world, "complete fast-1 --judge human --path result.txt", "y\\ny\\n");
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert!(
        output.stdout.contains("p95 below 50 ms") && output.stdout.contains("without the cache"),
        "{}",
        output.stdout
    );
    assert!(world.plan_md().contains("oracle accept by human"), "{}", world.plan_md());
}

// P-48
#[test]
fn a_persons_no_is_a_rejection_with_their_words() {
    let world = world();
    let output = typed(&world, "complete fast-1 --judge human --path result.txt", "y\\nn\\nthe hit rate\\n");
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(
        world.plan_md().contains("the hit rate") && world.plan_md().contains("status: active"),
        "{}",
        world.plan_md()
    );
}

// P-50
#[test]
fn a_person_who_leaves_decides_nothing() {
    let world = world();
    let output = typed(&world, "complete fast-1 --judge human --path result.txt", "y\\n\\004");
    assert_eq!(output.code, 3, "{}", output.stdout);
    assert!(world.plan_md().contains("status: active") && !world.plan_md().contains("rejected"), "{}", world.plan_md());
}

// P-50
#[test]
fn without_a_terminal_there_is_nobody_to_ask() {
    let output = world().plan(["complete", "fast-1", "--judge", "human", "--path", "result.txt"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("terminal"), "{output:?}");
}

// P-5
#[test]
fn what_the_repository_holds_cannot_draw_on_the_terminal() {
    let world = world();
    world.write("check.sh", "printf 'p95 \\033[2J\\033]0;title\\007 \\302\\233 47\\n'\n");
    let plan =
        world.plan_md().replace("below 50 ms", "below \u{1b}[31m50\u{202e} ms").replace("Make it", "Make\u{1b}[2J it");
    world.write("plan.md", plan);
    for args in ["", "show", "next", "lint", "verify fast-1", "complete fast-1 --judge human --path result.txt"] {
        let shown = typed(&world, args, "y\\ny\\n").stdout;
        for bad in ["\u{1b}[2J", "\u{1b}]0;", "\u{1b}[31m50", "\u{9b}", "\u{202e}"] {
            assert!(!shown.contains(bad), "{bad:?} in `plan {args}`:\n{shown}");
        }
    }
}

#[test]
fn colours_are_for_terminals_and_can_be_had_or_not() {
    let world = world();
    let plain = |text: &str| !text.contains('\u{1b}');
    assert!(plain(&typed(&world, "", "").stdout), "NO_COLOR is set in a world");
    assert!(!plain(&world.plan(["--color", "always"]).stdout));
    assert!(plain(&world.plan(["--color", "auto"]).stdout));
    let world = world.env("NO_COLOR", "");
    assert!(!plain(&typed(&world, "", "").stdout));
    assert!(plain(&typed(&world, "--color never", "").stdout));
}
