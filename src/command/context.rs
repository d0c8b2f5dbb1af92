//! The context of a command: the streams, the place of plan.md, and the only way to change it.

use std::path::{Path, PathBuf};

use super::happened;
use crate::config;
use crate::contract::activate::{Activated, Activation};
use crate::contract::{approved, checkpoint, person};
use crate::error::{Error, Kind, Result};
use crate::host;
use crate::plan::change::{self, Change};
use crate::plan::model::{Mark, Plan};
use crate::plan::rules::{self, HoldReason, PlanRequest, PlanState, StepMove};
use crate::plan::view::{self, Row};
use crate::plan::{edit, lint, parse};
use crate::repo::ignoring;
use crate::session;
use crate::shell::quote;
use crate::store::{self, OtherPlan, Place, Updated};
use crate::ui::Ui;

/// The result of a write.
#[derive(Clone, Debug)]
pub struct WriteResult {
    /// Whether plan.md changed, and the notes about it.
    pub updated: Updated,
    /// The step that became active with the write.
    pub activated: Option<Activated>,
    /// The state of the plan after the write.
    pub state: PlanState,
    /// The reason why an agent is not asked to go on after the write.
    pub held: Option<HoldReason>,
    /// Whether the plan asks for checkpoints.
    pub has_checkpoints: bool,
}

/// Returns the changes that contract mode adds to a change, and the lines to print about them.
fn held(
    plan: &Plan<'_>,
    after: &Plan<'_>,
    request: PlanRequest<'_>,
    stamp: &str,
    activation: &mut Activation<'_>,
) -> Result<(Vec<Change>, Vec<String>)> {
    if let Err(error) = rules::refuse_again(plan, after, request) {
        // The person who said no may change their mind.
        if !person::is_persons() {
            return Err(error);
        }
    }
    let proposed = rules::hold(plan, after, request)?;
    let line = |text: String| Change::AppendLog { stamp: stamp.to_owned(), text };
    let is_taken_back = !proposed.edits.is_empty() && rules::is_agreed(after);
    let told = match is_taken_back {
        true => vec!["change withdrawn: the contract is the approved one again".to_owned()],
        false => proposed.edits.iter().map(|edit| format!("proposed: {edit}; waits for approval")).collect(),
    };
    let mut changes: Vec<Change> = proposed.lines.into_iter().map(line).collect();
    if request.activates() {
        changes.extend(activation.changes(after, stamp)?);
    } else if matches!(request, PlanRequest::Step { to: StepMove::Start, .. }) {
        changes.extend(activation.of_active(after, stamp)?);
    }
    Ok((changes, told))
}

/// The surroundings of one command.
#[derive(Debug)]
pub struct Context {
    /// The output.
    pub ui: Ui,
    /// The folder that the caller's relative paths start from.
    pub cwd: PathBuf,
    file: Option<PathBuf>,
    /// The options by which the caller named the plan: ` -C pkg`.
    options: String,
}

impl Context {
    /// Creates the context of a call; `dir` and `file` are the values of `-C` and `--file`.
    pub fn new(ui: Ui, dir: Option<PathBuf>, file: Option<PathBuf>) -> Self {
        let words = [(" -C ", &dir), (" --file ", &file)];
        let word = |(option, path): (&str, &Option<PathBuf>)| {
            path.as_ref().map(|path| option.to_owned() + &quote(&path.to_string_lossy()))
        };
        let options = words.into_iter().filter_map(word).collect();
        let start = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let cwd = dir.map_or_else(|| start.clone(), |dir| start.join(dir));
        let file = file.or_else(|| std::env::var_os(config::PLAN_FILE).filter(|f| !f.is_empty()).map(Into::into));
        Context { ui, cwd, file, options }
    }

    /// Finds plan.md. If there is none, the error names `plan init`.
    pub fn place(&self) -> Result<Place> {
        store::find(&self.cwd, self.file.as_deref())
    }

    /// Adds the caller's `-C` or `--file` to the `plan` commands of a remedy.
    pub fn in_place(&self, remedy: &str) -> String {
        if self.options.is_empty() || remedy.contains(" -C ") || remedy.contains("--file") {
            return remedy.to_owned();
        }
        let plan = format!("plan{} ", self.options);
        let text = remedy.replace("`plan ", &format!("`{plan}")).replace("&& plan ", &format!("&& {plan}"));
        self.typed(&text)
    }

