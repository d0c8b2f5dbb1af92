use super::{Amendment, Digest, Digests, Effect, GoalContract, goal_contract, plan_contract, plan_contract_json};
use crate::plan::parse;

fn of(source: &str) -> GoalContract {
    goal_contract(parse(source.as_bytes()).unwrap().goal(0).unwrap())
}

const EXAMPLE: &str = "\
## Goal: Implement  cache layer
<!-- id: cache-layer-1 -->
status: active
done_when: p95 < 50ms. If wrong: \"timeouts\"
verify: pytest tests/cache -q && python bench/p95.py --max-ms 50
failure_modes:
- cache bypassed
- bench too small (check: python bench/evictions.py --min 1)
needs: schema-1
may_change: tests/**, conftest.py
- [ ] 1. wire
";

// P-72
#[test]
fn the_canonical_form_and_its_digest() {
    let contract = of(EXAMPLE);
    assert_eq!(
        contract.json,
        r#"[["id","cache-layer-1"],["subject","Implement cache layer"],["done_when","p95 < 50ms. If wrong: \"timeouts\""],["verify","pytest tests/cache -q && python bench/p95.py --max-ms 50"],["failure_modes","cache bypassed","bench too small (check: python bench/evictions.py --min 1)"],["needs","schema-1"],["may_change","tests/**","conftest.py"]]"#
    );
    assert_eq!(contract.digest.to_string(), GOLDEN);
    assert_eq!(contract.digest.short(), GOLDEN[..12]);
    assert_eq!(contract.digest, Digest::of(contract.json.as_bytes()));
    assert!(contract.digest.is_short(&GOLDEN[..12]));
    for other in ["", &GOLDEN[..11], &GOLDEN[..13], "000000000000", &GOLDEN[..12].to_uppercase()] {
        assert!(!contract.digest.is_short(other), "{other}");
    }
}

const GOLDEN: &str = "4c2bd5b9fe37f75472fb82bfb810e6c5cd8e9b174f894adbbbc303e097f5168f";

#[test]
fn the_digest_is_what_any_json_library_and_sha256_give() {
    let contract = of(EXAMPLE);
    let value: serde_json::Value = serde_json::from_str(&contract.json).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), contract.json);
    assert_eq!(value[4][2], contract.failure_modes[1]);
}

#[test]
fn the_same_contract_in_other_clothes() {
    let same = [
        EXAMPLE.replace('\n', "\r\n"),
        format!("\u{feff}{EXAMPLE}"),
        EXAMPLE.trim_end().to_owned(),
        EXAMPLE.replace("done_when: p95 < 50ms. If", "done_when: p95 <\n   50ms.\n  If"),
        EXAMPLE.replace("done_when: ", "done_when:\n- "),
        EXAMPLE.replace("- cache", "\n  - cache").replace("- bench", "  - bench"),
        EXAMPLE.replace("needs: schema-1", "needs:\n- schema-1"),
        EXAMPLE.replace("tests/**, conftest.py", "\n- tests/**\n- conftest.py"),
        EXAMPLE.replace("status: active", "status: done\npriority: 1\nevidence: x.log"),
        EXAMPLE.replace("- [ ] 1. wire", "- [x] 1. wire — done\n- [ ] more\n\nprose\n"),
        EXAMPLE.replace("## Goal: Implement  cache layer", "##   goal:\tImplement cache layer  ##   "),
        EXAMPLE.replace("verify: pytest", "verify:   pytest").replace("--max-ms 50\n", "--max-ms 50  \t\n"),
    ];
    for source in same {
        assert_eq!(of(&source).json, of(EXAMPLE).json, "{source}");
    }
}

#[test]
fn each_part_counts() {
    for (from, to) in [
        ("cache-layer-1", "cache-layer-2"),
        ("cache layer\n", "cache\n"),
        ("50ms", "500ms"),
        ("pytest", "true"),
        ("- cache bypassed\n", ""),
        ("needs: schema-1\n", ""),
        ("tests/**", "**"),
        ("status: active", "kind: docs"),
    ] {
        assert_ne!(of(&EXAMPLE.replace(from, to)).digest, of(EXAMPLE).digest, "{from}");
    }
}

#[test]
fn what_is_absent_is_left_out() {
    assert_eq!(of("## Goal: a\n").json, r#"[["subject","a"]]"#);
    assert_eq!(of("## Goal:\ndone_when:\nverify:\nfailure_modes:\nneeds: ,\n").json, "[]");
}

#[test]
fn many_digests_are_the_same_as_one() {
    let source = format!("{EXAMPLE}\n## Goal: b\nneeds: a\n{EXAMPLE}");
    let plan = parse(source.as_bytes()).unwrap();
    let mut digests = Digests::default();
    for goal in plan.all_goals() {
        assert_eq!(digests.of(goal), goal_contract(goal).digest);
    }
}

#[test]
fn the_plans_contract_holds_mode_objective_goals_and_steps() {
    let source = "---\nmode: contract\n---\n# Plan: Faster  search\n## Goal: a\nstatus: open\n- [x] 1. one — got 7\n## Goal: b\n- [ ] 3. two (after 1, 2) (run: make x)\n- [ ] free\n# Archive\n## Goal: old\n";
    let plan = parse(source.as_bytes()).unwrap();
    let json = r#"[["mode","contract"],["objective","Faster search"],["goal",[["subject","a"]],[["number",1],["text","one"]]],["goal",[["subject","b"]],[["number",3],["text","two"],["command","make x"],["after",1,2]],[["text","free"]]]]"#;
    assert_eq!(plan_contract_json(&plan), json);
    assert_eq!(plan_contract(&plan), Digest::of(json.as_bytes()));
    let ticked = source.replace("status: open", "status: done").replace("[ ] 3", "[/] 3").replace("got 7", "got 8");
    assert_eq!(plan_contract(&parse(ticked.as_bytes()).unwrap()), plan_contract(&plan));
    let guide = source.replace("mode: contract", "mode: guide");
    assert!(plan_contract_json(&parse(guide.as_bytes()).unwrap()).starts_with(r#"[["mode","guide"],"#));
    let swapped = "---\nmode: contract\n---\n# Plan: Faster search\n## Goal: b\n## Goal: a\n";
    assert_ne!(plan_contract(&parse(swapped.as_bytes()).unwrap()), plan_contract(&plan));
}

fn amended(from: &str, to: &str) -> String {
    assert!(EXAMPLE.contains(from), "{from}");
    let amendment = Amendment::between(&of(EXAMPLE), &of(&EXAMPLE.replacen(from, to, 1))).unwrap();
    amendment.to_string()
}

// P-12
#[test]
fn an_amendment_says_what_it_did() {
    assert_eq!(amended("- cache bypassed\n", ""), "loosened: failure mode dropped");
    assert_eq!(amended("- cache bypassed\n", "- cache bypassed\n- more\n"), "tightened: failure mode added");
    assert_eq!(amended("cache bypassed", "cache off"), "reworded: failure mode reworded");
    assert_eq!(amended(" (check: python bench/evictions.py --min 1)", ""), "loosened: check dropped");
    assert_eq!(
        amended("(check: python bench/evictions.py --min 1)", "(check: )"),
        "loosened: check dropped, failure mode reworded"
    );
    assert_eq!(amended("done_when: ", "done_when:\n- new one\n- "), "tightened: criterion added");
    assert_eq!(amended("done_when: p95 < 50ms. If wrong: \"timeouts\"\n", ""), "loosened: criterion dropped");
    assert_eq!(amended("50ms", "500ms"), "reworded: criterion reworded");
    assert_eq!(amended("verify: pytest", "verify: true && pytest"), "tightened: verify lengthened");
    assert_eq!(amended("--max-ms 50\n", "--max-ms 50 && make lint\n"), "tightened: verify extended");
    assert_eq!(amended("--max-ms 50\n", "--max-ms 500\n"), "reworded: verify changed");
    assert_eq!(amended("pytest tests/cache -q && ", ""), "reworded: verify changed");
    assert_eq!(amended("cache bypassed", "cache bypassed (check: sh hits.sh)"), "tightened: check added");
    assert_eq!(amended("--min 1)", "--min 1 && sh more.sh)"), "tightened: check extended");
    assert_eq!(amended("--min 1)", "--min 0)"), "reworded: check changed");
    assert_eq!(
        amended("verify: pytest tests/cache -q && python bench/p95.py --max-ms 50\n", ""),
        "loosened: verify dropped"
    );
    assert_eq!(amended("needs: schema-1\n", ""), "loosened: need dropped");
    assert_eq!(amended("schema-1", "schema-1, docs-1"), "tightened: need added");
    assert_eq!(amended("status: active", "kind: refactor"), "loosened: kind changed");
    assert_eq!(amended("status: active", "kind: feature"), "tightened: kind written out");
    assert_eq!(amended("conftest.py", "conftest.py, src/**"), "loosened: may_change widened");
    assert_eq!(amended("tests/**, conftest.py", "**"), "loosened: may_change widened");
    assert_eq!(amended(", conftest.py", ""), "tightened: may_change narrowed");
    assert_eq!(amended("Implement  cache layer", "Cache"), "reworded: subject reworded");
    assert_eq!(amended("cache-layer-1", "cache-layer-2"), "reworded: id changed");
}

#[test]
fn of_several_changes_the_worst_is_said_first() {
    let worse =
        EXAMPLE.replace("50ms", "500ms").replace("- cache bypassed\n", "").replace("schema-1", "schema-1, docs-1");
    let amendment = Amendment::between(&of(EXAMPLE), &of(&worse)).unwrap();
    assert_eq!(amendment.effect, Effect::Loosened);
    assert_eq!(amendment.to_string(), "loosened: failure mode dropped, criterion reworded, need added");
}

#[test]
fn no_amendment_where_nothing_changed() {
    assert_eq!(Amendment::between(&of(EXAMPLE), &of(&EXAMPLE.replace("active", "done"))), None);
}

#[test]
fn another_command_may_ask_less_than_the_one_that_was_agreed() {
    let asks_less = |from: &str, to: &str| {
        Amendment::between(&of(EXAMPLE), &of(&EXAMPLE.replacen(from, to, 1))).unwrap().asks_less()
    };
    for (from, to) in [("- cache bypassed\n", ""), ("--max-ms 50\n", "--max-ms 500\n"), ("--min 1)", "--min 0)")] {
        assert!(asks_less(from, to), "{to}");
    }
    for (from, to) in [("cache bypassed", "cache off"), ("--min 1)", "--min 1 && x)"), ("50ms", "40ms")] {
        assert!(!asks_less(from, to), "{to}");
    }
}

// P-12
#[test]
fn white_space_in_quotes_counts_and_no_other() {
    let plain = EXAMPLE.replace("tests/cache -q", "-k 'a b'");
    let doubled = plain.replace("'a b'", "'a  b'");
    assert_ne!(of(&plain).digest, of(&doubled).digest);
    assert_eq!(of(&plain).digest, of(&plain.replace("pytest -k", "pytest \t -k")).digest);
    let check = |line: &str| of(&EXAMPLE.replace("python bench/evictions.py", line)).digest;
    assert_ne!(check("grep -q 'a b' f"), check("grep -q 'a  b' f"));
    assert_eq!(check("grep -q 'a b' f"), check("grep   -q 'a b'  f"));
    let amendment = Amendment::between(&of(&plain), &of(&doubled)).unwrap();
    assert_eq!(amendment.to_string(), "reworded: verify changed");
    let mut digests = Digests::default();
    assert_eq!(digests.of(parse(doubled.as_bytes()).unwrap().goal(0).unwrap()), of(&doubled).digest);
    assert_eq!(GoalContract::read(&of(&doubled).json), Some(of(&doubled)));
}
