//! Contract mode: every state and every verb, with the words of each refusal (`CONTRACT.md` §3.2, §3.3), over real processes.

use plan::plan::contract::{goal_contract, plan_contract};
use plan::plan::parse;
use plan::plan::rules::{State, state};

use crate::support::World;
use crate::support::output::Output;

mod undo;

const FRONT: &str = "---\nmode: contract\n---\n";

/// Goal `a-1` with steps 1 and 2, goal `b-1` with steps 3 and 4, goal `c-1` with step 5. A mark for each step, a status for each goal.
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
    // Committed, so that the approval is one that the repository knows (R27).
    World::new().file("plan.md", plan).file("ok.sh", "exit 0\n").committed()
}

fn state_of(text: &str) -> State {
    state(&parse::parse(text.as_bytes()).unwrap())
}

fn split(line: &str) -> Vec<String> {
    plan::process::words::split(line).unwrap().argvs().concat().into_iter().map(str::to_owned).collect()
}

fn call(world: &World, line: &str) -> Output {
    world.plan(split(line))
}

const R1: &str = "needs an approved plan; this one was never approved";
const R1_HELP: &str = "help: a person approves in a terminal: `plan approve`; in this chat: `plan review`";
const R2: &str = "waits: since ada approved it (2026-06-15 14:02) the contract has changed: step 4 reworded";
const R2_HELP: &str = "help: `plan approve` shows and agrees; `plan review --reject \"why\"` takes it back";
const R3: &str = "error: refused: the plan is complete: every goal is signed off or cancelled\n";
const R8: &str = "error: refused: the approved contract changes only with a reason\n";

/// What a verb does in a state: the exit code, words on stderr, the state afterwards.
struct Cell {
    code: i32,
    says: Vec<String>,
    then: State,
}

fn ok(then: State) -> Cell {
    Cell { code: 0, says: Vec::new(), then }
}

fn refused(then: State, says: &[&str]) -> Cell {
    Cell { code: 4, says: says.iter().map(|text| (*text).to_owned()).collect(), then }
}

fn check(plan: &str, verb: &str, cell: &Cell) {
    check_in(&world(plan), plan, verb, cell);
}

/// In a world whose last commit holds the plan: it is put back, with nothing of an earlier call.
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
    use State::{Active, Complete, None, Proposed, Unapproved};
    let states = [none(), unapproved(), active(), proposed(), complete()];
    let expected = [None, Unapproved, Active, Proposed, Complete];
    assert_eq!(states.clone().map(|plan| state_of(&plan)), expected);
    let worlds = states.clone().map(|plan| world(&plan));
    let check = |at: usize, verb: &str, cell: &Cell| check_in(&worlds[at], &states[at], verb, cell);
    // Verbs of steps, goals and sign-off: R1, R1, what the table says, R2, R3.
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
    // Changes of the contract: free before the first approval, a proposal with a reason after it.
    for verb in [
        "goal add D --step six",
        "step add b-1 six",
        "step set 4 'another text'",
        "step move 4 c-1",
        "step remove 4",
        "goal set c-1 --subject Cee",
        "goal remove c-1",
    ] {
        check(1, verb, &ok(Unapproved));
        let again = format!("help: plan {verb} --because \"why\"   makes it a proposal\n");
        check(2, verb, &refused(Active, &[R8, &again]));
        check(2, &format!("{verb} --because 'it is needed'"), &ok(Proposed));
        check(3, verb, &refused(Proposed, &[R8, &again]));
        check(3, &format!("{verb} --because 'it is needed'"), &ok(Proposed));
        check(4, verb, &refused(Complete, &[R3]));
        check(4, &format!("{verb} --because 'it is needed'"), &refused(Complete, &[R3]));
    }
    check(0, "goal add D --step six", &ok(Unapproved));
    // Contract and marks stay: allowed everywhere.
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
    // Giving up, putting away, ending.
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

