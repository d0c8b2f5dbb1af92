//! Output of any kind: memory stays bounded, and no promised output is lost.

use std::fs;
use std::time::Duration;

use plan::process::run::{End, Output};

use super::support::World;
use crate::support::size;

fn together(world: &World) -> Output {
    Output::Together { log: Some(world.path("run.log")) }
}

// P-44
#[test]
fn both_streams_are_kept_in_the_order_printed() {
    let world = World::new();
    let mut spec = world.sh_spec("for i in 1 2 3; do echo out $i; echo err $i >&2; done");
    spec.output = together(&world);
    let ran = world.run(&spec);
    let expected = "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n";
    assert_eq!((ran.tail.text().as_ref(), ran.tail.label(), ran.truncated), (expected, None, false));
    assert_eq!(fs::read_to_string(world.path("run.log")).unwrap(), expected);
}

#[test]
fn any_bytes_are_kept_as_they_are() {
    let world = World::new();
    let mut spec = world.sh_spec(r"printf '\377\376\000\033[31mred\033[0m\r\n\033]0;title\007'");
    spec.output = together(&world);
    let ran = world.run(&spec);
    let expected = b"\xff\xfe\0\x1b[31mred\x1b[0m\r\n\x1b]0;title\x07";
    assert_eq!(ran.tail.bytes, expected);
    assert_eq!(fs::read(world.path("run.log")).unwrap(), expected);
}

// P-44: the tail is labelled when cut
#[test]
fn a_long_output_is_whole_in_the_log_and_cut_in_the_tail() {
    let world = World::new();
    let mut spec = world.spec(["seq", "100000"]);
    spec.output = together(&world);
    let ran = world.run(&spec);
    assert_eq!(ran.tail.label().as_deref(), Some("the last 40 of 100000 lines"));
    assert!(ran.tail.text().starts_with("99961\n"));
    assert_eq!(fs::read_to_string(world.path("run.log")).unwrap().lines().count(), 100_000);
}

/// Runs in its own process, so that the peak is only the runner's: far below 16 MiB more than its own code.
#[test]
fn gibibytes_pass_through_less_than_sixteen_mebibytes() {
    let world = World::new();
    // A quarter of a GiB, or four GiB in the full run.
    let script = format!("echo first; head -c {} /dev/zero; echo; echo last", size(1 << 28, 1 << 32));
    assert!(world.runner(&script).wait().unwrap().success());
    world.nothing_left();
    let said = world.runner_said();
    let peak: u64 = said.split("peak=").nth(1).unwrap().parse().unwrap();
    assert!(said.starts_with("Exited(0) truncated=true"), "{said}");
    assert!(peak < 4 * 1024, "{peak} KiB");
    let log = fs::File::open(world.path("run.log")).unwrap();
    let length = log.metadata().unwrap().len();
    assert!(length > 64 << 20 && length < (64 << 20) + 100, "{length}");
    use std::os::unix::fs::FileExt;
    let mut ends = [[0; 6]; 2];
    log.read_exact_at(&mut ends[0], 0).unwrap();
    log.read_exact_at(&mut ends[1], length - 6).unwrap();
    assert_eq!(ends, [*b"first\n", *b"\nlast\n"]);
}

#[test]
fn an_output_without_end_is_ended_at_the_limit() {
    let world = World::new();
    for program in ["yes", "cat /dev/zero"] {
        let mut spec = world.spec(program.split(' '));
        spec.limit = Duration::from_millis(500);
        let ran = world.run(&spec);
        assert_eq!(ran.end, End::TimedOut);
        assert!(ran.seconds < 3.0 && ran.tail.bytes.len() <= 4096 && ran.tail.is_cut());
    }
}

// The output of a judge is bounded
#[test]
fn stdout_apart_is_kept_up_to_its_cap() {
    let world = World::new();
    let mut spec = world.sh_spec("echo oops >&2; head -c 100000000 /dev/zero; echo verdict");
    spec.output = Output::Apart { stdout_cap: 4 << 20 };
    let ran = world.run(&spec);
    assert_eq!((ran.end, ran.stdout.len(), ran.truncated), (End::Exited(0), 4 << 20, true));
    assert_eq!(ran.tail.text(), "oops\n");
    spec.argv[2] = "head -c 4194304 /dev/zero".into();
    let ran = world.run(&spec);
    assert_eq!((ran.stdout.len(), ran.truncated), (4 << 20, false));
}

#[test]
fn a_log_that_cannot_be_written_is_told_and_loses_nothing_else() {
    let world = World::new();
    let mut spec = world.sh_spec("seq 100000; exit 4");
    for log in ["/dev/full", "/no/such/folder/run.log"] {
        spec.output = Output::Together { log: Some(log.into()) };
        let ran = world.run(&spec);
        assert_eq!((ran.end, ran.tail.total_lines), (End::Exited(4), 100_000));
        assert!(ran.log_error.is_some(), "{log}");
    }
}

#[test]
fn closed_outputs_do_not_end_the_watch() {
    let world = World::new();
    let ran = world.sh("exec >&- 2>&-; sleep 0.3; exit 5");
    assert_eq!(ran.end, End::Exited(5));
    assert!(ran.seconds > 0.25);
}
