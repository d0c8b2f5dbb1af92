//! The scripted judge, for `plan demo` only. It reads files, and accepts only what it finds in them.
//!
//! It understands one kind of sentence: a file in backticks that holds a text in quotes, as in ``` `greet.sh` holds
//! "Hello" ```. Any other sentence counts as not shown. A failure mode whose own check exited 0 is ruled out.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use serde::Deserialize;

use crate::ui::{Color, Ui};

/// The word after `plan` that makes it this judge, with the prompt on stdin and the answer on stdout.
pub const VERB: &str = "__scripted-judge";

#[derive(Deserialize)]
struct Data {
    criteria: Vec<Question>,
    failure_modes: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    id: String,
    text: String,
    check: Option<AskedCheck>,
}

#[derive(Deserialize)]
struct AskedCheck {
    passed: bool,
}

/// Reads the prompt and the files it names, and answers; exit 1 if `plan` did not write the prompt.
pub fn main() -> ExitCode {
    let mut prompt = String::new();
    let read = std::io::stdin().read_to_string(&mut prompt);
    let Some(answer) = read.ok().and_then(|_| judge(&prompt, Path::new("."))) else { return ExitCode::FAILURE };
    let ui = Ui::new(false, Color::Never);
    ui.raw(&answer);
    ui.finish();
    ExitCode::SUCCESS
}

fn judge(prompt: &str, root: &Path) -> Option<String> {
    let nonce = between(prompt, "\nDATA[", "] begin\n")?;
    let data = between(prompt, &format!("DATA[{nonce}] begin\n"), &format!("\nDATA[{nonce}] end"))?;
    let data: Data = serde_json::from_str(data).ok()?;
    let probe = prompt.split('`').find(|part| part.starts_with('/') && part.ends_with("/probe"))?;
    let token = std::fs::read_to_string(probe).ok()?;
    let mut text = format!("SIGNOFF[{nonce}]\nprobe: {}\n", token.trim());
    let mut missing = Vec::new();
    for question in data.criteria.iter().chain(&data.failure_modes) {
        let is_criterion = question.id.starts_with('C');
        let (yes, no) = if is_criterion { ("met", "not met") } else { ("ruled out", "not ruled out") };
        match shown(question, root) {
            Ok(citation) => text += &format!("{} {yes}: {citation}\n", question.id),
            Err(why) => {
                text += &format!("{} {no}: {why}\n", question.id);
                missing.push(format!("{}: {why}", question.id));
            }
        }
    }
    for one in &missing {
        text += &format!("missing: {one}\n");
    }
    let (none, word) = if missing.is_empty() { ("missing: none\n", "accept") } else { ("", "reject") };
    Some(format!("{text}{none}notes: scripted judge, no model\nVERDICT[{nonce}]: {word}\n"))
}

/// Returns a citation of the line where the sentence's file holds its text.
fn shown(question: &Question, root: &Path) -> Result<String, String> {
    if question.check.as_ref().is_some_and(|check| check.passed) {
        return Ok(format!("check {}", &question.id[1..]));
    }
    let words = between(&question.text, "`", "`").zip(between(&question.text, "\"", "\""));
    let (file, wanted) = words.ok_or("this sentence names no file and text to look for")?;
    let content = std::fs::read_to_string(root.join(file)).map_err(|_| format!("there is no `{file}`"))?;
    let found = content.lines().enumerate().find(|(_, line)| line.contains(wanted));
    let (number, line) = found.ok_or_else(|| format!("`{file}` does not hold \"{wanted}\""))?;
    Ok(format!("{file}:{} \"{}\"", number + 1, line.trim()))
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let from = text.find(start)? + start.len();
    Some(&text[from..from + text[from..].find(end)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_in_the_file_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.sh"), "one\n  say \"two\"\n").unwrap();
        let ask = |text: &str| shown(&Question { id: "C1".into(), text: text.into(), check: None }, folder.path());
        assert_eq!(ask("`a.sh` holds \"say\"").unwrap(), "a.sh:2 \"say \"two\"\"");
        assert_eq!(ask("`a.sh` holds \"three\"").unwrap_err(), "`a.sh` does not hold \"three\"");
        assert_eq!(ask("`b.sh` holds \"x\"").unwrap_err(), "there is no `b.sh`");
        assert!(ask("it is fast").is_err());
    }
}
