//! What looks like a secret is not kept in a record that is pushed (`SIGNOFF.md` §8).

/// How keys of well-known services begin.
const PREFIXES: [&str; 14] = [
    "sk-",
    "sk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
];
/// Names whose value is a secret, whatever it looks like.
const NAMES: [&str; 7] = ["token", "secret", "password", "passwd", "api_key", "apikey", "private_key"];
const MASK: &str = "[masked]";

/// `text` with what looks like a secret replaced; line breaks stay.
pub(super) fn mask(text: &str) -> String {
    text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '&' | '?'))
        .map(word)
        .collect()
}

fn word(word: &str) -> String {
    let core = word.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '&' | '?'));
    let end = &word[core.len()..];
    if let Some(at) = core.find(['=', ':']).filter(|at| at + 1 < core.len()) {
        let (name, value) = (core[..at].to_lowercase(), &core[at + 1..]);
        if NAMES.iter().any(|secret| name.ends_with(secret)) || is_key(value) {
            return format!("{}{MASK}{end}", &core[..=at]);
        }
    }
    if is_key(core) { format!("{MASK}{end}") } else { word.to_owned() }
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
        assert_eq!(mask("a ghp_0123456789abcdefXYZ b\n"), "a [masked] b\n");
        assert_eq!(mask("API_TOKEN=hunter2; ok"), "API_TOKEN=[masked]; ok");
        assert_eq!(mask("\"password\":\"x\" p95 47.1 ms: fine"), "\"password\":\"x\" p95 47.1 ms: fine");
        assert_eq!(mask("sk-learn is a library, eyJ"), "sk-learn is a library, eyJ");
    }
}
