//! The block has the same bytes for the same plan, wherever and whenever it is made.

use crate::support::World;
use crate::support::plans::SEARCH as PLAN;

fn block(world: &World) -> String {
    let output = world.plan(["inject"]);
    assert_eq!((output.code, &*output.stderr), (0, ""));
    output.stdout
}

// P-71, P-14
#[test]
fn the_same_bytes_give_the_same_block() {
    let first = block(&World::new().file("plan.md", PLAN));
    assert!(first.starts_with("<plan file=\"plan.md\" mode=\"guide\">\n") && first.ends_with("</plan>\n"), "{first}");
    assert!(first.contains("active: cache-1 | ") && first.contains("active: red-1 | "), "{first}");
    for (key, value) in [
        ("TZ", "Asia/Kathmandu"),
        ("LANG", "de_DE.UTF-8"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("PLAN_NOW", "2031-01-01T00:00"),
        ("COLUMNS", "20"),
        ("HOME", "/nowhere"),
        ("TERM", "xterm-256color"),
    ] {
        assert_eq!(block(&World::new().file("plan.md", PLAN).env(key, value)), first, "{key}={value}");
    }
    assert_eq!(block(&World::without_git().file("plan.md", PLAN)), first, "no repository");
}

// P-71
#[test]
fn it_changes_with_what_it_shows_and_with_nothing_else() {
    let world = World::new().file("plan.md", PLAN);
    let first = block(&world);
    world.write("plan.md", PLAN.replace("## Goal: Implement", "Some prose that nobody injects.\n\n## Goal: Implement"));
    assert_eq!(block(&world), first);
    world.write("plan.md", PLAN.replace("[/] 2.", "[x] 2."));
    assert_ne!(block(&world), first);
}

// P-71, P-6
#[test]
fn its_size_follows_the_active_goals_and_not_the_file() {
    let world = World::new().file("plan.md", PLAN);
    let small = block(&world).len();
    let many: String =
        (0..10_000).map(|n| format!("## Goal: Open {n}\n<!-- id: open-{n} -->\n- [ ] a step\n\n")).collect();
    world.write("plan.md", PLAN.replace("## Log", &format!("{many}## Log")));
    let large = block(&world).len();
    assert!(large < small + 200, "{small} bytes became {large}");
}

#[test]
fn it_never_outgrows_its_limit() {
    let goals: String = (0..40)
        .map(|n| {
            format!(
                "## Goal: {}\n<!-- id: g-{n} -->\nstatus: active\ndone_when: {}\n\n",
                "s".repeat(200),
                "d".repeat(900)
            )
        })
        .collect();
    let world = World::new().file("plan.md", format!("# Plan: Long\n\n{goals}"));
    for limit in ["600", "1000", "4000", "20000"] {
        let output = world.plan(["inject", "--max-bytes", limit]);
        let limit: usize = limit.parse().unwrap();
        assert!(
            output.code == 0 && output.stdout.len() <= limit,
            "{} of {limit} bytes: {output:?}",
            output.stdout.len()
        );
        assert!(output.stdout.ends_with("</plan>\n") && output.stdout.contains('…'), "{}", output.stdout);
    }
}

#[test]
fn nothing_to_say_is_empty() {
    for plan in ["", "# Plan: X\n", "# Plan: X\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: cancelled\n"] {
        World::new().file("plan.md", plan).plan(["inject"]).ok("");
    }
    World::new().plan(["inject"]).ok("");
}

// CLI.md, Everywhere: one JSON document on stdout
#[test]
fn no_reminder_is_a_document_too() {
    let nothing = "{\n  \"version\": 1,\n  \"reminder\": null\n}\n";
    let without = World::new();
    assert_eq!(without.plan(["remind", "--iteration", "3", "--json"]).stdout, nothing);
    let off = World::new().file("plan.md", PLAN).env("PLAN_DISABLED", "1");
    assert_eq!(off.plan(["remind", "--iteration", "3", "--json"]).stdout, nothing);
}
