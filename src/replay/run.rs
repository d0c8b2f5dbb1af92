//! One run: writes the layout into the folder, puts dependencies and a git folder beside it, and runs the line there.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::dependencies::copy;
use super::{Replay, RunOutcome, Stop, WriteSandbox, cannot};
use crate::disk;
use crate::error::{Error, Kind};
use crate::lang::is_build_folder;
use crate::process::environment::Environment;
use crate::repo::export::Layout;
use crate::repo::{Mode, ObjectId};
use crate::verify::stage1::{self, CommandLine, Ended};
use crate::verify::watch::{Progress, Watch};

impl Replay<'_> {
    pub(super) fn line(
        &mut self,
        line: &CommandLine,
        layout: &Layout,
        what: &str,
        limit: Duration,
        write_sandbox: Option<&WriteSandbox>,
    ) -> Result<RunOutcome, Stop> {
        self.stand()?;
        self.rest()?;
        self.lay(layout, true)?;
        let failed = cannot("link the dependencies into the clean export");
        self.dependencies.link(self.export.folder(), &|path| is_linked(layout, path, &self.last)).map_err(&failed)?;
        self.lay_submodules(layout)?;
        self.found(layout)?;
        self.stand()?;
        let rest = self.rest()?;
        let root = self.export.folder().join(self.request.inner_root());
        std::fs::create_dir_all(&root).map_err(&failed)?;
        let _ = self.access_watch.saw(layout);
        let log = Some(self.place.folder().join("verify"));
        let context = stage1::RunContext { root: &root, log, limit: limit.min(rest) };
        let before = self.began.elapsed();
        let what = self.announced.clone().unwrap_or_else(|| format!("gate, {what}"));
        let watch = RunsWatch { what: &what, before, budget: self.request.budget, watch: self.request.watch };
        let environment = relocated(self.request.repo.top(), self.export.folder());
        let environment = environment.set("TMPDIR", self.temporary().map_err(failed)?);
        // `uv run` would install the export into the environment that is linked in, which is the user's own.
        let environment = self.importing(environment.set("UV_NO_SYNC", "1"));
        let environment = match &self.reporter {
            Some(reporter) => reporter.within(environment),
            None => environment,
        };
        watch.show(Duration::ZERO);
        let sandbox = write_sandbox.map(|write_sandbox| &write_sandbox.sandbox);
        let report = stage1::run_in(line, &context, environment, sandbox, &watch)?;
        self.runs += 1;
        if self.opened.is_empty() {
            self.opened = self.access_watch.saw(layout);
            self.opened.retain(|path| !self.dependencies.has(path));
        }
        self.usual.get_or_insert(report.seconds);
        let outcome = match &report.ended {
            Ended::TimedOut { .. } if rest <= limit => return Err(Stop::Budget),
            Ended::TimedOut { .. } => RunOutcome::Slow(report.reason()),
            Ended::Green => RunOutcome::Green,
            _ if report.at_start() == "unstartable" => RunOutcome::Unstartable(report.why_unstartable()),
            _ => RunOutcome::Red(report.summary()),
        };
        let is_verify = std::ptr::eq(line, self.request.line);
        self.greens += usize::from(outcome == RunOutcome::Green && is_verify && layout == &self.last);
        self.ran = Some(report);
        Ok(outcome)
    }

    /// Removes the output of compilers.
    pub(crate) fn forget_builds(&mut self, layout: &Layout) -> Result<(), Stop> {
        self.lay(layout, false)
    }

    /// Writes the layout into the folder. Keeps linked dependencies there, and if wanted the builds of earlier runs.
    fn lay(&mut self, layout: &Layout, with_builds: bool) -> Result<(), Stop> {
        let commits: Vec<Option<ObjectId>> = self.submodules().map(|path| Some(layout.get(path)?.id())).collect();
        // The files of another commit have times of their own, and a build tool would take an old build for a new one.
        let with_builds = with_builds && self.commits == commits;
        self.commits = commits;
        let (dependencies, last) = (&self.dependencies, &self.last);
        let is_kept = |path: &Path| {
            path == Path::new(".git")
                || dependencies.has(path) && is_linked(layout, path, last)
                || with_builds && is_build_folder(path) && !is_of(layout, path)
        };
        self.export.lay(layout, &is_kept)?;
        Ok(())
    }

    /// The submodules whose files are in the export.
    fn submodules(&self) -> impl Iterator<Item = &PathBuf> {
        self.request.submodules.iter().map(|one| &one.path).filter(|path| self.dependencies.has(path))
    }

    /// Writes the files of submodules whose commit in the layout is not the one in the work tree.
    fn lay_submodules(&self, layout: &Layout) -> Result<(), Stop> {
        let failed = cannot("lay a submodule into the clean export");
        for path in self.submodules() {
            let Some(file) = layout.get(path).filter(|file| file.mode() == Mode::Submodule) else { continue };
            if self.last.get(path) != Some(file) {
                let folder = self.export.folder().join(path);
                disk::remove(&folder).and_then(|()| std::fs::create_dir_all(&folder)).map_err(&failed)?;
                self.request.repo.export_submodule(path, file.id(), &folder)?;
            }
        }
        Ok(())
    }

    /// Returns the rest of the budget. A run that would not finish within it does not start.
    fn rest(&self) -> Result<Duration, Stop> {
        let rest = self.request.budget.saturating_sub(self.began.elapsed());
        // The first run in the export may build files that later runs reuse.
        let usual = self.usual.into_iter().chain(self.request.usual).reduce(f64::min).unwrap_or_default();
        if rest.is_zero() || rest.as_secs_f64() < usual { Err(Stop::Budget) } else { Ok(rest) }
    }

    /// Creates an empty folder for temporary files. Files left in the system's own folder would not exist on other machines.
    fn temporary(&self) -> io::Result<PathBuf> {
        let folder = self.place.folder().join("tmp");
        disk::remove(&folder)?;
        std::fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// Creates the export's git folder again, because a run may have committed.
    fn found(&mut self, layout: &Layout) -> Result<(), Stop> {
        let failed = cannot("create the git folder of the clean export");
        let (kept, top) = (self.place.folder().join("git"), self.export.folder());
        if !kept.exists() {
            self.request.repo.borrow(&kept)?;
        }
        disk::remove(&top.join(".git")).map_err(&failed)?;
        copy(&kept, &top.join(".git")).map_err(failed)?;
        self.request.repo.stage(top, layout, &self.last)?;
        Ok(())
    }

    fn stand(&self) -> Result<(), Stop> {
        match self.place.is_interrupted() {
            true => Err(Error::new(Kind::Interrupted, "interrupted; nothing was written").into()),
            false => Ok(()),
        }
    }
}

