//! Small lexers, one per family of languages. They accept any text, take linear time, and are correct enough to tell
//! code from comments and strings.

mod c_like;
mod python;
mod ruby;

use super::language::Language;
use super::token::{Cursor, Token};

/// The tokens of a source. The shell has its own reader.
pub(super) fn tokens(language: Language, text: &str) -> Vec<Token> {
    let mut cursor = Cursor::new(text);
    if cursor.starts_with("\u{feff}") {
        cursor.skip(3);
    }
    if cursor.starts_with("#!") && !cursor.starts_with("#![") {
        cursor.skip_line();
    }
    match language {
        Language::Python => python::read(&mut cursor),
        Language::Ruby => ruby::read(&mut cursor),
        Language::Shell => {}
        Language::Rust
        | Language::JavaScript
        | Language::Go
        | Language::Java
        | Language::C
        | Language::Cpp
        | Language::Php => c_like::read(&mut cursor, language),
    }
    cursor.tokens
}
