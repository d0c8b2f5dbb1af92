//! Generates plans of any size, about 410 bytes a goal, with the parts of real plans.

use std::fmt::Write;

/// Returns a plan of `goals` goals: one in eight is active, one in eight is done, and each has three numbered steps.
pub fn plan(goals: usize) -> String {
    let mut text = String::from("# Plan: Faster search\n\nWhat we know so far is in `docs/search.md`.\n");
    for goal in 1..=goals {
        let status = match goal % 8 {
            1 => "active",
            2 => "done",
            _ => "open",
        };
        let first = goal * 3 - 2;
        write!(
            text,
            "\n## Goal: Implement cache layer {goal}\n<!-- id: implement-cache-layer-{goal} -->\nstatus: {status}\n\
             done_when: p95 < 50ms on bench-{goal}. If wrong: timeouts in load-test.log\n\
             verify: python3 bench/p95.py --max-ms 50 --case {goal}\nfailure_modes:\n\
             - cache silently bypassed (hit-rate near 0, latency fine by luck)\n- bench too small to exercise eviction\n\
             - [ ] {first}. wire the cache client\n- [ ] {}. eviction policy\n- [ ] {}. load test\n",
            first + 1,
            first + 2
        )
        .expect("a String takes any text");
    }
    text.push_str("\n## Log\n- 2026-06-15 14:02  cache client wired; eviction next\n");
    text
}

/// Returns the number of the Nth step (from 0) whose goal is not done.
pub fn open_step(nth: usize) -> usize {
    let goal = (1..).filter(|goal| goal % 8 != 2).nth(nth / 3).expect("an endless range");
    goal * 3 - 2 + nth % 3
}
