//! `start-uncommitted`: the files at the start differed from the commit under it. Rows that compare with the start
//! compare with that commit too, or with it alone if the start came after the work. This lead informs the judge and the
//! reader.

use super::Finding;
use super::facts::Facts;
use crate::base::Origin;

/// Its code, which does not count against a goal by itself.
pub const CODE: &str = "start-uncommitted";
/// How many files are named.
const NAMED: usize = 5;

/// Returns the lead, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let since = facts.base?;
    if let Origin::StartedLate(commit) = &since.origin {
        let seen = format!(
            "the goal was started after its work: verify was green then, on files that were in no commit, and nothing has \
             changed since; the work is compared with commit {commit}"
        );
        return Some(Finding::lead(CODE, "a start before the work", seen, "start the next goal before its work"));
    }
    let uncommitted = since.uncommitted.as_ref().filter(|uncommitted| !uncommitted.signed)?;
    let mut differ: Vec<String> =
        uncommitted.files.iter().take(NAMED).map(|path| format!("`{}`", path.display())).collect();
    let more = uncommitted.files.len().saturating_sub(NAMED);
    differ.extend((more > 0).then(|| format!("{more} more")));
    // The names of uncommitted new files stay private.
    differ.extend((uncommitted.new > 0).then(|| match uncommitted.new {
        1 => "a new file".to_owned(),
        new => format!("{new} new files"),
    }));
    let seen = format!("at the start the files differed from commit {}: {}", uncommitted.commit, differ.join(", "));
    Some(Finding::lead(CODE, "a start on committed files", seen, "commit your files before you start a goal"))
}
