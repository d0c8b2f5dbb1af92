use crate::plan::model::Plan;
use crate::plan::parse;

use super::GoalNumbers;

const SOURCE: &str = "\
## Goal: Cache layer
<!-- id: cache-layer-1 -->
status: active
- [ ] 1. wire
- [ ] load test
## Goal: Cash desk at night
<!-- id: cash-desk-12 -->
## Goal: Ünïcode everywhere
<!-- id: unicode-everywhere-1 -->
## Goal: 7
## Goal: No id here
# Archive
## Goal: Cellar
<!-- id: cellar-1 -->
";

fn plan(source: &str) -> Plan<'_> {
    parse(source.as_bytes()).unwrap()
}

fn found(name: &str) -> Result<String, Vec<String>> {
    let plan = plan(SOURCE);
    let found = plan.find_goal(name).map(|goal| goal.name().to_owned());
    found.map_err(|error| [vec![error.message], error.hints].concat())
}

#[test]
fn a_goal_is_found_by_id_subject_number_and_beginning() {
    for (name, goal) in [
        ("cache-layer-1", "cache-layer-1"),
        ("CACHE LAYER", "cache-layer-1"),
        ("1", "cache-layer-1"),
        ("3", "unicode-everywhere-1"),
        ("5", "No id here"),
        ("cac", "cache-layer-1"),
        ("Cas", "cash-desk-12"),
        ("cash-desk", "cash-desk-12"),
        ("ünï", "unicode-everywhere-1"),
        ("no", "No id here"),
        ("7", "7"),
        ("cell", "cellar-1"),
    ] {
        assert_eq!(found(name), Ok(goal.to_owned()), "{name}");
    }
}

#[test]
fn what_several_goals_begin_with_is_no_name() {
    let expected = [
        "2 goals start with `ca`", "line 1: `cache-layer-1`, Cache layer",
        "line 6: `cash-desk-12`, Cash desk at night", "type more of it, or the whole id",
    ];
    assert_eq!(found("ca").unwrap_err(), expected);
}

#[test]
fn a_beginning_does_not_end_inside_a_number() {
    let all = "the goals are `cache-layer-1`, `cash-desk-12`, `unicode-everywhere-1`, `7`, `No id here`";
    let error = found("cash-desk-1").unwrap_err();
    assert_eq!(error[0], "no goal has the id or subject `cash-desk-1`");
    assert_eq!(error[1], "did you mean `cash-desk-12`?");
    assert_eq!(found("xyzzy").unwrap_err(), ["no goal has the id or subject `xyzzy`", all]);
    assert_eq!(found("").unwrap_err()[0], "no goal has the id or subject ``");
}

#[test]
fn what_is_almost_a_name_is_asked_about() {
    assert_eq!(found("cahce-layer").unwrap_err()[1], "did you mean `cache-layer-1`?");
    assert_eq!(found("desk").unwrap_err()[1], "did you mean `cash-desk-12`?");
    assert_eq!(found("9").unwrap_err()[..2], ["no goal has the number 9", "`plan list --all` shows the numbers"]);
}

#[test]
fn a_name_that_plan_noted_is_taken_whole() {
    let plan = plan(SOURCE);
    assert_eq!(plan.goal_named("cash-desk-12").unwrap().index(), 1);
    assert!(plan.goal_named("cash").is_err() && plan.goal_named("1").is_err());
}

#[test]
fn a_number_that_is_a_name_is_no_number() {
    let source = "## Goal: a\n## Goal: 1\n## Goal: c\n# Archive\n## Goal: d\n";
    let plan = plan(source);
    let numbers = GoalNumbers::new(&plan);
    assert_eq!(plan.all_goals().map(|goal| numbers.of(goal)).collect::<Vec<_>>(), [None, Some(2), Some(3), None]);
    assert_eq!(plan.find_goal("1").unwrap().index(), 1);
}

#[test]
fn a_step_without_a_number_is_named_by_its_position_in_the_only_active_goal() {
    let found = |source: &str, name: &str| plan(source).find_step(name).map(|step| step.text().to_owned());
    assert_eq!(found(SOURCE, "1").unwrap(), "wire");
    assert_eq!(found(SOURCE, "2").unwrap(), "load test");
    assert_eq!(found(SOURCE, "cache.2").unwrap(), "load test");
    assert!(found(SOURCE, "3").is_err());
    assert!(found(&SOURCE.replace("12 -->\n", "12 -->\nstatus: active\n"), "2").is_err());
}
