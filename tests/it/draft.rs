//! `plan draft` with scripted agents: the plan that is written, the questions that are repeated, the failures and how they are shown.

use std::path::Path;

use crate::support::output::Output;
use crate::support::{World, leaks, size, strace};

mod asked;
mod contained;

/// Reads the prompt and counts the calls. Then `$end` is the line that ends an answer, and `$scratch` is the agent's own folder.
const READ: &str = r#"#!/bin/sh
prompt=$(cat)
end=$(printf '%s\n' "$prompt" | grep -o 'PLAN-END\[[0-9a-f]*\]' | head -n 1)
scratch=$TMPDIR
outside() {
    printf '%s\n' "$HOME" "$1" > "$scratch/asking" && mv "$scratch/asking" "$scratch/outside"
    while [ -e "$scratch/outside" ]; do sleep 0.01; done
}
"#;

const GOOD: &str = "\
# Plan: Sums

`calc.sh:1` adds; division stays out.

## Goal: Subtract two numbers
status: open
done_when: `sub 3 2` prints 1
verify: sh test-sub.sh
failure_modes:
- verify passes without sub, on a fixed number
- [ ] write the test
- [ ] write sub

## Goal: Multiply two numbers
status: open
done_when: `mul 3 2` prints 6
failure_modes:
- the test does not call mul
needs: Subtract two numbers
- [ ] write mul
";

const DRAFT: &[&str] = &["draft", "calc subtracts", "--with", "cmd:drafter"];

/// A repository with an agent that runs these lines of `sh` after it has read its prompt.
fn world(lines: &str) -> World {
    let world = World::new().file("calc.sh", "add() { echo $(($1 + $2)); }\n").committed();
    let world = if lines.contains("outside ") { world.helped() } else { world };
    world.program("drafter", &format!("{READ}{lines}"))
}

/// Returns lines that answer with this text and the line that ends an answer.
fn says(plan: &str) -> String {
    format!("cat <<'END'\n{plan}END\nprintf '%s\\n' \"$end\"\n")
}

/// Returns lines that answer with the next text at each call; the calls are counted in a file outside the sandbox.
fn says_in_turn(answers: &[&str]) -> String {
    let mut lines = String::from("outside 'echo x >> ../calls'\n");
    for (at, answer) in answers.iter().enumerate() {
        let count = at + 1;
        lines += &format!("if [ $(wc -l < ../calls) -eq {count} ]; then\n{answer}fi\n");
    }
    lines
}

fn calls(world: &World) -> usize {
    world.read("../calls").lines().count()
}

#[track_caller]
fn fails(world: &World, code: i32, parts: &[&str]) {
    drop(failed(world, code, parts));
}

#[track_caller]
fn failed(world: &World, code: i32, parts: &[&str]) -> Output {
    let output = world.plan(DRAFT);
    assert_eq!(output.code, code, "{output:?}");
    for part in parts {
        assert!(output.stderr.contains(part), "`{part}`: {output:?}");
    }
    assert!(!world.path("plan.md").exists(), "nothing is written");
    output
}

// P-20, F-27, W-1, W-2, W-3, W-7
#[test]
fn a_draft_is_written_by_plan_and_nothing_else_differs() {
    let world = world(&says(GOOD));
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 0, "{output:?}");
    let first = output.stdout.lines().next().unwrap();
    assert!(first.starts_with("drafted 2 goals, 3 steps with cmd:drafter in 1 try, sandbox "), "{first}");
    assert!(first.ends_with(", nothing else changed"), "{first}");
    let text = world.plan_md();
    assert!(
        text.starts_with("---\nmode: contract\n---\n# Plan: calc subtracts\n\n`calc.sh:1` adds; division"),
        "{text}"
    );
    for line in ["<!-- id: subtract-two-numbers-1 -->", "- [ ] 3. write mul", "needs: subtract-two-numbers-1"] {
        assert!(text.lines().any(|found| found == line), "`{line}`: {text}");
    }
    assert_eq!(world.git(["status", "--porcelain"]), "?? plan.md\n");
    assert!(world.plan(["--json"]).stdout.contains("\"subject\": \"Multiply two numbers\""));
}

