//! Runs verify again and again in clean exports of trees. The tree is written into one folder, dependencies are linked in, and
//! each changed tree (a candidate, a mutant) replaces it in the same folder. The gate's rows decide which trees to run and what
//! the results mean.

mod access_watch;
mod dependencies;
mod import_roots;
mod last_run;
mod outcome;
mod reporter;
mod request;
mod run;
mod write_sandbox;

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::access_watch::AccessWatch;
use self::dependencies::Dependencies;
use self::reporter::Reporter;
use crate::disk::Temporary;
use crate::error::{Error, Kind};
use crate::process::sandbox::SandboxLevel;
use crate::repo::ObjectId;
use crate::repo::export::{Export, Layout};
use crate::verify::stage1::{self, CommandLine};

pub(crate) use dependencies::is_shared;
pub use outcome::Spent;
pub(crate) use outcome::{RunOutcome, Stop};
pub(crate) use reporter::{Replaced, Reported};
pub use request::ReplayRequest;
pub(crate) use write_sandbox::WriteSandbox;

/// The time limit of a run on a changed layout: so many times as long as the first run, but at least `SHORTEST`, because a busy
/// machine starts programs slowly.
const MUTANT: f64 = 3.0;
const SHORTEST: Duration = Duration::from_secs(3);
/// The tests of the start may take this many times as long as today's tests, and in any case at least `START_LEAST`.
const START: f64 = 10.0;
const START_LEAST: Duration = Duration::from_secs(20);
/// The maximum number of bytes to keep of a run's output.
const KEPT: usize = 256 << 10;

/// The folder and the state of the runs.
pub(crate) struct Replay<'j> {
    request: &'j ReplayRequest<'j>,
    export: Export<'j>,
    dependencies: Dependencies,
    /// The layout that the index of the repository describes.
    last: Layout,
    /// The commits of the submodules in the export.
    commits: Vec<Option<ObjectId>>,
    access_watch: AccessWatch,
    /// Each layout that ran, with its result and the beginning of its output.
    known: HashMap<ObjectId, (RunOutcome, String)>,
    began: Instant,
    /// The purpose of the current runs, as progress shows it: `gate 3 of 5, never-red`.
    announced: Option<String>,
    /// How many runs there were, and how many of them were green on the unchanged tree.
    runs: usize,
    greens: usize,
    /// The duration of the first run. A mutant that runs much longer is stopped.
    usual: Option<f64>,
    /// Files and folders of the work tree that were opened during one run.
    opened: BTreeSet<PathBuf>,
    /// Whether a second run opened files there too.
    is_reading: bool,
    /// Folders of the export that Python imports from first, as paths relative to the top.
    import_roots: BTreeSet<PathBuf>,
    ran: Option<stage1::Report>,
    /// The reporter that interpreters load, during a run that has to report.
    reporter: Option<Reporter>,
    place: Temporary,
}

