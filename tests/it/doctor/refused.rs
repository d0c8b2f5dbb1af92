//! Settings come with a repository, and a repository may be hostile: the lines that are run, and the lines that are not.

use serde_json::json;

use super::{finds, text, world};
use crate::support::World;

/// Claude Code's settings with one hook.
fn settings(world: &World, handler: &serde_json::Value) {
    let settings = json!({ "hooks": { "SessionStart": [{ "hooks": [handler] }] } });
    world.write(".claude/settings.json", settings.to_string());
}

/// A line of a project's settings is run only if it is a plain call of `plan`, by a program that did not come with the repository.
// P-66
#[test]
fn nothing_that_came_with_the_repository_is_run() {
    let world = world();
    let owned = world.base().join("owned");
    let evil = format!("#!/bin/sh\ntouch '{}'\n", owned.display());
    for path in ["plan", "bin/plan", "../elsewhere/plan"] {
        world.script(path, &evil);
    }
    std::os::unix::fs::symlink(world.path("plan"), world.base().join("elsewhere/link")).unwrap();
    let [inside, outside] = [world.path("plan"), world.base().join("elsewhere/plan")];
    for handler in [
        json!({ "type": "command", "command": "./plan", "args": ["hook", "claude"] }),
        json!({ "type": "command", "command": "bin/plan hook claude" }),
        json!({ "type": "command", "command": inside, "args": ["hook", "claude"] }),
        json!({ "type": "command", "command": outside, "args": ["hook", "claude"] }),
        json!({ "type": "command", "command": format!("plan hook claude; touch {}", owned.display()) }),
        json!({ "type": "command", "command": format!("touch {} && plan hook claude", owned.display()) }),
    ] {
        settings(&world, &handler);
        let document = finds(&world, 3, &["hook-silent?"]);
        assert!(text(&document, "hook-silent").contains("was not run"), "{document:#}");
        assert!(!owned.exists(), "{handler}");
    }
    // The same program in the user's own settings is the user's.
    std::fs::remove_file(world.path(".claude/settings.json")).unwrap();
    let handler = json!({ "type": "command", "command": outside, "args": ["hook", "claude"] });
    let own = json!({ "hooks": { "SessionStart": [{ "hooks": [handler] }] } });
    world.write("../home/.claude/settings.json", own.to_string());
    finds(&world, 1, &["hook-silent"]);
    assert!(owned.exists());
}
