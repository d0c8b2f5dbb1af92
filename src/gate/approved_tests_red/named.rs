//! Files that decide the result of verify only because verify names them. One file may hold both the work and its check
//! (`python3 -m unittest bits`, `sh deploy.sh --dry-run`). The gate keeps today's version of such a file if all its
//! original expectations are still there and verify still notices changes of them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::gate::full::candidate::Candidate;
use crate::gate::full::row::Probe;
use crate::gate::harness::{is_check_file, is_code};
use crate::gate::source_text::counts;
use crate::mutate::{self, Mutation};
use crate::replay::Stop;
use crate::repo::export::Layout;

/// How many expectations of one file are read.
const ALL: usize = 500;
/// How many expectations are changed, one at a time.
const TRIED: usize = 3;
/// An expectation within this many lines after a changed line may have become unreachable.
const NEAR: usize = 6;
/// Words that mark a line as an expectation, or as a call of another checker.
const CHECKS: [&str; 23] = [
    "assert", "expect", "fail", "test", "check", "verify", "unittest", "pytest", "diff", "cmp", "grep", "exit", "die",
    "abort", "jest", "mocha", "make", "cargo", "wrong", "trap", "subprocess", "runpy", "popen",
];

/// Words that mark a line as an expectation in such a file. Elsewhere, they may report a wrong input.
const RAISES: [&str; 3] = ["raise", "throw", "panic"];
/// Commands with which a shell script lists what it checks, and functions with which other scripts do.
const LISTS_OF_SHELL: [&str; 2] = ["find", "ls"];
const LISTS: [&str; 9] = ["glob", "rglob", "iglob", "walk", "listdir", "scandir", "iterdir", "readdir", "readdirsync"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpectationChange {
    /// It expects less than before, or nothing shows that verify still notices changes of its expectations.
    Weaker,
    /// It expects everything that it did before, and verify notices changes of that.
    Kept,
    /// It expected nothing at the start, or verify runs only a part of it.
    Open,
}

pub(super) fn compare(probe: &mut Probe<'_, '_>, base: &Layout, path: &Path) -> Result<ExpectationChange, Stop> {
    let (Some(then), Some(now)) = (probe.candidate.bytes(base, path)?, probe.candidate.now(path)?) else {
        return Ok(ExpectationChange::Weaker);
    };
    let name = path.to_string_lossy();
    let is_gone = |word: &str| stands(base, word) && !stands(&probe.candidate.last, word);
    let asked = expectations(&name, &then, &others(base, path), &is_gone);
    if asked.is_empty() {
        return Ok(if then.is_empty() { ExpectationChange::Weaker } else { ExpectationChange::Open });
    }
    if !holds(&now, &asked) {
        return Ok(ExpectationChange::Weaker);
    }
    let lines: Vec<&[u8]> = now.split(|byte| *byte == b'\n').collect();
    let was_asked =
        |literal: &Mutation| lines.get(literal.line - 1).is_some_and(|line| asked.contains_key(&squeezed(line)));
    let changed = mutate::changed_lines(&then, &now);
    let is_near = |literal: &Mutation| {
        changed.iter().any(|lines| lines.start <= literal.line && literal.line < lines.end.saturating_add(NEAR))
    };
    let mut expected_literals: Vec<Mutation> =
        mutate::expected_literals(&name, &now, ALL).into_iter().filter(was_asked).collect();
    expected_literals.sort_by_key(|literal| !is_near(literal));
    let (mut heeded, mut unheeded) = (0, 0);
    for literal in expected_literals.iter().take(TRIED) {
        let layout = probe.candidate.last.with(path, literal.apply(&now));
        match probe.replay.notices(&layout, &format!("`{name}` with {} in line {}", literal.what, literal.line))? {
            true => heeded += 1,
            false if is_near(literal) => return Ok(ExpectationChange::Weaker),
            false => unheeded += 1,
        }
    }
    Ok(match (heeded, unheeded) {
        (0, _) => ExpectationChange::Weaker,
        (_, 0) => ExpectationChange::Kept,
        _ => ExpectationChange::Open,
    })
}

pub(super) fn expects(candidate: &Candidate<'_>, base: &Layout, path: &Path) -> bool {
    let then = candidate.bytes(base, path).ok().flatten();
    then.is_some_and(|then| !expectations(&path.to_string_lossy(), &then, &others(base, path), &|_| false).is_empty())
}

/// Whether a file still holds every expectation of the start, word for word.
pub(super) fn keeps(base: &Layout, path: &Path, then: &[u8], now: &[u8]) -> bool {
    holds(now, &expectations(&path.to_string_lossy(), then, &others(base, path), &|_| false))
}

fn stands(layout: &Layout, path: &str) -> bool {
    let path = Path::new(path.trim_start_matches("./").trim_end_matches('/'));
    !path.as_os_str().is_empty() && layout.paths().any(|file| file.starts_with(path))
}

/// The names of the other source files at the start.
fn others<'b>(base: &'b Layout, path: &Path) -> HashSet<&'b str> {
    let others = base.paths().filter(|other| *other != path && is_code(other));
    others.filter_map(|other| other.file_name()?.to_str()).collect()
}

