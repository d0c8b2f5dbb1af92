//! Names with descriptions, as in the overview of `plan --help`.

use super::size;
use crate::plan::view::{Row, Screen, Style};

/// Wraps `text` at the terminal's width: the description of a name continues in its own column. All other lines stay.
pub fn entries(text: &str) -> String {
    wrapped(text, size(std::io::stdout()))
}

fn wrapped(text: &str, screen: Screen) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let name = line.strip_prefix("  ").and_then(|line| line.find("  ")).map_or(0, |name| name + 2);
        let hang = line[name..].find(|character| character != ' ').map_or(0, |gap| name + gap);
        // The text that clap fills in is not wrapped here.
        let screen = if name > 0 { screen } else { Screen::default() };
        Row::new(hang).with(Style::Plain, line).put(screen, &mut out);
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_goes_on_in_its_own_column() {
        let text = "{about} and all that clap knows to say of it\n\nLook\n  list    The goals, most important first\n  -h, --help   all of it\n{usage}";
        assert_eq!(wrapped(text, Screen::default()), text);
        let narrow = wrapped(text, Screen { columns: Some(24), lines: None });
        let expected = "{about} and all that clap knows to say of it\n\nLook\n  list    The goals,\n          most important\n          \
                        first\n  -h, --help   all of it\n{usage}";
        assert_eq!(narrow, expected);
    }
}
