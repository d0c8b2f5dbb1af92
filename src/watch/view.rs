//! Draws a state into a buffer, in one of three layouts, depending on the width. Only visible parts are computed.

mod foot;
mod head;
mod list;
mod pane;

use ratatui_core::layout::{Position, Rect};

use super::filter::ListFilter;
use super::goal::Pieces;
use super::keys::KEYS;
use super::model::ViewState;
use super::paint::{Canvas, Look};
use super::run::ShownCheck;
use super::version::PlanVersion;
use crate::plan::view::{Style, width};

/// The width in columns from which the goal is shown beside the list.
const BESIDE: u16 = 100;
/// The width in columns below which only marks and subjects are shown.
const BARE: u16 = 30;
/// The rows and columns from which the criteria of the selected goal are shown below the list.
const CRITERIA: (u16, u16) = (20, 60);
/// The height in rows from which blank lines are added.
const AIRY: u16 = 16;
/// The rows of an open goal from which its subject is shown above it.
const TITLED: u16 = 3;
/// The height in rows from which the last line shows the keys.
const KEYS_FROM: u16 = 8;

/// The information shown besides the plan itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Live<'l> {
    /// The reason why plan.md cannot be read; the frame then shows the last readable version.
    pub(super) trouble: Option<&'l str>,
    /// The name of the plan file in messages, and the time of its last change.
    pub(super) file: &'l str,
    pub(super) changed: &'l str,
    /// A sign-off that is running, or that ended in this view.
    pub(super) check: Option<&'l ShownCheck>,
}

/// Draws a frame; returns the place of the cursor, if there is an input line.
pub(super) fn draw(
    state: &mut ViewState,
    version: &PlanVersion<'_, '_>,
    live: Live<'_>,
    canvas: &mut Canvas<'_>,
) -> Option<Position> {
    let area = canvas.buffer.area;
    if area.is_empty() {
        return None;
    }
    if state.is_help && state.prompt.is_none() {
        help(canvas, area);
        return None;
    }
    let mut screen = Screen { state, version, live, canvas };
    match area.width {
        0..BARE => screen.bare(area),
        BARE..BESIDE => screen.narrow(area),
        BESIDE.. => screen.wide(area),
    }
}

/// One frame.
struct Screen<'s, 'b, 'p, 'a> {
    state: &'s mut ViewState,
    version: &'s PlanVersion<'p, 'a>,
    live: Live<'s>,
    canvas: &'s mut Canvas<'b>,
}

impl Screen<'_, '_, '_, '_> {
    /// Draws only marks and subjects.
    fn bare(&mut self, area: Rect) -> Option<Position> {
        let foot = self.foot(area, 0);
        let (rest, below) = split(area, foot.height());
        match self.state.is_open {
            true => {
                let rest = self.title(rest);
                self.goal(rest, false);
            }
            false => self.list(rest, list::Form::Bare),
        }
        foot.put(self.canvas, below)
    }

    /// Draws a list in which the selected goal unfolds, or the goal alone.
    fn narrow(&mut self, area: Rect) -> Option<Position> {
        let rows =
            if area.height < KEYS_FROM { 0 } else { 1 + usize::from(area.width < CRITERIA.1 && area.height >= AIRY) };
        let foot = self.foot(area, rows);
        let (rest, below) = split(area, foot.height());
        let mut rest = self.head(rest);
        if area.width >= CRITERIA.1 && area.height >= AIRY {
            rest = skip(rest, 1);
        }
        if self.state.is_open {
            let rest = self.title(rest);
            self.column(rest, true);
        } else if area.height >= CRITERIA.0 && area.width >= CRITERIA.1 {
            let (list, criteria) = split(rest, rest.height / 3);
            self.list(list, list::Form::Unfolded);
            self.criteria(skip(criteria, 1));
        } else {
            self.list(rest, list::Form::Unfolded);
        }
        foot.put(self.canvas, below)
    }

    /// The subject of the selected goal.
    fn subject(&self) -> String {
        self.state.goal(self.version).map_or("To look at", |goal| goal.subject()).to_owned()
    }

    /// Draws the subject of the goal that fills the screen, if there is room. Returns the rest.
    fn title(&mut self, area: Rect) -> Rect {
        if area.height < TITLED {
            return area;
        }
        let subject = self.subject();
        self.heading(area, &subject, true);
        skip(area, 1)
    }

    /// Draws the list beside the goal.
    fn wide(&mut self, area: Rect) -> Option<Position> {
        let foot = self.foot(area, usize::from(area.height >= KEYS_FROM));
        let (rest, below) = split(area, foot.height());
        let mut rest = self.head(rest);
        if area.height >= AIRY {
            rest = skip(rest, 1);
        }
        let columns = area.width.div_ceil(3).clamp(38, 60);
        let left = Rect { width: columns, ..rest };
        let right = Rect { x: rest.x + columns + 3, width: rest.width - columns - 3, ..rest };
        if area.height < KEYS_FROM {
            self.list(left, list::Form::Beside);
            self.goal(right, self.state.is_open);
            return foot.put(self.canvas, below);
        }
        let title = match self.state.filter {
            ListFilter::All => "Goals".to_owned(),
            filter => format!("Goals, {}", filter.word()),
        };
        self.heading(left, &title, !self.state.is_open);
        self.list(skip(left, 1), list::Form::Beside);
        let subject = self.subject();
        self.heading(right, &subject, self.state.is_open);
        self.column(skip(right, 1), self.state.is_open);
        foot.put(self.canvas, below)
    }

    /// An underlined heading above a part of the screen; bold if this part receives the keys.
    fn heading(&mut self, area: Rect, text: &str, has_keys: bool) {
        let fill = " ".repeat(usize::from(area.width).saturating_sub(width(text)));
        let pieces: Pieces = vec![(Style::Heading, format!("{text}{fill}"))];
        self.canvas.line(area, area.y, &pieces, Look { bold: has_keys, reversed: false });
    }
}

/// Splits off the last `rows` rows of an area.
fn split(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let upper = Rect { height: area.height - rows, ..area };
    (upper, Rect { y: upper.bottom(), height: rows, ..area })
}

/// An area without its first rows.
fn skip(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// Draws the help for all keys, as far as it fits.
fn help(canvas: &mut Canvas<'_>, area: Rect) {
    let lines = KEYS.iter().map(|key| {
        let command = if key.command.is_empty() { String::new() } else { format!("   {}", key.command) };
        vec![(Style::Title, format!(" {:<11}", key.keys)), (Style::Plain, key.does.to_owned()), (Style::Dim, command)]
    });
    let head = std::iter::once(vec![(Style::Heading, " Keys of plan watch; any key goes back".to_owned())]);
    for (y, line) in (area.top()..area.bottom()).zip(head.chain(lines)) {
        canvas.line(area, y, &line, Look::default());
    }
}
