//! Obstacles are reported, and nothing is lost: full disk, read-only file system, permissions, a guarded git directory.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use plan::error::Kind;
use plan::store;
use tempfile::TempDir;

use super::support::{START, World, append, child_of, is_root, make_git_dir, names, skip};

/// A separate file system, unmounted at the end.
struct Mount {
    dir: TempDir,
}

impl Mount {
    fn new(options: &str) -> Option<Self> {
        let mount = Mount { dir: tempfile::tempdir().unwrap() };
        let args = ["-t", "tmpfs", "-o", options, "tmpfs"];
        let done =
            Command::new("mount").args(args).arg(mount.dir.path()).output().is_ok_and(|out| out.status.success());
        if !done {
            skip("no file system can be mounted here");
            return None;
        }
        make_git_dir(&mount.dir.path().join(".git"));
        fs::write(mount.dir.path().join("plan.md"), START).unwrap();
        Some(mount)
    }

    fn read_only(&self, on: bool) {
        let options = if on { "remount,ro" } else { "remount,rw" };
        assert!(Command::new("mount").args(["-o", options]).arg(self.dir.path()).status().unwrap().success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.dir.path()).status();
    }
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let Some(mount) = Mount::new("size=256k") else { return };
    let place = store::find(mount.dir.path(), None).unwrap();
    append(&place, "- first").unwrap();
    let before = fs::read(&place.file).unwrap();
    // Every amount of room from none to enough: the write fails at each of its steps in turn.
    let filler = mount.dir.path().join("filler");
    let mut outcomes = Vec::new();
    for spare in [0, 1, 2, 3, 8, 16, 40] {
        fs::write(&filler, vec![0; 4096]).unwrap();
        let mut room = 0;
        while fs::write(mount.dir.path().join(format!("fill{room}")), vec![0; 4096]).is_ok() {
            room += 1;
        }
        for n in 0..=spare.min(room) {
            let _ = fs::remove_file(mount.dir.path().join(format!("fill{}", room - n)));
        }
        let now = fs::read(&place.file).unwrap();
        match append(&place, &"- long ".repeat(1500)) {
            Ok(_) => outcomes.push(true),
            Err(error) => {
                outcomes.push(false);
                assert!(error.message.contains("no space left on its file system"), "{error}");
                assert!(error.hints[0].contains("free some space"), "{:?}", error.hints);
                assert_eq!(fs::read(&place.file).unwrap(), now);
                let left: Vec<_> = names(mount.dir.path()).into_iter().filter(|name| name.ends_with(".tmp")).collect();
                assert!(left.is_empty(), "{left:?}");
            }
        }
        for name in names(mount.dir.path()).iter().filter(|name| name.starts_with("fill")) {
            fs::remove_file(mount.dir.path().join(name)).unwrap();
        }
    }
    assert!(!outcomes[0] && outcomes[6], "{outcomes:?}");
    assert!(fs::read(&place.file).unwrap().starts_with(&before));
    append(&place, "- next").unwrap();
}

#[test]
fn a_read_only_file_system_is_said() {
    let Some(mount) = Mount::new("size=1m") else { return };
    let place = store::find(mount.dir.path(), None).unwrap();
    mount.read_only(true);
    assert_eq!(store::read(&place).unwrap(), START.as_bytes());
    let error = append(&place, "x").unwrap_err();
    assert_eq!(error.kind, Kind::Unknown);
    assert!(
        error
            .to_string()
            .ends_with(".git/plan` could not be written: its file system is read-only; nothing was changed"),
        "{error}"
    );
    assert_eq!(
        error.hints,
        ["in an agent's sandbox: call the tool of `plan mcp` instead, or run it outside the sandbox"]
    );
    assert_eq!(store::ready(&place), Err(error));
    mount.read_only(false);
    append(&place, "x").unwrap();
    // The state folder exists now, and the lock can be opened only for reading.
    mount.read_only(true);
    assert_eq!(append(&place, "x").unwrap_err().kind, Kind::Unknown);
    mount.read_only(false);
}

