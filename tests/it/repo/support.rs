//! A temporary repository, and git's own results to compare with.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use plan::repo::{ObjectId, Repo, Tree};
use tempfile::TempDir;

/// A repository in a folder that is deleted with it.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) top: PathBuf,
}

impl World {
    /// Creates an empty repository, with these additional arguments for `git init`.
    #[must_use]
    pub(crate) fn init(args: &[&str]) -> Self {
        let folder = crate::support::tempdir();
        let top = folder.path().canonicalize().unwrap().join("work");
        fs::create_dir(&top).unwrap();
        let world = World { folder, top };
        world.git(&[&["init", "-q", "-b", "main"], args].concat());
        world
    }

    /// Creates a repository with `plan.md`, `a` and `src/b` committed some time ago.
    #[must_use]
    pub(crate) fn new() -> Self {
        let world = World::init(&[]);
        world.write("plan.md", "# Plan: x\n").write("a", "one\n").write("src/b", "two\n").commit();
        world
    }

    pub(crate) fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> &Self {
        let path = self.top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn commit(&self) -> &Self {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
        self
    }

    /// Waits until the index is newer than every file, so that it can be trusted.
    pub(crate) fn settle(&self) -> &Self {
        std::thread::sleep(std::time::Duration::from_millis(30));
        self.git(&["update-index", "-q", "--refresh"]);
        let index = self.git_dir().join("index");
        let bytes = fs::read(&index).unwrap();
        fs::write(&index, bytes).unwrap();
        self
    }

    /// Makes the index newer than every file, so that git reads no content.
    pub(crate) fn believe_the_index(&self) {
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(100);
        fs::File::options().write(true).open(self.git_dir().join("index")).unwrap().set_modified(later).unwrap();
    }

    /// Lets git write a file again, just now, into a work tree whose index looks trustworthy.
    pub(crate) fn check_out_anew(&self, path: &str) {
        fs::remove_file(self.top.join(path)).unwrap();
        self.git(&["checkout", path]);
        self.believe_the_index();
    }

    pub(crate) fn git_dir(&self) -> PathBuf {
        PathBuf::from(self.git(&["rev-parse", "--absolute-git-dir"]))
    }

    pub(crate) fn repo(&self) -> Repo {
        Repo::open(&self.top, &self.git_dir()).unwrap().unwrap()
    }

    pub(crate) fn tree(&self) -> Tree {
        self.repo().tree(&[Path::new("plan.md")]).unwrap()
    }

    /// Runs git in the work tree and returns its output.
    pub(crate) fn git<S: AsRef<OsStr>>(&self, args: &[S]) -> String {
        let output = self.try_git(args, &[]);
        assert!(output.status.success(), "git {:?}: {}", args[0].as_ref(), String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    pub(crate) fn try_git<S: AsRef<OsStr>>(&self, args: &[S], env: &[(&str, &OsStr)]) -> Output {
        git(&self.top).args(args).envs(env.iter().copied()).output().unwrap()
    }

    /// The tree that `git add -A` would make of the work tree, without plan.md, computed in a new index.
    pub(crate) fn expected(&self) -> ObjectId {
        let index = self.folder.path().join("other-index");
        let _ = fs::remove_file(&index);
        let env = [("GIT_INDEX_FILE", index.as_os_str())];
        for args in [&["add", "-A"][..], &["rm", "-q", "--cached", "--ignore-unmatch", "--", "plan.md"]] {
            let output = self.try_git(args, &env);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let output = self.try_git(&["write-tree"], &env);
        ObjectId::parse(String::from_utf8(output.stdout).unwrap().trim_end()).unwrap()
    }

    /// The files of the object store and the bytes of the index, which must stay the same when a tree is taken.
    pub(crate) fn stored(&self) -> (Vec<PathBuf>, Option<Vec<u8>>) {
        let git_dir = self.git_dir();
        let mut files = Vec::new();
        walk(&git_dir.join("objects"), &mut files);
        files.sort();
        (files, fs::read(git_dir.join("index")).ok())
    }
}

/// A git command with an identity and without the machine's configuration.
pub(crate) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null").args([
        "-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always", "-c", "core.hooksPath=",
    ]);
    command
}

/// Writes a program that records its call in the file `mark`, and then runs the shell lines `then`.
pub(crate) fn trap(program: &Path, mark: &Path, then: &str) {
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(program, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n{then}\n", mark.display())).unwrap();
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

pub(crate) fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() { walk(&entry.path(), files) } else { files.push(entry.path()) }
    }
}
