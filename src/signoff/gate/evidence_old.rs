//! `evidence-unchanged` and `evidence-stale`: the file is not of this work.

use std::time::Duration;

use super::Finding;
use super::facts::Facts;

/// What is written in one go is as old as it: a formatter, a file system's coarse clock.
const AT_ONCE: Duration = Duration::from_secs(2);

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, old) in facts.base.iter().flat_map(|base| &base.same) {
        let old = match facts.root.join(path) == *old {
            true => String::new(),
            false => format!("`{}` ", old.display()),
        };
        let seen = format!("`{}` holds the same bytes as {old}at the goal's start", path.display());
        found.push(
            Finding::lead("evidence-unchanged", "evidence made by this work", seen, "make it again")
                .at(path.to_string_lossy()),
        );
    }
    let newest = facts.base.and_then(|base| base.newest.as_ref());
    for (file, _) in facts.evidence {
        let Some((modified, (source, time))) = file.modified.zip(newest) else { continue };
        if modified + AT_ONCE < *time {
            let seen = format!("`{}` is older than `{}`", file.path.display(), source.display());
            found.push(
                Finding::lead("evidence-stale", "evidence of the work as it is now", seen, "make it again")
                    .at(file.path.to_string_lossy()),
            );
        }
    }
    found
}
