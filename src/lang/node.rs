//! JavaScript and TypeScript: jest, vitest, mocha, Playwright and the runners of node, bun and deno.

use std::path::Path;

use super::closing::{MOST, TestTally, before, tally};
use super::printed::{FailedAssertion, SHOWN, is_same, position};
use super::toolchain::{Closes, NOTHING, NamedFile, Read, Selection, TestRunner, Toolchain, any_of};

const PROGRAMS: &[&str] =
    &["node", "nodejs", "npm", "pnpm", "yarn", "bun", "jest", "vitest", "mocha", "ava", "tap", "tsx", "ts-node"];

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: PROGRAMS,
    runners: &[JEST, VITEST, MOCHA, NODE, BUN, DENO, PLAYWRIGHT],
    dependencies: &["node_modules"],
    loaders: &["BUN_OPTIONS", "NODE_OPTIONS", "NODE_PATH", "NPM_CONFIG_*"],
    failures,
    autoloads: &[(PROGRAMS, is_loaded)],
    uncompiled,
    ..NOTHING
};

const JEST: TestRunner = TestRunner {
    name: "jest",
    is_called: |program, _| program == "jest",
    lists: &["--listTests", "--showConfig", "--version", "--help"],
    closes: Closes::Once,
    read: Read::EachLine(jest),
    selection: None,
};

const VITEST: TestRunner = TestRunner {
    name: "vitest",
    is_called: |program, _| program == "vitest",
    lists: &["vitest list", "--version", "--help"],
    closes: Closes::Once,
    read: Read::EachLine(vitest),
    selection: None,
};

const MOCHA: TestRunner = TestRunner {
    name: "mocha",
    is_called: |program, _| program == "mocha",
    lists: &["--dry-run", "--version", "--help", "--list-files"],
    closes: Closes::Once,
    read: Read::AllLines(mocha),
    selection: None,
};

const NODE: TestRunner = TestRunner {
    name: "node --test",
    is_called: |program, args| program == "node" && args.contains(&"--test"),
    lists: &[],
    closes: Closes::Once,
    read: Read::AllLines(node),
    selection: Some(Selection {
        failed: |line| match line.trim_start().strip_prefix("not ok ") {
            Some(rest) => Some(rest.split_once(" - ")?.1.to_owned()),
            None => Some(line.trim_start().strip_prefix("✖ ")?.rsplit_once(" (")?.0.to_owned()),
        },
        line: |verify, tests| {
            let (before, after) = verify.text.split_once(" --test")?;
            let names: Vec<String> = tests.iter().map(|test| escaped(test)).collect();
            let is_free = !verify.has(&["--test-name-pattern", "--test-only"]);
            is_free.then(|| format!("{before} --test --test-name-pattern {}{after}", any_of(&names)))
        },
    }),
};

const BUN: TestRunner = TestRunner {
    name: "bun test",
    is_called: |program, args| program == "bun" && tests(args),
    read: Read::AllLines(bun),
    selection: None,
    ..NODE
};

const DENO: TestRunner = TestRunner {
    name: "deno test",
    is_called: |program, args| program == "deno" && tests(args),
    lists: &["--no-run"],
    read: Read::EachLine(deno),
    ..BUN
};

const PLAYWRIGHT: TestRunner = TestRunner {
    name: "playwright",
    is_called: |program, args| program == "playwright" && tests(args),
    lists: &["--list", "--help"],
    read: Read::AllLines(playwright),
    ..BUN
};

/// Whether the command is `test`. `bun run test` runs a script of that name, which may call any runner.
fn tests(args: &[&str]) -> bool {
    args.iter().find(|arg| !arg.starts_with('-')) == Some(&"test")
}