// W-6
#[test]
fn a_research_file_is_given_to_the_agent_or_the_call_is_wrong() {
    let world = world(&format!(
        "printf '%s\\n' \"$prompt\" > \"$scratch/prompt\"; outside \"cp '$scratch/prompt' ../prompt\"\n{}",
        says(GOOD)
    ))
    .file("notes/found.md", "calc.sh:1 has no sub\n")
    .committed();
    for file in ["no-such.md", "notes", "../../dev/zero"] {
        let output = world.plan(["draft", "x", "--with", "cmd:drafter", "--research", file]);
        assert_eq!(output.code, 2, "{file}: {output:?}");
        assert!(output.stderr.contains("cannot read the research file"), "{file}: {output:?}");
    }
    assert!(!world.path("../prompt").exists(), "nothing was run");
    let output = world.plan(["draft", "calc subtracts", "--with", "cmd:drafter", "--research", "notes/found.md"]);
    assert_eq!(output.code, 0, "{output:?}");
    let prompt = world.read("../prompt");
    assert!(prompt.contains("calc.sh:1 has no sub") && prompt.contains("Objective: calc subtracts\n"), "{prompt}");
}

// W-8, W-9
#[test]
fn a_users_own_prompt_beats_the_built_in_one() {
    let own = "{{objective}}|{{existing}}|{{research}}|{{id}}|{{title}}|{{branch}}|{{path}}|{{section}}{{overview}}{{base_branch}}";
    // This prompt does not ask for a last line, so none is missing.
    let answer = format!(
        "[ \"$prompt\" = \"calc subtracts|||calc-subtracts|calc subtracts|main|$(pwd)|\" ] || exit 9\ncat <<'END'\n{GOOD}END\n"
    );
    let world = world(&answer).file("../home/.config/plan/prompts/1-plan-drafting.md", own);
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 0, "{output:?}");
    let world = world.file("../home/.config/plan/prompts/1-plan-drafting.md", "{{objective}} {{existing}}");
    let output = world.plan(["draft", "--force", "calc subtracts", "--with", "cmd:drafter"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("`{{research}}` is missing"), "{output:?}");
}

// W-20, W-23
#[test]
fn goals_that_are_there_are_kept_without_force_and_if_they_were_begun() {
    let plan = "# Plan: Sums\n\n## Goal: Subtract two numbers\n<!-- id: sub-1 -->\nstatus: open\n- [ ] 1. think\n
## Goal: Add\n<!-- id: add-1 -->\nstatus: active\n- [/] 2. add\n";
    let world = world(&says_in_turn(&[&says(GOOD)])).file("plan.md", plan);
    let output = world.plan(DRAFT);
    assert_eq!((output.code, world.plan_md().as_str()), (0, plan), "{output:?}");
    assert!(output.stdout.starts_with("nothing drafted: 2 goals are in the plan already\n"), "{output:?}");
    assert!(!world.path("../calls").exists(), "nothing was run");
    let output = world.plan(["draft", "--force", "--with", "cmd:drafter"]);
    assert_eq!(output.code, 0, "the objective is that of plan.md: {output:?}");
    let text = world.plan_md();
    assert!(text.contains("\n## Goal: Add\n<!-- id: add-1 -->\nstatus: active\n- [/] 2. add\n"), "{text}");
    assert!(text.contains("\n## Goal: Subtract two numbers\n<!-- id: sub-1 -->\nstatus: open\ndone_when: "), "{text}");
    assert!(!text.contains("think") && text.contains("- [ ] 3. write the test"), "{text}");
    assert_eq!(text.matches("## Goal:").count(), 3, "{text}");
}

