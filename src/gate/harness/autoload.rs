//! Files that a runner, an interpreter or a build loads automatically, by their names.

use std::path::{Path, PathBuf};

use super::named::NamedFiles;

/// Installed Python test runners, and the packages they import. A file or folder with such a name beside the tests is
/// imported first.
const RUNNERS: [&str; 7] = ["pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "nose2"];

/// Modules of Python's standard library that the runners import.
const LOADED: [&str; 37] = [
    "unittest",
    "doctest",
    "argparse",
    "asyncio",
    "atexit",
    "collections",
    "contextlib",
    "copy",
    "difflib",
    "enum",
    "fnmatch",
    "functools",
    "gc",
    "importlib",
    "inspect",
    "io",
    "itertools",
    "json",
    "logging",
    "os",
    "pathlib",
    "pprint",
    "random",
    "re",
    "runpy",
    "shutil",
    "signal",
    "subprocess",
    "sys",
    "sysconfig",
    "tempfile",
    "threading",
    "time",
    "traceback",
    "types",
    "warnings",
    "weakref",
];

/// More modules of the standard library, which tests use to check results.
const STANDARD: [&str; 54] = [
    "abc",
    "array",
    "ast",
    "base64",
    "binascii",
    "bisect",
    "builtins",
    "bz2",
    "calendar",
    "cmath",
    "codecs",
    "concurrent",
    "configparser",
    "contextvars",
    "copyreg",
    "csv",
    "ctypes",
    "dataclasses",
    "datetime",
    "decimal",
    "email",
    "errno",
    "filecmp",
    "fractions",
    "getpass",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "ipaddress",
    "locale",
    "math",
    "mimetypes",
    "multiprocessing",
    "numbers",
    "operator",
    "pickle",
    "platform",
    "queue",
    "select",
    "shlex",
    "socket",
    "sqlite3",
    "ssl",
    "statistics",
    "string",
    "struct",
    "textwrap",
    "urllib",
    "uuid",
    "zlib",
];

/// See [`Harness::is_autoload`](super::Harness::is_autoload).
pub(super) fn is_autoload(path: &Path, content: Option<&[u8]>, root: &Path, named: &NamedFiles) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let text = || content.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    (named.runs_python() && (python(name) || shadows(path, root, named)))
        || (named.runs_pytest() && pytest(name, &text))
        || (named.runs_cargo() && cargo(name, folder))
        || (named.runs_node() && node(name, path, &text))
        || other(name, path, named)
}

fn python(name: &str) -> bool {
    matches!(name, "sitecustomize.py" | "usercustomize.py" | "pyvenv.cfg")
        || name.ends_with(".pth")
        || name.ends_with(".egg-link")
}

/// Files that unittest does not read.
fn pytest(name: &str, text: &dyn Fn() -> String) -> bool {
    match name {
        "conftest.py" | "pytest.ini" | ".pytest.ini" | "pytest.toml" => true,
        "setup.cfg" | "tox.ini" => {
            ["[tool:pytest]", "[pytest]", "[nosetests]", "[unittest]"].iter().any(|part| text().contains(part))
        }
        "pyproject.toml" => text().contains("[tool.pytest"),
        _ => false,
    }
}

/// Whether Python imports this module or package of the repository instead of one of the runner's.
fn shadows(path: &Path, root: &Path, named: &NamedFiles) -> bool {
    imported(path, root, named).into_iter().any(|module| RUNNERS.contains(&module) || LOADED.contains(&module))
}

/// The names by which Python can import this file from its first import folders.
fn imported<'p>(path: &'p Path, root: &Path, named: &NamedFiles) -> Vec<&'p str> {
    let folders = named.imports.iter().map(PathBuf::as_path).chain([root]);
    let inner = folders.filter_map(|folder| path.strip_prefix(folder).ok());
    let name = |rest: &'p Path| {
        let mut parts = rest.iter().filter_map(|part| part.to_str());
        match (parts.next(), parts.next(), parts.next()) {
            (Some(file), None, _) => module(file),
            (Some(package), Some(file), None) => file.ends_with(".py").then_some(package),
            _ => None,
        }
    };
    inner.filter_map(name).collect()
}

/// The name by which Python imports a file.
fn module(file: &str) -> Option<&str> {
    let (module, extension) = file.split_once('.')?;
    (matches!(extension, "py" | "pyc" | "so") || extension.ends_with(".so")).then_some(module)
}

/// See [`Harness::stands_before`](super::Harness::stands_before).
pub(super) fn stands_before(path: &Path, named: &NamedFiles) -> Option<PathBuf> {
    let name = path.file_name()?.to_str().filter(|_| named.runs_python())?;
    let (folder, own) = (path.parent()?, module(name)?);
    match own {
        "__init__" => Some(folder.with_file_name(format!("{}.py", folder.file_name()?.to_str()?))),
        own => (!name.ends_with(".py")).then(|| folder.join(format!("{own}.py"))),
    }
}

