//! An install must not succeed on a file that the client ignores, as seen with the real clients (`tests/hosts/clients.py`).

use std::fs;

use super::{done, state, world};
use crate::support::hosts;

/// Files that a client cannot read: host, file, text, and the error with its line.
const UNREADABLE: [(&str, &str, &str, &str); 11] = [
    ("claude", ".claude/settings.json", "{\n  // mine\n  \"env\": {}\n}\n", "line 2 of `|` has a comment"),
    ("claude", ".claude/settings.json", "{\n  \"env\": {}, /* mine */\n  \"a\": 1\n}\n", "line 2 of `|` has a comment"),
    ("claude", ".claude/settings.json", "{\n  \"env\": {},\n}\n", "line 2 of `|` has a trailing comma"),
    ("claude", ".mcp.json", "// mine\n{}\n", "line 1 of `|` has a comment"),
    ("codex", ".codex/hooks.json", "{\n  \"hooks\": {}\n  // mine\n}\n", "line 3 of `|` has a comment"),
    ("codex", ".codex/hooks.json", "{\"hooks\": {},}", "line 1 of `|` has a trailing comma"),
    ("codex", ".codex/hooks.json", "\u{feff}{\"hooks\": {}}", "line 1 of `|` has a byte order mark"),
    ("pi", ".pi/mcp.json", "{ } // mine", "line 1 of `|` has a comment"),
    ("gemini", ".gemini/settings.json", "{\n  // mine\n  \"ui\": {},\n}\n", "line 3 of `|` has a trailing comma"),
    ("gemini", ".gemini/settings.json", "\u{feff}{}", "line 1 of `|` has a byte order mark"),
    ("qwen", ".qwen/settings.json", "{\n  \"ui\": {},\n}\n", "line 2 of `|` has a trailing comma"),
];

// P-27
#[test]
fn what_the_client_cannot_read_is_refused_with_its_line_and_can_be_taken_out() {
    for (host, file, text, why) in UNREADABLE {
        let world = world().file(file, text);
        let before = state(&world);
        let output = world.plan(["install", host]);
        // The name of the world's folder is not shown.
        let why = why.replace('|', &format!("[TMP]/work/{file}"));
        assert!(output.code == 2 && output.stderr.contains(&why), "{host} {text:?}: {output:?}");
        assert_eq!(before, state(&world), "{host} {text:?}");
        // The command in the refusal works unchanged.
        let line = format!("install {host} --remove-comments");
        assert!(output.stderr.contains(&format!("plan {line} (")), "{output:?}");
        done(&world, &line);
        let plain = world.read(file);
        assert!(plain.contains("plan") && !plain.starts_with('\u{feff}'), "{host}: {plain}");
        if host != "gemini" {
            serde_json::from_str::<serde_json::Value>(&plain).unwrap();
        }
        done(&world, &format!("install {host}"));
        assert_eq!(world.read(file), plain, "{host}: a second time");
        done(&world, &format!("uninstall {host}"));
        assert_eq!(before, state(&world), "{host} {text:?}: the comment is there again");
    }
}

// The file was readable at the install, but is not any more.
#[test]
fn a_comment_that_came_later_is_noticed_by_the_next_install() {
    let world = world();
    done(&world, "install claude");
    let text = world.read(".claude/settings.json").replacen('{', "{ // mine\n", 1);
    world.write(".claude/settings.json", &text);
    let output = world.plan(["install", "claude"]);
    assert!(output.code == 2 && output.stderr.contains("has a comment"), "{output:?}");
    done(&world, "uninstall claude");
    assert!(world.read(".claude/settings.json").contains("// mine"), "a comment is no reason to keep our entries");
}

#[test]
fn in_a_persons_own_settings_it_is_the_same() {
    let world = world();
    let path = world.base().join("home/.claude/settings.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{} // mine\n").unwrap();
    let output = world.plan(["install", "claude", "--scope", "user"]);
    assert!(output.code == 2, "{output:?}");
    assert!(output.stderr.contains("plan install claude --scope user --remove-comments"), "{output:?}");
    done(&world, "install claude --scope user --remove-comments");
    assert!(fs::read_to_string(&path).unwrap().contains("hook"));
}

// Observed: from a subfolder these clients find no project settings.
#[test]
fn what_is_not_found_from_a_subfolder_is_said() {
    for host in hosts() {
        let world = world();
        let said = world.plan(["install", host]).stdout;
        let is_blind = !matches!(host, "codex" | "opencode");
        assert_eq!(said.contains("at the top of the repository"), is_blind, "{host}: {said}");
        if is_blind {
            // The commands work unchanged. Claude Code runs the same hook of both scopes once.
            let both = host == "claude";
            let first = if both { String::new() } else { format!("plan uninstall {host} && ") };
            assert!(said.contains(&format!("folder: {first}plan install {host} --scope user")), "{host}: {said}");
            if !both {
                done(&world, &format!("uninstall {host}"));
            }
            let said = world.plan(["install", host, "--scope", "user"]);
            assert!(said.code == 0 && !said.stdout.contains("at the top of the repository"), "{host}: {said:?}");
        }
    }
}

/// A Codex configuration with its own providers.
const PROVIDERS: &str = r#"model_provider = "corp"
[model_providers.corp]
base_url = "http://x/v1"
env_key = "CORP_KEY"
[model_providers.other]
env_key = "OTHER_KEY"
[model_providers.unused]
env_key = "UNUSED_KEY"
[profiles.fast]
model_provider = "other"
"#;

// Codex passes hardly any variables to a server, so a judge that `plan mcp` started had no key.
#[test]
fn the_key_of_the_provider_is_handed_to_the_server_of_codex() {
    let world = world();
    let home = world.base().join("home/.codex");
    fs::create_dir_all(&home).unwrap();
    done(&world, "install codex");
    let bare = world.read(".codex/config.toml");
    assert!(!bare.contains("env_vars"), "{bare}");
    fs::write(home.join("config.toml"), PROVIDERS).unwrap();
    done(&world, "install codex");
    let text = world.read(".codex/config.toml");
    assert!(text.contains("env_vars = [\"CORP_KEY\",\"OTHER_KEY\"]\n"), "an install before gets it too: {text}");
    done(&world, "install codex");
    assert_eq!(world.read(".codex/config.toml"), text, "twice");
    world.write(".codex/config.toml", text.replace("[\"CORP_KEY\",", "[\"MINE\","));
    done(&world, "install codex");
    let grown = world.read(".codex/config.toml");
    assert!(grown.contains("env_vars = [\"MINE\",\"OTHER_KEY\",\"CORP_KEY\"]"), "a person's own stays: {grown}");
    done(&world, "uninstall codex");
    assert_eq!(state(&world), Default::default());
    done(&world, "install codex");
    assert!(world.read(".codex/config.toml").contains("env_vars = [\"CORP_KEY\", \"OTHER_KEY\"]\n"));
    done(&world, "uninstall codex");
    assert_eq!(state(&world), Default::default());
}
