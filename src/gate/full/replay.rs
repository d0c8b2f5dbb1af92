//! Replays verify on one layout after another, always in the same folder.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::access_watch::AccessWatch;
use super::dependencies::{Dependencies, copy};
use super::environment::relocated;
use super::known::KnownRuns;
pub(crate) use super::outcome::{RunOutcome, Stop};
use super::report::Spent;
use super::request::ReplayRequest;
use super::write_sandbox::WriteSandbox;
use crate::disk::{self, Temporary};
use crate::error::{Error, Kind};
use crate::gate::harness::Harness;
use crate::lang::closing_lines::Tally;
use crate::lang::folders::is_build;
use crate::lang::uncompiled::says_rust_uncompiled;
use crate::process::sandbox::Level;
use crate::repo::export::{Export, Layout};
use crate::verify::stage1::{self, CommandLine, Ended};
use crate::verify::watch::GateWatch;

/// How long a run on a changed layout may always take, in seconds: a busy machine starts programs slowly.
const SHORTEST: f64 = 3.0;

/// The folder and the state of the runs.
pub(crate) struct Replay<'j> {
    request: &'j ReplayRequest<'j>,
    export: Export<'j>,
    dependencies: Dependencies,
    /// The layout that the index of the repository describes.
    last: Layout,
    access_watch: AccessWatch,
    known: KnownRuns,
    began: Instant,
    /// The row that runs now, as progress shows it: `gate 3 of 5, never-red`.
    row: Option<String>,
    /// How many runs there were, and how many of them were green on the unchanged tree.
    runs: usize,
    greens: usize,
    /// The duration of the first run. A mutant that runs much longer is stopped.
    usual: Option<f64>,
    /// A file or folder of the work tree that was opened during a run.
    opened: Option<PathBuf>,
    /// Whether a second run opened it too.
    is_reading: bool,
    /// The tree with its tests as at the goal's start, if verify is green on it.
    approved: Option<Layout>,
    /// The last run.
    ran: Option<stage1::Report>,
    place: Temporary,
}

