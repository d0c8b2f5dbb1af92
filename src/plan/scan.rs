//! Classifies lines. One forward pass; allocates only a small stack; looks ahead only to the end of the line.
//!
//! ```text
//! line      = { " " | TAB } [ content ] [ CR ] LF        the last one may lack its ending; a BOM is skipped
//! blank     = no content
//! heading   = "#"{1,6} ( SP text | end )                 at most 3 columns in front, closing "#"s cut off
//! fence     = "`"{3,} info | "~"{3,} info                to the same character, as many or more, alone on a line
//! comment   = "<!--" … "-->"                             begins a line, ends with the line that holds "-->"
//! id        = "<!--" "id:" slug "-->"                    a comment of one line
//! item      = ( "-" | "*" | "+" | digits{1,9} ("." | ")") ) ( SP text | end )
//! checkbox  = ( "-" | "*" | "+" ) SP "[" mark "]" ( SP text | end )
//! code      = four or more columns, not below a paragraph
//! text      = anything else
//! ```
//!
//! An item opens a container that lasts while lines are indented to its content; columns count from there, tabs stop
//! every 4. A fence or comment inside a container ends with it. So far this is CommonMark, which hosting sites use to
//! show the file. The differences: a heading with at most 3 columns in front also counts inside lists, and ends them.
//! Quotes, setext underlines, tables and HTML other than comments are text. Any item may follow a paragraph, even an
//! empty item or one numbered 7, so that a line means the same below a field as below a blank line. An item below text
//! may be indented by any amount, because users indent lines by 4 or a tab that CommonMark would fold into the text.

mod shape;

use shape::{checkbox, ends_comment, fence, is_break, is_heading, marker};
pub use shape::{columns, trim_end};

/// Deeper nested containers are not told apart; this bounds the work on one hostile line.
const MAX_DEPTH: usize = 64;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Only white space, also inside a fence or a comment.
    Blank,
    /// A fence, its content, indented code, a comment, a thematic break: none of it is interpreted.
    Opaque,
    /// `<!-- id: … -->`; the range is the text after the colon, trimmed.
    Id {
        /// First byte of the id.
        start: usize,
        /// One past its last byte.
        end: usize,
    },
    /// An ATX heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// First byte of its text.
        start: usize,
        /// One past its text, closing `#`s and white space cut off.
        end: usize,
    },
    /// A list item.
    Item {
        /// False for `-`, `*`, `+`.
        ordered: bool,
        /// First byte of the text after the bullet and its white space.
        start: usize,
        /// Offset of the byte between the brackets of a checkbox.
        mark: Option<usize>,
    },
    /// Prose, fields, continuation lines, quotes.
    Text,
}

/// One line and its kind.
#[derive(Clone, Copy, Debug)]
pub struct SourceLine {
    /// First byte.
    pub start: usize,
    /// One past the last byte before the line ending.
    pub end: usize,
    /// First byte of the next line.
    pub next: usize,
    /// Columns of white space in front.
    pub indent: usize,
    /// The number of list items, opened by earlier lines, that still contain this line.
    pub kept: usize,
    /// Its kind.
    pub kind: LineKind,
}

/// A fence or comment that is still open.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// First byte of the line that opened it.
    pub start: usize,
    /// One past that line's last byte.
    pub end: usize,
    /// Content column of the list item that contains it; a line indented less ends both.
    pub base: usize,
    /// The fence's character and length; `None` for a comment.
    pub fence: Option<(u8, usize)>,
}

/// Reads a source line by line.
#[derive(Debug)]
pub struct Scanner<'a> {
    source: &'a [u8],
    at: usize,
    /// Content columns of the open list items, ascending.
    containers: Vec<usize>,
    open: Option<Open>,
    /// The last line was paragraph text, so an indented line continues it.
    paragraph: bool,
    /// The last line was an item without text: a blank line ends it.
    bare_item: bool,
}

impl<'a> Scanner<'a> {
    /// Starts at byte `from`, which must be the first byte of a line.
    pub fn new(source: &'a [u8], from: usize) -> Self {
        let containers = Vec::with_capacity(8);
        Scanner { source, at: from.min(source.len()), containers, open: None, paragraph: false, bare_item: false }
    }

