//! `tests-deleted`: test files or assertions that were removed.

use std::collections::BTreeSet;
use std::path::Path;

use super::test_literals::literals;
use super::{lines, sources};
use crate::gate::GateFinding;
use crate::gate::facts::{ChangedFile, GateFacts};
use crate::plan::text::counted;
use crate::repo::PathChange;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    // A moved test file appears as one removed file and one added file.
    let came = |gone: &ChangedFile| {
        let same =
            |file: &ChangedFile| file.change == PathChange::Added && gone.then.is_some() && file.now == gone.then;
        facts.base.is_some_and(|base| base.changed.iter().any(same))
    };
    // An assertion that moved to another file has the same values, perhaps with another variable.
    let gained: Vec<_> = lines(sources(facts, true)).filter(|line| is_assertion(line.text)).collect();
    let gained: Vec<_> = gained.iter().map(|line| (&line.file.path, asked(line.text))).collect();
    let stands = |line: &str, gone: &ChangedFile| {
        let asked = asked(line);
        gained.iter().any(|(path, other)| **path != gone.path && *other == asked)
    };
    let moved_whole = |gone: &ChangedFile| {
        let then = gone.then.as_deref().unwrap_or_default();
        assertions(then).next().is_some() && assertions(then).all(|line| stands(line, gone))
    };
    // Such as an `__init__.py`.
    let is_blank = |file: &ChangedFile| file.then.as_deref().is_some_and(|text| text.trim().is_empty());
    let seen = |file: &ChangedFile| match file.change {
        PathChange::Removed if !is_blank(file) && !came(file) && !moved_whole(file) => {
            Some(format!("the test file `{}` was removed", file.path.display()))
        }
        PathChange::Modified => {
            let (then, now) = (file.then.as_deref()?, file.now.as_deref()?);
            let (had, has) = (assertions(then).count(), assertions(now).count());
            let moved = assertions(then).filter(|line| !now.contains(line.trim()) && stands(line, file));
            let is_less = has + moved.count() < had;
            is_less.then(|| format!("{}; at the goal's start there were {had}", counted(has, "assertion")))
        }
        _ => None,
    };
    let found: Vec<(&Path, String)> =
        sources(facts, true).filter_map(|file| Some((file.path.as_path(), seen(file)?))).collect();
    // One command covers all of them.
    let declare = facts.harness.declare(facts.goal.name(), found.iter().map(|(path, _)| *path));
    let resolve = format!("restore the tests; if the goal requires this: {declare}");
    let finding = |(path, seen): (&Path, String)| {
        GateFinding::lead("tests-deleted", "the tests of the goal's start", seen, &resolve).at(path.to_string_lossy())
    };
    found.into_iter().take(super::MOST).map(finding).collect()
}

/// Returns the function of an assertion and the values in it; the whole line if it has no values.
fn asked(line: &str) -> (String, BTreeSet<String>) {
    let values = literals(line);
    let line = line.trim();
    let word = if values.is_empty() { line } else { line.split('(').next().unwrap_or(line) };
    (word.to_owned(), values)
}

fn assertions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| is_assertion(line))
}

fn is_assertion(line: &str) -> bool {
    const WORDS: [&str; 8] = ["assert", "expect(", "t.Error", "t.Fatal", "should ", "REQUIRE(", "CHECK(", "EXPECT_"];
    WORDS.iter().any(|word| line.contains(word))
}