/// See [`Harness::standard_module`](super::Harness::standard_module).
pub(super) fn standard_module<'p>(path: &'p Path, root: &Path, named: &NamedFiles) -> Option<&'p str> {
    let found =
        imported(path, root, named).into_iter().find(|module| STANDARD.contains(module) || LOADED.contains(module));
    found.filter(|_| named.runs_python())
}

fn cargo(name: &str, folder: &Path) -> bool {
    match name {
        "config" | "config.toml" => folder.file_name().is_some_and(|folder| folder == ".cargo"),
        // A module of the crate may have that name.
        "build.rs" => folder.file_name().is_none_or(|folder| folder != "src"),
        _ => false,
    }
}

fn node(name: &str, path: &Path, text: &dyn Fn() -> String) -> bool {
    let config = |runner: &str| {
        name.strip_prefix(runner).is_some_and(|rest| rest.starts_with(".config.") || rest.starts_with(".workspace."))
    };
    match name {
        ".npmrc" | ".yarnrc" | ".yarnrc.yml" | ".pnpmfile.cjs" | "bunfig.toml" => true,
        "package.json" => ["\"jest\"", "\"mocha\"", "\"ava\"", "\"vitest\""]
            .iter()
            .any(|key| text().contains(&format!("{key}: {{")) || text().contains(&format!("{key}:{{"))),
        name => {
            name.starts_with(".mocharc")
                || ["jest", "vitest", "ava", "karma", "playwright", "cypress"].iter().any(|runner| config(runner))
                || path.iter().any(|part| part == "node_modules")
        }
    }
}

fn other(name: &str, path: &Path, named: &NamedFiles) -> bool {
    let runs = |program: &str| named.opaque || named.programs.contains(program);
    match name {
        "phpunit.xml" | "phpunit.xml.dist" => runs("phpunit"),
        ".rspec" => runs("rspec"),
        "CTestCustom.cmake" => runs("ctest"),
        ".bazelrc" => runs("bazel"),
        // Make reads it instead of `Makefile`.
        "GNUmakefile" | "makefile" => named.makefiles.contains_key(path),
        _ => false,
    }
}

/// See [`Harness::is_go_module`](super::Harness::is_go_module).
pub(super) fn is_of_go(path: &Path, name: &str, named: &NamedFiles) -> bool {
    path.file_name().is_some_and(|own| own == name) && named.runs(&["go"])
}

impl NamedFiles {
    pub(super) fn runs_python(&self) -> bool {
        self.runs(&["python", "pypy", "pytest", "py.test", "nose"])
    }

    fn runs_pytest(&self) -> bool {
        self.runs(&["pytest", "py.test", "nose", "tox", "nox"])
    }

    pub(super) fn runs_node(&self) -> bool {
        self.runs(&[
            "node", "nodejs", "npm", "pnpm", "yarn", "bun", "jest", "vitest", "mocha", "ava", "tap", "tsx", "ts-node",
        ])
    }

    pub(super) fn runs_cargo(&self) -> bool {
        self.runs(&["cargo", "cargo-nextest", "rustc"])
    }

    fn runs(&self, programs: &[&str]) -> bool {
        self.opaque || programs.iter().any(|program| self.programs.contains(*program))
    }
}

/// Variables and the programs that use them; without a known program, all programs count.
const FAMILIES: [(&[&str], &[&str]); 7] = [
    (&["PYTHON", "PYTEST_"], &["python", "pypy", "pytest", "py.test", "nose"]),
    (
        &["NODE_", "NPM_CONFIG_", "npm_config_", "BUN_"],
        &["node", "nodejs", "npm", "pnpm", "yarn", "bun", "jest", "vitest", "mocha", "ava", "tap", "tsx", "ts-node"],
    ),
    (&["CARGO_", "RUST"], &["cargo", "cargo-nextest", "rustc"]),
    (&["GO"], &["go"]),
    (&["JAVA_", "JDK_", "MAVEN_", "CLASSPATH"], &["java", "mvn", "mvnw", "gradle", "gradlew"]),
    (&["RUBY"], &["ruby", "rspec", "rake", "bundle"]),
    (&["PERL"], &["perl", "prove"]),
];

/// See [`Harness::heeds`](super::Harness::heeds).
pub(super) fn heeds(variable: &str, named: &NamedFiles) -> bool {
    let family = FAMILIES.iter().find(|(prefixes, _)| prefixes.iter().any(|prefix| variable.starts_with(prefix)));
    family.is_none_or(|(_, programs)| named.runs(programs))
}
