//! Somebody saves between `plan`'s read and its write: which version is in the file, and which one is kept.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use plan::error::{Error, Kind};
use plan::store::{self, Class};

use super::support::{START, World, append, at_end};

use super::race::{by_backup, by_rename, in_pieces, in_place};

/// Saves at the critical moment: after `plan` has read, before it exchanges the files.
fn save_between(save: fn(&Path, &str)) -> (World, store::Updated) {
    let world = World::new();
    let file = world.path("plan.md");
    let mut first = true;
    let done = store::update(&world.place(), |source| {
        if std::mem::take(&mut first) {
            save(&file, &format!("{START}- theirs\n"));
        }
        at_end(source, "- ours")
    });
    (world, done.unwrap())
}

#[test]
fn a_save_in_between_is_patched_and_kept() {
    for save in [in_place as fn(&Path, &str), in_pieces, by_rename, by_backup] {
        let (world, done) = save_between(save);
        assert_eq!(world.text(), format!("{START}- theirs\n- ours\n"));
        assert_eq!((done.changed, done.tries), (true, 2));
        assert_eq!(
            done.notes,
            ["a version of `plan.md` that was saved while `plan` wrote is kept: `plan undo --list`"]
        );
        let newest = &store::undo_list(&world.place()).unwrap()[0];
        assert_eq!(newest.class, Class::Saved);
        assert_eq!(fs::read_to_string(&newest.path).unwrap(), format!("{START}- theirs\n"));
        assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
    }
}

#[test]
fn a_change_that_no_longer_applies_leaves_theirs() {
    for save in [in_place as fn(&Path, &str), by_rename] {
        let world = World::new();
        let file = world.path("plan.md");
        let mut calls = 0;
        let error = store::update(&world.place(), |source| {
            calls += 1;
            if calls == 1 {
                save(&file, "# Plan: other\n");
                return at_end(source, "- ours");
            }
            Err(Error::input("there is no goal `x`"))
        })
        .unwrap_err();
        assert_eq!(error.kind, Kind::Changed);
        assert_eq!(
            error.message,
            "`plan.md` was saved by someone else meanwhile; their version is kept, nothing was written"
        );
        assert_eq!(error.hints, ["the change does not apply to their version: there is no goal `x`"]);
        assert_eq!(world.text(), "# Plan: other\n");
        assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
    }
}

/// Somebody read our version while it was there, then their version was put back, and then their save overwrote it.
#[test]
fn a_version_that_was_put_back_and_saved_over_is_kept() {
    for save in [in_place as fn(&Path, &str), by_rename] {
        let world = World::new();
        let file = world.path("plan.md");
        let theirs = format!("{START}- theirs\n");
        let mut read = None;
        let mut calls = 0;
        let error = store::update(&world.place(), |source| {
            calls += 1;
            if calls == 1 {
                save(&file, &theirs);
                return at_end(source, "- ours");
            }
            read = Some(world.text());
            Err(Error::input("there is no goal `x`"))
        })
        .unwrap_err();
        assert_eq!(error.kind, Kind::Changed);
        assert_eq!(world.text(), theirs);
        // So far no save was displaced, so no kept version has the class `Saved`.
        assert!(store::undo_list(&world.place()).unwrap().iter().all(|version| version.class != Class::Saved));
        save(&file, &format!("{}- later\n", read.unwrap()));
        assert!(world.versions().contains(&theirs), "{:#?}", world.versions());
        assert_eq!(store::undo_list(&world.place()).unwrap()[0].class, Class::Saved);
        append(&world.place(), "- more").unwrap();
        assert!(world.versions().contains(&theirs), "{:#?}", world.versions());
    }
}

