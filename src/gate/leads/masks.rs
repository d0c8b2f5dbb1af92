//! `exit-masked`: words that make a command succeed, in verify or in lines added to the scripts that it runs.

use std::path::Path;

use super::{added, at, shown, sources};
use crate::gate::facts::GateFacts;
use crate::gate::{GateFinding, goal_text};
use crate::mutate::Language;

/// Runner options that run no test, rewrite the expectations, or hide a failure.
const OPTIONS: [(&str, &[&str]); 6] = [
    ("collects tests and runs none", &["--collect-only", "--co"]),
    ("compiles tests and runs none", &["--no-run"]),
    ("passes without a test", &["--passWithNoTests", "--pass-with-no-tests", "--no-tests=pass"]),
    ("passes where the script is missing", &["--if-present"]),
    (
        "rewrites the files it should compare with",
        &["--snapshot-update", "--update-snapshots", "--updateSnapshot", "--force-regen"],
    ),
    ("exits 0 whatever it finds", &["--exit-zero"]),
];

/// Programs that clean up.
const CLEANERS: [&str; 6] = ["rm", "rmdir", "kill", "pkill", "killall", "umount"];
/// Programs whose exit status says whether they found something.
const LOOKS: [&str; 3] = ["grep", "curl", "which"];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    const EXPECTED: &str = "a verify that fails when a command in it fails";
    const RESOLVE: &str = "let the failure through; otherwise the judge decides whether this is right";
    let said = goal_text::of(facts.goal);
    let own = facts.verify.and_then(|(line, _)| in_line(&line.text).map(|why| (why, &line.text)));
    let own = own.map(|(why, line)| {
        GateFinding::lead("exit-masked", EXPECTED, format!("verify {why}: `{}`", shown(line)), RESOLVE)
    });
    let scripts = sources(facts, true).chain(super::changed(facts).filter(|file| facts.harness.is_mixed(&file.path)));
    // In JavaScript, `||` is not a shell operator.
    let is_javascript = |path: &Path| Language::of(&path.to_string_lossy(), b"") == Some(Language::JavaScript);
    let scripts = scripts.filter(|file| !is_javascript(&file.path)).flat_map(|file| {
        let is_named = goal_text::names(&said, &file.path, "after a failure");
        let lines = added(file).into_iter().filter(move |(_, line)| !is_named && !is_prose(line.trim_start()));
        lines.filter_map(move |(number, line)| {
            let why = in_line(&without_harmless(line))?;
            let declare = format!("{} goes on after a failure", file.path.display());
            let declare = goal_text::command(facts.goal.name(), &declare);
            let resolve = format!("let the failure through; if it does not matter there: {declare}");
            Some(at(file, number, "exit-masked", EXPECTED, format!("added: {why}: `{}`", shown(line)), &resolve))
        })
    });
    own.into_iter().chain(scripts).take(super::MOST).collect()
}

/// Whether the line is a comment, or prose in `package.json`.
fn is_prose(line: &str) -> bool {
    line.starts_with(['#', '/', '*']) || line.starts_with("\"readme\"") || line.starts_with("\"description\"")
}

/// Returns the line without the parts in which only a clean-up or a search may fail: `rm -f out || true`,
/// `n=$(grep -c x log || true)`.
fn without_harmless(line: &str) -> String {
    line.split(';').filter(|part| !is_harmless(part)).collect::<Vec<_>>().join(";")
}

fn is_harmless(part: &str) -> bool {
    let Some((before, after)) = part.split_once("||") else { return false };
    let (is_captured, commands) = before.rsplit_once("$(").map_or((false, before), |(_, inner)| (true, inner));
    let is_known = |command: &str| {
        let words = command.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '('));
        // A line of a recipe may begin with these signs.
        let mut words = words.map(|word| word.trim_start_matches(['@', '-', '+']));
        let program = words.find(|word| !matches!(*word, "" | "trap" | "{")).unwrap_or_default();
        CLEANERS.contains(&program) || is_captured && LOOKS.contains(&program)
    };
    // `||` hides the failure of every command in front of it, so all of them must be harmless.
    !after.contains("||") && commands.split(['&', '|']).filter(|command| !command.is_empty()).all(is_known)
}

/// Returns the reason why a command line may succeed although a command in it fails; `None` if no word suggests it.
pub(crate) fn in_line(line: &str) -> Option<&'static str> {
    let mut words = line.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ';' | '(' | ')' | ','));
    if let Some((why, _)) = words.find_map(|word| OPTIONS.iter().find(|(_, options)| options.contains(&word))) {
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

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn what_cleans_up_may_fail() {
        for line in [
            "rm -rf \"$tmp\" || true",
            "  trap 'kill $pid || true' EXIT",
            "trap \"rm -f out.tmp || true\" EXIT",
            "status=$(curl -s -o /dev/null -w '%{http_code}' \"$url\" || true)",
            "{ rm x || true; }",
            "\t@rm -f x || true",
            "n=$(grep -c warn log || true)",
        ] {
            assert!(in_line(line).is_some() && in_line(&without_harmless(line)).is_none(), "{line}");
        }
        for line in [
            "pytest -q || true", "out=$(pytest -q || true)", "grep -q ok log || true", "./rm.sh || true",
            "pytest -q && rm -f log || true", "rm -f x || true; pytest | tail -3", "rm -f x || true; pytest; exit 0",
            "rm -f x || true; pytest --co", "wait $pid || true", "out=$(command pytest -q || true)",
            "rm -f log; pytest -q || true", "rm -f log && pytest -q || true", "rm -f log || true; pytest || true",
        ] {
            assert!(in_line(&without_harmless(line)).is_some(), "{line}");
        }
    }
}
