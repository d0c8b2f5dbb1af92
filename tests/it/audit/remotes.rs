//! Moves records between repositories: an existing record is never overwritten, and no program that the repository configures runs.

use super::support::{audit, honest, origin, project};
use crate::support::World;

fn refs(world: &World, dir: &str) -> String {
    let output =
        world.call_program("git", ["for-each-ref", "--format=%(objectname) %(refname)", "refs/plan/"]).dir(dir).run();
    output.stdout
}

// P-7
#[test]
fn records_go_to_a_remote_and_come_back_in_another_clone() {
    let world = project();
    honest(&world);
    world.commit("work");
    world.git(["push", "--quiet", "origin", "work:main"]);
    let own = refs(&world, ".");
    let pushed = world.plan(["audit", "--push", "origin"]);
    assert_eq!(pushed.code, 0, "{pushed:?}");
    assert_eq!(refs(&world, &origin(&world).to_string_lossy()), own);
    let again = world.plan(["audit", "--push", "origin", "--json"]).json(0);
    assert_eq!(again["pushed"].as_array().map(Vec::len), Some(0), "{again}");

    world.git(["clone", "--quiet", &origin(&world).to_string_lossy(), "clone"]);
    let bare = world.call(["audit"]).dir("clone").run();
    assert!(bare.code == 0 && bare.stdout.contains("note: no-records"), "{bare:?}");
    let fetched = world.call(["audit", "--fetch", "origin"]).dir("clone").run();
    assert_eq!(fetched.code, 0, "{fetched:?}");
    assert_eq!(refs(&world, "clone"), own);
    let whole = world.call(["audit"]).dir("clone").run();
    assert!(whole.code == 0 && !whole.stdout.contains("no-records"), "{whole:?}");
    assert!(!world.path("clone/.git/FETCH_HEAD").exists(), "nothing else is fetched");
}

// P-7
#[test]
fn a_record_is_never_overwritten() {
    let world = project();
    honest(&world);
    assert_eq!(world.plan(["audit", "--push", "origin"]).code, 0);
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]).trim().to_owned();
    let other = world.call_program("git", ["hash-object", "-w", "--stdin"]).stdin("{}").run().stdout;
    world.git(["update-ref", &name, other.trim()]);
    let there = refs(&world, &origin(&world).to_string_lossy());
    let here = refs(&world, ".");
    for how in ["--push", "--fetch"] {
        let output = world.plan(["audit", how, "origin"]);
        assert_eq!(output.code, 1, "{how}: {output:?}");
        assert!(output.stdout.contains(&name), "{how}: {output:?}");
        assert_eq!(refs(&world, &origin(&world).to_string_lossy()), there, "{how}");
        assert_eq!(refs(&world, "."), here, "{how}");
    }
    assert_eq!(audit(&world, &[]).findings, ["attestation-differs"]);
}

// A ref in place of a folder of records would prevent every later record.
#[test]
fn names_that_plan_does_not_give_stay_where_they_are() {
    let world = project();
    let there = origin(&world).to_string_lossy().into_owned();
    let blob = world.call_program("git", ["hash-object", "-w", "--stdin"]).dir(&there).stdin("{}").run().stdout;
    for name in ["signoffs/greet-by-name-1", "base/other-1/x", "base/Other-1", "starts/a/b/c"] {
        world.git(["-C", &there, "update-ref", &format!("refs/plan/{name}"), blob.trim()]);
    }
    let before = refs(&world, ".");
    let fetched = world.plan(["audit", "--fetch", "origin"]);
    assert_eq!(fetched.code, 0, "{fetched:?}");
    assert_eq!(refs(&world, "."), before);
    honest(&world);
}

