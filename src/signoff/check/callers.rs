//! Tells whose choice a judge is: the user's, or the caller's, who is often the party being judged (`SIGNOFF.md` §6).

use std::path::Path;

use super::request::CheckRequest;
use crate::config::{Account, Config};
use crate::error::Result;
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::shell::{quote, strict};
use crate::signoff::judge::{self, Reference};

/// The reason if the program is a file that the worker can write.
const IN_TREE: &str = "its program is a file in the work tree; set a program outside it";

/// Returns a sentence with the command that makes a judge the user's own.
fn set_it(judge: &str) -> String {
    format!("`plan judge set {}` in your own terminal makes it yours", quote(judge))
}

/// Returns for each judge of the check why it counts as the caller's choice; `None` if it is the user's own choice.
///
/// # Errors
/// The account's configuration cannot be read.
pub(super) fn of_all(ask: &CheckRequest<'_>) -> Result<Vec<Option<String>>> {
    let account = crate::config::account()?;
    let default = judge::choose(&[], &[], &|name| std::env::var_os(name), Some(ask.place));
    let default = default.ok().and_then(|mut one| one.pop()).map(|judge| judge.to_string());
    let asked: Vec<String> = ask.judges.iter().map(ToString::to_string).collect();
    let of = |judge: &Reference| {
        by_setting(&judge.to_string(), &asked, default.as_deref(), ask.config, &account)
            .or_else(|| moved(judge, ask.caller, &account.config))
            .or_else(|| names_own_file(ask, judge).then(|| IN_TREE.to_owned()))
    };
    Ok(ask.judges.iter().map(of).collect())
}

/// Returns why a judge is not the account's own setting; `None` if it is. All judges that are set must be asked; more judges
/// only make it harder. If no judge is set, `default` counts, which is the session's own host.
fn by_setting(
    judge: &str,
    asked: &[String],
    default: Option<&str>,
    found: &Config,
    account: &Account,
) -> Option<String> {
    let set = refs(&account.config);
    if set.is_empty() && default == Some(judge) {
        return None;
    }
    if !set.is_empty() && set.iter().all(|one| asked.contains(one)) {
        let host = account.config.judge_set_in_session.clone()?;
        return Some(format!("it was set within a session of {host}; {}", set_it(judge)));
    }
    match &account.elsewhere {
        Some((home, folder)) if refs(found).iter().any(|own| own == judge) => Some(format!(
            "`{}` is not your account's configuration; `env -u XDG_CONFIG_HOME HOME={} plan judge set {}` sets it there",
            folder.display(),
            quote(&home.to_string_lossy()),
            quote(judge)
        )),
        Some((home, _)) if set.is_empty() && !refs(found).is_empty() => {
            let home = home.display();
            Some(format!("no judge is set in `{home}`, the home of your account; {}", set_it(judge)))
        }
        _ if set.is_empty() => Some(format!("no judge is set; {}", set_it(judge))),
        _ => Some(format!("your setting is {}; {}", set.join(", "), set_it(judge))),
    }
}

/// Returns the judges that are set, each in its normal spelling.
fn refs(config: &Config) -> Vec<String> {
    let written = |text: &String| Reference::parse(text).map_or_else(|_| text.clone(), |judge| judge.to_string());
    config.judge.list().iter().map(written).collect()
}

/// Returns a reason if the judge's program is not found at the same path as when the judge was set.
fn moved(judge: &Reference, caller: &Path, config: &Config) -> Option<String> {
    let name = judge.to_string();
    let then = config.judge_programs.get(&name)?.clone();
    let now = judge.program(caller)?.ok();
    (now.as_ref() != Some(&then)).then(|| {
        let now = now.as_ref().map_or("nowhere".to_owned(), |now| format!("`{}`", now.display()));
        format!("its program is {now}, and was `{}` when it was set; {}", then.display(), set_it(&name))
    })
}

/// Whether the program, or a word after it such as an interpreter's script, names a file of the work tree.
fn names_own_file(ask: &CheckRequest<'_>, judge: &Reference) -> bool {
    match judge {
        Reference::Host { name, .. } => is_own_file(ask, Path::new("/"), name),
        Reference::Program { command, .. } => {
            let Some((program, arguments)) = command.words.split_first() else { return false };
            let is_file = |word: &strict::Word| is_within(ask, &ask.place.root.join(&word.text));
            is_own_file(ask, ask.caller, &program.text) || arguments.iter().any(is_file)
        }
        Reference::Checks | Reference::Human => false,
    }
}

