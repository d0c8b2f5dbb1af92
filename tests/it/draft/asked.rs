//! The answers of a drafting agent, and the questions that it gets again.

use std::time::{Duration, Instant};

use super::{DRAFT, GOOD, READ, calls, failed, fails, says, says_in_turn, world};

// P-68, W-21
#[test]
fn findings_go_into_the_next_prompt_and_the_third_answer_counts() {
    let lacking = GOOD.replace("done_when: `sub 3 2` prints 1\n", "").replace("write mul", "<some step or other>");
    let seen = "printf '%s\\n' \"$prompt\" > \"$scratch/prompt\"; outside \"cp '$scratch/prompt' ../prompt\"\n";
    let world = world(&says_in_turn(&[&says(&lacking), &says("# Plan: x\n"), &format!("{seen}{}", says(GOOD))]));
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("with cmd:drafter in 3 tries, sandbox "), "{output:?}");
    assert!(
        output.stderr.contains("try 1 of 3: 2 findings, the first: goal `Subtract two numbers`: it has no `done_when`"),
        "{output:?}"
    );
    let prompt = world.read("../prompt");
    for line in ["Your answer:", "# Plan: x", "Found in your answer:", "- it has no `## Goal: …` heading"] {
        assert!(prompt.lines().any(|found| found == line), "`{line}`: {prompt}");
    }
    assert!(!prompt.contains("some step or other"), "the last answer alone: {prompt}");
}

/// The sections above the goals of a good draft.
const SECTIONS: &str = "\
The calculator learns two more operations.

## Current state
`calc.sh:1` adds.

## Desired end state
`sh calc.sh` subtracts and multiplies.

## Out of scope
Division.

## Approach
Subtraction first: multiplication uses it.

## Testing strategy
A script for each goal.
";

// W-10, W-16, W-17, W-27: the sections of a draft are in plan.md, places without a target are asked about, missing parts are reported
#[test]
fn sections_are_kept_and_places_are_looked_up() {
    let whole = GOOD.replace("`calc.sh:1` adds; division stays out.\n", SECTIONS);
    let wrong = whole.replace("calc.sh:1", "calc.sh:7");
    let world = world(&says_in_turn(&[&says(&wrong), &says(&whole)]));
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 0, "{output:?}");
    let asked = "try 1 of 3: `calc.sh:7` leads nowhere: `calc.sh` has 1 line; asking once more";
    assert!(output.stderr.contains(asked) && !output.stderr.contains("has no section"), "{output:?}");
    assert!(
        world.plan_md().contains(&format!("# Plan: calc subtracts\n\n{SECTIONS}\n## Goal: ")),
        "{}",
        world.plan_md()
    );
    let codes = |world: &crate::support::World| -> Vec<String> {
        let findings = world.plan(["lint", "--quality", "--json"]).json(0)["findings"].clone();
        findings.as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes(&world), ["no-verify"], "the second goal has none");
    world.write("calc.sh", "");
    assert_eq!(codes(&world), ["dead-reference", "no-verify"]);
    assert_eq!(
        world.plan(["lint", "--json"]).json(0)["findings"].as_array().unwrap().len(),
        0,
        "only where it is asked for"
    );

    // Documentation, prompt and check are about the same sections.
    let page = crate::readme::read("docs/format.md");
    let prompt = crate::readme::read("prompts/1-plan-drafting.md");
    for (at, section) in plan::plan::lint::quality::SECTIONS.iter().enumerate() {
        let row = format!("| `{}` | {} |\n", section.heading, section.says);
        assert!(page.contains(&row), "{row}");
        assert!(at == 0 || prompt.contains(&format!("\n## {}\n", section.heading)), "{}", section.heading);
    }

    let short = super::world(&says(GOOD)).plan(DRAFT);
    let said = "note: the plan has no section `Current state`, `Desired end state`, `Out of scope`, `Approach`, `Testing strategy`: plan lint --quality";
    assert!(short.stderr.contains(said), "{short:?}");
}

// W-19, W-21
#[test]
fn three_bad_answers_end_in_a_no_that_plan_shows_until_a_draft_succeeds() {
    let world = world(&says_in_turn(&[
        &says("no\n"),
        "echo '# Plan: cut off'\n",
        &says(&GOOD.replace("status: open", "status: done")),
    ]));
    let output = failed(
        &world,
        1,
        &["no draft: 3 answers of `cmd:drafter` could not be used", "a drafted goal is `status: open`"],
    );
    assert!(output.stderr.contains("try 2 of 3: the answer does not end with the line `PLAN-END[…]`"), "{output:?}");
    let shown = "last draft failed: 2 findings, the first: goal `Subtract two numbers`: a drafted goal is `status: open` (3 tries)\n";
    assert!(world.plan([""; 0]).stdout.ends_with(shown), "{:?}", world.plan([""; 0]));
    assert!(world.plan(["--json"]).stdout.contains("\"last_error\": \"2 findings, the first: "));
    assert_eq!(world.plan(["init", "Sums"]).code, 0);
    assert!(world.plan([""; 0]).stdout.contains("last draft failed"), "still no goal: {:?}", world.plan([""; 0]));
    let world = world.program("drafter", &format!("{READ}{}", says(GOOD)));
    assert_eq!(world.plan(DRAFT).code, 0);
    assert!(!world.plan([""; 0]).stdout.contains("last draft"));
    assert_eq!(world.plan(["goal", "remove", "multiply-two-numbers-1"]).code, 0);
    assert!(!world.plan(["--json"]).stdout.contains("last_error"));
}

