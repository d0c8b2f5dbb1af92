//! Globs over the paths of a tree, for `may_change` and a judge's `absent`.
//!
//! `*` and `?` stop at `/`; `?` matches one character. `**` as a whole part matches any number of folders. `[a-z]` matches one of
//! these characters, `[!a-z]` or `[^a-z]` any other. `{py,toml}` matches one of these texts, and braces may be nested. Every other
//! character matches itself; so does a special character in brackets: `[*]`, `[{]`. A leading `./` is ignored.
//!
//! The crate `glob` matches each part: no pattern makes it slow, as long as the text that it gets contains no `/`. The crate
//! `globset` knows braces and whole paths, but matches bytes: neither `?` nor `[!a]` matches `é` there.

use ::glob::Pattern;

use super::text::cut;
use crate::error::{Error, Result};

/// The most patterns that the braces of one glob may expand to.
const MOST: usize = 256;
/// The most pairs of braces in one glob. Each pair is a level of recursion, and somebody else's plan may hold thousands.
const BRACES: usize = 32;
/// The most bytes of a glob that a message repeats.
const SHOWN: usize = 200;

/// A parsed glob: the patterns that its braces stand for, each split into parts.
#[derive(Clone, Debug)]
pub struct Glob(Vec<Vec<GlobPart>>);

#[derive(Clone, Debug)]
enum GlobPart {
    /// Any number of parts, including zero.
    Folders,
    /// One part that matches this pattern.
    Named(Pattern),
}

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] for a bracket or brace that is not closed, a `**` that is not a whole part, more than 32 braces,
    /// or braces that expand to more than 256 patterns.
    pub fn parse(text: &str) -> Result<Self> {
        let refuse = |why: &str| Error::input(format!("the glob `{}` {why}", cut(text, SHOWN))).hint(LITERAL);
        if memchr::memchr_iter(b'{', text.as_bytes()).count() > BRACES {
            return Err(refuse("has more than 32 braces"));
        }
        let part = |part: &str| match part {
            "**" => Ok(GlobPart::Folders),
            part => {
                Pattern::new(&part.replace("[^", "[!")).map(GlobPart::Named).map_err(|error| refuse(reason(&error)))
            }
        };
        let pattern = |one: &String| parts(one).map(part).collect::<Result<Vec<GlobPart>>>();
        Ok(Glob(expand(text).map_err(refuse)?.iter().map(pattern).collect::<Result<_>>()?))
    }

    /// Whether the glob has more than one part, so that it says in which folder a file is.
    pub fn is_path(&self) -> bool {
        self.0.iter().any(|pattern| pattern.len() > 1)
    }

    /// True if the glob matches `path` or a folder above it; a glob without a slash also matches the name of any of them. This is the
    /// widest reading. `path` is bytes with `/` between its parts; bytes that are not UTF-8 count as one character.
    pub fn covers(&self, path: &[u8]) -> bool {
        let path = String::from_utf8_lossy(path);
        let path: Vec<&str> = parts(&path).collect();
        self.0.iter().any(|pattern| {
            let named = |name: &str| matches!(&pattern[..], [one] if takes(one, name));
            (1..=path.len()).any(|end| is_match(pattern, &path[..end]) || named(path[end - 1]))
        })
    }
}

/// Returns the parts of a path, without empty parts and `.`.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

fn takes(part: &GlobPart, name: &str) -> bool {
    match part {
        GlobPart::Folders => true,
        GlobPart::Named(pattern) => pattern.matches(name),
    }
}

/// Matches the parts of a path. Backtracks only to the last `**`, which is enough: an earlier `**` could not take more.
fn is_match(pattern: &[GlobPart], path: &[&str]) -> bool {
    let (mut at, mut here) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while here < path.len() {
        match pattern.get(at) {
            Some(GlobPart::Folders) => {
                back = Some((at, here));
                at += 1;
            }
            Some(part) if takes(part, path[here]) => {
                at += 1;
                here += 1;
            }
            _ => {
                let Some((folders, from)) = back else { return false };
                back = Some((folders, from + 1));
                at = folders + 1;
                here = from + 1;
            }
        }
    }
    pattern[at..].iter().all(|part| matches!(part, GlobPart::Folders))
}

