use std::path::Path;

use super::*;
use crate::shell::strict;

pub(super) fn harness(line: &str, root: &str, may_change: &[&str], files: &[(&str, &str)]) -> Harness {
    let may_change: Vec<String> = may_change.iter().map(|&glob| glob.to_owned()).collect();
    let read =
        |path: &Path| files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| text.as_bytes().to_vec());
    Harness::of(Some(&strict::split(line).unwrap()), Path::new(root), &may_change, &read)
}

/// Asserts whether a verify names a file.
#[track_caller]
pub(super) fn names(line: &str, files: &[(&str, &str)], file: &str, is_named: bool) {
    let harness = harness(line, "", &[], files);
    assert_eq!(harness.is_named(Path::new(file)), is_named, "{line}: {file}: {:?}", harness.named.files);
}

fn runs(line: &str, file: &str) -> bool {
    harness(line, "", &[], &[]).is_named(Path::new(file))
}

// P-5
#[test]
fn tests_are_told_by_the_convention_of_their_language() {
    for path in [
        "test_calc.py", "calc_test.py", "tests.py", "tests/unit/deep/data.bin", "conftest.py", "pkg/tests/conftest.py",
        "tests_unit.py", "cache_test.go", "pkg/testdata/in.txt", "src/tests.rs", "tests/it/main.rs", "src/a_test.rs",
        "a.test.ts", "src/a.spec.tsx", "src/__tests__/a.js", "a/__snapshots__/a.snap", "a.cy.ts", "test.js",
        "test-parser.js", "test.sh", "test2.sh", "run_tests.sh", "smoke.bats", "spec/models/user_spec.rb",
        "spec/support/login.rb", "spec_helper.rb", "test/user_test.rb", "src/test/java/A.java", "CacheTest.java",
        "CacheTests.cs", "TestCache.java", "CacheIT.java", "Acme.Tests/Program.cs", "CacheSpec.kt",
        "Tests/CacheTests/CacheTests.swift", "CacheTests/Deep.swift", "lru_unittest.cc", "test_lru.c",
        "test/cache_test.exs", "t/basic.t", "golden.txt", "golden_output.json", "report.expected", "expected/out.txt",
        "web/snapshots/page.html", "t/0001-init.sh", "pkg/t/basic.pl", "a.approved.txt", "x.golden", "LruTest.php",
        "internal/testutil/gen.go", "src/test-utils/render.tsx", "app/test_helpers/login.rb",
    ] {
        assert!(is_test(Path::new(path)), "{path}");
    }
    for path in [
        "calc.py", "latest.py", "src/snapshots/mod.rs", "include/expected/expected.hpp", "src/t/translate.js",
        "contest.py", "attest.rs", "src/lib.rs", "testing.md", "README.md", "spec/api.yaml", "spec.py", "protest.go",
        "src/inspect.ts", "manifest.json", "greet.sh", "Makefile", "cfg.json", "result.log", "src/unexpected.rs",
        "notes.md", "a.specs.md", "suite.py", "Contest.java", "Latest.java", "snapshot_tool.yaml", "testing/clock.go",
        "testify/assert.go", "testutil/clock.go", "packages/test-utils/src/index.ts",
    ] {
        assert!(!is_test(Path::new(path)), "{path}");
    }
}

