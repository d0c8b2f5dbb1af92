//! The keys: one table for `?`, the last line of the screen and docs/watch.md.

/// The description of a key.
pub(super) struct KeyHelp {
    /// Its name on the keyboard.
    pub(super) keys: &'static str,
    /// Its text in the last line of the screen.
    pub(super) short: &'static str,
    /// Its action.
    pub(super) does: &'static str,
    /// The command that it runs; empty if it runs none.
    pub(super) command: &'static str,
    /// Its rank in a line that is too short for all keys: 0 stays longest.
    pub(super) rank: u8,
}

const fn key(rank: u8, keys: &'static str, short: &'static str, does: &'static str, command: &'static str) -> KeyHelp {
    KeyHelp { keys, short, does, command, rank }
}

/// All keys, in the order of the last line.
pub(super) const KEYS: [KeyHelp; 18] = [
    key(1, "j k ↑ ↓", "j k move", "one goal down or up; in an open goal one line", ""),
    key(17, "g G", "", "the first, the last", ""),
    key(17, "PgUp PgDn", "", "a page up or down", ""),
    key(12, "tab", "tab pane", "from the list to the goal and back", ""),
    key(2, "enter", "enter open", "opens the goal: full screen, or the other pane", ""),
    key(16, "esc", "", "back to the list; leaves a question, a message, a search", ""),
    key(8, "s", "s start", "starts the goal", "plan goal start ID"),
    key(
        3,
        "space",
        "space step",
        "the next mark of the step: starts it, then asks for its outcome",
        "plan step start N, plan step done N \"…\"",
    ),
    key(7, "l", "l log", "asks for a log line", "plan log \"…\""),
    key(
        4,
        "c",
        "c complete",
        "signs the goal off: asks for the evidence and its paths",
        "plan complete ID --evidence \"…\" --path P",
    ),
    key(13, "x", "", "stops the sign-off", ""),
    key(5, "n", "n next", "the goal to work on next; after a search the next one found", ""),
    key(6, "/", "/ find", "finds a goal by its subject or id", ""),
    key(9, "f", "f filter", "shows only the goals to look at, active, open, done, then all again", ""),
    key(10, "e", "e edit", "opens plan.md at the line in $VISUAL or $EDITOR", ""),
    key(0, "?", "? keys", "these keys", ""),
    key(11, "q", "q quit", "quits", ""),
    key(17, "Ctrl-Z", "", "suspends; `fg` goes on", ""),
];

/// The keys that fit `columns`, in at most `rows` lines, with a blank before each line and two between keys; the others
/// are left out by their rank. `width` returns the displayed width of a key.
pub(super) fn fitting(columns: usize, rows: usize, width: impl Fn(&KeyHelp) -> usize) -> Vec<Vec<&'static KeyHelp>> {
    let named = || KEYS.iter().filter(|key| !key.short.is_empty());
    let mut ranks: Vec<u8> = named().map(|key| key.rank).collect();
    ranks.sort_unstable();
    let within = |last: &u8| broken(named().filter(|key| key.rank <= *last), columns, rows, &width);
    ranks.iter().rev().find_map(within).unwrap_or_default()
}

/// Breaks keys into lines; `None` if they need more than `rows`.
fn broken(
    keys: impl Iterator<Item = &'static KeyHelp>,
    columns: usize,
    rows: usize,
    width: impl Fn(&KeyHelp) -> usize,
) -> Option<Vec<Vec<&'static KeyHelp>>> {
    let mut lines: Vec<Vec<&KeyHelp>> = Vec::new();
    let mut used = columns;
    for key in keys {
        let wide = width(key);
        match lines.last_mut().filter(|_| used + 2 + wide <= columns) {
            Some(line) => {
                used += 2 + wide;
                line.push(key);
            }
            None => {
                used = 1 + wide;
                lines.push(vec![key]);
            }
        }
        if used > columns || lines.len() > rows {
            return None;
        }
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of docs/watch.md.
    fn table() -> String {
        let row = |key: &KeyHelp| {
            let command = if key.command.is_empty() {
                String::new()
            } else {
                format!(" (`{}`)", key.command.replace(", ", "`, `"))
            };
            format!("| `{}` | {}{command} |\n", key.keys, key.does)
        };
        format!("| key | does |\n| --- | --- |\n{}", KEYS.iter().map(row).collect::<String>())
    }

    #[test]
    fn the_documentation_has_the_keys_of_the_program() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/watch.md")).unwrap();
        assert!(page.contains(&table()), "docs/watch.md should have:\n{}", table());
    }

    #[test]
    fn the_last_line_leaves_out_the_keys_of_the_lowest_rank() {
        let line = |keys: &Vec<&KeyHelp>| keys.iter().map(|key| key.short).collect::<Vec<_>>().join("  ");
        let at = |columns, rows| {
            fitting(columns, rows, |key| key.short.len()).iter().map(line).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(at(80, 1), "j k move  enter open  space step  l log  c complete  n next  / find  ? keys");
        assert_eq!(at(40, 2), "j k move  enter open  space step  l log\nc complete  n next  / find  ? keys");
        assert_eq!(at(20, 1), "j k move  ? keys");
        assert_eq!(at(3, 1), "");
        assert!(at(300, 1).contains("tab pane  enter open  s start") && at(300, 1).ends_with("? keys  q quit"));
    }
}
