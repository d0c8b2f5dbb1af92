//! `runner-moved`: verify is not run by the same program as at the start.

use super::{CALC, FIXED, calc, with};

// P-5
#[test]
fn another_program_of_that_name_is_noticed() {
    let world = with("check-it calc.py", "", &[("calc.py", CALC)]);
    let world = world.program("check-it", "#!/bin/sh\ngrep -q 'a + b' \"$1\"\n");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("calc.py", FIXED);
    let seen = |path: &std::ffi::OsStr| {
        let output = world.call(["verify", "g-1", "--gate", "fast", "--json"]).env("PATH", path).run();
        assert_eq!(output.code, 0, "{output:?}");
        let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        let found = json["findings"].as_array().unwrap().clone();
        found
            .iter()
            .find(|found| found["code"] == "runner-moved")
            .map(|found| found["seen"].as_str().unwrap().to_owned())
    };
    let path = |first: &str| {
        std::env::join_paths([world.path(first), world.base().join("bin"), "/usr/bin".into(), "/bin".into()]).unwrap()
    };
    assert_eq!(seen(&path("none")), None);
    world.script("tools/check-it", "#!/bin/sh\nexit 0\n");
    assert!(seen(&path("tools")).unwrap().starts_with("`check-it` is `"), "{:?}", seen(&path("tools")));
    // P-45: the cause, and the command that repairs it, which works.
    let told = world.call(["complete", "g-1", "--judge", "checks"]).env("PATH", path("tools")).run();
    let command = "`PATH=[TMP]/bin:\"$PATH\" plan complete g-1`";
    let said = told.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let cause = "the `PATH` has changed; put the folder of the start first: ";
    assert!(said.contains("runner-moved") && said.contains(&format!("{cause}{command}")), "{told:?}");
    assert!(
        said.ends_with("When it is fixed: plan complete g-1 --judge checks"),
        "cancelling is not the way: {told:?}"
    );
    let mut first = world.base().join("bin").into_os_string();
    first.push(":");
    first.push(path("tools"));
    // The program is that of the start again; the folder stays a lead.
    assert!(seen(&first).unwrap().starts_with("`PATH` has new folders inside the repository"));
    let world = world.program("check-it", "#!/bin/sh\nexit 0\n");
    let output = world.plan(["verify", "g-1", "--gate", "fast"]);
    assert!(output.stdout.contains("but its content differs from the start"), "{output:?}");
}

// P-5
#[test]
fn a_loader_variable_that_was_not_set_is_noticed_by_its_name_alone() {
    let world = calc("");
    let moved = |name: &str, value: &str| {
        let output = world.call(["verify", "g-1", "--gate", "fast", "--json"]).env(name, value).run();
        assert!(!output.stdout.contains("s3cret"), "{output:?}");
        output.stdout.contains("runner-moved")
    };
    assert!(!moved("EDITOR", "s3cret"));
    assert!(moved("PYTHONPATH", "s3cret"));
    assert!(moved("LD_LIBRARY_PATH", "/s3cret"));
    let told = world.call(["verify", "g-1"]).env("PYTHONPATH", "s3cret").run();
    assert!(told.stdout.contains("`env -u PYTHONPATH plan complete g-1`"), "{told:?}");
    assert!(moved("MAKEFILES", "/s3cret"));
    assert!(moved("PYTHONUSERBASE", "/s3cret"));
    for other in ["RUSTC_WRAPPER", "RUSTUP_TOOLCHAIN", "GOENV", "PHPRC", "HARNESS_PERL_SWITCHES"] {
        assert!(!moved(other, "s3cret"), "python does not heed {other}");
    }
}

// P-5
#[test]
fn an_ignored_script_that_verify_starts_is_compared() {
    let ignored = (".gitignore", ".tools/\nbuild/\n.venv/\n");
    let moved = |verify: &str, script: &str, made: &str| {
        let world = with(verify, "", &[("calc.py", CALC), ignored]);
        world.script(script, "#!/bin/sh\ngrep -q 'a + b' calc.py\n");
        assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
        world.write("calc.py", FIXED);
        world.script(script, made);
        let output = world.plan(["verify", "g-1", "--gate", "fast"]);
        output.stdout.contains("runner-moved")
    };
    let other = "#!/bin/sh\ngrep -q add calc.py\n";
    assert!(moved(".tools/run calc.py", ".tools/run", other));
    assert!(!moved(".tools/run calc.py", ".tools/run", "#!/bin/sh\ngrep -q 'a + b' calc.py\n"));
    // A program that was built or installed again is honest.
    assert!(!moved("sh -c 'exit 0' && .tools/run", ".tools/run", other), "a command before it may have made it");
    assert!(!moved("build/run", "build/run", other));
    assert!(!moved(".venv/bin/run", ".venv/bin/run", other));
}
