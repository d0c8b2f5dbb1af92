//! Every sample gives exactly the counts of the table. Cut and broken samples give an error with a place, or a plan without errors.

use std::path::{Path, PathBuf};

use plan::exchange::{READERS, ReadOptions, Reader, SourceFile, TaskList, write};
use plan::plan::change::edits;
use plan::plan::edit::apply;
use plan::plan::model::{Key, Mark, Status};
use plan::plan::{lint, parse};

use super::{EMPTY, fixture};
use crate::support::size;

/// Tool, sample; goals, active, steps, ticked, needs, needs left out as finished; tasks and boxes that are left out.
const COUNTS: [(&str, &str, [usize; 8]); 10] = [
    ("taskmaster", "task-master", [10, 2, 5, 2, 6, 4, 2, 0]),
    ("taskmaster", "task-master/legacy-tasks.json", [2, 0, 0, 0, 1, 0, 0, 0]),
    ("backlog", "backlog/backlog", [17, 2, 0, 0, 6, 6, 5, 0]),
    ("backlog", "backlog/custom", [3, 1, 0, 0, 1, 0, 2, 0]),
    ("beads", "beads", [13, 1, 0, 0, 4, 5, 3, 0]),
    ("openspec", "openspec", [3, 0, 26, 7, 0, 0, 1, 2]),
    ("speckit", "spec-kit", [7, 0, 15, 3, 8, 0, 0, 0]),
    ("planning-with-files", "planning-with-files", [4, 1, 11, 1, 3, 1, 1, 0]),
    ("taskwarrior", "taskwarrior", [15, 1, 0, 0, 7, 4, 3, 0]),
    ("markdown", "openspec/changes/add-offline-queue/tasks.md", [3, 0, 8, 2, 0, 0, 0, 0]),
];

fn reader(name: &str) -> &'static Reader {
    READERS.iter().find(|reader| reader.name == name).unwrap()
}

/// The files of a sample that its reader wants.
fn files(name: &str, sample: &str) -> Vec<SourceFile> {
    fn walk(path: &Path, found: &mut Vec<PathBuf>) {
        if path.is_file() {
            return found.push(path.to_owned());
        }
        for entry in std::fs::read_dir(path).unwrap() {
            walk(&entry.unwrap().path(), found);
        }
    }
    let root = PathBuf::from(fixture(sample));
    let mut found = Vec::new();
    walk(&root, &mut found);
    found.sort();
    let below = |path: &PathBuf| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
    let wanted = found.iter().filter(|path| below(path).is_empty() || (reader(name).wants)(&below(path)));
    wanted
        .map(|path| {
            SourceFile::new(
                format!("{sample}/{}", below(path)).trim_end_matches('/'),
                std::fs::read_to_string(path).unwrap(),
            )
        })
        .collect()
}

/// Reads, writes into an empty plan, and checks the promises of every import. Returns the counts of the table.
fn import(name: &str, files: &[SourceFile]) -> plan::error::Result<([usize; 8], String)> {
    let list: TaskList = (reader(name).read)(files, &ReadOptions::default())?;
    let plan = parse(EMPTY.as_bytes()).unwrap();
    let import = write(&plan, &list, false, "2026-06-15 14:33")?;
    let after = apply(EMPTY.as_bytes(), &edits(&plan, &import.changes)?)?;
    let read = parse(&after).unwrap();
    assert_eq!(lint::errors(&read), [], "{name}");
    assert!(read.all_goals().all(|goal| goal.verify().is_none() && !goal.status().is_finished()));
    assert!(read.steps.iter().all(|step| step.run.is_none()));
    let (report, (tasks, steps)) = (&import.report, import.report.read());
    assert_eq!(report.counts().iter().sum::<usize>(), tasks + steps, "{name}: every record is in one list");
    assert_eq!((report.mapped.len(), read.log.len()), (read.goals.len(), usize::from(!read.goals.is_empty())));
    let active = read.all_goals().filter(|goal| goal.status() == Status::Active).count();
    let ticked = read.steps.iter().filter(|step| step.mark == Mark::Complete).count();
    let finished = report.needs_left.iter().filter(|left| left.why == "finished there").count();
    let needs: usize =
        read.all_goals().map(|goal| goal.value(Key::Needs).map_or(0, |needs| needs.split(", ").count())).sum();
    assert_eq!(needs, report.needs);
    let left = report.left_out.iter().filter(|left| left.record == plan::exchange::RecordKind::Task).count();
    let boxes = report.left_out.len() - left;
    let counts = [read.goals.len(), active, read.steps.len(), ticked, needs, finished, left, boxes];
    Ok((counts, String::from_utf8(after).unwrap()))
}

