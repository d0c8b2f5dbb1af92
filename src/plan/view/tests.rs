use super::{Filter, Listing, Screen, StatusFilter, goal_line, goal_views, line, list, plan_view, ready_view, show};
use crate::plan::contract::goal_contract;
use crate::plan::model::{Plan, Span};
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

fn shown(source: &str, listing: &Listing) -> String {
    let mut text = String::new();
    list(&plan(source), listing, &mut text);
    text
}

fn on(columns: usize, lines: usize) -> Listing {
    Listing { screen: Screen { columns: Some(columns), lines: Some(lines) }, ..Listing::default() }
}

// P-51, P-52
#[test]
fn the_task_list() {
    let expected = "\
Faster search
0 of 3 signed off, 1 active, 2 to look at

! 1 Schema  schema-1
    done by hand, not signed off
    plan complete schema-1

● 2 Implement cache layer  1/3  needs schema-1 (done by hand), docs-1  cache-layer-1
    its contract was changed by hand since it was logged
    plan goal set cache-layer-1 --because \"why\"
    ✓ 1. wire cache client — pool of 8
    → 2. eviction policy
    ○ load test

ready
○ 3 Document the cache  docs-1

1 cancelled (plan --all)

last  06-15 14:02  cache client wired; eviction next
next  2. eviction policy
";
    assert_eq!(shown(SOURCE, &Listing::default()), expected);
}

// P-51
#[test]
fn on_a_terminal_lines_fit_and_settled_steps_are_folded() {
    let expected = "\
Faster search
0 of 3 signed off, 1 active, 2 to look
at

! 1 Schema                      schema-1
    done by hand, not signed off
    plan complete schema-1

● 2 Implement cache layer  1/3  needs
    schema-1 (done by hand), docs-1
                           cache-layer-1
    its contract was changed by hand
    since it was logged
    plan goal set cache-layer-1
    --because \"why\"
    ✓ 1 done
    → 2. eviction policy
    ○ load test

ready
○ 3 Document the cache            docs-1

1 cancelled (plan --all)

last  06-15 14:02  cache client wired;
      eviction next
next  2. eviction policy
";
    assert_eq!(shown(SOURCE, &on(40, 60)), expected);
    // The screen is too low for everything: an active goal keeps only its step to do now, and `plan show` has the command that fixes a fault.
    let low = shown(SOURCE, &on(80, 18));
    assert!(low.contains("→ 2. eviction policy\n") && !low.contains("load test"), "{low}");
    let lowest = shown(SOURCE, &on(80, 11));
    assert!(lowest.contains("● 2 Implement cache layer") && lowest.lines().count() < 11, "{lowest}");
    assert!(!low.contains("plan complete"), "{low}");
}

// P-51
#[test]
fn three_hundred_goals_are_a_page() {
    let mut source = SOURCE.split("## Log").next().unwrap().to_owned();
    (0..300).for_each(|at| {
        source += &format!("## Goal: Number {at}\n<!-- id: number-{at} -->\npriority: {}\n", at % 4 + 1)
    });
    let page = shown(&source, &on(80, 50));
    assert_eq!(page.lines().count(), 49, "{page}");
    assert!(page.contains("more ready, 1 cancelled (plan --all)\n"), "{page}");
    let ready = page.split("\nready\n").nth(1).unwrap();
    assert!(ready.starts_with("○   5 Number 0  p1 "), "{page}");
    let whole = shown(&source, &Listing::default());
    assert!((0..300).all(|at| whole.contains(&format!("  number-{at}\n"))), "{whole}");
}

#[test]
fn goals_that_wait_stand_last_and_what_is_looked_at_first() {
    let source = "## Goal: a\nneeds: b-1\n## Goal: b\n<!-- id: b-1 -->\npriority: 3\n## Goal: c\n## Goal: d\nstatus: active\n\
        ## Goal: e\nstatus: actve\n";
    let text = shown(source, &Listing::default());
    let order: Vec<&str> = text.lines().filter(|line| line.starts_with(['○', '●', '!'])).collect();
    assert_eq!(order, ["! 5 e", "● 4 d", "○ 3 c", "○ 2 b  p3  b-1", "○ 1 a  needs b-1"]);
}