/// Turns a name into a pattern that matches only this name.
fn escaped(name: &str) -> String {
    let special = |c: char| ".*+?^${}()|[]\\/".contains(c);
    name.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

/// `Tests:       1 skipped, 3 passed, 4 total`; `No tests found, exiting with code 0`
fn jest(line: &str) -> Option<TestTally> {
    if line == "No tests found, exiting with code 0" {
        return tally(0, 0);
    }
    let counts = line.strip_prefix("Tests: ")?;
    counts.trim_end().ends_with(" total").then_some(())?;
    tally(before(counts, "passed") + before(counts, "failed"), before(counts, "skipped") + before(counts, "todo"))
}

/// `Tests  3 passed | 1 skipped (4)`; `No test files found, exiting with code 0`; `Tests  no tests`
fn vitest(line: &str) -> Option<TestTally> {
    if line == "No test files found, exiting with code 0" {
        return tally(0, 0);
    }
    let counts = line.strip_prefix("Tests  ")?.trim();
    if counts == "no tests" {
        return tally(0, 0);
    }
    counts.ends_with(')').then_some(())?;
    tally(before(counts, "passed") + before(counts, "failed"), before(counts, "skipped") + before(counts, "todo"))
}

/// `3 passing (5ms)`, then `1 pending`, `1 failing`
fn mocha(lines: &[String]) -> Vec<TestTally> {
    let mut closings: Vec<TestTally> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((number, rest)) = line.split_once(" passing (") else { continue };
        let Ok(passing) = number.parse::<u64>().map(|number| number.min(MOST)) else { continue };
        if !rest.ends_with(')') {
            continue;
        }
        let after = &lines[index + 1..lines.len().min(index + 3)];
        let count = |word: &str| {
            after
                .iter()
                .find_map(|line| line.strip_suffix(word)?.trim().parse::<u64>().ok())
                .map_or(0, |number| number.min(MOST))
        };
        closings.push(TestTally { ran: passing + count("failing"), skipped: count("pending"), ..TestTally::default() });
    }
    closings
}

/// `# tests 3` … `# pass 3`, `# fail 0`, `# skipped 0`, `# todo 0`; the spec reporter prints `ℹ` instead of `#`.
fn node(lines: &[String]) -> Vec<TestTally> {
    let number = |line: &str, word: &str| -> Option<u64> {
        let rest = line.strip_prefix('#').or_else(|| line.strip_prefix('ℹ'))?.trim_start();
        rest.strip_prefix(word)?.strip_prefix(' ')?.parse().ok()
    };
    let mut closings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(tests) = number(line, "tests") else { continue };
        let after = &lines[index + 1..lines.len().min(index + 9)];
        let count = |word: &str| after.iter().find_map(|line| number(line, word));
        let (Some(_), Some(skipped)) = (count("pass"), count("skipped")) else { continue };
        let idle = skipped.min(MOST) + count("todo").unwrap_or(0).min(MOST);
        closings.push(TestTally { ran: tests.saturating_sub(idle), skipped: idle, ..TestTally::default() });
    }
    closings
}

/// `2 pass`, `1 skip`, `0 fail`, then `Ran 3 tests across 1 file. [10.00ms]`
fn bun(lines: &[String]) -> Vec<TestTally> {
    let is_end = |line: &String| line.starts_with("Ran ") && line.contains(" across ");
    let Some(end) = lines.iter().rposition(is_end) else { return Vec::new() };
    let own = &lines[end.saturating_sub(8)..end];
    if !own.iter().any(|line| line.ends_with(" pass")) {
        return Vec::new();
    }
    let count = |word| own.iter().map(|line| before(line, word)).sum::<u64>();
    tally(count("pass") + count("fail"), count("skip") + count("todo")).into_iter().collect()
}

/// `ok | 3 passed (2 steps) | 0 failed | 1 ignored (1ms)`
fn deno(line: &str) -> Option<TestTally> {
    let counts = line.strip_prefix("ok | ").or_else(|| line.strip_prefix("FAILED | "))?;
    (counts.contains(" passed") && counts.contains(" | ") && counts.contains(" failed")).then_some(())?;
    tally(before(counts, "passed") + before(counts, "failed"), before(counts, "ignored"))
}

/// `Running 3 tests using 1 worker`, and at the end `1 skipped`, `2 passed (1.2s)`
fn playwright(lines: &[String]) -> Vec<TestTally> {
    let is_start = |line: &String| line.starts_with("Running ") && line.contains(" using ") && line.contains(" worker");
    let Some(start) = lines.iter().rposition(is_start) else { return Vec::new() };
    let is_count = |line: &&String| line.split(' ').count() < 3 || line.ends_with(')');
    let count = |word| lines[start..].iter().filter(is_count).map(|line| before(line, word)).sum::<u64>();
    let (ran, skipped) = (count("passed") + count("failed") + count("flaky"), count("skipped"));
    // It ends with an error if it finds no test, so one of the counts is there.
    tally(ran, skipped).filter(|_| ran + skipped > 0).into_iter().collect()
}

