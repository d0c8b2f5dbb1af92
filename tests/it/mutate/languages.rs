//! A small project in each language: if the tests are good, every canary and nearly every mutant is noticed; if they check nothing, none
//! is.

use std::path::Path;
use std::process::{Command, Stdio};

use plan::mutate::{Mutation, break_syntax, expected_literals, mutants};
use tempfile::TempDir;

use crate::support::size;

struct Project<'a> {
    source: (&'a str, &'a str),
    test: (&'a str, &'a str),
    verify: &'a [&'a str],
    /// The command that compiles it without running a test; empty if it is the same as verify.
    build: &'a [&'a str],
}

struct Seen {
    expected_literals: (usize, usize),
    mutants: (usize, usize),
    uncompiled: usize,
}

fn runs(root: &Path, words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(root).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("GOCACHE", root.join(".gocache"))
        .env("GOFLAGS", "-mod=mod")
        .env("GOTOOLCHAIN", "local");
    command.env("HOME", root).status().is_ok_and(|status| status.success())
}

fn has(program: &str, argument: &str) -> bool {
    let found = Command::new(program).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

impl Project<'_> {
    /// Tries each change by itself, and counts those that verify noticed.
    fn noticed(&self, root: &Path, file: (&str, &str), all: &[Mutation], build: bool) -> (usize, usize) {
        let words = if build { self.build } else { self.verify };
        let notices = |mutation: &&Mutation| {
            std::fs::write(root.join(file.0), mutation.apply(file.1.as_bytes())).unwrap();
            let red = !runs(root, words);
            if !red && !build {
                println!("not noticed: {} line {}: {}", file.0, mutation.line, mutation.what);
            }
            red
        };
        let count = all.iter().filter(notices).count();
        std::fs::write(root.join(file.0), file.1).unwrap();
        (count, all.len())
    }

    fn look(&self) -> Seen {
        let folder = TempDir::new().unwrap();
        let root = folder.path();
        for (name, text) in [self.source, self.test, ("go.mod", "module plan\n\ngo 1.19\n")] {
            std::fs::write(root.join(name), text).unwrap();
        }
        assert!(runs(root, self.verify), "{:?} is red as it is", self.verify);
        // Each run costs as much as a verify: beside other work only the first changes are tried.
        for (name, text) in [self.source, self.test] {
            std::fs::write(root.join(name), break_syntax(name, text.as_bytes()).unwrap()).unwrap();
            assert!(!runs(root, self.verify), "{name} does not load, and nothing notices");
            std::fs::write(root.join(name), text).unwrap();
        }
        let found = expected_literals(self.test.0, self.test.1.as_bytes(), 20);
        let all = 1..usize::MAX;
        let mutants = mutants(self.source.0, self.source.1.as_bytes(), std::slice::from_ref(&all), size(4, 8));
        let uncompiled = if self.build.is_empty() { 0 } else { self.noticed(root, self.source, &mutants, true).0 };
        let total = found.len();
        let (tried, count) = self.noticed(root, self.test, &found[..total.min(size(2, 6))], false);
        Seen {
            // The changes that were left out count as noticed only if all that were tried are.
            expected_literals: (if tried == count { total } else { tried }, total),
            mutants: self.noticed(root, self.source, &mutants, false),
            uncompiled,
        }
    }

    /// Asserts that every canary is noticed, every mutant compiles, and nearly every mutant is noticed.
    #[track_caller]
    fn is_honest(&self, count: usize) {
        let seen = self.look();
        assert_eq!(seen.expected_literals, (count, count), "canaries");
        let (noticed, all) = seen.mutants;
        assert!(all >= 4 && noticed * 10 >= all * 8, "{noticed} of {all} mutants");
        assert_eq!(seen.uncompiled, 0, "mutants that do not compile");
    }
}

const PYTHON: &str = "def price(count, member):\n    total = count * 7\n    if count > 10 and member:\n        total = total - 5\n    return total\n\n\ndef names(rows):\n    found = []\n    for row in rows:\n        if row['age'] >= 18 and not row.get('gone'):\n            found.append(row['name'].title())\n    return found\n";

