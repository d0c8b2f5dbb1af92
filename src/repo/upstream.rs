//! The default branch of the remote `origin`, as it was last fetched.

use super::ref_files::read;
use super::{ObjectId, Repo};
use crate::error::Result;

const REMOTE: &str = "refs/remotes/origin/";
/// Candidates for the default branch of a remote that was added by hand: then git has not recorded it.
const USUAL: [&str; 2] = ["main", "master"];

impl Repo {
    /// Returns the default branch of `origin`: its name there, and its commit as last fetched. `None` if there is none. No process if
    /// git's files can tell.
    pub fn upstream(&self) -> Result<Option<(String, ObjectId)>> {
        let noted = read(&self.common_dir.join(REMOTE).join("HEAD"), 4096).ok();
        let noted = noted.and_then(|bytes| {
            Some(String::from_utf8(bytes).ok()?.trim_end().strip_prefix("ref: ")?.strip_prefix(REMOTE)?.to_owned())
        });
        let branches = noted.map_or_else(|| USUAL.map(str::to_owned).to_vec(), |branch| vec![branch]);
        let names: Vec<String> = branches.iter().map(|branch| format!("{REMOTE}{branch}")).collect();
        let found = self.read_refs(&names)?;
        Ok(branches.into_iter().zip(names).find_map(|(branch, name)| Some((branch, *found.get(&name)?))))
    }
}