impl<'j> Replay<'j> {
    /// Creates the folder. Dependencies are searched for in each folder of `layout`. `watched` are the files that no run should
    /// read in the work tree.
    pub(crate) fn open<'p>(
        request: &'j ReplayRequest<'j>,
        layout: &Layout,
        watched: impl Iterator<Item = &'p Path>,
    ) -> Result<Self, Stop> {
        let failed = cannot("create a folder for the clean export");
        let place = Temporary::make("plan-gate-").map_err(&failed)?;
        // The folder has the name of the repository's own folder, because some builds use it.
        let name = request.repo.top().file_name().unwrap_or("work".as_ref());
        let folder = place.folder().join("tree").join(name);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        Ok(Replay {
            request,
            export: Export::new(request.repo, &folder),
            dependencies: Dependencies::find(request.repo.top(), layout, request.keep, request.submodules),
            last: layout.clone(),
            commits: Vec::new(),
            access_watch: AccessWatch::on(request.repo.top(), watched),
            known: HashMap::new(),
            began: Instant::now(),
            announced: None,
            runs: 0,
            greens: 0,
            usual: None,
            opened: BTreeSet::new(),
            is_reading: false,
            import_roots: BTreeSet::new(),
            ran: None,
            reporter: None,
            place,
        })
    }

    /// How many runs of the unchanged tree were green, including the one in the sandbox.
    pub(crate) fn greens(&self) -> usize {
        self.greens
    }

    pub(crate) fn spent(&self) -> Spent {
        Spent { runs: self.runs, seconds: self.began.elapsed().as_secs_f64() }
    }

    /// Names what the runs are for from here on. Before that, progress names each run.
    pub(crate) fn announce(&mut self, what: String) {
        self.announced = Some(what);
    }

    /// Runs verify on `layout`. A layout runs only once; later calls return the known result.
    pub(crate) fn run(&mut self, layout: &Layout, what: &str) -> Result<RunOutcome, Stop> {
        self.run_within(layout, what, self.request.limit)
    }

    fn run_within(&mut self, layout: &Layout, what: &str, limit: Duration) -> Result<RunOutcome, Stop> {
        let id = layout.id(self.request.repo.format())?;
        if let Some((outcome, _)) = self.known.get(&id) {
            return Ok(outcome.clone());
        }
        let outcome = self.line(self.request.line, layout, what, limit, None)?;
        // A run that was stopped before the limit of verify might have ended in time, so its result is not kept.
        if limit >= self.request.limit || !matches!(outcome, RunOutcome::Slow(_)) {
            let mut output = self.said_all();
            output.truncate((0..=KEPT.min(output.len())).rev().find(|at| output.is_char_boundary(*at)).unwrap_or(0));
            self.known.insert(id, (outcome.clone(), output));
        }
        Ok(outcome)
    }

    /// [`Replay::run`] on tests of the start, with a limit that depends on the first run. Returns `None` if that was too short.
    pub(crate) fn run_patiently(&mut self, layout: &Layout, what: &str) -> Result<Option<RunOutcome>, Stop> {
        let outcome = self.run_within(layout, what, self.patience(START, START_LEAST))?;
        Ok(Some(outcome).filter(|outcome| !matches!(outcome, RunOutcome::Slow(_))))
    }

    /// Returns the output of [`Replay::run`] on `layout`, or the beginning of a long output.
    pub(crate) fn output_of(&mut self, layout: &Layout, what: &str) -> Result<String, Stop> {
        self.run(layout, what)?;
        let id = layout.id(self.request.repo.format())?;
        Ok(self.known.get(&id).map(|(_, output)| output.clone()).unwrap_or_default())
    }

    /// Runs verify on `layout` even if a result is known.
    pub(crate) fn again(&mut self, layout: &Layout, what: &str) -> Result<RunOutcome, Stop> {
        self.line(self.request.line, layout, what, self.request.limit, None)
    }

    /// Runs verify on `layout` with copies of ignored files, and so do later runs. `None` if the files are too large.
    pub(crate) fn run_with_ignored(&mut self, layout: &Layout, what: &str) -> Result<Option<RunOutcome>, Stop> {
        if !self.dependencies.copy_ignored(layout) {
            return Ok(None);
        }
        // From here on, each layout runs differently.
        self.known.clear();
        self.run(layout, what).map(Some)
    }

    /// Runs another line instead of verify on `layout`, in the same way.
    pub(crate) fn check(&mut self, line: &CommandLine, layout: &Layout, what: &str) -> Result<RunOutcome, Stop> {
        self.line(line, layout, what, self.request.limit, None)
    }

    /// Runs verify on a changed layout. Returns its output too, or the end of a long output.
    pub(crate) fn says(&mut self, layout: &Layout, what: &str) -> Result<(RunOutcome, String), Stop> {
        let outcome = self.line(self.request.line, layout, what, self.patience(MUTANT, SHORTEST), None)?;
        Ok((outcome, self.said_all()))
    }

    /// Runs verify on `layout`, and has its interpreters report which of their own names are replaced when they end. Returns
    /// `None` if they cannot be asked.
    pub(crate) fn reported(&mut self, layout: &Layout, what: &str) -> Result<Option<(RunOutcome, Reported)>, Stop> {
        let failed = cannot("ask an interpreter what was replaced in it");
        let Some(reporter) = Reporter::new(self.place.folder(), self.export.folder()).map_err(&failed)? else {
            return Ok(None);
        };
        let line = reporter.on(self.request.line);
        self.reporter = Some(reporter.clone());
        let outcome = self.line(&line, layout, what, self.request.limit, None);
        self.reporter = None;
        Ok(Some((outcome?, reporter.read().map_err(failed)?)))
    }

    pub(crate) fn folder(&self) -> &Path {
        self.export.folder()
    }

    /// Whether verify notices a change of a layout on which it was green. A change that makes it hang counts.
    pub(crate) fn notices(&mut self, layout: &Layout, what: &str) -> Result<bool, Stop> {
        let outcome = self.line(self.request.line, layout, what, self.patience(MUTANT, SHORTEST), None)?;
        Ok(outcome != RunOutcome::Green)
    }

    /// [`Replay::notices`] for a mutant. It can write only to the export, the temporary folders and the caches, because
    /// a flipped condition might delete anything.
    pub(crate) fn notices_program(&mut self, layout: &Layout, within: &WriteSandbox, what: &str) -> Result<bool, Stop> {
        let limit = self.patience(MUTANT, SHORTEST);
        Ok(self.line(self.request.line, layout, what, limit, Some(within))? != RunOutcome::Green)
    }

    /// Returns a sandbox for mutants in which verify is green on `layout`; otherwise the reason why there is none.
    pub(crate) fn write_sandbox(&mut self, layout: &Layout) -> Result<Result<WriteSandbox, String>, Stop> {
        let level = match SandboxLevel::best() {
            Ok(level) => level,
            Err(why) => return Ok(Err(format!("no sandbox is available to run mutants in: {why}"))),
        };
        let logs = self.dependencies.logs();
        let write_sandbox = WriteSandbox::around(level, self.place.folder(), self.request.repo, logs);
        let (line, limit) = (self.request.line, self.request.limit);
        Ok(match self.line(line, layout, "the tree in a sandbox", limit, Some(&write_sandbox))? {
            RunOutcome::Green => Ok(write_sandbox),
            RunOutcome::Red(why) | RunOutcome::Unstartable(why) | RunOutcome::Slow(why) => {
                Err(format!("verify is not green in the sandbox that mutants run in: {why}"))
            }
        })
    }

    /// Returns the time limit for a run that may take `times` as long as the first run. `least` is for short runs, which vary more.
    fn patience(&self, times: f64, least: Duration) -> Duration {
        let patience = self.usual.map(|usual| Duration::from_secs_f64(usual * times).max(least));
        patience.map_or(self.request.limit, |patience| patience.min(self.request.limit))
    }

    /// Returns a file or folder of the work tree that verify opens on each run. If one run opened it, a second run from scratch
    /// on `layout` must open it too.
    pub(crate) fn reads(&mut self, layout: &Layout) -> Result<Option<&Path>, Stop> {
        if !self.is_reading && !self.opened.is_empty() {
            self.opened.clear();
            self.forget_builds(layout)?;
            self.again(layout, "the tree, to see whether verify reads the work tree")?;
            self.is_reading = !self.opened.is_empty();
        }
        Ok(self.opened.first().map(PathBuf::as_path))
    }
}

/// Turns an error of the system into one that says what `plan` cannot do because of it.
fn cannot(what: &str) -> impl Fn(io::Error) -> Error {
    move |error| Error::new(Kind::Unknown, format!("cannot {what}: {error}"))
}
