//! Findings about checks: a command that was meant to run, but is read as prose.

use super::Findings;
use crate::plan::model::{GoalRef, Key, Span, check_of};

/// Reports each criterion and failure mode that contains `(check:` in some spelling, but no check that is run.
pub(super) fn check(goal: GoalRef<'_, '_>, found: &mut Findings) {
    let plan = goal.plan();
    for field in [Key::DoneWhen, Key::FailureModes].into_iter().filter_map(|key| goal.field(key)) {
        let items = &plan.items[field.items.start as usize..field.items.end as usize];
        let items = items.iter().map(|item| (item.text, plan.item_text(item)));
        for (span, text) in std::iter::once((field.value, plan.field_text(field))).chain(items) {
            if check_of(&text).is_none() && means_check(&text) {
                near(span, &text, found);
            }
        }
    }
}

fn near(span: Span, text: &str, found: &mut Findings) {
    let command = command_meant(text).unwrap_or("…");
    let remedy = match text.ends_with(')') {
        true => format!("write it as `(check: {command})`, in small letters"),
        false => format!("write `(check: {command})` at the end, with nothing after its `)`"),
    };
    found.warning("near-check", span, "this command is not run: it is not written as a check", remedy);
}

/// Whether a text contains `(check:`, in any case and with any space around the word.
fn means_check(text: &str) -> bool {
    behind_check(text).is_some()
}

/// Returns the text after the first `(check:`.
fn behind_check(text: &str) -> Option<&str> {
    text.match_indices('(').find_map(|(at, _)| {
        let (word, rest) = text[at + 1..].split_once(':')?;
        word.trim().eq_ignore_ascii_case("check").then_some(rest)
    })
}

/// Returns the command of a text that was meant as a check.
fn command_meant(text: &str) -> Option<&str> {
    let rest = behind_check(text)?;
    let command = rest.rsplit_once(')').map_or(rest, |(command, _)| command).trim();
    (!command.is_empty()).then_some(command)
}

#[cfg(test)]
mod tests {
    use crate::plan::lint::tests::codes;

    #[test]
    fn a_check_that_is_not_read_as_one_is_named() {
        let item =
            |text: &str| codes(&format!("## Goal: a\nverify: make\nfailure_modes:\n- passes by luck\n- {text}\n"));
        for text in [
            "too small (Check: grep x y)", "too small (check : grep x y)", "too small (check: grep x y).", "(check: ls",
        ] {
            assert_eq!(item(text), ["near-check 5:3"], "{text}");
        }
        for text in
            ["too small (check: grep x y)", "too small (check the log)", "a check: none", "(check: a) (check: b)"]
        {
            assert_eq!(item(text), [""; 0], "{text}");
        }
        assert_eq!(codes("## Goal: a\ndone_when: works (CHECK: make)\n"), ["near-check 2:12"]);
        assert_eq!(codes("## Goal: a\nstatus: done\ndone_when: works (CHECK: make)\n"), ["not-signed-off 2:9"]);
    }
}
