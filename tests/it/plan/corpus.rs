//! Real files (P-23, P-39): each is read in four forms, reading changes nothing, and each change is a small diff.
//!
//! If `PLAN_CORPUS` is set, it names a folder that must exist: any markdown in it is used, searched one level deep.

use std::path::{Path, PathBuf};

use super::support::{every_edit_is_small, forms};

// P-40
#[test]
fn each_file_of_the_corpus_keeps_its_bytes() {
    let Some(folder) = std::env::var_os("PLAN_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: PLAN_CORPUS names no folder");
        return;
    };
    assert!(folder.is_dir(), "PLAN_CORPUS names {}, where there is no folder", folder.display());
    let files = markdown(&folder);
    assert!(!files.is_empty(), "no markdown in {}", folder.display());
    let mut edits = 0;
    for file in &files {
        let text = std::fs::read(file).unwrap();
        for text in [inside_a_goal(&text), text] {
            for form in forms(&text) {
                edits += every_edit_is_small(&form, &file.display().to_string());
            }
        }
    }
    eprintln!("{} files, alone and in a goal, in 4 forms, {edits} edits", files.len());
}

/// The file as the prose of a goal, with its headings two levels deeper.
fn inside_a_goal(text: &[u8]) -> Vec<u8> {
    let mut out = b"# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n- [ ] 1. one\n\n".to_vec();
    for line in text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).split_inclusive(|byte| *byte == b'\n') {
        out.extend_from_slice(if line.starts_with(b"#") { b"##" } else { b"" });
        out.extend_from_slice(line);
    }
    out.extend_from_slice(b"\n\n## Log\n- 2026-06-15 14:02  x\n");
    out
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}
