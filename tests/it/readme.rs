//! README and docs describe this version: transcripts are real output, commands exist, links have a target.
//! `UPDATE=1` rewrites the transcripts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::diff::{diff, is_update, rewriting};
use crate::support::{World, hosts};

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

pub(crate) fn read(page: &str) -> String {
    std::fs::read_to_string(path(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The first transcript of a page that begins with `first`.
fn transcript<'a>(text: &'a str, first: &str) -> &'a str {
    let start = text.find(&format!("```console\n{first}")).unwrap_or_else(|| panic!("no transcript of `{first}`")) + 11;
    &text[start..start + text[start..].find("```").unwrap()]
}

/// Asserts that a page shows the printed text, or writes it there.
pub(crate) fn assert_shown(page: &str, first: &str, printed: &str) {
    let text = read(page);
    let shown = transcript(&text, first);
    if settled(shown.trim()) == settled(printed.trim()) {
        return;
    }
    if is_update() {
        let start = shown.as_ptr() as usize - text.as_ptr() as usize;
        let text = [&text[..start], printed.trim(), "\n", &text[start + shown.len()..]].concat();
        return std::fs::write(path(page), text).unwrap();
    }
    panic!("{}", unlike(page, shown, printed));
}

/// The message about a page that shows something else, without what differs from run to run.
fn unlike(page: &str, shown: &str, printed: &str) -> String {
    let lines = diff(&settled(shown.trim()), &settled(printed.trim()));
    format!("{page} shows something else (-) than `plan` prints (+):\n{lines}\nif that is meant: {}\n", rewriting())
}

#[test]
fn a_wrong_transcript_is_told_line_by_line_with_the_command_that_rewrites_it() {
    let told = unlike("docs/x.md", "$ plan\none 1.5s\ntwo\n", "$ plan\none 2.5s\nthree\n");
    assert!(told.contains("\n $ plan\n one SECONDS\n-two\n+three\n"), "{told}");
    let test = "readme::a_wrong_transcript_is_told_line_by_line_with_the_command_that_rewrites_it";
    assert!(told.contains(&format!("UPDATE=1 cargo test --test it {test}\n")), "{told}");
}

/// Removes the level of the sandbox from a line, because it depends on the machine.
fn without_level(line: &str) -> String {
    match line.split_once("(sandbox ").and_then(|(start, rest)| Some((start, rest.split_once(')')?.1))) {
        Some((start, rest)) => format!("{start}(sandbox LEVEL){rest}"),
        None => line.to_owned(),
    }
}

/// Replaces everything that differs from run to run: digests, times, the folder.
fn settled(text: &str) -> String {
    // The list shows a time without its year.
    let is_day =
        |core: &str| core.len() == 5 && core.as_bytes()[2] == b'-' && core.replace('-', "").parse::<u16>().is_ok();
    let is_seconds = |core: &str| core.contains('.') && core.trim_end_matches('s').parse::<f64>().is_ok();
    let word = |word: &str| -> String {
        let core = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_digest = |part: &str| part.len() == 12 && part.bytes().all(|b| b.is_ascii_hexdigit());
        match core {
            _ if core.contains("plan-demo-") => "FOLDER".to_owned(),
            _ if core.split(['-', '/']).any(is_digest) || is_digest(core) => "DIGEST".to_owned(),
            _ if core.len() == 10 && core.split('-').count() == 3 && core.starts_with("20") => "DATE".to_owned(),
            _ if is_day(core) => "DATE".to_owned(),
            _ if core.len() == 5 && core.as_bytes()[2] == b':' => "TIME".to_owned(),
            _ if core == "SECONDS" || is_seconds(core) => "SECONDS".to_owned(),
            _ => word.to_owned(),
        }
    };
    text.lines().map(|line| without_level(line).split(' ').map(word).collect::<Vec<_>>().join(" ") + "\n").collect()
}

// P-9, P-44, P-45: the whole demo is shown
#[test]
fn the_demo_is_shown_as_it_is_printed() {
    let world = World::new().crashes();
    let demo = world.plan(["demo"]);
    assert_eq!(demo.code, 0, "{demo:?}");
    assert_shown("docs/demo.md", "", &demo.stdout);
    // README holds a part of the output: its lines, in this order.
    let printed = settled(demo.stdout.trim());
    let mut rest = printed.lines();
    for line in settled(transcript(&read("README.md"), "").trim()).lines().filter(|line| *line != "…") {
        assert!(rest.any(|printed| printed == line), "README shows a line that the demo does not print there: {line}");
    }
}

#[test]
fn what_install_answers_is_shown() {
    for host in hosts() {
        let world = World::new().file("plan.md", "# Plan: p\n");
        let first = format!("$ plan install {host}\n");
        let output = world.plan(["install", host]);
        assert_eq!(output.code, 0, "{output:?}");
        // The program under test is not the one on `PATH`, and the output mentions that.
        let said = format!("{}{}", output.stdout, output.stderr);
        let said: Vec<&str> = said.lines().filter(|line| !line.starts_with("the settings call ")).collect();
        let printed = format!("{first}{}", said.join("\n"));
        assert_shown("docs/hosts.md", &first, &printed.replace(&world.base().join("home").display().to_string(), "~"));
    }
}

#[test]
fn every_command_is_in_the_docs() {
    let help = World::new().plan(["--help"]).stdout;
    let docs = read("docs/commands.md");
    // Two blanks, the command, at least two blanks, its description.
    let listed: BTreeSet<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(listed.len() > 20, "{listed:?}");
    for verb in listed {
        assert!(docs.contains(&format!("`plan {verb}")), "`plan {verb}` is not in docs/commands.md");
    }
}

// The commands that README shows for contract mode, unchanged, on a goal with one step.
#[test]
fn the_example_of_contract_mode_runs() {
    let plan = "---\nmode: contract\n---\n# Plan: Sums\n\n## Goal: Subtract\n<!-- id: sub-1 -->\nstatus: open\ndone_when: it subtracts\n\
        - [ ] 1. write it\n\n## Log\n";
    let world = World::new().file("plan.md", plan).file("calc.sh", "echo\n").committed();
    let readme = read("README.md");
    let block = readme.split("```").find(|block| block.contains("\nplan approve ")).expect("the example");
    let lines: Vec<&str> = block.lines().filter(|line| line.starts_with("plan ")).collect();
    assert!(lines.len() > 5 && lines[0].starts_with("plan draft "), "{lines:?}");
    for line in &lines[1..] {
        let command = line.split(" #").next().unwrap().trim();
        let asks = ["plan approve", "plan rewind"].iter().any(|verb| command.starts_with(verb));
        let command = format!("{command}{}", if asks { " --yes" } else { "" });
        if command.starts_with("plan step done") {
            world.write("calc.sh", "echo $(( $1 - $2 ))\n");
        }
        let output =
            world.call_program("sh", ["-c", &format!("\"$0\"{}", &command[4..]), env!("CARGO_BIN_EXE_plan")]).run();
        assert_eq!(output.code, 0, "{command}: {}{}", output.stdout, output.stderr);
    }
    assert_eq!(world.read("calc.sh"), "echo $(( $1 - $2 ))\n");
}

#[test]
fn every_link_leads_to_a_file() {
    let pages =
        std::fs::read_dir(path("docs")).unwrap().map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    for page in pages.chain(["README.md".to_owned(), "CONTRIBUTING.md".to_owned()]).filter(|page| page.ends_with(".md"))
    {
        let text = read(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let file = path(&page).parent().unwrap().join(link);
            assert!(link.is_empty() || link.contains("://") || file.exists(), "{page}: {link}");
        }
    }
}

#[test]
fn every_file_that_a_contributor_is_sent_to_exists() {
    let page = read("CONTRIBUTING.md");
    let folders = ["src/", "tests/", "docs/", "fixtures/", "prompts/", "packaging/", ".ci/", ".github/"];
    let quoted = page.split('`').filter(|word| folders.iter().any(|folder| word.starts_with(folder)));
    // Names of the examples, patterns and commands are no files.
    let files = quoted.filter(|word| !["NAME", "hack", "*", " "].iter().any(|part| word.contains(part)));
    let missing: Vec<&str> = files.filter(|file| !path(file).exists()).collect();
    assert_eq!(missing, [""; 0]);
}