#[test]
fn finished_goals_move_below_the_archive_in_the_same_write() {
    let plan = "# Plan: Old\n\n## Goal: Given up\n<!-- id: old-1 -->\nstatus: cancelled\n- [ ] 1. think\n\n## Log\n";
    let world = world(&says(GOOD)).file("plan.md", plan);
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 0, "{output:?}");
    let text = world.plan_md();
    let (above, below) = text.split_once("# Archive\n").unwrap();
    assert!(
        above.starts_with("# Plan: calc subtracts\n") && below.contains("## Goal: Given up\n<!-- id: old-1 -->\n"),
        "{text}"
    );
    assert!(above.contains("- [ ] 4. write mul") && !above.contains("Given up"), "{text}");
    assert_eq!(world.plan(["undo"]).code, 0);
    assert_eq!(world.plan_md(), plan);
}

// F-26, F-27
#[test]
fn an_approved_plan_is_replaced_only_once_it_is_over() {
    let world = world(&says(GOOD)).file("../home/.config/plan/config.yaml", "review_reply: true\n");
    let force = [DRAFT, &["--force"]].concat();
    let approve = || {
        let output = world.plan(["approve", "--yes", "--as", "ada"]);
        assert_eq!(output.code, 0, "{output:?}");
    };
    for _ in 0..2 {
        assert_eq!(world.plan(&force).code, 0, "a proposal that nobody approved is replaced");
    }
    approve();
    let before = world.plan_md();
    for args in [DRAFT, &force] {
        let output = world.plan(args);
        assert_eq!((output.code, world.plan_md()), (4, before.clone()), "{output:?}");
        assert!(output.stderr.contains("refused: the approved plan is at work"), "{output:?}");
    }
    let over = "---\nmode: contract\n---\n# Plan: Old\n\n## Goal: Given up\n<!-- id: old-1 -->\nstatus: cancelled\n- [x] 1. think — done\n\n## Log\n";
    world.write("plan.md", over);
    approve();
    assert_eq!(world.plan(DRAFT).code, 0);
    let text = world.plan_md();
    assert!(
        text.contains("  plan cleared: a new plan was drafted\n") && text.contains("\n# Archive\n\n## Goal: Given up"),
        "{text}"
    );
    assert_eq!(world.plan(&force).code, 0);
}

// F-39
#[test]
fn in_contract_mode_a_draft_must_be_a_contract_that_can_be_approved() {
    let wrong =
        GOOD.replace("- [ ] write the test\n- [ ] write sub", "- [ ] 1. write the test\n- [ ] 2. write sub (after 1)");
    let contract = world(&says(&wrong));
    fails(&contract, 1, &["3 answers of `cmd:drafter` could not be used", "(after 1)`: step 2 comes after step 1"]);
    assert_eq!(
        world(&says(&wrong)).file("plan.md", "# Plan: Sums\n").plan(DRAFT).code,
        0,
        "in guide mode it may stand so"
    );
}

// P-17
#[test]
fn a_host_that_a_person_named_is_remembered_a_program_is_not() {
    let claude = r#"printf '{"is_error":false,"structured_output":%s}\n' "$(sed "s/END/$end/" <<'X'
PLAN
X
)"
"#;
    let json = serde_json::json!({ "plan": format!("{GOOD}END\n") }).to_string();
    let claude = format!("{READ}{}", claude.replace("PLAN", &json));
    let world = world(&says(GOOD)).program("claude", &claude).program("codex", "exit 1\n");
    let config = "../home/.config/plan/config.yaml";
    let output = world.plan(["draft", "calc subtracts"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("which client? `claude`, `codex` are installed"), "{output:?}");
    assert_eq!(world.plan(DRAFT).code, 0);
    assert!(!world.path(config).exists());
    let again = ["draft", "--force", "calc subtracts"];
    let output = world.call([&again[..], &["--with", "claude:opus"]].concat()).env("CLAUDECODE", "1").run();
    assert_eq!((output.code, world.path(config).exists()), (0, false), "an agent named it: {output:?}");
    let output = world.plan([&again[..], &["--with", "claude:opus"]].concat());
    assert!(output.code == 0 && output.stderr.contains("`plan draft` asks claude:opus from now on"), "{output:?}");
    assert_eq!(world.read(config), "draft: \"claude:opus\"\n");
    let output = world.plan(again);
    assert!(output.code == 0 && output.stdout.contains(" with claude:opus in 1 try"), "{output:?}");
    let output = world.plan(["draft", "x", "--force", "--with", "checks"]);
    assert_eq!((output.code, output.stderr.contains("`checks` cannot answer")), (2, true), "{output:?}");
}

