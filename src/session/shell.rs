//! A shell line, as far as it tells what the line may write. Nobody can tell for sure; what cannot be read is not the plan's.

/// Commands of ours that write.
pub(super) const WRITING: [&str; 16] = [
    "approve", "archive", "clear", "complete", "draft", "goal", "import", "init", "log", "loop", "pause", "progress",
    "review", "rewind", "step", "undo",
];

/// Programs that only look; a call of another one may write.
const LOOKING: [&str; 22] = [
    "awk", "cat", "cd", "cut", "date", "diff", "du", "echo", "env", "find", "grep", "head", "ls", "nl", "pwd", "rg",
    "sort", "stat", "tail", "tree", "wc", "which",
];
/// Commands of git that only look.
const LOOKING_GIT: [&str; 8] = ["blame", "branch", "diff", "grep", "log", "ls-files", "show", "status"];
/// What stands in front of a program.
const BEFORE: [&str; 14] =
    ["!", "{", "command", "do", "else", "env", "exec", "if", "nohup", "sudo", "then", "time", "until", "while"];
/// Words after which a command of ours only looks.
const ASKING: [&str; 3] = ["list", "show", "status"];
/// The commands of ours that take one.
const ASKED: [&str; 3] = ["goal", "loop", "step"];
/// Redirections that no file is written by.
const NOWHERE: [&str; 5] = ["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null"];
/// Shells in shells that are looked into.
const DEEPEST: u32 = 3;

/// True for a line of which every command is known to only look, and that redirects nothing.
pub(super) fn looks_only(line: &str) -> bool {
    !line.is_empty() && commands(line).iter().all(Command::looks_only)
}

/// Whether the line calls a command of ours that writes, or one that may write and names the file `name`.
pub(super) fn writes_plan(line: &str, name: &str) -> bool {
    writes(line, name, 0)
}

fn writes(line: &str, name: &str, depth: u32) -> bool {
    commands(line).iter().any(|command| {
        command.is_ours()
            || (names(&command.text, name) && !command.looks_only())
            || (depth < DEEPEST && command.inner().is_some_and(|line| writes(line, name, depth + 1)))
    })
}

/// A word as a shell reads it back.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// One command of a line.
#[derive(Default)]
struct Command {
    /// As it stands there.
    text: String,
    /// Its words without their quotes.
    words: Vec<String>,
    /// It redirects what it writes, or runs another command for its words.
    is_open: bool,
}

impl Command {
    /// The program and its words: without what only stands in front.
    fn call(&self) -> (&str, &[String]) {
        let is_before = |word: &&String| BEFORE.contains(&word.as_str()) || is_assignment(word);
        let from = self.words.iter().take_while(is_before).count();
        match &self.words[from..] {
            [program, words @ ..] => (program.rsplit('/').next().unwrap_or_default(), words),
            [] => ("", &[]),
        }
    }

    fn is_ours(&self) -> bool {
        let (program, words) = self.call();
        let Some(at) = words.iter().position(|word| WRITING.contains(&word.as_str())) else { return false };
        let only_looks = ASKED.contains(&words[at].as_str())
            && words.get(at + 1).is_some_and(|word| ASKING.contains(&word.as_str()));
        program == "plan" && !only_looks && !words.iter().any(|word| word == "--help" || word == "-h")
    }

    /// The line that a shell is called with.
    fn inner(&self) -> Option<&str> {
        let (program, words) = self.call();
        let at = words.iter().position(|word| word.starts_with('-') && word.ends_with('c'))?;
        ["sh", "bash", "zsh", "dash"].contains(&program).then(|| words.get(at + 1).map(String::as_str))?
    }

    fn looks_only(&self) -> bool {
        let (program, words) = self.call();
        let has = |is: fn(&str) -> bool| words.iter().any(|word| is(word));
        !self.is_open
            && match program {
                "" => true,
                "git" => words.first().is_some_and(|word| LOOKING_GIT.contains(&word.as_str())),
                "plan" => !self.is_ours(),
                "sed" => !has(|word| word.starts_with("-i") || word.starts_with("--in-place")),
                "find" => !has(|word| word.starts_with("-exec") || word == "-delete"),
                program => LOOKING.contains(&program),
            }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// The commands of a line. In quotes nothing ends one.
fn commands(line: &str) -> Vec<Command> {
    let mut done = Vec::new();
    let mut at = Command::default();
    let mut word: Option<String> = None;
    let mut quote = None;
    let line = NOWHERE.iter().fold(line.to_owned(), |line, to| line.replace(to, " "));
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        let is_end = quote.is_none() && matches!(c, '|' | ';' | '&' | '\n' | '(' | ')' | '`');
        if is_end || (quote.is_none() && c.is_whitespace()) {
            at.words.extend(word.take());
            at.is_open |= c == '`' || (c == '(' && at.text.ends_with('$'));
            at.text.push(c);
            if is_end {
                done.push(std::mem::take(&mut at));
            }
            continue;
        }
        at.text.push(c);
        // Double quotes take in what another command says.
        at.is_open |= quote == Some('"') && (c == '`' || (c == '(' && at.text.ends_with("$(")));
        let word = word.get_or_insert_default();
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => {
                let next = chars.next();
                at.text.extend(next);
                word.extend(next.filter(|c| *c != '\n'));
            }
            ('>', None) => {
                at.is_open = true;
                word.push(c);
            }
            _ => word.push(c),
        }
    }
    at.words.extend(word);
    done.push(at);
    done.retain(|command| !command.words.is_empty());
    done
}

/// `name` as a word of its own: not `my-plan.md`, not `plan.md.bak`.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let mut after = text[at + name.len()..].chars();
            let follows = after.next().filter(|c| *c != '.').or_else(|| after.next());
            !text[..at].ends_with(|c: char| is_part(c) || c == '.') && !follows.is_some_and(is_part)
        })
}
