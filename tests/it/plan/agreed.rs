//! Laws of the text that is shown and of the contract that is put back (`CONTRACT.md` §3.5, laws 5 and 8).

use plan::plan::change::{Change, removal_line};
use plan::plan::contract::{PlanContract, plan_contract, plan_contract_json};
use plan::plan::difference;
use plan::plan::edit::apply;
use plan::plan::model::{Key, Plan};
use plan::plan::parse;
use plan::plan::restore::restore;
use plan::plan::view::Screen;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::random::{Source, change, goals};
use super::support::changed;

fn config() -> ProptestConfig {
    let cases = std::env::var("PLAN_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000);
    ProptestConfig { cases, failure_persistence: None, max_global_rejects: cases * 8, ..ProptestConfig::default() }
}

/// Rebuilds the canonical form from the shown text: if that works, no two contracts have the same text.
fn canonical(shown: &str) -> Value {
    let mut out = vec![json!(["mode", "guide"])];
    let mut list: Option<(String, Vec<Value>)> = None;
    for line in shown.lines().filter(|line| !line.is_empty()) {
        let depth = (line.len() - line.trim_start_matches(' ').len()) / 2;
        let line = &line[2 * depth..];
        let (label, value) = line.split_once(' ').map_or((line, None), |(label, value)| (label, Some(text(value))));
        if depth < 2
            && let Some((key, values)) = list.take()
        {
            let entry: Vec<Value> = std::iter::once(json!(key)).chain(values).collect();
            part(&mut out, 1).push(Value::from(entry));
        }
        match (depth, label, value) {
            (0, "Plan:", Some(text)) => out.push(json!(["objective", text])),
            (0, "mode:", Some(mode)) => out[0] = json!(["mode", mode]),
            (0, "Goal:", subject) => {
                let subject: Vec<Value> = subject.map(|text| json!(["subject", text])).into_iter().collect();
                out.push(json!(["goal", subject]));
            }
            (1, "id:", Some(id)) => part(&mut out, 1).insert(0, json!(["id", id])),
            (1, label, value) if label == "step:" || label.ends_with('.') => {
                let number = label.strip_suffix('.').map(|number| json!(["number", number.parse::<u64>().unwrap()]));
                let step: Vec<Value> = number.into_iter().chain(value.map(|text| json!(["text", text]))).collect();
                out.last_mut().unwrap().as_array_mut().unwrap().push(Value::from(step));
            }
            (1, label, Some(value)) => part(&mut out, 1).push(json!([label.trim_end_matches(':'), value])),
            (1, label, None) => list = Some((label.trim_end_matches(':').to_owned(), Vec::new())),
            (2, "-", Some(value)) => list.as_mut().unwrap().1.push(json!(value)),
            (2, "after:", Some(numbers)) => {
                let numbers = numbers.split(", ").map(|number| json!(number.parse::<u64>().unwrap()));
                let entry: Vec<Value> = std::iter::once(json!("after")).chain(numbers).collect();
                let goal = out.last_mut().unwrap().as_array_mut().unwrap();
                goal.last_mut().unwrap().as_array_mut().unwrap().push(Value::from(entry));
            }
            (2, "run:", Some(line)) => {
                let goal = out.last_mut().unwrap().as_array_mut().unwrap();
                let step = goal.last_mut().unwrap().as_array_mut().unwrap();
                let at = step.iter().position(|entry| entry[0] == "after").unwrap_or(step.len());
                step.insert(at, json!(["command", line]));
            }
            other => panic!("{other:?} in\n{shown}"),
        }
    }
    if let Some((key, values)) = list {
        let entry: Vec<Value> = std::iter::once(json!(key)).chain(values).collect();
        part(&mut out, 1).push(Value::from(entry));
    }
    Value::from(out)
}

/// A part of the last goal.
fn part(out: &mut [Value], at: usize) -> &mut Vec<Value> {
    out.last_mut().unwrap()[at].as_array_mut().unwrap()
}

/// Reverts the escapes that make a value visible.
fn text(shown: &str) -> String {
    let mut parts = shown.split("\\u{");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        out.extend((!code.is_empty()).then(|| char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap()));
        out.push_str(rest);
    }
    out
}

/// Replaces one place of a plan with text that hides, looks like something else, or is structure.
fn spoilt(source: &[u8], at: usize, with: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(source);
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let at = places[at % places.len()];
    [&text[..at], with, &text[at..]].concat().into_bytes()
}

const SPOILERS: &[&str] = &[
    "\u{1b}", "\u{9b}", "\u{202e}", "\u{200b}", "\u{a0}", "\\u{1b}", "\\", "\r", "\t", "u{", "}", " ", "  ", "'a  b'",
    ", ", "\u{2028}", "\n- [ ] 7. x (run: 'a  b') (after 1, 2)\n", "\n- [ ] step: x\n",
    "\ndone_when:\n- \u{a0}\n- b\n", "\nverify: sh -c 'x\u{b}y'\n", "\n---\nmode: contract\n---\n",
    "\n## Goal: \u{a0}\n", "\n<!-- id: x-1 -->\n",
];

