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
        let bytes = solid(text);
        PushFingerprint { bytes: bytes.len(), hash: hash(&bytes) }
    }

    /// True if `text` is the fingerprinted text and nothing else.
    pub(super) fn is(self, text: &str) -> bool {
        self.bytes > 0 && self == PushFingerprint::of(text)
    }

    /// True if the fingerprinted text is part of `text`. The empty fingerprint is part of nothing.
    pub(super) fn is_in(self, text: &str) -> bool {
        let bytes = solid(text);
        let Some((first, rest)) = bytes.split_at_checked(self.bytes).filter(|_| self.bytes > 0) else { return false };
        let leaves = (1..self.bytes).fold(1_u64, |power, _| power.wrapping_mul(BASE));
        let mut at = hash(first);
        at == self.hash
            || bytes.iter().zip(rest).any(|(old, new)| {
                at = at.wrapping_sub(leaves.wrapping_mul(u64::from(*old)));
                at = at.wrapping_mul(BASE).wrapping_add(u64::from(*new));
                at == self.hash
            })
    }
}

fn solid(text: &str) -> Vec<u8> {
    text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |hash: u64, byte| hash.wrapping_mul(BASE).wrapping_add(u64::from(*byte)))
}