/// A version that was put back and is still there is not kept twice.
#[test]
fn a_version_that_was_put_back_and_stands_is_kept_once() {
    let world = World::new();
    let file = world.path("plan.md");
    let theirs = format!("{START}- theirs\n");
    let mut calls = 0;
    store::update(&world.place(), |source| {
        calls += 1;
        if calls == 1 {
            by_rename(&file, &theirs);
            return at_end(source, "- ours");
        }
        Err(Error::input("no"))
    })
    .unwrap_err();
    append(&world.place(), "- more").unwrap();
    let kept = store::undo_list(&world.place()).unwrap();
    let same: Vec<_> = kept.iter().filter(|version| fs::read_to_string(&version.path).unwrap() == theirs).collect();
    assert_eq!((same.len(), same[0].class), (1, Class::Edited), "{kept:#?}");
}

/// A person who saves the second time has read our version, so the change is already in theirs.
#[test]
fn a_change_that_is_there_is_not_made_a_second_time() {
    for save in [in_place as fn(&Path, &str), by_rename] {
        let world = World::new();
        let file = world.path("plan.md");
        let mut calls = 0;
        let done = store::update(&world.place(), |source| {
            calls += 1;
            match calls {
                1 => save(&file, &format!("{START}- theirs\n")),
                2 => save(&file, &format!("{}- theirs again\n", world.text())),
                _ => {}
            }
            at_end(source, "- ours")
        })
        .unwrap();
        assert!(done.changed);
        assert_eq!(world.text(), format!("{START}- ours\n- theirs again\n"));
        assert!(world.versions().contains(&format!("{START}- theirs\n")), "{:#?}", world.versions());
        assert_eq!(world.names(), [".git", "plan.md"]);
    }
}

/// `complete` cannot be repeated on a goal that it signed off, but that does not mean that nothing was written.
#[test]
fn a_change_that_is_there_and_does_not_apply_again_is_done() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut calls = 0;
    let done = store::update(&world.place(), |source| {
        calls += 1;
        if calls == 1 {
            by_rename(&file, &format!("{START}- theirs\n"));
        } else {
            by_rename(&file, &format!("{}- theirs again\n", world.text()));
        }
        if source.ends_with(b"again\n") { Err(Error::input("it is done")) } else { at_end(source, "- ours") }
    });
    assert!(done.unwrap().changed);
    assert_eq!(world.text(), format!("{START}- ours\n- theirs again\n"));
}

