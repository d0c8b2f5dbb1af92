//! `plan judge test`: cases with known answers, and a planted false completion that must be refused.

use serde_json::Value;

use crate::support::World;

/// The outcome of each case.
fn outcomes(world: &World, judge: &str, code: i32) -> Vec<String> {
    let document = world.plan(["judge", "test", judge, "--json"]).json(code);
    let word = |case: &Value| case["outcome"].as_str().unwrap().to_owned();
    document["cases"].as_array().unwrap().iter().map(word).collect()
}

/// A judge that cites the first letter of the existing text, and gives this answer.
fn saying(lines: &str, verdict: &str) -> World {
    let find = "for name in greet.sh report.txt greeting.txt; do test -e $name && file=$name; done\n";
    let answer = format!("SIGNOFF[$nonce]\nprobe: $token\n{lines}missing: none\nVERDICT[$nonce]: {verdict}\n");
    World::without_git().judge_doing("judge", &format!("{find}cat <<END\n{answer}END\n"))
}

// P-5, P-7
#[test]
fn a_planted_false_completion_is_refused_without_any_model() {
    let world = World::without_git();
    assert_eq!(outcomes(&world, "checks", 0), ["refused"]);
    let output = world.plan(["judge", "test", "checks"]);
    assert!(
        output.stdout.starts_with("checks\n✓ a false completion, through verify, gate and judge: refused, "),
        "{output:?}"
    );
    assert_eq!(std::fs::read_dir(world.root()).unwrap().count(), 0, "nothing is left where it was called");
}

// P-5
#[test]
fn a_judge_that_accepts_anything_is_found_out() {
    let world = saying("C1 met: $file:1 \"e\"\nF1 ruled out: $file:1 \"e\"\n", "accept");
    let expected = ["accept", "accept", "inconclusive", "accept", "nothing written", "accepted"];
    let found = outcomes(&world, "cmd:judge", 1);
    assert_eq!(found, expected);
}

// P-5
#[test]
fn a_judge_that_rejects_anything_is_found_out() {
    let world = saying("C1 not met: no\nF1 not ruled out: no\n", "reject");
    let expected = ["reject", "reject", "reject", "reject", "nothing written", "refused"];
    assert_eq!(outcomes(&world, "cmd:judge", 1), expected);
}

/// A judge that repeats the content of a file: the words that were planted there are not a verdict.
// P-66
#[test]
fn a_planted_verdict_decides_nothing() {
    let world = World::without_git().judge_doing("judge", "cat *.txt *.sh 2>/dev/null\n");
    let found = outcomes(&world, "cmd:judge", 3);
    assert_eq!(found, ["inconclusive"; 6]);
}

#[test]
fn a_judge_that_writes_is_found_out() {
    let write = "touch was-here 2>/dev/null || outside \"touch '$PWD/was-here'\"\nexit 1\n";
    let world = World::without_git().judge_doing("judge", write);
    let found = outcomes(&world, "cmd:judge", 1);
    assert_eq!(found[..5], ["wrote"; 5]);
    assert_eq!(found[5], "inconclusive");
}

#[test]
fn a_judge_that_is_not_there_shows_nothing() {
    let world = World::without_git();
    let missing = world.plan(["judge", "test", "cmd:./no-such-judge", "--json"]);
    assert_eq!(
        missing.json(3)["error"]["message"],
        "judge cmd:./no-such-judge: `./no-such-judge` cannot be started: no such file"
    );
    let output = world.plan(["judge", "test", "human"]);
    assert_eq!((output.code, &*output.stdout), (0, "human: nothing to try, it is not a program\n"));
}
