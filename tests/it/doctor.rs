//! `plan doctor`: each planted fault is found, `--fix` repairs the faults that it claims to, and a healthy world gives no finding.

mod healthy;
mod hooks;
mod refused;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::Value;

use crate::support::World;
use crate::support::plans::{TO_DO, approved};

const PLAN: &str = env!("CARGO_BIN_EXE_plan");

/// A world in which `plan` on PATH is this program.
fn world() -> World {
    let world = World::new();
    symlink(PLAN, world.base().join("bin/plan")).unwrap();
    world
}

/// The codes of the findings, each followed by `?` if it could not be checked.
fn codes(document: &Value) -> Vec<String> {
    let code = |finding: &Value| {
        let sign = if finding["severity"] == "unknown" { "?" } else { "" };
        format!("{}{sign}", finding["code"].as_str().unwrap())
    };
    document["findings"].as_array().unwrap().iter().map(code).collect()
}

/// Runs the doctor and expects these findings and this exit code.
#[track_caller]
fn finds(world: &World, code: i32, expected: &[&str]) -> Value {
    let document = world.plan(["doctor", "--json"]).json(code);
    assert_eq!(codes(&document), expected, "{document:#}");
    document
}

/// Repairs, and expects that only these findings are left, now and in a second run.
#[track_caller]
fn mends(world: &World, code: i32, left: &[&str]) -> Value {
    let document = world.plan(["doctor", "--fix", "--json"]).json(code);
    assert_eq!(codes(&document), left, "{document:#}");
    let all: Vec<&Value> = document["findings"].as_array().unwrap().iter().collect();
    assert!(all.iter().all(|finding| finding["fixable"] == false), "{document:#}");
    let again = world.plan(["doctor", "--fix", "--json"]).json(code);
    assert_eq!((codes(&again), &again["fixed"]), (codes(&document), &serde_json::json!([])));
    document
}

