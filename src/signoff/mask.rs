//! Masks text that looks like a secret, so that it is not in a record that is pushed (`SIGNOFF.md` §8). It masks too much
//! rather than too little, because a record is read for its decision and not for its texts.

/// The beginnings of keys of well-known services.
const PREFIXES: [&str; 14] = [
    "sk-", "sk_live_", "rk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "ASIA",
    "AIza", "eyJ",
];
/// The ends of names whose value counts as a secret, no matter how it looks; `-` counts as `_`.
const NAMES: [&str; 9] =
    ["token", "secret", "password", "passwd", "api_key", "apikey", "private_key", "access_key", "authorization"];
/// Words that may precede the secret in a value.
const SCHEMES: [&str; 3] = ["bearer ", "basic ", "token "];
const MASK: &str = "[masked]";

/// Returns `text` with everything that looks like a secret replaced. Line breaks stay.
pub fn mask(text: &str) -> String {
    text.split_inclusive('\n').map(|line| keys(&values(line))).collect()
}

/// Masks the values of secret names in a line: `NAME=x`, `name: x`, `"name": "x y"`, `Authorization: Bearer x`.
fn values(line: &str) -> String {
    let mut masked = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['=', ':']) {
        let (before, after) = rest.split_at(at);
        let value = after.trim_start_matches(['=', ':', '>', ' ', '\t']);
        // `a::b`, `a == b` and `https://` give no value to a name.
        let separates = matches!(after[..after.len() - value.len()].trim_end(), "=" | ":" | ":=" | "=>");
        let (start, length) = if separates && is_secret(before) { secret(value) } else { (0, 0) };
        let end = if length == 0 { at + 1 } else { rest.len() - value.len() + start + length };
        match length {
            0 => masked.push_str(&rest[..end]),
            _ => {
                masked.push_str(&rest[..end - length]);
                masked.push_str(MASK);
            }
        }
        rest = &rest[end..];
    }
    masked + rest
}

/// Whether a text ends in the name of a secret, in quotation marks or not.
fn is_secret(before: &str) -> bool {
    let name = before.trim_end_matches([' ', '\t', '"', '\'', '\\']);
    let start = name.rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).map_or(0, |at| at + 1);
    let name = name.get(start..).unwrap_or_default().to_lowercase().replace('-', "_");
    NAMES.iter().any(|secret| name.ends_with(secret))
}

/// Returns the position of the secret in a value, and its length: to the closing quotation mark, or else to the end of the word.
fn secret(value: &str) -> (usize, usize) {
    let open = value.trim_start_matches('\\');
    let quote = open.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let inner = &open[quote.map_or(0, char::len_utf8)..];
    let scheme =
        SCHEMES.iter().find(|scheme| inner.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let inner = &inner[scheme.map_or(0, |scheme| scheme.len())..];
    let is_end = |c: char| match quote {
        Some(quote) => c == quote || c == '\n',
        None => c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '&' | '?'),
    };
    let length = inner.find(is_end).unwrap_or(inner.len());
    // The backslash before an escaped quotation mark is not part of the secret.
    (value.len() - inner.len(), inner[..length].trim_end_matches('\\').len())
}

/// Masks the keys of well-known services in a line.
fn keys(line: &str) -> String {
    line.split_inclusive(is_edge).map(word).collect()
}

fn is_edge(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '&' | '?' | ':' | '(' | ')' | '\\')
}

fn word(word: &str) -> String {
    let core = word.trim_end_matches(is_edge);
    let end = &word[core.len()..];
    // `NAME=key`; a key may contain `=` itself.
    let start = core.find('=').filter(|at| is_key(&core[at + 1..])).map_or(0, |at| at + 1);
    if is_key(&core[start..]) { format!("{}{MASK}{end}", &core[..start]) } else { word.to_owned() }
}

fn is_key(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '=');
    word.len() >= 16 && word.chars().all(plain) && PREFIXES.iter().any(|prefix| word.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn keys_are_masked_and_the_rest_stays() {
        for (text, masked) in [
            ("a ghp_0123456789abcdefXYZ b\n", "a [masked] b\n"),
            ("KEY=AKIA0123456789ABCDEF url:ghp_0123456789abcdefXYZ", "KEY=[masked] url:[masked]"),
            ("(`sk-0123456789abcdef==`)", "(`[masked]`)"),
        ] {
            assert_eq!(mask(text), masked);
        }
        for text in [
            "sk-learn is a library, eyJ", "p95 47.1 ms: fine\n\nnext", "token::new() and tokens: 5", "if token == x {",
            "password:\nnext line", "https://example.org/a?b=c", "", "=:=", "é: ü",
        ] {
            assert_eq!(mask(text), text);
        }
    }

    // SIGNOFF.md §8
    #[test]
    fn the_value_of_a_secret_name_is_masked_however_it_is_written() {
        for (text, masked) in [
            ("API_TOKEN=hunter2; ok", "API_TOKEN=[masked]; ok"),
            ("\"password\":\"x\", \"b\": 1", "\"password\":\"[masked]\", \"b\": 1"),
            ("\"password\": \"two words\" p95", "\"password\": \"[masked]\" p95"),
            ("{\\\"password\\\": \\\"two words\\\"}", "{\\\"password\\\": \\\"[masked]\\\"}"),
            ("password=\"hunter2\"", "password=\"[masked]\""),
            ("token: x", "token: [masked]"),
            ("x-api-key: a b", "x-api-key: [masked] b"),
            ("> Authorization: Bearer a.b.c\r\nnext", "> Authorization: Bearer [masked]\r\nnext"),
            ("authorization: basic dTpw\n", "authorization: basic [masked]\n"),
            ("'client_secret' => 'y'", "'client_secret' => '[masked]'"),
            ("Db_Password := z", "Db_Password := [masked]"),
            ("a=1&token=t&b=2", "a=1&token=[masked]&b=2"),
            ("secret = é token: ü.", "secret = [masked] token: [masked]"),
            ("password=\"never closed", "password=\"[masked]"),
            ("token: token=x", "token: [masked]"),
        ] {
            assert_eq!(mask(text), masked, "{text}");
        }
    }
}
