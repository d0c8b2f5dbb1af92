use std::ffi::OsString;
use std::path::Path;

use super::{
    AnswerSource, AnswerText, ClientCommand, ClientExit, Host, JudgeCall, Session, find, is_session_variable,
    running_under,
};

mod hooks;
mod judges;

const NOTHING: fn(&str) -> Option<OsString> = |_| None;

fn host(name: &str) -> &'static dyn Host {
    find(name).expect("a host of that name")
}

fn ask<'a>(root: &'a str, model: Option<&'a str>) -> JudgeCall<'a> {
    let (top, scratch) = (Path::new("/repo"), Path::new("/scratch"));
    JudgeCall { root: Path::new(root), top, scratch, model, schema: "{}", reads: true }
}

fn argv(command: &ClientCommand) -> Vec<&str> {
    command.argv.iter().map(|word| word.to_str().expect("UTF-8")).collect()
}

fn answer(name: &str, exit: Option<i32>, answer: &[u8], stdout: &[u8], stderr: &[u8]) -> Result<String, String> {
    let ran = ClientExit { exit, answer, stdout, stderr };
    host(name).answer(&ran).map(|answer| {
        let (AnswerText::Object(said) | AnswerText::Text(said)) = answer.said;
        String::from_utf8(said).expect("UTF-8")
    })
}

/// Returns a home folder that has Codex's configuration.
fn codex_home(config: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    std::fs::write(home.path().join("config.toml"), config).expect("written");
    home
}

fn codex_argv(home: &Path) -> Vec<String> {
    let variable = |name: &str| (name == "CODEX_HOME").then(|| home.into());
    let command = host("codex").judge(&ask("/repo", None), &variable);
    argv(&command).into_iter().map(str::to_owned).collect()
}

#[test]
fn claude_is_called_with_reading_tools_alone() {
    let command = host("claude").judge(&ask("/repo", Some("sonnet")), &NOTHING);
    let expected = "claude -p --model=sonnet --tools Read,Grep,Glob --permission-mode dontAsk --setting-sources  \
                    --strict-mcp-config --disable-slash-commands --no-session-persistence --output-format json \
                    --json-schema {} --add-dir /scratch";
    assert_eq!(argv(&command).join(" "), expected);
    assert_eq!(command.cwd, Path::new("/repo"));
    assert_eq!(command.answer, AnswerSource::Stdout);
}

#[test]
fn claude_in_a_subfolder_may_read_the_whole_work_tree() {
    let command = host("claude").judge(&ask("/repo/sub", None), &NOTHING);
    assert!(argv(&command).ends_with(&["--add-dir", "/scratch", "/repo"]), "{:?}", argv(&command));
    assert_eq!(command.cwd, Path::new("/repo/sub"));
}

#[test]
fn codex_is_called_away_from_the_repository() {
    let command = host("codex").judge(&ask("/repo", Some("gpt-5.5")), &NOTHING);
    let argv = argv(&command);
    assert!(
        argv.join(" ").starts_with("codex exec --json --ephemeral --ignore-rules --skip-git-repo-check -s read-only")
    );
    assert!(argv.contains(&"--model=gpt-5.5"), "{argv:?}");
    assert!(argv.windows(2).any(|two| two == ["-C", "/scratch"]), "{argv:?}");
    assert!(!argv.contains(&"/repo"), "{argv:?}");
    assert_eq!(argv.last(), Some(&"-"));
    assert_eq!(command.cwd, Path::new("/scratch"));
    assert_eq!(command.answer, AnswerSource::File("/scratch/last.json".into()));
    assert_eq!(command.files, [("/scratch/schema.json".into(), b"{}".to_vec())]);
}

#[test]
fn the_shell_of_codex_stays_on_and_its_other_tools_go() {
    let command = host("codex").judge(&ask("/repo", None), &NOTHING);
    let features = argv(&command).into_iter().find_map(|word| word.strip_prefix("features=")).expect("features");
    assert!(!features.contains("shell_tool") && !features.contains("unified_exec"), "{features}");
    for feature in ["hooks", "multi_agent", "apps", "plugins", "unbounded_connection_retries"] {
        assert!(features.contains(&format!("{feature}=false")), "{feature} in {features}");
    }
    let table: toml::Table = format!("features={features}").parse().expect("TOML");
    assert!(table["features"].as_table().is_some_and(|table| table.len() == 13));
}

#[test]
fn an_unset_model_is_left_out() {
    for host in super::HOSTS {
        let command = host.judge(&ask("/repo", None), &NOTHING);
        let argv = argv(&command);
        assert!(!argv.iter().any(|word| word.starts_with("--model") || *word == "-m"), "{argv:?}");
    }
}

