//! The run log: the whole output in a file, or only its beginning and end if it is too long.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Half of the maximum size of a log, 64 MiB in total (`SIGNOFF.md` §2).
pub(super) const HALF: u64 = 32 * 1024 * 1024;

/// A log that is being written. The first half goes straight to the file. The rest goes to a second, nameless file of the
/// same size, a ring buffer, which is appended to the first at the end.
pub(super) struct RunLog {
    path: PathBuf,
    file: File,
    half: u64,
    head: u64,
    ring: Option<File>,
    ringed: u64,
}

impl RunLog {
    /// Creates or empties the file at `path`, readable only by its owner. Refuses anything that is not a regular file: opening a
    /// pipe would block, and a link may lead to someone else's file.
    pub(super) fn create(path: &Path, half: u64) -> io::Result<RunLog> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let open =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).custom_flags(flags).open(path);
        let file = match open {
            Ok(file) if file.metadata()?.is_file() => file,
            Err(error) if path.symlink_metadata().map_or(true, |meta| meta.is_file()) => return Err(error),
            _ => return Err(io::Error::other(format!("`{}` is not a regular file", path.display()))),
        };
        file.set_len(0)?;
        Ok(RunLog { path: path.to_owned(), file, half, head: 0, ring: None, ringed: 0 })
    }

    pub(super) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        let room = (self.half - self.head).min(piece.len() as u64);
        let (head, rest) = piece.split_at(room as usize);
        self.file.write_all(head)?;
        self.head += room;
        if rest.is_empty() { Ok(()) } else { self.go_round(rest) }
    }

    /// Appends the second half to the first. Returns the number of bytes left out between them.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        let Some(ring) = self.ring.take() else { return Ok(0) };
        let dropped = self.ringed.saturating_sub(self.half);
        let seam = self.ringed % self.half;
        if dropped > 0 {
            write!(self.file, "\n[{dropped} bytes left out]\n")?;
            self.append(&ring, seam, self.half)?;
            self.append(&ring, 0, seam)?;
        } else {
            self.append(&ring, 0, self.ringed)?;
        }
        Ok(dropped)
    }

    fn go_round(&mut self, mut rest: &[u8]) -> io::Result<()> {
        let ring = match &mut self.ring {
            Some(ring) => ring,
            none => {
                let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
                none.insert(tempfile::tempfile_in(folder.unwrap_or(Path::new(".")))?)
            }
        };
        while !rest.is_empty() {
            let at = self.ringed % self.half;
            let (piece, others) = rest.split_at((self.half - at).min(rest.len() as u64) as usize);
            ring.write_all_at(piece, at)?;
            self.ringed += piece.len() as u64;
            rest = others;
        }
        Ok(())
    }

    fn append(&mut self, ring: &File, mut from: u64, to: u64) -> io::Result<()> {
        let mut buffer = vec![0; 64 * 1024];
        while from < to {
            let length = (to - from).min(buffer.len() as u64) as usize;
            ring.read_exact_at(&mut buffer[..length], from)?;
            self.file.write_all(&buffer[..length])?;
            from += length as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes `output` in pieces to a log with halves of ten bytes.
    fn log(output: &str, piece: usize) -> (u64, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.log");
        let mut log = RunLog::create(&path, 10).unwrap();
        output.as_bytes().chunks(piece).for_each(|piece| log.write(piece).unwrap());
        let dropped = log.finish().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        (dropped, std::fs::read_to_string(&path).unwrap())
    }

    #[test]
    fn the_middle_is_left_out_and_counted() {
        let alphabet = "abcdefghijklmnopqrstuvwxyz";
        for piece in [1, 3, 7, 10, 26] {
            assert_eq!(log(&alphabet[..10], piece), (0, alphabet[..10].to_owned()), "{piece}");
            assert_eq!(log(&alphabet[..15], piece), (0, alphabet[..15].to_owned()), "{piece}");
            assert_eq!(log(&alphabet[..20], piece), (0, alphabet[..20].to_owned()), "{piece}");
            assert_eq!(log(alphabet, piece), (6, "abcdefghij\n[6 bytes left out]\nqrstuvwxyz".to_owned()), "{piece}");
            let (dropped, text) = log(&alphabet.repeat(3), piece);
            assert_eq!((dropped, text.as_str()), (58, "abcdefghij\n[58 bytes left out]\nqrstuvwxyz"), "{piece}");
        }
    }

    #[test]
    fn nothing_printed_is_an_empty_log() {
        assert_eq!(log("", 1), (0, String::new()));
    }
}
