//! Adds an entry to a JSON text.

use jsonc_parser::ast::{Array, Object, Value as Node};
use jsonc_parser::common::{Range, Ranged};
use serde_json::Value;

use super::print::{Manner, flat, print};
use super::{SettingsJson, Step, at_mut, only, proven, value};
use crate::settings::edit::Edit;

/// The item to add.
#[derive(Clone, Copy, Debug)]
pub(in crate::settings) enum Item<'i> {
    /// A member of the object at the path: name and JSON text.
    Member(&'i str, &'i str),
    /// An element at the end of the list at the path: JSON text.
    Element(&'i str),
}

/// Adds `item` to the object or list at `path`, which is created if it is missing.
///
/// # Errors
/// In one line: the text cannot be read, a value of another kind is in the way, or a member of that name exists.
pub(in crate::settings) fn add(text: &str, path: &[&str], item: Item<'_>) -> Result<Vec<Edit>, String> {
    let document = SettingsJson::read(text)?;
    let expected = expected(value(text)?, path, item)?;
    let Some(root) = &document.root else {
        let whole = wrapped(path, item)?;
        let manner = Manner { unit: "  ", eol: document.eol(), tight: false };
        let eol = manner.eol;
        let open = document.text.rsplit('\n').next().is_some_and(|line| !line.trim().is_empty());
        let made = format!("{}{}{eol}", if open { eol } else { "" }, print(&whole, usize::MAX / 2, "", manner)?);
        return proven(text, vec![Edit { at: text.len(), old: String::new(), new: made }], &expected);
    };
    let mut node = root;
    for (depth, key) in path.iter().enumerate() {
        let Node::Object(object) = node else { return Err(sort(&path[..depth], "an object")) };
        match only(object, key)? {
            Some(property) => node = &property.value,
            None => {
                let value = wrapped(&path[depth + 1..], item)?;
                let edits = document.insert(&place(object), &Item::Member(key, &value))?;
                return proven(text, edits, &expected);
            }
        }
    }
    let place = match (node, item) {
        (Node::Object(object), Item::Member(..)) => place(object),
        (Node::Array(array), Item::Element(_)) => row(array),
        (_, Item::Member(..)) => return Err(sort(path, "an object")),
        (_, Item::Element(_)) => return Err(sort(path, "a list")),
    };
    proven(text, document.insert(&place, &item)?, &expected)
}

fn sort(path: &[&str], wanted: &str) -> String {
    match path {
        [] => format!("{wanted} was expected"),
        _ => format!("`{}` is not {wanted}", path.join(".")),
    }
}

/// Returns `item` inside the objects that must be created around it, as JSON text.
fn wrapped(path: &[&str], item: Item<'_>) -> Result<String, String> {
    let member = |name: &str, value: &str| format!("{{{}:{value}}}", Value::from(name));
    let inner = match item {
        Item::Member(name, value) => member(name, value),
        Item::Element(value) => format!("[{value}]"),
    };
    let whole = path.iter().rev().fold(inner, |inner, key| member(key, &inner));
    value(&whole).map(|_| whole)
}

fn expected(mut whole: Value, path: &[&str], item: Item<'_>) -> Result<Value, String> {
    let mut steps = Vec::new();
    for (depth, key) in path.iter().enumerate() {
        let here = at_mut(&mut whole, &steps)
            .and_then(Value::as_object_mut)
            .ok_or_else(|| sort(&path[..depth], "an object"))?;
        here.entry(*key).or_insert_with(|| match item {
            Item::Element(_) if steps.len() + 1 == path.len() => Value::Array(Vec::new()),
            _ => Value::Object(serde_json::Map::new()),
        });
        steps.push(Step::Key((*key).to_owned()));
    }
    let here = at_mut(&mut whole, &steps).ok_or("an entry is not there")?;
    match (item, here) {
        (Item::Member(name, _), Value::Object(object)) if object.contains_key(name) => {
            Err(format!("`{name}` is already there"))
        }
        (Item::Member(name, text), Value::Object(object)) => {
            object.insert(name.to_owned(), value(text)?);
            Ok(whole)
        }
        (Item::Element(text), Value::Array(array)) => {
            array.push(value(text)?);
            Ok(whole)
        }
        (Item::Member(..), _) => Err(sort(path, "an object")),
        (Item::Element(_), _) => Err(sort(path, "a list")),
    }
}

/// An object or a list, and the places of its items.
struct InsertPlace {
    range: Range,
    items: Vec<Range>,
}

fn place(object: &Object<'_>) -> InsertPlace {
    InsertPlace { range: object.range, items: object.properties.iter().map(|property| property.range).collect() }
}

fn row(array: &Array<'_>) -> InsertPlace {
    InsertPlace { range: array.range, items: array.elements.iter().map(Ranged::range).collect() }
}

