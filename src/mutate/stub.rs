//! A stub: a function that ends with its first statement. A test that asserts anything about the function notices one of its stubs.

mod result;
mod script;

use std::collections::HashMap;
use std::ops::Range;

use super::hollow::first_statement;
use super::language::Language::{C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use super::source::TokenizedSource;
use super::token::TokenKind;
use super::units::Units;
use super::{Mutation, inline, tokenized};

/// The act of a stub in place of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stub {
    /// It raises an error.
    Fails,
    /// It ends the program: no test can catch that. Only for languages in which that needs no import.
    Exits,
    /// It returns no value, or the default of its type.
    ReturnsNothing,
    /// It returns a value that no test expects. A function without a result returns.
    ReturnsOther,
}

/// A function or method of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionName {
    /// Its name.
    pub name: String,
    /// Its place among the functions with this name, in the order of the source.
    pub number: usize,
}

/// Returns the functions and methods of a source, except tests. Of a Rust source, the rest of a test module is left out too. Empty for a
/// language that has no stubs.
pub fn function_names(path: &str, source: &[u8]) -> Vec<FunctionName> {
    let Some(source) = tokenized(path, source) else { return Vec::new() };
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut name = |function: Function| {
        let number = numbers.entry(source.word(function.name)).or_default();
        *number += 1;
        FunctionName { name: source.word(function.name).to_owned(), number: *number - 1 }
    };
    functions(&source).into_iter().map(&mut name).collect()
}

/// Returns the change that makes a stub of a function. `None` if there is none: then nothing is known about its tests.
pub fn stub(path: &str, source: &[u8], function: &FunctionName, stub: Stub) -> Option<Mutation> {
    let source = tokenized(path, source)?;
    let mut named = functions(&source).into_iter().filter(|found| source.word(found.name) == function.name);
    let found = named.nth(function.number)?;
    let (range, replacement) = change(&source, &found, stub)?;
    let what = match stub {
        Stub::Fails => format!("a `{}` that fails", function.name),
        Stub::Exits => format!("a `{}` that ends the program", function.name),
        Stub::ReturnsNothing => format!("a `{}` that does nothing", function.name),
        Stub::ReturnsOther => format!("a `{}` that returns something else", function.name),
    };
    Some(Mutation { range, replacement, line: source.tokens.get(found.name)?.line, what })
}

/// The tokens of a function: its name, the one before its body, and the one after its end.
struct Function {
    name: usize,
    open: usize,
    end: usize,
}

fn functions(source: &TokenizedSource<'_>) -> Vec<Function> {
    if source.language == JavaScript {
        return (0..source.len()).filter_map(|at| script::function(source, at)).collect();
    }
    let tests = inline::pieces_of_tests(source).unwrap_or_default();
    let is_beside_tests = |at: usize| tests.iter().any(|test| test.contains(&at));
    let units = Units::of(source).all.into_iter().filter(|unit| !unit.is_test && !is_beside_tests(unit.start));
    units
        .filter_map(|unit| Some(Function { name: name_of(source, unit.start)?, open: unit.open, end: unit.end }))
        .collect()
}

fn name_of(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    let word = |word: &str| source.is(at, word);
    match source.language {
        Python if word("async") => Some(at + 2),
        Python => word("def").then_some(at + 1),
        Rust => word("fn").then_some(at + 1),
        Go => {
            let name = if source.is(at + 1, "(") { source.close(at + 1)? + 1 } else { at + 1 };
            // A function without a name has its result there: `func(a int) bool {`.
            let is_name = source.is_word(name) && !source.is(name, "func");
            (word("func") && is_name && matches!(source.word(name + 1), "(" | "[")).then_some(name)
        }
        Ruby if word("def") && source.is(at + 1, "self") => Some(at + 3),
        Ruby => word("def").then_some(at + 1),
        Php => source.before(at).is_some_and(|before| source.is(before, "function")).then_some(at),
        JavaScript | Shell | Java | C | Cpp => None,
    }
}