/// The hint on how to match a special character.
const LITERAL: &str = "in brackets a character is itself: `[[]`, `[{]`, `[*]`";

fn reason(error: &::glob::PatternError) -> &'static str {
    match error.msg {
        "wildcards are either regular `*` or recursive `**`" => "has more than two `*` in a row",
        msg if msg.starts_with("recursive wildcards") => {
            "has a `**` that is not a whole part of the path, as in `a/**/b`"
        }
        _ => "has a `[` that is never closed",
    }
}

/// Splits a `may_change` into globs: at white space, and at commas outside of braces and brackets.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let mut is_class = false;
    let ends = move |c: char| {
        match c {
            _ if c.is_whitespace() => (depth, is_class) = (0, false),
            '[' if !is_class => is_class = true,
            ']' => is_class = false,
            '{' if !is_class => depth += 1,
            '}' if !is_class => depth = depth.saturating_sub(1),
            _ => {}
        }
        c.is_whitespace() || c == ',' && depth == 0 && !is_class
    };
    text.split(ends).filter(|glob| !glob.is_empty())
}

/// Expands the braces of a pattern: `a.{rs,md}` becomes `a.rs` and `a.md`.
fn expand(text: &str) -> std::result::Result<Vec<String>, &'static str> {
    let Some(open) = outside_classes(text).find(|(_, byte)| *byte == b'{').map(|(at, _)| at) else {
        return Ok(vec![text.to_owned()]);
    };
    let (mut depth, mut starts, mut close) = (0, vec![open + 1], None);
    for (at, byte) in outside_classes(text).skip_while(|(at, _)| *at < open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 1 => starts.push(at + 1),
            _ => {}
        }
        if depth == 0 {
            close = Some(at);
            break;
        }
    }
    let close = close.ok_or("has a `{` that is never closed")?;
    starts.push(close + 1);
    let mut found = Vec::new();
    for pair in starts.windows(2) {
        let one = &text[pair[0]..pair[1] - 1];
        found.extend(expand(&[&text[..open], one, &text[close + 1..]].concat())?);
        if found.len() > MOST {
            return Err("has braces that come to more than 256 patterns");
        }
    }
    Ok(found)
}

