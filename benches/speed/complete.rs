//! The cost of `plan complete` beyond the two programs that it runs, verify and judge.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::timing::{self, Make};
use crate::{Options, plan};

const PLAN: &str = "# Plan: Speed\n\n## Goal: Make it fast\n<!-- id: fast-1 -->\nstatus: active\n\
    done_when: p95 below 50 ms\nverify: sh check.sh\nfailure_modes:\n- measured without the cache\n\n## Log\n";

/// A judge that reads the prompt and the probe, and accepts.
pub(super) const JUDGE: &str = r#"#!/bin/sh
prompt=$(cat)
nonce=$(printf '%s\n' "$prompt" | sed -n 's/^SIGNOFF\[\([0-9a-f]*\)\].*/\1/p' | tail -n 1)
probe=$(printf '%s\n' "$prompt" | grep -o '/[^`"]*/probe' | head -n 1)
cat <<END
SIGNOFF[$nonce]
probe: $(cat "$probe")
C1 met: result.txt:1 "p95 47.1 ms"
F1 ruled out: result.txt:2 "cache on"
missing: none
VERDICT[$nonce]: accept
END
"#;

/// Prints the whole time, the two programs alone, and the difference. It uses the fast gate, because the other gates run verify again.
pub fn overhead(options: &Options, work: &Path) {
    let write = |name: &str, text: &str| std::fs::write(work.join(name), text).expect("the folder takes a file");
    write("judge.sh", JUDGE);
    write("check.sh", "grep -q '^p95 4' result.txt\n");
    write("result.txt", "p95 47.1 ms\ncache on\n");
    write("prompt", &format!("SIGNOFF[00]\n`{}/probe`\n", work.display()));
    write("probe", "00");
    write("plan.md", PLAN);
    commit(work);
    let args = ["complete", "fast-1", "--gate", "fast", "--judge", "cmd:sh judge.sh", "--path", "result.txt"];
    let complete: Make<'_> = Box::new(|_| {
        write("plan.md", PLAN);
        plan(options, work, &args)
    });
    let verify: Make<'_> = Box::new(|_| shell(work, "exec sh check.sh"));
    let judge: Make<'_> = Box::new(|_| shell(work, "exec sh judge.sh <prompt"));
    let git: Make<'_> = Box::new(|_| shell(work, "exec git rev-parse HEAD"));
    let times = timing::medians(&[complete, verify, judge, git], options.budget.max(Duration::from_secs(3)), 300);
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (whole, alone) = (ms(times[0]), ms(times[1]) + ms(times[2]));
    println!("\n`complete`: {whole:.1} ms, verify and judge alone {alone:.1} ms, own overhead {:.1} ms", whole - alone);
    write("plan.md", PLAN);
    if let Some(programs) = timing::programs(&plan(options, work, &args)) {
        let git = programs.iter().filter(|name| name.as_str() == "git").count();
        let launchers = programs.iter().filter(|name| name.as_str() == "exe").count();
        println!("of which git {git} times, ourselves as launcher or sandbox {launchers} times");
    }
    println!("git alone: {:.1} ms a call", ms(times[3]));
}

/// Commits everything: a check usually runs in a repository with a commit, and without one `plan` asks git more.
pub(super) fn commit(work: &Path) {
    shell(work, "git add -A && git -c user.name=bench -c user.email=bench@localhost commit --quiet -m bench")
        .status()
        .ok()
        .filter(std::process::ExitStatus::success)
        .expect("git commits");
}

fn shell(work: &Path, line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(work);
    command
}
