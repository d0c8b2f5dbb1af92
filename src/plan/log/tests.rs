use proptest::prelude::*;

use super::*;

const OLD: &str = "0123456789ab";
const NEW: &str = "ba9876543210";
const SIGNED: &str = "a-1 signed off (verify green 2.1s, gate 3 of 5, oracle accept by claude:opus, cmd:yes.py (named by \
                      caller) (own prompt), contract 0123456789ab, tree ba9876543210, at 89abcdef0123+)";

fn sign_off() -> SignOff<'static> {
    SignOff::read(SIGNED).unwrap().1
}

// P-38; CLI.md, "Log lines that plan writes"
#[test]
fn lines_are_exact_and_are_read_as_what_they_say() {
    let about = |event: GoalEvent<'static>| event.of("a-1");
    let start = StartLine { contract: OLD, at: "89abcdef0123+", tree: NEW, verify: "red exit 1" };
    let amended = Amended { what: "loosened: failure mode dropped", old: OLD, new: NEW, because: None };
    let step = |end, text| LogLine::Step { name: "3", end, text };
    let proposed = |edit| LogLine::Proposed { edit, because: "of it" };
    let approval = Approval { name: "ada", way: "terminal", contract: OLD, steps: Some(12), note: None };
    for (line, expected) in [
        (about(GoalEvent::Added { contract: OLD }), "a-1 added (contract 0123456789ab)"),
        (
            about(GoalEvent::Started(start)),
            "a-1 started (contract 0123456789ab, at 89abcdef0123+, tree ba9876543210, verify red exit 1)",
        ),
        (
            about(GoalEvent::Amended(amended)),
            "a-1 amended (loosened: failure mode dropped; contract 0123456789ab -> ba9876543210)",
        ),
        (
            about(GoalEvent::Amended(Amended { because: Some("it cannot be measured (yet)"), ..amended })),
            "a-1 amended (loosened: failure mode dropped; contract 0123456789ab -> ba9876543210) because it cannot be \
             measured (yet)",
        ),
        (about(GoalEvent::SignedOff(sign_off())), SIGNED),
        (
            about(GoalEvent::Rejected { by: Rejecter::Verify("exit 1"), why: "E  boom" }),
            "a-1 rejected (verify exit 1): E  boom",
        ),
        (
            about(GoalEvent::Rejected { by: Rejecter::Gate("no-change"), why: "nothing was changed" }),
            "a-1 rejected (gate no-change): nothing was changed",
        ),
        (
            about(GoalEvent::Rejected { by: Rejecter::Oracle("cmd:a (named by caller)"), why: "missing: a; b" }),
            "a-1 rejected (oracle cmd:a (named by caller)): missing: a; b",
        ),
        (
            about(GoalEvent::Inconclusive { judge: "claude", why: "no verdict" }),
            "a-1 inconclusive (oracle claude): no verdict",
        ),
        (about(GoalEvent::Reopened { why: "was done" }), "a-1 reopened (was done)"),
        (about(GoalEvent::Cancelled { reason: "too dear: later" }), "a-1 cancelled: too dear: later"),
        (step(StepEnd::Complete, "pool of 8"), "step 3 complete: pool of 8"),
        (step(StepEnd::Failed, "no pool"), "step 3 failed: no pool"),
        (step(StepEnd::Skipped, "not needed"), "step 3 skipped: not needed"),
        (step(StepEnd::Retried, "again"), "step 3 retried: again"),
        (LogLine::Step { name: "cache-layer-1.2", end: StepEnd::Failed, text: "x" }, "step cache-layer-1.2 failed: x"),
        (LogLine::Approved(approval), "plan approved by ada via terminal (contract 0123456789ab, steps to 12)"),
        (
            LogLine::Approved(Approval { steps: None, note: Some("go"), ..approval }),
            "plan approved by ada via terminal (contract 0123456789ab): go",
        ),
        (LogLine::Paused { reason: "needs the password" }, "paused: needs the password"),
        (LogLine::Imported { goals: 1, tool: "beads" }, "imported 1 goal from beads"),
        (LogLine::Imported { goals: 12, tool: "Task Master" }, "imported 12 goals from Task Master"),
        (
            about(GoalEvent::Amended(Amended { what: "rejected", ..amended })),
            "a-1 amended (rejected; contract 0123456789ab -> ba9876543210)",
        ),
        (
            about(GoalEvent::Started(StartLine { verify: "not run", ..start })),
            "a-1 started (contract 0123456789ab, at 89abcdef0123+, tree ba9876543210, verify not run)",
        ),
        (about(GoalEvent::Reopened { why: "rewind to step 3" }), "a-1 reopened (rewind to step 3)"),
        (LogLine::EditRejected { why: "not now", contract: NEW }, "edit rejected: not now (contract ba9876543210)"),
        (
            LogLine::Rewound { step: "3", checkpoint: 7, files: 14 },
            "rewound to step 3 (checkpoint 7, 14 files: read them again)",
        ),
        (
            LogLine::Rewound { step: "0", checkpoint: 1, files: 1 },
            "rewound to step 0 (checkpoint 1, 1 file: read it again)",
        ),
        (LogLine::Cleared { why: "another way" }, "plan cleared: another way"),
        (
            proposed(ProposedEdit::StepAdded { step: "7", goal: "docs-1" }),
            "edit proposed: step 7 added to docs-1 because of it",
        ),
        (proposed(ProposedEdit::StepReworded { step: "3" }), "edit proposed: step 3 reworded because of it"),
        (
            proposed(ProposedEdit::StepMoved { step: "docs-1.2", goal: "docs-1" }),
            "edit proposed: step docs-1.2 moved to docs-1 because of it",
        ),
        (proposed(ProposedEdit::StepRemoved { step: "3" }), "edit proposed: step 3 removed because of it"),
        (proposed(ProposedEdit::GoalAdded { goal: "docs-1" }), "edit proposed: goal docs-1 added because of it"),
        (proposed(ProposedEdit::GoalRemoved { goal: "docs-1" }), "edit proposed: goal docs-1 removed because of it"),
        (
            proposed(ProposedEdit::GoalAmended { goal: "docs-1", what: "loosened: failure mode dropped" }),
            "edit proposed: goal docs-1 amended (loosened: failure mode dropped) because of it",
        ),
        (proposed(ProposedEdit::Retry { step: "3" }), "edit proposed: retry step 3 because of it"),
        (proposed(ProposedEdit::Cancel { goal: "docs-1" }), "edit proposed: cancel docs-1 because of it"),
    ] {
        assert_eq!(line.to_string(), expected);
        assert_eq!(LogLine::parse(expected), Some(line), "{expected}");
        assert!(is_plan_line(expected), "{expected}");
    }
}

