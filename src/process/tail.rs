//! The end of an output, in bounded memory.

use std::borrow::Cow;

/// The maximum number of lines (`SIGNOFF.md` §2).
const LINES: usize = 40;
/// The maximum number of bytes.
const BYTES: usize = 4096;

/// The last 40 lines or 4 KiB of an output, whichever is less.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    /// The bytes as printed, including escapes and NUL. Sanitise them before showing.
    pub bytes: Vec<u8>,
    /// The number of bytes of the whole output.
    pub total_bytes: u64,
    /// The number of lines of the whole output; a last line without a line end counts.
    pub total_lines: u64,
}

impl Tail {
    /// The tail of a whole output.
    pub fn of(output: &[u8]) -> Tail {
        let mut buffer = TailBuffer::default();
        buffer.push(output);
        buffer.finish()
    }

    /// The tail as text, with U+FFFD for bytes that are not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// True if the output has more before the tail.
    pub fn is_cut(&self) -> bool {
        self.total_bytes > self.bytes.len() as u64
    }

    /// A label for a cut tail: `the last 40 of 1200 lines`, or in bytes if it begins inside a line.
    pub fn label(&self) -> Option<String> {
        if !self.is_cut() {
            return None;
        }
        let lines = count_lines(&self.bytes);
        let (bytes, total_bytes, total_lines) = (self.bytes.len(), self.total_bytes, self.total_lines);
        Some(match lines > 1 || total_lines > lines {
            true => format!("the last {lines} of {total_lines} lines"),
            false => format!("the last {bytes} of {total_bytes} bytes"),
        })
    }
}

/// Receives an output in pieces and keeps its end.
#[derive(Debug, Default)]
pub(super) struct TailBuffer {
    /// A little more than the tail, so that bytes are not moved for every piece.
    kept: Vec<u8>,
    bytes: u64,
    newlines: u64,
}

impl TailBuffer {
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        self.newlines += memchr::memchr_iter(b'\n', piece).count() as u64;
        let piece = &piece[piece.len().saturating_sub(BYTES + 1)..];
        if self.kept.len() + piece.len() > 4 * BYTES {
            self.kept.drain(..self.kept.len().saturating_sub(BYTES + 1));
        }
        self.kept.extend_from_slice(piece);
    }

    pub(super) fn finish(self) -> Tail {
        let unended = self.kept.last().is_some_and(|&last| last != b'\n');
        let start = last_lines(&self.kept).max(last_bytes(&self.kept));
        Tail {
            bytes: self.kept[start..].to_vec(),
            total_bytes: self.bytes,
            total_lines: self.newlines + u64::from(unended),
        }
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    let unended = bytes.last().is_some_and(|&last| last != b'\n');
    memchr::memchr_iter(b'\n', bytes).count() as u64 + u64::from(unended)
}

/// The offset of the last [`LINES`] lines.
fn last_lines(bytes: &[u8]) -> usize {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    memchr::memrchr_iter(b'\n', text).nth(LINES - 1).map_or(0, |newline| newline + 1)
}

/// The offset of the last [`BYTES`] bytes, moved to the next start of a line, or at least of a character.
fn last_bytes(bytes: &[u8]) -> usize {
    let start = bytes.len().saturating_sub(BYTES);
    if start == 0 || bytes[start - 1] == b'\n' {
        return start;
    }
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    match memchr::memchr(b'\n', &text[start..]) {
        Some(newline) => start + newline + 1,
        None => start + bytes[start..].iter().take(3).take_while(|&&byte| byte & 0xC0 == 0x80).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(output: &[u8], piece: usize) -> Tail {
        let mut buffer = TailBuffer::default();
        output.chunks(piece).for_each(|piece| buffer.push(piece));
        buffer.finish()
    }

    #[test]
    fn what_is_short_is_whole() {
        let short = tail(b"a\nb\xff\0\x1b[31m", 1);
        assert_eq!((&short.bytes[..], short.total_lines, short.label()), (&b"a\nb\xff\0\x1b[31m"[..], 2, None));
        assert_eq!(tail(b"", 1), Tail::default());
    }

    #[test]
    fn forty_lines_are_kept() {
        let output: Vec<u8> = (1..=1200).flat_map(|n| format!("{n}\n").into_bytes()).collect();
        for piece in [1, 7, 4096, 100_000] {
            let tail = tail(&output, piece);
            assert!(tail.bytes.starts_with(b"1161\n") && tail.bytes.ends_with(b"\n1200\n"), "{piece}");
            assert_eq!(tail.label().as_deref(), Some("the last 40 of 1200 lines"));
        }
    }

    #[test]
    fn four_kilobytes_are_kept_from_the_start_of_a_line() {
        let line = [b"x".repeat(999), b"\n".to_vec()].concat();
        for piece in [1, 5000] {
            let tail = tail(&line.repeat(10), piece);
            assert_eq!((tail.bytes.len(), tail.label().as_deref()), (4000, Some("the last 4 of 10 lines")));
        }
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let tail = tail("é€".repeat(100_000).as_bytes(), 8192);
        assert!(tail.bytes.len() > BYTES - 3 && !tail.text().contains('\u{fffd}'));
        assert_eq!(tail.label(), Some(format!("the last {} of 500000 bytes", tail.bytes.len())));
    }
}
