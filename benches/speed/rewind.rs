//! Compares a checkpoint and a rewind with `git stash push -u` and `git stash pop` in the same repository (`CONTRACT.md` §5).

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::fingerprint::{fill, timed};
use crate::timing::median;
use crate::{Options, ratio, repository, show};

/// The number of measurements of each.
const ROUNDS: usize = 5;

/// Prints a line for each number of files. One file in a hundred differs from HEAD, and a hundred are new.
pub fn beside_stash(options: &Options, folder: &Path) {
    println!("\n| files | checkpoint | git stash push -u | ratio | rewind | git stash pop | ratio |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for count in [100, 10_000, 100_000].into_iter().filter(|count| options.sizes.iter().any(|size| size >= count)) {
        let work = repository(folder, "rewind", 0);
        fill(&work, count);
        let steps: String = (1..=ROUNDS).map(|step| format!("- [ ] {step}. step\n")).collect();
        let plan = format!(
            "---\ncheckpoints: true\n---\n# Plan: x\n\n## Goal: X\n<!-- id: x-1 -->\nstatus: active\n{steps}\n## Log\n"
        );
        std::fs::write(work.join("plan.md"), plan).expect("the folder takes a file");
        crate::complete::commit(&work);
        std::thread::sleep(Duration::from_millis(1100));
        run("git", &["status"], &work);
        let program = options.plan.to_str().expect("a path");
        let mut times = [const { Vec::new() }; 4];
        for round in 1..=ROUNDS {
            let step = round.to_string();
            change(&work, count, round);
            let (_, checkpoint) = timed(|| run(program, &["step", "done", &step, "x"], &work));
            let (_, push) = timed(|| run("git", &["stash", "push", "-q", "-u"], &work));
            let (_, pop) = timed(|| run("git", &["stash", "pop", "-q"], &work));
            change(&work, count, round + 100);
            let (_, rewind) = timed(|| run(program, &["rewind", &step, "--yes"], &work));
            for (times, time) in times.iter_mut().zip([checkpoint, push, rewind, pop]) {
                times.push(time);
            }
        }
        let [checkpoint, push, rewind, pop] = times.map(median);
        let (first, second) = (ratio(checkpoint, push), ratio(rewind, pop));
        let [checkpoint, push, rewind, pop] = [checkpoint, push, rewind, pop].map(show);
        println!("| {count} | {checkpoint} | {push} | {first:.1} | {rewind} | {pop} | {second:.1} |");
    }
}

/// Changes one file in a hundred, and writes a hundred new ones.
fn change(work: &Path, count: usize, round: usize) {
    for number in (0..count).step_by(100) {
        let path = work.join(format!("src/{:02}/{:02}/{number}.txt", number / 10_000, number / 100 % 100));
        std::fs::write(path, format!("// round {round} of {number}\n")).expect("the folder takes a file");
    }
    std::fs::create_dir_all(work.join("new")).expect("the folder takes a folder");
    for number in 0..100 {
        std::fs::write(work.join(format!("new/{number}")), format!("{round} {number}\n"))
            .expect("the folder takes a file");
    }
}

fn run(program: &str, args: &[&str], work: &Path) {
    let output = Command::new(program).args(args).current_dir(work).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}
