//! `plan doctor`: finds faults around plan.md that no other command notices, and repairs the faults that can be fixed
//! without losing anything.

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::doctor::{self, DoctorFinding, DoctorReport, Material, ROWS, Severity};
use crate::error::Result;
use crate::plan::view::{Row, Style};

/// Look for faults around plan.md: git, hooks, sign-offs, configuration, other tools
///
/// `plan` prints each fault with its reason and one command, and at the end the number of checks that passed. It checks an agent, a
/// judge or a remote only if you use it. It runs the hooks that agents' settings hold, and plants a false completion in a throwaway
/// repository: sign-off must refuse it. Exit 1 if there is an error, 3 if something could not be looked at.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan doctor --fix")]
pub struct Args {
    /// Fix the faults whose repair loses nothing: ids, hooks, merge driver, .gitattributes, files of killed runs. `plan` first copies
    /// plan.md.
    #[arg(long)]
    fix: bool,
    /// Warnings count as errors.
    #[arg(long)]
    strict: bool,
    /// List the checks that passed too.
    #[arg(long)]
    verbose: bool,
}

/// The width of the column with the codes.
const COLUMN: usize = 17;

/// Looks for faults; with `--fix` mends them and looks again.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    let (mut report, fixed) = surrounded(context, |doctor| {
        let report = doctor::examine(doctor);
        let fixed = if args.fix { mend(context, doctor, &report)? } else { Vec::new() };
        Ok((report, fixed))
    })?;
    if !fixed.is_empty() {
        report = surrounded(context, |doctor| Ok(doctor::examine(doctor)))?;
    }
    fixed.iter().for_each(|line| context.ui.line(&format!("fixed: {line}")));
    print(context, args, &report);
    context.ui.json(&json!({
        "file": report.file, "findings": report.findings, "fine": report.fine, "fixed": fixed,
        "errors": report.count(Severity::Error), "warnings": report.count(Severity::Warning),
        "unknown": report.count(Severity::Unknown),
    }));
    Ok(exit(&report, args.strict))
}

/// Reads what the rows look at, and passes it to `then`.
fn surrounded<T>(context: &Context, then: impl FnOnce(&doctor::Context<'_>) -> Result<T>) -> Result<T> {
    let (file, stamp) = (context.named_file(), config::stamp()?);
    let material = Material::read(&context.cwd, file);
    let plan = material.plan();
    let variable = |name: &str| std::env::var_os(name);
    then(&doctor::Context::new(&context.cwd, file, &material, plan.as_ref(), &stamp, &variable))
}

/// Keeps a copy of plan.md, then mends what can be mended. Returns a line for each repair.
fn mend(context: &Context, doctor: &doctor::Context<'_>, report: &DoctorReport) -> Result<Vec<String>> {
    if !report.findings.iter().any(|finding| finding.fixable) {
        return Ok(Vec::new());
    }
    if let Some(copy) = doctor::keep_copy(doctor)? {
        context.ui.note(&format!("note: a copy of plan.md is kept: {copy}"));
    }
    let mut fixed = Vec::new();
    for done in doctor::fix(doctor, &report.findings) {
        match done {
            Ok(line) => fixed.push(line),
            Err(error) => context.ui.note(&format!("note: not fixed: {}", error.message)),
        }
    }
    Ok(fixed)
}

fn print(context: &Context, args: &Args, report: &DoctorReport) {
    let mut rows: Vec<Row> = report.findings.iter().flat_map(rows_of).collect();
    if args.verbose {
        let fine = ROWS.iter().filter(|row| report.fine.contains(&row.code));
        rows.extend(fine.map(|row| {
            let code = format!("{:COLUMN$}", row.code);
            Row::new(COLUMN + 2).with(Style::Good, "✓ ").with(Style::Plain, code).with(Style::Dim, row.good)
        }));
    }
    context.ui.rows(&rows);
    if report.file.is_none() {
        context.ui.line("there is no plan.md here: plan init \"objective\"");
    }
    let mut last = match report.fine.len() {
        1 => "1 check passed".to_owned(),
        count => format!("{count} checks passed"),
    };
    last += if args.verbose { "" } else { " (--verbose)" };
    let fixable = report.findings.iter().filter(|finding| finding.fixable).count();
    if fixable > 0 {
        last += &format!("; plan doctor --fix repairs {fixable}");
    }
    context.ui.line(&last);
}

/// Returns two rows: sign, code, the fault and why it matters; below it the command.
fn rows_of(finding: &DoctorFinding) -> [Row; 2] {
    let style = match finding.severity {
        Severity::Error => Style::Bad,
        Severity::Warning => Style::Active,
        Severity::Unknown => Style::Dim,
    };
    let text = match finding.why {
        "" => finding.what.clone(),
        why => format!("{}: {why}", finding.what),
    };
    let first = Row::new(COLUMN + 2)
        .with(style, format!("{} ", finding.severity.sign()))
        .with(Style::Plain, format!("{:COLUMN$}", finding.code))
        .with(Style::Plain, text);
    [first, Row::command(COLUMN + 2, &finding.command)]
}

fn exit(report: &DoctorReport, strict: bool) -> Exit {
    let is_bad = report.count(Severity::Error) > 0 || strict && report.count(Severity::Warning) > 0;
    match report.count(Severity::Unknown) {
        _ if is_bad => Exit::No,
        0 => Exit::Yes,
        _ => Exit::Unknown,
    }
}
