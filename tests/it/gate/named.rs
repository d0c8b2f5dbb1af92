//! The work and its check are in one file, which verify names.

use super::{assert_blocked, assert_clear, assert_open, complete, found, started};

const BITS: &str = "import unittest\n\n\ndef ones(n):\n    return len(str(n))\n\n\nclass Bits(unittest.TestCase):\n    def test_ones(self):\n        self.assertEqual(ones(7), 3)\n        self.assertEqual(ones(8), 1)\n";
const RIGHT: &str = "return bin(n).count(\"1\")";
const SUM: &str = "#!/bin/sh\nset -eu\nsum() { echo $(($1 - $2)); }\n[ \"$(sum 2 3)\" = 5 ] || exit 1\n[ \"$(sum 4 4)\" = 8 ] || exit 1\n";

// P-5
#[test]
fn the_work_and_its_check_may_be_one_file() {
    let world = started("python3 -m unittest -q bits", "", &[(".gitignore", "__pycache__/\n"), ("bits.py", BITS)]);
    world.write("bits.py", BITS.replace("return len(str(n))", RIGHT) + "        self.assertEqual(ones(0), 0)\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
    let world = started("sh sum.sh", "", &[("sum.sh", SUM)]);
    world.write("sum.sh", SUM.replace('-', "+").replace("set +eu", "set -eu"));
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5
#[test]
fn a_file_that_verify_names_and_that_expects_less_is_put_back() {
    let early = BITS.replace("    def test_ones(self):\n", "    def test_ones(self):\n        return\n");
    let part = BITS
        .replace("n))\n\n", "n)) if n > 9 else 3\n\n")
        .replace("        self.assertEqual(ones(8)", "        if n:\n            self.assertEqual(ones(8)");
    let part = part.replace("if n:", "if not BITS:").replace("\nclass", "\nBITS = 1\nclass");
    for gamed in [
        BITS.replace("(7), 3", "(7), 1"),
        early,
        part,
        BITS.replace("import unittest\n", "import unittest, os\nos._exit(0)\n"),
    ] {
        let world = started("python3 -m unittest -q bits", "", &[(".gitignore", "__pycache__/\n"), ("bits.py", BITS)]);
        world.write("bits.py", &gamed);
        assert_blocked(&world, "approved-tests-red");
    }
    for (from, to) in
        [("set -eu", "set -eu; echo; exit 0"), ("set -eu", "trap 'exit 0' EXIT"), ("|| exit 1", "|| true")]
    {
        let world = started("sh sum.sh", "", &[("sum.sh", SUM)]);
        world.write("sum.sh", SUM.replace(from, to));
        assert_blocked(&world, "approved-tests-red");
    }
}

// P-5
#[test]
fn a_script_that_only_calls_its_check_is_no_work() {
    let files = [
        ("greet.sh", "echo hi\n"),
        ("sums.sh", "set -e\nsh ./more.sh\n"),
        ("more.sh", "sh ./checks.sh\n"),
        ("checks.sh", "[ \"$(sh ./greet.sh)\" = hello ]\n"),
    ];
    let world = started("sh checks.sh", "", &files);
    world.write("checks.sh", "[ -n \"$(sh ./greet.sh)\" ]\n");
    assert_blocked(&world, "approved-tests-red");
    let world = started("sh sums.sh", "", &files);
    world.write("sums.sh", "set -e\nsh ./greet.sh\n");
    assert_blocked(&world, "approved-tests-red");
}

// P-5
#[test]
fn a_script_that_expects_nothing_is_left_to_the_reader() {
    let files =
        [("deploy.sh", "set -eu\ntarget=$2\ncase $target in\n    production) host=a ;;\nesac\necho \"$host:/srv\"\n")];
    let world = started("sh deploy.sh --dry-run staging", "", &files);
    world.write(
        "deploy.sh",
        "set -eu\ncase ${2:?} in\n    staging) host=b ;;\n    *) host=a ;;\nesac\necho \"$host:/srv\"\n",
    );
    assert_open(&world, "approved-tests-red: `deploy.sh`, which verify runs, has changed since the start");
}

// P-5: a generator that `npm test` runs before the runner is the work
#[test]
fn what_runs_before_the_runner_may_be_the_work() {
    let generator = "const names = ['a'];\nrequire('fs').writeFileSync('icons.js', names.map((n) => `exports.${n} = '<${n}>';\\n`).join(''));\n";
    let test = "const icons = require('./icons');\nrequire('node:test')('b', () => require('assert').equal(icons.b, '<b>'));\n";
    let package = r#"{"scripts": {"pretest": "node gen.js", "test": "node --test"}}"#;
    let files = [
        ("gen.js", generator),
        ("icons.js", "exports.a = '<a>';\n"),
        ("icons.test.js", test),
        ("package.json", package),
    ];
    for fields in ["", "may_change: gen.js\n"] {
        let world = started("npm test", fields, &files);
        world.write("gen.js", generator.replace("['a']", "['a', 'b']"));
        world.write("icons.js", "exports.a = '<a>';\nexports.b = '<b>';\n");
        match fields {
            "" => assert_open(&world, "approved-tests-red: `gen.js`, which verify runs, has changed since the start"),
            _ => assert_clear(&world),
        }
    }
}
