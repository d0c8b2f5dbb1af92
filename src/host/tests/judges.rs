//! pi, Gemini CLI, opencode and Qwen Code as judges: their commands, and how their output is read.

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Value, json};

use super::{NOTHING, answer, argv, ask, host};
use crate::host::{AnswerSource, AnswerText, ClientCommand, ClientExit, Session, is_session_variable, running_under};

fn call(name: &str, model: Option<&str>) -> ClientCommand {
    host(name).judge(&ask("/repo", model), &NOTHING)
}

fn set<'a>(command: &'a ClientCommand, name: &str) -> &'a str {
    let found = command.env.iter().find(|(key, _)| *key == name);
    found.and_then(|(_, value)| value.to_str()).unwrap_or_else(|| panic!("{name} is not set"))
}

fn file<'a>(command: &'a ClientCommand, path: &str) -> &'a str {
    let found = command.files.iter().find(|(file, _)| file == Path::new(path));
    std::str::from_utf8(&found.unwrap_or_else(|| panic!("no file {path}")).1).expect("UTF-8")
}

// P-64
#[test]
fn pi_is_called_with_reading_tools_alone() {
    let command = call("pi", Some("anthropic/claude-sonnet-5"));
    let expected = "pi -p --model anthropic/claude-sonnet-5 --tools read,grep,find,ls --no-session --no-extensions --no-mcp \
                    --no-skills --no-prompt-templates --no-themes --no-context-files --no-approve --offline";
    assert_eq!(argv(&command).join(" "), expected);
    assert_eq!((command.cwd.as_path(), &command.answer), (Path::new("/repo"), &AnswerSource::Stdout));
}

// P-64
#[test]
fn gemini_is_called_away_from_the_repository_with_everything_denied_but_reading() {
    let command = call("gemini", Some("gemini-2.5-pro"));
    let expected = "gemini -o json -m gemini-2.5-pro --policy /scratch/policy.toml --admin-policy /scratch/policy.toml \
                    -e none --allowed-mcp-server-names none --include-directories /repo";
    assert_eq!(argv(&command).join(" "), expected);
    assert_eq!(command.cwd, Path::new("/scratch"), "there its own settings are the project's");
    let policy: toml::Table = file(&command, "/scratch/policy.toml").parse().expect("TOML");
    let rules = policy["rule"].as_array().expect("rules");
    assert_eq!((rules[0]["toolName"].as_str(), rules[0]["decision"].as_str()), (Some("*"), Some("deny")));
    assert_eq!(rules.len(), 2);
    let allowed: Vec<&str> =
        rules[1]["toolName"].as_array().expect("names").iter().filter_map(|name| name.as_str()).collect();
    assert_eq!(allowed, ["read_file", "read_many_files", "list_directory", "glob", "grep_search"]);
    assert_eq!(set(&command, "GEMINI_CLI_TRUSTED_FOLDERS_PATH"), "/scratch/trusted.json");
    let trusted: Value = serde_json::from_str(file(&command, "/scratch/trusted.json")).expect("JSON");
    assert_eq!(trusted, json!({ "/scratch": "TRUST_FOLDER" }), "not the repository");
    let settings: Value = serde_json::from_str(file(&command, "/scratch/.gemini/settings.json")).expect("JSON");
    assert_eq!(settings["hooksConfig"]["enabled"], false);
    assert_eq!(settings["general"]["maxAttempts"], 1, "no storm of retries");
    assert!(settings.get("security").is_none(), "the login stays the user's");
}

#[test]
fn gemini_takes_the_variables_of_its_user_and_of_nobody_else() {
    let home = tempfile::tempdir().expect("a folder");
    let variable = |name: &str| (name == "HOME").then(|| OsString::from(home.path()));
    let env = || {
        let command = host("gemini").judge(&ask("/repo", None), &variable);
        file(&command, "/scratch/.gemini/.env").to_owned()
    };
    assert_eq!(env(), "", "there all the same: the next one up could be anybody's");
    std::fs::write(home.path().join(".env"), "A=1\n").expect("written");
    assert_eq!(env(), "A=1\n");
    std::fs::create_dir(home.path().join(".gemini")).expect("made");
    std::fs::write(home.path().join(".gemini/.env"), "GEMINI_API_KEY=k\n").expect("written");
    assert_eq!(env(), "GEMINI_API_KEY=k\n");
}

