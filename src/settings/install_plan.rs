//! Installs and uninstalls one client's pieces: first every change is planned, then all of them are written.

use std::path::{Path, PathBuf};

use super::content::{is_in, parted};
use super::copies;
use super::disk::{self, SettingsFile, Write};
use super::edit::{Edit, apply};
use super::entries::{self, Preexisting, Program};
use super::file_change::{FileChange, FileOutcome};
use super::readable::readable;
use super::record::{self, FileRecord, InstallRecord, Step};
use super::taken_out::{is_commented_alike, taken_out};
use super::whole::whole;
use crate::error::{Error, Kind, Result};
use crate::host::setup::{Allow, Content, Piece, SetupRequest, SetupScope};
use crate::host::{Host, Variable};
use crate::store::{self, Place};

/// The planned changes for one client.
#[derive(Debug)]
pub struct InstallPlan {
    /// One entry for each file, in the order of the pieces.
    pub files: Vec<FileChange>,
    place: Place,
    name: String,
    /// The folder of the copies in the state folder.
    copies: String,
    record: InstallRecord,
    /// Only folders below this one may be removed; used if no record names the folders that were created.
    edge: PathBuf,
    /// True if the settings are the user's own.
    is_users: bool,
}

/// Plans an install. `place` is the plan's place; in user scope its state folder is replaced by the user's.
///
/// # Errors
/// [`Kind::Input`] if a file cannot be read. [`Kind::Refused`] if something else is in the place of an entry, or the entries
/// would run twice.
pub fn install(
    host: &dyn Host,
    request: &SetupRequest<'_>,
    place: &Place,
    variable: Variable<'_>,
) -> Result<InstallPlan> {
    let other = if request.scope == SetupScope::Project { SetupScope::User } else { SetupScope::Project };
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

/// Plans the changes of the pieces that `pick` selects: it gets the text of the file and the content to install, and returns the part to use.
///
/// # Errors
/// As [`install`]; but both scopes may be installed here.
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
        let removes = !removed.is_empty();
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
        install_plan.files.push(FileChange {
            edits,
            removes,
            fresh,
            kept,
            ..FileChange::new(path, piece, found, outcome, after)
        });
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
        let (spent, copies) = install_plan.copies_of(&path, &found, filed.as_ref(), after.as_deref());
        install_plan.files.push(FileChange {
            keeps,
            copies,
            spent,
            ..FileChange::new(path, piece.file, found, outcome, after)
        });
    }
    Ok(install_plan)
}

/// Returns true if hooks or files of ours are installed.
pub fn is_installed(host: &dyn Host, request: &SetupRequest<'_>, place: &Place, variable: Variable<'_>) -> bool {
    let Ok(install_plan) = InstallPlan::new(host, request, place, variable) else { return false };
    let Ok(all) = install_plan.look(host, request, variable) else { return false };
    all.iter().any(|(piece, _, found)| found.text.as_ref().is_some_and(|text| is_in(parted(text).1, &piece.content)))
}

fn shifted(mut edits: Vec<Edit>, by: usize) -> Vec<Edit> {
    edits.iter_mut().for_each(|edit| edit.at += by);
    edits
}

fn homeless() -> Error {
    Error::input("no home folder").hint("set `HOME`, or install for this repository alone: `--scope project`")
}

