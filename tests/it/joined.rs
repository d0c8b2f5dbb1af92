//! One check of a goal at a time: left running, awaited, joined, and never started from inside itself (`SIGNOFF.md` §1).

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::judge::{HONEST, PLAN, world};
use crate::support::{World, until};

const COMPLETE: [&str; 6] = ["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"];
const PLAN_BINARY: &str = env!("CARGO_BIN_EXE_plan");

/// A judge that notes each call, and waits for the file `../go`.
fn waiting() -> World {
    let answer = format!("cat <<END\nSIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\nEND\n");
    world().judge_doing(
        "judge",
        &format!("outside \"echo asked >> ../asked\"\nuntil test -e ../go; do sleep 0.05; done\n{answer}"),
    )
}

fn asked(world: &World) -> usize {
    std::fs::read_to_string(world.base().join("asked")).unwrap_or_default().lines().count()
}

fn go(world: &World) {
    std::fs::write(world.base().join("go"), "").unwrap();
}

fn spawned(world: &World, args: &[&str]) -> Child {
    let mut command = world.command(PLAN_BINARY, args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_check_that_is_left_behind_outlives_its_caller_and_is_awaited() {
    let world = waiting();
    let began = Instant::now();
    let output = world.plan(COMPLETE.iter().chain(&["--detach"]));
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    assert!(output.stdout.contains("plan complete fast-1 --wait"), "{output:?}");
    assert!(began.elapsed() < Duration::from_secs(10), "it returns at once");
    until("the judge is asked", || asked(&world) == 1);
    assert_eq!(world.plan_md(), PLAN);
    let early = world.plan(["complete", "fast-1", "--wait", "1"]);
    assert_eq!(early.code, 3, "{early:?}");
    assert!(early.stderr.contains("still running"), "{early:?}");
    go(&world);
    let result = world.plan(["complete", "fast-1", "--wait", "30"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(world.plan_md().contains("status: done") && asked(&world) == 1);
    // A later caller gets the same result.
    let again = world.plan(["complete", "fast-1", "--wait"]);
    assert_eq!((again.code, again.stdout), (0, result.stdout));
}

// A long-lived `plan mcp` after an upgrade, or a project that builds `plan` itself.
#[test]
#[cfg(target_os = "linux")]
fn a_check_is_left_behind_by_a_program_that_was_replaced() {
    let world = waiting();
    let old = world.base().join("old-plan");
    std::fs::copy(PLAN_BINARY, &old).unwrap();
    let script = "exec 9<\"$0\"; rm \"$0\"; exec /proc/self/fd/9 \"$@\"";
    let head = ["-c", script, old.to_str().unwrap()];
    let output = world.call_program("sh", head.iter().chain(&COMPLETE).chain(&["--detach"])).run();
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    go(&world);
    assert_eq!(world.plan(["complete", "fast-1", "--wait", "30"]).code, 0);
}

#[test]
fn a_rejection_of_a_check_that_was_left_behind_is_taken_with_its_exit_code() {
    let world = world().judge("judge", HONEST, "accept");
    world.write("check.sh", "echo 'p95 is 71 ms'\nexit 1\n");
    assert_eq!(world.plan(COMPLETE.iter().chain(&["--detach", "--json"])).json(0)["detached"], true);
    let result = world.plan(["complete", "fast-1", "--wait", "30"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.stdout.contains("p95 is 71 ms"), "{result:?}");
    let json = world.plan(["complete", "fast-1", "--wait", "--json"]).json(1);
    assert_eq!(json["outcome"], "rejected", "{json:#}");
}

#[test]
fn who_waits_for_nothing_is_told() {
    let output = world().plan(["complete", "fast-1", "--wait"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("none has left a result"), "{output:?}");
}

#[test]
fn a_second_check_joins_the_first() {
    let world = waiting();
    let first = spawned(&world, &COMPLETE);
    until("the judge is asked", || asked(&world) == 1);
    let seconds: Vec<Child> = (0..3).map(|_| spawned(&world, &COMPLETE)).collect();
    // A second detached check finds it running and exits.
    let detached = world.plan(COMPLETE.iter().chain(&["--detach"]));
    assert_eq!(detached.code, 0, "{detached:?}");
    assert!(detached.stdout.contains("is being checked already"), "{detached:?}");
    std::thread::sleep(Duration::from_millis(300));
    go(&world);
    let first = first.wait_with_output().unwrap();
    assert_eq!(first.status.code(), Some(0), "{first:?}");
    for second in seconds {
        let second = second.wait_with_output().unwrap();
        assert_eq!((second.status.code(), &second.stdout), (Some(0), &first.stdout), "{second:?}");
    }
    assert_eq!(asked(&world), 1);
    assert_eq!(world.plan_md().matches("fast-1 signed off").count(), 1, "{}", world.plan_md());
}

#[test]
fn other_goals_and_other_writes_go_on_meanwhile() {
    let world = waiting();
    let first = spawned(&world, &COMPLETE);
    until("the judge is asked", || asked(&world) == 1);
    assert_eq!(world.plan(["log", "meanwhile"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "docs-1"]).code, 0);
    assert_eq!(world.plan(["step", "add", "fast-1", "tidy"]).code, 0, "steps are not in the contract");
    go(&world);
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
    let text = world.plan_md();
    for line in ["  meanwhile\n", "  docs-1 started ", "  fast-1 signed off ", "tidy\n"] {
        assert!(text.contains(line), "`{line}` is not in\n{text}");
    }
}

/// A verify that runs `complete` on its own goal is refused, also in its own session or without `PLAN_JUDGE_SESSION`.
#[test]
fn a_check_inside_itself_is_refused() {
    for call in [
        "complete fast-1 --judge cmd:judge", "complete fast-1 --judge cmd:judge --detach", "complete fast-1 --wait",
        "complete 'Make it fast' --judge cmd:judge",
    ] {
        for how in ["", "setsid --wait ", "env -u PLAN_JUDGE_SESSION "] {
            let world = world().judge("judge", HONEST, "accept");
            world.write("check.sh", format!("{how}{PLAN_BINARY} {call}\ncode=$?\necho \"inner $code\"\nexit $code\n"));
            let output = world.call(COMPLETE).limit(Duration::from_secs(30)).run();
            assert_eq!(output.code, 1, "{how}{call}: {output:?}");
            assert!(output.stdout.contains("inner 4"), "{how}{call}: {output:?}");
            let text = world.plan_md();
            assert!(text.contains("fast-1 rejected (verify exit 4)") && !text.contains("signed off"), "{text}");
        }
    }
}

/// A verify that verifies itself would never end.
#[test]
fn a_verify_inside_itself_is_refused() {
    for outer in [&["verify", "fast-1"][..], &COMPLETE] {
        let world = world().judge("judge", HONEST, "accept");
        world.write("check.sh", format!("{PLAN_BINARY} verify fast-1\ncode=$?\necho \"inner $code\"\nexit $code\n"));
        let output = world.call(outer).limit(Duration::from_secs(30)).run();
        assert_eq!(output.code, 1, "{outer:?}: {output:?}");
        assert!(output.stdout.contains("inner 4"), "{outer:?}: {output:?}");
    }
}

/// Neither would a baseline and a step that start themselves.
#[test]
fn a_start_and_a_step_inside_themselves_are_refused() {
    let run = "- [ ] 2. again (run: sh check.sh)\n";
    for call in ["goal start docs-1", "step run 2 --yes"] {
        let world = world();
        let plan = PLAN.replace("status: open\n", &format!("status: open\nverify: sh check.sh\n{run}"));
        world.write("plan.md", plan);
        world.write(
            "check.sh",
            format!("{PLAN_BINARY} {call}\ncode=$?\necho \"inner $code\" >> ../inner\nexit $code\n"),
        );
        let output = world.call(call.split(' ')).limit(Duration::from_secs(30)).run();
        assert!(output.code <= 1, "{call}: {output:?}");
        assert_eq!(std::fs::read_to_string(world.base().join("inner")).unwrap(), "inner 4\n", "{call}");
    }
}

// A hint names a command that works, and that bypasses nothing.
#[test]
fn a_step_that_cannot_be_run_says_how_it_could() {
    let world = world();
    assert_eq!(world.plan(["step", "add", "docs-1", "x (run: true)"]).code, 0);
    let bare = world.plan(["step", "run", "docs-1.1"]);
    assert!(bare.code == 2 && bare.stderr.contains("plan step set 2 --run COMMAND`"), "{bare:?}");
    assert_eq!(world.plan(["step", "add", "docs-1", "y", "--run", "true"]).code, 0);
    let asking = world.plan(["step", "run", "docs-1.2"]);
    assert!(asking.code == 4 && !asking.stderr.contains("--yes") && asking.stderr.contains("terminal"), "{asking:?}");
}

#[test]
fn two_goals_that_complete_each_other_are_refused() {
    let world = world().judge("judge", HONEST, "accept");
    let plan = PLAN.replace("status: open", "status: active\nverify: sh other.sh");
    world.write("plan.md", plan);
    world.write("check.sh", format!("{PLAN_BINARY} complete docs-1 --judge cmd:judge\n"));
    world.write("other.sh", format!("{PLAN_BINARY} complete fast-1 --judge cmd:judge\necho \"inner $?\"\nexit 1\n"));
    let output = world.call(COMPLETE).limit(Duration::from_secs(30)).run();
    assert_eq!(output.code, 1, "{output:?}");
    assert!(world.plan_md().contains("docs-1 rejected (verify exit 1): inner 4"), "{}", world.plan_md());
}
