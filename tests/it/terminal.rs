//! The output that a person sees at a terminal, and their answers. `script` makes the terminal; its options here are those of Linux.
#![cfg(target_os = "linux")]

use crate::support::World;
use crate::support::judge::world;
use crate::support::output::Output;

mod ask;
mod menu;

/// Runs `plan` on a terminal and types `keys`.
fn typed(world: &World, args: &str, keys: &str) -> Output {
    let line = format!("{} {args}", env!("CARGO_BIN_EXE_plan"));
    // Keys wait in the terminal's queue; the pause lets `plan` reach its question before the input ends.
    let input = if keys.is_empty() { "true".to_owned() } else { format!("(printf '{keys}'; sleep 1)") };
    let feed = format!("{input} | script --quiet --return --command '{line}' /dev/null");
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

// SIGNOFF.md §6
#[test]
fn a_person_sees_what_changed_before_they_are_asked() {
    let world = world();
    for n in 0..40 {
        world.write(&format!("src/part{n}.py"), "a = 1\nb = 2\n");
    }
    world.write("tests/test_cache.py", "def test_cache():\n    pass\n");
    world.write("result.txt", "p95 47.1 ms\nmore\n");
    world.write("src/\u{1b}[2J.py", "c = 3\n");
    let output = typed(&world, "complete fast-1 --gate fast --judge human --path result.txt", "y\\ny\\n");
    assert_eq!(output.code, 0, "{}", output.stdout);
    let screen = output.stdout.replace('\r', "");
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("`{text}` is not in\n{screen}"));
    assert!(at("changed since the goal's start:") < at("Is it met?"), "{screen}");
    assert!(at("tests/test_cache.py") < at("(test)") && at("(test)") < at("(evidence)"), "{screen}");
    assert!(at("(evidence)") < at("src/part0.py") && at("the contract did not change") < at("Is it met?"), "{screen}");
    let shown = screen.lines().filter(|line| line.contains(".py") && line.contains(" | ")).count();
    assert_eq!(shown, 29, "30 files with the evidence\n{screen}");
    at("… 13 more files");
    assert!(!screen.contains("\u{1b}[2J"), "{screen}");
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
    let asked = ("complete fast-1 --judge human --path result.txt", "y\\ny\\n");
    for (args, keys) in [("", ""), ("show", ""), ("next", ""), ("lint", ""), ("verify fast-1", ""), asked] {
        let shown = typed(&world, args, keys).stdout;
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

/// Right-to-left text stays in its place on a terminal, a pipe gets it unchanged, and a locale without UTF-8 gets ASCII signs.
#[test]
fn the_list_suits_scripts_and_locales() {
    let goals = "# Plan: x\n\n## Goal: Kiosk عربي print\n<!-- id: kiosk-1 -->\nstatus: active\n- [ ] 1. one\n";
    let world = World::new().file("plan.md", goals);
    for colour in ["always", "never"] {
        let seen = uncoloured(&typed(&world, &format!("--color {colour}"), "").stdout);
        assert!(seen.contains("● 1 \u{2068}Kiosk عربي print\u{2069}"), "{seen}");
    }
    let piped = world.plan(["list"]).stdout;
    assert!(piped.contains("Kiosk عربي print") && !piped.contains('\u{2068}'), "{piped}");
    for (locale, has_signs) in [("C", false), ("de_DE.ISO-8859-1", false), ("de_DE.utf8", true), ("", true)] {
        let seen = world.call(["list"]).env("LANG", locale).run().stdout;
        assert_eq!(seen.contains('●') && seen.contains('→'), has_signs, "{locale}: {seen}");
        assert_eq!(seen.contains("* 1 Kiosk") && seen.contains("> 1. one"), !has_signs, "{locale}: {seen}");
    }
}

/// Runs `plan` on a terminal of this width and returns its output, without colours.
fn shown(world: &World, columns: usize, args: &str) -> String {
    let sized = format!("stty cols {columns} rows 50; {} {args}", env!("CARGO_BIN_EXE_plan"));
    let line = format!("script --quiet --return --command '{sized}' /dev/null </dev/null");
    let output = world.call_program("sh", ["-c", &line]).env("TERM", "xterm-256color").run();
    uncoloured(&output.stdout.replace('\r', ""))
}

/// Removes the sequences that set a colour; those that move the cursor stay.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(part.len());
        match part[end..].strip_prefix('m') {
            Some(rest) => out + rest,
            None => out + "\u{1b}[" + part,
        }
    })
}