/// Returns the word for a scope.
const fn word(scope: SetupScope) -> &'static str {
    match scope {
        SetupScope::Project => "project",
        SetupScope::User => "user",
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
        let edge = if request.scope == SetupScope::Project { ground(&place).to_owned() } else { folder };
        if request.scope == SetupScope::User {
            place.state = store::user_state().unwrap_or_default();
        }
        let copies = format!("install/{}", host.name());
        let name = format!("{copies}.json");
        let record = InstallRecord::read(&place, &name);
        // Without a home folder there is no state folder of the user.
        let is_users = request.scope == SetupScope::User && !place.state.as_os_str().is_empty();
        Ok(InstallPlan { files: Vec::new(), place, name, copies, record, edge, is_users })
    }

    /// Returns the pieces, each with its file.
    pub(super) fn look(
        &self,
        host: &dyn Host,
        request: &SetupRequest<'_>,
        variable: Variable<'_>,
    ) -> Result<Vec<(Piece, PathBuf, SettingsFile)>> {
        let folder = host.setup().folder(request.scope, variable).ok_or_else(homeless)?;
        let top = ground(&self.place);
        let bound = (request.scope == SetupScope::Project).then_some(top);
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

    /// Returns the copies of a file: first the copies whose text is in the file after the uninstall, then the other copies.
    fn copies_of(
        &self,
        path: &Path,
        found: &SettingsFile,
        filed: Option<&FileRecord>,
        after: Option<&str>,
    ) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let base = filed.zip(found.text.as_deref()).and_then(|(filed, text)| filed.base(text));
        // A comment inside an entry of `plan` is removed with the entry.
        let base = base.filter(|base| after.is_some_and(|after| is_commented_alike(base, after)));
        let (spent, left): (Vec<_>, Vec<_>) = copies::copies(&self.place, &self.copies, path)
            .into_iter()
            .partition(|(_, text)| after == Some(text) || base.as_ref() == Some(text));
        let paths = |copies: Vec<(PathBuf, String)>| copies.into_iter().map(|(path, _)| path).collect();
        (paths(spent), paths(left))
    }

    /// Writes all files and the record. Returns the error if the record could not be written.
    ///
    /// A change that only the record or a copy can undo waits for them: they are written first.
    ///
    /// # Errors
    /// A file cannot be written, or comments would be removed without a copy and a record. Then no file is written.
    pub fn install(self) -> Result<Option<Error>> {
        let writes = self.writes();
        if writes.is_empty() {
            return Ok(None);
        }
        let mut record = self.record.clone();
        record.files.retain(|filed| self.files.iter().all(|file| file.piece != filed.file));
        record.files.extend(self.files.iter().map(|file| self.filed(file)));
        record.folders.extend(disk::missing(&writes));
        let missing = record::missing_folders(&self.place, &self.name);
        if self.is_users {
            record.folders.extend(missing.clone());
        }
        let old = self.spent();
        let done = self.keep_and_file(record).and_then(|unfiled| disk::write(&writes).map(|()| unfiled));
        if done.is_err() {
            // If this fails too, the record still has the digest of the file before the install.
            let _ = self.record.clone().write(&self.place, &self.name);
            self.drop_copies(self.spent().into_iter().filter(|copy| !old.contains(copy)));
            disk::tidy(&missing);
        }
        done
    }

    /// Copies the files that lose text, then writes the record. Returns the error of a record that is not needed.
    fn keep_and_file(&self, record: InstallRecord) -> Result<Option<Error>> {
        let unsafe_without =
            "nothing was written: without a copy and a record, what `--remove-comments` removes could be lost";
        let losing = || self.files.iter().filter(|file| file.removes);
        let kept = losing().try_for_each(|file| copies::keep(&self.place, &self.copies, &file.path, &file.found));
        match kept.and_then(|()| record.write(&self.place, &self.name)) {
            Err(error) if losing().next().is_some() => Err(error.hint(unsafe_without)),
            filed => Ok(filed.err()),
        }
    }

    /// Returns the copies that have the same text as their files on the disk.
    fn spent(&self) -> Vec<PathBuf> {
        let of = |file: &FileChange| {
            let copies = copies::copies(&self.place, &self.copies, &file.path).into_iter();
            copies
                .filter(|(_, text)| file.found.is_as_read() && file.before() == Some(text))
                .map(|(path, _)| path)
                .collect::<Vec<_>>()
        };
        self.files.iter().flat_map(of).collect()
    }

    fn drop_copies(&self, copies: impl Iterator<Item = PathBuf>) {
        copies.for_each(|copy| {
            let _ = std::fs::remove_file(copy);
        });
        disk::tidy(&[store::state_file(&self.place, &self.copies)]);
    }

    /// Removes all entries, the record, and the copies that are no longer needed.
    ///
    /// # Errors
    /// A file cannot be written. Then no file is written.
    pub fn uninstall(self) -> Result<()> {
        disk::write(&self.writes())?;
        // In a copied repository, the record names folders of the original. The user's own record is not copied with a repository.
        let own = self.is_users || self.record.folders.iter().all(|folder| folder.starts_with(&self.edge));
        let made = if self.record.files.is_empty() || !own { self.parents() } else { self.record.folders.clone() };
        InstallRecord::default().write(&self.place, &self.name)?;
        self.drop_copies(self.files.iter().flat_map(|file| file.spent.clone()));
        // These folders held the record, so they are removed after it.
        if self.is_users {
            disk::tidy(&[self.place.state.clone(), record::folder(&self.place, &self.name)]);
        }
        disk::tidy(&made);
        Ok(())
    }

    fn writes(&self) -> Vec<Write<'_>> {
        let changes = self.files.iter().filter(|file| file.outcome.is_change());
        changes.map(|file| Write { shown: &file.path, file: &file.found, text: file.after.as_deref() }).collect()
    }

    /// Returns the record of a file, from before the first install until now.
    fn filed(&self, file: &FileChange) -> FileRecord {
        let step = Step {
            file: &file.piece,
            before: file.before(),
            after: file.after.as_deref().unwrap_or_default(),
            edits: &file.edits,
            removes: file.removes,
            fresh: file.fresh,
            kept: &file.kept,
        };
        FileRecord::next(self.record.file(&file.piece), step)
    }

    /// Returns the folders of the removed files, outermost first.
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

/// Returns the folder of the project's files: the top of the repository, or the plan's folder without git.
fn ground(place: &Place) -> &Path {
    place.top.as_deref().unwrap_or(&place.root)
}
