//! Tests of every host's entries in settings of every style.

use std::ffi::OsString;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::host::HOSTS;
use crate::host::setup::{Allow, Content, SetupRequest, SetupScope};
use crate::settings::edit::undo;
use crate::settings::json::tests::{Maker, comments};

fn entries(allow: Allow, scope: SetupScope) -> Vec<Vec<SettingsEntry>> {
    let home = |name: &str| (name == "HOME").then(|| OsString::from("/h"));
    let request = SetupRequest { scope, program: "plan", shell: "plan", guide: "guide", allow, remove_comments: false };
    let of = |content| if let Content::Json(entries) = content { Some(entries) } else { None };
    let pieces = HOSTS.iter().flat_map(|host| {
        let folder = host.setup().folder(scope, &home).unwrap_or_default();
        host.setup().pieces(&request, Path::new(&folder), &home)
    });
    pieces.filter_map(|piece| of(piece.content)).collect()
}

const PROGRAM: Program<'_> = Program { plain: "plan", shell: "plan" };

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if std::env::var_os("PLAN_FULL").is_some() { 3_000 } else { 150 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Install and undo restore the same bytes; install and uninstall restore the same meaning and the same comments. A second
    /// install changes nothing, and a refusal always has a reason.
    #[test]
    fn in_and_out_loses_nothing(seed in 1_u64..) {
        let text = Maker(seed).document();
        let before = json::value(&text).unwrap();
        for (index, ours) in entries(Allow::Harmless, SetupScope::User).iter().enumerate() {
            let edits = match install(&text, ours, &PROGRAM) {
                Ok(edits) => edits,
                Err(obstacle) => {
                    let of_text = ["is not", "is there twice"].iter().any(|word| obstacle.why().contains(word));
                    prop_assert!(matches!(obstacle, Obstacle::Taken(_)) || of_text, "{:?}: {:?}", obstacle, text);
                    continue;
                }
            };
            let after = apply(&text, &edits).unwrap();
            prop_assert_eq!(undo(&after, &edits).unwrap(), text.clone());
            prop_assert_eq!(install(&after, ours, &PROGRAM).unwrap(), Vec::new());
            let all = &entries(Allow::Either, SetupScope::User)[index];
            let out = uninstall(&after, all, &kept(&text, ours)).unwrap();
            let left = apply(&after, &out).unwrap();
            prop_assert_eq!(json::value(&left).unwrap(), before.clone(), "{:?}", text);
            prop_assert_eq!(comments(&left), comments(&text));
        }
    }
}

#[test]
fn an_entry_is_known_by_its_call_whatever_program_it_names() {
    for (text, known) in [
        (r#"{"command":"plan","args":["hook","claude"],"x":1}"#, true),
        (r#"{"command":"/a b/plan","args":["hook","claude"]}"#, true),
        (r#"{"command":"'/a b/plan' hook claude"}"#, true),
        (r#"{"command":"plan hook claude"}"#, true),
        (r#"{"command":["plan","hook","claude"]}"#, true),
        (r#"{"command":"plan hook claude # mine"}"#, false),
        (r#"{"command":"plan","args":["hook","codex"]}"#, false),
        (r#"{"command":"explan hook claude"}"#, false),
        (r#"{"command":"sh -c plan","args":["hook","claude"]}"#, false),
        (r#"{"command":3}"#, false),
        (r#"{"command":[]}"#, false),
    ] {
        assert_eq!(calls(&json::value(text).unwrap(), &["hook", "claude"]), known, "{text}");
    }
}

#[test]
fn a_thousand_handlers_go_at_once_and_what_is_a_persons_stays() {
    let ours = r#"{"hooks":[{"command":"plan hook qwen"}]}"#;
    let many = vec![ours; 4_000].join(",");
    let text = format!(
        r#"{{"hooks":{{"Stop":[{many},{{"hooks":[{{"command":"plan hook qwen"}},{{"command":"own"}}]}},{{"hooks":[]}}],"Other":[/* mine */{ours}]}}}}"#
    );
    let hook = SettingsEntry::Hook { event: "Stop", group: String::new(), call: &["hook", "qwen"] };
    let begun = std::time::Instant::now();
    let edits = uninstall(&text, &[hook], &Preexisting::default()).unwrap();
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    let left = apply(&text, &edits).unwrap();
    assert_eq!(left, r#"{"hooks":{"Stop":[{"hooks":[{"command":"own"}]},{"hooks":[]}],"Other":[/* mine */]}}"#);
}
