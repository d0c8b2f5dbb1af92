use super::restore;
use crate::plan::edit::apply;

const PLAN: &str = "\
---
mode: contract
---
# Plan: Sums

## Goal: Add
<!-- id: add-1 -->
status: active
done_when:
- adds
- carries
verify: make  test
priority: 1

A note.

- [x] 1. one — got it
  more about it
- [/] 2. two (after 1) (run: make two)
- [ ] 3. three

## Goal: Multiply
<!-- id: mul-1 -->
done_when: multiplies
- [ ] 4. four

## Log
- 2026-06-15 14:02  begun
";

#[track_caller]
fn back(now: &str) -> String {
    let edits = restore(PLAN.as_bytes(), now.as_bytes()).unwrap();
    String::from_utf8(apply(now.as_bytes(), &edits).unwrap()).unwrap()
}

#[track_caller]
fn whole(from: &str, to: &str) {
    assert!(PLAN.contains(from), "{from}");
    assert_eq!(back(&PLAN.replacen(from, to, 1)), PLAN, "{from} -> {to}");
}

// CONTRACT.md §1, reject
#[test]
fn each_changed_line_comes_back_as_it_was_approved() {
    for (from, to) in [
        ("mode: contract\n", ""),
        ("mode: contract", "mode: guide"),
        ("---\nmode: contract\n---\n", ""),
        ("# Plan: Sums\n", ""),
        ("Sums", "Products"),
        ("Goal: Add", "Goal: Subtract"),
        ("<!-- id: add-1 -->\n", ""),
        ("add-1", "sub-1"),
        ("add-1", "BAD"),
        ("- carries\n", ""),
        ("- adds\n- carries\n", "- carries\n- adds\n"),
        ("- adds\n- carries\n", "- adds, always\n- carries\n- wraps\n"),
        ("done_when:\n- adds\n- carries\n", "done_when: adds\n"),
        ("done_when:\n- adds\n- carries\n", ""),
        ("verify: make  test\n", ""),
        ("verify: make  test\n", "verify: true\nverify: make  test\n"),
        ("verify: make  test", "verify: true"),
        ("verify: make  test\n", "verify: make  test\nneeds: mul-1\nkind: docs\n"),
        ("- [ ] 3. three\n", ""),
        ("- [ ] 3. three\n", "- [ ] 3. other\n- [ ] 5. five\n  more of it\n"),
        ("2. two (after 1) (run: make two)", "2. two"),
        ("- [ ] 4. four\n", ""),
        ("- [ ] 4. four\n", "- [ ] 4. four\n- [ ] 5. five\n"),
        ("## Log\n", "## Goal: Divide\n<!-- id: div-1 -->\n- [ ] 5. divide\n\n## Log\n"),
        ("## Goal: Multiply\n<!-- id: mul-1 -->\ndone_when: multiplies\n- [ ] 4. four\n\n", ""),
    ] {
        whole(from, to);
    }
}

// CONTRACT.md §1, reject: progress made in the meantime stays.
#[test]
fn marks_outcomes_status_prose_and_log_stay() {
    let worked = PLAN
        .replace("[/] 2. two (after 1) (run: make two)", "[x] 2. two (after 1) (run: make two) — 4 s")
        .replace("status: active", "status: done")
        .replace("priority: 1", "priority: 3")
        .replace("A note.", "A longer note.\n\n| a | b |")
        .replace("begun\n", "begun\n- 2026-06-15 15:00  step 2 complete: 4 s\n");
    let proposed = worked
        .replace("2. two (after 1) (run: make two)", "2. second")
        .replace("- adds\n", "")
        .replace("- [ ] 3. three\n", "")
        .replace("- [ ] 4. four\n", "- [!] 3. three — too slow\n  and why\n- [ ] 4. four\n");
    let moved = worked.replace("- [ ] 3. three\n", "- [!] 3. three — too slow\n  and why\n");
    assert_eq!(back(&proposed), moved);
}

#[test]
fn a_step_that_was_active_comes_back_pending_beside_another_active_one() {
    let now = PLAN.replace("- [/] 2. two (after 1) (run: make two)\n- [ ] 3.", "- [/] 3.");
    assert_eq!(back(&now), PLAN.replace("[/] 2", "[ ] 2").replace("[ ] 3", "[/] 3"));
    let now = PLAN.replace("- [/] 2. two (after 1) (run: make two)\n", "");
    assert_eq!(back(&now), PLAN);
}

#[test]
fn line_endings_are_those_of_the_file() {
    let crlf = PLAN.replace('\n', "\r\n");
    assert_eq!(back(&crlf.replace("- carries\r\n", "").replace("- [ ] 4. four\r\n", "")), crlf);
    let bare = PLAN.trim_end().to_owned();
    assert_eq!(back(&bare.replace("- carries\n", "")), bare);
}

// R19
#[test]
fn what_cannot_be_put_back_line_by_line_is_refused() {
    let (front, rest) = PLAN.split_once("## Goal: Add").unwrap();
    let (first, rest) = rest.split_once("## Goal: Multiply").unwrap();
    let (second, log) = rest.split_once("## Log").unwrap();
    let swapped = format!("{front}## Goal: Multiply{second}## Goal: Add{first}## Log{log}");
    let refused = |now: &str| restore(PLAN.as_bytes(), now.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        refused(&swapped),
        "the approved contract cannot be put back line by line: goals are in a different order"
    );
    let archived = format!("{front}## Goal: Add{first}## Log{log}\n# Archive\n## Goal: Multiply{second}");
    assert!(refused(&archived).ends_with("the goal mul-1 is in the archive"));
    assert!(refused(&format!("```\n{PLAN}")).contains("would be read as something else"));
}

#[test]
fn the_same_contract_needs_no_edit() {
    let now =
        PLAN.replace("[/] 2", "[x] 2").replace("make  test", "make test").replace("done_when:\n", "done_when:   \n");
    assert_eq!(restore(PLAN.as_bytes(), now.as_bytes()).unwrap(), []);
}
