//! Contracts that were amended while a goal ran, and goals and lines that were hidden.

use super::support::{ID, audit, edit, honest, merge_result, project};
use crate::support::World;

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
    // A change by hand, and one command that gives the reason.
    let world = project();
    edit(&world, "whoever is named\n", "whoever is named, soon\n");
    set(&world, &because);
    honest(&world);
    let found = audit(&world, &["--base", "main"]);
    assert_eq!(found.findings, ["contract-changed"], "{:#}", found.json);
}

// P-12, P-74: a reader without a base is told too
#[test]
fn a_contract_that_was_loosened_is_noted_without_a_base() {
    let world = project();
    let set = ["goal", "set", ID, "--may-change", "test.sh", "--because", "the test asserts the old greeting"];
    assert_eq!(world.plan(set).code, 0);
    honest(&world);
    let found = audit(&world, &[]);
    assert_eq!(found.notes, ["contract-softened"], "{:#}", found.json);
    assert!(found.seen("contract-softened").contains("may_change widened"), "{:#}", found.json);
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
    // It is back, by the command in the finding.
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

/// A goal that greets by name, started on the branch `work`; meanwhile `main` gets the tests of a farewell.
fn beside() -> World {
    let world = World::new()
        .file("greet.sh", "echo Hello\n")
        .file("test.sh", "[ \"$(sh greet.sh Ada)\" = \"Hello, Ada\" ]\n")
        .file("bye.sh", "echo Bye\n")
        .file("test_bye.sh", "[ \"$(sh bye.sh)\" = Bye ]\n")
        .file("old.sh", "grep -q Hello greet.sh\n")
        .committed();
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    assert_eq!(world.plan(["init", "Friendlier greetings"]).code, 0);
    let add = ["goal", "add", "Greet by name", "--done-when", "it greets by name", "--verify"];
    let verify = ["sh test.sh && sh test_bye.sh", "--failure-mode", "the old greeting is gone (check: sh old.sh)"];
    assert_eq!(world.plan(add.iter().chain(&verify)).code, 0);
    world.commit("plan");
    world.git(["checkout", "--quiet", "-b", "work"]);
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    world.commit("start");
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    world
}

/// Creates another branch from `main` with these farewells, and merges it into `work`.
fn merged(world: &World, branch: &str) {
    world.commit("work");
    world.git(["checkout", "--quiet", "-B", branch, "main"]);
    world.write("bye.sh", "echo 'Bye!'\n");
    world.write("test_bye.sh", BYE);
    world.commit("farewells");
    world.git(["checkout", "--quiet", "work"]);
    world.git(["merge", "--quiet", "--no-edit", branch]);
}

const BYE: &str = "[ \"$(sh bye.sh)\" = 'Bye!' ]\n";

/// Allows changes of the farewell tests and signs the goal off.
#[track_caller]
fn allowed(world: &World) {
    let refused = world.plan(["complete", ID]);
    assert!(refused.code == 1 && refused.stdout.contains("approved-tests-red"), "{refused:?}");
    let command = ["goal", "set", ID, "--add-may-change", "test_bye.sh", "--because", "main changed it"];
    assert_eq!(world.plan(command).code, 0);
    let done = world.plan(["complete", ID]);
    assert_eq!(done.code, 0, "{done:?}");
}

const RERUN: [&str; 3] = ["--base", "main", "--rerun"];

// P-12, P-74
#[test]
fn files_that_the_base_brought_may_be_allowed_to_change() {
    for branch in ["main", "main-too"] {
        let world = beside();
        merged(&world, branch);
        allowed(&world);
        world.commit("signed off");
        let found = audit(&world, &["--base", "main"]);
        // A branch that only looks like `main` is not `main`.
        if branch == "main" {
            assert_eq!(found.findings, [""; 0], "{:#}", found.json);
            assert!(found.notes.contains(&"contract-changed".to_owned()), "{:#}", found.json);
            assert!(found.seen("contract-changed").contains("the files that it names are those of main"));
            assert_eq!(audit(&world, &RERUN).findings, [""; 0]);
        } else {
            assert_eq!(found.findings, ["contract-changed"], "{:#}", found.json);
        }
    }
}

// P-12, P-74
#[test]
fn a_test_that_was_weak_when_the_goal_was_signed_off_stays_a_finding() {
    let world = beside();
    merged(&world, "main");
    world.write("test_bye.sh", "true\n");
    world.write("bye.sh", "echo broken\n");
    world.commit("weak");
    allowed(&world);
    world.git(["checkout", "--quiet", "main", "--", "test_bye.sh"]);
    world.commit("the tests of main again");
    let found = audit(&world, &["--base", "main"]);
    assert_eq!(found.findings, ["contract-changed"], "{:#}", found.json);
    assert!(audit(&world, &RERUN).findings.contains(&"clean-replay-red".to_owned()));
    // The same with other work in it, which is in no commit at the sign-off.
    let world = beside();
    merged(&world, "main");
    world.write("notes.md", "one\n");
    allowed(&world);
    world.write("notes.md", "two\n");
    world.commit("signed off, and more");
    let found = audit(&world, &["--base", "main"]);
    assert_eq!(found.findings, ["contract-changed"], "{:#}", found.json);
    let finding = found.json["findings"].as_array().unwrap().iter().find(|one| one["code"] == "contract-changed");
    assert!(finding.unwrap()["resolve"].as_str().unwrap().starts_with("`plan audit --base main --rerun`"));
    assert_eq!(audit(&world, &RERUN).findings, [""; 0]);
}
