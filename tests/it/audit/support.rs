//! A project with a plan, a branch of it, and the result of an audit.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::World;

/// The id of the goal that is worked on.
pub(super) const ID: &str = "greet-by-name-1";

/// A project with one goal on `main`, started while its verify was red. A bare `origin` has it, with its records.
#[must_use]
pub(super) fn project() -> World {
    let world = World::new()
        .file("test.sh", "[ \"$(sh greet.sh Ada)\" = \"Hello, Ada\" ]\n")
        .file("greet.sh", "echo Hello\n")
        .file("old.sh", "grep -q Hello greet.sh\n")
        .committed();
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    assert_eq!(world.plan(["init", "Friendlier greetings"]).code, 0);
    let add = [
        "goal", "add", "Greet by name", "--done-when", "`greet.sh` greets whoever is named", "--verify", "sh test.sh",
        "--failure-mode", "the old greeting is gone (check: sh old.sh)", "--start",
    ];
    let added = world.plan(add);
    assert_eq!(added.code, 0, "{added:?}");
    world.commit("plan");
    world.git(["clone", "--quiet", "--bare", ".", &origin(&world).to_string_lossy()]);
    world.git(["remote", "add", "origin", &origin(&world).to_string_lossy()]);
    world.git(["fetch", "--quiet", "origin"]);
    world.git(["checkout", "--quiet", "-b", "work"]);
    world
}

/// The path of `origin`.
pub(super) fn origin(world: &World) -> PathBuf {
    world.base().join("origin.git")
}

/// Does the work and signs it off.
pub(super) fn honest(world: &World) {
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    let done = world.plan(["complete", ID]);
    assert_eq!(done.code, 0, "{done:?}");
}

/// Replaces a text in plan.md that occurs there once.
#[track_caller]
pub(super) fn edit(world: &World, from: &str, to: &str) {
    let text = world.plan_md();
    assert_eq!(text.matches(from).count(), 1, "`{from}` in\n{text}");
    world.write("plan.md", text.replace(from, to));
}

/// Commits the work and merges it into `main`, as a pull request is merged for its checks.
pub(super) fn merge_result(world: &World) {
    world.commit("work");
    world.git(["checkout", "--quiet", "-b", "result", "main"]);
    world.git(["merge", "--quiet", "--no-ff", "--message", "merge", "work"]);
}

/// The result of an audit: the codes that count, and those of notes.
#[derive(Debug)]
pub(super) struct Audit {
    pub(super) code: i32,
    pub(super) findings: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) json: Value,
}

/// Runs `plan audit` with these arguments.
#[track_caller]
pub(super) fn audit(world: &World, args: &[&str]) -> Audit {
    let output = world.plan(["audit", "--json"].iter().chain(args));
    assert!(matches!(output.code, 0 | 1), "{output:?}");
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(json["version"], 1);
    let of = |level: &str| -> Vec<String> {
        let all = json["findings"].as_array().unwrap().iter().filter(|finding| finding["level"] == level);
        all.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    };
    let (findings, notes) = (of("finding"), of("note"));
    assert_eq!(output.code, i32::from(!findings.is_empty()), "{json:#}");
    Audit { code: output.code, findings, notes, json }
}

impl Audit {
    /// The `seen` text of the finding with this code.
    #[track_caller]
    pub(super) fn seen(&self, code: &str) -> &str {
        let all = self.json["findings"].as_array().unwrap();
        let found = all.iter().find(|finding| finding["code"] == code);
        found.unwrap_or_else(|| panic!("no {code} in {:#}", self.json))["seen"].as_str().unwrap()
    }
}