#[test]
fn a_list_is_filtered() {
    let filtered = |filter: Filter| shown(SOURCE, &Listing { filter, ..Listing::default() });
    let statuses = |stand| Filter { statuses: vec![stand], ..Filter::default() };
    assert_eq!(filtered(statuses(StatusFilter::Cancelled)), "✗ 4 Dropped  dropped-1\n1 of 4 goals\n");
    assert_eq!(filtered(statuses(StatusFilter::Ready)), "○ 3 Document the cache  docs-1\n1 of 4 goals\n");
    assert_eq!(filtered(statuses(StatusFilter::Waiting)), "none of 4 goals; `plan list --all` shows them\n");
    let text = filtered(Filter { text: "CACHE".to_owned(), ..Filter::default() });
    assert!(text.starts_with("● 2 Implement") && text.ends_with("docs-1\n2 of 4 goals\n"), "{text}");
    let text = filtered(Filter { needs: Some("docs-1".to_owned()), ..Filter::default() });
    assert!(text.starts_with("● 2 Implement") && text.ends_with("1 of 4 goals\n"), "{text}");
}

#[test]
fn all_goals_are_listed_on_request() {
    let text = shown(SOURCE, &Listing { all: true, ..Listing::default() });
    assert!(
        text.contains("! 1 Schema  schema-1\n") && text.contains("\ncancelled\n✗ 4 Dropped  dropped-1\n\nlast "),
        "{text}"
    );
    assert!(!text.contains("--all"));
}

#[test]
fn what_holds_the_work_still_stands_at_the_head() {
    let listing = Listing { notes: vec![("paused", "needs a password".to_owned())], ..Listing::default() };
    assert!(shown(SOURCE, &listing).contains("to look at\npaused  needs a password\n\n! 1"));
}

#[test]
fn lint_errors_are_in_the_list_and_an_empty_plan_says_so() {
    let text = shown("## Goal: a\nstatus: actve\n", &Listing::default());
    let wrong = "line 2: expected `open`, `active`, `done` or `cancelled`, found `actve`";
    assert_eq!(text, format!("0 of 1 signed off, 1 to look at\n\n! 1 a\n    {wrong}\n\nnext  plan goal start 'a'\n"));
    let text = shown("# Plan: x\n", &Listing::default());
    assert_eq!(text, "x\nno goals yet: plan goal add \"subject\"\n");
}

// P-51
#[test]
fn what_comes_next_can_be_typed() {
    let next = |source: &str| shown(source, &Listing::default()).lines().last().unwrap().to_owned();
    assert_eq!(next("## Goal: a\n<!-- id: a-1 -->\n"), "next  plan goal start a-1");
    assert_eq!(next("## Goal: a\nstatus: active\n- [x] b\n"), "next  plan complete 'a'");
    assert_eq!(next("## Goal: a\nstatus: active\n"), "next  a");
    assert_eq!(next("## Goal: a\nneeds: b\n"), "next  nothing is ready: a waits for b");
}

#[test]
fn a_goal_whole() {
    let plan = plan(SOURCE);
    let goal = plan.goal(1).unwrap();
    let expected = "\
● 2 Implement cache layer  1/3  cache-layer-1
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
    2026-06-15 14:01  cache-layer-1 added
  sign-off: none, its contract was changed by hand since it was logged
";
    let shown = |full| {
        let mut text = String::new();
        show(&plan, &[goal], full, Screen::default(), &mut text);
        text
    };
    assert_eq!(shown(false), expected);
    let digest = goal_contract(goal).digest.short();
    let full = expected.replace("1 added\n", "1 added (contract 0123456789ab)\n")
        + &format!("  contract: {digest}, logged 0123456789ab\n");
    assert_eq!(shown(true), full);
}

#[test]
fn one_line_for_a_status_bar() {
    // The goal that is done was signed off for another contract.
    assert_eq!(line(&plan(SOURCE), None).unwrap(), "Plan 0/3 · Implement cache layer — eviction policy");
    let signed = |contract: &str| {
        format!(
            "## Goal: a\n<!-- id: a-1 -->\nstatus: done\n\n## Goal: b\nstatus: active\n\n## Log\n- 2026-06-15 14:02  a-1 signed off \
             (verify green 2.1s, gate full, oracle accept by human:me, contract {contract}, tree none, at none)\n"
        )
    };
    let contract = goal_contract(plan(&signed("0123456789ab")).goal(0).unwrap()).digest.short();
    assert_eq!(line(&plan(&signed(&contract)), None).unwrap(), "Plan 1/2 · b");
    assert_eq!(line(&plan("## Goal: a\nstatus: active\n- [x] b\n"), None).unwrap(), "Plan 0/1 · a");
    assert_eq!(line(&plan("## Goal: a\n"), None), None);
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
    let view = serde_json::to_value(plan_view(&plan, false, &Filter::default())).unwrap();
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
    assert_eq!(plan_view(&plan, true, &Filter::default()).goals.len(), 4);
    let goal = plan.goal(1).unwrap();
    assert_eq!(serde_json::to_value(goal_views(&plan, [goal])).unwrap()[0], view["goals"][0]);
    assert_eq!(serde_json::to_value(ready_view(goal)).unwrap()["step"]["text"], "eviction policy");
}

