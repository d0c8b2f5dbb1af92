//! Contract mode: every state and every verb, with the text of each refusal (`CONTRACT.md` §3.2, §3.3), in real processes.

use plan::plan::contract::{goal_contract, plan_contract};
use plan::plan::parse;
use plan::plan::rules::{PlanState, state};

use crate::support::World;
use crate::support::output::Output;

mod invalid;
mod moves;
mod seen;
mod shape;
mod undo;

const FRONT: &str = "---\nmode: contract\n---\n";

/// Goal `a-1` with steps 1 and 2, goal `b-1` with steps 3 and 4, goal `c-1` with step 5. `marks` has a mark for each step, `statuses` a status for each goal.
fn source(marks: &str, statuses: [&str; 3], needs: &str, log: &[String]) -> String {
    let mark: Vec<char> = marks.chars().collect();
    let [a, b, c] = statuses;
    let log: String = log.iter().map(|line| format!("- 2026-06-15 14:02  {line}\n")).collect();
    format!(
        "{FRONT}# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: {a}\ndone_when: it is so\nverify: sh ok.sh\n\
         - [{}] 1. one\n- [{}] 2. two\n\n## Goal: B\n<!-- id: b-1 -->\nstatus: {b}\n{needs}- [{}] 3. three (after 1)\n\
         - [{}] 4. four\n\n## Goal: C\n<!-- id: c-1 -->\nstatus: {c}\n- [{}] 5. five\n\n## Log\n{log}",
        mark[0], mark[1], mark[2], mark[3], mark[4]
    )
}

fn approval(text: &str) -> String {
    let contract = plan_contract(&parse::parse(text.as_bytes()).unwrap()).short();
    format!("plan approved by ada via terminal (contract {contract}, steps to 5)")
}

fn approved(marks: &str, statuses: [&str; 3], needs: &str, more: &[&str]) -> String {
    let mut log = vec![approval(&source(marks, statuses, needs, &[]))];
    log.extend(more.iter().map(|line| (*line).to_owned()));
    source(marks, statuses, needs, &log)
}

const BEGUN: [&str; 3] = ["active", "open", "open"];

fn none() -> String {
    format!("{FRONT}# Plan: x\n\n## Log\n")
}

fn unapproved() -> String {
    source("     ", ["open"; 3], "", &[])
}

fn active() -> String {
    approved("x/   ", BEGUN, "", &["step 1 complete: it works"])
}

fn proposed() -> String {
    active().replace("four", "number four")
        + "- 2026-06-15 14:05  edit proposed: step 4 reworded because it says more\n"
}

fn complete() -> String {
    let bare = source("xxxxx", ["done", "cancelled", "cancelled"], "", &[]);
    let plan = parse::parse(bare.as_bytes()).unwrap();
    let contract = goal_contract(plan.goal_named("a-1").unwrap()).digest.short();
    let signed =
        format!("a-1 signed off (verify none, gate full, oracle accept by x, contract {contract}, tree none, at none)");
    approved("xxxxx", ["done", "cancelled", "cancelled"], "", &[&signed])
}

fn world(plan: &str) -> World {
    // The plan is committed, so that the repository knows the approval (R27).
    World::new().file("plan.md", plan).file("ok.sh", "exit 0\n").committed()
}

fn state_of(text: &str) -> PlanState {
    state(&parse::parse(text.as_bytes()).unwrap())
}

fn split(line: &str) -> Vec<String> {
    plan::shell::strict::split(line).unwrap().argvs().concat().into_iter().map(str::to_owned).collect()
}

fn call(world: &World, line: &str) -> Output {
    world.plan(split(line))
}

const R1: &str = "needs an approved plan; this one was never approved";
const R1_HELP: &str =
    "help: a person approves in their own terminal: `plan approve`; an agent asks for it in its chat: `plan review`";
const R2: &str = "waits: since ada approved it (2026-06-15 14:02) the contract has changed: step 4 reworded";
const R2_HELP: &str = "help: `plan approve` shows and agrees; `plan review --reject \"why\"` takes it back";
const R3: &str = "error: refused: the plan is complete: every goal is signed off or cancelled\n";
const R8: &str = "error: refused: the approved contract changes only with a reason\n";

/// The effect of a verb in a state: the exit code, words on stderr, the new state.
struct Cell {
    code: i32,
    says: Vec<String>,
    then: PlanState,
}

fn ok(then: PlanState) -> Cell {
    Cell { code: 0, says: Vec::new(), then }
}

fn refused(then: PlanState, says: &[&str]) -> Cell {
    Cell { code: 4, says: says.iter().map(|text| (*text).to_owned()).collect(), then }
}

fn check(plan: &str, verb: &str, cell: &Cell) {
    check_in(&world(plan), plan, verb, cell);
}

