//! Bugs that other tools had (`CONTRACT.md` §5.7), one test each.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::snapshot::Snapshot;
use super::{PLAN, done, only, refused, rewind, world};
use crate::support::World;

mod ignored;
mod repositories;

// claude-code #94657, #87575, #14002, #15403
#[test]
fn files_changed_by_a_shell_are_back() {
    let world = world();
    done(&world, 1);
    let then = Snapshot::of(&world);
    assert_eq!(world.call_program("sed", ["-i", "s/calc/gone/", "calc.sh", "src/lib.sh"]).run().code, 0);
    assert_ne!(Snapshot::of(&world), then);
    rewind(&world, "1");
    assert_eq!(Snapshot::of(&world).files, then.files);
}

// claude-code #34368, claude-ctrl #118, entire #1408
#[test]
fn what_was_deleted_comes_back_and_what_is_new_goes() {
    let world = world();
    world.write("untracked.txt", "kept\n");
    done(&world, 1);
    fs::remove_file(world.path("calc.sh")).unwrap();
    fs::remove_file(world.path("untracked.txt")).unwrap();
    world.write("a/b/new.txt", "new\n");
    let now = Snapshot::of(&world);
    rewind(&world, "1");
    assert_eq!((world.read("calc.sh").as_str(), world.read("untracked.txt").as_str()), ("echo calc\n", "kept\n"));
    assert!(!world.path("a").exists());
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), now);
}

// copilot-cli #1675, gemini-cli #13331; LFS-like files
#[test]
fn a_large_file_is_left_out_by_name_and_never_touched() {
    let world = world();
    let large = |name: &str, last: u8| {
        let file = fs::File::create(world.path(name)).unwrap();
        file.set_len(32 << 20).unwrap();
        std::os::unix::fs::FileExt::write_at(&file, &[last], 32 << 20).unwrap();
    };
    large("tracked.bin", 1);
    world.commit("large");
    let output = world.plan(["step", "done", "1", "x"]);
    output.is(
        0,
        "✓ Step 1 complete → Step 2: test it\n",
        "note: checkpoint 1 leaves out `tracked.bin` (too large): a rewind never touches them\n",
    );
    large("tracked.bin", 2);
    large("output.bin", 3);
    world.write("calc.sh", "other\n");
    let now = Snapshot::of(&world);
    let preview = world.plan(["rewind", "1", "--dry-run"]).stdout;
    assert!(preview.contains("stays: tracked.bin (left out of checkpoint 1: too large)\n"), "{preview}");
    rewind(&world, "1");
    let after = Snapshot::of(&world);
    for name in ["tracked.bin", "output.bin"] {
        assert_eq!(only(&after.files, name), only(&now.files, name));
    }
    assert_eq!(world.read("calc.sh"), "echo calc\n");
}

// codex #29388, #19588; cline #1311, #1873, #4386; opencode #3176
#[test]
fn old_checkpoints_go() {
    let world = world();
    done(&world, 1);
    let folder = fs::read_dir(world.path(".git/plan/checkpoints")).unwrap().flatten().map(|entry| entry.path());
    let folder = folder.into_iter().find(|path| !path.ends_with("kept") && !path.ends_with("objects")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("0001.json")).unwrap()).unwrap();
    let write = |number: u32, step: &str, taken: u64| {
        let mut record = record.clone();
        (record["step"], record["taken"]) = (step.into(), taken.into());
        fs::write(folder.join(format!("{number:04}.json")), record.to_string()).unwrap();
    };
    let count = || fs::read_dir(&folder).unwrap().count();
    // Old checkpoints of steps that the plan no longer has are removed.
    (2..10).for_each(|number| write(number, "99", 1));
    done(&world, 2);
    assert_eq!(count(), 2);
    let now = record["taken"].as_u64().unwrap();
    (11..150).for_each(|number| write(number, "99", now));
    let output = world.plan(["step", "done", "3", "x"]);
    assert!(output.stderr.starts_with("note: 42 old checkpoints were removed"), "{}", output.stderr);
    assert_eq!(count(), 100);
    fs::remove_dir_all(world.path(".git/plan/checkpoints")).unwrap();
    done(&world, 4);
    rewind(&world, "4");
}

