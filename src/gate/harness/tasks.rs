//! The tasks that a project defines in a file of its own for a task runner.

use std::path::Path;

use super::interpreters::starts_script;
use super::named::{NamedFiles, ReadFile, is_check_file};
use super::{below, is_code};

/// Task runners, each with the files that may define its tasks. Their formats are not read.
const RUNNERS: [(&[&str], &[&str]); 11] = [
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (&["task", "go-task"], &["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml"]),
    (&["rake"], &["Rakefile", "rakefile", "Rakefile.rb"]),
    (&["tox"], &["tox.ini", "setup.cfg", "pyproject.toml"]),
    (&["nox"], &["noxfile.py"]),
    (&["invoke", "inv"], &["tasks.py"]),
    (&["hatch", "pdm", "poe", "rye", "taskipy", "pixi"], &["pyproject.toml", "pixi.toml"]),
    (&["pipenv"], &["Pipfile"]),
    (&["mise"], &["mise.toml", ".mise.toml"]),
    (&["pre-commit", "prek"], &[".pre-commit-config.yaml"]),
    (&["lefthook"], &["lefthook.yml", "lefthook.yaml"]),
];
/// Files that define more than tasks. The work may change the rest of them.
const SHARED: [&str; 4] = ["setup.cfg", "pyproject.toml", "pixi.toml", "Pipfile"];

impl NamedFiles {
    /// Adds what a task runner reads and may run: the file that defines the tasks, if it names each of the tasks in `args`,
    /// and scripts. Which scripts a task runs is unknown, so only those count that are called like scripts and whose names say
    /// that they only check: a generator may be the work.
    pub(super) fn tasks(&mut self, program: &str, args: &[&str], folder: &Path, read: ReadFile<'_>) {
        let Some((_, definitions)) = RUNNERS.iter().find(|(programs, _)| programs.contains(&program)) else { return };
        self.opaque = true;
        for name in *definitions {
            let Some(text) = read(&folder.join(name)) else { continue };
            let text = String::from_utf8_lossy(&text);
            let words: Vec<&str> = text
                .split(|c: char| c.is_whitespace() || "\\\"'`,;()[]{}".contains(c))
                .filter(|word| !word.is_empty())
                .collect();
            let is_called = |two: &&[&str]| starts_script(two[0]) || two[1].starts_with("./");
            let files = words.windows(2).filter(is_called).map(|two| two[1]);
            let checks = files.filter(|word| is_code(Path::new(word)) && is_check_file(word));
            self.files.extend(checks.filter_map(|file| below(folder, file)));
            let is_task = |arg: &&&str| !arg.starts_with('-') && !arg.contains('=') && !matches!(**arg, "run" | "exec");
            let mut tasks = args.iter().filter(is_task);
            let has =
                |task: &&str| words.iter().any(|word| word.trim_matches(':').trim_start_matches("tasks.") == *task);
            if !SHARED.contains(name) && tasks.all(has) {
                self.file(folder, name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::{harness, names};

    // P-5
    #[test]
    fn programs_that_start_a_script_or_a_task_are_followed() {
        let files = &[
            (
                "Rakefile",
                "task(:check) { sh 'ruby tools/check_slugs.rb' }\ntask(:gen) { sh 'ruby tools/gen.rb' }\nfile 'lib/check.rb'\n",
            ),
            ("justfile", "check:\n    sh tools/check.sh\n"),
            ("pyproject.toml", "[tool.hatch.envs.default.scripts]\nlint = 'python tools/lint_all.py'\n"),
            ("mise.toml", "[tasks.check]\nrun = \"sh tools/check.sh\"\n"),
            (".pre-commit-config.yaml", "    - id: slugs\n      entry: python tools/check_slugs.py\n"),
            ("tox.ini", "[testenv]\ncommands = python tools/lint_all.py {posargs}\n"),
            (
                "package.json",
                r#"{"scripts":{"check":"cross-env A=b node check.js","all":"run-s -c check","cov":"c8 -r text node check.js",
                "env":"node --env-file .env check.js","dot":"dotenv -e .env -- node check.js",
                "check:a":"node a.js","some":"run-s check:*","lines":"c8 --check-coverage --lines 90 node check.js"}}"#,
            ),
        ];
        for (line, file) in [
            ("coverage run check.py", "check.py"),
            ("coverage run --branch -m checks", "checks.py"),
            ("python3 -m coverage run check.py", "check.py"),
            ("uv run check.py", "check.py"),
            ("uv run --with requests -m checks", "checks.py"),
            ("bash +x check.sh", "check.sh"),
            ("npm run check", "check.js"),
            ("npm run all", "check.js"),
            ("npm run cov", "check.js"),
            ("npm run env", "check.js"),
            ("npm run dot", "check.js"),
            ("npx run-s check", "check.js"),
            ("npm run some", "a.js"),
            ("npm run lines", "check.js"),
            ("npm --loglevel error run check", "check.js"),
            ("node --run check", "check.js"),
            ("rake check", "tools/check_slugs.rb"),
            ("bundle exec rake", "tools/check_slugs.rb"),
            ("just check", "tools/check.sh"),
            ("tox -e py", "tools/lint_all.py"),
            ("hatch run lint", "tools/lint_all.py"),
            ("pre-commit run --all-files", "tools/check_slugs.py"),
            ("mise run check", "tools/check.sh"),
        ] {
            names(line, files, file, true);
        }
        for (line, file) in [
            ("rake", "Rakefile"),
            ("rake check", "Rakefile"),
            ("just check", "justfile"),
            ("tox", "tox.ini"),
            ("pre-commit run --all-files", ".pre-commit-config.yaml"),
            ("mise run check", "mise.toml"),
        ] {
            assert!(harness(line, "", &[], files).is_harness(Path::new(file)), "{line}");
        }
        for (line, file) in
            [("just check new", "justfile"), ("rake new", "Rakefile"), ("hatch run lint", "pyproject.toml")]
        {
            names(line, files, file, false);
        }
        for product in ["tools/gen.rb", "lib/check.rb"] {
            names("rake check", files, product, false);
        }
    }
}