// W-25
#[test]
fn a_dry_run_prints_the_prompt_and_runs_nothing() {
    let world = world("outside 'echo x >> ../calls'\n");
    let output = world.plan([DRAFT, &["--dry-run"]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.starts_with("draft cmd:drafter: drafter\n"), "{output:?}");
    assert!(
        output.stdout.contains("Objective: calc subtracts\n") && output.stdout.contains("PLAN-END[NONCE]"),
        "{output:?}"
    );
    assert!(!world.path("../calls").exists() && !world.path("plan.md").exists() && !world.path(".git/plan").exists());
    assert_eq!(world.call(DRAFT).env("PLAN_JUDGE_SESSION", "1").run().code, 4);
}

#[test]
fn without_a_repository_it_is_said_that_nothing_was_compared() {
    let world = World::without_git().program("drafter", &format!("{READ}{}", says(GOOD)));
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        !output.stdout.contains("nothing else changed") && Path::new(&world.path("plan.md")).exists(),
        "{output:?}"
    );
}

#[test]
fn a_plan_that_changed_meanwhile_is_not_written_over() {
    let world = world(&format!("outside 'echo mine >> plan.md'\n{}", says(GOOD))).file("plan.md", "# Plan: Sums\n");
    let output = world.plan(DRAFT);
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(world.plan_md(), "# Plan: Sums\nmine\n");
}

/// Killed at each call that changes a file: plan.md is the old or the new one, and a second draft works.
// W-3
#[test]
fn killed_while_it_writes_plan_md_is_the_old_or_the_new_one() {
    let world = world(&says(GOOD)).crashes();
    if !strace::available(&world) {
        return;
    }
    let old = "# Plan: Sums\n\n## Goal: Subtract two numbers\n<!-- id: sub-1 -->\nstatus: open\n- [ ] 1. think\n";
    let args = [DRAFT, &["--force"]].concat();
    for before in [Some(old), None].into_iter().take(size(1, 2)) {
        let restore = || match before {
            Some(text) => world.write("plan.md", text),
            None => drop(std::fs::remove_file(world.path("plan.md"))),
        };
        let text = || std::fs::read_to_string(world.path("plan.md")).ok();
        restore();
        let (output, trace) = strace::trace(&world, &args, "");
        assert_eq!(output.code, 0, "{output:?}");
        let (after, mut kills) = (text(), [0, 0]);
        let writing =
            ["renameat2", "renameat", "rename", "linkat", "fsync", "fdatasync", "unlinkat", "unlink", "fchmod"];
        for (name, (_, all)) in trace.calls.iter().filter(|(name, _)| writing.contains(&name.as_str())) {
            for count in 1..=*all {
                restore();
                let killed = strace::kill_at(&world, &args, name, count).code == 137;
                let found = text();
                let is_old = found.as_deref() == before;
                assert!(is_old || found == after, "{name} {count}: a third version:\n{found:?}");
                kills[usize::from(!is_old)] += usize::from(killed);
                let left = leaks::end_processes(world.base());
                assert!(left.is_empty(), "{name} {count}: still running: {left:?}");
                let again = world.plan(&args);
                assert_eq!(again.code, 0, "{name} {count}: {again:?}");
            }
        }
        assert!(kills[0] > 0 && kills[1] > 0, "{kills:?} kills before and after the change");
    }
}
