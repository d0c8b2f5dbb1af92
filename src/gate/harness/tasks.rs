//! The tasks that a project defines in a file of its own: the scripts of `package.json`, and the recipes of task runners.

use std::path::{Path, PathBuf};

use super::named::{NamedFiles, ReadFile, is_check_file, starts_script};
use super::{below, is_code};

/// Task runners, each with the files that may define its tasks. Their formats are not read.
const RUNNERS: [(&[&str], &[&str]); 8] = [
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (&["task", "go-task"], &["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml"]),
    (&["rake"], &["Rakefile", "rakefile", "Rakefile.rb"]),
    (&["tox"], &["tox.ini", "setup.cfg", "pyproject.toml"]),
    (&["nox"], &["noxfile.py"]),
    (&["composer"], &["composer.json"]),
    (&["invoke", "inv"], &["tasks.py"]),
    (&["hatch", "pdm", "poe", "rye", "taskipy"], &["pyproject.toml"]),
];

impl NamedFiles {
    /// Adds the scripts that a task runner may run. Which of them it runs is unknown, so only those count that are called like
    /// scripts and whose names say that they only check: a generator may be the work.
    pub(super) fn tasks(&mut self, program: &str, folder: &Path, read: ReadFile<'_>) {
        let Some((_, definitions)) = RUNNERS.iter().find(|(programs, _)| programs.contains(&program)) else { return };
        self.opaque = true;
        for text in definitions.iter().filter_map(|name| read(&folder.join(name))) {
            let text = String::from_utf8_lossy(&text);
            let words: Vec<&str> = text
                .split(|c: char| c.is_whitespace() || "\\\"'`,;()[]{}".contains(c))
                .filter(|word| !word.is_empty())
                .collect();
            let is_called = |two: &&[&str]| starts_script(two[0]) || two[1].starts_with("./");
            let files = words.windows(2).filter(is_called).map(|two| two[1]);
            let checks = files.filter(|word| is_code(Path::new(word)) && is_check_file(word));
            self.files.extend(checks.filter_map(|file| below(folder, file)));
        }
    }

    /// Reads `npm test`, `yarn check` and the like.
    pub(super) fn package(&mut self, manager: &str, args: &[&str], folder: &Path, read: ReadFile<'_>, depth: usize) {
        self.opaque = true;
        let (mut words, mut folder, mut args) = (Vec::new(), folder.to_owned(), args.iter());
        while let Some(arg) = args.next() {
            let (option, joined) = arg.split_once('=').map_or((*arg, None), |(option, value)| (option, Some(value)));
            let is_workspace = matches!(option, "-w" | "--workspace" | "-F" | "--filter");
            if is_workspace || matches!(option, "--prefix" | "-C" | "--dir" | "--cwd") {
                let to = joined.or_else(|| args.next().copied()).unwrap_or_default();
                let to = if to == "." { Some(folder.clone()) } else { below(&folder, to) };
                // A workspace may be given by the name of its package, whose folder is unknown.
                let is_there = |to: &PathBuf| !is_workspace || read(&to.join("package.json")).is_some();
                let Some(to) = to.filter(is_there) else { return };
                folder = to;
            } else if !option.starts_with('-') {
                words.push(*arg);
            }
        }
        let is_verb = |word: &&str| matches!(*word, "test" | "t" | "tst" | "run" | "run-script" | "rum");
        // An option of the manager may have taken the word before the verb as its value.
        let verb = words.iter().position(is_verb).unwrap_or(0);
        let names = match (manager, &words[verb.min(words.len())..]) {
            ("npm-run-all" | "run-s" | "run-p", _) => words.as_slice(),
            (_, ["test" | "t" | "tst", ..]) => &["test"],
            (_, ["run" | "run-script" | "rum", name, ..]) => &[*name],
            ("node", [name, ..]) => &[*name],
            ("npm", _) | (_, []) => return,
            (_, [name, ..]) => &[*name],
        };
        self.follow_scripts(names, &folder.join("package.json"), read, depth);
    }

    /// Follows the scripts with these names; `check:*` names several.
    fn follow_scripts(&mut self, names: &[&str], file: &Path, read: ReadFile<'_>, depth: usize) {
        let package: serde_json::Value =
            read(file).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let scripts = &package["scripts"];
        let known: Vec<&str> =
            scripts.as_object().into_iter().flat_map(|scripts| scripts.keys().map(String::as_str)).collect();
        let members = |name: &&str| match name.split_once('*') {
            Some((group, _)) => {
                known.iter().filter(|script| script.starts_with(group)).map(|name| (*name).to_owned()).collect()
            }
            None => vec![(*name).to_owned()],
        };
        for name in names.iter().flat_map(members) {
            let followed = self.package_scripts.entry(file.to_owned()).or_default();
            // A script may call itself, and many may call the same one.
            if !followed.insert(name.clone()) {
                continue;
            }
            let around = [format!("pre{name}"), name.clone(), format!("post{name}")];
            followed.extend(around.iter().cloned());
            let lines = around.iter().filter_map(|name| scripts[name].as_str().map(str::to_owned));
            self.scripts(&lines.collect::<Vec<_>>(), file.parent().unwrap_or(Path::new("")), read, depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::harness;

    // P-5
    #[test]
    fn programs_that_start_a_script_or_a_task_are_followed() {
        let files = &[
            (
                "Rakefile",
                "task(:check) { sh 'ruby tools/check_slugs.rb' }\ntask(:gen) { sh 'ruby tools/gen.rb' }\nfile 'lib/check.rb'\n",
            ),
            ("justfile", "check:\n    sh tools/check.sh\n"),
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
        ] {
            let harness = harness(line, "", &[], files);
            assert!(harness.is_named(Path::new(file)), "{line}: {:?}", harness.named.files);
        }
        for product in ["tools/gen.rb", "lib/check.rb"] {
            assert!(!harness("rake check", "", &[], files).is_named(Path::new(product)));
        }
    }
}