#[test]
fn what_is_no_remote_is_refused() {
    let world = project();
    for remote in ["--upload-pack=touch x", "-u", "ext::sh -c 'touch x'", "a\nb", ""] {
        for how in ["--push", "--fetch"] {
            let output = world.plan(["audit", &format!("{how}={remote}")]);
            assert_eq!(output.code, 2, "{remote:?}: {output:?}");
        }
    }
    let output = world.plan(["audit", "--fetch", "nowhere"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(!world.path("x").exists());
}

/// Each of these settings names a program; each program leaves a mark.
#[test]
fn nothing_that_the_repository_configures_runs() {
    let world = project();
    honest(&world);
    let ran = world.base().join("ran");
    world.script(".git/evil", &format!("#!/bin/sh\necho \"$0 $*\" >> {}\nexit 1\n", ran.display()));
    let evil = world.path(".git/evil").to_string_lossy().into_owned();
    for hook in ["pre-push", "reference-transaction", "post-update", "fsmonitor-watchman"] {
        world.script(&format!(".git/hooks/{hook}"), &format!("#!/bin/sh\nexec {evil} {hook}\n"));
    }
    for (key, value) in [
        ("remote.origin.uploadpack", evil.clone()),
        ("remote.origin.receivepack", evil.clone()),
        ("core.sshCommand", evil.clone()),
        ("core.fsmonitor", evil.clone()),
        ("core.alternateRefsCommand", evil.clone()),
        ("core.hooksPath", world.path(".git/hooks").to_string_lossy().into_owned()),
        ("credential.helper", format!("!{evil}")),
        ("core.askPass", evil.clone()),
        ("gpg.program", evil.clone()),
        ("push.gpgSign", "true".to_owned()),
        ("hook.evil.command", evil.clone()),
        ("hook.evil.event", "reference-transaction".to_owned()),
        ("protocol.ext.allow", "always".to_owned()),
        ("remote.helper.url", format!("ext::{evil} %S")),
        ("remote.vcs.url", "x".to_owned()),
        ("remote.vcs.vcs", "ext".to_owned()),
        ("remote.ssh.url", "ssh://localhost:1/x".to_owned()),
    ] {
        world.git(["config", key, &value]);
    }
    assert_eq!(world.plan(["audit", "--push", "origin"]).code, 0);
    world.git(["for-each-ref", "--format=delete %(refname)", "refs/plan/"]);
    for name in refs(&world, ".").lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()) {
        let file = world.path(".git").join(&name);
        if file.exists() {
            std::fs::remove_file(file).unwrap();
        }
    }
    assert_eq!(refs(&world, "."), "");
    assert_eq!(world.plan(["audit", "--fetch", "origin"]).code, 0);
    assert!(refs(&world, ".").contains("refs/plan/signoffs/"));
    for remote in ["helper", "vcs", "ssh"] {
        for how in ["--push", "--fetch"] {
            assert_eq!(world.plan(["audit", how, remote]).code, 3, "{how} {remote}");
        }
    }
    assert_eq!(world.plan(["audit", "--base", "main"]).code, 0);
    assert!(!ran.exists(), "{}", std::fs::read_to_string(&ran).unwrap_or_default());
}

/// The content of `../ran` after a fetch from a server that only a program of the user's own can reach.
fn reached_by(world: &World, name: &str, value: &std::path::Path) -> String {
    let ran = world.base().join("ran");
    let _ = std::fs::remove_file(&ran);
    let output = world.call(["audit", "--fetch", "ssh://localhost:1/x"]).env(name, value).run();
    assert_eq!(output.code, 3, "{output:?}");
    std::fs::read_to_string(ran).unwrap_or_default()
}

// The user's own settings count, wherever git allows them; the repository's settings do not.
#[test]
fn an_ssh_command_of_the_users_own_is_used() {
    let world = project();
    let ran = world.base().join("ran");
    for name in ["evil", "own ssh"] {
        world.script(&format!(".git/{name}"), &format!("#!/bin/sh\necho {name} >> {}\nexit 1\n", ran.display()));
    }
    world.git(["config", "core.sshCommand", &world.path(".git/evil").to_string_lossy()]);
    let own = world.path(".git/own ssh");
    let settings = world.base().join("settings");
    std::fs::write(&settings, format!("[core]\n\tsshCommand = '{}'\n", own.display())).unwrap();
    assert_eq!(reached_by(&world, "GIT_CONFIG_GLOBAL", &settings), "own ssh\n");
    assert_eq!(reached_by(&world, "GIT_SSH", &own), "own ssh\n");
    assert_eq!(reached_by(&world, "UNRELATED", &own), "");
}

#[test]
fn a_server_that_lets_nobody_in_is_no_sandbox() {
    let world = project();
    let refused = "echo 'x@localhost: Permission denied (publickey).' >&2; exit 255; :";
    for how in ["--fetch", "--push"] {
        let output = world.call(["audit", how, "ssh://x@localhost/x"]).env("GIT_SSH_COMMAND", refused).run();
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("Permission denied (publickey)"), "{output:?}");
        assert!(!output.stderr.contains("sandbox") && output.stderr.contains("`git ls-remote`"), "{output:?}");
    }
}
