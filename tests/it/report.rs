//! `plan report`: the page is written as a whole or not at all, and overwrites only a page of its own.

use std::os::unix::fs::symlink;

use crate::support::World;
use crate::support::judge::{HONEST, world};
use crate::support::output::Output;

const PLAN: &str = "\
# Plan: Orders

## Goal: Keep them
<!-- id: keep-1 -->
status: active
done_when: none is lost

## Log
- 2026-06-15 14:02  begun
";

#[track_caller]
fn refused(output: &Output, why: &str) {
    assert_eq!((output.code, &*output.stdout), (2, ""), "{output:?}");
    assert!(output.stderr.contains(why), "no `{why}` in {}", output.stderr);
}

#[test]
fn the_page_shows_what_the_judge_cited_and_is_the_same_each_time() {
    let world = world().judge("judge", HONEST, "accept");
    let signed =
        world.plan(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt", "--evidence", "47 ms"]);
    assert_eq!(signed.code, 0, "{signed:?}");
    let first = world.plan(["report", "--html", "report.html"]);
    let page = world.read("report.html");
    assert_eq!(first.stdout, format!("wrote report.html, {} bytes\n", page.len()));
    for part in ["p95 below 50 ms", "result.txt:1", "p95 47.1 ms", "result.txt:2", "cache on", "47 ms", "cmd:judge"] {
        assert!(page.contains(part), "no `{part}`");
    }
    // Over its own page, on another day, as JSON: the bytes are the same.
    let again = world.call(["report", "--html", "report.html", "--json"]).env("PLAN_NOW", "2031-01-01T00:00").run();
    assert_eq!(again.json(0)["bytes"], page.len(), "{again:?}");
    assert_eq!(again.json(0)["file"], "report.html");
    assert_eq!(world.read("report.html"), page);
    assert!(world.plan(["report", "--html", "-"]).stdout.starts_with("<!DOCTYPE html>"));
    let summary = world.plan(["report"]).stdout;
    assert!(summary.contains("    - ✓ `result.txt:1` “p95 47.1 ms”\n"), "{summary}");
    let json = world.plan(["report", "--json"]).json(0);
    // The open goal comes first.
    assert_eq!(json["goals"][1]["body"]["criteria"][0]["answers"][0]["citations"][0]["place"], "result.txt:1");
}

#[test]
fn only_a_new_file_or_a_page_of_its_own_is_written() {
    let world = World::new().file("plan.md", PLAN).file("src/a.rs", "fn a() {}\n").committed();
    let report = |file: &str| world.plan(["report", "--html", file]);
    std::fs::hard_link(world.path("plan.md"), world.path("hard.html")).unwrap();
    symlink("plan.md", world.path("soft.html")).unwrap();
    symlink("/dev/null", world.path("null.html")).unwrap();
    symlink(world.base(), world.path("out")).unwrap();
    refused(&report("plan.md"), "it is the plan file");
    refused(&report("./src/../plan.md"), "it is the plan file");
    refused(&report("hard.html"), "it is the plan file");
    refused(&report("soft.html"), "it is a link");
    refused(&report("null.html"), "it is a link");
    refused(&report("out/report.html"), "a link on the way leads out of the repository");
    refused(&report("src"), "it is not a regular file");
    refused(&report("src/a.rs"), "`plan report` did not write");
    refused(&report("nowhere/report.html"), "its folder is not there");
    refused(&report("/dev/stdout"), "");
    assert_eq!(world.plan_md(), PLAN);
    assert_eq!(world.read("src/a.rs"), "fn a() {}\n");
    assert!(!world.base().join("report.html").exists());
    // The caller may name a folder elsewhere; an empty file has no content to lose.
    let elsewhere = world.base().join("page.html");
    std::fs::write(&elsewhere, "").unwrap();
    assert_eq!(report(elsewhere.to_str().unwrap()).code, 0);
    let before = std::fs::read(&elsewhere).unwrap();
    assert_eq!(report(elsewhere.to_str().unwrap()).code, 0);
    assert_eq!(std::fs::read(&elsewhere).unwrap(), before);
}

#[test]
fn a_judge_writes_no_report_and_a_plan_outside_git_has_one() {
    let world = World::without_git().file("plan.md", PLAN);
    let inside = world.call(["report", "--html", "a.html"]).env("PLAN_JUDGE_SESSION", "1").run();
    assert_eq!(inside.code, 4, "{inside:?}");
    assert!(!world.path("a.html").exists());
    assert_eq!(world.plan(["report", "--html", "a.html"]).code, 0);
    assert!(world.read("a.html").contains("Keep them"));
}

#[test]
fn an_amendment_shows_both_texts_from_a_clone_that_has_only_commits() {
    let world = World::new().file("plan.md", PLAN).committed();
    assert_eq!(world.plan(["goal", "start", "keep-1"]).code, 0);
    world.commit("start");
    let because = ["--because", "the cable is old"];
    assert_eq!(world.plan([&["goal", "set", "keep-1", "--done-when", "few are lost"][..], &because].concat()).code, 0);
    world.commit("amended");
    let page = world.plan(["report", "--html", "-"]).stdout;
    let lines = "<del><bdi>done_when: none is lost</bdi></del><ins><bdi>done_when: few are lost</bdi></ins>";
    assert!(page.contains(lines) && page.contains("the cable is old"));
    // There are neither records nor kept versions: the text comes from the commits.
    world.git(["clone", "-q", ".", "../clone"]);
    let cloned = world.plan(["-C", "../clone", "report", "--html", "-"]).stdout;
    assert!(cloned.contains(lines), "{}", cloned.len());
}

#[test]
fn a_plan_whose_goals_are_all_archived_or_cancelled_says_so() {
    let goal = |id: &str| format!("## Goal: {id}\n<!-- id: {id} -->\nstatus: cancelled\n\n");
    let lead = |goals: &str, expected: &str| {
        let world = World::new().file("plan.md", format!("# Plan: Kiosk\n\n{goals}"));
        let told = world.plan(["report"]).stdout;
        assert!(told.starts_with(&format!("# Kiosk\n\n{expected}\n")), "{told}");
        world.plan(["report", "--html", "-"]).stdout
    };
    assert!(lead("", "No goals yet.").contains("None yet."));
    let page = lead(&format!("# Archive\n\n{}{}", goal("a-1"), goal("b-1")), "All 2 goals are archived.");
    assert!(!page.contains("None yet.") && page.contains("2 goals below # Archive in plan.md."));
    lead(&format!("# Archive\n\n{}", goal("a-1")), "The one goal is archived.");
    lead(&goal("a-1"), "The one goal is cancelled.");
    lead(&format!("{}{}", goal("a-1"), goal("b-1")), "All 2 goals are cancelled.");
    lead(&format!("{}# Archive\n\n{}", goal("a-1"), goal("b-1")), "All 2 goals are cancelled or archived.");
}
