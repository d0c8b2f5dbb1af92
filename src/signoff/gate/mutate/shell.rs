//! The shell.

use std::ops::Range;

use super::Mutation;

pub(super) fn canaries(_source: &[u8], _most: usize) -> Vec<Mutation> {
    Vec::new()
}

pub(super) fn entry_probe(_source: &[u8], _at: usize) -> Option<Mutation> {
    None
}

pub(super) fn mutants(_source: &[u8], _changed: &[Range<usize>], _most: usize) -> Vec<Mutation> {
    Vec::new()
}
