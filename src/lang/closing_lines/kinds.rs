//! Finds the test runners that a `verify` calls.

use crate::lang::wrapper;

/// A test runner with a known closing line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunnerKind {
    Pytest,
    Unittest,
    Cargo,
    Nextest,
    Go,
    Jest,
    Vitest,
    Mocha,
    Node,
    Dotnet,
    Gradle,
    Maven,
    Ctest,
    Rspec,
    Phpunit,
    Swift,
}

impl RunnerKind {
    pub(super) const ALL: [RunnerKind; 16] = [
        RunnerKind::Pytest,
        RunnerKind::Unittest,
        RunnerKind::Cargo,
        RunnerKind::Nextest,
        RunnerKind::Go,
        RunnerKind::Jest,
        RunnerKind::Vitest,
        RunnerKind::Mocha,
        RunnerKind::Node,
        RunnerKind::Dotnet,
        RunnerKind::Gradle,
        RunnerKind::Maven,
        RunnerKind::Ctest,
        RunnerKind::Rspec,
        RunnerKind::Phpunit,
        RunnerKind::Swift,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            RunnerKind::Pytest => "pytest",
            RunnerKind::Unittest => "unittest",
            RunnerKind::Cargo => "cargo test",
            RunnerKind::Nextest => "nextest",
            RunnerKind::Go => "go test",
            RunnerKind::Jest => "jest",
            RunnerKind::Vitest => "vitest",
            RunnerKind::Mocha => "mocha",
            RunnerKind::Node => "node --test",
            RunnerKind::Dotnet => "dotnet test",
            RunnerKind::Gradle => "gradle",
            RunnerKind::Maven => "maven",
            RunnerKind::Ctest => "ctest",
            RunnerKind::Rspec => "rspec",
            RunnerKind::Phpunit => "phpunit",
            RunnerKind::Swift => "swift test",
        }
    }

    /// Whether the closing line goes to another stream than the output of the tests, which the runner holds back. Then
    /// the order of lines says nothing.
    pub(super) const fn closes_aside(self) -> bool {
        matches!(self, RunnerKind::Unittest)
    }

    /// Whether one call prints a closing line for each binary, package, project or module.
    pub(super) const fn closes_often(self) -> bool {
        matches!(
            self,
            RunnerKind::Cargo
                | RunnerKind::Go
                | RunnerKind::Dotnet
                | RunnerKind::Gradle
                | RunnerKind::Maven
                | RunnerKind::Swift
        )
    }
}

/// The runners that may have printed something, each with the number of its calls if known. An unknown command (a
/// script, `make`, a test binary) may have called any runner, any number of times.
pub(super) fn kinds_of(commands: &[&[&str]]) -> Vec<(RunnerKind, Option<usize>)> {
    let named: Option<Vec<RunnerKind>> = commands.iter().map(|argv| kind_of(argv)).collect();
    let Some(named) = named else { return RunnerKind::ALL.into_iter().map(|kind| (kind, None)).collect() };
    RunnerKind::ALL
        .into_iter()
        .map(|kind| (kind, named.iter().filter(|other| **other == kind).count()))
        .filter(|(_, calls)| *calls > 0)
        .map(|(kind, calls)| (kind, Some(calls)))
        .collect()
}

/// The runner that a command calls, behind programs that only start it.
pub(crate) fn kind_of(argv: &[&str]) -> Option<RunnerKind> {
    let (program, args) = wrapper::started(argv)?.split_first()?;
    let name = program.rsplit('/').next()?;
    let name = if name.starts_with("python") { "python" } else { name };
    match (name, args) {
        ("pytest" | "py.test", _) => Some(RunnerKind::Pytest),
        ("python", args) => match args.iter().position(|arg| *arg == "-m").and_then(|at| args.get(at + 1)) {
            Some(&"pytest") => Some(RunnerKind::Pytest),
            Some(&"unittest") => Some(RunnerKind::Unittest),
            _ => None,
        },
        ("cargo", args) if args.contains(&"nextest") => Some(RunnerKind::Nextest),
        ("cargo", args) if args.iter().any(|arg| matches!(*arg, "test" | "t")) => Some(RunnerKind::Cargo),
        ("cargo-nextest", _) => Some(RunnerKind::Nextest),
        ("go", ["test", ..]) => Some(RunnerKind::Go),
        ("jest", _) => Some(RunnerKind::Jest),
        ("vitest", _) => Some(RunnerKind::Vitest),
        ("mocha", _) => Some(RunnerKind::Mocha),
        ("node", args) if args.contains(&"--test") => Some(RunnerKind::Node),
        ("dotnet", ["test", ..]) => Some(RunnerKind::Dotnet),
        ("gradle" | "gradlew", _) => Some(RunnerKind::Gradle),
        ("mvn" | "mvnw", _) => Some(RunnerKind::Maven),
        ("ctest", _) => Some(RunnerKind::Ctest),
        ("rspec", _) => Some(RunnerKind::Rspec),
        ("phpunit", _) => Some(RunnerKind::Phpunit),
        ("swift", ["test", ..]) => Some(RunnerKind::Swift),
        _ => None,
    }
}
