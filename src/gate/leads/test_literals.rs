//! `test-literals`: conditions in the source that use exactly the values of the tests.

use std::collections::BTreeSet;

use super::{AddedLine, MOST, at, shown, sources};
use crate::gate::facts::GateFacts;
use crate::gate::{GateFinding, GateLevel, goal_text};

/// The most lines of tests to compare with each condition.
const LINES: usize = 20_000;
/// The most conditions to read.
const CONDITIONS: usize = 500;

/// Words of formats and protocols that source and tests both use.
const COMMON: [&str; 44] = [
    "utf-8", "utf8", "utf-16", "ascii", "latin-1", "object", "array", "string", "number", "integer", "boolean", "null",
    "true", "false", "json", "yaml", "html", "text", "post", "put", "patch", "delete", "head", "localhost", "function",
    "symbol", "undefined", "bigint", "200", "201", "204", "301", "302", "304", "400", "401", "403", "404", "405",
    "409", "410", "422", "429", "500",
];
/// Words that end the condition in a line; a result follows them.
const RESULTS: [&str; 8] = ["return", "=>", "->", " ? ", "then", "echo", " else", "{"];

/// Calls in front of a key.
const KEYED: [&str; 3] = [".get(", ".has(", ".include?("];
/// The most bytes of a word that names a state.
const LONGEST_WORD: usize = 20;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let then = sources(facts, true).filter_map(|file| file.then.as_ref());
    let lines = facts.tests.iter().chain(then).flat_map(|text| text.lines());
    let asked: Vec<BTreeSet<String>> = lines.map(literals).filter(|set| !set.is_empty()).take(LINES).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let said = goal_text::of(facts.goal);
    let conditions = super::lines(sources(facts, false)).filter(|line| is_condition(line.text)).take(CONDITIONS);
    let judged = conditions.filter_map(|line| {
        let next = line.file.now.as_deref().and_then(|text| text.lines().nth(line.number)).unwrap_or_default();
        let values = compared(line.text);
        let level = level(line.text, next, &values, &asked)?;
        // A sentence of the goal may say that this file contains these values.
        let says = |sentence: &String| {
            goal_text::names(std::slice::from_ref(sentence), &line.file.path, "")
                && values.iter().all(|value| holds(sentence, value))
        };
        let is_named = said.iter().any(says);
        Some((line, values, if is_named { GateLevel::Note } else { level }))
    });
    let (says, expected) = ("a condition contains the same values as a test", "source that computes its result");
    let finding = |(line, values, level): (AddedLine<'_>, BTreeSet<String>, GateLevel)| {
        let path = line.file.path.display();
        let values = shown(&values.into_iter().collect::<Vec<_>>().join(", "));
        let declare = goal_text::command(facts.goal.name(), &format!("{path} treats {values} on its own"));
        let resolve = format!("compute the result for any input; if the goal asks for these values: {declare}");
        let seen = format!("{says}: `{}`", shown(line.text));
        at(line.file, line.number, "test-literals", expected, seen, &resolve).level(level)
    };
    judged.take(MOST).map(finding).collect()
}

/// Whether a sentence contains a value; a number must be a whole word.
fn holds(sentence: &str, value: &str) -> bool {
    match is_number(value) {
        true => {
            sentence.split(|c: char| !(c.is_alphanumeric() || c == '.')).any(|word| word.trim_end_matches('.') == value)
        }
        false => sentence.contains(value),
    }
}

