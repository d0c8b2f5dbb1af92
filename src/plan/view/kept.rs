//! Buffers lines of a view until it is known whether they fit the screen.

use super::{Sink, Style};

/// A buffered line.
#[derive(Debug, Default)]
pub(super) struct KeptLine(Vec<(Style, String)>);

impl KeptLine {
    /// Writes the line, including its end.
    pub(super) fn put(&self, sink: &mut impl Sink) {
        self.0.iter().for_each(|(style, text)| sink.put(*style, text));
        sink.newline();
    }
}

/// Buffered lines; the last one is not ended.
pub(super) struct Kept(Vec<KeptLine>);

impl Sink for Kept {
    fn put(&mut self, style: Style, text: &str) {
        if let Some(line) = self.0.last_mut() {
            line.0.push((style, text.to_owned()));
        }
    }

    fn newline(&mut self) {
        self.0.push(KeptLine::default());
    }
}

/// Returns the lines that `write` puts.
pub(super) fn lines(write: impl FnOnce(&mut Kept)) -> Vec<KeptLine> {
    let mut kept = Kept(vec![KeptLine::default()]);
    write(&mut kept);
    kept.0.pop();
    kept.0
}
