//! Tests of JSON edits, on texts in every style.

use proptest::prelude::*;
use serde_json::Value;

use super::{Item, Step, add, is_blank, remove, replace, value};
use crate::settings::edit::{apply, undo};

fn steps(path: &str) -> Vec<Step> {
    let step = |word: &str| word.parse().map_or_else(|_| Step::Key(word.to_owned()), Step::Index);
    path.split('.').map(step).collect()
}

#[track_caller]
fn added(text: &str, path: &[&str], item: Item<'_>) -> String {
    let edits = add(text, path, item).unwrap();
    let after = apply(text, &edits).unwrap();
    assert_eq!(undo(&after, &edits).as_deref(), Some(text));
    after
}

#[track_caller]
fn removed(text: &str, path: &str) -> String {
    apply(text, &remove(text, &[steps(path)]).unwrap()).unwrap()
}

#[test]
fn an_entry_goes_in_in_the_manner_of_the_file() {
    let member = Item::Member("k", r#"{"a":[1,"x"]}"#);
    for (text, expected) in [
        ("{}", "{\n  \"k\": { \"a\": [1, \"x\"] }\n}"),
        ("{ }\r\n", "{\r\n  \"k\": { \"a\": [1, \"x\"] }\r\n}\r\n"),
        ("{\n}\n", "{\n  \"k\": { \"a\": [1, \"x\"] }\n}\n"),
        ("{ // c\n}", "{ // c\n  \"k\": { \"a\": [1, \"x\"] }\n}"),
        ("{ /* c */ }", "{ /* c */\n  \"k\": { \"a\": [1, \"x\"] }\n}"),
        ("", "{\n  \"k\": { \"a\": [1, \"x\"] }\n}\n"),
        ("// c", "// c\n{\n  \"k\": { \"a\": [1, \"x\"] }\n}\n"),
        ("{\"b\":1}", "{\"b\":1,\"k\":{\"a\":[1,\"x\"]}}"),
        ("{ \"b\": 1 }", "{ \"b\": 1, \"k\": { \"a\": [1, \"x\"] } }"),
        ("{ \"b\": 1, }", "{ \"b\": 1, \"k\": { \"a\": [1, \"x\"] }, }"),
        ("{\n\t\"b\": 1\n}", "{\n\t\"b\": 1,\n\t\"k\": { \"a\": [1, \"x\"] }\n}"),
        ("{\r\n    \"b\": 1, // c\r\n}\r\n", "{\r\n    \"b\": 1, // c\r\n    \"k\": { \"a\": [1, \"x\"] },\r\n}\r\n"),
        ("{\n  \"b\": 1 // c\n  // d\n}", "{\n  \"b\": 1, // c\n  \"k\": { \"a\": [1, \"x\"] }\n  // d\n}"),
        ("{\n  \"b\": 1 /* c */ , /* d */\n}", "{\n  \"b\": 1 /* c */ , /* d */\n  \"k\": { \"a\": [1, \"x\"] },\n}"),
        ("{\n  \"b\": 1}", "{\n  \"b\": 1,\n  \"k\": { \"a\": [1, \"x\"] }}"),
    ] {
        let after = added(text, &[], member);
        assert_eq!(after, expected, "{text:?}");
        assert_eq!(value(&removed(&after, "k")).unwrap(), value(text).unwrap(), "{text:?}");
    }
}

#[test]
fn what_is_missing_above_it_is_made() {
    let group =
        Item::Element(r#"{"hooks":[{"type":"command","command":"plan","args":["hook","claude"],"timeout":20}]}"#);
    assert_eq!(
        added("{\n    \"a\": 1\n}\n", &["hooks", "Stop"], group),
        "{\n    \"a\": 1,\n    \"hooks\": {\n        \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"plan\", \"args\": [\"hook\", \"claude\"], \"timeout\": 20 }] }]\n    }\n}\n"
            .replace("\"Stop\": [{ \"hooks\": [", "\"Stop\": [\n            { \"hooks\": [")
            .replace("20 }] }]", "20 }] }\n        ]")
    );
    assert_eq!(added(r#"{"hooks":{"Stop":[]}}"#, &["hooks", "Stop"], Item::Element("1")), r#"{"hooks":{"Stop":[1]}}"#);
}

#[test]
fn what_is_in_the_way_is_refused() {
    for (text, path, why) in [
        ("[]", &["a"] as &[&str], "an object was expected"),
        ("3", &["a"], "an object was expected"),
        (r#"{"a":null}"#, &["a", "b"], "`a` is not an object"),
        (r#"{"a":{"b":{}}}"#, &["a", "b"], "`a.b` is not a list"),
        (r#"{"a":[1],"a":[2]}"#, &["a"], "`a` is there twice"),
    ] {
        assert_eq!(add(text, path, Item::Element("1")).unwrap_err(), why, "{text}");
    }
    assert_eq!(add(r#"{"k":1}"#, &[], Item::Member("k", "2")).unwrap_err(), "`k` is already there");
    for text in ["{", "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "{} {}", "\u{0}", "{\"a\":0x1}"] {
        assert!(value(text).is_err() && add(text, &[], Item::Member("k", "1")).is_err(), "{text:?}");
    }
    let deep = "[".repeat(100_000);
    assert!(value(&deep).unwrap_err().contains("depth"));
}

#[test]
fn what_a_person_wrote_around_an_entry_stays() {
    for (text, path, expected) in [
        ("{\n  // mine\n  \"k\": 1,\n  \"b\": 2\n}", "k", "{\n  // mine\n  \"b\": 2\n}"),
        ("{\n  \"b\": 2, // b\n  // mine\n  \"k\": 1 // k\n}", "k", "{\n  \"b\": 2 // b\n  // mine\n   // k\n}"),
        ("{\n  // mine\n  \"k\": 1 }", "k", "{\n  // mine\n   }"),
        ("{ \"k\": /* x */ 1 /* y */, \"b\": 2 }", "k", "{ /* y */ \"b\": 2 }"),
        ("[1, 2, 3]", "1", "[1, 3]"),
        ("[1, 2,]", "1", "[1,]"),
        ("[ 1 ]", "0", "[]"),
    ] {
        assert_eq!(removed(text, path), expected, "{text:?}");
    }
    assert!(remove("{}", &[steps("k")]).is_err() && remove("[1]", &[steps("1")]).is_err());
}

#[test]
fn many_entries_go_at_once() {
    for (text, paths, expected) in [
        ("[1, 2, 3, 4]", "0 1 3", "[ 3]"),
        ("[1, 2, 3, 4]", "2 3", "[1, 2]"),
        ("[1, 2, 3]", "0 1 2", "[]"),
        ("[ // c\n 1,\n 2]", "0 1", "[ // c\n ]"),
        ("[ // c\n 1, // d\n 2]", "0 1", "[ // c\n  // d\n ]"),
        ("[1, /* b */ 2 /* c */, 3]", "1 2", "[1 /* b */ /* c */]"),
        (r#"{"a": [1, {"b": 2, "c": 3}], "d": 4, "e": 5}"#, "a.0 a.1.c d", r#"{"a": [ {"b": 2}], "e": 5}"#),
    ] {
        let paths: Vec<Vec<Step>> = paths.split(' ').map(steps).collect();
        let edits = remove(text, &paths).unwrap();
        assert_eq!(apply(text, &edits).as_deref(), Some(expected), "{text:?}");
        assert_eq!(undo(expected, &edits).as_deref(), Some(text));
    }
    assert!(remove(r#"{"a":1,"a":2}"#, &[steps("a")]).unwrap_err().contains("is there twice"));
}

/// A repository's file may be hostile: an edit of the largest file takes seconds at most.
#[test]
fn a_hostile_file_takes_no_longer_than_its_length() {
    let begun = std::time::Instant::now();
    let text = format!("{{\"a\":[{}1{}]}}", "/**/".repeat(100_000), "/**/".repeat(100_000));
    let edits = add(&text, &["a"], Item::Element("2")).unwrap();
    let after = apply(&text, &edits).unwrap();
    assert_eq!(comments(&after), 200_000);
    let back = remove(&after, &[steps("a.1")]).unwrap();
    assert_eq!(apply(&after, &back).unwrap(), text);
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_text_is_replaced_in_its_place() {
    let text = r#"{ "a": [ "x\"y", 1 ] } // c"#;
    let edits = replace(text, &steps("a.0"), "/usr/\"n\"").unwrap();
    assert_eq!(apply(text, &edits).unwrap(), r#"{ "a": [ "/usr/\"n\"", 1 ] } // c"#);
    assert!(replace(text, &steps("a.1"), "z").is_err());
}

#[test]
fn blank_is_what_nobody_would_miss() {
    assert!(is_blank("") && is_blank(" {\n} ") && !is_blank("{} // c") && !is_blank("{\"a\":1}") && !is_blank("[]"));
}

/// Makes random JSON texts in every style; the number is the seed.
pub(in crate::settings) struct Maker(pub(in crate::settings) u64);

impl Maker {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    fn pick<'p>(&mut self, from: &[&'p str]) -> &'p str {
        from[self.roll(from.len() as u64) as usize]
    }

    fn space(&mut self, eol: &str) -> String {
        match self.roll(14) {
            0 => " ".into(),
            1 => format!("{eol}  "),
            2 => format!(" // c \"}},{eol}"),
            3 => "/* ,]} */".into(),
            4 => format!("{eol}{eol}\t"),
            5 => format!(" /* a{eol} b */ "),
            _ => String::new(),
        }
    }

    fn name(&mut self) -> &'static str {
        self.pick(&[
            "hooks", "Stop", "mcpServers", "plan", "permissions", "allow", "a", "é", "//", "\\\"", "env", "x y",
        ])
    }

    fn value(&mut self, depth: u64, eol: &str) -> String {
        match self.roll(if depth > 3 { 6 } else { 10 }) {
            0 => self.pick(&["1", "-0.5e+9", "12345678901234567890123", "1e999"]).into(),
            1 => self.pick(&["true", "false", "null"]).into(),
            2..=5 => self
                .pick(&["\"\"", "\"// no\"", "\"a\\u0000\\n\"", "\"]},/*\"", "\"ü\"", "\"plan hook claude\""])
                .into(),
            6 => self.many('[', ']', depth, eol),
            _ => self.many('{', '}', depth, eol),
        }
    }

    /// Makes a list or an object with random space and comments, on one line or with one item per line.
    fn many(&mut self, open: char, close: char, depth: u64, eol: &str) -> String {
        let mut names = Vec::new();
        let mut text = String::from(open);
        let count = self.roll(5);
        let lines = self.roll(2) == 0;
        let indent = format!("{eol}{}", "  ".repeat(depth as usize + 1));
        for index in 0..count {
            let name = self.name();
            if open == '{' && names.contains(&name) {
                continue;
            }
            if !names.is_empty() {
                text += ",";
                text += &self.space(eol);
            }
            text += if lines { &indent } else { "" };
            names.push(name);
            text += &self.space(eol);
            if open == '{' {
                text += &format!("\"{name}\"{}:{}", self.space(eol), self.space(eol));
            }
            text += &self.value(depth + 1, eol);
            text += &self.space(eol);
            let _ = index;
        }
        if !names.is_empty() && self.roll(3) == 0 {
            text += ",";
        }
        text += &self.space(eol);
        text += if lines { eol } else { "" };
        text.push(close);
        text
    }

    pub(in crate::settings) fn document(&mut self) -> String {
        let eol = if self.roll(3) == 0 { "\r\n" } else { "\n" };
        let front = self.space(eol);
        let body = self.many('{', '}', 0, eol);
        format!("{front}{body}{}", self.pick(&["", "\n", "\r\n", "  "]))
    }
}

fn without(mut whole: Value, name: &str) -> Value {
    whole.as_object_mut().unwrap().remove(name);
    whole
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if std::env::var_os("PLAN_FULL").is_some() { 20_000 } else { 1_000 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// All other entries mean the same. Undoing the edits restores the same bytes; removing the entry restores the same meaning
    /// and every comment.
    #[test]
    fn nothing_else_changes(seed in 1_u64..) {
        let text = Maker(seed).document();
        let before = value(&text).unwrap();
        let edits = add(&text, &[], Item::Member("ours", r#"{"hooks":[{"command":"plan"}]}"#)).unwrap();
        let after = apply(&text, &edits).unwrap();
        prop_assert_eq!(undo(&after, &edits).unwrap(), text.clone());
        prop_assert_eq!(&without(value(&after).unwrap(), "ours"), &before);
        let back = apply(&after, &remove(&after, &[vec![Step::Key("ours".into())]]).unwrap()).unwrap();
        prop_assert_eq!(value(&back).unwrap(), before);
        prop_assert_eq!(comments(&back), comments(&text));
    }

    /// Any set of entries can be removed together.
    #[test]
    fn any_entries_can_go(seed in 1_u64.., which in any::<u64>()) {
        let text = Maker(seed).document();
        let mut expected = value(&text).unwrap();
        let names: Vec<String> = expected.as_object().unwrap().keys().cloned().collect();
        let gone = names.into_iter().enumerate().filter(|(at, _)| which >> at & 1 == 1);
        let gone: Vec<Vec<Step>> = gone.map(|(_, name)| vec![Step::Key(name)]).collect();
        for path in &gone {
            let [Step::Key(name)] = &path[..] else { unreachable!() };
            expected = without(expected, name);
        }
        if !gone.is_empty() {
            let edits = remove(&text, &gone);
            prop_assert!(edits.is_ok(), "{:?} in {:?}: {:?}", gone, text, edits);
            prop_assert_eq!(value(&apply(&text, &edits.unwrap()).unwrap()).unwrap(), expected);
        }
    }

    /// Each entry of a text can be removed: the other entries mean the same, and undoing the edits restores the text.
    #[test]
    fn any_entry_can_go(seed in 1_u64..) {
        let text = Maker(seed).document();
        let before = value(&text).unwrap();
        for name in before.as_object().unwrap().keys() {
            let edits = remove(&text, &[vec![Step::Key(name.clone())]]);
            prop_assert!(edits.is_ok(), "{} in {:?}: {:?}", name, text, edits);
            let edits = edits.unwrap();
            let after = apply(&text, &edits).unwrap();
            prop_assert_eq!(value(&after).unwrap(), without(before.clone(), name));
            prop_assert_eq!(undo(&after, &edits).unwrap(), text.clone());
        }
    }
}

pub(in crate::settings) fn comments(text: &str) -> usize {
    super::SettingsJson::read(text).unwrap().comments.len()
}
