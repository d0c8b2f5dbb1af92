//! The files of a base stay in this clone: nothing publishes them, they do not fill git's own store, and they are removed when they are no
//! longer needed.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{GREET, GREETS, TEST, assert_blocked, assert_clear, codes, start, with};
use crate::support::World;

/// Every object in the repository's own object store.
fn objects(world: &World, dir: &str) -> String {
    world.call_program("git", ["cat-file", "--batch-all-objects", "--batch-check"]).dir(dir).run().stdout
}

fn kept(world: &World) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(world.path(".git/plan/checkpoints/kept"));
    let mut files: Vec<PathBuf> = folder.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

// SIGNOFF.md §3: without the repository nothing can be compared, so a goal that began in one cannot get done without it.
#[test]
fn a_repository_that_is_moved_away_makes_nothing_done() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    start(&world);
    world.write("greet.sh", GREETS);
    std::fs::rename(world.path(".git"), world.path("../away")).unwrap();
    let output = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("base-missing: the goal was started in a git repository (at "), "{output:?}");
    std::fs::rename(world.path("../away"), world.path(".git")).unwrap();
    assert_clear(&world, &[]);
}

// SIGNOFF.md §3: git returns any bytes that the file of an object holds.
#[test]
fn an_object_of_the_start_with_other_bytes_is_not_believed() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    start(&world);
    let object = |id: &str| world.path(".git/objects").join(&id[..2]).join(&id[2..]);
    let own = world.git(["rev-parse", "HEAD:test.sh"]).trim().to_owned();
    world.write("test.sh", "[ -n \"$(sh ./greet.sh)\" ]\n");
    let weak = world.git(["hash-object", "-w", "test.sh"]).trim().to_owned();
    std::fs::remove_file(object(&own)).unwrap();
    std::fs::copy(object(&weak), object(&own)).unwrap();
    world.write("greet.sh", format!("{GREET}# done\n"));
    let output = world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("holds other bytes than its name says"), "{output:?}");
    assert!(!world.plan_md().contains("status: done"), "{output:?}");
}

// CONTRACT.md §5, FORMAT.md §4
#[test]
fn a_secret_that_git_does_not_know_is_published_by_nothing() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("secrets.env", "TOKEN=s3cret\n");
    start(&world);
    let blob = world.git(["hash-object", "secrets.env"]);
    world.write("greet.sh", GREETS);
    let done = world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks"]);
    assert_eq!(done.code, 0, "{done:?}");
    world.git(["init", "--quiet", "--bare", "../origin.git"]);
    world.git(["init", "--quiet", "--bare", "../mirror.git"]);
    assert_eq!(world.plan(["audit", "--push", "../origin.git"]).code, 0);
    world.git(["push", "--quiet", "--mirror", "../mirror.git"]);
    for dir in [".", "../origin.git", "../mirror.git"] {
        assert!(!objects(&world, dir).contains(blob.trim()), "{dir}");
    }
    // Only records are moved, neither the refs of older versions nor data that belongs to this clone alone.
    let refs = world.call_program("git", ["for-each-ref", "--format=%(refname)"]).dir("../origin.git").run().stdout;
    let families: Vec<&str> = refs.lines().map(|name| name.split('/').nth(2).unwrap()).collect();
    assert_eq!(families, ["signoffs", "starts"], "{refs}");
    assert!(!world.git(["for-each-ref", "refs/plan/base"]).contains("refs"), "no ref names a base");
}

#[test]
fn what_older_versions_kept_under_refs_is_not_pushed() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.git(["update-ref", "refs/plan/base/g-1", "HEAD^{tree}"]);
    world.git(["update-ref", "refs/plan/approved/0123456789ab", "HEAD:test.sh"]);
    world.git(["init", "--quiet", "--bare", "../origin.git"]);
    let pushed = world.plan(["audit", "--push", "../origin.git", "--json"]).json(0);
    assert_eq!(pushed["pushed"].as_array().map(Vec::len), Some(0), "{pushed}");
}

// CONTRACT.md §5
#[test]
fn a_large_file_is_left_out_and_named() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    let large = std::fs::File::create(world.path("large.bin")).unwrap();
    large.set_len(33 << 20).unwrap();
    let before = objects(&world, ".").lines().count();
    let output = world.plan(["goal", "start", "g-1"]);
    let says = "`large.bin` is not kept with this start: it has 33 MiB, the limit is 32 MiB";
    assert!(output.code == 0 && output.stderr.contains(says), "{output:?}");
    // Only the record of the start.
    assert_eq!(objects(&world, ".").lines().count(), before + 1);
    let size = world.call_program("du", ["-sk", ".git"]).run().stdout;
    assert!(size.split_whitespace().next().unwrap().parse::<u64>().unwrap() < 4096, "{size}");
    world.write("greet.sh", GREETS);
    assert_clear(&world, &["start-uncommitted"]);
    large.set_len(34 << 20).unwrap();
    let report = world.plan(["verify", "g-1", "--json"]).json(0);
    assert!(codes(&report, "lead").contains(&"base-missing".to_owned()), "{report:#}");
}

