//! Cleans text of the plan. It is data: nothing in it may end the block, begin another block, or be invisible.

use crate::plan::text::is_hidden;

/// Names of the tags that we and the hosts put around text for an agent; `plan` covers all names that begin with it.
const TAGS: [&str; 2] = ["plan", "system-reminder"];

/// Appends at most `limit` bytes of `text`, without control and invisible characters and with its tags broken up. A cut ends in `…`.
pub(super) fn clean(out: &mut String, text: &str, limit: usize) {
    let start = out.len();
    if is_plain(text) {
        out.push_str(text);
    } else {
        for (at, c) in text.char_indices() {
            match c {
                '\t' => out.push(' '),
                '<' if opens_tag(&text[at + 1..]) => out.push_str("<\\"),
                c if c.is_control() || is_hidden(c) => {}
                c => out.push(c),
            }
            // Stop early: a text that is far too long is not copied to its end.
            if out.len() - start > limit.saturating_add(8) {
                break;
            }
        }
    }
    if out.len() - start > limit {
        cut(out, start, limit);
    }
}

/// Appends `text` for use between quotes.
pub(super) fn attribute(out: &mut String, text: &str) {
    let text: String = text.chars().map(|c| if matches!(c, '"' | '<' | '>') { '\'' } else { c }).collect();
    clean(out, &text, 200);
}

fn is_plain(text: &str) -> bool {
    let is_printed = |byte: u8| matches!(byte, b' '..=b'~');
    // Most lines have no `<`, so that is tested first: this runs over the whole plan at the start of a session.
    text.bytes().all(|byte| is_printed(byte) && byte != b'<')
        || text.bytes().all(is_printed) && !text.match_indices('<').any(|(at, _)| opens_tag(&text[at + 1..]))
}

fn opens_tag(after: &str) -> bool {
    let name = after
        .trim_start_matches(|c: char| c == '/' || c == '\\' || c.is_whitespace() || c.is_control() || is_hidden(c));
    TAGS.iter().any(|tag| {
        let letters = name.chars().filter(|c| !c.is_control() && !is_hidden(*c)).flat_map(char::to_lowercase);
        letters.take(tag.len()).eq(tag.chars())
    })
}

fn cut(out: &mut String, start: usize, limit: usize) {
    let mut end = start + limit.saturating_sub('…'.len_utf8());
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    out.truncate(end);
    while out.len() > start && out.ends_with(' ') {
        out.pop();
    }
    out.push('…');
}
