//! Finds sleeps of a fixed duration in source lines.

mod constant;

use std::ops::Range;
use std::path::Path;

use crate::gate::source_text::{indent, is_of_name};
use crate::mutate::{self, Language};
use crate::plan::text::{cut, plain_line};

pub(super) struct Sleep {
    /// The line number, counted from 1.
    pub(super) line: usize,
    /// The line, shortened for display.
    pub(super) text: String,
    /// The byte range of its number, or of the name of one, in the source.
    number: Range<usize>,
    /// The text that makes it 0.
    zero: String,
    /// For a name: a text of the same form that leaves its value.
    same: Option<String>,
}

/// The names of the calls that take the number.
const CALLS: [&str; 14] = [
    "sleep", "Sleep", "usleep", "delay", "from_millis", "from_secs", "from_secs_f64", "from_secs_f32", "setTimeout",
    "sleep_for", "milliseconds", "seconds", "microseconds", "nanoseconds",
];
/// The units of C++ behind a number.
const UNITS: [&str; 4] = ["ms", "s", "us", "ns"];
/// Words that begin a loop, and words that begin a function or a class.
const LOOPS: [&str; 6] = ["while", "for", "until", "loop", "do", "async for"];
const FUNCTIONS: [&str; 8] = ["def ", "async def ", "fn ", "pub ", "func ", "function", "class ", "export "];

/// Returns the sleeps of a fixed duration on the changed lines of `now`. Sleeps in loops are left out: they wait for an event.
pub(super) fn added(path: &Path, then: &str, now: &str) -> Vec<Sleep> {
    let is_changed = mutate::is_changed(then.as_bytes(), now.as_bytes());
    let language = Language::of(&path.to_string_lossy(), now.as_bytes());
    let lines: Vec<&str> = now.lines().collect();
    let mut found = Vec::new();
    let mut start = 0;
    for (at, line) in now.split_inclusive('\n').enumerate() {
        let fixed = if is_changed(at + 1) { fixed(line, now, language) } else { None };
        if let Some((number, zero, same)) = fixed.filter(|_| !is_in_loop(&lines, at)) {
            let text = cut(&plain_line(line.trim()), 80);
            found.push(Sleep { line: at + 1, text, number: start + number.start..start + number.end, zero, same });
        }
        start += line.len();
    }
    found
}

/// Returns the source with these sleeps set to 0.
pub(super) fn at_once(now: &str, sleeps: &[Sleep]) -> String {
    let mut text = now.to_owned();
    sleeps.iter().rev().for_each(|sleep| text.replace_range(sleep.number.clone(), &sleep.zero));
    text
}

/// Returns the source with the names of these sleeps written in the form of [`at_once`], but with their values; `None` if there are
/// none. A check of the form of source, such as a formatter, dislikes both.
pub(super) fn in_that_form(now: &str, sleeps: &[Sleep]) -> Option<String> {
    let mut text = now.to_owned();
    let named = || sleeps.iter().rev().filter_map(|sleep| Some((sleep.number.clone(), sleep.same.as_ref()?)));
    named().for_each(|(range, same)| text.replace_range(range, same));
    named().next().map(|_| text)
}

/// Whether a test replaces a function that sleeps: `patch("app.time.sleep")`, `sleep=lambda s: None`.
pub(super) fn is_replaced(test: &str) -> bool {
    test.match_indices("sleep").any(|(at, word)| {
        let (before, after) = (&test[..at], &test[at + word.len()..]);
        let is_text = after.starts_with(['"', '\'']);
        let is_given = after.trim_start().starts_with('=') && !after.trim_start().starts_with("==");
        is_text || is_given || before.ends_with("fake_") || before.ends_with("no_")
    })
}

/// The byte range of a sleep's number in a line, and the text that makes it 0, if the number is not 0 and not part of a longer
/// expression. In its place may stand the name of a constant of `source`.
fn fixed(line: &str, source: &str, language: Option<Language>) -> Option<(Range<usize>, String, Option<String>)> {
    let code = line.split(['#']).next().filter(|_| !line.trim_start().starts_with("//"))?;
    // `sleeper.wait_for(lock, std::chrono::seconds(5))` ends when it is notified, and so does a race of promises.
    let is_sleep = code.to_lowercase().contains("sleep") && !code.contains("wait_for(");
    let is_timer = code.contains("setTimeout") && !source.contains("Promise.race(");
    if !is_sleep && !is_timer && !code.contains("delay(") {
        return None;
    }
    CALLS.iter().flat_map(|call| code.match_indices(call)).find_map(|(at, call)| {
        let after = at + call.len();
        if code[after..].starts_with(is_of_name) || code[..at].ends_with(is_of_name) {
            return None;
        }
        let open = match code[after..].chars().next()? {
            '(' => after + 1,
            ' ' if language == Some(Language::Shell) || call == "sleep" => after + 1,
            _ => return None,
        };
        // The time is the second argument.
        let open = if call == "setTimeout" { of_promise(code, open)? } else { open };
        let rest = &code[open..];
        let begin = open + (rest.len() - rest.trim_start().len());
        // `* time.Millisecond)`.
        let is_go_unit =
            |after: &str| after.strip_prefix('*').is_some_and(|rest| rest.trim_start().starts_with("time."));
        let is_end = |after: &str| after.is_empty() || after.starts_with([')', ';', '&', '\n']) || is_go_unit(after);
        if let Some((length, [zero, same])) = constant::at(&code[begin..], source, language) {
            let is_whole = is_end(code[begin + length..].trim_start());
            return is_whole.then(|| (begin..begin + length, zero, Some(same)));
        }
        let digits =
            code[begin..].find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '_')).unwrap_or(code.len() - begin);
        let number = &code[begin..begin + digits];
        let is_some =
            number.starts_with(|c: char| c.is_ascii_digit() || c == '.') && number.contains(|c| matches!(c, '1'..='9'));
        let after = code[begin + digits..].trim_start();
        let is_whole = is_end(after)
            || UNITS
                .iter()
                .any(|unit| after.strip_prefix(unit).is_some_and(|after| after.trim_start().starts_with(')')));
        let zero = if number.contains('.') { "0.0" } else { "0" };
        (is_some && is_whole).then(|| (begin..begin + digits, zero.to_owned(), None))
    })
}

