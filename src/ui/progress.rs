//! The line that shows what runs. It never wraps, because a wrapped line could not be removed again.

use crate::plan::view::{elided, width};

/// The columns of a terminal that does not report its width.
const USUAL: usize = 80;

/// Returns `… gate 3 of 5, never-red, 4 s (limit 60 s); next: judge claude` in fewer than `columns` columns. If that is
/// too long, the end goes first, then the limit, then a part of `what`; the seconds stay.
pub(super) fn line(what: &str, seconds: u64, limit: Option<u64>, next: Option<&str>, columns: usize) -> String {
    let columns = if columns == 0 { USUAL } else { columns };
    let room = columns.saturating_sub(1);
    let limit = limit.map(|limit| format!(" (limit {limit} s)")).unwrap_or_default();
    let next = next.map(|next| format!("; next: {next}")).unwrap_or_default();
    let whole = format!("… {what}, {seconds} s{limit}{next}");
    let short = format!("… {what}, {seconds} s{limit}");
    match [whole, short].into_iter().find(|line| width(line) <= room) {
        Some(line) => line,
        None => {
            let end = format!(", {seconds} s");
            format!("… {}{end}", elided(what, room.saturating_sub(2 + width(&end)).max(1)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_and_keeps_the_seconds() {
        let at = |columns: usize| line("gate 3 of 5, approved-tests-red", 4, Some(60), Some("judge claude"), columns);
        assert_eq!(at(120), "… gate 3 of 5, approved-tests-red, 4 s (limit 60 s); next: judge claude");
        assert_eq!(at(60), "… gate 3 of 5, approved-tests-red, 4 s (limit 60 s)");
        assert_eq!(at(40), "… gate 3 of 5, approved-tests-red, 4 s");
        assert_eq!(at(30), "… gate 3 of 5, approved…, 4 s");
        for columns in 12..130 {
            for what in
                ["x", "日本語の領収書を印刷する日本語の領収書を印刷する", "pytest -q tests/unit/test_everything.py"]
            {
                let line = line(what, 17, Some(600), Some("the gate"), columns);
                assert!(width(&line) < columns && line.contains(", 17 s"), "{columns}: {line}");
            }
        }
        assert_eq!(width(&line(&"x".repeat(200), 1, None, None, 0)), USUAL - 1);
    }
}