// P-64
#[test]
fn opencode_is_called_with_an_agent_that_reads_and_is_denied_the_rest_by_any_agent() {
    let command = call("opencode", Some("anthropic/claude-sonnet-5"));
    let expected = "opencode run --agent plan-judge --title plan-judge --format json --model anthropic/claude-sonnet-5";
    assert_eq!(argv(&command).join(" "), expected);
    let everywhere: Value = serde_json::from_str(set(&command, "OPENCODE_PERMISSION")).expect("JSON");
    assert_eq!(everywhere, json!({ "*": "deny", "read": "allow", "grep": "allow", "glob": "allow", "list": "allow" }));
    let config: Value = serde_json::from_str(set(&command, "OPENCODE_CONFIG_CONTENT")).expect("JSON");
    let rules = &config["agent"]["plan-judge"]["permission"];
    assert_eq!((&rules["*"], &rules["read"]), (&json!("deny"), &json!("allow")));
    assert_eq!(rules["external_directory"], json!({ "*": "deny", "/scratch/**": "allow", "/repo/**": "allow" }));
    assert_eq!((set(&command, "OPENCODE_DB"), set(&command, "OPENCODE_PURE")), (":memory:", "1"));
    assert_eq!(set(&command, "OPENCODE_DISABLE_PROJECT_CONFIG"), "1");
    assert_eq!(command.cwd.as_path(), Path::new("/scratch"), "a project's plugins would be run");
}

// P-64
#[test]
fn qwen_is_called_in_safe_mode_with_a_schema() {
    let command = call("qwen", Some("qwen3-coder"));
    let expected = "qwen -m qwen3-coder --safe-mode --approval-mode plan --chat-recording=false --include-directories /repo \
                    --exclude-tools ";
    let line = argv(&command).join(" ");
    let (without, schema) = line.strip_prefix(expected).and_then(|rest| rest.split_once(' ')).expect("its tools");
    assert_eq!(schema, "--json-schema {}");
    let without: Vec<&str> = without.split(',').collect();
    assert!(
        ["agent", "edit", "run_shell_command", "tool_call", "web_fetch", "write_file"]
            .iter()
            .all(|name| without.contains(name))
    );
    assert!(!["glob", "grep_search", "read_file", "structured_output"].iter().any(|name| without.contains(name)));
    assert_eq!((command.cwd.as_path(), &command.answer), (Path::new("/scratch"), &AnswerSource::Stdout));
}

// SIGNOFF.md §5: the commands that a judge runs can read everything in argv and files.
#[test]
fn none_of_them_is_given_the_prompt_but_on_its_input_and_all_run_inside_our_sandbox() {
    for name in ["pi", "gemini", "opencode", "qwen"] {
        let command = call(name, None);
        assert!(!argv(&command).iter().any(|word| matches!(*word, "--prompt" | "--system-prompt")), "{name}");
        assert!(!host(name).sandboxes_itself(), "{name}");
    }
}

#[test]
fn pi_answers_with_its_last_text() {
    assert_eq!(answer("pi", Some(0), b"SIGNOFF[x]\n", b"", b""), Ok("SIGNOFF[x]\n".to_owned()));
    let why = answer("pi", Some(1), b"", b"", b"401 scripted error\n");
    assert_eq!(why, Err("`pi` exit 1: 401 scripted error".to_owned()));
    assert!(answer("pi", Some(0), b"\n", b"", b"").is_err(), "nothing said");
    assert!(answer("pi", None, b"SIGNOFF[x]", b"", b"").is_err(), "ended by a signal");
}

#[test]
fn gemini_answers_with_its_response_and_names_the_model() {
    let ok = include_bytes!("../../../fixtures/hosts/gemini-ok.json");
    let answered = host("gemini").answer(&ClientExit { exit: Some(0), answer: ok, stdout: ok, stderr: b"" });
    let answered = answered.expect("an answer");
    assert_eq!(answered.said, AnswerText::Text(b"VERDICT: ok".to_vec()));
    assert_eq!(answered.model.as_deref(), Some("gemini-2.5-flash"));
    let stderr = include_bytes!("../../../fixtures/hosts/gemini-bad-request.stderr");
    let why = answer("gemini", Some(144), b"", b"", stderr).expect_err("no answer");
    assert!(why.starts_with("`gemini` gave no answer: ") && why.contains("stub bad request"), "{why}");
    assert_eq!(answer("gemini", Some(41), b"", b"", b"x\nno key\n"), Err("`gemini` exit 41: no key".to_owned()));
    assert!(answer("gemini", Some(1), ok, ok, b"").is_err(), "a text beside a failure");
    assert!(answer("gemini", None, ok, ok, b"").is_err(), "a text beside a signal");
    assert!(answer("gemini", Some(0), b"{\"response\":\"\"}", b"", b"").is_err());
}

#[test]
fn the_main_model_of_gemini_is_named_beside_the_one_that_routes() {
    let roles = |role: &str| json!({ "api": {}, "roles": { role: {} } });
    let stats = json!({ "models": { "gemini-lite": roles("utility_router"), "gemini-pro": roles("main") } });
    let said = json!({ "response": "x", "stats": stats }).to_string();
    let ended = ClientExit { exit: Some(0), answer: said.as_bytes(), stdout: b"", stderr: b"" };
    assert_eq!(host("gemini").answer(&ended).expect("an answer").model.as_deref(), Some("gemini-pro"));
}

