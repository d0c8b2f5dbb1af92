//! Merges of lines. A merge that would change a goal as neither side did is a conflict over the whole file, and no merge leaves a goal done
//! that is not signed off.

use super::support::{PLAN, merged, rendered, signed_off, with};

const DOCS: &str =
    "## Goal: Docs\n<!-- id: docs-1 -->\nstatus: open\ndone_when: written\nverify: sh check.sh\n- [ ] 4. write\n\n";

fn is_one_conflict(base: &str, ours: &str, theirs: &str) {
    for [ours, theirs] in [[ours, theirs], [theirs, ours]] {
        let merged = merged([base, ours, theirs].map(str::as_bytes));
        let text = String::from_utf8(rendered(&merged)).unwrap();
        assert!(merged.by_text && merged.conflicts() == 1, "{text}");
        assert!(text.starts_with("<<<<<<<") && text.ends_with(">>>>>>> theirs\n"), "{text}");
    }
}

// P-12
#[test]
fn a_goal_taken_out_here_and_archived_there() {
    let base = format!("{PLAN}\n# Archive\n## Goal: Old\n<!-- id: old-1 -->\nstatus: cancelled\n");
    let twice = "goals.\n\n## Goal: Cache\nstatus: open\n- [ ] 5. step\n";
    let ours = with(&base, &[(DOCS, ""), ("goals.\n", twice)]);
    let theirs = format!("{}\n{DOCS}", with(&base, &[(DOCS, "")]));
    is_one_conflict(&base, &ours, &theirs);
}

// P-12
#[test]
fn the_heading_of_the_log_taken_out_here_and_the_goal_above_it_archived_there() {
    let goal = |name: &str, n| format!("## Goal: {name}\n<!-- id: {name}-1 -->\nstatus: open\n- [ ] {n}. s\n\n");
    let signed = signed_off(PLAN, "cache-1", "2026-06-15 14:01");
    let (above, log) = signed.split_at(signed.find("## Log").unwrap());
    let above = format!("{above}## Notes\n\nmore prose\n\n");
    let base = format!("{above}{}{log}", goal("b", 5));
    let theirs = format!("{above}{}{log}\n# Archive\n\n{}", goal("t", 6), goal("b", 5));
    is_one_conflict(&base, &with(&base, &[("## Log\n", "")]), &theirs);
}

// P-12
#[test]
fn a_goal_with_a_field_twice_is_reopened_too() {
    let ours = signed_off(&with(PLAN, &[("## Goal: Docs\n", "")]), "cache-1", "2026-06-15 14:01");
    let theirs = with(PLAN, &[("- too small\n", "- too small\n- too large\n")]);
    for [ours, theirs] in [[&ours, &theirs], [&theirs, &ours]] {
        let merged = merged([PLAN, ours, theirs].map(str::as_bytes));
        assert_eq!((merged.conflicts(), &merged.reopened[..]), (0, &["cache-1".to_owned()][..]));
        let text = String::from_utf8(rendered(&merged)).unwrap();
        assert!(text.contains("<!-- id: cache-1 -->\nstatus: active\n"), "{text}");
        assert!(text.contains("cache-1 reopened (merge: signed off for contract "), "{text}");
    }
}

// P-12
#[test]
fn a_heading_that_one_side_removed_leaves_its_id_to_no_other_goal() {
    let base = format!("# Plan: Faster search\n{PLAN}");
    let ours = with(&base, &[("<!-- id: cache-1 -->\n", "")]);
    let theirs = with(&base, &[("## Goal: Docs\n", ""), ("14:00  begun\n", "14:00  begun\n- 2026-06-15 14:02  t0\n")]);
    for [ours, theirs] in [[&ours, &theirs], [&theirs, &ours]] {
        let merged = merged([&base, ours, theirs].map(|text| text.as_bytes()));
        assert!(merged.conflicts() > 0, "{} {}", merged.by_text, String::from_utf8_lossy(&rendered(&merged)));
    }
}
