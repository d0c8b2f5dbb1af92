//! The data that the rows look at, read once.

use std::cell::OnceCell;
use std::path::Path;

use super::Fault;
use crate::base;
use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::host::setup::SetupScope;
use crate::host::{Host, Variable};
use crate::plan::lint;
use crate::plan::model::{LintFinding, Plan};
use crate::repo::Repo;
use crate::settings::HookCall;
use crate::store::{self, OtherPlan, Place};

/// The data that was read, owned.
pub struct Material {
    /// The place of plan.md; `None` if the folder has no plan.
    pub place: Result<Option<Place>>,
    /// The bytes of plan.md, if there is one.
    pub source: Option<Result<Vec<u8>>>,
    repo: Result<Option<Repo>>,
    config: Result<Config>,
}

impl Material {
    /// Reads plan.md, the repository and the configuration. `file` is the file that the caller named, relative to `cwd`.
    pub fn read(cwd: &Path, file: Option<&Path>) -> Self {
        let place = store::look(cwd, file);
        let found = place.as_ref().ok().and_then(Option::as_ref);
        let source = found.map(store::read);
        let repo = found.map_or(Ok(None), base::open);
        Material { source, repo, config: config::load(), place }
    }

    /// Returns the plan, if plan.md was found and read.
    pub fn plan(&self) -> Option<Result<Plan<'_>>> {
        let place = self.place.as_ref().ok()?.as_ref()?;
        Some(place.parse(self.source.as_ref()?.as_ref().ok()?))
    }
}

/// A call of a hook, with the host and the scope of the settings that hold it.
pub(super) struct InstalledCall {
    pub(super) host: &'static dyn Host,
    pub(super) scope: SetupScope,
    pub(super) call: HookCall,
}

/// The hook calls in the settings of every host.
pub(super) struct HookCalls {
    pub(super) calls: Vec<InstalledCall>,
    /// The faults of files that could not be read.
    pub(super) blind: Vec<Fault>,
}

/// The data that every row gets.
pub struct Context<'c> {
    /// The caller's folder.
    pub cwd: &'c Path,
    /// The file that the caller named.
    pub file: Option<&'c Path>,
    /// The environment.
    pub variable: Variable<'c>,
    /// The current time in the format of log stamps.
    pub stamp: &'c str,
    pub(super) material: &'c Material,
    pub(super) plan: Option<&'c Plan<'c>>,
    /// The reason why the plan cannot be read.
    pub(super) unread: Option<&'c Error>,
    pub(super) lint: Vec<LintFinding>,
    /// The hook calls that the rows about hooks share.
    pub(super) hook_calls: OnceCell<HookCalls>,
    /// A place without a plan, for rows that need a place although there is no plan.md.
    nowhere: Option<Place>,
}

/// A file name that no plan has.
const NOWHERE: &str = ".plan-doctor";

impl<'c> Context<'c> {
    /// Creates the context from the data that was read. `plan` is [`Material::plan`].
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

    /// Returns the place of plan.md.
    pub(super) fn place(&self) -> Option<&'c Place> {
        self.material.place.as_ref().ok()?.as_ref()
    }

    /// Returns a place for rows about the folder rather than the plan: settings, hooks.
    pub(super) fn any_place(&self) -> Option<&Place> {
        self.place().or(self.nowhere.as_ref())
    }

    /// Returns the other tool that plan.md belongs to. `None` if plan.md has goals, or if the caller named it.
    pub(super) fn other_plan(&self) -> Option<OtherPlan> {
        let is_asked = self.file.is_none() && self.plan.is_some_and(|plan| plan.goals.is_empty());
        if is_asked { OtherPlan::at(self.place()?, self.cwd) } else { None }
    }

    /// Returns the repository; `None` without one. If it cannot be read, the row `untracked` says so.
    pub(super) fn repo(&self) -> Option<&'c Repo> {
        self.material.repo.as_ref().ok()?.as_ref()
    }

    pub(super) fn repo_error(&self) -> Option<&'c Error> {
        self.material.repo.as_ref().err()
    }

    pub(super) fn config(&self) -> std::result::Result<&'c Config, &'c Error> {
        self.material.config.as_ref()
    }

    /// Returns the name of plan.md for messages.
    pub(super) fn shown(&self) -> String {
        self.place().map_or_else(|| "plan.md".to_owned(), |place| place.shown.to_string_lossy().into_owned())
    }
}
