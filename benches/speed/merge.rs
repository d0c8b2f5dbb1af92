//! Compares the merge driver with `git merge-file` on the same three files.

use std::path::Path;
use std::process::Command;

use crate::timing::{self, Make};
use crate::{Options, plan_file, ratio, show};

/// Both sides tick steps of different goals (one in ten), ours adds to the log, theirs edits verify lines: git has no conflict.
pub fn beside_git(options: &Options, folder: &Path) {
    println!("\n| goals | plan's merge driver | git merge-file | ratio |\n| ---: | ---: | ---: | ---: |");
    for &goals in &options.sizes {
        let base = plan_file::plan(goals);
        let side = |every: usize| {
            let mut text = base.clone();
            for goal in (every..=goals).step_by(10) {
                let step = format!("- [ ] {}. ", goal * 3 - 1);
                text = text.replacen(&step, &step.replace("[ ]", "[x]"), 1);
            }
            text
        };
        let ours = side(1) + "- 2026-06-15 14:09  ticked\n";
        let theirs = side(6).replacen("--max-ms 50", "--max-ms 40", goals / 2);
        for (name, text) in [("O", &base), ("ours", &ours), ("B", &theirs)] {
            std::fs::write(folder.join(name), text).expect("the folder takes a file");
        }
        let driver: Make<'_> = Box::new(|_| {
            std::fs::copy(folder.join("ours"), folder.join("A")).expect("the folder takes a file");
            let mut command = Command::new(&options.plan);
            command.args(["__merge", "O", "A", "B", "7", "plan.md"]).current_dir(folder);
            command
        });
        let git: Make<'_> = Box::new(|_| {
            let mut command = Command::new("git");
            command.args(["merge-file", "-p", "ours", "O", "B"]).current_dir(folder);
            command
        });
        let times = timing::medians(&[driver, git], options.budget, 100);
        println!("| {goals} | {} | {} | {:.1} |", show(times[0]), show(times[1]), ratio(times[0], times[1]));
    }
}
