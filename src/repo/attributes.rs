//! Edits the lines of a tracked `.gitattributes` (`gitattributes(5)`): adds or removes one line and keeps every other byte.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::Repo;
use super::error::RepoError;
use crate::disk::Replacement;
use crate::error::{Error, Kind, Result};

/// The file's name, at the top of the work tree.
pub const NAME: &str = ".gitattributes";

/// The pattern that matches `path` (relative to the top). For a file named plan.md, the pattern matches in any folder; for any other
/// path it matches only this path, whatever characters it has.
pub fn pattern(path: &Path) -> String {
    if path.file_name().is_some_and(|name| name == "plan.md") {
        return "plan.md".to_owned();
    }
    let mut glob = Vec::from(*b"/");
    for byte in path.as_os_str().as_bytes() {
        if matches!(byte, b'*' | b'?' | b'[' | b'\\') {
            glob.push(b'\\');
        }
        glob.push(*byte);
    }
    let plain = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
    if glob.iter().all(plain) {
        return glob.iter().map(|byte| char::from(*byte)).collect();
    }
    // Quoted as git quotes paths: bytes that are not printable ASCII in octal.
    let mut quoted = String::from("\"");
    for byte in glob {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted += &format!("\\{byte:03o}"),
        }
    }
    quoted + "\""
}

/// Returns `text` with `line` at its end; `None` if it has the line already. If the last line has no line ending, it stays that
/// way, so that [`without`] restores the same bytes.
pub fn with(text: Option<&[u8]>, line: &str) -> Option<Vec<u8>> {
    let Some(text) = text else { return Some(format!("{line}\n").into_bytes()) };
    if lines(text).any(|(_, one)| one == line.as_bytes()) {
        return None;
    }
    let eol = if text.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let ends = text.ends_with(b"\n");
    let (before, after) = if ends {
        ("", eol)
    } else if text.is_empty() {
        ("", "")
    } else {
        (eol, "")
    };
    Some([text, before.as_bytes(), line.as_bytes(), after.as_bytes()].concat())
}

/// Returns `text` without `line`, or no text if nothing else was in the file. `None` if the line is not there.
pub fn without(text: &[u8], line: &str) -> Option<Option<Vec<u8>>> {
    let (at, _) = lines(text).find(|(_, one)| *one == line.as_bytes())?;
    let end = text[at..].iter().position(|byte| *byte == b'\n').map(|length| at + length + 1);
    let (front, rest) = (&text[..at], &text[end.unwrap_or(text.len())..]);
    if end.is_some() {
        let left = [front, rest].concat();
        return Some(Some(left).filter(|left| !left.is_empty()));
    }
    let front = front.strip_suffix(b"\n").unwrap_or(front);
    Some(Some(front.strip_suffix(b"\r").unwrap_or(front).to_vec()))
}

/// Each line with its offset, without its line ending.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line)))
    })
}

/// Reads the file; `None` if there is no file.
///
/// # Errors
/// [`Kind::Input`] for a link, a folder or anything else that is not a regular file, because git does not read those.
pub fn read(top: &Path) -> Result<Option<Vec<u8>>> {
    let path = top.join(NAME);
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Ok(meta) if !meta.is_file() => Err(Error::input(format!("`{}` is not a regular file", path.display()))
            .hint("git reads attributes from a regular file only")),
        _ => fs::read(&path).map(Some).map_err(|error| RepoError::Look { path, error }.into()),
    }
}

/// Replaces the file with these bytes in one step; removes it if `text` is `None`.
///
/// # Errors
/// [`Kind::Unknown`] if the file cannot be written.
pub fn write(top: &Path, text: Option<&[u8]>) -> Result<()> {
    let path = top.join(NAME);
    let put = || -> io::Result<()> {
        let Some(text) = text else { return fs::remove_file(&path) };
        Replacement::write(&path, text)?.put()
    };
    put().map_err(|error| Error::new(Kind::Unknown, format!("cannot write `{}`: {error}", path.display())))
}

impl Repo {
    /// The merge driver that git uses for `path` (relative to the top): the value of its `merge` attribute.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if git fails.
    pub fn merge_attribute(&self, path: &Path) -> Result<String> {
        let args = ["check-attr".as_ref(), "-z".as_ref(), "merge".as_ref(), "--".as_ref(), path.as_os_str()];
        let answer = self.git(&args, b"")?;
        let word = answer.split(|byte| *byte == 0).nth(2).unwrap_or_default();
        Ok(String::from_utf8_lossy(word).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "plan.md merge=plan";

    #[test]
    fn what_was_there_comes_back_byte_for_byte() {
        for text in ["", "*.md text\n", "*.md text", "a\r\nb\r\n", "a\r\nb", "\n\n", "# c\nplan.md text\n"] {
            let added = with(Some(text.as_bytes()), LINE).unwrap();
            assert!(lines(&added).any(|(_, line)| line == LINE.as_bytes()), "{text:?}");
            assert_eq!(with(Some(&added), LINE), None, "{text:?}");
            assert_eq!(without(&added, LINE).unwrap().unwrap(), text.as_bytes(), "{text:?}");
        }
        let new = with(None, LINE).unwrap();
        assert_eq!((&new[..], without(&new, LINE)), (&b"plan.md merge=plan\n"[..], Some(None)));
        assert_eq!(without(b"plan.md merge=plan x\n", LINE), None);
        assert_eq!(without(b"a\nplan.md merge=plan\nb\n", LINE).unwrap().unwrap(), b"a\nb\n");
    }

    #[test]
    fn a_path_is_a_pattern_that_matches_it_alone() {
        for (path, expected) in [
            ("plan.md", "plan.md"),
            ("sub/plan.md", "plan.md"),
            ("docs/roadmap.md", "/docs/roadmap.md"),
            ("my plan.md", "\"/my plan.md\""),
            ("a[1]*.md", r#""/a\\[1]\\*.md""#),
            ("#x", "/#x"),
            ("é\n\".md", r#""/\303\251\012\".md""#),
        ] {
            assert_eq!(pattern(Path::new(path)), expected);
        }
    }
}
