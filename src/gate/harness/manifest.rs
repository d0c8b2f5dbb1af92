//! The parts of `Cargo.toml` that decide which tests exist and what they notice. A test target counts as a changed test if
//! it points to another file, is no longer a test or is no longer discovered. So does a workspace member that is left out,
//! or a profile without overflow checks.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// Returns whether a file existed then and exists now.
pub(super) type FileExists<'s> = &'s dyn Fn(&Path) -> bool;

/// A header with its lines, up to the next header.
struct Section<'t> {
    text: &'t str,
    header: &'t str,
    keys: Table,
}

/// The settings that decide which file a test target is, and whether it runs.
#[derive(PartialEq)]
struct Steering<'s> {
    path: Option<&'s str>,
    has_harness: bool,
    is_run: bool,
    features: Option<&'s Value>,
}

/// Returns the manifest `now` with changed or removed test targets restored from `then`: the targets that `then` named, and
/// the targets that cargo finds in `tests`. New targets and targets for new files stay.
pub(super) fn blended(then: &str, now: &str, folder: &Path, stands: FileExists<'_>) -> String {
    if then.is_empty() {
        return now.to_owned();
    }
    let (old, new) = (sections(then), sections(now));
    let mut blend = String::new();
    for section in &new {
        let was = old.iter().find(|was| section.name().is_some() && was.name() == section.name());
        match was.filter(|was| was.steering() != section.steering() && was.is_there(folder, stands)) {
            Some(was) => blend.push_str(was.text),
            None if was.is_none() && section.is_repointed(folder, stands) => {}
            None if section.looks_for_no_tests() && !old.iter().any(Section::looks_for_no_tests) => {
                let others =
                    section.text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("autotests"));
                blend.extend(others);
            }
            None if section.header == "[workspace]" => {
                let was = old.iter().find(|was| was.header == section.header);
                blend.push_str(
                    &was.map_or_else(|| section.text.to_owned(), |was| section.with_members_of(was, folder, stands)),
                );
            }
            None if section.is_profile_of_tests() => {
                let was = old.iter().find(|was| was.header == section.header);
                blend.extend(section.text.split_inclusive('\n').filter(|line| !looks_away(line, was)));
            }
            None => blend.push_str(section.text),
        }
    }
    let gone = |was: &&Section<'_>| was.name().is_some() && !new.iter().any(|section| section.name() == was.name());
    for was in old.iter().filter(gone).filter(|was| was.is_there(folder, stands)) {
        if !blend.ends_with('\n') {
            blend.push('\n');
        }
        blend.push_str(was.text);
    }
    blend
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') && at > 0 {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let section = |(start, end): (usize, usize)| {
        let text = &text[start..end];
        let (header, body) =
            if text.trim_start().starts_with('[') { text.split_once('\n').unwrap_or((text, "")) } else { ("", text) };
        let header = header.split('#').next().unwrap_or_default().trim();
        Section { text, header, keys: body.parse().unwrap_or_default() }
    };
    starts.iter().copied().zip(ends).map(section).collect()
}

