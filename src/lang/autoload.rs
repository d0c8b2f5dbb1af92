//! Files that a runner, an interpreter or a build loads automatically, by their names.

use std::path::Path;

/// A file that may be loaded.
pub(crate) struct NamedFile<'f> {
    pub(crate) name: &'f str,
    pub(crate) path: &'f Path,
    /// Its content, for files of which only some content is loaded; none if it is unknown.
    pub(crate) text: &'f dyn Fn() -> Option<String>,
}

impl NamedFile<'_> {
    /// Whether the content is known and holds one of these texts.
    pub(super) fn holds(&self, texts: &[&str]) -> bool {
        (self.text)().is_some_and(|text| texts.iter().any(|part| text.contains(part)))
    }
}

/// Programs and the files that they load.
pub(super) type Autoload = (&'static [&'static str], fn(&NamedFile<'_>) -> bool);
