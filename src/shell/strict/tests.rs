//! P-44: stage 1 starts no shell, so the line must mean the same without one.

use std::process::Command;

use proptest::prelude::*;

use super::scan::Scanner;
use super::{Reason, Sequence, plain_words, split};
use crate::shell::quote;

fn argvs(line: &str) -> Vec<Vec<String>> {
    let sequence = split(line).unwrap_or_else(|error| panic!("`{line}`: {error}"));
    sequence.commands.iter().map(|command| command.words.iter().map(|word| word.text.clone()).collect()).collect()
}

/// Returns `column` and `found` of the refusal.
fn refused(line: &str) -> (usize, String) {
    match split(line) {
        Err(error) => (error.column, error.found),
        Ok(sequence) => panic!("`{line}` was accepted as {sequence:?}"),
    }
}

#[test]
fn the_placeholder_of_help_and_remedies_is_no_command() {
    let error = split("COMMAND --x").unwrap_err();
    let expected = "`COMMAND` at column 1 is only a placeholder for a command; write a command of your project there that \
                    fails if the work is wrong";
    assert_eq!((error.reason, error.to_string().as_str()), (Reason::Placeholder, expected));
    assert_eq!(split("sh run.sh COMMAND").unwrap().argvs(), [["sh", "run.sh", "COMMAND"]]);
}

