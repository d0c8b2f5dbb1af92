//! Perl.

use super::toolchain::{NOTHING, Toolchain};

/// Modules with which tests compare values.
const MODULES: [&str; 5] = ["Test/More.pm", "Test/Simple.pm", "Test/Builder.pm", "Test/Deep.pm", "Test2/V0.pm"];

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    autoloads: &[
        (&["prove"], |file| file.name == ".proverc"),
        // A module of the repository takes precedence over Perl's own module.
        (&["perl", "prove"], |file| MODULES.iter().any(|module| file.path.ends_with(module))),
    ],
    programs: &["perl", "prove"],
    loaders: &["HARNESS_PERL_SWITCHES", "PERL5LIB", "PERL5OPT"],
    ..NOTHING
};
