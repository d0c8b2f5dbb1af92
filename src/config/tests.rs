use super::*;

#[test]
fn setting_judges_leaves_other_lines_alone() {
    let old = "# mine\njudge: claude # why\nverify_timeout: 60\njudges:\n  - codex\n";
    let new = with_judges(old, &["cmd:a \"b\"".to_owned()]);
    assert_eq!(new, "# mine\njudge:\n  - \"cmd:a \\\"b\\\"\"\nverify_timeout: 60\njudges:\n  - codex\n");
    assert_eq!(with_judges(&new, &["human".to_owned()]).lines().count(), new.lines().count());
    assert_eq!(parse(&new).unwrap().judge.list(), ["cmd:a \"b\""]);
}

// P-17
#[test]
fn the_drafting_agent_is_one_line() {
    let old = "judge: claude\ndraft_timeout: 60\ndraft: pi # mine\nreview_ttl: 5\n";
    let new = with_entry(old, "draft:", "draft: \"cmd:a \\\"b\\\"\"\n");
    assert_eq!(new, "judge: claude\ndraft_timeout: 60\ndraft: \"cmd:a \\\"b\\\"\"\nreview_ttl: 5\n");
    assert_eq!(parse(&new).unwrap().draft.as_deref(), Some("cmd:a \"b\""));
}

#[test]
fn the_mark_of_a_session_comes_and_goes() {
    let old = "judge: claude\nverify_timeout: 60\n";
    let marked = with_entry(old, SET_IN_SESSION, "judge_set_in_session: codex\n");
    assert_eq!(parse(&marked).unwrap().judge_set_in_session.as_deref(), Some("codex"));
    assert_eq!(with_entry(&marked, SET_IN_SESSION, ""), old);
}

#[test]
fn where_programs_are_comes_and_goes() {
    let programs = BTreeMap::from([("cmd:a 'b: c'".to_owned(), PathBuf::from("/opt/x \"y\"/a"))]);
    let old = "judge: claude\nverify_timeout: 60\n";
    let new = with_entry(old, PROGRAMS, &entry_of(&programs));
    assert_eq!(parse(&new).unwrap().judge_programs, programs);
    assert_eq!(with_entry(&new, PROGRAMS, &entry_of(&BTreeMap::new())), old);
}

#[test]
fn what_cannot_be_replaced_line_by_line_is_not_written() {
    let changes = |old: &str| {
        let expected = Config { judge: OneOrMany::Many(vec!["human".to_owned()]), ..parse(old).unwrap() };
        parse(&with_judges(old, &["human".to_owned()])).ok() == Some(expected)
    };
    assert!(changes("") && changes("# only a comment") && changes("judge: [claude,\n  codex]\nverify_timeout: 5\n"));
    assert!(changes("judge:\n- claude\n- codex\njudges: [a]\n"), "items may stand at the margin");
    // Each of these needs a person: `set_judges` compares the result and refuses.
    assert!(!changes("\"judge\": claude\n"));
    assert!(!changes("judge: [claude,\ncodex]\n"));
    assert!(!changes("{judge: claude}\n"));
}

#[test]
fn values_of_the_wrong_sort_are_errors() {
    for text in ["verify_timeout: -1\n", "verify_timeout: soon\n", "require_sandbox: 7\n", "judge: {a: b}\n", "- a\n"] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert_eq!(parse("judge: claude\n").unwrap().judge.list(), ["claude"]);
    assert!(parse("judge: [a, b]\nrequire_sandbox: true\n").unwrap().require_sandbox);
}

// P-25: `off` is a word, not the `false` of older YAML
#[test]
fn the_loop_judge_is_a_word() {
    let judge = |text: &str| parse(text).map(|config| config.loop_config.judge);
    assert_eq!(judge("loop:\n  judge: off\n").unwrap().as_deref(), Some("off"));
    assert_eq!(judge("loop: {judge: claude:haiku}\n").unwrap().as_deref(), Some("claude:haiku"));
    assert_eq!(judge("judge: claude\n").unwrap(), None);
    assert!(judge("loop: {jugde: off}\n").unwrap_err().contains("jugde"));
}

#[test]
fn a_misspelt_key_is_an_error() {
    assert!(parse("jugde: claude\n").unwrap_err().contains("jugde"));
    assert_eq!(parse("# nothing\n\n").unwrap(), Config::default());
}