/// Checks in a world whose last commit holds the plan. It restores the plan first, without traces of an earlier call.
fn check_in(world: &World, plan: &str, verb: &str, cell: &Cell) {
    for folder in [".git/plan", ".git/refs/plan"] {
        drop(std::fs::remove_dir_all(world.path(folder)));
    }
    world.write("plan.md", plan);
    let before = world.plan_md();
    let output = call(world, verb);
    let about = format!("`plan {verb}` in {}: {output:?}", state_of(plan).word());
    assert_eq!(output.code, cell.code, "{about}");
    cell.says.iter().for_each(|says| assert!(output.stderr.contains(says), "expected {says:?}\n{about}"));
    assert_eq!(state_of(&world.plan_md()), cell.then, "{about}");
    if cell.code != 0 && cell.code != 1 {
        assert_eq!(world.plan_md(), before, "{about}");
    }
}

// F-1, F-8, F-9, F-25, F-37, F-38, C-24
#[test]
fn every_state_answers_every_verb() {
    use PlanState::{Active, Complete, None, Proposed, Unapproved};
    let states = [none(), unapproved(), active(), proposed(), complete()];
    let expected = [None, Unapproved, Active, Proposed, Complete];
    assert_eq!(states.clone().map(|plan| state_of(&plan)), expected);
    let worlds = states.clone().map(|plan| world(&plan));
    let check = |at: usize, verb: &str, cell: &Cell| check_in(&worlds[at], &states[at], verb, cell);
    // Verbs of steps, goals and sign-off, in each state: R1, R1, the table, R2, R3.
    let moves: [(&str, Cell); 9] = [
        ("step start 3", refused(Active, &["error: refused: step 2 is active; one step at a time\n"])),
        ("step done 2 works", ok(Active)),
        ("step skip 2 'not needed'", ok(Active)),
        ("step fail 2 'no such flag'", ok(Active)),
        (
            "step retry 1",
            refused(
                Active,
                &["error: refused: `retry` needs a failed step; step 1 is complete, only a failed step is retried\n"],
            ),
        ),
        (
            "step run 1",
            refused(
                Active,
                &[
                    "error: refused: `run` needs the active step; step 1 is complete; steps only move forward\n",
                    "help: a person may `plan rewind 0`",
                ],
            ),
        ),
        ("goal start b-1", refused(Active, &["error: refused: step 2 is active; one step at a time\n"])),
        (
            "complete a-1 --judge checks",
            refused(
                Active,
                &[
                    "error: refused: a-1 has steps that are not settled: 2 (active)\n",
                    "help: `plan step done 2 \"outcome\"`",
                ],
            ),
        ),
        ("progress --step 2 --summary works", ok(Active)),
    ];
    for (verb, in_active) in moves {
        let attempt = match verb.strip_prefix("progress --step 2") {
            Some(_) => "step done 2".to_owned(),
            Option::None => {
                verb.split(' ').take(if verb.starts_with("complete") { 2 } else { 3 }).collect::<Vec<_>>().join(" ")
            }
        };
        let r1 = format!("error: refused: `{attempt}` {R1}\n");
        let r2 = format!("error: refused: `{attempt}` {R2}\n");
        check(0, verb, &refused(None, &[&r1, R1_HELP]));
        check(1, verb, &refused(Unapproved, &[&r1, R1_HELP]));
        check(2, verb, &in_active);
        check(3, verb, &refused(Proposed, &[&r2, R2_HELP]));
        check(
            4,
            verb,
            &refused(
                Complete,
                &[R3, "help: `plan draft \"objective\"` begins the next one; `plan archive` puts this one away"],
            ),
        );
    }
    // Changes of the contract: free before the first approval, afterwards a proposal with a reason.
    for verb in [
        "goal add D --step six", "step add b-1 six", "step set 4 'another text'", "step move 4 c-1", "step remove 4",
        "goal set c-1 --subject Cee", "goal remove c-1",
    ] {
        check(1, verb, &ok(Unapproved));
        let again = format!("help: plan {verb} --because \"why\"   # makes it a proposal\n");
        check(2, verb, &refused(Active, &[R8, &again]));
        check(2, &format!("{verb} --because 'it is needed'"), &ok(Proposed));
        check(3, verb, &refused(Proposed, &[R8, &again]));
        check(3, &format!("{verb} --because 'it is needed'"), &ok(Proposed));
        check(4, verb, &refused(Complete, &[R3]));
        check(4, &format!("{verb} --because 'it is needed'"), &refused(Complete, &[R3]));
    }
    check(0, "goal add D --step six", &ok(Unapproved));
    // Contract and marks stay the same: allowed in every state.
    for (at, state) in expected.into_iter().enumerate().skip(1) {
        for verb in
            ["goal set a-1 --priority 1", "log 'cache wired'", "pause 'needs a password'", "show", "next --all", "list"]
        {
            let cell = if verb.starts_with("next") {
                Cell { code: if matches!(state, Complete) { 1 } else { 0 }, says: Vec::new(), then: state }
            } else {
                ok(state)
            };
            if !(verb.starts_with("next") && matches!(state, Unapproved | Proposed)) {
                check(at, verb, &cell);
            }
        }
    }
    // Cancel, archive and end goals.
    check(1, "goal cancel b-1 'not needed'", &ok(Unapproved));
    check(2, "goal cancel b-1 'not needed'", &ok(Proposed));
    check(3, "goal cancel b-1 'not needed'", &ok(Proposed));
    check(4, "goal cancel b-1 'not needed'", &refused(Complete, &[R3]));
    check(0, "archive", &Cell { code: 1, says: Vec::new(), then: None });
    let r22 = "error: refused: goals are archived when the plan is complete; 3 are not\n  help: `plan next`\n";
    check(1, "archive", &refused(Unapproved, &[r22]));
    check(2, "archive", &refused(Active, &[r22]));
    check(3, "archive", &refused(Proposed, &[r22]));
    check(4, "archive", &ok(None));
    check(0, "clear --yes", &ok(None));
    for at in 1..states.len() {
        check(at, "clear 'another way' --yes", &ok(None));
    }
}

