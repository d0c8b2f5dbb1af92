//! Finds the literals that a test expects by the form of its assertions, and picks some of them from all over the tests.

mod call;
mod compare;
mod names;
pub(super) mod passed_through;
mod pure;
mod table;

use std::ops::Range;

use super::language::Language;
use super::lines::within;
use super::literal::{Distance, bump};
use super::source::TokenizedSource;
use super::spread::in_turns;
use super::token::TokenKind;
use super::units::{Skip, Units};
use super::{Mutation, inline};

/// A literal on the expected side of an assertion.
#[derive(Clone, Copy, Debug)]
struct ExpectedLiteral {
    /// The index of its token.
    literal: usize,
    far: Distance,
    /// How certain the literal is: 0 for an assertion of equality with this literal, more for less certain ones.
    rank: u32,
}

/// Equality with this literal.
const SURE: u32 = 0;
/// The literal is in a table, or behind a name that only an assertion uses.
const TABLE: u32 = 2;
/// A text that must be contained in another one, or a name that sounds like an expectation.
const LIKELY: u32 = 4;
/// In a helper, not in a test.
const HELPER: u32 = 3;
/// In a test that may skip itself.
const PERHAPS: u32 = 8;

/// The number of table rows to try: if any row will do, and if a certain row is searched for.
const SAMPLE: usize = 3;
const ROWS: usize = 400;

/// The number of lines above a reported failure that may hold its expectation.
const ABOVE: usize = 3;

/// Returns at most `most` literals, the best of each test first.
pub(super) fn find(source: &TokenizedSource<'_>, most: usize) -> Vec<Mutation> {
    choose(source, sites(source, &Units::of(source)), most)
}

/// Returns the literal of a plain equality in the statement that begins in `line`. Otherwise the one in the nearest lines above within the
/// same test, because some failures are reported by a line of their own.
pub(super) fn at_line(source: &TokenizedSource<'_>, line: usize) -> Option<Mutation> {
    let units = Units::of(source);
    let begin =
        (0..source.len()).find(|at| source.tokens[*at].line == line && source.kind(*at) != TokenKind::Newline)?;
    let statement = begin..source.line_end(begin).max(begin + 1);
    let unit = units.test_around(begin);
    let mut sure: Vec<ExpectedLiteral> = sites(source, &units).into_iter().map(|(_, site)| site).collect();
    sure.retain(|site| site.rank < TABLE && units.test_around(site.literal) == unit);
    let is_above = |site: &&ExpectedLiteral| {
        let its = source.tokens[site.literal].line;
        its < line && its + ABOVE >= line
    };
    // A statement that must raise an error may never reach an assertion inside it.
    let has_refusal = statement.clone().any(|at| source.is_word(at) && is_refusal(source.word(at)));
    let within = sure.iter().find(|site| !has_refusal && statement.contains(&site.literal));
    let site = within.or_else(|| sure.iter().filter(is_above).max_by_key(|site| site.literal))?;
    bump(source, site.literal, site.far)
}

/// Returns the expected literal of the table row that failed in `line`, by the values that were printed. It must be the only such literal,
/// at least in the same test.
pub(super) fn in_table(source: &TokenizedSource<'_>, line: usize, printed: &[String]) -> Option<Mutation> {
    let units = Units::of(source);
    let begin = (0..source.len()).find(|at| source.tokens[*at].line >= line)?;
    let is_printed = |site: &ExpectedLiteral| printed.iter().any(|value| table::is_value(source, site.literal, value));
    let mut all: Vec<ExpectedLiteral> = table::sites(source, &units, ROWS);
    all.retain(is_printed);
    all.sort_by_key(|site| site.literal);
    all.dedup_by_key(|site| site.literal);
    let unit = units.test_around(begin);
    let own: Vec<ExpectedLiteral> =
        all.iter().filter(|site| units.test_around(site.literal) == unit).copied().collect();
    let site = match (&own[..], &all[..]) {
        ([one], _) | ([], [one]) => one,
        _ => return None,
    };
    bump(source, site.literal, site.far)
}

