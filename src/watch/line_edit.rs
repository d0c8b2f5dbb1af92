//! An editor for one line of input.

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Ctrl(char),
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Esc,
    Tab,
    Backspace,
    Delete,
}

/// A text with a cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LineEdit {
    text: String,
    /// A byte offset in `text`.
    cursor: usize,
}

impl LineEdit {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub(super) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Inserts text at the cursor; control characters become blanks.
    pub(super) fn insert(&mut self, text: &str) {
        let line: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
        self.text.insert_str(self.cursor, &line);
        self.cursor += line.len();
    }

    /// Handles a key; keys without an editing function change nothing.
    pub(super) fn key(&mut self, key: Key) {
        match key {
            Key::Char(sign) => self.insert(sign.encode_utf8(&mut [0; 4])),
            Key::Left => self.cursor = self.left(),
            Key::Right => self.cursor = self.right(),
            Key::Home | Key::Ctrl('a') => self.cursor = 0,
            Key::End | Key::Ctrl('e') => self.cursor = self.text.len(),
            Key::Backspace => self.cut(self.left()),
            Key::Delete => {
                let end = self.right();
                self.text.drain(self.cursor..end);
            }
            Key::Ctrl('u') => self.cut(0),
            Key::Ctrl('w') => {
                let word = self.before().trim_end();
                self.cut(word.rfind(' ').map_or(0, |blank| blank + 1));
            }
            _ => {}
        }
    }

    /// Removes the text from `from` to the cursor.
    fn cut(&mut self, from: usize) {
        self.text.drain(from..self.cursor);
        self.cursor = from;
    }

    fn left(&self) -> usize {
        self.before().char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn right(&self) -> usize {
        self.text[self.cursor..].chars().next().map_or(self.cursor, |sign| self.cursor + sign.len_utf8())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_edited_as_in_a_shell() {
        let mut line = LineEdit::default();
        line.insert("für die\nKasse");
        assert_eq!(line.text(), "für die Kasse");
        [Key::Home, Key::Right, Key::Right, Key::Backspace, Key::Char('u')].into_iter().for_each(|key| line.key(key));
        assert_eq!((line.text(), line.before()), ("fur die Kasse", "fu"));
        [Key::End, Key::Ctrl('w')].into_iter().for_each(|key| line.key(key));
        assert_eq!(line.text(), "fur die ");
        [Key::Left, Key::Delete, Key::Delete, Key::Ctrl('u'), Key::Left, Key::Backspace]
            .into_iter()
            .for_each(|key| line.key(key));
        assert_eq!((line.text(), line.before()), ("", ""));
    }
}
