//! The language of a file, as far as a tokenizer must know it.

use std::path::Path;

/// A language with a lexer here. Code that treats languages differently lists all, so that the compiler names each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.py`, `.pyi`.
    Python,
    /// `.rs`.
    Rust,
    /// `.js`, `.mjs`, `.cjs`, `.jsx`, `.ts`, `.mts`, `.cts`, `.tsx`.
    JavaScript,
    /// `.go`.
    Go,
    /// `.sh`, `.bash`, `.zsh`, `.ksh`, `.dash`, `.bats`.
    Shell,
    /// `.rb`, `Rakefile`.
    Ruby,
    /// `.java`.
    Java,
    /// `.c`, `.h`.
    C,
    /// `.cc`, `.cpp`, `.cxx`, `.hh`, `.hpp`, `.hxx`, and `.h` with `::` in it.
    Cpp,
    /// `.php`.
    Php,
}

use Language::{C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};

impl Language {
    /// Finds the language by the extension, or by the program in the `#!` line.
    pub fn of(path: &str, source: &[u8]) -> Option<Language> {
        let path = Path::new(path);
        let name = path.file_name()?.to_str()?;
        let Some(extension) = path.extension().and_then(|e| e.to_str()) else {
            return if name == "Rakefile" { Some(Ruby) } else { of_first_line(source) };
        };
        Some(match extension.to_ascii_lowercase().as_str() {
            "py" | "pyi" | "pyw" => Python,
            "rs" => Rust,
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => JavaScript,
            "go" => Go,
            "sh" | "bash" | "zsh" | "ksh" | "dash" | "bats" => Shell,
            "rb" | "rake" => Ruby,
            "java" => Java,
            // In C, `vector<int>` would be a comparison. The compiler would reject its mutant, which says nothing about tests.
            "h" if memchr::memmem::find(source, b"::").is_some() => Cpp,
            "c" | "h" => C,
            "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => Cpp,
            "php" => Php,
            _ => return of_first_line(source),
        })
    }

    /// True if types may be written `A<B>`.
    pub(super) fn has_generics(self) -> bool {
        match self {
            Rust | JavaScript | Java | Cpp => true,
            Python | Go | Shell | Ruby | C | Php => false,
        }
    }

    /// True if loading the file already fails for a wrong type, whatever the tests check.
    pub(super) fn is_compiled(self) -> bool {
        match self {
            Rust | Go | Java | C | Cpp => true,
            Python | JavaScript | Shell | Ruby | Php => false,
        }
    }

    pub(super) fn ends_statements_with_lines(self) -> bool {
        match self {
            Python | Go | Ruby | JavaScript | Shell => true,
            Rust | Java | C | Cpp | Php => false,
        }
    }

    /// True if functions may have names like types, so that only braces tell a type: `User{…}`.
    pub(super) fn names_functions_like_types(self) -> bool {
        match self {
            Go | C | Cpp => true,
            Python | Rust | JavaScript | Shell | Ruby | Java | Php => false,
        }
    }
}

/// Finds the language by a line such as `#!/bin/sh`, `#!/usr/bin/env python3`, `#!/usr/bin/env -S node --test`.
fn of_first_line(source: &[u8]) -> Option<Language> {
    let line = source.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut programs = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = programs.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    Some(match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "python" | "pypy" => Python,
        "node" | "bun" | "deno" | "tsx" | "ts-node" => JavaScript,
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "bats" => Shell,
        "ruby" => Ruby,
        "php" => Php,
        _ => return None,
    })
}
