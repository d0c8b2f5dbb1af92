//! Adds a comment after the last line, which no honest test can notice.

use super::language::Language;
use super::source::readable;

/// The source with a comment line at its end, formatted as formatters do it. None if the end may not be code.
pub fn with_comment(path: &str, source: &[u8]) -> Option<Vec<u8>> {
    let text = readable(source).filter(|text| !text.trim().is_empty())?;
    let language = Language::of(path, source)?;
    // The text after these words is data, for Ruby and for scripts that read themselves.
    let has_data = text.lines().any(|line| matches!(line.trim_end(), "__END__" | "__DATA__" | "__ARCHIVE__"));
    if has_data || text.trim_end().ends_with('\\') {
        return None;
    }
    let (blank, line) = match language {
        // After `?>` it would be printed; after `exit` or in a here document it may be data.
        Language::Php | Language::Shell => return None,
        // Two blank lines follow a function, as black formats it.
        Language::Python => (2, "# Nothing more."),
        Language::Ruby => (1, "# Nothing more."),
        _ => (1, "/* Nothing more. */"),
    };
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let whole = if text.ends_with('\n') { "" } else { end };
    Some([text, whole, &end.repeat(blank), line, end].concat().into_bytes())
}
