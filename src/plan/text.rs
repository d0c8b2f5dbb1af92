//! Prepares a caller's text for plan.md: one line, without anything that would be read as structure (`FORMAT.md` §3). Each
//! function leaves its own result unchanged.

use crate::error::{Error, Result};

/// The longest log text in bytes; a longer text is cut and marked as cut.
pub const LOG_BYTES: usize = 500;

const CUT: &str = "… (cut)";

/// Returns one line of prose: control characters become spaces, a backslash escapes anything that would create structure, and a
/// dash between spaces becomes ` - `.
pub fn one_line(text: &str) -> String {
    let line = plain_line(text);
    let line = dashes(&line);
    let line = comments(&line);
    if leads_structure(&line) { format!("\\{line}") } else { line }
}

/// Returns one line of a command or path: control and hidden characters become spaces, but no escape is added, which would change
/// the command.
pub fn plain_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        // A soft hyphen and the joiners of emoji and scripts are meant by the user.
        let is_own = character == '\u{ad}' || is_joiner(character);
        if is_own || !character.is_control() && !is_hidden(character) {
            line.push(character);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    let trimmed = line.trim();
    if trimmed.len() == line.len() { line } else { trimmed.to_owned() }
}

/// Whether a character is invisible, or reverses or hides the text around it (Unicode TR 36): soft hyphen, zero width, controls of
/// the writing direction, separators of lines and paragraphs, annotations, tags. All code that writes, shows or compares text uses
/// this one table; [`char::is_control`] covers control characters.
pub const fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e00ff}')
}

/// Whether a character is a letter of a script that is written from right to left.
pub const fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

/// Whether a hidden character is one of the joiners that scripts and emoji need.
pub const fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}

/// Returns the text of a step: one line in which every `(after …)` and `(run: …)` is escaped.
pub fn step_text(text: &str) -> String {
    let mut line = one_line(text);
    for word in ["(after ", "(run:"] {
        let mut from = 0;
        while let Some(at) = line[from..].find(word).map(|at| at + from) {
            let is_escaped = line[..at].ends_with('\\');
            if !is_escaped {
                line.insert(at, '\\');
            }
            from = at + usize::from(!is_escaped) + word.len();
        }
    }
    line
}

/// Returns the first placeholder that is left of a template: words between angle brackets, `<what is true then>`. `<50ms`,
/// `Vec<String>`, `HashMap<K, V>` and `<div>` are no placeholders.
pub fn placeholder(text: &str) -> Option<&str> {
    let mut from = 0;
    while let Some(at) = text[from..].find('<').map(|at| at + from) {
        from = at + 1;
        let Some(length) = text[from..].find(['<', '>']).filter(|end| text[from + end..].starts_with('>')) else {
            continue;
        };
        let inner = &text[from..from + length];
        let stands_alone = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
        let is_words = inner.starts_with(char::is_alphabetic) && inner.contains(' ') && !inner.contains('=');
        if stands_alone && (is_words || inner == "…" || inner == "...") {
            return Some(&text[at..=from + length]);
        }
    }
    None
}

/// Returns the text of a log line: one line of at most [`LOG_BYTES`].
pub fn log_text(text: &str) -> String {
    cut(&one_line(text), LOG_BYTES)
}

/// Returns `text`, or its beginning and `… (cut)`, in at most `bytes` bytes. Cuts between characters.
pub fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let limit = bytes.saturating_sub(CUT.len());
    let room = (0..=limit).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}{CUT}", text[..room].trim_end())
}

/// Returns `text`, or its first `most` characters and `…`.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// `1 note`, `3 notes`
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the slug of a subject: lower-case ASCII letters and digits, letters of other scripts as they sound, a `-` for everything
/// else. At most 56 bytes; `goal` if nothing is left (`FORMAT.md`, id).
pub fn slug(subject: &str) -> String {
    let mut slug = String::new();
    let sound = |character: char| match deunicode::deunicode_char(character).filter(|_| !character.is_ascii()) {
        // A combining accent.
        Some("") => Some(""),
        letters => letters.filter(|_| character.is_alphanumeric()),
    };
    // Characters of scripts without spaces count as separate words: the sound of each ends in a space.
    let letters = subject.chars().flat_map(|character| {
        let known = sound(character);
        known.into_iter().flat_map(str::chars).chain(known.is_none().then_some(character))
    });
    for character in letters {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == 56 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "goal".to_owned() } else { slug.to_owned() }
}

