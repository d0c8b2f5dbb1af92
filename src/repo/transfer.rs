//! Moves the refs of `plan` between repositories (`FORMAT.md` §4). It never overwrites an existing ref, and runs
//! nothing except git's own transports.
//!
//! A repository's own configuration may name programs for a transfer: an ssh command, a credential helper, another
//! `git-upload-pack`, a remote helper (`ext::`), hooks. None of these is used. The user's own settings (environment,
//! global and system configuration) are used, because most remotes cannot be reached without them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::time::Duration;

use super::error::RepoResult;
use super::git::{environment, failed, keep};
use super::{ObjectId, Repo, Written};
use crate::error::{Error, Kind, Result};
use crate::process::environment::Environment;
use crate::shell::quote;

/// The families of refs that are moved. They are records: they hold observations, and no file of the work tree. Each family has
/// a folder for each goal.
const FAMILIES: [&str; 2] = ["signoffs", "starts"];
/// The user's environment variables for reaching remotes: which program to use and whom to trust.
const OWN: [&str; 6] =
    ["GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_SSL_NO_VERIFY"];
/// The transports of git itself.
const PROTOCOLS: &str = "file:git:http:https:ssh";

/// How long a remote may be silent while a user waits for an answer that is not essential.
const GLANCE: Duration = Duration::from_secs(5);

/// The result of a transfer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    /// Refs that are new on the receiving side.
    pub new: Vec<String>,
    /// The number of refs that were the same on both sides.
    pub same: usize,
    /// Refs that differ between the two sides; both stay as they are.
    pub different: Vec<String>,
}

impl Repo {
    /// Fetches the records of `remote`. Six processes and a transport, for any number of records.
    ///
    /// # Errors
    /// [`Kind::Input`] for a remote that is an option or a remote helper; [`Kind::Unknown`] if it cannot be reached.
    pub fn fetch_records(&self, remote: &str) -> Result<Transfer> {
        let (here, there) = self.both_sides(remote)?;
        let mut done = Transfer::default();
        let mut wanted: Vec<(String, ObjectId)> = Vec::new();
        for (name, id) in there {
            match here.get(&name) {
                None => wanted.push((name, id)),
                Some(own) if *own == id => done.same += 1,
                Some(_) => done.different.push(name),
            }
        }
        if wanted.is_empty() {
            return Ok(done);
        }
        // Fetches only the objects. We create the refs ourselves, because they must not exist yet.
        let stdin: String = wanted.iter().map(|(name, _)| format!("{name}\n")).collect();
        let args = [
            "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-prune", "--no-auto-maintenance",
            "--no-write-fetch-head", "--refmap=", "--upload-pack=git-upload-pack", "--stdin", "--", remote,
        ];
        self.transport(None, &args, stdin.as_bytes())?;
        for (name, id) in self.create_all(wanted)? {
            match id {
                Written::New(_) => done.new.push(name),
                Written::AlreadyThere(_) => done.different.push(name),
            }
        }
        Ok(done)
    }

    /// Pushes the records here to `remote`. Five processes and a transport, for any number of records.
    ///
    /// # Errors
    /// As [`Repo::fetch_records`]; also [`Kind::Unknown`] if the remote does not accept them.
    pub fn push_records(&self, remote: &str) -> Result<Transfer> {
        let (here, there) = self.both_sides(remote)?;
        let mut done = Transfer::default();
        let mut families: Vec<&str> = Vec::new();
        for (name, id) in here {
            match there.get(&name) {
                None => {
                    families.extend(FAMILIES.iter().find(|family| name.starts_with(&format!("refs/plan/{family}/"))));
                    done.new.push(name);
                }
                Some(other) if *other == id => done.same += 1,
                Some(_) => done.different.push(name),
            }
        }
        families.sort_unstable();
        families.dedup();
        if families.is_empty() {
            return Ok(done);
        }
        let head = [
            "push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--no-thin",
            "--recurse-submodules=no", "--receive-pack=git-receive-pack", "--", remote,
        ];
        let refs: Vec<String> =
            families.iter().map(|family| format!("refs/plan/{family}/*:refs/plan/{family}/*")).collect();
        let args: Vec<&str> = head.into_iter().chain(refs.iter().map(String::as_str)).collect();
        // Without `+` or force, git refuses a ref that exists with other content; such a ref is in `different` already.
        match self.transport(None, &args, b"") {
            Err(_) if !done.different.is_empty() => self.settle_push(remote, done),
            other => Ok(other.map(|_| done)?),
        }
    }

