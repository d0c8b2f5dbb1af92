//! What a check says while it runs. The room prints nothing itself.

/// Somebody who watches a check: the terminal, or nobody.
pub trait Watch {
    /// A program is about to be started; `line` is its argv as a person would type it.
    fn starting(&self, line: &str);

    /// About once a second while something runs.
    fn tick(&self, what: &str, seconds: u64);

    /// Something worth saying, in one line.
    fn note(&self, text: &str);
}

/// Nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Watch for Nobody {
    fn starting(&self, _line: &str) {}
    fn tick(&self, _what: &str, _seconds: u64) {}
    fn note(&self, _text: &str) {}
}
