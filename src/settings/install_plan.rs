//! Installs and uninstalls one client's pieces: first every change is planned, then all of them are written.

use std::path::{Path, PathBuf};

use super::disk::{self, SettingsFile, Write};
use super::edit::{Edit, apply};
use super::entries::{self, Preexisting, Program};
use super::json;
use super::obstacle::Obstacle;
use super::readable::readable;
use super::record::{self, FileRecord, Record, digest};
use super::whole::{is_ours, is_same, whole};
use crate::error::{Error, Kind, Result};
use crate::host::setup::{Allow, Content, Piece, Scope, SetupRequest};
use crate::host::{Host, Variable};
use crate::store::{self, Place};

/// A byte order mark is not part of a document.
const BOM: char = '\u{feff}';

/// The planned changes for one client.
#[derive(Debug)]
pub struct InstallPlan {
    /// One entry for each file, in the order of the pieces.
    pub files: Vec<FileChange>,
    place: Place,
    name: String,
    record: Record,
    /// Folders below this one may be removed; used if there is no record of the folders that were made.
    edge: PathBuf,
    /// Whether the settings are the user's own.
    is_users: bool,
}

/// The planned change of one file.
#[derive(Debug)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// The kind of change.
    pub outcome: FileOutcome,
    /// Its text afterwards; none if there is no file.
    pub after: Option<String>,
    /// An uninstall leaves an entry that calls `plan`, because it was there before the install.
    pub keeps: bool,
    found: SettingsFile,
    piece: PathBuf,
    edits: Vec<Edit>,
    /// The file held nothing of ours.
    fresh: bool,
    kept: Preexisting,
}

impl FileChange {
    /// Its text before; none if there was no file.
    pub fn before(&self) -> Option<&str> {
        self.found.text.as_deref()
    }
}

/// The kind of change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOutcome {
    /// The file is created.
    Created,
    /// The file is changed.
    Changed,
    /// The file stays as it is.
    Unchanged,
    /// The file is removed.
    Removed,
    /// The file is ours, but it was edited or another version wrote it: it stays.
    Edited,
}

impl FileOutcome {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            FileOutcome::Created => "created",
            FileOutcome::Changed => "changed",
            FileOutcome::Unchanged => "unchanged",
            FileOutcome::Removed => "removed",
            FileOutcome::Edited => "edited",
        }
    }
}

/// Plans an install. `place` is the plan's; in user scope its state folder is replaced by the user's.
///
/// # Errors
/// [`Kind::Input`] if a file cannot be read. [`Kind::Refused`] if something else has the place of an entry, or the entries would
/// run twice.
pub fn install(
    host: &dyn Host,
    request: &SetupRequest<'_>,
    place: &Place,
    variable: Variable<'_>,
) -> Result<InstallPlan> {
    let other = if request.scope == Scope::Project { Scope::User } else { Scope::Project };
    if host.setup().runs_twice() && is_installed(host, &SetupRequest { scope: other, ..*request }, place, variable) {
        let (own, there) = (word(request.scope), word(other));
        return Err(Error::new(
            Kind::Refused,
            format!("already installed in {there} scope: with {own} scope too, every hook would run twice"),
        )
        .hint(format!("plan uninstall {} --scope {there}", host.name())));
    }
    plan_pieces(host, request, place, variable, |_, content| Some(content))
}

/// Plans the changes of the pieces that `pick` takes, whole or in part: it gets the text of the file, and what is to be there.
///
/// # Errors
/// As [`install`], whose scopes may both be installed here.
pub(super) fn plan_pieces(
    host: &dyn Host,
    request: &SetupRequest<'_>,
    place: &Place,
    variable: Variable<'_>,
    pick: impl Fn(&str, Content) -> Option<Content>,
) -> Result<InstallPlan> {
    let mut install_plan = InstallPlan::new(host, request, place, variable)?;
    let program = Program { plain: request.program, shell: request.shell };
    // A later install may allow more, and an uninstall removes either kind.
    let widest = install_plan.look(host, &SetupRequest { allow: Allow::Either, ..*request }, variable)?;
    for ((mut piece, path, found), (all, ..)) in install_plan.look(host, request, variable)?.into_iter().zip(widest) {
        let text = found.text.clone().unwrap_or_default();
        let Some(content) = pick(parted(&text).1, piece.content) else { continue };
        piece.content = content;
        let removed = readable(host, request, &piece, &path, &text)?;
        let plain = apply(&text, &removed).unwrap_or_default();
        let (bom, body) = parted(&plain);
        let edits = match &piece.content {
            Content::Json(entries) => entries::install(body, entries, &program),
            Content::Table(name, lines, call) => entries::install_table(body, name, lines, call),
            Content::Whole(new) => whole(&plain, new, install_plan.record.file(&piece.file)),
        };
        let edits = [removed, shifted(edits.map_err(|obstacle| obstacle.at(&path))?, bom.len())].concat();
        let after = apply(&text, &edits);
        let kept = match &all.content {
            Content::Json(entries) => entries::kept(body, entries),
            Content::Table(name, _, call) => entries::kept_table(body, name, call),
            Content::Whole(_) => Preexisting::default(),
        };
        let fresh = !is_in(body, &piece.content);
        let outcome = match (&found.text, &piece.content) {
            (None, _) => FileOutcome::Created,
            (Some(_), _) if !edits.is_empty() => FileOutcome::Changed,
            (Some(text), Content::Whole(new)) if text != new => FileOutcome::Edited,
            (Some(_), _) => FileOutcome::Unchanged,
        };
        let piece = piece.file;
        install_plan.files.push(FileChange { path, outcome, after, keeps: false, found, piece, edits, fresh, kept });
    }
    Ok(install_plan)
}

