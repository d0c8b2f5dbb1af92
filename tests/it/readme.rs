//! The README says what this version does: its transcript is the demo's output, its commands exist.

use crate::support::World;

const README: &str = include_str!("../../README.md");

/// A line without the level of the sandbox, which is that of the machine.
fn without_level(line: &str) -> String {
    match line.split_once("(sandbox ").and_then(|(start, rest)| Some((start, rest.split_once(')')?.1))) {
        Some((start, rest)) => format!("{start}(sandbox LEVEL){rest}"),
        None => line.to_owned(),
    }
}

/// What differs from run to run: digests, times, the folder.
fn settled(text: &str) -> String {
    let is_seconds = |core: &str| core.contains('.') && core.trim_end_matches('s').parse::<f64>().is_ok();
    let word = |word: &str| -> String {
        let core = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_digest = |part: &str| part.len() == 12 && part.bytes().all(|b| b.is_ascii_hexdigit());
        match core {
            _ if core.contains("plan-demo-") => "FOLDER".to_owned(),
            _ if core.split(['-', '/']).any(is_digest) || is_digest(core) => "DIGEST".to_owned(),
            _ if core.len() == 10 && core.split('-').count() == 3 && core.starts_with("20") => "DATE".to_owned(),
            _ if core.len() == 5 && core.as_bytes()[2] == b':' => "TIME".to_owned(),
            _ if core == "SECONDS" || is_seconds(core) => "SECONDS".to_owned(),
            _ => word.to_owned(),
        }
    };
    text.lines().map(|line| without_level(line).split(' ').map(word).collect::<Vec<_>>().join(" ") + "\n").collect()
}

// P-9, P-44, P-45: the whole way, shown
#[test]
fn the_transcript_is_what_the_demo_prints() {
    let world = World::new().crashes();
    let shown = README.split("```console\n").nth(1).and_then(|rest| rest.split("\n```").next()).unwrap();
    let demo = world.plan(["demo"]);
    assert_eq!(demo.code, 0, "{demo:?}");
    let printed = demo.stdout.trim();
    assert_eq!(settled(shown.trim()), settled(printed), "README.md shows another run than `plan demo` prints");
}

#[test]
fn every_command_is_in_the_readme() {
    let help = World::new().plan(["--help"]).stdout;
    let listed = help.split("\n\n").find(|part| part.starts_with("Look\n")).unwrap();
    for line in listed.lines().filter(|line| line.starts_with("  ")) {
        let verb = line.split_whitespace().next().unwrap();
        assert!(README.contains(&format!("`plan {verb}")), "`plan {verb}` is not in the README");
    }
}
