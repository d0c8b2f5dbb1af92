use super::super::model::Span;
use super::{Places, draw_at, place};

fn at(source: &str, word: &str) -> Span {
    let start = source.find(word).unwrap();
    Span::new(start..start + word.len())
}

fn drawn(source: &str, word: &str) -> String {
    draw_at(source.as_bytes(), at(source, word))
}

#[test]
fn the_caret_stands_below_what_is_meant() {
    assert_eq!(drawn("# Plan: x\nstatus: actve\nrest\n", "actve"), "2 | status: actve\n  |         ^^^^^");
    assert_eq!(drawn("status: actve\r\nrest\r\n", "actve"), "1 | status: actve\n  |         ^^^^^");
}

#[test]
fn the_gutter_is_as_wide_as_the_number() {
    let source = format!("{}word", "\n".repeat(99));
    assert_eq!(drawn(&source, "word"), "100 | word\n    | ^^^^");
}

#[test]
fn a_column_is_a_character_and_a_bom_is_none() {
    assert_eq!(place("äö x".as_bytes(), 5), (1, 4));
    assert_eq!(place("\u{feff}# Plan".as_bytes(), 3), (1, 1));
    assert_eq!(place(b"a\n\xff\xfeb", 4), (2, 3));
    assert_eq!(place(b"a\nb", 99), (2, 2));
    assert_eq!(place(b"", 0), (1, 1));
}

#[test]
fn tabs_and_wide_characters_keep_the_caret_in_place() {
    assert_eq!(drawn("\tx: y", "y"), "1 |     x: y\n  |        ^");
    assert_eq!(drawn("計画: y", "y"), "1 | 計画: y\n  |       ^");
    assert_eq!(drawn("a 計画 b", "計画"), "1 | a 計画 b\n  |   ^^^^");
}

#[test]
fn nothing_that_a_terminal_would_obey_is_drawn() {
    let text = draw_at("a\u{1b}[31m\u{202e}b\u{7}".as_bytes(), Span::new(0..1));
    assert_eq!(text, "1 | a�[31m�b�\n  | ^");
    assert_eq!(draw_at(b"\xff\xfe", Span::new(0..2)), "1 | ��\n  | ^^");
}

#[test]
fn a_long_line_is_cut_to_a_window_around_the_caret() {
    let source = format!("{}needle{}", "a".repeat(5000), "b".repeat(5000));
    let text = drawn(&source, "needle");
    let (line, marks) = text.split_once('\n').unwrap();
    assert_eq!(line, format!("1 | …{}needle{}…", "a".repeat(50), "b".repeat(43)));
    assert_eq!(marks, format!("  | {}^^^^^^", " ".repeat(51)));
}

#[test]
fn a_span_longer_than_the_window_is_cut_too() {
    let source = "x".repeat(1000);
    let text = draw_at(source.as_bytes(), Span::new(0..1000));
    assert_eq!(text, format!("1 | {}…\n  | {}", "x".repeat(100), "^".repeat(100)));
}

#[test]
fn an_empty_span_and_one_over_lines_still_have_a_caret() {
    assert_eq!(draw_at(b"abc\ndef", Span::new(3..3)), "1 | abc\n  |    ^");
    assert_eq!(draw_at(b"abc\ndef", Span::new(1..6)), "1 | abc\n  |  ^^");
    assert_eq!(draw_at(b"abc\n", Span::new(4..4)), "2 |\n  | ^");
    assert_eq!(draw_at(b"a\r\n", Span::new(2..3)), "1 | a\n  |  ^");
}

#[test]
fn places_may_be_asked_in_any_order() {
    let mut places = Places::new(b"a\nbc\nd");
    assert_eq!(places.of(5), (3, 1));
    assert_eq!(places.of(3), (2, 2));
    assert_eq!(places.of(0), (1, 1));
    assert_eq!(places.of(5), (3, 1));
}