impl<'j> Replay<'j> {
    /// Creates the folder. Dependencies are searched beside the folders of `layout`. `watched` are the files that no
    /// run should read in the work tree.
    pub(super) fn open<'p>(
        request: &'j ReplayRequest<'j>,
        layout: &Layout,
        watched: impl Iterator<Item = &'p Path>,
    ) -> Result<Self, Stop> {
        let failed = |error: io::Error| {
            Error::new(Kind::Unknown, format!("cannot create a folder for the clean export: {error}"))
        };
        let place = Temporary::make("plan-gate-").map_err(failed)?;
        // The folder has the name of the repository's own folder, because some builds use it.
        let name = request.repo.top().file_name().unwrap_or("work".as_ref());
        let folder = place.folder().join("tree").join(name);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        Ok(Replay {
            request,
            export: Export::new(request.repo, &folder),
            dependencies: Dependencies::find(request.repo.top(), layout, request.keep, request.submodules),
            last: layout.clone(),
            access_watch: AccessWatch::on(request.repo.top(), watched),
            known: KnownRuns::default(),
            began: Instant::now(),
            row: None,
            runs: 0,
            greens: 0,
            usual: None,
            opened: None,
            is_reading: false,
            approved: None,
            ran: None,
            place,
        })
    }

    /// How many runs of the unchanged tree were green, including the one in the sandbox.
    pub(crate) fn greens(&self) -> usize {
        self.greens
    }

    /// The number of runs and the seconds since the gate began.
    pub(super) fn spent(&self) -> Spent {
        Spent { runs: self.runs, seconds: self.began.elapsed().as_secs_f64() }
    }

    /// Names the row that runs from here on: the `number`th of `all`.
    pub(super) fn begin_row(&mut self, code: &str, number: usize, all: usize) {
        self.row = Some(format!("gate {number} of {all}, {code}"));
    }

    /// Runs verify on `layout`. A layout runs only once; later calls return the known result.
    pub(crate) fn run(&mut self, layout: &Layout, what: &str) -> Result<RunOutcome, Stop> {
        let id = layout.id(self.request.repo.format())?;
        if let Some(outcome) = self.known.outcome(id) {
            return Ok(outcome);
        }
        let outcome = self.anew(layout, what, self.request.limit, None)?;
        self.known.keep(id, outcome.clone(), self.said_all());
        Ok(outcome)
    }

    /// What [`Replay::run`] on `layout` printed, or the beginning of a long output.
    pub(crate) fn output_of(&mut self, layout: &Layout, what: &str) -> Result<String, Stop> {
        self.run(layout, what)?;
        let id = layout.id(self.request.repo.format())?;
        Ok(self.known.output(id).unwrap_or_default().to_owned())
    }

    /// Runs verify on `layout` even if a result is known.
    pub(crate) fn again(&mut self, layout: &Layout, what: &str) -> Result<RunOutcome, Stop> {
        self.anew(layout, what, self.request.limit, None)
    }

    /// Runs verify on `layout` with copies of the ignored files of the work tree, and so do all later runs. None if
    /// these are too large.
    pub(crate) fn run_with_ignored(&mut self, layout: &Layout, what: &str) -> Result<Option<RunOutcome>, Stop> {
        if !self.dependencies.copy_ignored(layout) {
            return Ok(None);
        }
        self.known.forget();
        self.run(layout, what).map(Some)
    }

    /// Runs another line than verify on `layout`, in the same way.
    pub(crate) fn check(&mut self, line: &CommandLine, layout: &Layout, what: &str) -> Result<RunOutcome, Stop> {
        self.line(line, layout, what, self.request.limit, None)
    }

    /// Runs verify on a changed layout. Returns its output too, or the end of a long output.
    pub(crate) fn says(&mut self, layout: &Layout, what: &str) -> Result<(RunOutcome, String), Stop> {
        let outcome = self.anew(layout, what, self.patience(), None)?;
        Ok((outcome, self.said_all()))
    }

    /// What the last run printed, or the end of a long output.
    pub(crate) fn said_all(&self) -> String {
        let output = self.ran.as_ref().and_then(stage1::Report::output);
        output.map_or_else(|| self.tail(), |(output, _)| output)
    }

    /// Keeps the tree with its tests as at the goal's start, on which verify is green, if there is one.
    pub(crate) fn approve(&mut self, layout: Option<Layout>) {
        self.approved = layout;
    }

    /// The tree that [`Replay::approve`] kept.
    pub(crate) fn approved(&self) -> Option<&Layout> {
        self.approved.as_ref()
    }

    /// The folder of the export.
    pub(crate) fn folder(&self) -> &Path {
        self.export.folder()
    }

    /// Whether verify notices a change of a layout on which it was green. A change that makes verify hang counts as
    /// noticed.
    pub(crate) fn notices(&mut self, layout: &Layout, what: &str) -> Result<bool, Stop> {
        Ok(self.anew(layout, what, self.patience(), None)? != RunOutcome::Green)
    }

    /// [`Replay::notices`] for a mutant. It can write only to the export, the temporary folders and the caches, because
    /// a flipped condition might delete anything.
    pub(crate) fn notices_program(
        &mut self,
        layout: &Layout,
        write_sandbox: &WriteSandbox,
        what: &str,
    ) -> Result<bool, Stop> {
        Ok(self.anew(layout, what, self.patience(), Some(write_sandbox))? != RunOutcome::Green)
    }

    /// A sandbox for mutants in which verify is green on `layout`; otherwise the reason why there is none.
    pub(crate) fn write_sandbox(&mut self, layout: &Layout) -> Result<Result<WriteSandbox, String>, Stop> {
        let level = match Level::best() {
            Ok(level) => level,
            Err(why) => return Ok(Err(format!("no sandbox is available to run mutants in: {why}"))),
        };
        let write_sandbox = WriteSandbox::around(level, self.place.folder(), self.request.repo);
        Ok(match self.anew(layout, "the tree in a sandbox", self.request.limit, Some(&write_sandbox))? {
            RunOutcome::Green => Ok(write_sandbox),
            RunOutcome::Red(why) | RunOutcome::Unstartable(why) | RunOutcome::Slow(why) => {
                Err(format!("verify is not green in the sandbox that mutants run in: {why}"))
            }
        })
    }

    /// The time limit for a run on a changed layout. Short runs vary more.
    fn patience(&self) -> Duration {
        let patience = self.usual.map(|usual| Duration::from_secs_f64((usual * 3.0).max(SHORTEST)));
        patience.map_or(self.request.limit, |patience| patience.min(self.request.limit))
    }

    /// A file or folder of the work tree that verify opens whenever it runs. If one run opened it, a second run from
    /// scratch on `layout` must open it too.
    pub(crate) fn reads(&mut self, layout: &Layout) -> Result<Option<&Path>, Stop> {
        if self.opened.take_if(|_| !self.is_reading).is_some() {
            self.forget_builds(layout)?;
            self.again(layout, "the tree, to see whether verify reads the work tree")?;
            self.is_reading = self.opened.is_some();
        }
        Ok(self.opened.as_deref())
    }

    /// Whether the last run ended in an error of the Rust compiler.
    pub(crate) fn says_uncompiled(&self) -> bool {
        says_rust_uncompiled(&self.tail())
    }

    /// The last run.
    pub(super) fn last_run(&self) -> Option<&stage1::Report> {
        self.ran.as_ref()
    }

    /// The tests of the last run, if its runner counts them.
    pub(super) fn tally(&self) -> Option<Tally> {
        self.ran.as_ref()?.tally(self.request.line)
    }

    /// Whether the last run printed these words; none if part of its output is missing.
    pub(crate) fn said(&self, words: &str) -> Option<bool> {
        let (output, whole) = self.ran.as_ref()?.output()?;
        (whole || output.contains(words)).then(|| output.contains(words))
    }

    /// Whether the last run wrote the file again, with these bytes.
    pub(crate) fn has_written(&self, path: &Path, bytes: &[u8]) -> bool {
        std::fs::read(self.export.folder().join(path)).is_ok_and(|now| now == bytes)
    }

    /// The end of the last run's output.
    fn tail(&self) -> String {
        self.ran.as_ref().map(|report| report.tail.text().into_owned()).unwrap_or_default()
    }

    /// A file that the last run named, that the work tree has and that `layout` lacks.
    pub(crate) fn missing(&self, layout: &Layout) -> Option<PathBuf> {
        super::missing_files::missing(
            &self.tail(),
            self.request.repo.top(),
            self.request.root,
            self.export.folder(),
            layout,
        )
    }

    /// The first file, not counting tests, that a filter made different in the work tree.
    pub(crate) fn filtered(&self, harness: &Harness) -> Option<&Path> {
        let converts = |path: &&PathBuf| self.request.repo.converts(path).unwrap_or(false);
        self.export
            .filtered()
            .iter()
            .filter(|path| !harness.is_harness(path))
            .take(10)
            .find(converts)
            .map(PathBuf::as_path)
    }

    /// Removes the output of compilers.
    pub(crate) fn forget_builds(&mut self, layout: &Layout) -> Result<(), Stop> {
        let dependencies = &self.dependencies;
        self.export.lay(layout, &|path| is_own(path) || dependencies.has(path) && !is_of(layout, path))?;
        Ok(())
    }

    fn anew(
        &mut self,
        layout: &Layout,
        what: &str,
        limit: Duration,
        write_sandbox: Option<&WriteSandbox>,
    ) -> Result<RunOutcome, Stop> {
        self.line(self.request.line, layout, what, limit, write_sandbox)
    }

    fn line(
        &mut self,
        line: &CommandLine,
        layout: &Layout,
        what: &str,
        limit: Duration,
        write_sandbox: Option<&WriteSandbox>,
    ) -> Result<RunOutcome, Stop> {
        self.stand()?;
        self.rest()?;
        let dependencies = &self.dependencies;
        let is_left = |path: &Path| dependencies.has(path) || is_build(path);
        self.export.lay(layout, &|path| is_own(path) || is_left(path) && !is_of(layout, path))?;
        let failed = |error: io::Error| {
            Error::new(Kind::Unknown, format!("cannot link the dependencies into the clean export: {error}"))
        };
        dependencies.link(self.export.folder(), &|path| !is_of(layout, path)).map_err(failed)?;
        self.found(layout)?;
        self.stand()?;
        let rest = self.rest()?;
        let root =
            self.export.folder().join(self.request.root.strip_prefix(self.request.repo.top()).unwrap_or("".as_ref()));
        std::fs::create_dir_all(&root).map_err(failed)?;
        let _ = self.access_watch.saw(layout);
        let log = Some(self.place.folder().join("verify"));
        let context = stage1::RunContext { root: &root, log, limit: limit.min(rest) };
        let before = self.began.elapsed();
        let what = self.row.clone().unwrap_or_else(|| format!("gate, {what}"));
        let watch = GateWatch { what: &what, before, budget: self.request.budget, watch: self.request.watch };
        let environment = relocated(self.request.repo.top(), self.export.folder());
        let environment = environment.set("TMPDIR", self.temporary().map_err(failed)?);
        watch.show(Duration::ZERO);
        let report = stage1::run_in(
            line,
            &context,
            environment,
            write_sandbox.map(|write_sandbox| &write_sandbox.sandbox),
            &watch,
        )?;
        self.runs += 1;
        self.opened = self.opened.take().or(self.access_watch.saw(layout));
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

    /// What is left of the budget. A run that would not finish within it does not start.
    fn rest(&self) -> Result<Duration, Stop> {
        let rest = self.request.budget.saturating_sub(self.began.elapsed());
        // The first run in the export may build what later ones reuse.
        let usual = self.usual.into_iter().chain(self.request.usual).reduce(f64::min).unwrap_or_default();
        if rest.is_zero() || rest.as_secs_f64() < usual { Err(Stop::Budget) } else { Ok(rest) }
    }

    /// An empty folder for temporary files. Files left in the system's own folder would not exist elsewhere.
    fn temporary(&self) -> io::Result<PathBuf> {
        let folder = self.place.folder().join("tmp");
        disk::remove(&folder)?;
        std::fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// Creates the export's git folder again, because a run may have committed.
    fn found(&mut self, layout: &Layout) -> Result<(), Stop> {
        let failed = |error: io::Error| {
            Error::new(Kind::Unknown, format!("cannot create the git folder of the clean export: {error}"))
        };
        let (kept, top) = (self.place.folder().join("git"), self.export.folder());
        if !kept.exists() {
            self.request.repo.borrow(&kept)?;
        }
        disk::remove(&top.join(".git")).map_err(failed)?;
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

/// Whether the path is a file or folder of the layout.
fn is_of(layout: &Layout, path: &Path) -> bool {
    layout.get(path).is_some() || layout.has_below(path)
}

/// The export's git folder.
fn is_own(path: &Path) -> bool {
    path == Path::new(".git")
}
