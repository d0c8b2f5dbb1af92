//! One judge process: how it is started, and the answer that it leaves.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Reference, Setting, WriteProtection};
use crate::config::PLAN_JUDGE_SESSION;
use crate::error::{Error, Kind, Result};
use crate::host::{self, AnswerSource, AnswerText as Words, ClientCommand, ClientExit, Host, JudgeCall};
use crate::lang::loaders;
use crate::process::environment::Environment;
use crate::process::run::{End, Output, RunResult, Spec, Stdin, run_with};
use crate::signoff::sanitize::one_line;
use crate::signoff::verdict::{Form, MAX_ANSWER, SCHEMA};
use crate::store;
use crate::verify::watch::Progress;

pub(super) struct JudgeProcess {
    pub(super) argv: Vec<OsString>,
    cwd: PathBuf,
    environment: Environment,
    files: Vec<(PathBuf, Vec<u8>)>,
    source: AnswerSource,
}

/// The task of a host's judge.
#[derive(Clone, Copy)]
pub(super) struct AnswerSpec<'a> {
    /// Its name in messages while it runs: `judge`, `drafting with`.
    pub(super) role: &'a str,
    /// The schema that its model must follow.
    pub(super) schema: &'a str,
    /// It is given tools to read with.
    pub(super) reads: bool,
}

/// The task of a verdict on a repository.
pub(super) const VERDICT: AnswerSpec<'_> = AnswerSpec { role: "judge", schema: SCHEMA, reads: true };

/// An answer's bytes and their form, or why there are none.
pub(super) type JudgeReply = std::result::Result<(Vec<u8>, Form), Silence>;

pub(super) struct SessionResult {
    pub(super) said: JudgeReply,
    pub(super) model: Option<String>,
    pub(super) program: Option<PathBuf>,
    pub(super) seconds: f64,
    /// The last line of its standard error, after a colon; empty if there is none.
    pub(super) last: String,
    /// False if the system could not start the program.
    pub(super) started: bool,
}

/// Why there is no answer.
pub(super) struct Silence {
    pub(super) why: String,
    pub(super) retry: bool,
}

/// Returns the call of a judge. Its environment knows nothing of an outer session.
pub(super) fn call(
    judge: &Reference,
    setting: &Setting<'_>,
    scratch: &Path,
    wanted: AnswerSpec<'_>,
) -> Result<JudgeProcess> {
    let environment = environment(scratch);
    Ok(match judge {
        Reference::Host { name, model } => {
            let host = judge.host().ok_or_else(|| no_process(name))?;
            let (root, top, model) = (setting.root, setting.top, model.as_deref());
            let ask = JudgeCall { root, top, scratch, model, schema: wanted.schema, reads: wanted.reads };
            let command = host.judge(&ask, &|name| std::env::var_os(name));
            let ClientCommand { argv, cwd, env, files, answer: source } = command;
            JudgeProcess { argv, cwd, environment: environment.set_all(env), files, source }
        }
        Reference::Program { command, .. } => {
            let environment = environment.set_all(command.env.clone());
            let mut argv: Vec<OsString> = command.argv().into_iter().map(OsString::from).collect();
            if let Some(program) = argv.first_mut() {
                *program = from_caller(program, setting.caller);
            }
            JudgeProcess {
                argv,
                cwd: setting.root.to_owned(),
                environment,
                files: Vec::new(),
                source: AnswerSource::Stdout,
            }
        }
        Reference::Checks | Reference::Human => return Err(no_process(&judge.to_string())),
    })
}

/// Starts the judge with the prompt on its input and waits for its end.
///
/// # Errors
/// [`Kind::Interrupted`]; [`Kind::Unknown`] if its files cannot be written.
pub(super) fn run(
    judge: &Reference,
    level: WriteProtection,
    setting: &Setting<'_>,
    scratch: &Path,
    wanted: AnswerSpec<'_>,
    prompt: String,
) -> Result<SessionResult> {
    let call = call(judge, setting, scratch, wanted)?;
    for (path, content) in &call.files {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder.and_then(|()| fs::write(path, content)).map_err(|error| {
            Error::new(Kind::Unknown, format!("{} {judge}: cannot write `{}`: {error}", wanted.role, path.display()))
        })?;
    }
    let spec = Spec {
        argv: call.argv,
        cwd: call.cwd,
        env: call.environment,
        stdin: Stdin::Bytes(prompt.into_bytes()),
        limit: setting.limit,
        // One byte more than an answer may have, so that a longer one is seen as such.
        output: Output::Apart { stdout_cap: MAX_ANSWER + 1 },
        no_new_privileges: true,
        sandbox: level.around((wanted.role, judge), scratch, setting.top, &|name| std::env::var_os(name))?,
        launcher: setting.launcher.map(Path::to_owned),
    };
    let (what, limit) = (format!("{} {judge}", wanted.role), Some(setting.limit.as_secs()));
    let ran = run_with(&spec, &mut |time| {
        setting.watch.tick(&Progress { what: &what, seconds: time.as_secs(), limit, next: None });
    });
    if ran.end == End::Interrupted {
        return Err(Error::new(Kind::Interrupted, "interrupted"));
    }
    let (said, model) = match judge.host() {
        Some(host) => of_host(host, &ran, &call.source, setting),
        None => (of_program(judge, &ran, setting), None),
    };
    let asked_for = match judge {
        Reference::Host { model, .. } => model.clone(),
        _ => None,
    };
    let started = !matches!(ran.end, End::NotStarted(_));
    let last = last_words(&ran);
    Ok(SessionResult { said, model: model.or(asked_for), program: ran.program, seconds: ran.seconds, last, started })
}

