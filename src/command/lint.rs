//! `plan lint`: prints the findings about plan.md.

use std::path::PathBuf;

use serde_json::json;

use super::{Context, Exit};
use crate::error::Result;
use crate::exchange::prd;
use crate::plan::change::Change;
use crate::plan::lint::quality::quality;
use crate::plan::model::{LintFinding, Severity, Span};
use crate::plan::rules::PlanRequest;
use crate::plan::{lint, snippet, text, view};
use crate::signoff::advice;
use crate::store;

/// Check plan.md; print each finding with its place and remedy
///
/// Exit 1 if there is an error; with `--strict`, if there is any finding.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  plan lint --strict\n  plan lint --stories\n  plan lint --stories prd.json\n  plan lint --quality"
)]
pub struct Args {
    /// Warnings and notes count too.
    #[arg(long)]
    strict: bool,
    /// Give an id to each goal without one, and a free number to a step whose number is taken. Nothing else is changed.
    #[arg(long)]
    fix: bool,
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, requires = "fix", value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
    /// Check the goals, or a prd.json, against the quality rules for user stories instead.
    #[arg(long, num_args = 0..=1, value_name = "FILE", conflicts_with_all = ["fix", "because"])]
    stories: Option<Option<PathBuf>>,
    /// Also report gaps for a reader: missing sections above the goals, `path:line` places that do not exist, goals
    /// without a test or a risk.
    #[arg(long, conflicts_with_all = ["fix", "because", "stories"])]
    quality: bool,
}

/// `13 findings: 5 errors, 7 warnings, 1 note`
fn counted(findings: &[LintFinding]) -> String {
    let of = |severity: Severity| match findings.iter().filter(|finding| finding.severity == severity).count() {
        0 => None,
        count => Some(text::counted(count, severity.word())),
    };
    let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(of).collect();
    match findings.len() {
        0 => "no findings".to_owned(),
        count => format!("{}: {}", text::counted(count, "finding"), parts.join(", ")),
    }
}

/// Fixes if asked to, then prints the findings.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if let Some(Some(file)) = &args.stories {
        let source = context.read_named(file)?;
        let name = file.to_string_lossy();
        let findings = prd::lint::file(&source).map_err(|refusal| refusal.error(&name))?;
        return Ok(print(context, args, findings, &name, &source, 0));
    }
    let place = if args.fix { context.writable()? } else { context.place()? };
    let (mut fixed, mut ids) = (0, 0);
    if args.fix {
        let (because, again) = (text::reason(args.because.as_deref())?, context.with_reason());
        let request = PlanRequest::Shape { because: because.as_deref(), again: again.as_deref() };
        context.change_as(&place, request, |plan| {
            let changes = lint::fixes(plan);
            fixed = changes.len();
            ids = changes.iter().filter(|change| matches!(change, Change::AddId { .. })).count();
            Ok(changes)
        })?;
        let given = |count, what| text::counted(count, what) + if count == 1 { " was given" } else { " were given" };
        let numbers = fixed - ids;
        if ids > 0 || numbers == 0 {
            context.ui.line(&format!("{} an id", given(ids, "goal")));
        }
        if numbers > 0 {
            context.ui.line(&format!("{} a free number", given(numbers, "step")));
        }
    }
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let file = place.shown.to_string_lossy();
    if args.stories.is_some() {
        return Ok(print(context, args, prd::lint::goals(&plan), &file, &source, 0));
    }
    let mut findings = lint::lint(&plan);
    findings.extend(advice::findings(&plan));
    if args.quality {
        findings.extend(quality(&plan, &|path| place.line_count(path)));
    }
    findings.extend(context.ignored(&place).map(|(message, remedy)| LintFinding {
        code: "plan-ignored",
        severity: Severity::Warning,
        span: Span::default(),
        message,
        remedy,
    }));
    Ok(print(context, args, findings, &file, &source, fixed))
}

/// Prints findings in the order of their places, and returns the exit code.
fn print(
    context: &Context,
    args: &Args,
    mut findings: Vec<LintFinding>,
    file: &str,
    source: &[u8],
    fixed: usize,
) -> Exit {
    findings.sort_by_key(|finding| (finding.span.start, finding.code));
    findings.iter_mut().for_each(|finding| finding.remedy = context.in_place(&finding.remedy));
    if !context.ui.is_json() {
        view::findings(&findings, file, source, context.ui.screen(), &mut context.ui.page());
    }
    let mut places = snippet::Places::new(source);
    let mut shown = Vec::with_capacity(findings.len());
    for finding in &findings {
        let (line, column) = places.of(finding.span.start as usize);
        shown.push(json!({
            "code": finding.code, "severity": finding.severity.word(), "file": file, "line": line, "column": column,
            "message": finding.message, "remedy": finding.remedy,
        }));
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    context.ui.line(&counted(&findings));
    context.ui.json(&json!({ "findings": shown, "errors": errors, "fixed": fixed }));
    let fine = if args.strict { findings.is_empty() } else { errors == 0 };
    if fine { Exit::Yes } else { Exit::No }
}
