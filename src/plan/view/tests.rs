use super::{goal_line, goal_views, line, list, plan_view, ready_view, show};
use crate::plan::contract::goal_contract;
use crate::plan::model::Plan;
use crate::plan::parse;

const SOURCE: &str = "\
# Plan: Faster search

## Goal: Schema
<!-- id: schema-1 -->
status: done

## Goal: Implement cache layer
<!-- id: cache-layer-1 -->
status: active
done_when: p95 < 50ms
verify: pytest -q
failure_modes:
- bypassed
- too small (check: make evictions)
needs: schema-1, docs-1
may_change: tests/**
- [x] 1. wire cache client — pool of 8
- [/] 2. eviction policy
- [ ] load test

## Goal: Document the cache
<!-- id: docs-1 -->
status: open

## Goal: Dropped
<!-- id: dropped-1 -->
status: cancelled

## Log
- 2026-06-15 14:01  cache-layer-1 added (contract 0123456789ab)
- 2026-06-15 14:02  cache client wired; eviction next
";

fn plan(source: &str) -> Plan<'_> {
    parse(source.as_bytes()).unwrap()
}

// P-51, P-52
#[test]
fn the_task_list() {
    let plan = plan(SOURCE);
    let mut text = String::new();
    list(&plan, false, &mut text);
    let now = goal_contract(plan.goal(1).unwrap()).digest.short();
    let expected = format!(
        "\
Plan: Faster search
● cache-layer-1  Implement cache layer  1/3
    [x] 1. wire cache client — pool of 8
    [/] 2. eviction policy
    [ ] load test
○ docs-1  Document the cache
1 done, 1 cancelled hidden (--all)
last: 2026-06-15 14:02  cache client wired; eviction next
! schema-1 is done but has no sign-off that matches its contract
! the contract of cache-layer-1 was changed since it was logged (0123456789ab, now {now}): plan goal set cache-layer-1 --because \"why\"
"
    );
    assert_eq!(text, expected);
}

#[test]
fn all_goals_are_listed_on_request() {
    let mut text = String::new();
    list(&plan(SOURCE), true, &mut text);
    assert!(text.contains("\n✓ schema-1  Schema\n") && text.contains("\n✗ dropped-1  Dropped\nlast: "), "{text}");
    assert!(!text.contains("hidden"));
}

#[test]
fn lint_errors_are_in_the_list_and_an_empty_plan_says_so() {
    let mut text = String::new();
    list(&plan("## Goal: a\nstatus: actve\n"), false, &mut text);
    assert_eq!(text, "○ a\n! line 2: expected `open`, `active`, `done` or `cancelled`, found `actve`\n");
    text.clear();
    list(&plan("# Plan: x\n"), false, &mut text);
    assert_eq!(text, "Plan: x\nno goals yet: plan goal add \"subject\"\n");
}

#[test]
fn a_goal_whole() {
    let plan = plan(SOURCE);
    let goal = plan.goal(1).unwrap();
    let mut text = String::new();
    show(&plan, &[goal], &mut text);
    let expected = format!(
        "\
● cache-layer-1  Implement cache layer  1/3
  status: active, priority 2, feature, line 7
  done_when:
    C1 p95 < 50ms
  verify: pytest -q
  failure_modes:
    F1 bypassed
    F2 too small (check: make evictions)
  needs: schema-1 (done by hand), docs-1 (not done)
  may_change: tests/**
  steps:
    [x] 1. wire cache client — pool of 8
    [/] 2. eviction policy
    [ ] load test
  log:
    2026-06-15 14:01  cache-layer-1 added (contract 0123456789ab)
  contract: {}, changed by hand since the log named 0123456789ab, not signed off
",
        goal_contract(goal).digest.short()
    );
    assert_eq!(text, expected);
}

#[test]
fn one_line_for_a_status_bar() {
    assert_eq!(line(&plan(SOURCE)).unwrap(), "Plan 1/3 · Implement cache layer — eviction policy");
    assert_eq!(line(&plan("## Goal: a\nstatus: active\n- [x] b\n")).unwrap(), "Plan 0/1 · a");
    assert_eq!(line(&plan("## Goal: a\n")), None);
}

#[test]
fn what_is_to_be_done_in_one_line() {
    let line = |source: &str, goal: usize| goal_line(plan(source).goal(goal).unwrap());
    assert_eq!(line(SOURCE, 1), "cache-layer-1  Implement cache layer — 2. eviction policy");
    assert_eq!(line("## Goal: a\n- [ ] b\n", 0), "a — b");
    assert_eq!(line(SOURCE, 2), "docs-1  Document the cache");
}

#[test]
fn the_same_for_machines() {
    let plan = plan(SOURCE);
    let view = serde_json::to_value(plan_view(&plan, false)).unwrap();
    assert_eq!(view["counts"], serde_json::json!({"open": 1, "active": 1, "done": 1, "cancelled": 1}));
    assert_eq!(view["goals"].as_array().unwrap().len(), 2);
    assert_eq!(view["goals"][0]["line"], 7);
    assert_eq!(view["goals"][0]["waits_for"], serde_json::json!(["schema-1", "docs-1"]));
    assert_eq!(view["goals"][0]["failure_modes"][1]["check"], "make evictions");
    assert_eq!(
        view["goals"][0]["steps"][2],
        serde_json::json!({"name": "cache-layer-1.3", "number": null, "text": "load test", "mark": "pending", "outcome": null, "after": [], "run": null})
    );
    assert_eq!(view["last"]["at"], "2026-06-15 14:02");
    assert_eq!(view["warnings"].as_array().unwrap().len(), 2);
    assert_eq!(plan_view(&plan, true).goals.len(), 4);
    let goal = plan.goal(1).unwrap();
    assert_eq!(serde_json::to_value(goal_views(&plan, [goal])).unwrap()[0], view["goals"][0]);
    assert_eq!(serde_json::to_value(ready_view(goal)).unwrap()["step"]["text"], "eviction policy");
}
