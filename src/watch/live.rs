//! The loop: waits for keys, for changes of plan.md and for output of commands; draws a frame after each change.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::file::{Found, PlanFile};
use super::line_edit::Key;
use super::model::{Busy, Effect, ViewState};
use super::run::{CheckState, Run, RunEnd, RunPlace, ShownCheck};
use super::screen::{self, Input, Screen, WaitResult};
use super::version::PlanVersion;
use super::view;
use crate::error::{Error, Kind, Result};
use crate::plan::model::{GoalRef, Status};
use crate::process::editor;
use crate::process::interrupt::SignalHold;
use crate::process::own::Calls;
use crate::store::{self, Place};
use crate::ui::Ui;
use crate::verify::running;

/// The time between two looks at plan.md.
const LOOK: Duration = Duration::from_millis(200);
/// The same while the terminal does not have the focus; also the time between two looks for sign-offs of other processes.
const SLOW: Duration = Duration::from_secs(1);
/// The time between two looks at a running command.
const LISTEN: Duration = Duration::from_millis(50);
/// How long a changed row is bold.
const FRESH: Duration = Duration::from_secs(3);
/// How long the loop has to end after a signal.
const PATIENCE: Duration = Duration::from_secs(2);
/// The most active goals for which sign-offs by other processes are looked up.
const LOOKED_FOR: usize = 20;

/// The plan to watch, and the caller's context.
#[derive(Debug)]
pub struct WatchRequest<'c> {
    /// The plan.
    pub place: Place,
    /// The user interface; the view takes its size and colours.
    pub ui: &'c Ui,
    /// The folder in which commands run.
    pub cwd: PathBuf,
    /// The value of `--file`, if the caller gave one.
    pub file: Option<PathBuf>,
}

/// Shows the plan until the user quits; true if a signal or Ctrl-C ended it.
///
/// # Errors
/// plan.md cannot be read or is not a plan; [`Kind::Unknown`]: the terminal failed.
pub fn watch(start: WatchRequest<'_>) -> Result<bool> {
    let mut bytes = store::read(&start.place)?;
    start.place.parse(&bytes)?;
    let failed =
        |error: io::Error| Error::new(Kind::Unknown, format!("cannot show the plan on this terminal: {error}"));
    let mut session = Session::new(start).map_err(failed)?;
    // The first frame shows the result of the first look.
    if let Some(Next::Version(now)) = session.look() {
        bytes = now;
    }
    let calls = Calls::default();
    let ended = loop {
        let place = session.file.place().clone();
        let plan = place.parse(&bytes)?;
        match session.show(&PlanVersion::new(&plan), &calls) {
            Ok(Next::Version(next)) => bytes = next,
            Ok(Next::Quit { interrupted }) => break Ok(interrupted),
            Err(error) => break Err(failed(error)),
        }
    };
    drop(session);
    calls.end();
    ended
}

/// The reason why a version is no longer shown.
enum Next {
    /// There is a new version.
    Version(Vec<u8>),
    /// The view ends.
    Quit { interrupted: bool },
}

struct Session<'c> {
    file: PlanFile,
    ui: &'c Ui,
    origin: RunPlace,
    screen: Screen,
    held: SignalHold,
    state: ViewState,
    /// The running sign-off, and the displayed state of this or another sign-off.
    signing: Option<Run>,
    check: Option<ShownCheck>,
    writing: Option<Run>,
    trouble: Option<String>,
    /// The time of the file's last change.
    changed: String,
    shown: String,
    has_focus: bool,
    looked: Option<Instant>,
    looked_elsewhere: Option<Instant>,
    fresh: Option<Instant>,
    is_stale: bool,
}

impl<'c> Session<'c> {
    fn new(start: WatchRequest<'c>) -> io::Result<Self> {
        let held = SignalHold::begin()?;
        end_if_stuck()?;
        let screen = Screen::new(start.ui.screen(), start.ui.is_styled())?;
        Ok(Session {
            shown: start.place.shown.to_string_lossy().into_owned(),
            file: PlanFile::new(start.place),
            ui: start.ui,
            origin: RunPlace { cwd: start.cwd, file: start.file },
            screen,
            held,
            state: ViewState::default(),
            signing: None,
            check: None,
            writing: None,
            trouble: None,
            changed: String::new(),
            has_focus: true,
            looked: None,
            looked_elsewhere: None,
            fresh: None,
            is_stale: true,
        })
    }

