//! Tests of the literals and mutants in sources of each language.

use super::*;

mod forms;

/// Returns the changes of the expected literals, best first.
fn bumped(path: &str, source: &str) -> Vec<String> {
    expected_literals(path, source.as_bytes(), 20).into_iter().map(|literal| literal.what).collect()
}

fn mutated(path: &str, source: &str) -> Vec<String> {
    let all = 1..source.lines().count() + 1;
    mutants(path, source.as_bytes(), std::slice::from_ref(&all), 50).into_iter().map(|m| m.what).collect()
}

/// Sources with one assertion and one expected literal.
#[track_caller]
fn one(path: &str, source: &str, what: &str) {
    assert_eq!(bumped(path, source), [what], "{source}");
}

#[track_caller]
fn none(path: &str, source: &str) {
    assert_eq!(bumped(path, source), [""; 0], "{source}");
}

// P-5
#[test]
fn the_expected_side_of_an_assertion_is_bumped() {
    let t = "t.py";
    one(t, "def test_a():\n    assert add(2, 3) == 5\n", "`5` to `6`");
    one(t, "def test_a():\n    assert 5 == add(2, 3), 'no 7'\n", "`5` to `6`");
    one(t, "def test_a(self): self.assertEqual(add(-2,-3),-5)\n", "`5` to `6`");
    one(t, "def test_a(self):\n    self.assertEqual('a b', f('x'))\n", "`'a b'` to `'z b'`");
    one(t, "def test_a(self):\n    self.assertEqual(f(),\n        {'n': [1, 2]}, 'why')\n", "`'n'` to `'z'`");
    one(t, "def test_a():\n    assert f() is True and g()\n", "`True` to `False`");
    one(t, "def test_a():\n    assert f() == pytest.approx(0.5)\n", "`0.5` to `90.5`");
    one(t, "def test_a():\n    assert \"found it\" in out()\n", "`\"found it\"` to `\"zq7found it\"`");
    one(t, "import json;assert json.load(open('c.json'))['port']==8080\n", "`8080` to `8081`");
    let r = "tests/t.rs";
    one(r, "#[test] fn small(){ assert_eq!(fib(10),55) }", "`55` to `56`");
    one(r, "#[test]\nfn a() {\n    assert_eq!(f(&[1]), vec![\"a\", \"b\"]);\n}\n", "`\"a\"` to `\"z\"`");
    one(r, "#[test]\nfn a() {\n    assert!(f(1) == Some(0x1f_u8));\n}\n", "`0x1f_u8` to `0x1e_u8`");
    one(r, "#[test]\nfn a() {\n    assert_eq!(f('\\''), 'x');\n}\n", "`x` to `z`");
    one(r, "#[test]\nfn a() {\n    assert!(out(\"x\").contains(\"hello\"));\n}\n", "`\"hello\"` to `\"zq7hello\"`");
    let j = "t.test.js";
    one(j, "test('a', () => { expect(add(1, 2)).toBe(3); });", "`3` to `4`");
    one(j, "test('a', () => { assert.strictEqual(add(1, 2), 3, 'm'); });", "`3` to `4`");
    one(j, "require('assert').equal(require('./add')(2, 3), 5)", "`5` to `6`");
    none(j, "require('./codec').equal(require('./add')(2, 3))");
    one(j, "it('a', function () { expect(f()).to.deep.equal([1, 2]); });", "`1` to `2`");
    one(j, "test('a', async () => { expect(await f()).toEqual({ a: `x` }); });", "``x`` to ``z``");
    one(j, "if (add(1, 2) !== 3) { process.exit(1); }", "`3` to `4`");
    let g = "a_test.go";
    one(
        g,
        "func TestA(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n",
        "`3` to `4`",
    );
    one(g, "func TestA(t *testing.T) {\n\twant := \"x\"\n\tif f() != want { t.Fatal() }\n}\n", "`\"x\"` to `\"z\"`");
    one(g, "func TestA(t *testing.T) {\n\tassert.Equal(t, 3, Add(1, 2))\n}\n", "`3` to `4`");
    let c = "T.java";
    one(c, "class T { @Test void a() { assertEquals(5, add(2, 3)); } }", "`5` to `6`");
    // A test helper that gets an input and a result.
    one(c, "class T { public static void main(String[] a) { Check.value(\"1 + 2\", 3); } }", "`3` to `4`");
    one(c, "class T { @Test void a() { assertThat(add(2, 3)).isEqualTo(5L); } }", "`5L` to `6L`");
    one("t.cpp", "TEST_CASE(\"a\") { REQUIRE(add(2, 3) == 5); }", "`5` to `6`");
    one("sum_test.c", "int main(void) { if (sum(2, 3) != 5) { printf(\"sum\"); return 1; } return 0; }", "`5` to `6`");
    one("sum_test.c", "int main(void) {\n    if (sum(2, 3) != 5) failures++;\n    return failures;\n}\n", "`5` to `6`");
    one("t.c", "int main(void) { assert(add(2, 3) == 5); return 0; }", "`5` to `6`");
    one(
        "t.c",
        "int main(void) { int bad = 0; if (add(2, 3) != 5) { puts(\"sum\"); bad++; } return bad; }",
        "`5` to `6`",
    );
    one(
        "t.c",
        "int main(void) { if (strcmp(name(1), \"Anna\")) { puts(\"bad\"); return 1; } return 0; }",
        "`\"Anna\"` to `\"Znna\"`",
    );
    one(
        "t.c",
        "int main(void) { if (0 || strcmp(name(1), \"Anna\") != 0) return 1; return 0; }",
        "`\"Anna\"` to `\"Znna\"`",
    );
    one("t.c", "int main(void) { return add(2, 3) == 5 ? 0 : 1; }", "`5` to `6`");
    one("t.cc", "int main() { return add(2, 3) != 5; }", "`5` to `6`");
    none("t.c", "int main(void) { return count_words() != 0; }");
    none("t.c", "int is_five(int n) { return n != 5; }\nint main(void) { return is_five(add(2, 3)); }");
    one("t.php", "<?php class T { public function testA(): void { $this->assertSame(5, add(2, 3)); } }", "`5` to `6`");
    one("t_spec.rb", "it 'adds' do\n  expect(add(2, 3)).to eq(5)\nend\n", "`5` to `6`");
    one("t_spec.rb", "it 'adds' do\n  expect(add(2, 3)).to eq 5\nend\n", "`5` to `6`");
    one("t_spec.rb", "it 'sorts' do\n  expect(sorted([2, 1])).to match_array([1, 2])\nend\n", "`1` to `2`");
    one("t_test.rb", "def test_a\n  assert_equal 5, add(2, 3)\nend\n", "`5` to `6`");
    one("t_test.rb", "def test_a\n  assert_equal \"IV\", Roman.of(4)\nend\n", "`\"IV\"` to `\"ZV\"`");
    one(c, "class T { void a() { assert name(1).equals(\"Anna\"); } }", "`\"Anna\"` to `\"zq7Anna\"`");
}

