//! Reads the simple commands of shell text one after the other, whatever joins them.

use super::lex::{ShellToken, ShellTokenKind};

/// A simple command.
#[derive(Debug)]
pub struct SimpleCommand<'t> {
    /// Its text with redirections.
    pub source: &'t str,
    /// Its words without redirections. A command has at least one word or redirection.
    pub words: Vec<&'t ShellToken>,
    /// Its redirections.
    pub redirects: Vec<Redirect<'t>>,
    /// Its output goes to the next command.
    pub piped: bool,
}

/// A redirection.
#[derive(Clone, Copy, Debug)]
pub struct Redirect<'t> {
    /// `>`, `>>`, `2>&`, … without its number; `<<E` for a here document.
    pub op: &'t str,
    /// The word after it; for a here document, the token of the document.
    pub target: Option<&'t ShellToken>,
}

impl Redirect<'_> {
    /// Whether it writes to a file. `/dev/null` and other open outputs (`2>&1`) do not count.
    pub fn writes(&self) -> bool {
        let to = self.target.map_or("", |target| target.text.as_str());
        self.op.contains('>') && to != "/dev/null" && !(self.op.ends_with('&') && is_number(to))
    }
}

/// Returns the simple commands in `tokens`, which are the tokens of `text`.
pub fn simple_commands<'t>(text: &'t str, tokens: &'t [ShellToken]) -> Vec<SimpleCommand<'t>> {
    let is_end = |token: &ShellToken| match token.kind {
        ShellTokenKind::Newline => true,
        ShellTokenKind::Op => !is_redirect(&text[token.range.clone()]),
        ShellTokenKind::Word | ShellTokenKind::Document => false,
    };
    let mut commands = Vec::new();
    for part in tokens.split_inclusive(|token| is_end(token)) {
        let (end, own) = match part.split_last() {
            Some((end, own)) if is_end(end) => (&text[end.range.clone()], own),
            _ => ("", part),
        };
        let ([first, ..], [.., last]) = (own, own) else { continue };
        let source = &text[first.range.start..last.range.end];
        let mut command =
            SimpleCommand { source, words: Vec::new(), redirects: Vec::new(), piped: matches!(end, "|" | "|&") };
        command.read(text, own);
        commands.push(command);
    }
    commands
}

impl<'t> SimpleCommand<'t> {
    fn read(&mut self, text: &'t str, tokens: &'t [ShellToken]) {
        let mut op = None;
        for token in tokens {
            match token.kind {
                ShellTokenKind::Word => match op.take() {
                    Some(op) => self.redirects.push(Redirect { op, target: Some(token) }),
                    None => self.words.push(token),
                },
                ShellTokenKind::Document => {
                    self.redirects.push(Redirect { op: &text[token.range.clone()], target: Some(token) });
                }
                ShellTokenKind::Op | ShellTokenKind::Newline => {
                    // `2>`: the number belongs to the redirection.
                    let is_its = |word: &&ShellToken| word.range.end == token.range.start && is_number(&word.text);
                    if op.is_none() && self.words.last().is_some_and(|word| !word.quoted && is_its(word)) {
                        self.words.pop();
                    }
                    op = Some(&text[token.range.clone()]);
                }
            }
        }
    }
}

/// Whether an operator redirects input or output.
pub fn is_redirect(op: &str) -> bool {
    op.contains(['<', '>'])
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::lex::tokens;

    #[test]
    fn redirections_are_no_words_and_a_number_belongs_to_its_own() {
        let told = |text: &str| {
            let tokens = tokens(text);
            let told = simple_commands(text, &tokens);
            let told = told.iter().map(|command| {
                let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
                (words.join(" "), command.redirects.iter().filter(|redirect| redirect.writes()).count(), command.piped)
            });
            told.collect::<Vec<_>>()
        };
        let one = |words: &str, writes, piped| vec![(words.to_owned(), writes, piped)];
        assert_eq!(told("make test >log 2>&1"), one("make test", 1, false));
        assert_eq!(told("echo 2 > log"), one("echo 2", 1, false));
        assert_eq!(told("make 2>/dev/null <in"), one("make", 0, false));
        assert_eq!(told("make &>>log"), one("make", 1, false));
        assert_eq!(told("a|b;(c)"), [("a".into(), 0, true), ("b".into(), 0, false), ("c".into(), 0, false)]);
        assert_eq!(told("cat >f <<E\nx > y\nE\nb"), [("cat".into(), 1, false), ("b".into(), 0, false)]);
    }
}
