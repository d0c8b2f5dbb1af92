//! `plan stats`: counts of the work with a plan.

use crate::support::{World, judge};

// F-59
#[test]
fn what_happened_is_counted() {
    let world = judge::world().judge("honest", judge::HONEST, "accept");
    assert_eq!(world.plan(["goal", "start", "docs-1"]).code, 0);
    assert_eq!(world.plan(["complete", "fast-1", "--judge", "cmd:honest"]).code, 0);
    let document = world.plan(["stats", "--json"]).json(0);
    assert_eq!((&document["sign_offs"], &document["first_try"]), (&1.into(), &1.into()), "{document:#}");
    assert_eq!((&document["goals"]["done"], &document["pushes"]), (&1.into(), &serde_json::json!({})), "{document:#}");
    let text = world.plan(["stats"]).stdout;
    assert!(text.contains("\nsign-offs     1; 1 of 1 goals at the first try\n"), "{text}");
}

/// The log alone is enough, and events that never happened get no line.
#[test]
fn counts_are_short() {
    let log = "\
- 2026-06-15 10:00  cache-1 started (contract 0123456789ab, at none, tree none, verify red exit 1)
- 2026-06-15 10:02  cache-1 rejected (gate trivial): no
- 2026-06-15 10:03  cache-1 rejected (verify exit 1): no
- 2026-06-15 10:04  cache-1 rejected (verify exit 1): no
- 2026-06-15 12:10  cache-1 signed off (verify none, gate fast, oracle accept by checks, contract 0123456789ab, tree none, at none)
- 2026-06-15 12:18  rewound to step 3 (checkpoint 7, 14 files: read them again)
";
    let plan = crate::support::plans::TO_DO;
    let world = World::without_git().file("plan.md", format!("{plan}{log}"));
    world.plan(["stats"]).ok("\
goals         1 active, 1 open
sign-offs     1; 0 of 1 goals at the first try
rejections    3: 2 verify exit 1, 1 gate trivial
rewinds       1
time to done  2 h 10 min
");
    World::without_git().file("plan.md", "# Plan: p\n").plan(["stats"]).ok("sign-offs     none\n");
}
