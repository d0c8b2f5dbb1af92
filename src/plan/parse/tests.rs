//! The sentences of `FORMAT.md` §1 and §2, one by one.

use std::path::Path;

use super::*;
use crate::plan::model::{Mark, Status};

fn read(source: &str) -> Plan<'_> {
    parse(source.as_bytes()).unwrap()
}

/// Steps as `mark number text | after | run | outcome`, only what is there.
fn steps(plan: &Plan<'_>) -> Vec<String> {
    plan.all_steps()
        .map(|step| {
            let raw = step.raw();
            let mut shown = format!("[{}]", raw.mark.character());
            shown += &raw.number.map(|number| format!(" {number}.")).unwrap_or_default();
            shown += &format!(" {}", step.text());
            if !step.after().is_empty() {
                shown += &format!(" | after {:?}", step.after());
            }
            shown += &step.run().map(|run| format!(" | run {run}")).unwrap_or_default();
            shown += &step.outcome().map(|outcome| format!(" | {outcome}")).unwrap_or_default();
            shown.trim_end().to_owned()
        })
        .collect()
}

fn list(source: &str, key: Key) -> Vec<String> {
    let plan = read(source);
    plan.goal(0).unwrap().list(key).into_iter().map(|text| text.into_owned()).collect()
}

// P-28, P-29, P-30, P-31, P-32, P-33, P-34, P-35, P-36, P-37, P-38
#[test]
fn the_whole_example() {
    let source = include_str!("../../../fixtures/plans/valid/whole.md");
    let plan = read(source);
    assert!(plan.is_contract_mode());
    assert_eq!(plan.objective(), Some("Faster search"));
    let names: Vec<_> =
        plan.all_goals().map(|goal| (goal.id().unwrap(), goal.status().word(), goal.raw().archived)).collect();
    let expected = [("cache-layer-1", "active", false), ("document-it-1", "open", false), ("schema-1", "done", true)];
    assert_eq!(names, expected);
    let goal = plan.goal(0).unwrap();
    assert_eq!(goal.subject(), "Implement cache layer");
    assert_eq!(goal.criteria(), ["p95 < 50ms on bench-X. If wrong: timeouts in load-test.log"]);
    assert_eq!(goal.verify().unwrap(), "pytest tests/cache -q && python bench/p95.py --max-ms 50");
    let modes = goal.failure_modes();
    assert_eq!(modes.len(), 3);
    assert_eq!(modes[1].check.as_deref(), Some("python bench/evictions.py --min 1"));
    assert_eq!(goal.words_of_needs(), ["schema-1"]);
    assert_eq!(
        steps(&plan),
        [
            "[x] 1. wire cache client | pool of 8, see bench/pool.log",
            "[/] 2. eviction policy",
            "[ ] 3. load test | after [1, 2] | run make load",
            "[-] 5. remove it | stays until the next release",
            "[x] 4. compare three | see notes.md",
        ]
    );
    assert_eq!(plan.goal(1).unwrap().criteria(), ["README.md has a section", "and an example"]);
    assert_eq!(plan.goal(1).unwrap().priority(), 3);
    assert_eq!(plan.log_lines().collect::<Vec<_>>(), [("2026-06-15 14:02", "cache client wired; eviction next")]);
    assert_eq!(plan.findings, []);
}

#[test]
fn every_form_reads_the_same() {
    let source = include_str!("../../../fixtures/plans/valid/whole.md");
    let expected = steps(&read(source));
    let crlf = source.replace('\n', "\r\n");
    let spaced = source.replace('\n', " \t\n");
    for form in [crlf.as_str(), &format!("\u{feff}{source}"), source.trim_end(), &spaced] {
        let plan = read(form);
        assert_eq!(steps(&plan), expected);
        assert_eq!(plan.objective(), Some("Faster search"));
        assert!(plan.is_contract_mode());
        assert_eq!(plan.goal(0).unwrap().failure_modes().len(), 3);
    }
}

#[test]
fn front_matter_stands_between_two_lines_at_the_very_top() {
    let plan = read(
        "---\nmode: contract # agreed\nbudget: \"20\"\nnested:\n  - x\nremind_every: 'a # b'\nurl: a#b\n---\n# Plan: x\n",
    );
    let entries: Vec<_> =
        plan.front_entries.iter().map(|entry| (plan.text(entry.key), plan.text(entry.value))).collect();
    let expected = [("mode", "contract"), ("budget", "20"), ("nested", ""), ("remind_every", "a # b"), ("url", "a#b")];
    assert_eq!(entries, expected);
    for prose in
        ["---\nmode: contract\n# Plan: x\n", "\n---\nmode: contract\n---\n", "# Plan: x\n---\nmode: contract\n---\n"]
    {
        assert!(read(prose).front.is_none() && read(prose).front_entries.is_empty(), "{prose}");
    }
}

