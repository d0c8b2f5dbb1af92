//! Settings files of checkers (linters, type checkers, coverage tools): they say what a checker reports and what it ignores.

use std::path::Path;

use crate::gate::harness::is_code;
use crate::gate::source_text::is_name;

/// How a changed file steers a checker or verify, and how certain this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    /// Only checkers read the file.
    OfChecker,
    /// The file is a list of exceptions by its name, or holds limits that tests may read; it may also be data of the work.
    PerhapsList,
    /// Scripts or makefiles of verify read the file before they run.
    OfRun,
    /// The file holds only keys and values or a list, and tests or their tools may read it.
    PerhapsOfTests,
}

/// Names of checker settings. An extension may follow: `.eslintrc.json`.
const NAMES: [&str; 69] = [
    ".flake8", "mypy.ini", ".mypy.ini", "pylintrc", ".pylintrc", "ruff.toml", ".ruff.toml", ".coveragerc", ".bandit",
    ".eslintrc", ".eslintignore", "eslint.config", ".stylelintrc", ".prettierrc", ".prettierignore", ".jshintrc",
    ".htmlhintrc", "biome.json", "biome.jsonc", "tsconfig", "jsconfig.json", "tslint.json", ".golangci", "clippy.toml",
    ".clippy.toml", "rustfmt.toml", ".rustfmt.toml", "deny.toml", ".rubocop", ".rubocop_todo", ".yamllint",
    ".markdownlint", ".hadolint", ".shellcheckrc", "phpstan", "psalm", "checkstyle", ".codespellrc", ".nycrc", ".c8rc",
    "codecov", ".codecov", ".semgrepignore", ".gitleaks", ".trivyignore", ".snyk", ".lintrc", "pyrightconfig.json",
    ".clang-tidy", "cspell", "sonar-project.properties", ".secrets", ".jscpd", ".lintignore", ".oxlintrc",
    ".swiftlint", "detekt", ".luacheckrc", ".sqlfluff", "analysis_options", ".credo", "phpcs", ".phpcs", "ty.toml",
    "pyrefly.toml", "staticcheck.conf", ".vale", ".lycheeignore", "knip",
];

/// Words in a file name that mark settings of a checker.
const WORDS: [&str; 12] = [
    "baseline", "baselines", "suppression", "suppressions", "suppressed", "lint", "linter", "lintrc", "xfail",
    "quarantine", "coverage", "violations",
];
/// Words that mark settings of a checker, but also occur in the names of data of the work.
const WEAK: [&str; 23] = [
    "known", "ignore", "ignored", "ignores", "ignorelist", "allow", "allowed", "allowlist", "whitelist", "exclude",
    "excluded", "excludes", "exceptions", "skip", "skipped", "skiplist", "waivers", "threshold", "thresholds",
    "pending", "deferred", "exempt", "grandfathered",
];

/// Files that hold settings of checkers next to other settings, in tables or under keys.
const MIXED: [&str; 5] = ["pyproject.toml", "setup.cfg", "tox.ini", "Cargo.toml", "package.json"];
/// Words in the names of tables and keys that belong to checkers.
const PARTS: [&str; 32] = [
    "mypy", "ruff", "flake8", "pylint", "coverage", "pyright", "black", "isort", "bandit", "pydocstyle", "pycodestyle",
    "vulture", "interrogate", "lint", "lints", "eslintConfig", "eslintIgnore", "nyc", "c8", "xo", "prettier",
    "stylelint", "jscpd", "cspell", "tsd", "clippy", "basedpyright", "ty", "pyrefly", "deptry", "codespell", "typos",
];

/// Whether [`changed`] needs the content of the file.
pub(super) fn may_be(path: &Path) -> bool {
    is_mixed(path) || of_name(path).is_some()
}

/// Returns the kind of settings that a changed file holds; `None` if no checker reads the part that differs.
pub(super) fn changed(path: &Path, then: &[u8], now: &[u8]) -> Option<Settings> {
    let is_script = then.starts_with(b"#!") || now.starts_with(b"#!");
    if is_script || then == now {
        return None;
    }
    if is_mixed(path) {
        let (then, now) = (std::str::from_utf8(then).ok()?, std::str::from_utf8(now).ok()?);
        let of = if path.extension().is_some_and(|extension| extension == "json") { of_keys } else { of_tables };
        return (of(then)? != of(now)?).then_some(Settings::OfChecker);
    }
    of_name(path)
}