/// Returns a program's answer: its standard output, which counts only if the program exited with 0.
fn of_program(judge: &Reference, ran: &RunResult, setting: &Setting<'_>) -> JudgeReply {
    match ran.end {
        End::Exited(0) => Ok((ran.stdout.clone(), Form::Text)),
        _ => Err(silence(judge, ran, setting)),
    }
}

/// Returns a host's answer. The host's own code decides where the answer is and whether it counts.
fn of_host(
    host: &dyn Host,
    ran: &RunResult,
    source: &AnswerSource,
    setting: &Setting<'_>,
) -> (JudgeReply, Option<String>) {
    let exit = match ran.end {
        End::Exited(code) => Some(code),
        End::Signalled(_) => None,
        _ => {
            let judge = Reference::Host { name: host.name(), model: None };
            return (Err(silence(&judge, ran, setting)), None);
        }
    };
    let from_file = match source {
        AnswerSource::Stdout => None,
        AnswerSource::File(path) => Some(read_capped(path).unwrap_or_default()),
    };
    let answer = from_file.as_deref().unwrap_or(&ran.stdout);
    match host.answer(&ClientExit { exit, answer, stdout: &ran.stdout, stderr: &ran.tail.bytes }) {
        Ok(answer) => {
            let said = match answer.said {
                Words::Object(bytes) => (bytes, Form::Json),
                Words::Text(bytes) => (bytes, Form::Text),
            };
            (Ok(said), answer.model)
        }
        Err(why) => (Err(Silence { why, retry: true }), None),
    }
}

/// Returns the last line of standard error, after a colon; empty if there is none.
fn last_words(ran: &RunResult) -> String {
    let stderr = ran.tail.text();
    let last = one_line(stderr.trim_end().rsplit('\n').next().unwrap_or_default());
    let last: String = last.chars().take(200).collect();
    if last.is_empty() { String::new() } else { format!(": {last}") }
}

/// Returns how a judge without an answer ended. A second run does not help a judge that took too long or that is missing.
fn silence(judge: &Reference, ran: &RunResult, setting: &Setting<'_>) -> Silence {
    let last = last_words(ran);
    match &ran.end {
        End::TimedOut => {
            let why = format!("`{judge}` killed after {} s", setting.limit.as_secs_f64());
            Silence { why, retry: false }
        }
        End::NotStarted(why) => Silence { why: why.clone(), retry: false },
        End::Exited(code) => Silence { why: format!("`{judge}` exit {code}{last}"), retry: true },
        End::Signalled(signal) => Silence { why: format!("`{judge}` ended by signal {signal}{last}"), retry: true },
        End::Lost | End::Interrupted => Silence { why: format!("`{judge}` was lost{last}"), retry: true },
    }
}

/// Removes the variables of git, which would point the judge at another repository, those of hosts, which would point it at the
/// session of the party being judged, and those of loaders, which would put that party's code into the judge. Temporary files
/// and caches go into the scratch folder; the places of login and settings stay.
fn environment(scratch: &Path) -> Environment {
    let names = ["TMPDIR", "TMP", "TEMP", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"];
    Environment::without_git()
        .own_path()
        .remove_if(|name| host::is_session_variable(name) || loaders::is_loader(name))
        .set_all(names.map(|name| (name, scratch)))
        .set(PLAN_JUDGE_SESSION, "1")
}

/// Resolves the relative path of a program from the caller's folder, wherever the judge works.
fn from_caller(program: &OsString, caller: &Path) -> OsString {
    if program.to_string_lossy().contains('/') { caller.join(program).into_os_string() } else { program.clone() }
}

/// Reads a file that the judge wrote. It does not wait for anything that is no file, and follows no link.
fn read_capped(path: &Path) -> io::Result<Vec<u8>> {
    store::read_state(path, MAX_ANSWER as u64 + 1)
}

fn no_process(judge: &str) -> Error {
    Error::new(Kind::Unknown, format!("judge `{judge}` is not run as a process"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, pipe] = ["answer", "link", "pipe"].map(|name| folder.path().join(name));
        fs::write(&file, "yes").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read_capped(&file).unwrap(), b"yes");
        assert!(read_capped(&link).is_err());
        assert!(read_capped(&pipe).is_err());
    }
}