    /// The fence or comment that is open after the lines read so far.
    pub fn open(&self) -> Option<Open> {
        self.open
    }

    /// Returns the next line; `None` at the end.
    #[inline]
    pub fn line(&mut self) -> Option<SourceLine> {
        let start = self.at;
        let rest = self.source.get(start..).filter(|rest| !rest.is_empty())?;
        let (end, next) = match memchr::memchr(b'\n', rest) {
            Some(0) => (start, start + 1),
            Some(length) => (start + length - usize::from(rest[length - 1] == b'\r'), start + length + 1),
            None => (self.source.len(), self.source.len()),
        };
        self.at = next;
        let (at, indent) = columns(&self.source[..end], start, 0);
        let mut line = SourceLine { start, end, next, indent, kept: 0, kind: LineKind::Text };
        self.classify(&mut line, at);
        Some(line)
    }

    /// Classifies the line; its first visible byte is at `at`.
    fn classify(&mut self, line: &mut SourceLine, at: usize) {
        let text = &self.source[at..line.end];
        let Some(&first) = text.first() else {
            line.kind = LineKind::Blank;
            return self.blank(line);
        };
        if let Some(open) = self.open {
            if line.indent >= open.base {
                line.kept = self.containers.len();
                line.kind = LineKind::Opaque;
                return self.inside(open, line.indent, text);
            }
            self.open = None;
        }
        self.bare_item = false;
        line.kept = self.containers.iter().take_while(|&&content| content <= line.indent).count();
        let base = line.kept.checked_sub(1).map_or(0, |last| self.containers[last]);
        if line.indent - base >= 4 {
            return self.deep(line, at);
        }
        match first {
            b'#' => self.heading(line, text, at),
            b'-' | b'*' | b'+' | b'_' | b'0'..=b'9' => self.bullet(line, text, at),
            b'`' | b'~' => match fence(text) {
                Some(fence) => self.opens(line, base, Some(fence)),
                None => self.text(line),
            },
            b'<' if text.starts_with(b"<!--") => self.comment(line, base, text, at),
            b'>' => {
                self.close(line.kept);
                self.paragraph = text.len() > 1;
            }
            b'=' if self.paragraph && line.kept == self.containers.len() => {
                self.paragraph = !trim_end(text).iter().all(|&byte| byte == b'=');
            }
            _ => self.text(line),
        }
    }

    fn close(&mut self, kept: usize) {
        self.containers.truncate(kept);
        self.paragraph = false;
    }

    fn blank(&mut self, line: &mut SourceLine) {
        self.paragraph = false;
        if std::mem::take(&mut self.bare_item) {
            self.containers.pop();
        }
        line.kept = self.containers.len();
    }

    /// Handles a line inside a fence or comment; it may be the last one.
    fn inside(&mut self, open: Open, indent: usize, text: &[u8]) {
        let ends = match open.fence {
            None => ends_comment(text),
            Some((mark, length)) => {
                let run = text.iter().take_while(|&&byte| byte == mark).count();
                run >= length && indent - open.base <= 3 && trim_end(&text[run..]).is_empty()
            }
        };
        if ends {
            self.open = None;
        }
    }

    /// Handles a line with four or more columns in front: paragraph text, an item below text, or code.
    fn deep(&mut self, line: &mut SourceLine, at: usize) {
        if !self.paragraph {
            self.close(line.kept);
            line.kind = LineKind::Opaque;
        } else if !self.item(line, at) {
            line.kept = self.containers.len();
        }
    }

    /// Handles prose. It continues an open paragraph, whatever its indentation.
    fn text(&mut self, line: &mut SourceLine) {
        if self.paragraph {
            line.kept = self.containers.len();
        } else {
            self.containers.truncate(line.kept);
            self.paragraph = true;
        }
    }

