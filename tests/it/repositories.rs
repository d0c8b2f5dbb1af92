//! The same work in every kind of repository; no program that the repository configures is run.

use std::path::Path;

use crate::support::judge::{HONEST, PLAN, world};
use crate::support::{World, size};

/// The result of the work.
const RESULT: &str = "p95 47.1 ms\ncache on\n";

/// Does the work in `folder` of the world, starts another goal, logs and signs off; returns the new log lines.
#[track_caller]
fn whole_way(world: &World, folder: &str) -> Vec<String> {
    world.write(&format!("{folder}/result.txt"), RESULT);
    let steps: &[&[&str]] = &[
        &["goal", "start", "docs-1"],
        &["log", "under way"],
        &["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"],
        &["archive"],
    ];
    for args in steps {
        let output = world.call(*args).dir(folder).run();
        assert_eq!(output.code, 0, "{args:?}: {}{}", output.stdout, output.stderr);
    }
    let text = world.read(&format!("{folder}/plan.md"));
    assert!(text.contains("# Archive\n") && text.contains("status: done"), "{text}");
    let new = text.lines().filter(|l| l.starts_with("- 2026-06-15 14:33")).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(new.len(), 3, "{text}");
    new
}

fn with_judge(world: World) -> World {
    world.judge("judge", HONEST, "accept")
}

fn fill(world: &World, folder: &str) {
    world.write(&format!("{folder}/plan.md"), PLAN);
    world.write(&format!("{folder}/check.sh"), "grep -q '^p95 4' result.txt && echo checked\n");
    world.write(&format!("{folder}/result.txt"), "p95 212.0 ms\ncache on\n");
}

// P-28
#[test]
fn no_repository_at_all() {
    let world = with_judge(World::without_git());
    fill(&world, ".");
    let lines = whole_way(&world, ".");
    assert!(lines[2].ends_with(", tree none, at none)"), "{lines:?}");
    assert!(world.base().join("home/.local/state/plan").is_dir(), "locks and undo copies stand in the state folder");
}

// A missing part is named with its command, and no other part is named.
#[test]
fn without_a_repository_the_remedy_is_one() {
    let world = World::without_git();
    fill(&world, ".");
    world.write("result.txt", RESULT);
    let report = world.plan(["verify", "fast-1", "--gate", "full", "--json"]);
    assert!(report.stdout.contains("keep the plan in a git repository: `git init`, then commit"), "{report:?}");
    assert!(!report.stdout.contains("the goal a `verify`"), "{report:?}");
}

#[test]
fn a_head_without_commits() {
    let world = with_judge(World::new());
    fill(&world, ".");
    let lines = whole_way(&world, ".");
    assert!(lines[2].ends_with(", at none)") && !lines[2].contains("tree none"), "{lines:?}");
}

#[test]
fn a_linked_worktree() {
    let world = with_judge(world());
    world.git(["worktree", "add", "--quiet", "linked"]);
    whole_way(&world, "linked");
    assert_eq!(world.plan_md(), PLAN, "the main one is left alone");
    assert_eq!(world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]).lines().count(), 1);
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let inner = world();
    let world = with_judge(World::new());
    world.git(["submodule", "--quiet", "add", &inner.root().to_string_lossy(), "sub"]);
    world.commit("with a submodule");
    whole_way(&world, "sub");
    assert!(world.git(["for-each-ref", "refs/plan/"]).is_empty(), "the outer one knows nothing of it");
}

#[test]
fn beside_a_dirty_submodule() {
    let inner = World::new().file("a", "a").committed();
    let world = with_judge(world());
    world.git(["submodule", "--quiet", "add", &inner.root().to_string_lossy(), "sub"]);
    world.commit("with a submodule");
    world.write("sub/a", "changed");
    whole_way(&world, ".");
}

#[test]
fn sha_256() {
    let world = with_judge(World::without_git());
    world.git(["init", "--quiet", "--object-format=sha256"]);
    fill(&world, ".");
    world.commit("base");
    whole_way(&world, ".");
}

#[test]
fn reftable() {
    let world = with_judge(World::without_git());
    let init = world.call_program("git", ["init", "--quiet", "--ref-format=reftable"]).run();
    if init.code != 0 {
        println!("skipped: this git knows no reftable");
        return;
    }
    fill(&world, ".");
    world.commit("base");
    whole_way(&world, ".");
}

#[test]
fn git_variables_of_a_surrounding_hook_are_ignored() {
    let other = World::new().file("a", "a").committed();
    let world = with_judge(world())
        .env("GIT_DIR", other.path(".git"))
        .env("GIT_WORK_TREE", other.root())
        .env("GIT_INDEX_FILE", other.path(".git/index"));
    let before = other.git(["for-each-ref"]);
    whole_way(&world, ".");
    assert_eq!(other.git(["for-each-ref"]), before);
    assert!(other.path(".git/plan").read_dir().is_err(), "nothing of ours in the other one");
}