#[test]
fn the_tests_own_assertion_is_known_by_its_parameter() {
    let php = "<?php\nfunction check(string $expected, $got): void {\n    if ($expected !== $got) exit(1);\n}\ncheck('a', f(1));\n";
    one("t.php", php, "`'a'` to `'z'`");
    let cpp = "static int same(long wanted, long got) { return wanted != got; }\nint main() { return same(6, gcd(12, 18)); }\n";
    one("t.cc", cpp, "`6` to `7`");
    one("t.py", "def check(got, want):\n    assert got == want\n\ncheck(f(1), 2)\n", "`2` to `3`");
    none("t.py", "def check(name, holds):\n    assert holds, name\n\ncheck('a', f(1) == 2)\ncheck('b', 3)\n");
}

// In a C++ header, a comparison would be the bracket of a type.
#[test]
fn a_header_is_read_as_what_it_holds() {
    let header = "int most(const std::vector<int> &all);\ninline bool is_big(int n) { return n > 3; }\n";
    assert_eq!(mutated("a.h", header), ["`>` to `<=`", "`3` to `4`"]);
}

#[test]
fn tables_and_names_of_expectations_are_found() {
    let loops = "def test_a(self):\n    for n,s in ((1,'I'),(4,'IV'),(9,'IX')): self.assertEqual(roman(n),s)\n";
    assert_eq!(bumped("t.py", loops), ["`'I'` to `'Z'`", "`'IV'` to `'ZV'`", "`'IX'` to `'ZX'`"]);
    let marked = "@pytest.mark.parametrize('a,expected', [(1, 2), (3, 4)])\ndef test_a(a, expected):\n    assert f(a) == expected\n";
    assert_eq!(bumped("t.py", marked), ["`2` to `3`", "`4` to `5`"]);
    let go = "func TestA(t *testing.T) {\n\ttests := []struct {\n\t\tname string\n\t\tin, want int\n\t}{\n\t\t{\"a\", 1, 2},\n\t}\n}\n";
    one("a_test.go", go, "`2` to `3`");
    let go = "func TestA(t *testing.T) {\n\ttests := []struct {\n\t\tin int\n\t\twant int\n\t}{\n\t\t{1, 2},\n\t\t{3, 4},\n\t}\n}\n";
    assert_eq!(bumped("a_test.go", go), ["`2` to `3`", "`4` to `5`"]);
    let keyed = "func TestA(t *testing.T) {\n\ttests := []struct{ in int; want int }{{in: 1, want: 2}}\n}\n";
    one("a_test.go", keyed, "`2` to `3`");
    let rust =
        "#[test]\nfn a() {\n    for (input, want) in [(1, \"a\")] {\n        assert_eq!(f(input), want);\n    }\n}\n";
    one("t.rs", rust, "`\"a\"` to `\"z\"`");
    one("t.test.ts", "test.each([[1, 2, 3]])('a', (a, b, c) => { expect(add(a, b)).toBe(c); });", "`3` to `4`");
}