// FORMAT.md §4: the kept files are not trusted. If objects are removed or called too large, the commit is used instead.
#[test]
fn files_that_were_removed_from_what_is_kept_hide_nothing() {
    let weaker = "set -eu\n[ \"$(sh ./greet.sh)\" = hi ]\n";
    for call_it_large in [false, true] {
        let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
        world.write("test_more.sh", "[ 1 = 1 ]\n");
        start(&world);
        world.write("test.sh", weaker);
        world.write("greet.sh", "echo hi >&1\n");
        let blob = world.git(["hash-object", "test_more.sh"]);
        let object = world.path(".git/plan/checkpoints/objects").join(&blob[..2]).join(blob[2..].trim());
        std::fs::remove_file(object).unwrap();
        if call_it_large {
            let [base] = &kept(&world)[..] else { panic!() };
            let text = std::fs::read_to_string(base).unwrap();
            let left = r#""left_out":[{"path":"test.sh","bytes":99999999},{"path":"test_more.sh","bytes":99999999}]"#;
            std::fs::write(base, text.replace(r#""left_out":[]"#, left)).unwrap();
        }
        assert_blocked(&world, "approved-tests-red");
    }
}

// The kept files stay in the clone of the start. If they were committed with its line in the log, another clone has them too.
#[test]
fn a_start_whose_files_were_committed_with_its_line_is_known_in_every_clone() {
    let begun = |at_commit: &str| {
        let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
        world.write("notes.txt", "mine");
        start(&world);
        world.write("notes.txt", at_commit);
        world.commit("start");
        std::fs::remove_dir_all(world.path(".git/plan/checkpoints")).unwrap();
        world.write("greet.sh", GREETS);
        world
    };
    assert_clear(&begun("mine"), &["start-uncommitted"]);
    assert_eq!(codes(&super::complete(&begun("other")), "lead"), ["base-missing"]);
}

// FORMAT.md §4: an upgrade loses no running goal.
#[test]
fn a_base_that_an_older_version_pinned_is_found() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("notes.txt", "mine");
    let line = start(&world);
    std::fs::remove_dir_all(world.path(".git/plan/checkpoints")).unwrap();
    world.git(["add", "--all"]);
    world.git(["rm", "--quiet", "--cached", "plan.md"]);
    let tree = world.git(["write-tree"]);
    assert!(line.contains(&tree[..12]), "{line}");
    world.git(["update-ref", "refs/plan/base/g-1", tree.trim()]);
    world.git(["reset", "--quiet"]);
    world.write("greet.sh", GREETS);
    assert_clear(&world, &["start-uncommitted"]);
    std::fs::remove_file(world.path("notes.txt")).unwrap();
    world.write("greet.sh", GREET);
    world.write("test.sh", "[ \"$(sh ./greet.sh)\" = hi ]\n");
    assert_blocked(&world, "approved-tests-red");
}

/// Makes a file look as if it was written this many days ago.
fn aged(path: &std::path::Path, days: u64) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    let then = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
    std::fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
}

#[test]
fn bases_that_no_open_goal_needs_go_after_a_while() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("notes.txt", "one");
    start(&world);
    let [base] = &kept(&world)[..] else { panic!() };
    assert!(base.to_string_lossy().contains("/base-g-1-"), "{base:?}");
    let again = |world: &World, text: &str| {
        kept(world).iter().for_each(|file| aged(file, 40));
        let folder = world.path(".git/plan/checkpoints/objects");
        for object in
            std::fs::read_dir(folder).unwrap().flat_map(|entry| std::fs::read_dir(entry.unwrap().path()).unwrap())
        {
            aged(&object.unwrap().path(), 40);
        }
        world.write("notes.txt", text);
        assert_eq!(world.plan(["goal", "cancel", "g-1", "again"]).code, 0);
        start(world);
    };
    again(&world, "two");
    assert_eq!(kept(&world).len(), 2, "the goal is open, and this is what it began with");
    world.write("greet.sh", GREETS);
    let done = world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks"]);
    assert_eq!(done.code, 0, "{done:?}");
    kept(&world).iter().for_each(|file| aged(file, 40));
    world.write("notes.txt", "three");
    start(&world);
    assert_eq!(kept(&world).len(), 1, "it was signed off, and began anew");
    let one = world.call_program("git", ["hash-object", "--stdin"]).stdin("one").run().stdout;
    let object = world.path(".git/plan/checkpoints/objects").join(&one[..2]).join(one[2..].trim());
    assert!(!object.exists(), "and its objects are gone");
}
