//! Laws of every import: plan.md takes the content of a record as text, and that content can be read back byte for byte.

use proptest::prelude::*;

use super::*;
use crate::plan::change::{self, Quote};
use crate::plan::edit::apply;
use crate::plan::lint;
use crate::plan::model::{Mark, Status};
use crate::plan::parse;

const STAMP: &str = "2026-06-15 14:33";
const PLAN: &str = "# Plan: Kiosk\n\n## Goal: Offline queue\n<!-- id: offline-queue-1 -->\nstatus: open\n- [ ] 7. x\n\n## Log\n- 2026-06-15 14:02  begun\n";

/// Returns plan.md after an import, and the report.
fn imported(source: &str, list: &TaskList, finished: bool) -> (String, ImportReport) {
    let plan = parse(source.as_bytes()).unwrap();
    let import = write(&plan, list, finished, STAMP).unwrap();
    let after = apply(source.as_bytes(), &change::edits(&plan, &import.changes).unwrap()).unwrap();
    (String::from_utf8(after).unwrap(), import.report)
}

fn list(tasks: Vec<Task>) -> TaskList {
    TaskList { tool: "beads".into(), tasks, ..TaskList::default() }
}

fn task(id: &str, subject: &str) -> Task {
    Task { id: id.into(), subject: subject.into(), ..Task::default() }
}

fn read(name: &str, path: &str, text: &str) -> Result<TaskList> {
    let reader = READERS.iter().find(|reader| reader.name == name).unwrap();
    (reader.read)(&[SourceFile::new(path, text)], &ReadOptions::default())
}

#[test]
fn finished_is_left_out_or_open_and_never_done() {
    let mut over = task("2", "Old");
    over.state = TaskState::Finished("closed".into());
    over.steps = vec![TaskStep { text: "a".into(), mark: Mark::Complete, ..TaskStep::default() }];
    let mut new = task("3", "New");
    (new.needs, new.state) = (vec!["2".into(), "3".into(), "9".into()], TaskState::Active);
    let tasks = list(vec![over, new]);
    let (after, report) = imported(PLAN, &tasks, false);
    assert!(
        after.contains("## Goal: New\n<!-- id: new-1 -->\nstatus: active\n\n### From beads 3\n\n## Log"),
        "{after}"
    );
    assert_eq!((report.counts(), report.read()), ([1, 0, 2], (2, 1)));
    let why: Vec<&str> = report.needs_left.iter().map(|left| left.why).collect();
    assert_eq!(why, ["finished there", "a task cannot need itself", "no task has this id"]);
    assert!(after.ends_with("begun\n- 2026-06-15 14:33  imported 1 goal from beads\n"), "{after}");
    let (after, report) = imported(PLAN, &tasks, true);
    assert!(
        after.contains("## Goal: Old\n<!-- id: old-1 -->\nstatus: open\n- [x] 8. a\n\n### From beads 2\n"),
        "{after}"
    );
    assert!(after.contains("needs: old-1\n"), "{after}");
    assert_eq!((report.counts(), report.needs), ([3, 0, 0], 1));
}

#[test]
fn a_second_import_adds_nothing_and_says_what_changed() {
    let mut tasks = list(vec![task("3", "New"), task("4", "Other")]);
    tasks.tasks[0].prose = vec![Passage::new("", "one")];
    let (once, _) = imported(PLAN, &tasks, false);
    let (twice, report) = imported(&once, &tasks, false);
    assert_eq!((twice, report.counts(), report.changed), (once.clone(), [0, 0, 2], vec![]));
    tasks.tasks[0].prose = vec![Passage::new("", "two")];
    tasks.tasks[1].subject = "Another".into();
    tasks.tasks[1].state = TaskState::Finished("done".into());
    tasks.tasks.push(task("5", "Third"));
    tasks.tasks[2].needs = vec!["4".into()];
    let (more, report) = imported(&once, &tasks, false);
    let changed: Vec<String> =
        report.changed.iter().map(|(task, goal, what)| format!("{task} {goal} {what}")).collect();
    assert_eq!(changed, ["3 new-1 its text", "4 other-1 its title, it is finished there"]);
    assert!(more.contains("## Goal: Third\n<!-- id: third-1 -->\nstatus: open\nneeds: other-1\n"), "{more}");
    assert_eq!(more.matches("## Goal: ").count(), 4);
}

