//! The clean export: files outside the tree are missing, but everything that honest work needs is there.

use super::{
    ADDS, CALC, GREET, GREETS, UNITTEST, assert_blocked, assert_clear, assert_open, begun, complete, complete_in,
    found, started, started_in,
};
use crate::support::World;

// P-5
#[test]
fn what_only_an_ignored_file_makes_green_is_red() {
    let world = started(UNITTEST, "", &[CALC, &[(".gitignore", "__pycache__/\nbuild/\n")]].concat());
    let source = "import sys\nsys.path.insert(0, 'build')\ntry:\n    from real import add\nexcept ImportError:\n    def add(a, b): return a - b\n";
    world.write("calc.py", source);
    world.write("build/real.py", ADDS);
    let finding = assert_blocked(&world, "clean-replay-red");
    assert!(
        finding["seen"]
            .as_str()
            .unwrap()
            .starts_with("verify is green in place, but red twice in a clean export: exit 1"),
        "{finding}"
    );
}

// P-5
#[test]
fn what_the_export_lacks_is_named_and_no_block() {
    let files = [GREET, &[(".gitignore", ".env\n"), ("run.sh", "set -eu\n. ./.env\nsh ./test.sh\n")]].concat();
    let world = started("sh ./run.sh", "", &files);
    world.write(".env", "LEVEL=1\n");
    world.write("greet.sh", GREETS);
    assert_open(&world, "the export lacks `.env`, which git does not have");
    let world = started("./tools/run", "", &[GREET, &[(".gitignore", "tools/\n")]].concat());
    world.script("tools/run", "#!/bin/sh\nexec sh ./test.sh\n");
    world.write("greet.sh", GREETS);
    assert_open(&world, "it cannot start in a clean export");
}

// P-5
#[test]
fn a_result_that_comes_and_goes_is_no_result() {
    let count = "n=$(cat \"$HOME/count\" 2>/dev/null || echo 0)\necho $((n + 1)) > \"$HOME/count\"\n";
    let world = started("sh ./test.sh", "", GREET);
    // Verify is green in place and in the first export, and gives the expected result for the canary; then it is red.
    world.write("greet.sh", format!("{count}if [ \"$n\" -gt 5 ]; then exit 1; fi\n{GREETS}"));
    let finding = assert_blocked(&world, "clean-replay-red");
    let seen = finding["seen"].as_str().unwrap();
    assert!(seen.starts_with("3 runs on the same files did not agree: run "), "{seen}");
    assert!(seen.contains(" failed with exit 1: ") && seen.ends_with("; the others were green"), "{seen}");
}

// P-5
#[test]
fn dependencies_are_linked_in_and_lead_into_the_export() {
    let world = started("sh ./test.sh", "", &[GREET, &[(".gitignore", "node_modules/\n")]].concat());
    world.write("node_modules/words/hello", "Hello");
    world.write("packages/mine/hello", "Hello");
    std::os::unix::fs::symlink("../packages/mine", world.path("node_modules/mine")).unwrap();
    let check = "[ \"$(cd -P node_modules/mine && pwd)\" = \"$(cd -P packages/mine && pwd)\" ] || exit 1\n";
    world.write(
        "greet.sh",
        format!("{check}hello=$(cat node_modules/words/hello)\n{}", GREETS.replace("Hello", "$hello")),
    );
    assert_clear(&world);
}

// P-5
#[test]
fn a_plan_in_a_folder_of_its_own_is_verified_there() {
    let files: Vec<(String, &str)> = GREET.iter().map(|(path, text)| (format!("app/{path}"), *text)).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    files.push(("lib/word", "Hello"));
    let world = started_in("app/", "sh ./test.sh", "", &files);
    world.write("app/greet.sh", GREETS.replace("Hello", "$(cat ../lib/word)"));
    let report = complete_in(&world, "app");
    assert_eq!(found(&report), (vec![], vec![]), "{report:#}");
}

