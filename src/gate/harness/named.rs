//! The files that a `verify` runs: scripts, modules, test files given to a runner, and the scripts of `package.json`,
//! makefiles and other task runners.
//!
//! A file that verify only reads (`grep … README.md`) or compiles (`rustc --test lib.rs`) may be the work and does not
//! count. Nor do files that a script names in turn, because a test names the program that it tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::interpreters::{INTERPRETERS, unversioned};
use super::make_call::MakeCall;
use super::{below, is_code, makefile, script_calls};
use crate::gate::full::checker;
use crate::gate::source_text::is_name;
use crate::gate::trivial::script::{self, ShellCall};
use crate::lang::wrapper;
use crate::shell::is_shell;
use crate::shell::strict::Sequence;

#[derive(Clone, Debug, Default)]
pub(super) struct NamedFiles {
    /// Files that run, and possible files of modules that run; not all of them exist.
    pub(super) files: BTreeSet<PathBuf>,
    /// Names of programs, without folder and version.
    pub(super) programs: BTreeSet<String>,
    /// Folders from which Python imports first.
    pub(super) imports: BTreeSet<PathBuf>,
    /// `package.json` files and their like, with the scripts that run.
    pub(super) package_scripts: BTreeMap<PathBuf, BTreeSet<String>>,
    /// The files that `make` may read as its makefile, with the requested targets.
    pub(super) makefiles: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Files that run in a script or a recipe before another command that decides the result: a program whose output is
    /// checked, or a build. Also data files that are read as tests or by tests.
    pub(super) aside: BTreeSet<PathBuf>,
    /// Files that the makefiles include, with the requested targets.
    pub(super) included: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Files that steer a run: included by a makefile, sourced by a script, or given as `@FILE` or `--env-file=FILE`.
    pub(super) settings: BTreeSet<PathBuf>,
    /// Whether verify runs something whose own calls are unknown, so that any runner may be behind it.
    pub(super) opaque: bool,
    /// Whether the last command is a runner, which finds its tests by itself.
    is_runner: bool,
}

pub(super) type ReadFile<'r> = &'r dyn Fn(&Path) -> Option<Vec<u8>>;

/// The maximum depth of nested calls, such as `npm test` that runs `sh -c` that runs `make`.
const DEEPEST: usize = 4;

pub(super) fn of(sequence: &Sequence, root: &Path, read: ReadFile<'_>) -> NamedFiles {
    let mut named = NamedFiles::default();
    for command in &sequence.commands {
        named.command(&command.argv(), root, read, DEEPEST);
    }
    named
}

/// Runners that take test files and folders.
pub(super) const RUNNERS: [&str; 24] = [
    "pytest", "py.test", "nose2", "jest", "vitest", "mocha", "ava", "tap", "rspec", "phpunit", "bats", "prove", "tape",
    "cucumber", "playwright", "jasmine", "qunit", "borp", "cypress", "busted", "robot", "behave", "shellspec", "hurl",
];

/// The beginnings of words that mark a check in a file name.
const CHECKS: [&str; 11] =
    ["accept", "check", "lint", "verify", "valid", "guard", "audit", "test", "e2e", "smoke", "spec"];

impl NamedFiles {
    pub(super) fn runs(&self, programs: &[&str]) -> bool {
        self.opaque || programs.iter().any(|program| self.programs.contains(*program))
    }