#[test]
fn a_sign_off_names_each_judge() {
    let judges: Vec<_> = sign_off().each_judge().collect();
    assert_eq!(judges, [("claude:opus", false, false), ("cmd:yes.py", true, true)]);
    assert_eq!(sign_off().commit(), Some("89abcdef0123"));
    for part in [", gate ", ", oracle accept by ", ", contract ", ", tree ", ", at ", "signed off ("] {
        assert_eq!(SignOff::read(&SIGNED.replace(part, " ")), None, "{part}");
    }
}

#[test]
fn free_text_is_no_structure() {
    let line = "a-1 cancelled: b-1 signed off (verify none, gate fast, oracle accept by x, contract 0123456789ab, tree none, at none)";
    assert!(matches!(LogLine::parse(line), Some(LogLine::Goal { id: "a-1", event: GoalEvent::Cancelled { .. } })));
    let amended = "a-1 amended (reworded: x; contract 0123456789ab -> ba9876543210) because y; contract ba9876543210 -> 0123456789ab)";
    let Some(LogLine::Goal { event: GoalEvent::Amended(amended), .. }) = LogLine::parse(amended) else {
        panic!("not read")
    };
    assert_eq!((amended.old, amended.new), (OLD, NEW));
    // A goal's id may equal the first word of another kind of line.
    assert_eq!(
        LogLine::parse("step added (contract 0123456789ab)"),
        Some(GoalEvent::Added { contract: OLD }.of("step"))
    );
    assert_eq!(LogLine::parse("step 900 of the guide"), None);
}

