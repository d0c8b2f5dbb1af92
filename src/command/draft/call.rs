//! The prompt of a drafting agent: the values of its gaps.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::agent::AgentCall;
use crate::agent::draft::DraftRequest;
use crate::command::Context;
use crate::config::{Config, DRAFT_SECONDS};
use crate::error::{Error, Result};
use crate::plan::change::NO_OBJECTIVE;
use crate::plan::{Plan, block, text};
use crate::repo::Repo;
use crate::signoff::judge::Reference;
use crate::store::Place;

/// The maximum size of a research file, in bytes.
const RESEARCH: u64 = 512 << 10;

/// The values of the prompt's gaps.
pub(super) struct DraftValues {
    objective: String,
    /// The first line of the person's objective; empty if they gave none.
    pub(super) title: String,
    overview: String,
    section: String,
    branch: String,
    base_branch: String,
    research: Option<(PathBuf, String)>,
    existing: String,
}

impl DraftValues {
    /// Reads the values from the call, plan.md and the repository. `words` are the changes that a person wants in the plan.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`]: there is no objective, or the research file cannot be read.
    pub(super) fn of(
        context: &Context,
        research: Option<&Path>,
        place: &Place,
        plan: &Plan<'_>,
        given: &str,
        words: Option<&str>,
    ) -> Result<Self> {
        let planned = plan.objective().filter(|text| !text.is_empty() && *text != NO_OBJECTIVE);
        let objective = if given.is_empty() { planned.unwrap_or_default() } else { given };
        if objective.is_empty() {
            return Err(Error::input("expected an objective, found none").hint("plan draft \"what the plan is for\""));
        }
        let (branch, base_branch) = branches(place)?;
        let (title, more) = given.split_once('\n').unwrap_or((given, ""));
        let is_blank = plan.goals.is_empty() && planned.is_none();
        Ok(DraftValues {
            objective: objective.to_owned(),
            title: title.trim().to_owned(),
            overview: more.trim().to_owned(),
            section: plan.front_value("section").unwrap_or_default().to_owned(),
            branch,
            base_branch,
            research: research.map(|path| read(context, path)).transpose()?,
            existing: match is_blank {
                true => String::new(),
                false => String::from_utf8_lossy(block::above_log(plan)).trim().to_owned(),
            } + &words.map(wanted).unwrap_or_default(),
        })
    }

    /// Builds the request with these values and passes it to `run`.
    pub(super) fn with_request<T>(
        &self,
        context: &Context,
        place: &Place,
        agent: &Reference,
        template: Option<&str>,
        config: &Config,
        run: impl FnOnce(&DraftRequest<'_>) -> Result<T>,
    ) -> Result<T> {
        let id = text::slug(self.objective.lines().next().unwrap_or_default());
        let title = self.objective.lines().next().unwrap_or_default();
        let values = [
            ("objective", self.objective.as_str()),
            ("id", &id),
            ("title", title),
            ("overview", &self.overview),
            ("section", &self.section),
            ("branch", &self.branch),
            ("base_branch", &self.base_branch),
        ];
        let limit = Duration::from_secs(config.draft_timeout.unwrap_or(DRAFT_SECONDS));
        run(&DraftRequest {
            call: AgentCall { agent, place, caller: &context.cwd, template, limit, watch: &context.ui },
            values: &values,
            research: self.research.as_ref().map(|(path, text)| (path.as_path(), text.as_str())),
            existing: &self.existing,
        })
    }
}

/// Returns the block with the changes that a person wants in the plan above it.
fn wanted(words: &str) -> String {
    let words = block::quoted(words, usize::MAX);
    format!(
        "\n\nWhat the person wants changed in it. Answer with the whole plan again:\n\n<plan_feedback>\n{words}\n</plan_feedback>"
    )
}

/// Returns the current branch and the remote's default branch; empty if there is none.
fn branches(place: &Place) -> Result<(String, String)> {
    let Some((top, git_dir)) = place.top.as_deref().zip(place.git_dir.as_deref()) else {
        return Ok(Default::default());
    };
    let Some(repo) = Repo::open(top, git_dir)? else { return Ok(Default::default()) };
    let names = [repo.symbolic("HEAD")?, repo.symbolic("refs/remotes/origin/HEAD")?];
    Ok(names.map(Option::unwrap_or_default).into())
}

fn read(context: &Context, path: &Path) -> Result<(PathBuf, String)> {
    let refused = |why: &str| Error::input(format!("cannot read the research file `{}`: {why}", path.display()));
    let file = context.cwd.join(path);
    let meta = std::fs::metadata(&file).map_err(|error| refused(&error.to_string()))?;
    if !meta.is_file() || meta.len() > RESEARCH {
        return Err(refused(&format!("expected a file of at most {} KiB", RESEARCH >> 10)));
    }
    let bytes = std::fs::read(&file).map_err(|error| refused(&error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| refused("expected UTF-8"))?;
    Ok((file, text))
}