fn is_own_file(ask: &CheckRequest<'_>, cwd: &Path, program: &str) -> bool {
    resolve(program.as_ref(), cwd, &Environment::inherited()).is_ok_and(|file| is_within(ask, &file))
}

/// Whether this is a regular file in the work tree, with links followed.
fn is_within(ask: &CheckRequest<'_>, file: &Path) -> bool {
    let top = ask.place.top.as_deref().unwrap_or(&ask.place.root);
    let (Ok(file), Ok(top)) = (file.canonicalize(), top.canonicalize()) else { return false };
    file.starts_with(top) && file.is_file()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::config::OneOrMany;

    fn config(judges: &[&str], session: Option<&str>) -> Config {
        let judge = OneOrMany::Many(judges.iter().map(|judge| (*judge).to_owned()).collect());
        Config { judge, judge_set_in_session: session.map(str::to_owned), ..Config::default() }
    }

    fn told(asked: &[&str], set: &Config, found: &Config, elsewhere: bool) -> String {
        let elsewhere = elsewhere.then(|| ("/home/ada".into(), "/tmp/x/plan".into()));
        let account = Account { config: set.clone(), elsewhere };
        let asked: Vec<String> = asked.iter().map(|judge| (*judge).to_owned()).collect();
        let told = by_setting(&asked[0], &asked, Some("codex"), found, &account);
        told.unwrap_or_default()
    }

    // SIGNOFF.md §6
    #[test]
    fn a_judge_is_the_users_where_all_that_are_set_are_asked() {
        let own = |asked: &[&str], set: &[&str]| told(asked, &config(set, None), &config(set, None), false);
        assert_eq!(own(&["claude"], &["claude"]), "");
        assert_eq!(own(&["claude", "cmd:more"], &["claude"]), "");
        assert_eq!(own(&["cmd:'a b'"], &["cmd:'a b'"]), "");
        let other = "your setting is claude; `plan judge set checks` in your own terminal makes it yours";
        assert_eq!(own(&["checks"], &["claude"]), other);
        assert!(own(&["claude"], &["claude", "codex"]).starts_with("your setting is claude, codex; "));
        assert!(own(&["human"], &[]).starts_with("no judge is set; "));
        assert!(own(&["claude:haiku"], &["claude"]).starts_with("your setting is claude; "));
    }

    // P-16: nothing is set, and the session's own host judges
    #[test]
    fn the_sessions_own_host_is_nobodys_choice_where_none_is_set() {
        let none = config(&[], None);
        assert_eq!(told(&["codex"], &none, &none, false), "");
        assert!(told(&["codex:mini"], &none, &none, false).starts_with("no judge is set; "));
        assert!(told(&["codex"], &config(&["claude"], None), &none, true).starts_with("your setting is claude; "));
    }

    // SIGNOFF.md §6
    #[test]
    fn a_setting_that_an_agent_or_another_home_brought_is_the_callers() {
        let set = config(&["checks"], Some("codex"));
        let session =
            "it was set within a session of codex; `plan judge set checks` in your own terminal makes it yours";
        assert_eq!(told(&["checks"], &set, &set, false), session);
        let (none, found) = (config(&[], None), config(&["checks"], None));
        let other = "`/tmp/x/plan` is not your account's configuration; `env -u XDG_CONFIG_HOME HOME=/home/ada plan judge set \
                     checks` sets it there";
        assert_eq!(told(&["checks"], &none, &found, true), other);
        assert!(told(&["checks"], &config(&["claude"], None), &found, true).starts_with("`/tmp/x/plan` is not your"));
        assert_eq!(told(&["checks"], &found, &found, true), "", "set in both");
    }

    #[test]
    fn a_program_that_moved_is_another_one() {
        let judge = Reference::parse("cmd:sh -c x").unwrap();
        let at = |path: PathBuf| {
            let programs = [("cmd:sh -c x".to_owned(), path)].into();
            moved(&judge, Path::new("/"), &Config { judge_programs: programs, ..Config::default() })
        };
        assert_eq!(at(judge.program(Path::new("/")).unwrap().unwrap()), None);
        let why = at("/opt/sh".into()).unwrap();
        assert!(why.contains("and was `/opt/sh` when it was set; `plan judge set 'cmd:sh -c x'`"), "{why}");
        assert_eq!(moved(&judge, Path::new("/"), &Config::default()), None, "nothing was taken down");
    }
}
