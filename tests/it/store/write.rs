//! One writer: the result of a write, and its cost.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use plan::error::{Error, Kind};
use plan::plan::edit::Edit;
use plan::store;

use super::support::{START, World, append, at_end, child_of, is_root, names, skip};

#[test]
fn an_edit_changes_its_bytes_and_no_other() {
    let world = World::new();
    let bytes = b"\xef\xbb\xbf# Plan: x\r\n\xff\xfe raw\r\nstatus: open\r\nno end";
    fs::write(world.path("plan.md"), bytes).unwrap();
    let at = bytes.windows(4).position(|w| w == b"open").unwrap();
    let done = store::update(&world.place(), |source| {
        assert_eq!(source, bytes);
        Ok(vec![Edit { range: at..at + 4, text: "active".into() }, Edit { range: 3..3, text: "\u{e9}".into() }])
    });
    assert!(done.unwrap().changed);
    let mut expected = b"\xef\xbb\xbf\xc3\xa9# Plan: x\r\n\xff\xfe raw\r\nstatus: active\r\nno end".to_vec();
    assert_eq!(fs::read(world.path("plan.md")).unwrap(), expected);
    expected.clear();
    assert_eq!(world.names(), [".git", "plan.md"]);
}

#[test]
fn what_is_written_is_what_apply_says() {
    let world = World::new();
    let mut expected = Vec::new();
    store::update(&world.place(), |source| {
        let insert = |at: usize, text: &str| Edit { range: at..at, text: text.into() };
        let edits = vec![
            insert(9, "b"),
            Edit { range: 2..6, text: "PLAN".into() },
            insert(9, "c"),
            insert(source.len(), "end"),
            insert(0, "a"),
        ];
        expected = plan::plan::edit::apply(source, &edits)?;
        Ok(edits)
    })
    .unwrap();
    assert_eq!(fs::read(world.path("plan.md")).unwrap(), expected);
}

#[test]
fn no_edit_and_a_refusal_write_nothing() {
    let world = World::new();
    let place = world.place();
    let before = fs::metadata(&place.file).unwrap();
    assert!(!store::update(&place, |_| Ok(Vec::new())).unwrap().changed);
    assert!(!store::update(&place, |_| Ok(vec![Edit { range: 2..6, text: "Plan".into() }])).unwrap().changed);
    let refusal = Error::new(Kind::Refused, "no");
    assert_eq!(store::update(&place, |_| Err(refusal.clone())), Err(refusal));
    for edits in [vec![Edit { range: 0..9, text: "a".into() }, Edit { range: 3..4, text: "b".into() }], {
        vec![Edit { range: 4000..4000, text: "a".into() }]
    }] {
        let error = store::update(&place, |_| Ok(edits.clone())).unwrap_err();
        assert!(error.message.contains("nothing was written"), "{error}");
    }
    let after = fs::metadata(&place.file).unwrap();
    assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    assert_eq!(world.names(), [".git", "plan.md"]);
    assert!(store::undo_list(&place).unwrap().is_empty());
}

#[test]
fn mode_and_owner_survive() {
    let world = World::new();
    let file = world.path("plan.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    if is_root() {
        std::os::unix::fs::chown(&file, Some(1234), Some(2345)).unwrap();
    } else {
        skip("another owner needs root");
    }
    let before = fs::metadata(&file).unwrap();
    append(&world.place(), "x").unwrap();
    let after = fs::metadata(&file).unwrap();
    assert_eq!((before.uid(), before.gid(), before.mode()), (after.uid(), after.gid(), after.mode()));
    assert_ne!(before.ino(), after.ino());
}

/// The value of an extended attribute, as text.
fn attribute(file: &std::path::Path, name: &str) -> Option<String> {
    let mut value = [0; 256];
    let length = rustix::fs::getxattr(file, name, &mut value[..]).ok()?;
    Some(String::from_utf8_lossy(&value[..length]).into_owned())
}

