//! What the rows look at, read once.

use std::cell::OnceCell;
use std::path::Path;

use super::Fault;
use crate::base;
use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::host::setup::Scope;
use crate::host::{Host, Variable};
use crate::plan::lint;
use crate::plan::model::{Finding, Plan};
use crate::repo::Repo;
use crate::settings::HookCall;
use crate::store::{self, OtherPlan, Place};

/// What was read, owned.
pub struct Material {
    /// The place of plan.md; `None` if the folder has no plan.
    pub place: Result<Option<Place>>,
    /// Its bytes, where it is.
    pub source: Option<Result<Vec<u8>>>,
    repo: Result<Option<Repo>>,
    config: Result<Config>,
}

impl Material {
    /// Reads plan.md, the repository and the configuration. `file` is what the caller named, relative to `cwd`.
    pub fn read(cwd: &Path, file: Option<&Path>) -> Self {
        let place = store::look(cwd, file);
        let found = place.as_ref().ok().and_then(Option::as_ref);
        let source = found.map(store::read);
        let repo = found.map_or(Ok(None), base::open);
        Material { source, repo, config: config::load(), place }
    }

    /// The plan, where it can be read.
    pub fn plan(&self) -> Option<Result<Plan<'_>>> {
        let place = self.place.as_ref().ok()?.as_ref()?;
        Some(place.parse(self.source.as_ref()?.as_ref().ok()?))
    }
}

/// A call of a hook, and whose settings hold it.
pub(super) struct InstalledCall {
    pub(super) host: &'static dyn Host,
    pub(super) scope: Scope,
    pub(super) call: HookCall,
}

/// What the settings of every host hold.
pub(super) struct HookCalls {
    pub(super) calls: Vec<InstalledCall>,
    /// The files that could not be read.
    pub(super) blind: Vec<Fault>,
}

/// What every row gets.
pub struct Context<'c> {
    /// The folder of the caller.
    pub cwd: &'c Path,
    /// The file that the caller named.
    pub file: Option<&'c Path>,
    /// The environment.
    pub variable: Variable<'c>,
    /// The time now, as log lines are stamped.
    pub stamp: &'c str,
    pub(super) material: &'c Material,
    pub(super) plan: Option<&'c Plan<'c>>,
    /// Why the plan cannot be read.
    pub(super) unread: Option<&'c Error>,
    pub(super) lint: Vec<Finding>,
    /// What the rows about hooks share.
    pub(super) hook_calls: OnceCell<HookCalls>,
    /// A plan for what needs a place where there is none: nothing is at it.
    nowhere: Option<Place>,
}

/// A name that no plan has.
const NOWHERE: &str = ".plan-doctor";

impl<'c> Context<'c> {
    /// The context around what was read. `plan` is [`Material::plan`].
    pub fn new(
        cwd: &'c Path,
        file: Option<&'c Path>,
        material: &'c Material,
        plan: Option<&'c Result<Plan<'c>>>,
        stamp: &'c str,
        variable: Variable<'c>,
    ) -> Self {
        let unread = plan.and_then(|plan| plan.as_ref().err());
        let plan = plan.and_then(|plan| plan.as_ref().ok());
        let nowhere = store::place_for_new(cwd, Some(Path::new(NOWHERE))).ok();
        Context {
            cwd,
            file,
            variable,
            stamp,
            material,
            plan,
            unread,
            lint: plan.map(lint::lint).unwrap_or_default(),
            hook_calls: OnceCell::new(),
            nowhere,
        }
    }

    /// Where plan.md is.
    pub(super) fn place(&self) -> Option<&'c Place> {
        self.material.place.as_ref().ok()?.as_ref()
    }

    /// A place for what belongs to the folder rather than to the plan: settings, hooks.
    pub(super) fn any_place(&self) -> Option<&Place> {
        self.place().or(self.nowhere.as_ref())
    }

    /// The tool whose file plan.md is. None if it has goals, or if the caller named it.
    pub(super) fn other_plan(&self) -> Option<OtherPlan> {
        let is_asked = self.file.is_none() && self.plan.is_some_and(|plan| plan.goals.is_empty());
        if is_asked { OtherPlan::at(self.place()?, self.cwd) } else { None }
    }

    /// The repository; none without one. It may refuse to be read, which the row `git` says.
    pub(super) fn repo(&self) -> Option<&'c Repo> {
        self.material.repo.as_ref().ok()?.as_ref()
    }

    pub(super) fn repo_error(&self) -> Option<&'c Error> {
        self.material.repo.as_ref().err()
    }

    pub(super) fn config(&self) -> std::result::Result<&'c Config, &'c Error> {
        self.material.config.as_ref()
    }

    /// plan.md as messages name it.
    pub(super) fn shown(&self) -> String {
        self.place().map_or_else(|| "plan.md".to_owned(), |place| place.shown.to_string_lossy().into_owned())
    }
}
