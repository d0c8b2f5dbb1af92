//! Runs every judge of `tests/judges/judge.py` through `plan complete`. Checks the exit code, log line, status and record, and that nothing
//! is left running (a world checks that when it is dropped).

use std::time::Duration;

use crate::support::World;
use crate::support::judge;
use crate::support::output::Output;

/// The goal of [`judge::PLAN`], with a failure mode that a program can rule out.
fn plan() -> String {
    let mode = "- it was measured without the cache\n";
    judge::PLAN.replace(mode, &format!("{mode}- it was never run (check: sh check.sh)\n"))
}

fn world() -> World {
    World::new()
        .file("plan.md", plan())
        .file("check.sh", "grep -q '^p95 4' result.txt && echo checked\n")
        .file("result.txt", "p95 212.0 ms\ncache on\n")
        .file("review.txt", "SIGNOFF\nmissing: none\nVERDICT: accept\n")
        .file("../outside.txt", "outside\n")
        .committed()
        .file("result.txt", RESULT)
}

/// The result of the work.
const RESULT: &str = "p95 47.1 ms\ncache on\n";

/// Runs `plan complete` with the scripted judge in a mode. The goal's first evidence is the file that the judge cites.
fn complete(world: &World, mode: &str, more: &[&str]) -> Output {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judges/judge.py");
    let judge = format!("cmd:'{script}' {mode}");
    let args = ["complete", "fast-1", "--path", "result.txt", "--path", "review.txt", "--judge", &judge];
    world.call(args.iter().chain(more)).limit(Duration::from_secs(60)).run()
}

/// Returns the lines that are new in plan.md since the start.
fn new_lines(world: &World) -> Vec<String> {
    let (then, now) = (plan(), world.plan_md());
    now.lines().filter(|line| !then.lines().any(|old| old == *line)).map(str::to_owned).collect()
}

fn attested(world: &World) -> usize {
    world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]).lines().count()
}

// P-47, P-64, P-65
#[test]
fn who_answers_whole_and_right_signs_off() {
    for mode in [
        "accept", "thinks-first", "carriage-returns", "leaves-a-child", "mends", "crashes-once",
        "shows-its-surroundings",
    ] {
        let world = world();
        let output = complete(&world, mode, &[]);
        assert_eq!(output.code, 0, "{mode}: {output:?}");
        let new = new_lines(&world);
        assert_eq!((new.len(), &*new[0]), (2, "status: done"), "{mode}: {new:?}");
        assert!(new[1].contains("  fast-1 signed off (verify green ") && new[1].contains("oracle accept"), "{new:?}");
        assert_eq!(attested(&world), 1, "{mode}");
        let asked_again = output.stderr.contains("asking once more");
        assert_eq!(asked_again, matches!(mode, "mends" | "crashes-once"), "{mode}: {}", output.stderr);
    }
}

/// A judge that reports every part missing from its prompt and every forbidden action that works, then inspects verify's files and the result.
const INSPECTOR: &str = r#"
for part in 'p95 below 50 ms' 'it was measured without the cache' 'it was never run' 'sh check.sh' 'green' 'checked' \
    'measured, see the file' 'result.txt' 'does this command, as it stands, fail if the criterion is not met'; do
    printf '%s' "$prompt" | grep -qF -- "$part" || { echo "was not told: $part" >&2; exit 1; }
done
for file in result.txt check.sh plan.md new.txt; do
    (echo x >> "$file") 2>/dev/null && { echo "could write $file" >&2; exit 1; }
done
number=$(grep -n cache result.txt | cut -d: -f1)
if grep -q '^grep -q .^p95 4' check.sh; then
    found="F1 ruled out: result.txt:$number \"$(sed -n "${number}p" result.txt)\"" missing=none verdict=accept
else
    found='F1 not ruled out: check.sh is green whatever was measured' missing='a check of the number' verdict=reject
fi
cat <<END
SIGNOFF[$nonce]
probe: $token
C1 met: result.txt:1 "$(head -n 1 result.txt)"
$found
F2 ruled out: check 2
missing: $missing
VERDICT[$nonce]: $verdict
END
"#;

