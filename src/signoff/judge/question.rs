//! A small question to a judge on which no sign-off hangs: its process is started as for one, with nothing to read but the prompt.

use std::path::Path;
use std::time::Duration;

use super::scratch::Scratch;
use super::{Level, Reference, Setting, session};
use crate::error::Result;
use crate::signoff::watch::NoProgress;

/// What is asked, and of whom.
pub struct JudgeQuestion<'a> {
    /// A host or a program.
    pub judge: &'a Reference,
    /// The top of the work tree: nothing of the run stands below it, and nothing below it can be written where a sandbox encloses the judge.
    pub top: &'a Path,
    /// The folder that a program with a relative path is looked up from.
    pub caller: &'a Path,
    /// The schema that a host holds its model to.
    pub schema: &'a str,
    /// The prompt around a nonce of this run.
    pub prompt: &'a dyn Fn(&str) -> Result<String>,
    /// For the run.
    pub limit: Duration,
}

/// The bytes of the answer, or one line that says why there is none.
///
/// # Errors
/// As [`super::ask`].
pub fn question(asked: &JudgeQuestion<'_>) -> Result<std::result::Result<Vec<u8>, String>> {
    let level = Level::of(asked.judge);
    let scratch = Scratch::new(asked.top)?;
    // The repository is none of its business, and must not overlap what the client may write either.
    level.around(asked.judge, scratch.path(), asked.top, &|name| std::env::var_os(name))?;
    let folder = scratch.path();
    let setting = Setting {
        root: folder,
        top: folder,
        plan_file: folder,
        caller: asked.caller,
        files: &[],
        limit: asked.limit,
        prompt: None,
        launcher: None,
        watch: &NoProgress,
    };
    let prompt = (asked.prompt)(&scratch.nonce)?;
    let wanted = session::AnswerSpec { schema: asked.schema, reads: false };
    let heard = session::run(asked.judge, level, &setting, folder, wanted, prompt)?;
    scratch.end()?;
    Ok(heard.said.map(|(bytes, _)| bytes).map_err(|silence| silence.why))
}
