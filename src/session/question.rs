//! Detects whether an agent's reply ends with a question to the user (`INJECTION.md` §4).

/// True if the last line ends with a question, or if a question precedes the list of options at the end.
pub(super) fn ends_with_question(reply: &str) -> bool {
    let lines = || reply.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let before = lines().find(|line| !is_option(line));
    lines().next().is_some_and(is_question) || before.is_some_and(is_question)
}

/// True for `Shall I go on?`, also with emphasis, brackets or an emoji after the mark. A mark in backticks is code.
fn is_question(line: &str) -> bool {
    let is_mark = |c: char| matches!(c, '?' | '？' | '؟' | '\u{37e}');
    let end = line.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '`' && !is_mark(c));
    end.ends_with(is_mark) || end.ends_with('か')
}

/// True for a list item: `- this`, `2. that`, `b) neither`.
fn is_option(line: &str) -> bool {
    let rest = line.trim_start_matches(['(', '*']);
    let label = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let label =
        if label == rest { rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest) } else { label };
    line.starts_with(['-', '*', '+', '•']) || (label != rest && label.starts_with(['.', ')', ':']))
}

#[cfg(test)]
mod tests {
    use super::ends_with_question;

    #[test]
    fn a_reply_that_ends_with_a_question_is_told_from_one_that_holds_one() {
        for reply in [
            "Step 1 is done. Shall I go on?",
            "Which database should I use?\n\n1. Postgres\n2. SQLite\n",
            "Which one?\n\n- **A**: fast\n- **B**: small",
            "**Soll ich weitermachen?**",
            "¿Sigo con el resto? 🙂",
            "要继续吗？",
            "続けてもいいですか。",
            "Did you mean `cache`?",
            "I wonder (do you agree?)",
            "a) this\nor b)?\na) x\nb) y",
        ] {
            assert!(ends_with_question(reply), "{reply}");
        }
        for reply in [
            "", "All done.", "Why did it fail? Because of the cache.", "The parser now takes `?`",
            "Is it done? Yes.\n\nThe tests are green.", "What I did:\n- a\n- b", "Done?\nYes.\n\n- a\n- b",
            "1. one\n2. two",
        ] {
            assert!(!ends_with_question(reply), "{reply}");
        }
    }
}
