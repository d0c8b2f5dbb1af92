//! A plan as values to compare, texts in four forms, line differences, and lines to build plans from.

use plan::plan::change::{Change, edits};
use plan::plan::edit::apply;
use plan::plan::model::{Key, Mark, Plan, Status};
use plan::plan::parse;

/// The content of a plan as a reader sees it, without places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) objective: Option<String>,
    pub(crate) goals: Vec<SeenGoal>,
    pub(crate) log: Vec<(String, String, bool)>,
    pub(crate) has_archive: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenGoal {
    pub(crate) subject: String,
    pub(crate) id: Option<String>,
    pub(crate) archived: bool,
    pub(crate) status: Status,
    pub(crate) fields: Vec<(Key, Vec<String>)>,
    pub(crate) steps: Vec<SeenStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenStep {
    pub(crate) mark: Mark,
    pub(crate) number: Option<u32>,
    pub(crate) text: String,
    pub(crate) run: Option<String>,
    pub(crate) after: Vec<u32>,
    pub(crate) outcome: Option<String>,
}

pub(crate) fn seen(plan: &Plan<'_>) -> Seen {
    let goals = plan.all_goals().map(|goal| SeenGoal {
        subject: goal.subject().to_owned(),
        id: goal.id().map(str::to_owned),
        archived: goal.raw().archived,
        status: goal.status(),
        fields: Key::ALL[1..]
            .iter()
            .map(|key| (*key, goal.list(*key).into_iter().map(|text| text.into_owned()).collect()))
            .collect(),
        steps: goal.raw().steps.clone().map(|index| seen_step(plan, index as usize)).collect(),
    });
    let log = plan.logs.iter().flat_map(|section| {
        plan.log[section.lines.start as usize..section.lines.end as usize]
            .iter()
            .map(|line| (plan.text(line.stamp).to_owned(), plan.text(line.text).to_owned(), section.archived))
    });
    Seen {
        objective: plan.objective().map(str::to_owned),
        goals: goals.collect(),
        log: log.collect(),
        has_archive: plan.archive.is_some(),
    }
}

fn seen_step(plan: &Plan<'_>, index: usize) -> SeenStep {
    let step = plan.step(index).unwrap();
    SeenStep {
        mark: step.raw().mark,
        number: step.raw().number,
        text: step.text().to_owned(),
        run: step.run().map(str::to_owned),
        after: step.after().to_vec(),
        outcome: step.outcome().map(str::to_owned),
    }
}

/// Returns the bytes after `changes`.
pub(crate) fn changed(source: &[u8], changes: &[Change]) -> plan::error::Result<Vec<u8>> {
    let plan = parse(source)?;
    apply(source, &edits(&plan, changes)?)
}

/// The four forms of a text: LF, CRLF, with BOM, without final newline.
pub(crate) fn forms(text: &[u8]) -> [Vec<u8>; 4] {
    let plain: Vec<u8> = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).to_vec();
    let lf = replace(&plain, b"\r\n", b"\n");
    let crlf = replace(&lf, b"\n", b"\r\n");
    let bom = [b"\xef\xbb\xbf".as_slice(), &lf].concat();
    let bare = lf.strip_suffix(b"\n").unwrap_or(&lf).to_vec();
    [lf, crlf, bom, bare]
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(from) {
            out.extend_from_slice(to);
            at += from.len();
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

/// The lines that are gone and the lines that are new, between the common start and the common end.
pub(crate) fn diff(old: &[u8], new: &[u8]) -> (Vec<String>, Vec<String>) {
    let lines = |text: &[u8]| -> Vec<String> {
        text.split_inclusive(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    };
    let (old, new) = (lines(old), lines(new));
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let back = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    (old[front..old.len() - back].to_vec(), new[front..new.len() - back].to_vec())
}

/// Represents a byte in [`LINES`] that is not UTF-8.
pub(crate) const FOREIGN: u8 = b'@';

/// Lines to build plans from: lines that `plan` reads, lines that look like these, and lines that swallow others.
pub(crate) const LINES: &[&str] = &[
    "# Plan: x", "# Plan:", "## Goal: A", "## Goal: B #", "## Goal: \u{dc}n\u{ef} \u{2014} x", "## goal: A",
    "## Goal:", "   ## Goal: C", "    ## Goal: code", "### Notes", "## Other", "# Archive", "## Log", "### log",
    "<!-- id: a-1 -->", "<!-- id: b-1 -->", "<!-- id: BAD -->", "<!-- comment", "-->", "<!-- one -->", "status: open",
    "status: done", "status:", "status: wat", "done_when: x", "done_when:", "verify: make test", "verify:",
    "failure_modes:", "failure_modes: inline", "needs: a-1", "needs:", "priority: 1", "kind: bugfix", "- item",
    "- item (check: true)", "  - nested", "    - deep", "* star", "+ plus", "1. ordered", "10. ten", "-",
    "- [ ] 1. step", "- [x] 2. done \u{2014} outcome", "- [/] step (after 1) (run: make)", "  - [ ] nested 3",
    "      - [ ] six", "    - [ ] four", "- [ ]", "* [!] 4. failed \u{2014} ", "- [-] skipped", "- [?] unknown",
    "  continuation", "  continuation@", "    code or more", "    code or more@", "prose", "prose@", "> quote", "```",
    "~~~", "  ```", "````", "---", "***", "", "", "", "", "- 2026-06-15 14:02  text", "  - 2026-06-15 14:02 t",
    "- 2026-99-15 14:02  bad", "\tTab", "-\t[ ] tab step", "\t- [ ] tabbed", "word: value", "| a | b |", "===",
    "- ```", "- <!-- x", "evidence:", "may_change: tests/**",
];

/// Builds a plan from some of [`LINES`]; `ending` 0 is LF, 1 is CRLF, any other value is a mix.
pub(crate) fn compose(picks: &[usize], ending: u8, bom: bool, last: bool) -> Vec<u8> {
    let mut out = if bom { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
    for (at, pick) in picks.iter().enumerate() {
        out.extend_from_slice(LINES[pick % LINES.len()].as_bytes());
        let crlf = ending == 1 || ending > 1 && (at + pick) % 3 == 0;
        out.extend_from_slice(if crlf { b"\r\n" } else { b"\n" });
    }
    if !last {
        let length = out.len() - out.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        out.truncate(length);
    }
    out
}

/// Tries each kind of change on each goal and step of a text, checks the results, and counts them.
pub(crate) fn every_edit_is_small(source: &[u8], name: &str) -> usize {
    let plan = match parse(source) {
        Ok(plan) => plan,
        Err(error) => panic!("{name}: {}", error.message),
    };
    assert_eq!(apply(source, &[]).unwrap(), source, "{name}: no change");
    let before = seen(&plan);
    let mut count = 0;
    for change in changes_of(&plan) {
        let Ok(edits) = edits(&plan, std::slice::from_ref(&change)) else { continue };
        let bytes = apply(source, &edits).unwrap();
        let after = parse(&bytes).unwrap();
        small(source, &bytes, &change, &plan, name);
        let now = seen(&after);
        let (goals, steps) = (now.goals.len(), after.steps.len());
        let more = usize::from(matches!(change, Change::AddGoal(_)));
        assert_eq!(goals, before.goals.len() + more, "{name}: {change:?}");
        let more = usize::from(matches!(change, Change::AddStep { .. }));
        assert_eq!(steps, plan.steps.len() + more, "{name}: {change:?}");
        let more = usize::from(matches!(change, Change::AppendLog { .. }));
        assert_eq!(now.log.len(), before.log.len() + more, "{name}: {change:?}\n{}", String::from_utf8_lossy(&bytes));
        assert_eq!(
            now.objective.is_some(),
            before.objective.is_some() || matches!(change, Change::SetObjective { .. }),
            "{name}"
        );
        count += 1;
    }
    count
}

fn changes_of(plan: &Plan<'_>) -> Vec<Change> {
    let log = Change::AppendLog { stamp: "2026-06-15 14:33".into(), text: "seen".into() };
    let goal = plan::plan::change::NewGoal { subject: "New".into(), done_when: vec!["x".into()], ..Default::default() };
    let mut changes = vec![log, Change::AddGoal(goal), Change::SetObjective { text: "another".into() }];
    changes.push(Change::AddFront { entries: vec![("item".into(), "a # b".into()), ("branch".into(), "main".into())] });
    changes.push(Change::AddIntro { text: "What is there now.\n\nWhat will be.".into() });
    for goal in 0..plan.goals.len().min(20) {
        changes.push(Change::SetStatus { goal, status: Status::Cancelled });
        changes.push(Change::AddStep { goal, text: "new".into(), after: vec![], run: None, note: None });
        changes.push(Change::SetField { goal, key: Key::Priority, values: vec!["3".into()] });
    }
    for step in 0..plan.steps.len().min(50) {
        changes.push(Change::SetMark { step, mark: Mark::Failed, outcome: Some("why".into()) });
    }
    changes
}

/// Asserts that a change removes and adds only a few lines.
fn small(old: &[u8], new: &[u8], change: &Change, plan: &Plan<'_>, name: &str) {
    let (gone, come) = diff(old, new);
    let bare = usize::from(!old.is_empty() && !old.ends_with(b"\n"));
    let id = 1; // A goal without an id gets one.
    let (less, more) = match change {
        Change::SetStatus { .. } => (1, 1 + id + 1),
        Change::SetMark { .. } => (1, 1 + id),
        Change::SetField { .. } => (1, 1 + id + 1),
        Change::AddStep { .. } => (0, 1 + id + 1),
        Change::AppendLog { .. } if plan.logs.iter().any(|section| !section.archived) => (0, 1),
        Change::AppendLog { .. } => (0, 3),
        // After a BOM the old first line counts as a changed line.
        Change::SetObjective { .. } => (1, 3),
        Change::AddFront { .. } => (1, 5),
        _ => (0, 6),
    };
    // If an id is added at the goal's head, the lines between it and the other change are part of the difference.
    let between = if plan.all_goals().all(|goal| goal.id().is_some()) { 0 } else { usize::MAX / 2 };
    assert!(gone.len() <= less + bare + between, "{name}: {change:?} takes {gone:?} for {come:?}");
    assert!(come.len() <= more + bare + between, "{name}: {change:?} takes {gone:?} for {come:?}");
}
