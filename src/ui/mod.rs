//! Prints all output: text for people and one JSON document on stdout, notes and errors on stderr, all of it cleaned of
//! characters that could drive a terminal.

mod clean;
mod entries;
mod notes;
mod page;
mod progress;
mod prompt;
pub mod relay;

use std::cell::{Cell, RefCell};
use std::io::{BufWriter, IsTerminal, Stdout, Write};

use rustix::event::{PollFd, PollFlags, Timespec};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::plan::view::{Row, Screen};

use clean::shorten;
pub use clean::{clean, clean_line};
pub use entries::entries;
pub use page::{Page, ansi};
pub use prompt::{agrees, ask_line, confirm, confirm_after_wait, conversation, is_terminal, select, wire};
use relay::Relay;

/// The values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, where `NO_COLOR` is not set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The two streams of one run. A closed pipe is no error: later output is dropped.
#[derive(Debug)]
pub struct Ui {
    json: bool,
    styled: bool,
    /// True if stderr takes colours.
    notes_styled: bool,
    out: RefCell<BufWriter<Stdout>>,
    trouble: RefCell<Option<std::io::Error>>,
    progress: Cell<bool>,
    relay: Option<Relay>,
}

impl Ui {
    /// Creates streams for text or for one JSON document.
    pub fn new(json: bool, color: Color) -> Self {
        let is_styled = |choice: anstream::ColorChoice| match color {
            Color::Always => !json,
            Color::Never => false,
            Color::Auto => !json && choice != anstream::ColorChoice::Never,
        };
        Ui {
            json,
            styled: is_styled(anstream::AutoStream::choice(&std::io::stdout())),
            notes_styled: is_styled(anstream::AutoStream::choice(&std::io::stderr())),
            out: RefCell::new(BufWriter::with_capacity(1 << 16, std::io::stdout())),
            trouble: RefCell::new(None),
            progress: Cell::new(false),
            relay: None,
        }
    }

    /// Creates streams for text that another `plan` relays ([`relay`]). With `asks`, it also brings answers to questions.
    pub fn relayed(asks: bool) -> Self {
        Ui { relay: Some(Relay { asks }), ..Ui::new(false, Color::Never) }
    }

    /// True if the caller asked for `--json`: text for people is then left out.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// True if stdout takes colours.
    pub fn is_styled(&self) -> bool {
        self.styled
    }

    /// True if text goes to a person's terminal, where a started program can write itself.
    pub fn is_attached(&self) -> bool {
        !self.json && self.relay.is_none() && std::io::stdout().is_terminal()
    }

    /// Prints a line for people on stdout; nothing under `--json`.
    pub fn line(&self, text: &str) {
        if !self.json {
            self.raw(&clean(text));
            self.raw("\n");
        }
    }

    /// Prints text unchanged on stdout, for another program to read, such as a completion script.
    pub fn raw(&self, text: &str) {
        if self.trouble.borrow().is_none() {
            let result = self.out.borrow_mut().write_all(text.as_bytes());
            self.remember(result);
        }
    }

    /// Prints text for another program unchanged; under `--json` as the value of `key`.
    pub fn script(&self, key: &str, text: &str) {
        if self.json {
            self.json(&serde_json::json!({ key: text }));
        } else {
            self.raw(text);
        }
    }

    /// Prints the one JSON document of a run, with `"version": 1` in front; nothing without `--json`.
    pub fn json<T: Serialize>(&self, body: &T) {
        if self.json {
            self.json_line(&Ui::document(body));
        }
    }