#[test]
fn extended_attributes_survive() {
    let world = World::new();
    let file = world.path("plan.md");
    if rustix::fs::setxattr(&file, "user.origin", b"wiki", rustix::fs::XattrFlags::empty()).is_err() {
        return skip("no extended attributes here");
    }
    append(&world.place(), "x").unwrap();
    append(&world.place(), "y").unwrap();
    assert_eq!(attribute(&file, "user.origin").as_deref(), Some("wiki"));
    // A retry takes them from the version that it builds on.
    let mut first = true;
    store::update(&world.place(), |source| {
        if std::mem::take(&mut first) {
            fs::write(world.path("new"), format!("{START}- theirs\n")).unwrap();
            rustix::fs::setxattr(world.path("new"), "user.origin", b"theirs", rustix::fs::XattrFlags::empty()).unwrap();
            fs::rename(world.path("new"), &file).unwrap();
        }
        at_end(source, "- ours")
    })
    .unwrap();
    assert_eq!(attribute(&file, "user.origin").as_deref(), Some("theirs"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_access_control_list_survives_and_none_is_taken_over_from_the_folder() {
    const ACL: &str = "system.posix_acl_access";
    // Version 2; owner rw, user 1234 r, group r, mask r, others none.
    let entry =
        |tag: u16, may: u16, id: u32| [&tag.to_le_bytes()[..], &may.to_le_bytes()[..], &id.to_le_bytes()[..]].concat();
    let none = u32::MAX;
    let list = [
        2u32.to_le_bytes().to_vec(),
        entry(1, 6, none),
        entry(2, 4, 1234),
        entry(4, 4, none),
        entry(16, 4, none),
        entry(32, 0, none),
    ]
    .concat();
    let world = World::new();
    let file = world.path("plan.md");
    let set = |path: &std::path::Path, name: &str| {
        rustix::fs::setxattr(path, name, &list, rustix::fs::XattrFlags::empty()).is_ok()
    };
    let get = || {
        let mut value = [0; 256];
        let length = rustix::fs::getxattr(&file, ACL, &mut value[..]).ok()?;
        Some(value[..length].to_vec())
    };
    // The folder gives a list to each new file in it; plan.md is older.
    if !set(world.dir.path(), "system.posix_acl_default") {
        return skip("no access control lists here");
    }
    append(&world.place(), "x").unwrap();
    assert_eq!(get(), None, "user 1234 may read what was not meant for it");
    assert!(set(&file, ACL));
    let mode = fs::metadata(&file).unwrap().mode();
    append(&world.place(), "y").unwrap();
    assert_eq!((get(), fs::metadata(&file).unwrap().mode()), (Some(list.clone()), mode));
}

#[test]
fn another_name_of_the_file_is_said_once() {
    let world = World::new();
    fs::hard_link(world.path("plan.md"), world.path("other.md")).unwrap();
    let inode = fs::metadata(world.path("plan.md")).unwrap().ino();
    let done = append(&world.place(), "x").unwrap();
    assert_eq!(
        done.notes,
        [format!(
            "`plan.md` had another name (a hard link), which keeps the version before: `find . -xdev -inum {inode}` \
             names it, `ln -f plan.md NAME` makes the two one file again"
        )]
    );
    assert_eq!(fs::read_to_string(world.path("other.md")).unwrap(), START);
    assert_eq!(append(&world.place(), "y").unwrap().notes, [""; 0]);
}

#[test]
fn a_link_is_written_through() {
    let world = World::new();
    fs::create_dir(world.path("docs")).unwrap();
    fs::rename(world.path("plan.md"), world.path("docs/real.md")).unwrap();
    symlink("docs/real.md", world.path("plan.md")).unwrap();
    let place = world.place();
    append(&place, "x").unwrap();
    assert!(fs::symlink_metadata(world.path("plan.md")).unwrap().is_symlink());
    assert!(!fs::symlink_metadata(world.path("docs/real.md")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(world.path("docs/real.md")).unwrap(), format!("{START}x\n"));
    assert_eq!(place.root, world.path("docs").canonicalize().unwrap());
    // A link that replaces the file after it was found is not followed.
    fs::write(world.path("other.md"), START).unwrap();
    fs::remove_file(world.path("docs/real.md")).unwrap();
    symlink("../other.md", world.path("docs/real.md")).unwrap();
    let error = append(&place, "y").unwrap_err();
    assert!(error.message.contains("symbolic link"), "{error}");
    assert_eq!(fs::read_to_string(world.path("other.md")).unwrap(), START);
}

#[test]
fn a_new_plan_is_whole_and_takes_nothings_place() {
    let world = World::new();
    fs::remove_file(world.path("plan.md")).unwrap();
    let place = store::place_for_new(world.dir.path(), None).unwrap();
    store::create(&place, b"# Plan: a\n").unwrap();
    assert_eq!(world.text(), "# Plan: a\n");
    let error = store::create(&place, b"# Plan: b\n").unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (Kind::Input, "`plan.md` already exists; nothing was written"));
    assert_eq!(world.text(), "# Plan: a\n");
    assert_eq!(world.names(), [".git", "plan.md"]);
    append(&world.place(), "x").unwrap();
    assert_eq!(world.text(), "# Plan: a\nx\n");
}

#[test]
fn state_files_are_written_whole_and_private() {
    let world = World::new();
    let place = world.place();
    assert!(!place.state.exists());
    store::write_state(&place, "sessions/a.json", b"{}").unwrap();
    store::write_state(&place, "sessions/a.json", b"{1}").unwrap();
    let path = store::state_file(&place, "sessions/a.json");
    assert_eq!(fs::read(&path).unwrap(), b"{1}");
    assert_eq!(names(path.parent().unwrap()), ["a.json"]);
    assert_eq!(fs::metadata(&place.state).unwrap().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    for name in ["", "/etc/x", "../x", "a/../../x"] {
        assert_eq!(store::write_state(&place, name, b"").unwrap_err().kind, Kind::Input);
    }
}

/// A write makes exactly two fsyncs and starts no process; a view makes none, starts none and writes nothing.
#[test]
fn a_write_costs_two_fsyncs_and_a_view_none() {
    if Command::new("strace").arg("-V").output().is_err() {
        return skip("no strace");
    }
    let world = World::new();
    append(&world.place(), "first").unwrap();
    let writing = traced(&world, "one x");
    let count = |calls: &[String], names: &[&str]| {
        calls.iter().filter(|call| names.iter().any(|name| call.contains(&format!("{name}(")))).count()
    };
    assert_eq!(count(&writing, &["fsync", "fdatasync", "sync", "syncfs", "sync_file_range"]), 2, "{writing:#?}");
    assert_eq!(count(&writing, &["clone", "clone3", "fork", "vfork", "execve"]), 0, "{writing:#?}");
    let exchange = ["renameat2"];
    assert_eq!(count(&writing, &exchange), 1);
    let viewing = traced(&world, "view");
    let writes = [
        "fsync", "fdatasync", "renameat", "renameat2", "rename", "mkdir", "unlink", "unlinkat", "flock", "write",
        "clone3",
    ];
    assert_eq!(count(&viewing, &writes), 0, "{viewing:#?}");
    assert!(!viewing.iter().any(|call| call.contains("O_CREAT")), "{viewing:#?}");
    assert!(viewing.len() > 5);
}

fn traced(world: &World, job: &str) -> Vec<String> {
    let trace = world.path("trace");
    let this = std::env::current_exe().unwrap();
    let before = ["-f".as_ref(), "-o".as_ref(), trace.as_os_str(), this.as_os_str()];
    assert!(child_of("strace".as_ref(), &before, job, world.dir.path()).status().unwrap().success());
    let text = fs::read_to_string(&trace).unwrap();
    fs::remove_file(trace).unwrap();
    let between = text.split("/mark-begin").nth(1).and_then(|rest| rest.split("/mark-end").next()).unwrap();
    between.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_file_that_is_being_saved_is_waited_for() {
    let world = World::new();
    let place = world.place();
    fs::write(&place.file, "").unwrap();
    let file = place.file.clone();
    let editor = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(60));
        fs::write(file, START).unwrap();
    });
    assert_eq!(store::read(&place).unwrap(), START.as_bytes());
    editor.join().unwrap();
    let file = place.file.clone();
    fs::remove_file(&file).unwrap();
    let editor = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(60));
        fs::write(file, START).unwrap();
    });
    store::update(&place, |source| at_end(source, "x")).unwrap();
    editor.join().unwrap();
    assert_eq!(world.text(), format!("{START}x\n"));
    // An empty plan is a plan too.
    fs::write(&place.file, "").unwrap();
    assert_eq!(store::read(&place).unwrap(), b"");
}

