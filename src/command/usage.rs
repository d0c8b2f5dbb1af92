//! Prints clap's own answers: help, version, or the error of a wrong call. Streams and `--json` behave as everywhere.

mod meant;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, ValueEnum};
use serde_json::json;

use super::{Context, Exit, end};
use crate::error::Error;
use crate::shell::quote;
use crate::ui::{Color, Ui};
use meant::{archived, done, file_for_tool, goals_meant, showing};

/// Expands `plan add` and `plan start` to `plan goal add` and `plan goal start`, and `plan help goal` to `plan goal --help`.
pub fn whole(mut arguments: Vec<OsString>) -> Vec<OsString> {
    match arguments.get(1).and_then(|word| word.to_str()) {
        Some("add" | "start") => arguments.insert(1, "goal".into()),
        Some("help") => as_option(&mut arguments, 1),
        Some("goal" | "step" | "judge" | "loop" | "export" | "install" | "uninstall")
            if arguments.get(2).is_some_and(|word| word == "help") =>
        {
            as_option(&mut arguments, 2);
        }
        _ => {}
    }
    arguments
}

/// Replaces the word `help` at this place by the option at the end.
fn as_option(arguments: &mut Vec<OsString>, at: usize) {
    arguments.remove(at);
    arguments.push("--help".into());
}

/// Returns the error for a word that people try but that is not a command.
fn no_command(arguments: &[OsString], told: &clap::Error, cli: &Command) -> Option<Error> {
    let word = arguments.get(1)?.to_str().filter(|_| told.kind() == ErrorKind::InvalidSubcommand)?;
    match word {
        "done" => Some(done(&arguments[2..])),
        "plan" => Some(Error::input("`plan plan` is not a command").hint("type `plan` once")),
        "version" => Some(Error::input("`plan version` is not a command").hint("`plan --version` prints the version")),
        "view" => Some(
            Error::input("`plan view` is not a command")
                .hint("`plan show` prints the plan, `plan watch` shows it live"),
        ),
        _ => {
            let meant = |group: &str| {
                let command = cli.find_subcommand(group)?;
                command.find_subcommand(word).or_else(|| command.find_subcommand(other_word(word)?))
            };
            let groups = ["goal", "step"].into_iter().filter_map(|group| Some((group, meant(group)?.get_name())));
            let error =
                Error::input(format!("`plan {word}` is not a command; use the one for goals or the one for steps"));
            let hints: Vec<String> = groups.map(|(group, name)| format!("plan {group} {name} --help")).collect();
            (!hints.is_empty()).then(|| hints.into_iter().fold(error, Error::hint))
        }
    }
}

/// Returns this program's word for a verb of other programs.
fn other_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "edit" | "change" | "update" | "modify" | "rename" => "set",
        "delete" | "rm" | "del" | "drop" => "remove",
        "new" | "create" => "add",
        "finish" | "complete" | "tick" | "check" => "done",
        "begin" => "start",
        "reset" | "reopen" => "retry",
        _ => return None,
    })
}

/// Prints clap's answer to `arguments` and returns the exit status: 0 for help and version, else 2.
pub fn answer(arguments: &[OsString], told: &clap::Error, cli: Command) -> ExitCode {
    // Arguments that could not be parsed still tell how the answer is wanted.
    let options: Vec<&str> =
        arguments.iter().skip(1).filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let path = |option: &str| value(&options, option).map(PathBuf::from);
    let ui = Ui::new(options.contains(&"--json"), color(&options));
    let context = Context::new(ui, path("-C"), path("--file"));
    if told.use_stderr() {
        if told.kind() == ErrorKind::InvalidUtf8 {
            return end(&context, Err(not_utf8(arguments)));
        }
        if let Some(error) = no_command(arguments, told, &cli) {
            return end(&context, Err(error));
        }
        if told.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            context.ui.error_in_words(&Error::input("expected a command"), told.render().to_string().trim_end());
            return end(&context, Ok(Exit::Code(2)));
        }
        return end(&context, Err(mistake(&context, arguments, cli, told)));
    }
    let text = told.render();
    let key = if told.kind() == ErrorKind::DisplayVersion { "plan" } else { "help" };
    context.ui.json(&json!({ key: text.to_string().trim_end() }));
    if !context.ui.is_json() {
        context.ui.raw(&if context.ui.is_styled() { text.ansi().to_string() } else { text.to_string() });
    }
    end(&context, Ok(Exit::Yes))
}

/// Returns the value of `--color`, or the default if it is not a valid one.
fn color(options: &[&str]) -> Color {
    value(options, "--color").and_then(|value| Color::from_str(value, false).ok()).unwrap_or_default()
}

/// Returns the value of an option: from the same word (`--file=PATH`, `-CDIR`), or from the next word.
fn value<'o>(options: &[&'o str], option: &str) -> Option<&'o str> {
    let mut words = options.iter();
    let rest = words.find_map(|word| {
        let rest = word.strip_prefix(option)?;
        (rest.is_empty() || rest.starts_with('=') || !option.starts_with("--")).then_some(rest)
    })?;
    if rest.is_empty() { words.next().copied() } else { Some(rest.strip_prefix('=').unwrap_or(rest)) }
}

