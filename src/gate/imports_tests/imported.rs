//! Finds the files of the repository that a line of source imports: Python, JavaScript and TypeScript, Rust, Go, Ruby.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::gate::harness::below;
use crate::gate::source_text::indent;
use crate::mutate;
use crate::plan::glob::Glob;

/// Extensions that an import in JavaScript may leave out.
const SCRIPTS: [&str; 9] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "json"];

/// Returns the files that line `number` (from 1) of `text` imports. Empty if only tests or type checkers use the line.
pub(super) fn of_line(path: &Path, text: &str, number: usize, files: &BTreeSet<&Path>) -> Vec<PathBuf> {
    let line = text.lines().nth(number - 1).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "py" | "pyi" | "pyw" => unless(python(line.trim(), folder, files), || is_aside_in_python(text, number)),
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => script(line.trim(), folder, files),
        "rs" => unless(rust(line.trim(), folder, files), || is_of_rust_tests(text, number)),
        "go" => go(line.trim(), folder, files),
        "rb" => ruby(line.trim(), folder, files),
        _ => Vec::new(),
    }
}

/// Returns the files unless `is_aside`, which reads the whole source and is asked only about a line that imports a file.
fn unless(files: Vec<PathBuf>, is_aside: impl FnOnce() -> bool) -> Vec<PathBuf> {
    if files.is_empty() || is_aside() { Vec::new() } else { files }
}

/// `import a.b, c`, `from a.b import c, d`, `from . import c`, `import_module("a.b")`.
fn python(line: &str, folder: &Path, files: &BTreeSet<&Path>) -> Vec<PathBuf> {
    let mut modules: Vec<String> = Vec::new();
    let name =
        |word: &str| word.trim().split([' ', '#', ';']).next().unwrap_or_default().trim_matches(['(', ')']).to_owned();
    if let Some(names) = line.strip_prefix("import ") {
        modules.extend(names.split(',').map(name));
    } else if let Some((module, names)) = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import")) {
        let module = module.trim();
        let dot = if module.ends_with('.') { "" } else { "." };
        modules.extend(
            names.split(',').map(name).filter(|name| !name.is_empty()).map(|name| format!("{module}{dot}{name}")),
        );
        modules.push(module.to_owned());
    } else if ["import_module(", "__import__(", "run_path(", "run_module("].iter().any(|call| line.contains(call)) {
        modules.extend(quoted(line).map(|text| text.trim_end_matches(".py").replace('/', ".")));
    }
    modules.iter().filter_map(|module| python_module(module, folder, files)).collect()
}

/// Returns the file of a module, searched for below the folder of the source and below each folder above that.
fn python_module(module: &str, folder: &Path, files: &BTreeSet<&Path>) -> Option<PathBuf> {
    let dots = module.len() - module.trim_start_matches('.').len();
    let parts: PathBuf = module[dots..].split('.').filter(|part| !part.is_empty()).collect();
    if parts.as_os_str().is_empty() {
        return None;
    }
    let folders: Vec<&Path> = match dots {
        0 => folder.ancestors().collect(),
        dots => folder.ancestors().nth(dots - 1).into_iter().collect(),
    };
    folders.into_iter().find_map(|above| {
        let whole = above.join(&parts);
        let own = [whole.with_extension("py"), whole.join("__init__.py")];
        own.into_iter().find(|file| files.contains(file.as_path()))
    })
}

/// Whether the line runs only if the file is the main program, only for type checkers, or only in a test function.
fn is_aside_in_python(text: &str, number: usize) -> bool {
    let lines: Vec<&str> = text.lines().take(number).collect();
    let Some((last, above)) = lines.split_last() else { return false };
    let mut inner = indent(last);
    for line in above.iter().rev().filter(|line| !line.trim().is_empty()) {
        if indent(line) >= inner {
            continue;
        }
        inner = indent(line);
        let head = line.trim();
        let is_tests = head.starts_with("def ") && head.split('(').next().is_some_and(|name| name.contains("test"));
        if is_tests || head.starts_with("if ") && (head.contains("__name__") || head.contains("TYPE_CHECKING")) {
            return true;
        }
    }
    false
}