/// `at Context.<anonymous> (/x/price.test.js:6:10)`: the first frame of an assertion error.
fn failures(lines: &[&str]) -> Vec<FailedAssertion> {
    const BEGINS: [&str; 4] =
        ["AssertionError [ERR_ASSERTION]", "code: 'ERR_ASSERTION'", "AssertionError: expected ", "expect(received)"];
    let mut found = Vec::new();
    let mut is_open = false;
    let mut values: Vec<&str> = Vec::new();
    for line in lines {
        let text = line.trim();
        values.extend(Some(text).filter(|_| is_open));
        if BEGINS.iter().any(|begin| text.contains(begin)) {
            is_open = true;
        } else if matches!(text, "..." | "}") {
            is_open = false;
        } else if let Some(failed) = script_frame(text).filter(|_| is_open) {
            found.push(values.drain(..).fold(failed, FailedAssertion::comparing));
            is_open = false;
        }
    }
    found
}

fn script_frame(text: &str) -> Option<FailedAssertion> {
    const ENDINGS: [&str; 8] = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"];
    let text = text.strip_suffix(')').unwrap_or(text);
    let text = text.rsplit(['(', ' ']).next()?;
    let (path, line, _) = position(text.strip_prefix("file://").unwrap_or(text))?;
    ENDINGS.iter().any(|ending| path.ends_with(ending)).then(|| FailedAssertion::at(path, line)).flatten()
}

/// `/x/calc.js:3` above `SyntaxError: …`, both after `#` in a test report; or `calc.ts(3,5): error TS2322: …` of TypeScript,
/// also if the error is in another file.
fn uncompiled(lines: &[&str], file: &Path) -> bool {
    let is_head = |line: &str| {
        let line = line.trim_start_matches(['#', ' ']);
        let place = line.strip_prefix("file://").unwrap_or(line).rsplit_once(':');
        place.is_some_and(|(path, number)| number.parse::<usize>().is_ok() && is_same(path, file))
    };
    let is_error = |line: &&str| line.trim_start_matches(['#', ' ']).starts_with("SyntaxError: ");
    let parsed =
        lines.iter().enumerate().any(|(at, line)| is_head(line) && lines[at + 1..].iter().take(SHOWN).any(is_error));
    parsed || lines.iter().any(|line| line.contains(": error TS") || line.contains(" - error TS"))
}

/// Whether a line of `.npmrc` matters only when packages are installed.
fn is_of_install(line: &str) -> bool {
    let line = line.trim();
    let key = line.split('=').next().unwrap_or_default().trim();
    line.is_empty()
        || line.starts_with(['#', ';'])
        || [
            "engine-strict", "save-exact", "save-prefix", "fund", "audit", "progress", "package-lock", "loglevel",
            "update-notifier", "legacy-peer-deps", "strict-peer-dependencies", "auto-install-peers",
        ]
        .contains(&key)
}

fn is_loaded(file: &NamedFile<'_>) -> bool {
    let name = file.name;
    let config = |runner: &str| {
        name.strip_prefix(runner).is_some_and(|rest| rest.starts_with(".config.") || rest.starts_with(".workspace."))
    };
    match name {
        // For npm, a bare CR ends a line as well.
        ".npmrc" => !(file.text)().is_some_and(|text| text.split(['\n', '\r']).all(is_of_install)),
        ".yarnrc" | ".yarnrc.yml" | ".pnpmfile.cjs" | "bunfig.toml" => true,
        "package.json" => ["jest", "mocha", "ava", "vitest"]
            .iter()
            .any(|runner| file.holds(&[&format!("\"{runner}\": {{"), &format!("\"{runner}\":{{")])),
        name => {
            name.starts_with(".mocharc")
                || ["jest", "vitest", "ava", "karma", "playwright", "cypress"].iter().any(|runner| config(runner))
                || file.path.iter().any(|part| part == "node_modules")
        }
    }
}
