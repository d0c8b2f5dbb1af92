//! Globs over paths of a tree: `*`, `**`, `?` and `[...]`.
//!
//! `*` and `?` stop at `/`; `**` between slashes stands for any number of folders; `[!a-z]` or `[^a-z]` for any other character.
//! Everything else, `{` included, is itself. A leading `./` says nothing.

/// True where `pattern` names `path`, a folder above it or, without a slash in it, its file name: the reading that
/// takes in most. Both are bytes, `/` between their parts.
pub fn covers(pattern: &[u8], path: &[u8]) -> bool {
    let pattern = parts(pattern);
    let path = parts(path);
    let anywhere = pattern.len() == 1;
    (0..path.len()).any(|end| {
        let upto = &path[..=end];
        all_parts(&pattern, upto) || (anywhere && part(pattern[0], upto[end]))
    })
}

fn parts(path: &[u8]) -> Vec<&[u8]> {
    path.split(|&byte| byte == b'/').filter(|part| !part.is_empty() && *part != b".").collect()
}

/// Backs up to the last `**` alone, which is enough: an earlier one could take no more than it.
fn all_parts(pattern: &[&[u8]], path: &[&[u8]]) -> bool {
    wildcard(pattern, path, |token| *token == b"**", |token, name| part(token, name))
}

/// One part of a path against one part of a pattern.
fn part(pattern: &[u8], name: &[u8]) -> bool {
    let tokens = tokens(pattern);
    wildcard(&tokens, name, |token| matches!(token, Token::Any), |token, &byte| token.takes(byte))
}

/// Matches a sequence against tokens, one kind of which stands for any number of elements: greedy, in at most
/// `tokens × elements` steps.
fn wildcard<T, E>(tokens: &[T], elements: &[E], is_any: impl Fn(&T) -> bool, takes: impl Fn(&T, &E) -> bool) -> bool {
    let (mut token, mut element) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while element < elements.len() {
        match tokens.get(token) {
            Some(any) if is_any(any) => {
                back = Some((token, element));
                token += 1;
            }
            Some(one) if takes(one, &elements[element]) => {
                token += 1;
                element += 1;
            }
            _ => {
                let Some((any, from)) = back else { return false };
                back = Some((any, from + 1));
                token = any + 1;
                element = from + 1;
            }
        }
    }
    tokens[token..].iter().all(is_any)
}

enum Token<'a> {
    Any,
    One,
    Byte(u8),
    Set { negated: bool, members: &'a [u8] },
}

impl Token<'_> {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Token::Any => false,
            Token::One => true,
            Token::Byte(own) => *own == byte,
            Token::Set { negated, members } => in_set(members, byte) != *negated,
        }
    }
}

fn in_set(members: &[u8], byte: u8) -> bool {
    let mut rest = members;
    while let Some((&from, more)) = rest.split_first() {
        match more {
            [b'-', to, after @ ..] => {
                if (from..=*to).contains(&byte) {
                    return true;
                }
                rest = after;
            }
            _ => {
                if from == byte {
                    return true;
                }
                rest = more;
            }
        }
    }
    false
}

/// `?` and sets take one byte of a character; a character of several bytes is matched by `*`.
fn tokens(pattern: &[u8]) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    while let Some((&byte, more)) = rest.split_first() {
        let (token, after) = match byte {
            b'*' => (Token::Any, more),
            b'?' => (Token::One, more),
            b'[' => set(more).unwrap_or((Token::Byte(b'['), more)),
            byte => (Token::Byte(byte), more),
        };
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// The set after its `[`. A `]` that comes first is a member; without a closing one, `[` is itself.
fn set(text: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let negated = matches!(text.first(), Some(b'!' | b'^'));
    let start = usize::from(negated);
    let end = start + 1 + text.get(start + 1..)?.iter().position(|&byte| byte == b']')?;
    Some((Token::Set { negated, members: &text[start..end] }, &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(pattern: &[u8], path: &[u8]) -> bool {
        all_parts(&parts(pattern), &parts(path))
    }

    #[test]
    fn globs_name_what_people_expect() {
        for (pattern, path, expected) in [
            ("a.rs", "a.rs", true),
            ("./a.rs", "a.rs", true),
            ("*.rs", "src/a.rs", false),
            ("src/*", "src/a.rs", true),
            ("src/*", "src/deep/a.rs", false),
            ("src/**", "src/deep/a.rs", true),
            ("**/*.rs", "a.rs", true),
            ("**/deep/**/*.rs", "x/deep/y/z/a.rs", true),
            ("**/deep/*.rs", "x/deep/y/a.rs", false),
            ("a?.rs", "ab.rs", true),
            ("a?.rs", "a/.rs", false),
            ("[a-c].rs", "b.rs", true),
            ("[!a-c].rs", "b.rs", false),
            ("[^a-c].rs", "d.rs", true),
            ("[]x].rs", "].rs", true),
            ("[a.rs", "[a.rs", true),
            ("{a,b}.rs", "a.rs", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), expected, "{pattern} {path}");
        }
        assert!(covers(b"src", b"src/deep/a.rs"));
        assert!(covers(b"*.rs", b"src/deep/a.rs"));
        assert!(!covers(b"src/a", b"src/ab"));
    }

    /// The plain definition, for comparison.
    fn slow(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, None) => true,
            (Some((b'*', rest)), _) => (0..=name.len()).any(|at| slow(rest, &name[at..])),
            (Some((one, rest)), Some((byte, more))) => (*one == b'?' || one == byte) && slow(rest, more),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn stars_match_by_their_definition(pattern in "[ab*?]{1,8}", name in "[ab]{1,8}") {
            prop_assume!(pattern != "**");
            prop_assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), slow(pattern.as_bytes(), name.as_bytes()));
        }
    }
}
