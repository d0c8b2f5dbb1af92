//! The runner reports exactly how a program ended.

use plan::process::run::{End, Output, Stdin};

use super::support::World;

// P-44, P-45
#[test]
fn every_exit_code_is_told() {
    let world = World::new();
    for code in 0..=255 {
        let ran = world.sh(&format!("exit {code}"));
        assert_eq!(ran.end, End::Exited(code));
    }
}

#[test]
fn death_by_signal_is_told() {
    let world = World::new();
    for signal in [1, 2, 3, 6, 9, 11, 13, 15] {
        assert_eq!(world.run(&world.obedient_spec(&format!("kill -{signal} $$"))).end, End::Signalled(signal));
    }
}

#[test]
fn stdin_is_at_its_end_at_once() {
    let world = World::new();
    let ran = world.sh("cat && echo over");
    assert_eq!((ran.end, ran.tail.text().as_ref()), (End::Exited(0), "over\n"));
}

#[test]
fn stdin_bytes_arrive_whole_and_unread_ones_are_no_error() {
    let world = World::new();
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| n as u8).collect();
    let mut spec = world.spec(["cat"]);
    spec.stdin = Stdin::Bytes(bytes.clone());
    spec.output = Output::Apart { stdout_cap: 4 << 20 };
    let ran = world.run(&spec);
    assert_eq!((ran.end, ran.stdout == bytes, ran.truncated), (End::Exited(0), true, false));
    spec.argv = vec!["true".into()];
    assert_eq!(world.run(&spec).end, End::Exited(0));
}

#[test]
fn there_is_no_terminal_to_ask() {
    let world = World::new();
    let ran = world.sh("if read x </dev/tty; then echo read; else echo refused; fi 2>/dev/null");
    assert_eq!(ran.tail.text(), "refused\n");
    assert!(ran.seconds < 5.0);
}

// P-44
#[test]
fn it_runs_in_a_session_and_a_group_of_its_own() {
    let world = World::new();
    let ran = world.sh("cut -d' ' -f5,6 /proc/self/stat; cut -d' ' -f5,6 /proc/$$/stat; echo $$");
    let text = ran.tail.text();
    let lines: Vec<&str> = text.lines().collect();
    let (group, session) = lines[1].split_once(' ').unwrap();
    assert_eq!((lines[0], group), (lines[1], lines[2]));
    let own = std::fs::read_to_string("/proc/self/stat").unwrap();
    assert_ne!(own.split_whitespace().nth(5), Some(session));
}

#[test]
fn a_script_that_signals_its_whole_group_ends_only_itself() {
    let world = World::new();
    assert_eq!(world.run(&world.obedient_spec("kill -TERM 0; sleep 30")).end, End::Signalled(15));
    assert_eq!(world.sh("kill -KILL 0; sleep 30").end, End::Signalled(9));
}

#[test]
fn nothing_but_the_three_streams_is_open_and_no_core_is_written() {
    let world = World::new();
    // A careless caller leaves a descriptor open to every program that it starts.
    let open = std::fs::File::open("/dev/null").unwrap();
    rustix::io::fcntl_setfd(&open, rustix::io::FdFlags::empty()).unwrap();
    let ran = world.spec(["ls", "/proc/self/fd"]);
    let ran = world.run(&ran);
    assert_eq!(ran.tail.text(), "0\n1\n2\n3\n"); // 3 is the folder that `ls` reads
    assert_eq!(world.sh("ulimit -c").tail.text(), "0\n");
}

/// Rust ignores SIGPIPE, and a program that inherits this goes on writing to a closed pipe.
#[test]
fn a_closed_pipe_ends_writers_below() {
    let world = World::new();
    let ran = world.sh("grep SigIgn /proc/self/status | cut -f2");
    let ignored = u64::from_str_radix(ran.tail.text().trim(), 16).unwrap();
    assert_eq!(ignored & (1 << (13 - 1)), 0, "{ignored:x}");
}

/// A hook may start the runner with `GIT_DIR` set.
#[test]
fn git_variables_are_gone_and_nothing_tells_who_asks() {
    let world = World::new();
    assert!(world.runner("env > seen").wait().unwrap().success());
    let seen = std::fs::read_to_string(world.path("seen")).unwrap();
    let names: Vec<&str> = seen.lines().filter_map(|line| line.split_once('=').map(|(name, _)| name)).collect();
    assert!(names.contains(&"PATH") && !names.iter().any(|name| name.starts_with("GIT_")), "{names:?}");
    // Variables that were set for the test run itself do not count.
    let ours =
        |name: &&&str| name.starts_with("PLAN_") && !name.starts_with("PLAN_TEST_") && std::env::var_os(name).is_none();
    let told: Vec<&&str> = names.iter().filter(ours).collect();
    assert_eq!(told, [&""; 0]);
}

#[test]
fn new_privileges_are_denied_only_where_asked() {
    let world = World::new();
    let mut spec = world.sh_spec("grep NoNewPrivs /proc/self/status | cut -f2");
    let before = world.run(&spec).tail.bytes;
    spec.no_new_privileges = true;
    assert_eq!(world.run(&spec).tail.bytes, b"1\n");
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    let own = own.lines().find_map(|line| line.strip_prefix("NoNewPrivs:\t")).unwrap();
    assert_eq!(String::from_utf8_lossy(&before).trim(), own);
}
