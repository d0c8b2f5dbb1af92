//! A tree of the paths of one document, so that one pass finds all of them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Step;

/// Paths by their first steps. A named path ends at an empty node.
#[derive(Debug, Default)]
pub(super) struct Paths<'p>(BTreeMap<&'p Step, Paths<'p>>);

impl<'p> Paths<'p> {
    pub(super) fn of(paths: &'p [Vec<Step>]) -> Self {
        let mut whole = Paths::default();
        for path in paths {
            path.iter().fold(&mut whole, |place, step| place.0.entry(step).or_default());
        }
        whole
    }

    /// Returns true if a named path ends here.
    pub(super) fn is_end(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of branches from here.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn below(&self, step: &Step) -> Option<&Paths<'p>> {
        self.0.get(step)
    }

    /// Removes the named entries from `value`. Returns false if one of them is missing.
    pub(super) fn take_out(&self, value: &mut Value) -> bool {
        let (mut seen, mut whole) = (0, true);
        let mut stays = |step: &Step, value: &mut Value| {
            let Some(below) = self.below(step) else { return true };
            seen += 1;
            let stays = !below.is_end();
            whole &= !stays || below.take_out(value);
            stays
        };
        match value {
            Value::Object(members) => members.retain(|name, value| stays(&Step::Key(name.clone()), value)),
            Value::Array(elements) => {
                let mut index = 0;
                elements.retain_mut(|value| {
                    index += 1;
                    stays(&Step::Index(index - 1), value)
                });
            }
            _ => {}
        }
        seen == self.count() && whole
    }
}
