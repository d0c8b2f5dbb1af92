//! Tests of a loop's decisions, without files.

use super::{FAILED, JudgeOutcome, Loop, LoopDecision, LoopTarget, PausedBy, UNREADABLE, budget};

fn new() -> Loop {
    Loop::new(10, None)
}

fn said(done: bool, blocked: bool, reason: &str) -> JudgeOutcome {
    JudgeOutcome::Answer { done, blocked, reason: reason.to_owned() }
}

fn unreadable() -> JudgeOutcome {
    JudgeOutcome::Unreadable("prose".to_owned())
}

fn failed() -> JudgeOutcome {
    JudgeOutcome::Failed("no network".to_owned())
}

fn paused_by(found: &Loop) -> Option<PausedBy> {
    found.paused.as_ref().map(|pause| pause.by)
}

// P-25, P-63
#[test]
fn done_asks_for_a_sign_off_and_anything_else_goes_on() {
    let mut found = new();
    assert_eq!(found.take_verdict(&said(false, false, "a step is done")), LoopDecision::Continue);
    assert_eq!(found.take_verdict(&said(true, false, "all of it")), LoopDecision::SignOff);
    assert_eq!(found.take_verdict(&JudgeOutcome::NotAsked), LoopDecision::Continue);
    assert!(found.is_on());
}

// P-25: the loop fails open, but not forever
#[test]
fn three_unreadable_answers_in_a_row_pause() {
    let mut found = new();
    for _ in 1..UNREADABLE {
        assert_eq!(found.take_verdict(&unreadable()), LoopDecision::Continue);
    }
    found.take_verdict(&said(false, false, ""));
    for _ in 1..UNREADABLE {
        assert_eq!(found.take_verdict(&unreadable()), LoopDecision::Continue);
    }
    assert_eq!(found.take_verdict(&unreadable()), LoopDecision::Pause);
    assert_eq!(paused_by(&found), Some(PausedBy::Unreadable));
    found.unpause();
    assert_eq!(found.take_verdict(&unreadable()), LoopDecision::Continue, "counted anew");
}

// P-25
#[test]
fn five_failed_calls_in_a_row_pause_and_both_are_counted_apart() {
    let mut found = new();
    for _ in 1..FAILED {
        assert_eq!(found.take_verdict(&failed()), LoopDecision::Continue);
    }
    assert_eq!(found.take_verdict(&unreadable()), LoopDecision::Continue, "an answer: the row of failed calls ends");
    for _ in 1..FAILED {
        assert_eq!(found.take_verdict(&failed()), LoopDecision::Continue);
    }
    assert_eq!(found.take_verdict(&failed()), LoopDecision::Pause);
    assert_eq!(paused_by(&found), Some(PausedBy::Failed));

    let mut found = new();
    for _ in 1..UNREADABLE {
        found.take_verdict(&unreadable());
        found.take_verdict(&failed());
    }
    assert_eq!(
        found.take_verdict(&unreadable()),
        LoopDecision::Pause,
        "calls that fail between answers are no answers"
    );
}

#[test]
fn blocked_three_times_by_the_same_pauses() {
    let mut found = new();
    assert_eq!(found.take_verdict(&said(false, true, "Needs the staging password.")), LoopDecision::Continue);
    assert_eq!(found.take_verdict(&said(false, true, "needs the  STAGING password")), LoopDecision::Continue);
    assert_eq!(found.take_verdict(&said(true, true, "needs the \"staging\" password")), LoopDecision::Pause);
    assert_eq!(paused_by(&found), Some(PausedBy::Blocked));

    let mut found = new();
    for reason in ["a key", "an answer", "a key", "an answer", "an answer"] {
        assert_eq!(found.take_verdict(&said(false, true, reason)), LoopDecision::Continue, "{reason}");
    }
    assert_eq!(found.take_verdict(&said(false, false, "")), LoopDecision::Continue, "the row ends");
    assert_eq!(found.take_verdict(&said(false, true, "an answer")), LoopDecision::Continue);
    assert_eq!((found.blocked, &*found.reason), (1, "an answer"));
}

// Reasons are compared by their stored form: the beginning of a long reason.
#[test]
fn the_same_long_reason_is_the_same() {
    let reason = "é needs, the staging password ".repeat(20);
    let mut found = new();
    assert_eq!(found.take_verdict(&said(false, true, &reason)), LoopDecision::Continue);
    assert_eq!(found.take_verdict(&said(false, true, &reason)), LoopDecision::Continue);
    assert_eq!(found.take_verdict(&said(false, true, &reason)), LoopDecision::Pause);
}

// P-24
#[test]
fn the_budget_ends_it() {
    let mut found = Loop::new(2, None);
    for left in [1, 0, 0] {
        found.spend();
        assert_eq!((found.left(), found.is_on()), (left, left > 0));
    }
    assert_eq!(found.spent, 2);
}

#[test]
fn a_session_is_taken_once_and_only_at_work() {
    let mut found = new();
    assert!(found.drives("a", true) && !found.drives("a", false));
    found.driven = Some(LoopTarget::Session { key: "a".to_owned(), name: String::new() });
    assert!(found.drives("a", false) && !found.drives("b", true));
    found.driven = Some(LoopTarget::Run);
    assert!(!found.drives("a", true));
    found.driven = None;
    found.pause(PausedBy::Person, String::new());
    assert!(!found.drives("a", true), "a loop that holds still takes nobody");
}

#[test]
fn what_is_kept_of_a_reason_is_one_short_line() {
    let mut found = new();
    found.take_verdict(&said(false, true, &"é\n\u{1b}[31m".repeat(1000)));
    assert!(found.reason.len() <= 300 && !found.reason.contains(['\n', '\u{1b}']), "{:?}", found.reason);
}

// P-24
#[test]
fn the_front_matter_may_say_how_many() {
    let of = |front: &str| {
        let source = format!("{front}# Plan: x\n");
        budget(&crate::plan::parse::parse(source.as_bytes()).unwrap())
    };
    assert_eq!(of(""), 20);
    for (said, expected) in
        [("7", 7), ("0", 20), ("-1", 20), ("soon", 20), ("5000", 20), ("4000000000", 20), ("99999999999", 20)]
    {
        assert_eq!(of(&format!("---\nbudget: {said}\n---\n")), expected, "{said}");
    }
}