/// Returns clap's error in the words of `plan`: what was expected, what was found, and the command that helps.
fn mistake(context: &Context, arguments: &[OsString], mut cli: Command, told: &clap::Error) -> Error {
    cli.build();
    let value = |kind: ContextKind| told.get(kind).map(ToString::to_string).filter(|text| !text.is_empty());
    let word = value(ContextKind::InvalidSubcommand).unwrap_or_default();
    let (command, name, wrong) = called(arguments, &cli, &word);
    let found = value(ContextKind::InvalidValue).unwrap_or_default();
    let argument = value(ContextKind::InvalidArg).unwrap_or_default();
    let argument = if argument.starts_with('-') { first_word(&argument) } else { &argument };
    let message = match told.kind() {
        ErrorKind::InvalidSubcommand => format!("`{name} {word}` is not a command"),
        ErrorKind::UnknownArgument if argument.starts_with('-') => format!("`{name}` has no option `{argument}`"),
        ErrorKind::UnknownArgument => format!("`{name}` does not take `{argument}`"),
        ErrorKind::InvalidValue if found.is_empty() => format!("`{argument}` needs a value"),
        ErrorKind::InvalidValue => {
            let allowed = value(ContextKind::ValidValue).unwrap_or_default();
            format!("`{argument}`: expected {}, found `{found}`", one_of(&allowed))
        }
        ErrorKind::ValueValidation => format!("`{argument}`: {}, found `{found}`", expected(told)),
        ErrorKind::MissingRequiredArgument => format!("`{name}` needs {}", argument.replace(", ", " and ")),
        ErrorKind::ArgumentConflict => {
            let other = value(ContextKind::PriorArg).unwrap_or_default();
            match first_word(&other) {
                other if other == argument => format!("`{argument}` is given twice"),
                other => format!("`{argument}` does not go together with `{other}`"),
            }
        }
        // Rare errors keep clap's words.
        _ => {
            let text = told.render().to_string();
            text.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default().trim().to_owned()
        }
    };
    let mut error = Error::input(message);
    if told.kind() == ErrorKind::UnknownArgument && name == "plan archive" && !argument.starts_with('-') {
        return archived(context, argument)
            .unwrap_or_else(|| error.hint("`plan archive` moves all done and cancelled goals"));
    }
    if told.kind() == ErrorKind::UnknownArgument && !argument.starts_with('-') {
        error = error.hint(match command.get_positionals().collect::<Vec<_>>().as_slice() {
            [] if argument.ends_with(".md") => {
                format!("`plan --file {} {}`", quote(argument), name.trim_start_matches("plan "))
            }
            [goal] if goal.get_id() == "id" => format!("one goal at a time: `{name} {}`", quote(argument)),
            _ => "a text with spaces needs quotes: \"first second\"".to_owned(),
        });
    }
    let suggested = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    // The user means the word of another program, even if a word is spelled alike: `rename` is not `remove`.
    let is_known = other_word(&word).is_some();
    // `--json flag` is a text, and no misspelled `--json`.
    let is_same = |words: &String| words == argument;
    let suggested = suggested.into_iter().find_map(value).filter(|words| !is_known && !is_same(words));
    if told.kind() == ErrorKind::UnknownArgument
        && suggested.is_none()
        && let Some(line) = as_text(command, arguments, argument)
    {
        error = error.hint(format!("a text that begins with `-` stands behind `--`: `{line}`"));
    }
    if let Some(words) = suggested {
        // clap lists the nearest word last.
        let words: Vec<&str> = words.rsplit(", ").collect();
        error = error.hint(format!("did you mean `{}`?", words.join("` or `")));
    }
    if let Some(command) = (name == "plan import").then(|| file_for_tool(context, &found)).flatten() {
        return error.hint(command);
    }
    if let Some(command) = (name == "plan").then(|| showing(context, &word)).flatten() {
        return error.hint(command);
    }
    if argument == "-v" {
        error = error.hint("`plan --version` prints the version");
    }
    let is_without_goal = told.kind() == ErrorKind::MissingRequiredArgument && argument == "<ID>";
    if let Some(goals) = is_without_goal.then(|| goals_meant(context, &name, arguments)).flatten() {
        return error.hint(goals);
    }
    if let Some(command) = verb_first(command, &name, arguments.get(wrong..).unwrap_or_default()) {
        return error.hint(format!("`{command}`"));
    }
    help(error, command, &name, told.kind(), &word)
}

