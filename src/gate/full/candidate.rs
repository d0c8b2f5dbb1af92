//! The work that the rows look at: the tree, the base, and the files that decide the result of verify.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::checker;
use super::examples;
use super::named_like_tests;
use super::request::FullRequest;
use crate::base::{Base, CommitUnderStart};
use crate::gate::harness::{Harness, is_code};
use crate::plan::history::Seen;
use crate::replay::{Stop, is_shared};
use crate::repo::export::Layout;
use crate::repo::{Mode, ObjectId, TreeEntry};

/// The maximum number of stored contents of changed files that are read in one batch.
const AT_ONCE: usize = 1000;
/// The maximum size of a single content in the batch, in bytes. Larger contents are read one by one.
const LARGEST: u64 = 256 << 10;

/// The work that one gate is about, and the base it is compared with.
pub(crate) struct Candidate<'j> {
    pub(crate) request: &'j FullRequest<'j>,
    /// The result of verify at the start: as the request says, until the gate tries it.
    pub(crate) seen: Seen,
    pub(crate) last: Layout,
    base: Option<Layout>,
    /// The name of the base in a sentence: `the start`, `commit 0123456789ab`, `origin/main`.
    pub(crate) start: String,
    /// The same for a sentence that has not named the goal yet: `the goal's start`.
    pub(crate) goals_start: String,
    /// The same work, compared with the commit under a start that had uncommitted files.
    under_start: Option<Box<Candidate<'j>>>,
    /// The uncommitted files of the start belong to a sign-off of another goal.
    pub(crate) signed: bool,
    pub(crate) harness: Harness,
    /// Paths in which tree and base differ, sorted.
    changed: BTreeSet<PathBuf>,
    /// Stored contents of the changed files, read in one batch.
    stored: HashMap<ObjectId, Vec<u8>>,
    /// The tree with its tests as in the base, once verify was green on it.
    approved: OnceCell<Layout>,
}

/// Returns the files of a base whose contents are available. A file that was not kept is available if it has not changed.
fn layout(request: &FullRequest<'_>, base: &Base) -> Layout {
    let mut layout = Layout::of(&base.files.entries);
    let (last, nothing) = (Layout::of(request.entries), Layout::default());
    for left in &base.left_out {
        let path = Path::new(&left.path);
        let now = last.get(path).map(|file| (file.mode(), file.id()));
        let is_same = now.is_some() && layout.get(path).map(|file| (file.mode(), file.id())) == now;
        // If the other layout has no file here, `take` removes it.
        layout.take(path, if is_same { &last } else { &nothing });
    }
    layout
}

fn plan_file(request: &FullRequest<'_>) -> Option<(PathBuf, Vec<u8>)> {
    let file = request.plan_file?;
    let path = file.canonicalize().ok()?.strip_prefix(request.replay.repo.top()).ok()?.to_owned();
    Some((path, std::fs::read(file).ok()?))
}

/// Whether a file is an object file that git does not have, beside its source.
fn is_built(entry: &TreeEntry, layout: &Layout) -> bool {
    let is_source = |end: &&str| layout.get(&entry.path.with_extension(end)).is_some();
    let is_object = entry.path.extension().is_some_and(|end| end == "o");
    is_object && !entry.tracked && ["c", "cc", "cpp", "cxx", "s", "S"].iter().any(is_source)
}

impl<'j> Candidate<'j> {
    pub(super) fn of(request: &'j FullRequest<'j>) -> Result<Self, Stop> {
        let base = request.base.map(|base| (layout(request, base), [base.origin.to_string(), base.origin.whole()]));
        let mut candidate = Candidate::against(request, base)?;
        if let Some(CommitUnderStart { commit, files, signed }) =
            request.base.and_then(|base| base.under_start.as_ref())
        {
            let name = format!("commit {commit}");
            let under_start = Candidate::against(request, Some((Layout::of(&files.entries), [name.clone(), name])))?;
            candidate.under_start = Some(Box::new(Candidate { seen: Seen::Unknown, signed: *signed, ..under_start }));
        }
        Ok(candidate)
    }

