//! The time of the full gate on a tree of many small files, compared with `git worktree add` of the same tree.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::timing::{self, Make};
use crate::{Options, fingerprint, plan, ratio, repository, show};

const PLAN: &str = "# Plan: Speed\n\n## Goal: Add\n<!-- id: add-1 -->\nstatus: open\ndone_when: sums are right\n\
                    verify: sh check.sh\nfailure_modes:\n- only small numbers\n\n## Log\n";
const CHECK: &str = "set -e\ntest \"$(sh sum.sh 2 3)\" = 5\ntest \"$(sh sum.sh 4 9)\" = 13\necho 2 passed\n";

/// Prints a line for each number of files. The gate runs verify six more times, each time in a clean export.
pub fn beside_worktree(options: &Options, folder: &Path) {
    println!("\n| files | `plan verify --gate full` | `git worktree add` | ratio |\n| ---: | ---: | ---: | ---: |");
    for count in [10, 10_000, 100_000] {
        let work = repository(folder, "exports", 0);
        let write = |name: &str, text: &str| std::fs::write(work.join(name), text).expect("the folder takes a file");
        fingerprint::fill(&work, count);
        write("plan.md", PLAN);
        write("check.sh", CHECK);
        write("sum.sh", "echo $(($1 - $2))\n");
        crate::complete::commit(&work);
        let started = plan(options, &work, &["goal", "start", "add-1"]).output().expect("plan starts");
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        write("sum.sh", "echo $(($1 + $2))\n");
        let beside = |run: usize| folder.join(format!("beside-{run}"));
        let gate: Make<'_> = Box::new(|_| plan(options, &work, &["verify", "add-1", "--gate", "full"]));
        let git: Make<'_> = Box::new(|run| {
            let mut command = Command::new("git");
            command.args(["worktree", "add", "--quiet", "--detach"]).arg(beside(run)).current_dir(&work);
            command
        });
        let times = timing::medians_of(&[gate, git], Duration::ZERO, 5..=5);
        println!("| {count} | {} | {} | {:.1} |", show(times[0]), show(times[1]), ratio(times[0], times[1]));
        (0..5).map(beside).for_each(|made| std::fs::remove_dir_all(made).expect("git's own folder"));
    }
}
