//! `test-aware`: source code that checks whether a test runner is running.

use super::{MOST, at, sources};
use crate::gate::GateFinding;
use crate::gate::facts::GateFacts;
use crate::gate::test_aware::question;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let asking = sources(facts, false).flat_map(|file| {
        let questions = question::added(file.then.as_deref().unwrap_or(""), file.now.as_deref().unwrap_or(""));
        questions.into_iter().filter(|question| !question.is_usual).map(move |question| (file, question))
    });
    let (expected, resolve) = ("source that does not detect its tests", "make the source behave the same everywhere");
    let lead = |(file, question): (_, question::Question)| {
        let seen = format!("the source asks whether it is being tested: `{}`", question.text);
        at(file, question.line, "test-aware", expected, seen, resolve)
    };
    asking.take(MOST).map(lead).collect()
}