    pub(super) fn command(&mut self, argv: &[&str], folder: &Path, read: ReadFile<'_>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return self.opaque = true };
        let Some(started) = wrapper::started(argv) else { return self.opaque = true };
        let (wrappers, argv) = argv.split_at(argv.len() - started.len());
        let Some((program, args)) = argv.split_first() else { return };
        let moved = wrapper::folder(wrappers).map(|to| below(folder, to).unwrap_or_default());
        let folder = moved.as_deref().unwrap_or(folder);
        self.settings.extend(args.iter().filter_map(|arg| below(folder, arg.strip_prefix('@')?)));
        let name = program.rsplit('/').next().unwrap_or(program);
        let plain = if unversioned(name).is_empty() { name } else { unversioned(name) };
        self.programs.insert(plain.to_owned());
        self.opaque |= program.contains('$');
        if program.contains('/') && !program.starts_with('/') {
            self.file(folder, program);
            self.opaque = true;
        }
        if checker::is_checker(argv) {
            return; // files that are only read may be the work itself
        }
        self.is_runner = runs_tests(plain, args);
        match plain {
            shell if is_shell(shell) => self.shell(args, folder, read, depth),
            "python" | "pypy" | "py" => self.python(args, folder),
            "coverage" if args.first() == Some(&"run") => self.python(&args[1..], folder),
            // What `uv run` starts: a script, or the module of `-m`.
            "-m" => self.python(argv, folder),
            script if script.ends_with(".py") && !program.contains('/') => self.python(argv, folder),
            runner if RUNNERS.contains(&runner) => self.given(args, folder),
            "make" | "gmake" => self.make(args, folder, read, depth),
            "npm" | "pnpm" | "yarn" | "npm-run-all" | "run-s" | "run-p" | "start-server-and-test" | "composer" => {
                self.package(plain, args, folder, read, depth);
            }
            "node" if args.first() == Some(&"--run") => self.package(plain, &args[1..], folder, read, depth),
            "deno" if args.first() == Some(&"task") => self.package(plain, &args[1..], folder, read, depth),
            "bun"
                if args.first() != Some(&"test")
                    && !args.iter().any(|arg| arg.contains('/') || is_code(Path::new(arg))) =>
            {
                self.package(plain, args, folder, read, depth);
            }
            "node" | "nodejs" | "bun" | "deno" if args.contains(&"--test") || args.first() == Some(&"test") => {
                self.given(args, folder);
            }
            "bazel" | "ninja" | "cmake" => self.opaque = true,
            interpreter if INTERPRETERS.contains(&interpreter) => self.script_of(args, folder),
            "go" if args.first() == Some(&"run") => self.go_run(&args[1..], folder),
            other => {
                // `hatch run check`: the word may be a task of the program before it.
                wrappers.iter().for_each(|runner| self.tasks(runner, argv, folder, read));
                self.tasks(other, args, folder, read);
                self.carried(other, args, folder, read, depth);
            }
        }
    }

    pub(super) fn file(&mut self, folder: &Path, word: &str) {
        self.files.extend(below(folder, word));
    }

