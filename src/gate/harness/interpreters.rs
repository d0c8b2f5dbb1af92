//! The programs that run a script.

use crate::shell::is_shell;

/// Interpreters that run their first argument that is not an option.
pub(super) const INTERPRETERS: [&str; 43] = [
    "python", "pypy", "ipython", "node", "nodejs", "babel-node", "ruby", "perl", "php", "lua", "luajit", "Rscript",
    "tsx", "ts-node", "ts-node-esm", "esr", "zx", "bun", "deno", "julia", "elixir", "escript", "dart", "java", "jbang",
    "kotlin", "scala", "scala-cli", "groovy", "clojure", "bb", "pwsh", "raku", "tclsh", "expect", "guile", "racket",
    "ocaml", "runghc", "runhaskell", "nu", "rust-script", "torchrun",
];

/// Whether this is an interpreter or a shell: the next word may be its script.
pub(super) fn starts_script(word: &str) -> bool {
    is_shell(word) || INTERPRETERS.contains(&unversioned(word))
}

/// The name of a program without its version: `python` of `python3.12`, `tsx` of `tsx@4`.
pub(in crate::gate) fn unversioned(name: &str) -> &str {
    let name = name.split_once('@').map_or(name, |(name, _)| name);
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}
