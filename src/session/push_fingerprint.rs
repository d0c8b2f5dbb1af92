//! Recognises our own push when a host hands it to its hooks like a message of a person.

use serde::{Deserialize, Serialize};

/// Length and hash of a text without its white space, because hosts end lines in their own way and put the texts of other hooks
/// around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct PushFingerprint {
    bytes: usize,
    hash: u64,
}

/// A prime, for a rolling hash.
const BASE: u64 = 0x100_0000_01b3;

impl PushFingerprint {
    /// The fingerprint of `text`.
    pub(super) fn of(text: &str) -> Self {
        let solid = text.bytes().filter(is_solid);
        let (bytes, hash) = solid.fold((0, 0), |(count, hash), byte| (count + 1, next(hash, byte)));
        PushFingerprint { bytes, hash }
    }

    /// True if `text` is the fingerprinted text and nothing else.
    pub(super) fn is(self, text: &str) -> bool {
        self.bytes > 0 && self == PushFingerprint::of(text)
    }

    /// True if the fingerprinted text is part of `text`. The empty fingerprint is part of nothing.
    pub(super) fn is_in(self, text: &str) -> bool {
        let bytes: Vec<u8> = text.bytes().filter(is_solid).collect();
        let Some((first, rest)) = bytes.split_at_checked(self.bytes).filter(|_| self.bytes > 0) else { return false };
        let leaves = (1..self.bytes).fold(1_u64, |power, _| power.wrapping_mul(BASE));
        let mut at = first.iter().fold(0, |hash, byte| next(hash, *byte));
        at == self.hash
            || bytes.iter().zip(rest).any(|(old, new)| {
                at = at.wrapping_sub(leaves.wrapping_mul(u64::from(*old)));
                at = next(at, *new);
                at == self.hash
            })
    }
}

fn is_solid(byte: &u8) -> bool {
    !byte.is_ascii_whitespace()
}

/// The hash with one more byte.
fn next(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(u64::from(byte))
}
