//! Shortens log lines for views: contracts, trees and commits are shown only in the file, in `--json` and in `plan show --full`.

use std::borrow::Cow;

use super::{Amended, Approval, GoalEvent, LogLine, Rejecter, SignOff, StartLine};

/// Returns the text of a log line without digests; any other text is returned unchanged.
pub fn folded(text: &str) -> Cow<'_, str> {
    match LogLine::parse(text) {
        Some(LogLine::Goal { id, event }) => Cow::Owned(format!("{id} {}", folded_event(event))),
        Some(LogLine::Approved(Approval { name, way, note, .. })) => {
            let note = note.map(|note| format!(": {note}")).unwrap_or_default();
            Cow::Owned(format!("plan approved by {name} via {way}{note}"))
        }
        Some(LogLine::EditRejected { why, .. }) => Cow::Owned(format!("edit rejected: {why}")),
        _ => Cow::Borrowed(text),
    }
}

/// Returns a goal's event without digests: `signed off (verify green 2.1s, gate fast, judge claude)`.
pub fn folded_event(event: GoalEvent<'_>) -> String {
    match event {
        GoalEvent::Added { .. } => "added".to_owned(),
        GoalEvent::Started(StartLine { verify, .. }) => format!("started (verify {verify})"),
        GoalEvent::Amended(Amended { what, because, .. }) => {
            format!("amended ({what}){}", because.map(|why| format!(" because {why}")).unwrap_or_default())
        }
        GoalEvent::SignedOff(SignOff { verify, gate, judges, .. }) => {
            format!("signed off (verify {verify}, gate {gate}, judge {judges})")
        }
        GoalEvent::Rejected { by: Rejecter::Oracle(judge), why } => format!("rejected (judge {judge}): {why}"),
        GoalEvent::Inconclusive { judge, why } => format!("inconclusive (judge {judge}): {why}"),
        GoalEvent::Reopened { why } if why.starts_with("merge:") => {
            "reopened (merge: its contract changed after the sign-off)".to_owned()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn digests_stay_in_the_file() {
        for (line, shown) in [
            ("a-1 added (contract 0123456789ab)", "a-1 added"),
            (
                "a-1 started (contract 0123456789ab, at 0123456789ab+, tree 0123456789ab, verify red exit 1)",
                "a-1 started (verify red exit 1)",
            ),
            (
                "a-1 amended (loosened: criterion dropped; contract 0123456789ab -> ba9876543210) because it is late",
                "a-1 amended (loosened: criterion dropped) because it is late",
            ),
            (
                "a-1 signed off (verify green 2.1s, gate fast, oracle accept by claude, contract 0123456789ab, tree none, at none)",
                "a-1 signed off (verify green 2.1s, gate fast, judge claude)",
            ),
            ("a-1 rejected (oracle claude): missing: a", "a-1 rejected (judge claude): missing: a"),
            ("a-1 rejected (verify exit 1): boom", "a-1 rejected (verify exit 1): boom"),
            ("edit rejected: not now (contract 0123456789ab)", "edit rejected: not now"),
            ("step 3 complete: pool of 8", "step 3 complete: pool of 8"),
            ("the digest 0123456789ab is the old one", "the digest 0123456789ab is the old one"),
        ] {
            assert_eq!(folded(line), shown);
        }
    }
}
