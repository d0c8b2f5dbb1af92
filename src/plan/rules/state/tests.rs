use super::super::{Approvals, HoldReason, OddMarks, Order, PlanState, held, next_activation, odd_marks, state};
use crate::plan::contract::{goal_contract, plan_contract};
use crate::plan::{Plan, parse};

const CONTRACT: &str = "---\nmode: contract\n---\n";
const SIGNED: &str = "signed off (verify none, gate full, oracle accept by x, contract CONTRACT, tree none, at none)";

/// Two goals: `a-1` with steps 1 and 2, `b-1` with step 3. `marks` are of the steps, `statuses` of the goals, `needs` is of `b-1`.
fn source(front: &str, marks: [char; 3], statuses: [&str; 2], needs: &str, log: &[String]) -> String {
    let [one, two, three] = marks;
    let [a, b] = statuses;
    let log: String = log.iter().map(|line| format!("- 2026-06-15 14:02  {line}\n")).collect();
    format!(
        "{front}# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: {a}\n- [{one}] 1. one\n- [{two}] 2. two\n\n\
         ## Goal: B\n<!-- id: b-1 -->\nstatus: {b}\n{needs}- [{three}] 3. three\n\n## Log\n{log}"
    )
}

fn plan(source: &str) -> Plan<'_> {
    parse::parse(source.as_bytes()).unwrap()
}

fn approval(source: &str) -> String {
    format!("plan approved by ada via terminal (contract {}, steps to 3)", plan_contract(&plan(source)).short())
}

/// The same plan with an approval of its contract, and with the log lines `more` after it.
fn approved(front: &str, marks: [char; 3], statuses: [&str; 2], needs: &str, more: &[&str]) -> String {
    let line = approval(&source(front, marks, statuses, needs, &[]));
    let mut log = vec![line];
    log.extend(more.iter().map(|line| (*line).to_owned()));
    source(front, marks, statuses, needs, &log)
}

fn state_of(source: &str) -> PlanState {
    state(&plan(source))
}

const OPEN: [&str; 2] = ["active", "open"];

// F-8, F-17; CONTRACT.md §3.1
#[test]
fn a_plan_stands_as_file_and_log_say() {
    let new = ['/', ' ', ' '];
    assert_eq!(state_of(&source("", new, OPEN, "", &[])), PlanState::Guide);
    assert_eq!(state_of("---\nmode: contract\n---\n# Plan: x\n\n## Log\n"), PlanState::None);
    assert_eq!(state_of("---\nmode: contract\n---\n# Archive\n\n## Goal: A\nstatus: done\n"), PlanState::None);
    assert_eq!(state_of(&source(CONTRACT, new, OPEN, "", &[])), PlanState::Unapproved);
    let active = approved(CONTRACT, new, OPEN, "", &[]);
    assert_eq!(state_of(&active), PlanState::Active);
    // Marks, status, priority, log and prose are not part of the contract.
    for (old, changed) in [("[ ] 2.", "[x] 2."), ("status: open", "status: done"), ("## Log", "prose\n\n## Log")] {
        assert_eq!(state_of(&active.replace(old, changed)), PlanState::Active, "{old}");
    }
    for (old, changed) in [("two", "2"), ("- [ ] 3. three\n", ""), ("# Plan: x", "# Plan: y"), ("id: b-1", "id: b-2")] {
        assert_eq!(state_of(&active.replace(old, changed)), PlanState::Proposed, "{old}");
    }
    // Removing the mode changes the contract: the plan is still held.
    assert_eq!(state_of(&active.replace(CONTRACT, "")), PlanState::Proposed);
    assert_eq!(state_of(&active.replace("contract\n", "guide\n")), PlanState::Proposed);
    // An approval in guide mode does not hold the plan to its contract.
    assert_eq!(state_of(&active.replace(CONTRACT, "").replace(", steps to 3", "")), PlanState::Guide);
}

#[test]
fn the_newest_approval_counts_and_none_that_was_cleared() {
    let (new, old) = (['/', ' ', ' '], "plan approved by ada via terminal (contract 000000000000, steps to 3)");
    assert_eq!(state_of(&source(CONTRACT, new, OPEN, "", &[old.to_owned()])), PlanState::Proposed);
    let line = approval(&source(CONTRACT, new, OPEN, "", &[]));
    assert_eq!(state_of(&source(CONTRACT, new, OPEN, "", &[old.to_owned(), line.clone()])), PlanState::Active);
    assert_eq!(state_of(&source(CONTRACT, new, OPEN, "", &[line.clone(), old.to_owned()])), PlanState::Proposed);
    let cleared = "plan cleared: another way".to_owned();
    assert_eq!(state_of(&source(CONTRACT, new, OPEN, "", &[line.clone(), cleared.clone()])), PlanState::Unapproved);
    assert_eq!(state_of(&source("", new, OPEN, "", &[line.clone(), cleared.clone()])), PlanState::Unapproved);
    assert_eq!(state_of(&source(CONTRACT, new, OPEN, "", &[cleared, line.clone()])), PlanState::Active);
    // An approval in the archive does not count.
    let archived = format!("{}\n# Archive\n\n## Log\n- 2026-06-15 14:02  {line}\n", source("", new, OPEN, "", &[]));
    assert_eq!(state_of(&archived), PlanState::Guide);
}

