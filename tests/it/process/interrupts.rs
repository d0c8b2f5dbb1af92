//! Ctrl-C once and twice, and the end of `plan` itself.

use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::support::World;

const STUBBORN: &str = "trap '' TERM; setsid sh -c 'trap \"\" TERM; touch up; sleep 60' & sleep 60; sleep 60";

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}

/// Starts a runner and waits until its script runs.
fn running(world: &World, script: &str) -> Child {
    let child = world.runner(script);
    world.until("the script should be up", || world.path("up").exists());
    child
}

#[test]
fn ctrl_c_once_ends_what_obeys() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let world = World::new();
        let mut child = running(&world, "trap 'echo bye; exit 0' TERM; sleep 60 & sleep 0.1; touch up; wait");
        send(&child, signal);
        let started = Instant::now();
        assert!(child.wait().unwrap().success());
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        world.nothing_left();
        assert!(world.runner_said().starts_with("Interrupted"), "{}", world.runner_said());
        assert_eq!(std::fs::read_to_string(world.path("run.log")).unwrap(), "bye\n");
    }
}

#[test]
fn ctrl_c_once_kills_what_does_not_obey_after_five_seconds() {
    let world = World::new();
    let mut child = running(&world, STUBBORN);
    let started = Instant::now();
    send(&child, Signal::INT);
    child.wait().unwrap();
    let took = started.elapsed();
    world.nothing_left();
    assert!(took > Duration::from_secs(4) && took < Duration::from_secs(8), "{took:?}");
    assert!(world.runner_said().starts_with("Interrupted"), "{}", world.runner_said());
}

#[test]
fn ctrl_c_twice_kills_at_once() {
    let world = World::new();
    let mut child = running(&world, STUBBORN);
    let started = Instant::now();
    send(&child, Signal::INT);
    std::thread::sleep(Duration::from_millis(200));
    send(&child, Signal::INT);
    child.wait().unwrap();
    world.nothing_left();
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(world.runner_said().starts_with("Interrupted"), "{}", world.runner_said());
}

// P-45
#[test]
fn a_signal_between_two_programs_ends_the_second() {
    let world = World::new();
    let mut child = world.runner_as("held", "", "trap 'exit 0' TERM; sleep 30 & wait");
    let started = Instant::now();
    assert!(child.wait().unwrap().success());
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    world.nothing_left();
    assert!(world.runner_said().starts_with("Interrupted"), "{}", world.runner_said());
}

#[test]
fn where_plan_is_killed_nothing_goes_on_without_it() {
    let world = World::new();
    let mut child = running(&world, STUBBORN);
    send(&child, Signal::KILL);
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    world.until("all should end", || world.running().is_empty());
}

/// The program may have stopped the launcher again and again.
#[test]
fn ctrl_c_three_times_does_without_the_launcher() {
    let world = World::new();
    let mut child = running(&world, "trap '' TERM; touch up; while :; do kill -STOP $PPID; done");
    let started = Instant::now();
    for _ in 0..3 {
        send(&child, Signal::INT);
        std::thread::sleep(Duration::from_millis(100));
    }
    child.wait().unwrap();
    world.nothing_left();
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(world.runner_said().starts_with("Interrupted"), "{}", world.runner_said());
}

#[test]
fn where_plan_is_killed_a_stopped_launcher_wakes() {
    let world = World::new();
    let mut child = running(&world, "kill -STOP $PPID; touch up; sleep 60");
    send(&child, Signal::KILL);
    child.wait().unwrap();
    world.until("all should end", || world.running().is_empty());
}

#[test]
fn ctrl_c_ends_what_is_captured() {
    let world = World::new();
    let mut child = world.runner_as("capture", "", "sleep 60 & touch up; wait");
    world.until("the script should be up", || world.path("up").exists());
    send(&child, Signal::INT);
    assert!(child.wait().unwrap().success());
    world.until("all should end", || world.running().is_empty());
    assert!(world.runner_said().contains("Interrupted"), "{}", world.runner_said());
}

#[test]
fn ctrl_c_after_a_run_does_what_it_always_does() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let world = World::new();
        let mut child = world.runner_as("idle", "", "true");
        world.until("the run should be over", || world.path("idle").exists());
        send(&child, signal);
        assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()));
    }
}

/// `nohup plan complete …` goes on after the terminal is closed.
#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let world = World::new();
    let mut child = world.runner_as("run", "HUP,INT", "touch up; sleep 1");
    world.until("the script should be up", || world.path("up").exists());
    send(&child, Signal::HUP);
    send(&child, Signal::INT);
    assert!(child.wait().unwrap().success());
    assert!(world.runner_said().starts_with("Exited(0)"), "{}", world.runner_said());
}

/// Some hosts ignore SIGCHLD when they start us; then the system throws exit statuses away.
#[test]
fn ignored_deaths_of_children_are_told_all_the_same() {
    let world = World::new();
    world.runner_as("run", "CHLD", "exit 7").wait().unwrap();
    assert!(world.runner_said().starts_with("Exited(7)"), "{}", world.runner_said());
    world.runner_as("capture", "CHLD", "exit 7").wait().unwrap();
    assert!(world.runner_said().contains("ExitStatus(unix_wait_status(1792))"), "{}", world.runner_said());
}
