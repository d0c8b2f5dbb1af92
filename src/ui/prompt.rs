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
    answer.map_err(|error| {
        let _ = dialoguer::console::Term::stderr().show_cursor();
        let dialoguer::Error::IO(error) = error;
        match error.kind() {
            std::io::ErrorKind::Interrupted => Error::new(Kind::Interrupted, "interrupted; nothing was done"),
            _ => Error::new(Kind::Refused, format!("cannot ask on this terminal: {error}")),
        }
    })
}

/// Stdout for another program that talks to us: nothing else is printed there meanwhile.
pub fn wire() -> impl Write + Send + 'static {
    std::io::BufWriter::with_capacity(1 << 16, std::io::stdout())
}