#[test]
fn what_comes_next_is_no_command_that_is_refused() {
    let next = |goal: &str, unfit: &str| {
        let source = format!("## Goal: a\n<!-- id: a-1 -->\n{goal}");
        let at = source.find(unfit).filter(|_| !unfit.is_empty());
        let unfit = at.map(|at| Span::new(at..at + unfit.len())).into_iter().collect();
        let text = shown(&source, &Listing { unfit, ..Listing::default() });
        text.lines().find_map(|line| line.strip_prefix("next  ")).unwrap_or_default().to_owned()
    };
    assert_eq!(next("verify: x\n", ""), "plan goal start a-1");
    let lint = |line: usize, what: &str| format!("plan lint   (line {line} keeps a-1 from {what})");
    assert_eq!(next("done_when: x\ndone_when: y\n", ""), lint(4, "starting"));
    assert_eq!(next("failure_modes:\n1. a\n2. b\n", ""), lint(4, "starting"));
    assert_eq!(next("verify: a | b\n", "a | b"), lint(3, "starting"));
    assert_eq!(next("status: active\n- [x] 1. x\n", ""), "plan complete a-1");
    assert_eq!(next("status: active\nverify: a | b\n- [x] 1. x\n", "a | b"), lint(4, "its sign-off"));
    assert_eq!(next("status: active\nverify: a | b\n- [ ] 1. x\n", "a | b"), "1. x");
}

// P-51: the page of a plan of any size fits a terminal, including the prompt.
#[test]
fn the_page_fits_the_screen() {
    for goals in [1, 3, 30, 300] {
        for active in [0, 1, 3, 12].into_iter().filter(|active| *active <= goals) {
            let goal = |at: usize| {
                let status = if at < active { "active" } else { ["open", "done"][usize::from(at % 9 == 8)] };
                let steps: String = (0..12).map(|step| format!("- [ ] {}. step\n", at * 20 + step)).collect();
                format!(
                    "## Goal: A subject of the usual length, 日本語 {at}\n<!-- id: a-subject-of-the-usual-length-{at} -->\nstatus: {status}\n{steps}"
                )
            };
            let source =
                format!("# Plan: p\n\n{}## Log\n- 2026-06-15 14:02  x\n", (0..goals).map(goal).collect::<String>());
            for (columns, lines) in [(40, 24), (80, 24), (120, 24), (80, 50), (40, 16)] {
                let screen = Screen { columns: Some(columns), lines: Some(lines) };
                let text = shown(&source, &Listing { screen, ..Listing::default() });
                let height = text.lines().count() + 1;
                assert!(height <= lines, "{goals} goals, {active} active, {columns} x {lines}: {height}\n{text}");
                assert!(active == 0 || text.contains('●'), "{text}");
            }
        }
    }
}

// P-52: a long rejection takes two lines in the list; `plan show` shows all of it.
#[test]
fn a_long_rejection_is_cut_to_two_lines() {
    let why = "the report names none of the eleven figures that the criterion asks for, ".repeat(4);
    let source = format!("{SOURCE}- 2026-06-15 14:03  cache-layer-1 rejected (oracle claude): missing: {why}\n");
    for columns in [40, 80, 100] {
        let text = shown(&source, &on(columns, 40));
        let from = text.lines().position(|line| line.contains("rejected 06-15 14:03")).unwrap();
        let lines: Vec<&str> = text.lines().skip(from).take(3).collect();
        let end = lines.iter().position(|line| line.ends_with('…'));
        assert!(end.is_some_and(|end| end < 2 || columns == 40), "{columns}: {text}");
    }
    assert!(shown(&source, &Listing::default()).contains(why.trim_end().trim_end_matches(',')));
}