#[test]
fn each_sample_gives_the_counts_of_the_table_and_a_second_time_nothing() {
    for (name, sample, expected) in COUNTS {
        let files = files(name, sample);
        let (counts, after) = import(name, &files).unwrap();
        assert_eq!(counts, expected, "{name} {sample}");
        let list = (reader(name).read)(&files, &ReadOptions::default()).unwrap();
        let plan = parse(after.as_bytes()).unwrap();
        let again = write(&plan, &list, false, "2026-06-15 14:34").unwrap();
        assert_eq!(
            (again.changes.len(), again.report.changed.len()),
            (0, 0),
            "{name} {sample}: {:?}",
            again.report.changed
        );
    }
}

#[test]
fn criteria_scenarios_and_links_between_steps_come_in() {
    let (_, backlog) = import("backlog", &files("backlog", "backlog/backlog")).unwrap();
    let plan = parse(backlog.as_bytes()).unwrap();
    assert_eq!(plan.all_goals().map(|goal| goal.criteria().len()).sum::<usize>(), 13);
    let (_, spec) = import("speckit", &files("speckit", "spec-kit")).unwrap();
    assert!(spec.contains("## Goal: Orders survive a lost network\n<!-- id: orders-survive-a-lost-network-1 -->\nstatus: open\ndone_when:\n- Pull the cable"), "{spec}");
    assert!(spec.contains("- Given the cable is out, When 20 orders are taken, Then a minute after"), "{spec}");
    assert!(spec.contains("- [ ] 8. T008 Send what waits, oldest first, in kiosk/send.py (after 4, 7)\n"), "{spec}");
    assert!(
        spec.contains("needs: foundational-blocking-prerequisites-1, orders-survive-a-lost-network-1\npriority: 1\n"),
        "{spec}"
    );
    let (_, spec) = import("openspec", &files("openspec", "openspec")).unwrap();
    assert!(
        spec.contains(
            "- Answer lost: WHEN the answer of the provider is lost THEN the next try carries the same key\n"
        ),
        "{spec}"
    );
    assert!(
        spec.contains(
            "## Goal: only-an-idea\n<!-- id: only-an-idea-1 -->\nstatus: open\n\n### From OpenSpec only-an-idea\n"
        ),
        "{spec}"
    );
    assert!(spec.contains("- [ ] 22. \\(after 1, 2)\n"), "{spec}");
}

// A requirement without a scenario is a criterion too, and no sentence is lost.
#[test]
fn every_requirement_of_a_spec_comes_in() {
    let spec = "## ADDED Requirements\n\n### Requirement: Codes expire\nThe system SHALL expire codes after 30 s.\n\n\
        #### Scenario: Late code\n- **WHEN** a code is 31 s old\n- **THEN** it is refused\n\n\
        ### Requirement: Codes are random\nThe system SHALL draw codes\nfrom the system.\n\n\
        ## REMOVED Requirements\n\n### Requirement: Codes by mail\n**Reason**: nobody reads it\n\n\
        #### Migration\nUse the app.\n\n### Requirement: Codes by fax\n\n#### Scenario: Fax arrives\n- **WHEN** sent\n";
    let file = SourceFile::new("openspec/changes/otp/specs/otp/spec.md", spec);
    let (_, plan) = import("openspec", &[file]).unwrap();
    let criteria = "done_when:\n- Late code: WHEN a code is 31 s old THEN it is refused\n\
        - Codes are random: The system SHALL draw codes from the system.\n- removed: Codes by mail\n- removed: Codes by fax\n";
    assert!(plan.contains(criteria), "{plan}");
    for sentence in ["> The system SHALL expire codes after 30 s.\n", "> **Reason**: nobody reads it\n"] {
        assert!(plan.contains(sentence), "{plan}");
    }
}

#[test]
fn a_sample_that_is_cut_or_holds_a_nul_is_an_error_with_a_place_or_whole() {
    for (name, sample, _) in COUNTS {
        let whole = files(name, sample);
        for at in 0..whole.len() {
            let length = whole[at].text.len();
            let parts = size(3, 40);
            for place in (1..parts).map(|part| length * part / parts) {
                let place = (0..=place).rev().find(|place| whole[at].text.is_char_boundary(*place)).unwrap();
                let (front, back) = whole[at].text.split_at(place);
                for text in [front.to_owned(), format!("{front}\0{back}"), format!("{front}\r\n<!--\n```\n{back}")] {
                    let mut files = whole.clone();
                    files[at].text = text;
                    if let Err(error) = import(name, &files) {
                        assert_eq!(error.kind.code(), 2);
                        assert!(
                            error.message.contains(&files[at].path) || error.message.starts_with("expected "),
                            "{}",
                            error.message
                        );
                    }
                }
            }
        }
    }
}

