//! A change that no loader of the language takes: whether verify reads the file at all.

use super::language::Language;
use super::source::readable;

/// The source with a first line that its language rejects before anything of it runs; behind `#!` and a byte order mark.
pub fn break_syntax(path: &str, source: &[u8]) -> Option<Vec<u8>> {
    let language = Language::of(path, source)?;
    let text = readable(source)?;
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = &text[mark..];
    let interpreter = rest.starts_with("#!") && !rest.starts_with("#![");
    let at = if interpreter { mark + rest.find('\n').map_or(rest.len(), |end| end + 1) } else { mark };
    let line = match language {
        // What a shell has run before it meets an error stays done: it leaves first.
        Language::Shell => "exit 97\n) plan ( ;; fi\n",
        Language::Php => "<?php ) plan ( ?>\n",
        _ => ") plan ( ] } \" '\n",
    };
    let newline = if at > 0 && !text[..at].ends_with('\n') && interpreter { "\n" } else { "" };
    Some([&text[..at], newline, line, &text[at..]].concat().into_bytes())
}
