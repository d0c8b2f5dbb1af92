//! Applies each change to a small plan and compares the lines that differ.

use super::*;
use crate::plan::edit::apply;
use crate::plan::parse;

const PLAN: &str = "\
---
mode: contract
---
# Plan: Faster search

Free prose.

## Goal: Implement cache layer
<!-- id: cache-layer-1 -->
status: active
done_when: p95 < 50ms on bench-X. If wrong: timeouts in load-test.log
verify: pytest tests/cache -q && python bench/p95.py --max-ms 50
failure_modes:
- cache silently bypassed
- bench too small (check: python bench/evictions.py --min 1)
needs: schema-1
- [x] 1. wire cache client — pool of 8, see bench/pool.log
- [/] 2. eviction policy
- [ ] 3. load test (after 1, 2) (run: make load)

## Log
- 2026-06-15 14:02  cache client wired; eviction next

# Archive
## Goal: Choose a cache
<!-- id: schema-1 -->
status: done
";

/// Returns the removed lines with `-` and the new lines with `+`.
fn changed(source: &str, changes: &[Change]) -> String {
    let plan = parse(source.as_bytes()).unwrap();
    let edits = edits(&plan, changes).unwrap();
    let after = String::from_utf8(apply(source.as_bytes(), &edits).unwrap()).unwrap();
    parse(after.as_bytes()).unwrap();
    diff(source, &after)
}

fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let back = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    let gone = old[front..old.len() - back].iter().map(|line| format!("-{line}"));
    let come = new[front..new.len() - back].iter().map(|line| format!("+{line}"));
    gone.chain(come).collect()
}

fn refused(source: &str, change: Change) -> String {
    let plan = parse(source.as_bytes()).unwrap();
    edits(&plan, &[change]).unwrap_err().message
}

fn goal(source: &str, name: &str) -> usize {
    parse(source.as_bytes()).unwrap().find_goal(name).unwrap().index()
}

fn step(source: &str, name: &str) -> usize {
    parse(source.as_bytes()).unwrap().find_step(name).unwrap().index()
}

// FORMAT.md §2: bytes that are not UTF-8 are kept
#[test]
fn what_is_moved_keeps_bytes_that_are_no_text() {
    let source = b"## Goal: A\n<!-- id: a-1 -->\nstatus: done\ncaf\xe9\n- [ ] 1. x\n  caf\xe9\n\n## Goal: B\n<!-- id: b-1 -->\n- [ ] 2. y\n";
    let plan = parse(source).unwrap();
    let after = |change| apply(source, &edits(&plan, &[change]).unwrap()).unwrap();
    let archived = b"## Goal: B\n<!-- id: b-1 -->\n- [ ] 2. y\n\n# Archive\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: done\ncaf\xe9\n- [ ] 1. x\n  caf\xe9\n";
    assert_eq!(
        after(Change::Archive { goals: vec![0] }).escape_ascii().to_string(),
        archived.escape_ascii().to_string()
    );
    let moved = b"## Goal: A\n<!-- id: a-1 -->\nstatus: done\ncaf\xe9\n\n## Goal: B\n<!-- id: b-1 -->\n- [ ] 1. x\n  caf\xe9\n- [ ] 2. y\n";
    let change = Change::MoveStep { step: 0, goal: 1, at: Some(1) };
    assert_eq!(after(change).escape_ascii().to_string(), moved.escape_ascii().to_string());
}

#[test]
fn status_is_one_changed_line() {
    let change = Change::SetStatus { goal: 0, status: Status::Done };
    assert_eq!(changed(PLAN, std::slice::from_ref(&change)), "-status: active\n+status: done\n");
    let by_hand = "## Goal: A\nstatus: open\n";
    assert_eq!(changed(by_hand, std::slice::from_ref(&change)), "-status: open\n+<!-- id: a-1 -->\n+status: done\n");
    let bare = "## Goal: A\n<!-- id: a-1 -->\nprose\n";
    assert_eq!(changed(bare, std::slice::from_ref(&change)), "+status: done\n");
    assert_eq!(changed("## Goal: A", &[change]), "-## Goal: A+## Goal: A\n+<!-- id: a-1 -->\n+status: done\n");
}