#[test]
fn headings() {
    let plan = read(
        "# plan: one\n# Plan: two\n   ## GOAL:  A  ##\n##\tGoal:B#\n    ## Goal: code\n##Goal: C\n####### Goal: D\n## Goal\n## Goals: E\n",
    );
    assert_eq!(plan.objective(), Some("one"));
    let subjects: Vec<_> = plan.all_goals().map(|goal| goal.subject()).collect();
    assert_eq!(subjects, ["A", "B#"]);
}

#[test]
fn a_goal_ends_at_the_next_heading_of_level_one_or_two() {
    let source = "## Goal: A\nstatus: done\n### Notes\nstatus: open\nverify: x\n- [ ] counts\n## Else\n- [ ] no step\nstatus: x\n# Log\n- [ ] nor this\n";
    let plan = read(source);
    let goal = plan.goal(0).unwrap();
    assert_eq!((goal.status(), goal.verify(), goal.fields().len()), (Status::Done, None, 1));
    assert_eq!(steps(&plan), ["[ ] counts"]);
    assert_eq!(plan.text(goal.raw().body), &source[..source.find("## Else").unwrap()]);
}

#[test]
fn ids() {
    let long = "x".repeat(64);
    for (comment, id) in [
        ("<!-- id: a-1 -->", Some("a-1")),
        ("  <!--id:a_b-->  ", Some("a_b")),
        (&format!("<!-- id: {long} -->"), Some(long.as_str())),
        (&format!("<!-- id: {long}x -->"), None),
        ("<!-- id: A-1 -->", None),
        ("<!-- id: -a -->", None),
        ("<!-- id: -->", None),
        ("x <!-- id: a-1 -->", None),
        ("<!-- id: a-1 --> x", None),
        ("    <!-- id: a-1 -->", None),
        ("<!-- id: a-1\n-->", None),
    ] {
        assert_eq!(read(&format!("## Goal: A\n{comment}\n")).goal(0).unwrap().id(), id, "{comment}");
    }
}

#[test]
fn fields() {
    assert_eq!(list("## Goal: A\ndone_when: one\n  two\n\tthree\nfour\n", Key::DoneWhen), ["one two three"]);
    assert_eq!(list("## Goal: A\ndone_when: one\n\n  two\n", Key::DoneWhen), ["one"]);
    assert_eq!(list("## Goal: A\ndone_when:\n- a\n  more\n- b\n", Key::DoneWhen), ["a more", "b"]);
    assert_eq!(list("## Goal: A\ndone_when:\n\n  - a\n  - b\n", Key::DoneWhen), ["a", "b"]);
    assert_eq!(list("## Goal: A\ndone_when:\n\n\n- a\n", Key::DoneWhen), [""; 0]);
    assert_eq!(list("## Goal: A\ndone_when:\n- a\n- [ ] step\n- b\n", Key::DoneWhen), ["a"]);
    assert_eq!(list("## Goal: A\ndone_when:\n- a\nprose\n- b\n", Key::DoneWhen), ["a"]);
    assert_eq!(list("## Goal: A\ndone_when:\n- a\n\n- b\n", Key::DoneWhen), ["a", "b"]);
    assert_eq!(list("## Goal: A\ndone_when: one\n\n- prose\n", Key::DoneWhen), ["one"]);
    assert_eq!(list("## Goal: A\nverify: make\n- prose\n", Key::Verify), ["make"]);
    assert_eq!(list("## Goal: A\n verify: make\nVerify: make\n- verify: make\nother: x\n", Key::Verify), [""; 0]);
    let twice = read("## Goal: A\nstatus: done\nstatus: open\n");
    assert_eq!(twice.goal(0).unwrap().status(), Status::Done);
    assert_eq!(twice.fields.iter().map(|field| field.repeated).collect::<Vec<_>>(), [false, true]);
    let unknown = read("## Goal: A\nstatus: wat\npriority: 9\nkind: song\n");
    let goal = unknown.goal(0).unwrap();
    assert_eq!((goal.status(), goal.priority(), goal.kind().word()), (Status::Open, 2, "feature"));
}

