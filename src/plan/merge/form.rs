//! The form of a file: byte order mark, line endings, end of the last line. Each is merged separately, so that a side that
//! only converts the line endings does not change every line.

use super::merged_text::settled;
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

/// Returns the merged form, and the versions without their form: no byte order mark, LF if no version mixes line endings, each line ended.
pub(super) fn split(versions: [&[u8]; 3]) -> (Form, [Vec<u8>; 3]) {
    let bare = versions.map(|text| text.strip_prefix(BOM).unwrap_or(text));
    let endings = bare.map(endings);
    let uniform = !endings.contains(&Endings::Mixed);
    let crlf = merged(endings.map(|one| (one != Endings::None).then_some(one)), Endings::Lf) == Endings::Crlf;
    // An absent or empty version does not count.
    let said = |what: [bool; 3]| [0, 1, 2].map(|at| (!versions[at].is_empty()).then_some(what[at]));
    let bom = merged(said(versions.map(|text| text.starts_with(BOM))), false);
    let ends = merged(said(bare.map(|text| text.ends_with(b"\n"))), true);
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
    /// Returns a merged text in this form. The end of the last line stays if it ends a conflict marker.
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

/// Merges one property of the form. A side without a value takes the other side's value. If the sides differ and no base
/// tells which side changed it, the result is `plain`: it does not matter which side is ours.
fn merged<T: PartialEq + Copy>([base, ours, theirs]: [Option<T>; 3], plain: T) -> T {
    match (ours.or(theirs), theirs.or(ours)) {
        (Some(ours), Some(theirs)) => {
            base.and_then(|base| settled([base, ours, theirs])).unwrap_or(if ours == theirs { ours } else { plain })
        }
        _ => base.unwrap_or(plain),
    }
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
    // A carriage return elsewhere could not be restored.
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