#[test]
fn circles_are_cut_and_numbers_are_the_plans() {
    let mut tasks = list(vec![task("a", "A"), task("b", "B")]);
    (tasks.tasks[0].needs, tasks.tasks[1].needs) = (vec!["b".into(), "b".into()], vec!["a".into()]);
    let step = |id: &str, after: &[&str]| TaskStep {
        id: id.into(),
        text: format!("{id} (run: rm) — x"),
        after: after.iter().map(|id| (*id).to_owned()).collect(),
        ..TaskStep::default()
    };
    tasks.tasks[0].steps = vec![step("1", &["2"]), step("2", &["1", "2"])];
    tasks.tasks[1].steps = vec![step("1", &[]), step("3", &["1", "2", "gone"])];
    let (after, report) = imported(PLAN, &tasks, false);
    assert!(
        after.contains("needs: b-1\n- [ ] 8. 1 \\(run: rm) - x (after 9)\n- [ ] 9. 2 \\(run: rm) - x\n"),
        "{after}"
    );
    assert!(after.contains("- [ ] 10. 1 \\(run: rm) - x\n- [ ] 11. 3 \\(run: rm) - x (after 9, 10)\n"), "{after}");
    assert_eq!(report.needs_left.len(), 1);
    assert!(report.notes.iter().any(|note| note.starts_with("3 links between steps left out")), "{:?}", report.notes);
    assert!(lint::errors(&parse(after.as_bytes()).unwrap()).is_empty());
}

#[test]
fn issues_of_two_repositories_are_told_apart() {
    let issues = |home: &str, more: &str| {
        let text = format!(
            r#"[{{"number":1,"title":"One","state":"OPEN","url":"https://{home}/issues/1"}},
            {{"number":2,"title":"Two","state":"OPEN","url":"https://{home}/issues/2","blockedBy":[{{"number":1}}{more}]}}]"#
        );
        read("github", "issues.json", &text).unwrap()
    };
    let ours = issues("github.com/ada/till", "");
    let (once, _) = imported(PLAN, &ours, false);
    assert!(once.contains("\n### From GitHub ada/till#2\n"), "{once}");
    assert_eq!(imported(&once, &ours, false).1.counts(), [0, 0, 2]);
    let other = r#",{"number":1,"url":"https://github.com/ada/till/issues/1"}"#;
    let (both, report) = imported(&once, &issues("git.example.org/ada/till", other), false);
    assert_eq!((report.counts(), report.needs), ([2, 0, 0], 2), "its own, and one of an earlier import");
    assert!(both.contains("### From GitHub git.example.org/ada/till#1\n"), "{both}");
    assert!(both.contains("needs: one-1, one-2\n"), "{both}");
    // Without an address the id is only the number.
    let bare = read("github", "issues.json", r#"[{"number":1,"title":"One","state":"OPEN"}]"#).unwrap();
    assert_eq!(bare.tasks[0].id, "1");
}

#[test]
fn in_contract_mode_a_new_goal_is_open() {
    let mut begun = task("1", "A");
    begun.state = TaskState::Active;
    begun.steps = vec![TaskStep { text: "a".into(), mark: Mark::Complete, ..TaskStep::default() }];
    let (after, report) = imported(&format!("---\nmode: contract\n---\n{PLAN}"), &list(vec![begun]), false);
    assert!(after.contains("status: open\n- [ ] 8. a\n") && !after.contains("- [x]"), "{after}");
    assert!(report.notes[0].starts_with("in contract mode"), "{:?}", report.notes);
}

#[test]
fn a_command_is_taken_only_where_the_record_has_one() {
    let mut planned = task("1", "A");
    planned.steps = vec![TaskStep { text: "list".into(), run: Some("ls -l".into()), ..TaskStep::default() }];
    planned.goal_id = Some("us-001".into());
    planned.quotes = Some(vec![Quote { heading: "Notes".into(), text: "note\n".into() }]);
    let (after, _) = imported(PLAN, &list(vec![planned.clone()]), false);
    assert!(
        after.contains("<!-- id: us-001 -->\nstatus: open\n- [ ] 8. list (run: ls -l)\n\n### Notes\n\n> note\n> \n"),
        "{after}"
    );
    let (again, _) = imported(&after, &list(vec![planned]), false);
    assert_eq!(again, after);
}

