//! `plan install HOST` and `plan uninstall HOST`: earlier content is the same afterwards, byte for byte.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::Value;

use crate::support::{World, assert_has_each_host, hosts, size, tree};

mod allowed;
mod copies;
mod own;
mod readable;

/// Typical settings of users: host, place, fixture.
const OWN: [(&str, &str, &str); 11] = [
    ("claude", ".claude/settings.json", "claude.json"),
    ("claude", ".mcp.json", "claude.mcp.json"),
    ("codex", ".codex/hooks.json", "codex-hooks.json"),
    ("codex", ".codex/config.toml", "codex-config.toml"),
    ("codex", ".codex/config.toml", "codex-trusted.toml"),
    ("pi", ".pi/mcp.json", "pi.mcp.json"),
    ("gemini", ".gemini/settings.json", "gemini.json"),
    ("opencode", "opencode.json", "opencode.json"),
    ("opencode", "opencode.jsonc", "opencode.jsonc"),
    ("qwen", ".qwen/settings.json", "qwen.json"),
    ("qwen", ".qwen/settings.json", "gemini.json"),
];

#[test]
fn the_settings_of_every_host_are_tried() {
    // The table has no row for files that are `plan`'s alone.
    assert_has_each_host(OWN.map(|(host, ..)| host), "OWN in tests/it/install.rs");
}

fn fixture(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/settings").join(name)).unwrap()
}

/// A world in which `plan` on PATH is this program.
fn world() -> World {
    let world = World::new();
    symlink(env!("CARGO_BIN_EXE_plan"), world.base().join("bin/plan")).unwrap();
    world
}

fn folders(world: &World) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![world.root().to_owned()];
    while let Some(folder) = left.pop() {
        for path in fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir() && !path.ends_with(".git"))
        {
            found.push(path.strip_prefix(world.root()).unwrap().to_string_lossy().into_owned());
            left.push(path);
        }
    }
    found.sort();
    found
}

/// The files and the folders.
fn state(world: &World) -> (tree::Tree, Vec<String>) {
    (tree::read(world.root()), folders(world))
}

fn forget(world: &World) {
    fs::remove_dir_all(world.path(".git/plan")).unwrap();
}

#[track_caller]
fn done(world: &World, line: &str) {
    let output = world.plan(line.split(' '));
    assert_eq!((output.code, &*output.stderr), (0, ""), "{line}: {}", output.stdout);
}

#[test]
fn every_setting_that_people_have_comes_back_byte_for_byte() {
    for (host, path, name) in OWN {
        let lf = fixture(name);
        // These two hosts cannot read a file with a byte order mark.
        let has_mark = path.ends_with("json") && !matches!(host, "codex" | "gemini");
        let manners = [
            lf.clone(),
            lf.replace('\n', "\r\n"),
            lf.trim_end().to_owned(),
            format!("{}{lf}", if has_mark { "\u{feff}" } else { "" }),
            lf.replace("  ", "\t"),
        ];
        // All of them, or two that differ from host to host.
        let some = name.len() % 4;
        for text in manners.into_iter().skip(size(some, 0)).take(size(2, 5)) {
            let world = world().file(path, &text);
            let before = state(&world);
            done(&world, &format!("install {host}"));
            let installed = state(&world);
            assert_ne!(before, installed);
            done(&world, &format!("install {host}"));
            assert_eq!(installed, state(&world), "{host} {name}: twice");
            done(&world, &format!("uninstall {host}"));
            assert_eq!(before, state(&world), "{host} {name}: {text:?}");
            // On another machine there is no record: the entries are recognized by their content.
            done(&world, &format!("install {host}"));
            forget(&world);
            done(&world, &format!("install {host}"));
            assert_eq!(installed, state(&world));
            done(&world, &format!("uninstall {host}"));
            assert_eq!(before, state(&world), "{host} {name}, without a record: {text:?}");
        }
    }
}

