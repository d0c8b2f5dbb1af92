//! Texts that read like a command. An import never takes one over; it prints the command by which the user can.

use crate::shell::strict;

/// Programs that run tests, and the shells that start them.
const PROGRAMS: [&str; 35] = [
    "bash", "bats", "bun", "bundle", "cargo", "cmake", "composer", "ctest", "deno", "dotnet", "go", "gradle", "jest",
    "just", "make", "mix", "mvn", "ninja", "node", "npm", "npx", "php", "pnpm", "poetry", "pytest", "python",
    "python3", "rake", "rspec", "ruby", "sh", "tox", "uv", "vitest", "yarn",
];

/// Returns the text if it is a command, else the first command in backticks in it.
pub(super) fn command_in(text: &str) -> Option<String> {
    let text = text.trim();
    if is_command(text) {
        return Some(text.to_owned());
    }
    text.split('`').skip(1).step_by(2).map(str::trim).find(|span| is_command(span)).map(str::to_owned)
}

fn is_command(text: &str) -> bool {
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default();
    let is_program = PROGRAMS.contains(&first) || first.starts_with("./");
    is_program
        && words.next().is_some_and(|word| !word.is_empty())
        && text.len() <= 200
        && !text.ends_with('.')
        && !text.contains(|c: char| c.is_control())
        // `plan goal set` refuses any other.
        && strict::split(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_begins_with_a_known_program_is_a_command() {
        let found = |text| command_in(text);
        assert_eq!(found("npm test -- refund && npm run e2e").as_deref(), Some("npm test -- refund && npm run e2e"));
        assert_eq!(found("Run `sh test/receipt.sh`; compare").as_deref(), Some("sh test/receipt.sh"));
        for text in [
            "", "make", "go home.", "Pull the cable", "rm -rf build", "see `docs/x.md`", "npm test\nrm x",
            "make check | tee log",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