/// Changes ` — ` to ` - `, also at the ends of the text, where the dash would meet a space of the line in plan.md.
fn dashes(line: &str) -> String {
    if !line.contains('—') {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let alone = out.is_empty() || out.ends_with(' ');
        let ends = characters.peek().is_none_or(|next| *next == ' ');
        out.push(if character == '—' && alone && ends { '-' } else { character });
    }
    out
}

/// Changes `<!--` to `\<!--` and `-->` to `--\>`.
fn comments(line: &str) -> String {
    let mut line = line.replace("-->", "--\\>");
    let mut from = 0;
    while let Some(at) = line[from..].find("<!--").map(|at| at + from) {
        let is_escaped = line[..at].ends_with('\\');
        if !is_escaped {
            line.insert(at, '\\');
        }
        from = at + usize::from(!is_escaped) + "<!--".len();
    }
    line
}

/// True if the text would open a heading, an item, a fence, a quote, a checkbox or a break at the start of a line or an item.
fn leads_structure(line: &str) -> bool {
    let bytes = line.as_bytes();
    let Some(&first) = bytes.first() else { return false };
    let spaced = |at: usize| matches!(bytes.get(at), None | Some(b' '));
    match first {
        b'#' => {
            let level = bytes.iter().take_while(|&&byte| byte == b'#').count();
            level <= 6 && spaced(level)
        }
        b'-' | b'*' | b'+' | b'_' => {
            spaced(1) && first != b'_' || bytes.iter().all(|byte| *byte == first || *byte == b' ')
        }
        b'`' | b'~' => bytes.starts_with(&[first; 3]),
        b'[' => bytes.get(2) == Some(&b']') && spaced(3),
        b'>' => true,
        b'=' => bytes.iter().all(|byte| *byte == b'='),
        _ => false,
    }
}

/// Returns the reason of `--because` as one line.
///
/// # Errors
/// [`crate::error::Kind::Input`] if the reason is empty.
pub fn reason(given: Option<&str>) -> Result<Option<String>> {
    let reason = given.map(one_line);
    if reason.as_ref().is_some_and(String::is_empty) {
        return Err(Error::input("`--because`: expected a reason, found none"));
    }
    Ok(reason)
}

#[cfg(test)]
mod tests {
    use super::{one_line, slug, step_text};

    #[test]
    fn an_escape_behind_long_characters_is_left_as_it_is() {
        for text in ["===é\\<!-- x --\\>", "日本\\<!-- <!--", "ab日\\(run: x) (run: y)", "日\\(after 1)"] {
            assert_eq!(one_line(&one_line(text)), one_line(text));
            assert_eq!(step_text(&step_text(text)), step_text(text));
        }
        assert_eq!(one_line("ab日\\<!-- <!--"), "ab日\\<!-- \\<!--");
        assert_eq!(step_text("ab日\\(run: x) (run: y)"), "ab日\\(run: x) \\(run: y)");
    }

    #[test]
    fn letters_of_other_scripts_are_written_as_they_sound() {
        for (subject, expected) in [
            ("Ünïcode, größer: 80 mm", "unicode-grosser-80-mm"),
            ("u\u{308}ber", "uber"),
            ("Заказы ждут", "zakazy-zhdut"),
            ("北京 café", "bei-jing-cafe"),
            ("Ship it 🦄 — now", "ship-it-now"),
            ("🦄", "goal"),
        ] {
            assert_eq!(slug(subject), expected, "{subject}");
        }
        assert!(slug(&"北".repeat(100)).len() <= 56);
    }
}
