//! Looks for faults in the surroundings of plan.md that no other command notices: the file, git, sign-offs, the configuration,
//! the hooks of coding agents, other tools (`VIEWS.md` §4).
//!
//! `rows` is the table of everything that is looked at: a code, a severity, the reason why it matters, a function. Each
//! function only looks: it changes nothing outside a temporary folder. `fix` makes the repairs that lose nothing.

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

/// The severity of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something does not work, or says something untrue.
    Error,
    /// Something works, but not as somebody thinks.
    Warning,
    /// The row could not look: neither a fault nor fine.
    Unknown,
}

impl Severity {
    /// Returns the sign in front of a finding.
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
    /// The name of the row.
    pub code: &'static str,
    /// The severity of its fault: an error or a warning.
    pub severity: Severity,
    /// The good state as a clause, which `--verbose` prints.
    pub good: &'static str,
    /// The reason why the fault matters, as a clause.
    pub why: &'static str,
    /// The effect of `--fix` on the fault; `None` if it has no effect.
    pub mends: Option<&'static str>,
    /// The function that looks.
    check: fn(&Context<'_>) -> DoctorResult,
}

/// The result of a row's look.
enum DoctorResult {
    /// The row's subject is not in use here.
    Absent,
    /// The faults; an empty list means fine.
    Seen(Vec<Fault>),
}

impl DoctorResult {
    const FINE: DoctorResult = DoctorResult::Seen(Vec::new());

    fn one(fault: Fault) -> DoctorResult {
        DoctorResult::Seen(vec![fault])
    }

    /// Returns the result for no fault, or for one.
    fn of(fault: Option<Fault>) -> DoctorResult {
        DoctorResult::Seen(fault.into_iter().collect())
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

    /// Creates the fault for something that could not be looked at.
    fn blind(what: impl Into<String>, command: impl Into<String>) -> Self {
        Fault { is_blind: true, ..Fault::new(what, command) }
    }

    fn fixable(self, is_fixable: bool) -> Self {
        Fault { is_fixable, ..self }
    }
}

/// One finding of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoctorFinding {
    /// The code of the row.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The fault.
    pub what: String,
    /// The reason why it matters.
    pub why: &'static str,
    /// The command that mends it.
    pub command: String,
    /// True if `--fix` mends it.
    pub fixable: bool,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct DoctorReport {
    /// The name of plan.md for messages; `None` if there is no plan.md, or none that can be read.
    pub file: Option<String>,
    /// The faults, in the order of the table.
    pub findings: Vec<DoctorFinding>,
    /// The rows without a fault.
    pub fine: Vec<&'static str>,
}

impl DoctorReport {
    /// Returns the number of findings with this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Looks at every row of the table.
pub fn examine(context: &Context<'_>) -> DoctorReport {
    let file = context.place().map(|_| context.shown());
    let mut report = DoctorReport { file, ..DoctorReport::default() };
    for row in &ROWS {
        let DoctorResult::Seen(faults) = (row.check)(context) else { continue };
        if faults.is_empty() {
            report.fine.push(row.code);
        }
        report.findings.extend(faults.into_iter().map(|fault| DoctorFinding {
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
