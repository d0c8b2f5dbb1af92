//! Tests that need no other process.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use super::content::Content;
use super::folder::Folder;
use super::place::Place;
use super::{is_temporary, lock, swap};
use crate::error::Kind;
use crate::plan::edit::{self, Edit};

fn world() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join(".git/objects")).unwrap();
    fs::write(dir.path().join(".git/HEAD"), "x").unwrap();
    fs::write(dir.path().join("plan.md"), "old").unwrap();
    let place = super::find(dir.path(), None).unwrap();
    (dir, place)
}

#[test]
fn the_lock_is_waited_for_and_not_for_ever() {
    let (_dir, place) = world();
    let held = lock::take(&place, lock::PATIENCE).unwrap();
    let begun = Instant::now();
    let error = lock::take(&place, Duration::from_millis(80)).unwrap_err();
    assert!((80..5000).contains(&begun.elapsed().as_millis()));
    assert_eq!(error.kind, Kind::Changed);
    assert!(
        error.message.starts_with("another `plan` is writing: `") && error.message.ends_with("nothing was written")
    );
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| lock::take(&place, lock::PATIENCE).map(drop));
        std::thread::sleep(Duration::from_millis(30));
        drop(held);
        waiter.join().unwrap().unwrap();
    });
    // The thread that gave up does not hold the lock later.
    let file = super::state::open_state(&place, "lock").unwrap();
    flock(&file, FlockOperation::LockExclusive).unwrap();
    assert!(place.state.join("lock").exists(), "the lock file stays");
}

#[test]
fn temporary_names() {
    let fits = |name: &str| is_temporary(OsStr::new("plan.md"), OsStr::new(name));
    for name in [".plan.md.1.tmp", ".plan.md.4711-2.tmp", ".plan.md.4711-0.tmp"] {
        assert!(fits(name), "{name}");
    }
    for name in [
        "plan.md", "plan.md.1.tmp", ".plan.md.tmp", ".plan.md..tmp", ".plan.md.-1.tmp", ".plan.md.1.tmp~",
        ".plan.md.a.tmp",
    ] {
        assert!(!fits(name), "{name}");
    }
}

#[test]
fn replacing_keeps_the_old_file_itself() {
    let (dir, place) = world();
    let folder = Folder::open(&place.root).unwrap();
    fs::write(dir.path().join(".plan.md.1.tmp"), "new").unwrap();
    let inode = fs::metadata(&place.file).unwrap().ino();
    let displaced = swap::replace(&folder, OsStr::new(".plan.md.1.tmp"), OsStr::new("plan.md")).unwrap();
    assert_eq!(displaced.name, ".plan.md.1.tmp");
    assert_eq!(fs::read(&place.file).unwrap(), b"new");
    let kept = dir.path().join(".plan.md.1.tmp");
    assert_eq!((fs::read(&kept).unwrap(), fs::metadata(&kept).unwrap().ino()), (b"old".to_vec(), inode));
}

#[test]
fn the_first_copy_goes_only_when_the_second_is_there() {
    let (dir, place) = world();
    let folder = Folder::open(&place.root).unwrap();
    let (aside, temp) = (OsStr::new(".plan.md.1-0.tmp"), OsStr::new(".plan.md.1.tmp"));
    let path = |name| dir.path().join(name);
    fs::write(path(aside), "first").unwrap();
    let mut old = fs::File::open(&place.file).unwrap();
    // A folder at the name of the second copy, so that the copy cannot be made.
    fs::create_dir(path(temp)).unwrap();
    let kept = swap::copy_again(&folder, &mut old, aside, temp);
    assert_eq!((kept.name.as_os_str(), kept.lost.is_some()), (aside, true));
    assert_eq!(fs::read(path(aside)).unwrap(), b"first");
    fs::remove_dir(path(temp)).unwrap();
    let kept = swap::copy_again(&folder, &mut old, aside, temp);
    assert_eq!((kept.name.as_os_str(), kept.lost.is_none()), (temp, true));
    assert_eq!((fs::read(path(temp)).unwrap(), path(aside).exists()), (b"old".to_vec(), false));
}

proptest::proptest! {
    /// Content written in pieces equals content built in memory, and both refuse the same edits.
    #[test]
    fn content_agrees_with_apply(
        source in "[a-z\\n]{0,40}",
        edits in proptest::collection::vec((0usize..45, 0usize..6, "[A-Z]{0,3}"), 0..5),
    ) {
        let edits: Vec<Edit> =
            edits.into_iter().map(|(at, length, text)| Edit { range: at..at + length, text: text.into() }).collect();
        let expected = edit::apply(source.as_bytes(), &edits).ok();
        let content = Content::edits(edits);
        let mut written = Vec::new();
        let found = match content.fault(source.as_bytes()) {
            Some(_) => None,
            None => content.write(source.as_bytes(), &mut written).map(|()| written).ok(),
        };
        proptest::prop_assert_eq!(&found, &expected);
        if content.is_same(source.as_bytes()) && expected.is_some() {
            proptest::prop_assert_eq!(expected.unwrap(), source.into_bytes());
        }
    }
}
