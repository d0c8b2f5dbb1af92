//! Compares frames of every size with golden texts.

mod keys;

use ratatui_core::backend::{Backend, TestBackend};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::{Terminal, TerminalOptions, Viewport};

use super::goal::PaneLine;
use super::line_edit::Key;
use super::model::{Busy, Effect, ViewState};
use super::paint::Canvas;
use super::run::{CheckState, RunEnd, ShownCheck, Stages};
use super::version::PlanVersion;
use super::view::{Live, draw};
use crate::plan::{Plan, parse};

/// A plan like the mock-ups: wide characters, right-to-left text, an id of 60 bytes, every mark.
const KIOSK: &str = include_str!("../../fixtures/watch/plan.md");

const LIVE: Live<'static> = Live { trouble: None, file: "plan.md", changed: "17:31:04", check: None };

/// Simulates a user, frame by frame.
struct Viewer<'p, 'a> {
    version: PlanVersion<'p, 'a>,
    state: ViewState,
    size: (u16, u16),
    colours: bool,
}

impl<'p, 'a> Viewer<'p, 'a> {
    fn new(plan: &'p Plan<'a>, size: (u16, u16)) -> Self {
        let version = PlanVersion::new(plan);
        let mut state = ViewState::default();
        state.take(&version);
        let mut viewer = Viewer { version, state, size, colours: true };
        viewer.frame(LIVE);
        viewer
    }

    fn key(&mut self, key: Key) -> Effect {
        self.busy_key(Busy::default(), key)
    }

    fn busy_key(&mut self, busy: Busy, key: Key) -> Effect {
        let effect = self.state.key(&self.version, busy, key);
        self.frame(LIVE);
        effect
    }

    /// Types keys; `\n` is enter. Returns the last effect.
    fn keys(&mut self, keys: &str) -> Effect {
        let key = |sign| if sign == '\n' { Key::Enter } else { Key::Char(sign) };
        keys.chars().map(key).map(|key| self.key(key)).last().unwrap_or(Effect::Frame)
    }

    /// The cells of a frame, and the cursor.
    fn cells(&mut self, live: Live<'_>) -> (Buffer, Option<Position>) {
        let (width, height) = self.size;
        let mut buffer = Buffer::empty(Rect { x: 0, y: 0, width, height });
        let mut canvas = Canvas { buffer: &mut buffer, colours: self.colours };
        let cursor = draw(&mut self.state, &self.version, live, &mut canvas);
        (buffer, cursor)
    }

    fn frame(&mut self, live: Live<'_>) -> String {
        text(&self.cells(live).0)
    }

    fn selected(&self) -> &'a str {
        self.state.goal(&self.version).map_or("", |goal| goal.name())
    }

    fn message(&self) -> String {
        self.state.message.join("\n")
    }
}

fn words(line: &PaneLine) -> String {
    line.pieces.iter().map(|(_, piece)| piece.as_str()).collect()
}

/// The text of a frame, without trailing blanks.
fn text(buffer: &Buffer) -> String {
    let line = |y: u16| {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(
                crate::plan::view::width(symbol).saturating_sub(symbol.matches(['\u{2068}', '\u{2069}']).count()),
            )
            .unwrap_or(1)
            .max(1);
        }
        format!("{}\n", line.trim_end())
    };
    (0..buffer.area.height).map(line).collect()
}

/// Compares a frame with `fixtures/watch/NAME.txt`; UPDATE=1 writes the file.
#[track_caller]
fn assert_golden(name: &str, frame: &str) {
    let path = format!("{}/fixtures/watch/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, frame).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == frame, "{path} is not\n{frame}");
}

#[test]
fn a_frame_of_every_layout_is_as_it_was_drawn() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    for (width, height) in [(20, 10), (40, 24), (80, 24), (160, 40), (300, 40), (80, 5), (160, 5), (29, 5)] {
        let mut viewer = Viewer::new(&plan, (width, height));
        viewer.keys("n");
        assert_golden(&format!("{width}x{height}"), &viewer.frame(LIVE));
    }
    let mut viewer = Viewer::new(&plan, (80, 24));
    viewer.keys("n\njj");
    assert_golden("80x24-open", &viewer.frame(LIVE));
    viewer.colours = false;
    viewer.key(Key::Esc);
    assert_golden("80x24-no-colour", &viewer.frame(LIVE));
}

#[test]
fn the_documentation_shows_a_frame() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/watch.md")).unwrap();
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    viewer.keys("n");
    let frame = viewer.frame(LIVE).replace(['\u{2068}', '\u{2069}'], "");
    assert!(page.contains(&format!("```text\n{frame}```\n")), "docs/watch.md should have:\n{frame}");
}

fn running() -> ShownCheck {
    let mut stages = Stages::default();
    for (line, at) in [
        ("$ pytest tests/send -q", 0),
        ("\u{1e}3 gate 5 of 5, hollow", 5),
        ("asking judge claude (sandbox landlock7)", 8),
    ] {
        assert!(stages.hear(line, at));
    }
    ShownCheck { goal: "each-order-once-1".to_owned(), seconds: 41, state: CheckState::Running(stages) }
}

#[test]
fn a_sign_off_is_shown_in_every_layout() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let running = running();
    let text =
        ["✗ rejected: each-order-once-1", "C2 is not met: after a restart the key is made anew"].map(str::to_owned);
    let ended = ShownCheck { state: CheckState::Ended(RunEnd { code: 1, text: text.to_vec() }), ..running.clone() };
    let elsewhere = ShownCheck { state: CheckState::Elsewhere(4711), ..running.clone() };
    for (name, check) in [("running", &running), ("ended", &ended), ("elsewhere", &elsewhere)] {
        for (width, height) in [(40, 16), (80, 24), (120, 30)] {
            let mut viewer = Viewer::new(&plan, (width, height));
            viewer.keys("n");
            assert_golden(&format!("{width}x{height}-{name}"), &viewer.frame(Live { check: Some(check), ..LIVE }));
        }
    }
}

