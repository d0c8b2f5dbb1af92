//! The jobs of a child process of these tests: `support::child` starts this binary again with a job in its environment.

use std::path::PathBuf;

use plan::store;
use rustix::event::{PollFd, PollFlags};

use super::support::append;

#[test]
fn child() {
    let (Ok(job), Some(folder)) = (std::env::var("PLAN_TEST_JOB"), std::env::var_os("PLAN_TEST_FOLDER")) else {
        return;
    };
    let folder = PathBuf::from(folder);
    if let Some(out) = std::env::var_os("PLAN_TEST_THREAD") {
        // For a tracer that attaches to this thread, and closes the input when it is ready.
        std::fs::write(out, std::fs::read_link("/proc/thread-self").unwrap().file_name().unwrap().as_encoded_bytes())
            .unwrap();
        // This waits without reading: it is random whether the tracer counts a call that it interrupts, and the job reads too.
        let stdin = std::io::stdin();
        rustix::event::poll(&mut [PollFd::new(&stdin, PollFlags::IN)], None).unwrap();
    }
    let mut words = job.split(' ');
    match words.next().unwrap() {
        // append NAME TIMES
        "append" => {
            let (name, times) = (words.next().unwrap(), words.next().unwrap().parse::<u32>().unwrap());
            let place = store::find(&folder, None).unwrap();
            for i in 0..times {
                append(&place, &format!("- {name} {i};")).unwrap();
            }
        }
        // one LINE, between two marks that a trace shows
        "one" => {
            let place = store::find(&folder, None).unwrap();
            let _ = std::fs::symlink_metadata("/mark-begin");
            append(&place, words.next().unwrap()).unwrap();
            let _ = std::fs::symlink_metadata("/mark-end");
        }
        "view" => {
            let _ = std::fs::symlink_metadata("/mark-begin");
            let place = store::find(&folder, None).unwrap();
            store::read(&place).unwrap();
            let _ = std::fs::symlink_metadata("/mark-end");
        }
        "create" => {
            let place = store::place_for_new(&folder, None).unwrap();
            let _ = std::fs::symlink_metadata("/mark-begin");
            store::create(&place, b"# Plan: New\n").unwrap();
            let _ = std::fs::symlink_metadata("/mark-end");
        }
        "undo" => {
            let place = store::find(&folder, None).unwrap();
            let _ = std::fs::symlink_metadata("/mark-begin");
            store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
            let _ = std::fs::symlink_metadata("/mark-end");
        }
        // expect KIND: an append that fails with this kind of error
        "expect" => {
            let place = store::find(&folder, None).unwrap();
            let error = append(&place, "x").unwrap_err();
            assert_eq!(error.kind.word(), words.next().unwrap(), "{error}: {:?}", error.hints);
            std::fs::write(std::env::var_os("PLAN_TEST_OUT").unwrap(), error.to_string()).unwrap();
        }
        "state" => {
            let place = store::find(&folder, None).unwrap();
            append(&place, "x").unwrap();
            std::fs::write(std::env::var_os("PLAN_TEST_OUT").unwrap(), place.state.to_str().unwrap()).unwrap();
        }
        other => panic!("no such job: {other}"),
    }
}
