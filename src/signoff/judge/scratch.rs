//! A run's own folder, with its probe and its nonce.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::prompt::is_plain;
use crate::disk::Temporary;
use crate::error::{Error, Kind, Result};

/// The prefix of judges' folders in the system's temporary folder.
const PREFIX: &str = "plan-judge-";

/// A fresh folder outside the work tree that nobody else can look into. It is removed at the end.
pub(super) struct Scratch {
    /// Contains the judge's folder, so that its lock is out of the judge's reach.
    folder: Temporary,
    pub(super) path: PathBuf,
    /// 128 bits in hexadecimal. Only the prompt contains it.
    pub(super) nonce: String,
    pub(super) probe: PathBuf,
    /// The content of the probe. It is nowhere else.
    pub(super) token: String,
}

impl Scratch {
    /// # Errors
    /// [`Kind::Unknown`]: the folder cannot be made, or there is no randomness.
    pub(super) fn new(top: &Path) -> Result<Self> {
        Scratch::make(top).map_err(|error| {
            Error::new(Kind::Unknown, format!("no scratch folder for the judge: {error}"))
                .hint("set `TMPDIR` to a folder that can be written")
        })
    }

    fn make(top: &Path) -> io::Result<Self> {
        // A judge's folder in the tree would change the tree. Its name must be plain, because it is in the prompt outside the data.
        let temp = std::env::temp_dir().canonicalize()?;
        let folder = match temp.starts_with(top.canonicalize()?) || !is_plain(&temp) {
            true => Temporary::make_in(Path::new("/tmp"), PREFIX)?,
            false => Temporary::make_in(&temp, PREFIX)?,
        };
        let path = folder.folder().join("scratch");
        fs::create_dir(&path)?;
        let probe = path.join("probe");
        let token = random::<8>()?;
        fs::write(&probe, format!("{token}\n"))?;
        Ok(Scratch { folder, path, nonce: random::<16>()?, probe, token })
    }

    /// Removes the folder after the judge has ended, because nothing after that has to hold back Ctrl-C. Returns nonce and token.
    ///
    /// # Errors
    /// [`Kind::Interrupted`] if a signal came meanwhile.
    pub(super) fn end(self) -> Result<(String, String)> {
        match self.folder.is_interrupted() {
            true => Err(Error::new(Kind::Interrupted, "interrupted")),
            false => Ok((self.nonce, self.token)),
        }
    }
}

/// Returns `N` random bytes from the system, in hexadecimal.
fn random<const N: usize>() -> io::Result<String> {
    let mut bytes = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
