//! The ways in which bytes are no answer, each with its wording.

use thiserror::Error;

/// Why bytes are no answer. Each is inconclusive, and worth one more try.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// Nothing at all.
    #[error("the judge said nothing")]
    Silent,
    /// More than [`MAX_ANSWER`](super::MAX_ANSWER).
    #[error("the answer is longer than 4 MiB")]
    TooLong,
    /// Bytes that are no text.
    #[error("the answer is not UTF-8 (line {line})")]
    NotUtf8 {
        /// From 1.
        line: usize,
    },
    /// ESC, CR or NUL.
    #[error("the answer holds {name} (line {line}); expected plain text")]
    Control {
        /// `ESC`, `CR` or `NUL`.
        name: &'static str,
        /// From 1.
        line: usize,
    },
    /// No line `SIGNOFF[nonce]` with the nonce of this run.
    #[error("no `SIGNOFF[…]` line with the nonce of this run")]
    NoBlock,
    /// No line `VERDICT[nonce]: …` with the nonce of this run after it.
    #[error("no `VERDICT[…]` line with the nonce of this run after the last `SIGNOFF[…]`")]
    NoVerdict,
    /// More than one verdict.
    #[error("{count} `VERDICT[…]` lines with the nonce of this run; expected one, at the end")]
    ManyVerdicts {
        /// How many.
        count: usize,
    },
    /// Text below the verdict.
    #[error("text after the verdict: `{text}`; expected the `VERDICT[…]` line to be the last")]
    TextAfter {
        /// The first words of it.
        text: String,
    },
    /// Neither `accept` nor `reject`.
    #[error("the verdict is `{found}`; expected `accept` or `reject`")]
    NotAWord {
        /// What stands there.
        found: String,
    },
    /// No `probe:` line.
    #[error("no `probe:` line in the answer")]
    NoProbe,
    /// The probe or an id stands twice.
    #[error("`{what}` is answered twice")]
    Twice {
        /// `probe`, `C1`, …
        what: String,
    },
    /// A line about a question that says neither yes nor no.
    #[error("`{text}` is not clear; expected `{id} {yes}: citation` or `{id} not {yes}: why`")]
    Unclear {
        /// The question.
        id: super::Id,
        /// `met` or `ruled out`.
        yes: &'static str,
        /// The first words of the line.
        text: String,
    },
    /// JSON that is not as [`SCHEMA`](super::SCHEMA) says.
    #[error("the answer is not the JSON object that was asked for: {why}")]
    NotTheObject {
        /// The parser's words.
        why: String,
    },
}
