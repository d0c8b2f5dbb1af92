//! Commands that rule out failure modes: with their files as they stood at the start.

use super::{GREET, GREETS, assert_blocked, assert_clear, assert_open, complete, found, started};
use crate::support::World;

const MODE: &str = "failure_modes:\n- greets nobody by name (check: sh guards/names.sh)\n";
const GUARD: (&str, &str) = ("guards/names.sh", "[ \"$(sh ./greet.sh nobody)\" = 'Hello, you' ]\n");

fn guarded(fields: &str) -> World {
    let world = started("sh ./test.sh", &format!("{fields}{MODE}"), &[GREET, &[GUARD]].concat());
    world.write("greet.sh", GREETS);
    world
}

// P-5, SIGNOFF.md §3
#[test]
fn a_check_that_passes_only_since_it_was_changed_blocks() {
    for other in ["# not needed any more\nexit 0\n", "[ \"$(sh ./greet.sh nobody)\" ]\n"] {
        let world = guarded("");
        world.write(GUARD.0, other);
        let block = assert_blocked(&world, "approved-tests-red");
        assert_eq!(block["place"], GUARD.0);
        assert!(
            block["seen"].as_str().unwrap().contains("the check of F1, `sh guards/names.sh`, fails with"),
            "{block:#}"
        );
    }
    let world = guarded("may_change: guards/*\n");
    world.write(GUARD.0, "[ \"$(sh ./greet.sh nobody)\" ]\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5
#[test]
fn a_check_that_the_work_passes_as_it_stood_may_be_changed() {
    let world = guarded("");
    world.write(
        "greet.sh",
        GREETS.replace("then n=nobody; fi", "then n=nobody; elif [ \"$n\" = nobody ]; then n=you; fi"),
    );
    world.write(GUARD.0, format!("{}[ \"$(sh ./greet.sh nobody)\" ]\n", GUARD.1));
    assert_clear(&world);
}

// P-5
#[test]
fn a_check_that_runs_the_work_itself_is_told_from_its_script() {
    let mode = "failure_modes:\n- is silent (check: sh greet.sh)\n";
    let world = started("sh ./test.sh", mode, &[("greet.sh", "echo hi\nfalse\n"), GREET[1]]);
    world.write("greet.sh", GREETS);
    assert_clear(&world);
    let world = started("sh ./test.sh", mode, &[("greet.sh", "echo hi\nexit 1\n"), GREET[1]]);
    world.write("greet.sh", GREETS);
    assert_open(&world, "`greet.sh` has changed since the start: it may be the work or its check");
}

// P-5, P-50
#[test]
fn a_script_that_cannot_fail_rules_nothing_out() {
    let world = guarded("may_change: guards/*\n");
    world.write(GUARD.0, "# not needed any more\nexit 0\n");
    let output = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert!(output.stdout.contains("F1 is not ruled out: `sh guards/names.sh` cannot fail"), "{output:?}");
}