/// Returns the report alone, without the command lines and the progress before it.
fn report(text: &str) -> &str {
    let text = text.rsplit("\u{1b}[K").next().unwrap_or(text);
    let start = ["\n✗ ", "\n✓ ", "\n? "].iter().filter_map(|mark| text.find(mark)).min();
    start.map_or(text, |start| &text[start + 1..])
}

/// Words that look like a digest, a tree or a commit.
fn digests(text: &str) -> Vec<&str> {
    let is_hex = |word: &&str| word.len() >= 12 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(is_hex).collect()
}

/// Returns the last line, with wrapped parts joined.
fn last_line(text: &str) -> String {
    text.trim_end().replace(" \\\n    ", " ").lines().last().unwrap_or_default().trim().to_owned()
}

const JUDGED: &str = "--judge checks --path result.txt --evidence \"fast, it is in the log\"";

/// A goal with a long subject and a long failure mode; `state` is the result that its check will have.
fn reported(state: &str) -> World {
    let world = world();
    let text =
        world.plan_md().replace("Make it fast", "Make the whole of the index fast enough for all of its readers");
    world.write("plan.md", text);
    match state {
        "red" => world.write(
            "check.sh",
            "echo the index was rebuilt, and ninety-five of a hundred reads were slower than before; exit 1\n",
        ),
        "blocked" => world.write("plan.md", world.plan_md().replace("verify: sh check.sh", "verify: true")),
        _ => {}
    }
    world
}

// P-45, P-51: the report of a check fits the terminal and has no digests; a refusal ends with a command to paste.
#[test]
fn a_report_fits_the_terminal_and_ends_with_a_command() {
    for (state, args) in [
        ("green", "verify fast-1".to_owned()),
        ("red", "verify fast-1 --gate full".to_owned()),
        ("red", format!("complete fast-1 {JUDGED}")),
        ("blocked", format!("complete fast-1 {JUDGED}")),
        ("green", format!("complete fast-1 {JUDGED}")),
    ] {
        let world = reported(state);
        for columns in [40, 80, 120] {
            let text = shown(&world, columns, &args);
            let text = report(&text);
            for line in text.lines() {
                // A quoted argument that is wider than the terminal is not broken, because it could not be pasted then.
                let is_argument = line.starts_with("    '") && line.trim_end_matches(" \\").ends_with('\'');
                let fits = plan::plan::view::width(line) <= columns.min(100);
                assert!(fits || is_argument && columns == 40, "{columns} {args}: `{line}`\n{text}");
            }
            assert_eq!(digests(text), [""; 0], "{text}");
            let last = last_line(text);
            assert!(last.starts_with("plan "), "{state} {args}: {text}");
            let command = plan::shell::strict::split(&last).unwrap();
            assert!(command.argvs()[0].contains(&"fast-1"), "{last}");
        }
        // A pipe gets the same words, neither cut nor wrapped.
        let piped =
            world.call_program("sh", ["-c", &format!("{} {args} 2>/dev/null", env!("CARGO_BIN_EXE_plan"))]).run();
        let words =
            |text: &str| text.split_whitespace().filter(|word| *word != "\\").map(str::to_owned).collect::<Vec<_>>();
        let wide = shown(&world, 120, &args);
        let is_time = |word: &String| word.parse::<f64>().is_ok();
        let same = |text: &str| words(text).into_iter().filter(|word| !is_time(word)).collect::<Vec<_>>();
        assert_eq!(same(&piped.stdout), same(report(&wide)), "{args}");
        assert!(!piped.stdout.contains('\u{1b}') && !piped.stdout.contains(" \\\n"), "{}", piped.stdout);
        assert_eq!(digests(&piped.stdout), [""; 0], "{}", piped.stdout);
        assert!(piped.stdout.starts_with(['✓', '✗']), "{}", piped.stdout);
    }
}