// F-9, F-10, F-11, F-21, F-23, F-24, F-30, F-37
#[test]
fn a_step_that_may_not_move_is_told_why_and_what_may() {
    let active = active();
    for word in ["done", "skip", "fail"] {
        says(
            &active,
            &format!("step {word} 4 x"),
            4,
            &format!("refused: `{word}` needs the active step; step 4 is pending, step 2 is active"),
            "finish it first: `plan step done 2 \"outcome\"`",
        );
        says(
            &active,
            &format!("step {word} 1 x"),
            4,
            &format!("refused: `{word}` needs the active step; step 1 is complete; steps only move forward"),
            "a person may `plan rewind 0`",
        );
        let wanted = if word == "done" { "what came of step 2" } else { "why" };
        says(
            &active,
            &format!("step {word} 2"),
            2,
            &format!("expected {wanted}, found an empty text"),
            &format!("plan step {word} 2 \"text\""),
        );
    }
    says(
        &active,
        "step start 3",
        4,
        "refused: step 2 is active; one step at a time",
        "`plan step done 2 \"outcome\"`; `skip` and `fail` end it too",
    );
    let failed = approved("x!   ", BEGUN, "", &["step 1 complete: x", "step 2 failed: y"]);
    says(
        &failed,
        "step start 3",
        4,
        "refused: step 3 belongs to b-1, which begins when every step of a-1 is complete or skipped; step 2 failed",
        "propose `plan step retry 2 --because \"why\"`",
    );
    says(
        &failed,
        "step done 2 x",
        4,
        "refused: `done` needs the active step; step 2 is failed",
        "`plan step retry 2 --because \"why\"`",
    );
    says(
        &failed,
        "step retry 2",
        4,
        "refused: the approved contract changes only with a reason",
        "plan step retry 2 --because \"why\"   makes it a proposal",
    );
    let begun = approved("!    ", BEGUN, "", &["step 1 failed: y"]);
    says(
        &begun,
        "step start 3",
        4,
        "refused: step 3 belongs to b-1, which begins when every step of a-1 is complete or skipped; step 1 failed",
        "propose `plan step retry 1 --because \"why\"`",
    );
    says(
        &begun,
        "step done 2 x",
        4,
        "refused: `done` needs the active step; step 2 is pending, and no step is active",
        "begin it: `plan step start 2`",
    );
    let waiting = approved("xx   ", BEGUN, "needs: a-1\n", &[]);
    says(
        &waiting,
        "step start 3",
        4,
        "refused: step 3 belongs to b-1; b-1 needs a-1, which is not signed off",
        "`plan complete a-1`",
    );
    says(
        &waiting,
        "goal start b-1",
        4,
        "refused: step 3 belongs to b-1; b-1 needs a-1, which is not signed off",
        "`plan complete a-1`",
    );
    let retry = active.clone() + "- 2026-06-15 14:05  edit proposed: retry step 1 because x\n";
    says(
        &retry,
        "step done 2 x",
        4,
        "refused: `step done 2` waits: since ada approved it (2026-06-15 14:02) retry of step 1 is proposed",
        "`plan approve` shows and agrees; `plan review --reject \"why\"` takes it back",
    );
    says(
        &active.replace("four", "4"),
        "step done 2 x",
        4,
        "refused: `step done 2` waits: since ada approved it (2026-06-15 14:02) the contract has changed: by hand",
        "`plan approve` shows and agrees; `plan review --reject \"why\"` takes it back",
    );
    says(
        &approved("xx/! ", ["active", "active", "open"], "", &[]),
        "complete b-1 --judge checks",
        4,
        "refused: b-1 has steps that are not settled: 3 (active), 4 (failed)",
        "`plan step done 3 \"outcome\"`",
    );
}