#[test]
fn marks_and_outcomes_are_one_changed_line() {
    let mark = |name: &str, mark, outcome: Option<&str>| {
        changed(PLAN, &[Change::SetMark { step: step(PLAN, name), mark, outcome: outcome.map(str::to_owned) }])
    };
    assert_eq!(mark("2", Mark::Complete, None), "-- [/] 2. eviction policy\n+- [x] 2. eviction policy\n");
    assert_eq!(
        mark("3", Mark::Failed, Some("out — of\nmemory")),
        "-- [ ] 3. load test (after 1, 2) (run: make load)\n+- [!] 3. load test (after 1, 2) (run: make load) — out - of memory\n"
    );
    assert_eq!(
        mark("1", Mark::Complete, Some("pool of 9")),
        "-- [x] 1. wire cache client — pool of 8, see bench/pool.log\n+- [x] 1. wire cache client — pool of 9\n"
    );
    assert_eq!(
        mark("1", Mark::Pending, Some("")),
        "-- [x] 1. wire cache client — pool of 8, see bench/pool.log\n+- [ ] 1. wire cache client\n"
    );
}

#[test]
fn log_lines_go_below_the_last_section_above_the_archive() {
    let log = |text: &str| Change::AppendLog { stamp: "2026-06-15 14:33".into(), text: text.into() };
    assert_eq!(changed(PLAN, &[log("a"), log("b")]), "+- 2026-06-15 14:33  a\n+- 2026-06-15 14:33  b\n");
    assert_eq!(changed("# Plan: x\n", &[log("a")]), "+\n+## Log\n+- 2026-06-15 14:33  a\n");
    assert_eq!(changed("# Plan: x\n\n# Archive\n", &[log("a")]), "+## Log\n+- 2026-06-15 14:33  a\n+\n");
    assert_eq!(changed("## Log", &[log("a")]), "-## Log+## Log\n+- 2026-06-15 14:33  a\n");
    assert_eq!(changed("", &[log("a")]), "+## Log\n+- 2026-06-15 14:33  a\n");
}

#[test]
fn a_new_goal_stands_before_the_log() {
    let new = NewGoal {
        subject: "Document the cache".into(),
        done_when: vec!["a".into(), "[x] b".into()],
        verify: Some("make docs".into()),
        failure_modes: vec!["stale".into()],
        needs: vec!["cache-layer-1".into(), "schema-1".into()],
        steps: vec!["write".into(), "publish".into()],
        ..NewGoal::default()
    };
    let expected = "\
+## Goal: Document the cache
+<!-- id: document-the-cache-1 -->
+status: open
+done_when:
+- a
+- \\[x] b
+verify: make docs
+failure_modes:
+- stale
+needs: cache-layer-1, schema-1
+- [ ] 4. write
+- [ ] 5. publish
+
";
    assert_eq!(changed(PLAN, &[Change::AddGoal(new.clone())]), expected);
    let twice = changed("", &[Change::AddGoal(new.clone()), Change::AddGoal(new)]);
    assert!(twice.contains("document-the-cache-1 ") && twice.contains("document-the-cache-2 "), "{twice}");
}