// P-5
#[test]
fn what_would_still_hold_is_not_bumped() {
    for source in [
        "def test_a(self):\n    self.assertGreater(f(), 5)\n",
        "def test_a(self):\n    self.assertNotEqual(f(), 5)\n",
        "def test_a():\n    assert f() != 5\n",
        "def test_a():\n    assert f() >= 5\n",
        "def test_a():\n    assert f() == 5 or g()\n",
        "def test_a():\n    assert not f() == 5\n",
        "def test_a():\n    assert True\n",
        "def test_a(self):\n    self.assertEqual(1, 1)\n",
        "def test_a():\n    assert f() in [1, 2]\n",
        "def test_a():\n    # assert f() == 5\n    '''assert f() == 5'''\n",
        "@unittest.skip('x')\ndef test_a(self):\n    self.assertEqual(f(), 5)\n",
        "@unittest.skip('x')\nclass T:\n    def test_a(self):\n        self.assertEqual(f(), 5)\n",
    ] {
        none("t.py", source);
    }
    none("t.rs", "#[test]\n#[ignore]\nfn a() { assert_eq!(f(), 5) }");
    none("t.rs", "#[test]\nfn a() { assert_ne!(f(), 5); assert!(f() > 5); assert!(!(f() == 5)); }");
    none("t.rs", "#[test]\n#[should_panic]\nfn a() { assert_eq!(f(), 5) }");
    none("t.test.js", "it.skip('a', () => { expect(f()).toBe(5); });");
    none("t.test.js", "it('a', () => { expect(f()).not.toBe(5); });");
    none("t.test.js", "describe.skip('g', () => { it('a', () => { expect(f()).toBe(5); }); });");
    none("T.java", "class T { @Disabled @Test void a() { assertEquals(5, f()); } }");
    none("sum_test.c", "int main(void) { if (sum(2, 3) != 5) return 0; return 1; }");
    none("a_test.go", "func TestA(t *testing.T) {\n\tif f() == 3 {\n\t\tt.Errorf(\"no\")\n\t}\n}\n");
}