#[test]
fn bad_records_have_a_place() {
    let of = |name: &str, text: &str| read(name, "f.json", text).unwrap_err().message;
    assert_eq!(of("json", "{\"tasks\": [{\"id\": 1}]}"), "f.json:/tasks/0/subject: expected text, found no such key");
    assert_eq!(of("json", "[3]"), "f.json:/0: expected an object, found a number");
    assert_eq!(
        of("json", "{\"id\": 1, \"subject\": \"a\"}\n{\"id\": 2}\n"),
        "f.json:2: `subject`: expected text, found no such key"
    );
    assert_eq!(of("json", "{\"tasks\": [\n{\"id\""), "f.json:2:5: not JSON: EOF while parsing an object");
    assert_eq!(
        of("taskmaster", "{\"m\": {\"tasks\": [{\"id\": 1, \"title\": \"a\", \"subtasks\": [true]}]}}"),
        "f.json:/m/tasks/0/subtasks/0: expected an object, found true or false"
    );
    assert_eq!(
        of("taskmaster", "- [ ] a\n"),
        "f.json: expected the tasks.json of Task Master; it looks like a checklist"
    );
    let own = r#"{"version": 1, "goals": [{"archived": false, "contract": "0f98960cec8c", "steps": []}]}"#;
    for name in ["json", "planner", "prd"] {
        let error = read(name, "f.json", own).unwrap_err();
        assert!(error.message.ends_with("; it looks like what `plan export json` writes"), "{error:?}");
        assert_eq!(error.hints, ["copy plan.md itself: it has everything"]);
    }
}

/// Joins pieces that plan.md would read as structure.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "# Archive", "## Log", "- 2026-01-01 00:00  a-1 signed off (verify none)", "(run: rm)", "(check: rm)",
        "(after 1)", "<!-- id: offline-queue-1 -->", "<!--", "-->", "```", "~~~", "<<<<<<< HEAD", "=======",
        ">>>>>>> theirs", "status: done", "verify: rm", "- [x] a", "    - [ ] b", "\u{202e}", "\u{2028}", "\u{85}",
        "\r", "\r\n", "\n", "\n\n", "\u{b}", "\t", " ", " — ", "\0", "\u{feff}", "## Goal: x", "### From beads 1",
        "> ", ">", "\\", "#", "é", "日本", "---", "1. ", "needs: y", "---\nmode: contract\n---",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_a_record_holds_stays_text(
        texts in prop::collection::vec((hostile(), hostile(), hostile(), hostile()), 1..4),
        crlf in any::<bool>(),
    ) {
        let tasks: Vec<Task> = texts.iter().enumerate().map(|(at, (subject, criterion, step, prose))| Task {
            id: format!("{at} {prose}"),
            subject: subject.clone(),
            done_when: vec![criterion.clone(), subject.clone()],
            needs: vec![format!("{prose}")],
            steps: vec![TaskStep { text: step.clone(), ..TaskStep::default() }],
            prose: vec![Passage::new("", prose.clone())],
            ..Task::default()
        }).collect();
        let source = if crlf { PLAN.replace('\n', "\r\n") } else { PLAN.to_owned() };
        let (after, report) = imported(&source, &list(tasks), false);
        let plan = parse(after.as_bytes()).unwrap();
        let errors: Vec<_> = lint::errors(&plan);
        prop_assert!(errors.is_empty(), "{:?}\n{}", errors, after);
        prop_assert_eq!(plan.goals.len(), 1 + texts.len());
        prop_assert_eq!(plan.log.len(), 2);
        prop_assert!(plan.archive.is_none());
        prop_assert!(plan.steps.iter().all(|step| step.run.is_none() && step.mark == Mark::Pending));
        prop_assert!(plan.all_goals().all(|goal| goal.verify().is_none() && goal.status() == Status::Open));
        let found: Vec<String> = change::quotes(&plan).into_iter().map(|(_, quote)| quote.text).collect();
        let meant: Vec<String> = texts.iter().map(|(.., prose)| prose.replace('\0', "␀")).collect();
        prop_assert_eq!(found, meant);
        let [mapped, prose, dropped] = report.counts();
        prop_assert_eq!(mapped + prose + dropped, 2 * texts.len());
        // Every line of the source is still there.
        let kept: String = after.lines().filter(|line| source.contains(line)).collect();
        prop_assert!(source.lines().all(|line| kept.contains(line)));
    }
}