// cline #13131, #4519: if it takes too long or too much space there is no checkpoint, and that is reported.
#[test]
fn too_much_and_too_slow_is_no_checkpoint() {
    use plan::contract::checkpoint::{self, Kind, Label};
    use plan::repo::{KeptTreeLimits, Repo};
    use std::time::Duration;
    let world = world();
    world.write("new.txt", "too much\n");
    let place = plan::store::find(world.root(), None).unwrap();
    let repo = Repo::open(world.root(), &world.path(".git")).unwrap().unwrap();
    let limits = KeptTreeLimits::default();
    assert!(
        checkpoint::read(&repo, &place, None, &KeptTreeLimits { time: Duration::ZERO, ..limits }).unwrap().is_none()
    );
    let files = checkpoint::read(&repo, &place, None, &limits).unwrap().unwrap();
    let source = plan::store::read(&place).unwrap();
    let parsed = place.parse(&source).unwrap();
    for (limits, words) in [
        (KeptTreeLimits { total: 3, ..limits }, "0 MiB of files are in no commit, and at most 0 MiB are kept"),
        (KeptTreeLimits { files: 0, ..limits }, "1 files are in no commit, and at most 0 are kept"),
        (KeptTreeLimits { time: Duration::ZERO, ..limits }, "storing it took more than 0 s"),
    ] {
        let saved = checkpoint::save(&repo, &place, &parsed, &files, Label::new(Kind::Step, Some("1")), &limits);
        assert_eq!(saved.unwrap().unwrap_err(), words);
    }
    assert!(checkpoint::list(&place).is_empty());
    assert_eq!((limits.file, limits.total, limits.files, limits.time.as_secs()), (32 << 20, 512 << 20, 300_000, 20));
}

// opencode #39513, claude-code #28078, AssemblyZero #2364
#[test]
fn folders_beside_the_plan_are_not_its_own() {
    let world = World::new()
        .file("calc/plan.md", PLAN)
        .file("calc/calc.sh", "echo calc\n")
        .file("web/a.js", "one\n")
        .committed();
    let there = |args: &[&str]| world.call(args).dir("calc").run();
    assert_eq!(there(&["step", "done", "1", "x"]).code, 0);
    world.write("web/a.js", "two\n");
    world.write("calc/calc.sh", "other\n");
    let preview = there(&["rewind", "1", "--dry-run"]).stdout;
    assert!(preview.contains("1 file outside the plan's folder stay as they are\n"), "{preview}");
    assert_eq!(there(&["rewind", "1", "--yes"]).code, 0);
    assert_eq!((world.read("web/a.js").as_str(), world.read("calc/calc.sh").as_str()), ("two\n", "echo calc\n"));
}

// claude-code #64615
#[test]
fn nobody_rewinds_without_a_yes() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    refused(&world, &["rewind", "1"], 4, "`rewind` asks before it changes files, and there is no terminal");
}

// LiveAgent #504
#[test]
fn what_changes_between_the_look_and_the_write_stops_it() {
    use plan::contract::rewind::{Rewind, RewindRequest, RewindTarget};
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    world.write("plain.sh", "x\n");
    let place = plan::store::find(world.root(), None).unwrap();
    let source = plan::store::read(&place).unwrap();
    let parsed = place.parse(&source).unwrap();
    let wish = || RewindRequest { target: RewindTarget::Step("1".to_owned()), only: Vec::new(), here: false };
    let changes: [(&str, &dyn Fn()); 3] = [
        ("bytes", &|| world.write("calc.sh", "saved meanwhile\n")),
        ("mode", &|| fs::set_permissions(world.path("calc.sh"), fs::Permissions::from_mode(0o755)).unwrap()),
        ("a new file", &|| world.write("meanwhile.txt", "new\n")),
    ];
    for (what, change) in changes {
        let mut rewind = Rewind::prepare(&place, &parsed, wish()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(30));
        change();
        let now = Snapshot::of(&world);
        let error = rewind.carry_out(&parsed).unwrap_err();
        assert_eq!((error.kind.code(), error.message.contains("changed while you read")), (5, true), "{what}: {error}");
        assert_eq!(Snapshot::of(&world), now, "{what}");
    }
}