impl SettingsJson<'_> {
    fn insert(&self, place: &InsertPlace, item: &Item<'_>) -> Result<Vec<Edit>, String> {
        match (place.items.first(), place.items.last()) {
            (Some(first), Some(last)) => self.append(place.range, *first, *last, item),
            _ => self.fill(place.range, item),
        }
    }

    /// Adds after the last item, in the style of the items before it.
    fn append(&self, range: Range, first: Range, last: Range, item: &Item<'_>) -> Result<Vec<Edit>, String> {
        let text = self.text;
        let comma = Some(self.token(last.end)).filter(|at| text[*at..].starts_with(','));
        let base = comma.map_or(last.end, |at| at + 1);
        let many_lines = text[range.start..first.start].contains('\n');
        let (at, mut new) = if many_lines {
            let indent = indent_of(text, first.start);
            let lead = format!("{}{indent}", self.eol());
            (self.line_end(base), lead + &self.item(item, indent, self.manner(false))?)
        } else {
            let manner = self.manner(true);
            (base, format!("{}{}", if manner.tight { "" } else { " " }, self.flat_item(item, manner)?))
        };
        if comma.is_some() {
            new.push(',');
            return Ok(vec![Edit { at, old: String::new(), new }]);
        }
        if at == last.end {
            return Ok(vec![Edit { at, old: String::new(), new: format!(",{new}") }]);
        }
        let after = Edit { at, old: String::new(), new };
        Ok(vec![after, Edit { at: last.end, old: String::new(), new: ",".to_owned() }])
    }

    /// Adds to an object or a list that holds only white space and comments.
    fn fill(&self, range: Range, item: &Item<'_>) -> Result<Vec<Edit>, String> {
        let (text, eol) = (self.text, self.eol());
        let (open, close) = (range.start + 1, range.end - 1);
        let used = open + text[open..close].trim_end_matches([' ', '\t', '\r', '\n']).len();
        let rest = &text[used..close];
        if !text.trim_end().contains('\n') && range.start > 0 && used == open {
            let manner = self.manner(true);
            let pad = if manner.tight || text[range.start..].starts_with('[') { "" } else { " " };
            let new = format!("{pad}{}{pad}", self.flat_item(item, manner)?);
            return Ok(vec![Edit { at: open, old: rest.to_owned(), new }]);
        }
        let outer = indent_of(text, range.start);
        let indent = format!("{outer}{}", self.unit());
        let new = format!("{eol}{indent}{}", self.item(item, &indent, self.manner(false))?);
        if rest.contains('\n') {
            return Ok(vec![Edit { at: used, old: String::new(), new }]);
        }
        Ok(vec![Edit { at: used, old: rest.to_owned(), new: format!("{new}{eol}{outer}") }])
    }

    /// Returns the place after the comments on the same line.
    fn line_end(&self, base: usize) -> usize {
        let mut end = base;
        loop {
            let next = end + (self.text[end..].len() - self.text[end..].trim_start_matches([' ', '\t']).len());
            match self.comment_at(next) {
                Some(comment) => end = comment.end,
                None => return end,
            }
        }
    }

    fn item(&self, item: &Item<'_>, indent: &str, manner: Manner<'_>) -> Result<String, String> {
        match item {
            Item::Member(name, value) => {
                let name = Value::from(*name).to_string() + ": ";
                Ok(print(value, indent.len() + name.len(), indent, manner).map(|value| name + &value)?)
            }
            Item::Element(value) => print(value, indent.len(), indent, manner),
        }
    }

    fn flat_item(&self, item: &Item<'_>, manner: Manner<'_>) -> Result<String, String> {
        match item {
            Item::Member(name, value) => {
                let name = Value::from(*name).to_string() + if manner.tight { ":" } else { ": " };
                Ok(name + &flat(value, manner)?)
            }
            Item::Element(value) => flat(value, manner),
        }
    }

    fn manner(&self, on_one_line: bool) -> Manner<'_> {
        let tight = on_one_line
            && matches!(&self.root, Some(Node::Object(root)) if root.properties.first().is_some_and(|first| {
                self.text[first.name.range().end..first.value.range().start] == *":"
            }));
        Manner { unit: self.unit(), eol: self.eol(), tight }
    }

    /// Returns one level of this file's indentation.
    fn unit(&self) -> &str {
        let Some(Node::Object(root)) = &self.root else { return "  " };
        let own_line = |at: usize| {
            let indent = indent_of(self.text, at);
            (!indent.is_empty() && self.text[..at].ends_with(&format!("\n{indent}"))).then_some(indent)
        };
        root.properties.iter().find_map(|property| own_line(property.range.start)).unwrap_or("  ")
    }
}

/// Returns the white space at the start of the line of `at`.
fn indent_of(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let rest = &text[line..at];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}