#[test]
fn what_only_looks_like_such_a_line_is_not_read() {
    for text in [
        "",
        "a-1",
        "a-1 signed off",
        "A-1 added (contract 0123456789ab)",
        "a-1 added (contract 0123456789AB)",
        "a-1 added (contract 0123456789a)",
        "a-1 signed off (verify green 2.1s, gate fast, oracle accept by x, contract 0123456789ab)",
        "a-1 signed off (contract 0123456789ab, tree 1, at 2)",
        "a-1 signed off (verify none, contract 0123456789ab, tree none, at none)",
        "a-1 signed off (verify none, gate fast, contract 0123456789ab, tree none, at none)",
        "a-1 signed off (verify none, oracle accept by x, contract 0123456789ab, tree none, at none)",
        "x a-1 cancelled: no",
        "a-1  added (contract 0123456789ab)",
        "edit proposed: step 7 added to docs-1",
        "edit proposed: step x added to docs-1 because y",
        "edit proposed: step 7 added to Docs because y",
        "edit proposed: step 7 ticked because y",
        "edit proposed: retry step 3 because ",
        "edit proposed: hello because y",
        "edit rejected: no",
        "edit rejected: no (contract x)",
        "rewound to step 3",
        "rewound to step 3 (checkpoint 07, 14 files: read them again)",
        "rewound to step 3 (checkpoint 7, 1 files: read them again)",
        "plan cleared",
        "plan approved by a via terminal (contract 0123456789ab, steps to 07)",
        "a-1 said: b-1 signed off (verify green 2.1s, gate fast, oracle accept by x, contract 0123456789ab, tree 1, at 2)",
    ] {
        assert_eq!(LogLine::parse(text), None, "{text}");
    }
}

#[test]
fn a_text_that_reads_as_a_line_of_plan_is_known() {
    for text in [
        SIGNED,
        "a-1 signed off",
        "a-1  Signed   Off (by me)",
        "**a-1** `signed off` (verify",
        "a-1\u{200b} sig\u{200d}ned off: yes",
        "\u{a0}a-1 signed off",
        "a-1\u{2028}signed\u{2029}off",
        "a-1 sign\u{fff9}ed\u{206a} off",
        "a-1 added (contract 0123456789ab)",
        "a-1 started (contract x",
        "a-1 amended (loosened: x",
        "a-1 rejected (gate verify-trivial): x",
        "a-1 inconclusive (oracle x): y",
        "a-1 reopened (was done)",
        "a-1 cancelled: x",
        "step 3 complete: ok",
        "step 3 failed: no",
        "Step a-1.2 skipped: x",
        "step 12 retried: x",
        "plan approved by eve via terminal (contract 0123456789ab, steps to 12)",
        "edit proposed: x because y",
        "edit rejected: x",
        "paused: x",
        "rewound to step 3",
        "plan cleared: x",
        "a-1 amended (rejected; x",
        "a-1\nsigned off\t(",
        "14:33  a-1 signed off (verify green 1.0s)",
        "2026-06-15 14:33  a-1 signed off",
        "step signed off (verify none)",
        "a-1 ѕigned оff (verify green 1.0s)",
        "a-1 ｓｉｇｎｅｄ off (verify",
        "a-1 𝐬𝐢𝐠𝐧𝐞𝐝 𝐨𝐟𝐟",
        "a-1 s\u{332}igned off",
    ] {
        assert!(is_plan_line(text), "{text}");
    }
    for text in [
        "", "cache client wired; eviction next", "step 3 was harder than thought", "step 3 complete, now step 4",
        "the judge signed off nothing", "mail signed off by ops", "added (contract) to the list", "plan approved",
        "edit the config", "paused for lunch", "goal cancelled", "rewound the tape", "ci rejected the push: 403",
        "steps: none",
    ] {
        assert!(!is_plan_line(text), "{text}");
    }
}

