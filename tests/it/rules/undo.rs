//! `plan undo` in contract mode (`CONTRACT.md` §1, §3.2): an agent cannot use it to get a plan that a person has not agreed to, or no longer agrees to.

use super::{active, approved, call, complete, proposed, state_of, unapproved, world};
use crate::support::World;
use plan::plan::rules::PlanState;

/// Asserts that `plan undo` by an agent is refused with these words.
#[track_caller]
fn refused(world: &World, words: &[&str]) {
    let before = world.plan_md();
    let agent = world.call([&["undo"], words].concat()).env("CLAUDECODE", "1").run();
    assert_eq!(agent.code, 4, "{words:?}: {agent:?}");
    assert!(agent.stderr.contains("refused: only a person may do this, and `plan` was started by claude"), "{agent:?}");
    let own = [&["plan", "undo"], words].concat().join(" ");
    assert!(agent.stderr.contains(&format!("help: run it in your own terminal: `{own}`\n")), "{agent:?}");
    assert_eq!(world.plan_md(), before);
}

#[track_caller]
fn done(world: &World, words: &[&str]) {
    let agent = world.call([&["undo"], words].concat()).env("CLAUDECODE", "1").run();
    assert_eq!(agent.code, 0, "{words:?}: {agent:?}");
}

// C-25
#[test]
fn undo_of_what_was_agreed_is_a_persons() {
    for plan in [active(), proposed()] {
        let world = world(&plan);
        assert_eq!(call(&world, "log 'a line'").code, 0);
        refused(&world, &[]);
        assert_eq!(call(&world, "undo").code, 0);
        assert_eq!(world.plan_md(), plan);
    }
}

// F-1, F-8
// CONTRACT.md §3.5, law 1: an agent cannot begin again what a person has ended.
#[test]
fn what_a_person_ended_does_not_come_back_by_an_agents_undo() {
    let world = world(&active());
    assert_eq!(call(&world, "clear --yes 'another way'").code, 0);
    assert_eq!(state_of(&world.plan_md()), PlanState::None);
    refused(&world, &[]);
    refused(&world, &["1"]);
    // A draft in between, which nobody has approved, does not help either.
    assert_eq!(call(&world, "goal add New --done-when 'it is' --step one").code, 0);
    assert_eq!(state_of(&world.plan_md()), PlanState::Unapproved);
    refused(&world, &["2"]);
    // The agent may take back its own write, and a person may take back everything.
    done(&world, &[]);
    assert_eq!(state_of(&world.plan_md()), PlanState::None);
    refused(&world, &["3"]);
    assert_eq!(call(&world, "undo 3").code, 0);
    assert_eq!(state_of(&world.plan_md()), PlanState::Active);
}

// F-1
#[test]
fn an_older_approval_does_not_come_back_by_an_agents_undo() {
    // The plan is approved twice and then completed; an agent may undo its own last line.
    let world = world(&active());
    assert_eq!(call(&world, "step add c-1 six --because 'it rains'").code, 0);
    assert_eq!(call(&world, "approve --yes --as eve").code, 0);
    let old = world.plan_md();
    let text = complete();
    world.write("plan.md", &text);
    assert_eq!(call(&world, "log 'a line'").code, 0);
    assert_eq!(state_of(&world.plan_md()), PlanState::Complete);
    refused(&world, &["2"]);
    done(&world, &[]);
    assert_eq!(world.plan_md(), text);
    assert_ne!(old, text);
}

// If the file is gone, the agent may restore the version that was written last, and no older one.
#[test]
fn a_plan_that_is_gone_comes_back_as_it_was_last() {
    let world = world(&active());
    assert_eq!(call(&world, "clear --yes 'another way'").code, 0);
    let cleared = world.plan_md();
    std::fs::remove_file(world.path("plan.md")).unwrap();
    let agent = world.call(["undo", "2"]).env("CLAUDECODE", "1").run();
    assert_eq!(agent.code, 4, "{agent:?}");
    done(&world, &[]);
    assert_eq!(world.plan_md(), cleared);
}

// CONTRACT.md §3.2: in guide mode, and if nothing was ever approved, anybody may undo.
#[test]
fn undo_of_what_nobody_agreed_to_is_anybodys() {
    for plan in [unapproved(), unapproved().replace("mode: contract", "mode: guide")] {
        let world = world(&plan);
        assert_eq!(call(&world, "log 'a line'").code, 0);
        done(&world, &[]);
        assert_eq!(world.plan_md(), plan);
    }
    // An approval in guide mode holds nothing.
    let world = world(
        &approved("     ", ["open"; 3], "", &[]).replace("mode: contract", "mode: guide").replace(", steps to 5", ""),
    );
    assert_eq!(call(&world, "log 'a line'").code, 0);
    done(&world, &[]);
}
