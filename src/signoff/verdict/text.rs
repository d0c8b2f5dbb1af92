//! The answer as lines.
//!
//! ```text
//! answer  = anything, { think }, "SIGNOFF[" nonce "]", { line }, "VERDICT[" nonce "]: " ( "accept" | "reject" )
//! line    = "probe: " token | "C" n " met: " citation | "C" n " not met: " text
//!         | "F" n " ruled out: " citation | "F" n " not ruled out: " text
//!         | "missing: " text | "notes: " text | anything else, which says nothing
//! think   = [ "<think>" ] anything "</think>", each from the start of a line
//! ```

use super::{Answer, Asked, Broken, Id, Line, MAX_ANSWER, Word, add, says_none};
use crate::signoff::plain::one_line;

/// The bytes as text that holds nothing but text.
pub(super) fn clean(bytes: &[u8]) -> Result<&str, Broken> {
    if bytes.len() > MAX_ANSWER {
        return Err(Broken::TooLong);
    }
    let line_of = |offset: usize| memchr::memchr_iter(b'\n', &bytes[..offset]).count() + 1;
    let text = std::str::from_utf8(bytes).map_err(|error| Broken::NotUtf8 { line: line_of(error.valid_up_to()) })?;
    for (byte, name) in [(0x1b, "ESC"), (b'\r', "CR"), (0, "NUL")] {
        if let Some(at) = memchr::memchr(byte, bytes) {
            return Err(Broken::Control { name, line: line_of(at) });
        }
    }
    if text.trim().is_empty() {
        return Err(Broken::Silent);
    }
    Ok(text)
}

/// Reads the block that stands at the end of `text`.
pub(super) fn parse(text: &str, nonce: &str, asked: Asked) -> Result<Answer, Broken> {
    let (lines, thought_until) = without_thoughts(text);
    let head = format!("SIGNOFF[{nonce}]");
    let tail = format!("VERDICT[{nonce}]");
    let start = lines.iter().rposition(|line| bare(line) == head).ok_or(Broken::NoBlock)?;
    let verdicts: Vec<usize> = (0..lines.len()).filter(|&index| bare(lines[index]).starts_with(&tail)).collect();
    let end = match verdicts[..] {
        [end] if end > start => end,
        [] | [_] => return Err(Broken::NoVerdict),
        _ => return Err(Broken::ManyVerdicts { count: verdicts.len() }),
    };
    let after = lines[end + 1..].iter().find(|line| !bare(line).is_empty()).copied();
    if let Some(text) = after.or((thought_until > end).then_some("<think>")) {
        return Err(Broken::TextAfter { text: excerpt(text) });
    }
    let verdict = word(bare(lines[end]), &tail)?;
    fields(&lines[start + 1..end], asked, verdict)
}

/// The lines outside `<think>` blocks, and how many of them stood before the end of the last such block.
///
/// A block that never ends swallows everything: an answer in it was not given.
fn without_thoughts(text: &str) -> (Vec<&str>, usize) {
    let mut lines = Vec::new();
    let mut until = 0;
    let mut thinking: Option<&str> = None;
    for line in text.split('\n') {
        let mut rest = line;
        if thinking.is_none() {
            let found = [("<think>", "</think>"), ("<thinking>", "</thinking>")]
                .into_iter()
                .find_map(|(open, close)| Some((line.trim_start().strip_prefix(open)?, close)));
            if let Some((inside, close)) = found {
                thinking = Some(close);
                rest = inside;
            } else if let Some(outside) = line.trim_start().strip_prefix("</think>") {
                // Some models' templates open the block for them: all before was thought.
                lines.clear();
                until = 0;
                rest = outside;
            }
        }
        if let Some(close) = thinking {
            until = lines.len();
            let Some((_, outside)) = rest.split_once(close) else { continue };
            thinking = None;
            rest = outside;
        }
        lines.push(rest);
    }
    (lines, until)
}

/// A line without white space, `*`, `_` and backticks around it.
fn bare(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || is_decoration(c))
}

fn is_decoration(c: char) -> bool {
    matches!(c, '*' | '_' | '`')
}

/// `accept` or `reject`, from a line that begins with `tail`. The colon may stand inside the emphasis or outside.
fn word(line: &str, tail: &str) -> Result<Word, Broken> {
    let rest = line.strip_prefix(tail).unwrap_or_default().trim_start_matches(is_decoration);
    match rest.strip_prefix(':').map(bare) {
        Some("accept") => Ok(Word::Accept),
        Some("reject") => Ok(Word::Reject),
        other => Err(Broken::NotAWord { found: excerpt(other.unwrap_or(rest)) }),
    }
}

/// What stands between head and verdict.
fn fields(lines: &[&str], asked: Asked, verdict: Word) -> Result<Answer, Broken> {
    let mut probe = None;
    let mut answers = Vec::new();
    let mut missing = Vec::new();
    let mut notes = Vec::new();
    let mut below = Below::Nothing;
    for line in lines {
        let Some((key, value)) = key_value(line) else {
            missing.extend(below.entry(bare(line)));
            continue;
        };
        below = Below::Nothing;
        match key {
            "probe" if probe.is_some() => return Err(Broken::Twice { what: "probe".to_owned() }),
            "probe" => probe = Some(bare(value).to_owned()),
            "missing" => {
                below = if value.is_empty() { Below::Lines } else { Below::Items };
                missing.push(one_line(value));
            }
            "notes" => notes.push(one_line(value)),
            _ => {
                if let Some((id, holds)) = answer(key) {
                    add(&mut answers, asked, Line { id, holds, text: one_line(value) })?;
                }
            }
        }
    }
    missing.retain(|entry| !says_none(entry));
    let probe = probe.filter(|probe| !probe.is_empty()).ok_or(Broken::NoProbe)?;
    Ok(Answer { probe, lines: answers, missing, notes, verdict })
}

/// Key and value of a line that has one of the keys. Emphasis may stand around the line or around the key.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let line = paired(line.trim());
    let (key, value) = line.split_once(':')?;
    let name = bare(key);
    if !matches!(name, "probe" | "missing" | "notes") && answer(name).is_none() {
        return None;
    }
    let emphasis = &key[..key.len() - key.trim_start_matches(is_decoration).len()];
    let value = match emphasis {
        "" => value,
        _ => value.strip_prefix(emphasis).unwrap_or(value),
    };
    Some((name, value.trim()))
}

/// `C1 met` and its kin.
fn answer(key: &str) -> Option<(Id, bool)> {
    let (id, words) = key.split_once(' ')?;
    let id = Id::read(id)?;
    Some((id, id.holds(words.trim())?))
}

/// A line without emphasis that opens and closes it; what stands at one end only may belong to a citation.
fn paired(line: &str) -> &str {
    let mut line = line;
    while let Some(mark @ ('*' | '_' | '`')) = line.chars().next() {
        match line.strip_prefix(mark).and_then(|inner| inner.strip_suffix(mark)) {
            Some(inner) => line = inner,
            None => break,
        }
    }
    line.trim()
}

/// What a line without a key is, below `missing:`. A judge that writes a list there misses something all the same.
#[derive(Clone, Copy)]
enum Below {
    Nothing,
    Items,
    Lines,
}

impl Below {
    fn entry(self, line: &str) -> Option<String> {
        let item = line.strip_prefix(['-', '+', '•']);
        match self {
            Below::Nothing => None,
            Below::Items => item.map(one_line),
            Below::Lines => Some(one_line(item.unwrap_or(line))),
        }
    }
}

fn excerpt(text: &str) -> String {
    one_line(text).chars().take(60).collect()
}