// P-52: nothing is shown only by colour, and there is colour only on a terminal.
#[test]
fn a_report_says_the_same_without_colour() {
    let world = reported("red").env("NO_COLOR", "");
    let args = "verify fast-1";
    let coloured = typed(&world, args, "").stdout;
    let plain = typed(&world, &format!("--color never {args}"), "").stdout;
    assert!(coloured.contains("\u{1b}[31m✗") && !plain.contains("\u{1b}[3"), "{coloured}\n{plain}");
    let text = |text: &str| report(&uncoloured(&text.replace('\r', ""))).replace(char::is_numeric, "");
    assert_eq!(text(&coloured), text(&plain));
}

// P-51
#[test]
fn an_audit_groups_its_findings_and_fits_the_terminal() {
    let world = reported("green");
    world.write("plan.md", world.plan_md().replace("status: active", "status: done"));
    for columns in [40, 80, 120] {
        let text = shown(&world, columns, "audit");
        for line in text.lines() {
            assert!(plan::plan::view::width(line) <= columns.min(100), "{columns}: `{line}`\n{text}");
        }
        assert!(text.starts_with("fast-1\n  ✗ hand-ticked: fast-1 is marked done"), "{text}");
        assert!(text.contains("\n    to resolve: `plan complete fast-1`") && text.contains("\n1 finding, "), "{text}");
        assert_eq!(digests(&text), [""; 0], "{text}");
    }
    let piped = world.plan(["audit"]);
    assert!(piped.stdout.contains("plan.md:"), "{piped:?}");
    assert_eq!(digests(&piped.stdout), [""; 0], "{piped:?}");
}

// P-44: progress is one line of stderr that never wraps; there is none if stderr is not a terminal.
#[test]
fn progress_is_one_line_that_fits() {
    let slow = || {
        let world = reported("green");
        world.write("check.sh", "sleep 2\n");
        let line = plan_verify(&world);
        world.write("plan.md", world.plan_md().replace("verify: sh check.sh", &line));
        world
    };
    let fits = |columns, end| {
        let world = slow();
        let text = shown(&world, columns, "verify fast-1 --gate fast");
        let lines: Vec<&str> = text.split("\u{1b}[K").filter(|part| part.starts_with('…')).collect();
        assert!(!lines.is_empty(), "{text}");
        for line in &lines {
            assert!(!line.contains('\n') && plan::plan::view::width(line) < columns, "{columns}: `{line}`");
        }
        assert!(lines.iter().any(|line| line.ends_with(end)), "{lines:?}");
    };
    let piped = || {
        let piped = slow().plan(["verify", "fast-1", "--gate", "fast"]);
        assert!(!piped.stderr.contains('…'), "{piped:?}");
    };
    std::thread::scope(|scope| {
        scope.spawn(|| fits(40, ", 1 s"));
        scope.spawn(|| fits(120, "(limit 600 s); next: the gate"));
        scope.spawn(piped);
    });
}

/// Gives the plan a verify line that is wider than a narrow terminal.
fn plan_verify(world: &World) -> String {
    world.write("a-check-with-a-name-that-is-long-enough-for-every-terminal.sh", "sh check.sh\n");
    "verify: sh a-check-with-a-name-that-is-long-enough-for-every-terminal.sh".to_owned()
}

// P-9
#[cfg(target_os = "linux")]
#[test]
fn the_demo_has_headings_and_ends_with_what_to_do_next() {
    let world = crate::support::World::without_git();
    let output = typed(&world, "demo --color always", "");
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert!(output.stdout.contains("\u{1b}[1m# 1. An honest goal."), "{}", output.stdout);
    let closing: Vec<&str> =
        output.stdout.trim_end().lines().rev().take_while(|line| !line.trim().is_empty()).collect();
    assert_eq!(closing.len(), 8, "{closing:#?}");
    assert!(closing.iter().any(|line| line.contains("plan init")), "{closing:#?}");
}
