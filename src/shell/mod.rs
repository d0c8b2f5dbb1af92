//! Shell text: quoting, a lexer for any text, and the strict reader for the lines that `plan` runs itself.

pub mod commands;
pub mod lex;
pub mod list;
pub mod strict;

/// Writes `text` so that a shell, and `plan` itself, read it as one word again.
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:+@%^".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Whether the program is a shell, which runs a script given with `-c`.
pub(crate) fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "mksh" | "fish")
}

/// Whether a word is an assignment, `NAME=value`.
pub fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// Whether `text` can be the name of a shell variable.
pub fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
