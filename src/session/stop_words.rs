//! Recognises a user's stop (`INJECTION.md` §4): the first or last sentence of the message is a stop phrase and nothing else.
//! A stop word inside an instruction (`stop using mocks`) does not count.

#[rustfmt::skip]
mod phrases;
#[cfg(test)]
mod tests;

use phrases::{COMMON, CONTROLS, LANGUAGES, Language, NOES, OPENERS, WHOLE};

/// The maximum length of a stop sentence in plain form, in characters: a longer sentence says more than stop.
const LONGEST: usize = 80;
/// The maximum number of sentences that are examined in search of a stop after filler words: each is compared with every phrase.
const MOST_FILLERS: usize = 16;

/// True if a message asks to stop. A missed stop costs one unwanted push; a false stop pauses the user's loop.
pub(super) fn says_stop(text: &str) -> bool {
    let lines = spoken(text);
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return false };
    let next = lines.get(1).copied();
    let previous = lines.len().checked_sub(2).and_then(|at| lines.get(at)).copied();
    let (opening, closing) = (sentences(first), sentences(last));
    let is_one = lines.len() == 1 && opening.len() == 1;
    if is_one && is_made_of(opening[0], WHOLE) {
        return true;
    }
    let opens = || {
        let mut senses = opening.iter().take(MOST_FILLERS).map(|one| (*one, sense(one)));
        let told = senses.find(|(_, sense)| *sense != Sense::Filler);
        told.is_some_and(|(one, sense)| sense == Sense::Stop || begins(one))
    };
    let closes = || {
        let mut senses = closing.iter().rev().take(MOST_FILLERS).map(|one| sense(one));
        senses.find(|sense| *sense != Sense::Filler) == Some(Sense::Stop)
    };
    // If the message is one sentence, it is examined only once.
    (!is_listed(first, next) && opens()) || (!is_one && !is_listed(last, previous) && closes())
}

/// The meaning of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sense {
    /// Stop, surrounded only by filler words.
    Stop,
    /// Only filler words: `please`, `ok thanks`.
    Filler,
    /// Anything else.
    Other,
}

fn sense(sentence: &str) -> Sense {
    match sentence {
        stop if is_stop(stop) => Sense::Stop,
        filler if is_filler(filler) => Sense::Filler,
        _ => Sense::Other,
    }
}

/// Returns the lines that the user wrote, without fenced code and quotes.
pub(super) fn spoken(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with('>') {
            lines.push(line);
        }
    }
    lines
}

/// True if a line is part of a list: `- stop`, or a line next to a single word or next to a line that ends in `:` or `,`.
fn is_listed(line: &str, neighbour: Option<&str>) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_item = line.starts_with(['-', '*', '+', '•']) || (digits != line && digits.starts_with(['.', ')']));
    let is_button = |line: &str| CONTROLS.contains(&&*plain(line)) || !(is_filler(line) || is_stop(line));
    let is_word = |line: &str| line.ends_with([':', ',']) || (!line.contains(char::is_whitespace) && is_button(line));
    is_item || neighbour.is_some_and(is_word)
}

/// Returns the sentences of a line. A full stop inside a word (`plan.md`) does not end a sentence.
fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_last = chars.peek().is_none_or(|(_, next)| next.is_whitespace() || is_end(*next));
        let ends = match c {
            '.' | '!' | '?' => is_last,
            '-' | '–' => is_last && line[..at].ends_with(char::is_whitespace),
            c => is_end(c),
        };
        if ends {
            found.push(&line[from..at]);
            from = at + c.len_utf8();
        }
    }
    found.push(&line[from..]);
    found.retain(|sentence| sentence.contains(char::is_alphanumeric));
    found
}

fn is_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '—' | ';' | '。' | '！' | '？' | '；' | '।' | '؟' | '(' | ')')
}

/// True for a stop phrase that is surrounded only by filler words.
fn is_stop(sentence: &str) -> bool {
    let is_no = |(word, _): &(&str, &str)| NOES.contains(&&*plain(word));
    let sentence = sentence.split_once([',', '，', '、']).filter(is_no).map_or(sentence, |(_, rest)| rest).trim();
    // A sentence that ends in a colon announces the next one.
    let plain = plain_if_short(sentence).filter(|_| !sentence.ends_with([':', '：']));
    plain.is_some_and(|plain| {
        LANGUAGES.iter().any(|language| eats(&plain, &[language.stop, COMMON.stop], language, false))
    })
}