// P-5
#[test]
fn git_says_in_the_export_what_it_says_in_place() {
    let verify = "sh ./test.sh && git diff --exit-code && git describe --tags && git log -1 --format=%H HEAD";
    let world = started(verify, "", GREET);
    world.write("greet.sh", GREETS);
    world.commit("work");
    world.git(["tag", "v1"]);
    let head = world.git(["rev-parse", "HEAD"]);
    assert_clear(&world);
    // A judge was asked, which is logged; nothing else has changed.
    assert_eq!(world.git(["rev-parse", "HEAD"]), head);
    assert_eq!(world.git(["status", "--porcelain"]).trim(), "M plan.md");
}

// P-5
#[test]
fn a_run_that_commits_or_breaks_its_copy_reaches_nobody() {
    let test = "set -eu\ngit add -A\ngit -c user.name=a -c user.email=a@b commit -q --allow-empty -m x\nrm -rf .git greet2.sh\n[ \"$(sh ./greet.sh World)\" = 'Hello, World' ]\nmkdir -p locked/in\nchmod 000 locked\n";
    let in_export =
        format!("case $PWD in */plan-gate-*) ;; *) sh ./greet.sh World | grep -q Hello; exit;; esac\n{test}");
    let world = started("sh ./test.sh", "", &[("greet.sh", "echo hi\n"), ("greet2.sh", "\n"), ("test.sh", &in_export)]);
    world.write("greet.sh", GREETS);
    world.commit("work");
    let head = world.git(["rev-parse", "HEAD"]);
    assert_clear(&world);
    assert_eq!(world.git(["rev-parse", "HEAD"]), head);
    assert!(world.path("greet2.sh").exists());
}

// P-5
#[test]
fn a_build_that_goes_by_time_builds_what_was_changed() {
    let make = "_build/greet: greet.sh\n\tmkdir -p _build && cp greet.sh _build/greet\ncheck: _build/greet\n\tsh ./test.sh\n.PHONY: check\n";
    let test = GREET[1].1.replace("./greet.sh", "_build/greet");
    let world = started(
        "make -s check",
        "",
        &[("greet.sh", "echo hi\n"), ("test.sh", &test), ("Makefile", make), (".gitignore", "_build/\n")],
    );
    world.write("greet.sh", GREETS);
    assert_clear(&world);
}

// P-5
#[cfg(target_os = "linux")]
#[test]
fn a_verify_that_reads_the_work_tree_is_not_blamed_for_it() {
    let files = [
        (".gitignore", "__pycache__/\n"),
        ("src/calc.py", CALC[1].1),
        ("tests/__init__.py", ""),
        ("tests/test_calc.py", "import unittest\n"),
    ];
    let world = started("python3 -B -m unittest -q tests.test_calc", "may_change: tests/*\n", &files);
    // The tests load the source by an absolute path, as with an editable install.
    let source = world.path("src");
    let test = format!("import sys\nsys.path.insert(0, {:?})\n{}", source.to_string_lossy(), CALC[2].1);
    world.write("tests/test_calc.py", test);
    world.write("src/calc.py", ADDS);
    assert_open(&world, "no-mutant-killed: `src");
}

/// A project whose tests import its package through an editable install, as `pip install -e .` and `uv sync` create it.
#[cfg(target_os = "linux")]
fn editable(test: &str) -> World {
    let world = World::new();
    let made =
        std::process::Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(world.path(".venv")).status();
    assert!(made.unwrap().success());
    let python = std::fs::read_dir(world.path(".venv/lib")).unwrap().next().unwrap().unwrap().path();
    let source = format!("{}\n", world.path("src").display());
    std::fs::write(python.join("site-packages/__editable__.calc.pth"), source).unwrap();
    let files = [
        (".gitignore", "__pycache__/\n.venv/\n"),
        ("src/calc/__init__.py", "from calc.sums import add\n"),
        ("src/calc/sums.py", CALC[1].1),
        ("tests/__init__.py", ""),
        ("tests/test_calc.py", test),
    ];
    begun(world, "", ".venv/bin/python -m unittest -q tests.test_calc", "", &files)
}

