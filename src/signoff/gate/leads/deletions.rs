//! `tests-deleted`: test files that are gone, and assertions that are.

use super::sources;
use crate::repo::Change;
use crate::signoff::gate::Finding;
use crate::signoff::gate::facts::{Differing, Facts};

/// What this scan found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    // A test that was moved is one gone and one come.
    let came = |gone: &Differing| {
        let same = |file: &Differing| file.change == Change::Added && gone.then.is_some() && file.now == gone.then;
        facts.base.is_some_and(|base| base.changed.iter().any(same))
    };
    let finding = |file: &Differing| {
        let seen = match file.change {
            Change::Removed if !came(file) => format!("the test file `{}` was removed", file.path.display()),
            Change::Modified => {
                let (had, has) = (assertions(file.then.as_deref()?), assertions(file.now.as_deref()?));
                (has < had).then(|| format!("{has} assertions where {had} stood at the goal's start"))?
            }
            _ => return None,
        };
        let resolve = "put them back, or name the file in `may_change`";
        Some(
            Finding::lead("tests-deleted", "the tests that stood at the goal's start", seen, resolve)
                .at(file.path.to_string_lossy()),
        )
    };
    sources(facts, true).filter_map(finding).take(super::MOST).collect()
}

/// Lines that look like assertions.
fn assertions(text: &str) -> usize {
    const WORDS: [&str; 8] = ["assert", "expect(", "t.Error", "t.Fatal", "should ", "REQUIRE(", "CHECK(", "EXPECT_"];
    text.lines().filter(|line| WORDS.iter().any(|word| line.contains(word))).count()
}