// P-46
#[cfg(target_os = "linux")]
#[test]
fn the_judge_is_told_all_reads_the_repository_changes_nothing_and_finds_a_gamed_verify() {
    if crate::sandbox::abi().is_none() {
        return;
    }
    for (check, code) in
        [("grep -q '^p95 4' result.txt && echo checked\n", 0), ("grep -q . result.txt && echo checked\n", 1)]
    {
        let world = world().judge_doing("judge", INSPECTOR);
        world.write("check.sh", check);
        world.write("result.txt", "p95 212.0 ms\ncache on\n");
        world.commit("check");
        world.write("result.txt", RESULT);
        let claim = ["--evidence", "measured, see the file", "--path", "result.txt"];
        let output = world.plan(["complete", "fast-1", "--gate", "fast", "--judge", "cmd:judge"].iter().chain(&claim));
        assert_eq!(output.code, code, "{output:?}");
        let new = new_lines(&world);
        match code {
            0 => assert!(new[1].contains("  fast-1 signed off (") && new[0] == "status: done", "{new:?}"),
            _ => assert!(new.len() == 1 && new[0].ends_with("missing: a check of the number"), "{new:?}"),
        }
        assert_eq!(world.git(["status", "--porcelain"]), " M plan.md\n M result.txt\n");
    }
}

// P-48, P-50
#[test]
fn who_misses_something_rejects() {
    for (mode, missing) in
        [("reject", "something that shows C1; something that shows F1"), ("accept-with-missing", "a load test")]
    {
        let world = world();
        let output = complete(&world, mode, &[]);
        assert_eq!(output.code, 1, "{mode}: {output:?}");
        for one in missing.split("; ") {
            assert!(output.stdout.contains(one), "{mode}: {output:?}");
        }
        let new = new_lines(&world);
        assert_eq!(new.len(), 1, "{mode}: {new:?}");
        assert!(new[0].contains("  fast-1 rejected (oracle cmd:"), "{mode}: {new:?}");
        assert!(new[0].ends_with(&format!("missing: {missing}")), "{mode}: {new:?}");
        assert_eq!(attested(&world), 0, "{mode}");
    }
}

/// An inconclusive answer leaves everything as it was, except for one line with the reason.
#[track_caller]
fn tells_nothing(mode: &str, why: &str, more: &[&str]) {
    let world = world();
    let output = complete(&world, mode, more);
    assert_eq!(output.code, 3, "{mode}: {output:?}");
    let new = new_lines(&world);
    assert_eq!(new.len(), 1, "{mode}: {new:?}");
    assert!(new[0].contains("  fast-1 inconclusive (oracle cmd:") && new[0].contains(why), "{mode}: {new:?}");
    assert!(!new[0].contains(|c: char| c.is_control()), "{mode}: {new:?}");
    assert_eq!(attested(&world), 0, "{mode}");
    let shown = format!("{}{}", output.stdout, output.stderr);
    assert!(shown.contains(why), "{mode}: {shown}");
    assert!(!shown.contains('\x1b') && shown.len() < 20_000, "{mode}: {} bytes", shown.len());
}

// P-50, P-65
#[test]
fn an_answer_that_is_not_whole_tells_nothing() {
    for (mode, why) in [
        ("unanswered", "C1 is not answered"),
        ("citation-not-there", "was not found within 20 lines of"),
        ("citation-outside", "is outside the repository"),
        ("citation-absolute", "is outside the repository"),
        ("citation-plan", "is the plan itself"),
        ("citation-prose", "is not a citation"),
        ("wrong-probe", "the probe is wrong"),
    ] {
        tells_nothing(mode, why, &[]);
    }
}

// P-50, P-65
#[test]
fn a_verdict_that_is_none_tells_nothing() {
    for (mode, why) in [
        ("wrong-nonce", "with the nonce of this run"),
        ("quotes-a-verdict", "with the nonce of this run"),
        ("two-verdicts", "2 `VERDICT[…]` lines"),
        ("text-after", "text after the verdict"),
        ("not-accepted", "the verdict is `not accepted`"),
        ("accept-or-reject", "the verdict is `accept | reject`"),
        ("silence", "the judge said nothing"),
        ("reads-nothing", "the judge said nothing"),
        ("carriage-return", "the answer contains CR"),
        ("escapes", "the answer contains ESC"),
        ("garbage", "the answer"),
        ("flood", "the answer is longer than 4 MiB"),
    ] {
        tells_nothing(mode, why, &[]);
    }
}

// P-50
#[test]
fn a_judge_that_ends_badly_tells_nothing() {
    for (mode, why) in
        [("crash-after-accept", "exit 7"), ("killed-after-accept", "signal 9"), ("no-such-mode", "exit 1: KeyError")]
    {
        tells_nothing(mode, why, &[]);
    }
}

// P-50
#[test]
fn a_judge_that_takes_too_long_tells_nothing_whatever_it_said_before() {
    tells_nothing("time-out", "killed after 1 s", &["--timeout", "1"]);
}

