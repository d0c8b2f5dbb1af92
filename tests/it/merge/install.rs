//! `plan install git` and `plan uninstall git`.

use super::support::{PLAN, branch, on_main, repository, with};
use crate::support::World;

fn config(world: &World) -> String {
    world.read(".git/config")
}

#[test]
fn it_says_what_it_did_and_what_is_left_to_do() {
    let world = World::new().file("plan.md", PLAN).committed();
    let before = config(&world);
    world.plan(["install", "git"]).ok(
        "set merge.plan.driver in the repository's git configuration\nadded `plan.md merge=plan` to .gitattributes\n\
         next: commit .gitattributes\nevery other clone needs `plan install git` once: until then git merges plan.md there as plain text\n",
    );
    assert_eq!(world.read(".gitattributes"), "plan.md merge=plan\n");
    let after = config(&world);
    world.plan(["install", "git"]).ok("nothing to do: git already merges plan.md with plan\n");
    assert_eq!((config(&world), world.read(".gitattributes").as_str()), (after, "plan.md merge=plan\n"), "twice");
    world.plan(["uninstall", "git"]).ok(
        "removed the line from .gitattributes; commit the change\nremoved merge.plan.driver from the repository's git configuration\n",
    );
    assert_eq!(config(&world), before, "byte for byte");
    assert!(!world.path(".gitattributes").exists());
    world.plan(["uninstall", "git"]).ok("nothing to remove\n");
}

#[test]
fn what_else_is_there_stays() {
    let attributes = "*.png binary\r\n# mine\r\nplan.md text";
    let world = World::new().file("plan.md", PLAN).file(".gitattributes", attributes).committed();
    world.git(["config", "merge.other.driver", "true"]);
    let before = config(&world);
    assert_eq!(world.plan(["install", "git"]).code, 0);
    assert_eq!(world.read(".gitattributes"), format!("{attributes}\r\nplan.md merge=plan"));
    assert_eq!(world.git(["check-attr", "merge", "--", "plan.md"]), "plan.md: merge: plan\n");
    assert_eq!(world.plan(["uninstall", "git"]).code, 0);
    assert_eq!((config(&world), world.read(".gitattributes")), (before, attributes.to_owned()));
}

#[test]
fn print_shows_and_does_nothing() {
    let world = World::new().file("plan.md", PLAN).committed();
    let before = config(&world);
    let output = world.plan(["install", "git", "--print"]);
    assert!(output.code == 0 && output.stdout.contains("git config merge.plan.driver "), "{output:?}");
    assert!(output.stdout.ends_with(".gitattributes: plan.md merge=plan\n"), "{output:?}");
    assert!(config(&world) == before && !world.path(".gitattributes").exists());
    assert_eq!(world.plan(["install", "git", "--json"]).json(0)["added"], true);
}

#[test]
fn a_driver_of_somebody_else_is_left_alone() {
    let world = World::new().file("plan.md", PLAN).committed();
    world.git(["config", "merge.plan.driver", "mine %O %A %B"]);
    let before = config(&world);
    let output = world.plan(["install", "git"]);
    assert!(output.code == 4 && output.stderr.contains("`mine %O %A %B`"), "{output:?}");
    assert_eq!(world.plan(["uninstall", "git"]).stdout, "nothing to remove\n");
    assert!(config(&world) == before && !world.path(".gitattributes").exists());
}

#[test]
fn the_users_own_configuration() {
    let world = World::new().file("plan.md", PLAN).committed();
    let (project, user) = (config(&world), std::fs::read(world.base().join("home/.gitconfig")).unwrap());
    assert_eq!(world.plan(["install", "git", "--scope", "user"]).code, 0);
    assert!(world.git(["config", "--global", "merge.plan.driver"]).contains(" __merge %O %A %B "));
    assert!(config(&world) == project && !world.path(".gitattributes").exists());
    assert_eq!(world.plan(["uninstall", "git", "--scope", "user"]).code, 0);
    assert_eq!(std::fs::read(world.base().join("home/.gitconfig")).unwrap(), user);
}

#[test]
fn a_plan_of_another_name_and_place() {
    for (name, line) in [
        ("docs/plan.md", "plan.md merge=plan\n"),
        ("docs/my plan.md", "\"/docs/my plan.md\" merge=plan\n"),
        ("a*[x] é.md", "\"/a\\\\*\\\\[x] \\303\\251.md\" merge=plan\n"),
        ("#\"q\".md", "\"/#\\\"q\\\".md\" merge=plan\n"),
    ] {
        let world = World::new().file(name, PLAN).committed();
        let output = world.plan(["install", "git", "--file", name]);
        assert_eq!((output.code, &*output.stderr), (0, ""), "{name}");
        assert_eq!(world.read(".gitattributes"), line);
        assert!(world.git(["check-attr", "merge", "--", name]).ends_with(": merge: plan\n"), "{name}");
        world.commit("attributes");
        let branched = |plan: &str| {
            world.write(name, plan);
            world.commit("x");
        };
        world.git(["checkout", "--quiet", "-b", "topic"]);
        branched(&with(PLAN, &[("[ ] 1.", "[x] 1.")]));
        world.git(["checkout", "--quiet", "main"]);
        branched(&with(PLAN, &[("[ ] 2.", "[x] 2.")]));
        world.git(["merge", "--quiet", "--no-edit", "topic"]);
        assert_eq!(world.read(name), with(PLAN, &[("[ ] 1.", "[x] 1."), ("[ ] 2.", "[x] 2.")]), "{name}");
    }
}

