use super::{
    GoalMove, GoalRecords, Needs, Standing, StepMove, check_goal_move, check_step_move, cycles, next, ready,
    step_to_do, waits_for, workable,
};
use crate::error::Kind;
use crate::plan::contract::goal_contract;
use crate::plan::model::{Mark, Plan, Status};
use crate::plan::parse;

fn plan(source: &str) -> Plan<'_> {
    parse(source.as_bytes()).unwrap()
}

fn goal(id: &str, lines: &str) -> String {
    format!("## Goal: {id}\n<!-- id: {id} -->\n{lines}\n")
}

/// The plan with a sign-off of the goal with this id at the end of its log.
fn signed(source: &str, id: &str) -> String {
    let plan = plan(source);
    let done = plan.all_goals().find(|goal| goal.id() == Some(id) && goal.status() == Status::Done);
    let contract = goal_contract(done.unwrap()).digest.short();
    let line = format!("- 2026-06-15 14:02  {id} {}\n", SIGNED.replace("CONTRACT", &contract));
    source.replacen("## Log\n", &format!("## Log\n{line}"), 1)
}

fn names(source: &str) -> Vec<String> {
    ready(&plan(source)).iter().map(|goal| goal.name().to_owned()).collect()
}

#[test]
fn ready_goals_come_by_priority_then_file_order() {
    let source = goal("a", "priority: 3")
        + &goal("b", "")
        + &goal("c", "priority: 1")
        + &goal("d", "status: done")
        + &goal("e", "status: active")
        + &goal("f", "status: cancelled");
    assert_eq!(names(&source), ["c", "b", "e", "a"]);
}

#[test]
fn what_can_be_worked_on_begins_with_what_is_next() {
    let source = goal("a", "priority: 1")
        + &goal("b", "status: active\nneeds: a\npriority: 1")
        + &goal("c", "status: active\npriority: 3")
        + &goal("d", "needs: a")
        + &goal("e", "status: active")
        + &goal("f", "status: done");
    let plan = plan(&source);
    let names: Vec<&str> = workable(&plan).iter().map(|goal| goal.name()).collect();
    assert_eq!(names, ["e", "c", "b", "a"]);
    assert_eq!(next(&plan).unwrap().name(), "e");
}

#[test]
fn a_goal_waits_until_all_it_needs_is_done() {
    let source = goal("a", "needs: d, e")
        + &goal("b", "needs:\n- d")
        + &goal("c", "needs: nobody")
        + &goal("d", "status: done")
        + &goal("e", "")
        + &goal("f", "needs: g")
        + "## Log\n# Archive\n"
        + &goal("g", "status: done");
    let source = signed(&signed(&source, "d"), "g");
    assert_eq!(names(&source), ["b", "e", "f"]);
    let plan = plan(&source);
    let missing = |index| Needs::new(&plan).missing(plan.goal(index).unwrap());
    assert_eq!((missing(0), missing(2)), (vec!["e".to_owned()], vec!["nobody".to_owned()]));
}

#[test]
fn a_need_on_two_goals_with_one_id_is_done_when_both_are() {
    let source = goal("a", "needs: b") + &goal("b", "status: done") + &goal("b", "") + "## Log\n";
    assert_eq!(names(&signed(&source, "b")), ["b"]);
}

// P-7, P-52
#[test]
fn a_goal_ticked_by_hand_opens_nothing_that_needs_it() {
    let source = goal("a", "needs: b") + &goal("b", "status: done") + "## Log\n";
    assert_eq!(names(&source), [""; 0]);
    let by_hand = plan(&source);
    let needs = Needs::new(&by_hand);
    assert_eq!(needs.missing(by_hand.goal(0).unwrap()), ["b"]);
    assert!(needs.is_by_hand("b") && !needs.is_by_hand("a"));
    let signed = signed(&source, "b");
    assert_eq!(names(&signed), ["a"]);
    // A sign-off for another contract unblocks nothing, in the archive either.
    let other = signed.replace("status: done", "status: done\nverify: other");
    assert_eq!(names(&other), [""; 0]);
    let archived = other.replace("## Goal: b", "# Archive\n## Goal: b").replace("## Log", "# x\n## Log");
    assert_eq!(names(&archived), [""; 0]);
    assert_eq!(names(&source.replace("status: done", "")), ["b"]);
}

// P-14
#[test]
fn what_is_active_comes_before_what_is_ready() {
    let name = |source: &str| next(&plan(source)).map(|goal| goal.name().to_owned());
    assert_eq!(name(&(goal("a", "priority: 1") + &goal("b", "status: active"))).unwrap(), "b");
    assert_eq!(name(&(goal("a", "") + &goal("b", "priority: 1"))).unwrap(), "b");
    assert_eq!(name(&(goal("a", "") + &goal("b", "status: active\nneeds: a"))).unwrap(), "b");
    assert_eq!(name(&goal("a", "status: done")), None);
    assert_eq!(name(&goal("a", "needs: a")), None);
}

