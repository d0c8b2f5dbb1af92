//! `evidence-unchanged` and `evidence-stale`: this work did not produce the evidence file.

use std::time::Duration;

use super::Finding;
use super::facts::Facts;

/// Files written together may differ by this much in age, for example because of a formatter or a coarse file system
/// clock.
const AT_ONCE: Duration = Duration::from_secs(2);

/// Returns a lead for each such file.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, old) in facts.base.iter().flat_map(|base| &base.same) {
        let seen = match facts.root.join(path) == *old {
            true => format!("`{}` has not changed since the goal's start", path.display()),
            false => format!("`{}` has the content of `{}` at the goal's start", path.display(), old.display()),
        };
        found.push(
            Finding::lead("evidence-unchanged", "evidence that this work produced", seen, "produce the file again")
                .at(path.to_string_lossy()),
        );
    }
    let newest = facts.base.and_then(|base| base.newest.as_ref());
    for (file, _) in facts.evidence {
        let Some((modified, (source, time))) = file.modified.zip(newest) else { continue };
        if modified + AT_ONCE < *time {
            let seen = format!("`{}` is older than `{}`", file.path.display(), source.display());
            found.push(
                Finding::lead("evidence-stale", "evidence newer than the last change", seen, "produce the file again")
                    .at(file.path.to_string_lossy()),
            );
        }
    }
    found
}