    /// Checks which of the new refs exist after a push that git refused in part.
    fn settle_push(&self, remote: &str, mut done: Transfer) -> Result<Transfer> {
        let (here, there) = self.both_sides(remote)?;
        let arrived = |name: &String| there.contains_key(name) && there.get(name) == here.get(name);
        match done.new.iter().find(|name| !arrived(name)) {
            None => Ok(done),
            Some(name) => {
                let what = format!("`{remote}` did not accept `{name}`");
                done.new.clear();
                Err(Error::new(Kind::Unknown, what).hint("check that you may write `refs/plan/*` there"))
            }
        }
    }

    /// Returns the records here and there, by name.
    fn both_sides(&self, remote: &str) -> Result<(BTreeMap<String, ObjectId>, BTreeMap<String, ObjectId>)> {
        let there = self.of_remote(remote, |args| self.transport(None, args, b""))?;
        let here = self.list_refs("refs/plan/")?.into_iter().filter(|(name, _)| is_record(name)).collect();
        Ok((here, there))
    }

    /// Returns the names of the records of `remote`. Four processes and a transport, which is given up if it is silent for 5 seconds.
    ///
    /// # Errors
    /// As [`Repo::fetch_records`].
    pub fn remote_records(&self, remote: &str) -> Result<BTreeSet<String>> {
        let there = self.of_remote(remote, |args| self.transport(Some(GLANCE), args, b""))?;
        Ok(there.into_keys().collect())
    }

    fn of_remote(
        &self,
        remote: &str,
        ask: impl FnOnce(&[&str]) -> RepoResult<Vec<u8>>,
    ) -> Result<BTreeMap<String, ObjectId>> {
        check(remote)?;
        let args = ["ls-remote", "--quiet", "--refs", "--upload-pack=git-upload-pack", "--", remote, "refs/plan/*"];
        let bytes = ask(&args)?;
        let text = String::from_utf8_lossy(&bytes);
        let refs = text.lines().filter_map(|line| line.split_once('\t'));
        let there = refs.filter_map(|(id, name)| Some((name.to_owned(), ObjectId::parse(id)?)));
        Ok(there.filter(|(name, _)| is_record(name)).collect())
    }

    /// Creates refs that must not exist yet; a ref that was created meanwhile stays.
    fn create_all(&self, refs: Vec<(String, ObjectId)>) -> Result<Vec<(String, Written)>> {
        let stdin: String = refs.iter().map(|(name, id)| format!("create {name}\0{id}\0")).collect();
        let args = ["update-ref", "--no-deref", "-z", "--stdin"];
        let captured = self.ask_with(self.without_hooks()?, &args, stdin.as_bytes())?;
        if captured.status.success() {
            return Ok(refs.into_iter().map(|(name, id)| (name, Written::New(id))).collect());
        }
        // git creates all refs or none. One of them was created meanwhile, so this creates them one by one.
        refs.into_iter().map(|(name, id)| Ok((name.clone(), self.create(&name, id)?))).collect()
    }

    /// Runs a git command that may contact another repository. `silence` is `None` for a command without a limit for silence: the
    /// line may be slow, or the other side may be unpacking a tree.
    fn transport(&self, silence: Option<Duration>, args: &[&str], stdin: &[u8]) -> RepoResult<Vec<u8>> {
        let mut with: Vec<OsString> = Vec::new();
        for setting in self.transport_settings()? {
            with.extend(["-c".into(), setting.into()]);
        }
        with.extend(args.iter().map(OsString::from));
        let environment = reachable(self.without_hooks()?);
        let captured = self.ask_within(silence, environment, &with, stdin)?;
        if captured.status.success() {
            return Ok(captured.stdout);
        }
        Err(failed(args, &captured))
    }

