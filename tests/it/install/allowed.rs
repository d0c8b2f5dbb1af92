//! The actions that an agent may take after an install without being asked, and those that are left to a person.

use std::fs;

use serde_json::Value;

use super::{done, state, world};
use crate::support::World;

#[test]
fn an_agent_is_allowed_nothing_that_runs_a_command_unless_asked_for() {
    let allowed = |world: &World| {
        let value: Value = serde_json::from_str(&world.read(".claude/settings.json")).unwrap();
        value["permissions"]["allow"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let world = world();
    done(&world, "install claude");
    let tools: Value = serde_json::from_str(include_str!("../../../prompts/mcp.json")).unwrap();
    let tools = tools["tools"].as_array().unwrap();
    for rule in allowed(&world) {
        if let Some(name) = rule.strip_prefix("mcp__plan__") {
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            let verbs = &tool["inputSchema"]["properties"]["do"];
            assert!(!verbs.to_string().contains("run"), "{name}: {verbs}");
        }
        for verb in ["complete", "verify", "goal", "run", "plan *", "judge", "install"] {
            assert!(!rule.contains(verb), "{rule}");
        }
    }
    done(&world, "install claude --allow");
    assert!(allowed(&world).contains(&"Bash(plan *)".to_owned()));
    done(&world, "uninstall claude");
    assert_eq!(state(&world), Default::default());
    done(&world, "install gemini");
    assert!(!world.read(".gemini/settings.json").contains("trust"));
}

// CONTRACT.md §1: whatever else is allowed; uninstall removes it byte for byte, next to a person's own rules
#[test]
fn an_agent_is_denied_the_commands_of_a_person() {
    let denied = |world: &World| {
        let value: Value = serde_json::from_str(&world.read(".claude/settings.json")).unwrap();
        value["permissions"]["deny"].clone()
    };
    let ours = ["Bash(plan approve*)", "Bash(plan rewind*)", "Bash(plan hook*)"];
    for install in ["install claude", "install claude --allow"] {
        let world = world();
        done(&world, install);
        assert_eq!(denied(&world), serde_json::json!(ours), "{install}");
        done(&world, "uninstall claude");
        assert_eq!(state(&world), Default::default());
    }
    for own in [
        "{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(rm *)\"\n    ]\n  }\n}\n",
        "{ \"permissions\": { \"deny\": [\"Bash(plan rewind*)\", \"Read(.env)\"], \"allow\": [] } }",
        "{\"permissions\":{\"deny\":[]}}\n",
    ] {
        let world = world().file(".claude/settings.json", own).file(".claude/skills/.keep", "");
        let before = state(&world);
        done(&world, "install claude");
        let list = denied(&world).to_string();
        assert!(ours.iter().all(|rule| list.matches(rule).count() == 1), "{own}: {list}");
        done(&world, "uninstall claude");
        assert_eq!(state(&world), before, "{own}");
    }
}

#[test]
fn what_is_left_to_do_is_looked_up() {
    let world = world();
    let said = |host: &str| world.plan(["install", host]).stdout;
    assert!(said("gemini").contains("- trust the folder"));
    let home = world.base().join("home");
    fs::create_dir_all(home.join(".gemini")).unwrap();
    let trusted = serde_json::json!({ world.root().to_str().unwrap(): "TRUST_FOLDER" });
    fs::write(home.join(".gemini/trustedFolders.json"), trusted.to_string()).unwrap();
    assert!(!said("gemini").contains("left to do"));
    assert!(said("opencode").contains("npm install"));
    for folder in [home.join(".config/opencode"), world.path(".opencode")] {
        fs::create_dir_all(folder.join("node_modules/@opencode-ai/plugin")).unwrap();
    }
    assert!(!said("opencode").contains("left to do"));
}

#[test]
fn codex_is_asked_whether_it_trusts_the_hooks() {
    let hook = |trust: &str| {
        let answer = serde_json::json!({ "id": 2, "result": { "data": [{ "hooks": [
            { "command": "other", "trustStatus": "untrusted", "enabled": true },
            { "command": "plan hook codex", "trustStatus": trust, "enabled": true },
        ] }] } });
        // It answers while its input is open, as the client does.
        format!(
            "#!/bin/sh\nread a; echo '{{\"id\":1}}'; read b; read c\ncase $c in *hooks/list*) echo '{answer}';; esac\ncat >/dev/null\n"
        )
    };
    let left = |trust: &str| world().program("codex", &hook(trust)).plan(["install", "codex"]).stdout;
    assert!(left("untrusted").contains("- review the hooks in Codex"));
    assert!(left("modified").contains("- review the hooks in Codex"));
    assert!(!left("trusted").contains("- review the hooks in Codex"));
    let broken = world().program("codex", "#!/bin/sh\necho '{\"id\":2,\"result\":7}'; exit 3\n");
    assert!(broken.plan(["install", "codex"]).stdout.contains("- review the hooks in Codex"));
}
