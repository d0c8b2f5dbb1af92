//! A drafting agent may change nothing: its changes are reported by kind.

use super::{DRAFT, GOOD, says, world};
use crate::support::output::Output;
use crate::support::{World, strace};

// W-2, W-3, W-4, W-5
#[cfg(target_os = "linux")]
#[test]
fn whatever_differs_afterwards_is_told_by_kind_and_nothing_is_put_back() {
    for (lines, told) in [
        ("echo x >> calc.sh", "source: file `calc.sh` modified"),
        ("rm calc.sh", "source: file `calc.sh` removed"),
        ("echo x > new.txt", "new file: file `new.txt` added"),
        ("mkdir -p items/a && echo x > items/a/plan.md", "new file: file `items/a/plan.md` added"),
        ("git config core.pager evil", "git's settings: git's own `config` modified"),
        ("echo x > .git/hooks/post-commit", "git's settings: git's own `hooks/post-commit` added"),
        ("git branch more", "git's state: ref `refs/heads/more` added"),
        ("git commit -q --allow-empty -m x", "git's state: "),
        ("echo x > plan.md", "plan: `plan.md` changed"),
        ("echo x >> ../research.md", "research file: `"),
    ] {
        let world = world(&format!("outside '{lines}'\n{}", says(GOOD))).file("../research.md", "found: nothing\n");
        let output = world.plan(["draft", "calc subtracts", "--with", "cmd:drafter", "--research", "../research.md"]);
        assert_eq!(output.code, 1, "{lines}: {output:?}");
        assert!(
            output.stderr.contains("what it may only read was changed") && output.stderr.contains(told),
            "{output:?}"
        );
        assert!(!world.path("plan.md").exists() || lines.contains("> plan.md"), "{lines}");
        let shown = world.plan([""; 0]).stdout;
        assert!(
            shown.contains("last draft failed: `cmd:drafter` changed something that it may only read: "),
            "{lines}: {shown}"
        );
        if lines == "echo x > new.txt" {
            assert_eq!(world.read("new.txt"), "x\n", "nothing is put back");
        }
    }
}

// W-2, W-26
#[cfg(target_os = "linux")]
#[test]
fn the_sandbox_lets_an_agent_write_nothing() {
    let tries = "for f in calc.sh new.txt plan.md .git/config .git/hooks/x ../research.md ../home/x; do echo x >> \"$f\"; done 2>/dev/null\n\
        git config a.b c 2>/dev/null; git commit -qm x --allow-empty 2>/dev/null\n";
    let world = world(&format!("{tries}{}", says(GOOD))).file("../research.md", "found\n");
    if !world.plan(["__sandbox", "--", "true"]).stderr.is_empty() {
        return;
    }
    let head = world.git(["rev-parse", "HEAD"]);
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(world.git(["status", "--porcelain"]), "?? plan.md\n");
    assert_eq!((world.git(["rev-parse", "HEAD"]), world.read("../research.md")), (head, "found\n".to_owned()));
    assert!(!world.path("../home/x").exists() && !world.plan_md().ends_with("x\n"));
}

// W-3, W-5
#[cfg(target_os = "linux")]
#[test]
fn without_a_sandbox_what_the_agent_wrote_itself_is_told() {
    let world = world(&format!("echo x > new.txt; echo x >> calc.sh; git config a.b c\n{}", says(GOOD)));
    if !strace::available(&world) {
        return;
    }
    let output = draft_unprotected(&world);
    assert_eq!(output.code, 1, "{output:?}");
    for part in [
        "drafting with cmd:drafter (sandbox none: ",
        "\n  source: file `calc.sh` modified\n",
        "\n  new file: file `new.txt` added\n",
        "\n  git's settings: git's own `config` modified\n",
        "nothing was put back",
    ] {
        assert!(output.stderr.contains(part), "`{part}`: {output:?}");
    }
    assert!(!world.path("plan.md").exists() && world.path("new.txt").exists());
    let none = "note: no checkpoint is taken before this draft; only a commit of yours can bring files back\n";
    assert!(output.stderr.contains(none) && !output.stderr.contains("rewind"), "{output:?}");
    let world = world.file("../home/.config/plan/config.yaml", "require_sandbox: true\n");
    let output = draft_unprotected(&world);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("`cmd:drafter` would work without a sandbox"), "{output:?}");
}

/// Drafts on a kernel without a sandbox.
fn draft_unprotected(world: &World) -> Output {
    let tamper = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=landlock_create_ruleset"];
    let inject = ["-e", "inject=landlock_create_ruleset:error=ENOSYS", env!("CARGO_BIN_EXE_plan")];
    world.call_program("strace", [&tamper[..], &inject[..], DRAFT].concat()).run()
}

// W-4
// CONTRACT.md §5.1, §6: if nothing keeps the agent from writing, the old files are saved.
#[cfg(target_os = "linux")]
#[test]
fn without_a_sandbox_the_files_of_before_can_be_brought_back() {
    let world = world(&format!("echo x > new.txt; echo x >> calc.sh\n{}", says(GOOD)));
    if !strace::available(&world) {
        return;
    }
    let before = world.read("calc.sh");
    let plan = "---\nmode: contract\n---\n# Plan: Sums\n\n## Log\n- 2026-06-15 14:02  begun\n";
    world.write("plan.md", plan);
    let output = draft_unprotected(&world);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stderr.contains("`plan rewind before-draft` restores the files from before the draft"),
        "{output:?}"
    );
    let rewound = world.plan(["rewind", "before-draft", "--yes"]);
    assert_eq!(rewound.code, 0, "{rewound:?}");
    assert_eq!((world.read("calc.sh"), world.path("new.txt").exists()), (before, false));
    // In guide mode checkpoints must be requested.
    let guide = plan.replace("mode: contract", "mode: guide");
    world.write("plan.md", &guide);
    let output = draft_unprotected(&world);
    assert!(output.stderr.contains("note: no checkpoint is taken before this draft"), "{output:?}");
    world.write("plan.md", guide.replace("mode: guide", "checkpoints: true"));
    let output = draft_unprotected(&world);
    assert!(output.stderr.contains("`plan rewind before-draft`"), "{output:?}");
}
