//! Compares log lines with their attestations.

use super::support::{ID, audit, edit, honest, project};
use crate::support::World;
use crate::support::judge::HONEST;

/// A signed-off goal, and the name of its record.
fn signed() -> (World, String) {
    let world = project();
    honest(&world);
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]);
    (world, name.trim().to_owned())
}

fn replace_record(world: &World, name: &str, change: impl Fn(&mut serde_json::Value)) {
    // Reads the bytes directly, because the world's own output hides running times.
    let bytes = world.command("git", ["cat-file", "blob", name]).output().unwrap().stdout;
    let mut record: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    change(&mut record);
    put_record(world, name, &record.to_string());
}

fn put_record(world: &World, name: &str, bytes: &str) {
    let id = world.call_program("git", ["hash-object", "-w", "--stdin"]).stdin(bytes).run().stdout;
    world.git(["update-ref", name, id.trim()]);
}

// P-74: with that sign-off the goal began anew, from files that no other judge has seen.
#[test]
fn an_earlier_sign_off_by_a_judge_that_its_caller_named_is_noted() {
    let world = project();
    assert_eq!(world.plan(["judge", "set", "human"]).code, 0);
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    let done = world.plan(["complete", ID, "--judge", "checks"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(audit(&world, &[]).findings, ["judge-named-by-caller"]);
    world.write("test.sh", "[ \"$(sh greet.sh Ada)\" = \"Hi, Ada\" ]\n");
    world.commit("first");
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    world.write("greet.sh", "echo \"Hi, $1\" # Hello\n");
    let done = world.plan(["complete", ID]);
    assert_eq!(done.code, 0, "{done:?}");
    let found = audit(&world, &[]);
    assert!(!found.findings.contains(&"judge-named-by-caller".to_owned()), "{found:?}");
    assert!(found.notes.contains(&"judge-named-by-caller".to_owned()), "{found:?}");
}

// P-74
#[test]
fn a_sign_off_by_the_fast_gate_is_noted_and_one_by_the_whole_gate_is_not() {
    for (gate, is_noted) in [("fast", true), ("full", false)] {
        let world = project();
        world.write("greet.sh", "echo \"Hello, $1\"\n");
        let done = world.plan(["complete", ID, "--gate", gate]);
        assert_eq!(done.code, 0, "{done:?}");
        let notes = audit(&world, &[]).notes;
        assert_eq!(notes.contains(&"gate-fast".to_owned()), is_noted, "{gate}: {notes:?}");
    }
}

// P-5, P-74
#[test]
fn a_typed_sign_off_has_no_record() {
    let (world, _) = signed();
    let text = world.plan_md();
    // The same line for another tree, as a person or an agent might type it.
    let line = text.lines().find(|line| line.contains(" signed off (")).unwrap();
    let tree = line.split(", tree ").nth(1).unwrap().split(',').next().unwrap();
    world.write("plan.md", text.replace(tree, "0123456789ab"));
    assert_eq!(audit(&world, &[]).findings, ["no-attestation"]);
    world.write("plan.md", text.replace(tree, "none"));
    assert_eq!(audit(&world, &[]).findings, ["no-attestation"]);
}

// P-5, P-74: a line without the checks and the judge is not a sign-off
#[test]
fn a_short_sign_off_line_signs_nothing_off() {
    let (world, _) = signed();
    let text = world.plan_md();
    let line = text.lines().find(|line| line.contains(" signed off (")).unwrap();
    let judged = &line[line.find(", gate ").unwrap()..line.find(", contract ").unwrap()];
    world.write("plan.md", text.replace(judged, ""));
    let audit = audit(&world, &[]);
    assert_eq!(audit.code, 1, "{:#}", audit.json);
    assert_eq!(audit.findings, ["hand-ticked", "looks-signed-off"], "{:#}", audit.json);
    assert!(world.plan([""; 0]).stdout.contains("  greet-by-name-1\n    done by hand, not signed off\n"));
}

// P-5
#[test]
fn a_line_that_says_something_else_than_its_record_is_caught() {
    for (from, to, what) in [
        ("oracle accept by checks", "oracle accept by claude", "judges"),
        ("(verify green ", "(verify green 1", "verify"),
        ("+)", ")", "commit"),
    ] {
        let (world, _) = signed();
        edit(&world, from, to);
        let audit = audit(&world, &[]);
        assert_eq!(audit.findings, ["attestation-differs"], "{what}: {:#}", audit.json);
        assert!(audit.seen("attestation-differs").contains(what), "{:#}", audit.json);
    }
}

// P-5
#[test]
fn a_record_that_contradicts_itself_is_caught() {
    type Change = fn(&mut serde_json::Value);
    let cases: &[(&str, Change)] = &[
        ("goal", |record| record["goal"] = "other-1".into()),
        ("digest", |record| record["contract_digest"] = format!("{:064}", 7).into()),
        ("contract", |record| record["contract"][1][1] = "Greet nobody".into()),
        ("not canonical", |record| record["contract"][1][1] = "Greet  by name".into()),
        ("tree", |record| record["tree"] = "f".repeat(40).into()),
        ("no tree", |record| record["tree"] = serde_json::Value::Null),
        ("red", |record| record["verify"]["end"] = "exit".into()),
        ("no verify", |record| record["verify"] = serde_json::Value::Null),
        ("no judge", |record| record["judges"] = serde_json::json!([])),
        ("another judge", |record| record["judges"][0]["judge"] = "human".into()),
        ("named by", |record| record["judges"][0]["named_by"] = "caller".into()),
        ("block", |record| record["findings"] = serde_json::json!([{ "code": "tree-moved", "level": "block" }])),
        ("not reached", |record| record["not_reached"] = serde_json::json!(["canary-survived"])),
        ("schema", |record| record["version"] = 2.into()),
    ];
    let (world, name) = signed();
    let honest = world.git(["rev-parse", &name]);
    for (what, change) in cases {
        world.git(["update-ref", &name, honest.trim()]);
        replace_record(&world, &name, change);
        let audit = audit(&world, &[]);
        let found: Vec<&str> = audit.findings.iter().map(String::as_str).collect();
        assert_eq!(found[0], "attestation-differs", "{what}: {:#}", audit.json);
    }
    world.git(["update-ref", &name, honest.trim()]);
    replace_record(&world, &name, |_| {});
    assert_eq!(audit(&world, &[]).findings, [""; 0]);
}

/// No object that a ref can name breaks an audit.
#[test]
fn hostile_records_are_findings() {
    let (world, name) = signed();
    let deep = "[".repeat(100_000);
    for bytes in ["", "null", "{", "[1]", "\u{0}", &deep, &format!("\"{}\"", "x".repeat(2 << 20))] {
        put_record(&world, &name, bytes);
        assert_eq!(audit(&world, &[]).findings, ["attestation-differs"]);
    }
    world.git(["update-ref", &name, "HEAD"]);
    assert_eq!(audit(&world, &[]).findings, ["attestation-differs"], "a commit is no record");
}

// P-5: a match of twelve digits can be forced by trying, a match of the whole digest cannot.
#[test]
fn the_whole_contract_is_compared() {
    let (world, name) = signed();
    let line = world.plan_md().lines().find(|line| line.contains(" signed off (")).unwrap().to_owned();
    let digest = line.split(", contract ").nth(1).unwrap()[..12].to_owned();
    replace_record(&world, &name, |record| record["contract_digest"] = format!("{digest}{}", "0".repeat(52)).into());
    let audit = audit(&world, &[]);
    assert!(audit.findings.contains(&"other-contract".to_owned()), "{:#}", audit.json);
}

// P-7
#[test]
fn without_any_record_one_note_says_how_to_fetch() {
    let (world, name) = signed();
    world.git(["update-ref", "-d", &name]);
    let audit = audit(&world, &[]);
    assert_eq!((&audit.findings, &audit.notes), (&vec![], &vec!["no-records".to_owned()]), "{:#}", audit.json);
}

// P-7
#[test]
fn a_judge_that_its_caller_named_is_reported_unless_it_is_accepted() {
    let world = crate::support::judge::world().judge("yes", HONEST, "accept");
    let done = world.plan(["complete", "fast-1", "--judge", "cmd:yes", "--path", "result.txt"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(audit(&world, &[]).findings, ["judge-named-by-caller"]);
    assert_eq!(audit(&world, &["--accept-judge", "cmd:yes"]).findings, [""; 0]);
    for other in ["cmd:/opt/yes", "cmd:yes --fast", "cmd:sh yes"] {
        assert_eq!(audit(&world, &["--accept-judge", other]).findings, ["judge-named-by-caller"], "{other}");
    }
    assert_eq!(audit(&world, &["--accept-judge", "cmd:no"]).findings, ["judge-named-by-caller"]);
    assert_eq!(world.plan(["audit", "--accept-judge", "nonsense"]).code, 2);
}

// P-7, P-74
#[test]
fn a_judge_that_an_agent_set_is_its_callers() {
    let world = crate::support::judge::world().judge("yes", HONEST, "accept");
    let set = world.call(["judge", "set", "cmd:yes"]).env("CLAUDECODE", "1").run();
    assert!(set.code == 0 && set.stderr.contains("inside a claude session"), "{set:?}");
    let done = world.plan(["complete", "fast-1", "--gate", "fast", "--path", "result.txt"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(audit(&world, &[]).findings, ["judge-named-by-caller"]);
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).stderr, "");
    assert_eq!(world.plan(["goal", "start", "fast-1"]).code, 0);
    world.write("result.txt", "p95 47.1 ms\ncache on\nagain\n");
    let done = world.plan(["complete", "fast-1", "--gate", "fast", "--path", "result.txt"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(audit(&world, &[]).findings, [""; 0]);
}

// P-74
#[test]
fn a_judge_that_can_have_been_led_elsewhere_is_a_note() {
    let (world, name) = signed();
    replace_record(&world, &name, |record| {
        record["judges"][0]["redirected"] = serde_json::json!(["ANTHROPIC_BASE_URL"])
    });
    let audit = audit(&world, &[]);
    assert_eq!((&audit.findings, &audit.notes), (&vec![], &vec!["judge-redirected".to_owned()]), "{:#}", audit.json);
    assert!(audit.seen("judge-redirected").contains("ANTHROPIC_BASE_URL"), "{:#}", audit.json);
}

#[test]
fn another_prompt_is_told_unless_it_is_another_versions() {
    let (world, name) = signed();
    for (version, findings, notes) in
        [(env!("CARGO_PKG_VERSION"), vec!["prompt-differs"], vec![]), ("99.0.0", vec![], vec!["prompt-differs"])]
    {
        replace_record(&world, &name, |record| {
            record["plan_version"] = version.into();
            record["judges"][0]["prompt"] = "0".repeat(64).into();
            record["judges"][0]["sandbox"] = "landlock7".into();
        });
        let audit = audit(&world, &[]);
        assert_eq!(
            (&audit.findings[..], &audit.notes[..]),
            (
                &findings.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>()[..],
                &notes.iter().map(|code: &&str| (*code).to_owned()).collect::<Vec<_>>()[..]
            ),
            "{:#}",
            audit.json
        );
    }
}

// P-5
#[test]
fn what_only_looks_like_a_sign_off_is_told() {
    let world = project();
    let text = world.plan_md();
    for line in [
        "greet-by-name-1 Signed off (verify green 2.1s)",
        "greet-by-name-1 signed off",
        "**greet-by-name-1** signed off: all tests pass",
        "greet-by-name-1 signed\u{200b} off (verify green)",
    ] {
        world.write("plan.md", format!("{}\n- 2026-06-15 14:40  {line}\n", text.trim_end()));
        let audit = audit(&world, &[]);
        assert_eq!(audit.findings, ["looks-signed-off"], "{line}: {:#}", audit.json);
        assert_eq!(audit.json["findings"][0]["line"].as_u64(), Some(text.trim_end().lines().count() as u64 + 1));
    }
    world.write("plan.md", format!("{}\n- 2026-06-15 14:40  Ada signed off for today\n", text.trim_end()));
    assert_eq!(audit(&world, &[]).findings, [""; 0]);
}

#[test]
fn only_what_is_about_the_named_goals() {
    let (world, _) = signed();
    edit(&world, "oracle accept by checks", "oracle accept by claude");
    world.write(
        "plan.md",
        world.plan_md().replace("## Log", "## Goal: Other\n<!-- id: other-1 -->\nstatus: done\n\n## Log"),
    );
    assert_eq!(audit(&world, &["other-1"]).findings, ["hand-ticked"]);
    assert_eq!(audit(&world, &[ID]).findings, ["attestation-differs"]);
    assert_eq!(world.plan(["audit", "nobody-1"]).code, 2);
}
