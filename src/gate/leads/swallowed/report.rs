//! Statements that only report something: a call of a logger, or a print.

/// The maximum length of a statement, in bytes.
const LONGEST: usize = 1000;

/// Functions that report, whatever they belong to, in lower case.
const ANYWHERE: [&str; 10] = [
    "print_exc", "printstacktrace", "println", "printf", "writeline", "fprint", "fprintln", "fprintf", "nslog",
    "error_log",
];
/// Functions that report if they belong to nothing.
const ALONE: [&str; 3] = ["print", "puts", "pprint"];
const LOGGERS: [&str; 9] = ["log", "logger", "logging", "slog", "klog", "glog", "logrus", "console", "tracing"];
/// How the function of a logger begins. `fatal` and `panic` end the program.
const LEVELS: [&str; 11] =
    ["trace", "debug", "info", "notice", "warn", "err", "exception", "critical", "severe", "log", "print"];

pub(super) struct Skipped<'t> {
    /// The number of statements that only report.
    pub reports: usize,
    /// The first line after them.
    pub next: Option<&'t str>,
}

/// Skips blank lines and statements that only report. A comment ends them: it may say why the error is dropped.
pub(super) fn skip<'t>(lines: impl Iterator<Item = &'t str>) -> Skipped<'t> {
    let (mut reports, mut statement, mut first) = (0, String::new(), None);
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let begin = *first.get_or_insert(line);
        statement.push_str(line.trim());
        match read(&statement) {
            Read::Open if statement.len() < LONGEST => {}
            Read::Done(rest) if rest.is_empty() || rest.starts_with(['#', '/']) => {
                reports += 1;
                first = None;
                statement.clear();
            }
            _ => return Skipped { reports, next: Some(begin) },
        }
    }
    Skipped { reports, next: first }
}

/// Whether there are statements in this line, and all of them only report.
pub(super) fn is_all(line: &str) -> bool {
    let mut rest = line.trim();
    while let Read::Done(more) = read(rest) {
        if more.is_empty() || more.starts_with('#') {
            return true;
        }
        rest = more;
    }
    false
}

enum Read<'t> {
    /// It reports; the text after it.
    Done(&'t str),
    /// It reports, and goes on in the next line.
    Open,
    Other,
}

fn read(text: &str) -> Read<'_> {
    let text = text.strip_prefix("await ").unwrap_or(text);
    let Some(open) = text.find('(').filter(|open| reports(&text[..*open])) else { return Read::Other };
    let (mut depth, mut quote, mut is_escaped) = (0_usize, None, false);
    for (at, c) in text[open..].char_indices() {
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(quoted), _) if quoted == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 1 => return Read::Done(text[open + at + 1..].trim_start_matches([' ', ';'])),
            (None, ')') => depth -= 1,
            (None, _) => {}
        }
    }
    Read::Open
}

/// Whether a call of `path` reports: `console.error`, `$this->logger->warning`.
fn reports(path: &str) -> bool {
    let path = path.to_lowercase();
    let is_part = |c: char| c.is_alphanumeric() || "_$.->:".contains(c);
    let mut parts = path.rsplit(['.', '-', '>', ':']).filter(|part| !part.is_empty());
    let Some(last) = parts.next().filter(|_| path.chars().all(is_part)) else { return false };
    let is_of = |owner: &str| match owner.trim_start_matches('_') {
        "stderr" | "stdout" => last == "write",
        owner if LOGGERS.contains(&owner) || owner.ends_with("_log") || owner.ends_with("logger") => {
            // Android: `Log.e`.
            last.len() == 1 || LEVELS.iter().any(|level| last.starts_with(level))
        }
        _ => false,
    };
    ANYWHERE.contains(&last) || parts.next().map_or(ALONE.contains(&last), is_of)
}