proptest! {
    #![proptest_config(config())]

    // CONTRACT.md §3.5, law 8
    #[test]
    fn the_shown_text_holds_the_whole_contract(
        Source(source) in goals(),
        spoil in proptest::collection::vec((any::<u16>(), 0..SPOILERS.len()), 0..4),
    ) {
        let mut source = source;
        for (at, with) in spoil {
            source = spoilt(&source, at.into(), SPOILERS[with]);
        }
        prop_assume!(parse(&source).is_ok());
        let plan = parse(&source).unwrap();
        let contract = PlanContract::of(&plan).unwrap();
        prop_assert_eq!(contract.digest, plan_contract(&plan));
        let shown = contract.text();
        let expected: Value = serde_json::from_str(&plan_contract_json(&plan)).unwrap();
        prop_assert_eq!(canonical(&shown), expected, "{}\n--- shown\n{}", source.escape_ascii(), shown);
        prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
        // Without a terminal a view shows the same text.
        let mut rows = String::new();
        difference::whole(&contract).iter().for_each(|row| row.put(Screen::default(), &mut rows));
        prop_assert_eq!(rows, shown);
    }

    // CONTRACT.md §3.5, law 8: every change is in the words and in the lines, and unchanged parts are in neither.
    #[test]
    fn a_difference_shows_every_change(Source(source) in goals(), changes in proptest::collection::vec(change(), 1..4)) {
        let (mut after, mut count) = (source.clone(), 0);
        for change in changes {
            if let Ok(bytes) = changed(&after, &[change]) {
                (after, count) = (bytes, count + 1);
            }
        }
        prop_assume!(count > 0);
        let contract = |bytes: &[u8]| PlanContract::of(&parse(bytes).unwrap()).unwrap();
        let (old, new) = (contract(&source), contract(&after));
        let is_same = old.digest == new.digest;
        let words = difference::edits(&old, &new);
        prop_assert_eq!(words.is_empty(), is_same, "{}\n--- after\n{}", String::from_utf8_lossy(&source), String::from_utf8_lossy(&after));
        let mut text = String::new();
        difference::rows(&old, &new, &[]).iter().for_each(|row| row.put(Screen::default(), &mut text));
        let is_shown = text.lines().any(|line| line.starts_with(['+', '-']) || line.ends_with(" moved"));
        prop_assert_eq!(is_shown, !is_same, "{}", text);
    }
}

/// The parts that a reject leaves alone: marks and outcomes by number, fields outside the contract, the log.
fn left_alone(plan: &Plan<'_>, of: &Plan<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let number = |plan: &Plan<'_>, number| {
        plan.live_goals().any(|goal| goal.steps().iter().any(|step| step.number == Some(number)))
    };
    for goal in plan.live_goals().filter(|goal| of.live_goals().any(|other| other.id() == goal.id())) {
        let fields: Vec<_> = Key::ALL.into_iter().filter(|key| !key.is_agreed()).map(|key| goal.list(key)).collect();
        out.push(format!("{:?} {fields:?}", goal.id()));
    }
    for goal in plan.live_goals() {
        for step in goal.steps().iter().filter(|step| step.number.is_some_and(|n| number(of, n))) {
            out.push(format!("{:?} {:?} {:?}", step.number, step.mark, step.outcome.map(|span| plan.text(span))));
        }
    }
    out.sort();
    out.extend(plan.log_lines().map(|(_, text)| text.to_owned()));
    out
}

/// Makes a change as the commands do: the number of a removed step is not given again.
fn logged(source: &[u8], change: Change) -> Vec<Change> {
    let plan = parse(source).unwrap();
    let gone = match &change {
        Change::RemoveStep { step } => *step..step + 1,
        Change::RemoveGoal { goal } => {
            plan.goals.get(*goal).map_or(0..0, |goal| goal.steps.start as usize..goal.steps.end as usize)
        }
        _ => 0..0,
    };
    let line = removal_line(&plan, gone).map(|text| Change::AppendLog { stamp: "2026-06-15 14:33".into(), text });
    std::iter::once(change).chain(line).collect()
}

/// The lines that the parser does not use.
fn prose(source: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(source);
    text.lines()
        .map(str::trim)
        .filter(|line| line.starts_with("prose") || line.starts_with("| a") || line.starts_with("> q"))
        .map(str::to_owned)
        .collect()
}