#[test]
fn fields_are_replaced_added_in_order_and_removed() {
    let set = |key, values: &[&str]| {
        changed(PLAN, &[Change::SetField { goal: 0, key, values: values.iter().map(|v| (*v).to_owned()).collect() }])
    };
    assert_eq!(set(Key::Priority, &["1"]), "+priority: 1\n");
    assert_eq!(set(Key::Needs, &[]), "-needs: schema-1\n");
    assert_eq!(set(Key::Needs, &["a", "b"]), "-needs: schema-1\n+needs: a, b\n");
    assert_eq!(
        set(Key::FailureModes, &["cache silently bypassed"]),
        "-- bench too small (check: python bench/evictions.py --min 1)\n"
    );
    assert_eq!(
        set(Key::FailureModes, &["cache bypassed", "bench too small (check: python bench/evictions.py --min 1)"]),
        "-- cache silently bypassed\n+- cache bypassed\n"
    );
    let both = ["p95 < 50ms on bench-X. If wrong: timeouts in load-test.log", "and hit rate > 0.9"];
    assert_eq!(
        set(Key::DoneWhen, &both),
        "\
-done_when: p95 < 50ms on bench-X. If wrong: timeouts in load-test.log
+done_when:
+- p95 < 50ms on bench-X. If wrong: timeouts in load-test.log
+- and hit rate > 0.9
"
    );
}

#[test]
fn steps_are_added_moved_and_removed() {
    let add = Change::AddStep {
        goal: 0,
        text: "tidy (after 9)".into(),
        after: vec![3],
        run: Some("make tidy".into()),
        note: None,
    };
    assert_eq!(changed(PLAN, &[add]), "+- [ ] 4. tidy \\(after 9) (after 3) (run: make tidy)\n");
    let moved = Change::MoveStep { step: step(PLAN, "3"), goal: 0, at: Some(2) };
    assert_eq!(
        changed(PLAN, &[moved]),
        "\
-- [/] 2. eviction policy
-- [ ] 3. load test (after 1, 2) (run: make load)
+- [ ] 3. load test (after 1, 2) (run: make load)
+- [/] 2. eviction policy
"
    );
    let gone = Change::RemoveStep { step: step(PLAN, "2") };
    assert_eq!(changed(PLAN, &[gone]), "-- [/] 2. eviction policy\n");
    let text = Change::SetStepText { step: step(PLAN, "3"), text: "burn in".into() };
    assert_eq!(
        changed(PLAN, &[text]),
        "-- [ ] 3. load test (after 1, 2) (run: make load)\n+- [ ] 3. burn in (after 1, 2) (run: make load)\n"
    );
}

#[test]
fn goals_move_to_the_archive_whole() {
    let two = "## Goal: A\n<!-- id: a-1 -->\nstatus: done\nprose\n\n## Goal: B\n<!-- id: b-1 -->\n";
    let plan = parse(two.as_bytes()).unwrap();
    let edits = edits(&plan, &[Change::Archive { goals: vec![0] }]).unwrap();
    let after = String::from_utf8(apply(two.as_bytes(), &edits).unwrap()).unwrap();
    assert_eq!(
        after,
        "## Goal: B\n<!-- id: b-1 -->\n\n# Archive\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: done\nprose\n"
    );
    let gone = changed(PLAN, &[Change::Archive { goals: vec![0] }]);
    assert!(gone.ends_with("+- [ ] 3. load test (after 1, 2) (run: make load)\n"), "{gone}");
}

#[test]
fn repeated_fields_and_shared_ids_are_refused_with_both_lines() {
    let twice = "## Goal: A\n<!-- id: a-1 -->\nstatus: open\nstatus: done\n";
    let status = Change::SetStatus { goal: 0, status: Status::Active };
    assert_eq!(refused(twice, status.clone()), "goal `a-1` has `status` twice, in lines 3 and 4");
    let shared = "## Goal: A\n<!-- id: a-1 -->\n## Goal: B\n<!-- id: a-1 -->\n";
    assert_eq!(refused(shared, status), "the id `a-1` is given twice, in lines 1 and 3");
    assert_eq!(goal(PLAN, "implement CACHE layer"), 0);
}

