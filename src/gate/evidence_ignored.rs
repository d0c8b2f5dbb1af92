//! `evidence-ignored`: git ignores the file, so nobody else has it.

use super::Finding;
use super::facts::Facts;

/// Returns a finding for each ignored evidence file.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let hidden = facts.evidence.iter().filter_map(|(file, rule)| Some((file, rule.as_ref()?)));
    hidden
        .map(|(file, rule)| {
            let place = format!("{}:{}", rule.source.display(), rule.line);
            let seen =
                format!("git ignores `{}` (rule `{}`), so nobody else has it", file.path.display(), rule.pattern);
            let resolve = "move the file to a folder that git tracks";
            Finding::block("evidence-ignored", "evidence that git tracks", seen, resolve).at(place)
        })
        .collect()
}
