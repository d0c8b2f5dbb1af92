//! A question to a judge outside a sign-off. The judge starts as in a sign-off; the caller reads its answer.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::scratch::Scratch;
use super::{Reference, Setting, WriteProtection, session};
use crate::error::Result;
use crate::verify::watch::Watch;

/// A question, and the judge to ask.
pub struct JudgeQuestion<'a> {
    /// A host or a program.
    pub judge: &'a Reference,
    /// Its role, as messages name it while it runs: `judge`, `drafting with`.
    pub role: &'a str,
    /// The top of the work tree. The run keeps nothing below it, and a judge in a sandbox cannot write anything below it.
    pub top: &'a Path,
    /// The folder below `top` that the judge works in and reads. `None`: it reads only the prompt.
    pub root: Option<&'a Path>,
    /// The folder at which a program's relative path starts.
    pub caller: &'a Path,
    /// The schema that a host makes its model follow.
    pub schema: &'a str,
    /// Returns the prompt for a nonce of this run.
    pub prompt: &'a dyn Fn(&str) -> Result<String>,
    /// The time limit of the run.
    pub limit: Duration,
    /// Receives about once a second how long the run has taken.
    pub watch: &'a dyn Watch,
}

/// A judge's answer.
pub struct QuestionReply {
    /// The bytes of the answer, or one line that says why there is none.
    pub said: std::result::Result<Vec<u8>, String>,
    /// False if asking once more cannot help: the time is over, or the program does not exist.
    pub may_retry: bool,
}

/// Asks the question.
///
/// # Errors
/// As [`super::ask`].
pub fn question(asked: &JudgeQuestion<'_>) -> Result<QuestionReply> {
    let level = WriteProtection::of(asked.judge);
    let scratch = Scratch::new(asked.top)?;
    // The repository must not overlap the folders that the client may write, even if the client does not need the repository.
    level.around((asked.role, asked.judge), &scratch.path, asked.top, &|name| std::env::var_os(name))?;
    let setting = setting(asked, &scratch.path);
    let prompt = (asked.prompt)(&scratch.nonce)?;
    let heard = session::run(asked.judge, level, &setting, &scratch.path, spec(asked), prompt)?;
    scratch.end()?;
    let may_retry = heard.said.as_ref().map_or_else(|silence| silence.retry, |_| true);
    Ok(QuestionReply { said: heard.said.map(|(bytes, _)| bytes).map_err(|silence| silence.why), may_retry })
}

/// Returns the output of `--dry-run`: the prompt with the nonce left open, and the argv.
///
/// # Errors
/// As [`super::ask`].
pub fn preview_question(asked: &JudgeQuestion<'_>) -> Result<(String, Vec<OsString>)> {
    let scratch = Path::new("SCRATCH");
    let argv = session::call(asked.judge, &setting(asked, scratch), scratch, spec(asked))?.argv;
    Ok(((asked.prompt)("NONCE")?, argv))
}

fn spec<'a>(asked: &JudgeQuestion<'a>) -> session::AnswerSpec<'a> {
    session::AnswerSpec { role: asked.role, schema: asked.schema, reads: asked.root.is_some() }
}

fn setting<'a>(asked: &JudgeQuestion<'a>, scratch: &'a Path) -> Setting<'a> {
    let (root, top) = asked.root.map_or((scratch, scratch), |root| (root, asked.top));
    Setting {
        root,
        top,
        plan_file: scratch,
        caller: asked.caller,
        files: &[],
        limit: asked.limit,
        prompt: None,
        launcher: None,
        watch: asked.watch,
    }
}