// F-33, F-38, F-39, F-40, F-12, F-15
#[test]
fn a_change_of_the_contract_keeps_to_the_rules() {
    let active = active();
    let with = |verb: &str| format!("{verb} --because 'it is needed'");
    let done = approved("xx/  ", ["active", "active", "open"], "", &["step 1 complete: x", "step 2 complete: x"]);
    for verb in [
        "step add a-1 more",
        "goal set a-1 --verify 'sh other.sh'",
        "goal remove a-1",
        "step set 1 anew",
        "step remove 2",
    ] {
        says(
            &done,
            &with(verb),
            4,
            "refused: goal a-1 is finished; what is finished stays as it was agreed",
            "add a goal after it: `plan goal add \"subject\" --step \"task\" --because \"why\"`",
        );
    }
    let add = "`plan step add a-1 \"task\" --because \"why\"` adds one";
    says(
        &active,
        &with("step remove 1"),
        4,
        "refused: step 1 is complete; only pending steps are moved or removed",
        add,
    );
    says(
        &active,
        &with("step move 1 b-1"),
        4,
        "refused: step 1 is complete; only pending steps are moved or removed",
        add,
    );
    says(
        &active,
        &with("step set 1 anew"),
        4,
        "refused: step 1 is complete; only pending and active steps are described anew",
        add,
    );
    says(
        &active,
        &with("step move 2 b-1"),
        4,
        "refused: step 2 is active; only pending steps are moved or removed",
        "`plan step skip 2 \"why\"` ends it",
    );
    check(&active, &with("step set 2 'two, but better'"), &ok(State::Proposed));
    let early = approved("     ", ["open"; 3], "", &[]);
    says(
        &early,
        &with("step remove 1"),
        4,
        "refused: step 3 comes after step 1",
        "`plan step set 3 --after none --because \"why\"`, then again",
    );
    check(&early, &with("step set 3 --after none"), &ok(State::Proposed));
    says(
        &active,
        &with("step remove 5"),
        4,
        "refused: step 5 is the only step of c-1, and a goal has at least one",
        "`plan goal remove c-1 --because \"why\"`",
    );
    says(
        &active,
        &with("step move 5 b-1"),
        4,
        "refused: step 5 is the only step of c-1, and a goal has at least one",
        "`plan goal remove c-1 --because \"why\"`",
    );
    says(
        &active,
        &with("goal add D --step six --before a-1"),
        4,
        "refused: a goal goes behind the current one, a-1",
        "`--before ID` of a later goal, or leave it out",
    );
    check(&active, &with("goal add D --step six --before b-1"), &ok(State::Proposed));
    says(
        &active,
        &with("goal add D"),
        2,
        "this would be no valid contract: goal d-1 has no step",
        "`plan step add d-1 \"task\"`",
    );
    says(
        &active,
        &with("step set 3 --after 5"),
        2,
        "this would be no valid contract: step 3 comes after step 5, which is in a later goal",
        "`plan step set 3 --after none`",
    );
    says(
        &active,
        &with("step set 4 --after 3"),
        2,
        "this would be no valid contract: step 4 comes after step 3, which is in the same goal",
        "`plan step set 4 --after none`",
    );
    says(
        &active,
        &with("goal set b-1 --needs c-1"),
        2,
        "this would be no valid contract: `needs` of b-1 names a later goal: c-1",
        "change `needs`: `plan goal set b-1 --needs ID`",
    );
}

// F-28, F-29, F-36, F-53
#[test]
fn the_next_step_becomes_active_and_the_log_tells_of_each() {
    let world = world(&approved("/    ", BEGUN, "", &[]));
    let done = call(&world, "step done 1 'it works'");
    assert_eq!(done.stdout, "✓ Step 1 complete → Step 2: two\n", "{done:?}");
    let skipped = call(&world, "step skip 2 'not needed'");
    assert_eq!(
        skipped.stdout, "- Step 2 skipped → Step 3: three\n✓ Goal a-1: all steps settled → plan complete a-1\n",
        "{skipped:?}"
    );
    let text = world.plan_md();
    assert!(text.contains("- [-] 2. two — not needed\n") && text.contains("- [/] 3. three (after 1)\n"), "{text}");
    assert!(text.contains("status: active\n- [/] 3. three"), "{text}");
    assert!(text.contains("  b-1 started (contract ") && text.contains(", verify none)\n"), "{text}");
    let failed = call(&world, "step fail 3 'no such flag'");
    assert_eq!(failed.stdout, "✗ Step 3 failed\n", "{failed:?}");
    assert_eq!(call(&world, "step start 4").code, 0);
    let last = call(&world, "step done 4 x");
    assert_eq!(last.stdout, "✓ Step 4 complete\n", "{last:?}");
    assert_eq!(
        last.stderr,
        "note: step 3 failed, and nothing else of b-1 can be done: plan step retry 3 --because \"why\"\n"
    );
    let retry = call(&world, "step retry 3 --because 'flag found'");
    assert_eq!(retry.stdout, "proposed: retry of step 3; waits for approval\n");
    assert!(world.plan_md().ends_with("  edit proposed: retry step 3 because flag found\n"), "{}", world.plan_md());
}

