//! Environment variables, and files by their names, that make a loader, an interpreter or a build tool load or run something.

use super::TOOLCHAINS;
use super::toolchain::NamedFile;

/// The variables that affect any program: those of the system's loader, shells and make.
const OF_ALL: [&str; 10] = [
    "BASH_ENV", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "ENV", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_PRELOAD",
    "GNUMAKEFLAGS", "MAKEFILES", "MAKEFLAGS",
];

pub(crate) fn is_loader(name: &str) -> bool {
    OF_ALL.contains(&name) || heeding(name).is_some()
}

/// Returns the programs whose ecosystem lists this variable; `None` if no ecosystem does, so that any program may read it.
pub(crate) fn heeding(name: &str) -> Option<&'static [&'static str]> {
    let is_own = |own: &&str| match own.strip_suffix('*') {
        // npm also reads `npm_config_…` in lower case.
        Some(family) => name.to_uppercase().starts_with(family),
        None => name == *own,
    };
    TOOLCHAINS.iter().find(|toolchain| toolchain.loaders.iter().any(is_own)).map(|toolchain| toolchain.programs)
}

pub(crate) fn is_loaded(file: &NamedFile<'_>, runs: impl Fn(&[&str]) -> bool) -> bool {
    TOOLCHAINS.iter().flat_map(|toolchain| toolchain.autoloads).any(|(programs, loads)| runs(programs) && loads(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_belongs_to_the_programs_that_heed_it() {
        for (name, program) in [
            ("GOENV", "go"),
            ("GOTOOLCHAIN", "go"),
            ("GOWORK", "go"),
            ("HARNESS_PERL_SWITCHES", "prove"),
            ("PHPRC", "php"),
            ("PYTHONUSERBASE", "python"),
            ("RUSTUP_TOOLCHAIN", "cargo"),
            ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "cargo"),
            ("npm_config_script_shell", "npm"),
        ] {
            assert!(heeding(name).is_some_and(|programs| programs.contains(&program)), "{name}");
        }
        for name in ["GNUMAKEFLAGS", "MAKEFILES", "MAKEFLAGS"] {
            assert!(is_loader(name) && heeding(name).is_none(), "{name}");
        }
        assert!(!is_loader("GOPRIVATE") && !is_loader("EDITOR"));
    }
}
