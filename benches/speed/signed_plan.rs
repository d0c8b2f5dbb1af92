//! A plan whose goals are all signed off, each with an attestation.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use plan::plan::contract::goal_contract;

/// Writes plan.md with this many goals into the repository at `work`, commits it, and stores the attestations.
pub(super) fn write(work: &Path, goals: usize, git: &dyn Fn(&[&str]) -> Command) {
    let mut text = String::from("# Plan: Signed\n");
    for goal in 0..goals {
        text += &format!(
            "\n## Goal: Make part {goal} fast\n<!-- id: part-{goal} -->\nstatus: done\ndone_when: p95 of part {goal} below 50 ms\n\
             verify: sh check.sh {goal}\nfailure_modes:\n- it was measured without the cache\n"
        );
    }
    text += "\n## Log\n";
    run(git(&["commit", "--quiet", "--allow-empty", "--message", "work"]), b"");
    let head = run(git(&["rev-parse", "HEAD"]), b"");
    let (mut log, mut records, mut refs) = (String::new(), String::new(), String::new());
    {
        let plan = plan::plan::parse(text.as_bytes()).expect("a plan of our own");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut names = Vec::new();
        for goal in plan.all_goals() {
            let (id, contract) = (goal.name(), goal_contract(goal));
            let (tree, short) = (format!("{:040x}", goal.index() + 1), contract.digest.short());
            let at = &head[..12];
            let begin =
                format!("- 2026-06-15 14:00  {id} started (contract {short}, at {at}, tree {at}, verify red exit 1)\n");
            let end = format!(
                "- 2026-06-15 14:33  {id} signed off (verify green 0.1s, gate fast, oracle accept by claude, contract {short}, tree {}, at {at})\n",
                &tree[..12]
            );
            log += &(begin + &end);
            let record = serde_json::json!({
                "version": 1, "goal": id, "plan_file": "plan.md", "tree": tree, "at": at, "findings": [], "not_reached": [],
                "contract": serde_json::from_str::<serde_json::Value>(&contract.json).expect("canonical JSON"),
                "contract_digest": contract.digest.to_string(), "plan_version": "bench",
                "verify": { "line": "sh check.sh", "end": "green", "seconds": 0.1, "tail": "ok\n".repeat(40) },
                "judges": [{ "judge": "claude", "named_by": "user", "prompt": null, "sandbox": "own", "answers": [], "notes": [] }],
            });
            let file = folder.path().join(goal.index().to_string());
            std::fs::write(&file, record.to_string()).expect("the folder takes a file");
            records += &format!("{}\n", file.display());
            names.push(format!("refs/plan/signoffs/{id}/{short}-{}", &tree[..12]));
        }
        let stored = run(git(&["hash-object", "-w", "--no-filters", "--stdin-paths"]), records.as_bytes());
        for (name, blob) in names.iter().zip(stored.lines()) {
            refs += &format!("create {name} {blob}\n");
        }
    }
    run(git(&["update-ref", "--stdin"]), refs.as_bytes());
    std::fs::write(work.join("plan.md"), text + &log).expect("the folder takes a file");
    run(git(&["add", "plan.md"]), b"");
    run(git(&["commit", "--quiet", "--message", "signed"]), b"");
}

fn run(mut command: Command, stdin: &[u8]) -> String {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("git starts");
    child.stdin.take().expect("a pipe").write_all(stdin).expect("git reads");
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "{command:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
