//! Ecosystems with few known facts: Bazel, OCaml, Elixir, Haskell, Zig.

use super::toolchain::{NOTHING, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    builds: &["_build", "dist-newstyle", ".stack-work", ".zig-cache", "zig-cache"],
    autoloads: &[(&["bazel"], |file| file.name == ".bazelrc")],
    ..NOTHING
};