/// Returns `count` records; the one at `bad` cannot be read.
fn many(name: &str, count: usize, bad: Option<usize>) -> Vec<SourceFile> {
    let list = |record: &dyn Fn(usize) -> String, between: &str| {
        let records: Vec<String> =
            (0..count).map(|at| if bad == Some(at) { "7".to_owned() } else { record(at) }).collect();
        records.join(between)
    };
    let before = |at: usize| at.saturating_sub(1);
    let one = |path: &str, text: String| vec![SourceFile::new(path, text)];
    match name {
        "taskmaster" => {
            let tasks = list(
                &|at| {
                    format!(
                        "{{\"id\":{at},\"title\":\"task {at}\",\"dependencies\":[{}],\"subtasks\":[{{\"id\":1,\"title\":\"s\"}}]}}",
                        before(at)
                    )
                },
                ",\n",
            );
            one("tasks.json", format!("{{\"master\":{{\"tasks\":[{tasks}]}}}}"))
        }
        "json" => one(
            "t.json",
            format!(
                "[{}]",
                list(&|at| format!("{{\"id\":{at},\"subject\":\"task {at}\",\"needs\":[{}]}}", before(at)), ",\n")
            ),
        ),
        "github" => one(
            "t.json",
            format!(
                "[{}]",
                list(
                    &|at| format!(
                        "{{\"number\":{at},\"title\":\"task {at}\",\"body\":\"- [ ] a\\r\\n\",\"state\":\"OPEN\"}}"
                    ),
                    ","
                )
            ),
        ),
        "taskwarrior" => one(
            "t.json",
            format!(
                "[{}]",
                list(&|at| format!("{{\"uuid\":\"u{at}\",\"description\":\"task {at}\",\"status\":\"pending\"}}"), ",")
            ),
        ),
        "beads" => one(
            "issues.jsonl",
            list(
                &|at| {
                    format!(
                        "{{\"id\":\"b-{at}\",\"title\":\"task {at}\",\"status\":\"open\",\"dependencies\":[\"b-{}\"]}}",
                        before(at)
                    )
                },
                "\n",
            ),
        ),
        "backlog" => (0..count)
            .map(|at| {
                let end = if bad == Some(at) { "" } else { "---\n## Description\n\nx\n" };
                SourceFile::new(
                    format!("tasks/{at:05}.md"),
                    format!("---\nid: TASK-{at}\ntitle: task {at}\nstatus: To Do\n{end}"),
                )
            })
            .collect(),
        "speckit" => one(
            "f/tasks.md",
            format!("# Tasks: x\n{}", list(&|at| format!("## Phase {at}: task {at}\n- [ ] T{at:05} do\n"), "")),
        ),
        "openspec" => (0..count)
            .map(|at| SourceFile::new(format!("openspec/changes/c{at:05}/tasks.md"), "- [x] 1.1 a\n"))
            .collect(),
        "planning-with-files" => one(
            "task_plan.md",
            format!("# Task Plan: x\n{}", list(&|at| format!("### Phase {at}: task {at}\n- [ ] do\n"), "")),
        ),
        _ => one("t.md", list(&|at| format!("## task {at}\n- [ ] do\n\nwhy\n\n"), "")),
    }
}

#[test]
fn ten_thousand_records_come_in_and_a_bad_one_among_them_ends_it() {
    let count = size(200, 10_000);
    // Stories have their own tests, and a planner's plan is only one goal.
    for reader in READERS.iter().filter(|reader| !["prd", "planner"].contains(&reader.name)) {
        let (counts, _) = import(reader.name, &many(reader.name, count, None)).unwrap();
        assert_eq!(counts[0], count, "{}", reader.name);
        // In Markdown every line is valid.
        let is_text = ["speckit", "openspec", "planning-with-files", "markdown"].contains(&reader.name);
        if !is_text {
            let bad = count * 9 / 10;
            let error = import(reader.name, &many(reader.name, count, Some(bad))).unwrap_err();
            let place = match reader.name {
                "beads" => format!("issues.jsonl:{}: expected an object", bad + 1),
                "backlog" => format!("tasks/{bad:05}.md:4: expected `---`"),
                "taskmaster" => format!("tasks.json:/master/tasks/{bad}: expected an object"),
                _ => format!("t.json:/{bad}: expected an object"),
            };
            assert!(error.kind.code() == 2 && error.message.starts_with(&place), "{}", error.message);
        }
    }
}