// C-24, F-31
#[test]
fn a_proposal_is_logged_and_what_is_taken_back_is_agreed_again() {
    let world = world(&active());
    let added = call(&world, "step add b-1 more --because 'ints wrap'");
    assert_eq!(added.stdout, "proposed: step 6 added to b-1; waits for approval\nadded step 6: more\n");
    assert!(world.plan_md().ends_with("  edit proposed: step 6 added to b-1 because ints wrap\n"));
    assert_eq!(call(&world, "step done 2 x").code, 4);
    let back = call(&world, "step remove 6 --because 'not needed'");
    assert!(back.stdout.starts_with("taken back: the contract is the approved one again\n"), "{back:?}");
    assert_eq!(state_of(&world.plan_md()), State::Active);
    assert!(!world.plan_md().contains("skipped: removed"), "{}", world.plan_md());
    // Its number is not given again.
    assert!(call(&world, "step add b-1 other --because x").stdout.contains("added step 7: other\n"));
    assert_eq!(call(&world, "step done 2 x").code, 4);
}

// Guide mode stays as it is: nothing is held, whatever the file says.
#[test]
fn guide_mode_is_not_held() {
    let plan = active().replace(FRONT, "").replace(", steps to 5", "");
    assert_eq!(state_of(&plan), State::Guide);
    for verb in
        ["step done 4 x", "step retry 1 x", "step remove 4", "goal remove b-1", "goal cancel b-1 x", "step done 2"]
    {
        check(&plan, verb, &ok(State::Guide));
    }
    assert!(world(&plan).plan(["list"]).stdout.find("contract").is_none());
}

#[test]
fn a_plan_in_contract_mode_is_begun_and_cleared() {
    let world = World::without_git();
    assert_eq!(call(&world, "init 'Faster search' --mode contract").code, 0);
    assert!(world.plan_md().starts_with("---\nmode: contract\n---\n# Plan: Faster search\n"), "{}", world.plan_md());
    assert_eq!(call(&world, "goal add D --step six --start").code, 4);
    assert_eq!(call(&world, "goal add D --step six").code, 0);
    let agent = world.call(["clear", "--yes"]).env("CLAUDECODE", "1").run();
    assert_eq!(agent.code, 4, "{agent:?}");
    let cleared = call(&world, "clear 'another way' --yes");
    assert_eq!((cleared.code, &*cleared.stdout), (0, "archived d-1\nplan cleared: another way\n"), "{cleared:?}");
    let text = world.plan_md();
    assert!(text.contains("# Archive\n") && text.contains("status: cancelled\n"), "{text}");
    assert!(text.contains("  d-1 cancelled: the plan was cleared\n") && text.contains("  plan cleared: another way\n"));
    assert_eq!(state_of(&text), State::None);
}

