use std::ffi::OsString;

use super::enter::EnterArguments;
use super::{Sandbox, SandboxLevel, refusal};

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

#[test]
fn a_wrapped_call_is_read_back_as_it_was_meant() {
    let sandbox = Sandbox { level: SandboxLevel::Landlock(7), writable: vec!["/a".into(), "/b c".into()] };
    let argv = words("judge --rw /etc -- x");
    let wrapped = sandbox.wrap("/bin/judge".as_ref(), &argv);
    let call = EnterArguments::parse(&wrapped[2..]).unwrap();
    let writable = vec!["/a".into(), "/b c".into()];
    assert_eq!(
        call,
        EnterArguments { level: Some(SandboxLevel::Landlock(7)), program: Some("/bin/judge".into()), writable, argv }
    );
}

#[test]
fn what_is_no_call_starts_nothing() {
    for (line, why) in [
        ("--", "no program"),
        ("--rw /tmp", "no program"),
        ("--rw", "`--rw` needs a value"),
        ("--level landlock2 -- true", "`landlock2` is not a level"),
        ("--level none -- true", "`none` is not a level"),
        ("--ro /tmp -- true", "unknown argument `--ro`"),
        ("true", "`true` needs a value"),
    ] {
        let said = EnterArguments::parse(&words(line)).unwrap_err();
        assert!(said.contains(why), "{line}: {said}");
    }
}

#[test]
fn levels_are_written_as_they_are_read() {
    for level in [SandboxLevel::Landlock(3), SandboxLevel::Landlock(12), SandboxLevel::Seatbelt] {
        assert_eq!(SandboxLevel::parse(&level.to_string()), Some(level));
    }
}

#[test]
fn only_the_wrappers_own_last_line_is_a_refusal() {
    assert_eq!(refusal("warning\nplan sandbox: no\n"), Some("no".to_owned()));
    assert_eq!(refusal("plan sandbox: no\nmore\n"), None);
    assert_eq!(refusal(""), None);
}
