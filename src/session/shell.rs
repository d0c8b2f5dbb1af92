//! Reads a shell line to tell whether it may write the plan or other files. This is a guess: a line that cannot be read counts as
//! none that touches the plan.

/// `plan` commands that write.
pub(super) const WRITING: [&str; 16] = [
    "approve", "archive", "clear", "complete", "draft", "goal", "import", "init", "log", "loop", "pause", "progress",
    "review", "rewind", "step", "undo",
];

/// `plan` commands that create a plan.
const MAKING: [&str; 3] = ["draft", "import", "init"];
/// `plan` commands that print the plan.
const SHOWING: [&str; 9] = ["goal", "inject", "lint", "list", "next", "report", "show", "step", "watch"];
/// Programs that only read. Any other program may write.
const LOOKING: [&str; 48] = [
    "[", "ack", "ag", "awk", "basename", "bat", "cat", "cd", "cmp", "column", "comm", "cut", "date", "diff", "dirname",
    "du", "echo", "env", "eza", "fd", "file", "find", "grep", "head", "hexdump", "jq", "less", "ls", "more", "nl",
    "od", "printf", "ps", "pwd", "readlink", "realpath", "rg", "sleep", "sort", "stat", "tac", "tail", "test", "tr",
    "tree", "wc", "which", "xxd",
];
/// Commands of git that write no file of the work tree.
const LOOKING_GIT: [&str; 13] = [
    "blame",
    "branch",
    "cat-file",
    "describe",
    "diff",
    "grep",
    "log",
    "ls-files",
    "ls-tree",
    "reflog",
    "rev-parse",
    "show",
    "status",
];
/// Commands of git that read the files that they name.
const READING_GIT: [&str; 2] = ["add", "commit"];
/// Words that may stand in front of a program, with options and numbers of their own.
const BEFORE: [&str; 16] = [
    "!", "{", "command", "do", "else", "env", "exec", "if", "nice", "nohup", "sudo", "then", "time", "timeout",
    "until", "while",
];
/// Options that take the next word as their value: those of `plan`, those of git.
const OURS: [&str; 3] = ["--color", "--file", "-C"];
const GITS: [&str; 2] = ["-C", "-c"];
/// Options with which a `plan` command only reads.
const LOOKING_OPTIONS: [&str; 4] = ["--dry-run", "--help", "--list", "-h"];
/// Words with which a `plan` command only reads.
const ASKING: [&str; 3] = ["list", "show", "status"];
/// The `plan` commands that take one of these words.
const ASKED: [&str; 3] = ["goal", "loop", "step"];
/// Redirections that write no file.
const NOWHERE: [&str; 5] = ["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null"];
/// The depth to which shells inside shells are read.
const DEEPEST: u32 = 3;

/// True if every command of the line is known to only read, and nothing is redirected.
pub(super) fn looks_only(line: &str) -> bool {
    !line.is_empty() && commands(line).iter().all(Command::looks_only)
}

/// True if the line calls a `plan` command that writes, or a program that may write and names the file by one of `names`.
pub(super) fn writes_plan(line: &str, names: &[String]) -> bool {
    any(line, 0, &|command| command.is_ours() || names.iter().any(|name| command.writes(name)))
}

/// True if the line calls a `plan` command that shows the plan, or a program that only reads and names the file by one of
/// `names`.
pub(super) fn reads_plan(line: &str, names: &[String]) -> bool {
    any(line, 0, &|command| command.shows() || names.iter().any(|name| command.looks_at(name)))
}

/// True if the line calls a `plan` command that creates a plan, or writes the whole file.
pub(super) fn makes_plan(line: &str, names: &[String]) -> bool {
    any(line, 0, &|command| command.makes() || names.iter().any(|name| command.fills(name)))
}

fn any(line: &str, depth: u32, is: &dyn Fn(&Command) -> bool) -> bool {
    commands(line)
        .iter()
        .any(|command| is(command) || (depth < DEEPEST && command.inner().is_some_and(|line| any(line, depth + 1, is))))
}

/// A word quoted for a shell.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// One command of a line.
#[derive(Default)]
struct Command {
    /// Its source text.
    text: String,
    /// Its words without their quotes.
    words: Vec<String>,
    /// It redirects its output, or takes words from another command.
    is_open: bool,
}

impl Command {
    /// The program and its words, without the words in front of it.
    fn call(&self) -> (&str, &[String]) {
        let is_own = |word: &str| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let is_before = |(at, word): &(usize, &String)| {
            BEFORE.contains(&word.as_str()) || is_assignment(word) || (*at > 0 && is_own(word))
        };
        let from = self.words.iter().enumerate().take_while(is_before).count();
        match &self.words[from..] {
            [program, words @ ..] => (program.rsplit('/').next().unwrap_or_default(), words),
            [] => ("", &[]),
        }
    }