    /// Returns a document with `"version": 1` in front, indented.
    pub fn document<T: Serialize>(body: &T) -> String {
        #[derive(Serialize)]
        struct Document<'t, T> {
            version: u32,
            #[serde(flatten)]
            body: &'t T,
        }
        let text = serde_json::to_string_pretty(&Document { version: 1, body });
        text.unwrap_or_else(|error| format!("{{\"version\":1,\"error\":\"{error}\"}}"))
    }

    /// Prints one JSON document of many, on its own line.
    pub fn json_line(&self, line: &str) {
        self.raw(&clean::escape_json(line));
        self.raw("\n");
    }

    /// Returns whether nobody reads stdout any more.
    pub fn is_closed(&self) -> bool {
        let stdout = std::io::stdout();
        let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let is_gone = rustix::event::poll(&mut polled, Some(&now)).is_ok_and(|_| !polled[0].revents().is_empty());
        is_gone || self.trouble.borrow().is_some()
    }

    /// Prints a note on stderr.
    pub fn note(&self, text: &str) {
        self.clear_progress();
        // The text of stdout comes first if both streams end in one terminal.
        self.flush();
        let _ = writeln!(std::io::stderr(), "{}", notes::shown(&clean(text), self.notes_screen(), self.notes_styled));
    }

    /// Returns the screen of stderr.
    fn notes_screen(&self) -> Screen {
        let stderr = std::io::stderr();
        if self.relay.is_some() || !stderr.is_terminal() { Screen::default() } else { size(stderr) }
    }

    /// Prints an error on stderr, and as a JSON document under `--json`.
    pub fn error(&self, error: &Error) {
        let mut text = format!("error: {error}");
        for hint in &error.hints {
            text += &format!("\n  help: {hint}");
        }
        self.error_in_words(error, &text);
    }

    /// Prints an error whose text for people is given.
    pub fn error_in_words(&self, error: &Error, text: &str) {
        self.note(&shorten(text));
        self.json(&serde_json::json!({ "error": error }));
    }

    /// Returns the screen of stdout; without a terminal it has no limits.
    pub fn screen(&self) -> Screen {
        let stdout = std::io::stdout();
        if self.relay.is_some() || !stdout.is_terminal() { Screen::default() } else { size(stdout) }
    }

    /// Returns a page for styled text on stdout.
    pub fn page(&self) -> Page<'_> {
        Page::new(self)
    }

    /// Prints rows on stdout, wrapped at the width of a terminal; nothing under `--json`.
    pub fn rows(&self, rows: &[Row]) {
        if !self.json {
            let (screen, mut page) = (self.screen(), self.page());
            rows.iter().for_each(|row| row.put(screen, &mut page));
        }
    }

    /// Prints the progress line on stderr: what runs, for how many seconds, the limit in seconds, and what comes next.
    /// Prints nothing if stderr is no terminal.
    pub fn progress(&self, what: &str, seconds: u64, limit: Option<u64>, next: Option<&str>) {
        if self.relay.is_some() {
            relay::progress(what, seconds);
        } else if !self.json && std::io::stderr().is_terminal() {
            let columns = size(std::io::stderr()).columns.unwrap_or(0);
            let line = progress::line(&clean_line(what), seconds, limit, next, columns);
            let _ = write!(std::io::stderr(), "\r\u{1b}[K{}", clean_line(&line));
            self.progress.set(true);
        }
    }

    /// True if somebody can be asked.
    pub fn can_ask(&self) -> bool {
        self.relay.map_or_else(is_terminal, |relay| relay.asks)
    }

    /// Asks a yes-or-no question; `no` is the default. See [`confirm`].
    pub fn confirm(&self, question: &str) -> Result<bool> {
        if self.relay.is_some() { Ok(relay::confirm(question)) } else { confirm(question) }
    }

    /// Asks the same after a wait. See [`confirm_after_wait`].
    pub fn confirm_after_wait(&self, question: &str) -> Result<bool> {
        if self.relay.is_some() { Ok(relay::confirm(question)) } else { confirm_after_wait(question) }
    }

    /// Asks for an approval; `no` is the default. See [`agrees`].
    pub fn agrees(&self, question: &str) -> Result<bool> {
        if self.relay.is_some() { Ok(relay::confirm(question)) } else { agrees(question) }
    }

    /// Removes the progress line, so that the next output has its own line.
    fn clear_progress(&self) {
        if self.progress.take() {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }

    /// Writes out the buffered text.
    pub fn flush(&self) {
        self.clear_progress();
        let result = self.out.borrow_mut().flush();
        self.remember(result);
    }

    /// Ends the run: flushes, and returns whether stdout took everything. A reader that went away early is no failure.
    pub fn finish(&self) -> bool {
        self.flush();
        match &*self.trouble.borrow() {
            Some(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                // The error itself, because its kind is only "uncategorized error" for a terminal that is gone.
                let _ = writeln!(std::io::stderr(), "error: cannot write to standard output: {error}");
                false
            }
            _ => true,
        }
    }

    /// Flushes. Output that stdout did not take so far is no error any more.
    pub fn give_up(&self) {
        self.flush();
        let mut trouble = self.trouble.borrow_mut();
        *trouble = trouble.take().map(|_| std::io::ErrorKind::BrokenPipe.into());
    }

    fn remember(&self, result: std::io::Result<()>) {
        if let Err(error) = result {
            self.trouble.borrow_mut().get_or_insert(error);
        }
    }
}

/// Returns the size of a terminal, as far as it reports it.
fn size(terminal: impl std::os::fd::AsFd) -> Screen {
    let given = |count: u16| Some(usize::from(count)).filter(|count| *count > 0);
    let size = rustix::termios::tcgetwinsize(terminal);
    size.map_or_else(|_| Screen::default(), |size| Screen { columns: given(size.ws_col), lines: given(size.ws_row) })
}