/// The lines of a file that expect something or mention another source file, [`squeezed`], and how often each occurs. In a file
/// whose name says that it checks, also the lines that list files: it must not check fewer. A listing may change if it names a file or
/// folder that `is_gone`.
fn expectations(
    name: &str,
    source: &[u8],
    others: &HashSet<&str>,
    is_gone: &dyn Fn(&str) -> bool,
) -> HashMap<Vec<u8>, usize> {
    let literals: Vec<usize> =
        mutate::expected_literals(name, source, ALL).iter().map(|literal| literal.line).collect();
    let file_name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let is_checker = is_check_file(name);
    let is_shell = file_name.ends_with("sh") || !file_name.contains('.');
    let is_checking =
        |line: &[u8]| is_checker && (lists(line, is_shell, is_gone) || says(&String::from_utf8_lossy(line), &RAISES));
    let is_asked =
        |(at, line): &(usize, &[u8])| literals.contains(&(at + 1)) || checks(line, others) || is_checking(line);
    let lines = source.split(|byte| *byte == b'\n').enumerate();
    counts(lines.filter(is_asked).map(|(_, line)| squeezed(line)))
}

/// Whether a source has all of these lines, each at least as often.
fn holds(source: &[u8], asked: &HashMap<Vec<u8>, usize>) -> bool {
    let found = counts(source.split(|byte| *byte == b'\n').map(squeezed));
    asked.iter().all(|(line, count)| found.get(line).is_some_and(|found| found >= count))
}

fn checks(line: &[u8], others: &HashSet<&str>) -> bool {
    let line = String::from_utf8_lossy(line);
    let mut names = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-'));
    names.any(|name| others.contains(name)) || says(&line, &CHECKS)
}

/// Whether a word of the line begins with one of these, in any case.
fn says(line: &str, beginnings: &[&str]) -> bool {
    let line = line.to_ascii_lowercase();
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| beginnings.iter().any(|beginning| word.starts_with(beginning)))
}

/// Whether a line lists files that are still there: `find . -name '*.sh'`, `git ls-files`, `Path(".").rglob("*.py")`.
fn lists(line: &[u8], is_shell: bool, is_gone: &dyn Fn(&str) -> bool) -> bool {
    let line = String::from_utf8_lossy(line);
    let code = if is_shell { line.split('#').next().unwrap_or_default() } else { &line };
    let mut words = code.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let known: &[&str] = if is_shell { &LISTS_OF_SHELL } else { &LISTS };
    let mut paths = code.split(|c: char| c.is_whitespace() || "\"'()".contains(c));
    words.any(|word| known.contains(&word.as_str())) && !paths.any(is_gone)
}

