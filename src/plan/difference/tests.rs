use super::{Reason, edits, rows, whole};
use crate::plan::contract::PlanContract;
use crate::plan::parse;
use crate::plan::view::{Row, Screen};

const PLAN: &str = "\
---
mode: contract
---
# Plan: Faster search
## Goal: Implement cache layer
<!-- id: cache-1 -->
done_when: p95 < 50ms
failure_modes:
- cache bypassed
- bench too small
- [x] 1. wire cache client — pool of 8
- [ ] 2. load test (after 1) (run: make load)
## Goal: Write docs
<!-- id: docs-1 -->
done_when: page is there
- [ ] 3. write it
## Log
- 2026-06-15 14:02  begun
";

fn contract(text: &str) -> PlanContract {
    PlanContract::of(&parse(text.as_bytes()).unwrap()).unwrap()
}

fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    rows.iter().for_each(|row| row.put(Screen::default(), &mut text));
    text
}

fn changed(from: &str, to: &str, reasons: &[Reason<'_>]) -> String {
    assert!(PLAN.contains(from), "{from}");
    text(&rows(&contract(PLAN), &contract(&PLAN.replacen(from, to, 1)), reasons))
}

fn words(from: &str, to: &str) -> String {
    let edits = edits(&contract(PLAN), &contract(&PLAN.replacen(from, to, 1)));
    edits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

// CONTRACT.md §1: the shown text is made from the canonical contract.
#[test]
fn the_whole_contract_is_shown_and_nothing_else() {
    let shown = "Plan: Faster search\nmode: contract\n\nGoal: Implement cache layer\n  id: cache-1\n  done_when: p95 < 50ms\n  \
                 failure_modes:\n    - cache bypassed\n    - bench too small\n  1. wire cache client\n  2. load test\n    \
                 after: 1\n    run: make load\n\nGoal: Write docs\n  id: docs-1\n  done_when: page is there\n  3. write it\n";
    assert_eq!(contract(PLAN).text(), shown);
    assert_eq!(text(&whole(&contract(PLAN))), shown);
}

// A goal below the first log is part of the contract, so it is shown.
#[test]
fn a_goal_below_the_log_is_shown() {
    let hidden = format!("{PLAN}## Goal: Hidden\ndone_when: anything\n");
    assert!(contract(&hidden).text().ends_with("\nGoal: Hidden\n  done_when: anything\n"));
    assert!(text(&rows(&contract(PLAN), &contract(&hidden), &[])).contains("+ Goal: Hidden\n"));
}

// CONTRACT.md §1: changes first with their reasons beside them, unchanged goals in one line.
#[test]
fn a_change_stands_above_its_lines_with_its_reason() {
    let reasons = [
        Reason { what: "step 4 added to docs-1", because: Some("a page needs a figure") },
        Reason { what: "retry step 2", because: Some("the machine is back") },
    ];
    assert_eq!(
        changed("- [ ] 3. write it\n", "- [ ] 3. write it\n- [ ] 4. draw a figure (after 3)\n", &reasons),
        "  step 4 added to docs-1 — because a page needs a figure\n  proposed: retry step 2 — because the machine is back\n\
         \n  Plan: Faster search\n  mode: contract\n\n  Goal: Implement cache layer — unchanged, 2 steps\n\n  Goal: Write docs\n    \
         id: docs-1\n    done_when: page is there\n    3. write it\n+   4. draw a figure\n+     after: 3\n"
    );
}

// The one thing a person must not miss.
#[test]
fn what_asks_for_less_is_said_first() {
    let dropped = PLAN.replace("- bench too small\n", "").replace("# Plan: Faster", "# Plan: Fast");
    let shown = text(&rows(&contract(PLAN), &contract(&dropped), &[]));
    assert!(
        shown.starts_with(
            "! goal cache-1 amended (loosened: failure mode dropped)\n  objective reworded\n\n- Plan: Faster"
        ),
        "{shown}"
    );
    assert!(
        shown.contains(
            "-   failure_modes:\n-     - cache bypassed\n-     - bench too small\n+   failure_modes: cache bypassed\n"
        ),
        "{shown}"
    );
}

#[test]
fn each_change_has_its_words() {
    for (from, to, expected) in [
        ("mode: contract", "mode: guide", "mode changed"),
        ("Faster search", "Slower search", "objective reworded"),
        ("2. load test", "2. soak test", "step 2 reworded"),
        (" (run: make load)", "", "step 2 reworded"),
        ("- [ ] 2. load test (after 1) (run: make load)\n", "", "step 2 removed"),
        ("- [ ] 3. write it\n", "- [ ] 4. new\n", "step 3 removed; step 4 added to docs-1"),
        ("<!-- id: docs-1 -->\n", "<!-- id: docs-2 -->\n", "goal docs-1 removed; goal docs-2 added"),
        ("page is there", "page is good", "goal docs-1 amended (reworded: criterion reworded)"),
        ("pool of 8", "pool of 9", ""),
        ("[ ] 3", "[x] 3", ""),
    ] {
        assert_eq!(words(from, to), expected, "{from}");
    }
    let moved = PLAN
        .replace("- [ ] 3. write it\n", "- [ ] 3. write it\n- [x] 1. wire cache client\n")
        .replacen("- [x] 1. wire cache client — pool of 8\n", "", 1);
    let edits = edits(&contract(PLAN), &contract(&moved));
    assert_eq!(edits.iter().map(ToString::to_string).collect::<Vec<_>>(), ["step 1 moved to docs-1"]);
}

// CONTRACT.md §3.5, law 8: two steps share a number by mistake, and one of them is removed or added.
#[test]
fn one_of_two_steps_with_the_same_number_is_told() {
    let twice = PLAN.replace("3. write it", "2. write it");
    let told = |from: &str, to: &str| {
        let edits = edits(&contract(from), &contract(to));
        edits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let first = twice.replace("- [ ] 2. load test (after 1) (run: make load)\n", "");
    let second = twice.replace("- [ ] 2. write it\n", "");
    assert_eq!(told(&twice, &first), "step 2 removed");
    assert_eq!(told(&twice, &second), "step 2 removed");
    assert_eq!(told(&second, &twice), "step 2 added to docs-1");
}

#[test]
fn goals_and_steps_in_another_order_are_told() {
    let (front, goals) = PLAN.split_once("## Goal: Implement").unwrap();
    let (first, rest) = goals.split_once("## Goal: Write").unwrap();
    let (second, log) = rest.split_once("## Log").unwrap();
    let swapped = format!("{front}## Goal: Write{second}## Goal: Implement{first}## Log{log}");
    assert_eq!(
        edits(&contract(PLAN), &contract(&swapped)).iter().map(ToString::to_string).collect::<Vec<_>>().len(),
        1
    );
    assert!(text(&rows(&contract(PLAN), &contract(&swapped), &[])).contains(" moved\n"));
    let two = PLAN.replace(
        "- [x] 1. wire cache client — pool of 8\n- [ ] 2. load test (after 1) (run: make load)\n",
        "- [ ] 2. load test (after 1) (run: make load)\n- [x] 1. wire cache client\n",
    );
    let words: Vec<_> = edits(&contract(PLAN), &contract(&two)).iter().map(ToString::to_string).collect();
    assert_eq!(words, ["steps of cache-1 reordered"]);
}

// CONTRACT.md §3.5, law 8
#[test]
fn what_a_reader_would_not_see_is_written_out() {
    let shown = |text: &str| contract(&format!("## Goal: {text}\n")).text();
    assert_eq!(shown("a\u{1b}[2Jb"), "Goal: a\\u{1b}[2Jb\n");
    assert_eq!(shown("a\u{202e}b\u{200b}"), "Goal: a\\u{202e}b\\u{200b}\n");
    assert_eq!(shown("a\\u{1b}[2Jb"), "Goal: a\\u{5c}u{1b}[2Jb\n");
    assert_eq!(shown("a\\b"), "Goal: a\\b\n");
    assert_ne!(shown(""), shown("\u{a0}"));
}

#[test]
fn nothing_is_markup_in_markdown() {
    let plan = "# Plan: x\n## Goal: a <!-- hidden --> b\ndone_when: see [this](http://x)\n- [ ] 1. 2*3*4\n";
    assert_eq!(
        contract(plan).markdown(),
        "# Plan: x\n\n## Goal: a \\<\\!-- hidden --\\> b\n- done_when: see \\[this\\](http://x)\n- 1. 2\\*3\\*4\n"
    );
}
