//! The scripts of `package.json`, and of other files that managers of packages read in the same way.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::below;
use super::named::{NamedFiles, ReadFile};

impl NamedFiles {
    /// Reads `npm test`, `yarn check` and the like.
    pub(super) fn package(&mut self, manager: &str, args: &[&str], folder: &Path, read: ReadFile<'_>, depth: usize) {
        self.opaque = true;
        let (mut words, mut folder, mut is_for_all) = (Vec::new(), folder.to_owned(), false);
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let (option, joined) = arg.split_once('=').map_or((*arg, None), |(option, value)| (option, Some(value)));
            let mut value = || joined.or_else(|| args.next().copied()).unwrap_or_default();
            match option {
                word if matches!(word, "-w" | "--workspace" | "-F" | "--filter")
                    || word == "workspace" && words.is_empty() =>
                {
                    let Some(to) = workspace(value(), &folder, read) else { return };
                    folder = to;
                }
                "--prefix" | "-C" | "--dir" | "--cwd" => match value() {
                    "." => {}
                    to => {
                        let Some(to) = below(&folder, to) else { return };
                        folder = to;
                    }
                },
                "-ws" | "--workspaces" | "-r" | "--recursive" | "workspaces" => is_for_all = true,
                option if option.starts_with('-') => {}
                _ => words.push(*arg),
            }
        }
        let is_verb = |word: &&str| matches!(*word, "test" | "t" | "tst" | "run" | "run-script" | "rum");
        // An option of the manager may have taken the word before the verb as its value.
        let verb = words.iter().position(is_verb).unwrap_or(0);
        let names = match (manager, &words[verb.min(words.len())..]) {
            ("npm-run-all" | "run-s" | "run-p" | "start-server-and-test", _) => words.as_slice(),
            (_, ["test" | "t" | "tst", ..]) => &["test"],
            (_, ["run" | "run-script" | "rum", name, ..]) => &[*name],
            ("node", [name, ..]) => &[*name],
            ("npm", _) | (_, []) => return,
            (_, [name, ..]) => &[*name],
        };
        let file = match manager {
            "composer" => "composer.json",
            "deno" => "deno.json",
            _ => "package.json",
        };
        let all = if is_for_all { workspaces(&folder, read) } else { Vec::new() };
        for folder in [folder.clone()].into_iter().chain(all.iter().filter_map(|to| below(&folder, to))) {
            self.follow_scripts(names, &folder.join(file), read, depth);
        }
    }

    /// Follows the scripts with these names; `check:*` names several.
    fn follow_scripts(&mut self, names: &[&str], file: &Path, read: ReadFile<'_>, depth: usize) {
        let followed = self.package_scripts.get(file);
        if names.iter().all(|name| followed.is_some_and(|followed| followed.contains(*name))) {
            return;
        }
        let package = json(file, read);
        let scripts = &package[scripts_key(file)];
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
            let lines: Vec<String> = around.iter().flat_map(|name| lines(&scripts[name.as_str()])).collect();
            self.scripts(&lines, file.parent().unwrap_or(Path::new("")), read, depth);
        }
    }
}

/// The maximum number of workspaces that are looked at.
const MOST: usize = 50;

/// The key of a file below which its scripts stand.
pub(super) fn scripts_key(file: &Path) -> &'static str {
    if file.file_name().is_some_and(|name| name == "deno.json") { "tasks" } else { "scripts" }
}

/// The commands of a script. Those of composer are a list, in which `@php` is a program and `@name` another script.
fn lines(script: &Value) -> Vec<String> {
    let all = script.as_array().map_or(std::slice::from_ref(script), Vec::as_slice);
    let line = |line: &str| match line.strip_prefix('@') {
        Some(call) if call.starts_with("php ") || call.starts_with("composer ") => call.to_owned(),
        Some(name) => format!("composer run {name}"),
        None => line.to_owned(),
    };
    all.iter().filter_map(Value::as_str).map(line).collect()
}

