//! The lines at the bottom: a command's output or a question, the sign-off, the log, the keys. If plan.md cannot be
//! read, the last line says why.

use ratatui_core::layout::{Position, Rect};

use super::{BARE, BESIDE, KEYS_FROM, Screen, pane};
use crate::plan::view::{Style, width};
use crate::watch::filter::ListFilter;
use crate::watch::goal::Pieces;
use crate::watch::keys::{KeyHelp, fitting};
use crate::watch::paint::{Canvas, Look};

/// The lines from top to bottom, and the line and column of the cursor.
pub(super) struct Foot {
    lines: Vec<Pieces>,
    cursor: Option<(usize, usize)>,
}

impl Foot {
    pub(super) fn height(&self) -> u16 {
        u16::try_from(self.lines.len()).unwrap_or(u16::MAX)
    }

    /// Draws the lines; returns the place of the cursor.
    pub(super) fn put(&self, canvas: &mut Canvas<'_>, area: Rect) -> Option<Position> {
        // If not all lines fit, the last ones are shown.
        let hidden = self.lines.len().saturating_sub(usize::from(area.height));
        for (y, line) in (area.top()..area.bottom()).zip(self.lines.iter().skip(hidden)) {
            canvas.line(area, y, line, Look::default());
        }
        let (line, column) = self.cursor?;
        let column = (column as u16).min(area.width.saturating_sub(1));
        Some(Position { x: area.x + column, y: area.y + line.checked_sub(hidden)? as u16 })
    }
}

impl Screen<'_, '_, '_, '_> {
    /// The lines at the bottom of `area`, with the keys in at most `keys` lines.
    pub(super) fn foot(&self, area: Rect, keys: usize) -> Foot {
        let mut foot = Foot { lines: Vec::new(), cursor: None };
        let most = usize::from(area.height / 2).max(1);
        let is_wide = area.width >= BESIDE;
        foot.lines.extend(self.state.message.iter().take(most).map(|text| vec![(Style::Plain, format!(" {text}"))]));
        if let Some(prompt) = &self.state.prompt {
            self.question(prompt, area, &mut foot);
            return foot;
        }
        if area.width >= BARE && !is_wide && area.height >= KEYS_FROM && foot.lines.is_empty() && !self.state.is_open {
            foot.lines.extend(self.live.check.map(|check| vec![(Style::Plain, check.short(usize::from(area.width)))]));
            foot.lines.extend(self.version.plan().log_lines().next_back().map(pane::logged));
        }
        if let Some(command) = self.state.command.as_ref().filter(|_| is_wide && keys > 0) {
            foot.lines.push(vec![(Style::Dim, format!(" $ {command}"))]);
        }
        match self.live.trouble {
            Some(why) => foot.lines.push(vec![(Style::Bad, format!(" {why}; this is how it was"))]),
            None => foot.lines.extend(self.keys(area, keys)),
        }
        foot
    }

    fn question(&self, prompt: &crate::watch::prompt::Prompt, area: Rect, foot: &mut Foot) {
        if let Some(command) = prompt.command().filter(|_| area.height >= KEYS_FROM) {
            foot.lines.push(vec![(Style::Title, format!(" $ {command}"))]);
        }
        if let Some(trouble) = &prompt.trouble {
            foot.lines.push(vec![(Style::Bad, format!(" {trouble}"))]);
        }
        let label = format!(" {}", prompt.label());
        if !prompt.takes_text() {
            foot.lines.push(vec![(Style::Dim, label)]);
            return;
        }
        let label = format!("{label}: ");
        // If the text is too long, the part around the cursor is shown.
        let room = usize::from(area.width).saturating_sub(width(&label) + 1).max(4);
        let mut before: Vec<char> = prompt.line.before().chars().collect();
        while before.iter().map(|sign| width(sign.encode_utf8(&mut [0; 4]))).sum::<usize>() > room {
            before.remove(0);
        }
        let before: String = before.into_iter().collect();
        let behind = &prompt.line.text()[prompt.line.before().len()..];
        foot.cursor = Some((foot.lines.len(), width(&label) + width(&before)));
        foot.lines.push(vec![(Style::Dim, label), (Style::Plain, format!("{before}{behind}"))]);
    }

    fn keys(&self, area: Rect, rows: usize) -> Vec<Pieces> {
        let wide = |key: &KeyHelp| self.named(key, area).iter().map(|(_, text)| width(text)).sum();
        let line = |keys: Vec<&KeyHelp>| {
            let mut pieces: Pieces = Vec::new();
            for (at, key) in keys.into_iter().enumerate() {
                pieces.push((Style::Plain, if at == 0 { " " } else { "  " }.to_owned()));
                pieces.extend(self.named(key, area));
            }
            pieces
        };
        fitting(usize::from(area.width), rows, wide).into_iter().map(line).collect()
    }

    /// A key in the last line. If there is room, the filter key lists its choices, with the current one in bold.
    fn named(&self, key: &KeyHelp, area: Rect) -> Pieces {
        if key.keys != "f" || area.width < BESIDE {
            return vec![(Style::Plain, key.short.to_owned())];
        }
        let choice = |filter: ListFilter| {
            let style = if filter == self.state.filter { Style::Title } else { Style::Dim };
            [(Style::Plain, " ".to_owned()), (style, filter.word().to_owned())]
        };
        std::iter::once((Style::Plain, key.keys.to_owned()))
            .chain(ListFilter::EACH.into_iter().flat_map(choice))
            .collect()
    }
}
