//! Prints an entry of ours: on one line if it fits, else with one item per line, in the style of the file around it.

use jsonc_parser::ast::Value as Node;

use super::SettingsJson;

/// The maximum width of a line of ours, in columns.
const WIDTH: usize = 110;

/// The style of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<'m> {
    /// One level of indentation.
    pub(super) unit: &'m str,
    /// The line ending.
    pub(super) eol: &'m str,
    /// True if there is no space after `:` and `,`.
    pub(super) tight: bool,
}

/// Prints the JSON text `value` after `before` columns of a line indented by `indent`. Keeps the order of members.
///
/// # Errors
/// `value` is not JSON.
pub(super) fn print(value: &str, before: usize, indent: &str, manner: Manner<'_>) -> Result<String, String> {
    let document = SettingsJson::read(value)?;
    let root = document.root.as_ref().ok_or("no value")?;
    Ok(document.broken(root, before, indent, manner))
}

/// Prints the JSON text `value` on one line.
pub(super) fn flat(value: &str, manner: Manner<'_>) -> Result<String, String> {
    let document = SettingsJson::read(value)?;
    let root = document.root.as_ref().ok_or("no value")?;
    Ok(document.flat(root, manner))
}

impl SettingsJson<'_> {
    fn flat(&self, node: &Node<'_>, manner: Manner<'_>) -> String {
        let (items, brackets) = self.items(node, |_, value| self.flat(value, manner), manner);
        let Some((open, close)) = brackets else { return self.slice(node).to_owned() };
        let pad = if manner.tight || open == '[' || items.is_empty() { "" } else { " " };
        format!("{open}{pad}{}{pad}{close}", items.join(if manner.tight { "," } else { ", " }))
    }

    fn broken(&self, node: &Node<'_>, before: usize, indent: &str, manner: Manner<'_>) -> String {
        let line = self.flat(node, manner);
        let inner = format!("{indent}{}", manner.unit);
        let next = |name: usize, value: &Node<'_>| self.broken(value, inner.len() + name, &inner, manner);
        let (items, brackets) = self.items(node, next, manner);
        let Some((open, close)) = brackets.filter(|_| before + line.len() > WIDTH && !items.is_empty()) else {
            return line;
        };
        let eol = manner.eol;
        format!("{open}{eol}{inner}{}{eol}{indent}{close}", items.join(&format!(",{eol}{inner}")))
    }

    /// Prints the items of a list or an object with `print`, which gets the length of the item's name.
    fn items(
        &self,
        node: &Node<'_>,
        print: impl Fn(usize, &Node<'_>) -> String,
        manner: Manner<'_>,
    ) -> (Vec<String>, Option<(char, char)>) {
        let colon = if manner.tight { ":" } else { ": " };
        match node {
            Node::Array(array) => (array.elements.iter().map(|value| print(0, value)).collect(), Some(('[', ']'))),
            Node::Object(object) => {
                let member = |property: &jsonc_parser::ast::ObjectProp<'_>| {
                    let name = serde_json::Value::from(property.name.as_str()).to_string() + colon;
                    let value = print(name.len(), &property.value);
                    name + &value
                };
                (object.properties.iter().map(member).collect(), Some(('{', '}')))
            }
            _ => (Vec::new(), None),
        }
    }
}
