//! Three-way merge of a sequence of parts: sections of a file, lines of a goal, items of a list, lines of a log.
//!
//! A part with a name is the same part wherever it is, and its content is merged beforehand: here only its place is
//! decided. A part without a name is identified by its text.

use std::collections::HashMap;
use std::ops::Range;

use super::Texts;
use super::hunk::{Stretch, stretches};
use super::merged_text::{BASE, MergedText, OURS, THEIRS};
use crate::error::Result;

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// It has a name that is unique in each version. If the two sides put parts in the same place, the lower rank comes
    /// first, then the lesser text.
    Named(u8),
    /// Blank lines after a named part.
    Blank,
    /// It is identified by its text. Both sides may add items in the same place; if both change an item, that is a conflict.
    Item,
    /// A line of prose: only a text merge may decide about it.
    Prose,
}

/// One part, in the versions that have it.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    pub(super) sort: Sort,
    /// Its bytes in `[base, ours, theirs]`.
    pub(super) text: [Option<&'a [u8]>; 3],
    /// The key that orders parts in the same place.
    pub(super) key: &'a [u8],
}

/// Three sequences of parts.
#[derive(Debug, Default)]
pub(super) struct Sequence<'a> {
    pub(super) parts: Vec<Part<'a>>,
    /// Indices of parts, in the order of `[base, ours, theirs]`.
    pub(super) order: [Vec<u32>; 3],
    lines: HashMap<(&'a [u8], bool), u32>,
}

/// An element of the merged sequence.
#[derive(Clone, Debug)]
pub(super) enum Placed {
    /// A part.
    Part(u32),
    /// Text that was merged as text.
    Text(MergedText),
}

impl<'a> Sequence<'a> {
    /// Adds a named part at the end of a version. `index` is its index if another version has it.
    pub(super) fn named(
        &mut self,
        index: Option<u32>,
        version: usize,
        sort: Sort,
        text: &'a [u8],
        key: &'a [u8],
    ) -> u32 {
        let index = index.unwrap_or_else(|| {
            self.parts.push(Part { sort, text: [None; 3], key });
            (self.parts.len() - 1) as u32
        });
        let part = &mut self.parts[index as usize];
        part.text[version] = Some(text);
        // The lesser key: it does not matter which side is ours.
        part.key = part.key.min(key);
        self.order[version].push(index);
        index
    }

    /// Adds a part that is identified by its text (an item or a line of prose) at the end of a version.
    pub(super) fn line(&mut self, version: usize, sort: Sort, text: &'a [u8]) {
        let parts = &mut self.parts;
        let index = *self.lines.entry((text, sort == Sort::Item)).or_insert_with(|| {
            parts.push(Part { sort, text: [None; 3], key: text });
            (parts.len() - 1) as u32
        });
        self.parts[index as usize].text[version] = Some(text);
        self.order[version].push(index);
    }

    /// Returns the merged order. `merged` holds the content of each part; a named part without content is removed. `None` if
    /// a part found no place.
    pub(super) fn merge(mut self, merged: &[Option<MergedText>], texts: &mut Texts<'_>) -> Result<Option<Vec<Placed>>> {
        for version in 0..3 {
            let parts = &self.parts;
            self.order[version].retain(|&part| !parts[part as usize].is_named() || merged[part as usize].is_some());
        }
        self.reinstate();
        let mut out = Vec::new();
        let sticks = |side: usize, base: &Range<usize>, new: &Range<usize>| {
            self.any(BASE, base.clone(), Part::is_prose) || self.any(side, new.clone(), Part::is_prose)
        };
        for stretch in stretches(&self.order, sticks) {
            match stretch {
                Stretch::Same(range) => out.extend(self.placed(BASE, range)),
                Stretch::One(side, range) => out.extend(self.placed(side, range)),
                Stretch::Both(ranges) => out.extend(self.both(&ranges, merged, texts)?),
            }
        }
        self.keep_last(&mut out);
        Ok(self.is_whole(&out).then_some(out))
    }

