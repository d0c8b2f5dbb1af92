//! The changes since a goal's start, as a person reads them before judging: `src/a.rs | 12 ++++++++++--`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use similar::{Algorithm, ChangeTag, TextDiff};

use super::sanitize::one_line;
use crate::gate::facts::ChangedFile;
use crate::plan::text::counted;
use crate::plan::view::width;
use crate::repo::PathChange;

/// The maximum number of files to show; the others are counted.
const SHOWN: usize = 30;
/// The maximum length of a bar, on a wide and on a narrow screen.
const BARS: (usize, usize) = (24, 8);
/// The time limit for comparing all files; a file after that counts as replaced.
const PATIENCE: Duration = Duration::from_secs(2);

/// The role of a changed file in the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A test, or a file that its runner loads by itself.
    Test,
    /// Anything else that verify runs.
    Verify,
    /// Named as evidence.
    Evidence,
    /// Anything else.
    Work,
}

/// One changed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// Added, changed or removed.
    pub change: PathChange,
    /// Lines added and removed; `None` if the file is not text or is too large to be read.
    pub lines: Option<(usize, usize)>,
    /// Its role in the goal.
    pub role: Role,
}

/// The changed files, by role, and the largest changes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffStat {
    files: Vec<FileStat>,
}

impl DiffStat {
    /// Counts the lines of each file.
    pub fn of<'f>(files: impl Iterator<Item = (&'f ChangedFile, Role)>) -> Self {
        let end = Instant::now() + PATIENCE;
        let stat = |(file, role): (&ChangedFile, Role)| {
            let (path, change) = (file.path.clone(), file.change);
            let (then, now) = (file.then.as_deref(), file.now.as_deref());
            let (then, now) = match change {
                PathChange::Added => (Some(""), now),
                PathChange::Removed => (then, Some("")),
                PathChange::Modified | PathChange::Permission => (then, now),
            };
            let lines = then.zip(now).map(|(then, now)| count(then, now, end));
            FileStat { path, change, lines, role }
        };
        let mut files: Vec<FileStat> = files.map(stat).collect();
        let size = |file: &FileStat| file.lines.map_or(usize::MAX, |(added, removed)| added + removed);
        files.sort_by(|one, other| (one.role, size(other), &one.path).cmp(&(other.role, size(one), &other.path)));
        DiffStat { files }
    }

    /// Returns the lines to show, free of control characters. `columns` is the width of the screen.
    pub fn lines(&self, columns: Option<usize>) -> Vec<String> {
        let columns = columns.unwrap_or(80);
        let bar = if columns < 80 { BARS.1 } else { BARS.0 };
        let room = columns.saturating_sub(bar + 24).clamp(12, 60);
        let shown = &self.files[..self.files.len().min(SHOWN)];
        let names: Vec<String> =
            shown.iter().map(|file| end_of(&one_line(&file.path.to_string_lossy()), room)).collect();
        let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
        let most = shown.iter().filter_map(|file| file.lines).map(|(a, r)| a + r).max().unwrap_or(0).max(1);
        let row = |(file, name): (&FileStat, &String)| {
            let pad = " ".repeat(widest - width(name));
            let role = match file.role {
                Role::Test => " (test)",
                Role::Verify => " (run by verify)",
                Role::Evidence => " (evidence)",
                Role::Work => "",
            };
            let gone = if file.change == PathChange::Removed { " removed" } else { "" };
            match file.lines {
                Some((added, removed)) => {
                    let scale = |lines: usize| (lines * bar.min(most)).div_ceil(most).min(lines);
                    let bar = "+".repeat(scale(added)) + &"-".repeat(scale(removed));
                    format!("{name}{pad} | {:>4} {bar}{gone}{role}", added + removed)
                }
                None => format!("{name}{pad} |    ? no text, or too large{gone}{role}"),
            }
        };
        let mut lines: Vec<String> = shown.iter().zip(&names).map(row).collect();
        if self.files.len() > shown.len() {
            lines.push(format!("… {} more files", self.files.len() - shown.len()));
        }
        lines.push(self.total());
        lines
    }

    /// `3 files, 13 lines added, 3 removed; 1 of them is a test or a file of verify`
    fn total(&self) -> String {
        let (mut added, mut removed) = (0, 0);
        for (more, less) in self.files.iter().filter_map(|file| file.lines) {
            (added, removed) = (added + more, removed + less);
        }
        let files = match self.files.len() {
            0 => return "no file changed".to_owned(),
            count => counted(count, "file"),
        };
        let tests = match self.files.iter().filter(|file| matches!(file.role, Role::Test | Role::Verify)).count() {
            0 => "none of them is a test or a file of verify".to_owned(),
            1 => "1 of them is a test or a file of verify".to_owned(),
            count => format!("{count} of them are tests or files of verify"),
        };
        format!("{files}, {} added, {removed} removed; {tests}", counted(added, "line"))
    }
}