// F-28
#[test]
fn in_contract_mode_only_the_first_unfinished_goal_is_ready() {
    let goals = goal("a", "- [x] 1. x")
        + &goal("b", "priority: 4\n- [ ] 2. x")
        + &goal("c", "priority: 1\n- [ ] 3. x")
        + &goal("d", "- [ ] 4. x");
    let named = |source: &str| {
        let plan = plan(source);
        workable(&plan).iter().map(|goal| goal.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(named(&goals), ["c", "a", "d", "b"]);
    let held = format!("---\nmode: contract\n---\n{goals}");
    assert_eq!((named(&held), names(&held)), (vec!["b".to_owned()], vec!["b".to_owned()]));
    // A goal that somebody works on all the same is shown first.
    let begun = held.replace("- [ ] 4. x", "status: active\n- [/] 4. x");
    assert_eq!(named(&begun), ["d", "b"]);
}

fn rings(source: &str) -> Vec<Vec<usize>> {
    cycles(&plan(source))
}

#[test]
fn cycles_are_found_once_and_begin_with_the_first_goal() {
    assert_eq!(rings(&(goal("a", "needs: b") + &goal("b", "needs: c") + &goal("c", "needs: a"))), [[0, 1, 2]]);
    assert_eq!(
        rings(&(goal("x", "needs: b") + &goal("a", "needs: c") + &goal("b", "needs: a") + &goal("c", "needs: b"))),
        [[1, 3, 2]]
    );
    assert_eq!(rings(&goal("a", "needs: a")), [[0]]);
    assert_eq!(
        rings(&(goal("a", "needs: b, c") + &goal("b", "needs: d") + &goal("c", "needs: d") + &goal("d", ""))),
        [[0; 0]; 0]
    );
    assert_eq!(
        rings(&(goal("a", "needs: b") + &goal("b", "needs: a") + &goal("c", "needs: d") + &goal("d", "needs: c"))),
        [[0, 1], [2, 3]]
    );
}

#[test]
fn a_long_chain_and_many_ways_back_take_no_time() {
    let chain: String =
        (0..20_000).map(|at| goal(&format!("g-{at}"), &format!("needs: g-{}, g-0, g-{}", at + 1, at / 2))).collect();
    let found = rings(&chain);
    assert_eq!(found.len(), 1);
}

fn to_do(steps: &str) -> Option<usize> {
    step_to_do(plan(&format!("## Goal: a\n{steps}")).goal(0).unwrap())
}

#[test]
fn the_step_to_do_is_the_active_one_else_the_first_that_waits_for_nothing() {
    assert_eq!(to_do("- [x] 1. a\n- [ ] 2. b\n- [/] 3. c\n"), Some(2));
    assert_eq!(to_do("- [x] 1. a\n- [ ] 2. b\n"), Some(1));
    assert_eq!(to_do("- [ ] 1. a (after 2)\n- [ ] 2. b (after 7)\n"), Some(1));
    assert_eq!(to_do("- [!] 1. a\n- [ ] 2. b (after 1)\n"), None);
    assert_eq!(to_do("- [x] a\n- [-] b\n"), None);
    let source = "## Goal: a\n- [!] 1. a\n- [-] 2. b\n- [ ] 3. c (after 1, 2)\n";
    let plan = plan(source);
    assert_eq!(waits_for(&plan, &plan.steps[2]), [1]);
}

#[test]
fn what_comes_after_a_step_is_told_from_its_new_mark() {
    let after = |steps: &str, index, mark| {
        super::step_to_do_after(plan(&format!("## Goal: a\n{steps}")).goal(0).unwrap(), index, mark)
    };
    let waits = "- [/] 1. a\n- [ ] 2. b (after 1)\n- [ ] 3. c\n";
    assert_eq!(after(waits, 0, Mark::Complete), Some(1));
    assert_eq!(after(waits, 0, Mark::Skipped), Some(1));
    assert_eq!(after(waits, 0, Mark::Failed), Some(2));
    assert_eq!(after("- [ ] 1. a\n- [/] 2. b\n- [/] 3. c\n", 2, Mark::Complete), Some(1));
    assert_eq!(after("- [ ] 1. a (after 2)\n- [ ] 2. b (after 1)\n- [ ] 3. c\n", 2, Mark::Complete), None);
}

#[test]
fn a_goal_refuses_what_its_status_does_not_allow() {
    let refusal = |status: &str, wanted, standing| {
        let source = goal("a", &format!("status: {status}"));
        check_goal_move(plan(&source).goal(0).unwrap(), wanted, standing).err().map(|error| {
            assert_eq!(error.kind, Kind::Refused);
            error.message
        })
    };
    use Standing::{NotSignedOff, OtherContract, SignedOff};
    for status in ["open", "active", "done", "cancelled"] {
        assert_eq!(refusal(status, GoalMove::Start, SignedOff), None);
    }
    for status in ["open", "active"] {
        assert_eq!(refusal(status, GoalMove::Complete, NotSignedOff), None);
        assert_eq!(refusal(status, GoalMove::Cancel, NotSignedOff), None);
    }
    assert_eq!(refusal("done", GoalMove::Complete, NotSignedOff), None);
    assert_eq!(refusal("done", GoalMove::Complete, OtherContract), None);
    // A later goal may have made it pointless.
    assert_eq!(refusal("done", GoalMove::Cancel, OtherContract), None);
    assert_eq!(refusal("done", GoalMove::Complete, SignedOff).unwrap(), "goal `a` is already signed off");
    assert_eq!(
        refusal("cancelled", GoalMove::Complete, NotSignedOff).unwrap(),
        "goal `a` is cancelled: `complete` needs an open or active goal"
    );
    assert_eq!(
        refusal("done", GoalMove::Cancel, SignedOff).unwrap(),
        "goal `a` is done: `cancel` needs an open or active goal"
    );
}

#[test]
fn a_step_refuses_what_its_mark_does_not_allow() {
    use StepMove::{Done, Fail, Retry, Skip, Start};
    let allowed = |mark: char| {
        let source = format!("## Goal: a\n- [{mark}] 3. x\n");
        let plan = plan(&source);
        [Start, Done, Fail, Skip, Retry].map(|wanted| check_step_move(plan.step(0).unwrap(), wanted).is_ok())
    };
    assert_eq!(allowed(' '), [true, true, true, true, false]);
    assert_eq!(allowed('/'), [false, true, true, true, false]);
    for finished in ['x', '!', '-'] {
        assert_eq!(allowed(finished), [false, false, false, false, true], "{finished}");
    }
    let plan = plan("## Goal: Some thing\n- [x] 3. x\n- [-] y\n- [/] 4. z\n- [ ] 5. z\n");
    let told = |index, wanted| check_step_move(plan.step(index).unwrap(), wanted).unwrap_err();
    assert_eq!(told(0, Done).message, "step 3 is complete: `done` needs a pending or active step");
    assert_eq!(told(0, Done).hints, ["`plan step retry 3 \"reason\"` makes it pending again"]);
    assert_eq!(told(1, Fail).message, "step Some thing.2 is skipped: `fail` needs a pending or active step");
    assert_eq!(told(2, Start).message, "step 4 is active: `start` needs a pending step");
    assert_eq!(told(3, Retry).message, "step 5 is pending: `retry` needs a complete, failed or skipped step");
}

const SIGNED: &str = "signed off (verify green 2.1s, gate fast, oracle accept by cmd:a, contract 000000000000, contract CONTRACT, tree 1234567890ab, at 0123abc+)";

fn standing(status: &str, log: &[&str]) -> Vec<Standing> {
    let body = goal("a-1", &format!("status: {status}\nverify: make"));
    let contract = goal_contract(plan(&body).goal(0).unwrap()).digest.short();
    let lines: String =
        log.iter().map(|text| format!("- 2026-06-15 14:02  a-1 {}\n", text.replace("CONTRACT", &contract))).collect();
    let source = format!("{body}## Log\n{lines}");
    let plan = plan(&source);
    GoalRecords::new(&plan).unsigned(&plan).into_iter().map(|(_, standing)| standing).collect()
}

// P-52
#[test]
fn a_done_goal_is_signed_off_by_the_last_line_that_counts() {
    assert_eq!(standing("done", &[SIGNED]), []);
    assert_eq!(standing("done", &["started (contract CONTRACT, at none, tree none, verify none)", SIGNED]), []);
    assert_eq!(standing("done", &[SIGNED, "inconclusive (oracle x): y"]), []);
    assert_eq!(standing("done", &["rejected (verify exit 1): x", SIGNED]), []);
    assert_eq!(standing("done", &[]), [Standing::NotSignedOff]);
    assert_eq!(standing("done", &["says it is signed off"]), [Standing::NotSignedOff]);
    for later in [
        "reopened (was done)",
        "rejected (verify exit 1): x",
        "added (contract CONTRACT)",
        "amended (reworded: x; contract CONTRACT -> CONTRACT)",
        "started (contract CONTRACT, at none, tree none, verify none)",
    ] {
        assert_eq!(standing("done", &[SIGNED, later]), [Standing::NotSignedOff], "{later}");
    }
    let other = SIGNED.replace("CONTRACT", "0123456789ab");
    assert_eq!(standing("done", &[&other]), [Standing::OtherContract]);
    let amended = "amended (tightened: criterion added; contract 0123456789ab -> CONTRACT)";
    assert_eq!(standing("done", &[&other, amended]), [Standing::OtherContract]);
    assert_eq!(standing("done", &[&other, amended, "reopened (was done)"]), [Standing::NotSignedOff]);
    assert_eq!(standing("done", &[&other, "rejected (verify exit 1): x", amended]), [Standing::NotSignedOff]);
    assert_eq!(standing("active", &[]), []);
}

#[test]
fn the_contract_logged_last_is_known_whatever_was_said_since() {
    let source = goal("a-1", "")
        + "## Log\n- 2026-06-15 14:02  a-1 added (contract 0123456789ab)\n- 2026-06-15 14:03  a-1 rejected (verify exit 1): x\n- 2026-06-15 14:03  b-1 added (contract ffffffffffff)\n";
    let plan = plan(&source);
    assert_eq!(GoalRecords::new(&plan).contract(plan.goal(0).unwrap()), Some("0123456789ab"));
}
