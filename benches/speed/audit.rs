//! The time and the number of processes of `plan audit` on many sign-offs.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::timing::{self, Make};
use crate::{Options, plan, repository, show, signed_plan};

/// Prints a line for each number of sign-offs.
pub fn sizes(options: &Options, folder: &Path) {
    println!("\n| sign-offs | audit | audit --base | git processes |\n| ---: | ---: | ---: | ---: |");
    for goals in [10, 100, 1000] {
        let work = repository(folder, "audit", 1);
        signed_plan::write(&work, goals, &|args| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"]).args(args).current_dir(&work);
            git
        });
        let audit: Make<'_> = Box::new(|_| plan(options, &work, &["audit"]));
        let base: Make<'_> = Box::new(|_| plan(options, &work, &["audit", "--base", "HEAD~1"]));
        let times = timing::medians(&[audit, base], options.budget.max(Duration::from_secs(3)), 100);
        let programs = timing::programs(&plan(options, &work, &["audit", "--base", "HEAD~1"]));
        let git = programs.map(|names| names.iter().filter(|name| name.as_str() == "git").count());
        println!(
            "| {goals} | {} | {} | {} |",
            show(times[0]),
            show(times[1]),
            git.map_or("?".into(), |count| count.to_string())
        );
    }
}
