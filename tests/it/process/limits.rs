//! The time limit.

use std::time::{Duration, Instant};

use plan::process::run::{End, run_with};

use super::support::World;

#[test]
fn a_program_that_obeys_term_is_ended_at_the_limit() {
    let world = World::new();
    let mut spec = world.obedient_spec("trap 'echo bye; exit 0' TERM; sleep 60 & wait");
    spec.limit = Duration::from_millis(300);
    let started = Instant::now();
    let ran = world.run(&spec);
    assert_eq!((&ran.end, ran.tail.text().as_ref()), (&End::TimedOut, "bye\n"));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

/// These run side by side, because each takes five seconds.
#[test]
fn what_ignores_term_is_killed_five_seconds_later() {
    std::thread::scope(|scope| {
        scope.spawn(a_program_that_ignores_term);
        scope.spawn(grandchildren_and_a_stopped_one);
    });
}

fn a_program_that_ignores_term() {
    let world = World::new();
    let mut spec = world.sh_spec("trap '' TERM; while :; do sleep 60; done");
    spec.limit = Duration::from_millis(300);
    let started = Instant::now();
    let ran = world.run(&spec);
    let took = started.elapsed();
    assert_eq!(ran.end, End::TimedOut);
    assert!(took > Duration::from_secs(5) && took < Duration::from_secs(8), "{took:?}");
}

fn grandchildren_and_a_stopped_one() {
    let world = World::new();
    let mut spec = world.sh_spec("setsid sh -c 'trap \"\" TERM; sleep 60' & sh -c 'kill -STOP $$' & sleep 60");
    spec.limit = Duration::from_millis(300);
    assert_eq!(world.run(&spec).end, End::TimedOut);
}

#[test]
fn a_tick_comes_about_once_a_second() {
    let world = World::new();
    let mut ticks = Vec::new();
    let ran = run_with(&world.sh_spec("sleep 2.5"), &mut |elapsed| ticks.push(elapsed.as_secs()));
    assert_eq!((ran.end, ticks), (End::Exited(0), vec![1, 2]));
    assert!(ran.seconds > 2.4 && ran.seconds < 4.0, "{}", ran.seconds);
}
