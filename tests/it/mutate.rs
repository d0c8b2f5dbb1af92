//! Canaries and mutants of real sources, run by the real programs of each language.

mod languages;
mod laws;