/// A plan as `plan` writes it, with prose, outcomes and fields of both sorts.
fn agreed(goals: &[(u8, u8, u8)], ending: u8) -> Vec<u8> {
    let mut text = "---\nmode: contract\n---\n# Plan: x\n\nprose above\n\n".to_owned();
    let mut number = 0;
    for (at, (fields, steps, more)) in goals.iter().enumerate() {
        text += &format!("## Goal: Goal {at}\n<!-- id: goal-{at} -->\nstatus: active\n");
        text += ["done_when: one\n", "done_when:\n- one\n- two\n- three\n", "done_when: one,\n  and more\n"]
            [usize::from(fields % 3)];
        text += ["", "verify: make  'a  b'\n"][usize::from(fields / 3 % 2)];
        text += ["", "failure_modes:\n- a (check: true)\n- b\n", "failure_modes: a\n"][usize::from(fields / 6 % 3)];
        text += ["", "needs: goal-0\n"][usize::from(more % 2)];
        text += ["", "priority: 1\n"][usize::from(more / 2 % 2)];
        text += ["", "may_change: tests/**, a b\n"][usize::from(more / 4 % 2)];
        text += ["", "\nprose of the goal\n\n"][usize::from(more / 8 % 2)];
        for step in 0..steps % 5 {
            number += 1;
            let mark = [' ', 'x', '/', '!', '-'][(usize::from(*steps) + usize::from(step)) % 5];
            let tail = ["", " (after 1)", " (run: make 'a  b')", " \u{2014} came"]
                [(usize::from(*more) + usize::from(step)) % 4];
            text += &format!("- [{mark}] {number}. step {number}{tail}\n");
            text += ["", "  prose below the step\n"][usize::from(more / 16 % 2)];
        }
        text += "\n";
    }
    text += "## Log\n- 2026-06-15 14:02  begun\n";
    match ending {
        0 => text.into_bytes(),
        1 => text.replace('\n', "\r\n").into_bytes(),
        _ => text.trim_end().as_bytes().to_vec(),
    }
}

proptest! {
    #![proptest_config(config())]

    // CONTRACT.md §3.5, law 5: a proposal made through `plan` is taken back completely, and nothing else is touched.
    #[test]
    fn a_rejected_proposal_leaves_the_approved_contract(
        goals in proptest::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 1..4),
        ending in 0..3u8,
        changes in proptest::collection::vec(change(), 1..5),
    ) {
        let source = agreed(&goals, ending);
        let approved = parse(&source).unwrap();
        let mut now = source.clone();
        for (at, mut change) in changes.into_iter().enumerate() {
            if matches!(change, Change::Archive { .. } | Change::Restore { .. }) {
                continue;
            }
            // The id of a removed goal is not given to another one, which would be the same goal in another place.
            if let Change::AddGoal(goal) | Change::AddGoalBefore { new: goal, .. } = &mut change {
                goal.id = Some(format!("new-{at}"));
            }
            now = changed(&now, &logged(&now, change)).unwrap_or(now);
        }
        let present = parse(&now).unwrap();
        let edits = match restore(&source, &now) {
            Ok(edits) => edits,
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{}\n--- now\n{}", String::from_utf8_lossy(&source), String::from_utf8_lossy(&now)))),
        };
        let bytes = apply(&now, &edits).unwrap();
        let after = parse(&bytes).unwrap();
        let shown = || format!("{}\n--- now\n{}\n--- after\n{}", String::from_utf8_lossy(&source), String::from_utf8_lossy(&now), String::from_utf8_lossy(&bytes));
        prop_assert_eq!(plan_contract(&after), plan_contract(&approved), "{}", shown());
        prop_assert_eq!(left_alone(&present, &after), left_alone(&after, &present), "{}", shown());
        // Prose of a step or goal that comes back comes back too; no prose is lost.
        let count = |bytes: &[u8]| prose(bytes).len();
        prop_assert!(count(&bytes) >= count(&now), "{}", shown());
        prop_assert!(!bytes.windows(3).any(|three| three == b"\r\r\n"), "{}", shown());
        prop_assert_eq!(restore(&source, &bytes).unwrap(), vec![], "twice is once");
        if ending == 1 {
            prop_assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), String::from_utf8_lossy(&bytes).matches("\r\n").count());
        }
    }

    // CONTRACT.md §3.5, law 5: after any change by hand, the result is the approved contract, or nothing is written.
    #[test]
    fn any_two_plans_give_the_approved_contract_or_nothing(Source(old) in goals(), Source(now) in goals(), changes in proptest::collection::vec(change(), 0..4), own in any::<bool>()) {
        let mut now = if own { old.clone() } else { now };
        for change in changes {
            now = changed(&now, &[change]).unwrap_or(now);
        }
        if let Ok(edits) = restore(&old, &now) {
            let bytes = apply(&now, &edits).unwrap();
            prop_assert_eq!(plan_contract(&parse(&bytes).unwrap()), plan_contract(&parse(&old).unwrap()));
            let log = |bytes: &[u8]| parse(bytes).unwrap().log_lines().map(|(_, text)| text.to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(log(&bytes), log(&now));
        }
    }
}
