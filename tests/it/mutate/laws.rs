//! Laws for any bytes: no panic, changes only within bounds, linear time.

use std::time::{Duration, Instant};

use plan::mutate::{
    Mutation, break_syntax, changed_lines, expected_literals, inline_tests, mutants, with_inline_tests_of,
};
use proptest::prelude::*;

use crate::support::size;

const PATHS: [&str; 10] = ["a.py", "a.rs", "a.js", "a.tsx", "a.go", "a.sh", "a.rb", "A.java", "a.cpp", "a.php"];

/// Pieces that are hard for lexers.
const PIECES: [&str; 64] = [
    "\"", "'", "`", "\"\"\"", "'''", "r#\"", "\"#", "${", "$(", "$((", "}", "{", "(", ")", "[", "]", "<<EOF\n",
    "EOF\n", "<<~A\n", "//", "/*", "*/", "#", "\\", "\n", "\n    ", " ", "\t", "é", "\u{feff}", "日", "0x", "9",
    "1.5e", "..", "'a", "b'", "f\"", "%w[", "def test_a():", "assert f() == 5", "assert_eq!(f(), 5)",
    "expect(f()).toBe(", "it('a', () => {", "#[test] fn a() {", "#[cfg(test)] mod t {", "[ \"$x\" = y ] || exit 1",
    "if x != 5 {", "t.Fatal()", "want := ", "for a, want in [", "return x", "&&", "||", "!", "==", "<", "+", "-", "*",
    "=>", "::", ";", ",",
];

fn check(source: &[u8], mutation: &Mutation) {
    let Mutation { range, replacement, line, .. } = mutation;
    let text = std::str::from_utf8(source).unwrap();
    assert!(range.start <= range.end && range.end <= source.len(), "{mutation:?}");
    assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end), "{mutation:?}");
    // Text that is inserted at the start of a line may have the number of the line before it.
    let lines = 1 + text[..range.start].matches('\n').count();
    assert!(
        *line == lines || range.is_empty() && (*line..=*line + 1).contains(&lines) || *line < lines && range.len() > 1,
        "{mutation:?}: line {lines}"
    );
    let new = mutation.apply(source);
    assert_eq!(new.len(), source.len() - range.len() + replacement.len());
    assert_eq!(
        (&new[..range.start], &new[range.start + replacement.len()..]),
        (&source[..range.start], &source[range.end..])
    );
    assert_ne!(new, source, "{mutation:?} changes nothing");
}

/// Calls every function on a source.
fn ask(path: &str, source: &[u8]) {
    let all = 1..usize::MAX;
    for mutation in
        expected_literals(path, source, 7).into_iter().chain(mutants(path, source, std::slice::from_ref(&all), 7))
    {
        check(source, &mutation);
    }
    break_syntax(path, source);
    for range in inline_tests(source) {
        assert!(range.end <= source.len());
    }
    with_inline_tests_of(source, source);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: u32::try_from(size(60, 300)).unwrap(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        PATHS.iter().for_each(|path| ask(path, &bytes));
    }

    #[test]
    fn any_pieces_are_read(picks in proptest::collection::vec(0..PIECES.len(), 0..40)) {
        let source: String = picks.into_iter().map(|pick| PIECES[pick]).collect();
        PATHS.iter().for_each(|path| ask(path, source.as_bytes()));
    }

    #[test]
    fn changed_lines_are_in_the_new_text(old in "([ab]\n){0,9}", new in "([abc]\n){0,9}") {
        let count = new.lines().count();
        let ranges = changed_lines(old.as_bytes(), new.as_bytes());
        prop_assert!(ranges.iter().all(|range| 1 <= range.start && range.start < range.end && range.end <= count + 1));
        // The text outside the change is in the old text, in the same order.
        let kept: Vec<&str> =
            new.lines().enumerate().filter(|(at, _)| !ranges.iter().any(|range| range.contains(&(at + 1)))).map(|(_, line)| line).collect();
        let mut rest = old.lines();
        prop_assert!(kept.iter().all(|line| rest.any(|old| old == *line)), "{kept:?}");
    }
}

#[test]
fn truncated_sources_are_read() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["src/shell/strict/scan.rs", "tests/judges/judge.py", "tests/judges/judge.sh", "tests/hosts/world.py"] {
        let source = std::fs::read(root.join(file)).unwrap();
        let source = &source[..source.len().min(6000)];
        for end in (0..source.len()).step_by(size(997, 149)) {
            PATHS.iter().for_each(|path| ask(path, &source[..end]));
        }
    }
}

/// At full size a quadratic reader would need minutes for any of these.
#[test]
fn a_source_of_one_piece_over_and_over_comes_to_an_end() {
    let piece = [
        "(", "{", "[", "\"", "'", "`", "\n", "#", "if ", "while ", "VERSION ", "assert x == ", "a + ", "${", "$(",
        "<<A\n", "\n/", "r#\"", "assert_eq!(", "f(", "expect(", "it(", "#[cfg(test)]mod a{}", "#[", "return ",
        "def a():\n ", "\n#!", "want = 1\n", "for a, b in (", "-1,", "!x ", "class ", "[ a = $b ] && ", "a(){\n",
        "struct{", "@a ", "x.skip(", "{}", "()", "é",
    ];
    for piece in piece {
        let source = piece.repeat(size(2, 12) * 1024 / piece.len());
        for path in ["a.py", "a.rs", "a.js", "a.go", "a.sh", "a.rb", "A.java", "a.cpp"] {
            let start = Instant::now();
            let all = 1..usize::MAX;
            expected_literals(path, source.as_bytes(), 5);
            mutants(path, source.as_bytes(), std::slice::from_ref(&all), 12);
            inline_tests(source.as_bytes());
            let spent = start.elapsed();
            assert!(spent < Duration::from_secs(20), "{path}, {piece:?}: {spent:?}");
        }
    }
}
