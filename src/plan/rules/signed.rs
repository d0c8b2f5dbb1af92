//! A sign-off line, taken apart (`CLI.md`, log lines that `plan` writes).

/// What a sign-off line says; every part is text of a file that anyone can have written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignOff<'t> {
    /// `green 2.1s`, or `none`.
    pub verify: &'t str,
    /// `fast`, `full`, `3 of 5`.
    pub gate: &'t str,
    /// The judges as one text.
    pub judges: &'t str,
    /// 12 digits.
    pub contract: &'t str,
    /// 12 digits, or `none`.
    pub tree: &'t str,
    /// 12 digits, with or without `+`; or `none`.
    pub at: &'t str,
}

impl<'t> SignOff<'t> {
    /// Reads `<id> signed off (verify …, gate …, oracle accept by …, contract …, tree …, at …)`; the id comes first.
    pub fn read(text: &'t str) -> Option<(&'t str, Self)> {
        let (id, rest) = text.split_once(' ')?;
        let inner = rest.strip_prefix("signed off (verify ")?.strip_suffix(')')?;
        // From both ends: what stands in the middle (a judge's name) is free text.
        let (before, at) = inner.rsplit_once(", at ")?;
        let (before, tree) = before.rsplit_once(", tree ")?;
        let (before, contract) = before.rsplit_once(", contract ")?;
        let (verify, before) = before.split_once(", gate ")?;
        let (gate, judges) = before.split_once(", oracle accept by ")?;
        Some((id, SignOff { verify, gate, judges, contract, tree, at }))
    }

    /// Each judge as it is named, with whether its caller named it and whether it was asked with another prompt.
    pub fn each_judge(&self) -> impl Iterator<Item = (&'t str, bool, bool)> {
        self.judges.split(", ").map(|judge| {
            let (judge, own_prompt) = strip(judge, super::record::OWN_PROMPT);
            let (judge, callers) = strip(judge, super::record::CALLERS);
            (judge, callers, own_prompt)
        })
    }

    /// The commit without the mark of files that were not its.
    pub fn commit(&self) -> Option<&'t str> {
        Some(self.at.trim_end_matches('+')).filter(|commit| *commit != "none")
    }
}

fn strip<'t>(text: &'t str, end: &str) -> (&'t str, bool) {
    text.strip_suffix(end).map_or((text, false), |rest| (rest, true))
}

#[cfg(test)]
mod tests {
    use super::SignOff;

    const LINE: &str = "a-1 signed off (verify green 2.1s, gate 3 of 5, oracle accept by claude:opus, cmd:yes.py (named by \
                        caller) (own prompt), contract 0123456789ab, tree ba9876543210, at 89abcdef0123+)";

    // P-38
    #[test]
    fn a_line_comes_apart_into_what_it_was_made_of() {
        let (id, line) = SignOff::read(LINE).unwrap();
        assert_eq!((id, line.verify, line.gate), ("a-1", "green 2.1s", "3 of 5"));
        assert_eq!((line.contract, line.tree, line.at), ("0123456789ab", "ba9876543210", "89abcdef0123+"));
        assert_eq!(line.commit(), Some("89abcdef0123"));
        let judges: Vec<_> = line.each_judge().collect();
        assert_eq!(judges, [("claude:opus", false, false), ("cmd:yes.py", true, true)]);
        for part in [", gate ", ", oracle accept by ", ", tree ", ", at ", "signed off ("] {
            assert_eq!(SignOff::read(&LINE.replace(part, " ")), None, "{part}");
        }
    }
}
