//! Looks for faults in the surroundings of plan.md that no other command notices: the file, git, sign-offs, the configuration,
//! the hooks of coding agents, other tools (`VIEWS.md` §4).
//!
//! `rows` is the one table of what is looked at: a code, how bad it is, why it matters, a function. Each function is pure looking:
//! it changes nothing outside a temporary folder. `fix` mends what loses nothing.

mod config;
mod context;
mod file;
mod fix;
mod git;
mod hooks;
mod others;
mod probe;
mod rows;
mod signoffs;
mod stories;

use serde::Serialize;

pub use context::{Context, Material};
pub use fix::{Fixed, fix, keep_copy};
pub use others::unformatted;
pub use rows::ROWS;

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something does not work, or says what is not so.
    Error,
    /// It works, and not as somebody thinks.
    Warning,
    /// It could not be looked at: neither a fault nor fine.
    Unknown,
}

impl Severity {
    /// The sign in front of a finding.
    pub const fn sign(self) -> &'static str {
        match self {
            Severity::Error => "✗",
            Severity::Warning => "!",
            Severity::Unknown => "?",
        }
    }
}

/// One row of the table: one thing that is looked at.
pub struct Row {
    /// Its name.
    pub code: &'static str,
    /// How bad its fault is: an error or a warning.
    pub severity: Severity,
    /// The good state, in a clause: what a person reads under `--verbose`.
    pub good: &'static str,
    /// Why the fault matters, in a clause.
    pub why: &'static str,
    /// What `--fix` does about it; none if it does nothing.
    pub mends: Option<&'static str>,
    /// Looks.
    check: fn(&Context<'_>) -> Look,
}

/// What a row saw.
enum Look {
    /// What it is about is not in use here.
    Absent,
    /// These faults; none is fine.
    Seen(Vec<Fault>),
}

impl Look {
    const FINE: Look = Look::Seen(Vec::new());

    fn one(fault: Fault) -> Look {
        Look::Seen(vec![fault])
    }

    /// Fine, or one fault.
    fn of(fault: Option<Fault>) -> Look {
        Look::Seen(fault.into_iter().collect())
    }
}

/// One fault that a row saw.
#[derive(Clone)]
struct Fault {
    what: String,
    command: String,
    is_blind: bool,
    is_fixable: bool,
}

impl Fault {
    fn new(what: impl Into<String>, command: impl Into<String>) -> Self {
        Fault { what: what.into(), command: command.into(), is_blind: false, is_fixable: false }
    }

    /// It could not be looked at.
    fn blind(what: impl Into<String>, command: impl Into<String>) -> Self {
        Fault { is_blind: true, ..Fault::new(what, command) }
    }

    fn fixable(self, is_fixable: bool) -> Self {
        Fault { is_fixable, ..self }
    }
}

/// One finding of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The row.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is.
    pub what: String,
    /// Why it matters.
    pub why: &'static str,
    /// The one command that mends it.
    pub command: String,
    /// True if `--fix` mends it.
    pub fixable: bool,
}

/// What a run saw.
#[derive(Clone, Debug, Default)]
pub struct DoctorReport {
    /// plan.md, as messages name it; none if there is none, or none that can be read.
    pub file: Option<String>,
    /// The faults, in the order of the table.
    pub findings: Vec<Finding>,
    /// The rows without one.
    pub fine: Vec<&'static str>,
}

impl DoctorReport {
    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Looks at every row of the table.
pub fn examine(context: &Context<'_>) -> DoctorReport {
    let file = context.place().map(|_| context.shown());
    let mut report = DoctorReport { file, ..DoctorReport::default() };
    for row in &ROWS {
        let Look::Seen(faults) = (row.check)(context) else { continue };
        if faults.is_empty() {
            report.fine.push(row.code);
        }
        report.findings.extend(faults.into_iter().map(|fault| Finding {
            code: row.code,
            severity: if fault.is_blind { Severity::Unknown } else { row.severity },
            what: fault.what,
            why: if fault.is_blind { "" } else { row.why },
            command: fault.command,
            fixable: fault.is_fixable,
        }));
    }
    report
}
