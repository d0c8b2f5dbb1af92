//! The choice of a judge, and the choices that only a person may make (`SIGNOFF.md` §6, `CONTRACT.md` §1). Each gap here was open once.

use crate::support::World;
use crate::support::judge::{HONEST, world};

const COMPLETE: [&str; 4] = ["complete", "fast-1", "--path", "result.txt"];

/// The judge `cmd:judge`, set by a person.
fn set() -> World {
    let world = world().judge("judge", HONEST, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:judge"]).code, 0);
    world
}

/// Returns the reason why the judge is the caller's; empty if it is the user's own. `plan` marks only the caller's.
#[track_caller]
fn callers(world: &World, json: &serde_json::Value) -> String {
    let why = json["judges"][0]["callers"].as_str().unwrap_or_default().to_owned();
    let named = world.plan_md().contains("(named by caller)");
    assert_eq!(named, !why.is_empty(), "{json:#}");
    let shown = world.plan([""; 0]).stdout;
    assert_eq!(shown.contains("  fast-1\n    signed off by a judge that its caller named\n"), named);
    let audit = world.plan(["audit", "--json"]).stdout;
    assert_eq!(audit.contains("judge-named-by-caller"), named, "{audit}");
    assert_eq!(json["judges"][0]["named_by"], if named { "caller" } else { "user" });
    why
}

/// Changes the goal of the world so that the judge `checks` can accept it.
fn checkable() -> World {
    let world = world();
    let plan = world.plan_md().replace("status: active", "status: open");
    world.write("plan.md", plan.replace("without the cache", "without the cache (check: test ! -e cache.off)"));
    let result = world.read("result.txt");
    world.write("result.txt", "p95 71 ms\n");
    world.commit("slow");
    assert!(world.plan(["goal", "start", "fast-1"]).stdout.contains("verify red"));
    world.write("result.txt", result + "second run\n");
    world
}

// P-16: a user without an account sets `checks` once
#[test]
fn what_the_user_set_carries_no_mark() {
    let world = checkable();
    let none = world.plan(COMPLETE);
    assert_eq!(none.code, 3, "{none:?}");
    assert!(none.stderr.contains("`plan judge set checks` needs no account"), "{none:?}");
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    let done = world.plan(COMPLETE.iter().chain(&["--json"])).json(0);
    assert_eq!(callers(&world, &done), "");
    assert!(world.plan_md().contains("oracle accept by checks, contract"), "{}", world.plan_md());
}

// SIGNOFF.md §6
#[test]
fn checks_after_the_users_own_judge_is_the_callers() {
    let world = checkable();
    assert_eq!(world.plan(["judge", "set", "claude"]).code, 0);
    let done = world.plan(COMPLETE.iter().chain(&["--judge", "checks", "--json"])).json(0);
    assert!(callers(&world, &done).starts_with("your setting is claude; `plan judge set checks` in your own terminal"));
}

// SIGNOFF.md §6
#[test]
fn one_judge_of_two_that_are_set_is_the_callers() {
    let world = world().judge("judge", HONEST, "accept").judge("second", HONEST, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:judge", "cmd:second"]).code, 0);
    let one = world.plan(COMPLETE.iter().chain(&["--judge", "cmd:judge", "--json"])).json(0);
    assert!(callers(&world, &one).starts_with("your setting is cmd:judge, cmd:second; "));
    world.git(["checkout", "--quiet", "plan.md"]);
    let both = world.plan(COMPLETE.iter().chain(&["--json"])).json(0);
    assert_eq!(callers(&world, &both), "");
}

// SIGNOFF.md §6
#[test]
fn a_configuration_that_a_changed_home_leads_to_is_not_the_users() {
    for variable in ["HOME", "XDG_CONFIG_HOME"] {
        let world = world().judge("yes", HONEST, "accept");
        let folder = world.base().join("tmp/own");
        let below = if variable == "HOME" { ".config/plan/config.yaml" } else { "plan/config.yaml" };
        let file = folder.join(below);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "judge: cmd:yes\n").unwrap();
        // As with `env -u XDG_CONFIG_HOME HOME=…`: an empty variable counts as unset.
        let call = world.call(COMPLETE.iter().chain(&["--json"])).env("XDG_CONFIG_HOME", "");
        let done = call.env(variable, &folder).run().json(0);
        let why = callers(&world, &done);
        assert!(why.contains("is not your account's configuration"), "{variable}: {why}");
        // P-45: the audit's advice is for this environment.
        let audit = world.call(["audit"]).env("XDG_CONFIG_HOME", "").env(variable, &folder).run();
        let told = audit.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let set = "`env -u XDG_CONFIG_HOME HOME=[TMP]/home plan judge set REF` in your own terminal";
        assert!(
            told.contains(&format!("{set}, then `plan complete fast-1 --judge REF`, where REF is a judge of yours")),
            "{audit:?}"
        );
        std::fs::remove_dir_all(&folder).unwrap();
        // This is the one command that the message names.
        let command = why.split('`').nth(3).unwrap().replace("[TMP]", &world.base().to_string_lossy());
        let command = command.replace("plan judge", &format!("{} judge", env!("CARGO_BIN_EXE_plan")));
        assert_eq!(world.call_program("sh", ["-c", &command]).run().code, 0, "{command}");
        world.git(["checkout", "--quiet", "plan.md"]);
        assert_eq!(callers(&world, &world.plan(COMPLETE.iter().chain(&["--json"])).json(0)), "");
    }
}

#[test]
fn to_set_a_judge_under_another_home_says_that_it_will_be_marked() {
    let world = world();
    let set = world.call(["judge", "set", "checks"]).env("XDG_CONFIG_HOME", world.base().join("tmp/own")).run();
    assert_eq!(set.code, 0);
    assert!(set.stderr.contains("sign-offs will say `named by caller` until you run `env -u XDG"), "{set:?}");
    std::fs::remove_dir_all(world.base().join("tmp/own")).unwrap();
}

// SIGNOFF.md §6
#[test]
fn a_program_of_that_name_elsewhere_on_path_is_not_the_users() {
    let world = set();
    let shadow = world.base().join("tmp/shadow");
    std::fs::create_dir(&shadow).unwrap();
    std::fs::copy(world.path("../bin/judge"), shadow.join("judge")).unwrap();
    let path = std::env::join_paths([shadow.clone(), world.path("../bin"), "/usr/bin".into(), "/bin".into()]).unwrap();
    let done = world.call(COMPLETE.iter().chain(&["--json"])).env("PATH", path).run().json(0);
    assert!(callers(&world, &done).contains("bin/judge` when it was set; `plan judge set cmd:judge`"), "{done:#}");
    std::fs::remove_dir_all(shadow).unwrap();
    world.git(["checkout", "--quiet", "plan.md"]);
    assert_eq!(callers(&world, &world.plan(COMPLETE.iter().chain(&["--json"])).json(0)), "");
}

// SIGNOFF.md §6
#[test]
fn what_an_agent_set_is_the_callers_whatever_judge_it_is() {
    let world = checkable();
    let set = world.call(["judge", "set", "checks"]).env("CLAUDECODE", "1").run();
    assert!(set.stderr.contains("until you run `plan judge set checks` in your own terminal"), "{set:?}");
    let done = world.plan(COMPLETE.iter().chain(&["--json"])).json(0);
    assert!(callers(&world, &done).starts_with("it was set within a session of claude; "), "{done:#}");
    // A person's own setting stays theirs if an agent sets the same again.
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    assert_eq!(world.call(["judge", "set", "checks"]).env("CLAUDECODE", "1").run().stderr, "");
    world.git(["checkout", "--quiet", "plan.md"]);
    assert_eq!(world.plan(["goal", "start", "fast-1"]).code, 0);
}

// SIGNOFF.md §6: the setting is a person's
#[test]
fn an_agent_does_not_replace_the_judge_that_a_person_set() {
    let world = set();
    let other = world.call(["judge", "set", "checks"]).env("CLAUDECODE", "1").run();
    assert_eq!(other.code, 4, "{other:?}");
    assert!(other.stderr.contains("a person set cmd:judge"), "{other:?}");
    assert!(other.stderr.contains("run it in your own terminal: `plan judge set checks`"), "{other:?}");
    assert!(world.plan(["judge", "list"]).stdout.starts_with("cmd:judge (chosen by your configuration)"));
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    // An agent may replace a setting that an agent made.
    let world = self::world();
    for (session, judge) in [("1", "checks"), ("1", "claude"), ("", "checks")] {
        assert_eq!(world.call(["judge", "set", judge]).env("CLAUDECODE", session).run().code, 0, "{session} {judge}");
    }
}

// SIGNOFF.md §6: `human` must be a person, and so must the user who answers a review
#[test]
fn an_agent_is_known_without_its_variables() {
    let plan = env!("CARGO_BIN_EXE_plan");
    for (name, script) in [
        // The agent's client is an ancestor, by its own name or as the script of an interpreter.
        (
            "claude",
            format!(
                "#!/bin/sh\nenv -i PATH=\"$PATH\" PLAN_TEST_ACCOUNT=\"$PLAN_TEST_ACCOUNT\" {plan} \"$@\"; exit $?\n"
            ),
        ),
        ("codex", format!("#!/bin/sh\n{plan} \"$@\"; exit $?\n")),
        // Only a child process of it knows of the session.
        (
            "wrapped",
            format!(
                "#!/bin/sh\nexport CLAUDECODE=1\nsh -c 'unset CLAUDECODE; \"$@\"; exit $?' sh {plan} \"$@\"; exit $?\n"
            ),
        ),
    ] {
        if name == "wrapped" && !cfg!(target_os = "linux") {
            continue;
        }
        let world = world().program(name, &script);
        let before = world.plan_md();
        let human = world.call_program(name, COMPLETE.iter().chain(&["--judge", "human"])).run();
        assert_eq!(human.code, 4, "{name}: {human:?}");
        let host = if name == "codex" { "codex" } else { "claude" };
        assert!(human.stderr.contains(&format!("`plan` was started by {host} (")), "{name}: {human:?}");
        assert_eq!(world.plan(["review", "--key", "ada::room"]).code, 0);
        let reply = world.call_program(name, ["review", "--key", "ada::room", "--reply", "ok"]).run();
        assert_eq!(reply.code, 4, "{name}: {reply:?}");
        assert_eq!(world.plan_md(), before, "{name}");
        assert_eq!(world.plan(["review", "--key", "ada::room", "--reply", "ok"]).code, 0, "a person's own");
    }
}

// P-50: reported at once, before a long verify runs
#[test]
fn a_judge_that_cannot_be_asked_is_said_before_verify_is_run() {
    let world = world();
    world.write("check.sh", "touch ../ran\n");
    let before = world.plan_md();
    for (judge, why) in [
        ("claude", "error: judge claude: `claude` cannot be started: not found on `PATH`\n"),
        ("cmd:./nobody", "error: judge cmd:./nobody: `./nobody` cannot be started: no such file\n"),
        ("human", "error: judge `human` needs a terminal\n"),
    ] {
        for more in [&[][..], &["--detach"][..]] {
            let output = world.plan(COMPLETE.iter().chain(&["--judge", judge]).chain(more));
            assert_eq!((output.code, &*output.stdout), (3, ""), "{judge}: {output:?}");
            assert!(output.stderr.starts_with(why), "{judge}: {output:?}");
        }
    }
    assert!(!world.path("../ran").exists() && world.plan_md() == before);
    let set = world.plan(["judge", "set", "gemini"]);
    assert_eq!(set.code, 0);
    assert!(set.stderr.starts_with("note: gemini: `gemini` cannot be started: not found on `PATH`"), "{set:?}");
}

// A judge that the system cannot start is tried only once, not once for each case.
#[test]
fn a_judge_that_cannot_be_started_fails_its_test_once() {
    let world = world().program("broken", "#!/no/such/interpreter\n");
    let test = world.plan(["judge", "test", "cmd:broken"]);
    assert_eq!(test.code, 3, "{test:?}");
    assert_eq!(test.stderr.lines().filter(|line| line.contains("cannot be started")).count(), 1, "{test:?}");
    assert!(!test.stdout.contains("expected"), "{test:?}");
}

// SIGNOFF.md §1: a claim keeps the caller's words
#[test]
fn a_claim_is_not_rewritten_by_detach() {
    let tell = "cat > \"$scratch/seen\" <<END\n$prompt\nEND\noutside \"cp '$scratch/seen' ../seen\"\n";
    let world = world().judge_doing(
        "judge",
        &format!("{tell}cat <<END\nSIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\nEND\n"),
    );
    let args = ["--judge", "cmd:judge", "--detach", "--evidence", "--detach"];
    let left = world.plan(COMPLETE.iter().chain(&args));
    assert_eq!(left.code, 0, "{left:?}");
    assert_eq!(world.plan(["complete", "fast-1", "--wait", "30"]).code, 0);
    let prompt = world.read("../seen");
    assert!(prompt.contains("\"--detach\"") && !prompt.contains("--detached"), "{prompt}");
}
