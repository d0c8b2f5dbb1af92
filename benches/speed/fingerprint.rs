//! The time to find out that a judge left everything as it was, compared with `git status`.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use plan::repo::{Fingerprint, Repo};

use crate::timing::median;
use crate::{ratio, repository, show};

/// The number of measurements of each.
const ROUNDS: usize = 7;

/// Prints a line for each number of files: before a judge, after it, and `git status` with its index up to date.
pub fn files(folder: &Path) {
    println!(
        "\n| files | fingerprint | again, after a judge | git status | ratio |\n| ---: | ---: | ---: | ---: | ---: |"
    );
    for count in [10_000, 100_000] {
        let work = repository(folder, "fingerprint", 0);
        fill(&work, count);
        crate::complete::commit(&work);
        // Neither git nor `plan` trusts stat data from the very moment of the commit.
        std::thread::sleep(Duration::from_millis(1100));
        status(&work);
        let repo = Repo::open(&work, &work.join(".git")).expect("git answers").expect("a repository");
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..ROUNDS {
            let (before, first) = timed(|| repo.fingerprint(&[]).expect("a fingerprint"));
            let (after, second) = timed(|| repo.fingerprint_since(&[], &before).expect("a fingerprint"));
            assert!(Fingerprint::changed(&before, &after).is_empty(), "nothing was changed");
            let (_, git) = timed(|| status(&work));
            for (times, time) in times.iter_mut().zip([first, second, git]) {
                times.push(time);
            }
        }
        let [first, second, git] = times.map(median);
        println!("| {count} | {} | {} | {} | {:.1} |", show(first), show(second), show(git), ratio(first, git));
    }
}

/// Writes a hundred files of about 200 bytes into each folder.
pub fn fill(work: &Path, count: usize) {
    for number in 0..count {
        let folder = work.join(format!("src/{:02}/{:02}", number / 10_000, number / 100 % 100));
        if number % 100 == 0 {
            std::fs::create_dir_all(&folder).expect("the folder takes a folder");
        }
        let text = format!("// {number}\n").repeat(20);
        std::fs::write(folder.join(format!("{number}.txt")), text).expect("the folder takes a file");
    }
}

fn status(work: &Path) {
    let output = Command::new("git").args(["status", "--porcelain"]).current_dir(work).output().expect("git starts");
    assert!(output.status.success() && output.stdout.is_empty(), "nothing to commit");
}

/// Returns the result and the time of a call.
pub fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let out = run();
    (out, start.elapsed())
}