// mise #12835
#[test]
fn a_private_file_comes_back_private() {
    let world = world();
    let set = |path: &str, mode| fs::set_permissions(world.path(path), fs::Permissions::from_mode(mode)).unwrap();
    world.write("key.pem", "secret\n");
    world.write("vault/token", "t\n");
    world.write("run.sh", "x\n");
    set("key.pem", 0o600);
    set("vault/token", 0o640);
    set("vault", 0o700);
    set("run.sh", 0o750);
    done(&world, 1);
    let then = Snapshot::of(&world);
    fs::remove_file(world.path("key.pem")).unwrap();
    fs::remove_dir_all(world.path("vault")).unwrap();
    set("run.sh", 0o644);
    set("calc.sh", 0o600);
    rewind(&world, "1");
    assert_eq!(Snapshot::of(&world).files, then.files);
    assert_eq!(world.path("vault").metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let objects = world.path(".git/plan/checkpoints/objects").metadata().unwrap().permissions().mode();
    assert_eq!(objects & 0o777, 0o700);
}

// patchloom #2346, vscode #328643
#[test]
fn names_that_differ_in_case_alone() {
    let world = world();
    world.write("readme", "one\n");
    done(&world, 1);
    fs::rename(world.path("readme"), world.path("README")).unwrap();
    done(&world, 2);
    let now = Snapshot::of(&world);
    rewind(&world, "1");
    assert!(world.path("readme").exists() && !world.path("README").exists());
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), now);
    world.write("readme", "two\n");
    done(&world, 3);
    world.write("readme", "three\n");
    world.git(["config", "core.ignoreCase", "true"]);
    refused(&world, &["rewind", "3", "--yes"], 4, "another file of checkpoint");
}

// zero #112
#[test]
fn a_record_that_cannot_be_read_is_an_error_and_no_older_one_is_taken() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "two\n");
    assert_eq!(world.plan(["step", "retry", "1", "again"]).code, 0);
    done(&world, 1);
    let record = |number: u32| {
        let found = world.call_program("find", [".git/plan/checkpoints", "-name", &format!("{number:04}.json")]).run();
        found.stdout.trim().to_owned()
    };
    world.write("calc.sh", "three\n");
    let whole = world.read(&record(2));
    for (bytes, words) in [
        ("{".to_owned(), "checkpoint 2 is damaged; the others can be used"),
        (whole.replace("\"version\":1", "\"version\":2"), "checkpoint 2 was written by a newer version of `plan`"),
        (whole.replace("\"tree\":\"", "\"tree\":\"zz"), "checkpoint 2 is damaged"),
    ] {
        world.write(&record(2), bytes);
        refused(&world, &["rewind", "1", "--yes"], 2, words);
    }
    fs::remove_file(world.path(&record(2))).unwrap();
    rewind(&world, "1");
    assert_eq!(world.read("calc.sh"), "echo calc\n");
}

#[test]
fn without_a_repository_it_is_said_once() {
    let world = World::without_git().file("plan.md", PLAN);
    let words = "note: no checkpoints are taken here: they need a git repository with a work tree; the step is marked all \
                 the same\n";
    assert_eq!(world.plan(["step", "done", "1", "x"]).stderr, words);
    assert_eq!(world.plan(["step", "done", "2", "x"]).stderr, "");
    let output = world.plan(["rewind", "1", "--yes"]);
    assert!(output.code == 1 && output.stderr.contains("they need a git repository"), "{}", output.stderr);
}