#[test]
fn where_nothing_was_nothing_stays() {
    for host in hosts() {
        let world = world();
        done(&world, &format!("install {host}"));
        assert!(!tree::read(world.root()).is_empty());
        done(&world, &format!("uninstall {host}"));
        assert_eq!(state(&world), Default::default(), "{host}");
        done(&world, &format!("install {host}"));
        forget(&world);
        done(&world, &format!("uninstall {host}"));
        assert_eq!(state(&world), Default::default(), "{host}, without a record");
        world.plan(["uninstall", host]).ok("nothing to remove\n");
    }
}

/// This includes a user's own settings, the folders above them, and those above the record.
#[test]
fn where_a_user_had_nothing_nothing_stays() {
    let below = |world: &World, path: &str| world.base().join("home").join(path).exists();
    for host in hosts() {
        let world = world();
        let before = tree::read(&world.base().join("home"));
        let made = [".config", ".local", ".claude", ".codex", ".pi", ".gemini", ".qwen"];
        assert!(made.iter().all(|path| !below(&world, path)), "{host}");
        done(&world, &format!("install {host} --scope user"));
        assert!(below(&world, ".local/state/plan/install"), "{host}");
        done(&world, &format!("uninstall {host} --scope user"));
        assert_eq!(tree::read(&world.base().join("home")), before, "{host}");
        for path in made {
            assert!(!below(&world, path), "{host}: {path}");
        }
    }
    // Earlier content stays, and everything that another host needs.
    let world = world();
    fs::create_dir_all(world.base().join("home/.pi")).unwrap();
    done(&world, "install pi --scope user");
    done(&world, "install qwen --scope user");
    done(&world, "uninstall pi --scope user");
    assert!(below(&world, ".pi") && !below(&world, ".pi/agent") && below(&world, ".local/state/plan/install"));
    done(&world, "uninstall qwen --scope user");
    assert!(!below(&world, ".local/state/plan") && !below(&world, ".qwen"));
}

#[test]
fn what_was_empty_stays_empty() {
    for text in [
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "",
        "\n",
        "{\"hooks\":{}}",
        "{\n  \"hooks\": {\n  },\n  \"permissions\": { \"allow\": [] }\n}",
        "// c\n{ /* d */ }",
    ] {
        let world = world().file(".claude/settings.json", text).file(".claude/skills/.keep", "");
        let before = state(&world);
        done(&world, "install claude --remove-comments");
        done(&world, "uninstall claude");
        assert_eq!(before, state(&world), "{text:?}");
        // The file was edited since: the empty list from before is still there.
        done(&world, "install claude --remove-comments");
        let edited = world.read(".claude/settings.json").replace("\"Stop\"", "\"Mine\": [], \"Stop\"");
        world.write(".claude/settings.json", edited);
        done(&world, "uninstall claude");
        let left: Value = serde_json::from_str(&world.read(".claude/settings.json")).unwrap();
        assert_eq!(left["hooks"], serde_json::json!({ "Mine": [] }), "{text:?}");
        assert_eq!(left.get("permissions").is_some(), text.contains("permissions"), "{text:?}");
    }
}

