//! A record is input: whatever it names, no file outside the plan's files is written or deleted.

use std::os::unix::fs::symlink;

use super::{done, refused, world};
use crate::support::World;

/// Stores a tree that git itself would refuse, and makes checkpoint 1 name it. A name with `/` becomes a nested tree.
fn forge(world: &World, name: &str) {
    let blob = world.git(["hash-object", "-w", "calc.sh"]);
    let mut id = blob.trim().to_owned();
    let mut mode = "100644";
    for part in name.rsplit('/') {
        let mut object = format!("{mode} {part}\0").into_bytes();
        object.extend((0..20).map(|at| u8::from_str_radix(&id[at * 2..at * 2 + 2], 16).unwrap()));
        let args = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
        let output = world.call_program("git", args).stdin(object).run();
        assert_eq!(output.code, 0, "{name}: {}", output.stderr);
        (id, mode) = (output.stdout.trim().to_owned(), "40000");
    }
    edit(world, |record| record["tree"] = id.clone().into());
}

/// Changes checkpoint 1.
fn edit(world: &World, change: impl Fn(&mut serde_json::Value)) {
    let found = world.call_program("find", [".git/plan/checkpoints", "-name", "0001.json"]).run().stdout;
    let mut record: serde_json::Value = serde_json::from_str(&world.read(found.trim())).unwrap();
    change(&mut record);
    world.write(found.trim(), record.to_string());
}

#[test]
fn names_that_lead_elsewhere() {
    let world = world();
    done(&world, 1);
    for name in [
        ".git/config", ".GIT/config", "..", "../x", ".", "git~1/config", "GIT~1/hooks", ".git./config", ".git /config",
        ".git::$INDEX_ALLOCATION/config", "a/.git/hooks/post-checkout", ".g\u{200c}it/config", "a\\.git\\config",
        "a/../../x",
    ] {
        forge(&world, name);
        let output = world.plan(["rewind", "1", "--yes"]);
        assert!(output.code == 2 || output.code == 1, "{name}: {} {}", output.code, output.stderr);
        refused(&world, &["rewind", "1", "--yes"], output.code, "checkpoint 1");
    }
}

#[test]
fn paths_of_the_record_itself() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    for path in ["../x", "/etc/passwd", ".git/config", "a/../b"] {
        edit(&world, |record| record["created"] = serde_json::json!([path]));
        refused(&world, &["rewind", "1", "--yes"], 2, &format!("checkpoint 1 names `{path}`"));
    }
    edit(&world, |record| {
        record["created"] = serde_json::json!([]);
        record["folders"] = serde_json::json!({ "../home": 511 });
    });
    refused(&world, &["rewind", "1", "--yes"], 2, "checkpoint 1 names `../home`");
}

#[test]
fn a_path_that_is_a_file_and_a_folder() {
    let world = world();
    done(&world, 1);
    let blob = world.git(["hash-object", "-w", "calc.sh"]);
    let raw =
        |id: &str| (0..20).map(|at| u8::from_str_radix(&id[at * 2..at * 2 + 2], 16).unwrap()).collect::<Vec<u8>>();
    let write = |object: Vec<u8>| {
        let args = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
        world.call_program("git", args).stdin(object).run().stdout.trim().to_owned()
    };
    let inner = write([b"100644 x\0".to_vec(), raw(blob.trim())].concat());
    let outer = write([b"100644 a\0".to_vec(), raw(blob.trim()), b"40000 a\0".to_vec(), raw(&inner)].concat());
    edit(&world, |record| record["tree"] = outer.clone().into());
    refused(&world, &["rewind", "1", "--yes"], 2, "file and a folder at once");
}

#[test]
fn a_link_that_appears_on_the_way_is_never_followed() {
    let world = world();
    world.write("data/a.txt", "one\n");
    world.write(".gitignore", "data\n");
    world.git(["add", "-f", "data/a.txt"]);
    world.git(["commit", "-q", "-am", "x"]);
    done(&world, 1);
    std::fs::remove_dir_all(world.path("data")).unwrap();
    std::fs::create_dir(world.base().join("tmp/elsewhere")).unwrap();
    symlink("../tmp/elsewhere", world.path("data")).unwrap();
    refused(&world, &["rewind", "1", "--yes"], 4, "`data` must become a folder, and is a file that is not kept");
    assert!(!world.base().join("tmp/elsewhere/a.txt").exists());
    std::fs::remove_dir(world.base().join("tmp/elsewhere")).unwrap();
}
