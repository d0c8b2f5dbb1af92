//! Runs every case in `fixtures/cli`. `CASE=part-of-a-name` runs some, `UPDATE=1` rewrites their expected output.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::case;
use crate::support::diff::is_update;

#[test]
fn cases_in_fixtures_cli() {
    let wanted = std::env::var("CASE").unwrap_or_default();
    let update = is_update();
    let files: Vec<PathBuf> = files().into_iter().filter(|f| name(f).contains(&wanted)).collect();
    assert!(!files.is_empty(), "no case named like `{wanted}`");
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = outcome(file, update) {
                        failed.lock().unwrap().push(format!("== {} ==\n{why}", name(file)));
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().unwrap();
    failed.sort();
    assert!(failed.is_empty(), "{} of {} cases failed\n\n{}", failed.len(), files.len(), failed.join("\n"));
}

#[test]
fn no_folder_without_its_case() {
    let names: Vec<String> = files().iter().map(|f| name(f)).collect();
    let entries = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path());
    let orphans: Vec<PathBuf> = entries.filter(|p| p.is_dir() && !names.contains(&name(p))).collect();
    assert!(orphans.is_empty(), "no case file beside {orphans:?}");
}

const REWRITING: &str = "if that is meant: CASE=sample UPDATE=1 cargo test --test it golden\n";

#[test]
fn a_case_that_differs_says_what_and_is_rewritten_on_request() {
    let folder = crate::support::tempdir();
    let file = folder.path().join("sample.toml");
    let text = "about = \"a sample\"\n\n[[run]]\nsh = \"echo one; echo two >&2; echo new > file; exit 3\"\n";
    std::fs::write(&file, text).unwrap();
    let why = case::check(&file, false).unwrap_err();
    for expected in ["exit 3, expected 0", "stdout", "one", "stderr", "two", "file: is new", REWRITING] {
        assert!(why.contains(expected), "`{expected}` is not in:\n{why}");
    }
    case::check(&file, true).unwrap();
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        format!("{text}code = 3\nstdout = '''\none\n'''\nstderr = '''\ntwo\n'''\n")
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("sample.out/file")).unwrap(), "new\n");
    case::check(&file, false).unwrap();
}

#[test]
fn a_case_may_leave_part_of_a_line_open_but_not_a_line_ending() {
    let folder = crate::support::tempdir();
    let file = folder.path().join("sample.toml");
    let run = |print: &str, expected: &str| {
        let text = format!("about = \"\"\ngit = false\n[[run]]\nsh = \"printf '{print}'\"\nstdout = \"{expected}\"\n");
        std::fs::write(&file, text).unwrap();
        case::check(&file, false)
    };
    assert_eq!(run("it took 20 ms\\\\n", "it took [..] ms\\n"), Ok(()));
    assert!(run("it took 20 s\\\\n", "it took [..] ms\\n").is_err());
    assert!(run("one\\\\r\\\\n", "one\\n").is_err());
}

/// A panic inside a case (a process left over, a time-out) fails only that case, by name.
fn outcome(file: &Path, update: bool) -> Result<(), String> {
    std::panic::catch_unwind(|| case::check(file, update))
        .unwrap_or_else(|panic| Err(panic.downcast::<String>().map_or_else(|_| "panicked".into(), |why| *why)))
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cli")
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap().to_string_lossy().into_owned()
}
