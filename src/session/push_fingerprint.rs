//! Recognises our own push when a host passes it to its hooks like a message of the user.

use serde::{Deserialize, Serialize};

/// The length and the hash of a text without its white space. White space is ignored because hosts use their own line ends and
/// put texts of other hooks around a push.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct PushFingerprint {
    bytes: usize,
    hash: u64,
}

/// A prime, the base of the rolling hash.
const BASE: u64 = 0x100_0000_01b3;

impl PushFingerprint {
    /// Returns the fingerprint of `text`.
    pub(super) fn of(text: &str) -> Self {
        let solid = text.bytes().filter(is_solid);
        let (bytes, hash) = solid.fold((0, 0), |(count, hash), byte| (count + 1, next(hash, byte)));
        PushFingerprint { bytes, hash }
    }

    /// True if `text` is exactly the fingerprinted text, apart from white space.
    pub(super) fn is(self, text: &str) -> bool {
        self.bytes > 0 && self == PushFingerprint::of(text)
    }

    /// True if `text` contains the fingerprinted text. No text contains the empty fingerprint.
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

/// Returns the hash after one more byte.
fn next(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(u64::from(byte))
}