/// Somebody read our version and kept a part of it: neither "done" nor "nothing was written" would be true.
#[test]
fn a_change_that_is_there_in_part_is_said() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut calls = 0;
    let error = store::update(&world.place(), |source| {
        calls += 1;
        match calls {
            1 => by_rename(&file, &format!("{START}- theirs\n")),
            _ => by_rename(&file, &world.text().replace("- ours 2\n", "- mine\n")),
        }
        at_end(source, "- ours 1\n- ours 2")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(
        error.message,
        "`plan.md` was saved by someone else meanwhile; their version is kept, and part of your change is in it"
    );
    assert_eq!(error.hints, ["see the missing part with `git diff plan.md`, then add it"]);
    assert_eq!(world.text(), format!("{START}- theirs\n- ours 1\n- mine\n").replace("- theirs\n", ""));
}

#[test]
fn someone_who_saves_every_time_wins() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut calls = 0;
    let error = store::update(&world.place(), |source| {
        calls += 1;
        by_rename(&file, &format!("{START}- theirs {calls}\n"));
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(world.text(), format!("{START}- theirs {calls}\n"));
    let versions = world.versions();
    for n in 1..=calls {
        assert!(versions.contains(&format!("{START}- theirs {n}\n")), "save {n} of {calls}");
    }
}

/// An editor opened the file before the exchange and saves long after it: its save is in a backup, and the next write reports that.
#[test]
fn a_late_save_into_the_displaced_file_is_kept() {
    let world = World::new();
    let mut open = fs::File::options().write(true).open(world.path("plan.md")).unwrap();
    append(&world.place(), "- ours").unwrap();
    sleep(Duration::from_millis(20));
    open.write_all(b"# Plan: late").unwrap();
    drop(open);
    let done = append(&world.place(), "- more").unwrap();
    assert_eq!(done.notes.len(), 1, "{done:?}");
    for n in 0..60 {
        append(&world.place(), &format!("- {n}")).unwrap();
    }
    let kept = store::undo_list(&world.place()).unwrap();
    let late: Vec<_> = kept.iter().filter(|version| version.class == Class::Saved).collect();
    assert_eq!(late.len(), 1);
    assert!(fs::read_to_string(&late[0].path).unwrap().starts_with("# Plan: late"));
}

/// A program that holds plan.md open for append writes into a version that was replaced long ago: each time this is reported, and all its
/// lines are in one kept version.
#[test]
fn lines_of_a_writer_that_holds_the_file_open_are_kept_and_said() {
    let world = World::new();
    let mut open = fs::File::options().append(true).open(world.path("plan.md")).unwrap();
    append(&world.place(), "- ours").unwrap();
    let mut expected = START.to_owned();
    for round in 0..3 {
        for n in 0..4 {
            assert_eq!(append(&world.place(), &format!("- ours {round}.{n}")).unwrap().notes, [""; 0]);
        }
        let line = format!("- theirs {round}\n");
        open.write_all(line.as_bytes()).unwrap();
        expected += &line;
        assert_eq!(
            append(&world.place(), "- more").unwrap().notes,
            ["a program wrote into an older version of `plan.md` that it had open; those lines are not in `plan.md`, \
              but are kept: `plan undo --list`"]
        );
    }
    let kept = store::undo_list(&world.place()).unwrap();
    let saved: Vec<_> = kept.iter().filter(|version| version.class == Class::Saved).collect();
    assert_eq!(saved.len(), 1, "{kept:#?}");
    assert_eq!(fs::read_to_string(&saved[0].path).unwrap(), expected);
}

/// `cp -r` gives every file another inode and another time, although nobody saved.
#[test]
fn in_a_copied_repository_nobody_is_said_to_have_saved() {
    let world = World::new();
    for n in 0..4 {
        append(&world.place(), &format!("- {n}")).unwrap();
    }
    let copy = crate::support::tempdir();
    let to = copy.path().join("copy");
    assert!(Command::new("cp").arg("-r").arg(world.dir.path()).arg(&to).status().unwrap().success());
    let place = store::find(&to, None).unwrap();
    for n in 0..60 {
        assert_eq!(append(&place, &format!("- copy {n}")).unwrap().notes, [""; 0]);
    }
    let kept = store::undo_list(&place).unwrap();
    assert!(kept.iter().all(|version| matches!(version.class, Class::Written | Class::Edited)), "{kept:#?}");
}

/// The file is emptied after `plan` read it, and filled only after `plan` has given up: by then the editor's file is back in its place.
#[test]
fn a_save_that_takes_longer_than_patience_ends_in_place() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut open = None;
    let error = store::update(&world.place(), |source| {
        open.get_or_insert_with(|| fs::File::create(&file).unwrap());
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    open.unwrap().write_all(b"# Plan: slow\n").unwrap();
    assert_eq!(world.text(), "# Plan: slow\n");
    assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
}

#[test]
fn a_file_that_is_removed_meanwhile_stays_removed() {
    let world = World::new();
    let file: PathBuf = world.path("plan.md");
    let error = store::update(&world.place(), |source| {
        let _ = fs::remove_file(&file);
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(error.message, "`plan.md` was removed or moved meanwhile; nothing was written");
    assert_eq!(world.names(), [".git"]);
}

#[test]
fn something_else_in_the_files_place_is_put_back() {
    let world = World::new();
    let file: PathBuf = world.path("plan.md");
    let error = store::update(&world.place(), |source| {
        let _ = fs::remove_file(&file);
        let _ = std::os::unix::fs::symlink("elsewhere", &file);
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(fs::read_link(&file).unwrap(), Path::new("elsewhere"));
    assert_eq!(world.names(), [".git", "plan.md"]);
}
