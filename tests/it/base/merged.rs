//! Changes that came from the remote's default branch since the start are not the goal's work.

use crate::support::World;
use crate::support::output::Output;

const BYE: &str = "[ \"$(sh bye.sh)\" = 'Bye!' ]\n";

/// A goal that greets by name, started on the branch `work`. `origin` is a separate repository; its `main` is checked out as `main` here.
fn begun() -> World {
    begun_after(|_| ())
}

/// Like [`begun`], with commits on the branch before the start.
fn begun_after(before: impl FnOnce(&World)) -> World {
    let world = World::new()
        .file("greet.sh", "echo Hello\n")
        .file("test.sh", "[ \"$(sh greet.sh Ada)\" = \"Hello, Ada\" ]\n")
        .file("bye.sh", "echo Bye\n")
        .file("test_bye.sh", "[ \"$(sh bye.sh)\" = Bye ]\n")
        .file("test_old.py", "assert 1 + 1 == 2\n")
        .file("old.sh", "grep -q Hello greet.sh\n")
        .committed();
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    assert_eq!(world.plan(["init", "Friendlier greetings"]).code, 0);
    let add = ["goal", "add", "Greet by name", "--id", "g-1", "--done-when", "it greets by name", "--verify"];
    let verify = ["sh test.sh && sh test_bye.sh", "--failure-mode", "the old greeting is gone (check: sh old.sh)"];
    assert_eq!(world.plan(add.iter().chain(&verify)).code, 0);
    world.commit("plan");
    let origin = world.base().join("origin.git");
    world.git(["clone", "--quiet", "--bare", ".", &origin.to_string_lossy()]);
    world.git(["remote", "add", "origin", &origin.to_string_lossy()]);
    world.git(["fetch", "--quiet", "origin"]);
    world.git(["checkout", "--quiet", "-b", "work"]);
    before(&world);
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.commit("start");
    world
}

/// Does the goal's work and commits it.
fn worked(world: &World) {
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    world.commit("work");
}

/// Changes `main`: other farewells with their test, one test fewer, a workflow.
fn farewells(world: &World) {
    world.git(["checkout", "--quiet", "main"]);
    world.write("bye.sh", "echo 'Bye!'\n");
    world.write("test_bye.sh", BYE);
    world.write(".github/workflows/ci.yml", "on: push\n");
    std::fs::remove_file(world.path("test_old.py")).unwrap();
    world.commit("farewells");
    world.git(["checkout", "--quiet", "work"]);
}

/// Makes the same changes on the remote.
fn pushed(world: &World) {
    farewells(world);
    world.git(["push", "--quiet", "origin", "main"]);
}

fn complete(world: &World) -> Output {
    world.plan(["complete", "g-1"])
}

fn assert_refused(world: &World, code: &str) {
    let output = complete(world);
    assert!(output.code == 1 && output.stdout.contains(&format!("block    {code}")), "{code}: {output:?}");
}

// P-5
#[test]
fn what_the_remote_brought_is_not_held_against_the_goal() {
    for way in [&["merge", "--quiet", "--no-edit", "origin/main"][..], &["rebase", "--quiet", "origin/main"]] {
        let world = begun();
        worked(&world);
        pushed(&world);
        world.git(way);
        let done = complete(&world);
        assert_eq!(done.code, 0, "{way:?}: {done:?}");
        let brought = "`.github/workflows/ci.yml`, `bye.sh`, `test_bye.sh`, `test_old.py`";
        assert!(done.stdout.contains("base-merged") && done.stdout.contains(brought), "{way:?}: {done:?}");
        world.commit("signed off");
        let audit = world.plan(["audit", "--base", "origin/main", "--rerun"]);
        assert_eq!(audit.code, 0, "{way:?}: {audit:?}");
    }
}

// P-5: the start and the remote conflict.
#[test]
fn a_folder_that_came_where_the_start_had_a_file_ends_no_check() {
    let world = begun_after(|world| {
        world.write("notes", "one\n");
        world.commit("notes");
    });
    world.git(["mv", "notes", "notes.txt"]);
    worked(&world);
    world.git(["checkout", "--quiet", "main"]);
    world.write("notes/one.txt", "one\n");
    world.commit("notes");
    world.git(["push", "--quiet", "origin", "main"]);
    world.git(["checkout", "--quiet", "work"]);
    world.git(["merge", "--quiet", "--no-edit", "origin/main"]);
    let done = complete(&world);
    assert_eq!(done.code, 0, "{done:?}");
}

// P-5: anyone here can create such a branch.
#[test]
fn a_local_branch_brings_nothing() {
    for branch in ["main", "origin/main"] {
        let world = begun();
        worked(&world);
        farewells(&world);
        if branch != "main" {
            world.git(["branch", branch, "main"]);
        }
        world.git(["merge", "--quiet", "--no-edit", &format!("refs/heads/{branch}")]);
        assert_refused(&world, "approved-tests-red");
    }
}

// P-5: the tests of the remote count, not those of the start.
#[test]
fn what_the_remote_brought_is_the_measure() {
    let world = begun();
    worked(&world);
    pushed(&world);
    world.git(["merge", "--quiet", "--no-edit", "origin/main"]);
    // Both are as at the start, which is weaker than the remote requires.
    world.write("bye.sh", "echo Bye\n");
    world.write("test_bye.sh", "[ \"$(sh bye.sh)\" = Bye ]\n");
    assert_refused(&world, "approved-tests-red");
    // A test that the work had changed before the merge is compared with the start.
    let world = begun();
    worked(&world);
    world.write("test.sh", "true\n");
    world.write("greet.sh", "echo broken Hello\n");
    world.commit("weak");
    pushed(&world);
    world.git(["merge", "--quiet", "--no-edit", "origin/main"]);
    assert_refused(&world, "approved-tests-red");
}

