//! Text of others without what moves a cursor, hides or reorders.

/// One line, white space folded: how an answer is shown, and how a quote and the file it is from are compared.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars().map(visible) {
        if c.is_whitespace() {
            gap = !line.is_empty();
            continue;
        }
        if gap {
            line.push(' ');
            gap = false;
        }
        line.push(c);
    }
    line
}

/// A line of output, with its indentation.
pub(super) fn as_printed(line: &str) -> String {
    let line: String = line.chars().map(visible).collect();
    line.trim_end().to_owned()
}

fn visible(c: char) -> char {
    if c.is_control() || is_hidden(c) { ' ' } else { c }
}

/// Characters that show nothing and can hide or reorder others. Joiners and selectors of emoji are none of them.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e00ff}')
}