#[test]
fn a_proposed_retry_or_cancellation_waits_until_it_is_answered() {
    let new = ['!', '/', ' '];
    let rejected = "edit rejected: not now (contract 000000000000)";
    for line in ["edit proposed: retry step 1 because x", "edit proposed: cancel b-1 because x"] {
        let source = approved(CONTRACT, new, OPEN, "", &[line]);
        assert_eq!(state_of(&source), PlanState::Proposed, "{line}");
        assert_eq!(held(&plan(&source)), Some(HoldReason::Proposed));
        assert_eq!(state_of(&approved(CONTRACT, new, OPEN, "", &[line, rejected])), PlanState::Active);
        assert_eq!(state_of(&approved(CONTRACT, new, OPEN, "", &[rejected, line])), PlanState::Proposed);
    }
    // A change of the contract is taken back by undoing it; its log line alone holds nothing.
    let line = "edit proposed: step 7 added to b-1 because x";
    assert_eq!(state_of(&approved(CONTRACT, new, OPEN, "", &[line])), PlanState::Active);
    let source = approved(CONTRACT, new, OPEN, "", &[line, rejected, line]);
    let plan = plan(&source);
    let log = Approvals::read(&plan);
    assert_eq!((log.proposals.len(), log.rejected.len(), log.rejected[0].edits.len()), (1, 1, 1));
}

// F-11, F-18
#[test]
fn a_plan_is_complete_when_all_is_signed_off_or_cancelled() {
    let settled = ['x', '-', 'x'];
    let whole = |statuses: [&str; 2], marks: [char; 3], signed: &[&str]| {
        let bare = source(CONTRACT, marks, statuses, "", &[]);
        let parsed = plan(&bare);
        let mut log = vec![approval(&bare)];
        for id in signed {
            let contract = goal_contract(parsed.goal_named(id).unwrap()).digest.short();
            log.push(format!("{id} {}", SIGNED.replace("CONTRACT", &contract)));
        }
        source(CONTRACT, marks, statuses, "", &log)
    };
    let done = ["done", "done"];
    assert_eq!(state_of(&whole(done, settled, &["a-1", "b-1"])), PlanState::Complete);
    assert_eq!(state_of(&whole(["done", "cancelled"], ['x', 'x', ' '], &["a-1"])), PlanState::Complete);
    assert_eq!(state_of(&whole(["cancelled", "cancelled"], ['!', ' ', '/'], &[])), PlanState::Complete);
    // A status set by hand does not complete the plan.
    assert_eq!(state_of(&whole(done, settled, &["a-1"])), PlanState::Active);
    assert_eq!(state_of(&whole(done, ['x', ' ', 'x'], &["a-1", "b-1"])), PlanState::Active);
    assert_eq!(state_of(&whole(["active", "done"], settled, &["a-1", "b-1"])), PlanState::Active);
}

fn order(marks: [char; 3], statuses: [&str; 2], needs: &str) -> (Option<usize>, Vec<usize>, Option<usize>) {
    let source = approved(CONTRACT, marks, statuses, needs, &[]);
    let Order { goal, active, eligible, .. } = Order::of(&plan(&source));
    assert_eq!(next_activation(&plan(&source)), eligible);
    (goal, active, eligible)
}

// F-10, F-11, F-21, F-22, F-23, F-24, F-36
#[test]
fn the_next_step_is_the_first_pending_one_of_the_first_unfinished_goal() {
    for (marks, statuses, expected) in [
        ([' ', ' ', ' '], ["open", "open"], (Some(0), vec![], Some(0))),
        (['/', ' ', ' '], OPEN, (Some(0), vec![0], None)),
        (['x', ' ', ' '], OPEN, (Some(0), vec![], Some(1))),
        (['!', ' ', ' '], OPEN, (Some(0), vec![], Some(1))),
        (['x', '!', ' '], OPEN, (Some(0), vec![], None)),
        (['-', 'x', ' '], OPEN, (Some(1), vec![], Some(2))),
        ([' ', ' ', ' '], ["cancelled", "open"], (Some(1), vec![], Some(2))),
        (['/', ' ', ' '], ["cancelled", "open"], (Some(1), vec![], Some(2))),
        (['x', ' ', ' '], ["done", "open"], (Some(1), vec![], Some(2))),
        (['x', '/', '/'], OPEN, (Some(0), vec![1, 2], None)),
        (['x', 'x', 'x'], ["active", "active"], (None, vec![], None)),
        (['x', 'x', '/'], ["active", "done"], (None, vec![2], None)),
    ] {
        assert_eq!(order(marks, statuses, ""), expected, "{marks:?} {statuses:?}");
    }
}