// P-5. This once failed: the rows could not decide, because every run read the work tree.
#[cfg(target_os = "linux")]
#[test]
fn an_editable_install_is_imported_from_the_export() {
    let world = editable(CALC[2].1);
    world.write("src/calc/sums.py", ADDS);
    assert_clear(&world);
    // A test that checks only the name.
    let test = "import unittest\nimport calc.sums\nclass T(unittest.TestCase):\n    def test_total(self):\n        self.assertTrue(hasattr(calc.sums, 'total'))\n";
    let world = editable(test);
    world.write("src/calc/sums.py", format!("{ADDS}\ndef total(numbers):\n    return 1 - sum(numbers)\n"));
    assert_blocked(&world, "no-mutant-killed");
}

// P-5: the linked environment is the user's own
#[test]
fn uv_installs_no_export() {
    let uv =
        "case $PWD in */plan-gate-*) [ \"${UV_NO_SYNC-}\" = 1 ] ;; *) [ -z \"${UV_NO_SYNC-}\" ] ;; esac || exit 1\n";
    let world = started("sh ./test.sh", "", &[GREET, &[("test.sh", &format!("{uv}{}", GREET[1].1))]].concat());
    world.write("greet.sh", GREETS);
    assert_clear(&world);
}

// P-5
#[cfg(target_os = "linux")]
#[test]
fn one_look_at_the_work_tree_excuses_nothing() {
    let world = started("sh ./test.sh", "kind: refactor\n", GREET);
    let (greet, seen) = (world.path("greet.sh"), world.base().join("seen"));
    // This reads the work tree as an editor or an indexer does, only in the first run in the export; it does not test the work.
    let look = format!(
        "case $PWD in */plan-gate-*) [ -e {seen:?} ] || cat {greet:?} > {seen:?};; esac\nsh ./greet.sh World > /dev/null\n"
    );
    world.write("test.sh", look);
    world.commit("a test that tries nothing");
    let again = world.plan(["goal", "start", "g-1"]);
    assert_eq!(again.code, 0, "{again:?}");
    world.write("greet.sh", GREETS);
    assert_blocked(&world, "no-mutant-killed");
    assert!(seen.exists());
}

// P-47: the tree above a submodule knows only its commits, so the remedy names the commit
#[test]
fn work_inside_a_submodule_is_told_to_be_committed_there() {
    let inner = World::new().file("greet.sh", GREET[0].1).committed();
    let world = World::new();
    world.git(["submodule", "--quiet", "add", &inner.root().to_string_lossy(), "lib"]);
    let test = GREET[1].1.replace("./greet.sh", "lib/greet.sh");
    let world = begun(world, "", "sh ./test.sh", "", &[("test.sh", &test)]);
    world.write("lib/greet.sh", GREETS);
    let way = "commit what is changed inside the submodule `lib`, or let git ignore it there: `git -C lib status`";
    assert_eq!(assert_blocked(&world, "no-change")["resolve"], way);
    // The work is committed, and verify leaves a file there.
    world.git(["-C", "lib", "commit", "--quiet", "--all", "-m", "greets"]);
    world.write("lib/left.tmp", "");
    let report = complete(&world);
    assert_eq!(report["findings"][0]["resolve"], way, "{report:#}");
    world.git(["-C", "lib", "clean", "--quiet", "--force"]);
    assert_clear(&world);
}

// P-47: work trees may share one folder, and the rule `node_modules/` does not ignore a link
#[test]
fn a_link_to_shared_dependencies_leads_there_in_the_export() {
    let test = "[ \"$(sh ./greet.sh)\" = 'hello Ann' ]\n";
    let files = [("greet.sh", "cat node_modules/words/hello\n"), ("test.sh", test), (".gitignore", "node_modules/\n")];
    let world = World::new();
    world.write("../shared/words/hello", "hello");
    std::os::unix::fs::symlink("../shared", world.path("node_modules")).unwrap();
    let world = begun(world, "", "sh ./test.sh", "", &files);
    world.write("greet.sh", "echo \"$(cat node_modules/words/hello) Ann\"\n");
    assert_clear(&world);
}

