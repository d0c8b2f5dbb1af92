//! Closed, slow or full outputs, and inputs that never come.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::World;

fn big() -> World {
    world_of(20_000)
}

fn world_of(goals: usize) -> World {
    let mut text = String::from("# Plan: Big\n");
    for goal in 0..goals {
        text += &format!("\n## Goal: Number {goal}\n<!-- id: number-{goal} -->\nstatus: active\n- [ ] a step\n");
    }
    World::new().file("plan.md", text)
}

#[test]
fn a_pipe_that_is_closed_early_is_quiet() {
    let world = big();
    let mut child = piped(world.command(env!("CARGO_BIN_EXE_plan"), [""; 0]));
    let mut first = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let status = child.wait().unwrap();
    assert_eq!((first.is_empty(), &*stderr), (false, ""), "{status:?}");
}

#[test]
fn a_pipe_that_is_read_slowly_gets_all_of_it() {
    let world = big();
    let whole = world.plan([""; 0]).stdout;
    let mut child = piped(world.command(env!("CARGO_BIN_EXE_plan"), [""; 0]));
    let (mut out, mut read, mut buffer) = (child.stdout.take().unwrap(), Vec::new(), [0; 65536]);
    loop {
        match out.read(&mut buffer).unwrap() {
            0 => break,
            n => read.extend_from_slice(&buffer[..n]),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(whole.len() > 500_000 && read == whole.as_bytes());
}

/// Address 0 takes no bytes: EIO, as from a terminal that is gone.
#[test]
#[cfg(target_os = "linux")]
fn what_the_system_says_of_stdout_is_passed_on() {
    let world = World::new().file("plan.md", "# Plan: Small\n");
    let mut command = world.command(env!("CARGO_BIN_EXE_plan"), ["--json"]);
    let dead = std::fs::OpenOptions::new().write(true).open("/proc/self/mem").unwrap();
    let output = command.stdin(Stdio::null()).stdout(dead).stderr(Stdio::piped()).output().unwrap();
    let said = "error: cannot write to standard output: Input/output error (os error 5)\n";
    assert_eq!((&*String::from_utf8_lossy(&output.stderr), output.status.code()), (said, Some(1)));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_on_stdout_is_an_error() {
    let world = World::new().file("plan.md", "# Plan: Small\n\n## Goal: A\n<!-- id: a-1 -->\n");
    for args in [&[][..], &["show"], &["--json"], &["goal", "list"]] {
        let mut command = world.command(env!("CARGO_BIN_EXE_plan"), args);
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_ne!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stderr.is_empty() && output.status.code().is_some(), "{args:?}: {output:?}");
    }
}

fn piped(mut command: Command) -> std::process::Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}
