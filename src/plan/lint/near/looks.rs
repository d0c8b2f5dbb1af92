//! Tells which structure a line of prose resembles.

use crate::plan::model::{GoalKind, Key, Mark, Status};

/// Returns why a heading that begins with `Goal` is no goal. `None` if it is a goal, or if it is about something else.
pub(super) fn goal_heading(level: u8, text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    let rest = text.get(..4).filter(|word| word.eq_ignore_ascii_case("goal")).map(|_| &text[4..])?;
    let colon = rest.starts_with(':');
    let after = rest.trim_start();
    let separated =
        after.starts_with(['-', '–', '—', '.', ':', '#', '=', '：']) || rest.trim().is_empty() && level == 2;
    let numbered =
        after.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with([':', '-', '–', '—', '.'])
            && after.starts_with(|c: char| c.is_ascii_digit());
    match (level, colon) {
        (2, true) => None,
        (0, _) if colon || separated => Some("a space is missing"),
        (2, false) if separated || numbered => Some("put a colon directly after the word `Goal`"),
        (1, true) => Some("its heading has level 1, a goal's has level 2"),
        (_, true) => Some("its heading is deeper than level 2"),
        _ => None,
    }
}

/// Whether a heading is `Goal` and more words, without a colon. It was meant as a goal if the lines below it look like a goal's.
pub(super) fn goal_without_colon(text: &str) -> bool {
    let rest = text.get(..4).filter(|word| word.eq_ignore_ascii_case("goal")).map(|_| &text[4..]);
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']) && !rest.trim().is_empty())
}

/// Whether a heading begins with a misspelt `Goal` and a colon. It was meant as a goal if the lines below it look like a goal's.
pub(super) fn goal_misspelt(text: &str) -> bool {
    let Some((word, _)) = text.split_once(':') else { return false };
    let word = word.trim().to_ascii_lowercase();
    word != "goal" && strsim::damerau_levenshtein("goal", &word) == 1
}

pub(super) fn is_nearly_log(text: &str) -> bool {
    ["logs", "log:", "logs:"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a line underlines the line above, which makes that line a heading in Markdown. Two characters are too few to tell.
pub(super) fn is_underline(text: &str) -> bool {
    let text = text.trim_end();
    text.len() > 2 && text.bytes().all(|byte| byte == b'=')
}

/// The reason why brackets are not read as a checkbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checkbox {
    /// `- [X ]`, `- []`
    Width,
    /// `- [v]`
    Mark,
    /// `- [ ]text`
    Space,
    /// `-[ ]`
    Bullet,
    /// `1. [ ]`
    Ordered,
}

impl Checkbox {
    pub(super) const fn sentence(self) -> &'static str {
        match self {
            Checkbox::Width => "exactly one character belongs between the brackets",
            Checkbox::Mark => "the character between the brackets is not a mark",
            Checkbox::Space => "put a space after the brackets",
            Checkbox::Bullet => "put `- ` before the brackets",
            Checkbox::Ordered => "its list is numbered, a step begins with `- `",
        }
    }
}

/// Returns the fault of the brackets that an item begins with.
pub(super) fn checkbox(text: &str, ordered: bool) -> Option<Checkbox> {
    let (inner, after) = brackets(text)?;
    let mark = inner.trim();
    let single = inner.chars().count() == 1;
    let known = single && inner.bytes().next().is_some_and(|byte| Mark::from_byte(byte).is_some());
    if !mark.is_empty() && !MARKS.contains(&mark) {
        None
    } else if !single {
        Some(Checkbox::Width)
    } else if !known {
        Some(Checkbox::Mark)
    } else if !after.is_empty() && !after.starts_with([' ', '\t']) {
        Some(Checkbox::Space)
    } else {
        ordered.then_some(Checkbox::Ordered)
    }
}

/// Returns the fault of a line that begins like a step, but is no item.
pub(super) fn checkbox_line(text: &str) -> Option<Checkbox> {
    let bare = text.trim_start_matches(['-', '*', '+', '–', '—', '•', '·', '◦']).trim_start();
    let (inner, _) = brackets(bare)?;
    (inner.chars().count() <= 3 && (inner.trim().is_empty() || MARKS.contains(&inner.trim())))
        .then_some(Checkbox::Bullet)
}

