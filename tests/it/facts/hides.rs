//! `git-hides`: settings that make git show less than there is.

use super::{BLOCK, CALC, FIXED, LEAD, QUIET, TEST, UNITTEST, calc, levels, look, started, with};

// P-5
#[test]
fn what_git_was_told_to_hide_blocks() {
    let world = calc("");
    world.git(["update-index", "--assume-unchanged", "test_calc.py"]);
    assert_eq!(levels(&world, "git-hides"), BLOCK);
    assert_eq!(
        look(&world).remove(0),
        serde_json::json!({
            "code": "git-hides",
            "level": "block",
            "place": "test_calc.py",
            "expected": "git to show every change in the repository",
            "seen": "`test_calc.py` is marked assume-unchanged, so git does not show its changes",
            "resolve": "`git update-index --no-assume-unchanged test_calc.py`",
        })
    );
    let skipped = calc("");
    skipped.git(["update-index", "--skip-worktree", "test_calc.py"]);
    assert_eq!(levels(&skipped, "git-hides"), BLOCK);
    let replaced = calc("");
    let (one, other) = (replaced.git(["rev-parse", "HEAD:calc.py"]), replaced.git(["rev-parse", "HEAD:test_calc.py"]));
    replaced.git(["replace", one.trim(), other.trim()]);
    assert_eq!(levels(&replaced, "git-hides"), BLOCK);
    for (key, value, levels_of) in [
        ("core.checkStat", "minimal", BLOCK),
        ("core.ignoreStat", "true", BLOCK),
        ("core.trustctime", "false", LEAD),
        ("core.fsmonitor", "true", QUIET),
    ] {
        let world = calc("");
        world.git(["config", key, value]);
        assert_eq!(levels(&world, "git-hides"), levels_of, "{key}");
    }
}

// P-5
#[test]
fn a_persons_own_settings_may_be_kept_from_git() {
    let files = [("calc.py", CALC), ("test_calc.py", TEST), ("local.ini", "host = a\n")];
    let world = with(UNITTEST, "", &files);
    world.git(["update-index", "--skip-worktree", "local.ini"]);
    world.write("local.ini", "host = b\n");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("calc.py", FIXED);
    assert_eq!(levels(&world, "git-hides"), LEAD);
    world.write("local.ini", "host = c\n");
    assert_eq!(levels(&world, "git-hides"), BLOCK, "it changed with the work");
}

// P-5
#[test]
fn attributes_of_this_clone_alone_may_not_convert_tests() {
    for (file, expected) in [("test_calc.py", BLOCK), ("calc.py", QUIET), ("tests/look.ipynb", LEAD)] {
        let files = [("calc.py", CALC), ("test_calc.py", TEST), ("tests/look.ipynb", "{}\n")];
        let world = started(UNITTEST, "", &files);
        world.write("calc.py", FIXED);
        world.git(["config", "filter.keep.clean", "cat"]);
        world.write(".git/info/attributes", format!("{file} filter=keep\n"));
        assert_eq!(levels(&world, "git-hides"), expected, "{file}");
    }
}

// P-5
#[test]
fn a_rule_of_this_clone_alone_may_hide_notes_but_no_tests() {
    for (file, expected) in [
        ("sitecustomize.py", BLOCK),
        ("test_more.py", BLOCK),
        ("notes.txt", QUIET),
        (".venv/lib/site-packages/numpy/conftest.py", QUIET),
    ] {
        let world = calc("");
        world.write(file, "");
        world.write(".git/info/exclude", format!("/{}\n", file.split('/').next().unwrap()));
        assert_eq!(levels(&world, "git-hides"), expected, "{file}");
    }
    let world = calc("");
    world.write("playground/test_try.py", "import calc\n");
    world.write(".git/info/exclude", "playground/\n");
    assert_eq!(levels(&world, "git-hides"), LEAD);
    world.write("playground/kept.py", "");
    world.git(["add", "-f", "playground/kept.py"]);
    assert_eq!(levels(&world, "git-hides"), BLOCK, "beside what is the repository's");
    let world = calc("");
    world.write("test_more.py", "");
    world.write("rules", "test_more.py\n");
    world.git(["config", "core.excludesFile", "rules"]);
    assert_eq!(levels(&world, "git-hides"), BLOCK);
}
