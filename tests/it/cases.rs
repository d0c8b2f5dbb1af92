//! Runs a few of the honest and gamed completions of `tests/gate` through the script that runs all of them in CI.

use std::path::Path;
use std::process::{Command, Stdio};

/// Quick cases: no compiler, and no language other than `sh` and Python.
const ONLY: &str = "H-sh-rename,H-docs-links,H-py-tests-not-declared,H-py-committed,G-sh-trap,G-py-setup-skip,G33,G42";

// P-5
#[test]
fn honest_work_is_done_and_false_completions_are_not() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gate/run.py");
    let folder = crate::support::tempdir();
    let out = folder.path().join("results.json");
    let run = Command::new("python3")
        .args(["-B".as_ref(), script.as_os_str(), "--plan".as_ref(), env!("CARGO_BIN_EXE_plan").as_ref()])
        .args(["--gate", "full", "--no-fast", "--only", ONLY, "--json"])
        .arg(&out)
        .env("TMPDIR", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{text}{}", String::from_utf8_lossy(&run.stderr));
    let results: serde_json::Value = serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap();
    let results = results.as_array().unwrap();
    assert_eq!(results.len(), ONLY.split(',').count(), "{text}");
    for result in results {
        let done = result["gate full"]["done"].as_bool().unwrap();
        assert_eq!(done, result["label"] == "honest", "{}: {text}", result["id"]);
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["results.json"], "left behind");
}
