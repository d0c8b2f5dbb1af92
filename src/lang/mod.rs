//! Facts about each ecosystem and its tools, for the code that runs or reads a verify. Each ecosystem has one file and one
//! row of `TOOLCHAINS`. This module contains no checks.

mod c;
mod closing;
pub mod closing_lines;
mod dotnet;
pub mod failed_assertions;
pub(crate) mod folders;
mod go;
mod jvm;
pub(crate) mod loaders;
mod node;
mod others;
mod perl;
mod php;
mod printed;
pub(crate) mod python;
mod ruby;
pub(crate) mod runners;
mod rust;
mod swift;
mod test_runner;
pub(crate) mod toolchain;
pub(crate) mod uncompiled;
pub(crate) mod wrapper;

use toolchain::Toolchain;

/// Every ecosystem.
const TOOLCHAINS: [Toolchain; 12] = [
    python::TOOLCHAIN,
    rust::TOOLCHAIN,
    go::TOOLCHAIN,
    node::TOOLCHAIN,
    dotnet::TOOLCHAIN,
    jvm::TOOLCHAIN,
    c::TOOLCHAIN,
    ruby::TOOLCHAIN,
    php::TOOLCHAIN,
    perl::TOOLCHAIN,
    others::TOOLCHAIN,
    swift::TOOLCHAIN,
];

pub(crate) const PYTHON: &[&str] = python::TOOLCHAIN.programs;
pub(crate) const NODE: &[&str] = node::TOOLCHAIN.programs;
pub(crate) const RUST: &[&str] = rust::TOOLCHAIN.programs;