#[test]
fn no_size_is_too_small_or_too_large() {
    let long = format!(
        "# Plan: {}\n\n## Goal: {}\nstatus: active\n- [ ] 1. {}\n",
        "x ".repeat(300),
        "日本語".repeat(90),
        "y".repeat(900)
    );
    let empty = "# Plan: nothing\n";
    let hostile = "# Plan: a\u{1b}[2Jb\u{202e}\n\n## Goal: c\u{9b}8m\u{7}d\n<!-- id: c-1 -->\nstatus: actve\n- [ ] 1. \u{1b}]0;x\u{7}\n";
    for source in [KIOSK, &long, empty, hostile] {
        let plan = parse(source.as_bytes()).unwrap();
        for width in [1, 2, 7, 20, 29, 30, 41, 60, 99, 100, 160, 300] {
            for height in [1, 2, 4, 5, 8, 16, 20, 40] {
                let mut viewer = Viewer::new(&plan, (width, height));
                let check = running();
                viewer.frame(Live { check: Some(&check), trouble: Some("plan.md: it is gone"), ..LIVE });
                for key in [Key::End, Key::Enter, Key::End, Key::Char('l'), Key::Enter] {
                    viewer.state.paste("words that are longer than the line");
                    viewer.state.key(&viewer.version, Busy::default(), key);
                    let frame = viewer.frame(LIVE);
                    assert!(!frame.contains(['\u{1b}', '\u{9b}', '\u{7}', '\u{202e}']), "{frame}");
                }
            }
        }
    }
}

#[test]
fn without_colour_the_selection_is_reversed_and_marked() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    let (coloured, _) = viewer.cells(LIVE);
    assert!(coloured.content().iter().any(|cell| cell.fg == Color::Red), "a mark is red");
    viewer.colours = false;
    let (plain, _) = viewer.cells(LIVE);
    assert!(plain.content().iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    assert!(plain.content().iter().all(|cell| !cell.modifier.contains(Modifier::DIM)));
    let row = (0..24).find(|y| text(&plain).lines().nth(*y).unwrap().starts_with("> ")).unwrap() as u16;
    assert!((0..80).all(|x| plain[(x, row)].modifier.contains(Modifier::REVERSED)));
    assert!((1..24).filter(|y| plain[(0, *y)].modifier.contains(Modifier::REVERSED)).count() == 1);
}

#[test]
fn a_frame_that_is_the_same_writes_nothing() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    let options = TerminalOptions { viewport: Viewport::Fixed(Rect { x: 0, y: 0, width: 80, height: 24 }) };
    let mut terminal = Terminal::with_options(TestBackend::new(80, 24), options).unwrap();
    let mut show = |viewer: &mut Viewer<'_, '_>| {
        terminal
            .draw(|frame| {
                let mut canvas = Canvas { buffer: frame.buffer_mut(), colours: true };
                draw(&mut viewer.state, &viewer.version, LIVE, &mut canvas);
            })
            .unwrap();
        terminal.backend_mut().flush().unwrap();
        terminal.backend().buffer().clone()
    };
    let first = show(&mut viewer);
    assert_eq!(first, show(&mut viewer));
    // Right-to-left text leaves no traces when it moves.
    viewer.keys("G");
    let at_end = show(&mut viewer);
    assert_eq!(text(&at_end), viewer.frame(LIVE));
    viewer.keys("g");
    assert_eq!(text(&show(&mut viewer)), text(&first));
}

#[test]
fn what_changed_is_bold_and_the_selected_goal_stays() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    viewer.keys("/second terminal\n");
    assert_eq!(viewer.selected(), "second-1");
    // A goal inserted before it, and a changed step.
    let other = KIOSK
        .replace("## Goal: Signs", "## Goal: New\n<!-- id: new-1 -->\n\n## Goal: Signs")
        .replace("- [ ] 6.", "- [/] 6.");
    let other = parse(other.as_bytes()).unwrap();
    let next = PlanVersion::new(&other);
    assert!(viewer.state.take(&next));
    let viewer = &mut Viewer { version: next, state: std::mem::take(&mut viewer.state), size: (80, 24), colours: true };
    assert_eq!(viewer.selected(), "second-1");
    let is_bold = |viewer: &mut Viewer<'_, '_>, subject: &str| {
        let (cells, _) = viewer.cells(LIVE);
        let y = text(&cells).lines().position(|line| line.contains(subject)).unwrap();
        cells[(2, y as u16)].modifier.contains(Modifier::BOLD)
    };
    assert!(is_bold(viewer, "New") && !is_bold(viewer, "Signs on"));
    let fresh: Vec<_> =
        viewer.state.fresh.iter().map(|goal| viewer.version.plan().goal(*goal).unwrap().name()).collect();
    assert_eq!(fresh.len(), 2, "{fresh:?}");
    viewer.state.settle();
    assert!(!is_bold(viewer, "New"));
}

#[test]
fn why_plan_md_cannot_be_read_stands_in_the_last_line() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    for size in [(20, 5), (40, 24), (80, 24), (160, 40)] {
        let frame = Viewer::new(&plan, size).frame(Live { trouble: Some("plan.md: it is gone"), ..LIVE });
        assert!(frame.lines().last().unwrap().starts_with(" plan.md: it is g"), "{frame}");
    }
}