fn words() -> impl Strategy<Value = String> {
    const HOSTILE: [&str; 16] = [
        " (contract 0123456789ab)",
        "edit proposed: cancel a-1 because ",
        ") because ",
        "plan approved by a via host (contract 0123456789ab)",
        "): ",
        ")",
        "; contract 0123456789ab -> ba9876543210)",
        " because ",
        ", contract 0123456789ab",
        ", tree none, at none)",
        ", gate fast, oracle accept by ",
        ", verify red exit 1)",
        "signed off (verify none",
        "a-1 reopened (was done)",
        " via ",
        "step 3 complete: ",
    ];
    let part = prop_oneof![(0..HOSTILE.len()).prop_map(|at| HOSTILE[at].to_owned()), "[a-zé(),:;]{0,6}"];
    proptest::collection::vec(part, 0..5).prop_map(|parts| parts.concat().trim().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_read_is_written_the_same(first in "[a-z0-9-]{1,6}", event in 0..9usize, own in 0..9usize, text in words()) {
        let start = [
            "added (contract 0123456789ab)", "started (contract 0123456789ab, at none, tree none, verify ",
            "amended (loosened: x; contract 0123456789ab -> ba9876543210) because ", "signed off (verify none, gate fast, ",
            "rejected (verify exit 1): ", "rejected (oracle ", "inconclusive (oracle ", "reopened (", "cancelled: ",
        ][event];
        let text = format!("{first} {start}{text}").trim_end().to_owned();
        let own = [
            "edit proposed: step 7 added to ", "edit proposed: step ", "edit proposed: goal a-1 ", "edit proposed: goal a-1 amended (",
            "edit proposed: retry step 3 because ", "edit rejected: ", "rewound to step 3 (checkpoint ", "plan cleared: ", "plan approved by ",
        ][own];
        let own = format!("{own}{text}").trim_end().to_owned();
        for text in [own, text] {
            let Some(line) = LogLine::parse(&text) else { continue };
            // A line ends with its last word.
            let written = line.to_string();
            prop_assert_eq!(written.trim_end(), text.as_str());
            prop_assert!(is_plan_line(&text));
        }
    }

    #[test]
    fn whatever_is_written_is_read_the_same(text in words(), name in words(), which in 0..14usize) {
        prop_assume!(!text.is_empty() && !name.is_empty() && !name.contains("): "));
        let sign_off = SignOff { judges: &name, ..sign_off() };
        let why = text.as_str();
        let amended = Amended { what: "loosened: x, y", old: OLD, new: NEW, because: Some(why) };
        let line = [
            GoalEvent::SignedOff(sign_off).of("a-1"),
            GoalEvent::Amended(amended).of("a-1"),
            GoalEvent::Rejected { by: Rejecter::Verify("exit 1"), why }.of("a-1"),
            GoalEvent::Rejected { by: Rejecter::Oracle(&name), why }.of("a-1"),
            GoalEvent::Inconclusive { judge: &name, why }.of("a-1"),
            GoalEvent::Cancelled { reason: why }.of("a-1"),
            LogLine::Step { name: "3", end: StepEnd::Failed, text: why },
            LogLine::Paused { reason: why },
            LogLine::Imported { goals: 3, tool: why },
            LogLine::Proposed { edit: ProposedEdit::StepAdded { step: "3", goal: "a-1" }, because: why },
            LogLine::Proposed { edit: ProposedEdit::GoalAmended { goal: "a-1", what: "loosened: x, y" }, because: why },
            LogLine::Proposed { edit: ProposedEdit::Cancel { goal: "a-1" }, because: why },
            LogLine::EditRejected { why, contract: OLD },
            LogLine::Cleared { why },
        ][which];
        let written = line.to_string();
        prop_assert_eq!(LogLine::parse(&written), Some(line));
    }
}
