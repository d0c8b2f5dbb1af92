//! Remembered rejections: the same contract, tree and evidence are not put before a judge twice (`SIGNOFF.md` §1). An accept is
//! never remembered.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::store::{self, Place};

/// The number of rejections of an unchanged tree after which a person is needed.
pub(super) const ENOUGH: u32 = 3;

/// The number of rejections to remember for one goal.
const KEPT: usize = 50;
/// The maximum number of bytes to read of the file: many times what these rejections take.
const LARGEST: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rejection {
    /// The key of the judgement, as [`key`] returns it.
    pub key: String,
    /// Only contract and tree.
    pub work: String,
    /// The judge, as the log names it.
    pub judge: String,
    /// The things that it found missing.
    pub missing: Vec<String>,
    /// How often exactly this was rejected, as [`remember`] counts it.
    pub times: u32,
}

/// Returns the key of a judgement: a SHA-256 of its parts, each with its length, so that no two lists look the same.
pub(super) fn key(parts: &[String]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

pub(super) fn recall(place: &Place, id: &str, key: &str) -> Option<Rejection> {
    all(place, id).into_iter().find(|rejection| rejection.key == key)
}

/// Remembers a rejection once more, and returns how often the same work was rejected, with any claim and by any judge. If the
/// rejection cannot be saved, that only costs another question.
pub(super) fn remember(place: &Place, id: &str, mut rejection: Rejection) -> u32 {
    let mut all = all(place, id);
    let before = all.iter().find(|other| other.key == rejection.key).map_or(0, |other| other.times);
    rejection.times = before.saturating_add(1);
    all.retain(|other| other.key != rejection.key);
    let same = all.iter().filter(|other| other.work == rejection.work);
    let times = same.fold(rejection.times, |times, other| times.saturating_add(other.times));
    all.push(rejection);
    let kept = &all[all.len().saturating_sub(KEPT)..];
    let _ = store::write_state(place, &name(id), &serde_json::to_vec(kept).unwrap_or_default());
    times
}

fn all(place: &Place, id: &str) -> Vec<Rejection> {
    let bytes = store::read_state(&store::state_file(place, &name(id)), LARGEST).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn name(id: &str) -> String {
    format!("rejections/{id}.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_lists_apart() {
        let key = |parts: &[&str]| key(&parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>());
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        let all =
            [key(&["ab", "c"]), key(&["a", "bc"]), key(&["abc"]), key(&["ab", "c", ""]), key(&["c", "ab"]), key(&[])];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{at}");
        }
    }

    // SIGNOFF.md §1
    #[test]
    fn only_the_very_same_is_recalled() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("plan.md"), "").unwrap();
        let place = Place { state: folder.path().join("state"), ..store::find(folder.path(), None).unwrap() };
        let rejection = Rejection {
            key: "k1".into(),
            work: "w".into(),
            judge: "claude".into(),
            missing: vec!["a".into()],
            times: 0,
        };
        assert_eq!(recall(&place, "a-1", "k1"), None);
        assert_eq!(remember(&place, "a-1", rejection.clone()), 1);
        assert_eq!(recall(&place, "a-1", "k1"), Some(Rejection { times: 1, ..rejection.clone() }));
        let other = |key: &str, work: &str| Rejection { key: key.into(), work: work.into(), ..rejection.clone() };
        assert_eq!(remember(&place, "a-1", other("k1", "w")), 2, "the very same");
        assert_eq!(remember(&place, "a-1", other("k3", "w")), 3, "the same work in other words");
        assert_eq!(remember(&place, "a-1", other("k4", "v")), 1, "other work");
        for number in 0..KEPT - 3 {
            remember(&place, "a-1", other(&format!("n{number}"), "v"));
        }
        assert_eq!(recall(&place, "a-1", "k1").map(|kept| kept.times), Some(2));
        remember(&place, "a-1", other("last", "v"));
        assert_eq!(recall(&place, "a-1", "k1"), None, "the oldest goes");
        remember(&place, "a-1", other("k1", "w"));
        assert_eq!(recall(&place, "a-1", "k2"), None);
        assert_eq!(recall(&place, "b-1", "k1"), None);
        std::fs::write(place.state.join("rejections/a-1.json"), "{").unwrap();
        assert_eq!(recall(&place, "a-1", "k1"), None);
    }
}
