//! A verify that cannot run in a clean export: what this excuses, and what it does not.

use super::{GREET, GREETS, assert_blocked, assert_clear, assert_open, started};

/// A greeting whose word is in a file that git ignores.
const READS: &str =
    "n=${1:-}\nif [ -z \"$n\" ]; then n=nobody; fi\nword=$(cat .cache/word) || exit 1\necho \"$word, $n\"\n";
const IGNORED: (&str, &str) = (".gitignore", ".cache/\n");

// P-5, SIGNOFF.md §3
#[test]
fn an_ignored_file_that_is_missing_excuses_no_changed_test() {
    let world = started("sh ./test.sh", "", &[GREET, &[IGNORED]].concat());
    world.write(".cache/word", "Hi");
    world.write("greet.sh", READS);
    world.write("test.sh", GREET[1].1.replace("Hello", "Hi"));
    assert_blocked(&world, "approved-tests-red");
    // With its old tests it is honest: a file that was ignored from the start may be needed.
    world.write(".cache/word", "Hello");
    world.write("test.sh", GREET[1].1);
    assert_open(&world, "green in place, but red in a clean export");
}

// P-5
#[test]
fn what_the_start_needed_too_is_excused() {
    let world = started("sh ./test.sh", "", &[("greet.sh", "cat .cache/word || exit 1\n"), GREET[1], IGNORED]);
    world.write(".cache/word", "Hello");
    world.write("greet.sh", READS);
    assert_open(&world, "the export lacks `.cache/word`");
}

// P-5
#[test]
fn a_work_that_fails_in_exports_alone_is_not_excused() {
    let world = started("sh ./test.sh", "", &[GREET, &[IGNORED]].concat());
    world.write(".cache/word", "");
    let asks = "case $PWD in */plan-gate-*) echo \"cannot open .cache/word\"; exit 1;; esac\n";
    world.write("greet.sh", format!("{asks}{GREETS}"));
    world.write("test.sh", format!("{asks}sh ./greet.sh\n"));
    let block = assert_blocked(&world, "clean-replay-red");
    assert!(block["seen"].as_str().unwrap().ends_with("the files of the goal's start do run there"), "{block:#}");
}

// P-5
#[test]
fn a_folder_of_tests_turned_into_a_link_is_put_back() {
    let tests = ("tests/greet.sh", "[ \"$(sh ./greet.sh World)\" = 'Hello, World' ]\n");
    let world = started("sh tests/greet.sh", "", &[GREET[0], tests, IGNORED]);
    world.write(".cache/tests/greet.sh", "[ \"$(sh ./greet.sh World)\" ]\n");
    std::fs::remove_dir_all(world.path("tests")).unwrap();
    std::os::unix::fs::symlink(".cache/tests", world.path("tests")).unwrap();
    world.write("greet.sh", "echo hi there\n");
    assert_blocked(&world, "approved-tests-red");
}

// P-5
#[test]
fn temporary_files_of_before_are_not_there_in_the_export() {
    let world = started("sh ./test.sh", "", GREET);
    let answers = "if [ -e \"$TMPDIR/answers\" ]; then sh \"$TMPDIR/answers\" \"$1\"; else echo hi; fi\n";
    world.write("greet.sh", answers);
    world.write("../tmp/answers", GREETS);
    assert_blocked(&world, "clean-replay-red");
    std::fs::remove_file(world.base().join("tmp/answers")).unwrap();
    world.write("greet.sh", format!("rm -- \"$(mktemp)\"\n{GREETS}"));
    assert_clear(&world);
}
