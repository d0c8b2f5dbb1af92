//! Reads the answer as lines.
//!
//! ```text
//! answer  = anything, { think }, "SIGNOFF[" nonce "]", { line }, "VERDICT[" nonce "]: " ( "accept" | "reject" )
//! line    = "probe: " token | "C" n " met: " citation | "C" n " not met: " text
//!         | "F" n " ruled out: " citation | "F" n " not ruled out: " text
//!         | "missing: " text | "notes: " text | anything else, which says nothing
//! think   = [ "<think>" ] anything "</think>", each from the start of a line
//! ```
//!
//! Each line may be in any form that [`super::form`] reads. A citation may be on the lines below its answer.

use std::borrow::Cow;

use super::form::{self, bare, is_decoration, says_none, unlisted, value};
use super::{
    Id, JudgeAnswer, MAX_ANSWER, NO_BLOCK, NO_PROBE, Questions, VerdictLine, Word, add, excerpt, not_a_word, twice,
};
use crate::signoff::sanitize::one_line;

const NO_VERDICT: &str = "no `VERDICT[…]` line with the nonce of this run after the last `SIGNOFF[…]`";

/// Decodes the bytes as plain text, and converts line ends from DOS.
pub(super) fn clean(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    if bytes.len() > MAX_ANSWER {
        return Err("the answer is longer than 4 MiB".to_owned());
    }
    let line_of = |offset: usize| memchr::memchr_iter(b'\n', &bytes[..offset]).count() + 1;
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("the answer is not UTF-8 (line {})", line_of(error.valid_up_to())))?;
    let alone = memchr::memchr_iter(b'\r', bytes).find(|at| !matches!(bytes.get(at + 1), None | Some(b'\n')));
    for (at, name) in [(memchr::memchr(0x1b, bytes), "ESC"), (alone, "CR"), (memchr::memchr(0, bytes), "NUL")] {
        if let Some(at) = at {
            return Err(format!("the answer contains {name} (line {}); expected plain text", line_of(at)));
        }
    }
    if text.trim().is_empty() {
        return Err("the judge said nothing".to_owned());
    }
    Ok(if text.contains('\r') { Cow::Owned(text.replace('\r', "")) } else { Cow::Borrowed(text) })
}

/// Returns the JSON object that the whole text is, if it is one: from a model that follows the schema.
pub(super) fn object(text: &str) -> Option<String> {
    let (lines, _) = without_thoughts(text);
    let whole = lines.join("\n");
    let inner = whole.trim().trim_start_matches("```json").trim_matches('`').trim();
    (inner.starts_with('{') && inner.ends_with('}')).then(|| inner.to_owned())
}

/// Reads the block at the end of `text`.
pub(super) fn parse(text: &str, nonce: &str, asked: Questions) -> Result<JudgeAnswer, String> {
    let (lines, thought_until) = without_thoughts(text);
    let is_head =
        |line: &&str| form::framed(line, "SIGNOFF", nonce).is_some_and(|rest| bare(rest).trim_matches(':').is_empty());
    let start = lines.iter().rposition(is_head).ok_or(NO_BLOCK)?;
    let frame = format!("verdict[{nonce}]");
    // In the block, a verdict anywhere in a line counts too, because a second verdict is one too many.
    let is_tail = |&index: &usize| match index > start {
        true => lines[index].to_lowercase().contains(&frame),
        false => form::framed(lines[index], "VERDICT", nonce).is_some(),
    };
    let verdicts: Vec<usize> = (0..lines.len()).filter(is_tail).collect();
    let end = match verdicts[..] {
        [end] if end > start => end,
        [] | [_] => return Err(NO_VERDICT.to_owned()),
        _ => {
            let count = verdicts.len();
            return Err(format!("{count} `VERDICT[…]` lines with the nonce of this run; expected one, at the end"));
        }
    };
    // The end of a fence or a rule has no word.
    let is_blank = |c: char| c.is_whitespace() || is_decoration(c) || matches!(c, '-' | '=' | '~');
    let after = lines[end + 1..].iter().find(|line| !line.chars().all(is_blank)).copied();
    if let Some(text) = after.or((thought_until > end).then_some("<think>")) {
        let text = excerpt(text);
        return Err(format!("text after the verdict: `{text}`; expected the `VERDICT[…]` line to be the last"));
    }
    let verdict = word(form::framed(lines[end], "VERDICT", nonce).ok_or(NO_VERDICT)?)?;
    fields(&lines[start + 1..end], asked, verdict)
}

