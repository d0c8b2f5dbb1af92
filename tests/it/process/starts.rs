//! A program that cannot be started is named, with the reason.

use std::path::Path;

use plan::process::run::End;

use super::support::World;

fn refusal(world: &World, program: &str) -> String {
    match world.run(&world.spec([program])).end {
        End::NotStarted(why) => why,
        other => panic!("`{program}`: {other:?}"),
    }
}

#[test]
fn a_missing_program_is_named() {
    let world = World::new();
    assert_eq!(refusal(&world, "frobnicate-x"), "`frobnicate-x` cannot be started: not found on `PATH`");
    assert_eq!(refusal(&world, "./frobnicate"), "`./frobnicate` cannot be started: no such file");
    assert_eq!(refusal(&world, ""), "the name of the program is empty");
}

#[test]
fn a_file_that_cannot_be_run_is_told_from_a_missing_one() {
    let world = World::new();
    world.file("plain", "#!/bin/sh\n", 0o644);
    std::fs::create_dir(world.path("folder")).unwrap();
    assert_eq!(refusal(&world, "./plain"), "`./plain` cannot be started: it is not executable; `chmod +x` makes it so");
    assert_eq!(refusal(&world, "./folder"), "`./folder` cannot be started: it is a folder");
    assert_eq!(refusal(&world, "/dev/null"), "`/dev/null` cannot be started: it is not a regular file");
}

#[test]
fn a_bad_interpreter_is_named() {
    let world = World::new();
    world.file("lost", "#!/no/such/interpreter -x\n", 0o755);
    world.file("windows", "#!/bin/sh\r\necho\r\n", 0o755);
    world.file("plain", "#!/etc/passwd\n", 0o755);
    assert_eq!(
        refusal(&world, "./lost"),
        "`./lost` cannot be started: its interpreter `/no/such/interpreter` does not exist"
    );
    assert_eq!(
        refusal(&world, "./windows"),
        "`./windows` cannot be started: its first line ends with a carriage return, which becomes part of the interpreter's name"
    );
    assert_eq!(refusal(&world, "./plain"), "`./plain` cannot be started: its interpreter `/etc/passwd` may not be run");
}

/// A shell would run the script itself. We start no shell, so we report what is missing.
#[test]
fn a_script_without_an_interpreter_is_not_guessed_at() {
    let world = World::new();
    world.file("bare", "echo ran > proof\n", 0o755);
    world.file("binary", b"\x7fELF\0\0\0", 0o755);
    for name in ["./bare", "./binary"] {
        let why = refusal(&world, name);
        assert!(why.contains("nor a script that begins with `#!`; name its interpreter, as in `sh FILE`"), "{why}");
    }
    assert!(!world.path("proof").exists());
}

#[test]
fn words_of_the_shell_are_explained() {
    let world = World::new();
    let why = "it works only in a shell and is not a program; put the line in a script and name the script";
    assert_eq!(refusal(&world, "cd"), format!("`cd` cannot be started: {why}"));
    assert_eq!(refusal(&world, "!"), format!("`!` cannot be started: {why}"));
}

#[test]
fn a_missing_folder_is_named() {
    let world = World::new();
    let mut spec = world.spec(["true"]);
    spec.cwd = "/no/such/folder".into();
    assert_eq!(
        world.run(&spec).end,
        End::NotStarted("`true` cannot be started: its folder `/no/such/folder` does not exist".to_owned())
    );
}

#[test]
fn arguments_that_the_system_does_not_take_are_told() {
    let world = World::new();
    let ran = world.run(&world.spec(["true".to_owned(), "x".repeat(1 << 20)]));
    let End::NotStarted(why) = ran.end else { panic!("{:?}", ran.end) };
    assert!(why.ends_with("its arguments and environment are longer than the system allows"), "{why}");
    let ran = world.run(&world.spec(["true".to_owned(), "x".repeat(100_000)]));
    assert_eq!(ran.end, End::Exited(0));
}

/// A repository must not decide which program runs.
#[test]
fn relative_entries_of_path_are_passed_over() {
    let world = World::new();
    world.file("frobnicate-x", "#!/bin/sh\necho hijacked\n", 0o755);
    let mut spec = world.spec(["frobnicate-x"]);
    let up = "../".repeat(std::env::current_dir().unwrap().components().count());
    let relative = format!("{up}{}", world.folder.path().strip_prefix("/").unwrap().display());
    assert!(Path::new(&relative).join("frobnicate-x").exists());
    spec.env = spec.env.set("PATH", format!("{relative}:.::/usr/bin:/bin"));
    assert!(matches!(world.run(&spec).end, End::NotStarted(_)));
    spec.env = spec.env.set("PATH", world.folder.path());
    let ran = world.run(&spec);
    assert_eq!((ran.end, ran.program), (End::Exited(0), Some(world.path("frobnicate-x"))));
}

/// Variables that `verify` sets for its program must not reach the launcher that watches the program.
#[test]
fn loader_variables_do_not_reach_the_launcher() {
    let world = World::new();
    let mut spec = world.sh_spec("tr '\\0' '\\n' < /proc/$PPID/environ | grep -c LD_PRELOAD; echo $?");
    spec.env = spec.env.set("LD_PRELOAD", "");
    let ran = world.run(&spec);
    assert_eq!(ran.end, End::Exited(0), "{}", ran.tail.text());
    assert!(ran.tail.text().contains("0\n1\n") || ran.tail.text().contains("Permission denied"), "{}", ran.tail.text());
}