/// Even without a sandbox the comparison holds: source, a new file, the research, another goal's folder, settings.
// P-50
#[test]
fn a_judge_that_writes_is_void() {
    for (what, named) in [
        ("result.txt", "file `result.txt` modified"),
        ("new.txt", "file `new.txt` added"),
        ("research.md", "file `research.md` modified"),
        ("items/docs-1/notes.md", "file `items/docs-1/notes.md` modified"),
        ("items/docs-1/new.md", "file `items/docs-1/new.md` added"),
        ("settings.toml", "file `settings.toml` modified"),
        (".git/config", "config"),
        (".git/hooks/pre-commit", "hooks"),
        (".git/info/exclude", "info"),
    ] {
        let world = world().file("items/docs-1/notes.md", "notes\n").file("settings.toml", "a = 1\n").helped();
        world.write("research.md", "found out\n");
        world.write("result.txt", "p95 212.0 ms\ncache on\n");
        world.commit("more");
        world.write("result.txt", RESULT);
        let output = complete(&world, &format!("has-written {what}"), &[]);
        assert_eq!(output.code, 3, "{what}: {output:?}");
        assert!(
            output.stdout.contains("answer void: the repository changed while the judge ran"),
            "{what}: {output:?}"
        );
        assert!(format!("{}{}", output.stdout, output.stderr).contains(named), "{what}: {output:?}");
        assert!(world.plan_md().contains("status: active"), "{what}");
        assert!(!world.path(".git/refs/plan/signoffs").exists(), "{what}");
        assert!(!world.plan_md().contains("signed off"), "{what}");
    }
}

/// Only the plan file may change meanwhile: other sessions log their work in it.
#[test]
fn a_log_line_of_another_session_voids_nothing() {
    let line = "- 2026-06-15 14:10  another session at work";
    let world = judge::world();
    let world = world.judge_doing(
        "judge",
        &format!(
            "outside \"echo '{line}' >> plan.md\"\ncat <<END\nSIGNOFF[$nonce]\nprobe: $token\n{}VERDICT[$nonce]: accept\nEND\n",
            judge::HONEST
        ),
    );
    let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge"]);
    assert_eq!(output.code, 0, "{output:?}");
    let text = world.plan_md();
    assert!(text.contains(line) && text.contains("  fast-1 signed off ("), "{text}");
}

/// A judge tries to sign off, cancel or log its own goal: each call of `plan` is refused with 4.
// P-64, P-5
#[test]
fn a_judge_that_calls_plan_is_refused() {
    let world = world();
    let output = complete(&world, &format!("calls-plan '{}'", env!("CARGO_BIN_EXE_plan")), &[]);
    // The judge reports this on its stderr, which is shown only if it fails; here it answers `reject`.
    assert_eq!(output.code, 1, "{output:?}");
    let new = new_lines(&world);
    assert_eq!(new.len(), 1, "{new:?}");
    assert!(new[0].contains("  fast-1 rejected (oracle cmd:"), "{new:?}");
}

// P-64, P-5
#[test]
fn every_command_that_writes_answers_4_inside_a_judge() {
    let commands = [
        "complete fast-1", "complete fast-1 --judge cmd:true --detach", "verify fast-1", "goal cancel fast-1 x",
        "goal add x", "goal set fast-1 --priority 1", "goal start fast-1", "goal remove fast-1", "step add fast-1 x",
        "log x", "archive", "undo", "lint --fix", "judge set cmd:true",
    ];
    let plan = env!("CARGO_BIN_EXE_plan");
    let lines: String =
        commands.iter().map(|c| format!("{plan} {c} >&2; echo \"$? {c}\" >> \"$scratch/told\"\n")).collect();
    let world = world().judge_doing("judge", &format!("{lines}outside \"cat '$scratch/told' >> ../told\"\nexit 9\n"));
    assert_eq!(world.plan(["complete", "fast-1", "--path", "result.txt", "--judge", "cmd:judge"]).code, 3);
    let told = std::fs::read_to_string(world.base().join("told")).unwrap();
    // The judge is asked twice, because it fails.
    assert_eq!(told.lines().count(), 2 * commands.len(), "{told}");
    let done: Vec<&str> = told.lines().filter(|line| !line.starts_with("4 ")).collect();
    assert_eq!(done, [""; 0]);
    assert!(new_lines(&world).iter().all(|line| line.contains("inconclusive")), "{:?}", new_lines(&world));
    assert!(!world.base().join("home/.config/plan").exists());
}
