//! Finds sleeps whose time is a constant of the same file: `time.sleep(DRAIN)`.

use crate::gate::source_text::{is_of_name, whole_words};
use crate::mutate::Language;

/// The words of durations, beside numbers, in the definition of a constant.
const DURATIONS: [&str; 18] = [
    "Duration", "from_millis", "from_secs", "from_secs_f64", "from_secs_f32", "time", "core", "std", "chrono",
    "Nanosecond", "Microsecond", "Millisecond", "Second", "milliseconds", "seconds", "microseconds", "nanoseconds",
    "chrono_literals",
];

/// Returns the length of the name at the beginning of `code`, the text that makes it 0, and one of the same form that
/// leaves its value, if the file defines the name as a fixed number and mentions it nowhere else. The change is made here
/// and not in the definition: a name that stands elsewhere may be a divisor or a time-out too.
pub(super) fn at(code: &str, source: &str, language: Option<Language>) -> Option<(usize, [String; 2])> {
    let is_of_path = |c: char| is_of_name(c) || matches!(c, '.' | ':');
    let path_end = |code: &str| code.find(|c| !is_of_path(c)).unwrap_or(code.len());
    let (length, path) = match language {
        Some(Language::Shell) => {
            let (open, close) = [("\"${", "}\""), ("\"$", "\""), ("${", "}"), ("$", "")]
                .into_iter()
                .find(|(open, _)| code.starts_with(open))?;
            let path = &code[open.len()..][..path_end(&code[open.len()..])];
            code[open.len() + path.len()..].strip_prefix(close)?;
            (open.len() + path.len() + close.len(), path)
        }
        _ => (path_end(code), &code[..path_end(code)]),
    };
    let name = path.rsplit(['.', ':']).next()?;
    // A field in lower case may be told by a caller.
    let is_field = path.contains('.') && name.contains(char::is_lowercase);
    if is_field || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let mentions: Vec<usize> =
        whole_words(source, name, is_of_name).filter(|at| !is_in_comment(source, *at)).take(3).collect();
    if mentions.len() != 2 || !mentions.iter().any(|at| is_defined_at(source, *at, name)) {
        return None;
    }
    let texts = match language {
        // The variable must stay used, for linters.
        Some(Language::Shell) => [format!("${{{path}:+0}}"), format!("${{{path}:-0}}")],
        // The type has no other zero that is written the same for numbers and durations.
        Some(Language::Rust) => {
            [format!("std::mem::take(&mut {{ {path} }})"), format!("std::hint::black_box({{ {path} }})")]
        }
        _ => [format!("{path} * 0"), format!("{path} * 1")],
    };
    Some((length, texts))
}

