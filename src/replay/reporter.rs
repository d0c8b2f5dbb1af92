//! Makes each interpreter of a run report which of its own names are replaced when it ends. Python and Node load our file
//! first. The file changes nothing.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk;
use crate::process::environment::Environment;
use crate::verify::stage1::CommandLine;

/// The file that Python loads at its start.
const PYTHON: &str = include_str!("reporter/sitecustomize.py");
/// The file that Node loads at its start.
const NODE: &str = include_str!("reporter/reporter.cjs");
/// The maximum number of report lines to read.
const MOST: usize = 200;
/// The maximum number of reports to read, and of bytes of each.
const REPORTS: usize = 1000;
const BYTES: u64 = 64 << 10;

/// A name of an interpreter whose value is not the one from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// `unittest.TestCase.assertEqual`, `Date.now`, `TZ`.
    pub(crate) name: String,
    /// The file with the code that replaced it, if known.
    pub(crate) file: Option<PathBuf>,
    /// A module of the export that holds the object, for an object without code of its own.
    pub(crate) holder: Option<PathBuf>,
}

#[derive(Debug, Default)]
pub(crate) struct Reported {
    /// The replaced names, each one once.
    pub(crate) replaced: Vec<Replaced>,
    /// Whether an interpreter loaded the reporter.
    pub(crate) has_begun: bool,
    /// Whether the first interpreter began, but did not report at its end.
    pub(crate) is_cut_off: bool,
}

/// The files that interpreters load, and the folder of their reports, both outside of the export.
#[derive(Clone, Debug)]
pub(super) struct Reporter {
    python: PathBuf,
    node: PathBuf,
    reports: PathBuf,
}

impl Reporter {
    /// Writes the files into `place`. Returns `None` if a path has characters that the files cannot contain.
    pub(super) fn new(place: &Path, export: &Path) -> io::Result<Option<Reporter>> {
        let folder = place.join("reporter");
        disk::remove(&folder)?;
        let (python, reports) = (folder.join("python"), folder.join("reports"));
        let node = folder.join("reporter.cjs");
        // A colon separates the folders of the list, and a quote ends the string with the path.
        let is_plain =
            |path: &Path| path.to_str().is_some_and(|path| !path.contains(['"', '\'', '\\', '`', '$', ':', '\n']));
        if ![&folder, export].into_iter().all(is_plain) {
            return Ok(None);
        }
        std::fs::create_dir_all(&python)?;
        std::fs::create_dir_all(&reports)?;
        let filled = |text: &str| {
            [("@REPORTS@", reports.as_path()), ("@EXPORT@", export), ("@OWN@", python.as_path())]
                .into_iter()
                .fold(text.to_owned(), |text, (mark, path)| text.replace(mark, &path.to_string_lossy()))
        };
        std::fs::write(python.join("sitecustomize.py"), filled(PYTHON))?;
        std::fs::write(&node, filled(NODE))?;
        Ok(Some(Reporter { python, node, reports }))
    }

    pub(super) fn within(&self, environment: Environment) -> Environment {
        let (python, node) =
            (self.python_path(environment.get("PYTHONPATH")), self.options(environment.get("NODE_OPTIONS")));
        environment.set("PYTHONPATH", python).set("NODE_OPTIONS", node)
    }

    /// Returns the line with the same change in the variables that it sets itself.
    pub(super) fn on(&self, line: &CommandLine) -> CommandLine {
        let mut line = line.clone();
        for (name, value) in line.sequence.commands.iter_mut().flat_map(|command| &mut command.env) {
            let own = Some(OsString::from(value.as_str()));
            let with = match name.as_str() {
                "PYTHONPATH" => self.python_path(own),
                "NODE_OPTIONS" => self.options(own),
                _ => continue,
            };
            *value = with.to_string_lossy().into_owned();
        }
        line
    }

    fn python_path(&self, own: Option<OsString>) -> OsString {
        joined(self.python.clone().into_os_string(), ":", own)
    }

    fn options(&self, own: Option<OsString>) -> OsString {
        let mut option = OsString::from("--require \"");
        option.push(&self.node);
        option.push("\"");
        joined(option, " ", own)
    }

    pub(super) fn read(&self) -> io::Result<Reported> {
        let mut reported = Reported::default();
        let mut first: Option<(std::time::SystemTime, bool)> = None;
        for entry in std::fs::read_dir(&self.reports)?.take(REPORTS) {
            let path = entry?.path();
            let is_end = |end: &str| path.extension().is_some_and(|ending| ending == end);
            if is_end("start") {
                let at = path.metadata()?.modified()?;
                reported.has_begun = true;
                if first.is_none_or(|(earliest, _)| at < earliest) {
                    first = Some((at, path.with_extension("end").is_file()));
                }
            } else if is_end("end") && path.metadata()?.len() <= BYTES {
                for one in String::from_utf8_lossy(&std::fs::read(&path)?).lines().filter_map(replaced) {
                    if reported.replaced.len() < MOST && !reported.replaced.contains(&one) {
                        reported.replaced.push(one);
                    }
                }
            }
        }
        reported.is_cut_off = first.is_some_and(|(_, has_ended)| !has_ended);
        Ok(reported)
    }
}

fn joined(mut own: OsString, between: &str, rest: Option<OsString>) -> OsString {
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        own.push(between);
        own.push(rest);
    }
    own
}

fn replaced(line: &str) -> Option<Replaced> {
    let mut parts = line.split('\t');
    let name = parts.next().filter(|name| !name.is_empty())?.to_owned();
    let mut path = || parts.next().filter(|path| !path.is_empty()).map(PathBuf::from);
    Some(Replaced { name, file: path(), holder: path() })
}