/// `import x from "./a"`, `require("./a")`, `export * from "./a"`, but not `import type`.
fn script(line: &str, folder: &Path, files: &BTreeSet<&Path>) -> Vec<PathBuf> {
    let is_import = line.contains("require(") || line.contains("import") || line.contains(" from ");
    if !is_import || line.starts_with("import type") || line.starts_with("export type") || line.starts_with("//") {
        return Vec::new();
    }
    let relative = quoted(line).filter(|text| text.starts_with("./") || text.starts_with("../"));
    relative.filter_map(|text| script_file(&below(folder, text)?, files)).collect()
}

fn script_file(path: &Path, files: &BTreeSet<&Path>) -> Option<PathBuf> {
    let with = |end: &&str| PathBuf::from(format!("{}.{end}", path.display()));
    let whole = std::iter::once(path.to_owned());
    let ended = SCRIPTS.iter().map(with);
    let other = SCRIPTS.iter().map(|end| path.with_extension(end));
    let index = SCRIPTS.iter().map(|end| path.join(format!("index.{end}")));
    whole.chain(ended).chain(other).chain(index).find(|file| files.contains(file.as_path()))
}

/// `#[path = "../tests/a.rs"]`, `include!("…")`, `include_str!("…")`, `include_bytes!("…")`.
fn rust(line: &str, folder: &Path, files: &BTreeSet<&Path>) -> Vec<PathBuf> {
    let is_import = line.contains("include!(") || line.contains("include_str!(") || line.contains("include_bytes!(");
    if !is_import && !line.contains("#[path") || line.starts_with("//") {
        return Vec::new();
    }
    // With `env!("CARGO_MANIFEST_DIR")` the path begins at the crate.
    let file = |text: &str| {
        let text = text.trim_start_matches('/');
        folder.ancestors().filter_map(|above| below(above, text)).find(|file| files.contains(file.as_path()))
    };
    quoted(line).filter_map(file).collect()
}

fn is_of_rust_tests(text: &str, number: usize) -> bool {
    let is_near = |(at, line): (usize, &str)| {
        at + 3 >= number && at < number + 2 && line.contains("cfg(") && line.contains("test")
    };
    if text.lines().enumerate().any(is_near) {
        return true;
    }
    let start: usize = text.split_inclusive('\n').take(number - 1).map(str::len).sum();
    mutate::inline_tests(text.as_bytes()).iter().any(|range| range.contains(&start))
}

/// `"example.org/x/testdata"` alone in a line or after a name, `//go:embed testdata/a.json`.
fn go(line: &str, folder: &Path, files: &BTreeSet<&Path>) -> Vec<PathBuf> {
    if let Some(patterns) = line.strip_prefix("//go:embed ") {
        let words = patterns.split_whitespace().filter_map(|word| below(folder, word.trim_matches('"')));
        let globs = words.filter_map(|path| Glob::parse(path.to_str()?).ok());
        let first = |glob: Glob| files.iter().find(|file| glob.covers(file.as_os_str().as_bytes()));
        return globs.filter_map(first).map(|file| file.to_path_buf()).collect();
    }
    let line = line.strip_prefix("import ").unwrap_or(line);
    let Some(package) = line.strip_suffix('"').and_then(|rest| rest.rsplit_once('"')).map(|(_, package)| package)
    else {
        return Vec::new();
    };
    let parts: Vec<&str> = package.split('/').collect();
    let in_folder = |skip: usize| {
        let below: PathBuf = parts[skip..].iter().collect();
        let is_source = |file: &&&Path| {
            file.parent() == Some(below.as_path()) && file.extension().is_some_and(|extension| extension == "go")
        };
        files.iter().find(is_source).map(|file| file.to_path_buf())
    };
    (1..parts.len()).find_map(in_folder).into_iter().collect()
}

