//! The texts that a model reads: all in one folder, in the order of their use.

use std::path::Path;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

// P-67
#[test]
fn texts_in_flow_order_with_both_judges_side_by_side() {
    let mut names: Vec<String> =
        std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    // Sorted by number: 10 comes after 9.
    names.sort_by_key(|name| {
        (name.split('-').next().and_then(|number| number.parse().ok()).unwrap_or(u32::MAX), name.clone())
    });
    let expected = [
        "1-plan-drafting.md", "2-plan-injection.md", "3-reminder.md", "4-continuation.md", "5-loop-judge.md",
        "6-evidence-judge.md", "7-host-plan.md", "8-loop-done.md", "9-agent-guide.md", "10-plan-feedback.md",
        "11-compaction.md", "12-ask.md", "mcp.json",
    ];
    assert_eq!(names, expected);
}

// P-10, P-15
#[test]
fn the_loop_judge_is_short_and_signs_nothing_off_the_evidence_judge_is_strict() {
    let (small, strict) = (text("5-loop-judge.md"), text("6-evidence-judge.md"));
    assert!(small.len() * 3 < strict.len(), "{} and {} bytes", small.len(), strict.len());
    assert!(!small.contains("VERDICT") && !small.contains("SIGNOFF"));
    for word in ["VERDICT[{{nonce}}]", "SIGNOFF[{{nonce}}]", "{{probe}}", "missing:", "DATA[{{nonce}}] begin"] {
        assert!(strict.contains(word), "`{word}` is not in the evidence judge's text");
    }
}

// P-68
#[test]
fn drafting_asks_for_criterion_command_failure_modes_and_steps() {
    let text = text("1-plan-drafting.md");
    for word in ["done_when", "verify", "failure_modes", "- [ ]"] {
        assert!(text.contains(word), "`{word}` is not in the drafting text");
    }
}
