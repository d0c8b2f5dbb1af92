//! Questions to a person. Without a terminal nothing is asked: the caller refuses and names what works instead.

use std::io::{BufRead, IsTerminal, Write};

use crate::error::{Error, Kind, Result};

/// Returns true if a person can be asked: stdin and stderr are terminals.
pub fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Returns the two directions of a conversation: the lines that a person types, and the screen. The writer must clean
/// any text from a repository.
pub fn conversation() -> (impl BufRead, impl Write) {
    (std::io::stdin().lock(), std::io::stderr())
}

/// Asks a yes-or-no question; `no` is the default. Interrupted: returns [`Kind::Interrupted`], and shows the cursor again.
pub fn confirm(question: &str) -> Result<bool> {
    let answer = dialoguer::Confirm::new().with_prompt(super::clean_line(question)).default(false).interact();
    answer.map_err(unanswered)
}

/// Asks the same after a wait: keys that were typed before the question was visible answer nothing.
pub fn confirm_after_wait(question: &str) -> Result<bool> {
    // It fails only if stdin is no terminal, and then nothing is asked.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
    confirm(question)
}

/// Asks for an approval. Only a whole line `y` or `yes` approves, because words typed too early must not approve by one
/// of their letters. Interrupted: returns [`Kind::Interrupted`].
pub fn agrees(question: &str) -> Result<bool> {
    let answer = ask_line(&format!("{question} [y/N]"))?;
    Ok(["y", "yes"].iter().any(|yes| answer.trim().eq_ignore_ascii_case(yes)))
}

/// Lets a person choose one of `items` and returns its place; `None` for Esc. Interrupted: returns [`Kind::Interrupted`].
pub fn select(question: &str, items: &[&str]) -> Result<Option<usize>> {
    let select = dialoguer::Select::new().with_prompt(super::clean_line(question)).items(items).default(0);
    select.interact_opt().map_err(unanswered)
}

/// Asks for one line, which may be empty. Interrupted: returns [`Kind::Interrupted`].
pub fn ask_line(question: &str) -> Result<String> {
    let input = dialoguer::Input::<String>::new().with_prompt(super::clean_line(question)).allow_empty(true);
    input.interact_text().map_err(unanswered)
}

/// Returns the error for a question without an answer. Shows the cursor again, whatever hid it.
fn unanswered(error: dialoguer::Error) -> Error {
    let _ = dialoguer::console::Term::stderr().show_cursor();
    let dialoguer::Error::IO(error) = error;
    match error.kind() {
        std::io::ErrorKind::Interrupted => Error::new(Kind::Interrupted, "interrupted; nothing was done"),
        _ => Error::new(Kind::Refused, format!("cannot ask on this terminal: {error}")),
    }
}

/// Returns stdout for another program that talks to `plan`: nothing else is printed there meanwhile.
pub fn wire() -> impl Write + Send + 'static {
    std::io::BufWriter::with_capacity(1 << 16, std::io::stdout())
}
