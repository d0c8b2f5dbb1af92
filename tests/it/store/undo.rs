//! Restores earlier versions.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use plan::error::Kind;
use plan::store::{self, Class};
use rustix::fs::{FlockOperation, flock};

use super::support::{START, World, append, names};

#[test]
fn undo_goes_back_and_a_second_one_forth() {
    let world = World::new();
    let place = world.place();
    let none = store::undo_restore(&place, None, |_, _| Ok(())).unwrap_err();
    assert_eq!((none.kind, none.message.as_str()), (Kind::No, "no other version of `plan.md` is kept"));
    assert!(!place.state.exists(), "a view makes nothing");
    append(&place, "one").unwrap();
    append(&place, "two").unwrap();
    let (one, two) = (format!("{START}one\n"), format!("{START}one\ntwo\n"));
    let (back, _) = store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert_eq!((back.class, back.bytes), (Class::Written, one.len() as u64));
    assert_eq!(world.text(), one);
    store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert_eq!(world.text(), two);
    let list = store::undo_list(&place).unwrap();
    assert!(list.windows(2).all(|pair| pair[0].id > pair[1].id && pair[0].displaced > pair[1].displaced));
    let oldest = list.last().unwrap();
    assert_eq!(oldest.class, Class::Edited);
    store::undo_restore(&place, Some(&oldest.id), |_, _| Ok(())).unwrap();
    assert_eq!(world.text(), START);
    let unknown = store::undo_restore(&place, Some("x"), |_, _| Ok(())).unwrap_err();
    assert_eq!((unknown.kind, unknown.message.as_str()), (Kind::Input, "no kept version is called `x`"));
}

// FORMAT.md §3: if somebody saves meanwhile, their version stays
#[test]
fn a_save_while_undo_waits_for_the_lock_stands() {
    for id in [None, Some(0)] {
        let world = World::new();
        let place = world.place();
        append(&place, "one").unwrap();
        append(&place, "two").unwrap();
        let id = id.map(|at: usize| store::undo_list(&place).unwrap()[at].id.clone());
        let lock = File::open(place.state.join("lock")).unwrap();
        flock(&lock, FlockOperation::LockExclusive).unwrap();
        let error = std::thread::scope(|scope| {
            let undo = scope.spawn(|| store::undo_restore(&place, id.as_deref(), |_, _| Ok(())));
            wait_for_a_waiter(&lock);
            fs::write(&place.file, format!("{START}one\ntwo\ntheirs\n")).unwrap();
            flock(&lock, FlockOperation::Unlock).unwrap();
            undo.join().unwrap().unwrap_err()
        });
        assert_eq!(error.kind, Kind::Changed, "{error}");
        assert!(error.message.ends_with("saved by someone else meanwhile; their version is kept, nothing was written"));
        assert_eq!(world.text(), format!("{START}one\ntwo\ntheirs\n"));
    }
}

