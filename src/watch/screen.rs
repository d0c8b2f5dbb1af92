//! The terminal: raw mode and the alternate screen while the view is shown. It is restored however the view ends.

use std::io::{self, Write};
use std::panic;
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    self, DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange, Event, KeyCode, KeyEvent,
    KeyEventKind, KeyModifiers,
};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui_core::layout::{Position, Rect};
use ratatui_core::terminal::{Terminal, TerminalOptions, Viewport};
use ratatui_crossterm::CrosstermBackend;
use rustix::event::{PollFd, PollFlags, Timespec};

use super::line_edit::Key;
use super::paint::Canvas;
use crate::plan::view::Screen as Size;
use crate::ui;

/// The function that restores the terminal; `None` while the terminal is not ours.
static LEAVE: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Restores the terminal. A second call does nothing.
pub(super) fn leave() {
    let leave = LEAVE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(leave) = leave {
        leave();
    }
}

/// Holds the terminal while it lives. A panic restores the terminal before its message is printed, because a release build ends there.
#[derive(Debug)]
struct Guard;

impl Guard {
    fn new(leave: impl FnOnce() + Send + 'static) -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |told| {
                self::leave();
                before(told);
            }));
        });
        *LEAVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(leave));
        Guard
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Input from the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A key.
    Key(Key),
    /// Pasted text.
    Paste(String),
    /// The terminal got the focus, or lost it.
    Focus(bool),
}

/// The reason why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitResult {
    /// The time is over, or a signal came.
    Time,
    /// There is input.
    Input,
    /// The terminal is closed.
    Closed,
}

/// The screen.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Box<dyn Write>>>,
    area: Rect,
    colours: bool,
    guard: Option<Guard>,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn new(size: Size, colours: bool) -> io::Result<Screen> {
        let area = area(size);
        // Its size is read here, never by running another program.
        let options = TerminalOptions { viewport: Viewport::Fixed(area) };
        let out: Box<dyn Write> = Box::new(ui::wire());
        let terminal = Terminal::with_options(CrosstermBackend::new(out), options)?;
        let mut screen = Screen { terminal, area, colours, guard: None };
        screen.enter()?;
        Ok(screen)
    }

    /// Takes the terminal, and redraws everything.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        self.guard = Some(Guard::new(|| {
            // The mode comes first: it is restored even if the terminal cannot be written to.
            let _ = disable_raw_mode();
            let mut out = ui::wire();
            let _ = execute!(out, DisableFocusChange, DisableBracketedPaste, LeaveAlternateScreen, Show);
        }));
        enable_raw_mode()?;
        execute!(self.terminal.backend_mut(), EnterAlternateScreen, Hide, EnableBracketedPaste, EnableFocusChange)?;
        self.redraw()
    }

    /// Restores the terminal for a while.
    pub(super) fn leave(&mut self) {
        self.guard = None;
    }

    /// Makes the next frame a complete one.
    pub(super) fn redraw(&mut self) -> io::Result<()> {
        self.terminal.resize(self.area)
    }

    /// Changes the size; true if the size is new.
    pub(super) fn resize(&mut self, size: Size) -> io::Result<bool> {
        let area = area(size);
        if area == self.area {
            return Ok(false);
        }
        self.area = area;
        self.terminal.resize(area)?;
        Ok(true)
    }

    /// Draws a frame: only the cells that changed.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Canvas<'_>) -> Option<Position>) -> io::Result<()> {
        let colours = self.colours;
        self.terminal.draw(|frame| {
            let cursor = draw(&mut Canvas { buffer: frame.buffer_mut(), colours });
            if let Some(cursor) = cursor {
                frame.set_cursor_position(cursor);
            }
        })?;
        Ok(())
    }

    /// Waits for input, the end of the terminal, or the end of the time.
    ///
    /// The library's own wait does not report a closed terminal.
    pub(super) fn wait(&self, time: Duration) -> WaitResult {
        let stdin = io::stdin();
        let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
        match rustix::event::poll(&mut polled, Some(&time)) {
            Ok(0) | Err(_) => WaitResult::Time,
            Ok(_) if polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) => {
                WaitResult::Closed
            }
            Ok(_) => WaitResult::Input,
        }
    }

    /// Everything that was typed so far.
    pub(super) fn inputs(&self) -> io::Result<Vec<Input>> {
        let mut inputs = Vec::new();
        // With a time of zero the library does not look.
        while event::poll(Duration::from_millis(1))? {
            inputs.extend(input(event::read()?));
        }
        Ok(inputs)
    }
}

fn area(size: Size) -> Rect {
    let cells =
        |count: Option<usize>, usual: u16| count.map_or(usual, |count| u16::try_from(count).unwrap_or(u16::MAX));
    Rect { x: 0, y: 0, width: cells(size.columns, 80), height: cells(size.lines, 24) }
}

fn input(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Input::Key(key_of(key)?)),
        Event::Paste(text) => Some(Input::Paste(text)),
        Event::FocusGained => Some(Input::Focus(true)),
        Event::FocusLost => Some(Input::Focus(false)),
        _ => None,
    }
}

fn key_of(key: KeyEvent) -> Option<Key> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char(sign) if control => Key::Ctrl(sign.to_ascii_lowercase()),
        KeyCode::Char(_) if key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(sign) => Key::Char(sign),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab | KeyCode::BackTab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// One test for all cases: the restore function is shared by the whole process.
    #[test]
    fn the_terminal_is_given_back_once_however_it_ends() {
        let given = Arc::new(AtomicUsize::new(0));
        let guard = || {
            let given = Arc::clone(&given);
            Guard::new(move || {
                given.fetch_add(1, Ordering::SeqCst);
            })
        };
        drop(guard());
        assert_eq!(given.load(Ordering::SeqCst), 1);
        // An error that returns early from a function.
        let failed = || -> io::Result<()> {
            let _guard = guard();
            Err(io::ErrorKind::Other.into())
        };
        assert!(failed().is_err() && given.load(Ordering::SeqCst) == 2);
        // A panic: the hook restores the terminal before unwinding, because a release build does not unwind.
        let _guard = guard();
        let panicked = std::thread::spawn(|| panic!("planned")).join();
        assert!(panicked.is_err() && given.load(Ordering::SeqCst) == 3, "the guard still stands");
        leave();
        assert_eq!(given.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn keys_are_read_as_the_model_has_them() {
        let key = |code, modifiers| key_of(KeyEvent::new(code, modifiers));
        assert_eq!(key(KeyCode::Char('G'), KeyModifiers::SHIFT), Some(Key::Char('G')));
        assert_eq!(key(KeyCode::Char('z'), KeyModifiers::CONTROL), Some(Key::Ctrl('z')));
        assert_eq!(key(KeyCode::Char('x'), KeyModifiers::ALT), None);
        assert_eq!(input(Event::FocusLost), Some(Input::Focus(false)));
        assert_eq!(area(Size::default()), Rect { x: 0, y: 0, width: 80, height: 24 });
    }
}
