//! Findings about hooks, which need no plan.md: a missing program, duplicate hooks, hooks without an answer.

use super::{finds, mends, text, world};
use crate::support::assert_has_each_host;

/// The file of each host that calls `plan hook`.
const FILES: [(&str, &str); 6] = [
    ("claude", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("pi", ".pi/extensions/plan.ts"),
    ("gemini", ".gemini/settings.json"),
    ("opencode", ".opencode/plugin/plan.ts"),
    ("qwen", ".qwen/settings.json"),
];

/// Fault 15: the settings of every host call a missing program; each entry is corrected, and nothing else changes.
#[test]
fn a_program_that_is_gone_is_found_and_named_again() {
    assert_has_each_host(FILES.map(|(host, _)| host), "FILES in tests/it/doctor/hooks.rs");
    let world = world();
    for (host, _) in FILES {
        assert_eq!(world.plan(["install", host]).code, 0, "{host}");
    }
    let installed = FILES.map(|(_, file)| world.read(file));
    let moved = |text: &str| {
        let text = text.replace("\"command\": \"plan hook", "\"command\": \"/gone/plan hook");
        let text = text.replace("\"command\":\"plan hook", "\"command\":\"/gone/plan hook");
        let text = text
            .replace("\"command\": \"plan\"", "\"command\": \"/gone/plan\"")
            .replace("\"command\":\"plan\"", "\"command\":\"/gone/plan\"");
        text.replace("const PLAN = \"plan\"", "const PLAN = \"/gone/plan\"")
    };
    for ((_, file), text) in FILES.iter().zip(&installed) {
        let moved = moved(text);
        assert_ne!(&moved, text, "{file}");
        world.write(file, moved);
    }
    let document = finds(&world, 1, &["hook-dead"; FILES.len()]);
    assert_eq!(
        text(&document, "hook-dead"),
        ".claude/settings.json calls `/gone/plan`, which is gone | plan install claude"
    );
    mends(&world, 0, &[]);
    for ((_, file), text) in FILES.iter().zip(&installed) {
        assert_eq!(&world.read(file), text, "{file}");
    }
    for (host, _) in FILES {
        assert_eq!(world.plan(["uninstall", host]).code, 0, "{host}");
    }
    assert_eq!(world.git(["status", "--short"]), "", "an uninstall still restores every byte");
}

/// Faults 16 and 17: both scopes are installed, and the program gives no answer.
#[test]
fn hooks_that_stand_twice_or_answer_nothing_are_found() {
    let world = world();
    assert_eq!(world.plan(["install", "codex"]).code, 0);
    world.write("../home/.codex/hooks.json", world.read(".codex/hooks.json"));
    let document = finds(&world, 0, &["hook-twice"]);
    assert_eq!(
        text(&document, "hook-twice").split(" | ").last(),
        Some("plan uninstall codex --scope user"),
        "{document:#}"
    );
    std::fs::remove_file(world.base().join("home/.codex/hooks.json")).unwrap();
    std::fs::remove_file(world.base().join("bin/plan")).unwrap();
    let world = world.program("plan", "#!/bin/sh\ncat >/dev/null\n");
    let document = finds(&world, 1, &["hook-silent"]);
    assert_eq!(
        text(&document, "hook-silent"),
        ".codex/hooks.json: `plan hook codex` prints no answer to a real event | plan install codex"
    );
}

#[test]
fn a_user_who_switched_hooks_off_is_told_so() {
    let world = world().env("PLAN_DISABLED", "1");
    assert_eq!(world.plan(["install", "claude"]).code, 0);
    let document = finds(&world, 1, &["hook-silent"]);
    assert!(text(&document, "hook-silent").starts_with("`PLAN_DISABLED=1` is set"), "{document:#}");
}
