//! Plans that several tests write to, look at, or kill a command over.

/// Two goals, one of them active: something to do.
pub const TO_DO: &str = "\
# Plan: Faster search

## Goal: Implement cache layer
<!-- id: cache-1 -->
status: active
done_when: p95 < 50ms
verify: sh check.sh
- [ ] 1. wire it
- [ ] 2. eviction

## Goal: Document it
<!-- id: docs-1 -->

## Log
- 2026-06-15 14:02  begun
";

/// Goals of every status, steps of every mark.
pub const SEARCH: &str = "\
# Plan: Faster search

## Goal: Implement cache layer
<!-- id: cache-1 -->
status: active
done_when: p95 < 50ms
verify: sh check.sh
failure_modes:
- cache bypassed
- [x] 1. wire it — pool of 8
- [/] 2. eviction
- [!] 3. load test — no machine
- [ ] 4. write it up
- [ ] 5. tidy (run: sh check.sh)

## Goal: Not yet there
<!-- id: red-1 -->
status: active
verify: sh red.sh

## Goal: Choose a cache
<!-- id: choose-1 -->
status: done
verify: sh red.sh

## Goal: Try another
<!-- id: try-1 -->
status: cancelled

## Goal: Without an id
status: open

## Log
- 2026-06-15 14:02  cache-1 started
";

/// `plan`, in contract mode, with the line at the end of its log that approves what it says.
pub fn approved(plan: &str) -> String {
    let read = plan::plan::parse(plan.as_bytes()).unwrap();
    let contract = plan::plan::contract::plan_contract(&read).short();
    let steps = read.steps.iter().filter_map(|step| step.number).max().unwrap_or_default();
    format!("{plan}- 2026-06-15 14:03  plan approved by ada via terminal (contract {contract}, steps to {steps})\n")
}