/// A line without the white space that a formatter may change: all that is not between quotes.
fn squeezed(line: &[u8]) -> Vec<u8> {
    // What closes each open quote, and each `$(` in a quote.
    let mut closers: Vec<u8> = Vec::new();
    let mut kept = Vec::new();
    for (at, &byte) in line.trim_ascii_end().iter().enumerate() {
        let is_quote = |byte| matches!(byte, b'"' | b'\'' | b'`');
        let last = closers.last().copied();
        match last {
            Some(closer) if closer == byte => drop(closers.pop()),
            Some(quote) if is_quote(quote) => {
                let is_inserted = quote != b'\'' && at > 0 && line[at - 1] == b'$';
                closers.extend((byte == b'(' && is_inserted).then_some(b')'));
            }
            _ if is_quote(byte) => closers.push(byte),
            Some(_) => closers.extend((byte == b'(').then_some(b')')),
            None => {}
        }
        if last.is_some_and(is_quote) || !byte.is_ascii_whitespace() {
            kept.push(byte);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn what_a_file_expects_must_all_be_there_still() {
        let none = HashSet::new();
        let expectations = |name: &str, source: &[u8], others: &HashSet<&str>| {
            super::expectations(name, source, others, &|path| path == "old")
        };
        let then = b"def f(): return 1\nclass T(TestCase):\n  def test(self):\n    self.assertEqual(f(), 2)\n";
        let asked = expectations("bits.py", then, &none);
        assert_eq!(asked.len(), 3);
        let more =
            b"def f():\n  return 2\nclass T(TestCase):\n  def test(self):\n   self.assertEqual(f(),  2)\n   x()\n";
        assert!(holds(then, &asked) && holds(more, &asked));
        assert!(!holds(b"class T(TestCase):\n  def test(self):\n    self.assertEqual(f(), 1)\n", &asked));
        assert!(!holds(b"class T(TestCase):\n  def test(self):\n    pass\n", &asked));
        let twice = expectations("a.sh", b"[ $a = 1 ] || exit 1\n[ $a = 1 ] || exit 1\n", &none);
        assert!(!holds(b"[ $a = 1 ] || exit 1\n", &twice));
        let listing = b"find . -name '*.sh'\n";
        assert_eq!([1, 0], ["tools/check-all.sh", "checkout.sh"].map(|name| expectations(name, listing, &none).len()));
        assert_eq!(expectations("lint.py", b"for path in root.rglob('*.py'):\n", &none).len(), 1);
        for (name, other) in [
            ("check.sh", &b"# find all\n"[..]),
            ("check.sh", b"for a in $(find old -name x); do\n"),
            ("lint.py", b"findings.append(line.find('#'))\n"),
        ] {
            assert!(expectations(name, other, &none).is_empty(), "{name}");
        }
        assert!(expectations("a.sh", b"set -eu\nhost=$2\necho \"rsync site/ $host\"\n", &none).is_empty());
        let padded = expectations("a.js", b"assert.equal(trim('  a '),  'a')\n", &none);
        assert!(holds(b"  assert.equal(trim('  a '), 'a')\r\n", &padded));
        assert!(!holds(b"assert.equal(trim('a '), 'a')\n", &padded), "white space between quotes is an input");
        let nested = expectations("a.sh", b"[ \"$(trim \"  a\")\"  =  a ] || exit 1\n", &none);
        assert!(holds(b"  [ \"$(trim \"  a\")\" = a ] || exit 1\n", &nested));
        assert!(!holds(b"[ \"$(trim \"a\")\" = a ] || exit 1\n", &nested));
        for line in [
            "sh ./test.sh", "diff a b", ". ./lib/more.sh", "sys.exit(f'no')", "process.exit(1)", "make check",
            "assert.equal",
        ] {
            assert!(checks(line.as_bytes(), &HashSet::from(["more.sh"])), "{line}");
        }
    }
}
