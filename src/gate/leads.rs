//! Scans of text. The look of a text only raises suspicion, so a hit is a lead for the judge and the reader and never
//! blocks (`SIGNOFF.md` §4). Each file is one scan of the lines added since the goal's start, and reports a few hits at
//! most. Two more leads in the list, `start::before` and `items::unchecked_modes`, scan no lines.

mod build_narrowed;
mod call_counts;
mod deletions;
mod empty_assertions;
pub(crate) mod grep_of_written;
mod links_out;
pub(crate) mod masks;
mod moved_out_of_sight;
mod outside_goal;
mod runner_names;
mod skips;
mod stubs;
mod swallowed;
mod test_literals;
mod work_unused;

use super::facts::{ChangedFile, GateFacts};
use super::source_text::counts;
use super::{GateFinding, items, start};
use crate::plan::text::{cut, plain_line};

/// How many hits a scan reports.
const MOST: usize = 3;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let scans: [fn(&GateFacts<'_>) -> Vec<GateFinding>; 17] = [
        masks::find,
        grep_of_written::find,
        test_literals::find,
        runner_names::find,
        empty_assertions::find,
        skips::find,
        start::before,
        stubs::find,
        deletions::find,
        outside_goal::find,
        links_out::find,
        items::unchecked_modes,
        swallowed::find,
        call_counts::find,
        work_unused::find,
        moved_out_of_sight::find,
        build_narrowed::find,
    ];
    scans.iter().flat_map(|scan| scan(facts).into_iter().take(MOST)).collect()
}

/// Returns the files that differ from the base, except files under `may_change`.
fn changed<'f>(facts: &'f GateFacts<'_>) -> impl Iterator<Item = &'f ChangedFile> {
    let files = facts.base.iter().flat_map(|base| &base.changed);
    files.filter(|file| !facts.harness.may_change(&file.path))
}

/// Returns the changed tests and harness files; with `tests` false, all other changed source code.
fn sources<'f>(facts: &'f GateFacts<'_>, tests: bool) -> impl Iterator<Item = &'f ChangedFile> {
    changed(facts).filter(move |file| match tests {
        true => facts.harness.is_harness(&file.path),
        false => super::harness::is_code(&file.path) && !facts.harness.is_harness(&file.path),
    })
}

/// Returns the lines that a file gained, with their numbers. A moved line does not count.
pub(super) fn added(file: &ChangedFile) -> Vec<(usize, &str)> {
    let mut old = counts(file.then.iter().flat_map(|text| text.lines()).map(str::trim));
    let Some(now) = &file.now else { return Vec::new() };
    let mut is_new = |line: &str| match old.get_mut(line.trim()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => !line.trim().is_empty(),
    };
    now.lines().enumerate().filter(|(_, line)| is_new(line)).map(|(at, line)| (at + 1, line)).collect()
}

struct AddedLine<'f> {
    file: &'f ChangedFile,
    number: usize,
    text: &'f str,
}

fn lines<'f>(files: impl Iterator<Item = &'f ChangedFile>) -> impl Iterator<Item = AddedLine<'f>> {
    files.flat_map(|file| added(file).into_iter().map(move |(number, text)| AddedLine { file, number, text }))
}

/// Returns a lead for each of the first lines. The finding shows the line after the text `says`.
fn at_each<'f>(
    lines: impl Iterator<Item = AddedLine<'f>>,
    code: &'static str,
    expected: &str,
    says: &str,
    resolve: &str,
) -> Vec<GateFinding> {
    let lead = |AddedLine { file, number, text }| {
        at(file, number, code, expected, format!("{says}: `{}`", shown(text)), resolve)
    };
    lines.take(MOST).map(lead).collect()
}

fn at(file: &ChangedFile, line: usize, code: &'static str, expected: &str, seen: String, resolve: &str) -> GateFinding {
    GateFinding::lead(code, expected, seen, resolve).at(format!("{}:{line}", file.path.display()))
}

/// Returns a short form of the line for display, without control characters.
fn shown(line: &str) -> String {
    cut(&plain_line(line), 100)
}