/// Plans an uninstall.
///
/// # Errors
/// [`Kind::Input`] if a file cannot be read, or an entry of ours cannot be removed by itself.
pub fn uninstall(
    host: &dyn Host,
    request: &SetupRequest<'_>,
    place: &Place,
    variable: Variable<'_>,
) -> Result<InstallPlan> {
    let mut install_plan = InstallPlan::new(host, request, place, variable)?;
    for (piece, path, found) in install_plan.look(host, request, variable)? {
        let filed = install_plan.record.file(&piece.file).cloned();
        let (outcome, after) = match &found.text {
            None => (FileOutcome::Unchanged, None),
            Some(text) => taken_out(text, &piece.content, filed.as_ref()).map_err(|obstacle| obstacle.at(&path))?,
        };
        let is_whole = matches!(piece.content, Content::Whole(_));
        let keeps = !is_whole && after.as_ref().is_some_and(|after| is_in(parted(after).1, &piece.content));
        install_plan.files.push(FileChange {
            path,
            outcome,
            after,
            keeps,
            found,
            piece: piece.file,
            edits: Vec::new(),
            fresh: false,
            kept: Preexisting::default(),
        });
    }
    Ok(install_plan)
}

/// True if hooks or files of ours are installed.
pub fn is_installed(host: &dyn Host, request: &SetupRequest<'_>, place: &Place, variable: Variable<'_>) -> bool {
    let Ok(install_plan) = InstallPlan::new(host, request, place, variable) else { return false };
    let Ok(all) = install_plan.look(host, request, variable) else { return false };
    all.iter().any(|(piece, _, found)| found.text.as_ref().is_some_and(|text| is_in(parted(text).1, &piece.content)))
}

pub(super) fn is_in(text: &str, content: &Content) -> bool {
    match content {
        Content::Json(entries) => entries::is_there(text, entries),
        Content::Table(name, _, call) => entries::is_table_there(text, name, call),
        Content::Whole(_) => is_ours(text),
    }
}

fn taken_out(
    text: &str,
    content: &Content,
    filed: Option<&FileRecord>,
) -> std::result::Result<(FileOutcome, Option<String>), Obstacle> {
    // A whole file names `plan install` itself, whoever put it there.
    let stood = |before: &Option<String>| matches!(content, Content::Whole(_)) && before.as_deref() == Some(text);
    if let Some(before) = filed.and_then(|filed| filed.before(text)).filter(|before| !stood(before)) {
        let outcome = if before.is_none() { FileOutcome::Removed } else { FileOutcome::Changed };
        return Ok((if before.as_deref() == Some(text) { FileOutcome::Unchanged } else { outcome }, before));
    }
    let (bom, body) = parted(text);
    let kept = filed.map(|filed| filed.kept.clone()).unwrap_or_default();
    let edits = match content {
        Content::Whole(new) if is_same(text, new) || filed.is_some_and(|filed| filed.after == digest(text)) => {
            return Ok((FileOutcome::Removed, None));
        }
        Content::Whole(_) if is_ours(text) => return Ok((FileOutcome::Edited, Some(text.to_owned()))),
        Content::Whole(_) => Vec::new(),
        Content::Json(entries) => entries::uninstall(body, entries, &kept)?,
        Content::Table(name, _, call) => entries::uninstall_table(body, name, call, &kept)?,
    };
    if edits.is_empty() {
        return Ok((FileOutcome::Unchanged, Some(text.to_owned())));
    }
    let after = apply(body, &edits).ok_or_else(|| "an edit does not fit".to_owned())?;
    let nothing = if matches!(content, Content::Json(_)) { json::is_blank(&after) } else { after.trim().is_empty() };
    // A file that existed before the install stays, even if it is empty now.
    if nothing && filed.is_none_or(|filed| filed.before.is_none()) {
        return Ok((FileOutcome::Removed, None));
    }
    Ok((FileOutcome::Changed, Some(format!("{bom}{after}"))))
}

pub(super) fn parted(text: &str) -> (&str, &str) {
    let length = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    text.split_at(length)
}

fn shifted(mut edits: Vec<Edit>, by: usize) -> Vec<Edit> {
    edits.iter_mut().for_each(|edit| edit.at += by);
    edits
}

fn homeless() -> Error {
    Error::input("no home folder").hint("set `HOME`, or install for this repository alone: `--scope project`")
}

/// The word for a scope.
const fn word(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::User => "user",
    }
}