fn says(plan: &str, verb: &str, code: i32, message: &str, help: &str) {
    let world = world(plan);
    let before = world.plan_md();
    let output = call(&world, verb);
    let expected =
        format!("error: {message}\n{}", if help.is_empty() { String::new() } else { format!("  help: {help}\n") });
    assert_eq!((output.code, output.stderr.as_str()), (code, expected.as_str()), "`plan {verb}`");
    assert_eq!(world.plan_md(), before, "`plan {verb}`");
}

// Guide mode stays as it is: nothing is held, whatever the file contains.
#[test]
fn guide_mode_is_not_held() {
    let plan = active().replace(FRONT, "").replace(", steps to 5", "");
    assert_eq!(state_of(&plan), PlanState::Guide);
    for verb in
        ["step done 4 x", "step retry 1 x", "step remove 4", "goal remove b-1", "goal cancel b-1 x", "step done 2"]
    {
        check(&plan, verb, &ok(PlanState::Guide));
    }
    assert!(world(&plan).plan(["list"]).stdout.find("contract").is_none());
}

// F-48
#[test]
fn a_plan_in_contract_mode_is_begun_and_cleared() {
    let world = World::without_git();
    assert_eq!(call(&world, "init 'Faster search' --mode contract").code, 0);
    assert!(world.plan_md().starts_with("---\nmode: contract\n---\n# Plan: Faster search\n"), "{}", world.plan_md());
    assert_eq!(call(&world, "goal add D --step six --start").code, 4);
    assert_eq!(call(&world, "goal add D --step six").code, 0);
    let agent = world.call(["clear", "--yes"]).env("CLAUDECODE", "1").run();
    assert_eq!(agent.code, 4, "{agent:?}");
    assert!(agent.stderr.ends_with("  help: run it in your own terminal: `plan clear`\n"), "{agent:?}");
    let cleared = call(&world, "clear 'another way' --yes");
    assert_eq!((cleared.code, &*cleared.stdout), (0, "archived d-1\nplan cleared: another way\n"), "{cleared:?}");
    let text = world.plan_md();
    assert!(text.contains("# Archive\n") && text.contains("status: cancelled\n"), "{text}");
    assert!(text.contains("  d-1 cancelled: the plan was cleared\n") && text.contains("  plan cleared: another way\n"));
    assert_eq!(state_of(&text), PlanState::None);
    for plan in [active(), proposed()] {
        world.write("plan.md", plan);
        assert_eq!(call(&world, "clear --yes").code, 0);
        assert_eq!(state_of(&world.plan_md()), PlanState::None);
    }
}

// CONTRACT.md §3.3, R15: a goal begins with its first step, and its verify does not run then.
#[test]
fn verify_is_seen_red_before_the_work_or_at_the_end() {
    let plan = approved("     ", ["open"; 3], "", &[]);
    let world = World::new().file("plan.md", plan).file("ok.sh", "exit 1\n").committed();
    assert_eq!(call(&world, "step start 1").code, 0);
    let begun = world.plan_md();
    assert!(begun.contains("  a-1 started (contract ") && begun.ends_with(", verify not run)\n"), "{begun}");
    assert!(begun.contains("<!-- id: a-1 -->\nstatus: active\n"), "{begun}");
    world.write("other", "work");
    let late = call(&world, "goal start a-1");
    assert_eq!(
        (late.code, &*late.stderr),
        (
            4,
            "error: refused: verify of a-1 can be seen red only before its work: 1 file differs from its start\n  \
             help: `plan complete a-1 --gate full` looks at that at the end\n"
        )
    );
    assert_eq!(world.plan_md(), begun);
    std::fs::remove_file(world.path("other")).unwrap();
    let seen = call(&world, "goal start a-1");
    assert_eq!(seen.code, 0, "{seen:?}");
    assert!(world.plan_md().ends_with(", verify red exit 1)\n"), "{}", world.plan_md());
    assert!(call(&world, "goal start a-1").stdout.contains("already active"));
    assert_eq!(state_of(&world.plan_md()), PlanState::Active);
}