#[test]
fn another_rule_that_wins_is_named() {
    let world = World::new().file("docs/plan.md", PLAN).file("docs/.gitattributes", "*.md merge=union\n").committed();
    let output = world.call(["install", "git"]).dir("docs").run();
    assert!(output.code == 0 && output.stderr.contains("git uses `merge=union` for docs/plan.md"), "{output:?}");
}

#[test]
fn attributes_that_are_no_file_are_refused_and_nothing_is_set() {
    let world = World::new().file("plan.md", PLAN).file("elsewhere", "x\n");
    std::os::unix::fs::symlink("elsewhere", world.path(".gitattributes")).unwrap();
    let before = config(&world);
    let output = world.plan(["install", "git"]);
    assert!(output.code == 2 && output.stderr.contains("not a regular file"), "{output:?}");
    assert_eq!((config(&world), world.read("elsewhere").as_str()), (before, "x\n"));
    let nowhere = World::without_git().file("plan.md", PLAN);
    assert_eq!(nowhere.plan(["install", "git"]).code, 2);
}

#[test]
fn where_the_configuration_cannot_be_written_nothing_is() {
    for before in [None, Some("*.md text")] {
        let mut world = World::new().file("plan.md", PLAN);
        if let Some(before) = before {
            world = world.file(".gitattributes", before);
        }
        world.write(".git/config.lock", "");
        let output = world.plan(["install", "git"]);
        assert!(output.code == 3 && output.stderr.contains("nothing was changed; fix that"), "{output:?}");
        assert_eq!(std::fs::read_to_string(world.path(".gitattributes")).ok().as_deref(), before);
    }
}

/// If the program is missing or fails, git's own text merge takes over, and nothing is lost.
#[test]
fn a_program_that_is_gone_or_fails_costs_no_data() {
    for broken in ["/no/such/plan", "/bin/false; exit 3; :", "kill -9 $$; :"] {
        let world = repository(PLAN, true);
        let driver = world.git(["config", "merge.plan.driver"]);
        let (program, rest) = driver.trim_end().split_once(" __merge").unwrap();
        assert!(program.starts_with('\''), "{driver}");
        // To the shell, the second and third look like a crash of the program.
        let broken = if broken.starts_with('/') && !broken.contains(';') {
            broken.to_owned()
        } else {
            format!("sh -c '{broken}'")
        };
        world.git(["config", "merge.plan.driver", &format!("{broken} __merge{rest}")]);
        branch(&world, "topic", &with(PLAN, &[("Prose above", "Their prose above"), ("[ ] 1.", "[x] 1.")]));
        on_main(&world, &with(PLAN, &[("Notes on", "Our notes on"), ("[ ] 1.", "[!] 1.")]));
        let output = world.call_program("git", ["merge", "--quiet", "--no-edit", "topic"]).run();
        let text = world.plan_md();
        if broken.contains("kill") {
            // A program that is killed by a signal gives no answer: git stops, and both versions are unchanged.
            assert!(output.code != 0, "{output:?}");
            continue;
        }
        assert_eq!(output.code, 1, "{broken}: {output:?}");
        assert!(output.stderr.contains("plan could not merge: merged as plain text"), "{output:?}");
        for part in ["Their prose", "Our notes", "<<<<<<< ours\n- [!] 1. wire\n=======\n- [x] 1. wire\n>>>>>>> theirs"]
        {
            assert!(text.contains(part), "{broken}: {part}\n{text}");
        }
    }
}

/// The line is tracked but the driver is not: a clone without the driver merges in git's usual way.
#[test]
fn a_clone_without_the_driver_merges_as_text() {
    let world = repository(PLAN, true);
    world.git(["config", "--remove-section", "merge.plan"]);
    branch(&world, "topic", &with(PLAN, &[("[ ] 1.", "[x] 1.")]));
    on_main(&world, &with(PLAN, &[("status: open", "status: active")]));
    world.git(["merge", "--quiet", "--no-edit", "topic"]);
    assert_eq!(world.plan_md(), with(PLAN, &[("[ ] 1.", "[x] 1."), ("status: open", "status: active")]));
}

// As root, git would replace /dev/null with a regular file.
#[test]
fn a_configuration_that_is_no_regular_file_is_left_as_it_is() {
    use std::os::unix::fs::FileTypeExt as _;
    let world = World::new().file("plan.md", PLAN).committed();
    let odd = world.path(".git/odd");
    assert!(std::process::Command::new("mkfifo").arg(&odd).status().unwrap().success());
    let output = world.call(["install", "git", "--scope", "user"]).env("GIT_CONFIG_GLOBAL", &odd).run();
    assert!(output.code == 2 && output.stderr.contains("is not a regular file"), "{output:?}");
    assert!(odd.metadata().unwrap().file_type().is_fifo());
}
