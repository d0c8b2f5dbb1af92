//! A question to a judge outside a sign-off. The judge starts as in a sign-off; the caller reads its answer.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::scratch::Scratch;
use super::{Level, Reference, Setting, session};
use crate::error::Result;
use crate::verify::watch::Watch;

/// What is asked, and of whom.
pub struct JudgeQuestion<'a> {
    /// A host or a program.
    pub judge: &'a Reference,
    /// What it is called while it runs: `judge`, `drafting with`.
    pub role: &'a str,
    /// The top of the work tree: nothing of the run stands below it, and nothing below it can be written where a sandbox encloses the judge.
    pub top: &'a Path,
    /// The folder below `top` that it works in and reads. None: it has nothing to read but the prompt.
    pub root: Option<&'a Path>,
    /// The folder that a program with a relative path is looked up from.
    pub caller: &'a Path,
    /// The schema that a host holds its model to.
    pub schema: &'a str,
    /// The prompt around a nonce of this run.
    pub prompt: &'a dyn Fn(&str) -> Result<String>,
    /// For the run.
    pub limit: Duration,
    /// Is told about once a second how long it has taken.
    pub watch: &'a dyn Watch,
}

/// What a judge answered.
pub struct QuestionReply {
    /// The bytes of the answer, or one line that says why there is none.
    pub said: std::result::Result<Vec<u8>, String>,
    /// False if asking once more cannot help: the time is over, or the program is not there.
    pub may_retry: bool,
}

/// Asks.
///
/// # Errors
/// As [`super::ask`].
pub fn question(asked: &JudgeQuestion<'_>) -> Result<QuestionReply> {
    let level = Level::of(asked.judge);
    let scratch = Scratch::new(asked.top)?;
    // The repository must not overlap what the client may write, even if the repository is none of its business.
    level.around((asked.role, asked.judge), scratch.path(), asked.top, &|name| std::env::var_os(name))?;
    let setting = setting(asked, scratch.path());
    let prompt = (asked.prompt)(&scratch.nonce)?;
    let heard = session::run(asked.judge, level, &setting, scratch.path(), spec(asked), prompt)?;
    scratch.end()?;
    let may_retry = heard.said.as_ref().map_or_else(|silence| silence.retry, |_| true);
    Ok(QuestionReply { said: heard.said.map(|(bytes, _)| bytes).map_err(|silence| silence.why), may_retry })
}

/// What `--dry-run` shows: the prompt with the nonce left open, and the argv.
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
