//! The sandbox of macOS, `/usr/bin/sandbox-exec`. Written from its manual page and the usage of other tools. The text of the
//! profile is tested, but the sandbox was not run on the system where this was written.

use std::ffi::OsString;
use std::path::PathBuf;

/// An absolute path: a `PATH` must not choose the program that restricts.
pub(super) const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// The arguments before the program: the profile, and the paths as separate arguments, so that no path can be read as a rule.
pub(super) fn arguments(writable: &[PathBuf]) -> Vec<OsString> {
    // The kernel compares real paths: `/tmp` is a link to `/private/tmp`.
    let real: Vec<PathBuf> = writable.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut words = vec!["-p".into(), profile(real.len()).into()];
    for (at, path) in real.iter().enumerate() {
        let mut define = OsString::from(format!("RW{at}="));
        define.push(path);
        words.extend(["-D".into(), define]);
    }
    words
}

/// Allows everything except writing and signals to other processes; allows writing below the parameters `RW0`, `RW1`, ….
fn profile(count: usize) -> String {
    let mut text = "(version 1)\n(allow default)\n(deny file-write*)\n(deny signal)\n\
                    (allow signal (target same-sandbox))\n(allow file-write-data (literal \"/dev/null\"))\n"
        .to_owned();
    for at in 0..count {
        text += &format!("(allow file-write* (subpath (param \"RW{at}\")))\n");
    }
    text
}

/// Whether a profile can be applied; not possible inside another sandbox, for example.
#[cfg(target_os = "macos")]
pub(super) fn works() -> bool {
    let mut command = std::process::Command::new(PROGRAM);
    command.args(arguments(&[])).arg("/usr/bin/true");
    let quiet = || std::process::Stdio::null();
    command.stdin(quiet()).stdout(quiet()).stderr(quiet()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_denies_writing_but_below_its_parameters() {
        assert_eq!(
            profile(2),
            "(version 1)\n(allow default)\n(deny file-write*)\n(deny signal)\n(allow signal (target same-sandbox))\n\
             (allow file-write-data (literal \"/dev/null\"))\n(allow file-write* (subpath (param \"RW0\")))\n\
             (allow file-write* (subpath (param \"RW1\")))\n"
        );
    }

    #[test]
    fn a_path_never_stands_in_the_profile() {
        let folder = tempfile::Builder::new().prefix("a\") (allow default)").tempdir().unwrap();
        let words = arguments(&[folder.path().to_owned(), "/nowhere/at/all".into()]);
        assert_eq!(words.len(), 4, "a path that is not there is left out: {words:?}");
        assert!(!words[1].to_string_lossy().contains("\") (allow"), "{words:?}");
        assert!(words[3].to_string_lossy().starts_with("RW0=/"), "{words:?}");
    }
}
