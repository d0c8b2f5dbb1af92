//! Perl.

use super::toolchain::{NOTHING, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    autoloads: &[(&["prove"], |file| file.name == ".proverc")],
    programs: &["perl", "prove"],
    loaders: &["HARNESS_PERL_SWITCHES", "PERL5LIB", "PERL5OPT"],
    ..NOTHING
};
