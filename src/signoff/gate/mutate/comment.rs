//! A change that no honest test can notice: a comment behind the last line.

use super::language::Language;
use super::source::readable;

/// The source with a comment line at its end, as formatters would have it. None where what stands at the end may be no code.
pub fn with_comment(path: &str, source: &[u8]) -> Option<Vec<u8>> {
    let text = readable(source).filter(|text| !text.trim().is_empty())?;
    let language = Language::of(path, source)?;
    // What follows these words is data: for Ruby, for scripts that read themselves.
    let has_data = text.lines().any(|line| matches!(line.trim_end(), "__END__" | "__DATA__" | "__ARCHIVE__"));
    if has_data || text.trim_end().ends_with('\\') {
        return None;
    }
    let (blank, line) = match language {
        // Behind `?>` it would be printed; behind `exit` or in a here document it may be data.
        Language::Php | Language::Shell => return None,
        // Two blank lines behind a function, as black has it.
        Language::Python => (2, "# Nothing more."),
        Language::Ruby => (1, "# Nothing more."),
        _ => (1, "/* Nothing more. */"),
    };
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let whole = if text.ends_with('\n') { "" } else { end };
    Some([text, whole, &end.repeat(blank), line, end].concat().into_bytes())
}
