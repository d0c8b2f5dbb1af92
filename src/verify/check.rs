//! The `(check: …)` of a failure mode.

use serde::Serialize;

use super::stage1::Report;

/// A failure mode and the result of its `(check: …)`.
#[derive(Clone, Debug, Default)]
pub struct FailureMode {
    /// The whole item.
    pub text: String,
    /// The command line of its `(check: …)`.
    pub command: Option<String>,
    /// The result of the check, once it has run.
    pub check: Option<CheckResult>,
}

/// A `(check: …)` that was run.
#[derive(Clone, Debug, Serialize)]
pub struct CheckResult {
    /// Its command line.
    pub command: String,
    /// True if every command in it exited 0.
    pub passed: bool,
    /// True if it ran to its end and a command in it exited with another code: the failure mode that it looks for is there.
    pub red: bool,
    /// How it ended: `exit 0`, `killed after 600 s`, …
    pub end: String,
}

impl From<&Report> for CheckResult {
    fn from(report: &Report) -> Self {
        CheckResult {
            command: report.line.clone(),
            passed: report.is_green(),
            red: report.is_exit_red(),
            end: report.end(),
        }
    }
}
