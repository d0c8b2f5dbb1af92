//! The rows of `SIGNOFF.md` §3 that do not run verify again.

use super::facts::GateFacts;
use super::{GateFinding, is_left_out, rows, trivial};
use crate::verify::stage1::CommandLine;

/// Returns a finding if `verify` cannot fail. Looks at the line before it runs, and at the scripts of the repository
/// that it runs. `read` returns the text of a file by its path from the plan's root.
pub fn before(line: &CommandLine, read: &dyn Fn(&str) -> Option<String>) -> Option<GateFinding> {
    if is_left_out("verify-trivial") {
        return None;
    }
    let why = format!("`{}` {}", line.text, trivial::verify_trivial(&line.sequence.argvs(), read)?);
    let expected = "a command that fails until the goal is reached";
    let resolve = "make `verify` run a test or a script that exercises what the goal asks for";
    Some(GateFinding::block("verify-trivial", expected, why, resolve))
}

/// Returns the findings of all other rows that run nothing, blocking ones first.
pub fn findings(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let mut found = rows::measured(facts);
    found.retain(|finding| !is_left_out(finding.code));
    found.sort_by_key(|finding| finding.level != super::GateLevel::Block);
    found
}