/// As git runs it: `GIT_DIR`, `GIT_INDEX_FILE` and more are set for the commit that is being made.
#[test]
fn inside_a_hook_of_git() {
    let world = with_judge(world());
    let plan = env!("CARGO_BIN_EXE_plan");
    let judge = world.base().join("bin/judge");
    let lines = [
        format!("{plan} log 'from the hook'"),
        format!("{plan} verify fast-1"),
        format!("{plan} complete fast-1 --judge cmd:{} --path result.txt", judge.display()),
        format!("{plan} inject > ../block"),
    ];
    world.script(".git/hooks/pre-commit", &format!("#!/bin/sh\nset -e\n{}\n", lines.join("\n")));
    world.write("new", "new");
    world.commit("by a hook");
    let text = world.plan_md();
    assert!(text.contains("  from the hook\n") && text.contains("  fast-1 signed off "), "{text}");
    assert!(!text.contains("tree none"), "{text}");
    assert_eq!(world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]).lines().count(), 1);
    // The commit has the staged files, and the index is whole.
    assert_eq!(world.git(["show", "--name-only", "--format=", "HEAD"]), "new\nresult.txt\n");
    world.git(["fsck", "--strict"]);
}

#[test]
fn a_folder_below_the_root_and_a_plan_in_it() {
    let world = with_judge(World::new());
    fill(&world, "part/of it");
    world.commit("base");
    whole_way(&world, "part/of it");
}

#[test]
fn names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let world = with_judge(world());
    for name in [&b"line\nbreak"[..], b"-dash", b"quote\"", b"\xff\xfe", b"tab\t", b"space "] {
        // If the file system refuses a name, the other names are still there.
        drop(std::fs::write(world.root().join(Path::new(std::ffi::OsStr::from_bytes(name))), name));
    }
    whole_way(&world, ".");
}

// P-5, P-74
#[test]
fn nothing_that_the_repository_configures_is_run() {
    let world = with_judge(world());
    let spy = world.base().join("tmp/spy");
    let spy = |name: &str| format!("sh -c 'echo {name} >> {}; cat'", spy.display());
    for (key, value) in [
        ("core.fsmonitor", spy("fsmonitor")),
        ("core.hooksPath", world.path("hooks").display().to_string()),
        ("core.pager", spy("pager")),
        ("core.editor", spy("editor")),
        ("core.sshCommand", spy("ssh")),
        ("core.alternateRefsCommand", spy("alternates")),
        ("core.askPass", spy("askpass")),
        ("diff.external", spy("external")),
        ("diff.spy.textconv", spy("textconv")),
        ("diff.spy.command", spy("diff")),
        ("merge.spy.driver", spy("merge")),
        ("filter.spy.clean", spy("clean")),
        ("filter.spy.smudge", spy("smudge")),
        ("filter.spy.process", spy("process")),
        ("gpg.program", spy("gpg")),
        ("credential.helper", spy("credential")),
        ("alias.status", format!("!{}", spy("alias"))),
        ("alias.write-tree", format!("!{}", spy("alias"))),
    ] {
        world.git(["config", key, &value]);
    }
    world.git(["config", "filter.spy.required", "true"]);
    world.write(".gitattributes", "* filter=spy diff=spy merge=spy\n");
    for hook in HOOKS {
        for folder in ["hooks", ".git/hooks"] {
            world.script(&format!("{folder}/{hook}"), &format!("#!/bin/sh\n{} </dev/null\n", spy(hook)));
        }
    }
    world.write("result.txt", "p95 47.1 ms\ncache on\nand more\n");
    whole_way(&world, ".");
    for args in [&[][..], &["show"], &["next"], &["inject"], &["lint"], &["undo", "--list"], &["show", "fast-1"]] {
        assert!(world.plan(args).code <= 1, "{args:?}");
    }
    let ran = std::fs::read_to_string(world.base().join("tmp/spy")).unwrap_or_default();
    assert_eq!(ran, "", "these ran");
}

const HOOKS: &[&str] = &[
    "pre-commit", "post-commit", "post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman",
    "pre-auto-gc", "post-rewrite", "post-merge", "pre-push", "update",
];

#[test]
fn thousands_of_files() {
    let world = with_judge(world());
    for folder in 0..size(2, 12) {
        let folder = world.path(&format!("many/{folder}"));
        std::fs::create_dir_all(&folder).unwrap();
        for file in 0..1000 {
            std::fs::write(folder.join(file.to_string()), [file as u8, (file >> 8) as u8]).unwrap();
        }
    }
    world.commit("many");
    whole_way(&world, ".");
}

#[test]
fn a_missing_git_program_is_no_repository_to_ask_but_the_file_still_works() {
    let world = World::new().file("plan.md", PLAN);
    let output = world.call(["log", "without git"]).env("PATH", "/nowhere").run();
    assert_eq!(output.code, 0, "{output:?}");
    assert!(world.plan_md().ends_with("  without git\n"));
}

// A start without a repository keeps no files; the note names the command that helps, and then the same start works.
#[test]
fn a_goal_that_was_started_without_a_repository_is_started_again_in_one() {
    let world = World::without_git();
    fill(&world, ".");
    let started = world.plan(["goal", "start", "fast-1"]);
    assert!(started.stderr.contains("there is no git repository here"), "{started:?}");
    assert!(world.plan(["goal", "start", "fast-1"]).stdout.contains("is already active"));
    world.git(["init", "-q"]);
    world.commit("as before the work");
    let again = world.plan(["goal", "start", "fast-1"]);
    assert!(again.code == 0 && !again.stdout.contains("already"), "{again:?}");
    let last = world.plan_md().lines().rfind(|line| line.contains(" started (")).unwrap().to_owned();
    assert!(!last.contains("tree none"), "{last}");
}
