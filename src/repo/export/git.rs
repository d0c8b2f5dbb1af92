//! Makes a separate git folder for an export. A verify that asks git (`git diff --exit-code`, `git ls-files`, `git
//! describe`) then gets the same answers as in place. No hook, filter, remote or include of the repository's
//! configuration is copied. Changes to the folder do not affect the repository, because objects are only borrowed.

use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::layout::Layout;
use crate::error::Result;
use crate::repo::error::{RepoError, RepoResult};
use crate::repo::git::{call, environment, failed};
use crate::repo::tree::Mode;
use crate::repo::{Format, Repo};

/// Settings of the repository that decide how files are compared.
const SETTINGS: &str = "^core\\.(autocrlf|eol|filemode|ignorecase|symlinks|safecrlf|precomposeunicode)$";
/// Larger exclude files are left out.
const LARGEST: u64 = 64 << 10;

impl Repo {
    /// Writes the git folder of an export to `folder`, which must not exist: with HEAD, refs, index and borrowed objects.
    /// Four processes.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails or nothing can be written.
    pub fn borrow(&self, folder: &Path) -> Result<()> {
        let trouble = |error| RepoError::Write { path: folder.to_owned(), error };
        for inner in ["objects/info", "refs/heads", "info"] {
            fs::create_dir_all(folder.join(inner)).map_err(trouble)?;
        }
        let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).map_err(trouble);
        write("config", &self.settings()?)?;
        let objects = self.common_dir.join("objects");
        write("objects/info/alternates", &[objects.as_os_str().as_bytes(), b"\n"].concat())?;
        let refs = self.git(
            &["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags", "refs/remotes"],
            b"",
        )?;
        write("packed-refs", &[b"# pack-refs with: sorted \n", &refs[..]].concat())?;
        let branch = self.ask(&["symbolic-ref", "--quiet", "HEAD"], b"")?;
        let head = match (branch.status.success(), self.head_and_tree()?) {
            (true, _) => [b"ref: ", &branch.stdout[..]].concat(),
            (false, Some(head)) => format!("{}\n", head.commit).into_bytes(),
            (false, None) => b"ref: refs/heads/none\n".to_vec(),
        };
        write("HEAD", &head)?;
        for (from, name) in [(&self.git_dir, "index"), (&self.common_dir, "shallow")] {
            let from = from.join(name);
            if from.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
                fs::copy(from, folder.join(name)).map_err(trouble)?;
            }
        }
        let exclude = self.common_dir.join("info/exclude");
        if exclude.symlink_metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST) {
            fs::copy(exclude, folder.join("info/exclude")).map_err(trouble)?;
        }
        // The shared part of a split index is a separate file.
        for entry in fs::read_dir(&self.git_dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.as_bytes().starts_with(b"sharedindex.") && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                fs::copy(entry.path(), folder.join(name)).map_err(trouble)?;
            }
        }
        Ok(())
    }

    fn settings(&self) -> RepoResult<Vec<u8>> {
        let (version, format) = match self.format {
            Format::Sha1 => (0, ""),
            Format::Sha256 => (1, "[extensions]\n\tobjectFormat = sha256\n"),
        };
        let mut config =
            format!("[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n{format}[core]\n").into_bytes();
        let set = self.ask(&["config", "--local", "--get-regexp", SETTINGS], b"")?;
        for line in String::from_utf8_lossy(&set.stdout).lines() {
            let Some((key, value)) = line.split_once(' ') else { continue };
            let key = key.trim_start_matches("core.");
            if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                let _ = writeln!(config, "\t{key} = {value}");
            }
        }
        Ok(config)
    }

    /// Whether an attribute of `path` (relative to the top) converts between git's form and the form on disk. No filter is run.
    /// One process.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails.
    pub fn converts(&self, path: &Path) -> Result<bool> {
        let names = ["filter", "ident", "working-tree-encoding"];
        let head = ["check-attr", "-z"].into_iter().chain(names).chain(["--"]).map(std::ffi::OsStr::new);
        let args: Vec<&std::ffi::OsStr> = head.chain([path.as_os_str()]).collect();
        let answer = self.git(&args, b"")?;
        let fields: Vec<&[u8]> = answer.split(|byte| *byte == 0).collect();
        Ok(fields.chunks_exact(3).any(|field| !matches!(field[2], b"unspecified" | b"unset")))
    }

    /// Updates the index of the export at `top` from `known` to `layout`. One process; none if nothing differs.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails.
    pub fn stage(&self, top: &Path, layout: &Layout, known: &Layout) -> Result<()> {
        let mut lines = Vec::new();
        for path in layout.differences(known) {
            match layout.get(path) {
                Some(file) if file.mode() == Mode::Submodule => continue,
                Some(file) => write!(lines, "{} {}\t", file.mode().octal(), file.id()),
                None => write!(lines, "0 {}\t", "0".repeat(if self.format == Format::Sha1 { 40 } else { 64 })),
            }
            .unwrap_or_default();
            lines.extend_from_slice(path.as_os_str().as_bytes());
            lines.push(0);
        }
        if lines.is_empty() {
            return Ok(());
        }
        let environment = environment(top).set("GIT_DIR", top.join(".git"));
        let args = ["update-index", "-z", "--index-info"].map(std::ffi::OsStr::new);
        let captured = call(&self.program, top, &environment, &args, &lines)?;
        match captured.status.success() {
            true => Ok(()),
            false => Err(failed(&args, &captured).into()),
        }
    }
}