/// The folder of a workspace, which is given by its path or by the name of its package.
fn workspace(given: &str, folder: &Path, read: ReadFile<'_>) -> Option<PathBuf> {
    if given == "." {
        return Some(folder.to_owned());
    }
    let package = |to: &PathBuf| read(&to.join("package.json"));
    if let Some(to) = below(folder, given).filter(|to| package(to).is_some()) {
        return Some(to);
    }
    let last = given.rsplit('/').next()?;
    let mut folders = workspaces(folder, read);
    // Folders cannot be listed here, so a pattern is tried with the last part of the name.
    folders.extend(["packages/*", "apps/*", "libs/*"].map(str::to_owned));
    let folders = folders.iter().filter_map(|pattern| below(folder, &pattern.replacen('*', last, 1)));
    let is_its = |to: &PathBuf| json(&to.join("package.json"), read)["name"] == given;
    folders.into_iter().find(is_its)
}

/// The paths and patterns of the workspaces of a package.
fn workspaces(folder: &Path, read: ReadFile<'_>) -> Vec<String> {
    let package = json(&folder.join("package.json"), read);
    let listed = &package["workspaces"];
    let listed = listed.as_array().or_else(|| listed["packages"].as_array());
    listed.into_iter().flatten().filter_map(|path| path.as_str().map(str::to_owned)).take(MOST).collect()
}

fn json(file: &Path, read: ReadFile<'_>) -> Value {
    read(file).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::{harness, names};

    // P-5
    #[test]
    fn scripts_are_followed_in_workspaces_and_other_managers() {
        let files = &[
            (
                "package.json",
                r#"{"workspaces":["web","tools/*"],"scripts":{"check":"node check.js","both":"concurrently -k npm:check 'node b.js'",
                "up":"start-server-and-test start http://localhost:3000 check","start":"node server.js"}}"#,
            ),
            ("web/package.json", r#"{"name":"@acme/site","scripts":{"check":"node check.js","test":"node check.js"}}"#),
            ("tools/lint/package.json", r#"{"name":"@acme/lint","scripts":{"test":"node all.js"}}"#),
            ("packages/core/package.json", r#"{"name":"@acme/core","scripts":{"test":"node all.js"}}"#),
            ("composer.json", r#"{"scripts":{"check":["@php check.php","@more"],"more":"php more.php"}}"#),
            ("deno.json", r#"{"tasks":{"check":"deno run -A check.ts"}}"#),
        ];
        for (line, file) in [
            ("npm -w @acme/site run check", "web/check.js"),
            ("npm --workspace=@acme/lint test", "tools/lint/all.js"),
            ("pnpm --filter @acme/core test", "packages/core/all.js"),
            ("yarn workspace @acme/site check", "web/check.js"),
            ("npm test --workspaces", "web/check.js"),
            ("npm run check -ws", "web/check.js"),
            ("pnpm -r test", "web/check.js"),
            ("yarn workspaces foreach -A run check", "web/check.js"),
            ("npm run both", "check.js"),
            ("npm run both", "b.js"),
            ("npm run up", "check.js"),
            ("bun run check", "check.js"),
            ("bun --cwd web run check", "web/check.js"),
            ("bun run check.ts", "check.ts"),
            ("composer check", "check.php"),
            ("composer run-script check", "more.php"),
            ("deno task check", "check.ts"),
        ] {
            names(line, files, file, true);
        }
        names("npm -w @acme/site test", files, "check.js", false);
        for (line, file, then, now, blend) in [
            (
                "composer check",
                "composer.json",
                r#"{"scripts":{"check":["a","b"]}}"#,
                r#"{"require":{},"scripts":{"check":"a","x":"y"}}"#,
                r#"{"require":{},"scripts":{"check":["a","b"],"x":"y"}}"#,
            ),
            (
                "deno task check", "deno.json", r#"{"tasks":{"check":"a"}}"#, r#"{"tasks":{"check":"true"}}"#,
                r#"{"tasks":{"check":"a"}}"#,
            ),
        ] {
            let harness = harness(line, "", &[], files);
            let found = harness.blended(Path::new(file), then.as_bytes(), now.as_bytes(), &|_| true).unwrap();
            let json = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
            assert_eq!(json(&found), json(blend.as_bytes()), "{line}");
            assert_eq!(harness.blended(Path::new(file), then.as_bytes(), then.as_bytes(), &|_| true), None, "{line}");
        }
    }
}