    /// Returns a command as the caller would type it.
    pub fn typed(&self, command: &str) -> String {
        view::typed(command, &self.options)
    }

    /// The options by which the caller named the plan: ` -C pkg`.
    pub fn options(&self) -> &str {
        &self.options
    }

    /// Does the same for the commands of a report.
    pub fn rows_in_place(&self, mut rows: Vec<Row>) -> Vec<Row> {
        rows.iter_mut().for_each(|row| row.rewrite_command(|line| self.in_place(line)));
        rows
    }

    /// Returns the place of a plan.md that is gone, if versions of it are kept.
    pub fn lost(&self) -> Result<Option<Place>> {
        match self.find() {
            Ok(Some(_)) => Ok(None),
            _ => store::lost(&self.cwd, self.file.as_deref()),
        }
    }

    /// The file that the caller named, by `--file` or `PLAN_FILE`.
    pub fn named_file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Reads the bytes of a file that the caller named.
    ///
    /// # Errors
    /// [`Kind::Input`]: it is missing, not a regular file, unreadable, or over 64 MiB.
    pub fn read_named(&self, file: &Path) -> Result<Vec<u8>> {
        let refused = |why: &str| Error::input(format!("cannot read `{}`: {why}", file.display()));
        let path = self.cwd.join(file);
        let meta = std::fs::metadata(&path).map_err(|error| refused(&error.to_string()))?;
        if !meta.is_file() {
            return Err(refused("it is not a regular file"));
        }
        if meta.len() > parse::MAX_BYTES as u64 {
            return Err(refused("it is over 64 MiB"));
        }
        std::fs::read(path).map_err(|error| refused(&error.to_string()))
    }

    /// Returns the session that a call is about: `named`, else the session that the environment names.
    pub fn session(&self, named: Option<&str>) -> Result<String> {
        let found = named.map(str::to_owned).or_else(|| self.only_session());
        found.filter(|name| !name.is_empty()).ok_or_else(|| {
            Error::input("cannot tell which session this is: the environment names none, or more than one")
                .hint("name it: `--session NAME`")
        })
    }

    /// Returns the session that this call runs in. `None` under more than one host: one host started the other, and
    /// nothing tells which is the inner one.
    fn only_session(&self) -> Option<String> {
        let mut sessions = self.sessions();
        sessions.pop().flatten().filter(|_| sessions.is_empty())
    }

    /// Returns the sessions of all hosts that this call runs under, with their names if the environment tells them.
    pub fn sessions(&self) -> Vec<Option<String>> {
        host::running_under(&|name| std::env::var_os(name)).into_iter().map(|(_, session)| session.id).collect()
    }

    /// Returns the place of plan.md, or `None` if there is none. A file that the caller named must exist.
    pub fn find(&self) -> Result<Option<Place>> {
        if self.file.is_some() {
            return self.place().map(Some);
        }
        store::look(&self.cwd, self.file.as_deref())
    }

    /// Returns the place of the file that `init` will write.
    pub fn new_place(&self) -> Result<Place> {
        store::place_for_new(&self.cwd, self.file.as_deref())
    }

    /// Returns the other tool that plan.md at this place belongs to, or would. `None` if the caller named the file, or if `plan` has goals.
    pub fn other_tool(&self, place: &Place, plan: Option<&Plan<'_>>) -> Option<OtherPlan> {
        let is_ours = self.file.is_some() || plan.is_some_and(|plan| !plan.goals.is_empty());
        if is_ours { None } else { OtherPlan::at(place, &self.cwd) }
    }

    /// Refuses to make a plan if plan.md belongs to another tool, or would.
    ///
    /// # Errors
    /// [`Kind::Input`] with the command to use instead.
    pub fn refuse_other_tool(&self, place: &Place) -> Result<()> {
        let source = place.file.exists().then(|| store::read(place)).transpose()?;
        let plan = source.as_deref().map(|source| place.parse(source)).transpose()?;
        self.refuse_foreign(place, plan.as_ref())
    }

