//! spec-kit: the `tasks.md` of a feature, with the acceptance scenarios of `spec.md` in the same folder.

use std::collections::HashMap;

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::markdown_lines::{Boxes, MarkdownLine, MarkdownLineKind, lines};
use super::record::{Fate, LeftOut, Passage, Task, TaskList, TaskStep};
use crate::error::{Error, Result};

pub(super) const READER: Reader = Reader {
    name: "speckit",
    tool: "spec-kit",
    wants: |path| matches!(path.rsplit('/').next(), Some("tasks.md" | "spec.md")),
    beside: &["spec.md"],
    read,
};

const EXPECTED: &str = "the tasks.md of spec-kit, with `## Phase N: …` headings";

/// A phase that will become a task.
struct Phase {
    number: String,
    /// The number of its user story.
    story: Option<String>,
    kind: PhaseKind,
    task: Task,
    boxes: Boxes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PhaseKind {
    Setup,
    Foundational,
    Story,
    Polish,
    Other,
}

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    let is_named = |file: &&SourceFile| file.name() != "spec.md";
    for file in files.iter().filter(is_named) {
        let spec = files.iter().find(|other| other.name() == "spec.md" && other.folder() == file.folder());
        feature(file, spec, &mut list)?;
    }
    match files.iter().find(is_named) {
        None => Err(Error::input("expected a tasks.md, found none")
            .harmless()
            .hint("name the folder that contains it, such as `specs/001-name`")),
        Some(_) => Ok(list),
    }
}

fn feature(file: &SourceFile, spec: Option<&SourceFile>, list: &mut TaskList) -> Result<()> {
    let lines = lines(file.text.trim_start_matches('\u{feff}'));
    let title = lines.iter().find_map(|line| match line.is {
        MarkdownLineKind::Heading(1, text) => text.strip_prefix("Tasks:").map(str::trim),
        _ => None,
    });
    let title = title.unwrap_or_else(|| file.folder().rsplit('/').next().unwrap_or_default());
    let (phases, elsewhere) = phases(&lines, title, list);
    if phases.is_empty() {
        return Err(file.wrong_format_error(EXPECTED));
    }
    list.objective = list.objective.take().or_else(|| Some(title.to_owned()).filter(|title| !title.is_empty()));
    list.left_out.extend(elsewhere);
    let scenarios = spec.map(|spec| scenarios(&spec.text)).unwrap_or_default();
    let needs = needs(&phases);
    for (mut phase, needs) in phases.into_iter().zip(needs) {
        let task = &mut phase.task;
        task.needs = needs;
        task.done_when
            .extend(phase.story.as_ref().and_then(|story| scenarios.get(story)).into_iter().flatten().cloned());
        task.steps = phase.boxes.steps.iter().map(step).collect();
        task.prose.push(Passage::new("", phase.boxes.prose()));
        list.left_out.extend(phase.boxes.in_code);
        list.tasks.push(phase.task);
    }
    Ok(())
}

/// Returns the phases, and the boxes outside of them.
fn phases(lines: &[MarkdownLine<'_>], title: &str, list: &mut TaskList) -> (Vec<Phase>, Vec<LeftOut>) {
    let (mut phases, mut elsewhere): (Vec<Phase>, Vec<LeftOut>) = (Vec::new(), Vec::new());
    let mut is_in = false;
    for line in lines {
        if let MarkdownLineKind::Heading(level @ 1..=2, text) = line.is {
            let found = text.strip_prefix("Phase ").and_then(|rest| rest.split_once(':'));
            is_in = level == 2 && found.is_some();
            match found.filter(|_| is_in) {
                Some((number, name)) => phases.push(phase(title, number.trim(), name.trim())),
                None if !phases.is_empty() => {
                    list.notes.push(format!("the section `{text}` is left out: it is about the phases"))
                }
                None => {}
            }
            continue;
        }
        match phases.last_mut().filter(|_| is_in) {
            Some(phase) => match criterion(line) {
                Some(criterion) => phase.task.done_when.push(criterion.to_owned()),
                None => phase.boxes.take(line, &phase.task.id),
            },
            None => {
                if let MarkdownLineKind::Box(_, text) = line.is {
                    let record = super::RecordKind::Step;
                    let why = "a box outside the phases".to_owned();
                    elsewhere.push(LeftOut { record, name: text.to_owned(), why, fate: Fate::Dropped, steps: 0 });
                }
            }
        }
    }
    (phases, elsewhere)
}

/// Returns the criterion of a line such as `**Independent Test**: …`.
fn criterion<'t>(line: &MarkdownLine<'t>) -> Option<&'t str> {
    let rest = line.raw.trim().strip_prefix("**Independent Test**:")?.trim();
    (!rest.is_empty()).then_some(rest)
}