#[test]
fn quotes_and_backslashes_follow_posix() {
    assert_eq!(argvs(r#"a 'b c' "d 'e'" f\ g"#), [["a", "b c", "d 'e'", "f g"]]);
    assert_eq!(argvs(r#"a 'it'\''s' "q\"q\$\`\\ \n" '' """#), [["a", "it's", "q\"q$`\\ \\n", "", ""]]);
    assert_eq!(argvs("\ta  b\t"), [["a", "b"]]);
    assert_eq!(
        argvs(r#"grep 'a && b | $HOME *' "x;y&&z" \&\& \|"#),
        [["grep", "a && b | $HOME *", "x;y&&z", "&&", "|"]]
    );
    assert_eq!(argvs(r#"grep "end$" "5 $ each""#), [["grep", "end$", "5 $ each"]]);
}

#[test]
fn quoted_parts_are_remembered() {
    let words = &split(r#"a 'b' c"d" \e"#).unwrap().commands[0].words;
    assert_eq!(words.iter().map(|word| word.quoted).collect::<Vec<_>>(), [false, true, true, true]);
}

#[test]
fn and_needs_no_blanks() {
    for line in ["a b&&c", "a b && c", "a b&& c", "a b &&c"] {
        assert_eq!(argvs(line), [vec!["a", "b"], vec!["c"]], "{line}");
    }
}

#[test]
fn assignments_belong_to_their_program() {
    let Sequence { commands } = split("A=1 B='x y' C= d E=2 && _F1=g=h i").unwrap();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(commands[0].env, [pair("A", "1"), pair("B", "x y"), pair("C", "")]);
    assert_eq!(commands[0].argv(), ["d", "E=2"]);
    assert_eq!(commands[1].env, [pair("_F1", "g=h")]);
    for line in ["'A'=1 b", "\\A=1 b", "1A=1 b", "a-b=1 b", "=1 b", "A'='1 b"] {
        assert_eq!(split(line).unwrap().commands[0].env, [], "{line}");
    }
}

#[test]
fn each_character_of_the_shell_is_refused_where_it_stands() {
    for found in ["|", "||", ";", "&", "<", ">", "(", ")", "$", "`", "*", "?", "~", "#", "\n", "\r"] {
        let shown = found.replace('\n', "\\n").replace('\r', "\\r");
        assert_eq!(refused(&format!("make {found} x")), (6, shown.clone()), "{found:?}");
        let message = split(&format!("make {found} x")).unwrap_err().to_string();
        assert!(message.starts_with(&format!("`{shown}` at column 6 would ")), "{message}");
        assert!(message.ends_with("or put the line in a script and name the script"), "{message}");
        assert_eq!(argvs(&format!("make '{found}' x")), [["make", found, "x"]]);
    }
}

#[test]
fn columns_count_characters() {
    assert_eq!(refused("äöü 'ß' x|y"), (10, "|".to_owned()));
    assert_eq!(refused("a=b c \"日本$HOME\""), (10, "$".to_owned()));
    assert_eq!(refused("make 2>&1"), (7, ">".to_owned()));
    assert_eq!(refused("make test || true"), (11, "||".to_owned()));
    assert_eq!(refused("make test & wait"), (11, "&".to_owned()));
    assert_eq!(refused("a &&& b"), (5, "&".to_owned()));
    assert_eq!(refused("a \"`id`\""), (4, "`".to_owned()));
    assert_eq!(refused("a \"$(id)\""), (4, "$".to_owned()));
    assert_eq!(refused("a\0"), (2, "\0".to_owned()));
    assert_eq!(refused("a '\0'"), (4, "\0".to_owned()));
}

#[test]
fn tilde_and_hash_are_special_only_where_a_word_begins() {
    assert_eq!(argvs("git show HEAD~1 a#b x~ --to=~/y"), [["git", "show", "HEAD~1", "a#b", "x~", "--to=~/y"]]);
    assert_eq!(refused("ls ~/x"), (4, "~".to_owned()));
    assert_eq!(refused("A=~/x b"), (3, "~".to_owned()));
    assert_eq!(refused("P=/a:~/x b"), (6, "~".to_owned()));
    assert_eq!(refused("make #x"), (6, "#".to_owned()));
    assert_eq!(argvs("A=b#c d"), [["d"]]);
    assert_eq!(argvs("A=#c d"), [["d"]]);
}

#[test]
fn brackets_and_most_braces_and_exclamation_marks_are_plain() {
    assert_eq!(
        argvs("pytest t.py::test[a-1] {x} {} {..} !y a^b 100%"),
        [["pytest", "t.py::test[a-1]", "{x}", "{}", "{..}", "!y", "a^b", "100%"]]
    );
}

// P-44
#[test]
fn words_of_the_shell_are_refused_with_a_line_that_works() {
    for (line, column, found, instead) in [
        ("cd sub && make test", 1, "cd", "make -C sub test"),
        ("cd sub/ && cargo test --locked -- a", 1, "cd", "cargo test --manifest-path sub/Cargo.toml --locked -- a"),
        ("cd sub && pytest -q", 1, "cd", "pytest --rootdir sub sub -q"),
        ("cd sub && pytest tests -q", 1, "cd", "sh -c 'cd sub && pytest tests -q'"),
        ("cd 'a b' && npm test", 1, "cd", "npm --prefix 'a b' test"),
        ("cd a && make && make test", 1, "cd", "sh -c 'cd a && make && make test'"),
        ("make && cd sub", 9, "cd", "sh -c 'make && cd sub'"),
        ("export A=1 && make", 1, "export", "sh -c 'export A=1 && make'"),
        ("source .venv/bin/activate && pytest", 1, "source", "bash -c 'source .venv/bin/activate && pytest'"),
        ("! grep -q 'a b' x", 1, "!", r"sh -c '! grep -q '\''a b'\'' x'"),
        ("A=1 [[ -e x ]]", 5, "[[", "bash -c 'A=1 [[ -e x ]]'"),
        ("ls x{1..3}", 5, "{1..3}", "bash -c 'ls x{1..3}'"),
        ("ls {a,b} c", 4, "{a,b}", "bash -c 'ls {a,b} c'"),
    ] {
        let error = split(line).unwrap_err();
        assert_eq!((error.column, &*error.found, error.instead.as_deref()), (column, found, Some(instead)), "{line}");
        assert!(error.to_string().ends_with(&format!("write `{instead}`")), "{error}");
        assert!(split(instead).is_ok(), "{instead}");
    }
    assert_eq!(argvs("grep -E 'a{1,3}' \\{1..3}"), [["grep", "-E", "a{1,3}", "{1..3}"]]);
}

#[test]
fn what_is_missing_is_said() {
    let message = |line: &str| split(line).unwrap_err().to_string();
    assert_eq!(message(" \t"), "the line is empty; write a program with its arguments; join several with `&&`");
    assert!(message("a 'b").starts_with("the quote `'` at column 3 is not closed; close the quote"));
    assert!(message("a \"b\\\"").starts_with("the quote `\"` at column 3 is not closed"));
    assert!(message("a \\").starts_with("the `\\` at column 3 is at the end of the line"));
    assert!(message("a &&").starts_with("expected a program at column 5, after `&&`"));
    assert!(message("&& a").starts_with("expected a program before `&&` at column 1"));
    assert!(message("a && && b").starts_with("expected a program before `&&` at column 6"));
    assert!(message("A=1").starts_with("expected a program at column 4, after `NAME=value`"));
    assert_eq!(split("A=1 && b").unwrap_err().reason, Reason::OnlyAssignments);
    assert_eq!(split("").unwrap_err().reason, Reason::Empty);
}

#[test]
fn a_line_of_100_kilobytes_is_a_line() {
    let line = format!("a {}", "b".repeat(100_000));
    assert_eq!(argvs(&line)[0][1].len(), 100_000);
    assert_eq!(argvs(&"a ".repeat(50_000))[0].len(), 50_000);
    assert_eq!(argvs(&format!("a{}", "&&a".repeat(20_000))).len(), 20_001);
}

/// Returns the arguments that a real shell makes of `line`.
fn shell(line: &str) -> Vec<String> {
    let empty = tempfile::tempdir().unwrap();
    let script = format!("printf '%s\\0' {line}");
    let output = Command::new("sh").args(["-c", &script]).current_dir(empty.path()).output().unwrap();
    assert!(output.status.success(), "{line:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.strip_suffix('\0').unwrap().split('\0').map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_is_split_or_refused_at_a_column_inside_it(line in any::<String>()) {
        if let Err(error) = split(&line) {
            prop_assert!(error.column >= 1 && error.column <= line.chars().count() + 1);
        }
    }

    #[test]
    fn runs_of_plain_characters_are_read_as_single_ones(line in r#"[a-cA_=~#$&|;<>()`*?"'\\ \t\n\r\x00!\[\]{}:.,/1é-]{0,16}"#) {
        let alone = Scanner::by_characters(&line).sequence();
        prop_assert_eq!(Scanner::new(&line).sequence(), alone);
    }

    #[test]
    fn plain_words_are_those_of_the_split(line in "((cd|COMMAND|[ab.:/=-]{1,2}) {0,2}){0,4}") {
        let split = split(&line).ok().filter(|_| !line.contains('='));
        let plain = plain_words(&line).map(|words| vec![words]);
        prop_assert_eq!(plain, split.as_ref().map(Sequence::argvs));
    }

    #[test]
    fn a_shell_reads_an_accepted_line_the_same(line in r#"[ab=~#$&|;"'\\ \t!\[\]{:1é]{1,14}"#) {
        if let Ok(Sequence { commands }) = split(&format!("x {line}")) && commands.len() == 1 {
            let words: Vec<_> = commands[0].argv()[1..].iter().map(|word| (*word).to_owned()).collect();
            if !words.is_empty() {
                prop_assert_eq!(shell(&line), words);
            }
        }
    }

    #[test]
    fn a_shell_and_we_read_quoted_words_the_same(words in proptest::collection::vec("[^\0]{0,8}", 1..5)) {
        let line = words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(shell(&line), words.clone());
        let split = argvs(&format!("x {line}"));
        prop_assert_eq!(&split[0][1..], words);
    }
}
