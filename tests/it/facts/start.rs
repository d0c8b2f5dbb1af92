//! What a start records, and what is told from it: `start-missing`, `contract-changed`.

use super::{CALC, FIXED, LEAD, LEAD_THEN_BLOCK, QUIET, TEST, UNITTEST, calc, finding, levels, look, started, with};

// P-72, P-7
#[test]
fn a_start_is_recorded_once_with_everything_but_values() {
    let world = with(UNITTEST, "", &[("calc.py", CALC), ("test_calc.py", TEST)]).env("PYTHONPATH", "/s3cret");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    let refs = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]);
    let name = refs.trim();
    let text = world.git(["cat-file", "blob", name]);
    assert!(!text.contains("s3cret"), "{text}");
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["version"], 1);
    assert_eq!(record["goal"], "g-1");
    assert_eq!(record["contract"][0], serde_json::json!(["id", "g-1"]));
    assert_eq!(record["seen"], "red exit 1");
    assert_eq!(record["tests"], serde_json::json!({"ran": 2, "skipped": 0, "left_out": 0, "excused": 0}));
    assert_eq!(record["runner"]["programs"][0]["name"], "python3");
    assert_eq!(record["runner"]["programs"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(record["runner"]["loaders"]["PYTHONPATH"].as_str().unwrap().len(), 64);
    let (contract, tree) = name.rsplit_once('/').unwrap().1.split_once('-').unwrap();
    assert!(record["contract_digest"].as_str().unwrap().starts_with(contract));
    assert!(record["tree"].as_str().unwrap().starts_with(tree));
    // Started again with the same contract and files: the first record stays.
    assert_eq!(world.plan(["goal", "cancel", "g-1", "x"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    assert_eq!(world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]), refs);
    assert_eq!(world.git(["cat-file", "blob", name]), text);
}

// P-5, P-7
#[test]
fn a_record_that_is_gone_or_no_record_is_said() {
    let world = calc("");
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]).trim().to_owned();
    world.write("junk", "{\"version\":1}");
    let junk = world.git(["hash-object", "-w", "junk"]);
    std::fs::remove_file(world.path("junk")).unwrap();
    world.git(["update-ref", &name, junk.trim()]);
    assert_eq!(levels(&world, "start-missing"), LEAD);
    world.git(["update-ref", "-d", &name]);
    assert_eq!(levels(&world, "start-missing"), LEAD);
    let tree = world.git(["rev-parse", "HEAD^{tree}"]);
    world.git(["update-ref", &name, tree.trim()]);
    assert_eq!(levels(&world, "start-missing"), LEAD, "a tree is no record");
}

// P-12, P-42
#[test]
fn a_contract_that_was_loosened_blocks_in_the_full_gate() {
    let changed = |fields: &str, from: &str, to: &str| {
        let world = calc(fields);
        world.write("plan.md", world.plan_md().replacen(from, to, 1));
        world
    };
    let modes = "failure_modes:\n- one\n- two\n";
    for (fields, from, to) in [
        (modes, "- two\n", ""),
        ("kind: feature\n", "kind: feature", "kind: refactor"),
        ("", "done_when:", "may_change: test_calc.py\ndone_when:"),
        ("", UNITTEST, "python3 -B -m unittest -q test_calc.T.test_pos"),
    ] {
        assert_eq!(levels(&changed(fields, from, to), "contract-changed"), LEAD_THEN_BLOCK, "{from:?} to {to:?}");
    }
    for (fields, from, to) in [
        (modes, "- two\n", "- two\n- three\n"),
        ("", "it works", "it works well"),
        ("", UNITTEST, &*format!("{UNITTEST} && python3 -B -c 'import calc'")),
    ] {
        assert_eq!(levels(&changed(fields, from, to), "contract-changed"), LEAD, "{from:?} to {to:?}");
    }
    let world = calc("");
    assert_eq!(world.plan(["goal", "set", "g-1", "--kind", "refactor"]).code, 0);
    assert_eq!(levels(&world, "contract-changed"), LEAD_THEN_BLOCK, "logged, and not started with");
    assert_eq!(world.plan(["goal", "cancel", "g-1", "x"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    assert_eq!(levels(&world, "contract-changed"), QUIET, "started with");
}

// P-12
#[test]
fn an_old_contract_is_found_in_the_history_of_the_plan() {
    let world = started(UNITTEST, "failure_modes:\n- one\n- two\n", &[("calc.py", CALC), ("test_calc.py", TEST)]);
    world.write("calc.py", FIXED);
    world.commit("started");
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]).trim().to_owned();
    world.git(["update-ref", "-d", &name]);
    world.write("plan.md", world.plan_md().replace("- two\n", ""));
    assert_eq!(levels(&world, "contract-changed"), LEAD_THEN_BLOCK);
    // Nor there: it is said that it cannot be told.
    let world = calc("failure_modes:\n- one\n- two\n");
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]).trim().to_owned();
    world.git(["update-ref", "-d", &name]);
    world.write("plan.md", world.plan_md().replace("- two\n", ""));
    world.git(["update-ref", "-d", "HEAD"]);
    assert_eq!(levels(&world, "contract-changed"), LEAD);
    let seen = finding(&look(&world), "contract-changed").unwrap()["seen"].to_string();
    assert!(seen.contains("is unresolved"), "{seen}");
}
