//! Ids of git objects, and how they are computed.

use std::fmt;

use sha2::Digest as _;

/// The hash algorithm of a repository's object ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// 20 bytes, still the default of `git init`.
    Sha1,
    /// 32 bytes; `git init --object-format=sha256`.
    Sha256,
}

impl Format {
    /// The format with this name in git.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "sha1" => Some(Format::Sha1),
            "sha256" => Some(Format::Sha256),
            _ => None,
        }
    }
}

/// The id of a git object: 20 or 32 bytes, shown as lower-case hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId {
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    /// Reads exactly 40 or 64 hex digits.
    pub fn parse(hex: &str) -> Option<Self> {
        let digits = hex.as_bytes();
        if digits.len() != 40 && digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = (digit(pair[0])? << 4) | digit(pair[1])?;
        }
        Some(ObjectId { bytes, length: (digits.len() / 2) as u8 })
    }

    /// Reads exactly 20 or 32 raw bytes.
    pub(super) fn from_bytes(raw: &[u8]) -> Option<Self> {
        matches!(raw.len(), 20 | 32).then(|| ObjectId::new(raw))
    }

    /// The raw bytes, as in a tree object.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The first 12 hex digits, as log lines show them (`CLI.md`).
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }

    /// The hash algorithm of this id.
    pub fn format(&self) -> Format {
        if self.length == 20 { Format::Sha1 } else { Format::Sha256 }
    }

    fn new(hash: &[u8]) -> Self {
        let mut bytes = [0; 32];
        bytes[..hash.len()].copy_from_slice(hash);
        ObjectId { bytes, length: hash.len() as u8 }
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Computes the id of one object from a stream of its bytes. SHA-1 detects collisions, as in git: a file made to
/// collide gets a different id than its twin.
pub(super) enum ObjectHasher {
    Sha1(Box<sha1_checked::Sha1>),
    Sha256(sha2::Sha256),
}

impl ObjectHasher {
    /// Begins an object of `kind` (`blob`, `tree`) with exactly `length` bytes.
    pub(super) fn new(format: Format, kind: &str, length: u64) -> Self {
        let mut hasher = match format {
            Format::Sha1 => ObjectHasher::Sha1(Box::default()),
            Format::Sha256 => ObjectHasher::Sha256(sha2::Sha256::new()),
        };
        hasher.update(format!("{kind} {length}\0").as_bytes());
        hasher
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            ObjectHasher::Sha1(hasher) => hasher.update(bytes),
            ObjectHasher::Sha256(hasher) => hasher.update(bytes),
        }
    }

    pub(super) fn finish(self) -> ObjectId {
        match self {
            ObjectHasher::Sha1(hasher) => ObjectId::new(&hasher.finalize()),
            ObjectHasher::Sha256(hasher) => ObjectId::new(&hasher.finalize()),
        }
    }
}

/// The id of an object whose bytes are all in memory.
pub(super) fn object_id(format: Format, kind: &str, bytes: &[u8]) -> ObjectId {
    let mut hasher = ObjectHasher::new(format, kind, bytes.len() as u64);
    hasher.update(bytes);
    hasher.finish()
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_git() {
        let sha1 = object_id(Format::Sha1, "blob", b"hello\n");
        assert_eq!(sha1.to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(object_id(Format::Sha1, "tree", b"").to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
        let sha256 = object_id(Format::Sha256, "blob", b"");
        assert_eq!(sha256.to_string(), "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
        assert_eq!((sha1.format(), sha256.format()), (Format::Sha1, Format::Sha256));
    }

    #[test]
    fn only_whole_lower_case_hex_is_an_id() {
        let hex = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert_eq!(ObjectId::parse(hex).unwrap().to_string(), hex);
        assert_eq!(ObjectId::parse(hex).unwrap().short(), "ce013625030b");
        for bad in [&hex[1..], "", &hex.to_uppercase(), &hex.replace('e', "g"), &hex.repeat(2)[..63]] {
            assert_eq!(ObjectId::parse(bad), None, "{bad}");
        }
    }
}