#[test]
fn the_servers_of_a_codex_user_are_switched_off_by_name() {
    let home = codex_home(
        "model = \"m\"\n[mcp_servers.mine]\ncommand = \"x\"\n[mcp_servers.\"od.d \\\"q\"]\ncommand = \"y\"\n",
    );
    let argv = codex_argv(home.path());
    let setting = argv.iter().find(|word| word.starts_with("mcp_servers=")).expect("a setting");
    let table: toml::Table = setting.parse().expect("TOML");
    let servers = table["mcp_servers"].as_table().expect("a table");
    assert_eq!(servers.keys().collect::<Vec<_>>(), ["mine", "od.d \"q"]);
    assert!(servers.values().all(|server| server["enabled"].as_bool() == Some(false)), "{setting}");
}

#[test]
fn a_codex_configuration_without_servers_is_left_alone() {
    for config in ["", "model = \"m\"\n", "[mcp_servers]\n"] {
        let argv = codex_argv(codex_home(config).path());
        assert!(!argv.iter().any(|word| word.starts_with("mcp_servers") || word == "--ignore-user-config"), "{argv:?}");
    }
}

#[test]
fn a_codex_configuration_that_cannot_be_read_is_not_used() {
    for config in ["mcp_servers = [", "mcp_servers = 3"] {
        let argv = codex_argv(codex_home(config).path());
        assert!(argv.iter().any(|word| word == "--ignore-user-config"), "{argv:?}");
    }
}

