//! `moved-out-of-sight`: lines moved to another folder or another kind of file, where the checker may not look. Refactoring
//! does the same, so it is a note for the judge, and only in a goal whose verify is a checker.

use std::collections::BTreeSet;

use super::{added, at, changed};
use crate::gate::facts::{ChangedFile, GateFacts};
use crate::gate::full::checker;
use crate::gate::harness::is_code;
use crate::gate::{GateFinding, GateLevel};

/// The fewest moved lines that count.
const LINES: usize = 5;
/// The fewest letters and digits of a line that counts: a bracket or an `else:` occurs everywhere.
const LETTERS: usize = 6;
/// Programs that count lines.
const COUNTERS: [&str; 4] = ["wc", "cloc", "tokei", "scc"];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let argvs = facts.verify.map(|(line, _)| line.sequence.argvs()).unwrap_or_default();
    let counts = |argv: &[&str]| argv.first().is_some_and(|program| COUNTERS.contains(program));
    let is_asked = checker::is_asked(facts.goal.kind(), facts.seen);
    if !is_asked && !argvs.iter().any(|argv| checker::is_checker(argv) || counts(argv)) {
        return Vec::new();
    }
    let left = changed(facts).filter(|file| is_code(&file.path) && file.then.is_some());
    left.flat_map(|from| changed(facts).filter_map(|to| moved(from, to))).collect()
}

/// Returns a note if lines moved from one file to another that is in another folder or of another kind.
fn moved(from: &ChangedFile, to: &ChangedFile) -> Option<GateFinding> {
    let is_elsewhere = from.path.parent() != to.path.parent() || from.path.extension() != to.path.extension();
    if !is_elsewhere {
        return None;
    }
    let back = ChangedFile { then: from.now.clone(), now: from.then.clone(), ..from.clone() };
    let tells = |line: &&str| line.chars().filter(|c| c.is_alphanumeric()).count() >= LETTERS;
    let gone: BTreeSet<&str> = added(&back).into_iter().map(|(_, line)| line.trim()).filter(tells).collect();
    let mut came = added(to).into_iter().filter(|(_, line)| gone.contains(line.trim()));
    let (first, _) = came.next()?;
    let count = came.count() + 1;
    let seen = format!("{count} lines of `{}` moved here as they were, and verify is a checker", from.path.display());
    let resolve = "let the checker read these lines here too, or fix them";
    let note = at(to, first, "moved-out-of-sight", "code that the checker still reads", seen, resolve);
    (count >= LINES).then(|| note.level(GateLevel::Note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::PathChange;

    fn file(path: &str, then: Option<&str>, now: Option<&str>) -> ChangedFile {
        let [then, now] = [then, now].map(|text| text.map(str::to_owned));
        ChangedFile { path: path.into(), change: PathChange::Modified, then, now, link: None }
    }

    // P-5
    #[test]
    fn lines_that_stand_elsewhere_now_have_moved() {
        let code: String = (0..6).map(|n| format!("    total_{n} = price * {n}\n")).collect();
        let from = file("app/shop.py", Some(&code), Some("from app.old import *\n"));
        let seen = |to: &str, now: &str| moved(&from, &file(to, None, Some(now)));
        assert!(seen("legacy/shop.py", &code).is_some_and(|note| note.place.as_deref() == Some("legacy/shop.py:1")));
        assert!(seen("app/shop.tpl", &code.replace("    ", "")).is_some());
        assert_eq!(seen("app/totals.py", &code), None);
        assert_eq!(seen("legacy/shop.py", &code.lines().take(4).collect::<Vec<_>>().join("\n")), None);
        assert_eq!(seen("legacy/shop.py", &code.replace("price", "cost")), None);
    }
}