    fn heading(&mut self, line: &mut SourceLine, text: &[u8], at: usize) {
        let level = text.iter().take_while(|&&byte| byte == b'#').count();
        if level > 6 || !matches!(text.get(level), None | Some(b' ' | b'\t')) {
            return self.text(line);
        }
        if line.indent > 3 {
            return self.close(line.kept);
        }
        line.kept = 0;
        self.close(0);
        let inner = trim_end(&text[level..]);
        let bare = inner.iter().rposition(|&byte| byte != b'#').map_or(0, |last| last + 1);
        let cut = bare == 0 || matches!(inner[bare - 1], b' ' | b'\t');
        let inner = if cut { trim_end(&inner[..bare]) } else { inner };
        let skipped = inner.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let (start, end) = (at + level + skipped, at + level + inner.len());
        line.kind = LineKind::Heading { level: level as u8, start, end };
    }

    /// Handles a line that begins like a thematic break or an item.
    fn bullet(&mut self, line: &mut SourceLine, text: &[u8], at: usize) {
        if is_break(text) {
            self.close(line.kept);
            line.kind = LineKind::Opaque;
        } else if !self.item(line, at) {
            self.text(line);
        }
    }

    /// Opens the containers of an item; false if the line is no item.
    fn item(&mut self, line: &mut SourceLine, at: usize) -> bool {
        let Some(length) = marker(&self.source[at..line.end]) else { return false };
        let (start, _) = columns(&self.source[..line.end], at + length, line.indent + length);
        let ordered = length > 1;
        self.close(line.kept);
        let (mut at, mut column, mut length) = (at, line.indent, length);
        line.kind = loop {
            let after = column + length;
            let (content, content_column) = columns(&self.source[..line.end], at + length, after);
            let text = &self.source[content..line.end];
            let code = content_column - after > 4;
            let base = if text.is_empty() || code { after + 1 } else { content_column };
            if self.containers.len() < MAX_DEPTH {
                self.containers.push(base);
            }
            let kind = LineKind::Item { ordered, start, mark: None };
            if text.is_empty() {
                self.bare_item = true;
                break kind;
            }
            if code {
                break kind;
            }
            match text[0] {
                b'[' if !ordered && content == start => {
                    self.paragraph = true;
                    break LineKind::Item { ordered, start, mark: checkbox(text).then_some(start + 1) };
                }
                b'`' | b'~' => match fence(text) {
                    Some(fence) => {
                        self.open = Some(Open { start: line.start, end: line.end, base, fence: Some(fence) })
                    }
                    None => self.paragraph = true,
                },
                b'<' if text.starts_with(b"<!--") => {
                    if !ends_comment(text) {
                        self.open = Some(Open { start: line.start, end: line.end, base, fence: None });
                    }
                }
                b'-' | b'*' | b'+' | b'_' | b'0'..=b'9' if !is_break(text) => {
                    if let Some(inner) = marker(text).filter(|_| self.containers.len() < MAX_DEPTH) {
                        (at, column, length) = (content, content_column, inner);
                        continue;
                    }
                    self.paragraph = true;
                }
                b'-' | b'*' | b'+' | b'_' => {}
                b'#' => self.paragraph = !is_heading(text),
                _ => self.paragraph = true,
            }
            break kind;
        };
        true
    }

    fn opens(&mut self, line: &mut SourceLine, base: usize, fence: Option<(u8, usize)>) {
        self.close(line.kept);
        self.open = Some(Open { start: line.start, end: line.end, base, fence });
        line.kind = LineKind::Opaque;
    }

    fn comment(&mut self, line: &mut SourceLine, base: usize, text: &[u8], at: usize) {
        if !ends_comment(text) {
            return self.opens(line, base, None);
        }
        self.close(line.kept);
        line.kind = LineKind::Opaque;
        let inner = trim_end(text).strip_suffix(b"-->").and_then(|text| text.strip_prefix(b"<!--"));
        let Some(inner) = inner.filter(|_| line.indent <= 3) else { return };
        let front = inner.len() - inner.trim_ascii_start().len();
        if let Some(id) = inner.trim_ascii().strip_prefix(b"id:") {
            let start = at + "<!--".len() + front + "id:".len() + (id.len() - id.trim_ascii_start().len());
            line.kind = LineKind::Id { start, end: start + id.trim_ascii().len() };
        }
    }
}