fn sites(source: &TokenizedSource<'_>, units: &Units) -> Vec<(Option<usize>, ExpectedLiteral)> {
    let is_inside = inline::pieces_of_tests(source).map(|tests| within(&tests));
    let refusals = refusals(source);
    let mut found: Vec<(Option<usize>, ExpectedLiteral)> = Vec::new();
    let sites = (0..source.len()).filter(|at| source.is_word(*at)).filter_map(|at| site(source, at));
    for mut site in sites.chain(table::sites(source, units, SAMPLE)) {
        let unit = units.test_around(site.literal);
        if let Some(unit) = unit.map(|unit| &units.all[unit]) {
            match unit.skip {
                Skip::Runs => {}
                Skip::Perhaps => site.rank += PERHAPS,
                Skip::Skipped => continue,
            }
            if !unit.is_test && units.all.iter().any(|unit| unit.is_test) {
                site.rank += HELPER;
            }
        }
        // Assertions in source code are not expectations of its tests.
        let is_outside = is_inside.as_ref().is_some_and(|is_inside| !is_inside(site.literal));
        if is_outside || refusals.iter().any(|refusal| refusal.contains(&site.literal)) {
            continue;
        }
        found.push((unit, site));
    }
    found
}

fn site(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    compare::statement(source, at).or_else(|| call::expected(source, at))
}

/// Takes one literal per test in turn, better ones first. Of too many tests, it takes some from all over the file.
fn choose(source: &TokenizedSource<'_>, mut all: Vec<(Option<usize>, ExpectedLiteral)>, most: usize) -> Vec<Mutation> {
    all.sort_by_key(|(unit, site)| (*unit, site.rank, site.literal));
    all.dedup_by_key(|(unit, site)| (*unit, site.literal));
    // A second literal of the same test comes before a less certain one.
    let found = all.into_iter().map(|(unit, site)| (unit, site.rank / TABLE, site.literal, site)).collect();
    in_turns(found, most, |site, taken| {
        let mutation = bump(source, site.literal, site.far)?;
        (!taken.iter().any(|other| other.range == mutation.range)).then_some(mutation)
    })
}

fn sounds_expected(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let part = |part: &str| matches!(part, "want" | "wants" | "wanted" | "expected" | "expect" | "exp" | "expectation");
    part(&lower)
        || lower.split('_').any(part)
        || name.ends_with("Expected")
        || name.starts_with("expected")
        || name.starts_with("want") && name[4..].starts_with(|c: char| c.is_ascii_uppercase())
}

fn is_python(source: &TokenizedSource<'_>) -> bool {
    source.language == Language::Python
}

/// Returns the code that must raise an error, so that no test expects a literal behind it: the tokens in the brackets of `assert.throws(…)`
/// and `expect(…).to.throw()`, and below `with self.assertRaises(…):`.
fn refusals(source: &TokenizedSource<'_>) -> Vec<Range<usize>> {
    let bracketed = (1..source.len()).filter(|at| source.is(*at, "(")).filter_map(|open| {
        let close = source.close(open)?;
        // `if (got !== 3) throw …` is no chain.
        let is_chain = |at: &usize| source.is(close + 1, ".") && (source.is_word(*at) || source.is(*at, "."));
        let mut names = (close + 1..source.len()).take_while(is_chain).chain([open - 1]);
        names.any(|at| is_refusal(source.word(at))).then_some(open..close)
    });
    let blocks = (0..source.len()).filter(|at| source.language == Language::Python && source.is(*at, "with"));
    let blocks = blocks.filter_map(|with| {
        let head = with..source.line_end(with);
        let own = column(source, with).or_else(|| column(source, with.checked_sub(1)?))?;
        let end = (head.end..source.len()).find(|at| column(source, *at).is_some_and(|column| column <= own));
        head.clone().any(|at| is_refusal(source.word(at))).then(|| head.end..end.unwrap_or(source.len()))
    });
    bracketed.chain(blocks).collect()
}

fn is_refusal(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["raise", "throw", "reject"].iter().any(|part| name.contains(part))
}

/// The indent of a token that begins a line, in bytes; `None` for any other token. `async with` begins with `async`.
fn column(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    if source.kind(at) == TokenKind::Newline {
        return None;
    }
    let before = &source.text[..source.tokens.get(at)?.range.start];
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    line.trim().is_empty().then_some(line.len())
}