fn text(document: &Value, code: &str) -> String {
    let finding = document["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == code).unwrap();
    format!("{} | {}", finding["what"].as_str().unwrap(), finding["command"].as_str().unwrap())
}

/// PATH may hold folders of the repository, such as a virtual environment or `node_modules/.bin`, whose author decides what is in them.
#[test]
fn no_program_of_the_repository_is_run() {
    let ran = "#!/bin/sh\necho \"$0\" >>\"$RAN\"\nPATH=${PATH#*:}\nexec \"${0##*/}\" \"$@\"\n";
    let world = world().file("plan.md", approved(TO_DO)).committed();
    std::fs::create_dir(world.path("bin")).unwrap();
    for name in ["git", "sh", "grep", "tr"] {
        let program = world.path(&format!("bin/{name}"));
        std::fs::write(&program, ran).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = |world: &World| format!("{}:/usr/bin:/bin", world.path("bin").display());
    for args in [&["doctor", "--verbose"][..], &["doctor", "--fix"], &["judge", "test", "checks"], &["demo"]] {
        let log = world.base().join("ran");
        let output = world.call(args).env("PATH", path(&world)).env("RAN", &log).run();
        assert_eq!(std::fs::read_to_string(&log).unwrap_or_default(), "", "{args:?}: {output:?}");
        assert!(!output.stdout.is_empty(), "{args:?}: {output:?}");
    }
}

/// A plan that `plan` can read, with faults.
const ILL: &str = "\
# Plan: Faster search

## Goal: One
<!-- id: one-1 -->
status: active
needs: nowhere-1
- [ ] 1. wire it
- [ ] 1. wire it again

## Goal: Two
<!-- id: two-1 -->

## Goal: Two again
<!-- id: two-1 -->

## Goal: Without an id

## Goal: With a bad one
<!-- id: Not An Id! -->

## Log
- 2026-06-15 14:02  one-1 started
- 2027-01-01 00:00  from a clock that is ahead
";

/// The state of a running Ralph loop, as the plugin's `setup-ralph-loop.sh` writes it.
const RALPH: &str = "---\nactive: true\niteration: 1\nmax_iterations: 20\ncompletion_promise: \"DONE\"\n\
started_at: \"2026-06-15T12:00:00Z\"\n---\n\nBuild a todo API\n";

/// Faults 2, 7 to 10, 12, 13, 23 and 24.
#[test]
fn faults_in_and_beside_the_file_are_found() {
    let world = world()
        .file("plan.md", ILL)
        .file(".plan.md.4711.tmp", "# Plan: somebody's version\n")
        .file(".git/plan/lock", "4711\n")
        .file(".claude/ralph-loop.local.md", RALPH)
        .file(".planning/.active_plan", "2026-06-15-search\n")
        .file(".planning/2026-06-15-search/.mode", "autonomous gate\n");
    let before = [
        "untracked", "same-id", "goal-id", "step-number", "needs", "future-stamp", "leftover", "other-driver",
        "other-driver",
    ];
    let document = finds(&world, 1, &before);
    for (code, expected) in [
        ("untracked", "git does not track plan.md | git add plan.md"),
        ("same-id", "plan.md:14: `two-1` is already the id of the goal in line 10 | plan lint"),
        ("goal-id", "plan.md:16: `Without an id` has no id (and 1 more) | plan lint --fix"),
        ("step-number", "plan.md:8: 1 is already the number of the step in line 7 | plan lint --fix"),
        ("needs", "plan.md:6: no goal has the id or subject `nowhere-1` | plan lint"),
        ("future-stamp", "plan.md:23: is stamped"),
        ("leftover", "a killed run left `.plan.md.4711.tmp` | plan doctor --fix"),
    ] {
        let found = text(&document, code).replace("plan.md:23 is", "plan.md:23: is");
        assert!(found.starts_with(expected), "{found}");
    }
    // The repair loses nothing: the copy holds the old text, and the file of the killed run is in undo.
    let left = ["untracked", "same-id", "needs", "future-stamp", "other-driver", "other-driver"];
    let fixed = mends(&world, 1, &left);
    assert_eq!(fixed["fixed"].as_array().unwrap().len(), 2, "{fixed:#}");
    assert!(!world.path(".plan.md.4711.tmp").exists());
    assert!(world.plan(["undo", "--list"]).stdout.contains("left"));
    let copies: Vec<_> =
        std::fs::read_dir(world.path(".git/plan/doctor")).unwrap().map(|copy| copy.unwrap().path()).collect();
    assert_eq!(copies.len(), 1);
    assert_eq!(std::fs::read_to_string(&copies[0]).unwrap(), ILL);
    let plan = world.plan_md();
    let kept: Vec<&str> = plan.lines().filter(|line| !line.contains("id: ")).collect();
    let ill = ILL.replace("1. wire it again", "2. wire it again");
    let ill: Vec<&str> = ill.lines().filter(|line| !line.contains("id: ")).collect();
    assert_eq!(kept, ill, "only ids and a number were written");
}

/// Faults 1, 3, 4, 5, 6 and 11: a file that is missing for others, or cannot be read.
#[test]
fn a_file_that_cannot_be_read_or_shared_is_found() {
    let ignored = world().file("plan.md", TO_DO).file(".gitignore", "build\n*.md\n");
    let document = finds(&ignored, 1, &["ignored"]);
    assert_eq!(text(&document, "ignored"), "plan.md is ignored by .gitignore:2 `*.md` | git add -f plan.md");
    ignored.git(["add", "-f", "plan.md"]);
    finds(&ignored, 0, &[]);

    let folder = world().file("plan.md/x", "");
    finds(&folder, 1, &["unreadable"]);
    std::fs::remove_dir_all(folder.path("plan.md")).unwrap();
    let nothing = folder.plan(["doctor"]);
    assert_eq!(nothing.code, 0, "{nothing:?}");
    let said = "there is no plan.md here: plan init \"objective\"\n";
    assert!(nothing.stdout.starts_with(said), "absent is told from unreadable: {nothing:?}");
    symlink(folder.base().join("home/plan.md"), folder.path("plan.md")).unwrap();
    std::fs::write(folder.base().join("home/plan.md"), TO_DO).unwrap();
    finds(&folder, 1, &["link-out"]);
    std::fs::remove_file(folder.path("plan.md")).unwrap();

    folder.write("plan.md", format!("{TO_DO}<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"));
    let document = finds(&folder, 1, &["conflict"]);
    assert_eq!(
        text(&document, "conflict"),
        "plan.md:16 has a git conflict marker | plan install git; git checkout --merge plan.md"
    );
    folder.write("plan.md", TO_DO.replace("eviction", "ev\0iction"));
    finds(&folder, 1, &["not-text"]);

    folder.write("plan.md", TO_DO);
    folder.git(["add", "plan.md"]);
    folder.write("specs/001-search/plan.md", "# Implementation Plan: Search\n\n## Summary\n");
    let document = folder.call(["doctor", "--json"]).dir("specs/001-search").run().json(0);
    assert_eq!(codes(&document), ["other-tool"]);
    assert_eq!(text(&document, "other-tool"), "plan.md is a file of spec-kit | plan --file ../../plan.md");
}

/// prettier moves the fields below a list into the list.
#[test]
fn a_formatter_that_would_rewrite_the_plan_is_found_and_kept_from_it() {
    let world = world().file("package.json", "{\"devDependencies\": {\"prettier\": \"3\"}}\n");
    let made = world.plan(["init", "Search"]);
    assert!(made.stderr.contains("`echo plan.md >> .prettierignore`"), "{made:?}");
    let document = finds(&world, 0, &["formatter"]);
    assert_eq!(text(&document, "formatter"), "prettier would rewrite plan.md | echo plan.md >> .prettierignore");
    for ignored in ["plan.md\n", "dist\n/plan.md", "**/*.md\n"] {
        world.write(".prettierignore", ignored);
        finds(&world, 0, &[]);
    }
    world.write(".prettierignore", "dist");
    let document = finds(&world, 0, &["formatter"]);
    assert_eq!(world.call_program("sh", ["-c", document["findings"][0]["command"].as_str().unwrap()]).run().code, 0);
    assert_eq!(world.read(".prettierignore"), "dist\nplan.md\n");
    finds(&world, 0, &[]);
    // A repository that does not use prettier has no finding.
    world.write("package.json", "{\"name\": \"prettier-free\"}\n");
    world.write(".prettierignore", "");
    finds(&world, 0, &[]);
}

/// If plan.md belongs or would belong to another tool, the list, `init` and an error name that tool, and the command to continue with.
#[test]
fn a_plan_of_another_tool_is_told_from_ours() {
    let tasks = "# Tasks: Search\n\n## Phase 1: Setup\n\n- [ ] T001 wire it\n";
    let theirs = "# Implementation Plan: Search\n\n## Summary\n";
    let world = world().file("specs/001-search/plan.md", theirs).file("specs/001-search/tasks.md", tasks);
    let told = "specs/001-search/plan.md is a file of spec-kit";
    let command = "plan init && plan import speckit specs/001-search";
    let list = world.plan([""; 0]);
    assert_eq!((list.code, list.stdout), (0, format!("No plan.md here. {told}: `{command}`\n")));
    let other = &world.plan(["--json"]).json(0)["other_tool"];
    assert_eq!((&other["tool"], &other["command"]), (&"spec-kit".into(), &command.into()), "{other}");
    let next = world.plan(["next"]);
    assert_eq!(next.code, 2, "{next:?}");
    assert!(next.stderr.contains(told) && next.stderr.contains(&format!("`{command}`")), "{next:?}");

    // In the folder of that tool, with or without its plan.md.
    let there = |arguments: &[&str]| world.call(arguments).dir("specs/001-search").run();
    let way = "plan -C [TMP]/work init";
    assert_eq!(there(&[]).stdout, format!("No plan made with `plan` here. plan.md is a file of spec-kit: `{way}`\n"));
    for arguments in
        [&["init", "Search"][..], &["draft", "search", "--with", "cmd:false"], &["goal", "add", "x"], &["log", "x"]]
    {
        let refused = there(arguments);
        assert_eq!((refused.code, &*world.read("specs/001-search/plan.md")), (2, theirs), "{refused:?}");
        assert!(refused.stderr.contains("is a file of spec-kit; nothing was changed"), "{refused:?}");
        assert!(refused.stderr.contains(&format!("`{way}`")), "{refused:?}");
    }
    std::fs::remove_file(world.path("specs/001-search/plan.md")).unwrap();
    assert_eq!(there(&["init"]).code, 2, "spec-kit will write it");
    world.write("specs/001-search/plan.md", theirs);

    // The named commands work unchanged.
    assert_eq!(world.plan(["init"]).code, 0);
    assert_eq!(world.plan(["import", "speckit", "specs/001-search"]).code, 0);
    let document = there(&["--json"]).json(0);
    assert_eq!(document["other_tool"]["command"], "plan --file ../../plan.md", "{document:#}");
    assert!(!world.plan([""; 0]).stdout.contains("spec-kit:"), "ours is the nearest");
    // A prd.json next to it belongs to that tool too.
    let stories = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/exchange/prd/valid/01-minimal.json");
    std::fs::copy(stories, world.path("specs/001-search/prd.json")).unwrap();
    assert_eq!(codes(&there(&["doctor", "--json"]).json(0)), ["other-tool"]);
    // If it has goals, it is still a plan.
    world.write("specs/001-search/plan.md", TO_DO);
    assert!(there(&["--json"]).json(0).get("other_tool").is_none());
}

/// Faults 14, 20, 21 and 22: faults around the file.
#[test]
fn faults_of_state_approval_and_configuration_are_found() {
    let world = world().file(
        "plan.md",
        approved(&format!(
            "---\nmode: contract\n---\n{}",
            TO_DO.replace("status: active\n", "status: active\nfailure_modes:\n- cache bypassed\n")
        )),
    );
    world.git(["add", "plan.md"]);
    let key = plan::store::find(world.root(), None).unwrap().key();
    world.write(&format!(".git/plan/checkpoints/{key}/0007.json"), "{ cut");
    world.write("../home/.config/plan/config.yaml", "judge: [\"cmd:/gone/judge.py\"]\n");
    let document = finds(&world, 1, &["approval", "checkpoint", "judge"]);
    assert!(text(&document, "checkpoint").starts_with("checkpoint 7 is damaged | rm "), "{document:#}");
    assert!(text(&document, "judge").contains("/gone/judge.py"), "{document:#}");

    world.write("../home/.config/plan/config.yaml", "jugde: claude\n");
    std::fs::remove_dir_all(world.path(".git/plan")).unwrap();
    world.write(".git/plan", "in the way\n");
    finds(&world, 1, &["state", "approval", "config"]);
}

/// Fault 18 in both forms, and without the driver's program in between.
#[test]
fn a_driver_without_attributes_and_attributes_without_a_driver_are_mended() {
    let world = world().file("plan.md", TO_DO).file(".gitattributes", "*.png binary\nplan.md merge=plan\n");
    world.git(["add", "."]);
    finds(&world, 0, &["no-driver"]);
    mends(&world, 0, &[]);
    let driver = plan::repo::merge_driver::command(world.base().join("bin/plan").to_str().unwrap());
    world.git(["config", "merge.plan.driver", &plan::repo::merge_driver::command("/gone/plan")]);
    let document = finds(&world, 0, &["no-driver"]);
    assert!(text(&document, "no-driver").contains("`/gone/plan`, which is gone"), "{document:#}");
    world.git(["config", "merge.plan.driver", &driver]);
    world.write(".gitattributes", "*.png binary\n");
    finds(&world, 0, &["no-attributes"]);
    let fixed = world.plan(["doctor", "--fix", "--strict"]);
    assert_eq!((fixed.code, &*world.read(".gitattributes")), (0, "*.png binary\nplan.md merge=plan\n"), "{fixed:?}");
}

/// Fault 19: the remote has the record of a sign-off, but this clone does not. A remote that does not answer is no fault.
#[test]
fn a_record_that_only_the_remote_has_is_found() {
    let line = "docs-1 signed off (verify none, gate fast, oracle accept by checks, contract 0123456789ab, tree ba9876543210, at none)";
    let done = TO_DO.replace("<!-- id: docs-1 -->", "<!-- id: docs-1 -->\nstatus: done");
    let world = world().file("plan.md", format!("{done}- 2026-06-15 14:05  {line}\n")).committed();
    let remote = world.base().join("remote.git");
    world.git(["clone", "--quiet", "--bare", ".", remote.to_str().unwrap()]);
    world.git(["remote", "add", "origin", remote.to_str().unwrap()]);
    let blob = world.git(["hash-object", "-w", "plan.md"]);
    let record = "refs/plan/signoffs/docs-1/0123456789ab-ba9876543210";
    finds(&world, 0, &[]);
    world.git(["push", "--quiet", "origin", &format!("{}:{record}", blob.trim())]);
    let document = finds(&world, 0, &["records"]);
    assert_eq!(
        text(&document, "records"),
        "the record of a sign-off is missing here, and `origin` has it | plan audit --fetch origin"
    );
    world.git(["remote", "set-url", "origin", "../nowhere.git"]);
    finds(&world, 3, &["records?"]);
    assert_eq!(world.plan(["doctor"]).code, 3, "text and JSON exit alike");
    world.git(["update-ref", record, blob.trim()]);
    finds(&world, 0, &[]);
}

/// Fault 25: a prd.json next to plan.md is invalid, out of step, or alone. A prd.json of another tool is left alone.
// W-24
#[test]
fn stories_that_are_invalid_or_out_of_step_are_found() {
    let world = world().file("plan.md", TO_DO);
    world.git(["add", "plan.md"]);
    assert_eq!(world.plan(["export", "prd", "prd.json"]).code, 0);
    finds(&world, 0, &[]);
    let exported = world.read("prd.json");
    world.write("plan.md", TO_DO.replace("p95 < 50ms", "p95 < 20ms"));
    let document = finds(&world, 0, &["stories-stale"]);
    let told = text(&document, "stories-stale");
    assert_eq!(told, "prd.json and plan.md differ about US-001 | plan export prd prd.json");
    world.write("plan.md", "# Plan: Faster search\n");
    assert!(text(&finds(&world, 0, &["stories-stale"]), "stories-stale").ends_with(" | plan import prd prd.json"));
    std::fs::remove_file(world.path("plan.md")).unwrap();
    let document = finds(&world, 0, &["stories-stale"]);
    assert!(text(&document, "stories-stale").starts_with("prd.json has stories, and there is no plan.md"));
    world.write("prd.json", exported.replace("\"pending\"", "\"finished\""));
    let document = finds(&world, 1, &["stories"]);
    let told = text(&document, "stories");
    assert!(told.starts_with("prd.json: /user_stories/0/status "), "{told}");
    assert!(told.ends_with(" (and 1 more) | plan lint --stories prd.json"), "{told}");
    world.write("prd.json", "{ \"project\": \"x\", \"userStories\": [{ \"id\": \"US-001\", \"passes\": false }] }");
    finds(&world, 0, &[]);
}

/// Text and JSON have the same exit code; warnings count with `--strict`.
#[test]
fn the_text_is_short_and_exits_as_the_document_does() {
    let world =
        world().file("plan.md", TO_DO).file(".gitignore", "*.md\n").file(".gitattributes", "plan.md merge=plan\n");
    let output = world.plan(["doctor"]);
    assert_eq!(output.code, 1);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{}", output.stdout);
    assert_eq!(lines[0], "✗ ignored          plan.md is ignored by .gitignore:1 `*.md`: nobody else will have it");
    assert_eq!(lines[1], "                   git add -f plan.md");
    assert!(lines[2].starts_with("! no-driver        `.gitattributes` names the merge driver"), "{}", lines[2]);
    assert_eq!(lines[3], "                   plan install git");
    assert!(lines[4].ends_with(" checks passed (--verbose); plan doctor --fix repairs 1"), "{}", lines[4]);
    world.git(["add", "-f", "plan.md"]);
    assert_eq!(world.plan(["doctor"]).code, 0);
    assert_eq!(world.plan(["doctor", "--strict"]).code, 1);
    world.plan(["doctor", "--strict", "--json"]).json(1);
    let verbose = world.plan(["doctor", "--verbose"]);
    assert!(verbose.stdout.contains("\n✓ ignored          git does not ignore plan.md\n"), "{}", verbose.stdout);
    let judge = world.call(["doctor", "--fix"]).env("PLAN_JUDGE_SESSION", "1").run();
    assert_eq!(judge.code, 4, "a judge mends nothing: {judge:?}");
}

/// The table in the documentation equals the table in the program.
#[test]
fn the_documentation_has_every_row() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/doctor.md")).unwrap();
    let rows: String = plan::doctor::ROWS
        .iter()
        .map(|row| {
            let (code, sign) = (row.code, row.severity.sign());
            format!("| `{code}` | {sign} | {} | {} | {} |\n", row.good, row.why, row.mends.unwrap_or(""))
        })
        .collect();
    assert!(page.contains(&rows), "docs/doctor.md is to have:\n{rows}");
}
