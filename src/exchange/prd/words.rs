//! The words by which the quality rules judge a text. They are English; a text in another language is not judged by them.

/// Verbs that promise an improvement without a measure.
pub(super) const VAGUE_VERBS: [&str; 8] =
    ["improve", "enhance", "optimise", "optimize", "polish", "modernise", "modernize", "beautify"];

/// Things that need a measure.
pub(super) const VAGUE_THINGS: [&str; 10] = [
    "performance", "quality", "usability", "user experience", "ux", "stability", "reliability", "code", "security",
    "maintainability",
];

/// Phrases that no test can find true or false.
pub(super) const UNTESTABLE: [&str; 22] = [
    "works well", "works fine", "works correctly", "works properly", "works as expected", "as expected", "no bugs",
    "bug-free", "user-friendly", "user friendly", "easy to use", "intuitive", "high quality", "good performance",
    "fast enough", "robust", "scalable", "seamless", "looks good", "looks nice", "clean code", "well documented",
];

/// Verbs of work: they describe a change to a file, where a criterion should describe the result.
pub(super) const WORK: [&str; 24] = [
    "add", "build", "call", "change", "copy", "create", "define", "delete", "extend", "extract", "fix", "implement",
    "import", "install", "introduce", "migrate", "move", "refactor", "remove", "rename", "replace", "set up", "update",
    "write",
];

/// Words for something that a person or a test sees.
pub(super) const SEEN: [&str; 44] = [
    "test", "tests", "tested", "shows", "shown", "says", "said", "sees", "seen", "prints", "printed", "displays",
    "displayed", "drawn", "visible", "screen", "message", "returns", "returned", "answers", "answered", "asks",
    "asked", "exits", "fails", "passes", "refuses", "refused", "rejects", "rejected", "accepts", "accepted", "opens",
    "closes", "logged", "listed", "equals", "reached", "contains", "carries", "error", "green", "red", "focused",
];

/// True if `text` (lower case) contains `phrase` as whole words.
pub(super) fn holds(text: &str, phrase: &str) -> bool {
    let is_edge = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    text.match_indices(phrase)
        .any(|(at, _)| is_edge(text[..at].chars().next_back()) && is_edge(text[at + phrase.len()..].chars().next()))
}

/// True if `text` (lower case) begins with one of `verbs`.
pub(super) fn begins_with(text: &str, verbs: &[&str]) -> bool {
    verbs.iter().any(|verb| {
        text.strip_prefix(verb).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    })
}

/// True if a text contains something that can be measured or run: a number or a command.
pub(super) fn is_measured(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit() || byte == b'`')
}

/// True if a text may be English: it has only ASCII letters.
pub(super) fn is_english(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii() || !character.is_alphabetic())
}