#[test]
fn too_long_a_file_is_refused() {
    let world = World::new();
    let file = fs::File::options().write(true).open(world.path("plan.md")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let error = store::read(&world.place()).unwrap_err();
    assert_eq!(error.message, "`plan.md` is longer than 64 MiB");
}

/// If names cannot be exchanged (and second names are impossible too), a version still goes to the backups whole.
#[test]
fn without_exchange_the_old_version_is_kept_too() {
    if Command::new("strace").arg("-V").output().is_err() {
        return skip("no strace");
    }
    for faults in [&["renameat2:error=EINVAL"][..], &["renameat2:error=ENOSYS", "linkat:error=EPERM"]] {
        for job in ["append a 5", "undo", "create"] {
            let world = World::new();
            append(&world.place(), "- first").unwrap();
            if job == "create" {
                fs::remove_file(world.path("plan.md")).unwrap();
            }
            let this = std::env::current_exe().unwrap();
            let faults: Vec<String> = faults.iter().map(|fault| format!("inject={fault}")).collect();
            let mut before = vec!["-f".as_ref(), "-qq".as_ref(), "-o".as_ref(), "/dev/null".as_ref()];
            before.extend(faults.iter().flat_map(|fault| [OsStr::new("-e"), OsStr::new(fault)]));
            before.push(this.as_os_str());
            assert!(child_of("strace".as_ref(), &before, job, world.dir.path()).status().unwrap().success());
            assert_eq!(world.names(), [".git", "plan.md"], "{faults:?} {job}");
            let expected = match job {
                "undo" => START.to_owned(),
                "create" => "# Plan: New\n".to_owned(),
                _ => format!("{START}- first\n- a 0;\n- a 1;\n- a 2;\n- a 3;\n- a 4;\n"),
            };
            assert_eq!(world.text(), expected, "{faults:?} {job}");
            assert!(world.versions().contains(&format!("{START}- first\n")), "{faults:?} {job}");
        }
    }
}
