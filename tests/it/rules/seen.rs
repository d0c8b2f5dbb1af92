//! Contract mode in the views, and marks that nobody logged.

use super::{FRONT, active, approved, call, complete, none, proposed, split, unapproved, world};
use crate::support::World;

// F-20, F-32, F-49, F-52
#[test]
fn views_tell_how_the_plan_stands() {
    let world = world(&active());
    assert!(call(&world, "list").stdout.contains("contract  approved, at work\n"), "{:?}", call(&world, "list"));
    let json = world.plan(["--json"]).json(0);
    assert_eq!((&json["state"], &json["mode"]), (&"active".into(), &"contract".into()));
    let steps = json["goals"].as_array().unwrap().iter().flat_map(|goal| goal["steps"].as_array().unwrap());
    let marks: Vec<_> = steps.map(|step| step["mark"].as_str().unwrap()).collect();
    assert_eq!(marks, ["complete", "active", "pending", "pending", "pending"]);
    assert_eq!(world.plan(["--json"]).json(0).get("held"), None);
    assert_eq!(call(&world, "next").stdout, "a-1  A — 2. two\n");
    assert_eq!(call(&world, "lint").code, 0, "{:?}", call(&world, "lint"));
    world.write("plan.md", proposed());
    let list = call(&world, "list");
    assert!(list.stdout.contains("contract  a change of the contract waits: plan approve\n"), "{list:?}");
    assert_eq!(world.plan(["list", "--json"]).json(0)["held"], "a change of the contract waits: plan approve");
    let next = call(&world, "next");
    assert_eq!((next.code, &*next.stdout, &*next.stderr), (1, "", "a change of the contract waits: plan approve\n"));
    assert_eq!(world.plan(["next", "--json"]).json(1)["state"], "proposed");
    // Only a sign-off is left.
    let settled = approved("xxxxx", ["active", "active", "active"], "", &[]);
    world.write("plan.md", settled);
    assert_eq!(call(&world, "next").stdout, "plan complete a-1\n");
    // Guide mode does not mention it.
    world.write("plan.md", active().replace(FRONT, "").replace(", steps to 5", ""));
    assert_eq!(world.plan(["--json"]).json(0).get("state"), None);
    assert!(!call(&world, "list").stdout.contains("contract "), "{:?}", call(&world, "list"));
}

// F-32, F-49
#[test]
fn a_goal_is_shown_with_how_the_plan_stands() {
    let world = world(&active());
    assert!(
        call(&world, "show b-1").stdout.starts_with("contract  approved, at work\n\n○ 2 B  "),
        "{:?}",
        call(&world, "show b-1")
    );
    let json = world.plan(["show", "b-1", "--json"]).json(0);
    assert_eq!((&json["state"], &json["held"]), (&"active".into(), &serde_json::Value::Null));
    let waits = "a change of the contract waits: plan approve";
    world.write("plan.md", proposed());
    for line in ["show", "show b-1"] {
        assert!(call(&world, line).stdout.starts_with(&format!("contract  {waits}\n\n")), "{line}");
    }
    assert_eq!(world.plan(["show", "b-1", "--json"]).json(0)["held"], waits);
    world.write("plan.md", complete());
    let list = call(&world, "list").stdout;
    let line = list.lines().find(|line| line.starts_with("contract  ")).unwrap();
    assert_eq!(call(&world, "show a-1").stdout.lines().next(), Some(line));
    world.write("plan.md", active().replace(FRONT, "").replace(", steps to 5", ""));
    assert!(call(&world, "show b-1").stdout.starts_with("○ 2 B  "));
    assert_eq!(world.plan(["show", "b-1", "--json"]).json(0).get("state"), None);
}

// F-25
#[test]
fn an_added_goal_names_a_command_that_works_next() {
    let world = world(&none());
    let add = "goal add New --done-when 'it is' --failure-mode 'it wraps' --verify 'sh ok.sh'";
    assert_eq!(call(&world, add).stderr, "needed before an approval: plan step add new-1 \"task\"\n");
    let more = format!("{add} --id more-1 --step one");
    assert_eq!(call(&world, &more).stderr, "next: plan approve\n");
    let agent = world.call(split(&more.replace("more-1", "other-1"))).env("CLAUDECODE", "1").run();
    assert_eq!(agent.stderr, "next: plan review   (a person approves)\n");
    world.write("plan.md", none().replace(FRONT, ""));
    assert_eq!(call(&world, add).stderr, "next: plan goal start new-1\n");
}

// C-24
#[test]
fn marks_set_by_hand_are_said_and_never_mended() {
    let ticked = active().replace("- [ ] 5.", "- [x] 5.");
    let world = World::new().file("plan.md", &ticked).committed();
    let said = "step 5 is complete, and the log does not say so";
    assert!(call(&world, "list").stdout.contains(said), "{:?}", call(&world, "list"));
    assert!(call(&world, "lint").stdout.contains("step-unlogged"));
    let audit = call(&world, "audit");
    assert_eq!(audit.code, 1, "{audit:?}");
    assert!(audit.stdout.contains(&format!("step-unlogged: {said}")), "{audit:?}");
    world.write("plan.md", active().replace("- [ ] 4.", "- [/] 4."));
    let both = "steps 2 and 4 are active at once; one step at a time";
    assert!(call(&world, "list").stdout.contains(both), "{:?}", call(&world, "list"));
    assert!(call(&world, "audit").stdout.contains(both));
    // Either step can be ended; nothing begins while two are active.
    let done = call(&world, "step done 4 x");
    assert_eq!((done.code, &*done.stdout), (0, "✓ Step 4 complete\n"), "{done:?}");
    world.write("plan.md", active().replace("four", "4 by hand"));
    let audit = call(&world, "audit");
    assert!(
        audit.code == 1 && audit.stdout.contains("state: the contract was changed by hand since it was approved"),
        "{audit:?}"
    );
    world.write("plan.md", proposed());
    let audit = call(&world, "audit");
    assert!(
        audit.stdout.contains("note: state: a change of the contract waits for approval: step 4 reworded"),
        "{audit:?}"
    );
    world.write("plan.md", unapproved());
    assert!(call(&world, "audit").stdout.contains("note: state: nobody has approved the plan yet"));
}
