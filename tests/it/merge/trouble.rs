//! Odd, hostile or huge merges.

use super::support::{PLAN, branch, merged, on_main, rendered, repository, with};
use crate::support::{World, is_full};

fn driver(world: &World, versions: [&[u8]; 3]) -> (i32, Vec<u8>, String) {
    for (name, text) in ["O", "A", "B"].iter().zip(versions) {
        world.write(name, text);
    }
    let output = world.plan(["__merge", "O", "A", "B", "7", "plan.md", "base", "ours", "theirs"]);
    (output.code, std::fs::read(world.path("A")).unwrap(), output.stderr)
}

#[test]
fn a_call_that_is_none_of_gits_changes_nothing() {
    let world = World::without_git().file("A", "a");
    for args in [&["__merge"][..], &["__merge", "O", "A", "B"], &["__merge", "O", "A", "B", "7"]] {
        let output = world.plan(args);
        assert!((2..128).contains(&output.code), "{output:?}");
        assert_eq!(world.read("A"), "a");
    }
}

#[test]
fn a_nul_byte_is_a_conflict_that_leaves_ours() {
    let world = World::without_git();
    let ours = b"a\0b\n";
    assert_eq!(driver(&world, [b"a\n", ours, b"c\n"]).0, 1);
    assert_eq!(std::fs::read(world.path("A")).unwrap(), ours);
}

#[test]
fn bytes_that_are_no_utf8_are_kept() {
    let world = World::without_git();
    let text = |from: &str, to: &str| {
        let mut bytes = with(PLAN, &[(from, to)]).into_bytes();
        bytes.extend_from_slice(b"\n## Notes\n\xff\xfe prose\n");
        bytes
    };
    let (base, ours, theirs) = (text("[ ] 1.", "[ ] 1."), text("[ ] 1.", "[x] 1."), text("[ ] 2.", "[x] 2."));
    let (code, merged, _) = driver(&world, [&base, &ours, &theirs]);
    assert!(code == 0 && merged.ends_with(b"\xff\xfe prose\n"));
    assert!(String::from_utf8_lossy(&merged).contains("[x] 2."));
}

#[test]
fn empty_files_and_files_without_a_plan() {
    let world = World::without_git();
    for (versions, expected) in [
        (["", "a\n", "a\n"], "a\n"),
        (["a\n", "", ""], ""),
        (["a\n", "a\n", ""], ""),
        (["", "", "b"], "b"),
        (["a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD"], "A\nb\nc\nD"),
    ] {
        let (code, text, _) = driver(&world, versions.map(str::as_bytes));
        assert_eq!((code, text), (0, expected.as_bytes().to_vec()), "{versions:?}");
    }
    let (code, text, _) = driver(&world, [b"", b"a\n", b"b\n"]);
    assert_eq!((code, &text[..]), (1, &b"<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"[..]));
}

#[test]
fn what_is_too_large_for_a_plan_is_merged_as_text() {
    if !is_full() {
        return;
    }
    let line = "prose that goes on and on ".repeat(1 << 15) + "\n";
    let base = format!("{PLAN}{}", line.repeat((65 << 20) / line.len()));
    let (ours, theirs) = (with(&base, &[("# Plan: Faster", "# Plan: Much faster")]), format!("{base}the end\n"));
    let merged = merged([&base, &ours, &theirs].map(|text| text.as_bytes()));
    assert!(merged.by_text && merged.conflicts() == 0);
    assert!(rendered(&merged).len() == ours.len() + "the end\n".len());
}

/// Whatever the repository configures, the driver starts git only for text, and git starts nothing.
#[test]
fn nothing_that_the_repository_configures_runs() {
    let world = repository(PLAN, true);
    let mark = world.base().join("tmp/mark");
    world.script(".git/evil", &format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\nexit 1\n", mark.display()));
    let evil = world.path(".git/evil").to_str().unwrap().to_owned();
    branch(
        &world,
        "topic",
        &with(PLAN, &[("Notes on", "Their notes on"), ("Prose", "Their prose"), ("[ ] 1.", "[x] 1.")]),
    );
    on_main(&world, &with(PLAN, &[("Notes on", "Our notes on"), ("Prose", "Our prose"), ("[ ] 2.", "[x] 2.")]));
    for key in [
        "core.fsmonitor", "core.pager", "core.editor", "filter.evil.clean", "filter.evil.smudge",
        "filter.evil.process", "merge.evil.driver", "merge.text.driver", "diff.external", "diff.evil.textconv",
        "core.alternateRefsCommand",
    ] {
        world.git(["config", key, &evil]);
    }
    world.git(["config", "core.hooksPath", world.path(".git/evils").to_str().unwrap()]);
    world.write(
        ".git/info/attributes",
        "* filter=evil diff=evil\nours merge=evil\nbase merge=evil\ntheirs merge=evil\n",
    );
    for hook in ["post-index-change", "reference-transaction", "pre-merge-commit", "fsmonitor-watchman"] {
        world.script(&format!(".git/evils/{hook}"), &world.read(".git/evil"));
    }
    for (name, rev) in [("O", "main~1"), ("A", "main"), ("B", "topic")] {
        let text = world
            .call_program("git", ["-c", "core.fsmonitor=", "cat-file", "blob", &format!("{rev}:plan.md")])
            .run()
            .stdout;
        world.write(name, text);
    }
    let _ = std::fs::remove_file(&mark);
    let output = world.plan(["__merge", "O", "A", "B", "7", "plan.md", "base", "ours", "theirs"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(world.read("A").contains("Our notes on") && world.read("A").contains("Their notes on"));
    assert_eq!(std::fs::read_to_string(&mark).unwrap_or_default(), "");
    // The traps work if git is called directly.
    let _ = world.call_program("git", ["status"]).run();
    assert!(mark.exists());
    std::fs::remove_file(mark).unwrap();
}

/// If this ran as root, `/dev/stdin` would be a file from then on.
#[test]
fn a_link_in_place_of_the_result_stays_one() {
    let world = World::without_git();
    for (name, text) in [("base", ""), ("target", "# Plan: A\n"), ("theirs", "# Plan: B\n")] {
        world.write(name, text);
    }
    std::os::unix::fs::symlink("target", world.path("ours")).unwrap();
    let output = world.plan(["__merge", "base", "ours", "theirs", "7", "plan.md"]);
    assert!(output.code > 1 && output.stderr.contains("expected a regular file at `ours`"), "{output:?}");
    assert!(world.path("ours").is_symlink() && world.read("target") == "# Plan: A\n");
}
