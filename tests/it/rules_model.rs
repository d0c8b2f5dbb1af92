//! The laws of contract mode (`CONTRACT.md` §3.5, 1 to 4, 7 and 9), on random commands and random edits by hand, in this process:
//! what the gate of every change lets through is held against a small reference of its own.

use std::cell::Cell;

use plan::plan::change::{Change, edits, next_number, settle};
use plan::plan::contract::plan_contract;
use plan::plan::edit::apply;
use plan::plan::log::{LogLine, ProposedEdit};
use plan::plan::merge;
use plan::plan::model::{Mark, Plan, Status};
use plan::plan::parse;
use plan::plan::rules::{self, GoalMove, State, StepMove, Wish};
use proptest::prelude::*;

use crate::support::size::size;

const STAMP: &str = "2026-06-15 14:33";
const DRAFT: &str = "---\nmode: contract\n---\n# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n- [ ] 1. one\n- [ ] 2. two\n\n\
    ## Goal: B\n<!-- id: b-1 -->\nstatus: open\n- [ ] 3. three (after 1)\n- [ ] 4. four\n\n## Goal: C\n<!-- id: c-1 -->\nstatus: open\n\
    needs: a-1\n- [ ] 5. five\n\n## Log\n";

/// What is done. Steps are numbers, goals places from 0.
#[derive(Clone, Debug)]
enum Act {
    Step(StepMove, u32),
    Cancel(usize),
    AddStep(usize, bool),
    Reword(u32, bool),
    Remove(u32, bool),
    Shift(u32, usize, bool),
    AddGoal(bool),
    RemoveGoal(usize, bool),
    Log,
    /// A command that says nothing of what it wants, and changes the contract, a mark or a status.
    Careless(u8),
    /// A person.
    Approve,
    Reject,
    /// By hand: a mark, a word of a step, the mode, an approval line taken away.
    HandMark(u32, Mark),
    HandWord(u32),
    HandMode,
    HandStatus(usize, Status),
}

fn act() -> impl Strategy<Value = Act> {
    let (step, goal) = (|| 1..9u32, || 0..4usize);
    let moves = prop_oneof![
        Just(StepMove::Start),
        Just(StepMove::Done),
        Just(StepMove::Skip),
        Just(StepMove::Fail),
        Just(StepMove::Retry)
    ];
    let mark = prop_oneof![
        Just(Mark::Pending),
        Just(Mark::Active),
        Just(Mark::Complete),
        Just(Mark::Failed),
        Just(Mark::Skipped)
    ];
    let status = prop_oneof![Just(Status::Open), Just(Status::Active), Just(Status::Done), Just(Status::Cancelled)];
    prop_oneof![
        12 => (moves, step()).prop_map(|(to, step)| Act::Step(to, step)),
        1 => goal().prop_map(Act::Cancel),
        2 => (goal(), any::<bool>()).prop_map(|(goal, why)| Act::AddStep(goal, why)),
        2 => (step(), any::<bool>()).prop_map(|(step, why)| Act::Reword(step, why)),
        2 => (step(), any::<bool>()).prop_map(|(step, why)| Act::Remove(step, why)),
        1 => (step(), goal(), any::<bool>()).prop_map(|(step, goal, why)| Act::Shift(step, goal, why)),
        1 => any::<bool>().prop_map(Act::AddGoal),
        1 => (goal(), any::<bool>()).prop_map(|(goal, why)| Act::RemoveGoal(goal, why)),
        1 => Just(Act::Log),
        2 => (0..4u8).prop_map(Act::Careless),
        6 => Just(Act::Approve),
        2 => Just(Act::Reject),
        1 => (step(), mark).prop_map(|(step, mark)| Act::HandMark(step, mark)),
        1 => step().prop_map(Act::HandWord),
        1 => Just(Act::HandMode),
        1 => (goal(), status).prop_map(|(goal, status)| Act::HandStatus(goal, status)),
    ]
}

fn line(text: impl ToString) -> Change {
    Change::AppendLog { stamp: STAMP.to_owned(), text: text.to_string() }
}