#[test]
fn only_tests_inside_a_rust_source_count() {
    let source = "pub fn f(n: u8) -> u8 {\n    assert_eq!(g(n), 3);\n    n\n}\n#[cfg(test)]\nmod t {\n    #[test]\n    fn a() {\n        assert_eq!(super::f(1), 7);\n    }\n}\n";
    one("src/lib.rs", source, "`7` to `8`");
}

#[test]
fn canaries_are_spread_over_the_tests() {
    let test = |n: usize| format!("def test_{n}():\n    assert f() == 1\n    assert g() == 2\n");
    let source: String = (0..10).map(test).collect();
    let lines: Vec<usize> =
        expected_literals("t.py", source.as_bytes(), 5).into_iter().map(|literal| literal.line).collect();
    assert_eq!(lines, [2, 8, 14, 20, 26]);
    assert_eq!(expected_literals("t.py", source.as_bytes(), 20).len(), 20);
}

#[test]
fn a_script_is_read_by_what_makes_it_fail() {
    let t = "test.sh";
    let script = "#!/bin/sh\nset -eu\nout=$(sh ./greet.sh World)\n[ \"$out\" = 'Hello, World' ]\n";
    one(t, script, "`H` to `Z`");
    none(t, &script.replace("set -eu\n", "").replace("World' ]\n", "World' ]\necho ok\necho\n"));
    one(t, "[ \"$x\" -eq 3 ] || exit 1\n", "`3` to `4`");
    none(t, "[ \"$x\" -eq 3 ] || true\n");
    one(t, "if [ \"$x\" != 3 ]; then echo bad; exit 1; fi\n", "`3` to `4`");
    none(t, "if [ \"$x\" = 3 ]; then echo bad; exit 1; fi\n");
    one(t, "if [ \"$x\" = 3 ]; then echo ok; else echo FAIL; exit 1; fi\n", "`3` to `4`");
    one(t, "[ \"$x\" != 3 ] && fail 'no'\n", "`3` to `4`");
    let helper = "check() {\n  out=$(sh ./add.sh $1)\n  if [ \"$out\" != \"$2\" ]; then echo FAIL; exit 1; fi\n}\n";
    one(t, &format!("{helper}check \"1 2\" 3\n"), "`3` to `4`");
    one(t, "assertEquals 'label' 5 \"$(add 2 3)\"\n", "`5` to `6`");
    one(t, "set -e\n./x | grep -q 'hello there'\n", "`zq7` inserted");
    none(t, "set -e\n! ./x | grep -q 'hello there'\ncat <<EOF\n[ \"$x\" = 3 ] || exit 1\nEOF\n");
}

// P-5: if one of several values is allowed, another value in place of one changes nothing
#[test]
fn an_alternative_of_a_script_is_no_expected_value() {
    let t = "t.sh";
    for script in [
        "[ \"$x\" = on ] || [ \"$x\" = off ] || exit 1\n",
        "if [ \"$x\" = on ] || [ \"$x\" = off ]; then echo ok; else exit 1; fi\n",
        "if [ \"$x\" != on ] && [ \"$x\" != off ]; then exit 1; fi\n",
        "[ \"$x\" != on ] && [ \"$x\" != off ] && exit 1\n",
        "set -e\n./x | grep -q -e 'up to date' -e 'nothing to do'\n",
        "set -e\n./x | grep -q 'up to date' || ./x | grep -q 'nothing to do'\n",
    ] {
        none(t, script);
    }
    one(t, "[ \"$x\" = on ] || { echo \"no: $x\" | grep . ; exit 1; }\n", "`o` to `z`");
    one(t, "if [ \"$x\" = on ] && [ -n \"$y\" ]; then echo ok; else exit 1; fi\n", "`o` to `z`");
    one(t, "set -e\n./x | grep -q -e 'up to date'\n", "`zq7` inserted");
    one(t, "[ \"$n\" = 3 ] || fail test add\n", "`3` to `4`");
    one(t, "out=$(sh calc.sh) && [ \"$out\" != 5 ] && exit 1\n", "`5` to `6`");
    one(t, "[ -n \"$SKIP\" ] || [ \"$out\" = 5 ] || exit 1\n", "`5` to `6`");
}