/// True if a sentence begins with a stop: `Stop, I want to look first`, but not the list in `Stop, pause and play need icons`.
fn begins(sentence: &str) -> bool {
    let mut marks = sentence.match_indices([',', '，', '、']).take_while(|(at, _)| *at <= 4 * LONGEST);
    marks.any(|(at, mark)| {
        let rest: String = sentence[at + mark.len()..].chars().take(LONGEST).collect();
        let (first, rest) = (&sentence[..at], plain(&rest));
        let is_list = CONTROLS.iter().any(|word| after(&rest, word).is_some());
        !rest.is_empty() && !is_list && is_stop(first) && !is_made_of(first, OPENERS)
    })
}

/// True for words that may surround a stop and have no meaning themselves: `please`, `ok thanks`.
fn is_filler(sentence: &str) -> bool {
    let plain = plain_if_short(sentence);
    plain.is_some_and(|plain| LANGUAGES.iter().any(|language| eats(&plain, &[], language, true)))
}

/// True if the sentence consists of phrases in `stops` and filler words of one language.
fn is_made_of(sentence: &str, stops: &[&str]) -> bool {
    let plain = plain_if_short(sentence);
    plain.is_some_and(|plain| LANGUAGES.iter().any(|language| eats(&plain, &[stops], language, false)))
}

/// True if `text` consists only of phrases in `stops` and filler words. It needs at least one stop phrase, unless `is_said`.
fn eats(text: &str, stops: &[&[&str]], language: &Language, is_said: bool) -> bool {
    // Each rest is examined once: each repetition of a phrase made of other phrases (`今すぐ`) would double the number of ways.
    let mut seen = vec![[false; 2]; text.len() + 1];
    let mut open = vec![(text, is_said)];
    while let Some((rest, is_said)) = open.pop() {
        if rest.is_empty() && is_said {
            return true;
        }
        if std::mem::replace(&mut seen[rest.len()][usize::from(is_said)], true) {
            continue;
        }
        let said = stops.iter().copied().flatten().map(|phrase| (phrase, true));
        let around = language.around.iter().chain(COMMON.around).map(|phrase| (phrase, is_said));
        open.extend(said.chain(around).filter_map(|(phrase, is_said)| Some((after(rest, phrase)?, is_said))));
    }
    false
}

/// Returns the text after a phrase, from the next word; in a script without spaces, from the next character.
fn after<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    // The first byte excludes most of the 1,700 phrases, and this runs at each message.
    if text.as_bytes().first() != phrase.as_bytes().first() {
        return None;
    }
    let rest = text.strip_prefix(phrase)?;
    match rest.strip_prefix(' ') {
        Some(rest) => Some(rest),
        None => (rest.is_empty() || phrase.ends_with(is_unspaced)).then_some(rest),
    }
}

/// True if a plain text contains this phrase as whole words.
pub(super) fn has_phrase(text: &str, phrase: &str) -> bool {
    let begins = |at: usize| text[..at].ends_with(' ') || text[..at].is_empty() || phrase.starts_with(is_unspaced);
    text.match_indices(phrase).any(|(at, _)| begins(at) && after(&text[at..], phrase).is_some())
}

/// True for characters of scripts without spaces: Han, kana, Thai.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

fn plain_if_short(sentence: &str) -> Option<String> {
    // A character has at most four bytes.
    Some(sentence.trim())
        .filter(|text| text.len() <= 4 * LONGEST)
        .map(plain)
        .filter(|text| text.chars().count() <= LONGEST)
}

/// Returns the plain form: words in lower case without accents and apostrophes, one space apart. `Arrête-toi !` is `arrete toi`.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            '\'' | '’' | '‘' | '`' | '\u{307}' | '\u{93c}' => {}
            c if c.is_alphanumeric() || c == '\u{94d}' => fold(c, &mut plain),
            _ if plain.ends_with(' ') || plain.is_empty() => {}
            _ => plain.push(' '),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Appends `c` without its accent, because users leave accents out.
fn fold(c: char, into: &mut String) {
    if c.is_ascii() {
        return into.push(c);
    }
    into.push_str(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' => "d",
        'è'..='ë' | 'ē' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì'..='ï' | 'ı' => "i",
        'ł' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ő' => "o",
        'œ' => "oe",
        'ř' => "r",
        'ś' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'ù'..='ü' | 'ů' | 'ű' => "u",
        'ý' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ё' => "е",
        'ά' => "α",
        'έ' => "ε",
        'ή' => "η",
        'ί' => "ι",
        'ό' => "ο",
        'ύ' => "υ",
        'ώ' => "ω",
        other => return into.push(other),
    });
}
