//! Random plans and random edits of them.

use plan::plan::change::{Change, NewGoal, edits};
use plan::plan::edit::apply;
use plan::plan::model::{Key, Mark, Plan, Status};
use plan::plan::parse;

use super::support::{PLAN, signed_off};

/// One edit of a side: its sort, the candidate, the words.
pub(super) type Step = (u8, usize, u8);

/// The number of base plans: the first have ids, the last have none or have repeated subjects.
pub(super) const BASES: u8 = 6;
pub(super) const WITH_IDS: u8 = 4;

/// The number of sorts of edits. The last are about names: ids, subjects, numbers, repeated lines.
pub(super) const EDITS: u8 = 24;
pub(super) const PLAIN: u8 = 16;

pub(super) fn base(pick: u8) -> String {
    match pick % BASES {
        0 => PLAN.to_owned(),
        1 => PLAN.replace('\n', "\r\n"),
        2 => format!(
            "\u{feff}---\nmode: guide\n---\n{PLAN}\n# Archive\n## Goal: Old\n<!-- id: old-1 -->\nstatus: cancelled\n"
        ),
        3 => signed_off(&PLAN.replace("## Log", "## Notes\n\nmore prose\n\n## Log"), "cache-1", "2026-06-15 14:01")
            .trim_end()
            .to_owned(),
        4 => PLAN.replace("<!-- id: cache-1 -->\n", "").replace("<!-- id: docs-1 -->\n", ""),
        _ => format!(
            "{}\n# Archive\n## Goal: Cache\n<!-- id: cache-0 -->\nstatus: done\n",
            PLAN.replace("Docs", "cache")
        ),
    }
}

/// Returns the text after one edit, or the same text if the edit does not apply.
pub(super) fn edited(text: &str, (what, pick, word): Step, side: &str) -> String {
    let Ok(plan) = parse(text.as_bytes()) else { return text.to_owned() };
    let goals: Vec<usize> = plan.live_goals().map(|goal| goal.index()).collect();
    let goal = goals.get(pick % goals.len().max(1)).copied();
    let step = (!plan.steps.is_empty()).then(|| pick % plan.steps.len());
    let word = format!("{side}{word}");
    let stamp = format!("2026-06-15 14:{:02}", 2 + pick % 30);
    let statuses = [Status::Open, Status::Active, Status::Done, Status::Cancelled];
    let marks = [Mark::Complete, Mark::Active, Mark::Failed, Mark::Skipped, Mark::Pending];
    let keys = [Key::Verify, Key::DoneWhen, Key::Priority, Key::FailureModes, Key::Kind];
    let change = match what {
        0 => step.map(|step| Change::SetMark { step, mark: marks[pick % 5], outcome: None }),
        1 => step.map(|step| Change::SetMark { step, mark: marks[pick % 5], outcome: Some(word.clone()) }),
        2 => goal.map(|goal| Change::SetStatus { goal, status: statuses[pick % 4] }),
        3 => goal.map(|goal| Change::SetField { goal, key: keys[pick % 5], values: vec![word.clone()] }),
        4 => goal.map(|goal| Change::SetField { goal, key: Key::FailureModes, values: vec![word.clone(), "b".into()] }),
        5 => goal.map(|goal| Change::AddStep { goal, text: word.clone(), after: vec![], run: None, note: None }),
        6 => Some(Change::AppendLog { stamp: stamp.clone(), text: word.clone() }),
        7 => Some(Change::AppendLog { stamp: stamp.clone(), text: "the same on both sides".into() }),
        8 => Some(Change::AddGoal(NewGoal {
            subject: format!("New {word}"),
            steps: vec!["s".into()],
            ..NewGoal::default()
        })),
        9 => goal.map(|goal| Change::RemoveGoal { goal }),
        10 => goal.map(|goal| Change::Archive { goals: vec![goal] }),
        11 => goal.map(|goal| Change::SetSubject { goal, subject: word.clone() }),
        12 => step.map(|step| Change::RemoveStep { step }),
        16 => goal.map(|goal| Change::AddId { goal }),
        17 => goal.map(|goal| Change::SetSubject { goal, subject: SUBJECTS[pick % 4].to_owned() }),
        18 => step.map(|step| Change::SetStepText { step, text: word.clone() }),
        19 => step.zip(goal).map(|(step, goal)| Change::MoveStep { step, goal, at: None }),
        _ => None,
    };
    if let Some(change) = change {
        let bytes = edits(&plan, &[change]).and_then(|edits| apply(text.as_bytes(), &edits));
        return bytes.map_or(text.to_owned(), |bytes| String::from_utf8(bytes).unwrap());
    }
    match what {
        13 => by_hand(text, pick, &word),
        15 => moved(&plan, text, pick),
        20 => without_id(&plan, text, pick),
        21 => with_goal(&plan, text, pick),
        22 => again(text, pick),
        _ => goal.and_then(|goal| plan.goal(goal)?.id()).map_or(text.to_owned(), |id| {
            // A repeated id names no goal.
            let names_one = plan.find_goal(id).is_ok();
            if names_one && plan.goal(goal.unwrap()).unwrap().field(Key::Status).is_some() {
                signed_off(text, id, &stamp)
            } else {
                text.to_owned()
            }
        }),
    }
}

/// Removes the comment with a goal's id.
fn without_id(plan: &Plan<'_>, text: &str, pick: usize) -> String {
    let lines: Vec<_> = plan.all_goals().filter_map(|goal| Some(goal.raw().id?.0.range())).collect();
    lines
        .get(pick % lines.len().max(1))
        .map_or(text.to_owned(), |line| [&text[..line.start], &text[line.end..]].concat())
}

const SUBJECTS: [&str; 4] = ["Cache", "Docs", "cache", "Other"];

/// Inserts a goal above another one as a person writes it, without an id.
fn with_goal(plan: &Plan<'_>, text: &str, pick: usize) -> String {
    let places: Vec<_> = plan.all_goals().map(|goal| goal.raw().heading.start as usize).collect();
    let Some(at) = places.get(pick % places.len().max(1)) else { return text.to_owned() };
    let goal = format!("## Goal: {}\nstatus: open\n- [ ] {}. step\n\n", SUBJECTS[pick % 4], 3 + pick % 3);
    [&text[..*at], &goal, &text[*at..]].concat()
}

/// Repeats a line some lines further down.
fn again(text: &str, pick: usize) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = pick % lines.len();
    lines.insert((at + 1 + pick % 3).min(lines.len() - 1), lines[at]);
    lines.concat()
}

/// Edits like a person: inserts a line of prose or a blank line, removes a line or changes one.
fn by_hand(text: &str, pick: usize, word: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let at = pick % lines.len();
    match pick % 5 {
        0 => lines.insert(at, format!("prose {word}\n")),
        1 => lines.insert(at, "\n".into()),
        2 => drop(lines.remove(at)),
        3 => lines[at] = format!("{} {word}\n", lines[at].trim_end()),
        _ => lines.push(format!("\nthe end {word}\n")),
    }
    lines.concat()
}

/// Moves the first goal behind the second.
fn moved(plan: &Plan<'_>, text: &str, pick: usize) -> String {
    let goals: Vec<_> = plan.live_goals().map(|goal| goal.raw().body.range()).collect();
    let Some([a, b]) = goals.windows(2).nth(pick % goals.len().max(1)) else { return text.to_owned() };
    if a.end != b.start {
        return text.to_owned();
    }
    [&text[..a.start], &text[b.clone()], &text[a.clone()], &text[b.end..]].concat()
}
