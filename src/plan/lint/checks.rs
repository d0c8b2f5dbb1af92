//! Findings about checks: a command that was meant to run, but is read as prose.

use super::Findings;
use crate::plan::model::{GoalRef, Key, Span, check_of};

/// Reports each criterion and failure mode that contains `(check:` in some spelling, but no check that is run, and items that were meant
/// as a step or a field.
pub(super) fn check(goal: GoalRef<'_, '_>, found: &mut Findings) {
    let plan = goal.plan();
    for field in [Key::DoneWhen, Key::FailureModes].into_iter().filter_map(|key| goal.field(key)) {
        let items = &plan.items[field.items.start as usize..field.items.end as usize];
        let items = items.iter().map(|item| (item.text, plan.item_text(item)));
        items.clone().for_each(|(span, text)| other_line(span, &text, field.key, found));
        for (span, text) in std::iter::once((field.value, plan.field_text(field))).chain(items) {
            if check_of(&text).is_none() && means_check(&text) {
                near(span, &text, found);
            }
        }
    }
}

/// Reports an item that begins with a mark in brackets, such as `[]` or `[✓]`, or with the word of a field.
fn other_line(span: Span, text: &str, list: Key, found: &mut Findings) {
    let is_mark = |inner: &&str| inner.chars().count() <= 4 && !inner.contains(['(', '`', '/', '$']);
    let mark = text.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map(|(inner, _)| inner).filter(is_mark);
    if let Some(mark) = mark {
        let message = format!("this line is an item of `{}`: `[{mark}]` is no mark of a step", list.word());
        found.warning(
            "item-meant-as-step",
            span,
            message,
            "begin a step with `- [ ] `, or a complete one with `- [x] `",
        );
    }
    let is_word = |key: &Key| text.strip_prefix(key.word()).is_some_and(|rest| rest.trim_start().starts_with(':'));
    if let Some(key) = Key::ALL.into_iter().find(is_word) {
        let (key, list) = (key.word(), list.word());
        let message = format!("this line is an item of `{list}`, so `{key}` is not read from it");
        found.warning(
            "item-meant-as-field",
            span,
            message,
            format!("write `{key}:` at the beginning of a line, without `- `"),
        );
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

/// Returns the text after the first `(check:` or `[check:`, and the bracket that ends it.
fn behind_check(text: &str) -> Option<(&str, char)> {
    text.match_indices(['(', '[']).find_map(|(at, open)| {
        let (word, rest) = text[at + 1..].split_once(':')?;
        let close = if open == "(" { ')' } else { ']' };
        word.trim().eq_ignore_ascii_case("check").then_some((rest, close))
    })
}

/// Returns the command of a text that was meant as a check.
fn command_meant(text: &str) -> Option<&str> {
    let (rest, close) = behind_check(text)?;
    let command = rest.rsplit_once(close).map_or(rest, |(command, _)| command).trim();
    (!command.is_empty()).then_some(command)
}

#[cfg(test)]
mod tests {
    use crate::plan::lint::tests::codes;

    #[test]
    fn an_item_that_was_meant_as_a_step_or_a_field_is_named() {
        let item =
            |text: &str| codes(&format!("## Goal: a\nverify: make\nfailure_modes:\n- passes by luck\n- {text}\n"));
        for text in ["[] 1. wire the cache", "[✓] 2. test", "[done] 3. test"] {
            assert_eq!(item(text), ["item-meant-as-step 5:3"], "{text}");
        }
        for text in ["verify: sh t.sh", "needs : b-1"] {
            assert_eq!(item(text), ["item-meant-as-field 5:3"], "{text}");
        }
        assert_eq!(item("fails [check: sh t.sh]"), ["near-check 5:3"]);
        assert_eq!(super::command_meant("fails [check: sh t.sh]"), Some("sh t.sh"));
        assert_eq!(super::command_meant("fails (check: a), see [1]"), Some("a"));
        for text in ["[a](b.md) is gone", "[cache] is empty", "verifying: slow", "`[ ]` stays", "[i](x) too"] {
            assert_eq!(item(text), [""; 0], "{text}");
        }
    }

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
