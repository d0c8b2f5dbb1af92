//! Every requirement that is built has a test that names it: `// P-45` in a test file, `proves = ["P-45"]` in a golden case, `# P-45` in a
//! script.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The requirements that are built so far, by letter.
const BUILT: &[(char, &[RangeInclusive<u32>])] = &[
    ('P', &[1..=74]),
    ('C', &[1..=6, 8..=9, 11..=19, 21..=35, 37..=38]),
    ('F', &[1..=4, 6..=54, 57..=58, 60..=63]),
    ('W', &[1..=27]),
    ('S', &[1..=15]),
];

/// The total number by letter, so that a typing error in a test is noticed.
const KNOWN: &[(char, u32)] = &[('P', 74), ('F', 63), ('C', 38), ('W', 27), ('S', 15)];

/// Requirements that no test can prove, with the place where they are ensured instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("P-19", "what this is not: no such command or file is there"),
    ("C-32", "the tests that a design asks for: each stands under the requirement that it proves, C-2 to C-31"),
    ("C-33", "what this is not: re-planning by itself, budgets of a step"),
    ("F-7", "what this is not: plans within plans, branches and loops, noticing by itself that a step is done"),
    ("F-46", "the form of the block: INJECTION.md gives it another, whose tests name F-43 to F-45"),
    (
        "W-18",
        "an item has no states here: a draft is written whole or not at all, and prd.json is an export that `doctor` compares",
    ),
    ("P-59", "what is to be flushed before a compaction: nothing, plan.md holds it all the time"),
    ("P-73", "the order in which things were built: the history of this repository"),
];

#[test]
fn every_requirement_is_proved_by_a_test_that_names_it() {
    let named = named();
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|(id, _)| *id).collect();
    let missing: Vec<String> =
        built().into_iter().filter(|id| !named.contains_key(id) && !elsewhere.contains(&**id)).collect();
    assert!(missing.is_empty(), "{} requirements that no test names: {}", missing.len(), missing.join(", "));
}

#[test]
fn every_requirement_that_a_test_names_exists() {
    let known: BTreeSet<String> =
        KNOWN.iter().flat_map(|(l, last)| (1..=*last).map(move |n| format!("{l}-{n}"))).collect();
    let unknown: Vec<_> = named().into_iter().filter(|(id, _)| !known.contains(id)).collect();
    assert!(unknown.is_empty(), "no such requirements: {unknown:?}");
}

fn built() -> Vec<String> {
    let of = |(letter, ranges): &(char, &[RangeInclusive<u32>])| {
        let letter = *letter;
        ranges.iter().cloned().flatten().map(move |n| format!("{letter}-{n}")).collect::<Vec<_>>()
    };
    BUILT.iter().flat_map(of).collect()
}

/// Requirement ids and the files that name them.
fn named() -> BTreeMap<String, BTreeSet<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in ["src", "tests", "fixtures/cli"].iter().flat_map(|folder| files(&root.join(folder))) {
        let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        if extension == "rs" && !text.contains("#[test]") && !text.contains("proptest!") {
            continue;
        }
        for line in text.lines().map(str::trim_start) {
            for id in ids(line, extension) {
                named.entry(id).or_default().insert(file.strip_prefix(root).unwrap().to_path_buf());
            }
        }
    }
    named
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()) {
        if path.is_dir() && !path.ends_with("node_modules") {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// The ids in a comment line (`// P-1, P-2`), or in `proves` of a golden case.
fn ids(line: &str, extension: &str) -> Vec<String> {
    let list = match extension {
        "rs" => line.strip_prefix("// "),
        "toml" => line.strip_prefix("proves = ["),
        "sh" | "py" => line.strip_prefix("# "),
        _ => None,
    };
    let words = list.unwrap_or_default().split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|w| is_id(w)).map(str::to_string).collect()
}

fn is_id(word: &str) -> bool {
    let Some((letter, number)) = word.split_once('-') else { return false };
    KNOWN.iter().any(|(l, _)| letter == l.to_string())
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
}
