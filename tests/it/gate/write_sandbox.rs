//! Changed programs do no harm, although an inverted condition can remove any file.

use std::fs;

use tempfile::TempDir;

use super::{GREET, assert_open, complete, started};

/// A folder that is neither temporary nor a cache; `None` if this whole repository is in such a folder.
fn outside() -> Option<TempDir> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let real = folder.path().canonicalize().unwrap();
    let temporary = ["/tmp", "/var/tmp", "/dev/shm"].iter().any(|temporary| real.starts_with(temporary));
    if temporary || plan::process::sandbox::SandboxLevel::best().is_err() {
        eprintln!("nothing to see: {} is a temporary folder, or there is no sandbox", real.display());
        return None;
    }
    Some(folder)
}

fn greeting(more: &str) -> String {
    format!("n=${{1:-}}\n[ -n \"$n\" ] || n=nobody\n{more}\necho \"Hello, $n\"\n")
}

#[test]
fn a_mutant_removes_nothing_outside_of_its_export() {
    let Some(folder) = outside() else { return };
    let victim = folder.path().join("victim");
    let wipes = |sign: &str| greeting(&format!("if [ \"$n\" {sign} wipe ]; then rm -f '{}'; fi", victim.display()));
    fs::write(&victim, "").unwrap();
    // A refactoring: verify was green before, so that only the one changed line can be mutated.
    let world = started("sh ./test.sh", "kind: refactor\n", &[("greet.sh", &greeting("")), GREET[1]]);
    // The control: the text that a mutant would have.
    world.write("greet.sh", wipes("!="));
    assert!(world.command("sh", ["./test.sh"]).status().unwrap().success());
    assert!(!victim.exists());
    fs::write(&victim, "").unwrap();
    world.write("greet.sh", wipes("="));
    let report = complete(&world);
    assert!(report["findings"].to_string().contains("no-mutant-killed"), "{report:#}");
    assert!(victim.exists());
}

#[test]
fn a_verify_that_writes_elsewhere_runs_no_mutants() {
    let Some(folder) = outside() else { return };
    let test = format!("echo x > '{}/seen' || exit 7\n{}", folder.path().display(), GREET[1].1);
    let world = started("sh ./test.sh", "", &[GREET[0], ("test.sh", test.as_str())]);
    world.write("greet.sh", greeting(""));
    assert_open(&world, "verify is not green in the sandbox that mutants run in");
}

// SIGNOFF.md §3: the worlds of these tests are in the system's temporary folder, and a cache may be in the repository.
#[test]
fn a_mutant_writes_nothing_into_a_repository_among_what_it_may_write() {
    if plan::process::sandbox::SandboxLevel::best().is_err() {
        return eprintln!("nothing to see: there is no sandbox");
    }
    let world = started("sh ./test.sh", "kind: refactor\n", &[("greet.sh", &greeting("")), GREET[1]]);
    let world = world.file(".gitignore", "cache/\n").file("cache/x", "");
    for written in ["written", "cache/written"].map(|name| world.path(name)) {
        let writes = |sign: &str| greeting(&format!("if [ \"$n\" {sign} never ]; then echo > {written:?}; fi"));
        // The control: the text that a mutant would have.
        world.write("greet.sh", writes("!="));
        assert!(world.command("sh", ["./test.sh"]).status().unwrap().success());
        fs::remove_file(&written).unwrap();
        world.write("greet.sh", writes("="));
        let call = world.call(["complete", "g-1", "--gate", "full", "--judge", "cmd:judge", "--json"]);
        let output = call.env("PUB_CACHE", world.path("cache")).run();
        assert!(output.stdout.contains("no-mutant-killed") && !output.stdout.contains("unresolved"), "{output:?}");
        assert!(!written.exists());
    }
}