#[test]
fn mutants_change_what_a_program_does() {
    assert_eq!(mutated("calc.py", "def add(a, b=1):\n    return a+b\n"), ["`a+b` to `None`", "`+` to `-`"]);
    assert_eq!(mutated("mul.py", "def mul(a,b):\n    return 0\n"), ["`0` to `None`", "`0` to `1`"]);
    let rust = "pub fn f(n: Vec<[u8; 4]>) -> bool {\n    let x: [u8; 2] = [1, 2];\n    n.len() > x.len() && !n.is_empty()\n}\n";
    assert_eq!(
        mutated("lib.rs", rust),
        ["`>` to `<=`", "`&&` to `||`", "`!` removed", "`1` to `2`", "`2` to `3`"].map(str::to_string)
    );
    let shell = "n=${1:-}\n[ -n \"$n\" ] || n=nobody\necho \"Hello, $n\"\n";
    assert_eq!(
        mutated("greet.sh", shell),
        ["`-n` to `-z`", "`||` to `&&`", "`z` inserted", "`H` to `Z`", "`n` to `z`"].map(str::to_string)
    );
}

#[test]
fn what_no_test_can_see_is_left_alone() {
    for (path, source) in [
        ("a.py", "import a.b as c\nfrom x import y\n# a + b\n\"\"\"a == b\"\"\"\n"),
        (
            "a.py",
            "@cache(5)\ndef f(a: int = 5, *args, b=2 + 3) -> list[int]:\n    logger.info('x %d', 1 + 2)\n    raise ValueError('a' + 'b')\n",
        ),
        ("a.py", "if __name__ == '__main__':\n    pass\n"),
        (
            "a.rs",
            "use a::b;\n#[derive(Debug)]\nstruct A<'a, T: Into<u8>> { a: [u8; 4], b: &'a T }\nimpl<T> A<'_, T> {}\n",
        ),
        ("a.rs", "fn f<T: Fn(u8) -> u8>(a: &'static str, b: *const u8) -> Option<Vec<u8>> where T: Copy { a }\n"),
        ("a.rs", "#[cfg(test)]\nmod t { #[test] fn a() { assert_eq!(1 + 1, 2); } }\n"),
        ("a.ts", "interface A { a: Array<number>; b?: 5 }\ntype B = Map<string, 5>;\nimport x from 'y';\n"),
        (
            "a.go",
            "package a\nimport \"fmt\"\ntype T struct { a [4]int }\nfunc (t *T) F(a []*int) *int {\n\treturn a\n}\n",
        ),
        ("a.c", "#include <a.h>\n#define X (1 + 2)\nstatic int *f(char *a, int b[4]);\n"),
    ] {
        assert_eq!(mutated(path, source), [""; 0], "{path}: {source}");
    }
}

#[test]
fn mutants_stay_on_changed_lines() {
    let source = b"def f(a):\n    x = a + 1\n    y = a - 1\n    return x * y\n";
    let lines = changed_lines(b"def f(a):\n    x = a + 1\n    y = a\n    return x * y\n", source);
    assert_eq!(lines, std::slice::from_ref(&(3..4)));
    let found = mutants("f.py", source, &lines, 10);
    assert!(!found.is_empty() && found.iter().all(|mutation| mutation.line == 3), "{found:?}");
}

#[test]
fn changed_lines_are_those_that_are_new() {
    let none: [Range<usize>; 0] = [];
    assert_eq!(changed_lines(b"", b"a\nb\n"), std::slice::from_ref(&(1..3)));
    assert_eq!(changed_lines(b"a\nb\n", b"a\nb\n"), none);
    assert_eq!(changed_lines(b"a\nb\nc\n", b"a\nc\n"), none);
    assert_eq!(changed_lines(b"a\nb\nc\nd\n", b"A\nb\nc\nD\ne"), [1..2, 4..6]);
}

