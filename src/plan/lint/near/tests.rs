use crate::plan::lint::Findings;
use crate::plan::lint::tests::{codes, found};
use crate::plan::model::{LintFinding, Plan};
use crate::plan::parse::parse;

#[test]
fn a_need_that_names_nothing_is_one_error_with_the_goal_that_is_meant() {
    let source = "## Goal: a\nneeds: faster-sort, Load test\n## Goal: b\n<!-- id: fast-sort-1 -->\n## Goal: Load test\n<!-- id: load-1 -->\n";
    assert_eq!(codes(source), ["needs-unknown 2:8"]);
    let remedies: Vec<String> =
        found(source).into_iter().filter(|one| one.code == "needs-unknown").map(|one| one.remedy).collect();
    assert_eq!(remedies, ["did you mean `fast-sort-1`?"]);
}

#[test]
fn steps_of_a_plan_without_goals() {
    assert_eq!(codes("# Plan: x\n\n- [ ] a\n- [ ] b\n"), ["step-without-goal 3:3"]);
    assert_eq!(codes("# Plan: x\n\n- [ ] a list of mine\n\n## Goal: b\n- [ ] c\n"), [""; 0]);
}

#[test]
fn fields_that_are_misspelt() {
    for line in [
        "prioritiy: 1", "statsu: done", "done_wen: x", "verfiy: x", "failure_mods: x", "need: a", "may_chang: a",
        "kinds: docs", "kid: test", "verify = x", "status=done",
    ] {
        let found = codes(&format!("## Goal: a\n\n{line}\n"));
        assert_eq!(found, ["near-field 3:1"], "{line}");
    }
    for line in [
        "state: x", "find: x", "kinds: x", "verified: x", "notes: x", "prioritiy 1", "seeds: a", "- prioritiy: 1",
        "kinds: of docs", "kinds docs", "find: test", "verify == x", "verify the x = y", " verify = x",
    ] {
        assert_eq!(codes(&format!("## Goal: a\n\n{line}\n")), [""; 0], "{line}");
    }
}

/// Lines that make goals complete, and lines that open and close blocks around the lines below them.
const LINES: [&str; 30] = [
    "## Goal: a", "## Goal: b", "<!-- id: a-1 -->", "<!-- id: A b -->", "<!-- ID = a -->", "status: open",
    "Status: open", "done_when: x", "done_when:", "verify: x", "- item", "  - deeper", "- [ ] step", "- [v] step", "",
    "prose", "  status: open", "\tverify: y", "    - [ ] code", "### Deeper", "## Goal c", "## Log", "# Archive",
    "```", "- ```", "<!-- open", "-->", "====", "1. [ ] one", "- 2026-06-15 14:02  said",
];

proptest::proptest! {
    /// `check` skips only goals in which it would report no line.
    #[test]
    fn what_is_left_out_holds_nothing(at in proptest::collection::vec(0..LINES.len(), 1..24)) {
        let lines: Vec<&str> = at.into_iter().map(|at| LINES[at]).collect();
        let source = format!("## Goal: first\n{}\n", lines.join("\n"));
        let mut plan = parse(source.as_bytes()).unwrap();
        let found = |plan: &Plan<'_>| -> (Vec<LintFinding>, Vec<LintFinding>) {
            let mut found = Findings { list: Vec::new() };
            let lost = super::check(plan, &mut found);
            (found.list, lost.into_iter().map(|lost| lost.finding).collect())
        };
        let left_out = found(&plan);
        plan.goals.iter_mut().for_each(|goal| goal.has_prose = true);
        proptest::prop_assert_eq!(left_out, found(&plan), "{}", source);
    }
}
