use super::{errors, lint, new_errors};
use crate::plan::model::{LintFinding, Severity};
use crate::plan::parse;
use crate::plan::snippet::place;

pub(super) fn found(source: &str) -> Vec<LintFinding> {
    lint(&parse(source.as_bytes()).unwrap())
}

/// `code line:column`, without the notes and warnings that any short example has.
pub(super) fn codes(source: &str) -> Vec<String> {
    found(source)
        .iter()
        .filter(|finding| !matches!(finding.code, "no-objective" | "no-status" | "no-done-when" | "no-id"))
        .map(|finding| {
            let (line, column) = place(source.as_bytes(), finding.span.start as usize);
            format!("{} {line}:{column}", finding.code)
        })
        .collect()
}

const CLEAN: &str = "\
---
mode: guide
verify_timeout: 60 # seconds
---
# Plan: Faster search

Status: this is prose, outside of a goal. `- [X ]` too.

## Goal: Implement cache layer
<!-- id: cache-layer-1 -->
status: active
done_when: p95 < 50ms
verify: pytest tests/cache -q
failure_modes:
- cache silently bypassed
- verify passes on a trivial test
needs: schema-1
priority: 1
kind: feature
may_change: tests/**
evidence: bench/p95.log
- [x] 1. wire cache client — pool of 8
- [/] 2. eviction policy (after 1)
- [link](x), a footnote [1]: and [ref][x]

Note: prose. https://example.com: too.

## Goal: Schema
<!-- id: schema-1 -->
status: open
done_when:
- one
- two

```
## Goal - not one
status: actve
- [X ] code
```

## Goals and non-goals

## Log
- 2026-06-15 14:02  cache client wired
- a line of another shape
";

#[test]
fn a_plan_as_it_should_be_has_no_finding() {
    assert_eq!(found(CLEAN), []);
    assert_eq!(found(&CLEAN.replace('\n', "\r\n")), []);
    assert_eq!(found(""), []);
    assert_eq!(found("# Some readme\n\nstatus: x\n"), []);
    let list = found("# Some readme\n\n- [ ] a task\n\nstatus: x\n");
    assert_eq!(
        list.iter().map(|one| (one.code, one.severity)).collect::<Vec<_>>(),
        [("step-without-goal", Severity::Note)]
    );
}

#[test]
fn front_matter() {
    let front = |lines: &str| codes(&format!("---\n{lines}---\n"));
    assert_eq!(front("mode: contrct\n"), ["front-value 2:7"]);
    assert_eq!(front("mode:\ncheckpoints: yes\ncomplexity: simple\n"), ["front-value 2:1", "front-value 3:14"]);
    assert_eq!(front("nudges: many\nremind_every: 0\nbudget: -1\n"), ["front-value 2:9", "front-value 4:9"]);
    assert_eq!(front("verify_timeout: 601\njudge_timeout: 600\n"), ["front-cap 2:17"]);
    assert_eq!(
        front("judge: cmd:evil\nmode: guide\nmode: guide\n"),
        ["unknown-front-key 2:1", "repeated-front-key 4:1"]
    );
}

#[test]
fn ids() {
    assert_eq!(found("# Plan: x\n## Goal: a\nstatus: done\n")[0].code, "no-id");
    assert_eq!(codes("## Goal: a\n<!-- id: A b -->\n"), ["bad-id 2:1"]);
    assert_eq!(codes("## Goal: a\n<!-- id: a-1 -->\n<!-- id: a-2 -->\n"), ["second-id 3:1"]);
    assert_eq!(codes("<!-- id: a-1 -->\n## Goal: a\n"), ["stray-id 1:1"]);
    assert_eq!(
        codes("## Goal: a\n<!-- ID: a-1 -->\n<!--id=a-1-->\n<!-- idea: x -->\n"),
        ["near-id 2:1", "near-id 3:1"]
    );
    let twice = "## Goal: a\n<!-- id: a-1 -->\n## Goal: b\n<!-- id: a-1 -->\n# Archive\n## Goal: c\n<!-- id: a-1 -->\n";
    assert_eq!(codes(twice), ["duplicate-id 4:10", "duplicate-id 7:10"]);
    assert_eq!(
        found(twice).iter().find(|finding| finding.code == "duplicate-id").unwrap().message,
        "`a-1` is already the id of the goal in line 1"
    );
    assert_eq!(
        codes("## Goal: Same\n## Goal: same\n## Goal: SAME\n<!-- id: x -->\n"),
        ["same-subject 2:10", "same-subject 3:10"]
    );
    assert_eq!(codes("## Goal: Same\n<!-- id: x -->\n## Goal: same\n<!-- id: y -->\n"), [""; 0]);
}

#[test]
fn fields() {
    assert_eq!(codes("## Goal: a\nstatus: actve\n"), ["unknown-status 2:9"]);
    assert_eq!(codes("## Goal: a\nstatus: Open\n"), ["unknown-status 2:9"]);
    assert_eq!(codes("## Goal: a\nstatus:\n"), ["unknown-status 2:1"]);
    assert_eq!(codes("## Goal: a\nstatus: open\nstatus: done\n"), ["repeated-field 3:1"]);
    assert_eq!(codes("## Goal: a\npriority: 5\nkind: bug\n"), ["bad-priority 2:11", "unknown-kind 3:7"]);
    assert_eq!(codes("## Goal: a\nverify:\nneeds:\ndone_when:\n- x\n"), ["empty-field 2:1", "empty-field 3:1"]);
    assert_eq!(codes("## Goal:\n"), ["no-subject 1:1"]);
}

// P-35
#[test]
fn a_verify_wants_failure_modes_that_name_how_it_could_pass() {
    assert_eq!(codes("## Goal: a\nverify: make\n"), ["no-failure-modes 2:9"]);
    assert_eq!(codes("## Goal: a\nverify: make\nfailure_modes:\n- too slow\n- too big\n"), ["no-false-pass 3:1"]);
    assert_eq!(codes("## Goal: a\nverify: make\nfailure_modes:\n- too slow\n- Verify passes on a mock\n"), [""; 0]);
    assert_eq!(codes("## Goal: a\nfailure_modes:\n- too slow\n"), [""; 0]);
    assert_eq!(found("# Plan: x\n## Goal: a\n<!-- id: a -->\nstatus: open\n")[0].code, "no-done-when");
    assert_eq!(found("# Plan: x\n## Goal: a\n<!-- id: a -->\nstatus: cancelled\n"), []);
}

#[test]
fn needs() {
    let goals =
        |a: &str, b: &str| codes(&format!("## Goal: a\n<!-- id: a -->\n{a}\n## Goal: b\n<!-- id: b -->\n{b}\n"));
    assert_eq!(goals("needs: b, who", ""), ["needs-unknown 3:11"]);
    assert_eq!(goals("needs:\n- b\n- bb", ""), ["needs-unknown 5:3"]);
    assert_eq!(goals("needs: a", ""), ["needs-itself 3:8"]);
    assert_eq!(goals("needs: b", "status: cancelled"), ["needs-cancelled 3:8"]);
    assert_eq!(goals("needs: b", "needs: a"), ["needs-cycle 3:1"]);
    let source = "## Goal: a\n<!-- id: a -->\nneeds: b\n## Goal: b\n<!-- id: b -->\nneeds: a\n";
    assert_eq!(errors(&parse(source.as_bytes()).unwrap())[0].message, "these goals need each other: a -> b -> a");
}

// P-7, P-52
#[test]
fn a_done_goal_without_a_matching_sign_off() {
    let source = "## Goal: a\n<!-- id: a -->\nstatus: done\n";
    assert_eq!(codes(source), ["not-signed-off 3:9"]);
    let other = format!(
        "{source}\n## Log\n- 2026-06-15 14:02  a signed off (verify none, gate fast, oracle accept by human, contract 000000000000, tree none, at none)\n"
    );
    let finding = found(&other).into_iter().find(|finding| finding.code == "not-signed-off").unwrap();
    assert_eq!(finding.message, "`a` is done but was signed off for another contract");
    assert_eq!(codes(&format!("# Archive\n{source}")), [""; 0]);
}

// P-7, P-13
#[test]
fn a_goal_below_the_archive_that_is_not_finished_is_an_error() {
    let archived = |status: &str| codes(&format!("# Archive\n## Goal: a\n<!-- id: a -->\n{status}\n"));
    assert_eq!(archived("status: open"), ["archived-open 4:9"]);
    assert_eq!(archived("status: active"), ["archived-open 4:9"]);
    assert_eq!(archived("status: doing"), ["archived-open 4:9"]);
    assert_eq!(archived("done_when: x"), [""; 0]);
    let known = "## Log\n- 2026-06-15 14:02  a added (contract 000000000000)\n# Archive\n## Goal: a\n<!-- id: a -->\n";
    assert_eq!(codes(known), ["archived-open 4:1"]);
    assert_eq!(archived("status: done"), [""; 0]);
    assert_eq!(archived("status: cancelled"), [""; 0]);
    let source = "# Plan: x\n# Archive\n## Goal: a\n<!-- id: a -->\nstatus: open\n";
    let found = errors(&parse(source.as_bytes()).unwrap());
    assert_eq!(found[0].message, "`a` is below `# Archive`, where nobody sees it, and is still open");
}

#[test]
fn steps() {
    let steps = |lines: &str| codes(&format!("## Goal: a\n{lines}"));
    assert_eq!(steps("- [ ] 1. a\n- [ ] 2. b\n- [ ] 1. c\n"), ["step-number-twice 4:7"]);
    assert_eq!(steps("- [ ] 1. a (after 1)\n- [ ] 2. b (after 7, 1)\n"), ["after-itself 2:7", "after-unknown 3:7"]);
    assert_eq!(steps("- [ ] 1. a\n# Archive\n## Goal: b\n- [x] 1. c\n"), ["step-number-twice 2:7"]);
}

#[test]
fn a_step_that_is_meant_by_its_place_is_named_with_its_line() {
    let remedy = |source: &str| {
        let found = found(source);
        found.into_iter().find(|finding| finding.code == "after-unknown").map(|finding| finding.remedy).unwrap()
    };
    let source = "## Goal: a\n- [ ] x\n- [ ] y (after 1)\n";
    assert_eq!(remedy(source), "if the step in line 2 is meant, write `1. ` in front of its text");
    let numbers = "`(after …)` takes numbers of steps in this plan";
    // The first step has a number, and another one; there is no third.
    assert_eq!(remedy("## Goal: a\n- [ ] 2. x\n- [ ] y (after 1)\n"), numbers);
    assert_eq!(remedy("## Goal: a\n- [ ] x\n- [ ] y (after 3)\n"), numbers);
}

#[test]
fn a_number_that_stands_twice_is_replaced_by_a_free_one() {
    let fixed = |steps: &str| {
        let source = format!("## Goal: a\n<!-- id: a-1 -->\n{steps}## Log\n- 2026-06-15 14:02  step 7 complete: x\n");
        let plan = parse(source.as_bytes()).unwrap();
        let edits = crate::plan::change::edits(&plan, &super::fixes(&plan)).unwrap();
        let after = crate::plan::edit::apply(source.as_bytes(), &edits).unwrap();
        String::from_utf8(after).unwrap().lines().filter(|line| line.contains('[')).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        fixed("- [ ]   1.  a (run: x)\n- [x] 1. b — c\n- [ ] 2. d\n- [ ] 1. e\n"),
        "- [ ]   8.  a (run: x); - [x] 1. b — c; - [ ] 2. d; - [ ] 9. e"
    );
    // `(after 1)` could mean either.
    assert_eq!(fixed("- [ ] 1. a\n- [ ] 1. b\n- [ ] 2. c (after 1)\n"), "- [ ] 1. a; - [ ] 1. b; - [ ] 2. c (after 1)");
}

#[test]
fn log() {
    assert_eq!(codes("## Log\n- x\n\n## Log\n- y\n"), ["several-logs 1:1"]);
    assert_eq!(
        codes(
            "## Log\n- 2026-06-15 14:02  ok\n- 2026-6-15 14:02  x\n- 2026-06-15 x\n2026-06-15 14:02  x\n- 2026/06/15 14:02 x\n- 2026-13-15 14:02  x\n- 2026 was good\n- **2026-06-15** x\n"
        ),
        ["log-stamp 3:1", "log-stamp 4:1", "log-stamp 5:1", "log-stamp 6:1", "log-stamp 7:1", "log-stamp 9:1"]
    );
    assert_eq!(codes("## Log:\n## logs\n## Logging\n"), ["near-log 1:1", "near-log 2:1"]);
}

#[test]
fn headings_that_nearly_begin_a_goal() {
    for (line, near) in [
        ("# Goal: x", true),
        ("### Goal: x", true),
        ("## Goal - x", true),
        ("## Goal — x", true),
        ("## Goal : x", true),
        ("## Goal 1: x", true),
        ("## GOAL. x", true),
        ("##Goal: x", true),
        ("## Goal", true),
        ("###### goal: x", true),
        ("## Goal：x", true),
        ("## Goal: x", false),
        ("  ## goal: x ##", false),
        ("## Goals", false),
        ("# Goal", false),
        ("### Goal", false),
        ("## Goal tracking", false),
        ("## Goal 2 of the year", false),
        ("#goals are nice", false),
        ("## Gøal - x", false),
    ] {
        let codes = codes(&format!("{line}\n"));
        assert_eq!(codes.iter().any(|code| code.starts_with("near-goal")), near, "{line}: {codes:?}");
    }
    assert_eq!(codes("# Archive\n### Goal: x\n"), [""; 0]);
    // The lines below a heading show that it is a goal, whatever the heading says.
    assert_eq!(codes("## Feature A\nstatus: open\nverify: make test\n"), ["near-goal 1:1"]);
    assert_eq!(codes("## Feature A\n\nstatus: open\n\nfailure_modes:\n- x\n## Goal: b\n"), ["near-goal 1:1"]);
    for other in ["## Other\nverify: x\n", "## Other\nStatus: x\nVerify: y\n", "### Other\nstatus: x\nverify: y\n"] {
        assert_eq!(codes(other), [""; 0], "{other}");
    }
    // A goal is reported only once.
    assert_eq!(codes("## Goal - x\nstatus: open\nverify: make\n"), ["near-goal 1:1"]);
    // The heading and one line below it show that it is a goal.
    assert_eq!(codes("## Goal two\nstatus: open\n## Goal: b\n"), ["near-goal 1:1"]);
    assert_eq!(codes("## Goal: a\n## Goal two\n\ntext\n\n- [ ] b\n- [ ] c\n"), ["near-goal 2:1"]);
    assert_eq!(codes("## Goal: a\n## Goal tracking\n\ntext\n"), [""; 0]);
    assert_eq!(codes("## Goal: a\n## archive\n"), ["near-archive 2:1"]);
    for word in ["Gaol", "Goa", "goall", "GAOL", "Goals"] {
        assert_eq!(codes(&format!("## {word}: b\n<!-- id: b-1 -->\nstatus: open\n")), ["near-goal 1:1"], "{word}");
        assert_eq!(codes(&format!("## {word}: b\n\ntext\n")), [""; 0], "{word}");
    }
}

#[test]
fn lines_that_nearly_are_fields() {
    for (line, column) in [
        ("Done_when: x", 1),
        ("doneWhen: x", 1),
        ("Verify : x", 1),
        ("verify : x", 1),
        ("failure modes: x", 1),
        ("Failure-Modes: x", 1),
        ("STATUS: done", 1),
        ("**status**: open", 1),
        (" status: done", 2),
        ("   verify: x", 4),
        ("- status: open", 3),
        ("done when: x", 1),
        ("failure_mode: x", 1),
        ("MayChange: x", 1),
    ] {
        assert_eq!(codes(&format!("## Goal: a\n\n{line}\n")), [format!("near-field 3:{column}")], "{line}");
    }
    for line in [
        "statuses: x", "note: x", "status", "a status: x", "see https://verify: x", "verify-all: x", "- [ ] status: x",
        "> status: x",
    ] {
        assert_eq!(codes(&format!("## Goal: a\n\n{line}\n")), [""; 0], "{line}");
    }
    assert_eq!(codes("## Goal: a\n### Notes\nmore: x\nverify: x\n"), ["field-below-heading 4:1"]);
    let continued = |line: &str| codes(&format!("## Goal: a\nfailure_modes:\n- x\n{line}\n"));
    assert_eq!(continued("\tstatus: active"), ["near-field 4:2"]);
    assert_eq!(continued("  verify: make"), ["near-field 4:3"]);
    for line in ["  status: 500 is returned", "  failure_modes: more", "  evidence: see x", "  Verify: x"] {
        assert_eq!(continued(line), [""; 0], "{line}");
    }
    assert_eq!(codes("## Goal: a\ndone_when: x\n  Status: part of the value\n- Verify: an item\n"), [""; 0]);
    assert_eq!(codes("Status: x\n## Other\nVerify: y\n"), [""; 0]);
}

#[test]
fn lines_that_nearly_are_steps() {
    for line in [
        "- [X ] x", "- [ x] x", "- [] x", "- [  ] x", "-[ ] x", "-[x] x", "- [ ]x", "- [v] x", "- [✓] x", "- [*] x",
        "1. [ ] x", "[ ] x", "[x] x", "• [ ] x", "– [x] x", "* [] x", "- [~] x",
    ] {
        let codes = codes(&format!("## Goal: a\n\n{line}\n"));
        assert!(codes.len() == 1 && codes[0].starts_with("near-checkbox 3:"), "{line}: {codes:?}");
    }
    for line in [
        "- [ ] x", "* [X] x", "+ [/] x", "- [!] x", "- [-] x", "- [link](x)", "- [x](y)", "- [1] note", "- [a] x",
        "[x]: http://y", "- []()", "- text [ ]", "- [ ]", "- [WIP] x",
    ] {
        assert_eq!(codes(&format!("## Goal: a\n\n{line}\n")), [""; 0], "{line}");
    }
    assert_eq!(codes("## Tasks\n- [X ] x\n"), [""; 0]);
}

#[test]
fn structure_that_indentation_makes_code() {
    assert_eq!(codes("## Goal: a\n\n    - [ ] x\n"), ["indented-code 3:5"]);
    assert_eq!(codes("## Goal: a\n\n\tstatus: done\n"), ["indented-code 3:2"]);
    let all = |source: &str| found(source).into_iter().map(|one| one.code).collect::<Vec<_>>();
    let source = "# Plan: x\n## Goal: a\n<!-- id: a -->\n\tstatus: done\n";
    assert_eq!(all(source), ["no-done-when", "indented-code"]);
    assert_eq!(codes("## Goal: a\n\n    let x = 1;\n"), [""; 0]);
    assert_eq!(codes("## Goal: a\n- [ ] x\n    - [ ] below it\n"), [""; 0]);
}

#[test]
fn what_is_never_closed_swallows_the_rest() {
    assert_eq!(codes("## Goal: a\n```\n## Goal: b\n- [X ] x\n"), ["unclosed-fence 2:1"]);
    assert_eq!(codes("## Goal: a\n<!-- x\n## Goal: b\n"), ["unclosed-comment 2:1"]);
}

#[test]
fn findings_are_sorted_by_place() {
    let source = "---\nx: y\n---\n## Goal: a\nstatus: no\nVerify: x\n- [ ] 1. a\n- [ ] 1. b (after 9)\n## Goal: b\n<!-- id: B -->\n## Log\n- 2026-1-1 x\n";
    let starts: Vec<u32> = found(source).iter().map(|finding| finding.span.start).collect();
    assert!(starts.len() > 8 && starts.is_sorted());
}

#[test]
fn the_short_list_holds_the_errors_of_the_long_one() {
    let source = "---\nmode: x\n---\n## Goal: a\n<!-- id: a -->\nstatus: no\nneeds: b\nneeds: c\n- [ ] 1. a\n- [ ] 1. b (after 9)\n### Goal: near\n";
    let long: Vec<LintFinding> =
        found(source).into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert_eq!(errors(&parse(source.as_bytes()).unwrap()), long);
    assert!(long.len() > 5);
}

#[test]
fn every_span_lies_in_the_source_between_characters() {
    for source in [
        CLEAN, "## Goal: a\n\nstatus:", "- [X ] x\n## Goal: ü\nVerify : ü\n- [ü] x", "## Goal:\n<!-- id: -->\nneeds: ü",
    ] {
        for finding in found(source) {
            assert!(source.get(finding.span.range()).is_some(), "{finding:?}");
        }
    }
}

#[test]
fn an_underline_makes_no_heading() {
    let found = |text: &str| {
        let source = format!("# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n\n{text}");
        lint(&crate::plan::parse(source.as_bytes()).unwrap()).iter().any(|found| found.code == "near-heading")
    };
    assert!(found("Next part\n=========\nverify: x\n"));
    assert!(!found("Next part\n\n=========\n") && !found("a\n==\n") && !found("```\na\n====\n```\n"));
}

#[test]
fn a_new_error_is_not_taken_for_an_old_one() {
    let goal = |id: &str, status: &str| format!("## Goal: {id}\n<!-- id: {id} -->\nstatus: {status}\n");
    let old = [goal("a-1", "open"), goal("b-1", "odd")].concat();
    let new = [goal("a-1", "new"), goal("b-1", "odd")].concat();
    let (old, new) = (parse(old.as_bytes()).unwrap(), parse(new.as_bytes()).unwrap());
    let found = new_errors(&old, &new);
    assert!(found.len() == 1 && found[0].contains("`new`"), "{found:?}");
    assert_eq!(new_errors(&new, &old), [""; 0]);
}