/// Only the git directory is guarded, as in agents' sandboxes: this is told apart from trouble with plan.md.
#[test]
fn a_guarded_git_directory_is_told_apart() {
    let world = World::new();
    let bind = |args: &[&str]| {
        let git = world.path(".git");
        Command::new("mount").args(args).arg(git).output().is_ok_and(|out| out.status.success())
    };
    let git = world.path(".git").into_os_string().into_string().unwrap();
    if !bind(&["--bind", &git]) {
        return skip("no file system can be mounted here");
    }
    let guarded = bind(&["-o", "remount,bind,ro"]);
    let said = (store::ready(&world.place()), append(&world.place(), "x"), store::read(&world.place()));
    assert!(Command::new("umount").arg(&git).status().unwrap().success());
    assert!(guarded);
    assert_eq!(said.0.unwrap_err().kind, Kind::Unknown);
    assert_eq!(said.1.unwrap_err().kind, Kind::Unknown);
    assert_eq!(said.2.unwrap(), START.as_bytes());
    assert_eq!(world.text(), START);
    store::ready(&world.place()).unwrap();
}

#[test]
fn a_state_folder_on_another_file_system_keeps_versions_too() {
    let world = World::new();
    fs::create_dir(world.path(".git/plan")).unwrap();
    let state = world.path(".git/plan");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "tmpfs"]).arg(&state).output();
    if !mounted.is_ok_and(|out| out.status.success()) {
        return skip("no file system can be mounted here");
    }
    let done = std::panic::catch_unwind(|| {
        append(&world.place(), "one").unwrap();
        append(&world.place(), "two").unwrap();
        let list = store::undo_list(&world.place()).unwrap();
        assert_eq!(list.len(), 2, "{list:?}");
        store::undo_restore(&world.place(), None, |_, _| Ok(())).unwrap();
        assert_eq!(world.text(), format!("{START}one\n"));
        assert_eq!(world.names(), [".git", "plan.md"]);
        assert!(!names(&state.join("undo")).iter().any(|name| name.starts_with(".")));
    });
    assert!(Command::new("umount").arg(&state).status().unwrap().success());
    done.unwrap();
}

#[test]
fn a_plan_that_is_mounted_by_itself_is_said() {
    let world = World::new();
    let file = world.path("plan.md");
    fs::write(world.path("source"), START).unwrap();
    let mounted = Command::new("mount").arg("--bind").arg(world.path("source")).arg(&file).output();
    if !mounted.is_ok_and(|out| out.status.success()) {
        return skip("no file system can be mounted here");
    }
    let error = append(&world.place(), "x");
    let text = fs::read_to_string(&file);
    assert!(Command::new("umount").arg(&file).status().unwrap().success());
    let error = error.unwrap_err();
    assert!(error.hints[0].contains("is a mount point of its own"), "{error}: {:?}", error.hints);
    assert_eq!(text.unwrap(), START);
    assert_eq!(world.names(), [".git", "plan.md", "source"]);
}

#[test]
fn a_write_protected_plan_stays() {
    let world = World::new();
    fs::set_permissions(world.path("plan.md"), fs::Permissions::from_mode(0o444)).unwrap();
    let error = append(&world.place(), "x").unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (Kind::Input, "`plan.md` is write-protected; nothing was written")
    );
    assert_eq!(world.text(), START);
}

#[test]
fn an_immutable_plan_is_said() {
    let world = World::new();
    let file = world.path("plan.md");
    if !Command::new("chattr").arg("+i").arg(&file).output().is_ok_and(|out| out.status.success()) {
        return skip("no file can be made immutable here");
    }
    let error = append(&world.place(), "x");
    let names = world.names();
    assert!(Command::new("chattr").arg("-i").arg(&file).status().unwrap().success());
    let error = error.unwrap_err();
    assert!(error.message.ends_with("operation not permitted"), "{error}");
    assert!(error.hints[0].contains("immutable"), "{:?}", error.hints);
    assert_eq!(world.text(), START);
    assert_eq!(names, [".git", "plan.md"]);
    append(&world.place(), "x").unwrap();
}