// P-32: lines that users indent by four columns or a tab, where CommonMark continues the paragraph.
#[test]
fn a_list_may_be_indented_ever_so_deep() {
    for indent in ["    ", "\t", "        ", "  \t"] {
        let source = "## Goal: A\nfailure_modes:\n> - a (check: sh a.sh)\n> - b\n>   more\n> - c (check: sh c.sh)\n";
        let source = source.replace("> ", indent);
        assert_eq!(
            list(&source, Key::FailureModes),
            ["a (check: sh a.sh)", "b more", "c (check: sh c.sh)"],
            "{source}"
        );
        let source = format!("## Goal: A\nverify: make\n{indent}- [ ] 1. s\n{indent}- [x] t\n");
        assert_eq!(list(&source, Key::Verify), ["make"], "{source}");
        assert_eq!(steps(&read(&source)), ["[ ] 1. s", "[x] t"]);
    }
    assert_eq!(list("## Goal: A\nneeds: s\n\t- [ ] 1. x\n", Key::Needs), ["s"]);
    assert_eq!(list("## Goal: A\ndone_when: one\n    - two\n", Key::DoneWhen), ["one", "two"]);
    // A value of one line continues, as in CommonMark.
    assert_eq!(list("## Goal: A\nverify: cat\n    - x\n", Key::Verify), ["cat - x"]);
    assert_eq!(list("## Goal: A\ndone_when: at most\n    50. ms\n", Key::DoneWhen), ["at most 50. ms"]);
}

// P-32
#[test]
fn a_list_goes_on_over_a_comment_and_over_what_stands_in_its_items() {
    for between in [
        "<!-- c -->\n", "\n<!-- c -->\n", "\n  (a note)\n", "\n  (a note)\n\n", "  ```\n  x\n\n  ```\n",
        "\n\ta\n\tb\n\n",
    ] {
        let source = format!("## Goal: A\ndone_when:\n- a\n{between}- b\n");
        let plan = read(&source);
        assert_eq!(plan.goal(0).unwrap().criteria(), ["a", "b"], "{source}");
        assert_eq!(plan.findings, [], "{source}");
    }
    assert_eq!(list("## Goal: A\ndone_when:\n<!-- c -->\n- a\n", Key::DoneWhen), ["a"]);
}

