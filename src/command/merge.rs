//! The merge driver (`gitattributes(5)`, "Defining a custom merge driver"): git calls it by the hidden verb [`MERGE_VERB`], which
//! `plan install git` has configured.
//!
//! ```text
//! plan __merge %O %A %B %L %P %S %X %Y     base, ours, theirs, marker size, path, labels of base, ours, theirs
//! ```
//!
//! It writes the whole result to `%A` in one step, or nothing. It exits with 0, or with 1 if it left conflicts. With any
//! other exit code `%A` is unchanged, and the command line that git runs merges the text.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Exit;
use crate::config;
use crate::disk::Replacement;
use crate::error::{Error, Kind, Result};
use crate::plan::merge::{BASE, Chunk, Conflict, Markers, Merged, MergedText, OURS, THEIRS, merge};
use crate::plan::{lint, parse};
use crate::repo::{MERGE_VERB, MergePart, conflict_style, merge_file};
use crate::ui::{Color, Ui};

/// The arguments of git's call.
struct MergeArguments {
    files: [PathBuf; 3],
    size: usize,
    /// The file's path in the repository, for messages.
    path: String,
    labels: [String; 3],
}

/// Merges three files, as git asks.
pub fn main(arguments: &[OsString]) -> ExitCode {
    let ui = Ui::new(false, Color::Never);
    let exit = match run(&ui, arguments) {
        Ok(exit) => exit,
        Err(error) => {
            ui.error(&error);
            Exit::Code(error.kind.code().max(2))
        }
    };
    ui.finish();
    ExitCode::from(match exit {
        Exit::Yes => 0,
        Exit::Code(code) => code,
        _ => 1,
    })
}

fn run(ui: &Ui, arguments: &[OsString]) -> Result<Exit> {
    let call = MergeArguments::of(arguments)?;
    let [base, ours, theirs] = call.files.each_ref().map(|file| read(file));
    let texts = [base?, ours?, theirs?];
    let versions = texts.each_ref().map(Vec::as_slice);
    if versions.iter().any(|text| memchr::memchr(0, text).is_some()) {
        // As git does with a binary file: our version stays, and all three are in the index.
        ui.note(&format!(
            "{}: contains a NUL byte, so it was not merged; our version is kept: choose between the two",
            call.path
        ));
        return Ok(Exit::No);
    }
    let stamp = config::stamp()?;
    let top = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let mut merged = merge(versions, &stamp, &mut |texts| by_git(&top, texts, false))?;
    let mut markers = Markers { size: call.size, labels: call.labels, with_base: false };
    if merged.conflicts() > 0 && conflict_style(&top).is_some_and(|style| style != "merge") {
        markers.with_base = true;
        merged = merge(versions, &stamp, &mut |texts| by_git(&top, texts, true))?;
    }
    let text = merged.render(&markers);
    write(&call.files[OURS], &text)?;
    tell(ui, &call.path, &merged);
    if let (Ok(ours), Ok(merged)) = (parse(versions[OURS]), parse(&text)) {
        for error in lint::new_errors(&ours, &merged) {
            ui.note(&format!("{}: the merge leaves an error: {error} (`plan lint`)", call.path));
        }
    }
    Ok(if merged.conflicts() == 0 { Exit::Yes } else { Exit::No })
}

fn tell(ui: &Ui, path: &str, merged: &Merged) {
    if merged.by_text {
        ui.note(&format!("{path}: merged as plain text; `plan lint` lists its problems"));
    }
    for name in &merged.reopened {
        ui.note(&format!("{path}: {name} is active again: its sign-off does not cover the merged contract"));
    }
}

impl MergeArguments {
    fn of(arguments: &[OsString]) -> Result<Self> {
        let [base, ours, theirs, size, rest @ ..] = arguments else {
            return Err(Error::input(format!("`plan {MERGE_VERB}` is called by git: `plan install git` sets it up")));
        };
        let word = |at: usize| rest.get(at).map(|word| word.to_string_lossy().into_owned());
        // An older git passes placeholders that it does not know unchanged.
        let label = |at: usize, default: &str| match word(at) {
            Some(word) if !(word.len() == 2 && word.starts_with('%')) => word,
            _ => default.to_owned(),
        };
        let mut labels = [String::new(), String::new(), String::new()];
        (labels[BASE], labels[OURS], labels[THEIRS]) = (label(1, "base"), label(2, "ours"), label(3, "theirs"));
        Ok(MergeArguments {
            files: [base, ours, theirs].map(PathBuf::from),
            size: size
                .to_str()
                .and_then(|size| size.parse().ok())
                .filter(|size| (1..=1000).contains(size))
                .unwrap_or(7),
            path: word(0).unwrap_or_else(|| "plan.md".to_owned()),
            labels,
        })
    }
}

fn by_git(top: &Path, texts: [&[u8]; 3], with_base: bool) -> Result<MergedText> {
    let mut merged = MergedText::default();
    for stretch in merge_file(top, texts, with_base)? {
        merged.add(match stretch {
            MergePart::Clean(bytes) => Chunk::Clean(bytes),
            MergePart::Conflict { base, ours, theirs } => Chunk::Conflict(Conflict { base, ours, theirs }),
        });
    }
    Ok(merged)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| Error::new(Kind::Unknown, format!("cannot read `{}`: {error}", file.display())))
}

/// Writes the file in one step, so that git never sees half of it.
fn write(file: &Path, text: &[u8]) -> Result<()> {
    // Git passes a file of its own; a link or device in its place is refused, because writing would replace it by a file.
    if !fs::symlink_metadata(file).is_ok_and(|meta| meta.is_file()) {
        return Err(Error::new(Kind::Unknown, format!("expected a regular file at `{}`", file.display())));
    }
    let put = Replacement::write(file, text).and_then(Replacement::put);
    put.map_err(|error| Error::new(Kind::Unknown, format!("cannot write `{}`: {error}", file.display())))
}