/// The position of the time in `new Promise((resolve) => setTimeout(resolve, 50))`. Other timers do more than wait.
fn of_promise(code: &str, open: usize) -> Option<usize> {
    let comma = open + code[open..].find(',')?;
    (code.contains("Promise") && code[open..comma].chars().all(is_of_name)).then_some(comma + 1)
}

/// Whether the line is inside a loop of its function, by indentation.
fn is_in_loop(lines: &[&str], at: usize) -> bool {
    let begins = |line: &str, words: &[&str]| {
        words.iter().any(|word| {
            line.strip_prefix(word).is_some_and(|rest| word.ends_with(' ') || !rest.starts_with(is_of_name))
        })
    };
    if begins(lines[at].trim_start(), &LOOPS) {
        return true;
    }
    let mut inner = indent(lines[at]);
    for line in lines[..at].iter().rev().filter(|line| !line.trim().is_empty()) {
        let text = line.trim_start().trim_start_matches(['}', ' ']);
        if indent(line) >= inner {
            continue;
        }
        inner = indent(line);
        if begins(text, &LOOPS) {
            return true;
        }
        if begins(text, &FUNCTIONS) {
            return false;
        }
    }
    false
}

#[cfg(test)]
pub(in crate::gate::no_waits) mod tests {
    use super::*;

    pub(in crate::gate::no_waits) fn without(path: &str, now: &str) -> Option<String> {
        let found = added(Path::new(path), "", now);
        (!found.is_empty()).then(|| at_once(now, &found))
    }

    // P-5
    #[test]
    fn a_sleep_of_a_fixed_time_is_set_to_nothing() {
        for (path, now, expected) in [
            ("a.py", "def f():\n    time.sleep(0.5)\n", "def f():\n    time.sleep(0.0)\n"),
            ("a.py", "await asyncio.sleep(2)\n", "await asyncio.sleep(0)\n"),
            (
                "a.js",
                "await new Promise((done) => setTimeout(done, 50));\n",
                "await new Promise((done) => setTimeout(done, 0));\n",
            ),
            ("a.go", "\ttime.Sleep(50 * time.Millisecond)\n", "\ttime.Sleep(0 * time.Millisecond)\n"),
            ("a.rs", "thread::sleep(Duration::from_millis(20));\n", "thread::sleep(Duration::from_millis(0));\n"),
            ("a.rb", "sleep 0.2\n", "sleep 0.0\n"),
            ("a.sh", "run &\nsleep 1; echo done\n", "run &\nsleep 0; echo done\n"),
            ("a.java", "Thread.sleep(100);\n", "Thread.sleep(0);\n"),
            ("a.cpp", "std::this_thread::sleep_for(50ms);\n", "std::this_thread::sleep_for(0ms);\n"),
            (
                "a.cpp",
                "std::this_thread::sleep_for(std::chrono::milliseconds(50));\n",
                "std::this_thread::sleep_for(std::chrono::milliseconds(0));\n",
            ),
        ] {
            assert_eq!(without(path, now).as_deref(), Some(expected), "{now}");
        }
    }

    // P-5
    #[test]
    fn a_sleep_that_waits_for_an_event_or_is_computed_stays() {
        for (path, now) in [
            ("a.py", "while not ready():\n    time.sleep(0.1)\n"),
            (
                "a.py",
                "def f():\n    for one in range(3):\n        if g():\n            return\n        time.sleep(1)\n",
            ),
            ("a.py", "time.sleep(self.interval - spent)\n"),
            ("a.py", "time.sleep(2 ** attempt)\n"),
            ("a.py", "time.sleep(0)\n"),
            ("a.js", "timer = setTimeout(() => save(), 300);\n"),
            ("a.sh", "until curl -s $url; do sleep 1; done\n"),
            ("a.py", "sleep_time = 5\n"),
        ] {
            assert_eq!(without(path, now), None, "{now}");
        }
        assert!(is_replaced("with patch('app.time.sleep') as slept:") && is_replaced("Retry(sleep=waits.append)"));
        assert!(!is_replaced("time.sleep(0.1)"));
    }
}