// P-5
#[test]
fn what_verify_runs_is_harness_and_what_it_looks_at_is_not() {
    for (line, file) in [
        ("./verify.sh", "verify.sh"),
        ("sh ./check.sh", "check.sh"),
        ("bash -eu tools/check.sh a b", "tools/check.sh"),
        ("sh -e check.sh", "check.sh"),
        ("bash -e -o pipefail check.sh", "check.sh"),
        ("bash -eo pipefail check.sh", "check.sh"),
        ("bash -- check.sh", "check.sh"),
        ("bash --norc -x check.sh", "check.sh"),
        ("php -d memory_limit=1G check.php", "check.php"),
        ("python3 -E check.py", "check.py"),
        ("python3 -X dev check.py", "check.py"),
        ("ruby -r json check.rb", "check.rb"),
        ("env A=b timeout 5 sh check.sh", "check.sh"),
        ("python3 bench/p95.py --max-ms 50", "bench/p95.py"),
        ("python3 -W error bench/p95.py", "bench/p95.py"),
        ("python3 -m unittest -q checks.T.test_pos", "checks.py"),
        ("python3 -m bench.p95", "bench/p95.py"),
        ("python3 -m bench", "bench/__main__.py"),
        ("pytest -q checks/speed.py::T::a", "checks/speed.py"),
        ("uv run python -m pytest checks/speed.py", "checks/speed.py"),
        ("node --test checks/speed.mjs", "checks/speed.mjs"),
        ("node checks/speed.mjs", "checks/speed.mjs"),
        ("npx jest checks/speed.ts", "checks/speed.ts"),
        ("ruby -Ilib checks/speed.rb", "checks/speed.rb"),
        ("sh -c 'cd sub && sh check.sh'", "sub/check.sh"),
        ("sh -c 'A=b ./check.sh || true'", "check.sh"),
        ("cargo build && ./check.sh", "check.sh"),
    ] {
        assert!(runs(line, file), "{line}: {:?}", harness(line, "", &[], &[]).named.files);
    }
    for (line, file) in [
        ("grep -q '^## Install' README.md", "README.md"),
        ("rustc --test m.rs -o t.bin", "m.rs"),
        ("sh -n greet.sh && test -f greet.sh", "notes.md"),
        ("sh -n size.sh", "size.sh"),
        ("sh -c 'bash -n size.sh && sh test.sh'", "size.sh"),
        ("node --check tool.js", "tool.js"),
        ("diff a.txt b.txt", "a.txt"),
        ("go test ./pkg/cache.go", "pkg/cache.go"),
        ("pytest --doctest-modules src/calc.py", "src/calc.py"),
        ("python3 -c 'import calc'", "calc.py"),
        ("../outside.sh", "outside.sh"),
    ] {
        assert!(!runs(line, file), "{line}: {:?}", harness(line, "", &[], &[]).named.files);
    }
    assert!(
        harness("sh check.sh", "sub/plan", &[], &[]).is_named(Path::new("sub/plan/check.sh")),
        "below the plan's root"
    );
    assert!(harness("sh ../check.sh", "sub/plan", &[], &[]).is_named(Path::new("sub/check.sh")));
}

