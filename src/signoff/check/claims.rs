//! Leads about evidence that reads as a verdict, and about citations that would hold for any work.

use std::io::Read;

use super::facts::CheckFacts;
use super::request::CheckRequest;
use crate::disk::open_regular;
use crate::gate::GateFinding;
use crate::signoff::citation;
use crate::signoff::judge::case::Case;
use crate::signoff::sanitize::one_line;
use crate::signoff::verdict::JudgeAnswer;
use crate::signoff::verdict::form::reads_as_verdict;

/// The maximum number of bytes of an evidence file to search.
const LARGEST: u64 = 1 << 20;

/// `evidence-claims`: an evidence file contains a line of a verdict, which only the judge may write.
pub(super) fn in_evidence(ask: &CheckRequest<'_>, facts: &CheckFacts) -> Vec<GateFinding> {
    let mut found = Vec::new();
    for (file, _) in &facts.evidence {
        let mut bytes = Vec::new();
        let read =
            open_regular(&ask.place.root.join(&file.path)).map(|file| file.take(LARGEST).read_to_end(&mut bytes));
        if read.is_err() {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().zip(1..).find(|(line, _)| reads_as_verdict(line));
        found.extend(line.map(|(line, number)| {
            let line: String = one_line(line).chars().take(120).collect();
            let (expected, resolve) =
                ("evidence of what was measured", "remove the verdict from the file: only a judge may write one");
            let seen = format!("it reads as a verdict: `{line}`");
            GateFinding::lead("evidence-claims", expected, seen, resolve)
                .at(format!("{}:{number}", file.path.display()))
        }));
    }
    found
}

/// `citation-weak`: a judge's citation holds, but would also hold for work that is not done.
pub(super) fn in_answer(answer: Option<&JudgeAnswer>, case: &Case) -> Vec<GateFinding> {
    let weak = answer.map(|answer| citation::leads(answer, case)).unwrap_or_default();
    let (expected, resolve) =
        ("citations that show what the goal asks for", "read what it cites, or ask another judge as well");
    weak.into_iter().map(|seen| GateFinding::lead("citation-weak", expected, seen, resolve)).collect()
}
