//! Repositories of every kind, and folders that are none.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use plan::error::Kind;
use plan::repo::{Format, KeptTreeLimits, Repo, changes};

use super::support::{World, git, is_root, trap};

/// Runs the named test again in a separate process with these variables; returns true inside it.
pub(crate) fn inside(name: &str, env: &[(&str, &str)]) -> bool {
    if std::env::var_os("PLAN_TEST_INSIDE").is_some() {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture"]).env("PLAN_TEST_INSIDE", "1").envs(env.iter().copied());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

/// Takes a tree, a pin, a record and a fingerprint: everything that a sign-off does.
fn works(world: &World) {
    let repo = world.repo();
    world.write("new", "untracked\n");
    let tree = world.tree();
    assert_eq!(tree.id, world.expected());
    repo.keep("base-g-1", &tree, &KeptTreeLimits::default()).unwrap();
    assert_eq!(repo.kept("base-g-1").unwrap().tree, tree.id);
    assert_eq!(changes(&repo.entries(tree.id).unwrap(), &tree.entries), []);
    assert_eq!(repo.file_at(tree.id, Path::new("new")).unwrap().unwrap(), b"untracked\n");
    repo.write_record("refs/plan/signoffs/g-1/c-t", b"{}").unwrap();
    assert_eq!(repo.read_record("refs/plan/signoffs/g-1/c-t", 9).unwrap().unwrap(), b"{}");
    assert_eq!(repo.list_refs("refs/plan/").unwrap().len(), 1);
    let print = repo.fingerprint(&[Path::new("plan.md")]).unwrap();
    assert_eq!(print.tree().id, tree.id);
    world.git(&["fsck", "--strict"]);
}

#[test]
fn sha256() {
    let world = World::init(&["--object-format=sha256"]);
    world.write("a", "x").commit();
    assert_eq!(world.repo().format(), Format::Sha256);
    works(&world);
    assert!(world.repo().head().unwrap().unwrap().to_string().len() == 64);
}

#[test]
fn reftable() {
    let folder = crate::support::tempdir();
    let try_it = git(folder.path()).args(["init", "-q", "--ref-format=reftable", "x"]).output().unwrap();
    if !try_it.status.success() {
        return;
    }
    let world = World::init(&["--ref-format=reftable"]);
    world.write("a", "x").commit();
    works(&world);
}

#[test]
fn without_a_commit() {
    let world = World::init(&[]);
    assert_eq!(world.repo().head().unwrap(), None);
    let tree = world.tree();
    assert_eq!(tree.id.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    assert_eq!((tree.head, tree.clean_commit), (None, false));
    world.repo().keep("empty", &tree, &KeptTreeLimits::default()).unwrap();
    assert_eq!(world.repo().entries(tree.id).unwrap(), []);
    works(&world);
}

#[test]
fn detached_head() {
    let world = World::new();
    world.git(&["checkout", "-q", "--detach"]);
    works(&world);
    assert!(world.repo().head().unwrap().is_some());
}

#[test]
fn linked_work_tree() {
    let main = World::new();
    let top = main.folder.path().canonicalize().unwrap().join("linked");
    main.git(&["worktree".as_ref(), "add".as_ref(), "-q".as_ref(), top.as_os_str()]);
    let linked = World { folder: crate::support::tempdir(), top };
    works(&linked);
    let repo = linked.repo();
    assert_eq!(repo.common_dir(), main.git_dir());
    assert_ne!(repo.git_dir(), repo.common_dir());
    assert_eq!(main.repo().list_refs("refs/plan").unwrap().len(), 1, "records are shared");
    let tree = linked.tree();
    assert_eq!(main.repo().kept("base-g-1").unwrap().tree, tree.id, "and so is what is kept");
    assert!(main.repo().entries(tree.id).is_ok());
}

#[test]
fn submodules_are_named_and_their_dirt_is_seen() {
    let inner = World::new();
    let world = World::new();
    world.git(&["submodule".as_ref(), "add".as_ref(), "-q".as_ref(), inner.top.as_os_str(), "sub".as_ref()]);
    world.commit();
    let clean = world.tree();
    assert_eq!(clean.id, world.expected());
    assert!(clean.clean_commit);
    assert_eq!(clean.submodules.len(), 1);
    assert_eq!(clean.dirty_submodules().count(), 0);
    world.write("sub/a", "changed\n");
    let dirty = world.tree();
    assert_eq!(dirty.id, clean.id, "not digested");
    assert_eq!(dirty.dirty_submodules().collect::<Vec<_>>(), [Path::new("sub")], "but named");
    git(&world.top.join("sub")).args(["commit", "-qam", "y"]).status().unwrap();
    let moved = world.tree();
    assert_eq!(moved.id, world.expected(), "the commit that is checked out");
    assert_ne!(moved.id, clean.id);
    // Inside the submodule it is an ordinary repository.
    let sub = World { folder: crate::support::tempdir(), top: world.top.join("sub") };
    works(&sub);
}

#[test]
fn a_submodule_that_is_not_checked_out_is_what_the_index_says() {
    let inner = World::new();
    let world = World::new();
    world.git(&["submodule".as_ref(), "add".as_ref(), "-q".as_ref(), inner.top.as_os_str(), "sub".as_ref()]);
    world.commit();
    world.git(&["submodule", "deinit", "-q", "-f", "sub"]);
    let tree = world.tree();
    assert!(tree.clean_commit && tree.submodules.is_empty());
    world.write("sub/hidden", "git does not look here");
    assert_eq!(world.git(&["status", "--porcelain"]), "", "git itself does not see it");
    assert_eq!(world.tree().dirty_submodules().count(), 1);
}

#[test]
fn no_repository() {
    let folder = crate::support::tempdir();
    assert!(Repo::open(folder.path(), &folder.path().join(".git")).unwrap().is_none());
    fs::create_dir(folder.path().join(".git")).unwrap();
    assert!(Repo::open(folder.path(), &folder.path().join(".git")).unwrap().is_none());
}

#[test]
fn no_git_program() {
    if inside("repo::kinds::no_git_program", &[("PATH", "/nonexistent")]) {
        let folder = crate::support::tempdir();
        fs::create_dir(folder.path().join(".git")).unwrap();
        assert!(Repo::open(folder.path(), &folder.path().join(".git")).unwrap().is_none());
    }
}

#[test]
fn a_git_inside_the_repository_is_never_taken() {
    if let Some(top) = std::env::var_os("PLAN_TEST_TOP") {
        std::env::set_current_dir(&top).unwrap();
        let repo = Repo::open(Path::new(&top), &Path::new(&top).join(".git")).unwrap().unwrap();
        assert!(repo.head().unwrap().is_some());
        return;
    }
    let world = World::new();
    let mark = world.folder.path().join("mark");
    trap(&world.top.join("bin/git"), &mark, "exit 0");
    std::os::unix::fs::symlink(world.top.join("bin"), world.folder.path().join("link")).unwrap();
    let (bin, link) = (world.top.join("bin"), world.folder.path().join("link"));
    let path = format!("{}:{}:bin:.::{}", bin.display(), link.display(), std::env::var("PATH").unwrap());
    let env = [("PATH", path.as_str()), ("PLAN_TEST_TOP", world.top.to_str().unwrap())];
    inside("repo::kinds::a_git_inside_the_repository_is_never_taken", &env);
    assert!(!mark.exists(), "{}", fs::read_to_string(mark).unwrap_or_default());
}

#[test]
fn git_variables_of_a_hook_lead_nowhere_else() {
    let other = World::new();
    other.write("other", "x").commit();
    let git_dir = other.git_dir();
    let index = git_dir.join("index");
    let env = [
        ("GIT_DIR", git_dir.to_str().unwrap()),
        ("GIT_WORK_TREE", other.top.to_str().unwrap()),
        ("GIT_INDEX_FILE", index.to_str().unwrap()),
        ("GIT_OBJECT_DIRECTORY", "/nonexistent"),
        ("GIT_NAMESPACE", "x"),
        ("GIT_PREFIX", "src/"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.bare"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_CEILING_DIRECTORIES", "/"),
        ("GIT_LITERAL_PATHSPECS", "0"),
        ("GIT_EXEC_PATH", "/nonexistent"),
    ];
    if inside("repo::kinds::git_variables_of_a_hook_lead_nowhere_else", &env) {
        let world = World::new();
        let tree = Repo::open(&world.top, &world.top.join(".git")).unwrap().unwrap().tree(&[Path::new("plan.md")]);
        assert_eq!(tree.unwrap().id, world.expected());
        works(&world);
    }
}

#[test]
fn an_unborn_or_broken_head_is_not_taken_for_a_commit() {
    let world = World::new();
    world.git(&["symbolic-ref", "HEAD", "refs/heads/unborn"]);
    assert_eq!(world.repo().head().unwrap(), None);
    fs::write(world.git_dir().join("refs/heads/unborn"), "0123456789012345678901234567890123456789\n").unwrap();
    assert_eq!(world.repo().head().unwrap_err().kind, Kind::Unknown, "a commit that is not there");
}

#[test]
fn a_foreign_owner_is_said() {
    if !is_root() {
        return;
    }
    let world = World::new();
    for path in [world.top.clone(), world.top.join(".git")] {
        std::os::unix::fs::chown(path, Some(12345), Some(12345)).unwrap();
    }
    let home = crate::support::tempdir();
    let env = [("HOME", home.path().to_str().unwrap()), ("PLAN_TEST_TOP", world.top.to_str().unwrap())];
    if inside("repo::kinds::a_foreign_owner_is_said", &env) {
        let top = std::env::var_os("PLAN_TEST_TOP").unwrap();
        let error = Repo::open(Path::new(&top), &Path::new(&top).join(".git")).unwrap_err();
        assert_eq!(error.kind, Kind::Input);
        assert!(error.message.contains("dubious ownership"), "{error}");
        assert_eq!(
            error.hints,
            ["check who owns the folder; `git config --get-all safe.directory` lists the folders git trusts"]
        );
    }
}

#[test]
fn a_work_tree_that_the_configuration_puts_elsewhere_is_not_followed() {
    let world = World::new();
    let elsewhere = crate::support::tempdir();
    world.git(&["config", "core.worktree", elsewhere.path().to_str().unwrap()]);
    let repo = Repo::open(&world.top, &world.top.join(".git")).unwrap().unwrap();
    let tree = repo.tree(&[]).unwrap();
    assert!(tree.entry(Path::new("a")).is_some() && tree.clean_commit);
}

#[test]
fn another_repository_than_the_one_found_is_said() {
    let (world, other) = (World::new(), World::new());
    let error = Repo::open(&world.top, &other.git_dir()).unwrap_err();
    assert_eq!(error.kind, Kind::Input);
    assert!(error.message.starts_with("git and `plan` see different repositories at `"), "{error}");
}

#[test]
fn a_git_folder_that_cannot_be_written_is_said() {
    if is_root() {
        return;
    }
    let world = World::new();
    let objects = world.git_dir().join("objects");
    fs::set_permissions(&objects, fs::Permissions::from_mode(0o555)).unwrap();
    let error = world.repo().write_record("refs/plan/signoffs/g/x", b"new bytes").unwrap_err();
    fs::set_permissions(&objects, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(error.kind, Kind::Unknown);
    assert_eq!(error.hints, ["the git folder is not writable: run the command outside the sandbox"]);
}

// A file that the person's git ignores is not part of their tree, whichever ignore file names it.
#[test]
fn a_configuration_that_variables_name_is_the_persons_own() {
    let name = "repo::kinds::a_configuration_that_variables_name_is_the_persons_own";
    let folder = crate::support::tempdir();
    let (settings, ignored) = (folder.path().join("settings"), folder.path().join("ignored"));
    fs::write(&ignored, "*.mine\n").unwrap();
    fs::write(&settings, format!("[core]\n\texcludesFile = {}\n", ignored.display())).unwrap();
    let settings = settings.to_str().unwrap();
    for env in [
        [("GIT_CONFIG_GLOBAL", settings), ("GIT_CONFIG_SYSTEM", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")],
        [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", settings), ("GIT_CONFIG_NOSYSTEM", "0")],
        [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", settings), ("GIT_CONFIG_NOSYSTEM", "1")],
    ] {
        if inside(name, &env) {
            let world = World::new();
            world.write("x.mine", "x");
            let off = std::env::var_os("GIT_CONFIG_NOSYSTEM").is_some_and(|off| off == "1");
            let by_system = std::env::var_os("GIT_CONFIG_GLOBAL").is_some_and(|file| file == "/dev/null");
            assert_eq!(world.tree().entry(Path::new("x.mine")).is_some(), off && by_system);
            return;
        }
    }
}
