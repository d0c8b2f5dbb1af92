//! Makes a test file fail after it has loaded the code under test. If that code ends the process in place of the test, it does so now.

use std::path::Path;

use super::language::Language;
use super::source::{TokenizedSource, readable};

/// The place where a test fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailurePlace {
    /// As soon as the file runs.
    Early,
    /// After the code under test was used, if it is loaded only then.
    Late,
}

/// Returns the file with a failure after the lines that load the code under test, and with `mark` in the failure's message. `None` if this
/// is not certain for the language.
pub fn failing(path: &str, source: &[u8], mark: &str, place: FailurePlace) -> Option<Vec<u8>> {
    let text = readable(source)?;
    let Some(language) = Language::of(path, source) else {
        let is_perl = Path::new(path).extension().is_some_and(|ending| ending == "t" || ending == "pl");
        return if is_perl { behind(text, &["use ", "require "], &format!("die \"{mark}\\n\";")) } else { None };
    };
    match language {
        Language::Python => behind(text, &["import ", "from "], &format!("raise RuntimeError(\"{mark}\")")),
        Language::JavaScript => {
            let loads = ["import ", "const ", "let ", "var "];
            behind(text, &loads, &format!("throw new Error(\"{mark}\");"))
        }
        Language::Ruby => behind(text, &["require", "load "], &format!("raise \"{mark}\"")),
        Language::Php => behind(text, &["require", "include", "use "], &format!("throw new Exception(\"{mark}\");")),
        Language::Shell => behind(text, &[". ", "source "], &format!("echo \"{mark}\" >&2; exit 97")),
        Language::C | Language::Cpp => {
            let ends = format!(" __builtin_puts(\"{mark}\"); __builtin_exit(97);");
            in_main(&TokenizedSource::of(language, source)?, FailurePlace::Early, &ends)
        }
        Language::Java => {
            let throws = format!(" if (true) throw new AssertionError(\"{mark}\"); ");
            in_main(&TokenizedSource::of(language, source)?, place, &throws)
        }
        Language::Rust | Language::Go => None,
    }
}

/// Adds a line after the last statement that loads something: it begins at the left edge with one of these words.
fn behind(text: &str, words: &[&str], line: &str) -> Option<Vec<u8>> {
    let is_variable = |line: &str| ["const ", "let ", "var "].iter().any(|word| line.starts_with(word));
    // A variable loads something only if its line calls `require` or `import`.
    let is_load = |line: &str| !is_variable(line) || line.contains("require(") || line.contains("import(");
    let (mut end, mut at, mut open) = (None, 0, 0i32);
    for own in text.split_inclusive('\n') {
        let loads = words.iter().any(|word| own.starts_with(word)) && is_load(own);
        at += own.len();
        if loads || open > 0 {
            let brackets = |signs: [char; 2]| own.matches(signs).count() as i32;
            open += brackets(['(', '{']) - brackets([')', '}']);
            end = (open <= 0).then_some(at).or(end);
        }
    }
    let end = end?;
    let newline = if text[..end].ends_with('\n') { "" } else { "\n" };
    Some([&text[..end], newline, line, "\n", &text[end..]].concat().into_bytes())
}

/// True for a C program whose main function takes no arguments. What compiles it runs it as a test, whatever its name.
pub fn takes_no_arguments(path: &str, source: &[u8]) -> bool {
    let language = Language::of(path, source).filter(|language| matches!(language, Language::C | Language::Cpp));
    let Some(source) = language.and_then(|language| TokenizedSource::of(language, source)) else { return false };
    (0..source.len()).any(|at| {
        let open = if source.is(at, "int") && source.is(at + 1, "main") { at + 2 } else { return false };
        let close = if source.is(open + 1, "void") { open + 2 } else { open + 1 };
        source.close(open) == Some(close) && source.is(source.after(close + 1), "{")
    })
}

/// Adds statements at the beginning or at the end of a program's main function.
fn in_main(source: &TokenizedSource<'_>, place: FailurePlace, statements: &str) -> Option<Vec<u8>> {
    let (open, close) = source.main_brackets()?;
    let at = match place {
        FailurePlace::Early => source.tokens.get(open)?.range.end,
        FailurePlace::Late => source.tokens.get(close)?.range.start,
    };
    Some([&source.text[..at], statements, &source.text[at..]].concat().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_program_without_arguments_says_so() {
        let is = |source: &str| takes_no_arguments("t.c", source.as_bytes());
        for source in ["int main(void) { return 0; }", "static int a;\nint main()\n{\n    return a;\n}\n"] {
            assert!(is(source), "{source}");
        }
        for source in [
            "int main(int argc, char **argv) { return 0; }",
            "// int main(void) { return 0; }\nint main(int argc, char **argv) { return 0; }",
            "int main(void);",
            "int domain(void) { return 0; }",
        ] {
            assert!(!is(source), "{source}");
        }
    }

    // P-5
    #[test]
    fn a_test_fails_behind_what_it_loads() {
        let early = |path: &str, source: &str| {
            failing(path, source.as_bytes(), "m", FailurePlace::Early).map(|bytes| String::from_utf8(bytes).unwrap())
        };
        for (path, source, expected) in [
            (
                "run.py",
                "import sys\nfrom a import (\n    b,\n)\nassert b() == 1\n",
                "import sys\nfrom a import (\n    b,\n)\nraise RuntimeError(\"m\")\nassert b() == 1\n",
            ),
            (
                "t.mjs",
                "import { a } from './a.mjs';\nconst b = 1;\n",
                "import { a } from './a.mjs';\nthrow new Error(\"m\");\nconst b = 1;\n",
            ),
            ("t.js", "const {\n  a,\n} = require('./a');\na();\n", "const {\n  a,\n} = require('./a');\na();\n"),
            ("t.t", "use strict;\nuse A;\nok(1);\n", "use strict;\nuse A;\ndie \"m\\n\";\nok(1);\n"),
            ("t.sh", "set -e\n. ./a.sh\n[ 1 ]\n", "set -e\n. ./a.sh\necho \"m\" >&2; exit 97\n[ 1 ]\n"),
            (
                "run.php",
                "<?php\nrequire 'a.php';\nexit(a());\n",
                "<?php\nrequire 'a.php';\nthrow new Exception(\"m\");\nexit(a());\n",
            ),
            (
                "t.c",
                "int main(void) { return a(); }\n",
                "int main(void) { __builtin_puts(\"m\"); __builtin_exit(97); return a(); }\n",
            ),
        ] {
            let found = early(path, source);
            assert_eq!(found.as_deref(), Some(expected).filter(|expected| *expected != source), "{path}");
        }
        let java = "class T { public static void main(String[] a) { f(); } }\n";
        let late = failing("T.java", java.as_bytes(), "m", FailurePlace::Late).unwrap();
        assert!(String::from_utf8(late).unwrap().contains("f();  if (true) throw new AssertionError(\"m\"); }"));
        assert_eq!(early("t.rs", "fn main() {}\n"), None);
        assert_eq!(early("t.py", "assert 1\n"), None);
    }
}