    /// The user's settings for reaching remotes, without those of this repository.
    fn transport_settings(&self) -> RepoResult<Vec<String>> {
        let mut own = vec!["credential.helper=".to_owned()];
        let mut ssh = None;
        for scope in ["--system", "--global"] {
            let args =
                ["config", scope, "--includes", "--null", "--get-regexp", r"^(core\.sshcommand|credential\..*)$"];
            let captured = self.ask_with(environment(&self.top), &args, b"")?;
            let text = String::from_utf8_lossy(&captured.stdout);
            for (key, value) in text.split('\0').filter_map(|entry| entry.split_once('\n')) {
                match key {
                    "core.sshcommand" => ssh = Some(value.to_owned()),
                    _ => own.push(format!("{key}={value}")),
                }
            }
        }
        let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        // git's order: the environment, a setting, a program.
        let asked = given("GIT_SSH_COMMAND").or(ssh).or_else(|| given("GIT_SSH").map(|program| quote(&program)));
        own.push(format!("core.sshCommand={}", asked.as_deref().unwrap_or("ssh -oBatchMode=yes")));
        own.push("protocol.ext.allow=never".to_owned());
        Ok(own)
    }
}

fn reachable(environment: Environment) -> Environment {
    keep(environment, &OWN).set("GIT_ALLOW_PROTOCOL", PROTOCOLS).set("GIT_ASKPASS", "")
}

/// Whether `plan` itself would use this name. Refs with other names stay on the remote: `refs/plan/signoffs/a` would block
/// every sign-off of `a`, and names that differ only in case are the same file on some file systems.
fn is_record(name: &str) -> bool {
    let mut parts = name.strip_prefix("refs/plan/").unwrap_or_default().split('/');
    let family = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    let is_word = |part: &&str| {
        part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_'))
            && part.starts_with(|first: char| first.is_ascii_alphanumeric())
    };
    FAMILIES.contains(&family) && rest.len() == 2 && rest.iter().all(is_word) && super::refs::check(name).is_ok()
}

/// Checks a remote: a name, a path or a URL. It must not look like an option or name a helper.
fn check(remote: &str) -> Result<()> {
    let odd = if remote.is_empty() {
        "it is empty"
    } else if remote.starts_with('-') {
        "it begins with `-`"
    } else if remote.contains("::") {
        "`::` names a remote helper, a program to run"
    } else if remote.chars().any(char::is_control) {
        "it contains a control character"
    } else {
        return Ok(());
    };
    Err(Error::input(format!("`{}` is not a remote: {odd}", remote.escape_debug()))
        .hint("give a remote's name such as `origin`, a path or a URL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_helpers_are_no_remotes() {
        for bad in ["", "-u", "--upload-pack=x", "ext::sh -c x", "fd::7", "a\nb"] {
            assert_eq!(check(bad).unwrap_err().kind, Kind::Input, "{bad}");
        }
        for good in ["origin", "../other.git", "/srv/a.git", "https://example.org/a.git", "git@example.org:a/b.git"] {
            assert!(check(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn only_records_are_moved() {
        for (name, is) in [
            ("refs/plan/signoffs/a-1/0-1", true),
            ("refs/plan/base/a-1", false),
            ("refs/plan/base/a-1/0-1", false),
            ("refs/plan/approved/0123456789ab", false),
            ("refs/plan/other/a/0-1", false),
            ("refs/heads/main", false),
            ("refs/plan/starts/a b/0-1", false),
            ("refs/plan/starts/A/0-1", false),
            ("refs/plan/starts/-a/0-1", false),
            ("refs/plan/signoffs", false),
            ("refs/plan/signoffs/a-1", false),
            ("refs/plan/signoffs/a-1/0-1/2", false),
            ("refs/plan/starts/a-1/0-1", true),
            ("refs/plan/starts/../heads", false),
        ] {
            assert_eq!(is_record(name), is, "{name}");
        }
    }
}
