//! Checks that no test file is forgotten: Rust does not report a file without a `mod` line.

use std::path::{Path, PathBuf};

#[test]
fn every_test_file_is_named_by_a_mod_line() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut forgotten = Vec::new();
    let files = rust_files(&tests);
    for file in &files {
        let (folder, stem) = (file.parent().unwrap(), file.file_stem().unwrap().to_string_lossy().into_owned());
        if matches!(stem.as_str(), "main" | "mod") {
            continue;
        }
        // The `mod` lines are in the folder's own root, or in the file next to the folder that has its name.
        let roots = [folder.join("main.rs"), folder.join("mod.rs"), folder.with_extension("rs")];
        let root: String = roots.iter().filter_map(|root| std::fs::read_to_string(root).ok()).collect();
        if !root.lines().any(|line| line == format!("mod {stem};") || line == format!("pub mod {stem};")) {
            forgotten.push(file);
        }
    }
    assert!(forgotten.is_empty(), "no `mod` line for {forgotten:?}");
    assert!(files.len() > 60, "only {} files were looked at", files.len());
}

#[test]
fn there_is_one_integration_binary() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut roots: Vec<PathBuf> = rust_files(&tests)
        .into_iter()
        .filter(|file| file.ends_with("main.rs") || file.parent() == Some(&tests))
        .map(|file| file.strip_prefix(&tests).unwrap().to_path_buf())
        .collect();
    roots.sort();
    assert_eq!(roots, [Path::new("it/main.rs")]);
}

/// Returns all files below `folder`.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() && !path.ends_with("node_modules") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}
