//! Tests of the test world itself, which the other tests rely on.

use crate::support::redact::redact;
use crate::support::{World, leaks};

#[test]
fn version_is_the_crates() {
    World::without_git().plan(["--version"]).ok("plan [VERSION]\n");
}

#[test]
fn nothing_of_the_outer_environment_gets_in() {
    let world = World::without_git().env("EXTRA", "1");
    let printed = world.call_program("env", [""; 0]).run().stdout;
    let keys: Vec<&str> = printed.lines().filter_map(|l| l.split_once('=')).map(|(key, _)| key).collect();
    assert!(keys.contains(&"EXTRA") && keys.contains(&"PLAN_NOW"));
    assert!(!keys.iter().any(|k| k.starts_with("CARGO") || k.starts_with("CLAUDE") || k.starts_with("CODEX")));
}

#[test]
fn commits_are_the_same_every_time() {
    let commit = || World::new().file("a", "a").committed().git(["rev-parse", "HEAD"]);
    assert_eq!(commit(), commit());
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_stays_is_found_and_ended() {
    let world = World::without_git();
    world.call_program("sh", ["-c", "sleep 600 & setsid sleep 601 &"]).run().ok("");
    let left = leaks::end_processes(world.base());
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(leaks::end_processes(world.base()).is_empty());
}

#[test]
fn a_file_that_stays_is_found() {
    let world = World::without_git().file("sub/.plan.md.7.tmp", "").file("sub/plan.md", "").crashes();
    assert_eq!(leaks::files(world.base()), [world.path("sub/.plan.md.7.tmp")]);
}

#[test]
fn redaction_takes_out_what_differs_and_no_more() {
    let text =
        "ran in /base/work 2.1s, 12.05s; 2s v1.2.3s 0123456789abcdef0123456789abcdef 0123456789ab \"seconds\": 0.3,\n";
    let expected =
        "ran in [TMP]/work [SECONDS], [SECONDS]; 2s v1.2.3s [NONCE] 0123456789ab \"seconds\": \"[SECONDS]\",\n";
    assert_eq!(redact("/base".as_ref(), text), expected);
}
