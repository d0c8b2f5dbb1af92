//! One `git cat-file --batch-command` (git 2.36) that answers all questions, instead of a process for each.
//!
//! The process runs only between [`Repo::keep_open`] and the drop of its result, while no program of the repository runs: a process
//! that is open during verify or a judge could be manipulated into giving false answers.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use super::Repo;
use super::batch::{ObjectInfo, OnObject, header};
use super::error::RepoError;
use super::git::argv;
use crate::error::{Error, Kind};
use crate::process::dialogue::{Dialogue, QUESTION};

/// The open process of a repository, shared by copies of the `Repo`.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    /// Each question starts a process of its own.
    #[default]
    Closed,
    /// The first question will start the process.
    Wanted,
    Open(Dialogue),
    /// This git is too old, or the process broke; handled as `Closed`.
    Unable,
}

/// While this value exists, one process answers all questions about objects.
#[derive(Debug)]
pub struct KeptOpen<'r> {
    reader: &'r Reader,
    /// An outer `KeptOpen` exists already, and will end the process.
    inner: bool,
}

impl Drop for KeptOpen<'_> {
    fn drop(&mut self) {
        if !self.inner {
            *self.reader.0.lock().unwrap_or_else(PoisonError::into_inner) = State::Closed;
        }
    }
}

impl Repo {
    /// Keeps one process open for all questions about objects and HEAD, until the value is dropped. No program of the repository
    /// may run meanwhile.
    pub fn keep_open(&self) -> KeptOpen<'_> {
        let mut state = self.reader.0.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = !matches!(*state, State::Closed);
        if !inner {
            *state = State::Wanted;
        }
        KeptOpen { reader: &self.reader, inner }
    }

    /// Runs `talk` with the open process. `None` if no process is open, or if it broke.
    fn talk<T>(&self, talk: impl FnOnce(&mut Dialogue) -> Result<T, Error>) -> Result<Option<T>, RepoError> {
        let mut state = self.reader.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Wanted) {
            let args: Vec<OsString> = argv(&["cat-file", "--batch-command"]);
            *state = match Dialogue::start(&self.program, &args, &self.top, &self.reading()) {
                Ok(dialogue) => State::Open(dialogue),
                Err(_) => State::Unable,
            };
        }
        let State::Open(dialogue) = &mut *state else { return Ok(None) };
        match talk(dialogue) {
            Ok(told) => Ok(Some(told)),
            Err(error) if error.kind == Kind::Interrupted => Err(RepoError::Process(error)),
            Err(_) => {
                *state = State::Unable;
                Ok(None)
            }
        }
    }

    /// Asks the open process what object each name refers to; `None` without an open process.
    pub(super) fn object_infos(&self, names: &[Vec<u8>]) -> Result<Option<Vec<Option<ObjectInfo>>>, RepoError> {
        self.talk(|dialogue| {
            let mut found = Vec::with_capacity(names.len());
            each_question("info", names, dialogue, &mut |dialogue| {
                found.push(header(&dialogue.line()?));
                Ok(())
            })?;
            // A name that cannot be asked for refers to no object.
            let mut found = found.into_iter();
            Ok(names.iter().map(|name| if is_askable(name) { found.next().flatten() } else { None }).collect())
        })
    }

    /// Passes the bytes of each object and its number to `each`, from the open process. Counts the objects in `done`. False if no
    /// process is open, or if it broke before the end.
    pub(super) fn read_objects(
        &self,
        names: &[Vec<u8>],
        done: &mut usize,
        each: &mut OnObject<'_>,
    ) -> Result<bool, RepoError> {
        let mut trouble = None;
        let told = self.talk(|dialogue| {
            each_question("contents", names, dialogue, &mut |dialogue| {
                let line = dialogue.line()?;
                let size = match header(&line) {
                    Some(found) => Some(usize::try_from(found.size).map_err(|_| unclear())?),
                    None if line.ends_with(b" missing") => None,
                    None => return Err(unclear()),
                };
                let bytes = match size {
                    Some(size) => Some(dialogue.bytes(size + 1)?),
                    None => None,
                };
                if trouble.is_none() {
                    trouble = each(*done, bytes.map(|bytes| &bytes[..bytes.len() - 1])).err();
                }
                *done += 1;
                Ok(())
            })
        })?;
        match trouble {
            Some(trouble) => Err(trouble),
            None => Ok(told.is_some()),
        }
    }
}

/// Asks about each name that can be asked, with as many questions at a time as fit, and calls `take` for each answer.
fn each_question(
    verb: &str,
    names: &[Vec<u8>],
    dialogue: &mut Dialogue,
    take: &mut dyn FnMut(&mut Dialogue) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut question, mut count) = (Vec::new(), 0);
    let mut names = names.iter().filter(|name| is_askable(name)).peekable();
    while let Some(name) = names.next() {
        question.extend_from_slice(&[verb.as_bytes(), b" ", name, b"\n"].concat());
        count += 1;
        let next = names.peek().map_or(QUESTION, |next| verb.len() + next.len() + 2);
        if question.len() + next > QUESTION {
            dialogue.ask(&question)?;
            (0..count).try_for_each(|_| take(dialogue))?;
            (question, count) = (Vec::new(), 0);
        }
    }
    Ok(())
}

fn is_askable(name: &[u8]) -> bool {
    !name.is_empty() && !name.contains(&b'\n') && !name.contains(&0)
}

fn unclear() -> Error {
    Error::new(Kind::Unknown, "an answer that `plan` does not understand")
}
