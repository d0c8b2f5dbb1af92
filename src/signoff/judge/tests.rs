use std::ffi::OsString;

use super::*;

fn refusal(text: &str) -> String {
    let error = Reference::parse(text).unwrap_err();
    assert_eq!(error.kind, Kind::Input);
    error.message
}

// P-16
#[test]
fn a_ref_is_read_and_written_back() {
    for text in ["claude", "claude:opus", "codex", "checks", "human", "cmd:judge.py --strict 'two words'", "cmd:A=1 x"]
    {
        assert_eq!(Reference::parse(text).unwrap().to_string(), text);
    }
    let Reference::Program { command, .. } = Reference::parse("cmd:A=1 judge 'two words'").unwrap() else {
        panic!("no program")
    };
    assert_eq!(command.argv(), ["judge", "two words"]);
    assert_eq!(command.env, [("A".to_owned(), "1".to_owned())]);
}

#[test]
fn what_is_no_ref_says_why() {
    assert_eq!(refusal("gpt"), "`gpt` is not a judge");
    assert_eq!(refusal(""), "`` is not a judge");
    assert_eq!(refusal("claude:"), "`claude:` names no model");
    assert_eq!(refusal("cmd:a && b"), "judge `cmd:a && b`: a judge is one program, not a sequence with `&&`");
    assert!(refusal("cmd:a | b").contains("`|`"));
    assert!(refusal("cmd:").starts_with("judge `cmd:`: "));
}

// P-16, P-57
#[test]
fn the_caller_comes_before_the_user_and_the_user_before_the_host() {
    let words = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
    let claude = |name: &str| (name == "CLAUDECODE").then(|| OsString::from("1"));
    let nobody = |_: &str| None;
    let names = |chosen: Result<Vec<Reference>>| chosen.unwrap().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(choose(&words(&["human"]), &words(&["codex"]), &claude, None)), ["human"]);
    assert_eq!(names(choose(&[], &words(&["codex", "checks"]), &claude, None)), ["codex", "checks"]);
    assert_eq!(names(choose(&[], &[], &claude, None)), ["claude"]);
    let error = choose(&[], &[], &nobody, None).unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (Kind::Unknown, "no judge"));
    assert!(error.hints[0].starts_with("`plan judge set checks` needs no account"), "{error:?}");
}

fn judged(outcome: Outcome) -> JudgeResult {
    JudgeResult::without_process(outcome)
}

#[test]
fn any_reject_rejects_else_anything_open_stays_open() {
    let accept = || judged(Outcome::Accept);
    let reject = |what: &str| judged(Outcome::Reject { missing: vec![what.to_owned()] });
    let open = || judged(Outcome::Inconclusive { why: "silence".to_owned(), retry: true });
    assert_eq!(combine(&[accept(), accept()]), Outcome::Accept);
    let both = Outcome::Reject { missing: vec!["a".to_owned(), "b".to_owned()] };
    assert_eq!(combine(&[reject("a"), open(), reject("b"), accept()]), both);
    let inconclusive = |why: &str| Outcome::Inconclusive { why: why.to_owned(), retry: false };
    assert_eq!(combine(&[accept(), open()]), inconclusive("silence"));
    assert_eq!(combine(&[]), inconclusive("no judge was asked"));
}

#[test]
fn scratch_folders_are_fresh_apart_and_removed() {
    let tree = tempfile::tempdir().unwrap();
    let (one, two) = (Scratch::new(tree.path()).unwrap(), Scratch::new(tree.path()).unwrap());
    assert!(one.nonce != two.nonce && one.token != two.token && one.path != two.path);
    assert_eq!((one.nonce.len(), one.token.len()), (32, 16));
    assert_eq!(std::fs::read_to_string(&one.probe).unwrap().trim(), one.token);
    let mode = |path: &std::path::Path| std::os::unix::fs::MetadataExt::mode(&path.metadata().unwrap()) & 0o777;
    assert_eq!(mode(one.path.parent().unwrap()), 0o700, "the probe is for the judge alone");
    let path = one.path.clone();
    drop(one);
    assert!(!path.exists());
}