impl Section<'_> {
    /// The name of a test target; `None` for any other section.
    fn name(&self) -> Option<&str> {
        let is_test = self.header.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
        is_test.filter(|name| name.trim() == "test").and_then(|_| self.keys.get("name")?.as_str())
    }

    fn steering(&self) -> Steering<'_> {
        let says = |key| self.keys.get(key).and_then(Value::as_bool).unwrap_or(true);
        Steering {
            path: self.keys.get("path").and_then(Value::as_str),
            has_harness: says("harness"),
            is_run: says("test"),
            features: self.keys.get("required-features"),
        }
    }

    /// The first existing file in which cargo looks for this target.
    fn found(&self, folder: &Path, stands: FileExists<'_>) -> Option<String> {
        let name = self.name()?;
        [format!("tests/{name}.rs"), format!("tests/{name}/main.rs")]
            .into_iter()
            .find(|file| stands(&folder.join(file)))
    }

    fn is_there(&self, folder: &Path, stands: FileExists<'_>) -> bool {
        match self.steering().path {
            Some(path) => super::below(folder, path).is_some_and(|file: PathBuf| stands(&file)),
            None => self.found(folder, stands).is_some(),
        }
    }

    /// Whether the section changes a target that cargo would find by itself: its file, or how or when it runs as a test.
    fn is_repointed(&self, folder: &Path, stands: FileExists<'_>) -> bool {
        let Some(file) = self.found(folder, stands) else { return false };
        let own = Steering { path: None, has_harness: true, is_run: true, features: None };
        let steering = self.steering();
        steering != own && steering != Steering { path: Some(&file), ..own }
    }

    /// The section with the members of `was` that it leaves out although their folders exist. Patterns are not resolved.
    fn with_members_of(&self, was: &Section<'_>, folder: &Path, stands: FileExists<'_>) -> String {
        let stays =
            |member: &&&str| super::below(folder, member).is_some_and(|folder| stands(&folder.join("Cargo.toml")));
        let (members, left_out) = (self.list("members"), self.list("exclude"));
        let old = was.list("members");
        let gone: Vec<&str> = old
            .iter()
            .filter(|member| !members.contains(member) || left_out.contains(member))
            .filter(stays)
            .copied()
            .collect();
        if gone.is_empty() {
            return self.text.to_owned();
        }
        let left_out: Vec<&str> = left_out.into_iter().filter(|member| !gone.contains(member)).collect();
        let members: Vec<&str> =
            members.into_iter().filter(|member| !gone.contains(member)).chain(gone.iter().copied()).collect();
        // Lists of strings are written as in JSON.
        let list = |key: &str, names: Vec<&str>| format!("{key} = {}\n", serde_json::json!(names));
        let rest = without(&without(self.text, "members"), "exclude");
        format!("{}\n{}{}\n", rest.trim_end(), list("members", members), list("exclude", left_out))
    }

    fn list(&self, key: &str) -> Vec<&str> {
        let items = self.keys.get(key).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Whether this is a profile that tests are built with, or one of its packages.
    fn is_profile_of_tests(&self) -> bool {
        let name = self.header.trim_matches(['[', ']']).trim();
        let of =
            |profile: &str| name.strip_prefix(profile).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        of("profile.dev") || of("profile.test")
    }

    fn looks_for_no_tests(&self) -> bool {
        self.header == "[package]" && self.keys.get("autotests").and_then(Value::as_bool) == Some(false)
    }
}

/// Returns the text without a key and its value, which may span several lines.
fn without(text: &str, key: &str) -> String {
    let (mut kept, mut value) = (String::new(), String::new());
    for line in text.split_inclusive('\n') {
        if value.is_empty() && line.split('=').next().map(str::trim) != Some(key) {
            kept.push_str(line);
            continue;
        }
        value.push_str(line);
        if value.parse::<Table>().is_ok() {
            value.clear();
        }
    }
    kept
}

/// Whether a line disables checks of test builds that `was` did not disable.
fn looks_away(line: &str, was: Option<&Section<'_>>) -> bool {
    let Some((key, value)) = line.split_once('=') else { return false };
    let key = key.trim();
    matches!(key, "overflow-checks" | "debug-assertions")
        && value.trim_start().starts_with("false")
        && was.and_then(|was| was.keys.get(key)?.as_bool()) != Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blend(then: &str, now: &str) -> String {
        blended(then, now, Path::new(""), &|path| path != Path::new("gone/Cargo.toml"))
    }

    // P-5
    #[test]
    fn a_member_of_the_workspace_that_is_left_out_comes_back() {
        let workspace = |members: &str, rest: &str| {
            format!("[workspace]\nmembers = [\n    {members}, # all\n]\n{rest}resolver = \"2\"\n")
        };
        let then = workspace("\"stock\", \"price\", \"gone\"", "");
        for now in [
            workspace("\"stock\", \"new\"", "exclude = [\"price\"]\n"),
            workspace("\"stock\", \"new\", \"price\"", "exclude = [\"price\"]\n"),
        ] {
            let want: Table = workspace("\"stock\", \"new\", \"price\"", "exclude = []\n").parse().unwrap();
            assert_eq!(blend(&then, &now).parse::<Table>().unwrap(), want, "{now}");
        }
        // Honest changes: a member whose folder is gone, a new one, and a folder that never was a member.
        let more = workspace("\"stock\", \"price\", \"new\"", "exclude = [\"fuzz\"]\n");
        assert_eq!(blend(&then, &more), more);
    }

    // P-5
    #[test]
    fn a_profile_looks_for_what_it_looked_for() {
        let plain = "[package]\nname = \"price\"\n";
        for profile in ["dev", "test", "dev.package.price"] {
            let on = format!("{plain}[profile.{profile}]\nopt-level = 1\n");
            for key in ["overflow-checks", "debug-assertions"] {
                let off = format!("{on}{key} = false\n");
                assert_eq!(blend(plain, &off), on, "{profile}");
                assert_eq!(blend(&off, &off), off, "as it was");
            }
            let other = format!("{on}incremental = false\n");
            assert_eq!(blend(plain, &other), other);
        }
        let release = format!("{plain}[profile.release]\noverflow-checks = false\n");
        assert_eq!(blend(plain, &release), release);
    }
}
