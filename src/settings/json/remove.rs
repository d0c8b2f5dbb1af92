//! Removes entries: every byte that [`super::add()`] inserted, and no byte that a person wrote around them.

use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::{Range, Ranged};

use super::paths::Paths;
use super::{SettingsJson, Step, proven, value};
use crate::settings::edit::Edit;

/// Removes the entries at `paths` in one edit, because a repository's file may hold thousands. No entry is inside another.
///
/// # Errors
/// In one line: the text cannot be read, or there is no such entry.
pub(in crate::settings) fn remove(text: &str, paths: &[Vec<Step>]) -> Result<Vec<Edit>, String> {
    let document = SettingsJson::read(text)?;
    let gone = Paths::of(paths);
    let mut expected = value(text)?;
    if gone.is_end() || !gone.take_out(&mut expected) {
        return Err("an entry is not there".to_owned());
    }
    let mut cuts = Vec::new();
    document.gather(document.root.as_ref().ok_or("it is empty")?, &gone, &mut cuts)?;
    cuts.sort_by_key(|cut| cut.start);
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return Err("no entry is named".to_owned()) };
    let between = cuts.windows(2).map(|pair| &text[pair[0].end..pair[1].start]).collect();
    let edit = Edit { at: first.start, old: text[first.start..last.end].to_owned(), new: between };
    proven(text, vec![edit], &expected)
}

/// Returns the white space in each empty list or object of `paths`; `None` if it holds an entry or a comment.
pub(in crate::settings) fn hollow(text: &str, paths: &[Vec<Step>]) -> Vec<Option<String>> {
    let Ok(document) = SettingsJson::read(text) else { return vec![None; paths.len()] };
    paths.iter().map(|path| document.inside(path).map(|(_, space)| space)).collect()
}

/// Puts `space` into the empty list or object at `path`; does nothing if that holds a comment.
///
/// # Errors
/// In one line: the text cannot be read.
pub(in crate::settings) fn fill(text: &str, path: &[Step], space: &str) -> Result<Vec<Edit>, String> {
    match SettingsJson::read(text)?.inside(path) {
        Some((at, old)) if old != space => proven(text, vec![Edit { at, old, new: space.to_owned() }], &value(text)?),
        _ => Ok(Vec::new()),
    }
}

impl SettingsJson<'_> {
    fn inside(&self, path: &[Step]) -> Option<(usize, String)> {
        let node = self.find(path).ok().filter(|node| matches!(node, Node::Object(_) | Node::Array(_)))?;
        let range = node.range();
        let space = &self.text[range.start + 1..range.end - 1];
        space.trim().is_empty().then(|| (range.start + 1, space.to_owned()))
    }

    /// Adds the cuts for all entries in `node` that `gone` names.
    fn gather(&self, node: &Node<'_>, gone: &Paths<'_>, cuts: &mut Vec<Range>) -> Result<(), String> {
        let items: Vec<(Step, Range, &Node<'_>)> = match node {
            Node::Object(object) => {
                let member = |one: &jsonc_parser::ast::ObjectProp<'_>| Step::Key(one.name.as_str().to_owned());
                object.properties.iter().map(|one| (member(one), one.range, &one.value)).collect()
            }
            Node::Array(array) => {
                array.elements.iter().enumerate().map(|(at, one)| (Step::Index(at), one.range(), one)).collect()
            }
            _ => return Err("an entry is not of the expected kind".to_owned()),
        };
        let mut going = Vec::with_capacity(items.len());
        for (step, _, value) in &items {
            let below = gone.below(step);
            going.push(below.is_some_and(Paths::is_end));
            if let Some(below) = below.filter(|below| !below.is_end()) {
                self.gather(value, below, cuts)?;
            }
        }
        // If a name occurs twice, readers differ on which one counts.
        if items.iter().filter(|(step, ..)| gone.below(step).is_some()).count() != gone.count() {
            return Err("an entry is there twice".to_owned());
        }
        let ranges: Vec<Range> = items.iter().map(|(_, range, _)| *range).collect();
        cuts.extend(self.cuts(node.range(), &ranges, &going));
        Ok(())
    }

    /// Returns the cuts for the items that are `going`: their bytes, the white space before them, and one comma for each.
    fn cuts(&self, holder: Range, items: &[Range], going: &[bool]) -> Vec<Range> {
        let inner = Range::new(holder.start + 1, holder.end - 1);
        if !going.is_empty() && going.iter().all(|going| *going) && !self.has_comment(inner) {
            return vec![inner];
        }
        let mut cuts = Vec::new();
        let mut stays = None;
        let mut index = 0;
        while index < items.len() {
            if !going[index] {
                stays = Some(items[index]);
                index += 1;
                continue;
            }
            // Neighbouring items without a comment between them are one cut.
            let first = index;
            while going.get(index + 1) == Some(&true)
                && !self.has_comment(Range::new(items[index].end, items[index + 1].start))
            {
                index += 1;
            }
            self.cut(Range::new(items[first].start, items[index].end), stays, &mut cuts);
            index += 1;
        }
        cuts
    }

    /// Adds the cuts for one item; `before` is the last item before it that stays.
    fn cut(&self, item: Range, before: Option<Range>, cuts: &mut Vec<Range>) {
        let text = self.text;
        let Range { start, end } = item;
        let after = self.token(end);
        let comma = text[after..].starts_with(',').then_some(after);
        let is_next = |at: usize| text[end..at].trim().is_empty();
        let behind = comma.filter(|at| is_next(*at)).map_or(end, |at| at + 1);
        let mut from = text[..start].trim_end_matches([' ', '\t', '\r', '\n']).len();
        // The rest of the line would become part of the comment before it.
        if self.is_line_comment_end(from) && !text[behind..].starts_with(['\n', '\r']) {
            from = start;
        }
        match comma {
            Some(at) if is_next(at) => cuts.push(Range::new(from, at + 1)),
            Some(at) => cuts.extend([Range::new(from, end), Range::new(at, at + 1)]),
            None => {
                let comma = before.map(|before| self.token(before.end));
                cuts.extend(comma.map(|at| Range::new(at, at + 1)));
                cuts.push(Range::new(from, end));
            }
        }
    }
}
