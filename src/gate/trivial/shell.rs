//! The structure of a shell script: lists, pipelines, simple commands. It covers only the grammar that decides the exit
//! status (POSIX.1-2017, shell command language §2.9), and rejects everything else.

/// Commands in sequence.
pub(super) struct CommandList(pub(super) Vec<AndOr>);

/// `a && b || c`
pub(super) struct AndOr {
    pub(super) first: Pipeline,
    pub(super) rest: Vec<(Join, Pipeline)>,
    /// Ended by `&`: nobody waits for it.
    pub(super) background: bool,
}

/// How two pipelines are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    And,
    Or,
}

/// `! a | b`
pub(super) struct Pipeline {
    pub(super) negated: bool,
    pub(super) parts: Vec<Command>,
}

/// One command of a pipeline.
pub(super) enum Command {
    /// Its words, with quotes resolved.
    Simple(Vec<String>),
    /// `( list )` or `{ list; }`
    Group(CommandList),
}

/// Reads a script; none if it uses syntax that is not supported here: loops, branches, functions, here documents.
pub(super) fn read(script: &str) -> Option<CommandList> {
    let mut parser = Parser { tokens: tokens(script)?, at: 0, depth: 0 };
    let list = parser.list(None)?;
    (parser.at == parser.tokens.len()).then_some(list)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word { text: String, quoted: bool },
    Op(&'static str),
}

/// How deep groups may nest.
const DEEPEST: usize = 16;

/// Words that start a compound command, which is not supported.
const BEYOND: [&str; 12] =
    ["if", "then", "for", "while", "until", "case", "function", "select", "do", "else", "coproc", "[["];

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn op(&self) -> Option<&'static str> {
        match self.tokens.get(self.at) {
            Some(Token::Op(op)) => Some(op),
            _ => None,
        }
    }

    /// The next plain word.
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
        while let Some(join) = self.op().and_then(|op| match op {
            "&&" => Some(Join::And),
            "||" => Some(Join::Or),
            _ => None,
        }) {
            self.at += 1;
            self.skip_lines();
            rest.push((join, self.pipeline()?));
        }
        Some(AndOr { first, rest, background: false })
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

    fn part(&mut self) -> Option<Command> {
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
            return Some(Command::Group(list));
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
        (!words.is_empty() && self.op() != Some("(")).then_some(Command::Simple(words))
    }
}

/// Splits a script into tokens; none for an unclosed quote or a here document.
fn tokens(script: &str) -> Option<Vec<Token>> {
    let mut lexer = Lexer { rest: script, tokens: Vec::new(), word: None, quoted: false, target: false };
    while let Some(c) = lexer.rest.chars().next() {
        lexer.step(c)?;
    }
    lexer.end_word();
    Some(lexer.tokens)
}

struct Lexer<'s> {
    rest: &'s str,
    tokens: Vec<Token>,
    word: Option<String>,
    quoted: bool,
    /// The next word is the target of a redirection, not part of the command.
    target: bool,
}

impl Lexer<'_> {
    fn step(&mut self, c: char) -> Option<()> {
        const OPERATORS: [&str; 9] = ["&&", "||", "|&", ";", "|", "&", "(", ")", "\n"];
        match c {
            '\'' => self.quote('\'')?,
            '"' => self.double()?,
            '\\' => {
                let escaped = self.rest[1..].chars().next()?;
                if escaped != '\n' {
                    self.push(&self.rest[1..1 + escaped.len_utf8()]);
                    self.quoted = true;
                }
                self.rest = &self.rest[1 + escaped.len_utf8()..];
            }
            '`' | '$' => self.expansion(c)?,
            '#' if self.word.is_none() => self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]),
            '&' if self.rest.starts_with("&>") => self.redirect(1)?,
            '>' | '<' => self.redirect(0)?,
            ' ' | '\t' | '\r' => {
                self.end_word();
                self.rest = &self.rest[1..];
            }
            _ => match OPERATORS.iter().find(|op| self.rest.starts_with(**op)) {
                Some(op) => {
                    self.end_word();
                    self.rest = &self.rest[op.len()..];
                    if *op == ";" && self.rest.starts_with(';') {
                        return None;
                    }
                    self.tokens.push(Token::Op(if *op == "|&" { "|" } else { op }));
                }
                None => {
                    self.push(&self.rest[..c.len_utf8()]);
                    self.rest = &self.rest[c.len_utf8()..];
                }
            },
        }
        Some(())
    }

    fn push(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn quote(&mut self, end: char) -> Option<()> {
        let length = self.rest[1..].find(end)?;
        self.push(&self.rest[1..=length]);
        self.quoted = true;
        self.rest = &self.rest[length + 2..];
        Some(())
    }

    fn double(&mut self) -> Option<()> {
        self.quoted = true;
        self.push("");
        self.rest = &self.rest[1..];
        loop {
            let c = self.rest.chars().next()?;
            match c {
                '"' => {
                    self.rest = &self.rest[1..];
                    return Some(());
                }
                '\\' => {
                    let escaped = self.rest[1..].chars().next()?;
                    self.push(&self.rest[1..1 + escaped.len_utf8()]);
                    self.rest = &self.rest[1 + escaped.len_utf8()..];
                }
                '`' | '$' => self.expansion(c)?,
                c => {
                    self.push(&self.rest[..c.len_utf8()]);
                    self.rest = &self.rest[c.len_utf8()..];
                }
            }
        }
    }

    /// `$x`, `$(…)` or a backtick, taken as it stands; `$(…)` up to its end.
    fn expansion(&mut self, c: char) -> Option<()> {
        let length = match c {
            '`' => self.rest[1..].find('`')? + 2,
            _ if self.rest.starts_with("$(") => substitution(self.rest)?,
            _ => 1,
        };
        self.push(&self.rest[..length]);
        self.rest = &self.rest[length..];
        Some(())
    }

    /// `2>`: the number belongs to the redirection.
    fn redirect(&mut self, skip: usize) -> Option<()> {
        if self.rest.starts_with("<<") || self.rest.starts_with("<(") || self.rest.starts_with(">(") {
            return None;
        }
        if self.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) && !self.quoted {
            self.word = None;
        }
        self.end_word();
        self.rest = self.rest[skip..].trim_start_matches(['>', '<', '&', '|']);
        self.target = true;
        Some(())
    }

    fn end_word(&mut self) {
        let quoted = std::mem::take(&mut self.quoted);
        let Some(text) = self.word.take() else { return };
        if !std::mem::take(&mut self.target) {
            self.tokens.push(Token::Word { text, quoted });
        }
    }
}

/// The length of a `$(…)`.
fn substitution(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (_, '\\') if quote != Some('\'') => drop(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (Some('\''), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (_, '(') => depth += 1,
            (_, ')') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
