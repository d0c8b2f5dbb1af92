//! Changes that show whether verify reads a file at all, and whether it runs the file. And a comment, which no honest test can notice.

use super::language::Language::{self, C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use super::source::readable;

/// Returns the source with a first line that its language rejects before anything runs. The line comes after `#!` and a byte order mark.
pub fn break_syntax(path: &str, source: &[u8]) -> Option<Vec<u8>> {
    let language = Language::of(path, source)?;
    let text = readable(source)?;
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = &text[mark..];
    let interpreter = rest.starts_with("#!") && !rest.starts_with("#![");
    let at = if interpreter { mark + rest.find('\n').map_or(rest.len(), |end| end + 1) } else { mark };
    let line = match language {
        // A shell has already run the lines before an error, so this leaves first.
        Shell => "exit 97\n) plan ( ;; fi\n",
        Php => "<?php ) plan ( ?>\n",
        Python | Rust | JavaScript | Go | Ruby | Java | C | Cpp => ") plan ( ] } \" '\n",
    };
    let newline = if at > 0 && !text[..at].ends_with('\n') && interpreter { "\n" } else { "" };
    Some([&text[..at], newline, line, &text[at..]].concat().into_bytes())
}

/// Returns a file that only fails, with `mark` in its message, as soon as it is run or loaded. A program that only reads it finds nothing
/// wrong. The head (`#!`, comments such as a licence) stays, and so does all that a compiler needs. `None` if this is not certain for the
/// language.
pub fn only_raises(path: &str, source: &[u8], mark: &str) -> Option<Vec<u8>> {
    let text = readable(source)?;
    // Other files include a header: its content would then be in a program twice.
    let is_header = path.rsplit_once('.').is_some_and(|(_, ending)| ending.starts_with(['h', 'H']));
    let (comment, line) = match Language::of(path, source)? {
        Python => ("#", format!("raise RuntimeError(\"{mark}\")\n")),
        JavaScript => ("//", format!("throw new Error(\"{mark}\");\n")),
        Ruby => ("#", format!("raise \"{mark}\"\n")),
        Shell => ("#", format!("echo \"{mark}\" >&2\nexit 97\n")),
        C if !is_header => {
            let body = format!("{{ __builtin_puts(\"{mark}\"); __builtin_exit(97); }}");
            let line = format!("\n__attribute__((constructor)) static void run_by_plan(void) {body}\n");
            return Some([text, &line].concat().into_bytes());
        }
        C | Cpp | Rust | Go | Java | Php => return None,
    };
    let is_head = |line: &&str| line.starts_with(comment) || line.starts_with("#!");
    let head: String = text.split_inclusive('\n').take_while(is_head).collect();
    let newline = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    Some([&head, newline, &line].concat().into_bytes())
}

/// Returns the source with a comment line at its end, formatted as formatters do it. `None` if the end may not be code.
pub fn with_comment(path: &str, source: &[u8]) -> Option<Vec<u8>> {
    let text = readable(source).filter(|text| !text.trim().is_empty())?;
    let language = Language::of(path, source)?;
    // The text after these words is data, in Ruby and in scripts that read themselves.
    let has_data = text.lines().any(|line| matches!(line.trim_end(), "__END__" | "__DATA__" | "__ARCHIVE__"));
    if has_data || text.trim_end().ends_with('\\') {
        return None;
    }
    let (blank, line) = match language {
        // After `?>` it would be printed; after `exit` or in a here document it may be data.
        Php | Shell => return None,
        // Two blank lines follow a function, as black formats it.
        Python => (2, "# Nothing more."),
        Ruby => (1, "# Nothing more."),
        Rust | JavaScript | Go | Java | C | Cpp => (1, "/* Nothing more. */"),
    };
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let whole = if text.ends_with('\n') { "" } else { end };
    Some([text, whole, &end.repeat(blank), line, end].concat().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn what_only_raises_keeps_its_head_and_nothing_else() {
        let raises = |path: &str, source: &str| {
            only_raises(path, source.as_bytes(), "m").map(|bytes| String::from_utf8(bytes).unwrap())
        };
        let python = raises("a.py", "#!/usr/bin/env python3\n# MIT\nimport os\n# more\n");
        assert_eq!(python.unwrap(), "#!/usr/bin/env python3\n# MIT\nraise RuntimeError(\"m\")\n");
        assert_eq!(raises("a.js", "// MIT\nlet a;\n").unwrap(), "// MIT\nthrow new Error(\"m\");\n");
        assert_eq!(raises("a.sh", "#!/bin/sh").unwrap(), "#!/bin/sh\necho \"m\" >&2\nexit 97\n");
        let c = raises("a.c", "int one(void) { return 1; }\n").unwrap();
        assert!(
            c.starts_with("int one(void)") && c.contains("constructor") && c.contains("__builtin_puts(\"m\")"),
            "{c}"
        );
        assert_eq!(raises("a.h", "int one(void);\n"), None);
        assert_eq!(raises("a.rs", "fn main() {}\n"), None);
        assert_eq!(raises("expected.txt", "1\n"), None);
    }
}
