//! A second opinion (P-39): pulldown-cmark decides which lines are headings, items and code. Every difference must have a reason from a
//! short list; without these lines both lists of lines are the same.

use std::collections::{BTreeMap, BTreeSet};

use plan::plan::scan::{LineKind, Scanner};

use pulldown_cmark::{Event, Parser, Tag};

use super::commonmark::examples;

/// Line numbers by the kind of line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Opinion {
    headings: BTreeSet<usize>,
    items: BTreeSet<usize>,
    code: BTreeSet<usize>,
}

/// Lines that the two treat differently: quotes and HTML are text to us.
type Aside = BTreeSet<usize>;

fn ours(text: &str) -> Opinion {
    let mut opinion = Opinion::default();
    let mut scanner = Scanner::new(text.as_bytes(), 0);
    let mut number = 0;
    while let Some(line) = scanner.line() {
        match line.kind {
            LineKind::Heading { .. } => {
                opinion.headings.insert(number);
            }
            LineKind::Item { .. } => {
                opinion.items.insert(number);
            }
            LineKind::Opaque => {
                opinion.code.insert(number);
            }
            _ => {}
        }
        number += 1;
    }
    opinion
}

fn theirs(text: &str) -> (Opinion, Aside) {
    let (mut opinion, mut aside) = (Opinion::default(), Aside::new());
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |at: usize| starts.partition_point(|start| *start <= at) - 1;
    for (event, range) in Parser::new(text).into_offset_iter() {
        let last = range.end.saturating_sub(1).max(range.start);
        let lines = line(range.start)..=line(last);
        match event {
            Event::Start(Tag::Heading { .. }) if text[range.start..].starts_with('#') => {
                opinion.headings.insert(line(range.start));
            }
            Event::Start(Tag::Item) => {
                opinion.items.insert(line(range.start));
            }
            Event::Start(Tag::CodeBlock(_)) => opinion.code.extend(lines),
            Event::Start(Tag::BlockQuote(_)) => aside.extend(lines),
            Event::Start(Tag::HtmlBlock) if text[range.start..].starts_with("<!--") => opinion.code.extend(lines),
            Event::Start(Tag::HtmlBlock) => aside.extend(lines),
            _ => {}
        }
    }
    (opinion, aside)
}

/// The reason for a difference in this line; `None` if there is no good reason.
fn reason(lines: &[&str], at: usize, theirs: &Opinion) -> Option<&'static str> {
    let text = lines[at];
    let bare = text.trim_start_matches([' ', '\t']);
    let indent = text.len() - bare.len();
    let above = at.checked_sub(1).map_or("", |above| lines[above]);
    let marker = marker(bare);
    if is_break(text) {
        return Some("a break or fence content that looks like one is opaque to us either way");
    }
    if bare.trim().is_empty() {
        return Some("a blank line is blank, in code too");
    }
    if marker.is_some_and(|rest| rest.trim().is_empty()) && !above.trim().is_empty() {
        return Some("an empty item after text: CommonMark sees text or an underline");
    }
    if marker.is_some()
        && bare.starts_with(|c: char| c.is_ascii_digit())
        && !bare.starts_with("1.")
        && !bare.starts_with("1)")
        && !above.trim().is_empty()
    {
        return Some("an ordered item after text that does not count from 1");
    }
    if marker.is_some() && indent >= 4 && !above.trim().is_empty() && !theirs.items.contains(&at) {
        return Some("an item indented deep below another's text");
    }
    if marker.is_some_and(|rest| rest.trim_start().starts_with('#')) && theirs.headings.contains(&at) {
        return Some("a heading on an item's own line");
    }
    if marker.is_some_and(|rest| {
        ["```", "~~~", "<!--", "    ", "\t"]
            .iter()
            .any(|code| rest.trim_start_matches(' ').starts_with(code) || rest.starts_with("     "))
    }) {
        return Some("code or a comment on an item's own line");
    }
    if bare.starts_with('#') && indent > 3 && theirs.headings.contains(&at) {
        return Some("a heading indented by more than three columns, in an item");
    }
    None
}

/// The text after a list marker.
fn marker(bare: &str) -> Option<&str> {
    let rest = bare.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        (1..10).contains(&digits).then(|| bare[digits..].strip_prefix(['.', ')'])).flatten()
    })?;
    (rest.trim().is_empty() || rest.starts_with([' ', '\t'])).then_some(rest)
}

fn is_break(line: &str) -> bool {
    let marks: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    marks.len() >= 3 && ["-", "*", "_"].iter().any(|mark| marks.replace(mark, "").is_empty())
}

/// Differences without a reason, and how often each reason was given.
fn compare(text: &str, reasons: &mut BTreeMap<&'static str, usize>) -> Vec<String> {
    let (ours, (theirs, aside)) = (ours(text), theirs(text));
    let lines: Vec<&str> = text.lines().collect();
    let mut open = Vec::new();
    let (mut excused_from, mut html_fence) = (None, false);
    for at in 0..lines.len() {
        let differ = [
            ("heading", &ours.headings, &theirs.headings),
            ("item", &ours.items, &theirs.items),
            ("code", &ours.code, &theirs.code),
        ]
        .into_iter()
        .filter(|(_, ours, theirs)| ours.contains(&at) != theirs.contains(&at));
        if excused_from.is_some()
            && !lines[at].trim().is_empty()
            && !lines[at].starts_with([' ', '\t'])
            && at > 0
            && lines[at - 1].trim().is_empty()
        {
            excused_from = None; // Back at column 0 after a blank line: containers are the same again.
        }
        let bare = lines[at].trim_start();
        html_fence |= aside.contains(&at) && (bare.starts_with("```") || bare.starts_with("~~~"));
        for (what, mine, _) in differ {
            let why = if html_fence {
                Some("below a fence in a block of HTML: HTML to CommonMark, a fence to us")
            } else if aside.contains(&at) {
                Some("inside a quote or HTML, which is text to us")
            } else if excused_from.is_some() {
                Some("what follows such a line, up to the next paragraph at column 0")
            } else {
                reason(&lines, at, &theirs)
            };
            match why {
                Some(why) => {
                    *reasons.entry(why).or_default() += 1;
                    if why != "a blank line is blank, in code too" && !is_break(lines[at]) {
                        excused_from = Some(at);
                    }
                }
                None => open.push(format!(
                    "line {}: {what}, {} say so: {:?}",
                    at + 1,
                    if mine.contains(&at) { "we" } else { "they" },
                    lines[at]
                )),
            }
        }
    }
    open
}

#[test]
fn commonmark_examples() {
    let mut reasons = BTreeMap::new();
    let mut open = Vec::new();
    for example in examples() {
        open.extend(
            compare(&example.markdown, &mut reasons)
                .into_iter()
                .map(|line| format!("example {}: {line}", example.example)),
        );
    }
    eprintln!("{reasons:#?}");
    assert!(open.is_empty(), "{} differences\n{}", open.len(), open.join("\n"));
}

#[test]
fn corpus() {
    let Some(folder) = std::env::var_os("PLAN_CORPUS").map(std::path::PathBuf::from).filter(|folder| folder.is_dir())
    else {
        eprintln!("skipped: PLAN_CORPUS names no folder");
        return;
    };
    let mut reasons = BTreeMap::new();
    let mut open = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        open.extend(
            compare(text.trim_start_matches('\u{feff}'), &mut reasons)
                .into_iter()
                .map(|line| format!("{}: {line}", path.display())),
        );
    }
    eprintln!("{reasons:#?}");
    assert!(open.is_empty(), "{} differences\n{}", open.len(), open.join("\n"));
}
