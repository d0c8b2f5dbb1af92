//! Several writers of one file: processes, and an editor that knows no locks.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::{World, size};

const PLAN: &str =
    "# Plan: Shared\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: active\n\n## Log\n- 2026-06-15 14:02  begun\n";

// P-4, P-37
#[test]
fn eight_processes_log_lines_at_once_and_all_are_there() {
    let lines = size(25, 100);
    let world = World::new().file("plan.md", PLAN);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let world = &world;
            scope.spawn(move || {
                for line in 0..lines {
                    let output = world.plan(["log", &format!("writer {writer} line {line}")]);
                    assert_eq!(output.code, 0, "{output:?}");
                }
            });
        }
    });
    let text = world.plan_md();
    let found: BTreeSet<&str> = text.lines().filter(|l| l.contains("  writer ")).collect();
    assert_eq!((found.len(), text.lines().count()), (8 * lines, PLAN.lines().count() + 8 * lines));
}

/// An editor that knows no locks saves 500 times (fewer without `PLAN_FULL`) while `plan log` runs, in both ways that editors save: over
/// the file, and by renaming a new file into its place.
// P-2, P-4
#[test]
fn an_editor_that_saves_over_our_writes_loses_nothing() {
    for by_rename in [true, false] {
        saved_over_and_over(by_rename);
    }
}

fn saved_over_and_over(by_rename: bool) {
    let saves = size(200, 500);
    let world = World::new().file("plan.md", PLAN);
    let file = world.path("plan.md");
    let over = AtomicBool::new(false);
    // Each side adds its own line each time; a side that overwrites the other must leave a version with that line.
    let ours = std::thread::scope(|scope| {
        scope.spawn(|| {
            // The editor has its own buffer: it reads once, and overwrites the current file.
            let mut buffer = PLAN.to_owned();
            for save in 0..saves {
                buffer += &format!("- 2026-06-15 14:33  saved {save};\n");
                if by_rename {
                    let temporary = world.base().join("edited");
                    std::fs::write(&temporary, &buffer).unwrap();
                    std::fs::rename(&temporary, &file).unwrap();
                } else {
                    std::fs::write(&file, &buffer).unwrap();
                }
                let pause = if save % 10 == 9 { 30_000 } else { save * 7919 % 3000 };
                std::thread::sleep(Duration::from_micros(pause as u64));
            }
            over.store(true, Ordering::Release);
        });
        let mut ours = Vec::new();
        for line in 0.. {
            let text = format!("ours {line};");
            let output = world.plan(["log", &text]);
            assert!(matches!(output.code, 0 | 5), "{output:?}");
            if output.code == 0 {
                ours.push(text);
            }
            if over.load(Ordering::Acquire) && ours.len() >= 5 {
                break;
            }
        }
        ours
    });
    assert_eq!(world.plan(["log", "last;"]).code, 0);
    let mut kept = world.plan_md();
    assert!(kept.contains(&format!("  saved {};\n", saves - 1)) && kept.contains("  last;\n"), "{kept}");
    for entry in std::fs::read_dir(world.path(".git/plan/undo")).unwrap() {
        kept += &std::fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    let theirs = (0..saves).map(|save| format!("saved {save};"));
    let lost: Vec<String> =
        ours.iter().cloned().chain(theirs).filter(|line| !kept.contains(&format!("  {line}\n"))).collect();
    assert!(lost.is_empty(), "lost: {lost:?}; {} of ours were written", ours.len());
}
