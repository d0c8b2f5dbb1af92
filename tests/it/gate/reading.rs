//! A verify that only reads its subject: a linter, however it is started.

use super::{assert_blocked, assert_clear, assert_not_applicable, found, started};

/// Finds lines that are too long, and files that are not Python.
const LINT: &str = "import ast, pathlib, sys\nbad = 0\nfor folder in sys.argv[1:]:\n    for path in sorted(pathlib.Path(folder).rglob('*.py')):\n        ast.parse(path.read_text())\n        bad += sum(len(line) > 40 for line in path.read_text().splitlines())\nprint(bad, 'long lines')\nsys.exit(bad > 0)\n";
const TEST: &str = "import unittest\nfrom app.sums import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n";
const LONG: &str = "def add(a, b):\n    return a + b if a > 0 or b > 0 or a < 0 else b\n";
const SHORT: &str = "def add(a, b):\n    if a > 1 and b > 1:\n        return a + b\n    if a < 0 or b != 0:\n        return a + b\n    return a - b + b + b\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        (".gitignore", "__pycache__/\n"),
        ("Makefile", "lint:\n\t@python3 tools/lint.py app tests\n.PHONY: lint\n"),
        ("tools/lint.py", LINT),
        ("app/__init__.py", ""),
        ("app/sums.py", LONG),
        ("tests/__init__.py", ""),
        ("tests/test_sums.py", TEST),
    ]
}

// P-5
#[test]
fn a_linter_notices_neither_literals_nor_operators() {
    for verify in ["python3 tools/lint.py app tests", "make -s lint"] {
        let world = started(verify, "", &files());
        world.write("app/sums.py", SHORT);
        assert_not_applicable(&world, "canary-survived: verify only reads `tests/test_sums.py` and does not run it");
        assert_not_applicable(&world, "no-mutant-killed: verify reads the changed files and runs none of them");
    }
}

// P-5
#[test]
fn a_linters_findings_in_tests_are_mended_there() {
    let long = TEST.replace("add(2, 3), 5)", "add(2, 3), 5, 'two and three are five')");
    let files: Vec<_> = files().into_iter().filter(|(path, _)| *path != "tests/test_sums.py").collect();
    let files = [&files[..], &[("tests/test_sums.py", &*long)]].concat();
    let world = started("python3 tools/lint.py app tests", "", &files);
    world.write("app/sums.py", SHORT);
    world.write("tests/test_sums.py", TEST);
    assert_not_applicable(
        &world,
        "approved-tests-red: verify only reads `tests/test_sums.py`, and is red with their text of the",
    );
    // A verify that also runs the tests is not treated as a linter.
    let both = "python3 tools/lint.py app tests && python3 -m unittest -q tests.test_sums";
    let world = started(both, "", &files);
    world.write("app/sums.py", SHORT);
    world.write("tests/test_sums.py", TEST);
    let finding = assert_blocked(&world, "approved-tests-red");
    let resolve = finding["resolve"].as_str().unwrap();
    let way = "`plan goal set g-1 --add-may-change tests/test_sums.py --because \"why\"`";
    assert!(resolve.ends_with(way), "{resolve}");
}

// P-5
#[test]
fn a_loader_that_runs_the_tests_no_more_is_no_linter() {
    let run = "import sys\nfrom load import load\nsys.exit(load('tests/test_sums.py'))\n";
    let loads = "import unittest\ndef load(path):\n    suite = unittest.TestLoader().discover('tests', top_level_dir='.')\n    return not unittest.TextTestRunner().run(suite).wasSuccessful()\n";
    let reads = "import ast\ndef load(path):\n    ast.parse(open(path).read())\n    return 0\n";
    let files =
        [&files()[..], &[("run.py", run), ("load.py", loads), ("app/sums.py", "def add(a, b):\n    return b\n")]]
            .concat();
    let world = started("python3 run.py", "", &files);
    world.write("load.py", reads);
    world.write("app/sums.py", "def add(a, b):\n    return 1 if a > b else 2\n");
    assert_blocked(&world, "canary-survived");
}

const MAKE: &str = "rows = open('rows.txt').read().split()\nopen('table.py', 'w').write('ROWS = ' + repr(rows) + '\\nSIZE = %d\\nFIRST = %r\\nWIDE = %r\\nSOME = %r\\n' % (len(rows), rows[0], len(rows) > 2, bool(rows)))\n";

// P-5
#[test]
fn what_verify_writes_anew_is_not_tried_by_changing_it() {
    let test = "import unittest\nfrom table import ROWS\n\n\nclass T(unittest.TestCase):\n    def test_rows(self):\n        self.assertEqual(ROWS[-1], 'c')\n";
    let old = "ROWS = ['a', 'b']\nSIZE = 2\nFIRST = 'a'\nWIDE = False\nSOME = True\n";
    let files = [
        (".gitignore", "__pycache__/\n"),
        ("make.py", MAKE),
        ("rows.txt", "a b\n"),
        ("table.py", old),
        ("tests/__init__.py", ""),
        ("tests/test_table.py", test),
    ];
    let verify = "python3 make.py && python3 -m unittest -q tests.test_table";
    let world = started(verify, "", &files);
    world.write("rows.txt", "a b c\n");
    world.write("table.py", "ROWS = ['a', 'b', 'c']\nSIZE = 3\nFIRST = 'a'\nWIDE = True\nSOME = True\n");
    let open = found(&super::complete(&world));
    assert_eq!(open.0, [""; 0], "{open:?}");
    assert_not_applicable(&world, "no-mutant-killed: verify regenerates `table.py`, no matter what it contains");
}

// P-5
#[test]
fn an_expected_failure_that_succeeds_may_lose_its_mark() {
    let marked = |mark: &str| {
        format!(
            "import unittest\nfrom calc import add\n\n\nclass T(unittest.TestCase):\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n{mark}\n    def test_pos(self):\n        self.assertEqual(add(2, 3), 5)\n"
        )
    };
    let base = marked("    @unittest.expectedFailure   # issue 12");
    let files =
        [(".gitignore", "__pycache__/\n"), ("calc.py", "def add(a, b):\n    return a - b\n"), ("test_calc.py", &*base)];
    let world = started("python3 -m unittest -q test_calc", "kind: bugfix\n", &files);
    world.write("calc.py", super::ADDS);
    world.write("test_calc.py", marked(""));
    assert_clear(&world);
    // The mark is removed, together with its line.
    world.write("calc.py", "def add(a, b):\n    return a - b + 0\n");
    world.write("test_calc.py", marked("").replace("add(2, 3), 5)", "add(2, 3), -1)"));
    assert_blocked(&world, "never-red");
}
