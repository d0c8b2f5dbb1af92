//! Languages with braces: functions, methods, and tests that are calls (`it("…", () => { … })`).

use super::{Skip, Unit};
use crate::mutate::language::Language::{C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

pub(super) fn find(source: &TokenizedSource<'_>) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut marks = Marks::default();
    let mut at = 0;
    while at < source.len() {
        if let Some(end) = marks.read(source, at) {
            at = end + 1;
            continue;
        }
        if let Some(unit) = unit(source, at, &marks) {
            marks = Marks::default();
            // A unit inside the head is ignored.
            if unit.open > at && source.is(unit.open, "{") && source.language != JavaScript {
                at = unit.open;
            }
            units.push(unit);
        } else if matches!(source.word(at), ";" | "}" | "{") {
            marks = Marks::default();
        }
        at += 1;
    }
    inner_skips(source, &mut units);
    units
}

/// The properties that a function has from its attributes or annotations.
#[derive(Clone, Copy, Default)]
struct Marks {
    skip: Skip,
    is_test: bool,
}

impl Marks {
    /// Reads the attribute that begins at `at` and returns its end.
    fn read(&mut self, source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
        let end = match source.language {
            Rust | Php if source.is(at, "#") && source.is(at + 1, "[") => source.close(at + 1)?,
            Java if source.is(at, "@") && source.is_word(at + 1) => {
                let mut last = at + 1;
                while source.is(last + 1, ".") && source.is_word(last + 2) {
                    last += 2;
                }
                if source.is(last + 1, "(") { source.close(last + 1)? } else { last }
            }
            Rust | Php | Java | JavaScript | Go | C | Cpp | Python | Ruby | Shell => return None,
        };
        let words: Vec<&str> = (at..=end).filter(|at| source.is_word(*at)).map(|at| source.word(at)).collect();
        let has = |names: &[&str]| words.iter().any(|word| names.contains(word));
        self.is_test |= has(&["test", "Test", "rstest", "test_case"])
            || has(&["ParameterizedTest", "quickcheck", "wasm_bindgen_test"]);
        let left_out = ["ignore", "should_panic", "Ignore", "Disabled", "Skip", "Ignored"];
        let condition = source.language == Rust && has(&["cfg", "cfg_attr"]) && words.len() > 2
            || has(&["expected", "EnabledIf", "DisabledIf", "EnabledOnOs", "DisabledOnOs"]);
        self.skip = self.skip.max(match () {
            () if has(&left_out) && !has(&["cfg_attr"]) => Skip::Skipped,
            () if condition => Skip::Perhaps,
            () => Skip::Runs,
        });
        Some(end)
    }
}

/// The prefixes of test names in Go.
const GO_TESTS: [&str; 3] = ["Test", "Fuzz", "Example"];

fn unit(source: &TokenizedSource<'_>, at: usize, marks: &Marks) -> Option<Unit> {
    if !source.is_word(at) {
        return None;
    }
    let word = source.word(at);
    match (source.language, word) {
        (Rust, _) if !source.is_word(at + 1) => None,
        (Rust, "fn" | "mod") | (Go, "func") | (JavaScript, "function") => {
            let name = source.word(at + 1);
            let open = body(source, at + 1)?;
            let end = source.close(open)? + 1;
            let is_test = marks.is_test && word == "fn"
                || source.language == Go && GO_TESTS.iter().any(|start| name.starts_with(start));
            Some(Unit { start: at, end, open, skip: marks.skip, is_test, only: false })
        }
        (JavaScript, _) => call(source, at),
        (Rust | Go, _) => None,
        (Java | C | Cpp | Php, _) => method(source, at, marks),
        // These have readers of their own.
        (Python | Ruby | Shell, _) => None,
    }
}

/// The `{` of the body after a head that begins at `at`; `None` if a `;` or the end of the block comes first.
fn body(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    let mut here = at;
    for _ in 0..HEAD {
        if matches!(source.word(here), ";" | "}" | "=") && source.kind(here) == TokenKind::Op {
            return None;
        }
        if source.is(here, "{") && !matches!(source.word(here.checked_sub(1)?), "interface" | "struct") {
            return Some(here);
        }
        here = source.close(here).unwrap_or(here) + 1;
        if here >= source.len() {
            return None;
        }
    }
    None
}

/// The most tokens of a head that are read at its own level.
const HEAD: usize = 200;

/// Reads `it("…", …)`, `describe.skip(…)`, `test.each([…])("…", …)`.
fn call(source: &TokenizedSource<'_>, at: usize) -> Option<Unit> {
    let word = source.word(at);
    let group = matches!(word, "describe" | "context" | "suite" | "xdescribe" | "fdescribe");
    let test = matches!(word, "it" | "test" | "specify" | "xit" | "xtest" | "fit" | "ftest");
    if !group && !test || at > 0 && source.is(at - 1, ".") && !matches!(source.word(at.checked_sub(2)?), "Deno" | "t") {
        return None;
    }
    let mut open = at + 1;
    let mut skip = if word.starts_with('x') { Skip::Skipped } else { Skip::Runs };
    let mut only = word.starts_with('f');
    while source.is(open, ".") {
        match source.word(open + 1) {
            "skip" | "todo" | "fails" | "failing" | "skipIf" | "runIf" => skip = Skip::Skipped,
            "only" => only = true,
            _ => {}
        }
        open += 2;
        // The table of `each`.
        if source.is(open, "(") && source.close(open).is_some_and(|close| source.is(close + 1, "(")) {
            open = source.close(open)? + 1;
        } else if source.kind(open) == TokenKind::Text && source.is(open + 1, "(") {
            open += 1;
        }
    }
    let end = source.close(open).filter(|_| source.is(open, "("))?;
    let pieces: Vec<usize> = source.top(open + 1..end).collect();
    let starts = |piece: &usize| {
        source.is(*piece, "{") && piece.checked_sub(1).is_some_and(|b| matches!(source.word(b), "=>" | ")"))
    };
    let body = pieces.iter().copied().find(starts);
    let options = pieces.iter().copied().find(|piece| source.is(*piece, "{") && Some(*piece) != body);
    let told = options.and_then(|open| source.close(open).map(|close| open..close));
    if told.is_some_and(|mut told| told.any(|at| matches!(source.word(at), "skip" | "todo"))) {
        skip = skip.max(Skip::Perhaps);
    }
    Some(Unit { start: at, end: end + 1, open: body.unwrap_or(open), skip, is_test: test, only })
}

/// Reads `void name(…) throws X {`, `TEST(Suite, Name) {`, `fun name() {`, `public function testX(): void {`.
fn method(source: &TokenizedSource<'_>, at: usize, marks: &Marks) -> Option<Unit> {
    let word = source.word(at);
    let control = ["if", "for", "while", "switch", "catch", "foreach", "elseif", "match", "synchronized"];
    if !source.is(at + 1, "(") || control.contains(&word) {
        return None;
    }
    let before = source.before(at).map_or("", |before| source.word(before));
    if matches!(before, "." | "->" | "=" | "(" | "," | "return" | "new" | "::" | "&&" | "||" | "!")
        && source.language != Cpp
    {
        return None;
    }
    let close = source.close(at + 1)?;
    let open = body(source, close + 1)?;
    // Only `throws`, a type or `const` may be between head and body, never another call or an operator.
    let odd = |at: usize| {
        source.kind(at) == TokenKind::Op
            && !matches!(
                source.word(at),
                "," | "." | ":" | "->" | "<" | ">" | "?" | "::" | "&" | "*" | "[" | "]" | "\\"
            )
    };
    if (close + 1..open).any(odd) {
        return None;
    }
    let macros = matches!(word, "TEST" | "TEST_F" | "TEST_P" | "TEST_CASE" | "SCENARIO" | "BOOST_AUTO_TEST_CASE");
    let disabled = macros && (at..close).any(|at| source.word(at).starts_with("DISABLED_"));
    let skip = if disabled { Skip::Skipped } else { marks.skip };
    let named = word.to_lowercase().starts_with("test") && !matches!(source.language, C | Cpp);
    let is_test = macros || marks.is_test || named || source.language == C && word.starts_with("test");
    Some(Unit { start: at, end: source.close(open)? + 1, open, skip, is_test, only: false })
}

/// Marks tests that may skip themselves: `t.Skip()`, `this.skip()`, `markTestSkipped()`, `assumeTrue(…)`, `GTEST_SKIP()`.
fn inner_skips(source: &TokenizedSource<'_>, units: &mut [Unit]) {
    let skips = |at: usize| {
        let word = source.word(at);
        let method = matches!(word, "Skip" | "Skipf" | "SkipNow" | "skip")
            && at > 0
            && matches!(source.word(at - 1), "." | "->");
        let known = matches!(word, "markTestSkipped" | "GTEST_SKIP" | "SKIP");
        (method || known || word.starts_with("assume")) && source.is(at + 1, "(")
    };
    let places: Vec<usize> = (0..source.len()).filter(|at| source.is_word(*at) && skips(*at)).collect();
    for unit in units.iter_mut().filter(|unit| unit.is_test) {
        let from = places.partition_point(|at| *at < unit.start);
        if places.get(from).is_some_and(|at| *at < unit.end) {
            unit.skip = unit.skip.max(Skip::Perhaps);
        }
    }
}
