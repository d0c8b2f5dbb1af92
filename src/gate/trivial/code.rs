//! Judges code on the command line of an interpreter. It is trivial if every statement is a constant, prints a constant, or
//! exits with 0.

use super::TrivialReason;

/// The answer for an interpreter: `None` if `name` is no interpreter, `Some(None)` if its code may find something out.
pub(super) fn of_interpreter(name: &str, args: &[&str]) -> Option<Option<TrivialReason>> {
    let flags = flags(name)?;
    let mut rest = args;
    Some(loop {
        match rest {
            [] if args.iter().any(|flag| flag.starts_with("--")) => break None,
            [] | ["-" | "/dev/null", ..] => break Some(TrivialReason::NothingToRun),
            [flag, code, ..] if takes_code(flag, flags) => break of_code(code),
            [flag, ..] if flag.starts_with("-m") => break None,
            [flag, more @ ..] if flag.starts_with('-') => match flag.split_once('=') {
                Some((flag, code)) if flags.contains(&flag) => break of_code(code),
                _ => rest = more,
            },
            [program, ..] if flags == AWK => break of_code(program),
            _ => break None,
        }
    })
}

const AWK: &[&str] = &[""];

/// The options of an interpreter that take code; for awk, the code has no option.
fn flags(name: &str) -> Option<&'static [&'static str]> {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match name {
        "python" | "pypy" => &["-c"],
        "node" | "nodejs" | "bun" => &["-e", "--eval", "-p", "--print", "-pe"],
        "ruby" | "perl" | "lua" | "Rscript" => &["-e", "-E"],
        "php" => &["-r"],
        "awk" | "gawk" | "mawk" | "nawk" => AWK,
        _ => return None,
    })
}

/// Whether code follows the word: `-c`, or joined letters such as `-Ic`.
fn takes_code(word: &str, flags: &[&str]) -> bool {
    flags.iter().any(|flag| {
        word == *flag
            || (flag.len() == 2 && word.starts_with('-') && !word.starts_with("--") && word.ends_with(&flag[1..]))
    })
}

/// The answer for the text of a script; `None` if `name` is no known interpreter or the script may find something out.
pub(super) fn of_file(name: &str, text: &str) -> Option<TrivialReason> {
    flags(name).filter(|flags| *flags != AWK).and_then(|_| of_code(text))
}

fn of_code(code: &str) -> Option<TrivialReason> {
    code.split([';', '\n', '{', '}'])
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .all(|part| is_idle(&part))
        .then_some(TrivialReason::CannotFail)
}

/// Functions that only print their argument, or discard it.
const PRINTS: [&str; 11] = [
    "print", "puts", "say", "console.log", "console.info", "echo", "printf", "p", "sys.stdout.write",
    "process.stdout.write", "void",
];

fn is_idle(statement: &str) -> bool {
    let statement = statement.split_once(" #").map_or(statement, |(before, _)| before).trim();
    if statement.is_empty() || statement.starts_with('#') || statement.starts_with("//") || is_constant(statement) {
        return true;
    }
    let (verb, argument) = split_call(statement);
    match verb {
        "pass" | "..." | "BEGIN" | "END" | "return" | "nil" | "undefined" => {
            argument.is_empty() || is_constant(argument)
        }
        "import" => argument.split(',').all(|name| matches!(name.trim(), "sys" | "os" | "time" | "json" | "re")),
        "exit" | "quit" | "sys.exit" | "os._exit" | "process.exit" | "die" | "SystemExit" | "os.exit" => {
            matches!(argument, "" | "0" | "None" | "true")
        }
        "raise" => matches!(argument, "SystemExit" | "SystemExit()" | "SystemExit(0)" | "SystemExit(None)"),
        "assert" => is_truth(argument),
        verb if PRINTS.contains(&verb) => argument.is_empty() || is_constant(argument),
        _ => false,
    }
}

/// Splits `f(x)`, `f x` and `f` into the function and its argument.
fn split_call(statement: &str) -> (&str, &str) {
    let end = statement.find(['(', ' ']).unwrap_or(statement.len());
    let argument = statement[end..].trim();
    let inner = argument.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(argument);
    (&statement[..end], inner.trim())
}

/// Whether this is a number, a truth value, or quoted text without interpolation.
fn is_constant(text: &str) -> bool {
    let quoted = |quote: char| {
        text.strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
            .is_some_and(|inner| !inner.contains(quote) && !inner.contains("${") && !inner.contains("#{"))
    };
    is_truth(text)
        || matches!(text, "0" | "False" | "false" | "None" | "null" | "void 0" | "''" | "\"\"")
        || quoted('\'')
        || quoted('"')
        || (quoted('`') && !text.contains('$'))
}

fn is_truth(text: &str) -> bool {
    match text.split_once("==") {
        Some((left, right)) => left.trim() == right.trim() && is_constant(left.trim()),
        None => {
            matches!(text, "True" | "true" | "not False")
                || text.parse::<f64>().is_ok_and(|number| number != 0.0 && number.is_finite())
        }
    }
}
