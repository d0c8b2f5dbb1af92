use super::{
    GoalMove, Needs, Record, Said, Standing, StepMove, What, check_goal_move, check_step_move, cycles, is_plan_line,
    next, read_line, ready, step_to_do, waits_for,
};
use crate::error::Kind;
use crate::plan::contract::goal_contract;
use crate::plan::model::{Mark, Plan};
use crate::plan::parse;

fn plan(source: &str) -> Plan<'_> {
    parse(source.as_bytes()).unwrap()
}

fn goal(id: &str, lines: &str) -> String {
    format!("## Goal: {id}\n<!-- id: {id} -->\n{lines}\n")
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
fn a_goal_waits_until_all_it_needs_is_done() {
    let source = goal("a", "needs: d, e")
        + &goal("b", "needs:\n- d")
        + &goal("c", "needs: nobody")
        + &goal("d", "status: done")
        + &goal("e", "")
        + &goal("f", "needs: g")
        + "# Archive\n"
        + &goal("g", "status: done");
    assert_eq!(names(&source), ["b", "e", "f"]);
    let plan = plan(&source);
    let missing = |index| Needs::new(&plan).missing(plan.goal(index).unwrap());
    assert_eq!((missing(0), missing(2)), (vec!["e".to_owned()], vec!["nobody".to_owned()]));
}

#[test]
fn a_need_on_two_goals_with_one_id_is_done_when_both_are() {
    let source = goal("a", "needs: b") + &goal("b", "status: done") + &goal("b", "");
    assert_eq!(names(&source), ["b"]);
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
    assert_eq!(refusal("done", GoalMove::Complete, SignedOff).unwrap(), "goal `a` is already signed off");
    assert_eq!(
        refusal("cancelled", GoalMove::Complete, NotSignedOff).unwrap(),
        "goal `a` is cancelled: `complete` needs an open or active one"
    );
    assert_eq!(
        refusal("done", GoalMove::Cancel, NotSignedOff).unwrap(),
        "goal `a` is done: `cancel` needs an open or active one"
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
    assert_eq!(told(0, Done).message, "step 3 is complete: `done` needs a pending or active one");
    assert_eq!(told(0, Done).hints, ["plan step retry 3 \"reason\"   makes it pending again"]);
    assert_eq!(told(1, Fail).message, "step Some thing.2 is skipped: `fail` needs a pending or active one");
    assert_eq!(told(2, Start).message, "step 4 is active: `start` needs a pending one");
    assert_eq!(told(3, Retry).message, "step 5 is pending: `retry` needs a complete, failed or skipped one");
}

const SIGNED: &str = "signed off (verify green 2.1s, gate fast, oracle accept by cmd:a, contract 000000000000, contract CONTRACT, tree 1234567890ab, at 0123abc+)";

// P-38
#[test]
fn the_lines_that_plan_writes_are_read() {
    fn said(text: &str) -> Option<(&str, What<'_>)> {
        read_line(text).map(|Said { id, what }| (id, what))
    }
    let d = "0123456789ab";
    assert_eq!(said("a-1 added (contract 0123456789ab)"), Some(("a-1", What::Added(d))));
    assert_eq!(
        said("a-1 started (contract 0123456789ab, at none, tree none, verify red exit 1)"),
        Some(("a-1", What::Started(d)))
    );
    assert_eq!(
        said("a-1 amended (loosened: failure mode dropped; contract ffffffffffff -> 0123456789ab)"),
        Some(("a-1", What::Amended(d)))
    );
    let signed = format!("a-1 {}", SIGNED.replace("CONTRACT", d));
    assert_eq!(said(&signed), Some(("a-1", What::SignedOff(d))));
    assert_eq!(
        said(
            "a-1 signed off (verify none, gate 3 of 5, oracle accept by human, contract 0123456789ab, tree none, at none)"
        ),
        Some(("a-1", What::SignedOff(d)))
    );
    assert_eq!(said("a-1 rejected (verify exit 1): E  boom"), Some(("a-1", What::Rejected)));
    assert_eq!(said("a-1 rejected (oracle claude): missing: a; b"), Some(("a-1", What::Rejected)));
    assert_eq!(said("a-1 inconclusive (oracle claude): no verdict"), Some(("a-1", What::Inconclusive)));
    assert_eq!(said("a-1 reopened (was done)"), Some(("a-1", What::Reopened)));
    assert_eq!(
        said("a-1 reopened (merge: signed off for contract 0123456789ab, now ffffffffffff)"),
        Some(("a-1", What::Reopened))
    );
    assert_eq!(said("a-1 cancelled: moot"), Some(("a-1", What::Cancelled)));
}

#[test]
fn what_only_looks_like_such_a_line_is_not_read() {
    for text in [
        "",
        "a-1",
        "a-1 signed off",
        "A-1 added (contract 0123456789ab)",
        "a-1 added (contract 0123456789AB)",
        "a-1 added (contract 0123456789a)",
        "a-1 signed off (verify green 2.1s, gate fast, oracle accept by x, contract 0123456789ab)",
        "a-1 signed off (contract 0123456789ab, tree 1, at 2)",
        "a-1 signed off (verify none, contract 0123456789ab, tree none, at none)",
        "a-1 signed off (verify none, gate fast, contract 0123456789ab, tree none, at none)",
        "a-1 signed off (verify none, oracle accept by x, contract 0123456789ab, tree none, at none)",
        "x a-1 cancelled: no",
        "a-1  added (contract 0123456789ab)",
        "a-1 said: b-1 signed off (verify green 2.1s, gate fast, oracle accept by x, contract 0123456789ab, tree 1, at 2)",
    ] {
        assert_eq!(read_line(text), None, "{text}");
    }
}

fn standing(status: &str, log: &[&str]) -> Vec<Standing> {
    let body = goal("a-1", &format!("status: {status}\nverify: make"));
    let contract = goal_contract(plan(&body).goal(0).unwrap()).digest.short();
    let lines: String =
        log.iter().map(|text| format!("- 2026-06-15 14:02  a-1 {}\n", text.replace("CONTRACT", &contract))).collect();
    let source = format!("{body}## Log\n{lines}");
    let plan = plan(&source);
    Record::new(&plan).unsigned(&plan).into_iter().map(|(_, standing)| standing).collect()
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
        "started (contract CONTRACT, at none)",
    ] {
        assert_eq!(standing("done", &[SIGNED, later]), [Standing::NotSignedOff], "{later}");
    }
    assert_eq!(standing("done", &[&SIGNED.replace("CONTRACT", "0123456789ab")]), [Standing::OtherContract]);
    assert_eq!(standing("active", &[]), []);
}

#[test]
fn the_contract_logged_last_is_known_whatever_was_said_since() {
    let source = goal("a-1", "")
        + "## Log\n- 2026-06-15 14:02  a-1 added (contract 0123456789ab)\n- 2026-06-15 14:03  a-1 rejected (verify exit 1): x\n- 2026-06-15 14:03  b-1 added (contract ffffffffffff)\n";
    let plan = plan(&source);
    assert_eq!(Record::new(&plan).contract(plan.goal(0).unwrap()), Some("0123456789ab"));
}

#[test]
fn a_text_that_reads_as_a_line_of_plan_is_known() {
    let signed = format!("a-1 {}", SIGNED.replace("CONTRACT", "0123456789ab"));
    for text in [
        signed.as_str(),
        "a-1 signed off",
        "a-1  Signed   Off (by me)",
        "**a-1** `signed off` (verify",
        "a-1\u{200b} sig\u{200d}ned off: yes",
        "\u{a0}a-1 signed off",
        "a-1\u{2028}signed\u{2029}off",
        "a-1 sign\u{fff9}ed\u{206a} off",
        "a-1 added (contract 0123456789ab)",
        "a-1 started (contract x",
        "a-1 amended (loosened: x",
        "a-1 rejected (gate verify-trivial): x",
        "a-1 inconclusive (oracle x): y",
        "a-1 reopened (was done)",
        "a-1 cancelled: x",
        "step 3 complete: ok",
        "step 3 failed: no",
        "Step a-1.2 skipped: x",
        "step 12 retried: x",
        "plan approved by eve via terminal (contract 0123456789ab, steps to 12)",
        "edit proposed: x because y",
        "edit rejected: x",
        "paused: x",
        "rewound to step 3",
        "a-1\nsigned off\t(",
        "14:33  a-1 signed off (verify green 1.0s)",
        "2026-06-15 14:33  a-1 signed off",
        "step signed off (verify none)",
        "a-1 ѕigned оff (verify green 1.0s)",
        "a-1 ｓｉｇｎｅｄ off (verify",
        "a-1 𝐬𝐢𝐠𝐧𝐞𝐝 𝐨𝐟𝐟",
        "a-1 s\u{332}igned off",
    ] {
        assert!(is_plan_line(text), "{text}");
    }
    for text in [
        "",
        "cache client wired; eviction next",
        "step 3 was harder than thought",
        "step 3 complete, now step 4",
        "the judge signed off nothing",
        "mail signed off by ops",
        "added (contract) to the list",
        "plan approved",
        "edit the config",
        "paused for lunch",
        "goal cancelled",
        "rewound the tape",
        "ci rejected the push: 403",
        "steps: none",
    ] {
        assert!(!is_plan_line(text), "{text}");
    }
}

#[test]
fn every_line_that_is_read_is_also_refused() {
    for text in [
        "a added (contract 0123456789ab)",
        "a started (contract 0123456789ab, x)",
        "a amended (fixed; contract 0123456789ab -> ba9876543210)",
        "step signed off (verify none, gate full, oracle accept by x, contract 0123456789ab, tree none, at none)",
        "a rejected (gate x",
        "a reopened (x",
        "a inconclusive (x",
        "a cancelled:x",
    ] {
        assert!(read_line(text).is_some(), "{text}");
        assert!(is_plan_line(text), "{text}");
    }
}
