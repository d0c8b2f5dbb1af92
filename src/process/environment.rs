//! The environment variables that a program gets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::outside::search_path;

/// A program's environment: changes to our own, applied in order, so that it can be described and tested without running anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    changes: Vec<EnvironmentChange>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum EnvironmentChange {
    RemovePrefix(OsString),
    Remove(OsString),
    Set(OsString, OsString),
}

impl Environment {
    /// The environment of `plan` itself, with the `PATH` that [`outside`](super::outside::outside) leaves.
    pub fn inherited() -> Self {
        Environment::default()
    }

    /// The environment for a repository's own commands: everything except git's `GIT_*`, which would point them at another
    /// repository if a hook started us (`SIGNOFF.md` §2).
    pub fn without_git() -> Self {
        Environment::inherited().remove_prefix("GIT_")
    }

    /// Restores the `PATH` that `plan` itself got: for a program that the caller named.
    #[must_use]
    pub fn own_path(self) -> Self {
        self.set_all(std::env::var_os("PATH").map(|path| ("PATH", path)))
    }

    /// Removes every variable whose name begins with `prefix`.
    #[must_use]
    pub fn remove_prefix(mut self, prefix: impl Into<OsString>) -> Self {
        self.changes.push(EnvironmentChange::RemovePrefix(prefix.into()));
        self
    }

    /// Removes one variable.
    #[must_use]
    pub fn remove(mut self, name: impl Into<OsString>) -> Self {
        self.changes.push(EnvironmentChange::Remove(name.into()));
        self
    }

    /// Removes each variable for whose name `fits` is true.
    #[must_use]
    pub fn remove_if(self, fits: impl Fn(&str) -> bool) -> Self {
        let all = self.vars().into_keys();
        all.filter(|name| name.to_str().is_some_and(&fits)).fold(self, Environment::remove)
    }

    /// Sets one variable.
    #[must_use]
    pub fn set(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.changes.push(EnvironmentChange::Set(name.into(), value.into()));
        self
    }

    /// Sets all these variables.
    #[must_use]
    pub fn set_all<N: Into<OsString>, V: Into<OsString>>(self, all: impl IntoIterator<Item = (N, V)>) -> Self {
        all.into_iter().fold(self, |environment, (name, value)| environment.set(name, value))
    }

    /// The resulting variables, sorted by name.
    pub fn vars(&self) -> BTreeMap<OsString, OsString> {
        let path = search_path().map(|path| ("PATH".into(), path));
        self.vars_from(std::env::vars_os().chain(path))
    }

    /// The resulting value of `name`.
    pub fn get(&self, name: &str) -> Option<OsString> {
        self.vars().remove(OsStr::new(name))
    }

    fn vars_from(&self, start: impl Iterator<Item = (OsString, OsString)>) -> BTreeMap<OsString, OsString> {
        let mut vars: BTreeMap<OsString, OsString> = start.collect();
        for change in &self.changes {
            match change {
                EnvironmentChange::RemovePrefix(prefix) => {
                    vars.retain(|name, _| !name.as_bytes().starts_with(prefix.as_bytes()))
                }
                EnvironmentChange::Remove(name) => drop(vars.remove(name)),
                EnvironmentChange::Set(name, value) => drop(vars.insert(name.clone(), value.clone())),
            }
        }
        vars
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> impl Iterator<Item = (OsString, OsString)> {
        [("GIT_DIR", "/x"), ("GITHUB_TOKEN", "t"), ("PATH", "/bin")].map(|(n, v)| (n.into(), v.into())).into_iter()
    }

    fn names(vars: &BTreeMap<OsString, OsString>) -> Vec<&str> {
        vars.keys().filter_map(|name| name.to_str()).collect()
    }

    #[test]
    fn git_variables_are_removed_and_no_others() {
        assert_eq!(names(&Environment::without_git().vars_from(start())), ["GITHUB_TOKEN", "PATH"]);
    }

    #[test]
    fn changes_apply_in_order() {
        let environment = Environment::without_git().set("GIT_DIR", "/y").remove("PATH");
        assert_eq!(names(&environment.vars_from(start())), ["GITHUB_TOKEN", "GIT_DIR"]);
    }
}
