//! Reads a shell line to tell whether it may write the plan or other files. This is a guess: a line that cannot be read counts as
//! none that touches the plan.

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
/// Commands of git that write no file of the work tree.
const LOOKING_GIT: [&str; 13] = [
    "blame", "branch", "cat-file", "describe", "diff", "grep", "log", "ls-files", "ls-tree", "reflog", "rev-parse",
    "show", "status",
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
/// The depth to which shells inside shells are read.
const DEEPEST: u32 = 3;

/// What a command line does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineEffects {
    /// It is not empty, every command of it is known to only read, and nothing is redirected.
    pub(super) looks_only: bool,
    /// It calls a `plan` command that writes, or a program that may write and names the plan.
    pub(super) writes_plan: bool,
    /// It calls a `plan` command that shows the plan, or a program that only reads and names the plan.
    pub(super) reads_plan: bool,
    /// It calls a `plan` command that creates a plan, or writes the whole file.
    pub(super) makes_plan: bool,
}

/// Reads a line; `names` are those of the plan's file. It is read once for all answers, because a batch of tools may hold thousands
/// of lines.
pub(super) fn effects(line: &str, names: &[String]) -> LineEffects {
    let mut effects = LineEffects { looks_only: !line.is_empty(), ..LineEffects::default() };
    add(line, names, 0, &mut effects);
    effects
}

fn add(line: &str, names: &[String], depth: u32, effects: &mut LineEffects) {
    for command in commands(line) {
        let any = |is: fn(&Command, &str) -> bool| names.iter().any(|name| is(&command, name));
        // Of a line within a line, its outer command tells whether it may write.
        effects.looks_only = effects.looks_only && (depth > 0 || command.looks_only());
        effects.writes_plan = effects.writes_plan || command.is_ours() || any(Command::writes);
        effects.reads_plan = effects.reads_plan || command.shows() || any(Command::looks_at);
        effects.makes_plan = effects.makes_plan || command.makes() || any(Command::fills);
        if depth < DEEPEST {
            let lines = command.script().into_iter().chain(command.inner.iter().map(String::as_str));
            lines.for_each(|line| add(line, names, depth + 1, effects));
        }
    }
}

/// The commands of a line.
fn commands(line: &str) -> Vec<Command> {
    let tokens = tokens(line);
    simple_commands(line, &tokens).into_iter().map(|command| Command::of(line, command)).collect()
}

/// One command of a line.
struct Command {
    /// Its source text, with the here documents that it may run or write.
    text: String,
    /// Its words without their quotes.
    words: Vec<String>,
    /// The files that it replaces.
    replaced: Vec<String>,
    /// Lines of other commands: those whose output becomes words of this one, and its here documents.
    inner: Vec<String>,
    /// It redirects its output, or takes words from another command.
    is_open: bool,
}

impl Command {
    fn of(line: &str, simple: SimpleCommand<'_>) -> Self {
        let redirects = || simple.redirects.iter();
        let documents =
            redirects().filter_map(|redirect| redirect.target).filter(|to| to.kind == ShellTokenKind::Document);
        let documents: Vec<&str> = documents.flat_map(|token| &token.inner).map(|body| &line[body.clone()]).collect();
        let targets = redirects().filter_map(|redirect| redirect.target).filter(|to| to.kind == ShellTokenKind::Word);
        let substituted = simple.words.iter().copied().chain(targets).flat_map(|word| &word.inner);
        let inner: Vec<String> = substituted.map(|commands| line[commands.clone()].to_owned()).collect();
        let replaces = |redirect: &&Redirect<'_>| redirect.writes() && !redirect.op.contains(">>");
        let mut command = Command {
            text: simple.source.to_owned(),
            words: simple.words.iter().map(|word| word.text.clone()).collect(),
            replaced: redirects().filter(replaces).filter_map(|to| Some(to.target?.text.clone())).collect(),
            is_open: !inner.is_empty() || redirects().any(Redirect::writes),
            inner,
        };
        let (program, _) = command.call();
        // What a program that only reads is given is data.
        if !LOOKING.contains(&program) {
            if is_shell(program) {
                command.inner.extend(documents.iter().map(|&body| body.to_owned()));
            }
            command.text.extend(documents);
        }
        command
    }

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
        self.replaced.iter().any(|file| names(file, name))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What each line does to `plan.md`: `w` it may write it, `r` it reads it, `m` it makes it.
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
