//! Weighs a citation that holds: a citation that says nothing does not count, and a citation that says little is a
//! lead.

use std::path::Path;

use super::quote::visible;
use super::{Citation, read};
use crate::lang::closing_lines::is_closing_line;
use crate::signoff::judge::case::Case;
use crate::signoff::sanitize::one_line;
use crate::signoff::verdict::form::claims_verdict;
use crate::signoff::verdict::{Id, JudgeAnswer};

/// The number of visible characters with which a quote says something in any place.
const ENOUGH: usize = 12;

/// Words that nearly all sentences have in common.
const COMMON: [&str; 14] =
    ["and", "are", "for", "from", "has", "have", "into", "its", "not", "that", "the", "this", "was", "with"];

/// Refuses a quote that says nothing about the question: it is shorter than [`ENOUGH`], shares no word with the question, and
/// is not from the question's own artifact (the output of `verify`, the evidence, a file that the question names).
///
/// # Errors
/// One line that says what to quote instead.
pub(super) fn says_something(citation: &Citation, id: Id, case: &Case) -> Result<(), String> {
    let (quote, is_own) = match citation {
        Citation::File { path, quote, .. } => (quote, is_named(path, id, case) || is_evidence(path, case)),
        Citation::Verify { quote, .. } => (quote, true),
        Citation::Absent { .. } | Citation::Gone { .. } | Citation::Check { .. } => return Ok(()),
    };
    let has_word = quote.contains(char::is_alphanumeric);
    let enough = visible(quote) >= ENOUGH || has_word && (is_own || shares_a_word(quote, question(id, case)));
    match enough {
        true => Ok(()),
        false => {
            Err(format!("`{}` says too little: quote at least {ENOUGH} characters of what shows it", one_line(quote)))
        }
    }
}

/// Returns the citations that a reader should look at again: they hold, but would also hold for work that is not done.
pub fn leads(answer: &JudgeAnswer, case: &Case) -> Vec<String> {
    let holding: Vec<_> = answer.lines.iter().filter(|line| line.holds).collect();
    let mut leads = Vec::new();
    for line in &holding {
        for citation in read::citations(&line.text).unwrap_or_default() {
            leads.extend(why_weak(&citation, case).map(|(quote, why)| format!("{} cites `{quote}`, {why}", line.id)));
        }
    }
    let first = holding.first().map(|line| line.text.as_str()).unwrap_or_default();
    if holding.len() > 1 && holding.iter().all(|line| line.text == first) {
        leads.push(format!("every answer cites the same: {first}"));
    }
    leads
}

fn why_weak<'c>(citation: &'c Citation, case: &Case) -> Option<(&'c str, &'static str)> {
    let (path, quote) = match citation {
        Citation::File { path, quote, .. } => (Some(path), quote),
        Citation::Verify { quote, .. } => (None, quote),
        Citation::Absent { .. } | Citation::Gone { .. } | Citation::Check { .. } => return None,
    };
    let why = match () {
        () if is_import(quote) => "which only imports other code",
        () if is_closing_line(quote) => "the closing line of a test run, which names no test",
        () if claims_verdict(quote) && path.is_some_and(|path| is_evidence(path, case)) => {
            "where the evidence mentions the verdict itself"
        }
        () => return None,
    };
    Some((quote, why))
}

/// Whether a line only names code of another file, in the languages that have such lines.
fn is_import(quote: &str) -> bool {
    let quote = quote.trim().trim_start_matches("pub ");
    let first = quote.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    match first {
        "import" | "#include" | "package" | "using" | "require" | "require_relative" => true,
        "from" => quote.contains(" import "),
        "use" => quote.contains("::") || quote.ends_with(';'),
        "const" | "let" | "var" => quote.contains("require("),
        _ => false,
    }
}

fn question(id: Id, case: &Case) -> &str {
    let text = match id {
        Id::Criterion(number) => case.criteria.get(number - 1).map(String::as_str),
        Id::FailureMode(number) => case.failure_modes.get(number - 1).map(|mode| mode.text.as_str()),
    };
    text.unwrap_or_default()
}

/// Whether the question names the file, by its path or its file name.
fn is_named(path: &str, id: Id, case: &Case) -> bool {
    let name = Path::new(path).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.contains('.') && question(id, case).contains(&*name) || question(id, case).contains(&format!("`{path}`"))
}

