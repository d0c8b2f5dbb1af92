//! Reads the files of another program: one named file, or the files of a folder.
//!
//! A folder is not trusted: links in it are not followed, and its depth and size are limited.

use std::fs::{self, Metadata};
use std::io::Read;
use std::path::Path;

use crate::disk::is_same_file;
use crate::error::{Error, Result};
use crate::exchange::{Reader, SourceFile};
use crate::plan::parse::MAX_BYTES;

const DEEPEST: usize = 12;
/// The maximum number of entries that are looked at.
const MOST: usize = 200_000;

/// Folders that hold no tasks but many other files.
const PASSED_OVER: [&str; 3] = [".git", "node_modules", "target"];

/// Reads the texts at `path`, relative to `cwd`, or stdin for `-`, without the plan itself. The texts of a folder are sorted by path.
///
/// # Errors
/// [`crate::error::Kind::Input`]: the path does not exist, is the plan, is not text, or holds more than 64 MiB.
pub(super) fn read(cwd: &Path, path: &Path, reader: &Reader, plan: &Path) -> Result<Vec<SourceFile>> {
    if path == Path::new("-") {
        let mut texts = Texts { files: Vec::new(), bytes: 0, seen: 0, plan: None };
        texts.text(std::io::stdin(), "-".to_owned())?;
        return Ok(texts.files);
    }
    let (whole, shown) = (cwd.join(path), path.to_string_lossy().into_owned());
    let meta = fs::metadata(&whole).map_err(|error| failed(&shown, &error))?;
    let plan = fs::metadata(plan).ok();
    if plan.as_ref().is_some_and(|plan| is_same_file(plan, &meta)) {
        return Err(Error::input(format!("{shown} is the plan itself"))
            .harmless()
            .hint(format!("name the file or folder of {}", reader.tool)));
    }
    let mut texts = Texts { files: Vec::new(), bytes: 0, seen: 0, plan };
    if meta.is_dir() {
        let shown = shown.trim_end_matches('/').to_owned();
        texts.folder(&whole, &shown, "", reader, 0)?;
        if texts.files.is_empty() {
            return Err(Error::input(format!("{shown}: found no file of {} in this folder", reader.tool))
                .harmless()
                .hint(format!("name the file of {} in place of the folder", reader.tool)));
        }
        texts.files.sort_by(|one, other| one.path.cmp(&other.path));
        return Ok(texts.files);
    }
    if !meta.is_file() {
        return Err(Error::input(format!("{shown}: expected a file or a folder")).harmless());
    }
    texts.file(&whole, shown.clone())?;
    for beside in reader.beside {
        let Some(folder) = whole.parent() else { continue };
        let other = folder.join(beside);
        if fs::symlink_metadata(&other).is_ok_and(|meta| meta.is_file()) {
            let folder = shown.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            texts.file(&other, format!("{folder}{beside}"))?;
        }
    }
    Ok(texts.files)
}

struct Texts {
    files: Vec<SourceFile>,
    bytes: u64,
    seen: usize,
    /// The plan, if it exists.
    plan: Option<Metadata>,
}

impl Texts {
    fn folder(&mut self, folder: &Path, shown: &str, below: &str, reader: &Reader, depth: usize) -> Result<()> {
        let entries = fs::read_dir(folder).map_err(|error| failed(shown, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failed(shown, &error))?;
            self.seen += 1;
            if self.seen > MOST {
                return Err(Error::input(format!("{shown}: more than {MOST} files and folders"))
                    .harmless()
                    .hint(format!("name the folder of {} itself", reader.tool)));
            }
            let name = entry.file_name();
            let (Some(name), Ok(kind)) = (name.to_str(), entry.file_type()) else { continue };
            let below = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            let shown = format!("{shown}/{name}");
            if kind.is_dir() && depth < DEEPEST && !PASSED_OVER.contains(&name) {
                self.folder(&entry.path(), &shown, &below, reader, depth + 1)?;
            } else if kind.is_file() && (reader.wants)(&below) && !self.is_plan(&entry) {
                self.file(&entry.path(), shown)?;
            }
        }
        Ok(())
    }

    fn is_plan(&self, entry: &fs::DirEntry) -> bool {
        let plan = self.plan.as_ref().zip(entry.metadata().ok());
        plan.is_some_and(|(plan, meta)| is_same_file(plan, &meta))
    }

    fn file(&mut self, path: &Path, shown: String) -> Result<()> {
        self.text(fs::File::open(path).map_err(|error| failed(&shown, &error))?, shown)
    }

    fn text(&mut self, source: impl Read, shown: String) -> Result<()> {
        let limit = MAX_BYTES as u64 - self.bytes;
        let mut bytes = Vec::new();
        let read = source.take(limit + 1).read_to_end(&mut bytes);
        let length = read.map_err(|error| failed(&shown, &error))? as u64;
        if length > limit {
            return Err(Error::input(format!("{shown}: expected at most {MAX_BYTES} bytes (64 MiB) in all")).harmless());
        }
        self.bytes += length;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = memchr::memchr_iter(b'\n', &error.as_bytes()[..at]).count() + 1;
            Error::input(format!("{shown}:{line}: expected UTF-8, found the byte 0x{:02x}", error.as_bytes()[at]))
                .harmless()
        })?;
        self.files.push(SourceFile { path: shown, text });
        Ok(())
    }
}

fn failed(shown: &str, error: &std::io::Error) -> Error {
    Error::input(format!("cannot read {shown}: {error}")).harmless()
}
