//! Text of a hostile repository, and hostile arguments: none of it controls the terminal or grows without bound.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use crate::support::{World, size};

/// Escapes, a C1 control, overrides and isolates of direction, invisible characters, a backspace.
const NASTY: &str = "\u{1b}[31mRED\u{1b}]0;t\u{7}\u{9b}2J\u{202e}BIDI\u{2066}\u{200b}\u{feff}\u{8}\u{7f}\u{85}\u{2028}\u{61c}\u{180e}\u{206a}\u{206f}\u{fff9}\u{fffb}\u{e0041}\u{e007f}";

fn raw(text: &str) -> Vec<char> {
    text.chars()
        .filter(|c| (c.is_control() && !matches!(c, '\n' | '\t')) || (!c.is_ascii() && NASTY.contains(*c)))
        .collect()
}

fn nasty_plan() -> String {
    "---\nmode: guideX\nX: X\n---\n# Plan: OX\n## Goal: SX\n<!-- id: a-1 -->\nstatus: activeX\ndone_when: DX\nverify: sh cX\n\
     failure_modes:\n- FX (check: sh dX)\nneeds: NX\nmay_change: MX\nevidence: VX\nkind: KX\npriority: PX\n- [ ] 1. TX — oX\n\
     - [x] 2. TX (run: sh eX) — oX\n## Goal: no idX\n## Goal: no idX\n<!-- id: BADX -->\nstatus: done\n## Log\n\
     - 2026-01-01 00:00  LX\n- 2026-01-01 00:00  a-1 rejected (xX): X\n"
        .replace('X', NASTY)
}

#[test]
fn no_view_lets_control_characters_through() {
    let world = World::new().file("plan.md", nasty_plan());
    let views = [
        "", "--all", "show", "show a-1", "show --line", "show --format dot", "show --format mermaid", "next --all",
        "inject", "inject --full", "lint", "goal list --all", "verify a-1", "complete a-1 --judge checks",
        "step done 9", "show nobody", "archive", "undo --list",
    ];
    for view in views {
        for json in [false, true] {
            let args: Vec<&str> = view.split_whitespace().chain(json.then_some("--json")).collect();
            let output = world.plan(&args);
            let found = [raw(&output.stdout), raw(&output.stderr)].concat();
            assert_eq!(found, [], "{args:?}: {}{}", output.stdout, output.stderr);
        }
    }
    let document = world.plan(["show", "--json"]).json(0);
    assert_eq!(document["objective"], format!("O{NASTY}"), "a program still reads what stands there");
}

#[test]
fn no_message_repeats_control_characters_of_an_argument() {
    let world = World::new().file("plan.md", "# Plan: A\n");
    for args in
        [&[NASTY][..], &["show", NASTY], &["next", "a", NASTY], &["--color", NASTY], &["--file", NASTY], &["-C", NASTY]]
    {
        let output = world.plan(args);
        assert_eq!((output.code, raw(&output.stderr)), (2, vec![]), "{args:?}: {}", output.stderr);
    }
}

#[test]
fn a_message_about_a_long_argument_is_short() {
    let long = "x".repeat(100_000);
    let world = World::new().file("plan.md", "# Plan: A\n");
    for args in [&["show", &*long][..], &[&*long], &["step", "done", &*long], &["goal", "add", "A", "--id", &*long]] {
        let output = world.plan(args);
        assert_eq!(output.code, 2);
        assert!(output.stderr.len() < 3000, "{} bytes", output.stderr.len());
    }
}

#[test]
fn an_argument_that_is_not_utf_8_is_named() {
    let world = World::new().file("plan.md", "# Plan: A\n");
    let output = world.plan([OsStr::new("log"), OsStr::from_bytes(b"a\xffb")]);
    output.is(
        2,
        "",
        "error: expected text in UTF-8, found other bytes in the argument `a\u{fffd}b`\n  help: only the names of files and folders may be any bytes\n",
    );
}

