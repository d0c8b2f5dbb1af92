//! Commands and advice that resolve a finding. If a goal needs to change more than its contract allows, one command is
//! enough, and it works while the goal is active.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::shell::quote;

/// If there are more files than this, the command names their folders instead.
const MOST: usize = 10;

/// Returns the command that adds files to the goal's `may_change`, with a reason. Paths are relative to the plan's root.
pub(super) fn declare<'p>(goal: &str, files: impl Iterator<Item = &'p Path>) -> String {
    let files: Vec<&Path> = files.collect();
    let mut globs: BTreeSet<String> = files.iter().map(|path| glob(path)).collect();
    let mut depth = usize::MAX;
    while globs.len() > MOST && depth > 0 {
        // All files get the same depth: first the deepest folders, then the folders above them.
        depth = files.iter().map(|path| path.components().count() - 1).max().unwrap_or(0).min(depth - 1);
        globs = files.iter().map(|path| folder(path, depth)).collect();
    }
    let mut told = String::from("`");
    let _ = write!(told, "plan goal set {goal}");
    for glob in &globs {
        let _ = write!(told, " --add-may-change {}", quote(glob));
    }
    told + " --because \"why\"`"
}

/// Returns the command that gives the reason for a changed contract.
pub(super) fn explain(goal: &str) -> String {
    format!("plan goal set {goal} --because \"why\"")
}

/// Returns the advice for uncommitted changes inside a submodule, because the outer tree knows only its commit.
pub(super) fn of_submodule(path: &Path) -> String {
    let (shown, quoted) = (path.display(), quote(&path.to_string_lossy()));
    format!(
        "commit what is changed inside the submodule `{shown}`, or let git ignore it there: `git -C {quoted} status`"
    )
}

/// Returns a pattern that matches the path. A character with a special meaning in patterns becomes `?`.
fn glob(path: &Path) -> String {
    let any =
        |c: char| if c.is_ascii_whitespace() || c.is_ascii_control() || "*?[]{},\\".contains(c) { '?' } else { c };
    path.to_string_lossy().chars().map(any).collect()
}

/// Returns a pattern for everything in the folder that the first `depth` parts of the path name.
fn folder(path: &Path, depth: usize) -> String {
    let above: std::path::PathBuf = path.components().take(depth.min(path.components().count() - 1)).collect();
    if above.as_os_str().is_empty() { "**".to_owned() } else { format!("{}/**", glob(&above)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(files: &[String]) -> String {
        declare("a-1", files.iter().map(Path::new))
    }

    #[test]
    fn the_whole_way_is_one_command() {
        let files = ["t/my test.sh", "t/a.{b,c}", "conftest.py"].map(str::to_owned);
        assert_eq!(
            told(&files),
            "`plan goal set a-1 --add-may-change conftest.py --add-may-change 't/a.?b?c?' --add-may-change 't/my?test.sh' \
             --because \"why\"`"
        );
        assert_eq!(explain("a-1"), "plan goal set a-1 --because \"why\"");
    }

    #[test]
    fn of_many_files_the_folders_are_named() {
        let many = |name: fn(usize) -> String| told(&(0..30).map(name).collect::<Vec<_>>());
        let one = many(|n| format!("tests/unit/{}/t{n}.py", n % 3));
        assert_eq!(
            one,
            "`plan goal set a-1 --add-may-change 'tests/unit/0/**' --add-may-change 'tests/unit/1/**' --add-may-change \
             'tests/unit/2/**' --because \"why\"`"
        );
        assert!(many(|n| format!("tests/{n}/t.py")).contains(" --add-may-change 'tests/**' --because"));
        assert!(many(|n| format!("{n}/t.py")).contains(" --add-may-change '**' --because"));
    }
}
