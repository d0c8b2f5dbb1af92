//! The questions about a contract: the menu of a review and of a draft, and the question of an approval.

use super::typed;
use crate::support::World;
use crate::support::output::Output;

const UNAPPROVED: &str = "---\nmode: contract\n---\n# Plan: Sums\n\n## Goal: Add\n<!-- id: add-1 -->\ndone_when:\n- adds\n- carries\n\
                          failure_modes:\n- wraps\n- rounds\n- [ ] 1. one\n- [ ] 2. two\n\n## Log\n- 2026-06-15 14:02  begun\n";

// P-21
#[test]
fn the_menu_of_a_review_approves_what_it_shows() {
    let world = World::new().file("plan.md", UNAPPROVED);
    let output = typed(&world, "review", "\\ry\\r");
    let screen = output.stdout.replace('\r', "");
    assert_eq!(output.code, 0, "{screen}");
    assert!(screen.contains("Goal: Add") && screen.contains("Ready: approve it"), "{screen}");
    assert!(screen.contains("→ Step 1: one"), "{screen}");
    assert!(
        world.plan_md().contains(" via terminal (contract ") && world.plan_md().contains("- [/] 1. one"),
        "{screen}"
    );
}

// P-8, P-21
#[test]
fn a_draft_ends_with_the_menu_that_approves_it() {
    let drafter = "#!/bin/sh\nend=$(grep -o 'PLAN-END\\[[0-9a-f]*\\]' | head -n 1)\n\
                   printf '# Plan: Sums\\n\\n## Goal: Add\\ndone_when: adds\\nfailure_modes:\\n- wraps\\n- [ ] one\\n\\n%s\\n' \"$end\"\n";
    let world = World::new().program("drafter", drafter).committed();
    let output = typed(&world, "draft sums --with cmd:drafter", "\\rYes\\r");
    let screen = output.stdout.replace('\r', "");
    assert_eq!(output.code, 0, "{screen}");
    assert!(screen.contains("drafted 1 goal, 1 step with cmd:drafter in 1 try"), "{screen}");
    assert!(screen.contains("Ready: approve it") && screen.contains("→ Step 1: one"), "{screen}");
    assert!(world.plan_md().contains(" via terminal (contract "), "{screen}");
}

// P-21: the space bar chooses the first item, so feedback that is typed at once answers the next question. That question needs a whole line
// that agrees.
#[test]
fn words_typed_at_the_menu_approve_nothing() {
    let world = World::new().file("plan.md", UNAPPROVED);
    for keys in ["split step 2 by day\\rq", " step 2 by day\\rq", "\\r\\rq", "\\rok yes\\rq"] {
        let output = typed(&world, "review", keys);
        let screen = output.stdout.replace('\r', "");
        assert_eq!(output.code, 1, "{keys}: {screen}");
        assert!(
            screen.contains("Approve this contract?") && screen.contains("nothing was decided"),
            "{keys}: {screen}"
        );
        assert_eq!(world.plan_md(), UNAPPROVED, "{keys}");
    }
    let output = typed(&world, "approve", "split it by day\\r");
    assert_eq!((output.code, world.plan_md()), (1, UNAPPROVED.to_owned()), "{}", output.stdout);
}

// CONTRACT.md §4
#[test]
fn leaving_the_menu_decides_nothing() {
    let world = World::new().file("plan.md", UNAPPROVED);
    for keys in ["\\033[A\\r", "\\033[B\\033[B\\033[B\\r", "q"] {
        let output = typed(&world, "review", keys);
        assert_eq!(output.code, 1, "{keys}: {}", output.stdout);
        assert!(output.stdout.contains("nothing was decided"), "{keys}: {}", output.stdout);
        assert_eq!(world.plan_md(), UNAPPROVED, "{keys}");
    }
}

// CONTRACT.md §4: the requested change becomes the block for the agent.
#[test]
fn the_menu_takes_what_is_to_change() {
    let world = World::new().file("plan.md", UNAPPROVED);
    let output = typed(&world, "review", "\\033[B\\rsplit step 2\\r");
    let screen = output.stdout.replace('\r', "");
    assert_eq!(output.code, 1, "{screen}");
    assert!(screen.contains("<plan_feedback>\n") && screen.contains("\nuser_feedback:\nsplit step 2\n"), "{screen}");
    assert_eq!(world.plan_md(), UNAPPROVED);
}

// CONTRACT.md §8, step 4: a loosening by hand is shown above the difference.
#[test]
fn an_edit_from_the_menu_is_shown_again_with_its_difference() {
    let world = World::new().file("plan.md", UNAPPROVED);
    assert_eq!(world.plan(["approve", "--yes", "--as", "ada"]).code, 0);
    world.script("edit.sh", "#!/bin/sh\nsed -i '/- rounds/d' \"$2\"\n");
    world.write("plan.md", world.plan_md().replace("2. two", "2. second"));
    let editor = world.path("edit.sh").to_str().unwrap().to_owned();
    let world = world.env("VISUAL", format!("{editor} --wait"));
    let output = typed(&world, "review", "\\033[B\\033[B\\r\\ry\\r");
    let screen = output.stdout.replace('\r', "");
    assert_eq!(output.code, 0, "{screen}");
    assert!(screen.contains("step 2 reworded") && screen.contains("+   2. second"), "{screen}");
    assert!(screen.contains("! goal add-1 amended (loosened: failure mode dropped)"), "{screen}");
    assert!(
        !world.plan_md().contains("rounds") && world.plan_md().matches("plan approved by").count() == 2,
        "{screen}"
    );
}

