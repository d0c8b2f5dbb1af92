//! The form of a file: byte order mark, line endings, end of the last line. Each is merged by itself, so that a side that
//! only converts the line endings does not touch every line.

use super::piece::{OURS, settled};
use crate::plan::parse::BOM;

/// The line endings of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Endings {
    /// There is no line ending.
    None,
    Lf,
    Crlf,
    Mixed,
}

/// The form of the merged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    bom: bool,
    crlf: bool,
    ends: bool,
}

/// Three versions without their form: no byte order mark, LF where no version mixes line endings, each line ended.
pub(super) fn split(versions: [&[u8]; 3]) -> (Form, [Vec<u8>; 3]) {
    let bare = versions.map(|text| text.strip_prefix(BOM).unwrap_or(text));
    let endings = bare.map(endings);
    let uniform = !endings.contains(&Endings::Mixed);
    let crlf = merged_endings(endings) == Endings::Crlf;
    // An absent or empty version has no say in what it does not have.
    let of = |what: [bool; 3]| settled(what).unwrap_or(what[OURS]);
    let bom = of(without_empty(versions, versions.map(|text| text.starts_with(BOM))));
    let ends = of(without_empty(versions, bare.map(|text| text.ends_with(b"\n"))));
    let texts = bare.map(|text| {
        let mut text = if uniform { to_lf(text) } else { text.to_vec() };
        if text.last().is_some_and(|byte| *byte != b'\n') {
            text.extend_from_slice(if !uniform && text.contains(&b'\r') { b"\r\n" } else { b"\n" });
        }
        text
    });
    (Form { bom, crlf: uniform && crlf, ends }, texts)
}

impl Form {
    /// A merged text in this form. The end of the last line is left where it ends a conflict marker.
    pub(super) fn apply(self, text: &[u8], conflict_at_end: bool) -> Vec<u8> {
        let mut out = if self.bom { BOM.to_vec() } else { Vec::new() };
        let cut = !self.ends && !conflict_at_end;
        let text = match text.strip_suffix(b"\n").filter(|_| cut) {
            Some(text) => text.strip_suffix(b"\r").unwrap_or(text),
            None => text,
        };
        if !self.crlf {
            out.extend_from_slice(text);
            return out;
        }
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(line) => {
                    out.extend_from_slice(line);
                    out.extend_from_slice(b"\r\n");
                }
                None => out.extend_from_slice(line),
            }
        }
        out
    }
}

/// Two values that are the same are merged to that value, whatever the third: so an empty version takes another's.
fn without_empty(versions: [&[u8]; 3], mut what: [bool; 3]) -> [bool; 3] {
    for at in 0..3 {
        if versions[at].is_empty()
            && let Some(other) = (0..3).rev().find(|&other| !versions[other].is_empty())
        {
            what[at] = what[other];
        }
    }
    what
}

fn merged_endings(mut endings: [Endings; 3]) -> Endings {
    for at in 0..3 {
        if endings[at] == Endings::None
            && let Some(other) = endings.iter().rev().find(|other| **other != Endings::None)
        {
            endings[at] = *other;
        }
    }
    settled(endings).unwrap_or(endings[OURS])
}

fn endings(text: &[u8]) -> Endings {
    let mut found = Endings::None;
    for at in memchr::memchr_iter(b'\n', text) {
        let one = if text[..at].ends_with(b"\r") { Endings::Crlf } else { Endings::Lf };
        if found == Endings::None {
            found = one;
        } else if found != one {
            return Endings::Mixed;
        }
    }
    // A carriage return elsewhere would not come back.
    let returns = memchr::memchr_iter(b'\r', text).count();
    let crlf = memchr::memmem::find_iter(text, b"\r\n").count();
    if returns == crlf && (crlf == 0 || found == Endings::Crlf) { found } else { Endings::Mixed }
}

fn to_lf(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}