    fn shell(&mut self, args: &[&str], folder: &Path, read: ReadFile<'_>, depth: usize) {
        match script::call(args) {
            Some(ShellCall::Script(script, _)) => self.script(script, folder, read, depth),
            Some(ShellCall::File(script, _)) => {
                self.opaque = true;
                let Some(file) = below(folder, script) else { return };
                let text = read(&file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
                self.files.insert(file);
                self.settings.extend(sourced(&text).filter_map(|file| below(folder, file)));
            }
            Some(ShellCall::Nothing) | None => {}
        }
    }

    /// Reads scripts that run in sequence. The last command that runs a file decides its result.
    pub(super) fn scripts(&mut self, scripts: &[String], folder: &Path, read: ReadFile<'_>, depth: usize) {
        let known = std::mem::take(&mut self.files);
        let mut earlier = BTreeSet::new();
        for script in scripts {
            self.is_runner = false;
            let before = std::mem::take(&mut self.files);
            self.script(script, folder, read, depth);
            self.after(before, &mut earlier);
        }
        self.last_word(known, earlier);
    }

    /// Reads the commands of a script; `cd` affects the commands after it.
    fn script(&mut self, text: &str, folder: &Path, read: ReadFile<'_>, depth: usize) {
        let (commands, is_open) = script_calls::read(text);
        self.opaque |= is_open;
        let mut folder = folder.to_owned();
        let known = std::mem::take(&mut self.files);
        let mut earlier = BTreeSet::new();
        let last_look = commands.iter().rposition(|call| looks(&call.words));
        for (at, call) in commands.iter().enumerate() {
            self.is_runner = false;
            let before = std::mem::take(&mut self.files);
            let assigned = |word: &&str| word.split_once('=').is_some_and(|(name, _)| is_name(name));
            let words: Vec<&str> = call.words.iter().map(String::as_str).skip_while(assigned).collect();
            match words.as_slice() {
                ["cd" | "pushd", to] => folder = below(&folder, to).unwrap_or_default(),
                ["." | "source", file, ..] if is_check_file(file) => self.file(&folder, file),
                ["." | "source", file, ..] => self.settings.extend(below(&folder, file)),
                words => self.command(words, &folder, read, depth),
            }
            if call.is_fed && last_look.is_some_and(|look| look > at) {
                earlier.append(&mut self.files);
            }
            self.after(before, &mut earlier);
        }
        self.last_word(known, earlier);
    }

    /// Finds the files that decide the result after a command: its own files, or if it runs none, the files of the commands
    /// before it. Before a runner, only checks among these still count; the others are generators.
    fn after(&mut self, before: BTreeSet<PathBuf>, earlier: &mut BTreeSet<PathBuf>) {
        if !self.files.is_empty() {
            return earlier.extend(before);
        }
        let is_runner = self.is_runner;
        let (kept, generators) = before.into_iter().partition(|file| !is_runner || says_check(file));
        self.files = kept;
        earlier.extend::<BTreeSet<PathBuf>>(generators);
    }

    /// Marks the new files of earlier commands as aside, but not the files that decide the result.
    fn last_word(&mut self, known: BTreeSet<PathBuf>, earlier: BTreeSet<PathBuf>) {
        self.aside.extend(earlier.difference(&self.files).filter(|file| !known.contains(*file)).cloned());
        self.files.extend(known.into_iter().chain(earlier));
    }

    fn python(&mut self, args: &[&str], folder: &Path) {
        self.imports.insert(folder.to_owned());
        let mut rest = args;
        loop {
            match rest {
                ["-m", module, given @ ..] => return self.module(module, given, folder),
                ["-W" | "-X", _, more @ ..] => rest = more,
                ["-c", code, ..] => {
                    self.opaque = true;
                    return imported(code).for_each(|module| self.dotted(module, folder));
                }
                [] => return self.opaque = true,
                [joined, ..] if joined.starts_with("-m") => return self.module(&joined[2..], &rest[1..], folder),
                [option, more @ ..] if option.starts_with('-') => rest = more,
                [script, ..] => {
                    self.opaque = true;
                    let Some(file) = below(folder, script) else { return };
                    self.imports.extend(file.parent().map(Path::to_owned));
                    self.files.insert(file);
                    return;
                }
            }
        }
    }

    fn module(&mut self, module: &str, given: &[&str], folder: &Path) {
        self.programs.insert(module.split('.').next().unwrap_or(module).to_owned());
        match module {
            "pytest" | "py.test" | "nose2" => self.given(given, folder),
            "coverage" if given.first() == Some(&"run") => self.python(&given[1..], folder),
            "unittest" => {
                self.given(given, folder);
                let modules = given.iter().filter(|word| !word.starts_with('-') && **word != "discover");
                modules.for_each(|module| self.dotted(module, folder));
            }
            "doctest" => {
                self.examples(given, folder);
                self.opaque = true;
            }
            "cProfile" | "profile" | "trace" | "pdb" | "IPython" => self.script_of(given, folder),
            // A module may be a file of the repository, which runs, or an installed program.
            own => {
                self.dotted(own, folder);
                self.opaque = true;
            }
        }
    }

    /// Adds the possible files of a dotted name. In `tests.test_calc.T.test_pos`, any prefix may be the module.
    fn dotted(&mut self, module: &str, folder: &Path) {
        let mut path = folder.to_owned();
        for part in module.split('.').take_while(|part| is_name(part)) {
            path.push(part);
            self.files.insert(path.with_extension("py"));
        }
        self.files.insert(path.join("__main__.py"));
    }

    /// Adds the files given to a test runner, also as `path::test`. For folders, the convention decides.
    fn given(&mut self, args: &[&str], folder: &Path) {
        self.settings(args, folder);
        if args.iter().any(|arg| arg.contains("doctest")) {
            return self.examples(args, folder);
        }
        for arg in args.iter().filter(|arg| !arg.starts_with('-')) {
            let file = arg.split("::").next().unwrap_or(arg);
            if Path::new(file).extension().is_some() {
                self.file(folder, file);
            }
        }
    }

    /// Adds texts whose examples are tested. They are either the work or its test.
    fn examples(&mut self, args: &[&str], folder: &Path) {
        let texts = args.iter().filter(|arg| !arg.starts_with('-') && !is_code(Path::new(arg)));
        let texts = texts.filter(|text| Path::new(text).extension().is_some());
        self.aside.extend(texts.filter_map(|text| below(folder, text)));
    }

    /// Adds files that are not code and given by an option, such as `--env-file=test.env`. They are the work or its test.
    fn settings(&mut self, args: &[&str], folder: &Path) {
        let values = args.iter().filter(|arg| arg.starts_with("--")).filter_map(|arg| Some(arg.split_once('=')?.1));
        let files = values.filter(|value| Path::new(value).extension().is_some() && !is_code(Path::new(value)));
        let files: Vec<PathBuf> = files.filter_map(|file| below(folder, file)).collect();
        self.settings.extend(files.iter().cloned());
        self.aside.extend(files);
    }

    fn make(&mut self, args: &[&str], folder: &Path, read: ReadFile<'_>, depth: usize) {
        let call = MakeCall::read(args, folder);
        self.opaque = true;
        let text = call.text(read);
        let included: Vec<PathBuf> = makefile::includes(&text).filter_map(|name| below(&call.folder, name)).collect();
        // The rule of a target may be in an included file.
        let texts = included.iter().filter_map(|file| read(file));
        let whole = texts.fold(text, |text, more| text + "\n" + &String::from_utf8_lossy(&more));
        self.scripts(&makefile::recipes(&whole, &call.targets), &call.folder, read, depth);
        for file in call.files() {
            self.makefiles.entry(file).or_default().extend(call.targets.iter().cloned());
        }
        self.settings.extend(included.iter().cloned());
        for file in included {
            self.included.entry(file).or_default().extend(call.targets.iter().cloned());
        }
    }
}

/// Whether a command runs tests that it finds by itself.
fn runs_tests(program: &str, args: &[&str]) -> bool {
    let is_module = |name: &&str| RUNNERS.contains(name) || *name == "unittest";
    match program {
        "python" | "pypy" => args.windows(2).any(|words| words[0] == "-m" && is_module(&words[1])),
        "node" | "nodejs" => args.contains(&"--test"),
        "cargo" | "go" | "dotnet" | "swift" | "mix" | "bun" | "deno" => args.contains(&"test"),
        runner => RUNNERS.contains(&runner),
    }
}

/// Words in the names of files that only check: `check_links.py`, `lint.sh`.
const CHECKERS: [&str; 8] = ["accept", "acceptance", "check", "lint", "test", "verify", "validate", "audit"];

/// Whether a file's name says that the file only checks.
pub(in crate::gate) fn is_check_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| CHECKERS.contains(&word))
}

