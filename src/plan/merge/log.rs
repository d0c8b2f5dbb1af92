//! Three-way merge of a log: the lines of both sides, each once, in the order of their stamps.

use std::collections::HashMap;
use std::ops::Range;

use super::Texts;
use super::merged_text::{MergedText, settled};
use super::sequence::{Sequence, Sort, written};
use crate::error::Result;
use crate::plan::model::Plan;

/// A log section's lines without trailing blank lines, in the versions that have the section.
pub(super) type Logs<'p, 'a> = [Option<(&'p Plan<'a>, Range<usize>)>; 3];

/// Merges a log that both sides changed. Lines that a side removed stay removed.
pub(super) fn merge(logs: &Logs<'_, '_>, texts: &mut Texts<'_>) -> Result<MergedText> {
    let whole = logs.each_ref().map(|log| log.as_ref().map(|(plan, range)| &plan.source[range.clone()]));
    if logs.iter().skip(1).any(Option::is_none) {
        return Ok(MergedText::conflict(whole));
    }
    let sequence = sequence(logs);
    let mut merged = Vec::with_capacity(sequence.parts.len());
    for part in &sequence.parts {
        merged.push(match (part.sort, settled(part.text)) {
            (Sort::Prose, _) => part.text.into_iter().flatten().next().map(MergedText::clean),
            (_, Some(text)) => text.map(MergedText::clean),
            (Sort::Blank, None) => part.blank().map(MergedText::clean),
            (_, None) => Some(MergedText::conflict(part.text)),
        });
    }
    match sequence.merge(&merged, texts)? {
        Some(placed) => Ok(written(placed, &merged)),
        None => texts(whole.map(Option::unwrap_or_default)),
    }
}

/// The name of a part of a log: the heading, a line with a stamp (and its number among equal lines), blank lines.
#[derive(PartialEq, Eq, Hash)]
enum LineName<'a> {
    Heading,
    Line(&'a [u8], usize),
    Blank,
}

fn sequence<'a>(logs: &Logs<'_, 'a>) -> Sequence<'a> {
    let mut sequence = Sequence::default();
    let mut known: HashMap<LineName<'a>, u32> = HashMap::new();
    for (version, log) in logs.iter().enumerate() {
        let Some((plan, range)) = log else { continue };
        let source = plan.source;
        let first = plan.log.partition_point(|line| (line.line.start as usize) < range.start);
        let mut stamped = plan.log[first..].iter().take_while(|line| (line.line.start as usize) < range.end).peekable();
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        let mut at = range.start;
        for text in source[range.clone()].split_inclusive(|byte| *byte == b'\n') {
            let start = at;
            at += text.len();
            let line = stamped.next_if(|line| line.line.start as usize == start);
            let (name, sort, key) = match line {
                _ if start == range.start => (LineName::Heading, Sort::Named(0), text),
                Some(line) => {
                    let nth = counts.entry(text).or_default();
                    *nth += 1;
                    (
                        LineName::Line(text, *nth),
                        Sort::Named(1),
                        &source[line.stamp.start as usize..line.line.end as usize],
                    )
                }
                None if start == range.start + heading(source, range) && text.trim_ascii().is_empty() => {
                    (LineName::Blank, Sort::Blank, b"".as_slice())
                }
                None => {
                    sequence.line(version, Sort::Prose, text);
                    continue;
                }
            };
            let index = sequence.named(known.get(&name).copied(), version, sort, text, key);
            known.insert(name, index);
        }
    }
    sequence
}

/// Length of the heading's line.
fn heading(source: &[u8], range: &Range<usize>) -> usize {
    let text = &source[range.clone()];
    memchr::memchr(b'\n', text).map_or(text.len(), |at| at + 1)
}