/// Returns the command line with `--` before the word that was taken for an option: `plan step done 1 -- "-O2 helps"`. `None` if
/// the command takes no text.
fn as_text(command: &Command, arguments: &[OsString], option: &str) -> Option<String> {
    let is_text = |text: &clap::Arg| text.get_num_args().is_some_and(|most| most.max_values() > 1);
    let words: Vec<_> = arguments.iter().skip(1).map(|word| word.to_string_lossy()).collect();
    let at = words.iter().position(|word| option.starts_with('-') && word.starts_with(option))?;
    command.get_positionals().any(is_text).then(|| {
        let before: Vec<_> = words[..at].iter().map(|word| quote(word)).collect();
        format!("plan {} -- {}", before.join(" "), quote(&words[at..].join(" ")))
    })
}

/// Adds the list of commands, or an example of the called command.
fn help(error: Error, command: &Command, name: &str, kind: ErrorKind, found: &str) -> Error {
    if kind == ErrorKind::InvalidSubcommand {
        if name == "plan" {
            return error.hint("`plan --help` lists the commands");
        }
        let error = match name {
            "plan goal" if other_word(found) == Some("done") || found == "done" => {
                error.hint("`plan complete ID` checks a goal and signs it off; nothing else makes it done")
            }
            "plan goal" if found == "rename" => {
                error.hint("`plan goal set` with `--subject` gives a goal another subject; the id stays")
            }
            _ => error,
        };
        let meant = other_word(found).filter(|_| error.hints.is_empty()).and_then(|word| command.find_subcommand(word));
        let error =
            meant.into_iter().fold(error, |error, meant| error.hint(format!("did you mean `{}`?", meant.get_name())));
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        return error.hint(match names.is_empty() {
            true => format!("`{name} --help` shows what it takes"),
            false => format!("`{name}` has {}", names.join(", ")),
        });
    }
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    match text.split_once("Example:\n").filter(|_| kind == ErrorKind::MissingRequiredArgument) {
        Some((_, examples)) => error.hint(format!("for example: {}", example(examples))),
        None => error.hint(format!("`{name} --help` shows what it takes")),
    }
}

/// Returns the command line of `plan step 1 done`, with the verb in its place: `plan step done 1`.
fn verb_first(command: &Command, name: &str, words: &[OsString]) -> Option<String> {
    let [object, verb, rest @ ..] = words else { return None };
    if name == "plan" {
        return None;
    }
    let verb = command.find_subcommand(verb)?.get_name();
    let rest = std::iter::once(object).chain(rest).map(|word| quote(&word.to_string_lossy()));
    Some(format!("{name} {verb} {}", rest.collect::<Vec<_>>().join(" ")))
}

/// Returns the first command of an example, on one line.
fn example(examples: &str) -> String {
    let mut lines = examples.lines();
    let first = lines.next().unwrap_or_default().trim().to_owned();
    let rest = lines.take_while(|line| line.starts_with("    ")).map(str::trim);
    rest.fold(first, |command, line| format!("{} {line}", command.trim_end_matches('\\').trim_end()))
}

fn first_word(text: &str) -> &str {
    text.split([' ', '=']).next().unwrap_or_default()
}

/// Turns `a, b, c` into `a, b or c`.
fn one_of(words: &str) -> String {
    match words.rsplit_once(", ") {
        Some((some, last)) => format!("{some} or {last}"),
        None => words.to_owned(),
    }
}

/// Returns why a value was refused. Number parsers word it for programmers, so their errors get other words.
fn expected(told: &clap::Error) -> String {
    let Some(why) = std::error::Error::source(told) else { return "expected something else".to_owned() };
    let text = why.to_string();
    let range = text.split_once(" is not in ").and_then(|(_, range)| range.split_once(".."));
    let range = range.map(|(from, to)| (from, to.trim_start_matches('=')));
    match range {
        Some((from, to)) if to == u64::MAX.to_string() => format!("expected a number, at least {from}"),
        Some((from, to)) => format!("expected a number from {from} to {to}"),
        None if why.is::<std::num::ParseIntError>() => "expected a number".to_owned(),
        None => text,
    }
}

/// Returns the command that was called, as far as it exists; its name (`plan goal add`); and the place of the first argument
/// after it that is `wrong`.
fn called<'c>(arguments: &[OsString], cli: &'c Command, wrong: &str) -> (&'c Command, String, usize) {
    let (mut command, mut name) = (cli, "plan".to_owned());
    for (at, word) in arguments.iter().enumerate().skip(1) {
        if let Some(inner) = word.to_str().and_then(|word| command.find_subcommand(word)) {
            name = format!("{name} {}", inner.get_name());
            command = inner;
        } else if command.has_subcommands() && !wrong.is_empty() && *word == *wrong && name != "plan" {
            return (command, name, at);
        }
    }
    (command, name, arguments.len())
}

fn not_utf8(arguments: &[OsString]) -> Error {
    let bad = arguments.iter().find(|word| word.to_str().is_none()).map(|word| word.to_string_lossy());
    Error::input(format!("expected text in UTF-8, found other bytes in the argument `{}`", bad.unwrap_or_default()))
        .hint("only the names of files and folders may be any bytes")
}
