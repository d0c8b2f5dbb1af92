//! Contracts that were amended while a goal ran, goals and lines that were put out of sight.

use super::support::{ID, audit, edit, honest, merge_result, project};

// P-12, P-74
#[test]
fn a_contract_that_was_loosened_with_a_reason_is_explained_and_still_reported() {
    let because = ["--because", "the old greeting is not asked for"];
    let set = |world: &crate::support::World, more: &[&str]| {
        let output = world.plan([&["goal", "set", ID], more].concat());
        assert_eq!(output.code, 0, "{output:?}");
    };
    let loosen = ["--may-change", "test.sh"];
    for at_once in [true, false] {
        let world = project();
        if at_once {
            set(&world, &[loosen, because].concat());
        } else {
            set(&world, &loosen);
            set(&world, &because);
        }
        honest(&world);
        merge_result(&world);
        let found = audit(&world, &["--base", "main"]);
        assert_eq!(found.findings, ["contract-changed"], "{:#}", found.json);
        assert!(found.seen("contract-changed").contains("loosened: may_change widened"), "{:#}", found.json);
    }
    // By hand, and one command that says why.
    let world = project();
    edit(&world, "whoever is named\n", "whoever is named, soon\n");
    set(&world, &because);
    honest(&world);
    let found = audit(&world, &["--base", "main"]);
    assert_eq!(found.findings, ["contract-changed"], "{:#}", found.json);
}

// P-12
#[test]
fn what_asks_for_more_is_a_note_by_hand_too() {
    let world = project();
    edit(&world, "(check: sh old.sh)\n", "(check: sh old.sh)\n- nobody is greeted (check: sh test.sh)\n");
    honest(&world);
    let found = audit(&world, &["--base", "main"]);
    assert_eq!(found.findings, [""; 0], "{:#}", found.json);
    assert!(found.notes.contains(&"contract-unexplained".to_owned()), "{:#}", found.json);
}

// P-13, P-74
#[test]
fn an_open_goal_below_the_archive_is_a_finding() {
    let world = project();
    let text = world.plan_md();
    let (head, rest) = text.split_once("## Goal: ").unwrap();
    let (goal, log) = rest.split_once("## Log").unwrap();
    world.write("plan.md", format!("{head}## Log{log}\n# Archive\n\n## Goal: {goal}"));
    let found = audit(&world, &["--base", "main"]);
    assert_eq!(found.findings, ["archived-open"], "{:#}", found.json);
    for command in [&["lint"][..], &["next"]] {
        let output = world.plan(command);
        assert_eq!(output.code, 1, "{output:?}");
        assert!((output.stdout + &output.stderr).contains("below `# Archive`"), "{command:?}");
    }
    assert!(world.plan([""; 0]).stdout.contains("! line "), "{:?}", world.plan([""; 0]));
    // Back again, by the command that the finding names.
    let output = world.plan(["goal", "start", ID]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!world.plan_md().contains("# Archive\n\n## Goal"), "{}", world.plan_md());
    assert_eq!(audit(&world, &["--base", "main"]).findings, [""; 0]);
}

// P-37, P-74
#[test]
fn a_line_of_ours_in_a_log_below_the_archive_is_gone() {
    let world = project();
    assert_eq!(world.plan(["log", "a note"]).code, 0);
    world.commit("note");
    world.git(["branch", "--force", "main"]);
    let text = world.plan_md();
    let (above, line) = text.split_once(&format!("  {ID} started")).unwrap();
    let (above, stamp) = above.rsplit_once("- ").unwrap();
    let (line, note) = line.split_once('\n').unwrap();
    world.write("plan.md", format!("{above}{note}\n# Archive\n\n## Log\n- {stamp}  {ID} started{line}\n"));
    let found = audit(&world, &["--base", "main"]);
    assert_eq!(found.findings, ["log-deleted"], "{:#}", found.json);
    // A note may be moved there.
    let (above, note) = text.split_once("  a note\n").unwrap();
    let (above, stamp) = above.rsplit_once("- ").unwrap();
    world.write("plan.md", format!("{above}{note}\n# Archive\n\n## Log\n- {stamp}  a note\n"));
    assert_eq!(audit(&world, &["--base", "main"]).findings, [""; 0]);
}
