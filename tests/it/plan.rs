//! Tests the plan room with real and unlikely text: laws on generated text, a corpus of real files, CommonMark's examples, a second
//! opinion.

mod agreed;
mod commonmark;
mod corpus;
mod expected;
mod kept;
mod keys;
mod laws;
mod opinion;
mod random;
mod support;
