//! The texts of the row's findings: how they name files and how to resolve them.

use std::path::{Path, PathBuf};

use crate::gate::full::candidate::Candidate;
use crate::gate::full::tests_within::TestsWithin;
use crate::repo::export::Layout;

pub(super) const ROW: &str = "approved-tests-red";
/// How many files a finding names one by one.
const NAMED: usize = 10;

/// Describes the tests and test settings inside other files, and returns the description and their paths.
pub(super) fn inside_of(inside: &TestsWithin) -> (String, Vec<String>) {
    let paths = |files: &[PathBuf]| files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let (settings, sources): (Vec<String>, Vec<String>) = (paths(&inside.settings), paths(&inside.sources));
    let mut what = Vec::new();
    if !settings.is_empty() {
        what.push(format!("the test settings in {}", listed(&settings)));
    }
    if !sources.is_empty() {
        what.push(format!("the tests in {}", listed(&sources)));
    }
    (what.join(" and "), [settings, sources].concat())
}

/// Describes how files were put back: `with a.py as at the start and without the new b.py`.
pub(super) fn put_back(base: &Layout, files: &[String], start: &str) -> String {
    let (old, new): (Vec<String>, Vec<String>) =
        files.iter().cloned().partition(|file| base.get(Path::new(file)).is_some());
    match (old.is_empty(), new.is_empty()) {
        (_, true) => format!("with {} as at {start}", listed(&old)),
        (true, false) => format!("without the new {}", listed(&new)),
        (false, false) => format!("with {} as at {start} and without the new {}", listed(&old), listed(&new)),
    }
}

/// Lists all files; of many files, only the first ones and the number of the others.
pub(super) fn listed(files: &[String]) -> String {
    let shown: Vec<String> = files.iter().take(NAMED).map(|file| format!("`{file}`")).collect();
    match files.len() {
        count if count > NAMED => format!("{} and {} more", shown.join(", "), count - NAMED),
        _ => shown.join(", "),
    }
}

pub(super) fn resolve(candidate: &Candidate<'_>, files: &[String]) -> String {
    let first = "make the work pass the original tests";
    let declare = candidate.harness.declare(candidate.request.goal, files.iter().map(Path::new));
    format!("{first}; if the goal requires changed tests: {declare}")
}