    /// True for a `plan` command that writes.
    fn is_ours(&self) -> bool {
        let ("plan", words) = self.call() else { return false };
        let mut plain = plain(words, &OURS);
        let (verb, next) = (plain.next().unwrap_or_default(), plain.next().unwrap_or_default());
        let asks = ASKED.contains(&verb) && ASKING.contains(&next);
        let has = |option: &str| words.iter().any(|word| word == option);
        (WRITING.contains(&verb) || (verb == "lint" && has("--fix")))
            && !asks
            && !LOOKING_OPTIONS.iter().any(|option| has(option))
    }

    /// True for a `plan` command that prints the plan or a part of it.
    fn shows(&self) -> bool {
        let (program, words) = self.call();
        program == "plan" && !self.is_ours() && plain(words, &OURS).next().is_none_or(|verb| SHOWING.contains(&verb))
    }

    /// True if it names the file and changes nothing.
    fn looks_at(&self, name: &str) -> bool {
        names(&self.text, name) && self.looks_only()
    }

    /// True for a `plan` command that creates a plan.
    fn makes(&self) -> bool {
        let (program, words) = self.call();
        program == "plan" && plain(words, &OURS).next().is_some_and(|verb| MAKING.contains(&verb))
    }

    /// True if it may write the file of this name.
    fn writes(&self, name: &str) -> bool {
        names(&self.text, name) && !self.looks_only() && !self.reads(name)
    }

    /// True if it redirects to the file of this name and replaces its content.
    fn fills(&self, name: &str) -> bool {
        let to = self.words.iter().zip(self.words.iter().skip(1)).filter(|(word, _)| *word == ">").map(|(_, to)| to);
        let stuck = self.words.iter().filter_map(|word| word.strip_prefix('>').filter(|to| !to.starts_with('>')));
        to.map(String::as_str).chain(stuck).any(|to| names(to, name))
    }

    /// True if it names the file only to read it.
    fn reads(&self, name: &str) -> bool {
        let (program, words) = self.call();
        !self.is_open
            && match program {
                "git" => plain(words, &GITS).next().is_some_and(|verb| READING_GIT.contains(&verb)),
                "cp" => !words.last().is_some_and(|to| names(to, name)),
                _ => false,
            }
    }

    /// The line after `-c`, if it calls a shell.
    fn inner(&self) -> Option<&str> {
        let (program, words) = self.call();
        let at = words.iter().position(|word| word.starts_with('-') && word.ends_with('c'))?;
        ["sh", "bash", "zsh", "dash"].contains(&program).then(|| words.get(at + 1).map(String::as_str))?
    }

    fn looks_only(&self) -> bool {
        let (program, words) = self.call();
        let has = |is: &dyn Fn(&str) -> bool| words.iter().any(|word| is(word));
        !self.is_open
            && match program {
                "" => true,
                "git" => plain(words, &GITS).next().is_some_and(|verb| LOOKING_GIT.contains(&verb)),
                "plan" => !self.is_ours(),
                "sed" => !has(&|word| flags(word, "efl").contains('i') || word.starts_with("--in-place")),
                "sort" => !has(&|word| flags(word, "kStT").contains('o') || word.starts_with("--output")),
                "find" => !has(&|word| word.starts_with("-exec") || word == "-delete"),
                program => LOOKING.contains(&program),
            }
    }
}

/// The words that are neither an option nor the value of one of `valued`.
fn plain<'w>(words: &'w [String], valued: &[&str]) -> impl Iterator<Item = &'w str> {
    let mut is_value = false;
    words.iter().map(String::as_str).filter(move |word| {
        let is_plain = !std::mem::take(&mut is_value) && !word.starts_with('-');
        is_value = valued.contains(word);
        is_plain
    })
}

/// The short options of a word, up to one of `valued`: the rest is that option's value.
fn flags<'w>(word: &'w str, valued: &str) -> &'w str {
    let flags = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
    flags.split(|c| valued.contains(c)).next().unwrap_or_default()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// The commands of a line. Nothing inside quotes ends a command.
fn commands(line: &str) -> Vec<Command> {
    let mut done = Vec::new();
    let mut at = Command::default();
    let mut word: Option<String> = None;
    let mut quote = None;
    let line = NOWHERE.iter().fold(line.to_owned(), |line, to| line.replace(to, " "));
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if quote.is_none() && word.is_none() && c == '#' {
            // A comment, to the end of its line.
            if !chars.any(|c| c == '\n') {
                break;
            }
            done.push(std::mem::take(&mut at));
            continue;
        }
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
        // Inside double quotes, `$(` and backticks insert the output of another command.
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
pub(super) fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let mut after = text[at + name.len()..].chars();
            let follows = after.next().filter(|c| *c != '.').or_else(|| after.next());
            !text[..at].ends_with(|c: char| is_part(c) || c == '.') && !follows.is_some_and(is_part)
        })
}
