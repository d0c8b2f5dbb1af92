//! Finds the assertion in a line that an error passed through, and checks if it is ever reached.

use std::ops::Range;

use super::{ExpectedLiteral, SURE, TABLE, sites};
use crate::mutate::Mutation;
use crate::mutate::language::Language::{C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use crate::mutate::literal::bump;
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;
use crate::mutate::units::Units;

/// Returns the literal of a plain equality in the statement around `line`.
pub(in crate::mutate) fn expected(source: &TokenizedSource<'_>, line: usize) -> Option<Mutation> {
    let is_first = |at: &usize| source.tokens[*at].line == line && source.kind(*at) != TokenKind::Newline;
    let statement = statement(source, (0..source.len()).find(is_first)?);
    let mut sites = sites(source, &Units::of(source)).into_iter().map(|(_, site)| site);
    let is_in = |site: &ExpectedLiteral| site.rank < TABLE && statement.contains(&site.literal);
    let site = sites.find(|site| is_in(site) && is_of_value(source, site))?;
    bump(source, site.literal, site.far)
}

/// See [`crate::mutate::error_behind`].
pub(in crate::mutate) fn error_behind(
    source: &TokenizedSource<'_>,
    place: usize,
    [one, other]: [&str; 2],
) -> Option<Vec<u8>> {
    let error = match source.language {
        Python => format!("; raise RuntimeError(\"{one}\" + \"{other}\")"),
        Ruby => format!("; raise \"{one}\" + \"{other}\""),
        Rust | JavaScript | Go | Shell | Java | C | Cpp | Php => return None,
    };
    let at = source.tokens.partition_point(|token| token.range.end <= place);
    let statement = source.trimmed(statement(source, at));
    // Code in a function may never run.
    let is_whole = !statement.clone().any(|at| source.is(at, "lambda") || source.is(at, "do"));
    let last = statement.end.checked_sub(1).filter(|last| is_whole && !source.is(*last, ":"))?;
    let mut text = source.text.to_owned();
    text.insert_str(source.tokens.get(last)?.range.end, &error);
    Some(text.into_bytes())
}

/// The logical line around a token. It begins before the brackets that are open there.
fn statement(source: &TokenizedSource<'_>, at: usize) -> Range<usize> {
    let is_open = |open: &usize| source.close(*open).is_some_and(|close| close >= at);
    let is_part = |open: &usize| source.language == Python || !source.is(*open, "{");
    let outer = (0..at).rev().filter(is_open).take_while(is_part).last().unwrap_or(at);
    let is_in_line = |here: &usize| source.kind(*here) != TokenKind::Newline && !is_open(here);
    let first = (0..outer).rev().take_while(is_in_line).last().unwrap_or(outer);
    first..source.line_end(first).max(first + 1)
}

/// True if the test checks a value, not how an object compares itself: `Any() == 3`, `find(7) == User("Ada", id=7)`.
fn is_of_value(source: &TokenizedSource<'_>, site: &ExpectedLiteral) -> bool {
    let is_around = |open: &usize| source.close(*open).is_some_and(|close| close > site.literal);
    let maker = (0..site.literal).rev().find(is_around).filter(|open| site.rank > SURE && source.is(*open, "("));
    let is_made = maker.is_some_and(|open| open > 0 && source.word(open - 1).starts_with(char::is_uppercase));
    let is_asked = |at: usize| {
        let name = source.word(at).trim_start_matches('_');
        let is_call = source.is(at + 1, "(") || at > 0 && source.is(at - 1, ".");
        let is_assertion = ["assert", "expect", "must", "should"].iter().any(|word| name.starts_with(word));
        source.is_word(at) && is_call && !is_assertion && name.starts_with(char::is_lowercase)
    };
    !is_made && statement(source, site.literal).any(is_asked)
}

#[cfg(test)]
mod tests {
    use crate::mutate::{error_behind, expected_literal_around};

    // P-5
    #[test]
    fn the_assertion_around_a_line_is_the_only_one() {
        let whole = "def test_a(self):\n    self.assertEqual(f(1), 2)\n    x = f(\n        3)\n    self.assertEqual(\n        f(4),\n        [5],\n    )\n    self.assertEqual(f(6), User('a'))\n    with g(): self.assertEqual(f(7), 8)\n    self.assertEqual(m.ANY, 9)\n    self.assertEqual(Any('x'), 'y')\n";
        let of = |path: &str, source: &str, line: usize| {
            expected_literal_around(path, source.as_bytes(), line).map(|mutation| mutation.what)
        };
        for (line, what) in [(2, "`2` to `3`"), (6, "`5` to `6`"), (8, "`5` to `6`"), (10, "`8` to `9`")] {
            assert_eq!(of("t.py", whole, line).as_deref(), Some(what), "line {line}");
        }
        for line in [1, 3, 4, 9, 11, 12] {
            assert_eq!(of("t.py", whole, line), None, "line {line}");
        }
        let ruby =
            "def test_a\n  refused {\n    assert_equal 1, f(2)\n  }\n  assert_equal(\n    3,\n    f(4)\n  )\nend\n";
        assert_eq!(of("t.rb", ruby, 3).as_deref(), Some("`1` to `2`"));
        assert_eq!(of("t.rb", ruby, 7).as_deref(), Some("`3` to `4`"));
    }

    // P-5
    #[test]
    fn an_error_comes_behind_the_whole_statement() {
        let behind = |path: &str, source: &str, place: &str| {
            let told = error_behind(path, source.as_bytes(), source.find(place).unwrap(), ["a", "b"]);
            told.map(|text| String::from_utf8(text).unwrap())
        };
        let python = "def test_a():\n    assert (\n        f(1)\n        == 2\n    )  # why\n    if f(1) != 3:\n        fail()\n    g(lambda: h(f(1), 4))\n";
        let told = python.replace(")  #", "); raise RuntimeError(\"a\" + \"b\")  #");
        assert_eq!(behind("t.py", python, "2"), Some(told));
        assert_eq!(behind("t.py", python, "3"), None);
        assert_eq!(behind("t.py", python, "4"), None);
        let ruby = "refused { assert_equal 0, f(1) }\n";
        assert_eq!(behind("t.rb", ruby, "0").unwrap(), "refused { assert_equal 0, f(1); raise \"a\" + \"b\" }\n");
        assert_eq!(behind("t.rb", "refused do assert_equal 0, f(1) end\n", "0"), None);
        assert_eq!(behind("t.js", "assert.equal(f(1), 2);\n", "2"), None);
    }
}
