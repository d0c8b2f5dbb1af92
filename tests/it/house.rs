//! Rules of the code that the compiler does not check (the rooms are in docs/architecture.md).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

fn source() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(root).unwrap().to_path_buf(), text));
            }
        }
    }
    files
}

/// Returns the lines of a file outside comments and outside items that only tests use.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // The line that ends an item of tests; the inner `None` means it is not known yet.
    let mut skipping: Option<Option<String>> = None;
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(move |(_, line)| {
        let end = match &skipping {
            None => {
                if is_of_tests(line.trim()) {
                    skipping = Some(None);
                }
                return skipping.is_none();
            }
            Some(end) => end,
        };
        let indent = &line[..line.len() - line.trim_start().len()];
        match end {
            Some(end) if line.starts_with(end.as_str()) => skipping = None,
            Some(_) => {}
            // More attributes may follow, then the item: one line, or a block that ends at its own indentation.
            None if line.trim_start().starts_with("#[") => {}
            None if line.ends_with([';', '}']) => skipping = None,
            None => skipping = Some(Some(format!("{indent}}}"))),
        }
        false
    });
    lines.map(|(at, line)| (at, line.trim_start())).filter(|(_, line)| !line.starts_with("//"))
}

fn is_of_tests(line: &str) -> bool {
    line == "#[cfg(test)]" || line.starts_with("#[cfg(all(test,")
}

#[test]
fn what_stands_behind_tests_is_looked_at_too() {
    let text = "a\n#[cfg(test)]\nmod tests;\nb\n#[cfg(all(test, unix))]\n#[allow(x)]\nmod more {\n    c\n    }\n}\nd\n    #[cfg(test)]\n    \
                fn e() {\n        f\n    }\n// g\nh\n";
    assert_eq!(code(text).map(|(_, line)| line).collect::<String>(), "abdh");
    // Only tests are left out: every line before the first line of tests is there.
    for (path, text) in source() {
        let before = text.lines().take_while(|line| !is_of_tests(line.trim())).count();
        let all = text.lines().take(before).filter(|line| !line.trim_start().starts_with("//")).count();
        assert!(code(&text).count() >= all, "{}", path.display());
    }
}

fn is_test(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.components().any(|c| c.as_os_str() == "tests")
}

/// Every line of code in `room` (or outside it, with `!`) that contains one of `words`.
fn lines_with(room: &str, words: &[&str]) -> Vec<String> {
    let (outside, room) = room.strip_prefix('!').map_or((false, room), |room| (true, room));
    let mut found = Vec::new();
    for (path, text) in source().iter().filter(|(path, _)| !is_test(path) && path.starts_with(room) != outside) {
        let lines = code(text).filter(|(_, line)| words.iter().any(|word| line.contains(word)));
        found.extend(lines.map(|(at, line)| format!("{}:{at}: {line}", path.display())));
    }
    found
}

#[test]
fn the_plan_room_is_pure() {
    let words =
        ["std::fs", "std::env", "std::process", "std::net", "std::time", "std::io", "rustix::", "jiff::", "SystemTime"];
    assert_eq!(lines_with("src/plan", &words), [""; 0]);
    let rooms = ["store", "session", "repo", "process", "signoff", "host", "config", "prompt", "ui", "command", "cli"];
    let rooms: Vec<String> = rooms.iter().map(|room| format!("crate::{room}")).collect();
    assert_eq!(lines_with("src/plan", &rooms.iter().map(String::as_str).collect::<Vec<_>>()), [""; 0]);
    // A report depends only on its input: the same plan gives the same bytes.
    let world =
        ["std::fs", "std::env", "std::process", "std::time", "std::io", "SystemTime", "Zoned", "jiff::Timestamp"];
    assert_eq!(lines_with("src/report", &world), [""; 0]);
}

