//! Merges three texts line by line with git (`git merge-file`), outside any repository, so that no attribute, driver,
//! filter or hook applies.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::error::RepoError;
use super::git::{call, environment, failed, program};
use crate::disk::Temporary;
use crate::error::{Error, Kind, Result};

/// A part of the merged text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergePart {
    /// Bytes without a conflict.
    Clean(Vec<u8>),
    /// Lines that both sides changed.
    Conflict {
        /// The common base, if it was requested.
        base: Option<Vec<u8>>,
        /// Our lines.
        ours: Vec<u8>,
        /// Their lines.
        theirs: Vec<u8>,
    },
}

/// Merges `[base, ours, theirs]`. `top` is the repository that must not bring its own git program. `with_base` keeps
/// the base of each conflict; the conflicts then cover the same lines as in git's `diff3` style.
///
/// # Errors
/// [`Kind::Unknown`] if there is no git, or if git refuses the texts (it calls texts with NUL bytes binary).
pub fn merge_file(top: &Path, versions: [&[u8]; 3], with_base: bool) -> Result<Vec<MergePart>> {
    let git = program(top).ok_or_else(|| {
        Error::new(Kind::Unknown, "cannot merge text: no git program was found")
            .hint("install git, or add it to `PATH`")
    })?;
    let failed_io = |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot make temporary files: {error}"));
    let folder = Temporary::make("plan-merge-").map_err(failed_io)?;
    let home = folder.folder();
    for (name, text) in ["base", "ours", "theirs"].iter().zip(versions) {
        fs::write(home.join(name), text).map_err(failed_io)?;
    }
    let size = versions.map(longest_run).into_iter().max().unwrap_or(0).max(39) + 1;
    let environment = environment(home)
        .remove("GIT_WORK_TREE")
        .set("GIT_CEILING_DIRECTORIES", home.parent().unwrap_or(home))
        .set("GIT_CONFIG_GLOBAL", "/dev/null")
        .set("GIT_CONFIG_NOSYSTEM", "1");
    let mut args: Vec<OsString> = vec!["merge-file".into(), "-p".into(), "-q".into()];
    args.push(format!("--marker-size={size}").into());
    args.extend(with_base.then(|| "--diff3".into()));
    args.extend(["-L", "ours", "-L", "base", "-L", "theirs", "ours", "base", "theirs"].map(OsString::from));
    let words: Vec<_> = args.iter().map(OsString::as_os_str).collect();
    let captured = call(&git, home, &environment, &words, b"")?;
    // The exit code is the number of conflicts, at most 127; 255 is an error.
    if captured.status.code().is_none_or(|code| code > 127) {
        return Err(failed(&args, &captured).into());
    }
    Ok(stretches(&captured.stdout, size).ok_or_else(|| RepoError::Answer {
        what: "merge-file",
        found: String::from_utf8_lossy(&captured.stdout).chars().take(200).collect(),
    })?)
}

/// The longest run of one of git's marker characters at the start of a line.
fn longest_run(text: &[u8]) -> usize {
    let run = |line: &[u8]| match line.first() {
        Some(first @ (b'<' | b'=' | b'>' | b'|')) => line.iter().take_while(|byte| *byte == first).count(),
        _ => 0,
    };
    text.split(|byte| *byte == b'\n').map(run).max().unwrap_or(0)
}

/// Splits the answer at its markers, which are longer than any run in the texts.
fn stretches(text: &[u8], size: usize) -> Option<Vec<MergePart>> {
    let is = |line: &[u8], mark: u8| line.len() >= size && line[..size].iter().all(|byte| *byte == mark);
    let mut out = Vec::new();
    let mut clean = Vec::new();
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    while let Some(line) = lines.next() {
        if !is(line, b'<') {
            clean.extend_from_slice(line);
            continue;
        }
        let (mut ours, mut base, mut theirs) = (Vec::new(), None, Vec::new());
        let mut part = b'<';
        loop {
            let line = lines.next()?;
            match (part, [b'|', b'=', b'>'].into_iter().find(|mark| is(line, *mark))) {
                (b'<', Some(b'|')) => (base, part) = (Some(Vec::new()), b'|'),
                (b'<' | b'|', Some(b'=')) => part = b'=',
                (b'=', Some(b'>')) => break,
                (_, Some(_)) => return None,
                (b'<', None) => ours.extend_from_slice(line),
                (b'|', None) => base.get_or_insert_default().extend_from_slice(line),
                _ => theirs.extend_from_slice(line),
            }
        }
        if !clean.is_empty() {
            out.push(MergePart::Clean(std::mem::take(&mut clean)));
        }
        out.push(MergePart::Conflict { base, ours, theirs });
    }
    if !clean.is_empty() {
        out.push(MergePart::Clean(clean));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(versions: [&str; 3], with_base: bool) -> Result<Vec<MergePart>> {
        merge_file(Path::new("/nowhere"), versions.map(str::as_bytes), with_base)
    }

    #[test]
    fn what_git_merges_and_what_it_leaves() {
        let clean = merged(["a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"], false).unwrap();
        assert_eq!(clean, [MergePart::Clean(b"A\nb\nc\nd\nE\n".to_vec())]);
        let conflict = |base: Option<&[u8]>| MergePart::Conflict {
            base: base.map(<[u8]>::to_vec),
            ours: b"b1\n".to_vec(),
            theirs: b"b2\n".to_vec(),
        };
        for (with_base, base) in [(false, None), (true, Some(b"b\n".as_slice()))] {
            let found = merged(["a\nb\nc\n", "a\nb1\nc\n", "a\nb2\nc\n"], with_base).unwrap();
            assert_eq!(found, [MergePart::Clean(b"a\n".to_vec()), conflict(base), MergePart::Clean(b"c\n".to_vec())]);
        }
    }

    #[test]
    fn lines_that_look_like_markers_are_none() {
        let long = format!("{}\n", "<".repeat(60));
        let found = merged(["b\n", &long, &"=".repeat(50)], false).unwrap();
        assert!(matches!(&found[..], [MergePart::Conflict { ours, .. }] if ours == long.as_bytes()), "{found:?}");
    }

    #[test]
    fn what_git_calls_binary_is_an_error() {
        assert_eq!(merged(["a\n", "a\0b\n", "c\n"], false).unwrap_err().kind, Kind::Unknown);
    }
}
