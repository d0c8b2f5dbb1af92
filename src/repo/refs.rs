//! The refs of `plan`: they are created once and never moved (`FORMAT.md` §4).

use std::collections::BTreeMap;

use super::error::{RepoError, RepoResult};
use super::git::{environment, failed, said};
use super::{ObjectId, Repo};
use crate::error::Result;

/// The result of creating a ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It exists now and names this object.
    New(ObjectId),
    /// It existed before and names this object, which may be a different one; nothing was changed.
    AlreadyThere(ObjectId),
}

impl Written {
    /// The object that the ref names.
    pub fn id(self) -> ObjectId {
        match self {
            Written::New(id) | Written::AlreadyThere(id) => id,
        }
    }
}

impl Repo {
    /// Stores `bytes` as a blob and makes `name` (`refs/plan/signoffs/<id>/<contract>-<tree>`) name it. Two processes.
    pub fn write_record(&self, name: &str, bytes: &[u8]) -> Result<Written> {
        check(name)?;
        let args = ["hash-object", "-t", "blob", "-w", "--no-filters", "--stdin"];
        let stored = self.ask_with(environment(&self.top), &args, bytes)?;
        if !stored.status.success() {
            return Err(failed(&args, &stored).into());
        }
        self.create(name, id_line("hash-object", &stored.stdout)?)
    }

    /// Returns the blob that a ref names. `None` if the ref does not exist, or if its object is not a blob or has more than
    /// `most` bytes. Three processes.
    pub fn read_record(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>> {
        let Some(id) = self.read_ref(name)? else { return Ok(None) };
        Ok(self.contents(&[id], most)?.pop().flatten())
    }

    /// Returns the objects of exactly these refs, as far as they exist. No process if git's files can tell, otherwise one.
    pub fn read_refs(&self, names: &[String]) -> Result<BTreeMap<String, ObjectId>> {
        // Without a name, git would list every ref.
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let prefixes: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(mut refs) = self.refs_in_files(&prefixes) {
            refs.retain(|name, _| names.contains(name));
            return Ok(refs);
        }
        let mut args = vec!["for-each-ref", "--format=%(objectname) %(refname)", "--"];
        args.extend(names.iter().map(String::as_str));
        let bytes = self.git(&args, b"")?;
        let found = listed(&String::from_utf8_lossy(&bytes));
        Ok(found.into_iter().filter(|(name, _)| names.contains(name)).collect())
    }

    /// Returns all refs below `prefix` (`refs/plan/signoffs/`), sorted by name. No process if git's files can tell, otherwise one.
    pub fn list_refs(&self, prefix: &str) -> Result<Vec<(String, ObjectId)>> {
        let prefix = prefix.trim_end_matches('/');
        if let Some(refs) = self.refs_in_files(&[prefix]) {
            return Ok(refs.into_iter().collect());
        }
        let bytes = self.git(&["for-each-ref", "--format=%(objectname) %(refname)", prefix], b"")?;
        Ok(listed(&String::from_utf8_lossy(&bytes)))
    }

    /// Returns the object that exactly this ref names. One process.
    pub fn read_ref(&self, name: &str) -> Result<Option<ObjectId>> {
        let args = ["show-ref", "--verify", "--hash", "--", name];
        let captured = self.ask(&args, b"")?;
        if captured.status.success() {
            return Ok(Some(id_line("show-ref", &captured.stdout)?));
        }
        if said(&captured).contains("not a valid ref") { Ok(None) } else { Err(failed(&args, &captured).into()) }
    }

    /// Creates a ref that must not exist yet. git would run the `reference-transaction` hook here; `core.hooksPath` and
    /// the switches of [`Repo::without_hooks`] prevent that.
    pub(super) fn create(&self, name: &str, id: ObjectId) -> Result<Written> {
        let environment = self.without_hooks()?;
        let args = ["update-ref", "--no-deref", "-z", "--stdin"];
        let captured = self.ask_with(environment, &args, format!("create {name}\0{id}\0").as_bytes())?;
        if captured.status.success() {
            return Ok(Written::New(id));
        }
        match self.read_ref(name)? {
            Some(found) => Ok(Written::AlreadyThere(found)),
            None => Err(failed(&args, &captured).into()),
        }
    }

    /// Removes a ref that this run created, if it still names the same object. One process.
    pub fn withdraw(&self, name: &str, id: ObjectId) -> Result<()> {
        check(name)?;
        let environment = self.without_hooks()?;
        let args = ["update-ref", "--no-deref", "-z", "--stdin"];
        let captured = self.ask_with(environment, &args, format!("delete {name}\0{id}\0").as_bytes())?;
        if captured.status.success() { Ok(()) } else { Err(failed(&args, &captured).into()) }
    }

    /// An environment without hooks. Newer versions of git also read them from the configuration (`hook.<name>.command`, 2026). If the repository's
    /// own may hold one, each is disabled by name, through variables that allow any name; otherwise no other configuration is read.
    pub(super) fn without_hooks(&self) -> RepoResult<crate::process::environment::Environment> {
        if !self.may_set(&["[hook"]) {
            let environment = environment(&self.top).set("GIT_CONFIG_GLOBAL", "/dev/null");
            return Ok(environment.set("GIT_CONFIG_SYSTEM", "/dev/null").set("GIT_CONFIG_NOSYSTEM", "1"));
        }
        let args = ["config", "--null", "--name-only", "--get-regexp", r"^hook\."];
        let captured = self.ask(&args, b"")?;
        let text = String::from_utf8_lossy(&captured.stdout);
        let mut names: Vec<&str> = text.split('\0').filter_map(hook_name).collect();
        names.sort_unstable();
        names.dedup();
        let mut environment = environment(&self.top);
        for (count, name) in names.iter().enumerate() {
            environment = environment
                .set(format!("GIT_CONFIG_KEY_{count}"), format!("hook.{name}.enabled"))
                .set(format!("GIT_CONFIG_VALUE_{count}"), "false");
        }
        Ok(environment.set("GIT_CONFIG_COUNT", names.len().to_string()))
    }
}

/// Parses lines of `<id> <name>`.
fn listed(text: &str) -> Vec<(String, ObjectId)> {
    let refs = text.lines().filter_map(|line| line.split_once(' '));
    refs.filter_map(|(id, name)| Some((name.to_owned(), ObjectId::parse(id)?))).collect()
}

/// Returns the middle of `hook.<name>.command`.
fn hook_name(key: &str) -> Option<&str> {
    key.strip_prefix("hook.")?.rsplit_once('.').map(|(name, _)| name)
}

/// Allows only our own refs, and no character that could end a line of input.
pub(super) fn check(name: &str) -> RepoResult<()> {
    let ours = name.starts_with("refs/plan/") || name.starts_with("refs/worktree/plan/");
    let whole = name.bytes().all(|byte| byte.is_ascii_graphic()) && !name.ends_with('/');
    if ours && whole { Ok(()) } else { Err(RepoError::RefName { name: name.to_owned() }) }
}

pub(super) fn id_line(what: &'static str, stdout: &[u8]) -> RepoResult<ObjectId> {
    let text = String::from_utf8_lossy(stdout);
    ObjectId::parse(text.trim_end()).ok_or_else(|| RepoError::Answer { what, found: text.into_owned() })
}
