//! The effects that a `verify` may have on `plan verify` and `plan complete`: its end is reported exactly, its output is bounded, and no
//! process of it is left running (a world checks that when it is dropped).
#![cfg(target_os = "linux")]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::judge::{HONEST, PLAN, world};
use crate::support::output::Output;
use crate::support::{World, own_memory, size, two_at_once};

/// A world whose verify is `sh check.sh` with these lines, after a line that can fail.
fn checked(script: &str) -> World {
    let world = world().judge("judge", HONEST, "accept");
    world.write("check.sh", format!("grep -q Plan plan.md || exit 1\n{script}"));
    world.commit("check");
    world
}

fn with_verify(world: World, verify: &str) -> World {
    world.write("plan.md", PLAN.replace("verify: sh check.sh", &format!("verify: {verify}")));
    world
}

fn complete(world: &World, more: &[&str]) -> Output {
    // Each signal has its default action, even if the caller of the tests ignores one.
    let args = ["--default-signal", env!("CARGO_BIN_EXE_plan"), "complete", "fast-1"];
    // The scripts of this file do not look at the work.
    let args = args.iter().chain(&["--gate", "fast", "--judge", "cmd:judge", "--path", "result.txt"]).chain(more);
    world.call_program("env", args).limit(Duration::from_secs(120)).run()
}

/// Returns the one log line of a rejection, without stamp and id.
#[track_caller]
fn rejected(world: &World, more: &[&str]) -> String {
    let output = complete(world, more);
    assert_eq!(output.code, 1, "{output:?}");
    let text = world.plan_md();
    assert!(text.contains("status: active"), "{text}");
    let line = text.lines().last().unwrap();
    line.strip_prefix("- 2026-06-15 14:33  fast-1 rejected ").unwrap_or_else(|| panic!("{line}")).to_owned()
}

// P-44, P-45
#[test]
fn every_way_to_fail_is_told() {
    for (script, told) in [
        ("echo why; exit 1\n", "(verify exit 1): why"),
        ("exit 2\n", "(verify exit 2): "),
        ("exit 126\n", "(verify exit 126): "),
        ("exit 255\n", "(verify exit 255): "),
        ("echo last; kill -SEGV $$\n", "(verify signal 11): last"),
        ("kill -9 $$\n", "(verify signal 9): "),
        ("kill -TERM 0; sleep 30\n", "(verify signal 15): "),
    ] {
        let line = rejected(&checked(script), &[]);
        assert!(line.trim_end().starts_with(told.trim_end()), "{script}: {line}");
    }
}

// P-44
#[test]
fn what_cannot_be_started_is_named() {
    for (verify, name, why) in [
        ("frobnicate-x --now", "frobnicate-x", "not found on `PATH`"),
        ("./frobnicate", "./frobnicate", "no such file"),
        ("./plain", "./plain", "not executable"),
        ("./lost", "./lost", "/no/such/interpreter"),
        ("./folder", "./folder", "it is a folder"),
        ("./bare", "./bare", "name its interpreter"),
    ] {
        let world = with_verify(checked("exit 0\n"), verify);
        world.write("plain", "#!/bin/sh\ngrep -q Plan plan.md\n");
        world.write("folder/x", "");
        world.script("lost", "#!/no/such/interpreter\n");
        world.script("bare", "echo ran > proof\ngrep -q Plan plan.md\n");
        let output = world.plan(["verify", "fast-1"]);
        assert_eq!(output.code, 1, "{verify}: {output:?}");
        let line = rejected(&world, &[]);
        assert!(line.starts_with("(verify unstartable") || line.contains("cannot be started"), "{verify}: {line}");
        assert!(line.contains(name) && line.contains(why), "{verify}: {line}");
        assert!(!world.path("proof").exists());
    }
}

// P-44
#[test]
fn a_time_out_is_obeyed_or_enforced() {
    let times_out = |script: &str, at_least, at_most| {
        let world = checked(script);
        let began = Instant::now();
        let line = rejected(&world, &["--timeout", "1"]);
        let took = began.elapsed().as_secs();
        assert!(line.contains("killed after 1 s"), "{script}: {line}");
        assert!((at_least..=at_most).contains(&took), "{script}: {took} s");
    };
    std::thread::scope(|scope| {
        for (script, at_least, at_most) in [
            ("echo begun; sleep 600\n", 1, 5),
            ("trap 'echo tidied; exit 0' TERM\nsleep 600 & wait\n", 1, 5),
            // All of them ignore TERM: KILL comes 5 s later.
            ("trap '' TERM\nsetsid sleep 600 &\nwhile :; do sleep 600; done\n", 6, 14),
        ] {
            scope.spawn(move || times_out(script, at_least, at_most));
        }
    });
}