    /// Puts parts that one side removed but that stay (because the other side changed them) back in place on that side.
    fn reinstate(&mut self) {
        for side in [OURS, THEIRS] {
            let mut behind: HashMap<Option<u32>, Vec<u32>> = HashMap::new();
            let there: std::collections::HashSet<u32> = self.order[side].iter().copied().collect();
            let mut last = None;
            for &part in &self.order[BASE] {
                if there.contains(&part) && self.parts[part as usize].is_named() {
                    last = Some(part);
                } else if self.parts[part as usize].is_named() {
                    behind.entry(last).or_default().push(part);
                }
            }
            if behind.is_empty() {
                continue;
            }
            let order = std::mem::take(&mut self.order[side]);
            let mut whole = behind.remove(&None).unwrap_or_default();
            for part in order {
                whole.push(part);
                whole.extend(behind.remove(&Some(part)).unwrap_or_default());
            }
            self.order[side] = whole;
        }
    }

    fn placed(&self, version: usize, range: Range<usize>) -> impl Iterator<Item = Placed> + '_ {
        self.order[version][range].iter().map(|part| Placed::Part(*part))
    }

    fn any(&self, version: usize, range: Range<usize>, is: impl Fn(&Part<'a>) -> bool) -> bool {
        self.order[version][range].iter().any(|part| is(&self.parts[*part as usize]))
    }

    /// Merges a stretch that both sides changed.
    fn both(
        &self,
        ranges: &[Range<usize>; 3],
        merged: &[Option<MergedText>],
        texts: &mut Texts<'_>,
    ) -> Result<Vec<Placed>> {
        let [base, ours, theirs] = [0, 1, 2].map(|version| &self.order[version][ranges[version].clone()]);
        if ours == theirs {
            return Ok(self.placed(OURS, ranges[OURS].clone()).collect());
        }
        let all = |parts: &[u32], is: fn(&Part<'a>) -> bool| parts.iter().all(|part| is(&self.parts[*part as usize]));
        let free = |part: &Part<'a>| part.is_named() || part.sort == Sort::Item;
        if all(base, Part::is_named) && [ours, theirs].iter().all(|side| all(side, Part::is_named))
            || base.is_empty()
                && [ours, theirs].iter().all(|side| side.iter().all(|part| free(&self.parts[*part as usize])))
        {
            return Ok(self.weave([base, ours, theirs], merged));
        }
        // Named lines go before prose that the other side wrote in the same place.
        if base.is_empty() && !self.share(ours, theirs) {
            match [all(ours, Part::is_named), all(theirs, Part::is_named)] {
                [true, false] => return Ok([ours, theirs].concat().into_iter().map(Placed::Part).collect()),
                [false, true] => return Ok([theirs, ours].concat().into_iter().map(Placed::Part).collect()),
                _ => {}
            }
        }
        let text = |version: usize| -> Vec<u8> {
            let order = &self.order[version][ranges[version].clone()];
            let agreed = order.iter().all(|part| merged[*part as usize].as_ref().is_none_or(|m| m.conflicts() == 0));
            let bytes = |part: &u32| match &merged[*part as usize] {
                Some(merged) if agreed => merged.side(OURS),
                _ => self.parts[*part as usize].text[version].unwrap_or_default().to_vec(),
            };
            order.iter().flat_map(bytes).collect()
        };
        let text = texts([&text(BASE), &text(OURS), &text(THEIRS)])?;
        Ok(vec![Placed::Text(text)])
    }

    fn share(&self, ours: &[u32], theirs: &[u32]) -> bool {
        let ours: std::collections::HashSet<u32> = ours.iter().copied().collect();
        theirs.iter().any(|part| ours.contains(part))
    }

    /// Interleaves the named parts and items of both sides, each once, and keeps the order of each side.
    fn weave(&self, [base, ours, theirs]: [&[u32]; 3], merged: &[Option<MergedText>]) -> Vec<Placed> {
        let set = |parts: &[u32]| parts.iter().copied().collect::<std::collections::HashSet<u32>>();
        let (in_base, in_ours, in_theirs) = (set(base), set(ours), set(theirs));
        // If a base part is missing on one side, that side moved it away.
        let stays = |part: &&u32| !in_base.contains(part) || in_ours.contains(part) && in_theirs.contains(part);
        let [mut a, mut b] = [ours, theirs].map(|side| side.iter().filter(stays).copied().peekable());
        let both = |part: u32| in_ours.contains(&part) && in_theirs.contains(&part);
        let said = |part: u32| merged[part as usize].as_ref().map(|merged| merged.side(OURS)).unwrap_or_default();
        let length = |part: u32| (said(part).len(), said(part));
        let mut done = std::collections::HashSet::new();
        let mut out = Vec::new();
        loop {
            while a.next_if(|part| done.contains(part)).is_some() {}
            while b.next_if(|part| done.contains(part)).is_some() {}
            let part = match (a.peek().copied(), b.peek().copied()) {
                (None, None) => return out,
                (Some(one), None) | (None, Some(one)) => one,
                (Some(x), Some(y)) if x == y => x,
                (Some(x), Some(y)) => match (both(x), both(y)) {
                    (true, false) => y,
                    (false, true) => x,
                    _ if self.is_blank(x) && self.is_blank(y) => {
                        let (more, less) = if length(x) >= length(y) { (x, y) } else { (y, x) };
                        done.insert(less);
                        more
                    }
                    // Equal parts may come in either order, so it does not matter which side is ours.
                    _ if self.place(x).cmp(&self.place(y)).then_with(|| said(x).cmp(&said(y))).is_le() => x,
                    _ => y,
                },
            };
            done.insert(part);
            out.push(Placed::Part(part));
        }
    }

    fn is_blank(&self, part: u32) -> bool {
        self.parts[part as usize].sort == Sort::Blank
    }

    fn place(&self, part: u32) -> (u8, &'a [u8]) {
        let part = &self.parts[part as usize];
        let rank = match part.sort {
            Sort::Named(rank) => rank,
            Sort::Blank => u8::MAX,
            Sort::Item | Sort::Prose => 0,
        };
        (rank, part.key)
    }

    /// Keeps the last place of a part that both sides moved to different places: below `# Archive` if one of the places is there.
    fn keep_last(&self, out: &mut Vec<Placed>) {
        let mut seen = std::collections::HashSet::new();
        let mut at = out.len();
        let mut twice = vec![false; out.len()];
        while let Some(placed) = at.checked_sub(1).map(|before| &out[before]) {
            at -= 1;
            if let Placed::Part(part) = placed {
                twice[at] = self.parts[*part as usize].is_named() && !seen.insert(*part);
            }
        }
        let mut twice = twice.into_iter();
        out.retain(|_| !twice.next().unwrap_or_default());
    }

    /// True if each named part occurs exactly once, except the parts inside text that was merged as text.
    fn is_whole(&self, out: &[Placed]) -> bool {
        let mut counts = vec![0u8; self.parts.len()];
        for placed in out {
            if let Placed::Part(part) = placed {
                counts[*part as usize] = counts[*part as usize].saturating_add(1);
            }
        }
        let by_text = out.iter().any(|placed| matches!(placed, Placed::Text(_)));
        let expected =
            self.order.iter().flatten().filter(|part| matches!(self.parts[**part as usize].sort, Sort::Named(_)));
        expected.into_iter().all(|part| counts[*part as usize] == 1 || by_text && counts[*part as usize] == 0)
    }
}

impl<'a> Part<'a> {
    /// The longer of two blank parts that both sides changed; `None` if a side removed it.
    pub(super) fn blank(&self) -> Option<&'a [u8]> {
        let [_, ours, theirs] = self.text;
        ours.zip(theirs).map(|(ours, theirs)| std::cmp::max_by_key(ours, theirs, |text| (text.len(), *text)))
    }

    fn is_named(&self) -> bool {
        matches!(self.sort, Sort::Named(_) | Sort::Blank)
    }

    fn is_prose(&self) -> bool {
        self.sort == Sort::Prose
    }
}

/// Returns the text of a placed sequence.
pub(super) fn written(placed: Vec<Placed>, merged: &[Option<MergedText>]) -> MergedText {
    let mut out = MergedText::default();
    for one in placed {
        match one {
            Placed::Text(text) => out.append(text),
            Placed::Part(part) => {
                if let Some(text) = &merged[part as usize] {
                    out.append(text.clone());
                }
            }
        }
    }
    out
}
