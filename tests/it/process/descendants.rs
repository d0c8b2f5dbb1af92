//! The runner ends everything that a program leaves running: children, daemons, crowds.

use std::time::{Duration, Instant};

use plan::process::run::End;

use super::support::World;
use crate::support::size;

// P-44: exit 0 while a child keeps the output open
#[test]
fn a_background_child_that_holds_the_pipe_does_not_hold_us() {
    let world = World::new();
    let started = Instant::now();
    let ran = world.sh("sleep 60 & echo done");
    assert_eq!((ran.end, ran.left_processes, ran.tail.text().as_ref()), (End::Exited(0), true, "done\n"));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(ran.seconds < 1.0, "{}", ran.seconds);
}

#[test]
fn a_child_that_ends_soon_is_waited_for_and_not_reported() {
    let world = World::new();
    let ran = world.sh("(sleep 0.05; echo late) & echo early");
    assert_eq!((ran.left_processes, ran.tail.text().as_ref()), (false, "early\nlate\n"));
}

#[test]
fn a_child_left_behind_may_tidy_up() {
    let world = World::new();
    let spec = world.obedient_spec("sh -c 'trap \"echo tidy; exit\" TERM; sleep 60 & wait' & sleep 0.2");
    let ran = world.run(&spec);
    assert_eq!((ran.left_processes, ran.tail.text().as_ref()), (true, "tidy\n"));
}

#[test]
fn daemons_in_sessions_of_their_own_are_found() {
    let world = World::new();
    let quiet = "</dev/null >/dev/null 2>&1";
    for script in [
        format!("setsid sleep 60 {quiet} &"),
        format!("setsid sh -c 'setsid sleep 60 & exit 0' {quiet}"),
        format!("(setsid sh -c '(trap \"\" TERM HUP; sleep 60; sleep 60) &' &) {quiet}"),
        format!("setsid --fork setsid --fork sh -c 'cd /; exec sleep 60' {quiet}"),
        format!("sh -c 'kill -STOP $$' {quiet} &"),
    ] {
        let ran = world.sh(&script);
        assert_eq!((ran.end, ran.left_processes, ran.unkilled), (End::Exited(0), true, false), "{script}");
    }
}

#[test]
fn a_daemon_of_a_program_that_fails_is_found_too() {
    let world = World::new();
    assert_eq!(world.sh("setsid sleep 60 & exit 3").end, End::Exited(3));
    assert_eq!(world.sh("setsid sleep 60 & kill -9 $$").end, End::Signalled(9));
}

#[test]
fn hundreds_of_children_are_ended() {
    let world = World::new();
    let count = size(200, 2000);
    let script = format!("trap '' TERM; i=0; while [ $i -lt {count} ]; do sleep 300 & i=$((i+1)); done");
    let started = Instant::now();
    let ran = world.sh(&script);
    assert_eq!((ran.end, ran.left_processes, ran.unkilled), (End::Exited(0), true, false));
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
}

/// Each process starts two more until there are a few hundred, and none of them obeys TERM.
#[test]
fn what_multiplies_is_ended() {
    let world = World::new();
    let bomb = "#!/bin/sh\ntrap '' TERM\n[ $1 -gt 0 ] || exec sleep 300\n$0 $(($1-1)) & setsid $0 $(($1-1)) & wait\n";
    world.file("bomb", bomb, 0o755);
    let mut spec = world.spec(["./bomb", "7"]);
    spec.limit = Duration::from_millis(200);
    let ran = world.run(&spec);
    assert_eq!((ran.end, ran.unkilled), (End::TimedOut, false));
}

/// Each process starts another and exits, so that a search always finds a different one.
#[test]
fn what_runs_from_process_to_process_is_caught() {
    let world = World::new();
    world.file("hare", "#!/bin/sh\ntrap '' TERM\nsetsid $0 &\n", 0o755);
    let started = Instant::now();
    let ran = world.sh("for i in 1 2 3 4 5; do ./hare; done");
    assert_eq!((ran.end, ran.left_processes, ran.unkilled), (End::Exited(0), true, false));
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
}

/// The launcher is an ordinary process, so the program that it watches can kill it.
#[test]
fn a_program_that_kills_its_launcher_gains_nothing() {
    let world = World::new();
    let quiet = "</dev/null >/dev/null 2>&1";
    let ran = world.sh(&format!("setsid sleep 60 {quiet} & kill -9 $PPID; sleep 60"));
    assert_eq!((ran.end, ran.unkilled), (End::Lost, false));
}

#[test]
fn a_child_that_kills_the_launcher_afterwards_was_left_behind() {
    let world = World::new();
    let ran = world.sh("(sleep 0.1; kill -9 $PPID; sleep 60) & exit 0");
    assert_eq!((ran.end, ran.left_processes, ran.unkilled), (End::Exited(0), true, false));
}

#[test]
fn a_program_that_stops_its_launcher_is_ended_at_the_limit_all_the_same() {
    let world = World::new();
    let mut spec = world.obedient_spec("kill -STOP $PPID; sleep 300");
    spec.limit = Duration::from_millis(200);
    let started = Instant::now();
    assert_eq!(world.run(&spec).end, End::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn runs_at_the_same_time_do_not_end_each_other() {
    let slow = World::new();
    let fast = World::new();
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| slow.sh("setsid sh -c 'sleep 1; echo alive' & sleep 1.5; wait"));
        while !slow.is_finished() {
            assert!(fast.sh("setsid sleep 60 & setsid sleep 60 & exit 0").left_processes);
            assert_eq!(fast.sh("setsid sleep 60 & kill -9 $PPID; sleep 60").end, End::Lost);
        }
        let ran = slow.join().unwrap();
        assert_eq!((ran.end, ran.left_processes, ran.tail.text().as_ref()), (End::Exited(0), false, "alive\n"));
    });
}

/// In a container the leader of our session is outside our PID namespace, so the session has no number. If the system forbids new
/// namespaces, the test has nothing to try.
#[test]
fn in_a_namespace_whose_session_has_no_number() {
    let inside = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    let unshare = |program: &std::ffi::OsStr| {
        let mut command = std::process::Command::new("unshare");
        command.args(inside).arg(program);
        command
    };
    if !unshare("true".as_ref()).output().is_ok_and(|output| output.status.success()) {
        eprintln!("no PID namespace can be made here");
        return;
    }
    let output = unshare(std::env::current_exe().unwrap().as_os_str())
        .args(["--exact", "process::descendants::a_program_that_kills_its_launcher_gains_nothing"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