/// Returns the lines outside `<think>` blocks, and how many of them came before the end of the last such block.
///
/// A block that never ends swallows everything, because an answer in it was not given.
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
                // Some models' templates open the block for them, so everything before this was thought.
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

/// Reads `accept` or `reject` from the text after the frame.
fn word(rest: &str) -> Result<Word, String> {
    let rest = bare(rest);
    let said = rest.trim_start_matches([':', '=', '-', '–', '—']);
    form::word(said).ok_or_else(|| not_a_word(bare(said)))
}

enum Field<'t> {
    Probe(&'t str),
    Missing(&'t str),
    Notes(&'t str),
    Answer(Id, bool, &'t str),
}

/// Reads the lines between head and verdict.
fn fields(lines: &[&str], asked: Questions, verdict: Word) -> Result<JudgeAnswer, String> {
    let mut answer =
        JudgeAnswer { probe: String::new(), lines: Vec::new(), missing: Vec::new(), notes: Vec::new(), verdict };
    let mut below = Below::Nothing;
    for line in lines {
        let Some(field) = field(line) else {
            if let Some(id) = form::unclear(line).filter(|id| asked.has(*id)) {
                let (yes, text) = (id.yes(), excerpt(line));
                return Err(format!("`{text}` is not clear; expected `{id} {yes}: citation` or `{id} not {yes}: why`"));
            }
            below.take(line, &mut answer);
            continue;
        };
        below = Below::Nothing;
        match field {
            Field::Probe(_) if !answer.probe.is_empty() => return Err(twice("probe")),
            Field::Probe(token) => value(token).clone_into(&mut answer.probe),
            Field::Missing(text) => {
                below = if text.is_empty() { Below::Lines } else { Below::Items };
                answer.missing.push(one_line(text));
            }
            Field::Notes(text) => answer.notes.push(one_line(text)),
            Field::Answer(id, holds, text) => {
                let known = answer.lines.len();
                add(&mut answer.lines, asked, VerdictLine { id, holds, text: one_line(text) })?;
                if text.is_empty() && answer.lines.len() > known {
                    below = Below::Citation;
                }
            }
        }
    }
    answer.missing.retain(|entry| !says_none(entry));
    if answer.probe.is_empty() { Err(NO_PROBE.to_owned()) } else { Ok(answer) }
}

/// Reads a line with content. Emphasis may be around the line or around its keyword.
fn field(line: &str) -> Option<Field<'_>> {
    let line = paired(unlisted(line));
    let named = line.split_once(':').and_then(|(key, text)| {
        let emphasis = &key[..key.len() - key.trim_start_matches(is_decoration).len()];
        let text = match emphasis {
            "" => text,
            _ => text.strip_prefix(emphasis).unwrap_or(text),
        };
        match bare(key).to_ascii_lowercase().as_str() {
            "probe" => Some(Field::Probe(text.trim())),
            "missing" => Some(Field::Missing(text.trim())),
            "notes" | "note" => Some(Field::Notes(text.trim())),
            _ => None,
        }
    });
    named.or_else(|| form::answer(line).map(|(id, holds, text)| Field::Answer(id, holds, text)))
}

/// Removes emphasis that opens and closes a line. A mark at only one end may belong to a citation.
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

/// The meaning of a line without a keyword: below `missing:` it is one more missing thing, because a judge may write a
/// list there; below an answer it is the citation.
#[derive(Clone, Copy)]
enum Below {
    Nothing,
    Items,
    Lines,
    Citation,
}

impl Below {
    fn take(self, line: &str, answer: &mut JudgeAnswer) {
        let line = bare(line);
        let item = line.strip_prefix(['-', '+', '•']);
        match self {
            Below::Nothing => {}
            Below::Items => answer.missing.extend(item.map(one_line)),
            Below::Lines => answer.missing.push(one_line(item.unwrap_or(line))),
            Below::Citation => {
                let Some(last) = answer.lines.last_mut().filter(|_| !line.is_empty()) else { return };
                let text = one_line(unlisted(item.unwrap_or(line)));
                last.text = if last.text.is_empty() { text } else { format!("{}; {text}", last.text) };
            }
        }
    }
}