/// The rooms, each with the rooms that it may use. A room uses only rooms above it here, so that there is no cycle.
const ROOMS: [(&str, &[&str]); 31] = [
    ("error", &[]),
    ("prompt", &["error"]),
    ("shell", &["error"]),
    ("plan", &["error"]),
    ("exchange", &["error", "plan", "shell"]),
    ("process", &["error", "shell"]),
    ("mutate", &["shell"]),
    ("disk", &["process"]),
    ("config", &["disk", "error", "process", "shell"]),
    ("store", &["disk", "error", "plan", "process", "shell"]),
    ("session", &["config", "error", "plan", "prompt", "shell", "store"]),
    ("host", &["disk", "prompt", "session", "shell"]),
    ("repo", &["disk", "error", "process", "shell", "store"]),
    ("settings", &["disk", "error", "host", "process", "shell", "store"]),
    ("lang", &["shell"]),
    ("verify", &["config", "error", "lang", "plan", "process", "shell", "store"]),
    ("base", &["error", "lang", "plan", "process", "repo", "shell", "store", "verify"]),
    ("replay", &["disk", "error", "lang", "process", "repo", "verify"]),
    (
        "gate",
        &["base", "config", "disk", "error", "lang", "mutate", "plan", "process", "replay", "repo", "shell", "verify"],
    ),
    (
        "signoff",
        &[
            "base", "config", "disk", "error", "gate", "host", "lang", "plan", "process", "prompt", "replay", "repo",
            "session", "shell", "store", "verify",
        ],
    ),
    ("audit", &["base", "config", "error", "gate", "plan", "prompt", "replay", "repo", "signoff", "store", "verify"]),
    (
        "contract",
        &["audit", "base", "config", "error", "host", "plan", "process", "repo", "shell", "signoff", "store", "verify"],
    ),
    (
        "doctor",
        &[
            "base", "config", "contract", "disk", "error", "exchange", "host", "plan", "process", "prompt", "repo",
            "settings", "shell", "signoff", "store", "verify",
        ],
    ),
    (
        "agent",
        &[
            "config", "disk", "error", "exchange", "host", "plan", "process", "prompt", "repo", "session", "signoff",
            "store", "verify",
        ],
    ),
    ("report", &["audit", "plan"]),
    ("ui", &["error", "plan"]),
    ("mcp", &["error", "prompt", "process", "store", "ui"]),
    ("watch", &["error", "plan", "process", "shell", "store", "ui", "verify"]),
    (
        "command",
        &[
            "agent", "audit", "base", "config", "contract", "disk", "doctor", "error", "exchange", "gate", "host",
            "mcp", "plan", "process", "prompt", "repo", "report", "session", "settings", "shell", "signoff", "store",
            "ui", "verify", "watch",
        ],
    ),
    ("cli", &["command", "ui"]),
    ("lib", &["cli", "command", "error", "process", "repo", "ui"]),
];

#[test]
fn rooms_use_only_the_rooms_above_them() {
    for (at, (room, uses)) in ROOMS.iter().enumerate() {
        assert!(uses.iter().all(|used| ROOMS[..at].iter().any(|(above, _)| above == used)), "`{room}` is in a circle");
        let lines =
            [lines_with(&format!("src/{room}"), &["crate::"]), lines_with(&format!("src/{room}.rs"), &["crate::"])];
        let strange = |line: &String| named(line).any(|name| name != *room && !uses.contains(&name) && is_room(name));
        assert_eq!(lines.into_iter().flatten().filter(strange).collect::<Vec<_>>(), [""; 0], "`{room}`");
    }
}

fn is_room(name: &str) -> bool {
    ROOMS.iter().any(|(room, _)| *room == name)
}

/// The paths from the crate's root in a line: `crate::a::b`, `use crate::{a, b::c};`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let word = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    line.split("crate::").skip(1).flat_map(move |rest| {
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(group) => group.split([',', '{', '}']).map(str::trim_start).collect(),
            None => vec![rest],
        };
        names.into_iter().map(move |name| &name[..word(name)])
    })
}

/// The modules of src/, each with the paths that its file uses; the flag is true for a re-export.
type House = BTreeMap<String, Vec<(bool, String)>>;

