//! The functions and tests of a source: where they begin and end, and whether they are skipped.

mod braces;
mod indented;

use super::language::Language;
use super::source::TokenizedSource;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Skip {
    /// It runs, as far as the source shows.
    #[default]
    Runs,
    /// It may skip itself or is expected to fail. Such tests are used only if there are no others.
    Perhaps,
    /// It is skipped, or nobody would notice its failure.
    Skipped,
}

/// A function, a test, or a group of tests.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Its tokens.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The token before its body.
    pub(super) open: usize,
    pub(super) skip: Skip,
    /// True if its name, its attribute or the call that creates it makes it a test.
    pub(super) is_test: bool,
    /// True for `it.only`: the other tests do not run.
    pub(super) only: bool,
}

/// Every unit of a source, and the innermost unit of each token.
pub(super) struct Units {
    pub(super) all: Vec<Unit>,
    owner: Vec<Option<usize>>,
    /// The unit around each unit.
    outer: Vec<Option<usize>>,
}

impl Units {
    pub(super) fn of(source: &TokenizedSource<'_>) -> Units {
        let mut all = match source.language {
            Language::Python => indented::python(source),
            Language::Ruby => indented::ruby(source),
            Language::Rust
            | Language::JavaScript
            | Language::Go
            | Language::Shell
            | Language::Java
            | Language::C
            | Language::Cpp
            | Language::Php => braces::find(source),
        };
        all.sort_by_key(|unit| (unit.start, std::cmp::Reverse(unit.end)));
        let (mut owner, mut outer) = (vec![None; source.len()], vec![None; all.len()]);
        let mut open: Vec<usize> = Vec::new();
        let mut next = 0;
        for (at, owner) in owner.iter_mut().enumerate() {
            while open.last().is_some_and(|last| all[*last].end <= at) {
                open.pop();
            }
            while next < all.len() && all[next].start <= at {
                outer[next] = open.last().copied();
                open.push(next);
                next += 1;
            }
            *owner = open.last().copied();
        }
        let mut units = Units { all, owner, outer };
        units.hand_down();
        units
    }

    /// Applies the properties of a group to everything in it.
    fn hand_down(&mut self) {
        let only = self.all.iter().any(|unit| unit.only);
        for at in 0..self.all.len() {
            let Some(outer) = self.outer[at] else { continue };
            self.all[at].skip = self.all[at].skip.max(self.all[outer].skip);
            self.all[at].only |= self.all[outer].only;
        }
        for unit in self.all.iter_mut().filter(|unit| only && unit.is_test && !unit.only) {
            unit.skip = Skip::Skipped;
        }
    }

    /// The innermost unit around a token.
    pub(super) fn around(&self, at: usize) -> Option<usize> {
        self.owner.get(at).copied().flatten()
    }

    /// The test around a token, or else the function.
    pub(super) fn test_around(&self, at: usize) -> Option<usize> {
        let inner = self.around(at)?;
        let mut outwards = std::iter::successors(Some(inner), |unit| self.outer[*unit]);
        outwards.find(|unit| self.all[*unit].is_test).or(Some(inner))
    }
}