// P-5: a test that the branch made stricter before the start is not given up for that of the remote.
#[test]
fn a_test_that_both_changed_stays_that_of_the_start() {
    let strict = "[ \"$(sh greet.sh Ada)\" = \"Hello, Ada\" ] && [ \"$(sh greet.sh Bob)\" = \"Hello, Bob\" ]\n";
    let world = begun_after(|world| {
        world.write("test.sh", strict);
        world.commit("stricter");
    });
    world.write("greet.sh", "echo Hello, Ada\n");
    world.commit("work");
    world.git(["checkout", "--quiet", "main"]);
    world.write("test.sh", format!("# greets\n{}", world.read("test.sh")));
    world.commit("a comment");
    world.git(["push", "--quiet", "origin", "main"]);
    world.git(["checkout", "--quiet", "work"]);
    world.git(["merge", "--quiet", "--no-edit", "-X", "theirs", "origin/main"]);
    world.git(["checkout", "--quiet", "origin/main", "--", "test.sh"]);
    world.commit("theirs");
    assert_refused(&world, "approved-tests-red");
}

// P-5: somebody else did it.
#[test]
fn work_that_the_remote_brought_is_no_work_of_the_goal() {
    let world = begun();
    world.git(["checkout", "--quiet", "main"]);
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    world.commit("greets");
    world.git(["push", "--quiet", "origin", "main"]);
    world.git(["checkout", "--quiet", "work"]);
    world.git(["merge", "--quiet", "--no-edit", "origin/main"]);
    assert_refused(
        &world,
        "no-change: nothing has changed since the goal's start except for the changes from origin/main",
    );
}

// P-5: the goal's own work, which was merged before it is signed off.
#[test]
fn own_work_that_was_merged_stays_own_work() {
    // As one commit, signed off on another branch.
    let world = begun();
    worked(&world);
    world.git(["checkout", "--quiet", "main"]);
    world.git(["merge", "--quiet", "--squash", "work"]);
    world.commit("greets");
    world.git(["push", "--quiet", "origin", "main"]);
    world.git(["checkout", "--quiet", "-b", "sign"]);
    let done = complete(&world);
    assert_eq!(done.code, 0, "{done:?}");
    // The same, with a start that is in no commit.
    let world = begun();
    world.git(["reset", "--quiet", "main"]);
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    world.git(["commit", "--quiet", "--message", "work", "greet.sh"]);
    world.git(["push", "--quiet", "origin", "work:main"]);
    world.git(["checkout", "--quiet", "-b", "sign"]);
    let done = complete(&world);
    assert_eq!(done.code, 0, "{done:?}");
    // On the branch itself, where more is done after a push.
    let world = begun();
    world.git(["checkout", "--quiet", "-B", "main", "work"]);
    world.git(["reset", "--quiet", "HEAD~1"]);
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    world.git(["commit", "--quiet", "--message", "work", "greet.sh"]);
    world.git(["push", "--quiet", "origin", "main"]);
    world.write("README.md", "# Greetings\n");
    world.commit("more, and the plan");
    let done = complete(&world);
    assert_eq!(done.code, 0, "{done:?}");
    // On a branch, with a plan that is in no commit.
    let world = begun();
    world.git(["checkout", "--quiet", "-B", "main", "work"]);
    world.git(["rm", "--quiet", "--cached", "plan.md"]);
    world.write(".git/info/exclude", "plan.md\n");
    worked(&world);
    world.git(["push", "--quiet", "origin", "main"]);
    world.git(["checkout", "--quiet", "-b", "sign"]);
    world.write("README.md", "# Greetings\n");
    world.commit("more");
    let done = complete(&world);
    assert_eq!(done.code, 0, "{done:?}");
}

// SIGNOFF.md §8: what names the remote's branch can be written here; the remote cannot.
#[test]
fn a_forged_branch_of_the_remote_is_told_and_caught_by_a_rerun() {
    let world = begun();
    let real = world.git(["rev-parse", "origin/main"]).trim().to_owned();
    worked(&world);
    world.git(["checkout", "--quiet", "main"]);
    world.write("test.sh", "true\n");
    world.commit("weak");
    world.git(["update-ref", "refs/remotes/origin/main", "main"]);
    world.git(["checkout", "--quiet", "work"]);
    world.git(["merge", "--quiet", "--no-edit", "origin/main"]);
    world.write("greet.sh", "echo broken Hello\n");
    world.commit("broken");
    let output = complete(&world);
    assert!(output.stdout.contains("base-merged") && output.stdout.contains("`test.sh`"), "{output:?}");
    world.git(["fetch", "--quiet", "--force", "origin", "main:refs/remotes/origin/main"]);
    assert_eq!(world.git(["rev-parse", "origin/main"]).trim(), real);
    if output.code == 0 {
        world.commit("signed off");
        let audit = world.plan(["audit", "--base", "origin/main", "--rerun"]);
        assert!(audit.code == 1 && audit.stdout.contains("approved-tests-red"), "{audit:?}");
    }
}
