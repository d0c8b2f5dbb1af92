//! Which test runners a `verify` calls.

use crate::signoff::gate::trivial::wrapper;

/// A test runner whose closing line is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::signoff::gate) enum Kind {
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

impl Kind {
    pub(super) const ALL: [Kind; 16] = [
        Kind::Pytest,
        Kind::Unittest,
        Kind::Cargo,
        Kind::Nextest,
        Kind::Go,
        Kind::Jest,
        Kind::Vitest,
        Kind::Mocha,
        Kind::Node,
        Kind::Dotnet,
        Kind::Gradle,
        Kind::Maven,
        Kind::Ctest,
        Kind::Rspec,
        Kind::Phpunit,
        Kind::Swift,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Pytest => "pytest",
            Kind::Unittest => "unittest",
            Kind::Cargo => "cargo test",
            Kind::Nextest => "nextest",
            Kind::Go => "go test",
            Kind::Jest => "jest",
            Kind::Vitest => "vitest",
            Kind::Mocha => "mocha",
            Kind::Node => "node --test",
            Kind::Dotnet => "dotnet test",
            Kind::Gradle => "gradle",
            Kind::Maven => "maven",
            Kind::Ctest => "ctest",
            Kind::Rspec => "rspec",
            Kind::Phpunit => "phpunit",
            Kind::Swift => "swift test",
        }
    }

    /// It closes on another stream than its tests print to, and these are kept back: which line came last says nothing.
    pub(super) const fn closes_aside(self) -> bool {
        matches!(self, Kind::Unittest)
    }

    /// One call prints a closing line for each binary, package, project or module.
    pub(super) const fn closes_often(self) -> bool {
        matches!(self, Kind::Cargo | Kind::Go | Kind::Dotnet | Kind::Gradle | Kind::Maven | Kind::Swift)
    }
}

/// The runners that can have printed something, each with the number of calls where that is known. A command that is not
/// recognised (a script, `make`, a test binary) may have called any of them, any number of times.
pub(super) fn kinds_of(commands: &[&[&str]]) -> Vec<(Kind, Option<usize>)> {
    let named: Option<Vec<Kind>> = commands.iter().map(|argv| kind_of(argv)).collect();
    let Some(named) = named else { return Kind::ALL.into_iter().map(|kind| (kind, None)).collect() };
    Kind::ALL
        .into_iter()
        .map(|kind| (kind, named.iter().filter(|other| **other == kind).count()))
        .filter(|(_, calls)| *calls > 0)
        .map(|(kind, calls)| (kind, Some(calls)))
        .collect()
}

/// The runner that a command calls, behind what only starts it.
pub(in crate::signoff::gate) fn kind_of(argv: &[&str]) -> Option<Kind> {
    let (program, args) = wrapper::started(argv)?.split_first()?;
    let name = program.rsplit('/').next()?;
    let name = if name.starts_with("python") { "python" } else { name };
    match (name, args) {
        ("pytest" | "py.test", _) => Some(Kind::Pytest),
        ("python", args) => match args.iter().position(|arg| *arg == "-m").and_then(|at| args.get(at + 1)) {
            Some(&"pytest") => Some(Kind::Pytest),
            Some(&"unittest") => Some(Kind::Unittest),
            _ => None,
        },
        ("cargo", args) if args.contains(&"nextest") => Some(Kind::Nextest),
        ("cargo", args) if args.iter().any(|arg| matches!(*arg, "test" | "t")) => Some(Kind::Cargo),
        ("cargo-nextest", _) => Some(Kind::Nextest),
        ("go", ["test", ..]) => Some(Kind::Go),
        ("jest", _) => Some(Kind::Jest),
        ("vitest", _) => Some(Kind::Vitest),
        ("mocha", _) => Some(Kind::Mocha),
        ("node", args) if args.contains(&"--test") => Some(Kind::Node),
        ("dotnet", ["test", ..]) => Some(Kind::Dotnet),
        ("gradle" | "gradlew", _) => Some(Kind::Gradle),
        ("mvn" | "mvnw", _) => Some(Kind::Maven),
        ("ctest", _) => Some(Kind::Ctest),
        ("rspec", _) => Some(Kind::Rspec),
        ("phpunit", _) => Some(Kind::Phpunit),
        ("swift", ["test", ..]) => Some(Kind::Swift),
        _ => None,
    }
}
