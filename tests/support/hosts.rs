//! The hosts, from the program's own table: a list of them in a test would miss a new one.

use std::collections::BTreeSet;

use plan::host::HOSTS;

/// Their names, in the order of the table.
pub fn hosts() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name()).collect()
}

/// Asserts that `text` names each host, as a word of its own; `place` says where the text is.
#[track_caller]
pub fn assert_names_each_host(text: &str, place: &str) {
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let missing: Vec<&str> = hosts().into_iter().filter(|host| !words.contains(host)).collect();
    assert!(missing.is_empty(), "{place} lacks the hosts {missing:?}, which are in the table of src/host/mod.rs");
}

/// Asserts that a table of a test has rows for every host, and for no other name.
#[track_caller]
pub fn assert_has_each_host<'a>(rows: impl IntoIterator<Item = &'a str>, place: &str) {
    let rows: BTreeSet<&str> = rows.into_iter().collect();
    assert_eq!(rows, hosts().into_iter().collect(), "{place}, and the table of src/host/mod.rs");
}