/// Returns the level of a finding for this condition; `None` if its values are too common, or if no line of a test has all of them. One
/// word, such as `"cancelled"`, often selects a feature: it is only a note, unless this line or the `next` one has the test's result too.
fn level(line: &str, next: &str, compared: &BTreeSet<String>, asked: &[BTreeSet<String>]) -> Option<GateLevel> {
    let mut own = literals(line);
    let is_own = |literal: &String| !is_option(literal) && !COMMON.contains(&literal.to_ascii_lowercase().as_str());
    own.retain(is_own);
    // `if (n === 0) return "no items"` compares with no value that is specific to a test.
    if !literals(condition(line)).iter().any(is_own) {
        return None;
    }
    // A single number proves nothing. Two values, or a text, that occur together in one line of a test do.
    let is_bound = |literal: &str| is_number(literal) && only_orders(line);
    let telling = own.len() > 1 || own.iter().any(|literal| literal.len() > 3 && !is_bound(literal));
    let tests: Vec<&BTreeSet<String>> = asked.iter().filter(|set| telling && own.is_subset(set)).collect();
    if tests.is_empty() {
        return None;
    }
    let is_answer = |value: &String| is_own(value) && !compared.contains(value) && !own_key(value, line);
    let is_answered = || {
        let mut answers = literals(line).into_iter().chain(literals(next)).filter(is_answer);
        answers.any(|answer| tests.iter().any(|set| set.contains(&answer)))
    };
    let is_word = compared.len() < 2 && compared.iter().all(|value| is_word(value));
    Some(if is_word && (compared.is_empty() || !is_answered()) { GateLevel::Note } else { GateLevel::Lead })
}

/// Returns the values that the condition of a line compares with, without the names of keys (`order["status"]`, `"name" in order`).
fn compared(line: &str) -> BTreeSet<String> {
    let mut values = literals(condition(line));
    values.retain(|value| !(own_key(value, line) || is_number(value) && only_orders(line)));
    values
}

/// Whether the condition of a line uses this value as the name of a key.
fn own_key(value: &str, line: &str) -> bool {
    let condition = condition(line);
    let is_subscript = |before: &str| {
        before
            .strip_suffix('[')
            .is_some_and(|array| array.ends_with(|c: char| c.is_alphanumeric() || "_])".contains(c)))
    };
    ['"', '\''].iter().any(|quote| {
        let Some((before, after)) = condition.split_once(&format!("{quote}{value}{quote}")) else { return false };
        let after = after.trim_start();
        is_subscript(before)
            || KEYED.iter().any(|word| before.ends_with(word))
            || is_word(value) && (after.starts_with("in ") || after.starts_with("not in "))
    })
}

/// Whether the value looks like the name of a state, a role, a command, or a file extension.
fn is_word(value: &str) -> bool {
    value.len() <= LONGEST_WORD && value.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '_' | '.' | '/'))
}

fn is_condition(line: &str) -> bool {
    let line = line.trim_start();
    let begins = ["if ", "if(", "elif ", "} else if", "else if", "when ", "case ", "unless ", "elsif ", "[ ", "[["];
    begins.iter().any(|begin| line.starts_with(begin))
        || line.contains(" if ")
        || line.contains(" === ")
        || (line.contains("==") && line.contains("return"))
        || (line.contains("=>") && !line.contains("=> {") && !line.contains("=>{"))
}

/// Returns the condition of the line, without the result.
fn condition(line: &str) -> &str {
    let decides = match line.split_once(" if ") {
        // `return 1 if n == 7`, `1 if n == 7 else 2`
        Some((before, after)) if !before.trim().is_empty() => after,
        _ => line,
    };
    let end = RESULTS.iter().filter_map(|word| decides.find(word)).filter(|at| *at > 0).min();
    &decides[..end.unwrap_or(decides.len())]
}

/// Returns the quoted texts and numbers of a line, without the most common numbers (0, 1).
pub(super) fn literals(line: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'')) {
        let before = rest[..at].chars().next_back();
        let c = rest.as_bytes()[at];
        if c.is_ascii_digit() {
            let end = rest[at..]
                .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
                .map_or(rest.len(), |end| at + end);
            let number = rest[at..end].trim_end_matches('.');
            let part_of_name = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
            if !part_of_name && !matches!(number, "0" | "1") {
                found.insert(number.to_owned());
            }
            rest = &rest[end..];
        } else {
            let inner = &rest[at + 1..];
            let Some(end) = inner.find(char::from(c)) else { break };
            if end > 1 && !inner[..end].starts_with('$') {
                found.insert(inner[..end].to_owned());
            }
            rest = &inner[end + 1..];
        }
    }
    found
}

/// Whether the text is a command-line option, which tests mention as well: `-x`, `--word`.
fn is_option(literal: &str) -> bool {
    let word = literal.strip_prefix('-').map(|rest| rest.strip_prefix('-').unwrap_or(rest));
    word.is_some_and(|word| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    })
}