/// Reads a heading such as `User Story 1 - Orders survive (Priority: P1) 🎯 MVP`.
fn phase(title: &str, number: &str, name: &str) -> Phase {
    let lower = name.to_lowercase();
    let kind = match () {
        () if lower.starts_with("user story") => PhaseKind::Story,
        () if lower.starts_with("setup") => PhaseKind::Setup,
        () if lower.starts_with("foundational") => PhaseKind::Foundational,
        () if lower.starts_with("polish") => PhaseKind::Polish,
        () => PhaseKind::Other,
    };
    let mut task = Task { id: format!("{title} Phase {number}"), subject: name.to_owned(), ..Task::default() };
    let mut story = None;
    if kind == PhaseKind::Story {
        let rest = name["user story".len()..].trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        story = Some(rest[..digits].to_owned());
        let rest = rest[digits..].trim_start_matches([' ', '-', '–', '—', ':']);
        let (subject, behind) = rest.split_once("(Priority:").unwrap_or((rest, ""));
        task.subject = subject.trim().to_owned();
        let digit = behind.trim_start().strip_prefix('P').and_then(|rest| rest.chars().next()?.to_digit(10));
        task.priority = digit.map(|digit| digit.clamp(1, 4) as u8);
    }
    Phase { number: number.to_owned(), story, kind, task, boxes: Boxes::default() }
}

/// Reads a step such as `T012 [P] [US1] text (depends on T003, T007)`.
fn step(step: &TaskStep) -> TaskStep {
    let mut text = step.text.clone();
    let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
    let is_id = first.len() > 1 && first.starts_with('T') && first[1..].chars().all(|c| c.is_ascii_digit() || c == 'X');
    let id = if is_id { first.to_owned() } else { String::new() };
    if is_id {
        let mut rest = rest.trim_start();
        while let Some((mark, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let is_mark = mark == "P"
                || mark.strip_prefix("US").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
            if !is_mark {
                break;
            }
            rest = behind.trim_start();
        }
        text = format!("{id} {rest}");
    }
    let mut after = Vec::new();
    if let Some((front, ids)) =
        text.rsplit_once("(depends on ").and_then(|(front, rest)| Some((front, rest.strip_suffix(')')?)))
    {
        let ids: Vec<String> = ids.split([',', ' ']).filter(|id| !id.is_empty()).map(str::to_owned).collect();
        if ids.iter().all(|id| id.starts_with('T')) {
            after = ids;
            text = front.trim_end().to_owned();
        }
    }
    TaskStep { id, text, mark: step.mark, after, run: None, note: None }
}

/// The phases that each phase needs. Stories need the foundation, the foundation needs the setup, and the polish needs all stories. A phase
/// also needs the phases of the steps that its own steps depend on.
fn needs(phases: &[Phase]) -> Vec<Vec<String>> {
    let of = |kind| phases.iter().filter(move |phase| phase.kind == kind).map(|phase| phase.task.id.clone());
    let steps: Vec<Vec<TaskStep>> = phases.iter().map(|phase| phase.boxes.steps.iter().map(step).collect()).collect();
    let owners: HashMap<&str, usize> = steps
        .iter()
        .enumerate()
        .flat_map(|(at, steps)| steps.iter().filter(|step| !step.id.is_empty()).map(move |step| (step.id.as_str(), at)))
        .collect();
    let mut needs = Vec::with_capacity(phases.len());
    for (at, phase) in phases.iter().enumerate() {
        let mut list: Vec<String> = match phase.kind {
            PhaseKind::Story => of(PhaseKind::Foundational).collect(),
            PhaseKind::Foundational => of(PhaseKind::Setup).collect(),
            PhaseKind::Polish => of(PhaseKind::Story).collect(),
            PhaseKind::Setup | PhaseKind::Other => Vec::new(),
        };
        let linked = steps[at].iter().flat_map(|step| &step.after).filter_map(|id| owners.get(id.as_str()));
        for other in linked.filter(|other| **other != at && phases[**other].number != phase.number) {
            let id = &phases[*other].task.id;
            if !list.contains(id) {
                list.push(id.clone());
            }
        }
        needs.push(list);
    }
    needs
}

/// The acceptance scenarios of each user story, by its number.
fn scenarios(spec: &str) -> HashMap<String, Vec<String>> {
    let mut found: HashMap<String, Vec<String>> = HashMap::new();
    let (mut story, mut is_in) = (None, false);
    for line in lines(spec) {
        let text = line.raw.trim();
        if let MarkdownLineKind::Heading(_, heading) = line.is {
            let number = heading
                .strip_prefix("User Story ")
                .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
            (story, is_in) = (number, false);
        } else if text.starts_with("**") {
            is_in = text.starts_with("**Acceptance Scenarios**");
        } else if let Some(story) = story.as_ref().filter(|_| is_in && text.contains("**Given**")) {
            let text = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', ')', '-', ' ']);
            found.entry(story.clone()).or_default().push(text.replace("**", ""));
        }
    }
    found
}
