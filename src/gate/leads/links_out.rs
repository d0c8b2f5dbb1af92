//! `link-outside`: a symbolic link that leads out of the repository. The tree contains the link and not its target, which
//! may change or be missing on another machine.

use std::path::{Component, Path};

use super::changed;
use crate::gate::GateFinding;
use crate::gate::facts::{ChangedFile, GateFacts};

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let lead = |(file, target): (&ChangedFile, &Path)| {
        let (path, target) = (file.path.display(), super::shown(&target.to_string_lossy()));
        let seen = format!("`{path}` is a link to `{target}`: the check does not cover the file it leads to");
        let resolve = "replace the link with the file, or name it in `may_change`";
        GateFinding::lead("link-outside", "files inside the repository", seen, resolve).at(path.to_string())
    };
    let links = changed(facts).filter_map(|file| Some((file, file.link.as_deref()?)));
    links.filter(|(file, target)| leads_out(&file.path, target)).map(lead).collect()
}

/// Whether a link leads out, by its text alone: an absolute one does, on other machines. `path` is relative to the top.
fn leads_out(path: &Path, target: &Path) -> bool {
    let mut depth = path.components().count().saturating_sub(1);
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_out_by_its_text() {
        for (path, target, expected) in [
            ("data", "/srv/data", true),
            ("data", "../data", true),
            ("a/b/data", "../../data", false),
            ("a/b/data", "../../../data", true),
            ("a/data", "./../a/../../data", true),
            ("a/data", "..", false),
            ("data", "src/data", false),
        ] {
            assert_eq!(leads_out(Path::new(path), Path::new(target)), expected, "{path} -> {target}");
        }
    }
}