#[test]
fn claude_answers_with_the_structured_output() {
    let ok = include_bytes!("../../fixtures/hosts/claude-ok.json");
    assert_eq!(answer("claude", Some(0), ok, ok, b""), Ok(r#"{"verdict":"pass","why":"ok"}"#.to_owned()));
    let listed = [b"[{\"type\":\"system\"},", ok.as_slice(), b"]"].concat();
    assert!(answer("claude", Some(0), &listed, &listed, b"").is_ok(), "as with `verbose`");
    let answered = host("claude").answer(&ClientExit { exit: Some(0), answer: ok, stdout: ok, stderr: b"" });
    assert_eq!(answered.expect("an answer").model.as_deref(), Some("claude-sonnet-5-5"));
}

// P-50
#[test]
fn claude_without_the_object_has_not_answered_whatever_its_exit_code() {
    let prose = include_bytes!("../../fixtures/hosts/claude-text-instead.json");
    let unauthorised = include_bytes!("../../fixtures/hosts/claude-http-401.json");
    let shapeless = include_bytes!("../../fixtures/hosts/claude-always-bad.json");
    let logged_out = include_bytes!("../../fixtures/hosts/claude-no-key.json");
    let ok = include_bytes!("../../fixtures/hosts/claude-ok.json");
    let why = |exit, bytes: &[u8]| answer("claude", exit, bytes, bytes, b"").expect_err("no answer");
    assert_eq!(why(Some(0), prose), "`claude` returned no JSON answer: t");
    assert_eq!(
        why(Some(1), unauthorised),
        "`claude` returned no JSON answer: Failed to authenticate. API Error: 401 scripted error"
    );
    let shape = "`claude` returned no JSON answer: Failed to provide valid structured output after 5 attempts";
    assert!(why(Some(1), shapeless).starts_with(shape), "{}", why(Some(1), shapeless));
    assert_eq!(why(Some(1), logged_out), "`claude` returned no JSON answer: Not logged in · Please run /login");
    assert!(why(Some(1), ok).starts_with("`claude` returned no JSON answer"), "an object beside a failure");
    assert!(why(None, ok).starts_with("`claude` returned no JSON answer"), "an object beside a signal");
}

#[test]
fn a_client_that_says_nothing_is_named_with_its_last_words() {
    assert_eq!(
        answer("claude", Some(1), b"", b"", b"one\nerror: unknown option '--nonsense'\n"),
        Err("`claude` exit 1: error: unknown option '--nonsense'".to_owned())
    );
    assert_eq!(answer("codex", None, b"", b"", b""), Err("`codex` ended by a signal: it printed nothing".to_owned()));
    let long = answer("codex", Some(2), b"", b"", "\u{1b}[31mé".repeat(500).as_bytes()).expect_err("no answer");
    assert!(long.chars().count() < 240 && !long.contains('\u{1b}'), "{long}");
}

#[test]
fn codex_answers_in_its_file_and_fails_in_its_events() {
    let ok = include_bytes!("../../fixtures/hosts/codex-ok.jsonl");
    let unauthorised = include_bytes!("../../fixtures/hosts/codex-http-401.jsonl");
    assert_eq!(answer("codex", Some(0), b"{\"a\":1}", ok, b""), Ok("{\"a\":1}".to_owned()));
    assert!(answer("codex", Some(0), b" \n", ok, b"").is_err(), "an empty file");
    assert!(answer("codex", Some(1), b"{\"a\":1}", ok, b"").is_err(), "a failure");
    let why = answer("codex", Some(1), b"", unauthorised, b"noise").expect_err("no answer");
    assert!(why.starts_with("`codex` returned no JSON answer: unexpected status 401 Unauthorized"), "{why}");
}

// The error names the variable of the provider's `env_key`, and the setting that passes it on to `plan mcp`.
#[test]
fn codex_without_its_key_says_what_is_to_be_done() {
    let failed = br#"{"type":"turn.failed","error":{"message":"Missing environment variable: `CORP_KEY`."}}"#;
    let why = answer("codex", Some(1), b"", failed, b"").expect_err("no answer");
    for part in ["`CORP_KEY`", "plan install codex", "env_vars = [\"CORP_KEY\"]", "[mcp_servers.plan]"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    let other = br#"{"type":"turn.failed","error":{"message":"Missing environment variable: `a\"]; x`."}}"#;
    assert!(!answer("codex", Some(1), b"", other, b"").expect_err("no answer").contains("env_vars"));
}

#[test]
fn the_environment_tells_the_host() {
    let under = |set: &'static [(&'static str, &'static str)]| {
        let variable =
            move |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
        running_under(&variable).into_iter().map(|(host, session)| (host.name(), session)).collect::<Vec<_>>()
    };
    let none = Session { model: None, ..Session::default() };
    assert_eq!(under(&[]), []);
    assert_eq!(under(&[("CLAUDECODE", "1")]), [("claude", none.clone())]);
    assert_eq!(under(&[("AI_AGENT", "claude-code_2-1-329_agent")]), [("claude", none.clone())]);
    let named = |id: &str, model: Option<&str>| Session { id: Some(id.to_owned()), model: model.map(str::to_owned) };
    assert_eq!(under(&[("CODEX_THREAD_ID", "01a1")]), [("codex", named("01a1", None))]);
    assert_eq!(under(&[("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "c4")]), [("claude", named("c4", None))]);
    assert_eq!(under(&[("CLAUDECODE", "0"), ("AI_AGENT", "other"), ("CODEX_HOME", "/x")]), []);
    assert_eq!(
        under(&[("CLAUDECODE", "1"), ("CODEX_VERSION", "0.169.0")]),
        [("claude", none.clone()), ("codex", none)]
    );
}

#[test]
fn what_describes_an_outer_session_is_not_inherited_and_the_rest_is() {
    for name in
        ["CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "AI_AGENT", "CODEX_THREAD_ID", "CODEX_SANDBOX_NETWORK_DISABLED"]
    {
        assert!(is_session_variable(name), "{name}");
    }
    for name in
        ["ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_BEDROCK", "CODEX_HOME", "OPENAI_API_KEY", "PATH"]
    {
        assert!(!is_session_variable(name), "{name}");
    }
}

#[test]
fn the_state_follows_the_hosts_own_variable() {
    let home = |name: &str| (name == "HOME").then(|| OsString::from("/home/u"));
    let moved = |name: &str| Some(OsString::from(if name == "HOME" { "/home/u" } else { "/elsewhere" }));
    let state = |name, variable| host(name).state(variable).iter().map(|p| p.display().to_string()).collect::<Vec<_>>();
    assert_eq!(state("claude", &home), ["/home/u/.claude"]);
    assert_eq!(state("claude", &moved), ["/elsewhere"]);
    assert_eq!(state("codex", &home), ["/home/u/.codex"]);
    assert_eq!(state("codex", &moved), ["/elsewhere"]);
    assert!(host("claude").state(&NOTHING).is_empty());
}

// SIGNOFF.md §6
#[test]
fn variables_that_lead_a_judge_elsewhere_are_named() {
    let set = |name: &str| match name {
        "ANTHROPIC_BASE_URL" | "https_proxy" => Some("http://localhost:1".into()),
        "OPENAI_BASE_URL" => Some("".into()),
        _ => None,
    };
    assert_eq!(super::redirected(super::find("claude").unwrap(), &set), ["ANTHROPIC_BASE_URL", "https_proxy"]);
    assert_eq!(super::redirected(super::find("codex").unwrap(), &set), ["https_proxy"], "an empty one leads nowhere");
}
