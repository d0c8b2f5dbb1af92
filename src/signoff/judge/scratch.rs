//! A run's own folder, with its probe, and its nonce.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::prompt::is_plain;
use crate::error::{Error, Kind, Result};

/// A fresh folder outside the work tree, removed at the end.
pub(super) struct Scratch {
    /// Removes the folder when dropped.
    _folder: TempDir,
    path: PathBuf,
    /// 128 bits in hexadecimal: told in the prompt alone.
    pub(super) nonce: String,
    /// The absolute path of the probe.
    pub(super) probe: PathBuf,
    /// What stands in it, told nowhere else.
    pub(super) token: String,
}

impl Scratch {
    /// # Errors
    /// [`Kind::Unknown`]: the folder cannot be made, or there is no randomness.
    pub(super) fn new(top: &Path) -> Result<Self> {
        Scratch::make(top).map_err(|error| {
            Error::new(Kind::Unknown, format!("no scratch folder for the judge: {error}"))
                .hint("`TMPDIR` must name a folder that can be written")
        })
    }

    fn make(top: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("plan-judge-");
        let folder = builder.tempdir()?;
        // A judge's folder in the tree would be a change of the tree; its name stands in the prompt, outside the data.
        let real = folder.path().canonicalize()?;
        let folder = match real.starts_with(top.canonicalize()?) || !is_plain(&real) {
            true => builder.tempdir_in("/tmp")?,
            false => folder,
        };
        let path = folder.path().canonicalize()?;
        let probe = path.join("probe");
        let token = random::<8>()?;
        fs::write(&probe, format!("{token}\n"))?;
        Ok(Scratch { _folder: folder, path, nonce: random::<16>()?, probe, token })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// `N` bytes from the system, in hexadecimal.
fn random<const N: usize>() -> io::Result<String> {
    let mut bytes = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