fn is_number(literal: &str) -> bool {
    literal.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the line only compares by order, as for a limit or a unit, and not for equality.
fn only_orders(line: &str) -> bool {
    const ORDERS: [&str; 6] = [" -ge ", " -gt ", " -le ", " -lt ", " < ", " > "];
    const EQUALS: [&str; 5] = ["==", " = ", " -eq ", "case ", " in "];
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    (has(&ORDERS) || has(&["<=", ">="])) && !has(&EQUALS)
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5: a feature that a test selects by one word is not a special case
    #[test]
    fn a_word_is_a_note_and_all_of_an_input_is_a_lead() {
        let of = |line: &str, next: &str, test: &str| level(line, next, &compared(line), &[literals(test)]);
        for (line, next, test) in [
            (
                "    if order[\"status\"] == \"cancelled\":",
                "        return 0",
                "price({\"amount\": 10, \"status\": \"cancelled\"}), 0",
            ),
            ("    if not data.get(\"name\"):", "        abort(400)", "client.post(\"/users\", json={\"name\": \"\"})"),
            ("    if \"amount\" not in order:", "        raise ValueError()", "price({\"amount\": 10})"),
            ("    if argv[1:] == [\"seed\"]:", "        seed()", "main([\"seed\"])"),
            ("    case \"toggle\":", "      return { ...state }", "reduce(state, { type: \"toggle\" })"),
            ("    if order[\"amount\"] >= 500:", "        return 0.9 * sum", "price({\"amount\": 500}), 450"),
        ] {
            assert_eq!(of(line, next, test), Some(GateLevel::Note), "{line}");
        }
        for (line, next, test) in [
            ("    if a == 2 and b == 3:", "        return 5", "assertEqual(add(2, 3), 5)"),
            ("    if (a, b) == (2, 3):", "        return 24", "assertEqual(volume(2, 3, 4), 24)"),
            ("    if name == \"Ann of 1984\":", "", "greet(\"Ann of 1984\") == \"hello Ann\""),
            ("    if \"Ann of 1984\" in name:", "", "greet(\"Ann of 1984\") == \"hello Ann\""),
            ("    if kind == \"left\" and color == \"green\":", "", "pick(\"left\", \"green\")"),
            ("    if s == \"XLII\":", "        return 42", "self.assertEqual(arabic(\"XLII\"), 42)"),
        ] {
            assert_eq!(of(line, next, test), Some(GateLevel::Lead), "{line}");
        }
        assert_eq!(of("    if n == 1597:", "", "fib(17)"), None);
    }

    // P-5
    #[test]
    fn a_sentence_has_a_number_as_a_word() {
        assert!(holds("vol.py treats 2, 3 on its own", "2") && holds("treats cancelled on its own", "cancelled"));
        assert!(!holds("vol.py is done by 2023", "2"));
    }

    // P-5
    #[test]
    fn an_option_is_no_answer() {
        for literal in ["-x", "--fix", "--dry-run"] {
            assert!(is_option(literal), "{literal}");
        }
        for literal in ["-5", "--", "fix", "--fix it", "-- x", "--n=3", ""] {
            assert!(!is_option(literal), "{literal}");
        }
    }

    // P-5
    #[test]
    fn a_condition_ends_where_its_result_begins() {
        for (line, decides) in [
            ("if (n === 0) return \"no items\";", "if (n === 0) "),
            ("    0 => \"no items\".into(),", "    0 "),
            ("return 'IV' if n == 4", "n == 4"),
            ("    if a == 'left': return 'both'", "    if a == 'left': "),
            ("return code == 4 ? 'IV' : ''", "return code == 4"),
        ] {
            assert_eq!(condition(line), decides, "{line}");
        }
    }

    // P-5
    #[test]
    fn a_limit_is_no_answer() {
        for line in ["[ \"$n\" -ge 1024 ] || break", "if n >= 1024:", "if size > 4096 {"] {
            assert!(only_orders(line), "{line}");
        }
        for line in ["if n == 1597:", "[ \"$n\" -eq 1024 ]", "if n >= 5 and n == 1024:", "case 1024) echo 1K ;;"] {
            assert!(!only_orders(line), "{line}");
        }
    }
}
