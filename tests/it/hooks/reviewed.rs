//! A plan that waits for a person's word: nobody is sent on, and the next message is the answer.

use super::{Session, world};

fn asks(session: &Session<'_>) {
    let call = session.world.call(["review"]).env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", &*session.id);
    assert_eq!(call.run().code, 0);
}

// C-24, C-29, C-30
#[test]
fn the_next_message_is_the_answer_and_nobody_is_sent_on_before() {
    let world = world();
    let session = Session::at_work(&world, "a");
    asks(&session);
    assert!(!session.is_pushed("Please look at the plan."));
    let text = session.prompt("split step 2");
    assert!(text.contains("<plan_feedback>\nplan:\n") && text.contains("user_feedback:\nsplit step 2\n"), "{text}");
    assert!(!session.prompt("and then?").contains("<plan_feedback>"), "used once");
    session.edits();
    assert!(session.is_pushed("done"));
}

// C-37: each message is a session of its own
#[test]
fn a_chat_bridge_names_the_chat_for_each_session() {
    let world = world().env("PLAN_REVIEW_KEY", "ada::room");
    asks(&Session::at_work(&world, "first"));
    let second = Session::new(&world, "second");
    second.start("startup");
    assert!(second.prompt("split step 2").contains("user_feedback:\nsplit step 2\n"));
    assert!(!second.prompt("go on").contains("<plan_feedback>"));
}

#[test]
fn the_answer_of_another_session_is_not_this_ones() {
    let world = world();
    asks(&Session::at_work(&world, "a"));
    let other = Session::new(&world, "b");
    other.start("startup");
    assert!(!other.prompt("split step 2").contains("<plan_feedback>"));
    other.runs(&["log", "begun here too"]);
    assert!(other.is_pushed("done"));
}
