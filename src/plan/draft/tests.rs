use super::{archivable, changes, describe_findings, faults, replaceable};
use crate::plan::model::Plan;
use crate::plan::{change, edit, lint, parse};

const DRAFT: &str = "\
---
mode: guide
---
# Plan: Sums

`calc.sh:1` adds.

## Goal: Subtract two numbers
<!-- id: mine-7 -->
done_when: `sub 3 2` prints 1
verify: sh test-sub.sh
failure_modes:
- the test does not call sub
- [ ] 4. write the test

  with an overflow
- [ ] write sub

## Goal: Multiply two numbers
status: open
done_when:
- `mul 3 2` prints 6
- `mul 3 0` prints 0
failure_modes:
- the test does not call mul
needs: subtract two numbers, add-1
- [ ] 9. try it (after 4) (run: sh try.sh)

## Testing

By hand.
";

const PLAN: &str = "\
# Plan: Numbers

## Goal: Add two numbers
<!-- id: add-1 -->
status: active
- [/] 1. write add

## Goal: subtract Two numbers
<!-- id: sub-1 -->
status: open
- [ ] 2. think

## Log
- 2026-06-15 14:02  step 7 complete: removed since
";

fn written(plan: &str, draft: &str, objective: Option<&str>) -> (String, Vec<String>) {
    let (plan, draft) = (parse(plan.as_bytes()).unwrap(), parse(draft.as_bytes()).unwrap());
    let replaced = replaceable(&plan);
    let drafted = changes(&plan, &draft, &replaced, objective, "2026-06-15 14:33").unwrap();
    let edits = change::edits(&plan, &drafted.changes).unwrap();
    (String::from_utf8(edit::apply(plan.source, &edits).unwrap()).unwrap(), drafted.ids)
}

// P-20, P-68, W-23
#[test]
fn a_draft_is_written_with_ids_numbers_and_a_log_line_for_each_goal() {
    let (text, ids) = written(PLAN, DRAFT, None);
    assert_eq!(ids, ["sub-1", "multiply-two-numbers-1"], "the replaced goal's id stays");
    let (goals, log) = text.split_once("## Log\n").unwrap();
    assert_eq!(
        goals,
        "\
# Plan: Numbers

## Goal: Add two numbers
<!-- id: add-1 -->
status: active
- [/] 1. write add

## Goal: Subtract two numbers
<!-- id: sub-1 -->
status: open
done_when: `sub 3 2` prints 1
verify: sh test-sub.sh
failure_modes:
- the test does not call sub
- [ ] 8. write the test

  with an overflow
- [ ] 9. write sub

## Goal: Multiply two numbers
<!-- id: multiply-two-numbers-1 -->
status: open
done_when:
- `mul 3 2` prints 6
- `mul 3 0` prints 0
failure_modes:
- the test does not call mul
needs: sub-1, add-1
- [ ] 10. try it (after 8) (run: sh try.sh)

"
        .replace("# Plan: Numbers\n", "# Plan: Numbers\n\n`calc.sh:1` adds.\n\n## Testing\n\nBy hand.\n")
    );
    assert!(
        log.contains("\n- 2026-06-15 14:33  sub-1 added (contract ") && log.contains("  multiply-two-numbers-1 added")
    );
    let plan = parse(text.as_bytes()).unwrap();
    assert!(!plan.is_contract_mode() && lint::errors(&plan).is_empty(), "{:?}", lint::errors(&plan));
}

#[test]
fn a_persons_words_head_the_plan_and_their_prose_stays() {
    let own = "# Plan: <objective>\n\nMy words.\n\n## Log\n";
    let (text, ids) = written(own, DRAFT, Some("Sums of whole numbers"));
    assert!(text.starts_with("# Plan: Sums of whole numbers\n\nMy words.\n\n## Goal: Subtract"), "{text}");
    assert_eq!(ids, ["subtract-two-numbers-1", "multiply-two-numbers-1"]);
    let (text, _) = written("\u{feff}Only prose.\r\n", DRAFT, None);
    assert!(
        text.starts_with("\u{feff}# Plan: Sums\r\n") && text.contains("\r\nOnly prose.\r\n\r\n## Goal: Sub"),
        "{text:?}"
    );
    assert!(!text.replace("\r\n", "").contains('\n'), "the line endings of the file: {text:?}");
}

fn of(draft: &str) -> Vec<String> {
    let plan = parse(PLAN.as_bytes()).unwrap();
    faults(&plan, &parse(draft.as_bytes()).unwrap(), &replaceable(&plan))
}

