//! Findings of `plan lint` (P-35), one below the other.

use super::layout::{Row, Screen};
use super::{Sink, Style};
use crate::plan::model::{LintFinding, Severity};
use crate::plan::snippet::{Places, draw};

/// Width of a snippet's gutter without the digits of the line number.
const GUTTER: usize = 3;

/// Writes findings, each with its place, its remedy and its source line:
///
/// ```text
/// plan.md:12:9: error[unknown-status]: expected `open`, `active`, `done` or `cancelled`, found `actve`
///   help: write one of these words; until then it reads as `open`
/// 12 | status: actve
///    |         ^^^^^
/// ```
///
/// On a terminal a blank line separates them.
pub fn findings(findings: &[LintFinding], file: &str, source: &[u8], screen: Screen, sink: &mut impl Sink) {
    let mut places = Places::new(source);
    for (index, finding) in findings.iter().enumerate() {
        if index > 0 && screen.columns.is_some() {
            sink.newline();
        }
        let (line, column) = places.of(finding.span.start as usize);
        Row::new(2)
            .with(Style::Title, format!("{file}:{line}:{column}: "))
            .with(style_of(finding.severity), format!("{}[{}]", finding.severity.word(), finding.code))
            .with(Style::Plain, format!(": {}", finding.message))
            .put(screen, sink);
        if !finding.remedy.is_empty() {
            Row::new(8).with(Style::Dim, "  help: ").with(Style::Plain, &finding.remedy).put(screen, sink);
        }
        let room = screen.columns.map(|columns| columns.saturating_sub(line.to_string().len() + GUTTER));
        for text in draw(source, finding.span, line, room).lines() {
            let gutter = text.find('|').map_or(0, |at| at + 1);
            let (gutter, text) = text.split_at(gutter);
            sink.put(Style::Dim, gutter);
            let is_mark = !text.is_empty() && text.bytes().all(|byte| matches!(byte, b' ' | b'^'));
            sink.put(if is_mark { style_of(finding.severity) } else { Style::Plain }, text);
            sink.newline();
        }
    }
}

const fn style_of(severity: Severity) -> Style {
    match severity {
        Severity::Error => Style::Bad,
        Severity::Warning => Style::Active,
        Severity::Note => Style::Dim,
    }
}

#[cfg(test)]
mod tests {
    use super::{Screen, findings};
    use crate::plan::{lint, parse};

    const SOURCE: &[u8] =
        b"# Plan: x\r\n## Goal: a\r\n<!-- id: a -->\r\nstatus: actve\r\ndone_when: a criterion that is far longer\r\nstatus: open\r\n";

    fn shown(columns: Option<usize>) -> String {
        let mut out = String::new();
        let found = lint::lint(&parse(SOURCE).unwrap());
        findings(&found, "plan.md", SOURCE, Screen { columns, lines: None }, &mut out);
        out
    }

    #[test]
    fn a_finding_is_shown_with_its_line_and_remedy() {
        let first = "\
plan.md:4:9: error[unknown-status]: expected `open`, `active`, `done` or `cancelled`, found `actve`
  help: write one of these words; until then it reads as `open`
4 | status: actve
  |         ^^^^^
plan.md:6:1: error[repeated-field]";
        assert!(shown(None).starts_with(first), "{}", shown(None));
    }

    #[test]
    fn on_a_terminal_it_is_wrapped() {
        let text = shown(Some(40));
        let first = "\
plan.md:4:9: error[unknown-status]:
  expected `open`, `active`, `done` or
  `cancelled`, found `actve`
  help: write one of these words; until
        then it reads as `open`
4 | status: actve
  |         ^^^^^

plan.md:6:1:";
        assert!(text.starts_with(first), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
    }
}
