use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::disk::Disk;
use super::*;

const C1: Id = Id::Criterion(1);

fn one(text: &str) -> Citation {
    let mut all = read::citations(text).unwrap();
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

fn file(path: &str, line: usize, quote: &str) -> Citation {
    Citation::File { path: path.to_owned(), line, quote: quote.to_owned() }
}

// P-65
#[test]
fn every_form_is_read() {
    assert_eq!(one(r#"bench/p95.log:3 "p95 47.1 ms""#), file("bench/p95.log", 3, "p95 47.1 ms"));
    assert_eq!(one(r#"verify:12 "40 passed""#), Citation::Verify { line: 12, quote: "40 passed".to_owned() });
    assert_eq!(one(r#"./verify:12 "x""#), file("./verify", 12, "x"));
    let absent = Citation::Absent { glob: "src/**/*.rs".to_owned(), text: "unsafe".to_owned() };
    assert_eq!(one(r#"absent src/**/*.rs "unsafe""#), absent);
    assert_eq!(one("gone src/old.rs"), Citation::Gone { path: "src/old.rs".to_owned() });
    assert_eq!(one("check 2"), Citation::Check { number: 2 });
}

#[test]
fn what_judges_write_around_a_citation_is_tolerated() {
    assert_eq!(one(r#"`a.rs:3` "x""#), file("a.rs", 3, "x"));
    assert_eq!(one(r#"`a.rs:3 "x"`"#), file("a.rs", 3, "x"));
    assert_eq!(one("a.rs:3 “x”"), file("a.rs", 3, "x"));
    assert_eq!(one(r#"a.rs:3-9 "x""#), file("a.rs", 3, "x"));
    assert_eq!(one(r#"a.rs:3 "x" shows the new path"#), file("a.rs", 3, "x"));
    assert_eq!(one(r#"a b.rs:3 "x""#), file("a b.rs", 3, "x"));
    assert_eq!(one("gone `src/my old.rs` (deleted)"), Citation::Gone { path: "src/my old.rs".to_owned() });
    assert_eq!(one("gone src/old.rs, see the diff"), Citation::Gone { path: "src/old.rs".to_owned() });
}

#[test]
fn a_quote_may_hold_quotation_marks() {
    assert_eq!(one(r#"a.rs:3 "println!("hi")""#), file("a.rs", 3, r#"println!("hi")"#));
    assert_eq!(one(r#"a.rs:3 "say "a"; b"" as it should"#), file("a.rs", 3, r#"say "a"; b""#));
}

#[test]
fn a_quote_may_be_a_long_list_of_strings() {
    let list = |count: usize| (0..count).map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ");
    for quote in [list(40), list(400), format!("{{\"a\": [{}], \"b: 1\"}}", list(300)), "\", ".repeat(900) + "\""] {
        assert_eq!(one(&format!("list.json:1 \"{quote}\"")), file("list.json", 1, &quote));
        let two = read::citations(&format!("list.json:1 \"{quote}\"; verify:2 \"ok\"")).unwrap();
        assert_eq!(two[0], file("list.json", 1, &quote));
        assert_eq!(two.len(), 2);
    }
}

#[test]
fn several_citations_are_all_read() {
    let all = read::citations(r#"a.rs:3 "x; y"; verify:2 "ok" and check 1, gone b.rs; absent *.c "z""#).unwrap();
    assert_eq!(all.len(), 5);
    assert_eq!(all[0], file("a.rs", 3, "x; y"));
    assert_eq!(all[3], Citation::Gone { path: "b.rs".to_owned() });
}

#[test]
fn what_is_no_citation_says_so() {
    for text in [
        "", "looks good", "a.rs \"x\"", "a.rs:x \"x\"", "a.rs:3", "a.rs:3 \"x", "check two", "gone ", ":3 \"x\"",
        "absent \"x",
    ] {
        assert!(read::citations(text).is_err(), "{text}");
    }
    let why = read::citations("looks good").unwrap_err();
    assert_eq!(
        why,
        "`looks good` is not a citation; expected `path:line \"quote\"` or another form that the prompt names"
    );
    assert!(read::citations(&format!("a:1 \"{}\"", "x".repeat(5000))).is_err());
}

/// A repository in a folder of its own, with a file outside it.
struct Tree {
    folder: TempDir,
    files: Vec<PathBuf>,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
        fs::write(folder.path().join("secret"), "the secret\n").unwrap();
        let mut tree = Tree { folder, files: Vec::new() };
        tree.add("plan.md", "# Plan: x\nit works\n");
        files.iter().for_each(|(path, text)| tree.add(path, text));
        tree
    }

    fn top(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn add(&mut self, path: &str, text: &str) {
        let whole = self.top().join(path);
        fs::create_dir_all(whole.parent().unwrap()).unwrap();
        fs::write(whole, text).unwrap();
        self.files.push(path.into());
    }

    fn look_up(&self, text: &str) -> Result<(), String> {
        self.look_up_from("", text)
    }

    fn look_up_from(&self, root: &str, text: &str) -> Result<(), String> {
        let top = self.top();
        let disk = Disk::new(&top, &top.join(root), &top.join("plan.md"), &self.files).unwrap();
        let disk = disk.showing(Some((41, "ok 41\nok 42\n3 passed\n")), &[Some(true), Some(false), None]);
        check(&one(text), C1, &disk)
    }
}

fn says(result: Result<(), String>, part: &str) {
    let why = result.unwrap_err();
    assert!(why.contains(part), "`{why}` does not say `{part}`");
}

fn numbered() -> String {
    (1..=100).map(|number| format!("line {number} of\t the   log\n")).collect()
}

#[test]
fn a_quote_holds_within_twenty_lines_with_white_space_folded() {
    let tree = Tree::new(&[("run.log", &numbered()), ("crlf.txt", "one\r\ntwo  x\r\n"), ("blank", "\n\n")]);
    for line in [30, 40, 50, 60, 70] {
        assert_eq!(tree.look_up(&format!("run.log:{line} \"line 50 of the log\"")), Ok(()));
    }
    assert_eq!(tree.look_up("run.log:50 \"line 50  of the log line 51\""), Ok(()));
    assert_eq!(tree.look_up("crlf.txt:1 \"one two x\""), Ok(()));
    says(tree.look_up("run.log:29 \"line 50 of the log\""), "was not found within 20 lines of `run.log:29`");
    says(tree.look_up("run.log:71 \"line 50 of the log\""), "`line 50 of the log` was not found");
    says(tree.look_up("run.log:101 \"line 99\""), "`run.log` has no line 101, it ends at 100");
    says(tree.look_up("run.log:0 \"line 1\""), "has no line 0");
    says(tree.look_up("run.log:1 \"VerdictLine 1\""), "was not found");
    for empty in ["", " ", "\u{200b}", "\u{2800}\u{fe0f}"] {
        says(tree.look_up(&format!("run.log:1 \"{empty}\"")), "has no visible character");
    }
}

#[test]
fn escaped_quotation_marks_are_found_either_way() {
    let tree = Tree::new(&[("a.rs", "println!(\"hi\");\n"), ("b.json", "{\"a\": \"\\\"x\\\"\"}\n")]);
    assert_eq!(tree.look_up(r#"a.rs:1 "println!(\"hi\")""#), Ok(()));
    assert_eq!(tree.look_up(r#"a.rs:1 "println!("hi")""#), Ok(()));
    assert_eq!(tree.look_up(r#"b.json:1 "\"x\"""#), Ok(()));
}

#[test]
fn bytes_that_are_not_utf8_do_not_hide_the_rest() {
    let tree = Tree::new(&[("out.bin", "")]);
    fs::write(tree.top().join("out.bin"), b"\xff\xfe\x00 p95 47 ms \xc3\n").unwrap();
    assert_eq!(tree.look_up("out.bin:1 \"p95 47 ms\""), Ok(()));
}

#[test]
fn nothing_outside_the_repository_is_read() {
    let tree =
        Tree::new(&[("sub/a.txt", "inside\n"), ("other/.git", "gitdir: x\n"), ("other/deep/b.txt", "not ours\n")]);
    let top = tree.top();
    symlink("../secret", top.join("link")).unwrap();
    symlink("..", top.join("up")).unwrap();
    symlink("sub", top.join("in")).unwrap();
    symlink(".git", top.join("git")).unwrap();
    fs::write(top.join(".git/config"), "[core]\n").unwrap();
    let absolute = top.canonicalize().unwrap();
    assert_eq!(tree.look_up("in/a.txt:1 \"inside\""), Ok(()));
    assert_eq!(tree.look_up(&format!("{}/sub/a.txt:1 \"inside\"", absolute.display())), Ok(()));
    assert_eq!(tree.look_up_from("sub", "../in/a.txt:1 \"inside\""), Ok(()));
    says(tree.look_up("../secret:1 \"secret\""), "is outside the repository");
    says(tree.look_up("sub/../../secret:1 \"secret\""), "is outside the repository");
    says(tree.look_up("/etc/passwd:1 \"root\""), "is outside the repository");
    says(tree.look_up("link:1 \"secret\""), "leads out of the repository");
    says(tree.look_up("up/secret:1 \"secret\""), "leads out of the repository");
    says(tree.look_up(".git/config:1 \"core\""), "is in `.git`");
    says(tree.look_up(".GIT/config:1 \"core\""), "is in `.git`");
    says(tree.look_up("git/config:1 \"core\""), "is in `.git`");
    says(tree.look_up("other/deep/b.txt:1 \"not ours\""), "is in another repository");
    says(tree.look_up("sub:1 \"a\""), "is not a regular file");
    says(tree.look_up("no.txt:1 \"a\""), "`no.txt`: no such file");
    says(tree.look_up("sub/a.txt/b:1 \"a\""), "no such file");
    says(tree.look_up("gone ../nothing"), "is outside the repository");
    says(tree.look_up("gone up/nothing"), "leads out of the repository");
    says(tree.look_up("gone .git/nothing"), "is in `.git`");
}

#[test]
fn the_plan_is_no_evidence_under_any_name() {
    let tree = Tree::new(&[]);
    symlink("plan.md", tree.top().join("proof.md")).unwrap();
    fs::hard_link(tree.top().join("plan.md"), tree.top().join("proof2.md")).unwrap();
    for path in ["plan.md", "./plan.md", "proof.md", "proof2.md"] {
        says(tree.look_up(&format!("{path}:2 \"it works\"")), "is the plan itself");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_fifo_is_no_file_and_is_not_waited_for() {
    let tree = Tree::new(&[]);
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, tree.top().join("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    says(tree.look_up("pipe:1 \"x\""), "is not a regular file");
}

#[test]
fn verify_is_cited_by_the_numbers_in_the_prompt() {
    let tree = Tree::new(&[("verify", "other text\n")]);
    assert_eq!(tree.look_up("verify:43 \"3 passed\""), Ok(()));
    says(tree.look_up("verify:1 \"3 passed\""), "`verify` has no line 1");
    says(tree.look_up("verify:44 \"3 passed\""), "`verify` has no line 44, it ends at 43");
    says(tree.look_up("verify:41 \"other text\""), "was not found within 20 lines of `verify:41`");
    assert_eq!(tree.look_up("./verify:1 \"other text\""), Ok(()));
}

#[test]
fn absent_looks_through_every_file_that_the_glob_names() {
    let mut tree =
        Tree::new(&[("src/a.rs", "fn a() {}\n"), ("src/deep/b.rs", "unsafe\n{ }\n"), ("docs/c.md", "unsafe {\n")]);
    assert_eq!(tree.look_up("absent src/*.rs \"unsafe {\""), Ok(()));
    says(tree.look_up("absent src/**/*.rs \"unsafe {\""), "`unsafe {` is in `src/deep/b.rs`");
    says(tree.look_up("absent *.rs \"unsafe {\""), "is in `src/deep/b.rs`");
    says(tree.look_up("absent src \"unsafe {\""), "is in `src/deep/b.rs`");
    says(tree.look_up("absent . \"unsafe {\""), "is in");
    assert_eq!(tree.look_up("absent ** \"unsafe fn\""), Ok(()));
    // The plan is not searched, because it names the text that must be absent.
    assert_eq!(tree.look_up("absent ** \"it works\""), Ok(()));
    says(tree.look_up("absent *.py \"x\""), "`*.py` names no file");
    says(tree.look_up("absent *.rs \" \""), "needs a text");
    assert_eq!(tree.look_up_from("docs", "absent ../src/*.rs \"unsafe {\""), Ok(()));
    says(tree.look_up_from("docs", "absent ../src \"unsafe {\""), "is in");
    assert_eq!(tree.look_up_from("src/deep", "absent ** \"fn a\""), Ok(()));
    says(tree.look_up("absent ../** \"x\""), "outside the repository");
    symlink("a.rs", tree.top().join("src/link.rs")).unwrap();
    tree.files.extend(["src/link.rs".into(), "src/deleted.rs".into()]);
    assert_eq!(tree.look_up("absent src/*.rs \"unsafe {\""), Ok(()));
}

#[test]
fn a_search_of_a_large_tree_takes_as_long_as_its_files() {
    let mut tree = Tree::new(&[]);
    tree.files.extend((1..200_000).map(|number| format!("none/{number}").into()));
    for number in 0..2000 {
        tree.add(&format!("data/{number}"), "x\n");
    }
    let began = std::time::Instant::now();
    assert_eq!(tree.look_up("absent data \"zzz\""), Ok(()));
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn what_is_not_looked_up_in_time_does_not_hold() {
    let tree = Tree::new(&[("src/a.rs", "fn a() {}\n")]);
    let top = tree.top();
    let disk = |limit| Disk::new(&top, &top, &top.join("plan.md"), &tree.files).unwrap().within(limit);
    let look = |limit| check(&one("absent src \"zzz\""), C1, &disk(std::time::Duration::from_secs(limit)));
    assert_eq!(look(600), Ok(()));
    says(look(0), "looking it up took longer than 0 s");
}

#[test]
fn gone_is_what_is_not_there() {
    let tree = Tree::new(&[("a.txt", "x\n")]);
    symlink("nowhere", tree.top().join("dangling")).unwrap();
    assert_eq!(tree.look_up("gone b.txt"), Ok(()));
    assert_eq!(tree.look_up("gone no/folder/b.txt"), Ok(()));
    assert_eq!(tree.look_up("gone a.txt/b"), Ok(()));
    says(tree.look_up("gone a.txt"), "`a.txt` is there");
    says(tree.look_up("gone dangling"), "`dangling` is there");
    says(tree.look_up("gone ."), "`.` is there");
}

#[test]
fn a_check_rules_out_its_own_failure_mode() {
    let tree = Tree::new(&[]);
    let top = tree.top();
    let checks = [Some(true), Some(false), None];
    let disk = Disk::new(&top, &top, &top.join("plan.md"), &[]).unwrap().showing(None, &checks);
    let look = |number, id| check(&Citation::Check { number }, id, &disk);
    assert_eq!(look(1, Id::FailureMode(1)), Ok(()));
    assert_eq!(look(1, C1), Ok(()));
    says(look(1, Id::FailureMode(2)), "`check 1` belongs to F1");
    says(look(2, Id::FailureMode(2)), "the check of F2 did not exit 0");
    says(look(3, Id::FailureMode(3)), "F3 has no check");
    says(look(4, C1), "F4 has no check");
    says(look(0, C1), "F0 has no check");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[a:1 \"”“;,&`gonecheckabsent ]{0,60}") {
        let _ = read::citations(&text);
    }

    // Up to the longest citation: a parser that tries each mark again and again would never end.
    #[test]
    fn any_text_of_marks_and_places_is_read_in_time(text in "(\"|, |; |a:1 \"|absent \\* \"|“|”|and |gone a|check 1|x){0,600}") {
        let began = std::time::Instant::now();
        let _ = read::citations(&text);
        prop_assert!(began.elapsed() < std::time::Duration::from_secs(5), "{text}");
    }
}
