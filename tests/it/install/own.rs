//! Content from before the install is there after the uninstall, even if it looks just like the text that the install writes.

use std::fs;

use super::{done, state, world};
use crate::support::World;

const SERVER: &str = r#"{"mcpServers":{"plan":{"command":"plan","args":["mcp"],"env":{"PLAN_FILE":"x.md"}}}}"#;

/// Edits the file, so that the record no longer matches it.
fn edited(world: &World, path: &str) {
    let text = world.read(path);
    let with = if path.ends_with("toml") { format!("mine = 1\n{text}") } else { text.replacen('{', "{\"mine\":1,", 1) };
    world.write(path, with);
}

#[test]
fn a_server_of_ones_own_stays() {
    for edit in [false, true] {
        let world = world().file(".mcp.json", SERVER);
        let before = state(&world);
        done(&world, "install claude");
        assert_eq!(world.read(".mcp.json"), SERVER);
        if edit {
            edited(&world, ".mcp.json");
        }
        let left = world.read(".mcp.json");
        let output = world.plan(["uninstall", "claude"]);
        assert!(
            output.code == 0
                && output.stdout.contains(".mcp.json keeps the entries that called `plan` before the install"),
            "{output:?}"
        );
        assert_eq!(world.read(".mcp.json"), left);
        if !edit {
            assert_eq!(before, state(&world));
        }
        // A second uninstall removes it.
        done(&world, "uninstall claude");
        assert!(!world.path(".mcp.json").exists() || !world.read(".mcp.json").contains("plan"));
    }
}

#[test]
fn a_table_of_ones_own_stays() {
    let own = "[mcp_servers.plan]\ncommand = \"plan\"\nargs = [\"mcp\"]\n[mcp_servers.plan.env]\nA = \"1\"\n";
    for edit in [false, true] {
        let world = world().file(".codex/config.toml", own);
        done(&world, "install codex");
        if edit {
            edited(&world, ".codex/config.toml");
        }
        let left = world.read(".codex/config.toml");
        done(&world, "uninstall codex");
        assert_eq!(world.read(".codex/config.toml"), left);
        assert!(!world.path(".codex/hooks.json").exists());
    }
}

#[test]
fn a_status_line_of_ones_own_stays() {
    let world = world();
    let path = world.base().join("home/.claude/settings.json");
    let text = r#"{"statusLine":{"type":"command","command":"plan show --line"}}"#;
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    done(&world, "install claude --scope user");
    assert!(fs::read_to_string(&path).unwrap().contains("hook"));
    done(&world, "uninstall claude --scope user");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn rules_and_hooks_of_ones_own_stay_after_an_edit() {
    let group = r#"{"matcher":"x","hooks":[{"type":"command","command":"lint"},{"type":"command","command":"plan hook claude","timeout":3}]}"#;
    let text = format!(
        r#"{{"permissions":{{"allow":["Bash(plan log *)","Bash(ls)","Bash(plan *)"]}},"hooks":{{"Stop":[{group}]}}}}"#
    );
    let world = world().file(".claude/settings.json", &text);
    done(&world, "install claude");
    done(&world, "install claude --allow");
    assert!(world.read(".claude/settings.json").matches("hook").count() > text.matches("hook").count());
    edited(&world, ".claude/settings.json");
    done(&world, "uninstall claude");
    assert_eq!(world.read(".claude/settings.json"), text.replacen('{', "{\"mine\":1,", 1));
}

#[test]
fn what_was_empty_keeps_its_space_after_an_edit() {
    let text = "{\n  \"permissions\": { \"allow\": [ ] },\n  \"hooks\": {\n  }\n}\n";
    let world = world().file(".claude/settings.json", text);
    done(&world, "install claude");
    world.write(".claude/settings.json", world.read(".claude/settings.json") + "\n");
    done(&world, "uninstall claude");
    assert_eq!(world.read(".claude/settings.json"), format!("{text}\n"));
    let world = super::world().file(".mcp.json", "{\n}\n");
    done(&world, "install claude");
    world.write(".mcp.json", world.read(".mcp.json") + "\n");
    done(&world, "uninstall claude");
    assert_eq!(world.read(".mcp.json"), "{\n}\n\n");
}

#[test]
fn what_the_client_wrote_below_the_server_goes_with_it() {
    for below in
        ["[mcp_servers.plan.tools.plan_log]\napproval_mode = \"approve\"\n", "[mcp_servers.plan.env]\nA = \"1\"\n"]
    {
        for before in ["", "model = \"x\"\n"] {
            let world = world().file(".codex/.keep", "");
            if !before.is_empty() {
                world.write(".codex/config.toml", before);
            }
            let was = state(&world);
            done(&world, "install codex");
            world.write(".codex/config.toml", format!("{}\n{below}", world.read(".codex/config.toml")));
            done(&world, "uninstall codex");
            assert_eq!(was, state(&world), "{below}");
        }
    }
}

#[test]
fn trouble_says_what_to_do_next() {
    let said = |world: &World, line: &str| {
        let output = world.plan(line.split(' '));
        assert_eq!(output.code, 2, "{line}: {output:?}");
        output.stderr
    };
    let list = world().file(".claude/settings.json", "{\"hooks\":[]}");
    assert!(said(&list, "install claude").contains("fix that by hand, then run the command again"));
    let inline = "mcp_servers = { plan = { command = \"plan\", args = [\"mcp\"] } }\n";
    let inline = world().file(".codex/config.toml", inline);
    assert!(said(&inline, "uninstall codex").contains("delete its lines by hand, then run the command again"));
    // Not even the superuser can create a folder there.
    let output = world().call(["install", "claude", "--scope", "user"]).env("CLAUDE_CONFIG_DIR", "/proc/none").run();
    assert!(output.code == 2 && output.stderr.contains("`--print` shows it"), "{output:?}");
    let blocked = world().file(".claude/skills", "");
    assert!(said(&blocked, "install claude").contains("nothing was written; fix that"));
    let homeless = world().call(["install", "pi", "--scope", "user"]).env("HOME", "").run();
    assert!(homeless.code == 2 && homeless.stderr.contains("set `HOME`"), "{homeless:?}");
}
