//! `plan demo`: the whole story on a machine that has nothing but git and `sh`.

use crate::support::World;

// P-9, P-5, P-7
#[test]
fn it_signs_off_what_is_honest_and_refuses_what_is_gamed() {
    let world = World::without_git().crashes();
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
    let world = World::new().file("plan.md", "# Plan: Mine\n").committed().crashes();
    let before = world.git(["for-each-ref"]);
    assert_eq!(world.plan(["demo"]).code, 0);
    assert_eq!(world.git(["status", "--porcelain"]), "");
    assert_eq!(world.git(["for-each-ref"]), before);
    assert_eq!(world.plan_md(), "# Plan: Mine\n");
}