// CONTRACT.md §8, rows 3 and 4: a person reads the whole contract once, and after that only the differences.
#[test]
fn the_menu_shows_again_only_what_changed_since_it_was_last_shown() {
    let world = World::new().file("plan.md", UNAPPROVED);
    world.script("edit.sh", "#!/bin/sh\nsed -i '/- rounds/d' \"$1\"\n");
    let editor = world.path("edit.sh").to_str().unwrap().to_owned();
    let world = world.env("VISUAL", editor);
    let output = typed(&world, "review", "\\033[B\\033[B\\r\\033[B\\033[B\\r\\ry\\r");
    let screen = output.stdout.replace('\r', "");
    assert_eq!(output.code, 0, "{screen}");
    assert!(screen.contains("! goal add-1 amended (loosened: failure mode dropped)"), "{screen}");
    assert!(screen.contains("-     - rounds") && screen.contains("+   failure_modes: wraps"), "{screen}");
    assert_eq!(screen.matches("Goal: Add — unchanged").count(), 1, "the third time nothing differs: {screen}");
    assert!(world.plan_md().contains(" via terminal (contract "), "{screen}");
}

/// A drafter that turns the requested change into its second step.
const TOLD: &str = r#"#!/bin/sh
prompt=$(cat)
end=$(printf '%s\n' "$prompt" | grep -o 'PLAN-END\[[0-9a-f]*\]' | head -n 1)
said=$(printf '%s\n' "$prompt" | sed -n '/^<plan_feedback>$/{n;p;}')
printf '# Plan: Sums\n\nIt adds.\n\n## Goal: Add\ndone_when: adds\nfailure_modes:\n- wraps\n- [ ] one\n%s- [ ] last\n\n%s\n' "${said:+- [ ] $said
}" "$end"

"#;

/// Runs `plan draft` on a terminal that stays open until the drafts are made; `keys` wait in its queue.
fn drafted(world: &World, keys: &str) -> Output {
    let line =
        format!("{} draft sums --with cmd:drafter; code=$?; touch ../over; exit $code", env!("CARGO_BIN_EXE_plan"));
    let keys = format!("printf '{keys}'; while [ ! -e ../over ]; do sleep 0.1; done");
    let feed = format!("({keys}) | script --quiet --return --command '{line}' /dev/null");
    world.call_program("sh", ["-c", &feed]).env("TERM", "xterm-256color").run()
}

// CONTRACT.md §8, row 3: the agent drafts again with the person's words, as if there was no earlier draft.
#[test]
fn an_edit_of_a_draft_is_drafted_again_with_the_persons_words() {
    let world = World::new().program("drafter", TOLD).committed();
    let output = drafted(&world, "\\033[B\\rsplit step 1\\r\\ry\\r");
    let screen = output.stdout.replace('\r', "");
    assert_eq!(output.code, 0, "{screen}");
    assert!(screen.contains("drafted 1 goal, 2 steps") && screen.contains("drafted 1 goal, 3 steps"), "{screen}");
    let again = screen.split("drafted 1 goal, 3 steps").nth(1).unwrap();
    assert!(again.contains("+   2. split step 1\n") && !again.contains("\n  failure_modes"), "{screen}");
    let plan = world.plan_md();
    assert!(plan.contains("- [/] 1. one\n- [ ] 2. split step 1\n- [ ] 3. last\n"), "{plan}");
    assert_eq!((plan.matches("It adds.").count(), plan.matches("add-1 added").count()), (1, 1), "{plan}");
    assert!(plan.contains(", steps to 3)"), "{plan}");
}

// A person's own edits of the draft stay.
#[test]
fn a_draft_that_a_person_has_edited_is_not_taken_back() {
    let world = World::new().program("drafter", TOLD).committed();
    world.script("../edit.sh", "#!/bin/sh\nsed -i 's/^It adds.$/It adds. Mine./' \"$1\"\n");
    let editor = world.path("../edit.sh").to_str().unwrap().to_owned();
    let world = world.env("VISUAL", editor);
    let output = drafted(&world, "\\033[B\\033[B\\r\\033[B\\rsplit step 1\\r\\ry\\r");
    assert_eq!(output.code, 0, "{}", output.stdout);
    let plan = world.plan_md();
    assert!(plan.contains("\nIt adds. Mine.\n") && plan.contains("] 4. split step 1\n"), "{plan}");
}

