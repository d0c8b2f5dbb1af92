//! The judge's prompt: the text of `prompts/6-evidence-judge.md` around the case as JSON.

use std::path::Path;

use serde::Serialize;

use super::case::Case;
use crate::error::Result;
use crate::plan::text::is_hidden;
use crate::prompt::Prompt;
use crate::signoff::sanitize::{as_printed, one_line};
use crate::signoff::verdict::Id;
use crate::verify::check::CheckResult;

/// Longer texts are cut, because nobody reads a contract that long.
const TEXT: usize = 4000;
/// Longer lists are cut.
const ENTRIES: usize = 200;

/// The data of one run besides the case.
pub(super) struct Run<'a> {
    pub(super) nonce: &'a str,
    pub(super) probe: &'a Path,
    pub(super) root: &'a Path,
    /// Why the answer before was inconclusive.
    pub(super) earlier: Option<&'a str>,
}

/// Returns the whole prompt. `other` is the user's own text in place of the built-in one.
pub(super) fn fill(other: Option<&str>, case: &Case, run: &Run<'_>) -> Result<String> {
    // The root is the only text of the repository outside the data. A path with room for a sentence goes into the data, because
    // not every client works in that folder. A path that could pass for more than a path is left out.
    let is_odd = |c: char| c.is_control() || is_hidden(c) || c == '`';
    let told = run.root.to_str().filter(|path| !is_plain(run.root) && !path.contains(is_odd));
    let root = match (is_plain(run.root), told) {
        (true, _) => run.root.to_string_lossy().into_owned(),
        (false, Some(_)) => format!("root of DATA[{}]", run.nonce),
        (false, None) => ".".to_owned(),
    };
    let probe = run.probe.to_string_lossy();
    let data = data(case, told, run.earlier);
    let values = [("nonce", run.nonce), ("probe", &probe), ("root", &root), ("data", &data)];
    Prompt::EvidenceJudge.fill(other, &values)
}

/// Whether a path has no room for a sentence: no white space, no quotation marks and no other special characters.
pub(super) fn is_plain(path: &Path) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | '@' | ',' | '=' | '~');
    path.to_str().is_some_and(|path| path.chars().all(plain))
}

#[derive(Serialize)]
struct PromptGoal<'a> {
    id: String,
    subject: String,
    kind: &'a str,
    may_change: Vec<String>,
}

#[derive(Serialize)]
struct Question<'a> {
    id: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a CheckResult>,
}

#[derive(Serialize)]
struct Verify {
    command: String,
    end: String,
    seconds: f64,
    tail: String,
}

#[derive(Serialize)]
struct Evidence {
    claims: Vec<String>,
    files: Vec<String>,
}

/// Returns the case as JSON, compact and with one part in each line, because each judge pays for every token.
fn data(case: &Case, root: Option<&str>, earlier: Option<&str>) -> String {
    let criteria = case.criteria.iter().enumerate();
    let modes = case.failure_modes.iter().enumerate();
    let (first, text) = case.verify.as_ref().map(|verify| verify.shown()).unwrap_or_default();
    let goal = PromptGoal {
        id: cut(&case.id),
        subject: cut(&case.subject),
        kind: case.kind,
        may_change: list(&case.may_change),
    };
    let criteria: Vec<_> = criteria.map(|(at, text)| question(Id::Criterion(at + 1), text, None)).collect();
    let modes: Vec<_> =
        modes.map(|(at, mode)| question(Id::FailureMode(at + 1), &mode.text, mode.check.as_ref())).collect();
    let verify = case.verify.as_ref().map(|verify| Verify {
        command: cut(&verify.command),
        end: cut(&verify.end),
        seconds: (verify.seconds * 10.0).round() / 10.0,
        tail: verify.tail.label().unwrap_or_else(|| "all that was printed".to_owned()),
    });
    let tail: Vec<String> =
        text.lines().enumerate().map(|(at, line)| format!("{}: {}", first + at, as_printed(line))).collect();
    // The reason comes from an answer that may quote the repository, so it is data like the rest.
    let earlier: Vec<String> = earlier.map(cut).into_iter().collect();
    let parts = [
        part("goal", &goal),
        part("criteria", &criteria),
        part("failure_modes", &modes),
        part("changes", &list(&case.changes)),
        part("findings", &list(&case.findings)),
        part("leads", &list(&case.leads)),
        part("verify", &verify),
        part("tail", &tail),
        part("evidence", &Evidence { claims: list(&case.claims), files: list(&case.paths) }),
        part("earlier", &earlier),
    ];
    let root: Vec<String> = root.map(|root| part("root", &root)).into_iter().collect();
    without_tags(&format!("{{{}}}", [&root[..], &parts].concat().join(",\n")))
}

/// Returns one part. Strings, numbers and lists of them can always be serialised.
fn part(name: &str, value: &impl Serialize) -> String {
    format!("\"{name}\":{}", serde_json::to_string(value).unwrap_or_default())
}

fn question<'a>(id: Id, text: &str, check: Option<&'a CheckResult>) -> Question<'a> {
    Question { id: id.to_string(), text: cut(text), check }
}

/// Escapes each `<` that opens a tag in JSON, because hosts treat `<system-reminder>` and similar tags as their own words.
fn without_tags(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('<') {
        safe.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let opens = rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        safe.push_str(if opens { "\\u003c" } else { "<" });
    }
    safe + rest
}

fn list(texts: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = texts.iter().take(ENTRIES).map(|text| cut(text)).collect();
    if texts.len() > ENTRIES {
        kept.push(format!("(cut: {} more)", texts.len() - ENTRIES));
    }
    kept
}

fn cut(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(TEXT) {
        Some((at, _)) => format!("{} (cut: {} more characters)", &line[..at], line[at..].chars().count()),
        None => line,
    }
}
