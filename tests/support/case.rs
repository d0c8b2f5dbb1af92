//! One golden case: `fixtures/cli/<name>.toml` beside `<name>.in/` (files before) and `<name>.out/` (files after).
//!
//! Without `.in` the world is empty; without `.out` the runs must leave every file as it was.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use snapbox::Data;

use super::output::{Output, compare, document};
use super::redact::redact;
use super::tree::{self, Tree};
use super::world::World;

/// The file, as it is read and rewritten.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// One sentence: what it shows.
    about: String,
    /// Requirements that it proves.
    #[serde(default)]
    proves: Vec<String>,
    /// A repository in which `.in` is committed; `false`: none at all.
    #[serde(default = "yes")]
    git: bool,
    /// Run one after another in the same world.
    run: Vec<Run>,
}

/// One command and how it must end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// Arguments of `plan`.
    args: Option<Vec<String>>,
    /// Instead: a line for `sh`, to do what a person does between two commands.
    sh: Option<String>,
    stdin: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    dir: Option<String>,
    #[serde(default)]
    code: i32,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    stderr: String,
}

/// Runs the case in `file`; the message says what differs. With `update`, the expectations are rewritten instead.
pub fn check(file: &Path, update: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let mut case: Case = toml::from_str(&text).map_err(|e| e.to_string())?;
    let world = case.world(&beside(file, "in"))?;
    let mut wrong = String::new();
    for run in &mut case.run {
        run.check(&world, update, &mut wrong);
    }
    let expected = Some(tree::read(&beside(file, "out"))).filter(|t| !t.is_empty());
    let before = tree::read(&beside(file, "in"));
    let expected = expected.unwrap_or_else(|| before.clone());
    let after = redacted(&world);
    differences(&expected, &after, &mut wrong);
    if update && !wrong.is_empty() {
        let kept = if after == before { Tree::new() } else { after };
        tree::write(&beside(file, "out"), &kept);
        std::fs::write(file, case.render()).map_err(|e| e.to_string())?;
        return Ok(());
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let name = file.file_stem().unwrap_or_default().display();
    Err(format!("{wrong}if that is meant: CASE={name} UPDATE=1 cargo test --test it golden\n"))
}

impl Case {
    fn world(&self, input: &Path) -> Result<World, String> {
        let world = if self.git { World::new() } else { World::without_git() };
        if input.is_dir() {
            tree::copy(input, world.root());
        } else if self.run.is_empty() {
            return Err("no run".into());
        }
        Ok(if self.git && input.is_dir() { world.committed() } else { world })
    }

    fn render(&self) -> String {
        let mut out = format!("about = {}\n", quoted(&self.about));
        if !self.proves.is_empty() {
            writeln!(out, "proves = {}", list(&self.proves)).unwrap();
        }
        if !self.git {
            out.push_str("git = false\n");
        }
        for run in &self.run {
            run.render(&mut out);
        }
        out
    }
}

impl Run {
    fn check(&mut self, world: &World, update: bool, wrong: &mut String) {
        let output = self.output(world);
        let name =
            self.args.as_ref().map_or_else(|| self.sh.clone().unwrap_or_default(), |a| format!("plan {}", a.join(" ")));
        let mut found = String::new();
        if output.code != self.code {
            writeln!(found, "exit {}, expected {}", output.code, self.code).unwrap();
        }
        differs("stdout", output.stdout.as_bytes(), self.stdout.as_bytes(), &mut found);
        differs("stderr", output.stderr.as_bytes(), self.stderr.as_bytes(), &mut found);
        if self.args.iter().flatten().any(|a| a == "--json") {
            found.extend(document(&output.stdout).err().map(|why| format!("--json: {why}\n")));
        }
        if output.stdout.contains('\x1b') || output.stderr.contains('\x1b') {
            found.push_str("an escape character in an output that is no terminal\n");
        }
        if !found.is_empty() {
            writeln!(wrong, "`{name}`\n{found}").unwrap();
            if update {
                (self.code, self.stdout, self.stderr) = (output.code, output.stdout, output.stderr);
            }
        }
    }

    fn output(&self, world: &World) -> Output {
        let mut call = match (&self.args, &self.sh) {
            (Some(args), None) => world.call(args),
            (None, Some(line)) => world.call_program("sh", ["-c", line]),
            _ => panic!("a run has either `args` or `sh`"),
        };
        for (key, value) in &self.env {
            call = call.env(key, value);
        }
        if let Some(dir) = &self.dir {
            call = call.dir(dir);
        }
        call.stdin(self.stdin.as_deref().unwrap_or_default()).run()
    }

    fn render(&self, out: &mut String) {
        out.push_str("\n[[run]]\n");
        let args = self.args.as_deref().map(list);
        let mut line = |key: &str, value: Option<String>| value.map(|v| writeln!(out, "{key} = {v}").unwrap());
        line("args", args);
        line("sh", self.sh.as_deref().map(quoted));
        line("stdin", self.stdin.as_deref().map(quoted));
        let env = self.env.iter().map(|(k, v)| format!("{k} = {}", quoted(v))).collect::<Vec<_>>().join(", ");
        line("env", (!env.is_empty()).then(|| format!("{{ {env} }}")));
        line("dir", self.dir.as_deref().map(quoted));
        line("code", (self.code != 0).then(|| self.code.to_string()));
        line("stdout", (!self.stdout.is_empty()).then(|| quoted(&self.stdout)));
        line("stderr", (!self.stderr.is_empty()).then(|| quoted(&self.stderr)));
    }
}

fn yes() -> bool {
    true
}

fn beside(file: &Path, extension: &str) -> PathBuf {
    file.with_extension(extension)
}

fn redacted(world: &World) -> Tree {
    let text = |bytes: Vec<u8>| match String::from_utf8(bytes) {
        Ok(text) => redact(world.base(), &text).into_bytes(),
        Err(bytes) => bytes.into_bytes(),
    };
    tree::read(world.root()).into_iter().map(|(name, bytes)| (name, text(bytes))).collect()
}

fn differences(expected: &Tree, actual: &Tree, wrong: &mut String) {
    for (name, bytes) in expected {
        match actual.get(name) {
            Some(found) => differs(name, found, bytes, wrong),
            None => writeln!(wrong, "{name}: is gone").unwrap(),
        }
    }
    for name in actual.keys().filter(|name| !expected.contains_key(*name)) {
        writeln!(wrong, "{name}: is new").unwrap();
    }
}

/// Wildcards are tried only where the bytes are not the same; line endings then count too.
fn differs(name: &str, actual: &[u8], expected: &[u8], wrong: &mut String) {
    let endings = |bytes: &[u8]| memchr::memmem::find(bytes, b"\r\n").is_some();
    if actual == expected {
        return;
    }
    if endings(actual) != endings(expected) {
        writeln!(wrong, "{name}: line endings changed").unwrap();
    }
    let data = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => Data::text(text),
        Err(_) => Data::binary(bytes),
    };
    let assert = compare().action(snapbox::assert::Action::Verify);
    wrong.extend(assert.try_eq(Some(&name), data(actual), data(expected)).err().map(|e| format!("{e}\n")));
}

fn list(values: &[String]) -> String {
    format!("[{}]", values.iter().map(|v| escaped(v)).collect::<Vec<_>>().join(", "))
}

/// A TOML string: literal over several lines where that can hold the text, else escaped.
fn quoted(text: &str) -> String {
    let plain = text.chars().all(|c| !c.is_control() || c == '\n');
    if text.contains('\n') && plain && !text.contains("'''") && !text.ends_with('\'') {
        return format!("'''\n{text}'''");
    }
    escaped(text)
}

/// JSON's escapes are TOML's, but for DEL, which TOML wants escaped too.
fn escaped(text: &str) -> String {
    serde_json::to_string(text).unwrap().replace('\x7f', "\\u007F")
}