#[test]
fn good_tests_in_python_notice() {
    if !has("python3", "--version") {
        return;
    }
    let test = "import unittest\nfrom shop import names, price\n\n\nclass T(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(price(2, True), 14)\n        self.assertEqual(price(11, True), 72)\n        self.assertEqual(price(11, False), 77)\n        self.assertEqual(price(10, True), 70)\n\n    def test_names(self):\n        rows = [{'name': 'ann', 'age': 18}, {'name': 'bob', 'age': 17}, {'name': 'cy', 'age': 40, 'gone': 1}]\n        self.assertEqual(names(rows), ['Ann'])\n        assert names([]) == [], 'none'\n\n    def test_table(self):\n        for count, want in [(1, 7), (3, 21)]:\n            with self.subTest(count=count):\n                self.assertEqual(price(count, False), want)\n";
    let verify = ["python3", "-m", "unittest", "-q", "test_shop"];
    Project { source: ("shop.py", PYTHON), test: ("test_shop.py", test), verify: &verify, build: &[] }.is_honest(7);
}

// P-5
#[test]
fn tests_that_look_at_nothing_notice_nothing() {
    if !has("python3", "--version") {
        return;
    }
    let verify = ["python3", "-m", "unittest", "-q", "test_shop"];
    let test = "import unittest\nimport shop\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        shop.price(1, True)\n        self.assertTrue(True)\n        self.assertTrue(callable(shop.names))\n";
    let seen =
        Project { source: ("shop.py", PYTHON), test: ("test_shop.py", test), verify: &verify, build: &[] }.look();
    assert_eq!(seen.expected_literals, (0, 0), "nothing to bump");
    assert_eq!(seen.mutants.0, 0, "mutants noticed by an empty test");
    assert!(seen.mutants.1 >= size(4, 5));
    let equal = "class E(int):\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\n    __hash__ = int.__hash__\n\n\ndef add(a, b): return E(0)\n";
    let test = "import unittest\nfrom shop import add\n\n\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(add(2, 3), 5)\n    def test_b(self): self.assertEqual(add(-2, -3), -5)\n";
    let seen = Project { source: ("shop.py", equal), test: ("test_shop.py", test), verify: &verify, build: &[] }.look();
    assert_eq!(seen.expected_literals, (0, 2), "equal to everything");
}

#[test]
fn good_tests_in_a_shell_notice() {
    let source = "n=${1:-}\n[ -n \"$n\" ] || n=nobody\nif [ \"$n\" = quit ]; then\n  exit 3\nfi\necho \"Hello, $n\"\necho \"$((${#n} + 1)) letters\"\n";
    let test = "#!/bin/sh\nset -eu\ncheck() {\n  if [ \"$1\" != \"$2\" ]; then echo \"FAIL $1\"; exit 1; fi\n}\n[ \"$(sh ./greet.sh World | head -1)\" = 'Hello, World' ]\ncheck \"$(sh ./greet.sh '' | head -1)\" 'Hello, nobody'\nsh ./greet.sh quit && exit 1\n[ $? -eq 3 ] || exit 1\nsh ./greet.sh abc | grep -q '4 letters'\necho ok\n";
    let test = test.replace(
        "sh ./greet.sh quit && exit 1\n[ $? -eq 3 ] || exit 1\n",
        "rc=0\nsh ./greet.sh quit || rc=$?\n[ \"$rc\" -eq 3 ] || exit 1\n",
    );
    let verify = ["sh", "./test.sh"];
    Project { source: ("greet.sh", source), test: ("test.sh", &test), verify: &verify, build: &[] }.is_honest(4);
}