/// The extensions of files with keys and values or a list, as tools read them. Texts, data and the inputs of a build are
/// left out, because they may be the work.
const ENDINGS: [&str; 11] = ["ini", "cfg", "conf", "toml", "env", "properties", "rc", "opts", "args", "lst", "list"];

pub(super) fn may_be_of_tests(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_list = ending.is_none() && name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase());
    let is_known = matches!(name, "README" | "LICENSE" | "COPYING" | "NOTICE" | "CODEOWNERS" | "VERSION" | "AUTHORS");
    !is_mixed(path) && !is_known && (is_list || ending.is_some_and(|ending| ENDINGS.contains(&ending)))
}

/// Whether a file only sets variables, like a settings file that a script sources. True for any file that is not code: a
/// makefile may hold rules as well, but these are compared with the rules of the start elsewhere.
pub(super) fn only_sets(path: &Path, text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let sets = |line: &str| {
        let line = line.trim().trim_start_matches("export ").trim_start();
        let is_set = line.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.contains(['`', '(']));
        is_set || line.is_empty() || line.starts_with('#') || matches!(line, "set -a" | "set +a")
    };
    !is_code(path) || text.lines().all(sets)
}

fn is_mixed(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| MIXED.contains(&name))
}

pub(super) fn of_name(path: &Path) -> Option<Settings> {
    let name = path.file_name()?.to_str()?;
    let begins =
        |own: &&str| name.strip_prefix(*own).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']));
    if NAMES.iter().any(begins) {
        return Some(Settings::OfChecker);
    }
    if is_code(path) {
        return None;
    }
    let lower = name.to_lowercase();
    let has = |list: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| list.contains(&word));
    // No checker reads git's own lists.
    let is_git = matches!(name, ".gitignore" | ".gitattributes" | ".dockerignore" | ".npmignore");
    // `.checkignore`
    let is_list = name.starts_with('.') && name.ends_with("ignore");
    match () {
        () if has(&WORDS) => Some(Settings::OfChecker),
        () if (has(&WEAK) || is_list) && !is_git => Some(Settings::PerhapsList),
        () => None,
    }
}

/// The keys of checkers in `package.json`, with their values.
fn of_keys(text: &str) -> Option<String> {
    let whole: serde_json::Value = serde_json::from_str(text).ok()?;
    let own = whole.as_object()?.iter().filter(|(key, _)| PARTS.contains(&key.as_str()));
    Some(own.map(|(key, value)| format!("{key}={value}\n")).collect())
}

/// The lines of the tables of checkers.
fn of_tables(text: &str) -> Option<String> {
    let mut is_own = false;
    let mut own = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            is_own = line.split(|c: char| !c.is_alphanumeric()).any(|word| PARTS.contains(&word));
        }
        if is_own && !line.is_empty() && !line.starts_with('#') {
            own.push_str(line);
            own.push('\n');
        }
    }
    Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn settings_of_checkers_are_told_by_name_and_by_table() {
        let of = |path: &str| of_name(Path::new(path));
        for path in [".flake8", "web/.eslintrc.json", "tsconfig.build.json", "mypy-baseline.txt", "tools/lint.toml"] {
            assert_eq!(of(path), Some(Settings::OfChecker), "{path}");
        }
        for path in ["known_failures.txt", "config/allowlist.json", ".checkignore"] {
            assert_eq!(of(path), Some(Settings::PerhapsList), "{path}");
        }
        for path in [".gitignore", "data/rates.json", "lint.py", "settings.json", "README.md", "src/coverage.rs"] {
            assert_eq!(of(path), None, "{path}");
        }
        let change = |path: &str, then: &str, now: &str| changed(Path::new(path), then.as_bytes(), now.as_bytes());
        let toml = "[project]\nversion = \"1\"\n[tool.mypy]\nstrict = true\n";
        assert_eq!(change("pyproject.toml", toml, &toml.replace("\"1\"", "\"2\"")), None);
        assert_eq!(change("pyproject.toml", toml, &toml.replace("true", "false")), Some(Settings::OfChecker));
        let json = r#"{"dependencies": {"a": "1"}, "eslintConfig": {"rules": {"eqeqeq": 2}}}"#;
        assert_eq!(change("package.json", json, &json.replace("\"1\"", "\"2\"")), None);
        assert_eq!(change("package.json", json, &json.replace(": 2", ": 0")), Some(Settings::OfChecker));
        assert_eq!(change("lint", "#!/bin/sh\n", "#!/bin/sh\ntrue\n"), None);
    }
}
