//! Failed assertions, places and files in lines of output.

mod compared;

use std::path::Path;

use serde::{Deserialize, Serialize};

/// The maximum length of a path, in bytes. Longer paths are ignored.
const LONGEST: usize = 1024;
/// The maximum number of lines from the place of an error down to its name. Lines of the file are shown in between.
pub(super) const SHOWN: usize = 6;

/// An assertion that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedAssertion {
    /// The path as printed: relative to the top or to the folder of the run, or only the end of a path.
    pub path: String,
    /// The line number, counted from 1.
    pub line: usize,
    /// The Go package of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Whether it is outside of any function, because the file runs as a script.
    #[serde(default)]
    pub is_top: bool,
    /// The values that it compared, as printed. One of them is the expected one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Whether another error passed through this line, which need not contain an assertion.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl FailedAssertion {
    pub(super) fn at(path: &str, line: &str) -> Option<Self> {
        let line = line.trim().parse().ok()?;
        let is_path = !path.is_empty() && path.len() <= LONGEST;
        is_path.then(|| FailedAssertion {
            path: path.to_owned(),
            line,
            package: None,
            is_top: false,
            values: Vec::new(),
            is_error: false,
        })
    }

    /// The same line, marked as a line through which another error passed.
    pub(super) fn raised(self) -> Self {
        FailedAssertion { is_error: true, ..self }
    }

    /// Adds the values that a line of its message shows.
    pub(super) fn comparing(mut self, message: &str) -> Self {
        self.values.extend(compared::values(message));
        self
    }
}

/// Reads `path:4: rest`.
pub(super) fn located(line: &str) -> Option<(FailedAssertion, &str)> {
    let (path, rest) = line.split_once(':')?;
    let (number, rest) = rest.split_once(':')?;
    Some((FailedAssertion::at(path, number)?, rest.trim_start()))
}

/// Reads `path:3:5`.
pub(super) fn position(text: &str) -> Option<(&str, &str, usize)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    Some((path, line, column.parse().ok()?))
}

/// Whether a printed path is this file: absolute, or relative to the top or to a folder below it.
pub(super) fn is_same(printed: &str, file: &Path) -> bool {
    let printed = Path::new(printed.strip_prefix("./").unwrap_or(printed));
    !printed.as_os_str().is_empty() && (printed.ends_with(file) || file.ends_with(printed))
}