/// As a user who may not write the folder, the file, or the git directory.
#[test]
fn missing_permissions_are_said() {
    if !is_root() || Command::new("setpriv").arg("--version").output().is_err() {
        return skip("needs root and setpriv to become another user");
    }
    let cases: [(&str, u32, &str, &str); 3] = [
        ("", 0o755, "input", "`plan.md` could not be written: permission denied"),
        ("plan.md", 0o644, "input", "`plan.md` could not be written: permission denied"),
        (".git", 0o755, "unknown", ".git/plan` could not be written: permission denied; nothing was changed"),
    ];
    for (guarded, mode, kind, expected) in cases {
        let world = World::new();
        let all = ["", "plan.md", ".git", ".git/objects", ".git/HEAD"];
        for name in all {
            let path = world.path(name);
            let folder = path.is_dir();
            fs::set_permissions(&path, fs::Permissions::from_mode(if folder { 0o777 } else { 0o666 })).unwrap();
        }
        fs::set_permissions(world.path(guarded), fs::Permissions::from_mode(mode)).unwrap();
        let out = TempDir::new().unwrap();
        fs::set_permissions(out.path(), fs::Permissions::from_mode(0o777)).unwrap();
        // The test binary in a place that the other user can reach.
        let binary = out.path().join("binary");
        crate::support::copy_program(&std::env::current_exe().unwrap(), &binary);
        let args = ["--reuid=65534", "--regid=65534", "--clear-groups"].map(AsRef::as_ref);
        let args = [&args[..], &[binary.as_os_str()]].concat();
        let mut child = child_of("setpriv".as_ref(), &args, &format!("expect {kind}"), world.dir.path());
        child.env("PLAN_TEST_OUT", out.path().join("said"));
        assert!(child.status().unwrap().success(), "{guarded}");
        let said = fs::read_to_string(out.path().join("said")).unwrap();
        assert!(said.ends_with(expected), "{guarded}: {said}");
        assert_eq!(world.text(), START);
        assert!(!world.names().iter().any(|name| name.ends_with(".tmp")));
    }
}

#[test]
fn a_state_folder_that_leads_elsewhere_is_refused() {
    let world = World::new();
    let elsewhere = TempDir::new().unwrap();
    symlink(elsewhere.path(), world.path(".git/plan")).unwrap();
    let error = append(&world.place(), "x").unwrap_err();
    assert_eq!(error.kind, Kind::Unknown);
    assert!(error.message.contains("is not a folder of `plan`'s own"), "{error}");
    fs::remove_file(world.path(".git/plan")).unwrap();
    fs::create_dir(world.path(".git/plan")).unwrap();
    symlink(elsewhere.path(), world.path(".git/plan/undo")).unwrap();
    assert!(append(&world.place(), "x").unwrap_err().message.contains("is not a folder of `plan`'s own"));
    symlink(elsewhere.path().join("x"), world.path(".git/plan/lock.new")).unwrap();
    fs::rename(world.path(".git/plan/lock.new"), world.path(".git/plan/lock")).unwrap();
    assert!(append(&world.place(), "x").unwrap_err().message.contains("it is a symbolic link"));
    assert_eq!(world.text(), START);
    assert!(names(elsewhere.path()).is_empty());
}

#[test]
fn a_folder_that_is_gone_is_said() {
    let world = World::new();
    let place = world.place();
    let folder = world.dir.path().to_owned();
    drop(world);
    assert!(!Path::new(&folder).exists());
    let error = store::read(&place).unwrap_err();
    assert!(error.message.starts_with("`plan.md` could not be read: no such file or directory"), "{error}");
}