/// Waits until another process wants the lock, by the kernel's list of locks; if there is no such list, waits for a while.
fn wait_for_a_waiter(lock: &File) {
    let inode = format!(":{} ", lock.metadata().unwrap().ino());
    for _ in 0..200 {
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        if locks.lines().any(|line| line.contains("-> FLOCK") && line.contains(&inode)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn every_byte_comes_back() {
    let world = World::new();
    let bytes = b"\xef\xbb\xbf# Plan\r\n\xff\xfe\r\nno end";
    fs::write(world.path("plan.md"), bytes).unwrap();
    append(&world.place(), "x").unwrap();
    store::undo_restore(&world.place(), None, |_, _| Ok(())).unwrap();
    assert_eq!(fs::read(world.path("plan.md")).unwrap(), bytes);
}

#[test]
fn what_an_editor_wrote_over_comes_back() {
    let world = World::new();
    let place = world.place();
    append(&place, "ours").unwrap();
    fs::write(&place.file, "# Plan: from an old buffer\n").unwrap();
    let list = store::undo_list(&place).unwrap();
    assert_eq!(list[0].class, Class::Overwritten);
    store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert_eq!(world.text(), format!("{START}ours\n"));
    store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert_eq!(world.text(), "# Plan: from an old buffer\n");
}

#[test]
fn fifty_of_ours_are_kept() {
    let world = World::new();
    let place = world.place();
    for n in 0..70 {
        append(&place, &n.to_string()).unwrap();
    }
    let kept = store::undo_list(&place).unwrap();
    assert_eq!(kept.iter().filter(|version| version.class == Class::Written).count(), 50);
    assert_eq!(kept.iter().filter(|version| version.class == Class::Edited).count(), 1, "the person's own stays");
    assert_eq!(names(&place.state.join("undo")).len(), 52);
    assert!(fs::read_to_string(&kept[0].path).unwrap().ends_with("\n68\n"));
}

#[test]
fn no_more_than_64_mib_are_kept() {
    let world = World::new();
    let place = world.place();
    fs::write(&place.file, [START.as_bytes(), &vec![b'\n'; 9 << 20]].concat()).unwrap();
    for n in 0..10 {
        append(&place, &n.to_string()).unwrap();
    }
    let kept: u64 = store::undo_list(&place).unwrap().iter().map(|version| version.bytes).sum();
    assert!((50 << 20..=64 << 20).contains(&kept), "{kept}");
    store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert!(world.text().ends_with("\n8\n"));
}

#[test]
fn order_survives_a_clock_that_goes_back() {
    let world = World::new();
    let place = world.place();
    append(&place, "one").unwrap();
    let undo = place.state.join("undo");
    for name in names(&undo) {
        fs::rename(undo.join(&name), undo.join(name.replacen("20", "29", 1))).unwrap();
    }
    append(&place, "two").unwrap();
    append(&place, "three").unwrap();
    let list = store::undo_list(&place).unwrap();
    assert!(fs::read_to_string(&list[0].path).unwrap().ends_with("two\n"), "{list:#?}");
    assert!(list.windows(2).all(|pair| pair[0].id > pair[1].id));
}

/// Foreign names, and entries that are not files, are left alone.
#[test]
fn strange_things_among_the_backups_do_no_harm() {
    let world = World::new();
    let place = world.place();
    append(&place, "one").unwrap();
    let undo = place.state.join("undo");
    let key = names(&undo)[0].split('.').nth(3).unwrap().to_owned();
    fs::create_dir(undo.join(format!("29991231-000000-000000.written.1-1-1.{key}.md"))).unwrap();
    fs::write(undo.join(format!("99999999-999999-999999.written.1-1-1.{key}.md")), "x").unwrap();
    fs::write(undo.join(format!("29991231-000000-000000.written.1-1.{key}.md")), "x").unwrap();
    fs::write(undo.join("notes.txt"), "x").unwrap();
    append(&place, "two").unwrap();
    assert_eq!(store::undo_list(&place).unwrap().len(), 2);
    store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert_eq!(world.text(), format!("{START}one\n"));
    assert!(undo.join("notes.txt").exists());
}

#[test]
fn a_plan_that_is_gone_comes_back() {
    let world = World::new();
    let place = world.place();
    append(&place, "one").unwrap();
    append(&place, "two").unwrap();
    let text = world.text();
    fs::remove_file(&place.file).unwrap();
    let found = store::lost(&place.root, None).unwrap().unwrap();
    assert_eq!(found.file, place.file);
    let below = place.root.join("below");
    fs::create_dir(&below).unwrap();
    assert_eq!(store::lost(&below, None).unwrap().unwrap().file, place.file);
    assert!(store::lost(&place.root, Some("other.md".as_ref())).unwrap().is_none());
    assert_eq!(store::undo_list(&place).unwrap().len(), 3);
    store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert_eq!(world.text(), text);
    store::undo_restore(&place, None, |_, _| Ok(())).unwrap();
    assert_eq!(world.text(), format!("{START}one\n"));
}
