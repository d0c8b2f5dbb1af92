//! Files of other programs that `plan` writes: they keep their owner, and leftovers of a killed run are removed.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use crate::support::{World, strace};

const PLAN: &str = "# Plan: Shared\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n\n## Log\n";

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().mode() & 0o7777
}

/// Calls that write a file, and the file.
const CALLS: [(&[&str], &str); 4] = [
    (&["judge", "set", "checks"], "../home/.config/plan/config.yaml"),
    (&["install", "claude"], ".claude/settings.json"),
    (&["install", "git"], ".gitattributes"),
    (&["install", "ci"], ".github/workflows/plan-audit.yml"),
];

#[test]
fn a_file_that_is_there_keeps_its_mode() {
    for (call, file) in &CALLS[..3] {
        for own in [0o600, 0o664] {
            let world = World::new().file("plan.md", PLAN);
            world.write(file, if file.ends_with("json") { "{}" } else { "# mine\n" });
            fs::set_permissions(world.path(file), fs::Permissions::from_mode(own)).unwrap();
            let output = world.plan(*call);
            assert_eq!(output.code, 0, "{output:?}");
            assert!(world.read(file).len() > 7, "{call:?} wrote nothing");
            assert_eq!(mode(&world.path(file)), own, "{call:?}");
        }
    }
}

/// All files below a folder whose names begin with this prefix.
fn named(folder: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(named(&entry.path(), prefix));
        } else if name.starts_with(prefix) {
            found.push(name);
        }
    }
    found
}

#[test]
fn what_a_killed_run_left_is_swept_by_the_next() {
    for (call, file) in CALLS {
        let world = World::new().file("plan.md", PLAN);
        if !strace::available(&world) {
            return;
        }
        // The new file is whole but not in its place yet.
        assert_eq!(strace::kill_at(&world, call, "fsync", 1).code, 137, "{call:?}");
        assert_eq!(named(world.base(), ".plan-write.").len(), 1, "{call:?}");
        let output = world.plan(call);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(world.path(file).exists(), "{call:?}");
        assert_eq!(named(world.base(), ".plan-write."), [""; 0], "{call:?}");
    }
}
