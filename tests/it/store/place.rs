//! Finds the plan, its repository and its state folder.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use plan::error::Kind;
use plan::store;
use tempfile::TempDir;

use super::support::{START, World, child, make_git_dir};

fn refusal(cwd: &Path, file: Option<&str>) -> String {
    let error = store::find(cwd, file.map(Path::new)).unwrap_err();
    assert_eq!(error.kind, Kind::Input);
    assert!(!error.hints.is_empty(), "{error}");
    error.message
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap()
}

#[test]
fn found_from_below_and_not_above_the_repository() {
    let world = World::new();
    fs::create_dir_all(world.path("a/b")).unwrap();
    let place = store::find(&world.path("a/b"), None).unwrap();
    let top = real(world.dir.path());
    assert_eq!(place.file, top.join("plan.md"));
    assert_eq!(place.shown, Path::new("../../plan.md"));
    assert_eq!((place.root.as_path(), place.top.as_deref()), (top.as_path(), Some(top.as_path())));
    assert_eq!(place.git_dir, Some(top.join(".git")));
    assert_eq!(place.state, top.join(".git/plan"));
    // A repository below is a border.
    make_git_dir(&world.path("a/.git"));
    assert_eq!(store::look(&world.path("a/b"), None), Ok(None));
    assert_eq!(refusal(&world.path("a/b"), None), "there is no `plan.md` in this folder or above it in the repository");
    // If it is named, it is found all the same, with its own repository.
    let named = store::find(&world.path("a/b"), Some(Path::new("../../plan.md"))).unwrap();
    assert_eq!((named.file, named.shown, named.top), (place.file, PathBuf::from("../../plan.md"), Some(top)));
    assert_eq!(refusal(world.dir.path(), Some("other.md")), "there is no `other.md`");
    assert_eq!(store::look(world.dir.path(), Some(Path::new("other.md"))), Ok(None));
}

#[test]
fn without_git_only_the_working_folder_counts() {
    let world = World::without_git();
    fs::create_dir(world.path("a")).unwrap();
    assert_eq!(store::look(&world.path("a"), None), Ok(None));
    let place = world.place();
    assert_eq!((place.top, place.git_dir), (None, None));
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let state = |variables: &[(&str, &Path)]| {
        let mut child = child("state", world.dir.path());
        child.env_remove("HOME").env_remove("XDG_STATE_HOME").env("PLAN_TEST_OUT", &out);
        child.envs(variables.iter().map(|(name, value)| (name, value.as_os_str())));
        assert!(child.status().unwrap().success());
        fs::read_to_string(&out).unwrap()
    };
    let by_home = state(&[("HOME", home.path())]);
    assert!(by_home.starts_with(home.path().join(".local/state/plan").to_str().unwrap()), "{by_home}");
    assert!(Path::new(&by_home).join("lock").is_file());
    let xdg = home.path().join("xdg");
    let by_xdg = state(&[("HOME", home.path()), ("XDG_STATE_HOME", &xdg)]);
    assert!(by_xdg.starts_with(xdg.join("plan").to_str().unwrap()), "{by_xdg}");
    let relative = state(&[("HOME", home.path()), ("XDG_STATE_HOME", Path::new("relative"))]);
    assert_eq!(relative, by_home);
    let mut homeless = child("expect unknown", world.dir.path());
    homeless.env_remove("HOME").env_remove("XDG_STATE_HOME").env("PLAN_TEST_OUT", &out);
    assert!(homeless.status().unwrap().success());
    let said = fs::read_to_string(&out).unwrap();
    assert!(said.starts_with("there is no git repository and no `HOME`"), "{said}");
}

#[test]
fn git_directories_of_every_shape() {
    let dir = TempDir::new().unwrap();
    let git = |folder: &Path, args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always"]).args(args);
        git.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        let out = git.output().unwrap();
        assert!(out.status.success(), "{args:?}: {out:?}");
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    };
    let main = dir.path().join("main");
    fs::create_dir(&main).unwrap();
    git(&main, &["init", "-q"]);
    fs::write(main.join("plan.md"), START).unwrap();
    git(&main, &["add", "-A"]);
    git(&main, &["commit", "-qm", "one"]);
    git(&main, &["worktree", "add", "-q", "../linked"]);
    git(&main, &["submodule", "--quiet", "add", "../main", "sub"]);
    for folder in [main.clone(), dir.path().join("linked"), main.join("sub")] {
        let place = store::find(&folder, None).unwrap();
        let expected = PathBuf::from(git(&folder, &["rev-parse", "--absolute-git-dir"]));
        assert_eq!(place.git_dir.map(|path| real(&path)), Some(real(&expected)), "{}", folder.display());
        assert_eq!(place.top, Some(real(&folder)));
    }
    // In a bare repository and in a git directory nothing crashes, and no missing file is found.
    let bare = dir.path().join("bare.git");
    git(dir.path(), &["clone", "-q", "--bare", "main", "bare.git"]);
    assert_eq!(store::look(&bare, None), Ok(None));
    assert_eq!(store::find(&main.join(".git/hooks"), None).unwrap().file, real(&main.join("plan.md")));
}