impl InstallPlan {
    pub(super) fn new(
        host: &dyn Host,
        request: &SetupRequest<'_>,
        place: &Place,
        variable: Variable<'_>,
    ) -> Result<Self> {
        let folder = host.setup().folder(request.scope, variable).ok_or_else(homeless)?;
        let mut place = place.clone();
        let edge = if request.scope == Scope::Project { ground(&place).to_owned() } else { folder };
        if request.scope == Scope::User {
            place.state = store::user_state().unwrap_or_default();
        }
        let name = format!("install/{}.json", host.name());
        let record = Record::read(&place, &name);
        // Without a home there is no folder of the user's.
        let is_users = request.scope == Scope::User && !place.state.as_os_str().is_empty();
        Ok(InstallPlan { files: Vec::new(), place, name, record, edge, is_users })
    }

    /// The pieces, each with its file.
    pub(super) fn look(
        &self,
        host: &dyn Host,
        request: &SetupRequest<'_>,
        variable: Variable<'_>,
    ) -> Result<Vec<(Piece, PathBuf, SettingsFile)>> {
        let folder = host.setup().folder(request.scope, variable).ok_or_else(homeless)?;
        let top = ground(&self.place);
        let bound = (request.scope == Scope::Project).then_some(top);
        let one = |mut piece: Piece| {
            if let Some(or) = piece.or.take().filter(|or| top.join(or).exists() && !top.join(&piece.file).exists()) {
                piece.file = or;
            }
            let path = top.join(&piece.file);
            let found = disk::look(&path, bound)?;
            Ok((piece, path, found))
        };
        host.setup().pieces(request, &folder, variable).into_iter().map(one).collect()
    }

    /// Writes all files, and the record. Returns the error if no record could be written.
    ///
    /// # Errors
    /// A file cannot be written; then none is.
    pub fn install(self) -> Result<Option<Error>> {
        let folders = self.write()?;
        if self.files.iter().all(|file| !is_change(file.outcome)) {
            return Ok(None);
        }
        let mut record = self.record.clone();
        record.files.retain(|filed| self.files.iter().all(|file| file.piece != filed.file));
        record.files.extend(self.files.iter().map(|file| self.filed(file)));
        record.folders.extend(folders);
        if self.is_users {
            record.folders.extend(record::missing_folders(&self.place, &self.name));
        }
        Ok(record.write(&self.place, &self.name).err())
    }

    /// Removes everything, and the record.
    ///
    /// # Errors
    /// A file cannot be written; then none is.
    pub fn uninstall(self) -> Result<()> {
        self.write()?;
        // In a copied repository, the record names folders of the original. The user's own is not copied with one.
        let own = self.is_users || self.record.folders.iter().all(|folder| folder.starts_with(&self.edge));
        let made = if self.record.files.is_empty() || !own { self.parents() } else { self.record.folders.clone() };
        Record::default().write(&self.place, &self.name)?;
        // The record stood in the last ones.
        if self.is_users {
            disk::tidy(&[self.place.state.clone(), record::folder(&self.place, &self.name)]);
        }
        disk::tidy(&made);
        Ok(())
    }

    fn write(&self) -> Result<Vec<PathBuf>> {
        let writes: Vec<Write<'_>> = self
            .files
            .iter()
            .filter(|file| is_change(file.outcome))
            .map(|file| Write { shown: &file.path, file: &file.found, text: file.after.as_deref() })
            .collect();
        disk::write(&writes)
    }

    /// The record of a file, from before the first install until now.
    fn filed(&self, file: &FileChange) -> FileRecord {
        let text = file.before();
        let after = digest(file.after.as_deref().unwrap_or_default());
        let piece = file.piece.clone();
        match self.record.file(&file.piece) {
            // The file is as the last install left it, so the edits add up.
            Some(old) if text.is_some_and(|text| digest(text) == old.after) => {
                let edits = old.edits.clone().map(|edits| [edits, file.edits.clone()].concat());
                FileRecord { file: piece, before: old.before.clone(), after, edits, kept: old.kept.clone() }
            }
            Some(old) if !file.fresh => {
                FileRecord { file: piece, before: old.before.clone(), after, edits: None, kept: old.kept.clone() }
            }
            _ => FileRecord {
                file: piece,
                before: text.map(digest),
                after,
                edits: Some(file.edits.clone()),
                kept: file.kept.clone(),
            },
        }
    }

    /// The folders of the removed files, outermost first.
    fn parents(&self) -> Vec<PathBuf> {
        let gone = self.files.iter().filter(|file| file.outcome == FileOutcome::Removed);
        let above = |file: &FileChange| file.path.ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>();
        let mut folders: Vec<PathBuf> =
            gone.flat_map(above).filter(|path| path.starts_with(&self.edge) && *path != self.edge).collect();
        folders.sort();
        folders.dedup();
        folders
    }
}

fn is_change(outcome: FileOutcome) -> bool {
    matches!(outcome, FileOutcome::Created | FileOutcome::Changed | FileOutcome::Removed)
}

/// The folder of the project's files: the top of the repository, or the plan's folder without git.
fn ground(place: &Place) -> &Path {
    place.top.as_deref().unwrap_or(&place.root)
}
