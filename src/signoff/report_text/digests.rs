//! Removes digests from sentences: contracts, trees and commits are in `--json`, in the log and in the record.

/// The lengths of a short digest, of a commit or tree, and of a SHA-256.
const LENGTHS: [usize; 3] = [12, 40, 64];

/// Returns `text` without the digests that our own sentences name. Quoted code (between backticks) stays as it is.
pub(crate) fn without_digests(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 {
            out.push_str(part);
        } else {
            out.push_str(&folded(part));
        }
    }
    out
}

/// Shortens the phrases in which sentences name digests, the longer ones first.
fn folded(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let word = rest[start..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(rest.len(), |end| start + end);
        marked.push_str(&rest[..start]);
        let end = if is_digest(&rest[start..word], names_digest(&marked, &rest[word..])) {
            marked.push(MARK);
            word + usize::from(rest[word..].starts_with('+'))
        } else {
            marked.push_str(&rest[start..word]);
            word
        };
        rest = &rest[end..];
    }
    marked.push_str(rest);
    if !marked.contains(MARK) {
        return marked;
    }
    for (shape, shown) in SHAPES {
        marked = marked.replace(shape, shown);
    }
    marked
}

/// Takes the place of a digest while phrases are shortened. No text contains it before, because control characters are removed.
const MARK: char = '\u{1}';
const SHAPES: [(&str, &str); 7] = [
    (" (\u{1} -> \u{1})", ""),
    (" (\u{1}, now \u{1})", ""),
    ("(\u{1} -> \u{1}; the old text is not available)", "(the old text is not available)"),
    ("; contract \u{1} -> \u{1}", ""),
    (" (\u{1})", ""),
    ("commit \u{1}", "an earlier commit"),
    ("\u{1}", "…"),
];

/// Whether our sentences name a digest between `before` and `after`. One short commit in 280 has no letter, so it looks like a time.
fn names_digest(before: &str, after: &str) -> bool {
    ["commit ", "contract ", "tree ", "-> ", "now "].iter().any(|word| before.ends_with(word))
        || after.starts_with(" -> ")
}

/// Whether a word is hexadecimal and has one of the lengths. Unless it `is_named` a digest, it must have a digit and a letter.
fn is_digest(word: &str, is_named: bool) -> bool {
    LENGTHS.contains(&word.len())
        && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && (is_named
            || word.bytes().any(|byte| byte.is_ascii_digit()) && word.bytes().any(|byte| byte.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::without_digests;

    #[test]
    fn what_is_no_digest_stays() {
        for (text, shown) in [
            ("changed by hand: reworded (823a26a6f24b -> 2dabdc1311df)", "changed by hand: reworded"),
            ("green at commit 0123456789ab", "green at an earlier commit"),
            ("differed from commit 012345678912: `a`", "differed from an earlier commit: `a`"),
            ("reworded (012345678912 -> 112345678912)", "reworded"),
            ("started at 89abcdef0123+, verify red", "started at …, verify red"),
            ("the log named it (0123456789ab, now ba9876543210)", "the log named it"),
            ("the id `0123456789ab` is quoted", "the id `0123456789ab` is quoted"),
            ("at 202611221720 the file é was read", "at 202611221720 the file é was read"),
            ("deadbeefcafe and 0123456789abc", "deadbeefcafe and 0123456789abc"),
        ] {
            assert_eq!(without_digests(text), shown);
        }
    }
}
