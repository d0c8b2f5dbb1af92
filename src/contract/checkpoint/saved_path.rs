//! A path with any bytes in a record: readable text, with an escape for bytes that JSON cannot hold.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path, written as text: `\` as `\\`, a byte that is not UTF-8 as `\xff`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SavedPath(pub PathBuf);

impl Serialize for SavedPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&text(self.0.as_os_str().as_bytes()))
    }
}

impl<'de> Deserialize<'de> for SavedPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = bytes(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not an escaped path")))?;
        Ok(SavedPath(PathBuf::from(OsString::from_vec(bytes))))
    }
}

impl From<&Path> for SavedPath {
    fn from(path: &Path) -> Self {
        SavedPath(path.to_owned())
    }
}

/// Converts bytes to text that [`bytes`] reads back.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', "\\\\"));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

/// Converts text back to bytes; `None` if it has an escape that [`text`] does not write.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    while let Some(part) = parts.next() {
        match part.strip_prefix('x') {
            Some(rest) => {
                bytes.push(u8::from_str_radix(rest.get(..2)?, 16).ok()?);
                bytes.extend_from_slice(rest.get(2..)?.as_bytes());
            }
            None if part.is_empty() => {
                bytes.push(b'\\');
                bytes.extend_from_slice(parts.next()?.as_bytes());
            }
            None => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_come_back(given in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(bytes(&text(&given)), Some(given));
        }

        #[test]
        fn any_backslashes_come_back(given in "[\\\\xa0f/]{0,12}") {
            prop_assert_eq!(bytes(&text(given.as_bytes())), Some(given.into_bytes()));
        }
    }

    #[test]
    fn another_escape_is_no_path() {
        for bad in ["\\n", "\\", "\\x", "\\xg0", "a\\\\\\"] {
            assert_eq!(bytes(bad), None, "{bad}");
        }
    }
}