#[test]
fn scripts_of_package_json_and_makefiles_are_followed() {
    let files = &[
        ("package.json", r#"{"scripts":{"pretest":"tsc","test":"node checks/all.js","lint":"node lint.js"}}"#),
        ("Makefile", "all: lint\n\nlint:\n\tsh lint.sh\n\ncheck: build\n\t@sh check.sh\n\nbuild:\n\tsh build.sh\n"),
    ];
    for line in ["npm test", "npm run test", "yarn test", "sh -c 'npm test'"] {
        let harness = harness(line, "", &[], files);
        assert!(harness.is_named(Path::new("checks/all.js")), "{line}");
        assert!(!harness.is_named(Path::new("lint.js")) && harness.is_mixed(Path::new("package.json")), "{line}");
    }
    let package = &[("web/package.json", r#"{"scripts":{"test":"node checks/all.js"}}"#)];
    for line in ["npm --prefix web test", "yarn --cwd web test", "pnpm -C web test", "npm test -w ./web"] {
        assert!(harness(line, "", &[], package).is_named(Path::new("web/checks/all.js")), "{line}");
    }
    let harness = harness("make -s check", "", &[], files);
    assert!(harness.is_named(Path::new("check.sh")) && !harness.is_named(Path::new("lint.sh")));
    assert!(harness.is_mixed(Path::new("Makefile")) && !harness.is_mixed(Path::new("sub/Makefile")));
}

// P-5
#[test]
fn what_is_run_before_the_last_word_may_be_the_work() {
    let files = &[
        ("package.json", r#"{"scripts":{"test":"node build.js && node check.js"}}"#),
        (
            "Makefile",
            "check: gen lint\n\tsh check.sh\nlint:\n\tsh lint.sh\ngen:\n\t./gen.py | tee out.txt\nall: lint gen\n",
        ),
    ];
    for (line, aside, last) in [
        ("sh -c './tool.py 3 | grep -q 5'", &["tool.py"][..], &[][..]),
        ("sh -c './tool.py 3 > out.txt && diff out.txt want.txt'", &["tool.py"], &[]),
        ("sh -c './check.sh > /dev/null 2>&1 && grep -q x README.md'", &[], &["check.sh"]),
        ("sh -c './check.sh && grep -q x README.md'", &[], &["check.sh"]),
        ("sh -c './check.sh | tee log || exit 1'", &[], &["check.sh"]),
        ("sh -c 'sh a.sh | sh b.sh'", &["a.sh"], &["b.sh"]),
        ("sh -c 'sh a.sh; sh a.sh'", &[], &["a.sh"]),
        ("npm test", &["build.js"], &["check.js"]),
        ("make check", &["lint.sh", "gen.py"], &["check.sh"]),
        ("make all", &["lint.sh"], &["gen.py"]),
        ("sh a.sh && sh b.sh", &[], &["a.sh", "b.sh"]),
        ("sh -c 'node gen.js && node --test'", &["gen.js"], &[]),
        ("sh -c 'python3 gen.py && python3 -m pytest -q'", &["gen.py"], &[]),
        ("sh -c 'node scripts/check-links.js && node --test'", &[], &["scripts/check-links.js"]),
        ("sh -c 'sh lint.sh; echo ok'", &[], &["lint.sh"]),
        ("sh -c 'for n in a b; do sh check.sh $n || exit 1; done'", &[], &["check.sh"]),
        ("sh -c 'case $1 in *) sh check.sh ;; esac'", &[], &["check.sh"]),
        ("sh -c '(sh check.sh) >/dev/null && test -s out'", &[], &["check.sh"]),
        ("sh -c '(sh gen.sh) > out; sh check.sh && grep -q ok out'", &["gen.sh"], &["check.sh"]),
        ("sh -c 'for n in 1 2; do case $n in 1) sh calc.sh ;; esac; done | diff - want.txt'", &["calc.sh"], &[]),
        ("sh -c '{ sh calc.sh 1; sh calc.sh 2; } | diff - want.txt'", &["calc.sh"], &[]),
        ("sh -c '(sh calc.sh 1; sh calc.sh 2) | diff - want.txt'", &["calc.sh"], &[]),
        ("sh -c 'for n in 1 2; do sh calc.sh $n; done | diff - want.txt'", &["calc.sh"], &[]),
        (
            "sh -c 'for n in 1 2; do if sh a.sh; then sh calc.sh; fi; done > out; cmp out want'",
            &["a.sh", "calc.sh"],
            &[],
        ),
        ("sh -c 'while read n; do sh calc.sh $n; done < in > out; sh check.sh out'", &["calc.sh"], &["check.sh"]),
    ] {
        let harness = harness(line, "", &[], files);
        for path in aside {
            assert!(harness.is_aside(Path::new(path)) && !harness.is_harness(Path::new(path)), "{line}: {path}");
        }
        for path in last {
            assert!(!harness.is_aside(Path::new(path)) && harness.is_harness(Path::new(path)), "{line}: {path}");
        }
    }
}

// P-5
#[test]
fn what_make_includes_gets_back_what_steers_it() {
    let make = harness("make check", "", &[], &[("Makefile", "-include config.mk $(X)\ncheck:\n\tsh test.sh\n")]);
    let blended = |path: &str, then: &str, now: &str| {
        let blend = make.blended(Path::new(path), then.as_bytes(), now.as_bytes(), &|_| true);
        blend.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    for line in [
        "SHELL = /bin/true", ".IGNORE:", ".SHELLFLAGS := -nc", "MAKEFLAGS += -i", "export MAKEFLAGS = --touch",
        "check:\n\ttrue",
    ] {
        let text = format!("CFLAGS = -O2\n{line}\n");
        assert_eq!(blended("config.mk", "", &text).as_deref(), Some("CFLAGS = -O2\n"), "{line}");
        assert_eq!(blended("config.mk", &text, &text), None, "{line}");
        assert_eq!(blended("other.mk", "", &text), None, "{line}");
    }
    let honest =
        "SHELL := /bin/bash\n.SHELLFLAGS := -eu -c\nMAKEFLAGS += --no-print-directory -j4 -rR\nlib: a.o\n\tar $@\n";
    assert_eq!(blended("config.mk", "", honest), None);
    let ignoring = ".IGNORE:\n-include config.mk $(X)\ncheck:\n\tsh test.sh\n";
    let then = ignoring.replace(".IGNORE:\n", "");
    assert_eq!(blended("Makefile", &then, ignoring), Some(then.clone()));
}

// P-5
#[test]
fn what_python_finds_first_is_known_by_its_place() {
    let python = harness("python3 -m unittest -q test_a", "", &[], &[]);
    let before = |path: &str| python.stands_before(Path::new(path));
    assert_eq!(before("test_a/__init__.py"), Some("test_a.py".into()));
    assert_eq!(before("pkg/a.cpython-312-x86_64-linux-gnu.so"), Some("pkg/a.py".into()));
    assert_eq!((before("test_a.py"), before("test_a/data.txt"), before("__init__.py")), (None, None, None));
    let standard = |path: &'static str| python.standard_module(Path::new(path));
    assert_eq!(
        (standard("packaging.py"), standard("nose2/__init__.py"), standard("json.py")),
        (None, None, Some("json"))
    );
    assert_eq!((standard("decimal.py"), standard("json/__init__.py")), (Some("decimal"), Some("json")));
    assert_eq!((standard("prices.py"), standard("pkg/decimal.py")), (None, None));
    let cargo = harness("cargo test", "", &[], &[]);
    assert_eq!(
        (cargo.standard_module(Path::new("decimal.py")), cargo.stands_before(Path::new("a/__init__.py"))),
        (None, None)
    );
}

// P-5
#[test]
fn mixed_files_keep_the_work_and_get_back_what_steers_verify() {
    let make = harness("make check", "", &[], &[]);
    let then = "SRC = a.c\nall: x\n\tcc $(SRC)\n\ncheck: all\n\t./x --self\n\tsh check.sh\n";
    let now = "SRC = a.c b.c\nall: x\n\tcc -O2 $(SRC)\n\ncheck:\n\t@echo ok\n\nmore:\n\ttrue\n";
    let blended = make.blended(Path::new("Makefile"), then.as_bytes(), now.as_bytes(), &|_| true).unwrap();
    let blended = String::from_utf8(blended).unwrap();
    assert_eq!(
        blended,
        "SRC = a.c b.c\nall: x\n\tcc -O2 $(SRC)\n\ncheck: all\n\t./x --self\n\tsh check.sh\n\nmore:\n\ttrue\n"
    );
    let honest = then.replace("a.c", "a.c b.c");
    assert_eq!(make.blended(Path::new("Makefile"), then.as_bytes(), honest.as_bytes(), &|_| true), None);

    let then = "PROG = wc\ncheck: $(PROG)\n\tsh tests/wc.sh ./$(PROG)\n";
    let blend = |recipe: &str| {
        let now = format!("BIN = out/wc\ncheck: $(BIN)\n\t{recipe}\n");
        make.blended(Path::new("Makefile"), then.as_bytes(), now.as_bytes(), &|_| true).is_some()
    };
    assert!(!blend("sh tests/wc.sh $(BIN)"), "the same, with another name of the program");
    let dropped = then.replace("check: $(PROG)", "check:");
    assert!(
        make.blended(Path::new("Makefile"), then.as_bytes(), dropped.as_bytes(), &|_| true).is_some(),
        "a need is gone"
    );
    for masked in ["BIN = wc || true", "BIN = wc; true", "include more.mk"] {
        let now = format!("{masked}\ncheck: $(BIN)\n\tsh tests/wc.sh $(BIN)\n");
        assert!(make.blended(Path::new("Makefile"), then.as_bytes(), now.as_bytes(), &|_| true).is_some(), "{masked}");
    }
    for recipe in [
        "-sh tests/wc.sh $(BIN)", "sh tests/wc.sh $(BIN) || true", "sh tests/wc.sh $(BIN); true",
        "sh tests/wc.sh /bin/true", "sh tests/wc.sh --help", "sh tests/other.sh $(BIN)", "sh $(BIN) tests/wc.sh",
        "sh -n tests/wc.sh $(BIN)", "true tests/wc.sh $(BIN)", "sh tests/wc.sh", "sh tests/wc.sh $(BIN)\n\ttrue",
    ] {
        assert!(blend(recipe), "{recipe}");
    }

    let npm = harness("npm test", "", &[], &[]);
    let then = r#"{"scripts":{"test":"node --test","x":"y"},"dependencies":{}}"#;
    let now = r#"{"scripts":{"test":"true","x":"z"},"dependencies":{"a":"1"},"jest":{"testMatch":[]}}"#;
    let blended = npm.blended(Path::new("package.json"), then.as_bytes(), now.as_bytes(), &|_| true).unwrap();
    let blended: serde_json::Value = serde_json::from_slice(&blended).unwrap();
    assert_eq!(blended, serde_json::json!({"scripts":{"test":"node --test","x":"z"},"dependencies":{"a":"1"}}));
    assert_eq!(npm.blended(Path::new("package.json"), then.as_bytes(), b"{", &|_| true), None);

    let pytest = harness("pytest", "", &[], &[]);
    let then = "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n";
    let now = "[project]\nname = \"b\"\n[tool.pytest.ini_options]\naddopts = \"--co\"\n[tool.ruff]\nx = 1\n";
    let blended = pytest.blended(Path::new("pyproject.toml"), then.as_bytes(), now.as_bytes(), &|_| true).unwrap();
    assert_eq!(
        String::from_utf8(blended).unwrap(),
        "[project]\nname = \"b\"\n[tool.ruff]\nx = 1\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\n"
    );
    let honest = then.replace("\"a\"", "\"b\"");
    assert_eq!(pytest.blended(Path::new("pyproject.toml"), then.as_bytes(), honest.as_bytes(), &|_| true), None);
}

// P-5
#[test]
fn what_is_loaded_by_its_name_depends_on_the_runner() {
    let is = |line: &str, path: &str| {
        harness(line, "", &[], &[]).is_autoload(Path::new(path), Some(b"[tool.pytest.x]\n[tool:pytest]\n\"jest\": {"))
    };
    for path in ["sub/conftest.py", "pytest.ini", "setup.cfg", "pyproject.toml"] {
        assert!(is("python3 -m pytest", path) && is("uv run pytest -q", path) && is("./check.sh", path), "{path}");
        assert!(!is("python3 -m unittest discover -s tests", path), "unittest reads none of them: {path}");
    }
    for path in ["sitecustomize.py", "x.pth", "unittest/__init__.py", "unittest.py", "re.py", "json/__init__.py"] {
        assert!(is("python3 -m unittest -q test_calc", path), "{path}");
        assert!(is("./check.sh", path), "a script may run anything: {path}");
        assert!(!is("cargo test", path), "{path}");
    }
    for path in [".cargo/config.toml", ".cargo/config", "build.rs", "crates/a/build.rs"] {
        assert!(is("cargo test", path) && !is("pytest", path), "{path}");
    }
    for path in ["jest.config.js", "vitest.config.ts", ".mocharc.yml", ".npmrc", "package.json"] {
        assert!(is("npx jest", path) && !is("cargo test", path), "{path}");
    }
    for (line, path) in [
        ("cargo test", "src/build.rs"),
        ("pytest", "sub/re.py"),
        ("pytest", "calc.py"),
        ("npm test", "webpack.config.js"),
    ] {
        assert!(!is(line, path), "{line} {path}");
    }
    let npmrc = |content| harness("npm test", "", &[], &[]).is_autoload(Path::new(".npmrc"), content);
    assert!(!npmrc(Some(b"# ours\nfund = true\r\naudit=false\n")), "of the installation alone");
    assert!(npmrc(Some(b"fund=true\nnode-options=--require ./a.js\n")));
    assert!(npmrc(Some(b"fund=true\rnode-options=--require ./a.js\n")), "a bare CR ends a line for npm");
    assert!(npmrc(None), "what cannot be read may hold anything");
    assert!(harness("npm test", "", &[], &[]).is_harness(Path::new(".npmrc")), "whatever it holds");
    let plain = |path: &str| harness("pytest", "", &[], &[]).is_autoload(Path::new(path), Some(b"[metadata]\n"));
    assert!(!plain("setup.cfg") && !plain("pyproject.toml"), "nothing in it is for the runner");
    assert!(harness("make", "", &[], &[]).is_autoload(Path::new("GNUmakefile"), None));
    assert!(is("python3 sub/check.py", "sub/re.py"), "the script's folder comes first");
}

#[test]
fn globs_of_may_change_are_read_from_the_plans_root() {
    let harness = harness("pytest", "sub", &["test*", "golden/", "a/**/b.txt"], &[]);
    for path in ["sub/test_a.py", "sub/deep/test_a.py", "sub/golden/x/y.txt", "sub/a/c/d/b.txt", "sub/tests/x.py"] {
        assert!(harness.may_change(Path::new(path)), "{path}");
    }
    for path in ["sub/calc.py", "sub/agolden/x", "sub/a/c/d/b.txt.bak"] {
        assert!(!harness.may_change(Path::new(path)), "{path}");
    }
}

// P-5
#[test]
fn a_test_target_of_cargo_stays_the_file_that_it_was() {
    let cargo = harness("cargo test -q", "", &[], &[]);
    let blended = |then: &str, now: &str, files: &[&str]| {
        let stands = |path: &Path| files.iter().any(|file| path == Path::new(file));
        let blend = cargo.blended(Path::new("Cargo.toml"), then.as_bytes(), now.as_bytes(), &stands);
        blend.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let plain = "[package]\nname = \"words\"\nedition = \"2021\"\n";
    let with = |tests: &str| format!("{plain}{tests}\n[dependencies]\na = \"1\"\n");
    let found = ["tests/api.rs", "tests/it/main.rs"];
    for change in ["path = \"tests/suite/main.rs\"", "harness = false", "test = false", "required-features = [\"x\"]"] {
        let now = with(&format!("\n[[test]]\nname = \"api\"\n{change}\n"));
        assert_eq!(blended(plain, &now, &found), Some(with("")), "{change}");
        assert_eq!(blended(plain, &now, &[]), None, "a target that was not there: {change}");
        let named = with("\n[[test]]\nname = \"api\"\npath = \"tests/api.rs\"\n");
        assert_eq!(blended(&named, &now, &found), Some(named.clone()), "{change}");
        assert_eq!(blended(&now, &now, &found), None, "as it was: {change}");
    }
    let off = plain.replace("edition", "autotests = false\nedition");
    assert_eq!(blended(plain, &off, &found), Some(plain.to_owned()));
    assert_eq!(blended(&off, &off, &found), None);
    assert_eq!(blended("", &off, &found), None, "a package that is new");
    let other = with("\n[[test]]\nname = \"checks\"\npath = \"checks/main.rs\"\n");
    let back = format!("{}[[test]]\nname = \"checks\"\npath = \"checks/main.rs\"\n\n", with(""));
    assert_eq!(blended(&other, &with(""), &["checks/main.rs"]), Some(back), "taken out");
    assert_eq!(blended(&other, &with(""), &[]), None, "its file is no more");
    // Honest changes: a new target, an explicitly named target, other keys.
    let new =
        with("\n[[test]]\nname = \"it\"\n[[test]]\nname = \"more\"\npath = \"tests/all/more.rs\"\nharness = false\n");
    assert_eq!(blended(plain, &new, &found), None);
    assert!(!harness("pytest", "", &[], &[]).is_mixed(Path::new("Cargo.toml")));
}
