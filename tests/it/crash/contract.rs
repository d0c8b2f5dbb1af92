//! Steps and goals of an agreed plan, killed at every system call: the state is the old or the new one (`CONTRACT.md` §3.5, law 7).

use std::cell::Cell;

use plan::plan::parse;
use plan::plan::rules::{PlanState, state};

use super::{killed_between, killed_everywhere, next_works};
use crate::support::plans::approved;
use crate::support::redact::redact;
use crate::support::{World, is_full, size, strace, two_at_once};

/// Two goals, the second of which needs the first, and a third. `A` and `B` are the marks of steps 1 and 2.
const GOALS: &str = "\
---
mode: contract
---
# Plan: Sums

## Goal: Add
<!-- id: add-1 -->
status: active
done_when:
- p95 below 50 ms
failure_modes:
- the cache is bypassed
verify: sh check.sh
- [A] 1. one
- [B] 2. two

## Goal: Multiply
<!-- id: mul-1 -->
needs: add-1
verify: sh red.sh
- [ ] 3. three

## Goal: Divide
<!-- id: div-1 -->
- [ ] 4. four

## Log
- 2026-06-15 14:02  begun
";

fn plan(marks: [&str; 2], more: &str) -> String {
    let [one, two] = marks;
    approved(&GOALS.replace("[A]", &format!("[{one}]")).replace("[B]", &format!("[{two}]"))) + more
}

/// A world with the approval committed, so that it is known.
fn world(text: &str) -> World {
    super::world().file("plan.md", text).committed()
}

// F-6, F-47
#[test]
fn a_step_killed_at_every_system_call_has_ended_or_not() {
    let at_first = plan(["/", " "], "");
    if !strace::available(&world(&at_first)) {
        return;
    }
    let failed = plan(["!", "/"], "- 2026-06-15 14:04  step 1 failed: no machine\n");
    // The second step ends a goal, begins the next goal and keeps its base.
    let without_needs = plan(["x", "/"], "").replace("needs: add-1\n", "");
    let without_needs = approved(without_needs.split("- 2026-06-15 14:03").next().unwrap());
    let cases: [(&[&str], &str); 5] = [
        (&["step", "done", "1", "it adds"], &at_first),
        (&["step", "done", "2", "it adds"], &without_needs),
        (&["step", "fail", "1", "no machine"], &at_first),
        (&["step", "retry", "1", "--because", "it is back"], &failed),
        (&["step", "add", "div-1", "five", "--because", "it wraps"], &at_first),
    ];
    two_at_once(&cases[..size(1, cases.len())], |(args, text)| {
        killed_everywhere(&world(text), args, Some(text), 0);
    });
}

// F-6
#[test]
fn a_start_killed_at_every_system_call_is_logged_or_not() {
    let open = plan([" ", " "], "").replace("status: active", "status: open");
    let world = world(&open);
    if !strace::available(&world) {
        return;
    }
    killed_everywhere(&world, &["step", "start", "1"], Some(&open), 0);
    if !is_full() {
        return;
    }
    world.write("plan.md", &open);
    assert_eq!(world.plan(["step", "start", "1"]).code, 0);
    let begun = world.plan_md();
    assert!(begun.contains(", verify not run)\n"), "{begun}");
    killed_everywhere(&world, &["goal", "start", "add-1"], Some(&begun), 0);
}

/// A sign-off and the start of the goal that waited for it are two writes: the sign-off counts even if the next goal cannot begin. Between
/// them the plan is active, no step is active, and `plan next` names the step to begin.
#[test]
fn a_sign_off_killed_before_the_next_goal_begins_leaves_it_to_the_next_command() {
    let text = plan(["x", "x"], "- 2026-06-15 14:04  step 1 complete: a\n- 2026-06-15 14:05  step 2 complete: b\n");
    let world = world(&text);
    // With fewer kills, none may happen between the two writes.
    if !is_full() || !strace::available(&world) {
        return;
    }
    let args = ["complete", "add-1", "--gate", "fast", "--judge", "cmd:yes", "--path", "result.txt"];
    assert_eq!(world.plan(args).code, 0);
    let after = redact(world.base(), &world.plan_md());
    assert!(after.contains("- [/] 3. three\n") && after.contains("  mul-1 started (contract "), "{after}");
    let found = Cell::new(0);
    killed_between(&world, &args, Some(&text), 0, |middle| {
        found.set(found.get() + 1);
        assert_eq!(state(&parse::parse(middle.as_bytes()).unwrap()), PlanState::Active, "{middle}");
        assert!(middle.contains("  add-1 signed off (") && middle.contains("- [ ] 3. three\n"), "{middle}");
        let next = world.plan(["next"]);
        assert_eq!((next.code, &*next.stdout), (0, "mul-1  Multiply — 3. three\n"), "{next:?}");
        assert!(world.plan(["list"]).stdout.ends_with("next  plan step start 3\n"));
        let before = world.plan_md();
        let begun = world.plan(["step", "start", "3"]);
        assert_eq!(begun.code, 0, "{begun:?}");
        assert_eq!(redact(world.base(), &world.plan_md()), after);
        world.write("plan.md", before);
        true
    });
    next_works(&world, "the last kill");
    assert!(found.get() > 0, "no kill came between the two writes");
}