// Changes of plan.md in the meantime are not overwritten.
#[test]
fn a_second_draft_is_not_written_over_a_save() {
    let asks = "printf '%s\\n' \"$HOME\" 'echo mine >> plan.md' > \"$TMPDIR/asking\"; mv \"$TMPDIR/asking\" \"$TMPDIR/outside\"\n\
                while [ -e \"$TMPDIR/outside\" ]; do sleep 0.01; done";
    let saves = TOLD.replace("said=$(", &format!("case $prompt in *'<plan_feedback>'*) {asks};; esac\nsaid=$("));
    let world = World::new().program("drafter", &saves).committed().helped();
    let output = drafted(&world, "\\033[B\\rsplit step 1\\r");
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(output.stdout.contains("  plan: `plan.md` changed"), "{}", output.stdout);
    assert!(world.plan_md().contains("- [ ] 2. last\n") && world.plan_md().ends_with("mine\n"), "{}", world.plan_md());
}

#[test]
fn a_second_draft_that_fails_leaves_the_first() {
    let fails = TOLD.replace("said=$(", "case $prompt in *'<plan_feedback>'*) echo no; exit;; esac\nsaid=$(");
    let world = World::new().program("drafter", &fails).committed();
    let output = drafted(&world, "\\033[B\\rsplit step 1\\r");
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(output.stdout.contains("`plan review` shows the plan as it stands"), "{}", output.stdout);
    assert!(world.plan_md().contains("- [ ] 1. one\n- [ ] 2. last\n"), "{}", world.plan_md());
}

// S-6, S-7
#[test]
fn a_step_with_a_command_is_shown_run_and_settled() {
    let plan =
        UNAPPROVED.replace("1. one\n", "1. one (run: sh look.sh)\n").replace("2. two\n", "2. two (run: sh look.sh)\n");
    let world = World::new().file("plan.md", plan).file("look.sh", "grep -q '\\[/] 1' plan.md\n");
    assert_eq!(world.plan(["approve", "--yes", "--as", "ada"]).code, 0);
    let before = world.plan_md();
    let no = typed(&world, "step run 1", "n");
    assert_eq!(no.code, 1, "{}", no.stdout);
    let screen = no.stdout.replace('\r', "");
    assert!(screen.contains("Step 1: one\n  run: sh look.sh\n") && screen.contains("Run it?"), "{screen}");
    assert_eq!(world.plan_md(), before);
    // The step is active while its command runs, and its outcome is the result of the command.
    let yes = typed(&world, "step run 1", "y");
    assert_eq!(yes.code, 0, "{}", yes.stdout);
    assert!(
        world.plan_md().contains("- [x] 1. one (run: sh look.sh) \u{2014} green: no output\n"),
        "{}",
        world.plan_md()
    );
    assert!(world.plan_md().contains("  step 1 complete: green: no output\n"), "{}", world.plan_md());
    let failed = typed(&world, "step run 2", "y");
    assert_eq!(failed.code, 1, "{}", failed.stdout);
    assert!(world.plan_md().contains("- [!] 2. two (run: sh look.sh) \u{2014} exit 1"), "{}", world.plan_md());
    assert!(world.plan_md().contains("  step 2 failed: exit 1"), "{}", world.plan_md());
}

// R24
#[test]
fn a_save_between_reading_and_approving_approves_nothing() {
    let world = World::new().file("plan.md", UNAPPROVED);
    // The answer comes a second after the save.
    let line = format!("{} approve", env!("CARGO_BIN_EXE_plan"));
    let feed = format!(
        "(sleep 1; sed -i 's/2. two/2. second/' plan.md; sleep 1; printf 'y\\r'; sleep 1) | script --quiet --return --command '{line}' /dev/null"
    );
    let output = world.call_program("sh", ["-c", &feed]).env("TERM", "xterm-256color").run();
    assert_eq!(output.code, 5, "{}", output.stdout);
    assert!(output.stdout.contains("plan.md changed while you read it; nothing was approved"), "{}", output.stdout);
    assert!(!world.plan_md().contains("approved by"), "{}", world.plan_md());
}

#[test]
fn an_approval_is_asked_for_and_a_no_is_a_no() {
    let world = World::new().file("plan.md", UNAPPROVED);
    let output = typed(&world, "approve", "n\\r");
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(
        output.stdout.contains("Approve this contract?") && output.stdout.contains("nothing was approved"),
        "{}",
        output.stdout
    );
    assert_eq!(world.plan_md(), UNAPPROVED);
    let piped = world.plan(["approve"]);
    assert_eq!(piped.code, 4, "{piped:?}");
}

// P-5: a contract that is shown for approval cannot draw on the terminal.
#[test]
fn a_contract_cannot_draw_on_the_terminal() {
    let hostile = UNAPPROVED.replace("- carries", "- carries\u{1b}[2J\u{9b}8m\u{202e} hidden");
    let world = World::new().file("plan.md", &hostile).env("NO_COLOR", "");
    let shown = typed(&world, "approve --color always", "n\\r").stdout;
    for bad in ["\u{1b}[2J", "\u{9b}", "\u{202e}"] {
        assert!(!shown.contains(bad), "{bad:?}:\n{shown}");
    }
    assert!(shown.contains("carries\\u{1b}[2J\\u{9b}8m\\u{202e} hidden"), "{shown}");
}