#[test]
fn opencode_answers_with_the_texts_of_the_message_that_ends_it() {
    let ok = include_str!("../../../fixtures/hosts/opencode-ok.jsonl");
    let said = |text: &str| answer("opencode", Some(0), text.as_bytes(), b"", b"");
    assert_eq!(said(ok), Ok("VERDICT: done".to_owned()), "not `let me write`, which it said before");
    let cut = ok.trim_end().rsplit_once('\n').expect("lines").0;
    assert!(said(cut).is_err(), "its end is missing");
    let error = r#"{"type":"error","timestamp":1,"sessionID":"s","error":{"name":"APIError","data":{"message":"Unauthorized: x"}}}"#;
    assert_eq!(said(&format!("{ok}{error}\n")), Err("`opencode` gave no answer: Unauthorized: x".to_owned()));
    assert!(answer("opencode", Some(1), ok.as_bytes(), b"", b"").is_err(), "a text beside a failure");
    assert_eq!(answer("opencode", Some(1), b"", b"", b"Error: x"), Err("`opencode` exit 1: Error: x".to_owned()));
}

#[test]
fn qwen_answers_with_the_object() {
    let ended = |exit, answer| host("qwen").answer(&ClientExit { exit, answer, stdout: answer, stderr: b"" });
    assert_eq!(ended(Some(0), b"{\"a\":1}\n").expect("an answer").said, AnswerText::Object(b"{\"a\":1}\n".to_vec()));
    assert!(ended(Some(1), b"{\"a\":1}").is_err() && ended(Some(0), b" ").is_err() && ended(None, b"{}").is_err());
}

#[test]
fn each_is_known_by_its_own_marks() {
    let under = |set: &[(&str, &str)]| {
        let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
        running_under(&variable).into_iter().map(|(host, session)| (host.name(), session)).collect::<Vec<_>>()
    };
    let session =
        |id: Option<&str>, model: Option<&str>| Session { id: id.map(str::to_owned), model: model.map(str::to_owned) };
    // Variables that a shell tool or a hook of the client printed.
    let pi = [
        ("AI_AGENT", "pi"),
        ("PI_CODING_AGENT", "true"),
        ("PI_MODEL", "stub-model"),
        ("PI_PROVIDER", "stub"),
        ("PI_SESSION_ID", "01a1"),
    ];
    assert_eq!(under(&pi), [("pi", session(Some("01a1"), Some("stub/stub-model")))]);
    assert_eq!(under(&pi[..2]), [("pi", Session::default())], "what is no shell tool");
    assert_eq!(under(&[("GEMINI_CLI", "1"), ("GEMINI_CLI_NO_RELAUNCH", "true")]), [("gemini", Session::default())]);
    let hook = [("CLAUDE_PROJECT_DIR", "/p"), ("GEMINI_PROJECT_DIR", "/p"), ("GEMINI_SESSION_ID", "g1")];
    assert_eq!(under(&hook), [("gemini", session(Some("g1"), None))]);
    assert_eq!(under(&[("AGENT", "1"), ("OPENCODE", "1"), ("OPENCODE_PID", "7")]), [("opencode", Session::default())]);
    let qwen = [
        ("CLAUDE_PROJECT_DIR", "/p"),
        ("GEMINI_PROJECT_DIR", "/p"),
        ("QWEN_CODE", "1"),
        ("QWEN_CODE_MODEL", "stub-model"),
        ("QWEN_CODE_SESSION_ID", "q1"),
        ("QWEN_PROJECT_DIR", "/p"),
    ];
    assert_eq!(under(&qwen), [("qwen", session(Some("q1"), Some("stub-model")))]);
    for (name, _) in pi.iter().chain(&hook).chain(&qwen).chain(&[("OPENCODE", ""), ("GEMINI_CLI", "")]) {
        assert!(is_session_variable(name), "{name} is not inherited by a judge");
    }
    let keys =
        ["GEMINI_API_KEY", "GEMINI_CLI_HOME", "OPENCODE_CONFIG", "OPENAI_MODEL", "PI_CODING_AGENT_DIR", "QWEN_HOME"];
    assert!(!keys.into_iter().any(is_session_variable), "what a client is set up by is");
    assert_eq!(under(&keys.map(|key| (key, "x"))), []);
}

#[test]
fn their_state_follows_their_own_variables() {
    let state = |name: &str, set: &[(&str, &str)]| {
        let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
        let paths = host(name).state(&variable);
        paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
    };
    let home = ("HOME", "/u");
    assert_eq!(state("pi", &[home]), ["/u/.pi/agent"]);
    assert_eq!(state("pi", &[home, ("PI_CODING_AGENT_DIR", "/e")]), ["/e"]);
    assert_eq!(state("gemini", &[home]), ["/u/.gemini"]);
    assert_eq!(state("gemini", &[home, ("GEMINI_CLI_HOME", "/e")]), ["/e/.gemini"]);
    assert_eq!(state("qwen", &[home]), ["/u/.qwen"]);
    assert_eq!(state("opencode", &[home]), ["/u/.cache/opencode", "/u/.local/share/opencode"]);
    assert_eq!(
        state("opencode", &[home, ("XDG_DATA_HOME", "/d"), ("XDG_CACHE_HOME", "/e")]),
        ["/e/opencode", "/d/opencode"]
    );
}
