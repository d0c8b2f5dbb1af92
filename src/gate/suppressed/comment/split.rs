//! Splits a silencing comment from its line.

use crate::gate::source_text::is_name;

/// The beginnings of silencing comments, in lower case. Those that end in `*` here silence the whole file.
const MARKS: [&str; 68] = [
    "noqa", "flake8: noqa*", "ruff: noqa*", "type: ignore", "mypy: ignore-errors*", "mypy: disable-error-code*",
    "pyright: ignore", "pyright: basic*", "pylint: disable", "pylint: skip", "nosec", "nosemgrep", "fmt: off",
    "fmt: skip", "isort: skip", "nopep8", "pragma: no cover", "pragma: no branch", "pytype: disable", "pyre-ignore",
    "pyre-fixme", "pycodestyle: noqa*", "eslint-disable*", "eslint ", "@ts-ignore", "@ts-expect-error", "@ts-nocheck*",
    "tslint:disable", "deno-lint-ignore", "deno-fmt-ignore", "istanbul ignore", "c8 ignore", "v8 ignore",
    "biome-ignore", "prettier-ignore", "oxlint-disable*", "stylelint-disable*", "markdownlint-disable*",
    "jshint ignore", "nolint", "lint:ignore", "lint:file-ignore*", "rubocop:disable", "rubocop:todo",
    "shellcheck disable", "hadolint ignore", "phpcs:ignore", "phpcs:disable*", "phpstan-ignore", "@phpstan-ignore",
    "psalm-suppress", "@psalm-suppress", "noinspection", "swiftlint:disable", "ktlint-disable", "checkov:skip",
    "yamllint disable", "luacheck: ignore", "codespell:ignore", "cspell:ignore", "credo:disable", "clang-format off",
    "@formatter:off", "ignore_for_file*", "ignore: ", "nopmd", "nosonar", "ast-grep-ignore",
];
/// Endings of these beginnings, for a part of the file and for the whole file.
const ENDINGS: [&str; 6] = ["-next-line", "-for-next-line", "-line", "-next", "nextline", "-start"];
const ENDINGS_OF_WHOLE: [&str; 4] = ["-all", "-file", "_file", "file"];
/// Words by which a comment of any other checker silences, after its name and `:` or `-`: `lint: ignore`, `style-disable`.
const VERBS: [&str; 9] =
    ["ignore", "disable", "off", "ok", "skip", "allow", "suppress", "disable-next-line", "ignore-next-line"];
/// The beginnings of code lines that silence, without white space. Those that end in `*` here silence the whole file.
const DIRECTIVES: [&str; 17] = [
    "@SuppressWarnings", "@Suppress(", "@file:Suppress*", "#[allow(", "#[expect(", "#![allow(*", "#![expect(*",
    "#pragmaGCCdiagnostic", "#pragmaclangdiagnostic", "#pragmaGCCsystem_header*", "#pragmawarning(disable",
    "#pragmawarningdisable", "nowarnings", "nostrict", "warnings.simplefilter(\"ignore\"*",
    "warnings.simplefilter('ignore'*", "warnings.filterwarnings(\"ignore\"",
];
/// The beginnings of statements, without white space, that turn off what a run reports. They count only if the statement ends in its
/// line: the rest of it would not compile.
const SWITCHES: [&str; 7] = [
    "error_reporting(0)", "set_error_handler(fn()=>true", "set_error_handler(function(){returntrue;}",
    "constchar*__asan_default_options(", "constchar*__lsan_default_options(", "constchar*__ubsan_default_options(",
    "constchar*__tsan_default_options(",
];
const OPENERS: [&str; 5] = ["#", "//", "/*", "--", "<!--"];
/// A longer line is generated.
pub(super) const LONGEST: usize = 2000;

/// Returns a line without its silencing comment, the comment, and whether it silences the whole file. A line of code that
/// only silences is removed entirely.
pub(super) fn split(line: &str) -> Option<(String, &str, bool)> {
    if line.len() > LONGEST {
        return None;
    }
    match directive(line.trim()) {
        Some(is_whole) => Some((String::new(), line.trim(), is_whole)),
        None => without_comment(line, &OPENERS, &|_, text| silences(text)),
    }
}

/// Returns a line without the first comment for which `is_whole` has an answer, the comment, and the answer. The arguments of
/// `is_whole` are the code before the comment and the text of the comment.
pub(super) fn without_comment<'l>(
    line: &'l str,
    openers: &[&str],
    is_whole: &dyn Fn(&str, &str) -> Option<bool>,
) -> Option<(String, &'l str, bool)> {
    for (at, _) in line.char_indices() {
        let Some(opener) = openers.iter().find(|opener| line[at..].starts_with(*opener)) else { continue };
        let before = &line[..at];
        // Skips an opener inside a string.
        if ['"', '\'', '`'].iter().any(|quote| before.matches(*quote).count() % 2 == 1) {
            continue;
        }
        let Some(is_whole) = is_whole(before, &line[at + opener.len()..]) else { continue };
        let close = match *opener {
            "/*" => "*/",
            "<!--" => "-->",
            _ => "",
        };
        let begin = at + opener.len();
        let end = match line[begin..].find(close) {
            Some(_) if close.is_empty() => line.len(),
            Some(end) => begin + end + close.len(),
            // The block goes on in the next line, so an empty one must stay open.
            None if before.trim().is_empty() => return Some((line[..begin].to_owned(), &line[at..], is_whole)),
            None => continue,
        };
        let rest = format!("{}{}", before.trim_end(), &line[end..]);
        let is_whole = is_whole && rest.trim().is_empty();
        return Some((rest, &line[at..end], is_whole));
    }
    None
}

