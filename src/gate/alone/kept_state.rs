//! State that tests share: the text of a test shows whether it may rightly need the tests before it.

/// Words for code that runs before the tests, and for state that is kept between them.
const SHARED: [&str; 8] =
    ["setUpClass", "setUpModule", "beforeAll", "before(", "TestMain", "global ", "static mut ", "scope="];
/// Beginnings of lines that only compare or only open a block.
const HARMLESS: [&str; 12] =
    ["assert", "self.assert", "expect", "if ", "with ", "for ", "t.Helper", "t.Run", "//", "#", "\"", "}"];

/// Whether the file keeps something between its tests, or the test does something before the assertion in this line.
pub(super) fn is_shared(text: &str, line: usize) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    SHARED.iter().any(|word| text.contains(word)) || lines.iter().any(|line| is_kept(line)) || acts(&lines, line)
}

/// Whether the line is a variable at the top of the file that holds the result of a call: `const store = new Store();`.
fn is_kept(line: &str) -> bool {
    let Some((name, value)) = line.split_once('=') else { return false };
    let made = value.trim_start().trim_start_matches("await ");
    let is_call = made.contains('(') && made.starts_with(|c: char| c.is_alphabetic());
    let is_plain = ["require(", "import(", "new RegExp", "re.compile"].iter().any(|word| made.starts_with(word));
    let is_made =
        is_call && !is_plain && !made.contains("=>") && !made.starts_with("function") && !made.starts_with("lambda");
    line.starts_with(|c: char| c.is_alphabetic()) && !name.contains('(') && is_made
}

/// Whether the lines of the same block above the assertion call something and ignore the result.
fn acts(lines: &[&str], line: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(asserted) = line.checked_sub(1).and_then(|at| lines.get(at)).filter(|line| indent(line) > 0) else {
        return false;
    };
    let above = lines[..line - 1].iter().rev().filter(|line| !line.trim().is_empty());
    let block = above.take_while(|line| indent(line) >= indent(asserted)).map(|line| line.trim());
    block
        .filter(|line| !HARMLESS.iter().any(|word| line.starts_with(word)))
        .any(|line| line.contains('(') && !line.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_test_that_shares_something_is_told_by_its_text() {
        let python = |body: &str| format!("import a\n\n\nclass T(a.B):\n    def test_b(self):\n{body}");
        let asserts = "        self.assertEqual(off(50, 10), 45)\n";
        for (text, line) in [
            (python(&format!("        basket.put(\"pear\")\n{asserts}")), 7),
            (format!("store = Store()\n{}", python(asserts)), 7),
            (format!("{}    def setUpClass(cls):\n        pass\n", python(asserts)), 6),
            ("const store = new Store();\ntest('a', () => assert.equal(store.size, 1));\n".to_owned(), 2),
        ] {
            assert!(is_shared(&text, line), "{text}");
        }
        for (text, line) in [
            (python(asserts), 6),
            (python(&format!("        row = off(1, 2)\n        self.assertEqual(row, 1)\n{asserts}")), 8),
            ("const { off } = require('./off');\ntest('a', () => assert.equal(off(1), 1));\n".to_owned(), 2),
            (
                "func TestA(t *testing.T) {\n\tif got := Off(1); got != 1 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
                    .to_owned(),
                3,
            ),
        ] {
            assert!(!is_shared(&text, line), "{text}");
        }
    }
}