/// What a command wants and would write; none where what it names is not there.
fn command<'w>(plan: &Plan<'_>, act: &Act) -> Option<(Wish<'w>, Vec<Change>)> {
    let shape = |why: bool| Wish::Shape { because: why.then_some("it is needed"), again: None };
    let step = |number: u32| plan.find_step(&number.to_string()).ok().filter(|step| !step.goal().raw().archived);
    let goal = |at: usize| plan.live_goals().nth(at);
    Some(match act {
        Act::Cancel(at) => {
            let goal = goal(*at)?;
            let is_proposed = matches!(rules::state(plan), State::Active | State::Proposed);
            let id: &'static str = goal.name().to_owned().leak();
            let wish = Wish::Goal { to: GoalMove::Cancel, goal: id, because: Some("not needed") };
            let proposal = LogLine::Proposed { edit: ProposedEdit::Cancel { goal: id }, because: "not needed" };
            match is_proposed {
                true => (wish, vec![line(proposal)]),
                false => (wish, vec![Change::SetStatus { goal: goal.index(), status: Status::Cancelled }]),
            }
        }
        Act::AddStep(at, why) => {
            let change = Change::AddStep { goal: goal(*at)?.index(), text: "new".into(), after: vec![], run: None };
            (shape(*why), vec![change])
        }
        Act::Reword(number, why) => {
            let step = step(*number)?;
            let text = format!("{} and more", step.text());
            (shape(*why), vec![Change::SetStepText { step: step.index(), text }])
        }
        Act::Remove(number, why) => (shape(*why), vec![Change::RemoveStep { step: step(*number)?.index() }]),
        Act::Shift(number, at, why) => {
            let (step, goal) = (step(*number)?.index(), goal(*at)?.index());
            (shape(*why), vec![Change::MoveStep { step, goal, at: None }])
        }
        Act::AddGoal(why) => {
            let new = plan::plan::change::NewGoal {
                subject: "New".into(),
                steps: vec!["task".into()],
                ..plan::plan::change::NewGoal::default()
            };
            (shape(*why), vec![Change::AddGoal(new)])
        }
        Act::RemoveGoal(at, why) => (shape(*why), vec![Change::RemoveGoal { goal: goal(*at)?.index() }]),
        Act::Log => (Wish::Free, vec![line("a line")]),
        Act::Careless(what) => {
            let (step, goal) = (plan.step(0)?, goal(0)?);
            let change = match what {
                0 => Change::SetStepText { step: step.index(), text: format!("{} by stealth", step.text()) },
                1 => Change::SetMark { step: step.index(), mark: Mark::Complete, outcome: None },
                2 => Change::SetStatus { goal: goal.index(), status: Status::Done },
                _ => Change::AddStep { goal: goal.index(), text: "by stealth".into(), after: vec![], run: None },
            };
            (Wish::Free, vec![change])
        }
        Act::Step(to, number) => {
            let name: &'static str = number.to_string().leak();
            let command = match to {
                StepMove::Start => "step start",
                StepMove::Done => "step done",
                StepMove::Skip => "step skip",
                StepMove::Fail => "step fail",
                StepMove::Retry => "step retry",
            };
            let wish = Wish::Step { command, to: *to, step: name, text: Some("so") };
            let found = step(*number)?;
            let changes = match to {
                StepMove::Retry => {
                    vec![line(LogLine::Proposed { edit: ProposedEdit::Retry { step: name }, because: "so" })]
                }
                _ => settle(found, to.mark(), Some("so"), STAMP),
            };
            (wish, changes)
        }
        _ => return None,
    })
}

/// As `Context::change_as` does it, but for the files and git.
fn write(source: &[u8], act: &Act) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    let (wish, mut changes) = command(&plan, act)?;
    rules::allow(&plan, wish).ok()?;
    let after = apply(source, &edits(&plan, &changes).ok()?).ok()?;
    let after = parse::parse(&after).ok()?;
    let proposed = rules::hold(&plan, &after, wish).ok()?;
    changes.extend(proposed.lines.iter().map(line));
    if wish.activates() {
        activate(&after, &mut changes);
    }
    apply(source, &edits(&plan, &changes).ok()?).ok()
}

