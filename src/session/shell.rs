//! Reads a shell line to decide whether it may write the plan or other files. This is a guess: a line that cannot be parsed counts
//! as a line that does not touch the plan.

use crate::shell::commands::{Redirect, SimpleCommand, simple_commands};
use crate::shell::lex::{ShellTokenKind, tokens};
use crate::shell::{is_assignment, is_shell};

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
/// Git commands that write no file of the work tree.
const LOOKING_GIT: [&str; 13] = [
    "blame", "branch", "cat-file", "describe", "diff", "grep", "log", "ls-files", "ls-tree", "reflog", "rev-parse",
    "show", "status",
];
/// Git commands that only read the files that they name.
const READING_GIT: [&str; 2] = ["add", "commit"];
/// Words that may precede a program, with their own options and numbers.
const BEFORE: [&str; 16] = [
    "!", "{", "command", "do", "else", "env", "exec", "if", "nice", "nohup", "sudo", "then", "time", "timeout",
    "until", "while",
];
/// Options whose value is the next word: first the options of `plan`, then the options of git.
const OURS: [&str; 3] = ["--color", "--file", "-C"];
const GITS: [&str; 2] = ["-C", "-c"];
/// Options that make a `plan` command read-only.
const LOOKING_OPTIONS: [&str; 4] = ["--dry-run", "--help", "--list", "-h"];
/// Words that make a `plan` command read-only.
const ASKING: [&str; 3] = ["list", "show", "status"];
/// The `plan` commands that accept a word of [`ASKING`].
const ASKED: [&str; 3] = ["goal", "loop", "step"];
/// The maximum depth of nested lines that are read.
const DEEPEST: u32 = 3;

/// The effects of a command line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineEffects {
    /// The line is not empty, all its commands are known to only read, and no output is redirected to a file.
    pub(super) looks_only: bool,
    /// The line calls a `plan` command that writes, or a program that may write and names the plan.
    pub(super) writes_plan: bool,
    /// The line calls a `plan` command that shows the plan, or a program that only reads and names the plan.
    pub(super) reads_plan: bool,
    /// The line calls a `plan` command that creates a plan, or writes the whole file.
    pub(super) makes_plan: bool,
}

/// Returns the effects of a line. `names` are the names of the plan's file. The line is parsed once for all effects, because a batch
/// of tools may contain thousands of lines.
pub(super) fn effects(line: &str, names: &[String]) -> LineEffects {
    let mut effects = LineEffects { looks_only: !line.is_empty(), ..LineEffects::default() };
    add(line, names, 0, &mut effects);
    effects
}

fn add(line: &str, names: &[String], depth: u32, effects: &mut LineEffects) {
    for command in commands(line) {
        let any = |is: fn(&SessionCommand, &str) -> bool| names.iter().any(|name| is(&command, name));
        // For a nested line, the outer command decides whether the line may write.
        effects.looks_only = effects.looks_only && (depth > 0 || command.looks_only());
        effects.writes_plan = effects.writes_plan || command.is_ours() || any(SessionCommand::writes);
        effects.reads_plan = effects.reads_plan || command.shows() || any(SessionCommand::looks_at);
        effects.makes_plan = effects.makes_plan || command.makes() || any(SessionCommand::fills);
        if depth < DEEPEST {
            let lines = command.script().into_iter().chain(command.inner.iter().map(String::as_str));
            lines.for_each(|line| add(line, names, depth + 1, effects));
        }
    }
}

/// Returns the commands of a line.
fn commands(line: &str) -> Vec<SessionCommand> {
    let tokens = tokens(line);
    simple_commands(line, &tokens).into_iter().map(|command| SessionCommand::of(line, command)).collect()
}

/// One command of a line.
struct SessionCommand {
    /// Its source text, together with the here documents that it may run or write.
    text: String,
    /// Its words without their quotes.
    words: Vec<String>,
    /// The files whose content it replaces by a redirection.
    replaced: Vec<String>,
    /// Nested lines: command substitutions in its words and redirections, and the here documents of a shell.
    inner: Vec<String>,
    /// True if it redirects its output to a file, or contains a command substitution.
    is_open: bool,
}

