//! The names of assertions and matchers, in lower case and without `_`.

/// The kind of an assertion, by the name of its function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asserts {
    /// Its first two arguments are equal.
    Equal,
    /// They are nearly equal.
    Near,
    /// Its first argument holds.
    True,
    /// A text is contained in another one.
    In,
}

/// The kind of assertion of a function with this name, called on `receiver`.
pub(super) fn asserts(name: &str, receiver: Option<&str>) -> Option<Asserts> {
    let receiver = receiver.map(str::to_ascii_lowercase);
    let is_on = |on: &[&str]| on.is_empty() || receiver.as_deref().is_some_and(|receiver| on.contains(&receiver));
    let row = ROWS.iter().find(|(_, names, on)| names.contains(&name) && is_on(on));
    row.map(|(asserts, ..)| *asserts).or_else(|| of_family(name))
}

/// The kind of an assertion that a library has for each type: `TEST_ASSERT_EQUAL_INT`, `assert_string_equal`, `cr_assert_eq`.
fn of_family(name: &str) -> Option<Asserts> {
    const BEGINS: [&str; 9] =
        ["assert", "testassert", "ckassert", "cuassert", "crassert", "expect", "check", "require", "qcompare"];
    // The first argument of some is a message, or the path of a file.
    const OTHERS: [&str; 11] =
        ["not", "un", "less", "greater", "ignor", "near", "almost", "memory", "ptr", "msg", "file"];
    const ENDS: [&str; 6] = ["asserteq", "expecteq", "checkeq", "requireeq", "inteq", "streq"];
    let is_equal = name.contains("equal") || ENDS.iter().any(|end| name.ends_with(end)) || name == "qcompare";
    let is_family = BEGINS.iter().any(|begin| name.starts_with(begin)) && is_equal;
    let is_float = ["float", "double", "within"].iter().any(|word| name.contains(word));
    let kind = if is_float { Asserts::Near } else { Asserts::Equal };
    (is_family && !OTHERS.iter().any(|other| name.contains(other))).then_some(kind)
}

/// Each kind with its names and the receivers on which they may be called; an empty list of receivers allows any.
const ROWS: [(Asserts, &[&str], &[&str]); 8] = [
    (Asserts::Equal, &EQUAL, &[]),
    (Asserts::Equal, &EQUAL_ON_ASSERT, &ASSERT),
    (Asserts::Near, &NEAR, &[]),
    (Asserts::Near, &["indelta", "approximately", "inepsilon"], &ASSERT),
    (Asserts::True, &TRUE, &[]),
    (Asserts::True, &["ok", "true", "truthy"], &ASSERT),
    (
        Asserts::In,
        &["assertin", "assertcontains", "assertstringcontainsstring", "assertincludes", "assertstartswith"],
        &[],
    ),
    (Asserts::In, &["contains", "include", "includes"], &["assert", "require", "t"]),
];

/// The receivers of assertions.
const ASSERT: [&str; 11] =
    ["assert", "t", "require", "test", "expect", "assertions", "is", "chai", "qunit", "check", "tap"];

const EQUAL_ON_ASSERT: [&str; 15] = [
    "equal", "equals", "eq", "same", "exactly", "is", "len", "equalvalues", "elementsmatch", "jsoneq", "lengthof",
    "strictsame", "looseequal", "deepequals", "equalf",
];

const TRUE: [&str; 14] = [
    "assert", "asserttrue", "debugassert", "propassert", "require", "check", "expecttrue", "istrue", "boostcheck",
    "boosttest", "boostrequire", "ckassert", "ensure", "expect",
];

const NEAR: [&str; 16] = [
    "assertalmostequal", "assertallclose", "assertarrayalmostequal", "assertindelta", "expectnear", "assertnear",
    "expectdoubleeq", "expectfloateq", "assertrelativeeq", "assertabsdiffeq", "assertulpseq", "assertapproxeq",
    "assertapproxequal", "isclose", "closeto", "approxequal",
];

/// The names that [`of_family`] does not tell.
const EQUAL: [&str; 19] = [
    "assertsame", "assertidentical", "assertcountequal", "areequal", "debugasserteq", "propasserteq", "assertthat",
    "assertcount", "assertequalsignoringcase", "assertis", "assertlinesmatch", "prettyasserteq", "asserttokens",
    "ensureeq", "strictequal", "deepstrictequal", "deepequal", "boostcheckequal", "boostrequireequal",
];

/// Words in a chain that occur only as matchers.
pub(super) const MATCHERS: [&str; 28] = [
    "tobe", "toequal", "tostrictequal", "tohavelength", "tohavebeencalledtimes", "tobecloseto", "isequalto", "hassize",
    "mustequal", "beequalto", "shouldbe", "shouldequal", "havelength", "beequivalentto", "tomatchobject",
    "containsexactly", "tocontain", "hasmessage", "isequaltoignoringwhitespace", "shouldbeequalto", "hassizeof",
    "tohavetextcontent", "tohavevalue", "tohavetext", "tohavetitle", "assertstatus", "assertsee", "assertresponse",
];

/// Matchers that are also used as other words.
pub(super) const GENERAL_MATCHERS: [&str; 15] = [
    "equal", "equals", "eql", "eqls", "eq", "be", "deepequal", "contain", "include", "is", "lengthof", "matcharray",
    "stdout", "stderr", "code",
];