fn activate(after: &Plan<'_>, changes: &mut Vec<Change>) {
    let Some(step) = rules::next_activation(after).and_then(|at| after.step(at)) else { return };
    changes.push(Change::SetMark { step: step.index(), mark: Mark::Active, outcome: None });
    if step.goal().status() == Status::Open {
        changes.push(Change::SetStatus { goal: step.goal().index(), status: Status::Active });
    }
}

/// A person's approval: retries and cancellations come true, the line names what stands there, the next step begins.
fn approve(source: &[u8]) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    if !matches!(rules::state(&plan), State::Unapproved | State::Proposed) || !rules::violations(&plan).is_empty() {
        return None;
    }
    let mut changes = Vec::new();
    for proposal in rules::Approvals::read(&plan).by_line() {
        match proposal.edit {
            ProposedEdit::Retry { step } => {
                let step = plan.find_step(step).ok().filter(|step| step.raw().mark == Mark::Failed);
                changes.extend(step.map(|step| Change::SetMark {
                    step: step.index(),
                    mark: Mark::Pending,
                    outcome: None,
                }));
            }
            ProposedEdit::Cancel { goal } => {
                let goal = plan.goal_named(goal).ok().filter(|goal| !goal.status().is_finished());
                changes.extend(goal.map(|goal| Change::SetStatus { goal: goal.index(), status: Status::Cancelled }));
            }
            _ => {}
        }
    }
    changes.dedup();
    let (contract, steps) = (plan_contract(&plan).short(), next_number(&plan) - 1);
    changes.push(line(format!("plan approved by ada via terminal (contract {contract}, steps to {steps})")));
    let after = apply(source, &edits(&plan, &changes).ok()?).ok()?;
    activate(&parse::parse(&after).ok()?, &mut changes);
    apply(source, &edits(&plan, &changes).ok()?).ok()
}

/// A rejection where only lines are proposed; the contract itself is put back elsewhere.
fn reject(source: &[u8]) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    let contract = plan_contract(&plan).short();
    let is_proposed = rules::state(&plan) == State::Proposed;
    let text = format!("edit rejected: not now (contract {contract})");
    is_proposed.then(|| apply(source, &edits(&plan, &[line(text)]).ok()?).ok())?
}

fn by_hand(source: &[u8], act: &Act) -> Option<Vec<u8>> {
    let plan = parse::parse(source).ok()?;
    let step = |number: &u32| plan.find_step(&number.to_string()).ok();
    let change = match act {
        Act::HandMark(number, mark) => Change::SetMark { step: step(number)?.index(), mark: *mark, outcome: None },
        Act::HandWord(number) => Change::SetStepText { step: step(number)?.index(), text: "by hand".into() },
        Act::HandStatus(at, status) => Change::SetStatus { goal: plan.live_goals().nth(*at)?.index(), status: *status },
        Act::HandMode => {
            let text = String::from_utf8(source.to_vec()).ok()?;
            let is_there = text.starts_with("---\n");
            let other = if is_there {
                text.replacen("---\nmode: contract\n---\n", "", 1)
            } else {
                format!("---\nmode: contract\n---\n{text}")
            };
            return Some(other.into_bytes());
        }
        _ => return None,
    };
    apply(source, &edits(&plan, &[change]).ok()?).ok()
}

/// The reference: the digest of the newest approval of a plan that was approved in contract mode, kept beside the file.
#[derive(Clone, Debug, Default)]
struct Reference {
    agreed: Option<String>,
    /// Retries and cancellations that nobody has answered.
    asked: usize,
}

impl Reference {
    /// What the plan may be: active or complete only where it is the agreed one and nothing is asked.
    fn expects(&self, plan: &Plan<'_>) -> &'static str {
        match &self.agreed {
            None if plan.is_contract_mode() && plan.live_goals().next().is_none() => "none",
            None if plan.is_contract_mode() => "unapproved",
            None => "guide",
            Some(_) if plan.live_goals().next().is_none() => "none",
            Some(digest) if self.asked == 0 && plan_contract(plan).is_short(digest) => "agreed",
            Some(_) => "proposed",
        }
    }
}

fn told(state: State) -> &'static str {
    match state {
        State::Active | State::Complete => "agreed",
        other => other.word(),
    }
}