// P-32: an item that is not read is reported.
#[test]
fn items_that_are_not_read_are_found() {
    let found = |text: &str| {
        let source = format!("## Goal: A\n{text}");
        let plan = read(&source);
        let findings = plan.findings.iter().map(|finding| (finding.severity, plan.text(finding.span).to_owned()));
        findings.collect::<Vec<_>>()
    };
    for between in ["```\nx\n```\n", "---\n", "lazy\n", "<!--\nx\n-->\n", "\n> quote\n"] {
        let text = format!("done_when:\n- a\n{between}- b\n- c\n");
        let expected = if between.contains("quote") { vec![] } else { vec![(Severity::Error, "- b".to_owned())] };
        assert_eq!(found(&text), expected, "{text}");
    }
    for text in ["done_when:\n1. b\n", "done_when:\n\n\n- b\n", "done_when:\n\n    - b\n", "done_when:\n- a\n  1. b\n"]
    {
        assert_eq!(found(text).iter().map(|found| found.0).collect::<Vec<_>>(), [Severity::Error], "{text}");
    }
    for text in ["needs:\n- a\n\n\n- b\n", "needs: a\n\n- b\n", "needs:\n- a\n- [ ] s\n- b\n", "needs: a\n\n    - b\n"]
    {
        assert_eq!(found(text), [(Severity::Warning, "- b".to_owned())], "{text}");
    }
    for text in [
        "done_when:\n- a\n\nNotes\n- b\n", "done_when:\n- a\n\nNotes\n\n- b\n", "done_when:\n- a\n- [ ] s\n  - b\n",
        "done_when:\n- a\n### Notes\n- b\n", "done_when:\n- a\nstatus: open\n- b\n", "verify: make\n- b\n", "- b\n",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn what_is_text_is_no_structure() {
    for text in [
        "```\n## Goal: x\nstatus: done\n- [ ] s\n```\n", "~~~~ sh\n```\n- [ ] s\n~~~\n- [ ] s\n~~~~~\n",
        "- item\n  ```\n- - [ ] s\n", "<!--\n## Goal: x\nstatus: done\n\n- [ ] s\n-->\n", "\n    - [ ] code\n",
        "> - [ ] quote\n> ## Goal: x\n", "- - [ ] inner\n", "1. [ ] ordered\n",
        "- [y] mark\n- [ ]glued\n- [x](link)\n-[ ] x\n", "- item\n\n      - [ ] code in the item\n",
    ] {
        let source = format!("## Goal: A\n{text}## Goal: B\n");
        let plan = read(&source);
        assert_eq!((plan.goals.len(), plan.steps.len(), plan.fields.len()), (2, 0, 0), "{text}");
    }
}

#[test]
fn fences_and_comments_end_where_they_end() {
    let plan = read("## Goal: A\n- a\n  ```\n  x\n- [ ] s\n````\n```\n- [ ] no\n  `````\n- [ ] t\n```\n- [ ] no\n");
    assert_eq!(steps(&plan), ["[ ] s", "[ ] t"]);
    assert_eq!(plan.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["unclosed-fence"]);
    let plan = read("## Goal: A\n<!-- x --> y\n- [ ] s\n<!-->\n- [ ] t\n<!--\n");
    assert_eq!(steps(&plan), ["[ ] s", "[ ] t"]);
    assert_eq!(plan.findings[0].code, "unclosed-comment");
    assert_eq!(plan.text(plan.unclosed.unwrap()), "<!--");
}

#[test]
fn steps_in_all_their_shapes() {
    let plan = read(
        "## Goal: A\n- [X] a\n* [!] b\n+ [-] c\n- item\n  - [ ] below\n      - [ ] deep\n1. n\n   - [/] under a number\n\
         - [ ] 12. x\n- [ ] 3\n- [ ] 4.\n- [ ] 1234567890. y\n-\t[ ] tab\n- [ ]\n- [x] t — o — p\n- [ ] u —v — \n\
         - [ ] w (run: a (b) c) (after 1,2)\n- [ ] (after 3)\n- [ ] v (after x)\n- [ ] z (run: ) \\(after 1) x\n- [ ] q (after 1) r\n",
    );
    assert_eq!(
        steps(&plan),
        [
            "[x] a", "[!] b", "[-] c", "[ ] below", "[ ] deep", "[/] under a number", "[ ] 12. x", "[ ] 3", "[ ] 4.",
            "[ ] 1234567890. y", "[ ] tab", "[ ]", "[x] t | o — p", "[ ] u —v", "[ ] w | after [1, 2] | run a (b) c",
            "[ ]  | after [3]", "[ ] v (after x)", "[ ] z (run: ) \\(after 1) x", "[ ] q (after 1) r",
        ]
    );
    assert_eq!(plan.steps[0].mark, Mark::Complete);
}

#[test]
fn a_step_ends_with_what_hangs_on_it() {
    let source = "## Goal: A\n- [ ] a\n  more\nlazy\n\n  ```\n  x\n\n  y\n  ```\n  - [ ] b\n- [ ] c\nstatus: open\n";
    let plan = read(source);
    let end = |index: usize| &source[plan.steps[index].line.start as usize..plan.steps[index].end as usize];
    assert!(end(0).ends_with("- [ ] b\n") && end(1) == "  - [ ] b\n" && end(2) == "- [ ] c\n");
}

#[test]
fn logs() {
    let source = "## Goal: A\n### LOG ##\n- 2026-06-15 14:02  a\n* 2026-06-15 14:03 b\n\n## Log\nprose\n- 2026-13-15 14:02  no\n- 2026-06-15 24:00  no\n\
                  - 2026-06-15 14:04\n### More\n- 2026-06-15 14:05   c  \n\n\n# Archive\n## Log\n- 2026-06-15 14:06  old\n";
    let plan = read(source);
    let lines: Vec<_> = plan.log_lines().map(|(stamp, text)| (&stamp[14..], text)).collect();
    assert_eq!(lines, [("02", "a"), ("03", "b"), ("04", ""), ("05", "c")]);
    assert_eq!(
        plan.logs.iter().map(|log| (log.level, log.archived)).collect::<Vec<_>>(),
        [(3, false), (2, false), (2, true)]
    );
    assert!(source[..plan.logs[1].insert_at as usize].ends_with("14:05   c  \n"));
}

#[test]
fn bytes_that_are_not_text_are_carried_along_in_prose() {
    let plan = parse(b"## Goal: A\nprose \xff\n\n- item \xfe\n## Other \xfd\n").unwrap();
    assert_eq!(plan.goals.len(), 1);
}

// The exact messages for items that are not read.
#[test]
fn refused_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/plans/invalid");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let error = parse(&std::fs::read(&path).unwrap()).unwrap_err();
            assert_eq!(error.kind, crate::error::Kind::Input);
            let expected = std::fs::read_to_string(path.with_extension("err")).unwrap_or_default();
            assert_eq!(format!("{}\n", error.message), expected, "{}", path.display());
            count += 1;
        }
    }
    assert_eq!(count, 4);
    let large = vec![b'\n'; (64 << 20) + 1];
    let error = parse(&large).unwrap_err();
    assert!(error.message.starts_with("67108865:1: expected at most 67108864 bytes (64 MiB), found "), "{error:.200}");
    assert!(parse(b"<<<<<<< x\n>>>>>>> y\n=======\n").is_ok());
}
