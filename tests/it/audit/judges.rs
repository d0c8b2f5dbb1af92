//! Judges that a reader of a pull request should know of.

use super::support::{ID, audit, edit, honest, merge_result, project};
use crate::support::World;

/// A project whose judge is a program that accepts.
fn judged_by_program() -> World {
    let answer =
        "C1 met: test.sh:1 \"sh greet.sh Ada\"\nF1 ruled out: old.sh:1 \"grep -q Hello greet.sh\"\nmissing: none\n";
    let world = project().judge("yes", answer, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    world
}

// P-74
#[test]
fn a_judge_with_a_prompt_of_ones_own_is_a_finding() {
    let world = judged_by_program();
    let built_in = include_str!("../../../prompts/6-evidence-judge.md");
    world.write("../home/.config/plan/prompts/6-evidence-judge.md", format!("{built_in}\nJudge gently.\n"));
    honest(&world);
    let found = audit(&world, &[]);
    assert_eq!(found.findings, ["own-prompt"], "{:#}", found.json);
    assert!(found.seen("own-prompt").ends_with("with a prompt other than the built-in one"), "{:#}", found.json);
}

// P-74: a log line that another version wrote, or nobody
#[test]
fn a_judge_that_this_version_does_not_know_is_a_finding() {
    let world = project();
    honest(&world);
    edit(&world, "by checks", "by hal");
    let found = audit(&world, &[]);
    assert!(found.findings.contains(&"unknown-judge".to_owned()), "{:#}", found.json);
    assert!(found.seen("unknown-judge").contains("`hal`"), "{:#}", found.json);
}

// P-74
#[test]
fn another_judge_than_at_the_base_is_a_note() {
    let world = judged_by_program();
    honest(&world);
    merge_result(&world);
    assert_eq!(audit(&world, &["--base", "HEAD"]).notes, [""; 0]);
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    // It broke later and was repaired.
    world.write("greet.sh", "echo Hello, you\n");
    world.commit("broken");
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    world.write("greet.sh", "printf 'Hello, %s\\n' \"$1\"\n");
    let again = world.plan(["complete", ID]);
    assert_eq!(again.code, 0, "{again:?}");
    let found = audit(&world, &["--base", "HEAD"]);
    assert_eq!((&found.findings, &found.notes), (&vec![], &vec!["judge-changed".to_owned()]), "{:#}", found.json);
}