#[test]
fn a_goal_is_not_archived_into_the_text_of_a_list_item() {
    let source = "# Plan: x\n   ## Goal: C\nstatus: cancelled\n# Archive\n- ```";
    let plan = parse(source.as_bytes()).unwrap();
    let error = edits(&plan, &[Change::Archive { goals: vec![0] }]).unwrap_err();
    assert_eq!(error.message, "the last lines of the archive would swallow the goals that go below it");
}

#[test]
fn a_number_is_given_by_a_step_or_its_own_line_and_by_no_other_text() {
    let next = |log: &str| {
        let source = format!("# Plan: x\n## Goal: a\n- [ ] 3. y\n## Log\n- 2026-06-15 14:02  {log}\n");
        next_number(&parse(source.as_bytes()).unwrap())
    };
    assert_eq!(next("step 7 skipped: removed"), 8);
    for said in ["step 900 of the guide", "step 900 was hard: complete rewrite", "read step 900 complete: x"] {
        assert_eq!(next(said), 4, "{said}");
    }
}

// P-40
#[test]
fn a_list_above_an_indented_fence_that_ends_with_it_stays_as_it_is() {
    let told = "goal `A` (line 1) cannot be changed line by line: its indented text would be read differently, or the new text would be structure";
    let values = vec!["x".to_owned(), "y".to_owned()];
    let list = |key| Change::SetField { goal: 0, key, values: values.clone() };
    // The heading inside the fence would become a goal, and the heading below the fence would become text.
    let other = "## Goal: A\n  ```\n## Goal: B\n```\n## Goal: A";
    assert_eq!(refused(other, list(Key::DoneWhen)), told);
    let archive = "## Goal: A\n\t- [ ] x\n  ```\n# Archive\n```\n- [ ] 1. y\n# Archive";
    assert_eq!(refused(archive, list(Key::DoneWhen)), told);
    // Without the item above it, the fence would go on to the end of the file.
    let none = Change::SetField { goal: 0, key: Key::DoneWhen, values: Vec::new() };
    assert_eq!(refused("## Goal: A\ndone_when: x\n-\n  ```\n## Other\n# Plan: x", none), told);
    // The line inside the fence would repeat the same field.
    assert_eq!(refused("## Goal: A\n  ```\nfailure_modes:", list(Key::FailureModes)), told);
}

// P-40
#[test]
fn an_id_in_a_log_does_not_go_where_indented_text_would_hang_on_the_line_above_it() {
    let source = "## Goal: A\n### Log\n- item\n<!-- id: a-1 -->\nprose\n  ```\n# Plan: x";
    assert!(refused(source, Change::RemoveGoal { goal: 0 }).contains("its indented text would be read differently"));
}

// P-13
#[test]
fn an_archived_goal_comes_back_above_the_archive_and_is_active() {
    let restored = |source: &str| {
        let plan = parse(source.as_bytes()).unwrap();
        let archived = plan.all_goals().find(|goal| goal.raw().archived).unwrap().index();
        let edits = edits(&plan, &[Change::Restore { goal: archived }]).unwrap();
        String::from_utf8(apply(source.as_bytes(), &edits).unwrap()).unwrap()
    };
    let source = "# Plan: x\n\n## Log\n- 2026-06-15 14:02  x\n\n# Archive\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: done\n- [x] 1. y\n\n\n## Goal: B\nstatus: done\n";
    assert_eq!(
        restored(source),
        "# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: active\n- [x] 1. y\n\n## Log\n- 2026-06-15 14:02  x\n\n# Archive\n\n## Goal: B\nstatus: done\n"
    );
    let bare = "# Archive\n## Goal: A\n<!-- id: a-1 -->\nprose";
    assert_eq!(restored(bare), "## Goal: A\n<!-- id: a-1 -->\nstatus: active\nprose\n\n# Archive\n");
    assert_eq!(
        restored(&bare.replace("prose", "status:")),
        "## Goal: A\n<!-- id: a-1 -->\nstatus: active\n\n# Archive\n"
    );
    assert_eq!(
        restored("# Archive\n## Goal: A\n<!-- id: a-1 -->"),
        "## Goal: A\n<!-- id: a-1 -->\nstatus: active\n\n# Archive\n"
    );
    assert_eq!(refused(source, Change::Restore { goal: 9 }), "the goal is no longer there");
    let open = "## Goal: A\n# Archive\n# Plan: x\n# Archive\n## Goal: B\n<!-- comment\n";
    assert_eq!(
        refused(open, Change::Restore { goal: 1 }),
        "the code fence or comment that line 6 opens is never closed, so the text below the goal would be text"
    );
    assert_eq!(refused("## Goal: A\n", Change::Restore { goal: 0 }), "goal `A` is not in the archive");
}