/// True if a text begins with a correct checkbox.
pub(super) fn is_checkbox(text: &str) -> bool {
    brackets(text).is_some_and(|(inner, _)| inner.len() == 1 && Mark::from_byte(inner.as_bytes()[0]).is_some())
}

/// Returns the text between the brackets that a text begins with, and the text after them; `None` for links and footnotes.
fn brackets(text: &str) -> Option<(&str, &str)> {
    let (inner, after) = text.strip_prefix('[')?.split_once(']')?;
    (inner.len() <= 4 && !after.starts_with(['(', '[', ':'])).then_some((inner, after))
}

/// The marks that users put between the brackets of a step.
const MARKS: [&str; 21] =
    ["x", "X", "/", "!", "-", "*", "v", "V", "✓", "✔", "✗", "✘", "~", ">", "o", "O", "+", ".", "?", "√", "☑"];

/// Returns the key that a line begins with in some spelling, and the length of that spelling: `Done_when:`, `doneWhen:`, `Verify :`,
/// `failure modes:`, `**Status:** open`.
pub(super) fn key(text: &str) -> Option<(Key, usize)> {
    let colon = text.bytes().take(40).position(|byte| byte == b':')?;
    let spelled = text[..colon].trim_end();
    let letters = || spelled.bytes().filter(|byte| !matches!(byte, b'_' | b'-' | b' ' | b'*' | b'`'));
    if letters().any(|byte| !byte.is_ascii_alphabetic()) {
        return None;
    }
    let same = |key: &Key| {
        let word = key.word().bytes().filter(|byte| *byte != b'_');
        letters().map(|byte| byte.to_ascii_lowercase()).eq(word)
            || *key == Key::FailureModes && letters().map(|byte| byte.to_ascii_lowercase()).eq(*b"failuremode")
    };
    Key::ALL.into_iter().find(same).map(|key| (key, spelled.len()))
}

/// Returns the misspelt key that a line begins with, and the length of its spelling: `prioritiy:`. Short keys are too similar to
/// other words; they count only if the value is one of `kind`.
pub(super) fn misspelt(text: &str) -> Option<(Key, usize)> {
    let length = text.bytes().position(|byte| !(byte.is_ascii_lowercase() || byte == b'_'))?;
    let spelled = text[..length].trim_matches('_');
    let is_kind = || GoalKind::from_word(text[length..].trim_start_matches(':').trim()).is_some();
    let is_near = |key: &Key| {
        let word = key.word();
        let slips = if word.len() < 8 { 1 } else { 2 };
        (word.len() > 4 || is_kind())
            && word.as_bytes().first() == spelled.as_bytes().first()
            && strsim::damerau_levenshtein(word, spelled) <= slips
    };
    Key::ALL.into_iter().find(is_near).filter(|_| text[length..].starts_with(':')).map(|key| (key, length))
}

/// Returns the key of a line such as `verify = x`, and the length up to and including its `=`.
pub(super) fn assigned(text: &str) -> Option<(Key, usize)> {
    let (front, value) = text.split_once('=')?;
    let is_it = |key: &Key| front.trim_end() == key.word() && !value.starts_with(['=', '~']);
    Key::ALL.into_iter().find(is_it).map(|key| (key, front.len() + 1))
}

/// Returns the key of a text that would be a field at the start of its line. Keys that are also ordinary words need a value that fits.
pub(super) fn field(text: &str) -> Option<Key> {
    let (word, value) = text.split_once(':')?;
    let value = value.trim();
    Key::ALL.into_iter().find(|key| key.word() == word).filter(|key| match key {
        Key::Status => Status::from_word(value).is_some(),
        Key::Kind => GoalKind::from_word(value).is_some(),
        Key::Priority => matches!(value, "1" | "2" | "3" | "4"),
        Key::Needs | Key::Evidence => false,
        Key::DoneWhen | Key::Verify | Key::FailureModes | Key::MayChange => true,
    })
}

/// Whether a comment gives an id in some spelling.
pub(super) fn is_nearly_id(text: &str) -> bool {
    let Some(inner) = text.strip_prefix("<!--") else { return false };
    let inner = inner.trim_start();
    inner.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("id"))
        && inner[2..].trim_start().starts_with([':', '='])
}