/// Whether a file's name says that it checks something.
fn says_check(file: &Path) -> bool {
    let name = file.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| CHECKS.iter().any(|check| word.starts_with(check)))
}

/// The modules that a line of Python imports and whose names say that they only check.
fn imported(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|c: char| c.is_whitespace() || ",;".contains(c)).filter(|word| !word.is_empty());
    let follows_import = words.clone().zip(words.skip(1)).filter(|(word, _)| matches!(*word, "import" | "from"));
    follows_import.map(|(_, module)| module).filter(|module| is_check_file(module))
}

/// Whether a command compares the output of a program with something.
fn looks(words: &[String]) -> bool {
    is_look(words.first().map_or("", String::as_str))
}

/// Whether this program compares what it reads with something.
pub(super) fn is_look(program: &str) -> bool {
    matches!(program, "grep" | "egrep" | "fgrep" | "rg" | "diff" | "cmp" | "jq" | "test" | "[" | "sha256sum" | "md5sum")
}

/// The files that a script sources by a plain name: `. ./ci.env`, `source settings.sh`.
fn sourced(text: &str) -> impl Iterator<Item = &str> {
    let words = text.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    let files = words.filter(|(word, _)| matches!(*word, "." | "source"));
    let names = files.filter_map(|(_, rest)| rest.trim_start().split([' ', ';']).next());
    names.filter(|name| !name.contains('$')).map(|name| name.trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::strict;

    // P-5
    #[test]
    fn a_text_that_is_tried_and_settings_of_a_run_may_be_the_work() {
        let named = |line: &str| of(&strict::split(line).unwrap(), Path::new(""), &|_| None);
        for (line, path) in [
            ("python3 -m doctest README.md", "README.md"),
            ("pytest '--doctest-glob=*.md' docs/use.md", "docs/use.md"),
            ("node --env-file=settings/test.env --test", "settings/test.env"),
        ] {
            let named = named(line);
            assert!(named.aside.contains(Path::new(path)) && !named.files.contains(Path::new(path)), "{line}");
        }
        assert!(!named("python3 -m doctest prices.py").aside.contains(Path::new("prices.py")));
    }
}