#[test]
fn what_holds_the_work_is_told_with_the_way_on() {
    let told = |marks, needs: &str| {
        let source = approved(CONTRACT, marks, OPEN, needs, &[]);
        held(&plan(&source)).map(|held| held.to_string())
    };
    let needs = "needs: a-1\n";
    assert_eq!(order(['x', 'x', ' '], OPEN, needs), (Some(1), vec![], None));
    assert_eq!(
        told(['x', 'x', ' '], needs).as_deref(),
        Some("b-1 needs a-1, which is not signed off: plan complete a-1")
    );
    assert_eq!(
        told(['x', '!', ' '], "").as_deref(),
        Some("step 2 failed, and no other step of a-1 can be done: plan step retry 2 --because \"why\"")
    );
    assert_eq!(told(['!', '/', ' '], ""), None);
    assert_eq!(told(['!', ' ', ' '], ""), None);
    assert_eq!(told(['x', 'x', 'x'], ""), None);
    let unapproved = source(CONTRACT, [' '; 3], OPEN, "", &[]);
    assert_eq!(held(&plan(&unapproved)).unwrap().to_string(), "the plan waits for approval: plan approve");
    assert_eq!(held(&plan(&source("", [' '; 3], OPEN, "", &[]))), None);
}

#[test]
fn marks_set_by_hand_are_told() {
    let of = |marks, log: &[&str]| {
        let source = approved(CONTRACT, marks, OPEN, "", log);
        let plan = plan(&source);
        odd_marks(&plan).iter().map(|odd| odd.describe(&plan)).collect::<Vec<_>>()
    };
    let done = "step 1 complete: x";
    assert!(of([' ', '/', ' '], &[]).is_empty());
    assert!(of(['x', '/', ' '], &[done]).is_empty());
    assert_eq!(
        of(['x', '/', '!'], &["step 3 complete: x"]),
        ["step 1 is complete, and the log does not say so", "step 3 is failed, and the log does not say so"]
    );
    assert_eq!(of(['x', '/', '/'], &[done]), ["steps 2 and 3 are active at once; one step at a time"]);
    let source = approved(CONTRACT, ['-', ' ', ' '], OPEN, "", &[done]);
    assert_eq!(odd_marks(&plan(&source)), [OddMarks::Unlogged(0)]);
}

/// The time that all rule checks take for a plan with this many steps.
fn seconds(steps: usize) -> f64 {
    let goals: String = (0..steps / 10)
        .map(|goal| {
            let steps: String =
                (1..=10).map(|at| format!("- [x] {}. task (after {})\n", goal * 10 + at, (goal * 10).max(1))).collect();
            format!(
                "## Goal: G{goal}\n<!-- id: g{goal}-1 -->\nstatus: active\nneeds: g{}-1\n{steps}\n",
                goal.max(1) - 1
            )
        })
        .collect();
    let bare = format!("{CONTRACT}# Plan: x\n\n{goals}## Log\n");
    let logged: String = (1..=steps).map(|step| format!("- 2026-06-15 14:02  step {step} complete: so\n")).collect();
    let text = format!("{bare}- 2026-06-15 14:02  {}\n{logged}", approval(&bare));
    let before = plan(&text);
    let changed = text.replace("G7\n", "G seven\n");
    let after = plan(&changed);
    let start = std::time::Instant::now();
    assert_eq!(state(&before), PlanState::Active);
    assert_eq!(odd_marks(&before), []);
    let _ = (held(&before), next_activation(&before), crate::plan::rules::violations(&before).len());
    let request = crate::plan::rules::PlanRequest::Shape { because: Some("x"), again: None };
    let _ = crate::plan::rules::hold(&before, &after, request);
    start.elapsed().as_secs_f64()
}

// F-58
#[test]
fn the_rules_take_time_that_grows_with_the_plan_alone() {
    let (small, large) = (seconds(10_000), seconds(40_000));
    assert!(large < small * 12.0 + 0.5, "10,000 steps {small:.3} s, 40,000 steps {large:.3} s");
}
