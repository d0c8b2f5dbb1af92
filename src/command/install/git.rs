//! Installs the merge driver: two settings of git, and one line of `.gitattributes`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::scope::ScopeOption;
use crate::command::{Context, Exit};
use crate::error::{Error, Kind, Result};
use crate::repo::merge_driver::{self, DRIVER, NAME, TITLE, is_ours, put_line};
use crate::repo::{Repo, Settings, attributes};
use crate::settings::program;
use crate::shell::quote;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Whose setting: this repository's, with the line in its .gitattributes, or yours for all repositories
    #[arg(long, value_enum, default_value_t)]
    scope: ScopeOption,
    /// Show what would be done, and change nothing
    #[arg(long)]
    print: bool,
}

/// The settings and the line that are changed.
struct MergeDriverSettings {
    settings: Settings,
    /// The folder in which git is called.
    top: PathBuf,
    /// In project scope: the git folder, the plan's path below the top, and the line for it.
    line: Option<(PathBuf, PathBuf, String)>,
}

/// Installs the driver.
pub(super) fn install(context: &Context, args: &Args) -> Result<Exit> {
    let target = MergeDriverSettings::of(context, args.scope)?;
    let driver = merge_driver::command(&program::path(&target.top)?);
    if args.print {
        print(context, args.scope, &target, &driver);
        return Ok(Exit::Yes);
    }
    let found = target.settings.get(&target.top, DRIVER)?;
    if let Some(other) = found.as_ref().filter(|found| !is_ours(found)) {
        return Err(Error::new(Kind::Refused, format!("`{DRIVER}` is already set to something else: `{other}`"))
            .hint(format!("remove it if nobody needs it: git config {}--unset {DRIVER}", args.scope.option())));
    }
    let is_set = found.as_ref() == Some(&driver);
    // The line comes first: if it cannot be written, nothing is written.
    let added = match &target.line {
        Some((_, _, line)) => put_line(&target.top, line)?,
        None => false,
    };
    if !is_set {
        target.set(&driver).map_err(|error| target.take_back(added, error))?;
        context.ui.line(&format!("set {DRIVER} in {}", args.scope.file()));
    }
    if let Some((git_dir, path, line)) = &target.line {
        if added {
            context.ui.line(&format!("added `{line}` to .gitattributes"));
        }
        warn_of_other_rules(context, &target.top, git_dir, path)?;
    }
    if is_set && !added {
        context.ui.line("nothing to do: git already merges plan.md with plan");
    }
    if added {
        context.ui.line("next: commit .gitattributes");
    }
    if !is_set {
        context.ui.line(match args.scope {
            ScopeOption::Project => {
                "every other clone needs `plan install git` once: until then git merges plan.md there as plain text"
            }
            ScopeOption::User => "each repository needs the line in its .gitattributes: `plan install git` adds it",
        });
    }
    context.ui.json(&json!({ "scope": args.scope.word(), "driver": driver, "set": !is_set, "added": added }));
    Ok(Exit::Yes)
}

/// Uninstalls the driver.
pub(super) fn uninstall(context: &Context, args: &Args) -> Result<Exit> {
    let target = MergeDriverSettings::of(context, args.scope)?;
    let ours = target.settings.get(&target.top, DRIVER)?.filter(|driver| is_ours(driver)).is_some();
    let text = match &target.line {
        Some(_) => attributes::read(&target.top)?,
        None => None,
    };
    let left = target.line.as_ref().zip(text).and_then(|((_, _, line), text)| attributes::without(&text, line));
    let removed = left.is_some();
    if args.print {
        if ours {
            context.ui.line(&format!("git config {}--unset {DRIVER}", args.scope.option()));
        }
        if let Some((_, _, line)) = target.line.as_ref().filter(|_| removed) {
            context.ui.line(&format!("remove `{line}` from .gitattributes"));
        }
    } else {
        if let Some(left) = left {
            attributes::write(&target.top, left.as_deref())?;
            context.ui.line("removed the line from .gitattributes; commit the change");
        }
        if ours {
            target.settings.unset(&target.top, DRIVER)?;
            target.settings.unset(&target.top, NAME)?;
            context.ui.line(&format!("removed {DRIVER} from {}", args.scope.file()));
        }
    }
    if !ours && !removed {
        context.ui.line("nothing to remove");
    }
    context.ui.json(&json!({ "scope": args.scope.word(), "unset": ours, "removed": removed }));
    Ok(Exit::Yes)
}

impl ScopeOption {
    const fn file(self) -> &'static str {
        match self {
            ScopeOption::Project => "the repository's git configuration",
            ScopeOption::User => "your git configuration",
        }
    }

    const fn option(self) -> &'static str {
        match self {
            ScopeOption::Project => "",
            ScopeOption::User => "--global ",
        }
    }
}

impl MergeDriverSettings {
    fn of(context: &Context, scope: ScopeOption) -> Result<Self> {
        if scope == ScopeOption::User {
            return Ok(MergeDriverSettings { settings: Settings::User, top: context.cwd.clone(), line: None });
        }
        let place = match context.find()? {
            Some(place) => place,
            None => context.new_place()?,
        };
        let (Some(top), Some(git_dir)) = (&place.top, &place.git_dir) else {
            return Err(
                Error::input("there is no git repository here").hint("run it where plan.md is, or `git init` first")
            );
        };
        let path = place.file.strip_prefix(top).unwrap_or(&place.file).to_owned();
        let line = merge_driver::line(&path);
        let settings = Settings::of_project(git_dir);
        Ok(MergeDriverSettings { settings, top: top.clone(), line: Some((git_dir.clone(), path, line)) })
    }

    fn set(&self, driver: &str) -> Result<()> {
        self.settings.set(&self.top, NAME, TITLE)?;
        self.settings.set(&self.top, DRIVER, driver)
    }

    /// Removes the line again if it was `added`, because git's configuration could not be written (`error`).
    fn take_back(&self, added: bool, error: Error) -> Error {
        let gone = |line: &str| match attributes::read(&self.top)?.and_then(|text| attributes::without(&text, line)) {
            Some(left) => attributes::write(&self.top, left.as_deref()),
            None => Ok(()),
        };
        let line = self.line.as_ref().filter(|_| added).map(|(_, _, line)| line.as_str());
        match line.map_or(Ok(()), gone) {
            Ok(()) => error.hint("nothing was changed; fix that, then run `plan install git` again"),
            Err(_) => error.hint(".gitattributes already has the line; fix that, then run `plan install git` again"),
        }
    }
}

fn print(context: &Context, scope: ScopeOption, target: &MergeDriverSettings, driver: &str) {
    let option = scope.option();
    context.ui.line(&format!("git config {option}{NAME} {}", quote(TITLE)));
    context.ui.line(&format!("git config {option}{DRIVER} {}", quote(driver)));
    if let Some((_, _, line)) = &target.line {
        context.ui.line(&format!(".gitattributes: {line}"));
    }
    let line = target.line.as_ref().map(|(_, _, line)| line);
    context.ui.json(&json!({ "scope": scope.word(), "driver": driver, "line": line }));
}

/// Warns if another line, or another attributes file, sets something else for the plan and wins.
fn warn_of_other_rules(context: &Context, top: &Path, git_dir: &Path, path: &Path) -> Result<()> {
    let Some(repo) = Repo::open(top, git_dir)? else { return Ok(()) };
    let word = repo.merge_attribute(path)?;
    if word != "plan" {
        context.ui.note(&format!(
            "! another rule wins: git uses `merge={word}` for {}; check the .gitattributes files and info/attributes",
            path.display()
        ));
    }
    Ok(())
}