#[test]
fn inline_tests_are_found_and_put_back() {
    let base = "fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { assert_eq!(1, 2) }\n}\n";
    let new = "fn f() { g() }\n#[cfg(test)]\nmod tests {\n}\n\nfn g() {}\n#[test]\nfn alone() {}\n";
    let ranges = inline_tests(new.as_bytes());
    let texts: Vec<&str> = ranges.into_iter().map(|range| &new[range]).collect();
    assert_eq!(texts, ["#[cfg(test)]\nmod tests {\n}", "#[test]\nfn alone() {}"]);
    let put = |new: &str, base: &str| {
        with_inline_tests_of(new.as_bytes(), base.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let test = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { assert_eq!(1, 2) }\n}";
    assert_eq!(put(new, base).unwrap(), new.replace("#[cfg(test)]\nmod tests {\n}", test));
    assert_eq!(put("fn f() {}\n", base).unwrap(), format!("fn f() {{}}\n\n{test}\n"), "gone: appended");
    assert_eq!(put("fn f() {}\n#[cfg(test)]\nmod tests;\n", base), None, "moved to a file of its own");
    assert_eq!(put(&format!("{base}{base}"), base), None, "two of a name");
    assert_eq!(put("fn f() {}\n", "fn g() {}\n").unwrap(), "fn f() {}\n");
    assert_eq!(put("\u{0}", base), None);
}

#[test]
fn a_broken_file_keeps_its_interpreter() {
    let broken = break_syntax("t.sh", b"#!/bin/sh\necho ok\n").unwrap();
    assert!(broken.starts_with(b"#!/bin/sh\nexit 97\n") && broken.ends_with(b"\necho ok\n"));
    assert!(break_syntax("a.rs", b"#![allow(x)]\n").unwrap().starts_with(b")"));
    assert_eq!(break_syntax("a.json", b"{}"), None);
}

// P-5
#[test]
fn the_expectation_of_a_line_that_failed_is_told() {
    let at = |path: &str, source: &str, line| expected_literal_at(path, source.as_bytes(), line).map(|one| one.what);
    // Code that must raise an error may rightly reach no comparison.
    let throws = "test('a', () => {\n  assert.throws(function () {\n    f(1);\n    assert.strictEqual(g(), 5);\n  }, /no/);\n});\n";
    assert_eq!(at("a.test.js", throws, 4), None);
    let chai = "it('a', () => {\n  expect(function () {\n    f(1);\n    assert.strictEqual(g(), 5);\n  }).to.throw('no');\n});\n";
    assert_eq!(at("a.test.js", chai, 4), None);
    let raises = "class T(TestCase):\n    def test_a(self):\n        with self.assertRaises(ValueError):\n            f(1)\n            self.assertEqual(g(), 5)\n        self.assertEqual(h(), 7)\n";
    assert_eq!(at("test_a.py", raises, 5), None);
    assert_eq!(at("test_a.py", raises, 6).as_deref(), Some("`7` to `8`"));
    let python = "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 5)\n    def test_b(self):\n        self.assertEqual(\n            f(2),\n            7,\n        )\n        self.assertEqual(a, b)\n    def test_c(self):\n        self.assertIn(\"found it\", f(3))\n";
    let told = |line| at("test_t.py", python, line);
    assert_eq!(told(3).as_deref(), Some("`5` to `6`"));
    assert_eq!(told(5).as_deref(), Some("`7` to `8`"));
    assert_eq!(told(9).as_deref(), Some("`7` to `8`"), "just above, in the same test");
    assert_eq!(told(4), None, "of another test");
    assert_eq!(told(11), None, "not an equality");
    assert_eq!(told(99), None);
    let go = "func TestA(t *testing.T) {\n\tif got := F(1); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n";
    assert_eq!(at("a_test.go", go, 3).as_deref(), Some("`3` to `4`"));
    let rust = "#[test]\nfn a() {\n    assert_eq!(\n        f(1),\n        55,\n    );\n}\n";
    assert_eq!(at("tests/a.rs", rust, 3).as_deref(), Some("`55` to `56`"));
    assert_eq!(at("test.sh", "set -e\n[ \"$(f)\" = 5 ]\n", 2), None);
    let refused = "test('a', () => {\n  assert.throws(() => {\n    assert.equal(f(''), '');\n  }, RangeError);\n});\n";
    assert_eq!(at("a.test.js", refused, 2), None, "what must raise an error comes to no assertion");
    assert_eq!(at("a.test.js", refused, 3), None, "nor to this one");
}

// P-5
#[test]
fn a_line_is_found_where_it_stands_now() {
    let (then, now) = (b"a\nb\nc\nd\n", b"new\na\nB\nc\nmore\nd\n");
    let lines: Vec<Option<usize>> = (0..6).map(|line| line_now(then, now, line)).collect();
    assert_eq!(lines, [None, Some(2), None, Some(4), Some(6), None]);
}

// P-5
#[test]
fn a_comment_is_put_where_only_code_can_stand() {
    let with = |path: &str, source: &str| {
        with_comment(path, source.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap().replace(source, ""))
    };
    assert_eq!(with("test_a.py", "a = 1\n").as_deref(), Some("\n\n# Nothing more.\n"));
    assert_eq!(with("test_a.py", "a = 1\r\nb = 2").as_deref(), Some("\r\n\r\n\r\n# Nothing more.\r\n"));
    assert_eq!(with("a_test.go", "package a\n").as_deref(), Some("\n/* Nothing more. */\n"));
    for (path, source) in [
        ("test_a.rb", "puts DATA.read\n__END__\nx\n"),
        ("test.sh", "cat <<END\nx\n"),
        ("test.php", "<?php a(); ?>\n"),
        ("golden.json", "{}\n"),
        ("test_a.py", ""),
    ] {
        assert_eq!(with(path, source), None, "{path}");
    }
}

// P-5
#[test]
fn the_row_that_failed_is_found_by_what_was_printed() {
    let bumped = |path: &str, source: &str, line: usize, printed: &[&str]| {
        let printed: Vec<String> = printed.iter().map(ToString::to_string).collect();
        expected_in_table(path, source.as_bytes(), line, &printed).map(|found| (found.line, found.what))
    };
    let rows = "ROWS = [\n    (1, \"I\"),\n    (4, \"IV\"),\n    (5, \"V\"),\n    (6, \"VI\"),\n    (7, \"VII\"),\n]\n\n\ndef test_rows():\n    for number, text in ROWS:\n        assert roman(number) == text\n";
    assert_eq!(bumped("test_a.py", rows, 12, &["'IIII'", "'IV'"]).unwrap(), (3, "`\"IV\"` to `\"ZV\"`".to_owned()));
    // A value of an input column, of no row, or of several rows is not used.
    assert_eq!(bumped("test_a.py", rows, 12, &["4"]), None);
    assert_eq!(bumped("test_a.py", rows, 12, &["'IX'"]), None);
    assert_eq!(bumped("test_a.py", rows, 12, &["'V'", "'VI'"]), None);
    let marked = "@pytest.mark.parametrize(\"n, want\", [(1, 2), (2, 4), (3, 7), (4, 8)])\ndef test_twice(n, want):\n    assert twice(n) == want\n";
    assert_eq!(bumped("test_a.py", marked, 3, &["6", "7"]).unwrap(), (1, "`7` to `8`".to_owned()));
    let go = "func TestOff(t *testing.T) {\n\tfor _, c := range []struct{ in, want int }{{1, 2}, {2, 4}, {3, 7}, {4, 8}} {\n\t\tif got := Off(c.in); got != c.want {\n\t\t\tt.Errorf(\"got %d, want %d\", got, c.want)\n\t\t}\n\t}\n}\n";
    assert_eq!(bumped("a_test.go", go, 4, &["7"]).unwrap(), (2, "`7` to `8`".to_owned()));
}
