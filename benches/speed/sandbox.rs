//! The time to start a program in the sandbox, compared with starting it alone and with bubblewrap under the same rules.

use std::path::Path;
use std::process::Command;

use crate::timing::{self, Make};
use crate::{Options, ratio, show};

/// Prints one row each: alone, in our sandbox, and in bubblewrap if it is installed.
pub fn start(options: &Options, folder: &Path) {
    let rw = folder.join("rw");
    std::fs::create_dir(&rw).expect("a folder of our own");
    let alone: Make<'_> = Box::new(|_| Command::new("/bin/true"));
    let ours: Make<'_> = Box::new(|_| {
        let mut command = Command::new(&options.plan);
        command.args(["__sandbox", "--rw"]).arg(&rw).args(["--", "/bin/true"]);
        command
    });
    let bubblewrap = |_| {
        let mut command = Command::new("bwrap");
        command.args(["--ro-bind", "/", "/", "--dev", "/dev", "--bind"]).arg(&rw).arg(&rw);
        command.args(["--new-session", "--die-with-parent", "/bin/true"]);
        command
    };
    let works = |mut command: Command| command.output().is_ok_and(|output| output.status.success());
    if !works(ours(0)) {
        println!("\nno sandbox here: its cost is not measured");
        return;
    }
    let mut contenders = vec![alone, ours];
    let mut names = vec!["/bin/true", "in our sandbox"];
    match works(bubblewrap(0)) {
        true => {
            contenders.push(Box::new(bubblewrap));
            names.push("in bubblewrap");
        }
        false => println!("\nno bubblewrap that works here: not compared"),
    }
    let times = timing::medians(&contenders, options.budget, 300);
    println!("\n| start of | time | ratio | more |\n| --- | ---: | ---: | ---: |");
    for (name, time) in names.iter().zip(&times) {
        let more = time.saturating_sub(times[0]);
        println!("| {name} | {} | {:.2} | {} |", show(*time), ratio(*time, times[0]), show(more));
    }
}