/// Returns the range to replace, and the text that makes a stub of a function.
fn change(source: &TokenizedSource<'_>, function: &Function, stub: Stub) -> Option<(Range<usize>, String)> {
    // A generator has no other value: it ends at once, whatever it returns.
    let is_generator = || (function.open..function.end).any(|at| source.is(at, "yield"));
    if stub == Stub::ReturnsOther && matches!(source.language, Python | JavaScript | Php) && is_generator() {
        return None;
    }
    let returned;
    let statement = match (source.language, stub) {
        (Python, Stub::Exits) => "__import__(\"os\")._exit(86)",
        (Python, Stub::Fails) => "raise RuntimeError(\"stub\")",
        (Python, Stub::ReturnsNothing) => "return None",
        (Python, Stub::ReturnsOther) => "return object()",
        (JavaScript, Stub::Exits) => "process.exit(86)",
        (JavaScript, Stub::Fails) => "throw new Error('stub')",
        (JavaScript, Stub::ReturnsNothing) => "return undefined",
        (JavaScript, Stub::ReturnsOther) => "return { stub: 1 }",
        (Php, Stub::Exits) => "exit(86)",
        (Php, Stub::Fails) => "throw new \\RuntimeException('stub')",
        (Ruby, Stub::Exits) => "exit!(86)",
        (Ruby, Stub::Fails) => "raise 'stub'",
        (Ruby, Stub::ReturnsNothing) => "return nil",
        (Ruby, Stub::ReturnsOther) => "return Object.new",
        (Rust, Stub::Fails) => "panic!(\"stub\")",
        (Go, Stub::Fails) => "panic(\"stub\")",
        (Rust | Go | Php, Stub::ReturnsNothing | Stub::ReturnsOther) => {
            returned = result::returned(source, function, stub == Stub::ReturnsOther)?;
            &returned
        }
        (Rust | Go, Stub::Exits) | (Shell | Java | C | Cpp, _) => return None,
    };
    if source.is(function.open, "=>") {
        return Some((source.bytes(function.open + 1..function.end)?, format!("{{ {statement}; }}")));
    }
    let (place, text) = match source.language {
        Ruby => below(source, function, statement),
        _ => first_statement(source, function.open, statement),
    }?;
    Some((place..place, text))
}

