//! What tells a loader, an interpreter or a build tool what to load or to run: variables, and files by their names.

use super::TOOLCHAINS;
use super::toolchain::NamedFile;

/// Those that any program may heed: the system's own loader, shells, make.
const OF_ALL: [&str; 10] = [
    "BASH_ENV", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "ENV", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_PRELOAD",
    "GNUMAKEFLAGS", "MAKEFILES", "MAKEFLAGS",
];

/// Whether this is such a variable.
pub(crate) fn is_loader(name: &str) -> bool {
    OF_ALL.contains(&name) || heeding(name).is_some()
}

/// The programs that heed such a variable; none if any program may.
pub(crate) fn heeding(name: &str) -> Option<&'static [&'static str]> {
    let is_own = |own: &&str| match own.strip_suffix('*') {
        // npm reads `npm_config_…` too.
        Some(family) => name.to_uppercase().starts_with(family),
        None => name == *own,
    };
    TOOLCHAINS.iter().find(|toolchain| toolchain.loaders.iter().any(is_own)).map(|toolchain| toolchain.programs)
}

/// Whether one of the programs for which `runs` holds loads this file.
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