fn is_evidence(path: &str, case: &Case) -> bool {
    case.paths.iter().any(|known| Path::new(known) == Path::new(path.trim_start_matches("./")))
}

fn shares_a_word(quote: &str, question: &str) -> bool {
    let asked = words(question);
    words(quote).iter().any(|word| asked.iter().any(|other| is_same(word, other)))
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| says(word) && !COMMON.contains(&word.as_str())).collect()
}

fn says(word: &str) -> bool {
    word.chars().count() > 2 || word.chars().any(|c| c.is_ascii_digit())
}

/// Whether two words are the same, such as `returns` and `return`.
fn is_same(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short == long || short.len() > 3 && long.len() < short.len() + 4 && long.starts_with(short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signoff::verdict::{VerdictLine, Word};
    use crate::verify::check::FailureMode;

    fn case() -> Case {
        Case {
            criteria: vec!["`sub(5, 3)` returns 2".to_owned(), "`VERSION` and `notes.txt` say so".to_owned()],
            failure_modes: vec![FailureMode { text: "add was broken".to_owned(), ..FailureMode::default() }],
            paths: vec!["bench/p95.log".to_owned()],
            ..Case::default()
        }
    }

    fn worth(id: Id, text: &str) -> bool {
        read::citations(text).unwrap().iter().all(|citation| says_something(citation, id, &case()).is_ok())
    }

    // P-65
    #[test]
    fn a_quote_says_something_by_its_length_its_words_or_its_place() {
        let (c1, c2, f1) = (Id::Criterion(1), Id::Criterion(2), Id::FailureMode(1));
        for (id, text) in [
            (c1, "calc.py:1 \"self.assertTrue(x)\""),
            (c1, "calc.py:2 \"def sub(a)\""),
            (c1, "calc.py:3 \"return x\""),
            (c1, "verify:1 \"ok\""),
            (c1, "bench/p95.log:1 \"47 ms\""),
            (c2, "notes.txt:1 \"2.0\""),
            (c2, "VERSION:1 \"2.0\""),
            (f1, "calc.py:1 \"add(2)\""),
            (c1, "absent *.py \"x\""),
        ] {
            assert!(worth(id, text), "{text}");
        }
        for (id, text) in [
            (c1, "calc.py:1 \"}\""),
            (c1, "calc.py:1 \"pass\""),
            (c1, "calc.py:1 \"x = y\""),
            (c2, "calc.py:2 \"def sub(a)\""),
            (f1, "calc.py:1 \"the\""),
            (c1, "verify:1 \"....\""),
        ] {
            assert!(!worth(id, text), "{text}");
        }
    }

    fn weak(texts: &[&str]) -> Vec<String> {
        let lines = texts.iter().zip(1..).map(|(text, at)| VerdictLine {
            id: Id::Criterion(at),
            holds: true,
            text: (*text).to_owned(),
        });
        let (missing, notes) = (Vec::new(), Vec::new());
        leads(
            &JudgeAnswer { probe: String::new(), lines: lines.collect(), missing, notes, verdict: Word::Accept },
            &case(),
        )
    }

    // P-65
    #[test]
    fn what_holds_for_work_that_is_not_done_is_a_lead() {
        for line in
            ["import unittest", "from calc import sub", "use std::fs;", "#include <stdio.h>", "const a = require('a')"]
        {
            let expected = format!("C1 cites `{line}`, which only imports other code");
            assert_eq!(weak(&[&format!("t.py:1 \"{line}\"")]), [expected]);
        }
        for line in [
            "== 3 passed in 0.01s ==",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ] {
            assert!(weak(&[&format!("verify:1 \"{line}\"")])[0].contains("closing line of a test run"), "{line}");
        }
        assert!(weak(&["bench/p95.log:1 \"C1 met: all of it\""])[0].contains("mentions the verdict itself"));
        let same = "calc.py:2 \"return a - b\"";
        assert_eq!(weak(&[same, same]), [format!("every answer cites the same: {same}")]);
        assert_eq!(weak(&[same, "calc.py:9 \"assert sub(5, 3) == 2\""]), [""; 0]);
    }
}
