//! Findings about evidence files that nobody else has, or that this work did not produce.

use std::time::Duration;

use super::GateFinding;
use super::facts::GateFacts;

/// Files written together may differ by this much in age: a formatter, or a coarse clock of the file system.
const AT_ONCE: Duration = Duration::from_secs(2);

/// `evidence-ignored`: git ignores the file, so nobody else has it.
pub(super) fn ignored(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let hidden = facts.evidence.iter().filter_map(|(file, rule)| Some((file, rule.as_ref()?)));
    hidden
        .map(|(file, rule)| {
            let place = format!("{}:{}", rule.source.display(), rule.line);
            let seen =
                format!("git ignores `{}` (rule `{}`), so nobody else has it", file.path.display(), rule.pattern);
            let resolve = "move the file to a folder that git tracks";
            GateFinding::block("evidence-ignored", "evidence that git tracks", seen, resolve).at(place)
        })
        .collect()
}

/// `evidence-unchanged` and `evidence-stale`: this work did not produce the file.
pub(super) fn old(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let resolve = "produce the file again";
    let mut found = Vec::new();
    for (path, old) in facts.base.iter().flat_map(|base| &base.same) {
        let seen = match facts.root.join(path) == *old {
            true => format!("`{}` has not changed since the goal's start", path.display()),
            false => format!("`{}` has the content of `{}` at the goal's start", path.display(), old.display()),
        };
        let lead = GateFinding::lead("evidence-unchanged", "evidence that this work produced", seen, resolve);
        found.push(lead.at(path.to_string_lossy()));
    }
    let newest = facts.base.and_then(|base| base.newest.as_ref());
    for (file, _) in facts.evidence {
        let Some((modified, (source, time))) = file.modified.zip(newest) else { continue };
        if modified + AT_ONCE < *time {
            let seen = format!("`{}` is older than `{}`", file.path.display(), source.display());
            let lead = GateFinding::lead("evidence-stale", "evidence newer than the last change", seen, resolve);
            found.push(lead.at(file.path.to_string_lossy()));
        }
    }
    found
}