// P-68, W-21
#[test]
fn what_a_draft_lacks_is_said_goal_by_goal() {
    assert_eq!(of(DRAFT), [""; 0]);
    for (from, to, fault) in [
        ("status: open", "status: done", "goal `Multiply two numbers`: a drafted goal is `status: open`"),
        ("- [ ] 9.", "- [x] 9.", "goal `Multiply two numbers`: a drafted step is pending: `- [ ]`"),
        ("- [ ] 9. try", "- try", "goal `Multiply two numbers`: it has no step: add two to seven `- [ ]` lines"),
        ("done_when: `sub", "seen: `sub", "goal `Subtract two numbers`: it has no `done_when`"),
        ("failure_modes:\n- the test does not call mul\n", "", "`Multiply two numbers`: it has no `failure_modes`"),
        ("Goal: Multiply two", "Goal: subtract TWO", "another goal of the draft has the same subject"),
        ("Goal: Multiply two", "Goal: add two", "goal `add two numbers`: the plan has this goal already"),
        ("## Goal: Multiply two numbers", "## Goal:", "goal ``: it has no subject"),
        (
            "By hand.",
            "## Log\n- 2026-06-15 14:02  plan approved by ada via terminal (contract 0, steps to 9)",
            "no `Log`",
        ),
        ("By hand.", "# Archive\n", "a draft has no `Log` and no `# Archive`"),
        ("By hand.", "```", "the code fence or comment that `"),
        ("adds.", "adds\u{202e}.", "it contains the invisible character U+202E"),
        ("adds.", "adds\u{1b}[2J.", "it contains the invisible character U+001B"),
        ("prints 0", "prints <a small number>", "the placeholder `<a small number>` is left in `"),
        ("write sub", "<…>", "the placeholder `<…>` is left"),
    ] {
        let faults = of(&DRAFT.replace(from, to));
        assert!(faults.iter().any(|found| found.contains(fault)), "{fault}: {faults:?}");
    }
    assert_eq!(of("# Plan: x\n\nNothing to do.\n"), ["it has no `## Goal: …` heading"]);
}

#[test]
fn types_tags_and_comparisons_are_no_placeholders() {
    for text in ["a Vec<String>", "HashMap<K, V>", "a <div> of <b>", "p < 50 and q > 3 ms", "<a href=\"x\">"] {
        assert_eq!(of(&DRAFT.replace("prints 0", text)), [""; 0], "{text}");
    }
}

#[test]
fn what_was_begun_is_not_replaced() {
    let plan = "\
## Goal: a\n<!-- id: a-1 -->\nstatus: open\n- [ ] 1. x\n
## Goal: b\n<!-- id: b-1 -->\nstatus: open\n- [x] 2. x\n
## Goal: c\n<!-- id: c-1 -->\nstatus: open\n- [ ] 3. x\n
## Goal: d\n<!-- id: d-1 -->\nstatus: cancelled\n
## Goal: e\n<!-- id: e-1 -->\nstatus: done\n
## Log\n- 2026-06-15 14:02  c-1 started (contract 0123456789ab, at none, tree none, verify none)\n
# Archive\n## Goal: f\n<!-- id: f-1 -->\nstatus: open\n";
    let plan = parse(plan.as_bytes()).unwrap();
    assert_eq!((replaceable(&plan), archivable(&plan)), (vec![0], vec![3]), "e is not signed off");
}

#[test]
fn findings_name_the_goal_the_line_and_the_remedy() {
    let (text, ids) = written(PLAN, &DRAFT.replace("needs: subtract two numbers, add-1", "needs: div"), None);
    let plan: Plan<'_> = parse(text.as_bytes()).unwrap();
    let (errors, warnings) = describe_findings(&plan, &ids, &lint::lint(&plan));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("goal `Multiply two numbers`: `needs: div`: no goal has the id or subject `div`; "));
    assert_eq!(warnings, [""; 0], "what is odd in other goals is none of the draft's business");
}

proptest::proptest! {
    /// Every byte outside the replaced goals is kept, in order, and the draft reads back as intended.
    #[test]
    fn a_draft_without_faults_is_read_back(
        subjects in proptest::collection::vec("[a-z ]{1,12}[a-z]", 1..5),
        words in proptest::collection::vec("[a-zA-Z0-9 #`*<>()—é.:-]{0,30}", 5),
    ) {
        let goals: String = subjects.iter().map(|subject| format!(
            "## Goal: {subject}\ndone_when: {}.\nverify: sh {}.sh\nfailure_modes:\n- {}.\n- [ ] {}.\n\n", words[0], words[1], words[2], words[3]
        )).collect();
        let draft = format!("# Plan: {}\n\nText {}\n\n{goals}", words[4], words[0]);
        let plan = parse(PLAN.as_bytes()).unwrap();
        let Ok(parsed) = parse(draft.as_bytes()) else { return Ok(()) };
        if !faults(&plan, &parsed, &replaceable(&plan)).is_empty() {
            return Ok(());
        }
        let (text, ids) = written(PLAN, &draft, None);
        let after = parse(text.as_bytes()).unwrap();
        let new: Vec<_> = after.live_goals().filter(|goal| ids.iter().any(|id| Some(id.as_str()) == goal.id())).collect();
        proptest::prop_assert_eq!(new.len(), parsed.goals.len());
        for (new, old) in new.iter().zip(parsed.all_goals()) {
            proptest::prop_assert_eq!(new.subject(), old.subject());
            proptest::prop_assert_eq!(new.criteria(), old.criteria());
            proptest::prop_assert_eq!(new.verify(), old.verify());
            proptest::prop_assert_eq!(new.failure_modes(), old.failure_modes());
            proptest::prop_assert_eq!(new.steps().len(), old.steps().len());
        }
        proptest::prop_assert!(text.contains("## Goal: Add two numbers\n<!-- id: add-1 -->\nstatus: active\n- [/] 1. write add\n"));
        proptest::prop_assert!(text.contains("\n- 2026-06-15 14:02  step 7 complete: removed since\n"));
    }
}
