//! Questions to a person. Without a terminal nothing is asked: the caller refuses and names what works instead.

use std::io::{BufRead, IsTerminal, Write};

use crate::error::{Error, Kind, Result};

/// True where a person can be asked: stdin and stderr are terminals.
pub fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// The two directions of a conversation: the lines that a person types, and the screen. Whoever writes there cleans what
/// comes from a repository.
pub fn conversation() -> (impl BufRead, impl Write) {
    (std::io::stdin().lock(), std::io::stderr())
}

/// Asks a yes-or-no question; `no` is the default. Interrupted: [`Kind::Interrupted`], and the cursor is shown again.
pub fn confirm(question: &str) -> Result<bool> {
    let answer = dialoguer::Confirm::new().with_prompt(super::clean_line(question)).default(false).interact();
    answer.map_err(unanswered)
}

/// The same after a wait: keys that were typed meanwhile, before there was anything to see, answer nothing.
pub fn confirm_after_wait(question: &str) -> Result<bool> {
    // It fails only where stdin is no terminal, and then nothing is asked.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
    confirm(question)
}

/// Asks for an approval: a whole line that says `y` or `yes`, because words typed too early must not approve by one letter of theirs.
/// Interrupted: [`Kind::Interrupted`].
pub fn agrees(question: &str) -> Result<bool> {
    let answer = ask_line(&format!("{question} [y/N]"))?;
    Ok(["y", "yes"].iter().any(|yes| answer.trim().eq_ignore_ascii_case(yes)))
}

/// Lets a person choose one of `items`, by its place; none for Esc. Interrupted: [`Kind::Interrupted`].
pub fn select(question: &str, items: &[&str]) -> Result<Option<usize>> {
    let select = dialoguer::Select::new().with_prompt(super::clean_line(question)).items(items).default(0);
    select.interact_opt().map_err(unanswered)
}

/// One line that a person types; it may be empty. Interrupted: [`Kind::Interrupted`].
pub fn ask_line(question: &str) -> Result<String> {
    let input = dialoguer::Input::<String>::new().with_prompt(super::clean_line(question)).allow_empty(true);
    input.interact_text().map_err(unanswered)
}

/// The cursor is shown again, whatever hid it.
fn unanswered(error: dialoguer::Error) -> Error {
    let _ = dialoguer::console::Term::stderr().show_cursor();
    let dialoguer::Error::IO(error) = error;
    match error.kind() {
        std::io::ErrorKind::Interrupted => Error::new(Kind::Interrupted, "interrupted; nothing was done"),
        _ => Error::new(Kind::Refused, format!("cannot ask on this terminal: {error}")),
    }
}

/// Stdout for another program that talks to us: nothing else is printed there meanwhile.
pub fn wire() -> impl Write + Send + 'static {
    std::io::BufWriter::with_capacity(1 << 16, std::io::stdout())
}
