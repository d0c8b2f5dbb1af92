//! `start-uncommitted`: the start stood on files that differ from the commit under it. The rows that compare with the start
//! compare with that commit too; this is for the judge and the reader.

use super::Finding;
use super::facts::Facts;

/// The code, which says nothing against a goal by itself.
pub const CODE: &str = "start-uncommitted";
/// Files that are named.
const NAMED: usize = 5;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let uncommitted = facts.base?.uncommitted.as_ref().filter(|uncommitted| !uncommitted.signed)?;
    let mut differ: Vec<String> =
        uncommitted.files.iter().take(NAMED).map(|path| format!("`{}`", path.display())).collect();
    let more = uncommitted.files.len().saturating_sub(NAMED);
    differ.extend((more > 0).then(|| format!("{more} more")));
    // The names of files that no commit knows are nobody else's business.
    differ.extend((uncommitted.new > 0).then(|| match uncommitted.new {
        1 => "a new file".to_owned(),
        new => format!("{new} new files"),
    }));
    let seen = format!("at the start the files were not those of commit {}: {}", uncommitted.commit, differ.join(", "));
    Some(Finding::lead(CODE, "a start on the files of a commit", seen, "commit what is there before a goal is started"))
}