/// `require_relative "../test/a"`, `load "test/a.rb"`.
fn ruby(line: &str, folder: &Path, files: &BTreeSet<&Path>) -> Vec<PathBuf> {
    if !["require_relative ", "require ", "load "].iter().any(|call| line.starts_with(call)) {
        return Vec::new();
    }
    let file = |text: &str| {
        let ended = format!("{}.rb", text.trim_end_matches(".rb"));
        [folder, Path::new("")]
            .iter()
            .filter_map(|from| below(from, &ended))
            .find(|file| files.contains(file.as_path()))
    };
    quoted(line).filter_map(file).collect()
}

fn quoted(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let open = rest.find(['"', '\'', '`'])?;
        let quote = rest[open..].chars().next()?;
        let body = &rest[open + 1..];
        let end = body.find(quote)?;
        rest = &body[end + 1..];
        Some(&body[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 11] = [
        "app/core.py", "app/data.py", "tests/__init__.py", "tests/data.py", "app/tests/cases.py", "src/a.js",
        "test/cases.json", "test/util.ts", "tests/cases.rs", "testdata/all.go", "testdata/cases.json",
    ];

    fn imports(path: &str, text: &str) -> Vec<String> {
        let files: BTreeSet<&Path> = FILES.iter().map(Path::new).collect();
        let last = text.lines().count();
        of_line(Path::new(path), text, last, &files).iter().map(|path| path.display().to_string()).collect()
    }

    // P-5
    #[test]
    fn a_line_names_the_files_that_it_imports() {
        for (path, line, file) in [
            ("app/core.py", "from tests.data import CASES", "tests/data.py"),
            ("app/core.py", "from tests import data as answers", "tests/data.py"),
            ("app/core.py", "import os, tests.data", "tests/data.py"),
            ("app/core.py", "from .tests.cases import (", "app/tests/cases.py"),
            ("app/core.py", "    x = importlib.import_module('tests.data')", "tests/data.py"),
            ("src/a.js", "const cases = require('../test/cases.json');", "test/cases.json"),
            ("src/a.ts", "import { a } from '../test/util.js';", "test/util.ts"),
            ("src/a.ts", "export * from \"../test/util\";", "test/util.ts"),
            ("src/a.rs", "const CASES: &str = include_str!(\"../testdata/cases.json\");", "testdata/cases.json"),
            ("src/a.rs", "#[path = \"../tests/cases.rs\"]", "tests/cases.rs"),
            ("a.go", "\"example.org/x/testdata\"", "testdata/all.go"),
            ("a.go", "//go:embed testdata/*.json", "testdata/cases.json"),
        ] {
            assert!(imports(path, line).contains(&file.to_owned()), "{line}: {:?}", imports(path, line));
        }
    }

    // P-5
    #[test]
    fn what_only_tests_and_types_read_is_no_import() {
        for (path, text) in [
            ("app/core.py", "import tests_of_time"),
            ("app/core.py", "from testing.data import CASES"),
            ("app/core.py", "if TYPE_CHECKING:\n    from tests.data import Case"),
            ("app/core.py", "if __name__ == '__main__':\n    from tests.data import CASES"),
            ("app/core.py", "def self_test(argv):\n    if argv:\n        from tests.data import CASES"),
            ("src/a.ts", "import type { A } from '../test/util';"),
            ("src/a.js", "const text = '../test/cases.json';"),
            ("src/a.rs", "#[cfg(test)]\n#[path = \"../tests/cases.rs\"]"),
            ("src/a.rs", "#[cfg(test)]\nmod tests {\n    const A: &str = include_str!(\"../testdata/cases.json\");"),
            ("a.go", "\"example.org/x/testdata\","),
        ] {
            assert_eq!(imports(path, text), [""; 0], "{text}");
        }
    }
}
