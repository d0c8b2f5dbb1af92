//! `exit-masked`: words that make a command succeed, in verify or in lines added to the scripts it runs.

use std::path::Path;

use super::{added, at, shown, sources};
use crate::gate::Finding;
use crate::gate::facts::Facts;
use crate::mutate::Language;

/// Runner options that run no test or rewrite the expectation.
const OPTIONS: [(&str, &str); 12] = [
    ("--collect-only", "collects tests and runs none"),
    ("--co", "collects tests and runs none"),
    ("--no-run", "compiles tests and runs none"),
    ("--passWithNoTests", "passes without a test"),
    ("--pass-with-no-tests", "passes without a test"),
    ("--no-tests=pass", "passes without a test"),
    ("--if-present", "passes where the script is missing"),
    ("--snapshot-update", "rewrites the files it should compare with"),
    ("--update-snapshots", "rewrites the files it should compare with"),
    ("--updateSnapshot", "rewrites the files it should compare with"),
    ("--force-regen", "rewrites the files it should compare with"),
    ("--exit-zero", "exits 0 whatever it finds"),
];

/// Returns the leads of this scan.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    const EXPECTED: &str = "a verify that fails when a command in it fails";
    const RESOLVE: &str = "let the failure through; otherwise the judge decides whether this is right";
    let own = facts.verify.and_then(|(line, _)| in_line(&line.text).map(|why| (why, &line.text)));
    let own = own
        .map(|(why, line)| Finding::lead("exit-masked", EXPECTED, format!("verify {why}: `{}`", shown(line)), RESOLVE));
    let scripts = sources(facts, true).chain(super::changed(facts).filter(|file| facts.harness.is_mixed(&file.path)));
    let scripts = scripts.filter(|file| !is_javascript(&file.path)).flat_map(|file| {
        let lines = added(file).into_iter().filter(|(_, line)| !is_prose(line.trim_start()));
        lines.filter_map(move |(number, line)| {
            let why = in_line(line)?;
            Some(at(file, number, "exit-masked", EXPECTED, format!("added: {why}: `{}`", shown(line)), RESOLVE))
        })
    });
    own.into_iter().chain(scripts).take(super::MOST).collect()
}

/// Whether `||` is no word of a shell there.
fn is_javascript(path: &Path) -> bool {
    Language::of(&path.to_string_lossy(), b"") == Some(Language::JavaScript)
}

/// Whether the line is a comment, or a text of `package.json` for readers.
fn is_prose(line: &str) -> bool {
    line.starts_with(['#', '/', '*']) || line.starts_with("\"readme\"") || line.starts_with("\"description\"")
}

/// Why a command line succeeds more often than the commands it runs; none if no word says so.
pub(crate) fn in_line(line: &str) -> Option<&'static str> {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ';' | '(' | ')' | ','));
    if let Some((_, why)) = words.flat_map(|word| OPTIONS.iter().filter(move |(option, _)| word == *option)).next() {
        return Some(why);
    }
    let plain: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let has = |parts: &[&str]| parts.iter().any(|part| plain.contains(part));
    if has(&["|| true", "|| :", "|| exit 0", "||true", "|| echo"]) {
        return Some("goes on after a failure");
    }
    if has(&["; exit 0", ";exit 0", "; true"]) || plain == "exit 0" {
        return Some("exits 0 whatever came before");
    }
    has(&["| tee ", "| tail", "| head", "| cat"])
        .then_some("ends in a pipe, so only the status of its last command counts")
}
