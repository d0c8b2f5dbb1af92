//! What to do where a goal turns out to need more than its contract lets it change.

use std::fmt::Write as _;
use std::path::Path;

use crate::process::words::quote;

/// With more, who reads it knows a shorter pattern.
const MOST: usize = 10;

/// All that it takes to name files of a running goal in `may_change`: amended while it runs it would be a looser contract than
/// the one it was started with, so it is cancelled and started again, which the log tells; its base stays. The list is
/// written anew by `goal set`, hence what is declared stands in front. Paths are relative to the plan's root.
pub(super) fn declare<'p>(goal: &str, may_change: &[String], files: impl Iterator<Item = &'p Path>) -> String {
    let files: Vec<String> = files.map(|path| path.to_string_lossy().into_owned()).collect();
    let mut told = format!("`plan goal set {goal}");
    let named: &[String] = if files.len() > MOST { &[] } else { &files };
    for glob in may_change.iter().chain(named) {
        let _ = write!(told, " --may-change {}", quote(glob));
    }
    if named.is_empty() {
        told.push_str(" --may-change FILES");
    }
    let _ = write!(told, " && {}`", again(goal));
    told
}

/// Cancels a goal and starts it again, as a command line.
pub(super) fn again(goal: &str) -> String {
    format!("plan goal cancel {goal} \"why\" && plan goal start {goal}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_way_stands_in_one_line() {
        let declare = |files: &[&str]| declare("a-1", &["tests/**".to_owned()], files.iter().map(Path::new));
        assert_eq!(
            declare(&["t/my test.sh"]),
            "`plan goal set a-1 --may-change 'tests/**' --may-change 't/my test.sh' && plan goal cancel a-1 \"why\" && plan \
             goal start a-1`"
        );
        assert!(declare(&["x"; 11]).starts_with("`plan goal set a-1 --may-change 'tests/**' --may-change FILES && "));
    }
}