    fn against(request: &'j FullRequest<'j>, base: Option<(Layout, [String; 2])>) -> Result<Self, Stop> {
        let (mut base, names) = base.unzip();
        let mut last = Layout::of(request.entries);
        if let Some((path, bytes)) = plan_file(request).filter(|(path, _)| last.get(path).is_none()) {
            for layout in [Some(&mut last), base.as_mut()].into_iter().flatten() {
                layout.add(&path, bytes.clone(), request.replay.repo.format());
            }
        }
        // A shared link is no file of the work: its target exists in every export.
        let top = request.replay.repo.top();
        let links = last.files().filter(|(_, file)| file.mode() == Mode::Link).map(|(path, _)| path);
        let shared: Vec<PathBuf> = links.filter(|path| is_shared(top, path)).map(Path::to_owned).collect();
        // An untracked object file of an earlier build looks as new as its source in an export, so make would not build it again.
        let built: Vec<&TreeEntry> = request.entries.iter().filter(|entry| is_built(entry, &last)).collect();
        built.iter().for_each(|entry| last.take(&entry.path, &Layout::default()));
        for path in &shared {
            last.take(path, &Layout::default());
            base.iter_mut().for_each(|base| base.take(path, &Layout::default()));
        }
        let root = request.replay.inner_root();
        let then = base.as_ref().unwrap_or(&last);
        let read = |path: &Path| request.replay.repo.content(then, path).ok().flatten();
        let mut harness = Harness::of(Some(&request.replay.line.sequence), root, request.may_change, &read);
        let differs = |path: &&Path| {
            let (then, now) = (base.as_ref().and_then(|base| base.get(path)), last.get(path));
            then.map(|file| (file.mode(), file.id())) != now.map(|file| (file.mode(), file.id()))
        };
        let paths = last.paths().chain(base.iter().flat_map(Layout::paths));
        let changed: BTreeSet<PathBuf> = paths.filter(differs).map(Path::to_owned).collect();
        let stood = changed.iter().map(PathBuf::as_path).filter(|path| then.get(path).is_some());
        harness.leave_out(named_like_tests::find(stood, then.paths(), &read));
        let on_disk = request.entries.iter().any(TreeEntry::is_on_disk);
        let sides = [base.as_ref(), (!on_disk).then_some(&last)];
        let file = |path: &PathBuf| sides.map(|side| Some(side?.get(path)?.id()));
        let ids: Vec<ObjectId> = changed.iter().flat_map(file).flatten().take(AT_ONCE).collect();
        let contents = request.replay.repo.contents(&ids, LARGEST)?;
        let stored = ids.into_iter().zip(contents).filter_map(|(id, bytes)| Some((id, bytes?))).collect();
        let [start, goals_start] = names.unwrap_or_default();
        Ok(Candidate {
            request,
            seen: request.seen,
            last,
            base,
            start,
            goals_start,
            under_start: None,
            signed: false,
            harness,
            changed,
            stored,
            approved: OnceCell::new(),
        })
    }

    /// The base: usually the tree at the goal's start.
    pub(crate) fn base(&self) -> Option<&Layout> {
        self.base.as_ref()
    }

    /// Keeps the tree with its tests as in the base, because verify is green on it.
    pub(crate) fn approve(&self, layout: Layout) {
        self.approved.get_or_init(|| layout);
    }

    pub(crate) fn approved(&self) -> Option<&Layout> {
        self.approved.get()
    }