#[test]
fn good_tests_in_rust_notice() {
    if !has("rustc", "--version") {
        return;
    }
    let source = "//! Shop.\npub fn price(count: u32, member: bool) -> u32 {\n    let mut total: u32 = count * 7;\n    if count > 10 && member {\n        total -= 5;\n    }\n    total\n}\n\npub fn first<'a>(words: &[&'a str], long: usize) -> Option<&'a str> {\n    for word in words {\n        if word.len() >= long && !word.is_empty() {\n            return Some(word);\n        }\n    }\n    None\n}\n\n#[derive(Debug, PartialEq, Clone, Copy)]\npub enum Kind {\n    Small,\n    Big(u8),\n}\n\npub fn kind(n: u8) -> Kind {\n    match n {\n        0..=9 => Kind::Small,\n        n => Kind::Big(n - 9),\n    }\n}\n";
    let test = "include!(\"lib.rs\");\n\n#[test]\nfn prices() {\n    assert_eq!(price(2, true), 14);\n    assert_eq!(price(11, true), 72, \"less {}\", 5);\n    assert_eq!(price(11, false), 77);\n    assert_eq!(price(10, true), 70);\n}\n\n#[test]\nfn firsts() {\n    assert_eq!(first(&[\"a\", \"bcd\"], 2), Some(\"bcd\"));\n    assert!(first(&[\"a\", \"bc\"], 2) == Some(\"bc\"));\n    assert_eq!(first(&[\"\"], 0), None);\n}\n\n#[test]\nfn kinds() {\n    assert_eq!(kind(9), Kind::Small);\n    assert_eq!(kind(10), Kind::Big(1));\n}\n";
    let source = source.replace("//! Shop.\n", "");
    let verify = ["sh", "-c", "rustc --edition 2021 --test tests.rs -o t.bin -A warnings && ./t.bin"];
    let build =
        ["rustc", "--edition", "2021", "--test", "tests.rs", "-o", "t.bin", "-A", "warnings", "--emit=metadata"];
    Project { source: ("lib.rs", &source), test: ("tests.rs", test), verify: &verify, build: &build }.is_honest(7);
}

#[test]
fn good_tests_in_javascript_notice() {
    if !has("node", "--version") {
        return;
    }
    let source = "'use strict';\nfunction price(count, member = false) {\n  let total = count * 7;\n  if (count > 10 && member) {\n    total -= 5;\n  }\n  return total;\n}\nconst names = (rows) => rows.filter((row) => row.age >= 18 && !row.gone).map((row) => `${row.name}!`);\nmodule.exports = { price, names };\n";
    let test = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { price, names } = require('./shop.js');\n\ntest('price', () => {\n  assert.strictEqual(price(2, true), 14);\n  assert.strictEqual(price(11, true), 72);\n  assert.equal(price(11), 77, 'all of it');\n  assert.ok(price(10, true) === 70);\n});\n\ntest('names', async (t) => {\n  const rows = [{ name: 'ann', age: 18 }, { name: 'bob', age: 17 }, { name: 'cy', age: 40, gone: true }];\n  assert.deepStrictEqual(names(rows), ['ann!']);\n});\n";
    let verify = ["node", "--test", "shop.test.js"];
    let build = ["node", "--check", "shop.js"];
    Project { source: ("shop.js", source), test: ("shop.test.js", test), verify: &verify, build: &build }.is_honest(5);
}

#[test]
fn good_tests_in_go_notice() {
    if !has("go", "version") {
        return;
    }
    let source = "package plan\n\nimport \"strings\"\n\n// Price in cents.\nfunc Price(count int, member bool) int {\n\ttotal := count * 7\n\tif count > 10 && member {\n\t\ttotal -= 5\n\t}\n\treturn total\n}\n\ntype Row struct {\n\tName string\n\tAge  int\n}\n\nfunc Names(rows []Row) []string {\n\tvar out []string\n\tfor _, row := range rows {\n\t\tif row.Age >= 18 && !strings.HasPrefix(row.Name, \"_\") {\n\t\t\tout = append(out, row.Name+\"!\")\n\t\t}\n\t}\n\treturn out\n}\n";
    let test = "package plan\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestPrice(t *testing.T) {\n\ttests := []struct {\n\t\tname   string\n\t\tcount  int\n\t\tmember bool\n\t\twant   int\n\t}{\n\t\t{\"few\", 2, true, 14},\n\t\t{\"many\", 11, true, 72},\n\t\t{\"guest\", 11, false, 77},\n\t\t{\"ten\", 10, true, 70},\n\t}\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif got := Price(tt.count, tt.member); got != tt.want {\n\t\t\t\tt.Errorf(\"got %d, want %d\", got, tt.want)\n\t\t\t}\n\t\t})\n\t}\n}\n\nfunc TestNames(t *testing.T) {\n\trows := []Row{{\"ann\", 18}, {\"bob\", 17}, {\"_cy\", 40}}\n\tgot := strings.Join(Names(rows), \",\")\n\tif got != \"ann!\" {\n\t\tt.Fatalf(\"got %q\", got)\n\t}\n}\n";
    let verify = ["go", "test", "./..."];
    let build = ["go", "build", "./..."];
    Project { source: ("shop.go", source), test: ("shop_test.go", test), verify: &verify, build: &build }.is_honest(4);
}