// P-44
#[test]
fn no_input_and_no_terminal_are_there_to_wait_for() {
    let world = checked("read line && exit 7\nread line < /dev/tty && exit 8\ncat && echo over\n");
    let began = Instant::now();
    let mut call = world.command(env!("CARGO_BIN_EXE_plan"), ["verify", "fast-1", "--gate", "fast"]);
    // The caller's own input stays open and holds data.
    let mut child = call.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(began.elapsed() < Duration::from_secs(10));
}

// P-44
#[test]
fn any_bytes_are_carried_and_none_reach_the_terminal_or_the_log() {
    let script = r"printf 'a\377\376\000b \033[31mred\033[0m \033]0;title\007 \302\233 \342\200\256x\r\n'; exit 1";
    let world = checked(&format!("{script}\n"));
    for args in [&["verify", "fast-1"][..], &["verify", "fast-1", "--json"]] {
        let output = world.plan(args);
        assert_eq!(output.code, 1, "{output:?}");
        let shown = format!("{}{}", output.stdout, output.stderr);
        assert!(shown.contains("red"), "{shown:?}");
        assert!(!shown.contains(['\x1b', '\x07', '\0', '\u{9b}', '\u{202e}', '\r']), "{shown:?}");
    }
    let line = rejected(&world, &[]);
    assert!(line.contains("red") && !line.contains(|c: char| c.is_control()), "{line:?}");
    assert!(!line.contains('\u{202e}'), "{line:?}");
    // The run log has all of it, byte for byte.
    let log = std::fs::read(world.path(".git/plan/runs/fast-1.1.log")).unwrap();
    assert!(log.starts_with(b"a\xff\xfe\0b \x1b[31mred"), "{:?}", String::from_utf8_lossy(&log));
}

// P-44
#[test]
fn what_is_left_running_is_ended_and_said() {
    let scripts = [
        "sleep 600 &\necho checked\n",
        "setsid sleep 600 </dev/null >/dev/null 2>&1 &\necho checked\n",
        "setsid sh -c 'setsid sleep 600 & exit 0' </dev/null >/dev/null 2>&1\necho checked\n",
        "(setsid sh -c '(trap \"\" TERM HUP; sleep 600; sleep 600) &' &) </dev/null >/dev/null 2>&1\necho checked\n",
    ];
    two_at_once(&scripts, |script| {
        let world = checked(script);
        let began = Instant::now();
        let output = world.plan(["verify", "fast-1", "--gate", "fast"]);
        assert_eq!(output.code, 0, "{script}: {output:?}");
        assert!(output.stdout.contains("verify-leaves-processes"), "{script}: {output:?}");
        assert!(began.elapsed() < Duration::from_secs(15), "{script}");
        assert_eq!(complete(&world, &[]).code, 0, "{script}: green, with a lead");
    });
}

#[test]
fn hundreds_of_children_are_ended() {
    let count = size(200, 2000);
    let script =
        format!("trap '' TERM\ni=0\nwhile [ $i -lt {count} ]; do sleep 600 & i=$((i+1)); done\necho checked\n");
    let output = checked(&script).call(["verify", "fast-1", "--gate", "fast"]).limit(Duration::from_secs(120)).run();
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("verify-leaves-processes"), "{output:?}");
}

/// The peak memory of a call, in KiB, measured just before its end.
fn peak(world: &World, args: &[&str], expected: &str) -> u64 {
    let measure = "import subprocess, sys, time\n\
        child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)\n\
        last = ''\n\
        while child.poll() is None:\n\
        \x20 status = open(f'/proc/{child.pid}/status').read()\n\
        \x20 last = status if 'VmHWM' in status else last\n\
        \x20 time.sleep(0.002)\n\
        print(child.returncode, last)\n";
    let args = [&["-c", measure, env!("CARGO_BIN_EXE_plan")], args].concat();
    let output = world.call_program("python3", args).limit(Duration::from_secs(300)).run();
    let (code, status) = output.stdout.split_once(' ').unwrap_or_else(|| panic!("{output:?}"));
    assert_eq!(code, expected, "{output:?}");
    own_memory(status)
}