#[test]
fn bytes_are_raw_whatever_git_converts() {
    let world = world();
    world.git(["config", "core.autocrlf", "true"]);
    world.git(["config", "filter.shout.clean", "touch FILTERED; tr a-z A-Z"]);
    world.git(["config", "filter.shout.smudge", "touch FILTERED; tr A-Z a-z"]);
    world.write(".gitattributes", "*.loud filter=shout\n*.utf16 working-tree-encoding=UTF-16\n");
    world.write("dos.txt", "a\r\nb\r\n");
    world.write("mixed.txt", "a\r\nb\n");
    world.write("x.loud", "quiet\n");
    world.commit("converted");
    drop(fs::remove_file(world.path("FILTERED")));
    done(&world, 1);
    let then = Snapshot::of(&world);
    world.write("dos.txt", "a\nb\n");
    world.write("mixed.txt", "c\r\n");
    world.write("x.loud", "LOUD\n");
    done(&world, 2);
    rewind(&world, "1");
    assert_eq!(Snapshot::of(&world).files, then.files);
    assert!(!world.path("FILTERED").exists(), "a filter ran");
}

#[test]
fn links_folders_and_files_change_places() {
    let world = world();
    world.write("outside/keep.txt", "kept\n");
    world.write("folder/x.txt", "x\n");
    world.write("file", "file\n");
    symlink("calc.sh", world.path("link")).unwrap();
    done(&world, 1);
    let then = Snapshot::of(&world);
    fs::remove_dir_all(world.path("folder")).unwrap();
    symlink("outside", world.path("folder")).unwrap();
    fs::remove_file(world.path("file")).unwrap();
    world.write("file/inner/y.txt", "y\n");
    fs::remove_file(world.path("link")).unwrap();
    world.write("link", "a file now\n");
    let now = Snapshot::of(&world);
    rewind(&world, "1");
    assert_eq!(Snapshot::of(&world).files, then.files);
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), now);
}

// F-42: `d/f` is not there while `d` is a link, even if the link leads to an `f`.
#[test]
fn a_folder_moves_and_a_link_takes_its_place() {
    let world = world();
    world.write("d/f", "one\n");
    done(&world, 1);
    let first = Snapshot::of(&world);
    fs::rename(world.path("d"), world.path("real")).unwrap();
    symlink("real", world.path("d")).unwrap();
    done(&world, 2);
    let second = Snapshot::of(&world);
    rewind(&world, "1");
    assert_eq!(Snapshot::of(&world).files, first.files);
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world).files, second.files);
    fs::remove_file(world.path("d")).unwrap();
    world.write("d/f", "hours of work\n");
    world.write("d/new", "more\n");
    let third = Snapshot::of(&world);
    rewind(&world, "2");
    assert_eq!(Snapshot::of(&world).files, second.files);
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), third);
    fs::remove_dir_all(world.path("d")).unwrap();
    fs::create_dir(world.path("tmp")).unwrap();
    world.write("tmp/f", "elsewhere\n");
    symlink("tmp", world.path("d")).unwrap();
    rewind(&world, "1");
    assert_eq!(Snapshot::of(&world).files, first.files);
}

#[test]
fn names_of_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let world = world();
    let path = world.root().join(std::ffi::OsStr::from_bytes(b"a\n\xff \\x"));
    fs::write(&path, "odd\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    done(&world, 1);
    let then = Snapshot::of(&world);
    fs::remove_file(&path).unwrap();
    // A line break in a name would look like another row.
    let preview = world.plan(["rewind", "1", "--dry-run"]).stdout;
    assert!(preview.contains("    restore    a\u{fffd}\u{fffd} \\x\n"), "{preview}");
    rewind(&world, "1");
    assert_eq!(Snapshot::of(&world).files, then.files);
}

#[test]
fn an_empty_folder_stays_and_an_emptied_one_goes() {
    let world = world();
    fs::create_dir(world.path("empty")).unwrap();
    done(&world, 1);
    world.write("filled/a/b.txt", "x\n");
    rewind(&world, "1");
    assert!(world.path("empty").exists() && !world.path("filled").exists());
}
