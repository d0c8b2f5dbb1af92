//! Letters that look like ASCII letters.

/// Returns the ASCII letter that a character resembles, a space for a control character, else the character itself. It covers the
/// letters of the words in plan's lines; Unicode's list of confusables is longer.
pub(super) fn plain(c: char) -> char {
    let ascii = |code: u32| char::from_u32(code).unwrap_or(c);
    match c {
        '\u{ff01}'..='\u{ff5e}' => ascii(c as u32 - 0xfee0),
        // Bold, italic, script, …: alphabets of 26 capitals followed by 26 small letters.
        '\u{1d400}'..='\u{1d6a3}' => {
            let place = (c as u32 - 0x1d400) % 52;
            ascii(if place < 26 { u32::from(b'A') + place } else { u32::from(b'a') + place - 26 })
        }
        'а' | 'α' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'ɡ' => 'g',
        'і' | 'ı' | 'ι' => 'i',
        'ј' => 'j',
        'ӏ' | 'ⅼ' => 'l',
        'ո' | 'п' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ѵ' | 'ν' => 'v',
        'х' => 'x',
        'у' => 'y',
        '∶' | '꞉' => ':',
        '❨' | '⟮' => '(',
        c if c.is_control() => ' ',
        c => c,
    }
}