/// A plan of unnatural size, and the calls that must handle it.
#[test]
fn what_is_many_takes_no_quadratic_time() {
    let many = size(2_000, 10_000);
    let repeat = |text: &dyn Fn(usize) -> String| (0..many).map(text).collect::<String>();
    let goals =
        "# Plan: x\n".to_owned() + &repeat(&|at| format!("## Goal: G {at}\n<!-- id: g-{at} -->\n- [ ] {at}. s\n"));
    let after = "## Goal: A\n<!-- id: a -->\nstatus: active\n".to_owned()
        + &repeat(&|at| format!("- [ ] {}. s (after {}, {})\n", at + 1, at + 2, at.max(1)));
    let needs = "## Goal: A\n<!-- id: a -->\nneeds: ".to_owned() + &repeat(&|at| format!("g-{at}, "));
    let line = "x ".repeat(many * 100) + "\n- [ ] 1. s (after 9) " + &"(after 9) ".repeat(many) + "\n";
    let front = "---\n".to_owned() + &"mode: guide\n".repeat(many) + "---\n# Plan: x\n";
    let bare = repeat(&|_| "## Goal: same\n".to_owned());
    for (plan, calls) in [
        (goals, &[&["show"][..], &["show", "--json"], &["goal", "list", "--json"]][..]),
        (after, &[&["next", "--all"], &["show", "--line"], &["step", "done", "1"]]),
        (needs, &[&[], &["show"]]),
        (
            format!("## Goal: A\nneeds: {}\n## Goal: {line}", "g, ".repeat(2000)),
            &[&[], &["lint"], &["show"], &["next"]],
        ),
        (front, &[&["lint"]]),
        (bare, &[&["lint", "--fix"]]),
    ] {
        let world = World::new().file("plan.md", plan);
        for call in calls {
            let output = world.call(*call).limit(Duration::from_secs(60)).run();
            assert!(matches!(output.code, 0 | 1), "{call:?}: {} {:.200}", output.code, output.stderr);
        }
    }
}

#[test]
fn a_prompt_that_is_no_small_file_is_refused_as_one() {
    let world = World::new().file("plan.md", "# Plan: A\n## Goal: B\nstatus: active\n");
    let path = world.base().join("home/.config/plan/prompts/3-reminder.md");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "x".repeat(300_000)).unwrap();
    let output = world.plan(["remind", "--iteration", "3"]);
    assert_eq!(output.code, 2, "{}", output.stderr);
    assert!(output.stderr.starts_with("error: cannot read the prompt `"), "{}", output.stderr);
    assert!(output.stderr.contains("at most 262144 bytes, found 300000 bytes"), "{}", output.stderr);
    assert!(!output.stderr.contains("known keys"), "{}", output.stderr);
}

#[test]
fn a_configuration_that_is_no_small_file_is_refused() {
    let world = World::new().file("plan.md", "# Plan: A\n");
    let path = world.base().join("home/.config/plan/config.yaml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("judge: {}\n", "[".repeat(100_000))).unwrap();
    let output = world.call(["judge"]).limit(Duration::from_secs(5)).run();
    assert!(output.code == 2 && output.stderr.contains("at most 16384 bytes, found 100008 bytes"), "{}", output.stderr);
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let output = world.call(["judge"]).limit(Duration::from_secs(5)).run();
    assert!(output.code == 2 && output.stderr.contains("found something else"), "{}", output.stderr);
}

// A pipe in place of a git file would block a reader.
#[test]
fn a_pipe_for_the_common_folder_of_git_is_not_waited_for() {
    let world = World::new().file("plan.md", "# Plan: A\n## Goal: B\n");
    assert_eq!(world.call_program("git", ["init", "-q"]).run().code, 0);
    assert!(std::process::Command::new("mkfifo").arg(world.path(".git/commondir")).status().unwrap().success());
    let output = world.call(["list"]).limit(Duration::from_secs(60)).run();
    assert!(output.code == 0 && output.stdout.contains("B"), "{output:?}");
}

// Globs of a foreign plan: thousands of nested braces would use up the stack.
#[test]
fn braces_within_braces_are_named_and_end_no_view() {
    let plan = format!("# Plan: A\n## Goal: B\nmay_change: {}{}\n", "{a,".repeat(20_000), "}".repeat(20_000));
    let world = World::new().file("plan.md", plan);
    for view in ["list", "lint", "report"] {
        let output = world.call([view]).limit(Duration::from_secs(60)).run();
        assert!(output.code < 2, "{view}: {}", output.code);
        assert!(output.stdout.len() < 4_000, "{view}: {} bytes", output.stdout.len());
    }
    assert!(world.plan(["lint"]).stdout.contains("has more than 32 braces"));
}

// A few kilobytes of YAML aliases can expand to gigabytes.
#[test]
fn a_task_file_with_aliases_is_refused() {
    let aliases = vec!["*a"; 20_000].join(",");
    let task = format!("---\nid: T-1\ntitle: A\nx: &a \"{}\"\nlabels: [{aliases}]\n---\n", "z".repeat(100_000));
    let world = World::new().file("plan.md", "# Plan: A\n").file("backlog/tasks/a.md", task);
    let output = world.plan(["import", "backlog", "backlog", "--dry-run"]);
    assert_eq!(output.code, 2, "{}", output.stderr);
    assert!(output.stderr.contains("tasks/a.md:2: expected no YAML aliases, found `*a`"), "{}", output.stderr);
    // Text that only looks like an alias is text.
    let task = "---\nid: T-1\ntitle: R&D *now*\n---\n";
    let world = World::new().file("plan.md", "# Plan: A\n").file("backlog/tasks/a.md", task);
    assert_eq!(world.plan(["import", "backlog", "backlog", "--dry-run"]).code, 0);
}