// W-21
#[test]
fn an_agent_without_an_answer_is_could_not_tell() {
    let crash = world("echo 'out of credit' >&2; exit 7\n");
    fails(
        &crash,
        3,
        &["try 2 of 3: `cmd:drafter` exit 7: out of credit; asking once more", "no draft: `cmd:drafter` exit 7"],
    );
    assert!(crash.plan([""; 0]).stdout.contains("last draft failed: `cmd:drafter` exit 7: out of credit\n"));

    let slow = world("sleep 30\n").file("../home/.config/plan/config.yaml", "draft_timeout: 1\n");
    let start = Instant::now();
    let output = failed(&slow, 3, &["no draft: `cmd:drafter` killed after 1 s"]);
    assert!(start.elapsed() < Duration::from_secs(20) && !output.stderr.contains("asking once more"), "{output:?}");

    let missing = world("");
    let output = missing.plan(["draft", "x", "--with", "cmd:no-such-agent"]);
    assert_eq!((output.code, output.stderr.contains("no-such-agent` cannot be started")), (2, true), "{output:?}");
    assert!(!missing.plan([""; 0]).stdout.contains("last draft"), "nothing was run: a mistake in the call");
}

// W-21
#[test]
fn answers_of_every_bad_form_are_refused() {
    let object = |plan: &str| format!("{}\n", serde_json::json!({ "plan": plan }));
    let with_end = |json: &str| format!("sed \"s/END/$end/\" <<'X'\n{json}X\n");
    let whole = format!("{GOOD}END\n");
    for (lines, part) in [
        ("", "there is no plan in the answer"),
        ("printf '# Plan: x\\n## Goal: a'\n", "does not end with the line"),
        ("echo \"$end\"\n", "there is no plan in the answer"),
        ("printf 'def plan():\\n    pass\\n%s\\n' \"$end\"\n", "there is no plan in the answer"),
        (&with_end(&(object(&whole) + &object(&whole))), "is not one JSON object"),
        (&with_end(&object(&whole).replace("\"plan\"", "\"goals\"")), "is not one JSON object"),
        (&says(&format!("{GOOD}{GOOD}")), "more than one line `# Plan: …`"),
        ("head -c 10485760 /dev/zero | tr '\\0' x\n", "the answer is longer than 512 KiB"),
        ("printf '# Plan: \\377\\n%s\\n' \"$end\"\n", "the answer is not UTF-8"),
        (&says("<<<<<<< a\n# Plan: x\n=======\n>>>>>>> b\n"), "it has no `## Goal: …` heading"),
        (
            &says(&format!(
                "{GOOD}\n## Log\n- 2026-06-15 14:02  plan approved by ada via terminal (contract 0123456789ab, steps to 3)\n"
            )),
            "a draft has no `Log`",
        ),
        (&says(&GOOD.replace("sh test-sub.sh", "true")), "`verify: true`: `true` "),
        (&says(&GOOD.replace("sh test-sub.sh", "sh a.sh | tee log")), "verify"),
        (&says(&GOOD.replace("sh test-sub.sh", "<a command line>")), "the placeholder `<a command line>` is left"),
        (&says(&GOOD.replace("Subtract two numbers\n-", "Divide\n-")), "no goal has the id or subject `Divide`"),
    ] {
        fails(&world(lines), 1, &["3 answers of `cmd:drafter` could not be used", part]);
    }
}

#[test]
fn an_answer_in_an_object_or_with_a_warning_is_used() {
    let json = serde_json::json!({ "plan": format!("{GOOD}END\n") }).to_string();
    let world = world(&format!("sed \"s/END/$end/\" <<'X'\n```json\n{json}\n```\nX\n"));
    assert_eq!(world.plan(DRAFT).code, 0);
    let odd = GOOD.replace("sh test-sub.sh", "npx jest --passWithNoTests");
    let world = self::world(&says_in_turn(&[&says(&odd), "exit 1\n", "exit 1\n"]));
    let output = world.plan(DRAFT);
    assert_eq!((output.code, calls(&world)), (0, 3), "it is asked to mend it, and the answer counts: {output:?}");
    assert!(output.stderr.contains("note: goal `Subtract two numbers`: `verify: npx jest"), "{output:?}");
}
