//! Prints an audit as text for users, and as annotations of a GitHub job.

use super::{AuditFinding, AuditLevel, AuditReport, RerunResult};
use crate::plan::text::counted;
use crate::plan::view::{Row, Style};
use crate::signoff::report_text::without_digests;

/// Returns the findings of each goal together, findings without a goal under the file's name, and a summary at the end.
pub fn text(report: &AuditReport) -> Vec<Row> {
    let mut groups: Vec<(Option<&str>, Vec<&AuditFinding>)> = Vec::new();
    for finding in &report.findings {
        let goal = finding.goal.as_deref();
        match groups.iter_mut().find(|(of, _)| *of == goal) {
            Some((_, findings)) => findings.push(finding),
            None => groups.push((goal, vec![finding])),
        }
    }
    let mut rows = Vec::new();
    for (goal, findings) in groups {
        rows.push(Row::new(2).with(Style::Title, goal.unwrap_or(&report.file)));
        findings.into_iter().for_each(|finding| rows.extend(rows_of(finding, &report.file)));
        rows.push(Row::new(0));
    }
    for ran in &report.rerun {
        let (style, mark) = mark(ran);
        rows.push(Row::new(2).with(style, mark).with(Style::Plain, again(ran)));
    }
    if !report.rerun.is_empty() {
        rows.push(Row::new(0));
    }
    let style = if report.count() == 0 { Style::Good } else { Style::Bad };
    let summary = without_digests(&summary(report));
    let (count, rest) = summary.split_at(summary.find(',').unwrap_or(summary.len()));
    rows.push(Row::new(0).with(style, count).with(Style::Plain, rest));
    rows
}

/// `✗ hand-ticked: a-1 says done, …  plan.md:5`, what was expected, the remedy.
fn rows_of(finding: &AuditFinding, file: &str) -> Vec<Row> {
    let (style, mark) = if finding.counts() { (Style::Bad, "✗") } else { (Style::Dim, "-") };
    let place = format!("{file}:{}", finding.line);
    let seen = format!(": {}", without_digests(&finding.seen));
    let code = if finding.counts() { finding.code.to_owned() } else { format!("note: {}", finding.code) };
    let head = Row::new(4).with(style, format!("  {mark} ")).with(style, code).with(Style::Plain, seen);
    let below = |label: &str, text: &str| {
        Row::new(6).with(Style::Dim, format!("    {label}")).with(Style::Plain, format!(" {}", without_digests(text)))
    };
    let mut rows = vec![head.right(Some(&place))];
    rows.extend(finding.counts().then(|| below("expected", &finding.expected)));
    let names_command = finding.resolve.contains("`plan ");
    rows.extend((finding.counts() || names_command).then(|| below("to resolve:", &finding.resolve)));
    rows
}

fn mark(ran: &RerunResult) -> (Style, &'static str) {
    match (ran.passed, ran.blocked) {
        (true, _) => (Style::Good, "✓"),
        (_, true) => (Style::Bad, "✗"),
        _ => (Style::Warning, "?"),
    }
}

/// Returns the text after the mark: ` cache-layer-1 run again (gate full): make test`.
fn again(ran: &RerunResult) -> String {
    let RerunResult { goal, verify, gate, undecided, not_run, .. } = ran;
    if let Some(why) = not_run {
        return format!(" {goal} not run again: {why}");
    }
    let verify = verify.as_deref().unwrap_or_default();
    let undecided = if undecided.is_empty() { String::new() } else { format!(", undecided: {}", undecided.join(", ")) };
    format!(" {goal} run again (gate {gate}{undecided}): {verify}")
}

/// Returns the numbers of findings, notes and signed-off goals, and the revision that was compared with.
pub fn summary(report: &AuditReport) -> String {
    let notes = report.findings.len() - report.count();
    let compared = match &report.base {
        Some(base) => match &base.rev {
            Some(rev) => format!(", compared with {rev} ({})", base.commit.get(..12).unwrap_or(&base.commit)),
            None => ", the log compared with the last commit".to_owned(),
        },
        None => String::new(),
    };
    let AuditReport { done, signed_off, .. } = report;
    format!(
        "{}, {}; {signed_off} of {done} done goals are signed off for their current contract{compared}",
        counted(report.count(), "finding"),
        counted(notes, "note")
    )
}

/// Returns workflow commands, one per line: no text of the repository can begin another command
/// (GitHub Docs, "Workflow commands for GitHub Actions").
pub fn github(report: &AuditReport) -> String {
    let mut text: String = report.findings.iter().map(|finding| annotation(&report.file, finding)).collect();
    // No other line of the output begins with text of the file.
    text.extend(report.rerun.iter().map(|ran| format!("{}{}\n", mark(ran).1, again(ran))));
    text += "plan audit: ";
    text + &summary(report) + "\n"
}

fn annotation(file: &str, finding: &AuditFinding) -> String {
    let AuditFinding { code, line, expected, seen, resolve, .. } = finding;
    let command = if finding.level == AuditLevel::Finding { "error" } else { "notice" };
    let message = format!("{seen}\nexpected: {expected}\nto resolve: {resolve}");
    format!(
        "::{command} file={},line={line},title={}::{}\n",
        property(file),
        property(&format!("plan audit: {code}")),
        data(&message)
    )
}

/// Returns the annotation of a plan file that is gone, on one line without its end.
pub fn gone(file: &str, message: &str) -> String {
    format!("::error file={}::{}", property(file), data(message))
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_repository_ends_no_command() {
        let finding = AuditFinding::new("log-deleted", 0, "100%: a\r\n::set-env name=X::y", "b", "c");
        let line = annotation("a,b:c%\n::x.md", &finding);
        assert_eq!(
            line,
            "::error file=a%2Cb%3Ac%25%0A%3A%3Ax.md,line=1,title=plan audit%3A log-deleted::100%25: a ::set-env name=X::y%0Aexpected: b%0Ato resolve: c\n"
        );
        assert_eq!(line.lines().count(), 1);
        assert_eq!(gone("a,b\n::x.md", "100%\n::x"), "::error file=a%2Cb%0A%3A%3Ax.md::100%25%0A::x");
    }
}