/// `Some` if a line of code silences a compiler, a linter or warnings; the value says whether it does so for the whole file.
fn directive(line: &str) -> Option<bool> {
    let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let is_whole_line = || {
        let count = |one: char| plain.matches(one).count();
        count('(') == count(')') && count('{') == count('}') && (plain.ends_with(';') || plain.ends_with('}'))
    };
    DIRECTIVES
        .iter()
        .find_map(|directive| {
            let begin = directive.trim_end_matches('*');
            plain.starts_with(begin).then(|| directive.ends_with('*'))
        })
        .or_else(|| SWITCHES.iter().any(|switch| plain.starts_with(switch) && is_whole_line()).then_some(true))
}

/// `Some` if the text of a comment silences a checker; the value says whether it does so for the whole file.
fn silences(text: &str) -> Option<bool> {
    let text = text.trim_start_matches(['*', '!', '#', '/', ':']).trim_start().to_lowercase();
    for mark in MARKS {
        let word = mark.trim_end_matches('*');
        let Some(rest) = text.strip_prefix(word) else { continue };
        let ended = |endings: &[&str]| endings.iter().find_map(|ending| rest.strip_prefix(ending));
        let of_part = ended(&ENDINGS).map(|rest| (rest, false));
        let ended = of_part.or_else(|| ended(&ENDINGS_OF_WHOLE).map(|rest| (rest, true)));
        let (rest, is_whole) = ended.unwrap_or((rest, mark.ends_with('*')));
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if word.ends_with(' ') || !rest.starts_with(goes_on) {
            return Some(is_whole);
        }
    }
    let end = text.find([':', '-'])?;
    let said = text[end + 1..].trim();
    // In an ordinary sentence, another word follows.
    let is_verb = |verb: &str| {
        said.strip_prefix(verb).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '[', '(', '=', '*']))
    };
    (is_name(&text[..end]) && VERBS.iter().any(|verb| is_verb(verb))).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::silences;

    // P-5
    #[test]
    fn the_comments_of_common_checkers_are_known() {
        for (whole, comments) in [
            (
                false,
                &[
                    " pylint: disable-next=unused-import", " ty: ignore[bad]", " pyrefly: ignore", " nopep8",
                    " isort: skip", " yapf: disable", " oxlint-disable-next-line no-var",
                    " stylelint-disable-next-line color", " tslint:disable-next-line:no-any",
                    " deno-lint-ignore no-explicit-any", " deno-fmt-ignore", " dprint-ignore",
                    " @phpstan-ignore-next-line", " @phpstan-ignore-line", " @psalm-suppress Mixed",
                    "lint:ignore SA1000 it is fine", " rubocop:todo Style/X", " luacheck: ignore 211", " NOPMD",
                    " codespell:ignore teh", " cspell:ignore teh", " cspell:disable-next-line",
                    " hadolint ignore=DL3008", " markdownlint-disable-next-line MD013", " ast-grep-ignore",
                    " credo:disable-for-next-line X", " clang-format off", " @formatter:off", " ignore: unused_import",
                    " detekt:suppress", " prettier-ignore-start", " biome-ignore lint/x: why",
                    " eslint-disable-next-line no-var -- why", " nolint:errcheck // why", " gitleaks:allow",
                    " tflint-ignore: rule", " swiftlint:disable:next x",
                ][..],
            ),
            (
                true,
                &[
                    " biome-ignore-all lint/x: why", " isort: skip_file", " deno-lint-ignore-file",
                    " phpcs:ignoreFile", "lint:file-ignore SA1000 why", " ignore_for_file: unused_import",
                    " oxlint-disable", " eslint-disable", " markdownlint-disable MD013", " mypy: ignore-errors",
                    " @ts-nocheck", " ruff: noqa: F401", " pylint: skip-file",
                ],
            ),
        ] {
            for comment in comments {
                assert_eq!(silences(comment), Some(whole), "{comment}");
            }
        }
        for comment in [
            " note: ignore the last field", " todo: disable this later", " skip the header line", " type: int",
            " ignore the case", " lint the whole folder", " see: ignore files below", " nopass", " format off by one",
        ] {
            assert_eq!(silences(comment), None, "{comment}");
        }
    }
}