    /// Refuses to write into another tool's file. A file that has goals, or that the caller named, is never another tool's.
    ///
    /// # Errors
    /// [`Kind::Input`] with the command to use instead.
    fn refuse_foreign(&self, place: &Place, plan: Option<&Plan<'_>>) -> Result<()> {
        match self.other_tool(place, plan) {
            Some(other) => Err(Error::input(other.describe()).harmless().hint(format!("`{}`", other.command))),
            None => Ok(()),
        }
    }

    /// Finds plan.md for a command that writes. Refuses inside a judge.
    pub fn writable(&self) -> Result<Place> {
        self.refuse_inside_judge()?;
        self.place()
    }

    /// Refuses inside a judge: a judge may only read, so that it cannot sign off the goal that it judges.
    pub fn refuse_inside_judge(&self) -> Result<()> {
        if config::inside_judge() {
            return Err(Error::new(Kind::Refused, "refused: this runs inside a judge, and a judge may only read")
                .hint("answer with the verdict; `plan` records it"));
        }
        Ok(())
    }

    /// Changes plan.md: `make` returns the changes for the plan that it is given. It is called again if a person saved
    /// the file meanwhile.
    ///
    /// In contract mode `make` may change neither contract nor marks nor status; for those, call [`Context::change_as`].
    pub fn change(&self, place: &Place, make: impl FnMut(&Plan<'_>) -> Result<Vec<Change>>) -> Result<Updated> {
        self.change_as(place, PlanRequest::Free, make).map(|written| written.updated)
    }

    /// As [`Context::change`], for a request that a plan in contract mode may refuse (`CONTRACT.md` §4.1). Every change
    /// of plan.md passes through here. A changed contract is logged as proposed, and the next step becomes active if
    /// the request says so; then `make` must neither add nor remove goals or steps.
    pub fn change_as(
        &self,
        place: &Place,
        request: PlanRequest<'_>,
        mut make: impl FnMut(&Plan<'_>) -> Result<Vec<Change>>,
    ) -> Result<WriteResult> {
        let stamp = config::stamp()?;
        let (mut events, mut errors) = (Vec::new(), Vec::new());
        let (mut told, mut state, mut held_since) = (Vec::new(), PlanState::Guide, None);
        let mut has_checkpoints = false;
        let mut activation = Activation::new(place, &self.ui);
        let written = store::update(place, |source| {
            let plan = place.parse(source)?;
            self.refuse_foreign(place, Some(&plan))?;
            permit(place, &plan, request)?;
            has_checkpoints = checkpoint::is_on(&plan);
            let mut changes = make(&plan)?;
            let mut edits = change::edits(&plan, &changes)?;
            errors.clear();
            let concerns_others = changes.iter().any(Change::concerns_others);
            let is_guide = rules::state(&plan) == PlanState::Guide;
            if concerns_others || !is_guide {
                let after = edit::apply(source, &edits)?;
                let mut after = place.parse(&after)?;
                if concerns_others {
                    errors = lint::new_errors(&plan, &after);
                }
                let since;
                if !is_guide {
                    let more;
                    (more, told) = held(&plan, &after, request, &stamp, &mut activation)?;
                    if !more.is_empty() {
                        changes.extend(more);
                        edits = change::edits(&plan, &changes)?;
                        since = edit::apply(source, &edits)?;
                        after = place.parse(&since)?;
                    }
                    (state, held_since) = (rules::state(&after), rules::held(&after));
                }
            }
            events = happened::events(place, &plan, &changes);
            Ok(edits)
        });
        let activated = activation.activated.clone();
        activation.end(written.as_ref().is_ok_and(|updated| updated.changed))?;
        let updated = written?;
        told.iter().for_each(|line| self.ui.line(line));
        for (name, what) in events.iter().filter(|_| updated.changed) {
            session::events::append(place, name, what);
        }
        for error in errors {
            self.ui.note(&format!("note: this leaves an error in the plan: {error} (`plan lint`)"));
        }
        self.notes(&updated.notes);
        self.at_work(place);
        Ok(WriteResult { updated, activated, state, held: held_since, has_checkpoints })
    }

    /// Returns the caller's own command line with a reason added, for a refusal that asks for one.
    pub fn with_reason(&self) -> Option<String> {
        let words: Vec<String> =
            std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect::<Option<_>>()?;
        let is_shaping = words.iter().any(|word| matches!(word.as_str(), "step" | "goal" | "add" | "lint" | "import"));
        let is_plain = !words.iter().any(|word| word == "--" || word.starts_with("--because"));
        let words: Vec<_> = words.iter().map(|word| quote(word)).collect();
        (is_shaping && is_plain).then(|| format!("plan {} --because \"why\"", words.join(" ")))
    }

    /// Takes a checkpoint if the written mark ends a step. A plan without checkpoints is not read again.
    pub fn checkpoint(&self, place: &Place, written: &WriteResult, mark: Mark, step: &str) {
        if written.has_checkpoints && matches!(mark, Mark::Complete | Mark::Skipped) {
            let notes = checkpoint::take(place, checkpoint::Kind::Step, Some(step));
            notes.iter().for_each(|note| self.ui.note(note));
        }
    }

    /// Prints the notes of a write.
    pub fn notes(&self, notes: &[String]) {
        for note in notes {
            self.ui.note(&format!("note: {note}"));
        }
    }

    /// Returns why nobody else gets this plan.md (git ignores it), and the remedy. Starts git once, or not at all without a repository.
    pub fn ignored(&self, place: &Place) -> Option<(String, String)> {
        Some(ignoring(place.top.as_deref()?, &place.file)?.describe(&place.shown))
    }

    /// Notes that `(after …)` and `(run: …)` at the end of a new step are only text, and names the options that set them.
    pub fn note_plain_options(&self, step: &str, text: &str) {
        let (after, run) = parse::options_at_end(text);
        let after = after.map(|numbers| format!(" --after {}", numbers.replace([' ', '\t'], "")));
        let run = run.map(|command| format!(" --run {}", quote(command)));
        let options: String = [after, run].into_iter().flatten().collect();
        if !options.is_empty() {
            self.ui.note(&format!(
                "note: `(after …)` and `(run: …)` are kept as text here; to set them: `plan step set {step}{options}`"
            ));
        }
    }

    /// Notes that git ignores plan.md.
    pub fn note_ignored(&self, place: &Place) {
        if let Some((why, remedy)) = self.ignored(place) {
            self.ui.note(&format!("note: {why}; {remedy}"));
        }
    }

    /// Records that the session that this call runs in works on the plan.
    fn at_work(&self, place: &Place) {
        if let Some(session) = self.only_session() {
            session::record_plan_write(place, &session);
        }
    }

    /// Returns the id of the goal that a person names, else its subject.
    pub fn goal_name(&self, place: &Place, name: &str) -> Result<String> {
        let source = store::read(place)?;
        Ok(place.parse(&source)?.find_goal(name)?.name().to_owned())
    }

    /// Returns the id of a goal. A goal without an id gets one in this call, because records about a goal name its id.
    /// First refuses a request that the plan does not allow in its current state.
    pub fn give_id(&self, place: &Place, name: &str, request: Option<PlanRequest<'_>>) -> Result<String> {
        let source = store::read(place)?;
        let plan = place.parse(&source)?;
        request.map_or(Ok(()), |request| permit(place, &plan, request))?;
        if let Some(id) = plan.find_goal(name)?.id() {
            return Ok(id.to_owned());
        }
        let mut id = String::new();
        self.change(place, |plan| {
            let goal = plan.find_goal(name)?;
            id = change::id_to_be(plan, goal);
            Ok(if goal.id().is_some() { Vec::new() } else { vec![Change::AddId { goal: goal.index() }] })
        })?;
        Ok(id)
    }

    /// Returns `path` as the caller would write it.
    pub fn shown<'p>(&self, path: &'p Path) -> std::path::Display<'p> {
        path.strip_prefix(&self.cwd).unwrap_or(path).display()
    }
}

/// Refuses a request that the plan does not allow. Marks and statuses of an approved plan also need an approval that this clone or the
/// last commit knows of (R27).
pub(super) fn permit(place: &Place, plan: &Plan<'_>, request: PlanRequest<'_>) -> Result<()> {
    rules::allow(plan, request)?;
    match request {
        PlanRequest::Step { .. } | PlanRequest::Goal { .. } => approved::require(place, plan),
        _ => Ok(()),
    }
}