/// A type that two files share is in the lower one of them.
#[test]
fn no_file_uses_one_that_uses_it() {
    let mut house = House::new();
    for (path, text) in source().iter().filter(|(path, _)| !is_test(path) && !path.ends_with("main.rs")) {
        let path = path.strip_prefix("src").unwrap().with_extension("").to_string_lossy().replace('/', "::");
        let name = if path == "lib" { "" } else { path.strip_suffix("::mod").unwrap_or(&path) };
        house.insert(name.to_owned(), taken(text));
    }
    let mut arrows = BTreeSet::new();
    for (from, paths) in &house {
        for (is_handed_on, path) in paths {
            let to = standing(&house, from, path).filter(|to| to != from);
            let is_below = |to: &String| from.is_empty() || to.starts_with(&format!("{from}::"));
            arrows.extend(to.filter(|to| !(*is_handed_on && is_below(to))).map(|to| (from.clone(), to)));
        }
    }
    // A module without users, or without dependencies, is in no cycle.
    let mut before = usize::MAX;
    while arrows.len() < before {
        before = arrows.len();
        let (starts, ends): (HashSet<_>, HashSet<_>) = arrows.iter().cloned().unzip();
        arrows.retain(|(from, to)| ends.contains(from) && starts.contains(to));
    }
    assert_eq!(arrows, BTreeSet::new());
}

/// The paths of `use` lines, and the paths in other lines that begin with `crate`, `super` or `self`.
fn taken(text: &str) -> Vec<(bool, String)> {
    let (mut lines, mut all) = (code(text).map(|(_, line)| line), Vec::new());
    while let Some(line) = lines.next() {
        let is_use = |front: &str| matches!(front, "" | "pub ") || front.starts_with("pub(") && front.ends_with(") ");
        if let Some((front, tree)) = line.split_once("use ").filter(|(front, _)| is_use(front)) {
            let mut tree = tree.to_owned();
            while !tree.ends_with(';') {
                tree += lines.next().unwrap();
            }
            all.extend(branches(tree.trim_end_matches(';')).into_iter().map(|path| (!front.is_empty(), path)));
        } else {
            let line = line.replace("(in crate::", "(");
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let is_path = |word: &&str| ["crate::", "super::", "self::"].iter().any(|begin| word.starts_with(begin));
            all.extend(words.filter(is_path).map(|word| (false, word.to_owned())));
        }
    }
    all
}

/// Expands `a::{b, c::{d}}` to `a::b` and `a::c::d`.
fn branches(tree: &str) -> Vec<String> {
    let Some((front, group)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap().trim().to_owned()];
    };
    let mut depth = 0;
    let parts = group[..group.rfind('}').unwrap()].split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(|part| branches(&format!("{front}{part}"))).collect()
}

/// The file in which a path of `from` ends, after following re-exports; `None` outside the crate.
fn standing(house: &House, from: &str, path: &str) -> Option<String> {
    let mut at: Vec<&str> = from.split("::").filter(|name| !name.is_empty()).collect();
    let below = |at: &[&str], name: &str| house.contains_key(&[at, &[name]].concat().join("::"));
    let mut names = path.split("::").peekable();
    let first = *names.peek()?;
    if !matches!(first, "crate" | "super" | "self") && !below(&at, first) {
        return None;
    }
    while let Some(name) = names.next_if(|name| matches!(*name, "crate" | "super" | "self") || below(&at, name)) {
        match name {
            "crate" => at.clear(),
            "super" => drop(at.pop()),
            "self" => {}
            name => at.push(name),
        }
    }
    let (at, end) = (at.join("::"), names.next().map(|name| format!("::{name}")));
    let handed = end.and_then(|end| house.get(&at)?.iter().find(|(is_pub, path)| *is_pub && path.ends_with(&end)));
    handed.and_then(|(_, path)| standing(house, &at, path)).or(Some(at))
}

