//! The result of a merge: agreed bytes and conflicts in file order, and how they are written out.

use crate::error::Result;

/// The index of the common base in `[base, ours, theirs]`.
pub const BASE: usize = 0;
/// The index of the version that is merged into.
pub const OURS: usize = 1;
/// The index of the version that is merged.
pub const THEIRS: usize = 2;

/// Whole lines that both sides changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The lines of the common base, if it is known; shown in the `diff3` styles only.
    pub base: Option<Vec<u8>>,
    /// Our lines.
    pub ours: Vec<u8>,
    /// Their lines.
    pub theirs: Vec<u8>,
}

/// A stretch of the merged text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// Bytes that are agreed.
    Clean(Vec<u8>),
    /// Lines that a person has to decide.
    Conflict(Conflict),
}

/// A merged text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedText {
    chunks: Vec<Chunk>,
}

/// How conflicts are shown: git's markers (`gitattributes(5)`, `conflict-marker-size`, and `merge.conflictStyle`).
#[derive(Clone, Debug)]
pub struct Markers {
    /// The number of characters of a marker; git's default is 7.
    pub size: usize,
    /// The labels after the markers of base, ours and theirs; may be empty.
    pub labels: [String; 3],
    /// Shows the base too (`diff3`, `zdiff3`).
    pub with_base: bool,
}

impl Default for Markers {
    fn default() -> Self {
        Markers { size: 7, labels: ["base".into(), "ours".into(), "theirs".into()], with_base: false }
    }
}

/// Merges three texts (base, ours, theirs) line by line and returns conflicts as chunks. It is called only if both sides
/// made different changes. Each text ends with a line ending or is empty.
pub type Texts<'t> = dyn FnMut([&[u8]; 3]) -> Result<MergedText> + 't;

impl MergedText {
    /// A text of agreed bytes.
    pub fn clean(bytes: &[u8]) -> Self {
        let mut chunks = MergedText::default();
        chunks.push(bytes);
        chunks
    }

    /// A text of one conflict; an absent version counts as empty.
    pub fn conflict(versions: [Option<&[u8]>; 3]) -> Self {
        let [base, ours, theirs] = versions.map(|text| text.unwrap_or_default().to_vec());
        MergedText { chunks: vec![Chunk::Conflict(Conflict { base: Some(base), ours, theirs })] }
    }

    /// Adds agreed bytes at the end.
    pub fn push(&mut self, bytes: &[u8]) {
        match self.chunks.last_mut() {
            _ if bytes.is_empty() => {}
            Some(Chunk::Clean(last)) => last.extend_from_slice(bytes),
            _ => self.chunks.push(Chunk::Clean(bytes.to_vec())),
        }
    }

    /// Adds one chunk at the end.
    pub fn add(&mut self, chunk: Chunk) {
        match chunk {
            Chunk::Clean(bytes) => self.push(&bytes),
            conflict => self.chunks.push(conflict),
        }
    }

    /// Adds all chunks of `other` at the end.
    pub fn append(&mut self, other: MergedText) {
        other.chunks.into_iter().for_each(|chunk| self.add(chunk));
    }

    /// The chunks, in file order.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    pub(super) fn chunks_mut(&mut self) -> &mut Vec<Chunk> {
        &mut self.chunks
    }

    /// The number of conflicts.
    pub fn conflicts(&self) -> usize {
        self.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Conflict(_))).count()
    }

    /// The text as it would be if each conflict were decided for one side ([`OURS`] or [`THEIRS`]).
    pub fn side(&self, side: usize) -> Vec<u8> {
        let mut out = Vec::new();
        for chunk in &self.chunks {
            out.extend_from_slice(chunk.on(side));
        }
        out
    }

    /// The text with conflicts between markers, line endings LF.
    pub fn render(&self, markers: &Markers) -> Vec<u8> {
        let mut out = Vec::new();
        for chunk in &self.chunks {
            match chunk {
                Chunk::Clean(bytes) => out.extend_from_slice(bytes),
                Chunk::Conflict(conflict) => markers.write(&mut out, conflict),
            }
        }
        out
    }
}

impl Chunk {
    /// Its bytes if conflicts were decided for `side`.
    pub(super) fn on(&self, side: usize) -> &[u8] {
        match self {
            Chunk::Clean(bytes) => bytes,
            Chunk::Conflict(conflict) if side == OURS => &conflict.ours,
            Chunk::Conflict(conflict) => &conflict.theirs,
        }
    }
}

impl Markers {
    fn write(&self, out: &mut Vec<u8>, conflict: &Conflict) {
        let [base, ours, theirs] = &self.labels;
        self.line(out, b'<', ours);
        lines(out, &conflict.ours);
        if let Some(text) = conflict.base.as_ref().filter(|_| self.with_base) {
            self.line(out, b'|', base);
            lines(out, text);
        }
        self.line(out, b'=', "");
        lines(out, &conflict.theirs);
        self.line(out, b'>', theirs);
    }

    fn line(&self, out: &mut Vec<u8>, character: u8, label: &str) {
        out.extend(std::iter::repeat_n(character, self.size));
        if !label.is_empty() {
            out.push(b' ');
            out.extend(label.bytes().map(|byte| if byte == b'\n' || byte == b'\r' { b' ' } else { byte }));
        }
        out.push(b'\n');
    }
}

/// Adds text and, if it is missing, the end of its last line.
fn lines(out: &mut Vec<u8>, text: &[u8]) {
    out.extend_from_slice(text);
    if text.last().is_some_and(|byte| *byte != b'\n') {
        out.push(b'\n');
    }
}

/// Returns the version to take, absent or not, if at most one side changed it, or if both made the same change. `None` if
/// both changed it differently.
pub(super) fn settled<T: PartialEq + Copy>([base, ours, theirs]: [T; 3]) -> Option<T> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}
