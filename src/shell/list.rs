//! The structure of a shell script: lists, pipelines, simple commands. It covers only the grammar that decides the exit
//! status (POSIX.1-2017, shell command language §2.9), and rejects everything else.

use super::commands::is_redirect;
use super::lex::{self, ShellTokenKind};

/// Commands in sequence.
pub struct CommandList(pub Vec<AndOr>);

/// `a && b || c`
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// The other pipelines, each with the operator before it.
    pub rest: Vec<(Join, Pipeline)>,
    /// It ends with `&`, so the shell does not wait for it.
    pub background: bool,
}

/// How two pipelines are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// `! a | b`
pub struct Pipeline {
    /// An odd number of `!` is in front of it.
    pub negated: bool,
    /// Its commands, at least one.
    pub parts: Vec<PipelineCommand>,
}

/// One command of a pipeline.
pub enum PipelineCommand {
    /// Its words, with quotes resolved.
    Simple(Vec<String>),
    /// `( list )` or `{ list; }`
    Group(CommandList),
}

/// Reads a script. Returns `None` if it uses syntax that is not supported here: loops, branches, functions, here documents.
pub fn read(script: &str) -> Option<CommandList> {
    let mut parser = Parser { tokens: tokens(script)?, at: 0, depth: 0 };
    let list = parser.list(None)?;
    (parser.at == parser.tokens.len()).then_some(list)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'s> {
    Word { text: String, quoted: bool },
    Op(&'s str),
}

/// How deep groups may nest.
const DEEPEST: usize = 16;

/// Words that start a compound command, which is not supported.
const BEYOND: [&str; 12] =
    ["if", "then", "for", "while", "until", "case", "function", "select", "do", "else", "coproc", "[["];

struct Parser<'s> {
    tokens: Vec<Token<'s>>,
    at: usize,
    depth: usize,
}

impl<'s> Parser<'s> {
    fn op(&self) -> Option<&'s str> {
        match self.tokens.get(self.at) {
            Some(Token::Op(op)) => Some(op),
            _ => None,
        }
    }

    /// Returns the next word, if it is not quoted.
    fn word(&self) -> Option<&str> {
        match self.tokens.get(self.at) {
            Some(Token::Word { text, quoted: false }) => Some(text),
            _ => None,
        }
    }

    fn skip_lines(&mut self) {
        while matches!(self.op(), Some("\n")) {
            self.at += 1;
        }
    }

    /// Reads up to `end`, which stays unread, or to the end of the script.
    fn list(&mut self, end: Option<&str>) -> Option<CommandList> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut list = Vec::new();
        loop {
            while matches!(self.op(), Some("\n" | ";")) {
                self.at += 1;
            }
            if self.at == self.tokens.len() || end.is_some_and(|end| self.op() == Some(end) || self.word() == Some(end))
            {
                self.depth -= 1;
                return Some(CommandList(list));
            }
            let mut and_or = self.and_or()?;
            and_or.background = self.op() == Some("&");
            match self.op() {
                Some(";" | "\n" | "&") => self.at += 1,
                Some(op) if Some(op) == end => {}
                None if self.at == self.tokens.len() => {}
                _ => return None,
            }
            list.push(and_or);
        }
    }

    fn and_or(&mut self) -> Option<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            let join = match self.op() {
                Some("&&") => Join::And,
                Some("||") => Join::Or,
                _ => return Some(AndOr { first, rest, background: false }),
            };
            self.at += 1;
            self.skip_lines();
            rest.push((join, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Option<Pipeline> {
        let mut negated = false;
        while self.word() == Some("!") {
            negated = !negated;
            self.at += 1;
        }
        let mut parts = vec![self.part()?];
        while self.op() == Some("|") {
            self.at += 1;
            self.skip_lines();
            parts.push(self.part()?);
        }
        Some(Pipeline { negated, parts })
    }

    fn part(&mut self) -> Option<PipelineCommand> {
        let close = match (self.op(), self.word()) {
            (Some("("), _) => Some(")"),
            (_, Some("{")) => Some("}"),
            _ => None,
        };
        if let Some(close) = close {
            self.at += 1;
            let list = self.list(Some(close))?;
            if self.op() != Some(close) && self.word() != Some(close) {
                return None;
            }
            self.at += 1;
            return Some(PipelineCommand::Group(list));
        }
        if self.word().is_some_and(|word| BEYOND.contains(&word)) {
            return None;
        }
        let mut words = Vec::new();
        while let Some(Token::Word { text, .. }) = self.tokens.get(self.at) {
            words.push(text.clone());
            self.at += 1;
        }
        // A parenthesis after a word defines a function.
        (!words.is_empty() && self.op() != Some("(")).then_some(PipelineCommand::Simple(words))
    }
}

/// Returns the tokens of a script without its redirections; `None` for an unclosed quote, a here document, `;;` or a process substitution.
fn tokens(script: &str) -> Option<Vec<Token<'_>>> {
    let mut found = Vec::new();
    let mut is_target = false;
    let mut number = None;
    let mut end = 0;
    for token in lex::tokens(script) {
        let source = &script[token.range.clone()];
        let is_joined = token.range.start == end;
        end = token.range.end;
        match token.kind {
            _ if token.open => return None,
            ShellTokenKind::Word if std::mem::take(&mut is_target) => {}
            ShellTokenKind::Word => {
                let is_number = !token.quoted && token.text.bytes().all(|byte| byte.is_ascii_digit());
                number = is_number.then_some(found.len());
                found.push(Token::Word { text: token.text, quoted: token.quoted });
                continue;
            }
            ShellTokenKind::Document => return None,
            ShellTokenKind::Op if source == ";;" || source.starts_with("<<") => return None,
            // `<(a)` and `>(a)` are files.
            ShellTokenKind::Op if source == "(" && is_target && is_joined => return None,
            ShellTokenKind::Op if is_redirect(source) => {
                // `2>`: the number belongs to the redirection.
                if number.take().is_some_and(|at| is_joined && at + 1 == found.len()) {
                    found.pop();
                }
                is_target = true;
            }
            ShellTokenKind::Op => found.push(Token::Op(if source == "|&" { "|" } else { source })),
            ShellTokenKind::Newline => found.push(Token::Op("\n")),
        }
        number = None;
    }
    Some(found)
}
