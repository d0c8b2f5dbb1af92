//! Three texts, apart at NUL bytes: merged both ways they give the same bytes, or conflicts both times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plan::plan::merge::{Markers, Pieces, merge};

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(3, |byte| *byte == 0);
    let (Some(base), Some(ours), Some(theirs)) = (parts.next(), parts.next(), parts.next()) else { return };
    let mut text = |[base, ours, theirs]: [&[u8]; 3]| Ok(Pieces::conflict([Some(base), Some(ours), Some(theirs)]));
    let mut one_way = |ours, theirs| {
        let merged = merge([base, ours, theirs], "2026-06-15 14:33", &mut text).ok()?;
        (merged.conflicts() == 0).then(|| merged.render(&Markers::default()))
    };
    assert_eq!(one_way(ours, theirs), one_way(theirs, ours));
});