/// Puts a statement on a line of its own below the head of a Ruby method. `None` for a method in one line.
fn below(source: &TokenizedSource<'_>, function: &Function, statement: &str) -> Option<(usize, String)> {
    let is_whole = source.top(function.name..function.open).any(|at| source.is(at, "=") || source.is(at, "end"));
    let place = source.tokens.get(function.open)?.range.end;
    let is_line = source.kind(function.open) == TokenKind::Newline && source.text[..place].ends_with('\n');
    (is_line && !is_whole).then(|| (place, format!("{statement}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The source with each stub of `total`.
    fn stubbed(path: &str, source: &str, act: Stub) -> Vec<String> {
        let found = function_names(path, source.as_bytes());
        assert!(found.iter().all(|found| found.name == "total"), "{found:?}");
        let change = |function: &FunctionName| stub(path, source.as_bytes(), function, act);
        let apply = |change: Mutation| String::from_utf8(change.apply(source.as_bytes())).unwrap();
        found.iter().filter_map(change).map(apply).collect()
    }

    // P-5
    #[test]
    fn a_stub_ends_with_its_first_statement() {
        for (path, source, fails, nothing) in [
            (
                "a.py",
                "async def total(a):\n    \"\"\"Sum.\"\"\"\n    return a\n",
                "async def total(a):\n    raise RuntimeError(\"stub\")\n    \"\"\"Sum.\"\"\"\n    return a\n",
                "async def total(a):\n    return None\n    \"\"\"Sum.\"\"\"\n    return a\n",
            ),
            (
                "a.js",
                "export function total(a) { return a; }\n",
                "export function total(a) { throw new Error('stub'); return a; }\n",
                "export function total(a) { return undefined; return a; }\n",
            ),
            (
                "a.rs",
                "pub fn total(a: u8) -> u8 { a }\n",
                "pub fn total(a: u8) -> u8 { panic!(\"stub\"); a }\n",
                "pub fn total(a: u8) -> u8 { return Default::default(); a }\n",
            ),
            (
                "a.rb", "def self.total(a)\n  a\nend\n", "def self.total(a)\nraise 'stub'\n  a\nend\n",
                "def self.total(a)\nreturn nil\n  a\nend\n",
            ),
            (
                "a.php",
                "<?php\nfunction total(array $a): int {\n    return 1;\n}\n",
                "<?php\nfunction total(array $a): int { throw new \\RuntimeException('stub');\n    return 1;\n}\n",
                "<?php\nfunction total(array $a): int { return 0;\n    return 1;\n}\n",
            ),
        ] {
            assert_eq!(stubbed(path, source, Stub::Fails), [fails]);
            assert_eq!(stubbed(path, source, Stub::ReturnsNothing), [nothing]);
        }
        assert_eq!(
            stubbed("a.py", "def total(a): return a\n", Stub::ReturnsOther),
            ["def total(a): return object(); return a\n"]
        );
    }

    // P-5
    #[test]
    fn a_stub_returns_what_its_type_allows() {
        for (path, head, nothing, other) in [
            ("a.go", "func total()", "return", "return"),
            ("a.go", "func total(a []int) int", "return *new(int)", "return 77"),
            (
                "a.go",
                "func (c *Cart) total(a map[string]int) (int, bool)",
                "return *new(int), *new(bool)",
                "return 77, true",
            ),
            ("a.go", "func total() (a int, b string)", "return", "return 77, \"stub\""),
            ("a.go", "func total() (a, b int)", "return", "return 77, 77"),
            (
                "a.go",
                "func total() ([]byte, map[string]int)",
                "return *new([]byte), *new(map[string]int)",
                "return []byte{*new(byte)}, map[string]int{*new(string): *new(int)}",
            ),
            ("a.go", "func total() *Sum", "return *new(*Sum)", "return new(Sum)"),
            ("a.go", "func total() Sum", "return *new(Sum)", ""),
            ("a.php", "<?php function total()", "return null", "return new \\stdClass"),
            ("a.php", "<?php function total($a): void", "return", "return"),
            ("a.php", "<?php function total(int $a): ?array", "return null", "return ['stub']"),
            ("a.php", "<?php function total(int $a): Sum", "", ""),
            ("a.rs", "fn total()", "return", "return"),
            ("a.rs", "fn total(a: u8) -> u8", "return Default::default()", "return 77 as u8"),
            ("a.rs", "fn total() -> Option<Vec<u8>>", "return Default::default()", "return Some(Default::default())"),
            (
                "a.rs", "fn total<T>() -> Vec<T> where T: Default", "return Default::default()",
                "return vec![Default::default()]",
            ),
            ("a.rs", "fn total() -> &'static str", "return Default::default()", "return \"stub\""),
            ("a.rs", "fn total() -> String", "return Default::default()", "return \"stub\".into()"),
            ("a.rs", "fn total() -> Result<u8, Error>", "return Default::default()", ""),
        ] {
            let source = format!("{head} {{\n\tf()\n}}\n");
            let expected = |statement: &str| match statement {
                "" => Vec::new(),
                statement => vec![source.replace(" {\n", &format!(" {{ {statement};\n"))],
            };
            assert_eq!(stubbed(path, &source, Stub::ReturnsNothing), expected(nothing));
            assert_eq!(stubbed(path, &source, Stub::ReturnsOther), expected(other));
        }
    }

    #[test]
    fn each_definition_in_a_script_has_a_stub() {
        let script = "const total = async (a) => {\n};\nclass A {\n  static total(a) {\n  }\n}\nexports.total = function (a) {\n};\n";
        assert_eq!(stubbed("a.js", script, Stub::Fails).len(), 3);
        for (source, stub) in [
            ("const total = (a) => a + 1;\nf();\n", "const total = (a) => { return undefined; };\nf();\n"),
            ("const total = a => ({\n  a,\n})\nf()\n", "const total = a => { return undefined; }\nf()\n"),
            ("const total = async (a) => a\n  .map(f)\n", "const total = async (a) => { return undefined; }\n"),
            ("const total = (a) =>\n  `${a}\n`;\n", "const total = (a) =>\n  { return undefined; };\n"),
            ("const total = (a) => a +\n\n  1\n\nf()\n", "const total = (a) => { return undefined; }\n\nf()\n"),
            (
                "const total = (a: A[]): Map<A, B<C>> => a;\n",
                "const total = (a: A[]): Map<A, B<C>> => { return undefined; };\n",
            ),
        ] {
            assert_eq!(stubbed("a.ts", source, Stub::ReturnsNothing), [stub]);
        }
        for head in [
            "function total(a: string): number",
            "function total<T extends A>(a: T): { a: T } | null",
            "class A { static async total(): Promise<Map<A, B>>",
            "const total = (a?: A): A =>",
        ] {
            let stub = format!("{head} {{ return undefined;\n");
            assert_eq!(stubbed("a.ts", &format!("{head} {{\n}}\n"), Stub::ReturnsNothing), [stub + "}\n"], "{head}");
        }
        let generator = "def total(a):\n    yield a\n";
        assert_eq!(stubbed("a.py", generator, Stub::ReturnsOther), [""; 0]);
        for other in [
            "total(a);\n", "if (total(a)) {\n}\n", "const total = a;\n", "a ? total(b) : c;\n",
            "const d = a ? total(b) : c\nif (d) {\n}\n",
        ] {
            assert_eq!(stubbed("a.js", other, Stub::Fails), [""; 0], "{other}");
        }
        let nameless =
            "var a = func(b int) bool {\n\treturn true\n}\nvar c = func(b int) func(int) bool {\n\treturn d\n}\n";
        assert_eq!(stubbed("a.go", nameless, Stub::Fails), [""; 0]);
        assert_eq!(stubbed("a.rb", "def total = 1\n", Stub::Fails), [""; 0]);
        assert_eq!(stubbed("a.rb", "def total; 1; end\n", Stub::Fails), [""; 0]);
    }
}