// P-47: the export has the files of a submodule, at the commit that the layout names
#[test]
fn a_clean_submodule_is_there_in_the_export() {
    let inner = World::new().file("base.sh", "base() { echo hello; }\n").committed();
    let world = World::new();
    world.git(["submodule", "--quiet", "add", &inner.root().to_string_lossy(), "lib"]);
    let test = ". lib/base.sh\n[ \"$(. ./greet.sh)\" = 'hello Ann' ]\n";
    let world = begun(world, "", "sh ./test.sh", "", &[("greet.sh", "base\n"), ("test.sh", test)]);
    world.write("greet.sh", "echo \"$(base) Ann\"\n");
    assert_clear(&world);
    assert!(world.path("lib/base.sh").exists());
    // The work is the next commit of the submodule: the start has the previous commit.
    world.git(["checkout", "--quiet", "greet.sh"]);
    world.write("lib/base.sh", "base() { echo hello Ann; }\n");
    world.git(["-C", "lib", "commit", "--quiet", "--all", "-m", "Ann"]);
    assert_clear(&world);
    // If the submodule has a test, nobody can tell whether the test became weaker.
    world.write("lib/tests/check.sh", "true\n");
    world.git(["-C", "lib", "add", "tests"]);
    world.git(["-C", "lib", "commit", "--quiet", "--amend", "-m", "Ann"]);
    assert_open(&world, "`lib/tests/check.sh` has changed since the start, together with its submodule");
}

// P-5, P-47: a submodule that the work adds was not there at the start, and builds are not older than the files that came
#[test]
fn an_export_has_the_submodules_of_its_layout() {
    let inner = World::new().file("sum.sh", "echo $((2 - 3))\n").committed();
    let add = |world: &World| world.git(["submodule", "--quiet", "add", &inner.root().to_string_lossy(), "lib"]);
    let world = started("sh ./test.sh", "", &[("test.sh", "[ \"$(sh lib/sum.sh)\" = -1 ]\n")]);
    add(&world);
    assert_clear(&world);
    let world = World::new();
    add(&world);
    let makefile = "test: _build/sum.sh\n\t[ \"$$(sh _build/sum.sh)\" = 5 ]\n_build/sum.sh: lib/sum.sh\n\tmkdir -p _build && cp lib/sum.sh $@\n";
    let world = begun(world, "", "make -s test", "", &[("Makefile", makefile), (".gitignore", "_build/\n")]);
    world.write("lib/sum.sh", "echo $((2 + 3))\n");
    world.git(["-C", "lib", "commit", "--quiet", "--all", "-m", "sum"]);
    assert_clear(&world);
}

// P-5: verify runs a script of the submodule, so its commit may have become weaker
#[test]
fn what_steers_verify_in_a_submodule_is_not_changed_unseen() {
    let inner = World::new().file("run.sh", "[ \"$(sh ./calc.sh 2 3)\" = 5 ]\n").committed();
    let world = World::new();
    world.git(["submodule", "--quiet", "add", &inner.root().to_string_lossy(), "lib"]);
    let world = begun(world, "", "sh lib/run.sh", "", &[("calc.sh", "echo $(($1 - $2))\n")]);
    world.write("calc.sh", "echo $(($1 - $2 - 0))\n");
    world.write("lib/run.sh", "sh ./calc.sh 2 3 >/dev/null || exit 1\n");
    world.git(["-C", "lib", "commit", "--quiet", "--all", "-m", "run"]);
    assert_open(&world, "`lib/run.sh` has changed since the start, together with its submodule");
}