/// Returns the end of a path, which names the file, within `columns` columns.
fn end_of(path: &str, columns: usize) -> String {
    let mut starts = path.char_indices().map(|(at, _)| at);
    match starts.find(|at| width(&path[*at..]) < columns) {
        Some(0) | None => path.to_owned(),
        Some(at) => format!("…{}", &path[at..]),
    }
}

fn count(then: &str, now: &str, end: Instant) -> (usize, usize) {
    if Instant::now() >= end {
        return (now.lines().count(), then.lines().count());
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).deadline(end).diff_lines(then, now);
    let of = |tag: ChangeTag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
    (of(ChangeTag::Insert), of(ChangeTag::Delete))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, change: PathChange, then: Option<&str>, now: Option<&str>) -> ChangedFile {
        let (then, now) = (then.map(str::to_owned), now.map(str::to_owned));
        ChangedFile { path: path.into(), change, then, now, link: None }
    }

    #[test]
    fn tests_stand_first_and_the_rest_by_size() {
        let files = [
            (file("src/small.rs", PathChange::Modified, Some("a\nb\n"), Some("a\nc\n")), Role::Work),
            (file("src/new.rs", PathChange::Added, None, Some("1\n2\n3\n")), Role::Work),
            (file("logo.png", PathChange::Added, None, None), Role::Work),
            (file("p95.log", PathChange::Added, None, Some("47\n")), Role::Evidence),
            (file("tests/old.rs", PathChange::Removed, Some("x\n"), None), Role::Test),
        ];
        let stat = DiffStat::of(files.iter().map(|(file, role)| (file, *role)));
        assert_eq!(
            stat.lines(None),
            [
                "tests/old.rs |    1 - removed (test)",
                "p95.log      |    1 + (evidence)",
                "logo.png     |    ? no text, or too large",
                "src/new.rs   |    3 +++",
                "src/small.rs |    2 +-",
                "5 files, 5 lines added, 2 removed; 1 of them is a test or a file of verify",
            ]
        );
        assert_eq!(DiffStat::default().lines(None), ["no file changed"]);
    }

    #[test]
    fn it_is_bounded_and_cannot_draw() {
        let long = "line\n".repeat(5000);
        let path = |n: usize| format!("src/\u{1b}[2J\n{}/{n}.rs", "deep/".repeat(40));
        let files: Vec<_> = (0..100).map(|n| file(&path(n), PathChange::Modified, Some(""), Some(&long))).collect();
        let stat = DiffStat::of(files.iter().map(|file| (file, Role::Work)));
        for columns in [40, 80, 200] {
            let lines = stat.lines(Some(columns));
            assert_eq!(lines.len(), SHOWN + 2);
            assert_eq!(lines[SHOWN], "… 70 more files");
            assert!(lines.iter().flat_map(|line| line.chars()).all(|c| !c.is_control()));
            assert!(
                lines[..SHOWN].iter().all(|line| width(line) <= columns && line.contains(".rs | 5000 +")),
                "{lines:?}"
            );
        }
    }
}
