//! Edits JSON, with comments and trailing commas if the file has them: adds, replaces or removes one entry by its bytes.
//!
//! The text is never rewritten as a whole. A change inserts or removes bytes. It is refused unless the new text means the same
//! as the old text, apart from that entry.

mod add;
mod dialect;
mod paths;
mod print;
mod remove;
#[cfg(test)]
pub(super) mod tests;

use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::edit::{Edit, apply};

pub(super) use add::{Item, add};
pub(super) use dialect::{beyond, without};
pub(super) use remove::{fill, hollow, remove};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// A parsed text.
struct SettingsJson<'t> {
    text: &'t str,
    /// `None` if the text has only white space and comments.
    root: Option<Node<'t>>,
    /// Sorted for a fast search, because a hostile file may have a hundred thousand comments.
    comments: Vec<Range>,
}

impl<'t> SettingsJson<'t> {
    /// Parses a text. The caller has removed a byte order mark.
    fn read(text: &'t str) -> Result<Self, String> {
        let collect = CollectOptions { comments: CommentCollectionStrategy::Separate, tokens: false };
        let parsed = parse_to_ast(text, &collect, &within()).map_err(|error| error.to_string())?;
        let mut comments: Vec<Range> =
            parsed.comments.iter().flatten().flat_map(|(_, few)| few.iter()).map(Ranged::range).collect();
        comments.sort_by_key(|range| range.start);
        comments.dedup_by_key(|range| range.start);
        Ok(SettingsJson { text, root: parsed.value, comments })
    }

    /// Returns the first place at or after `at` that is neither white space nor part of a comment.
    fn token(&self, mut at: usize) -> usize {
        loop {
            at += space(&self.text[at..]);
            match self.comment_at(at) {
                Some(comment) => at = comment.end,
                None => return at,
            }
        }
    }

    fn comment_at(&self, start: usize) -> Option<Range> {
        let index = self.comments.binary_search_by_key(&start, |comment| comment.start).ok()?;
        Some(self.comments[index])
    }

    /// Returns true if a line comment ends at `at`: text that is added to its line would become part of the comment.
    fn is_line_comment_end(&self, at: usize) -> bool {
        let index = self.comments.binary_search_by_key(&at, |comment| comment.end);
        index.is_ok_and(|index| self.text[self.comments[index].start..].starts_with("//"))
    }

    fn has_comment(&self, range: Range) -> bool {
        let first = self.comments.partition_point(|comment| comment.start < range.start);
        self.comments.get(first).is_some_and(|comment| comment.end <= range.end)
    }

    fn eol(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    fn slice(&self, node: &Node<'_>) -> &'t str {
        let range = node.range();
        &self.text[range.start..range.end]
    }
}

/// Returns the parser options of the most lenient host: comments and trailing commas, nothing else.
fn within() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Returns the length of the JSON white space at the front of `text`.
fn space(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\r', '\n']).len()
}

/// Parses a text. Numbers stay as they are written, because nothing here calculates with them.
///
/// # Errors
/// The mistake in the text, in one line.
pub(super) fn value(text: &str) -> Result<Value, String> {
    let document = SettingsJson::read(text)?;
    Ok(document.root.as_ref().map_or_else(|| Value::Object(serde_json::Map::new()), |root| document.meaning(root)))
}

/// Returns true if a text holds no entry and no comment, so that nobody would miss it.
pub(super) fn is_blank(text: &str) -> bool {
    let Ok(document) = SettingsJson::read(text) else { return false };
    let nothing = match &document.root {
        None => true,
        Some(Node::Object(root)) => root.properties.is_empty(),
        Some(_) => false,
    };
    nothing && document.comments.is_empty()
}

impl SettingsJson<'_> {
    fn meaning(&self, node: &Node<'_>) -> Value {
        match node {
            Node::StringLit(text) => Value::String(text.value.to_string()),
            Node::NumberLit(number) => Value::String(format!("\u{1}{}", number.value)),
            Node::BooleanLit(flag) => Value::Bool(flag.value),
            Node::NullKeyword(_) => Value::Null,
            Node::Array(array) => array.elements.iter().map(|element| self.meaning(element)).collect(),
            Node::Object(object) => Value::Object(self.members(object)),
        }
    }

    /// Returns the members of an object. If a name occurs twice, the last member counts, as for every reader.
    fn members(&self, object: &Object<'_>) -> serde_json::Map<String, Value> {
        let member = |property: &jsonc_parser::ast::ObjectProp<'_>| {
            (property.name.as_str().to_owned(), self.meaning(&property.value))
        };
        object.properties.iter().map(member).collect()
    }
}

/// Returns `edits` if the edited `text` means `expected`.
fn proven(text: &str, edits: Vec<Edit>, expected: &Value) -> Result<Vec<Edit>, String> {
    let after = apply(text, &edits).ok_or("an edit does not fit")?;
    match value(&after) {
        Ok(found) if found == *expected => Ok(edits),
        _ => Err("it cannot be changed without changing other entries".to_owned()),
    }
}

/// Returns the value at `path`.
pub(super) fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object()?.get(key),
        Step::Index(index) => value.as_array()?.get(*index),
    })
}

fn at_mut<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object_mut()?.get_mut(key),
        Step::Index(index) => value.as_array_mut()?.get_mut(*index),
    })
}

/// Replaces the string at `path` with the JSON string `new`.
///
/// # Errors
/// The text cannot be read, or there is no string at `path`.
pub(super) fn replace(text: &str, path: &[Step], new: &str) -> Result<Vec<Edit>, String> {
    let document = SettingsJson::read(text)?;
    let mut expected = value(text)?;
    *at_mut(&mut expected, path).ok_or("an entry has moved")? = Value::String(new.to_owned());
    let node = document.find(path)?;
    let Node::StringLit(found) = node else { return Err("a string was expected".to_owned()) };
    let edit = Edit { at: found.range.start, old: document.slice(node).to_owned(), new: Value::from(new).to_string() };
    proven(text, vec![edit], &expected)
}

impl<'t> SettingsJson<'t> {
    fn find(&self, path: &[Step]) -> Result<&Node<'t>, String> {
        let mut node = self.root.as_ref().ok_or("it is empty")?;
        for step in path {
            node = match (step, node) {
                (Step::Key(key), Node::Object(object)) => &only(object, key)?.ok_or("an entry is not there")?.value,
                (Step::Index(index), Node::Array(array)) => {
                    array.elements.get(*index).ok_or("an entry is not there")?
                }
                _ => return Err("an entry is not of the expected kind".to_owned()),
            };
        }
        Ok(node)
    }
}

/// Returns the only member of that name. Two members are an error, because readers differ on which one counts.
fn only<'o, 't>(object: &'o Object<'t>, key: &str) -> Result<Option<&'o jsonc_parser::ast::ObjectProp<'t>>, String> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == key);
    let first = found.next();
    if found.next().is_some() { Err(format!("`{key}` is there twice")) } else { Ok(first) }
}
