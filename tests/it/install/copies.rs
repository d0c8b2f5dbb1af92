//! Text that `--remove-comments` removes is never lost: it is put back, or a copy of the file stays and is named.

use std::collections::BTreeMap;
use std::fs;

use super::{done, state, world};
use crate::support::{World, size, strace};

const SETTINGS: &str = ".claude/settings.json";
const TEXT: &str = "{\n  // ask Bob before changing\n  \"a\": 1\n}\n";
const INSTALL: &str = "install claude --remove-comments";

/// The copies of settings files in the repository's state folder.
fn copies(world: &World) -> BTreeMap<String, String> {
    let entries = fs::read_dir(world.path(".git/plan/install/claude")).into_iter().flatten();
    entries
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.strip_prefix(world.root()).unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn replace(world: &World, path: &str, from: &str, to: &str) {
    let text = world.read(path);
    assert!(text.contains(from), "{text}");
    world.write(path, text.replacen(from, to, 1));
}

/// Uninstalls, and checks that the only copy holds `text`, is named and stays.
#[track_caller]
fn uninstalled_with_a_copy(world: &World, text: &str) {
    let output = world.plan(["uninstall", "claude"]);
    let copies = copies(world);
    assert_eq!(copies.values().collect::<Vec<_>>(), [text], "{output:?}");
    for name in copies.keys() {
        let line = format!(
            "{SETTINGS} was edited since, so what `--remove-comments` removed was not put back: {name} is the file with it\n"
        );
        assert!(output.code == 0 && output.stdout.contains(&line), "{output:?}");
    }
}

// P-27
#[test]
fn what_a_later_install_removes_is_put_back() {
    for (host, path, from, to) in [
        ("claude", SETTINGS, "{", "// ask Bob before changing\n{"),
        ("claude", SETTINGS, "{", "{ /* ask Bob */"),
        ("gemini", ".gemini/settings.json", "\"a\": [1]", "\"a\": [1,]"),
    ] {
        for original in [None, Some("{ \"a\": [1] }\n"), Some("{\n  \"a\": [1],\n  \"hooks\": {}\n}\n")] {
            if original.is_none() && host == "gemini" {
                continue;
            }
            let world = world();
            if let Some(text) = original {
                world.write(path, text);
            }
            done(&world, &format!("install {host}"));
            replace(&world, path, from, to);
            let expected = original.map_or_else(|| to.to_owned() + "}", |text| text.replacen(from, to, 1));
            done(&world, &format!("install {host} --remove-comments"));
            assert!(!world.read(path).contains(to), "{host}");
            done(&world, &format!("install {host} --allow"));
            done(&world, &format!("uninstall {host}"));
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&world.read(path)), bare(&expected), "{host}");
            if original.is_some() {
                assert_eq!(world.read(path), expected, "{host}");
            }
            assert_eq!(copies(&world), BTreeMap::new(), "{host}");
            assert!(!world.path(&format!(".git/plan/install/{host}")).exists(), "{host}");
        }
    }
}

// P-27
#[test]
fn after_an_edit_a_copy_with_the_comments_stays_and_is_named() {
    for again in [None, Some("install claude"), Some("install claude --allow"), Some(INSTALL)] {
        let world = world().file(SETTINGS, TEXT);
        done(&world, INSTALL);
        replace(&world, SETTINGS, "\"a\": 1", "\"a\": 2");
        again.iter().for_each(|line| done(&world, line));
        uninstalled_with_a_copy(&world, TEXT);
        assert_eq!(world.read(SETTINGS), "{\n  \"a\": 2\n}\n");
        // The copy stays and is named until a person deletes it, or the text is back.
        uninstalled_with_a_copy(&world, TEXT);
        done(&world, INSTALL);
        uninstalled_with_a_copy(&world, TEXT);
        world.write(SETTINGS, TEXT);
        done(&world, INSTALL);
        done(&world, "uninstall claude");
        assert_eq!((world.read(SETTINGS), copies(&world)), (TEXT.to_owned(), BTreeMap::new()));
    }
    // The last comments are put back; the first ones are in their copy.
    let world = world().file(SETTINGS, TEXT);
    done(&world, INSTALL);
    replace(&world, SETTINGS, "\"a\": 1", "// two\n  \"a\": 2");
    done(&world, INSTALL);
    assert_eq!(copies(&world).len(), 2);
    uninstalled_with_a_copy(&world, TEXT);
    assert_eq!(world.read(SETTINGS), "{\n  // two\n  \"a\": 2\n}\n");
    let document = world.plan(["uninstall", "claude", "--json"]).json(0);
    assert_eq!(document["files"][0]["copies"].as_array().map(Vec::len), Some(1), "{document}");
}

// P-27
#[test]
fn without_a_copy_and_a_record_nothing_is_removed() {
    for taken in [".git/plan", ".git/plan/install", ".git/plan/install/claude", ".git/plan/install/claude.json/x"] {
        let world = world().file(SETTINGS, TEXT).file(taken, "");
        let before = state(&world);
        let output = world.plan(INSTALL.split(' '));
        assert!(output.code != 0 && output.stderr.contains("nothing was written"), "{taken}: {output:?}");
        assert_eq!((state(&world), copies_are_gone(&world)), (before, true), "{taken}");
        // If there is nothing to remove, it is only a note.
        world.write(SETTINGS, "{}");
        assert_eq!(world.plan(["install", "claude"]).code, 0, "{taken}");
    }
}

fn copies_are_gone(world: &World) -> bool {
    !world.path(".git/plan/install/claude").is_dir()
}

// A record of more than 4 MiB was once written but not read.
#[test]
fn a_long_comment_is_put_back() {
    let text = format!("{{\n  // {}\n  \"a\": 1\n}}\n", "\"".repeat(3 << 20));
    let world = world().file(SETTINGS, &text);
    done(&world, INSTALL);
    assert!(fs::metadata(world.path(".git/plan/install/claude.json")).unwrap().len() > 4 << 20);
    done(&world, "uninstall claude");
    assert!(world.read(SETTINGS) == text && copies(&world).is_empty());
}

// P-27
#[test]
fn killed_at_any_change_of_the_disk_nothing_is_lost() {
    if !strace::available(&world()) {
        return;
    }
    let args: Vec<&str> = INSTALL.split(' ').collect();
    // The first install, and an install of a file that was edited after an earlier one.
    for is_second in [false, true] {
        let begin = || {
            let world = world();
            world.write(SETTINGS, if is_second { "{\n  \"a\": 1\n}\n" } else { TEXT });
            if is_second {
                done(&world, "install claude");
                replace(&world, SETTINGS, "{\n", "{\n  // ask Bob before changing\n");
            }
            world
        };
        let (_, trace) = strace::trace(&begin(), &args, "");
        let names = ["openat", "write", "fsync", "rename", "renameat2", "link", "linkat", "unlink", "mkdir"];
        let mut kills = 0;
        for name in names {
            let most = trace.calls.get(name).map_or(0, |(_, all)| *all);
            for count in (1..=most).step_by(if name == "openat" { size(7, 1) } else { 1 }) {
                let world = begin();
                kills += usize::from(strace::kill_at(&world, &args, name, count).code == 137);
                done(&world, "uninstall claude");
                assert_eq!(world.read(SETTINGS), TEXT, "{name} {count}");
            }
        }
        assert!(kills > 10, "{kills}");
    }
}
