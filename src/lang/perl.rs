//! Perl.

use super::{NOTHING, Toolchain};

pub(super) const TOOLCHAIN: Toolchain =
    Toolchain { programs: &["perl", "prove"], loaders: &["PERL5LIB", "PERL5OPT"], ..NOTHING };
