//! Creates a new plan (`plan init`).

use crate::plan::text::one_line;

/// The template of a new plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// A new feature: one goal to build it.
    Feature,
    /// A bug: one goal to reproduce it in a test and fix it.
    Bugfix,
    /// A new structure with the same behaviour.
    Refactor,
}

const FEATURE: &str = "\
## Goal: Build it
<!-- id: build-it-1 -->
status: open
done_when: <what is true then, measured how>. If wrong: <what would be seen, where>
failure_modes:
- verify passes while the feature is off or unreachable
- <how it could look right and still be wrong>
kind: feature
- [ ] 1. write a test that fails
- [ ] 2. make it pass
- [ ] 3. try it by hand, save the result in a file
";

// One goal only: a goal whose verify is "this test fails" would no longer hold once the bug is fixed.
const BUGFIX: &str = "\
## Goal: Fix the bug
<!-- id: fix-the-bug-1 -->
status: open
done_when: a test that failed for the reason in the report passes now. If wrong: the report's steps still show it
failure_modes:
- verify passes because the test was weakened
- the test failed for another reason than the report's
- the cause is still there and only this symptom is gone
kind: bugfix
- [ ] 1. write down the steps, the expected result and the actual result
- [ ] 2. make it a test that fails
- [ ] 3. find the cause
- [ ] 4. fix it
- [ ] 5. look for the same mistake elsewhere
";

const REFACTOR: &str = "\
## Goal: Refactor, keep the behaviour
<!-- id: refactor-keep-the-behaviour-1 -->
status: open
done_when: <the new shape>; every test passes unchanged
failure_modes:
- verify passes because what it covers was removed
- behaviour that no test covers has changed
kind: refactor
- [ ] 1. cover what is not covered yet
- [ ] 2. change it in small steps, tests green after each
- [ ] 3. remove what is no longer used
";

/// The placeholder for an objective that nobody has written yet.
pub const NO_OBJECTIVE: &str = "<objective>";

/// Returns the text of a new plan.md: front matter in contract mode, the objective, the template's goals, and an empty log.
pub fn new_plan(objective: &str, contract_mode: bool, template: Option<Template>) -> String {
    let front = if contract_mode { "---\nmode: contract\n---\n" } else { "" };
    let goals = match template {
        None => "",
        Some(Template::Feature) => FEATURE,
        Some(Template::Bugfix) => BUGFIX,
        Some(Template::Refactor) => REFACTOR,
    };
    let gap = if goals.is_empty() { "" } else { "\n" };
    let objective = super::goal::heading_text(&one_line(objective));
    format!("{front}# Plan: {objective}\n\n{goals}{gap}## Log\n")
}