/// Whether this position is inside a comment that begins in its line.
fn is_in_comment(source: &str, at: usize) -> bool {
    let line = &source[source[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    let is_of_line = line.trim_start().starts_with(['#', '*']) && !line.contains("#define");
    is_of_line || [" #", "//", "/*"].iter().any(|opener| line.contains(opener))
}

/// Whether the line of this mention defines the name as a number: `const DRAIN: f64 = 0.5;`, `#define DRAIN 50`.
fn is_defined_at(source: &str, at: usize, name: &str) -> bool {
    let begin = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = source[at..].find('\n').map_or(source.len(), |end| at + end);
    let (before, after) = (source[begin..at].trim_start(), &source[at + name.len()..end]);
    let is_type = |c: char| is_of_name(c) || matches!(c, ' ' | '\t' | ':' | '<' | '>' | '.' | '&' | '*');
    let value = match before.strip_prefix("#define ") {
        Some(rest) if rest.trim().is_empty() => after,
        _ => {
            let Some(at) = after.find(['=', '{']) else { return false };
            let (kind, value) = (&after[..at], after[at + 1..].trim_end_matches(['}', ';']));
            let is_comparison = kind.ends_with(['<', '>']) || value.starts_with('=');
            if is_comparison || !before.chars().all(is_type) || !kind.chars().all(is_type) {
                return false;
            }
            value
        }
    };
    // The parameters of a function may stand on lines of their own.
    let is_open = source[..begin].trim_end().ends_with(['(', ',']);
    if is_open || source[end..].trim_start().starts_with(')') {
        return false;
    }
    let value = [" #", "//", "/*"].iter().fold(value, |value, opener| value.split(opener).next().unwrap_or_default());
    let is_plain = |c: char| is_of_name(c) || matches!(c, ' ' | '\t' | '\r' | '.' | '*' | '/' | '(' | ')' | ':' | ';');
    let words = || value.split(|c| !is_of_name(c)).filter(|word| !word.is_empty());
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    value.chars().all(is_plain)
        && words().all(|word| is_number(word) || DURATIONS.contains(&word))
        && words().any(|word| is_number(word) && word.contains(|c| matches!(c, '1'..='9')))
}

#[cfg(test)]
mod tests {
    use super::super::tests::without;

    // P-5
    #[test]
    fn a_sleep_by_the_name_of_a_number_is_set_to_nothing() {
        for (path, definition, call, expected) in [
            ("a.py", "DRAIN = 0.5", "    time.sleep(DRAIN)", "    time.sleep(DRAIN * 0)"),
            ("a.py", "    DRAIN: float = 0.5", "    time.sleep(self.DRAIN)", "    time.sleep(self.DRAIN * 0)"),
            (
                "a.js",
                "const DRAIN = 50;",
                "  await new Promise((done) => setTimeout(done, DRAIN));",
                "  await new Promise((done) => setTimeout(done, DRAIN * 0));",
            ),
            ("a.go", "const drain = 50 * time.Millisecond", "\ttime.Sleep(drain)", "\ttime.Sleep(drain * 0)"),
            (
                "a.rs",
                "const DRAIN: Duration = Duration::from_millis(20);",
                "    thread::sleep(DRAIN);",
                "    thread::sleep(std::mem::take(&mut { DRAIN }));",
            ),
            (
                "a.rs",
                "const DRAIN: u64 = 20;",
                "    thread::sleep(Duration::from_millis(DRAIN));",
                "    thread::sleep(Duration::from_millis(std::mem::take(&mut { DRAIN })));",
            ),
            (
                "a.cpp", "constexpr auto kDrain = 50ms;", "  std::this_thread::sleep_for(kDrain);",
                "  std::this_thread::sleep_for(kDrain * 0);",
            ),
            ("a.c", "#define DRAIN 5000", "  usleep(DRAIN);", "  usleep(DRAIN * 0);"),
            (
                "a.py", "DRAIN = 2 / 5  # seconds", "    time.sleep(DRAIN)  # DRAIN is enough",
                "    time.sleep(DRAIN * 0)  # DRAIN is enough",
            ),
            (
                "a.cpp", "std::chrono::milliseconds drain{800};", "  std::this_thread::sleep_for(drain);",
                "  std::this_thread::sleep_for(drain * 0);",
            ),
            ("a.sh", "drain=1", "sleep \"$drain\"", "sleep ${drain:+0}"),
            ("a.sh", "readonly drain=1", "sleep ${drain}; echo", "sleep ${drain:+0}; echo"),
        ] {
            let now = format!("{definition}\n\n{call}\n");
            assert_eq!(without(path, &now).as_deref(), Some(format!("{definition}\n\n{expected}\n").as_str()), "{now}");
        }
    }

    // P-5
    #[test]
    fn a_time_that_is_told_or_used_elsewhere_stays() {
        for (path, now) in [
            ("a.sh", "seconds=$1\nsleep \"$seconds\"\n"),
            ("a.sh", "seconds=${1:-5}\nsleep $seconds\n"),
            ("a.py", "def f(drain=0.5):\n    time.sleep(drain)\n"),
            ("a.py", "class Job:\n    drain: float = 0.5\n    def run(self):\n        time.sleep(self.drain)\n"),
            ("a.py", "def f(\n    g,\n    drain=0.5\n):\n    time.sleep(drain)\n"),
            ("a.py", "def f(\n    drain=0.5\n):\n    time.sleep(drain)\n"),
            ("a.py", "DRAIN = int(sys.argv[1])\ntime.sleep(DRAIN)\n"),
            ("a.py", "DRAIN = 0\ntime.sleep(DRAIN)\n"),
            ("a.py", "if x >= 5:\n    time.sleep(x)\n"),
            ("a.py", "DRAIN = 0.5\ntime.sleep(DRAIN)\nstop(timeout=DRAIN)\n"),
            ("a.py", "DRAIN = 0.5\ntime.sleep(DRAIN / 2)\n"),
            ("a.py", "from settings import DRAIN\ntime.sleep(DRAIN)\n"),
        ] {
            assert_eq!(without(path, now), None, "{now}");
        }
    }
}
