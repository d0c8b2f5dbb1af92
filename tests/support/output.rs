//! The output of a command and its exit code. An assertion always looks at both streams and the exit code.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

use snapbox::IntoData;

use super::redact::redact;

/// The end of one command, its streams redacted (see [`redact`]).
#[derive(Debug)]
#[must_use = "an output that nobody looks at proves nothing"]
pub struct Output {
    /// Exit code; 128 + N where signal N ended it.
    pub code: i32,
    /// Redacted standard output.
    pub stdout: String,
    /// Redacted standard error.
    pub stderr: String,
}

impl Output {
    /// From what a process left.
    pub fn new(base: &Path, status: ExitStatus, stdout: String, stderr: String) -> Self {
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        Output { code, stdout: redact(base, &stdout), stderr: redact(base, &stderr) }
    }

    /// Compares all three. `[..]` stands for part of a line, `...` for whole lines; `SNAPSHOTS=overwrite` rewrites
    /// inline expectations.
    #[track_caller]
    pub fn is(&self, code: i32, stdout: impl IntoData, stderr: impl IntoData) -> &Self {
        assert_eq!(self.code, code, "exit code\nstdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        compare().eq(self.stdout.as_str(), stdout);
        compare().eq(self.stderr.as_str(), stderr);
        self
    }

    /// Exit 0, this on stdout, nothing on stderr.
    #[track_caller]
    pub fn ok(&self, stdout: impl IntoData) -> &Self {
        self.is(0, stdout, "")
    }

    /// The one JSON document on stdout, which names its version (`CLI.md`, everywhere), after an end with `code`.
    #[track_caller]
    pub fn json(&self, code: i32) -> serde_json::Value {
        assert_eq!(self.code, code, "exit code\nstdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        document(&self.stdout).unwrap_or_else(|why| panic!("{why}\nstdout:\n{}", self.stdout))
    }
}

/// Reads `text` as one JSON object with `"version": 1`, or says what is wrong with it.
pub fn document(text: &str) -> Result<serde_json::Value, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|e| format!("not one JSON document: {e}"))?;
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(1) => Ok(value),
        _ => Err("no `\"version\": 1`".into()),
    }
}

/// Wildcards yes, changes to paths no: a backslash in an output is an escape, not a separator.
pub fn compare() -> snapbox::Assert {
    snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).normalize_paths(false)
}