fn marks(plan: &Plan<'_>) -> Vec<(u32, Mark)> {
    let mut marks: Vec<_> = plan.steps.iter().filter_map(|step| Some((step.number?, step.mark))).collect();
    marks.sort_by_key(|(number, _)| *number);
    marks
}

fn statuses(plan: &Plan<'_>) -> Vec<(String, Status)> {
    plan.live_goals().map(|goal| (goal.name().to_owned(), goal.status())).collect()
}

/// Marks of steps that both have and that differ.
fn moved(before: &Plan<'_>, after: &Plan<'_>) -> Vec<(Mark, Mark)> {
    let new = marks(after);
    let is = |number: u32| new.iter().find(|(other, _)| *other == number).map(|(_, mark)| *mark);
    marks(before)
        .into_iter()
        .filter_map(|(number, was)| Some((was, is(number)?)))
        .filter(|(was, is)| was != is)
        .collect()
}

/// The arrows of `CONTRACT.md` §2, for a command; `[!]` to `[ ]` only in an approval.
fn is_arrow(was: Mark, is: Mark, is_approval: bool) -> bool {
    match (was, is) {
        (Mark::Pending, Mark::Active) => true,
        (Mark::Active, Mark::Complete | Mark::Failed | Mark::Skipped) => true,
        // Approved and begun in one write.
        (Mark::Failed, Mark::Pending | Mark::Active) => is_approval,
        _ => false,
    }
}

thread_local! {
    static WRITES: Cell<[usize; 3]> = const { Cell::new([0; 3]) };
}

fn count(at: usize) {
    WRITES.with(|writes| {
        let mut now = writes.get();
        now[at] += 1;
        writes.set(now);
    });
}

fn sequence(acts: &[Act]) -> Result<(), TestCaseError> {
    let (mut source, mut reference) = (DRAFT.as_bytes().to_vec(), Reference::default());
    count(0);
    for act in acts {
        let before = parse::parse(&source).unwrap();
        let state = rules::state(&before);
        let next = match act {
            Act::Approve => approve(&source),
            Act::Reject => reject(&source),
            Act::HandMark(..) | Act::HandWord(_) | Act::HandMode | Act::HandStatus(..) => by_hand(&source, act),
            _ => write(&source, act),
        };
        let Some(next) = next.filter(|next| *next != source) else {
            count(2);
            continue;
        };
        count(1);
        let after = parse::parse(&next).unwrap();
        match act {
            Act::Approve => reference = Reference { agreed: Some(plan_contract(&after).short()), asked: 0 },
            Act::Reject => reference.asked = 0,
            Act::Step(StepMove::Retry, _) => reference.asked += 1,
            Act::Cancel(_) if matches!(state, State::Active | State::Proposed) => reference.asked += 1,
            _ => {}
        }
        let now = rules::state(&after);
        prop_assert_eq!(told(now), reference.expects(&after), "{:?} in {}", act, String::from_utf8_lossy(&source));
        let is_by_hand = matches!(act, Act::HandMark(..) | Act::HandWord(_) | Act::HandMode | Act::HandStatus(..));
        let is_persons = matches!(act, Act::Approve | Act::Reject);
        let moves = moved(&before, &after);
        if !is_by_hand && state != State::Guide {
            // Law 1: an agent's write never makes a plan active, but by taking a change back.
            if !is_persons && matches!(state, State::None | State::Unapproved) {
                prop_assert!(!matches!(now, State::Active | State::Complete), "{:?}", act);
            }
            if !is_persons && state == State::Proposed && now == State::Active {
                prop_assert!(
                    matches!(
                        act,
                        Act::AddStep(..)
                            | Act::Reword(..)
                            | Act::Remove(..)
                            | Act::Shift(..)
                            | Act::AddGoal(_)
                            | Act::RemoveGoal(..)
                    ),
                    "{:?}",
                    act
                );
            }
            // Law 2; giving a goal up before the first approval is the one exception.
            if !is_persons && matches!(state, State::Unapproved | State::Proposed) {
                prop_assert!(moves.is_empty(), "{:?} {:?}", act, moves);
                let kept = statuses(&after);
                let same = statuses(&before)
                    .into_iter()
                    .filter(|old| kept.iter().any(|new| new.0 == old.0))
                    .all(|old| kept.contains(&old));
                prop_assert!(same || state == State::Unapproved && matches!(act, Act::Cancel(_)), "{:?}", act);
            }
            // Law 3
            let begun = moves.iter().filter(|(_, is)| *is == Mark::Active).count();
            prop_assert!(begun <= 1, "{:?} {:?}", act, moves);
            // Law 4
            for (was, is) in &moves {
                prop_assert!(is_arrow(*was, *is, matches!(act, Act::Approve)), "{:?} {:?} -> {:?}", act, was, is);
            }
            // A careless command changes nothing that is agreed, and no mark.
            if matches!(act, Act::Careless(_) | Act::Log) && state != State::Unapproved {
                prop_assert_eq!(plan_contract(&before), plan_contract(&after));
            }
        }
        // Law 7: what is written is one file, swapped in whole, so that a kill leaves this state or the one before.
        source = next;
    }
    Ok(())
}

