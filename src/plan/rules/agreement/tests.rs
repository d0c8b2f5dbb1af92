use crate::plan::history::Seen;
use crate::plan::parse;
use crate::plan::rules::GoalRecords;

const A: &str = "aaaaaaaaaaaa";
const B: &str = "bbbbbbbbbbbb";
const C: &str = "cccccccccccc";

fn started(contract: &str) -> String {
    format!("a-1 started (contract {contract}, at none, tree none, verify green)")
}

fn amended(what: &str, old: &str, new: &str) -> String {
    format!("a-1 amended ({what}; contract {old} -> {new})")
}

/// The agreed contract, the number of changes without a reason, and all changes as the judge sees them.
fn of(lines: &[&str]) -> (Option<String>, usize, Vec<String>) {
    let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
    let text = format!("# Plan: x\n## Goal: a\n<!-- id: a-1 -->\n## Log\n{log}");
    let plan = parse(text.as_bytes()).unwrap();
    let record = GoalRecords::new(&plan);
    let agreement = record.agreement(plan.goal(0).unwrap()).unwrap();
    let told = agreement.changes.iter().map(ToString::to_string).collect();
    (agreement.agreed.map(str::to_owned), agreement.unexplained().len(), told)
}

// P-12, P-74
#[test]
fn amendments_are_told_and_do_not_cover_a_change_by_hand() {
    let tightened = |old, new| amended("tightened: criterion added", old, new);
    assert_eq!(of(&[&tightened(A, B), &started(C)]), (Some(C.to_owned()), 0, Vec::new()), "a draft");
    let told = format!("amended (tightened: criterion added; contract {A} -> {B})");
    assert_eq!(of(&[&started(A), &tightened(A, B)]), (Some(B.to_owned()), 0, vec![told]));
    let (agreed, open, told) = of(&[&started(A), &tightened(B, C)]);
    assert_eq!((agreed.as_deref(), open), (Some(A), 2));
    assert_eq!(told[0], format!("changed by hand, which the log does not say ({A} -> {B})"));
    let again = of(&[&started(A), "a-1 cancelled: x", "a-1 reopened (was cancelled)", &started(B)]);
    let told = format!("started again with another contract ({A} -> {B})");
    assert_eq!(again, (Some(B.to_owned()), 0, vec![told]));
}

// P-12
#[test]
fn a_reason_covers_the_whole_change_since_what_was_agreed() {
    let loosened = |old, new| amended("loosened: criterion dropped", old, new);
    let because = |old, new| loosened(old, new) + " because why";
    let agreed = |lines: &[&str]| {
        let (agreed, open, _) = of(lines);
        (agreed.unwrap(), open)
    };
    let start = started(A);
    assert_eq!(agreed(&[&start, &loosened(A, B)]), (A.to_owned(), 1));
    assert_eq!(agreed(&[&start, &because(A, B)]), (B.to_owned(), 0));
    assert_eq!(agreed(&[&start, &loosened(A, B), &because(A, B)]), (B.to_owned(), 0));
    assert_eq!(agreed(&[&start, &loosened(A, B), &because(A, C)]), (C.to_owned(), 0));
    assert_eq!(agreed(&[&start, &loosened(A, B), &amended("tightened: criterion added", B, C)]), (A.to_owned(), 2));
    assert_eq!(agreed(&[&start, &loosened(A, B), &amended("tightened: criterion added", B, A)]), (A.to_owned(), 0));
    // A reason for a change that begins at another contract explains nothing.
    assert_eq!(agreed(&[&start, &because(B, C)]), (A.to_owned(), 2));
    assert_eq!(agreed(&[&start, &because(A, B), &because(A, C)]), (B.to_owned(), 2));
    assert_eq!(agreed(&[&start, &loosened(A, B), &started(B)]), (B.to_owned(), 0));
}

// P-12: a merge sorts the lines by time, so the line about the contract before an amendment can be below the amendment.
#[test]
fn an_amendment_that_a_merge_put_above_the_start_or_the_sign_off_is_logged() {
    let digest = |verify: &str| {
        let text = format!("# Plan: x\n## Goal: a\n<!-- id: a-1 -->\nverify: {verify}\n");
        let plan = parse(text.as_bytes()).unwrap();
        crate::plan::contract::goal_contract(plan.goal(0).unwrap()).digest.short()
    };
    let (old, new) = (digest("sh a.sh"), digest("sh b.sh"));
    let because = amended("reworded: verify changed", &old, &new) + " because why";
    let silent = amended("reworded: verify changed", &old, &new);
    let signed = format!(
        "a-1 signed off (verify green 2.1s, gate full, oracle accept by human:me, contract {old}, tree none, at none)"
    );
    let of = |lines: &[&str]| {
        let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
        let text = format!("# Plan: x\n## Goal: a\n<!-- id: a-1 -->\nverify: sh b.sh\n\n## Log\n{log}");
        let plan = parse(text.as_bytes()).unwrap();
        let record = GoalRecords::new(&plan);
        let agreement = record.agreement(plan.goal(0).unwrap()).unwrap();
        let seen = crate::plan::history::seen(&plan, "a-1");
        (agreement.contracts.last == Some(new.as_str()), agreement.unexplained().len(), seen)
    };
    let red = started(&old).replace("verify green", "verify red exit 1");
    for lines in [[&because, &red, &signed], [&red, &because, &signed]] {
        assert_eq!(of(&lines.map(String::as_str)), (true, 0, Seen::Unknown), "{lines:?}");
    }
    assert_eq!(of(&[&silent, &red, &signed]), (true, 1, Seen::Unknown), "nobody said why");
    let other = amended("reworded: verify changed", B, C) + " because why";
    assert_eq!(of(&[&other, &red, &signed]), (false, 0, Seen::Red), "another one leads nowhere");
}

// C-25
#[test]
fn a_change_that_a_person_rejected_is_told_no_more() {
    let explained = |lines: &[&str]| {
        let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
        let text = format!("# Plan: x\n## Goal: a\n<!-- id: a-1 -->\n## Log\n{log}");
        let plan = parse(text.as_bytes()).unwrap();
        let record = GoalRecords::new(&plan);
        let agreement = record.agreement(plan.goal(0).unwrap()).unwrap();
        agreement.explained().map(|(_, why)| why.to_owned()).collect::<Vec<_>>()
    };
    let because = |what, old, new, why: &str| format!("{} because {why}", amended(what, old, new));
    let (first, second) = (because("loosened: x", A, B, "one"), because("reworded: x", B, C, "two"));
    let rejected = |new| because("rejected", C, new, "no");
    assert_eq!(explained(&[&started(A), &first, &second]), ["one", "two"]);
    assert_eq!(explained(&[&started(A), &first, &second, &rejected(B)]), ["one"]);
    assert_eq!(explained(&[&started(A), &first, &second, &rejected(A)]), [""; 0]);
    assert_eq!(explained(&[&started(A), &first, &rejected("dddddddddddd")]), ["one", "no"], "back to something else");
}
