//! A phase that only reads writes nothing. Here it is the judge; the same comparison is meant for a draft.

use super::attack::abi;
use crate::support::judge::{HONEST, world};

/// A file of each kind that such a phase may not touch, relative to the working folder: source, a given input, its own plan, another piece
/// of work, settings, git's files, outside the repository. The last of each pair is new.
const KINDS: [(&str, &str); 7] = [
    ("result.txt", "new.txt"),
    ("research.md", "research-2.md"),
    ("plan.md", "prd.json"),
    ("items/docs-1/notes.md", "items/docs-1/plan.md"),
    ("settings.toml", ".env"),
    (".git/config", ".git/hooks/post-commit"),
    ("../outside.txt", "../home/.profile"),
];

/// There is nothing to put back: the write fails, and the judge gets the error.
#[test]
fn a_judge_can_write_no_kind_of_file_but_in_its_own_folder() {
    if abi().is_none() {
        return;
    }
    let lines: String = KINDS
        .iter()
        .flat_map(|(old, new)| [old, new])
        .map(|file| format!("(echo x >> '{file}') 2>/dev/null && echo x >> \"$scratch/$(basename '{file}')\"\n"))
        .collect();
    let answer = format!("cat <<END\nSIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\nEND\n");
    let lines =
        format!("{lines}set -- \"$scratch\"/*\n[ $# = 1 ] && echo x > \"$scratch/artifact\" || exit 9\n{answer}");
    let world = world().judge_doing("judge", &lines);
    for (old, _) in KINDS.iter().filter(|(old, _)| !world.path(old).exists()) {
        world.write(old, "as it was\n");
    }
    world.commit("one of each kind");
    let before = KINDS.map(|(old, _)| world.read(old));
    let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge"]);
    assert_eq!(output.code, 0, "{output:?}");
    for ((old, new), before) in KINDS.iter().zip(before) {
        // `plan` itself writes the status and the log line.
        assert!(world.read(old) == before || *old == "plan.md", "{old}");
        assert!(!world.path(new).exists(), "{new}");
    }
    assert_eq!(world.git(["status", "--porcelain"]), " M plan.md\n");
    assert!(!world.plan_md().contains("\nx\n"), "{}", world.plan_md());
}