/// Returns the bytes outside of any `[…]`, with their places.
fn outside_classes(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = text.as_bytes();
    // After one unclosed bracket no later bracket is closed either, so the search runs only once.
    let (mut at, mut may_close) = (0, true);
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let here = at;
            at += 1;
            if byte != b'[' {
                return Some((here, byte));
            }
            if !may_close {
                continue;
            }
            // A `]` in the first position is a member.
            let first = at + usize::from(matches!(bytes.get(at), Some(b'!' | b'^')));
            let end = bytes.get(first + 1..).and_then(|rest| rest.iter().position(|&byte| byte == b']'));
            may_close = end.is_some();
            at = end.map_or(at, |end| first + 1 + end + 1);
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn covers(glob: &str, path: &str) -> bool {
        Glob::parse(glob).unwrap().covers(path.as_bytes())
    }

    #[test]
    fn globs_name_what_people_expect() {
        for (glob, path, expected) in [
            ("a.rs", "a.rs", true),
            ("./a.rs", "a.rs", true),
            ("src//a.rs/", "src/a.rs", true),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/deep/a.rs", false),
            ("src/**", "src/deep/a.rs", true),
            ("**/*.rs", "a.rs", true),
            ("**/deep/**/*.rs", "x/deep/y/z/a.rs", true),
            ("**/deep/*.rs", "x/deep/y/a.rs", false),
            ("a?.rs", "ab.rs", true),
            ("a?.rs", "aé.rs", true),
            ("a?.rs", "a/.rs", false),
            ("[a-c].rs", "b.rs", true),
            ("[!a-c].rs", "b.rs", false),
            ("[^a-c].rs", "d.rs", true),
            ("[^a-c].rs", "é.rs", true),
            ("[à-ü].rs", "é.rs", true),
            ("[]x].rs", "].rs", true),
            ("[[]a.rs", "[a.rs", true),
            ("[{]a,b}.rs", "{a,b}.rs", true),
            ("{a,b}.rs", "a.rs", true),
            ("tests/*.{py,toml}", "tests/x.toml", true),
            ("tests/*.{py,toml}", "tests/x.rs", false),
            ("{src,tests/{unit,it}}/*.rs", "tests/it/a.rs", true),
            ("{src,tests/{unit,it}}/*.rs", "tests/a.rs", false),
            ("a{,.old}.rs", "a.old.rs", true),
            ("a{,.old}.rs", "a.rs", true),
            ("{**/,}x[,}]y", "a/b/x}y", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            (".*", ".hidden", true),
            ("*", ".hidden", true),
            ("", "a", false),
            ("src", "src/deep/a.rs", true),
            ("*.rs", "src/deep/a.rs", true),
            ("src/a", "src/ab", false),
        ] {
            assert_eq!(covers(glob, path), expected, "{glob} {path}");
        }
        assert!(Glob::parse("a?.rs").unwrap().covers(b"a\xff.rs"));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for (glob, why) in [
            ("tests/*.{py", "has a `{` that is never closed"),
            ("{a,{b}", "has a `{` that is never closed"),
            ("[a.rs", "has a `[` that is never closed"),
            ("a/x**/b", "has a `**` that is not a whole part of the path, as in `a/**/b`"),
            ("a/***/b", "has more than two `*` in a row"),
            (&"{a,b}".repeat(9), "has braces that come to more than 256 patterns"),
            (&"{a}".repeat(33), "has more than 32 braces"),
        ] {
            let error = Glob::parse(glob).unwrap_err();
            assert_eq!(error.message, format!("the glob `{glob}` {why}"));
        }
    }

    // Somebody else's plan may hold many: the recursion over braces would use up the stack, and each bracket would be searched to the
    // end.
    #[test]
    fn many_braces_and_brackets_take_no_time() {
        let braces = "{a,".repeat(100_000) + &"}".repeat(100_000);
        let message = Glob::parse(&braces).unwrap_err().message;
        assert!(message.ends_with("… (cut)` has more than 32 braces"), "{message}");
        for brackets in ["[".repeat(1_000_000), "[".repeat(1_000_000) + "{"] {
            assert!(Glob::parse(&brackets).is_err());
        }
    }

    #[test]
    fn a_comma_in_braces_ends_no_glob() {
        let found = |text| split(text).collect::<Vec<_>>();
        assert_eq!(found("tests/*.{py,toml}, src/**\tdocs"), ["tests/*.{py,toml}", "src/**", "docs"]);
        assert_eq!(found("a[,]b,{x,{y,z}},,c"), ["a[,]b", "{x,{y,z}}", "c"]);
        assert_eq!(found("{a, b} c"), ["{a,", "b}", "c"], "white space ends it, and the rest is said to be no glob");
    }

    /// The plain definition of stars, for comparison.
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
            prop_assume!(!pattern.contains("**"));
            prop_assert_eq!(covers(&pattern, &name), slow(pattern.as_bytes(), name.as_bytes()));
        }

        /// Parsing and matching end soon for any text.
        #[test]
        fn any_text_is_read_or_refused(glob in "[ab*?\\[\\]{},!^/-]{0,24}", path in "[ab/.]{0,12}") {
            let _ = Glob::parse(&glob).map(|glob| glob.covers(path.as_bytes()));
            let _ = split(&glob).count();
        }
    }
}
