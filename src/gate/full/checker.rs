//! Programs that look at source code without running it: type checkers, linters, formatters.

use crate::gate::trivial::script::is_keyword;
use crate::lang::wrapper;
use crate::plan::history::Seen;
use crate::plan::model::GoalKind;
use crate::shell::commands::simple_commands;
use crate::shell::is_assignment;
use crate::shell::lex::{self, ShellTokenKind};

/// Checkers. They never run the files that they are given.
const PROGRAMS: [&str; 48] = [
    "actionlint", "ansible-lint", "basedpyright", "biome", "black", "clang-format", "clang-tidy", "codespell",
    "compileall", "cppcheck", "cspell", "detekt", "dprint", "eslint", "flake8", "gofmt", "goimports", "golangci-lint",
    "hadolint", "isort", "ktlint", "luacheck", "markdownlint", "markdownlint-cli2", "mypy", "oxlint", "phpcs",
    "phpstan", "prettier", "psalm", "py_compile", "pycodestyle", "pyflakes", "pylint", "pyright", "rubocop", "ruff",
    "rustfmt", "shellcheck", "shfmt", "sqlfluff", "staticcheck", "stylelint", "svelte-check", "swiftlint", "tsc",
    "vue-tsc", "yamllint",
];
/// Programs that are checkers with this first argument: `cargo clippy`, `go vet`.
const MODES: [&str; 12] = [
    "buf lint", "cargo check", "cargo clippy", "cargo deny", "cargo doc", "cargo fmt", "dart analyze", "deno check",
    "deno lint", "go vet", "helm lint", "terraform validate",
];
/// Interpreters with an option that only checks the syntax of a script.
const SYNTAX: [&str; 9] =
    ["sh -n", "bash -n", "dash -n", "zsh -n", "node --check", "node -c", "ruby -c", "perl -c", "php -l"];
/// Commands that run nothing of the repository.
const PLUMBING: [&str; 12] =
    ["set", "cd", "echo", "printf", "exit", "return", "test", "[", "true", "false", "dirname", "basename"];
/// Words that may precede the name of a checker.
const STARTERS: [&[&str]; 3] = [&["yarn"], &["python3", "-m"], &["python", "-m"]];

/// Whether a checker may have prompted the goal: its kind is `refactor` and its verify was red at the start.
pub(in crate::gate) fn is_asked(kind: GoalKind, seen: Seen) -> bool {
    kind == GoalKind::Refactor && seen == Seen::Red
}

pub(in crate::gate) fn only_checks(argvs: &[Vec<&str>]) -> bool {
    !argvs.is_empty() && argvs.iter().all(|argv| is_checker(argv))
}

/// Whether a shell script calls checkers, and beside them only commands that run nothing of the repository.
pub(super) fn is_check_script(text: &str) -> bool {
    let mut checks = 0;
    let mut parts = vec![text];
    while let Some(part) = parts.pop() {
        let tokens = lex::tokens(part);
        if tokens.iter().any(|token| token.open || token.kind == ShellTokenKind::Document) {
            return false;
        }
        parts.extend(tokens.iter().flat_map(|token| &token.inner).map(|range| &part[range.clone()]));
        for command in simple_commands(part, &tokens) {
            let words = command.words.iter().map(|word| word.text.as_str());
            let argv: Vec<&str> = words.skip_while(|word| is_keyword(word) || is_assignment(word)).collect();
            match argv.first() {
                Some(program) if !PLUMBING.contains(program) => {
                    if !is_checker(&argv) {
                        return false;
                    }
                    checks += 1;
                }
                _ => {}
            }
        }
    }
    checks > 0
}

pub(in crate::gate) fn is_checker(argv: &[&str]) -> bool {
    let Some((program, arguments)) = wrapper::started(argv).and_then(<[_]>::split_first) else { return false };
    let program = program.rsplit('/').next().unwrap_or(program);
    if let Some(starter) = STARTERS.iter().find(|starter| program == starter[0] && arguments.starts_with(&starter[1..]))
    {
        return is_checker(&arguments[starter.len() - 1..]);
    }
    let has =
        |list: &[&str], word: Option<&&str>| word.is_some_and(|word| list.contains(&&*format!("{program} {word}")));
    let mode = arguments.iter().find(|word| !word.starts_with(['-', '+']));
    PROGRAMS.contains(&program) || has(&SYNTAX, arguments.first()) || has(&MODES, mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_only_calls_checkers_is_one() {
        let lint = "#!/bin/sh\nset -eu\ncd \"$(dirname \"$0\")\"\nbad=$(gofmt -l .)\nif [ -n \"$bad\" ]; then\n  echo \"$bad\" >&2\n  exit 1\nfi\ngo vet ./...\n";
        assert!(is_check_script(lint));
        for other in ["go test ./...", "x=$(cat run)", "sh other.sh", "$RUN", ". ./env"] {
            assert!(!is_check_script(&format!("{lint}{other}\n")), "{other}");
        }
        assert!(!is_check_script("echo done\n"));
    }

    #[test]
    fn a_checker_is_one_behind_its_starter_too() {
        let only =
            |line: &str| only_checks(&line.split(" && ").map(|argv| argv.split(' ').collect()).collect::<Vec<_>>());
        for line in [
            "mypy .", "cargo +nightly clippy --all-targets", "npx tsc --noEmit && npx --yes eslint .",
            "timeout 60 uv run --python 3.12 mypy .", "python3 -m ruff check",
            "python3 -m py_compile a.py && sh -n b.sh",
        ] {
            assert!(only(line), "{line}");
        }
        for line in ["pytest", "mypy . && pytest", "cargo test", "npx jest", "python3 -m unittest", "npx"] {
            assert!(!only(line), "{line}");
        }
    }
}