// F-32, F-49, F-52
#[test]
fn views_tell_how_the_plan_stands() {
    let world = world(&active());
    assert!(call(&world, "list").stdout.contains("contract  approved, at work\n"), "{:?}", call(&world, "list"));
    assert_eq!(world.plan(["--json"]).json(0)["state"], "active");
    assert_eq!(world.plan(["--json"]).json(0).get("held"), None);
    assert_eq!(call(&world, "next").stdout, "a-1  A — 2. two\n");
    assert_eq!(call(&world, "lint").code, 0, "{:?}", call(&world, "lint"));
    world.write("plan.md", proposed());
    let list = call(&world, "list");
    assert!(list.stdout.contains("contract  a change of the contract waits: plan approve\n"), "{list:?}");
    assert_eq!(world.plan(["list", "--json"]).json(0)["held"], "a change of the contract waits: plan approve");
    let next = call(&world, "next");
    assert_eq!((next.code, &*next.stdout, &*next.stderr), (1, "", "a change of the contract waits: plan approve\n"));
    assert_eq!(world.plan(["next", "--json"]).json(1)["state"], "proposed");
    // What is left is a sign-off.
    let settled = approved("xxxxx", ["active", "active", "active"], "", &[]);
    world.write("plan.md", settled);
    assert_eq!(call(&world, "next").stdout, "plan complete a-1\n");
    // Guide mode says nothing of it.
    world.write("plan.md", active().replace(FRONT, "").replace(", steps to 5", ""));
    assert_eq!(world.plan(["--json"]).json(0).get("state"), None);
    assert!(!call(&world, "list").stdout.contains("contract "), "{:?}", call(&world, "list"));
}

// C-24
#[test]
fn marks_set_by_hand_are_said_and_never_mended() {
    let ticked = active().replace("- [ ] 5.", "- [x] 5.");
    let world = World::new().file("plan.md", &ticked).committed();
    let said = "step 5 is complete, and the log does not say so";
    assert!(call(&world, "list").stdout.contains(said), "{:?}", call(&world, "list"));
    assert!(call(&world, "lint").stdout.contains("step-unlogged"));
    let audit = call(&world, "audit");
    assert_eq!(audit.code, 1, "{audit:?}");
    assert!(audit.stdout.contains(&format!("step-unlogged: {said}")), "{audit:?}");
    world.write("plan.md", active().replace("- [ ] 4.", "- [/] 4."));
    let both = "steps 2 and 4 are active at once; one step at a time";
    assert!(call(&world, "list").stdout.contains(both), "{:?}", call(&world, "list"));
    assert!(call(&world, "audit").stdout.contains(both));
    // Either can be ended; nothing begins while there are two.
    let done = call(&world, "step done 4 x");
    assert_eq!((done.code, &*done.stdout), (0, "✓ Step 4 complete\n"), "{done:?}");
    world.write("plan.md", active().replace("four", "4 by hand"));
    let audit = call(&world, "audit");
    assert!(
        audit.code == 1 && audit.stdout.contains("state: the contract was changed by hand since it was approved"),
        "{audit:?}"
    );
    world.write("plan.md", proposed());
    let audit = call(&world, "audit");
    assert!(
        audit.stdout.contains("note: state: a change of the contract waits for approval: step 4 reworded"),
        "{audit:?}"
    );
    world.write("plan.md", unapproved());
    assert!(call(&world, "audit").stdout.contains("note: state: nobody has approved the plan yet"));
}

// F-34, F-39: R14
#[test]
fn lint_names_what_cannot_be_approved() {
    let text = unapproved()
        .replace("(after 1)", "(after 5)")
        .replace("- [ ] 5. five\n", "")
        .replace("it is so", "<what is true then>");
    let world = world(&text);
    let lint = call(&world, "lint");
    for says in [
        "step 3 comes after step 5",
        "goal c-1 has no step",
        "a placeholder `<what is true then>` is left in done_when of a-1",
    ] {
        assert!(
            lint.stdout.contains(says)
                || says.starts_with("step 3") && lint.stdout.contains("no step has the number 5"),
            "{says}: {lint:?}"
        );
    }
    assert_eq!(lint.code, 1);
    let guide = world.plan_md().replace(FRONT, "");
    world.write("plan.md", guide);
    assert!(!call(&world, "lint").stdout.contains("has no step"), "{:?}", call(&world, "lint"));
}

// CONTRACT.md §3.3, R15: a goal begins with its first step, and its verify is not run then.
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
    assert_eq!(state_of(&world.plan_md()), State::Active);
}
