//! Reads the arguments of `make`: its targets and its makefiles.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{below, makefile};

/// The letters of options with a value. The value is the rest of the word or the next word.
const VALUED: [char; 8] = ['C', 'f', 'o', 'W', 'I', 'E', 'j', 'l'];

pub(super) struct MakeCall {
    pub(super) folder: PathBuf,
    /// The makefiles given with `-f`; empty if make looks for a makefile by its name.
    given: Vec<PathBuf>,
    /// The targets; empty if make takes the first rule.
    pub(super) targets: BTreeSet<String>,
}

impl MakeCall {
    pub(super) fn read(args: &[&str], folder: &Path) -> MakeCall {
        let mut call = MakeCall { folder: folder.to_owned(), given: Vec::new(), targets: BTreeSet::new() };
        let mut given = Vec::new();
        let mut words = args.iter().copied();
        while let Some(word) = words.next() {
            let Some((letter, joined)) = option(word) else {
                if !word.starts_with('-') && !word.contains('=') {
                    call.targets.insert(word.to_owned());
                }
                continue;
            };
            let value = match (letter, joined) {
                ('j' | 'l', "") => {
                    // A following number is its value; another word is not.
                    let next = words.clone().next();
                    next.filter(|next| next.chars().all(|c| c.is_ascii_digit() || c == '.')).and_then(|_| words.next())
                }
                (_, "") => words.next(),
                (_, joined) => Some(joined),
            };
            match (letter, value) {
                ('C', Some(to)) => call.folder = below(&call.folder, to).unwrap_or_default(),
                ('f', Some(file)) => given.push(file),
                _ => {}
            }
        }
        call.given = given.into_iter().filter_map(|file| below(&call.folder, file)).collect();
        call
    }

    /// The possible makefiles in the order of make. It reads all that are given, otherwise the first that exists.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self.given.is_empty() {
            true => makefile::NAMES.iter().map(|name| self.folder.join(name)).collect(),
            false => self.given.clone(),
        }
    }

    pub(super) fn text(&self, read: &dyn Fn(&Path) -> Option<Vec<u8>>) -> String {
        let most = if self.given.is_empty() { 1 } else { self.given.len() };
        let found = self.files().into_iter().filter_map(|file| read(&file)).take(most);
        found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect::<Vec<_>>().join("\n")
    }
}

/// The letter of an option that takes a value, and the value joined to it (empty if the value is the next word).
fn option(word: &str) -> Option<(char, &str)> {
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').unwrap_or((long, ""));
        let letter = match name {
            "directory" => 'C',
            "file" | "makefile" => 'f',
            "jobs" => 'j',
            "load-average" | "max-load" => 'l',
            "old-file" | "assume-old" | "what-if" | "new-file" | "assume-new" | "include-dir" | "eval" => 'E',
            _ => return None,
        };
        return Some((letter, value));
    }
    // `-O` and its joined value end a group of letters; the value is never a separate word.
    let cluster = word.strip_prefix('-')?.split('O').next()?;
    let at = cluster.find(VALUED)?;
    Some((cluster[at..].chars().next()?, word.get(at + 2..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::harness::tests::harness;

    // P-5
    #[test]
    fn options_of_make_are_told_from_its_targets() {
        let files = &[
            ("Makefile", "check:\n\t@sh check.sh\n\nbuild:\n\tsh build.sh\n\ninclude more.mk\n"),
            ("more.mk", "deep:\n\tsh deep.sh\n"),
            ("other.mk", "first:\n\tsh other.sh\n"),
            ("sub/Makefile", "first:\n\tsh sub.sh\n"),
            ("Ort/GNUmakefile", "first:\n\tsh ort.sh\n"),
        ];
        for (line, named) in [
            ("make", "check.sh"),
            ("make -j4", "check.sh"),
            ("make -j 4", "check.sh"),
            ("make --jobs 4 -l 2.5", "check.sh"),
            ("make -skj 4", "check.sh"),
            ("make -j check", "check.sh"),
            ("make -Otarget -O V=1 check", "check.sh"),
            ("make -o build check", "check.sh"),
            ("make build", "build.sh"),
            ("make deep", "deep.sh"),
            ("make -f other.mk", "other.sh"),
            ("make -sfother.mk", "other.sh"),
            ("make --file=other.mk", "other.sh"),
            ("make -C sub", "sub/sub.sh"),
            ("make --directory=sub -j 2", "sub/sub.sh"),
            ("make -C sub -f ../other.mk", "sub/other.sh"),
            ("make -sCOrt", "Ort/ort.sh"),
        ] {
            let harness = harness(line, "", &[], files);
            let scripts = ["check.sh", "build.sh", "deep.sh", "other.sh", "sub/sub.sh", "sub/other.sh", "Ort/ort.sh"];
            let found = scripts.into_iter().filter(|script| harness.is_named(Path::new(script)));
            assert_eq!(found.collect::<Vec<_>>(), [named], "{line}");
        }
        let given = harness("make -f other.mk", "", &[], files);
        assert!(given.is_mixed(Path::new("other.mk")) && !given.is_mixed(Path::new("Makefile")));
    }
}