#[test]
fn every_file_is_in_a_room() {
    let known = |path: &Path| {
        let first = path.components().nth(1).map(|part| PathBuf::from(part.as_os_str()).with_extension(""));
        first.is_some_and(|first| first == Path::new("main") || ROOMS.iter().any(|(room, _)| first == Path::new(room)))
    };
    let strange = source().into_iter().map(|(path, _)| path).filter(|path| !known(path));
    assert_eq!(strange.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// Output for people and their input go through one room. This does not include a file that is passed to a process, or one that the
/// scripted judge reads as a whole.
#[test]
fn streams_are_in_one_room() {
    assert_eq!(lines_with("!src/ui", &["io::stdout(", "io::stderr(", "println!", "print!("]), [""; 0]);
}

// P-66
#[test]
fn programs_are_started_in_one_room() {
    let mut found = lines_with("!src/process", &["Command::new", "process::Command", "duct::"]);
    // This is a command of the command line, and starts no program.
    found.retain(|line| !line.contains("clap::Command::new"));
    assert_eq!(found, [""; 0]);
}

#[test]
fn commands_do_not_call_one_another() {
    let files: Vec<_> =
        source().into_iter().filter(|(path, _)| path.starts_with("src/command") && !is_test(path)).collect();
    let verb = |path: &Path| {
        let first = path.strip_prefix("src/command").unwrap().components().next().unwrap();
        Path::new(first.as_os_str()).file_stem().unwrap().to_string_lossy().into_owned()
    };
    let mut verbs: Vec<String> = files.iter().map(|(path, _)| verb(path)).collect();
    // Two modules are no verbs: `approve` and `review` share `decision`, `ask` and `step run` share `confirmed`.
    verbs.retain(|verb| !matches!(verb.as_str(), "mod" | "context" | "decision" | "confirmed"));
    let mut found = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| !path.ends_with("command/mod.rs")) {
        let beside = path.parent() == Some(Path::new("src/command"));
        for (at, line) in code(text) {
            let names = |verb: &String| {
                line.contains(&format!("command::{verb}::")) || beside && line.contains(&format!("super::{verb}::"))
            };
            if verbs.iter().any(|other| *other != verb(path) && names(other)) {
                found.push(format!("{}:{at}: {line}", path.display()));
            }
        }
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_file_longer_than_four_hundred_lines_says_why() {
    let long = source().into_iter().filter(|(_, text)| text.lines().count() > 400);
    let silent = long.filter(|(_, text)| {
        !text.lines().take(12).any(|line| line.starts_with("//!") && line.contains("Long because"))
    });
    assert_eq!(silent.map(|(path, _)| path).collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// The first sentence of a comment names its subject. Only help text may begin with a question, because users read it as one.
#[test]
fn a_comment_begins_with_its_subject() {
    let is_vague = |line: &&str| {
        let line = line.trim_start();
        let text = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! ")).unwrap_or_default();
        ["What ", "Who ", "Those ", "Nothing but ", "None where "].iter().any(|word| text.starts_with(word))
    };
    let mut vague = Vec::new();
    for (path, text) in source().iter().filter(|(path, _)| !path.starts_with("src/command")) {
        vague.extend(text.lines().filter(is_vague).map(|line| format!("{}: {}", path.display(), line.trim_start())));
    }
    assert_eq!(vague, [""; 0]);
}

/// The hook path has no time for an async runtime: the runtime is in one room, which can be left out.
#[test]
fn one_room_is_asynchronous() {
    assert_eq!(lines_with("!src/mcp", &["tokio::", "rmcp::", "async fn", "async {", "async move", ".await"]), [""; 0]);
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    for name in ["rmcp", "tokio"] {
        assert_eq!(manifest["dependencies"][name]["optional"].as_bool(), Some(true), "{name}");
    }
}

/// The libraries of the live view are in one room, which can be left out; keys and frames use only its buffer of cells.
#[test]
fn one_room_draws_on_the_whole_screen() {
    assert_eq!(lines_with("!src/watch", &["ratatui", "crossterm"]), [""; 0]);
    for file in ["model.rs", "prompt.rs", "line_edit.rs", "goal.rs", "version.rs", "keys.rs", "view", "paint.rs"] {
        let world = ["crossterm", "std::fs", "std::env", "std::io", "std::time", "std::thread", "jiff"];
        assert_eq!(lines_with(&format!("src/watch/{file}"), &world), [""; 0]);
    }
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    for name in ["ratatui-core", "ratatui-crossterm"] {
        assert_eq!(manifest["dependencies"][name]["optional"].as_bool(), Some(true), "{name}");
    }
}

// P-39
#[test]
fn no_parser_that_would_write_the_file_anew() {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let dependencies = manifest["dependencies"].as_table().unwrap();
    for parser in ["comrak", "markdown", "git2", "gix"] {
        assert!(!dependencies.contains_key(parser), "{parser}");
    }
    // It renders prose in the report, and reads structure nowhere.
    let page = "src/report/page/markdown.rs";
    let users = lines_with("src", &["pulldown_cmark"]);
    assert!(users.iter().all(|line| line.starts_with(page)), "{users:?}");
}
