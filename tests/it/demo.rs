//! `plan demo`: the whole demo on a machine that has only git and `sh`.

use crate::support::World;

// P-9, P-5, P-7
#[test]
fn it_signs_off_what_is_honest_and_refuses_what_is_gamed() {
    let world = World::without_git();
    std::fs::remove_dir_all(world.base().join("home")).unwrap();
    std::fs::create_dir(world.base().join("home")).unwrap();
    let output = world.plan(["demo"]);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{}", output.stdout);
    let text = &output.stdout;
    assert!(text.contains("signed off") && text.contains("rejected"), "{text}");
    for command in ["plan init", "plan goal add", "plan complete"] {
        assert!(text.contains(command), "`{command}` is not shown:\n{text}");
    }
    assert!(text.contains("checks"), "the judge without a model:\n{text}");
    let home: Vec<_> = std::fs::read_dir(world.base().join("home")).unwrap().collect();
    assert!(home.is_empty(), "written into HOME: {home:?}");
    let work: Vec<_> = std::fs::read_dir(world.root()).unwrap().collect();
    assert!(work.is_empty(), "written into the working folder: {work:?}");
}

#[test]
fn it_works_inside_a_repository_and_leaves_that_alone() {
    let world = World::new().file("plan.md", "# Plan: Mine\n").committed();
    let before = world.git(["for-each-ref"]);
    assert_eq!(world.plan(["demo"]).code, 0);
    assert_eq!(world.git(["status", "--porcelain"]), "");
    assert_eq!(world.git(["for-each-ref"]), before);
    assert_eq!(world.plan_md(), "# Plan: Mine\n");
}

#[test]
fn it_keeps_its_repository_when_asked() {
    let world = World::without_git().crashes();
    let output = world.plan(["demo", "--keep", "--json"]);
    let told = output.json(0);
    let folder = told["folder"].as_str().unwrap().replace("[TMP]", &world.base().display().to_string());
    assert!(std::path::Path::new(&folder).join("repo/plan.md").is_file(), "{folder}");
    assert!(world.plan(["demo", "--json"]).json(0)["folder"].is_null());
}

#[test]
fn interrupted_it_leaves_nothing_behind() {
    let world = World::without_git();
    let mut child = world.interruptible(["demo"]).stdout(std::process::Stdio::null()).spawn().unwrap();
    let folder = || std::fs::read_dir(world.base().join("tmp")).unwrap().flatten().map(|entry| entry.path()).next();
    while !folder().is_some_and(|folder| folder.join("repo/plan.md").exists()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it had begun");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(folder().is_none(), "{:?}", folder());
}
