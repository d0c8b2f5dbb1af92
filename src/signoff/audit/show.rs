//! An audit as people read it, and as annotations of a GitHub job.

use super::{Finding, Level, Ran, Report, many};

/// One block a finding, a summary at the end.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let level = if finding.level == Level::Finding { "" } else { "note: " };
        text += &format!("{}:{}: {level}{}: {}\n", report.file, finding.line, finding.code, finding.seen);
        if finding.level == Level::Finding {
            text += &format!("  expected {}\n  to resolve: {}\n", finding.expected, finding.resolve);
        }
    }
    for ran in &report.rerun {
        text += &again(ran);
    }
    text + &summary(report) + "\n"
}

fn again(ran: &Ran) -> String {
    let Ran { goal, verify, gate, passed, blocked, undecided, not_run } = ran;
    let mark = match (passed, blocked) {
        (true, _) => "✓",
        (_, true) => "✗",
        _ => "?",
    };
    if let Some(why) = not_run {
        return format!("{mark} {goal} not run again: {why}\n");
    }
    let verify = verify.as_deref().unwrap_or_default();
    let undecided = if undecided.is_empty() { String::new() } else { format!(", undecided: {}", undecided.join(", ")) };
    format!("{mark} {goal} run again (gate {gate}{undecided}): {verify}\n")
}

/// How many were found, and of what.
pub fn summary(report: &Report) -> String {
    let notes = report.findings.len() - report.count();
    let compared = match &report.base {
        Some(base) => match &base.rev {
            Some(rev) => format!(", compared with {rev} ({})", short(&base.commit)),
            None => ", the log compared with the last commit".to_owned(),
        },
        None => String::new(),
    };
    let Report { done, signed_off, .. } = report;
    format!(
        "{}, {}; {signed_off} of {done} done goals signed off for the contract that stands{compared}",
        many(report.count(), "finding"),
        many(notes, "note")
    )
}

/// Workflow commands, one a line: nothing of the repository's text can begin another one
/// (GitHub Docs, "Workflow commands for GitHub Actions").
pub fn github(report: &Report) -> String {
    let mut text: String = report.findings.iter().map(|finding| annotation(&report.file, finding)).collect();
    // Nothing else of the output begins a line with what the file says.
    text.extend(report.rerun.iter().map(again));
    text += "plan audit: ";
    text + &summary(report) + "\n"
}

fn annotation(file: &str, finding: &Finding) -> String {
    let Finding { code, line, expected, seen, resolve, .. } = finding;
    let command = if finding.level == Level::Finding { "error" } else { "notice" };
    let message = format!("{seen}\nexpected: {expected}\nto resolve: {resolve}");
    format!(
        "::{command} file={},line={line},title={}::{}\n",
        property(file),
        property(&format!("plan audit: {code}")),
        data(&message)
    )
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of one.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_repository_ends_no_command() {
        let finding = Finding::new("log-deleted", 0, "100%: a\r\n::set-env name=X::y", "b", "c");
        let line = annotation("a,b:c%\n::x.md", &finding);
        assert_eq!(
            line,
            "::error file=a%2Cb%3Ac%25%0A%3A%3Ax.md,line=1,title=plan audit%3A log-deleted::100%25: a ::set-env name=X::y%0Aexpected: b%0Ato resolve: c\n"
        );
        assert_eq!(line.lines().count(), 1);
    }
}
