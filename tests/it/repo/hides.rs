//! Files that git hides are found, and ignored files are reported with the rule.

use std::fs;
use std::path::{Path, PathBuf};

use plan::repo::{Flag, Hide};

use super::support::World;

fn hides(world: &World) -> Vec<Hide> {
    world.repo().hides(&world.tree()).unwrap()
}

#[test]
fn an_ordinary_repository_hides_nothing() {
    let world = World::new();
    world.git(&["config", "core.fsmonitor", "true"]);
    assert_eq!(hides(&world), []);
}

#[test]
fn flags_are_found_but_for_absent_files_of_a_sparse_checkout() {
    let world = World::new();
    world.git(&["sparse-checkout", "set", "--no-cone", "/a", "/plan.md"]);
    assert_eq!(hides(&world), []);
    // git itself removes skip-worktree from a file that a sparse checkout has.
    world.git(&["update-index", "--assume-unchanged", "a"]);
    let [Hide::Flagged(flagged)] = &hides(&world)[..] else { panic!("{:?}", hides(&world)) };
    assert_eq!((flagged.path.as_path(), flagged.flag, flagged.absent), (Path::new("a"), Flag::AssumeUnchanged, false));
    let world = World::new();
    world.git(&["update-index", "--skip-worktree", "a"]);
    let [Hide::Flagged(flagged)] = &hides(&world)[..] else { panic!("{:?}", hides(&world)) };
    assert_eq!((flagged.path.as_path(), flagged.flag, flagged.absent), (Path::new("a"), Flag::SkipWorktree, false));
}

#[test]
fn replacements_grafts_and_settings_are_found() {
    let world = World::new();
    let (blob, other) = (world.git(&["rev-parse", "HEAD:a"]), world.git(&["rev-parse", "HEAD:src/b"]));
    world.git(&["replace", &blob, &other]);
    fs::write(world.git_dir().join("info/grafts"), "# nothing\n").unwrap();
    for (key, value) in [("core.checkStat", "minimal"), ("core.trustctime", "false"), ("core.excludesFile", "/x")] {
        world.git(&["config", key, value]);
    }
    let setting = |key: &str, value: &str| Hide::Setting(key.to_owned(), value.to_owned());
    let replaced = Hide::Replaced(format!("refs/replace/{blob}"));
    let settings =
        [setting("core.checkstat", "minimal"), setting("core.trustctime", "false"), setting("core.excludesfile", "/x")];
    assert_eq!(hides(&world), [&[replaced][..], &settings].concat());
    fs::write(world.git_dir().join("info/grafts"), world.git(&["rev-parse", "HEAD"])).unwrap();
    assert!(hides(&world).contains(&Hide::Grafts));
}

#[test]
fn files_that_only_this_clone_converts_are_found() {
    let world = World::new();
    let attributes = world.git_dir().join("info/attributes");
    fs::write(&attributes, "# filter\n* text=auto eol=lf\na diff=x\n").unwrap();
    assert_eq!(hides(&world), []);
    let converted = [Hide::Converted(PathBuf::from("a"))];
    for line in ["a filter=keep", "/a\tident", "\"a\" -text working-tree-encoding=UTF-16", "[attr]x filter=y\na x"] {
        fs::write(&attributes, format!("{line}\n")).unwrap();
        assert_eq!(hides(&world), converted, "{line}");
    }
    fs::remove_file(&attributes).unwrap();
    fs::write(world.git_dir().join("mine"), "a filter=keep\n").unwrap();
    world.git(&["config", "core.attributesFile", ".git/mine"]);
    assert_eq!(hides(&world), converted);
}

#[test]
fn files_that_only_this_clone_ignores_are_found() {
    let world = World::new();
    world.write(".gitignore", "*.log\n").write("tests/conftest.py", "").write("x.log", "").write("tests/y", "");
    fs::write(world.git_dir().join("info/exclude"), "# comment\ntests/\n").unwrap();
    let found = ["tests/conftest.py", "tests/y"].map(|path| Hide::Excluded(PathBuf::from(path)));
    assert_eq!(hides(&world), found);
}

#[test]
fn what_is_ignored_is_said_with_its_rule() {
    let world = World::new();
    world.write(".gitignore", "*.log\n\n!keep.log\nout/\n").write("forced.log", "x").write("new\nline.log", "");
    world.git(&["add", "-f", "forced.log"]);
    let paths =
        ["a.log", "keep.log", "out/deep/x", "a", "forced.log", "new\nline.log", "-x", "src/../a.log"].map(Path::new);
    let repo = world.repo();
    assert_eq!(repo.ignored(&paths[..7]).unwrap(), [true, false, true, false, false, true, false]);
    let rule = repo.ignored_by(&paths[2..3]).unwrap().remove(0).unwrap();
    assert_eq!((rule.source.as_path(), rule.line, rule.pattern.as_str()), (Path::new(".gitignore"), 4, "out/"));
    assert!(repo.ignored(&paths[7..]).unwrap_err().message.ends_with(&format!("`{}`", world.top.display())));
    assert_eq!(repo.ignored(&[&world.top.join("b.log")]).unwrap(), [true]);
    assert_eq!(repo.ignored(&[]).unwrap(), Vec::<bool>::new());
}

#[test]
fn files_that_a_setting_of_this_clone_hides_are_found() {
    let world = World::new();
    world.write("sitecustomize.py", "").write("mine", "sitecustomize.py\n");
    world.git(&["config", "core.excludesFile", "mine"]);
    assert!(hides(&world).contains(&Hide::Excluded(PathBuf::from("sitecustomize.py"))), "{:?}", hides(&world));
}
