//! Finds the examples in comments that test runners run, line by line.

/// Returns the lines of doctests with their expected output: from `>>>` to a blank line or the end of the docstring.
pub(super) fn of_python(source: &str) -> Vec<String> {
    let mut is_in = false;
    let mut lines = Vec::new();
    for line in source.lines().map(str::trim) {
        is_in = (is_in || line.starts_with(">>>")) && !line.is_empty() && !line.ends_with("\"\"\"");
        lines.extend(is_in.then(|| line.to_owned()));
    }
    lines
}

/// Returns the lines between the fences in comments: `///`, `//!`, `/** … */`.
pub(super) fn of_rust(source: &str) -> Vec<String> {
    let mut is_in = false;
    let mut lines = Vec::new();
    for line in source.lines().map(str::trim) {
        let text = line.trim_start_matches(['/', '!', '*']).trim();
        if text.starts_with("```") {
            is_in = !is_in;
        } else if is_in {
            lines.push(text.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn examples_are_what_runs_and_what_it_gives() {
        let python = "def f(n):\n    \"\"\"Adds.\n\n    >>> f(1)\n    2\n\n    Text.\n    \"\"\"\n    return n + 1\n";
        assert_eq!(of_python(python), [">>> f(1)", "2"]);
        for rust in [
            "/// Adds.\n/// ```\n/// assert_eq!(f(1), 2);\n/// ```\nfn f() {}\n",
            "/*!\n```rust\nassert_eq!(f(1), 2);\n```\n*/\nfn f() {}\n",
            "/** Adds.\n * ```\n * assert_eq!(f(1), 2);\n * ```\n */\nfn f() {}\n",
        ] {
            assert_eq!(of_rust(rust), ["assert_eq!(f(1), 2);"], "{rust}");
        }
    }
}
