//! The loop judge (`INJECTION.md` §5): a small model call about the end of a reply.

use std::time::Duration;

use super::answer;
use crate::config::{self, Config, LOOP_JUDGE_SECONDS};
use crate::error::{Error, Kind, Result};
use crate::host;
use crate::prompt::Prompt;
use crate::session::loop_driver::{Asker, JudgeOutcome, Question};
use crate::signoff::judge::{JudgeQuestion, Level, Reference, of_session, question};
use crate::store::Place;
use crate::verify::watch::NoProgress;

/// Asks the judge of the user's configuration, else the session's own host and model. Every failure is an outcome, never an
/// error: the loop continues without an answer.
pub fn judge(asked: &Question, place: &Place) -> JudgeOutcome {
    ask(asked, place).unwrap_or_else(|error| match error.kind {
        Kind::Interrupted => JudgeOutcome::Interrupted,
        _ => JudgeOutcome::Failed(error.message),
    })
}

fn ask(asked: &Question, place: &Place) -> Result<JudgeOutcome> {
    let config = config::load()?;
    let Some(judge) = reference(&config, asked, place)? else { return Ok(JudgeOutcome::NotAsked) };
    if config.require_sandbox && Level::of(&judge) == Level::None {
        return Err(Error::new(Kind::Unknown, format!("the loop judge `{judge}` would run without a sandbox")));
    }
    let other = config::prompt_override(Prompt::LoopJudge.file_name())?;
    let prompt = |nonce: &str| {
        let values = [("nonce", nonce), ("goals", &asked.goals), ("reply", &asked.reply)];
        Prompt::LoopJudge.fill(other.as_deref(), &values)
    };
    let seconds = config.judge_timeout.map_or(LOOP_JUDGE_SECONDS, |limit| limit.min(LOOP_JUDGE_SECONDS));
    let reply = question(&JudgeQuestion {
        judge: &judge,
        role: "judge",
        root: None,
        top: place.top.as_deref().unwrap_or(&place.root),
        caller: &place.root,
        schema: answer::SCHEMA,
        prompt: &prompt,
        limit: Duration::from_secs(seconds),
        watch: &NoProgress,
    })?;
    Ok(reply.said.map_or_else(JudgeOutcome::Failed, |bytes| answer::read(&bytes)))
}

/// The judge to ask; none if it is switched off.
fn reference(config: &Config, asked: &Question, place: &Place) -> Result<Option<Reference>> {
    match config.loop_config.judge.as_deref() {
        Some("off") => Ok(None),
        Some(text) => match Reference::parse(text)? {
            Reference::Checks | Reference::Human => Err(Error::input(format!(
                "`loop.judge` is `{text}`; expected `HOST[:MODEL]`, `cmd:PROGRAM ARG…` or `off`"
            ))),
            judge => Ok(Some(judge)),
        },
        None => {
            let host = host::find(&asked.host)
                .ok_or_else(|| Error::new(Kind::Unknown, format!("`{}` cannot judge", asked.host)))?;
            Ok(Some(match &asked.asker {
                Asker::Session(session) => of_session(host, place, session),
                Asker::Run(model) => Reference::Host { name: host.name(), model: model.clone() },
            }))
        }
    }
}