    /// Shows one version of the plan.
    fn show(&mut self, version: &PlanVersion<'_, '_>, calls: &Calls) -> io::Result<Next> {
        if self.state.take(version) {
            self.fresh = Some(Instant::now() + FRESH);
        }
        self.is_stale = true;
        loop {
            self.look_elsewhere(version);
            if std::mem::take(&mut self.is_stale) {
                self.draw(version)?;
            }
            match self.screen.wait(self.time()) {
                WaitResult::Closed => return Ok(Next::Quit { interrupted: true }),
                WaitResult::Time => {}
                WaitResult::Input => {
                    let inputs = self.screen.inputs()?;
                    if inputs.is_empty() {
                        // Part of a key: the rest comes, or never does.
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    for input in inputs {
                        if let Some(next) = self.input(version, calls, input)? {
                            return Ok(next);
                        }
                    }
                }
            }
            if self.held.is_interrupted() {
                return Ok(Next::Quit { interrupted: true });
            }
            self.is_stale |= self.screen.resize(self.ui.screen())?;
            self.listen();
            self.settle();
            if let Some(next) = self.look() {
                return Ok(next);
            }
        }
    }

    /// The time to wait for keys until something else is due.
    fn time(&self) -> Duration {
        let now = Instant::now();
        let look = self.looked.map_or(now, |looked| looked + self.pace());
        let running = self.signing.is_some() || self.writing.is_some();
        let times = [Some(look), running.then(|| now + LISTEN), self.fresh];
        times.into_iter().flatten().min().unwrap_or(now).saturating_duration_since(now)
    }

    fn pace(&self) -> Duration {
        if self.has_focus { LOOK } else { SLOW }
    }

    fn draw(&mut self, version: &PlanVersion<'_, '_>) -> io::Result<()> {
        let live = view::Live {
            trouble: self.trouble.as_deref(),
            file: &self.shown,
            changed: &self.changed,
            check: self.check.as_ref(),
        };
        let state = &mut self.state;
        self.screen.draw(|canvas| view::draw(state, version, live, canvas))
    }

    fn input(&mut self, version: &PlanVersion<'_, '_>, calls: &Calls, input: Input) -> io::Result<Option<Next>> {
        let key = match input {
            Input::Focus(has_focus) => {
                self.has_focus = has_focus;
                return Ok(None);
            }
            Input::Paste(text) => {
                self.state.paste(&text);
                self.is_stale = true;
                return Ok(None);
            }
            Input::Key(key) => key,
        };
        self.is_stale = true;
        if key == Key::Esc && self.signing.is_none() && self.state.prompt.is_none() {
            // The user has read the result of a sign-off.
            self.check = None;
        }
        let busy = Busy { signs_off: self.signing.is_some(), writes: self.writing.is_some() };
        match self.state.key(version, busy, key) {
            Effect::Frame => {}
            Effect::Run(job) => {
                let run = Run::start(calls, &self.origin, job);
                match run.job.signs_off.is_some() {
                    true => self.signing = Some(run),
                    false => self.writing = Some(run),
                }
            }
            Effect::Stop => {
                if let Some(run) = &self.signing {
                    run.stop();
                }
            }
            Effect::Redraw => self.screen.redraw()?,
            Effect::Edit(line) => self.edit(line)?,
            Effect::Suspend => self.suspend()?,
            Effect::Quit { interrupted } => return Ok(Some(Next::Quit { interrupted })),
        }
        Ok(None)
    }

    /// Gives the terminal to the user's editor.
    fn edit(&mut self, line: usize) -> io::Result<()> {
        self.screen.leave();
        let place = self.file.place();
        let ended = editor::edit(&place.file, Some(line), &place.root);
        // A Ctrl-C in the editor was meant for the editor.
        self.held = SignalHold::begin()?;
        self.screen.enter()?;
        match ended {
            Ok(status) if status.success() => {}
            Ok(status) => self.state.tell([format!("the editor ended with {status}")]),
            Err(error) => self.state.tell([error.message]),
        }
        self.looked = None;
        Ok(())
    }

    /// Suspends the process and the commands that it started, as every terminal program does.
    fn suspend(&mut self) -> io::Result<()> {
        self.screen.leave();
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        // The signal may be handled by another thread.
        std::thread::sleep(Duration::from_millis(50));
        self.screen.enter()?;
        self.looked = None;
        Ok(())
    }

    /// Processes the output of commands.
    fn listen(&mut self) {
        if let Some(run) = &mut self.signing {
            let goal = run.job.signs_off.clone().unwrap_or_default();
            let end = run.listen();
            let mut check = run.check(&goal);
            if let Some(end) = end {
                check.state = CheckState::Ended(end);
                self.signing = None;
                self.looked = None;
            }
            self.is_stale |= self.check.as_ref() != Some(&check);
            self.check = Some(check);
        }
        if let Some(end) = self.writing.as_mut().and_then(Run::listen) {
            self.writing = None;
            self.looked = None;
            self.is_stale = true;
            let RunEnd { text, .. } = end;
            self.state.tell(text.into_iter().filter(|line| !line.trim().is_empty()));
        }
    }

    /// Removes the highlight of rows that changed a while ago.
    fn settle(&mut self) {
        if self.fresh.is_some_and(|until| Instant::now() >= until) {
            self.fresh = None;
            self.state.settle();
            self.is_stale = true;
        }
    }

    /// Checks whether plan.md changed.
    fn look(&mut self) -> Option<Next> {
        let pace = self.pace();
        if self.looked.is_some_and(|looked| looked.elapsed() < pace) {
            return None;
        }
        self.looked = Some(Instant::now());
        match self.file.look() {
            Found::Same => None,
            Found::Trouble(why) => {
                self.trouble = Some(why);
                self.is_stale = true;
                None
            }
            Found::Moved(bytes) => {
                self.trouble = None;
                self.changed = self.file.changed().map(time_of_day).unwrap_or_default();
                Some(Next::Version(bytes))
            }
        }
    }

    /// Looks for a sign-off that runs in another process.
    fn look_elsewhere(&mut self, version: &PlanVersion<'_, '_>) {
        let is_due = self.looked_elsewhere.is_none_or(|looked| looked.elapsed() >= SLOW);
        if self.signing.is_some() || !is_due {
            return;
        }
        self.looked_elsewhere = Some(Instant::now());
        let selected = self.state.goal(version).into_iter();
        let active = version.board.goals().map(|(_, goal)| goal).filter(|goal| goal.status() == Status::Active);
        let ids = selected.chain(active.take(LOOKED_FOR)).filter_map(GoalRef::id);
        let found = ids.into_iter().find_map(|id| Some((id, running::look(self.file.place(), id)?)));
        let check = found.map(|(id, (process, since))| ShownCheck {
            goal: id.to_owned(),
            seconds: SystemTime::now().duration_since(since).unwrap_or_default().as_secs(),
            state: CheckState::Elsewhere(process),
        });
        let was_elsewhere = matches!(&self.check, Some(ShownCheck { state: CheckState::Elsewhere(_), .. }));
        if check.is_some() || was_elsewhere {
            self.is_stale |= self.check != check;
            self.check = check;
        }
    }
}

/// `17:31:04`
fn time_of_day(at: SystemTime) -> String {
    let zoned = Timestamp::try_from(at).map(|at| at.to_zoned(TimeZone::system()));
    zoned.map(|at| at.strftime("%H:%M:%S").to_string()).unwrap_or_default()
}

/// Ends the program after SIGTERM or SIGHUP even if the loop cannot: a terminal that accepts no more output blocks its writers.
fn end_if_stuck() -> io::Result<()> {
    let held = SignalHold::without_ctrl_c()?;
    std::thread::spawn(move || {
        held.wait();
        std::thread::sleep(PATIENCE);
        std::thread::spawn(screen::leave);
        std::thread::sleep(PATIENCE / 4);
        std::process::exit(130);
    });
    Ok(())
}
