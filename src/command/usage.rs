//! A call that clap answers itself: help, version, or what is wrong with it. The streams and `--json` hold here too.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ValueEnum;
use clap::error::ErrorKind;
use serde_json::json;

use super::{Context, Exit, end};
use crate::error::Error;
use crate::ui::{Color, Ui};

/// `plan add` and `plan start` are short for `plan goal add` and `plan goal start`.
pub fn whole(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|word| word == "add" || word == "start") {
        arguments.insert(1, "goal".into());
    }
    arguments
}

/// Commands of the design that this version does not have.
const NOT_YET: [&str; 10] =
    ["approve", "ask", "clear", "doctor", "draft", "export", "import", "report", "rewind", "watch"];

/// What to say of a word that people try and that is no command.
fn no_command(arguments: &[OsString], told: &clap::Error) -> Option<Error> {
    let word = arguments.get(1)?.to_str().filter(|_| told.kind() == ErrorKind::InvalidSubcommand)?;
    match word {
        "done" => Some(
            Error::input("`plan done` is no command: a goal and a step are done by different ones")
                .hint("plan complete ID        checks a goal and signs it off")
                .hint("plan step done N text   marks a step"),
        ),
        _ if NOT_YET.contains(&word) => {
            Some(Error::input(format!("`plan {word}` is not in this version")).hint("`plan --help` lists the commands"))
        }
        _ => None,
    }
}

/// Prints what clap has to say about `arguments` and returns the exit status: 0 for help and version, else 2.
pub fn answer(arguments: &[OsString], told: &clap::Error) -> ExitCode {
    // What could not be parsed is still looked at for how the answer is wanted.
    let options: Vec<&str> =
        arguments.iter().skip(1).filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let context = Context::new(Ui::new(options.contains(&"--json"), color(&options)), None, None);
    if told.use_stderr() {
        if told.kind() == ErrorKind::InvalidUtf8 {
            return end(&context, Err(not_utf8(arguments)));
        }
        if let Some(error) = no_command(arguments, told) {
            return end(&context, Err(error));
        }
        let text = told.render().to_string();
        context.ui.error_in_words(&parts(&text), text.trim_end());
        return end(&context, Ok(Exit::Code(2)));
    }
    let text = told.render();
    let key = if told.kind() == ErrorKind::DisplayVersion { "plan" } else { "help" };
    context.ui.json(&json!({ key: text.to_string().trim_end() }));
    if !context.ui.is_json() {
        context.ui.raw(&if context.ui.is_styled() { text.ansi().to_string() } else { text.to_string() });
    }
    end(&context, Ok(Exit::Yes))
}

/// The value of `--color`, where it is one.
fn color(options: &[&str]) -> Color {
    let mut words = options.iter();
    let value = words.find_map(|word| match word.strip_prefix("--color") {
        Some("") => Some(None),
        Some(rest) => rest.strip_prefix('=').map(Some),
        None => None,
    });
    let value = value.and_then(|value| value.or_else(|| words.next().copied()));
    value.and_then(|value| Color::from_str(value, false).ok()).unwrap_or_default()
}

/// Clap's text as message and hints: its paragraphs.
fn parts(text: &str) -> Error {
    let mut paragraphs = text.strip_prefix("error: ").unwrap_or(text).trim_end().split("\n\n").map(str::trim);
    let error = Error::input(paragraphs.next().unwrap_or_default());
    paragraphs.fold(error, Error::hint)
}

fn not_utf8(arguments: &[OsString]) -> Error {
    let bad = arguments.iter().find(|word| word.to_str().is_none()).map(|word| word.to_string_lossy());
    Error::input(format!("expected text in UTF-8, found other bytes in the argument `{}`", bad.unwrap_or_default()))
        .hint("only the names of files and folders may be any bytes")
}