fn is_of(layout: &Layout, path: &Path) -> bool {
    layout.get(path).is_some() || layout.has_below(path)
}

/// Whether a dependency is linked into an export of the layout. A submodule is linked if the layout has it at the commit that
/// is checked out, which is the one in `last`.
fn is_linked(layout: &Layout, path: &Path, last: &Layout) -> bool {
    match last.get(path).filter(|file| file.mode() == Mode::Submodule) {
        Some(now) => layout.get(path) == Some(now),
        None => !is_of(layout, path),
    }
}

/// Returns the environment that verify has in place, but with paths below the work tree `top` in lists (`PYTHONPATH`,
/// `CARGO_TARGET_DIR`) replaced by paths in the export at `folder`.
fn relocated(top: &Path, folder: &Path) -> Environment {
    let mut environment = Environment::without_git();
    for (name, value) in environment.vars() {
        let paths: Vec<PathBuf> = std::env::split_paths(&value).collect();
        if name != "PWD" && name != "OLDPWD" && paths.iter().any(|path| path.starts_with(top)) {
            let inside = |path: PathBuf| path.strip_prefix(top).map(|inner| folder.join(inner)).unwrap_or(path);
            if let Ok(joined) = std::env::join_paths(paths.into_iter().map(inside)) {
                environment = environment.set(name, joined);
            }
        }
    }
    environment
}

/// Shows the time of all runs, instead of the command line and the time of one run.
struct RunsWatch<'w> {
    /// The purpose of the run: `gate 3 of 5, never-red`.
    what: &'w str,
    before: Duration,
    budget: Duration,
    watch: &'w dyn Watch,
}

impl RunsWatch<'_> {
    /// Shows the time of all runs; `run` is how long the current one has taken.
    fn show(&self, run: Duration) {
        let (seconds, limit) = ((self.before + run).as_secs(), Some(self.budget.as_secs()));
        self.watch.tick(&Progress { what: self.what, seconds, limit, next: None });
    }
}

impl Watch for RunsWatch<'_> {
    fn starting(&self, _line: &str) {}

    fn tick(&self, progress: &Progress<'_>) {
        self.show(Duration::from_secs(progress.seconds));
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }
}
