//! `evidence-ignored`: git ignores the file, so that nobody else will have it.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let hidden = facts.evidence.iter().filter_map(|(file, rule)| Some((file, rule.as_ref()?)));
    hidden
        .map(|(file, rule)| {
            let place = format!("{}:{}", rule.source.display(), rule.line);
            let seen = format!("git ignores `{}` (`{}`): nobody else will have it", file.path.display(), rule.pattern);
            Finding::block(
                "evidence-ignored",
                "evidence that is in the repository",
                seen,
                "keep it in a folder that git tracks",
            )
            .at(place)
        })
        .collect()
}