#[test]
fn after_an_edit_our_entries_go_and_the_edit_stays() {
    let world = world().file(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    done(&world, "install claude");
    let text = world.read(".claude/settings.json");
    let own = "{ \"type\": \"command\", \"command\": \"own\" }, ";
    let edited = text
        .replace("\"model\": \"opus\"", "\"model\": \"sonnet\"")
        .replacen("\"hooks\": [{ \"type\"", &format!("\"hooks\": [{own}{{ \"type\""), 1)
        .replace("\"Bash(plan show *)\"", "\"Bash(ls *)\", \"Bash(plan show *)\"");
    assert_eq!(edited.matches("own").count(), 1, "{edited}");
    world.write(".claude/settings.json", &edited);
    done(&world, "install claude");
    assert_eq!(world.read(".claude/settings.json"), edited, "a person's tuning is left alone");
    done(&world, "uninstall claude");
    let left = world.read(".claude/settings.json");
    assert!(left.contains("\"model\": \"sonnet\"") && left.contains("Bash(ls *)"), "{left}");
    assert!(left.contains("\"command\": \"own\"") && !left.contains("plan"), "{left}");
}

#[test]
fn what_is_edited_of_our_own_files_stays_and_is_named() {
    let world = world();
    done(&world, "install claude");
    let skill = ".claude/skills/plan-md/SKILL.md";
    world.write(skill, world.read(skill) + "More.\n");
    let output = world.plan(["uninstall", "claude"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stdout.contains(&format!("kept {skill}: it was edited, or another version of `plan` wrote it")),
        "{output:?}"
    );
    assert_eq!(tree::read(world.root()).into_keys().collect::<Vec<_>>(), [skill]);
}

/// The clone of a teammate, or a newer `plan`: the different text is reported.
#[test]
fn what_another_version_wrote_is_not_called_up_to_date() {
    let world = world();
    done(&world, "install pi");
    let extension = ".pi/extensions/plan.ts";
    world.write(extension, world.read(extension) + "// of another version\n");
    let text = world.read(extension);
    forget(&world);
    let output = world.plan(["install", "pi"]);
    assert!(
        output.stdout.contains(&format!("kept {extension}: it was edited, or another version of `plan` wrote it")),
        "{output:?}"
    );
    assert!(
        !output.stdout.contains("nothing to do") && output.stdout.contains("run `plan install pi` again"),
        "{output:?}"
    );
    assert!(world.plan(["install", "pi", "--json"]).stdout.contains("\"outcome\": \"edited\""));
    assert_eq!(world.read(extension), text);
}

#[test]
fn nothing_is_half_installed() {
    let fine = "{ \"a\": 1 }";
    type Spoil = fn(&Path);
    let spoils: [(&str, Spoil); 9] = [
        ("expected a regular file", |path| fs::create_dir(path).unwrap()),
        ("is a broken link", |path| symlink("nothing", path).unwrap()),
        ("is a link out of the repository", |path| symlink("../../home/.gitconfig", path).unwrap()),
        ("is a link out of the repository", |path| symlink("../.git/config", path).unwrap()),
        ("is a link out of the repository", |path| symlink("/dev/zero", path).unwrap()),
        ("is not UTF-8", |path| fs::write(path, b"{\"a\":\"\xff\"}").unwrap()),
        ("line 1", |path| fs::write(path, "{ \"a\": }").unwrap()),
        ("`hooks` is not an object", |path| fs::write(path, "{ \"hooks\": [] }").unwrap()),
        ("is read-only", |path| {
            fs::write(path, "{}").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
        }),
    ];
    for (why, spoil) in spoils {
        let world = world().file(".qwen/.keep", "");
        spoil(&world.path(".qwen/settings.json"));
        let before = state(&world);
        let output = world.plan(["install", "qwen"]);
        assert!(output.code == 2 && output.stderr.contains(why), "{why}: {output:?}");
        assert_eq!(before, state(&world), "{why}");
    }
    // The first file could be written, the last could not.
    let world = world()
        .file(".claude/settings.json", fine)
        .file(".mcp.json", "{ \"mcpServers\": { \"plan\": { \"command\": \"other\" } } }");
    let before = state(&world);
    let output = world.plan(["install", "claude"]);
    assert!(
        output.code == 4 && output.stderr.contains("`mcpServers.plan` is already set to something else"),
        "{output:?}"
    );
    assert_eq!(before, state(&world));
}

#[test]
fn a_folder_that_leads_out_is_not_followed() {
    for target in ["../home", ".git", "/tmp"] {
        let world = world();
        symlink(target, world.path(".claude")).unwrap();
        let output = world.plan(["install", "claude"]);
        assert!(output.code == 2 && output.stderr.contains("link out of the repository"), "{target}: {output:?}");
        assert!(!world.base().join("home/settings.json").exists() && !world.path(".git/settings.json").exists());
    }
}

#[test]
fn another_ones_file_is_left_alone() {
    let world = world().file(".pi/extensions/plan.ts", "export default () => {}\n");
    let before = state(&world);
    let output = world.plan(["install", "pi"]);
    assert!(output.code == 4 && output.stderr.contains("another file is already there"), "{output:?}");
    world.plan(["uninstall", "pi"]).ok("nothing to remove\n");
    assert_eq!(before, state(&world));
}

#[test]
fn print_shows_a_patch_and_does_nothing() {
    let world = world().file(".mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    let before = state(&world);
    let output = world.plan(["install", "claude", "--print"]);
    assert_eq!(output.code, 0);
    assert!(output.stdout.contains("--- /dev/null\n") && output.stdout.contains("+++ "), "{}", output.stdout);
    assert!(
        output.stdout.contains("+    \"plan\": { \"type\": \"stdio\", \"command\": \"plan\", \"args\": [\"mcp\"] }\n"),
        "{}",
        output.stdout
    );
    assert_eq!(before, state(&world));
    let document = world.plan(["install", "claude", "--json"]).json(0);
    assert_eq!(
        (&document["files"][0]["outcome"], &document["files"][1]["outcome"]),
        (&"created".into(), &"changed".into())
    );
    assert_eq!((&document["program"], &document["scope"]), (&"plan".into(), &"project".into()));
}

#[test]
fn the_program_is_named_so_that_it_is_found() {
    let world = World::new();
    let output = world.plan(["install", "codex"]);
    assert!(output.stdout.contains("`plan` on PATH is not this program"), "{output:?}");
    let hooks = world.read(".codex/hooks.json");
    assert!(hooks.contains(&format!("{} hook codex", env!("CARGO_BIN_EXE_plan"))), "{hooks}");
    // Once `plan` is on PATH, the entries are corrected and not doubled, and all of them can still be removed.
    symlink(env!("CARGO_BIN_EXE_plan"), world.base().join("bin/plan")).unwrap();
    let output = world.plan(["install", "codex"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(world.read(".codex/hooks.json"), hooks.replace(env!("CARGO_BIN_EXE_plan"), "plan"));
    assert!(world.read(".codex/config.toml").contains("command = \"plan\""));
    done(&world, "uninstall codex");
    assert_eq!(state(&world), Default::default());
}

#[test]
fn hooks_that_would_run_twice_are_refused() {
    let world = world();
    done(&world, "install codex --scope user");
    let output = world.plan(["install", "codex"]);
    assert!(output.code == 4 && output.stderr.contains("plan uninstall codex --scope user"), "{output:?}");
    assert_eq!(state(&world), Default::default());
    done(&world, "uninstall codex --scope user");
    assert!(!world.base().join("home/.codex").exists());
    done(&world, "install codex");
    assert_eq!(world.plan(["install", "codex", "--scope", "user"]).code, 4);
}

#[test]
fn a_users_own_links_are_followed_and_modes_kept() {
    let world = world();
    let home = world.base().join("home");
    fs::create_dir_all(home.join("dotfiles")).unwrap();
    fs::create_dir_all(home.join(".claude")).unwrap();
    let real = home.join("dotfiles/claude.json");
    let text = "{\n  \"statusLine\": { \"type\": \"command\", \"command\": \"mine\" }\n}\n";
    fs::write(&real, text).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("../dotfiles/claude.json", home.join(".claude/settings.json")).unwrap();
    done(&world, "install claude --scope user");
    let now = fs::read_to_string(&real).unwrap();
    assert!(
        now.contains("\"command\": \"mine\"") && !now.contains("show --line") && now.contains("PostToolBatch"),
        "{now}"
    );
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(home.join(".claude/settings.json").is_symlink());
    done(&world, "uninstall claude --scope user");
    assert_eq!(fs::read_to_string(&real).unwrap(), text);
    assert!(!home.join(".claude/skills").exists() && state(&world) == Default::default());
}

#[test]
fn a_judge_installs_nothing() {
    let world = world();
    let output = world.call(["install", "claude"]).env("PLAN_JUDGE_SESSION", "1").run();
    assert_eq!((output.code, state(&world)), (4, Default::default()));
}
