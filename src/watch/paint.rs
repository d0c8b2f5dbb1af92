//! Puts text into cells: cleaned, cut to the width, in one of 16 colours.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style as Cells};

use super::goal::Pieces;
use crate::plan::text::is_right_to_left;
use crate::plan::view::{Style, elided, width};
use crate::ui;

/// The columns that a subject keeps beside the text at its right.
const SUBJECT: usize = 10;
/// The space between the two.
const GAP: usize = 2;

/// The look of a whole line, besides the styles of its pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    /// The line is selected, or is a bar.
    pub(super) reversed: bool,
    /// The line changed recently.
    pub(super) bold: bool,
}

impl Look {
    pub(super) const REVERSED: Look = Look { reversed: true, bold: false };
}

/// A buffer to draw into.
pub(super) struct Canvas<'b> {
    pub(super) buffer: &'b mut Buffer,
    pub(super) colours: bool,
}

impl Canvas<'_> {
    /// Draws a line at the left edge of an area, cut if it is too wide.
    pub(super) fn line(&mut self, area: Rect, y: u16, pieces: &[(Style, String)], look: Look) {
        self.row(area, y, pieces, "", look);
    }

    /// Like [`Canvas::line`], with a text at the right edge, which is left out if there is no room for both.
    pub(super) fn row(&mut self, area: Rect, y: u16, pieces: &[(Style, String)], right: &str, look: Look) {
        let area = area.intersection(self.buffer.area);
        if y < area.top() || y >= area.bottom() || area.width == 0 {
            return;
        }
        let columns = usize::from(area.width);
        let right =
            Some(width(right)).filter(|wide| *wide > 0 && wide + GAP + SUBJECT <= columns).map(|wide| (right, wide));
        let room = right.map_or(columns, |(_, wide)| columns - wide - GAP);
        let mut x = area.x;
        for (style, text) in fit(pieces, room) {
            x = self.text(x, y, &text, style, look);
        }
        if let Some((text, wide)) = right {
            self.text(area.right() - wide as u16, y, text, Style::Dim, look);
        }
        if look.reversed {
            let whole = Rect { y, height: 1, ..area };
            self.buffer.set_style(whole, Cells::new().add_modifier(Modifier::REVERSED));
        }
    }

    /// Draws text that fits; returns the column after it.
    fn text(&mut self, x: u16, y: u16, text: &str, style: Style, look: Look) -> u16 {
        let end = self.buffer.set_stringn(x, y, text, width(text), self.cells(style, look)).0;
        if text.chars().any(is_right_to_left) && end > x {
            self.isolate(x, end, y);
        }
        end
    }

    /// Puts right-to-left text between U+2068 and U+2069, so that it cannot reorder the text beside it.
    ///
    /// A terminal adds a sign without width to the cell before it, so the first of the two belongs to the previous
    /// cell. In the same cell as the text after it, it would never be erased.
    fn isolate(&mut self, start: u16, end: u16, y: u16) {
        // The second cell of a wide character has no text.
        let is_wide = |x: u16| width(self.buffer[(x, y)].symbol()) > 1;
        let last = (start..end).rev().find(|x| *x == start || !is_wide(*x - 1)).unwrap_or(start);
        for (x, sign) in [(start.saturating_sub(1), '\u{2068}'), (last, '\u{2069}')] {
            let text = format!("{}{sign}", self.buffer[(x, y)].symbol());
            self.buffer[(x, y)].set_symbol(&text);
        }
    }

    fn cells(&self, style: Style, look: Look) -> Cells {
        let mut cells = Cells::from(ui::ansi(style));
        if !self.colours || look.reversed {
            let kept = Modifier::BOLD | Modifier::UNDERLINED;
            cells = Cells::new().add_modifier(cells.add_modifier & if look.reversed { Modifier::BOLD } else { kept });
        }
        if look.bold { cells.add_modifier(Modifier::BOLD) } else { cells }
    }
}

/// Cleans pieces and cuts them to at most `columns` columns; a cut ends with an ellipsis.
pub(super) fn fit(pieces: &[(Style, String)], columns: usize) -> Pieces {
    let clean: Pieces = pieces.iter().map(|(style, text)| (*style, ui::clean_line(text).into_owned())).collect();
    let whole: usize = clean.iter().map(|(_, text)| width(text)).sum();
    if whole <= columns {
        return clean;
    }
    let (mut left, mut cut) = (columns, Vec::new());
    for (style, text) in clean {
        let wide = width(&text);
        if wide >= left {
            // A piece that fits exactly is cut too, because another one follows.
            cut.push((style, elided(&format!("{text} "), left)));
            break;
        }
        left -= wide;
        cut.push((style, text));
    }
    cut
}