// P-31
#[test]
fn an_id_that_stands_in_a_log_goes_with_its_goal_and_the_log_stays() {
    let source = "# Plan: x\n## Goal: A\nstatus: done\n### Log\n- 2026-06-15 14:02  x\n<!-- id: a-1 -->\n- 2026-06-15 14:03  y\n";
    for (change, expected) in [
        (
            Change::Archive { goals: vec![0] },
            "# Plan: x\n### Log\n- 2026-06-15 14:02  x\n- 2026-06-15 14:03  y\n\n# Archive\n\n## Goal: A\nstatus: done\n<!-- id: a-1 -->\n",
        ),
        (Change::RemoveGoal { goal: 0 }, "# Plan: x\n### Log\n- 2026-06-15 14:02  x\n- 2026-06-15 14:03  y\n"),
    ] {
        let plan = parse(source.as_bytes()).unwrap();
        let edits = edits(&plan, &[change]).unwrap();
        assert_eq!(String::from_utf8(apply(source.as_bytes(), &edits).unwrap()).unwrap(), expected);
    }
    // A log with steps goes with its goal, unless it contains log lines that `plan` reads.
    let steps = source.replace("<!-- id: a-1 -->", "- [x] 1. z");
    let plan = parse(steps.as_bytes()).unwrap();
    assert!(edits(&plan, &[Change::Archive { goals: vec![0] }]).is_ok());
    let ours = steps.replace("  y\n", "  b-1 cancelled: y\n");
    let told = "goal `A` has steps below the log in line 4, which would go with them";
    assert_eq!(refused(&ours, Change::Archive { goals: vec![0] }), told);
    assert_eq!(refused(&ours, Change::RemoveGoal { goal: 0 }), told);
}

// P-40
#[test]
fn an_id_below_which_code_would_become_a_step_is_not_taken_out_of_a_log() {
    let source = "## Goal: A\n## Goal: B\n### log\n-->\n<!-- id: b-1 -->\n      - [ ] six";
    for change in [Change::RemoveGoal { goal: 1 }, Change::Archive { goals: vec![1] }] {
        let told = refused(source, change);
        assert!(told.starts_with("goal `b-1` (line 2) cannot be changed line by line"), "{told}");
    }
    // Text at the left edge is not code.
    let plain = source.replace("      - [ ] six", "six");
    let plan = parse(plain.as_bytes()).unwrap();
    assert!(edits(&plan, &[Change::RemoveGoal { goal: 1 }]).is_ok());
}

#[test]
fn a_new_line_that_would_make_code_of_a_step_is_refused() {
    for id in ["<!-- id: a-1 -->\n", ""] {
        let source = format!("## Goal: A\n{id}===\n      - [ ] six");
        let told = refused(&source, Change::SetStatus { goal: 0, status: Status::Open });
        assert!(told.contains("cannot be changed line by line"), "{told}");
    }
}

#[test]
fn an_item_behind_a_comment_does_not_become_one_of_a_new_list() {
    let source = "## Goal: A\n<!-- one -->\n-\n";
    let change = Change::SetField { goal: 0, key: Key::FailureModes, values: vec!["plain".to_owned()] };
    assert!(refused(source, change).contains("cannot be changed line by line"));
}