#[test]
fn what_is_no_git_directory() {
    let world = World::without_git();
    let dot_git = world.path(".git");
    // An empty folder is ignored, as git does.
    fs::create_dir(&dot_git).unwrap();
    assert_eq!(world.place().top, None);
    fs::remove_dir(&dot_git).unwrap();
    let long = [b"gitdir: ".as_slice(), &[b'a'; 100_000]].concat();
    let cases: [(&[u8], &str); 6] = [
        (b"", "is a file without `gitdir: PATH`"),
        (b"\xff\xfe", "is a file without `gitdir: PATH`"),
        (b"gitdir: \n", "is a file without one `gitdir: PATH`"),
        (b"gitdir: a\nb\n", "is a file without one `gitdir: PATH`"),
        (b"gitdir: nowhere\n", "which is not a git directory"),
        (&long, "which is not a git directory"),
    ];
    for (content, expected) in cases {
        fs::write(&dot_git, content).unwrap();
        let said = refusal(world.dir.path(), None);
        assert!(said.contains(".git` ") && said.ends_with(expected), "{said}");
    }
    fs::remove_file(&dot_git).unwrap();
    // If a pointer leads to a folder that is not a git directory, nothing is written there.
    fs::create_dir(world.path("home")).unwrap();
    fs::write(&dot_git, "gitdir: home\n").unwrap();
    assert!(refusal(world.dir.path(), None).ends_with("which is not a git directory"));
    make_git_dir(&world.path("home"));
    assert_eq!(world.place().git_dir, Some(real(&world.path("home"))));
    // Circular and dangling links are ignored.
    fs::remove_file(&dot_git).unwrap();
    symlink(".git", &dot_git).unwrap();
    assert_eq!(world.place().top, None);
}

#[test]
fn what_is_no_plan_file() {
    let world = World::new();
    let file = world.path("plan.md");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(refusal(world.dir.path(), None), "`plan.md` is a folder, expected a regular file");
    fs::remove_dir(&file).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, &file, rustix::fs::Mode::RUSR).unwrap();
    assert!(fs::metadata(&file).unwrap().file_type().is_fifo());
    assert_eq!(refusal(world.dir.path(), None), "`plan.md` is a named pipe, expected a regular file");
    fs::remove_file(&file).unwrap();
    symlink("/dev/null", &file).unwrap();
    assert_eq!(refusal(world.dir.path(), None), "`plan.md` is a device, expected a regular file");
    let links = [
        ("nowhere", "`plan.md` is a symbolic link to `nowhere`, and its target does not exist"),
        ("plan.md", "`plan.md` could not be read"),
        (".git/HEAD", "`plan.md` leads to"),
        ("/etc/passwd", "`plan.md` leads to `/etc/passwd`, expected a file of the work tree"),
        ("inner/plan.md", "`plan.md` leads to"),
    ];
    make_git_dir(&world.path("inner/.git"));
    fs::write(world.path("inner/plan.md"), START).unwrap();
    for (target, expected) in links {
        fs::remove_file(&file).unwrap();
        symlink(target, &file).unwrap();
        let said = refusal(world.dir.path(), None);
        assert!(said.starts_with(expected), "{said}");
    }
    assert!(refusal(world.dir.path(), Some("..")).ends_with("names no file"));
    assert!(refusal(&world.path("no/such"), None).starts_with("the folder"));
    assert!(store::place_for_new(world.dir.path(), Some(Path::new("no/such/plan.md"))).is_err());
    // A bare repository has no files to plan for. A work tree inside of it has.
    let alone = tempfile::tempdir().unwrap();
    let bare = alone.path().join("bare.git");
    make_git_dir(&bare);
    let error = store::place_for_new(&bare, None).unwrap_err();
    assert!(error.message.ends_with("is a git folder without a work tree"), "{error}");
    make_git_dir(&bare.join("main/.git"));
    assert!(store::place_for_new(&bare.join("main"), None).is_ok());
}

#[test]
fn a_file_that_becomes_a_pipe_is_not_waited_for() {
    let world = World::new();
    let place = world.place();
    fs::remove_file(&place.file).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, &place.file, rustix::fs::Mode::RUSR).unwrap();
    let error = store::read(&place).unwrap_err();
    assert_eq!(error.message, "`plan.md` could not be read: it is not a regular file");
}

#[test]
fn two_plans_of_one_repository_keep_their_versions_apart() {
    let world = World::new();
    fs::create_dir(world.path("docs")).unwrap();
    fs::write(world.path("docs/plan.md"), "# Plan: docs\n").unwrap();
    let docs = store::find(&world.path("docs"), None).unwrap();
    assert_eq!(docs.state, world.place().state);
    super::support::append(&docs, "x").unwrap();
    assert_eq!(store::undo_list(&docs).unwrap().len(), 1);
    assert!(store::undo_list(&world.place()).unwrap().is_empty());
    store::undo_restore(&docs, None, |_, _| Ok(())).unwrap();
    assert_eq!(fs::read_to_string(world.path("docs/plan.md")).unwrap(), "# Plan: docs\n");
}