/// Sequences of acts, each of up to 40.
fn sequences() -> u32 {
    u32::try_from(size(300, 1_500)).unwrap()
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 2_000, ..ProptestConfig::default() }
}

// F-9, F-10, F-17, F-22, F-26, F-57, F-62; CONTRACT.md §3.5, laws 1 to 4
#[test]
fn commands_and_hands_keep_to_the_laws() {
    let mut runner = proptest::test_runner::TestRunner::new(config(sequences()));
    let acts = proptest::collection::vec(act(), 1..40);
    runner.run(&acts, |acts| sequence(&acts)).unwrap();
    let [sequences, written, refused] = WRITES.with(Cell::get);
    println!("{sequences} sequences, {written} writes, {refused} refused or without effect");
    assert!(written > sequences && refused > sequences, "{written} of {refused}");
}

fn after(acts: &[Act], from: &[u8]) -> Vec<u8> {
    acts.iter().fold(from.to_vec(), |source, act| {
        let next = match act {
            Act::Approve => approve(&source),
            Act::Reject => reject(&source),
            Act::HandMark(..) | Act::HandWord(_) | Act::HandMode | Act::HandStatus(..) => by_hand(&source, act),
            _ => write(&source, act),
        };
        next.unwrap_or(source)
    })
}

fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let mut texts = |versions: [&[u8]; 3]| Ok(merge::MergedText::conflict(versions.map(Some)));
    let merged = merge::merge([base, ours, theirs], STAMP, &mut texts).ok()?;
    (merged.conflicts() == 0).then(|| merged.text.side(merge::OURS))
}

// CONTRACT.md §3.5, law 9
#[test]
fn a_merge_is_active_only_where_the_newest_approval_is_of_what_stands_there() {
    let mut runner = proptest::test_runner::TestRunner::new(config(sequences() / 3));
    let acts = || proptest::collection::vec(act(), 0..12);
    let active = Cell::new(0);
    runner
        .run(&(acts(), acts(), acts()), |(first, ours, theirs)| {
            let base = after(&first, &approve(DRAFT.as_bytes()).unwrap());
            let (ours, theirs) = (after(&ours, &base), after(&theirs, &base));
            let Some(merged) = merged(&base, &ours, &theirs) else { return Ok(()) };
            let Ok(plan) = parse::parse(&merged) else { return Ok(()) };
            if matches!(rules::state(&plan), State::Active | State::Complete) {
                active.set(active.get() + 1);
                let approvals = rules::Approvals::read(&plan);
                let (_, newest) = approvals.newest.unwrap();
                prop_assert!(plan_contract(&plan).is_short(newest.contract));
                // That very contract was approved on one of the branches, or before them.
                let known = [&base, &ours, &theirs].into_iter().any(|side| {
                    String::from_utf8_lossy(side).contains(&format!("(contract {}, steps to", newest.contract))
                });
                prop_assert!(known);
            }
            Ok(())
        })
        .unwrap();
    println!("{} merges were active", active.get());
    assert!(active.get() > 0);
}