impl SessionCommand {
    fn of(line: &str, simple: SimpleCommand<'_>) -> Self {
        let redirects = || simple.redirects.iter();
        let documents =
            redirects().filter_map(|redirect| redirect.target).filter(|to| to.kind == ShellTokenKind::Document);
        let documents: Vec<&str> = documents.flat_map(|token| &token.inner).map(|body| &line[body.clone()]).collect();
        let targets = redirects().filter_map(|redirect| redirect.target).filter(|to| to.kind == ShellTokenKind::Word);
        let substituted = simple.words.iter().copied().chain(targets).flat_map(|word| &word.inner);
        let inner: Vec<String> = substituted.map(|commands| line[commands.clone()].to_owned()).collect();
        let replaces = |redirect: &&Redirect<'_>| redirect.writes() && !redirect.op.contains(">>");
        let mut command = SessionCommand {
            text: simple.source.to_owned(),
            words: simple.words.iter().map(|word| word.text.clone()).collect(),
            replaced: redirects().filter(replaces).filter_map(|to| Some(to.target?.text.clone())).collect(),
            is_open: !inner.is_empty() || redirects().any(Redirect::writes),
            inner,
        };
        let (program, _) = command.call();
        // A here document of a program that only reads is data.
        if !LOOKING.contains(&program) {
            if is_shell(program) {
                command.inner.extend(documents.iter().map(|&body| body.to_owned()));
            }
            command.text.extend(documents);
        }
        command
    }

    /// Returns the program's name and the words after it, without the words in front of the program.
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

    /// True if the command names the file and changes nothing.
    fn looks_at(&self, name: &str) -> bool {
        names(&self.text, name) && self.looks_only()
    }

    /// True for a `plan` command that creates a plan.
    fn makes(&self) -> bool {
        let (program, words) = self.call();
        program == "plan" && plain(words, &OURS).next().is_some_and(|verb| MAKING.contains(&verb))
    }

    /// True if the command may write the file of this name.
    fn writes(&self, name: &str) -> bool {
        names(&self.text, name) && !self.looks_only() && !self.reads(name)
    }

    /// True if the command redirects to the file of this name and replaces its content.
    fn fills(&self, name: &str) -> bool {
        self.replaced.iter().any(|file| names(file, name))
    }

    /// True if the command is known to only read the file of this name, although it may write other files.
    fn reads(&self, name: &str) -> bool {
        let (program, words) = self.call();
        !self.is_open
            && match program {
                "git" => plain(words, &GITS).next().is_some_and(|verb| READING_GIT.contains(&verb)),
                "cp" => !words.last().is_some_and(|to| names(to, name)),
                _ => false,
            }
    }

    /// Returns the line after `-c`, if the command calls a shell.
    fn script(&self) -> Option<&str> {
        let (program, words) = self.call();
        let at = words.iter().position(|word| word.starts_with('-') && word.ends_with('c'))?;
        is_shell(program).then(|| words.get(at + 1).map(String::as_str))?
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

/// Returns the words that are neither options nor values of the options in `valued`.
fn plain<'w>(words: &'w [String], valued: &[&str]) -> impl Iterator<Item = &'w str> {
    let mut is_value = false;
    words.iter().map(String::as_str).filter(move |word| {
        let is_plain = !std::mem::take(&mut is_value) && !word.starts_with('-');
        is_value = valued.contains(word);
        is_plain
    })
}

/// Returns the short options of a word, up to an option in `valued`: the rest of the word is that option's value.
fn flags<'w>(word: &'w str, valued: &str) -> &'w str {
    let flags = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
    flags.split(|c| valued.contains(c)).next().unwrap_or_default()
}

/// True if `text` contains `name` as a separate word. `my-plan.md` and `plan.md.bak` do not name `plan.md`.
pub(super) fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let mut after = text[at + name.len()..].chars();
            let follows = after.next().filter(|c| *c != '.').or_else(|| after.next());
            !text[..at].ends_with(|c: char| is_part(c) || c == '.') && !follows.is_some_and(is_part)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The effects of each line on `plan.md`: `w` may write it, `r` reads it, `m` creates it.
    #[test]
    fn a_line_is_told_by_all_the_commands_in_it() {
        let names = ["plan.md".to_owned()];
        let told = |line: &str| {
            let told = effects(line, &names);
            let marks = [(told.writes_plan, 'w'), (told.reads_plan, 'r'), (told.makes_plan, 'm')];
            marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect::<String>()
        };
        for (line, expected) in [
            ("cat plan.md | head -3 2>/dev/null", "r"),
            ("cat <plan.md", "r"),
            ("plan list && plan step done 2", "wr"),
            ("echo \"$(plan step done 2)\"", "w"),
            ("echo $(cat `plan step done 2`)", "w"),
            ("bash -c 'plan log \"x\"'", "w"),
            ("sh <<E\nplan step done 2\nE", "w"),
            ("cat <<E\nplan step done 2 in plan.md\nE", ""),
            ("python3 - <<E\nopen('plan.md', 'w')\nE", "w"),
            ("cat >plan.md <<'E'\n# Plan: a\nE", "wm"),
            ("echo a >>plan.md", "w"),
            ("echo 'plan.md' 'a > b'", "r"),
            ("ls my-plan.md plan.md.bak # plan.md", ""),
            ("sed -i s/a/b/ plan.md", "w"),
            ("sed -n 3p plan.md", "r"),
            ("git add plan.md; cp plan.md b", ""),
            ("plan init 'a'", "wm"),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }
}