    /// The same work, compared with the commit under a start that had uncommitted files.
    pub(crate) fn under_start(&self) -> Option<&Candidate<'j>> {
        self.under_start.as_deref()
    }

    pub(crate) fn changed(&self) -> impl Iterator<Item = &Path> {
        self.changed.iter().map(PathBuf::as_path)
    }

    /// Whether the work changed files under `may_change` that decide the result of verify. Then verify need no longer be
    /// red where it was red before.
    pub(crate) fn has_changed_as_allowed(&self) -> bool {
        let was = |path: &Path| self.base.as_ref().is_some_and(|base| base.get(path).is_some());
        let decides = |path: &Path| was(path) || self.harness.is_autoload(path, None);
        self.changed().any(|path| self.harness.may_change(path) && decides(path))
    }

    /// Files of the work tree that a run in an export should not read.
    pub(super) fn watched(&self) -> impl Iterator<Item = &Path> {
        let tests = self.last.paths().filter(|path| self.harness.is_harness(path));
        self.changed().chain(tests)
    }

    /// The bytes of a regular file of a layout.
    pub(crate) fn bytes(&self, layout: &Layout, path: &Path) -> Result<Option<Vec<u8>>, Stop> {
        let file = layout.get(path).filter(|file| matches!(file.mode(), Mode::File | Mode::Executable));
        let Some(file) = file else { return Ok(None) };
        match self.stored.get(&file.id()) {
            Some(bytes) => Ok(Some(bytes.clone())),
            None => Ok(self.request.replay.repo.content(layout, path)?),
        }
    }

    /// The bytes of a regular file of the tree.
    pub(crate) fn now(&self, path: &Path) -> Result<Option<Vec<u8>>, Stop> {
        self.bytes(&self.last, path)
    }

    /// The bytes of a regular file of the base; `None` without a base.
    pub(crate) fn then(&self, path: &Path) -> Result<Option<Vec<u8>>, Stop> {
        self.base.as_ref().map_or(Ok(None), |base| self.bytes(base, path))
    }

    /// Whether a file is source code of the work: not part of the harness (such as a test) and not under `may_change`.
    pub(crate) fn is_source(&self, path: &Path) -> bool {
        is_code(path) && !self.harness.is_harness(path) && !self.harness.may_change(path)
    }

    /// The texts of a file in the base (empty if it was not there) and now. `None` if one is not text, or it is gone.
    pub(crate) fn texts(&self, path: &Path) -> Result<Option<[String; 2]>, Stop> {
        let then = self.then(path)?.unwrap_or_default();
        let Some(now) = self.now(path)? else { return Ok(None) };
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
        Ok(text(then).zip(text(now)).map(|(then, now)| [then, now]))
    }

    /// The texts of the first test files of a layout.
    pub(crate) fn texts_of_tests(&self, layout: &Layout, most: usize) -> Result<Vec<String>, Stop> {
        let is_test = |path: &&Path| self.harness.is_harness(path) && is_code(path);
        let mut texts = Vec::new();
        for path in layout.paths().filter(is_test).take(most) {
            texts.extend(self.bytes(layout, path)?.and_then(|bytes| String::from_utf8(bytes).ok()));
        }
        Ok(texts)
    }

    /// Whether a file decides the result of verify. For some files this depends on their content.
    pub(crate) fn decides(&self, layout: &Layout, path: &Path) -> Result<bool, Stop> {
        if self.harness.is_harness(path) {
            return Ok(true);
        }
        // A runner may read its settings from any other file.
        let is_setting = !is_code(path) && !self.harness.is_mixed(path);
        let content = if is_setting { self.bytes(layout, path)? } else { None };
        Ok(content.is_some_and(|content| self.harness.is_autoload(path, Some(&content))))
    }

    /// Whether the work added or changed examples in comments that verify runs: Python doctests if verify mentions `doctest`,
    /// and Rust doctests if it mentions `test`.
    pub(crate) fn has_new_examples(&self) -> Result<bool, Stop> {
        let argvs = self.request.replay.line.sequence.argvs();
        let names = |word: &str| argvs.iter().flatten().any(|argument| argument.contains(word));
        for path in self.changed() {
            let of: fn(&str) -> Vec<String> = match path.extension().and_then(|extension| extension.to_str()) {
                Some("py") if names("doctest") => examples::of_python,
                Some("rs") if names("test") => examples::of_rust,
                _ => continue,
            };
            let lines = |bytes: Option<Vec<u8>>| of(&String::from_utf8_lossy(&bytes.unwrap_or_default()));
            let then = lines(self.then(path)?);
            if lines(self.now(path)?).iter().any(|line| !then.contains(line)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether verify only compiles, checks or lints, itself or by a script. Then the expectations of tests cannot matter to it.
    pub(crate) fn only_checks(&self) -> bool {
        let argvs = self.request.replay.line.sequence.argvs();
        let root = self.request.replay.inner_root();
        let script = |argv: &Vec<&str>| match argv[..] {
            ["sh" | "bash", path] => self.now(&root.join(path.trim_start_matches("./"))).ok().flatten(),
            _ => None,
        };
        let is_script = |argv: &Vec<&str>| {
            script(argv).is_some_and(|bytes| checker::is_check_script(&String::from_utf8_lossy(&bytes)))
        };
        checker::only_checks(&argvs) || !argvs.is_empty() && argvs.iter().all(is_script)
    }
}
