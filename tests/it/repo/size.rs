//! Many files, few processes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Instant;

use plan::repo::{KeptTreeLimits, Repo};

use super::kinds::inside;
use super::support::World;
use crate::support::size;

#[test]
fn thousands_of_files() {
    let world = World::init(&[]);
    for number in 0..size(3_000, 50_000) {
        let folder = format!("d{:03}", number % 500);
        if number < 500 {
            fs::create_dir(world.top.join(&folder)).unwrap();
        }
        fs::write(world.top.join(folder).join(format!("f{number}")), number.to_string()).unwrap();
    }
    world.commit().settle();
    let start = Instant::now();
    let tree = world.tree();
    let took = start.elapsed();
    assert_eq!(tree.id.to_string(), world.git(&["rev-parse", "HEAD^{tree}"]));
    assert!(took.as_secs() < 20, "{took:?}");
}

/// The number of processes of each operation, counted by a git on the path that records its calls.
#[test]
fn processes_are_few() {
    let world = World::new();
    let counter = crate::support::tempdir();
    let (program, calls) = (counter.path().join("git"), counter.path().join("calls"));
    let real =
        std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|dir| dir.join("git")).find(|git| git.is_file());
    let script = format!("#!/bin/sh\necho x >> '{}'\nexec '{}' \"$@\"\n", calls.display(), real.unwrap().display());
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", counter.path().display(), std::env::var("PATH").unwrap());
    let env = [
        ("PATH", path.as_str()),
        ("PLAN_TEST_TOP", world.top.to_str().unwrap()),
        ("PLAN_TEST_CALLS", calls.to_str().unwrap()),
    ];
    if inside("repo::size::processes_are_few", &env) {
        let top = std::env::var_os("PLAN_TEST_TOP").unwrap();
        let calls = std::env::var_os("PLAN_TEST_CALLS").unwrap();
        count(Path::new(&top), Path::new(&calls));
    }
}

fn count(top: &Path, calls: &Path) {
    let taken = |what: &mut dyn FnMut()| {
        let _ = fs::remove_file(calls);
        what();
        fs::read_to_string(calls).unwrap_or_default().lines().count()
    };
    let exclude = [Path::new("plan.md")];
    let mut repo = None;
    assert_eq!(taken(&mut || repo = Repo::open(top, &top.join(".git")).unwrap()), 0);
    let repo = repo.unwrap();
    let mut tree = None;
    assert_eq!(taken(&mut || tree = repo.tree(&exclude).ok()), 2);
    let tree = tree.unwrap();
    assert_eq!(taken(&mut || _ = repo.fingerprint(&exclude).unwrap()), 1);
    assert_eq!(taken(&mut || _ = repo.fingerprint_of(tree.clone()).unwrap()), 0);
    assert_eq!(taken(&mut || _ = repo.ignored(&exclude).unwrap()), 1);
    fs::write(top.join("new"), "x").unwrap();
    let changed = repo.tree(&exclude).unwrap();
    assert_eq!(taken(&mut || _ = repo.keep("g", &changed, &KeptTreeLimits::default()).unwrap()), 3);
    assert_eq!(taken(&mut || repo.sweep().unwrap()), 0, "nothing is old");
    assert_eq!(taken(&mut || _ = repo.write_record("refs/plan/signoffs/g/x", b"x").unwrap()), 2);
    assert_eq!(taken(&mut || _ = repo.read_record("refs/plan/signoffs/g/x", 9).unwrap()), 3);
    assert_eq!(taken(&mut || _ = repo.entries(changed.id).unwrap()), 1);
    let head = repo.head().unwrap().unwrap();
    let open = repo.keep_open();
    let all = || (repo.head().unwrap(), repo.entries(head).unwrap(), repo.contents(&[head], 9).unwrap());
    assert_eq!(taken(&mut || _ = (all(), all())), 1, "one process answers all");
    drop(open);
    assert_eq!(taken(&mut || _ = repo.entries(head).unwrap()), 1);
}