/// The peak stays far below 16 MiB more than the program's own code, and the same as for one line.
// P-44
#[test]
fn gibibytes_of_output_pass_through_less_than_sixteen_mebibytes() {
    const COMPLETE: [&str; 6] = ["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"];
    // A quarter of a GiB, or four GiB in the full run.
    let bytes = size(1 << 28, 1 << 32);
    let script = format!("echo first\nhead -c {bytes} /dev/zero | tr '\\0' x\necho\necho last\nexit 1\n");
    let world = checked(&script);
    let large = peak(&world, &COMPLETE, "1");
    let small = peak(&checked("echo first\necho last\nexit 1\n"), &COMPLETE, "1");
    assert!(large < 4 * 1024, "{large} KiB");
    assert!(large < small + 2 * 1024, "{large} KiB, for a line {small} KiB");
    assert!(world.plan_md().trim_end().ends_with("(verify exit 1): last"), "{}", world.plan_md());
    let log = std::fs::metadata(world.path(".git/plan/runs/fast-1.1.log")).unwrap().len();
    assert!(log <= (64 << 20) + 200, "the run log holds {log} bytes");
}

#[test]
fn output_without_end_is_ended_at_the_limit() {
    let world = checked("yes\n");
    let line = rejected(&world, &["--timeout", "1"]);
    assert!(line.contains("killed after 1 s"), "{line}");
}

/// A script that ignores signals and reports when it is up.
const STUBBORN: &str =
    "trap '' TERM INT HUP\nsetsid sh -c 'trap \"\" TERM; sleep 600; sleep 601' &\ntouch ../up\nsleep 600\nsleep 601\n";

fn started(world: &World) -> Child {
    let args = ["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"];
    let mut command = world.interruptible(args);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("verify runs", || world.base().join("up").exists());
    child
}

#[track_caller]
fn until(what: &str, so: impl Fn() -> bool) {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < Duration::from_secs(20), "not so after 20 s: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

// P-50
#[test]
fn ctrl_c_once_ends_what_obeys_and_writes_nothing() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        // It reports only after the background job has forked: before, its shell still has the trap and would lose the signal.
        let world = checked("trap 'exit 0' TERM\n(touch ../up; exec sleep 600) &\nwait\n");
        let mut child = started(&world);
        let began = Instant::now();
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal:?}");
        assert!(began.elapsed() < Duration::from_secs(4), "{signal:?}: {:?}", began.elapsed());
        assert_eq!(world.plan_md(), PLAN, "{signal:?}");
    }
}

// P-50
#[test]
fn ctrl_c_once_kills_what_does_not_obey_after_five_seconds_and_twice_at_once() {
    let killed = |times, at_least, at_most| {
        let world = checked(STUBBORN);
        let mut child = started(&world);
        let began = Instant::now();
        for _ in 0..times {
            kill_process(Pid::from_child(&child), Signal::INT).unwrap();
            std::thread::sleep(Duration::from_millis(200));
        }
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let took = began.elapsed().as_secs();
        assert!((at_least..=at_most).contains(&took), "{times} times: {took} s");
        assert_eq!(world.plan_md(), PLAN);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| killed(1, 4, 10));
        scope.spawn(|| killed(2, 0, 4));
        // Runs side by side with the key, because each takes five seconds.
        scope.spawn(ctrl_c_on_a_terminal_once_and_twice);
    });
}

/// Presses the key on a terminal, as a person does: its foreground group gets the signal.
fn ctrl_c_on_a_terminal_once_and_twice() {
    for (keys, at_least, at_most) in [("\\003", 4, 10), ("\\003'; sleep 0.3; printf '\\003", 0, 4)] {
        let world = checked(STUBBORN);
        let plan = env!("CARGO_BIN_EXE_plan");
        let complete = "complete fast-1 --judge cmd:judge --path result.txt";
        let line = format!("trap : INT; {plan} {complete}; echo \"ended $?\"; touch ../ended");
        let until = |file: &str| format!("until test -e ../{file}; do sleep 0.05; done");
        let keys = format!("{}; sleep 0.2; printf '{keys}'; {}", until("up"), until("ended"));
        let feed = format!("({keys}) | script --quiet --return --command '{line}' /dev/null");
        let began = Instant::now();
        let call = world.call_program("env", ["--default-signal", "sh", "-c", &feed]);
        let output = call.env("TERM", "xterm-256color").run();
        let took = began.elapsed().as_secs();
        assert!(output.stdout.contains("ended 130"), "{output:?}");
        assert!((at_least..=at_most).contains(&took), "{took} s");
        assert_eq!(world.plan_md(), PLAN);
    }
}

/// If `plan` is killed, it cannot clean up; its programs must end without it.
#[test]
fn where_plan_is_killed_its_verify_ends_and_the_next_check_is_free() {
    let world = checked(STUBBORN).crashes();
    let mut child = started(&world);
    child.kill().unwrap();
    child.wait().unwrap();
    until("all have ended", || crate::support::leaks::processes(world.base()).is_empty());
    assert_eq!(world.plan_md(), PLAN);
    world.write("check.sh", "grep -q '^p95 4' result.txt && echo checked\n");
    assert_eq!(complete(&world, &[]).code, 0);
}
