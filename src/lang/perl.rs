//! Perl.

use super::closing::{TestTally, behind, tally};
use super::toolchain::{Closes, NOTHING, Read, TestRunner, Toolchain};

/// Modules with which tests compare values.
const MODULES: [&str; 5] = ["Test/More.pm", "Test/Simple.pm", "Test/Builder.pm", "Test/Deep.pm", "Test2/V0.pm"];

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    autoloads: &[
        (&["prove"], |file| file.name == ".proverc"),
        // A module of the repository takes precedence over Perl's own module.
        (&["perl", "prove"], |file| MODULES.iter().any(|module| file.path.ends_with(module))),
    ],
    programs: &["perl", "prove"],
    runners: &[PROVE],
    loaders: &["HARNESS_PERL_SWITCHES", "PERL5LIB", "PERL5OPT"],
    ..NOTHING
};

const PROVE: TestRunner = TestRunner {
    name: "prove",
    is_called: |program, _| program == "prove",
    lists: &["-D", "--dry", "-h", "--help", "-V", "--version"],
    closes: Closes::Once,
    read: Read::EachLine(prove),
    selection: None,
};

/// `Files=2, Tests=5,  0 wallclock secs (…)`. It counts skipped tests like the others.
fn prove(line: &str) -> Option<TestTally> {
    (line.starts_with("Files=") && line.contains(" wallclock secs")).then_some(())?;
    tally(behind(line, "Tests=")?, 0)
}
