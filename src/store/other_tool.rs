//! `plan.md` files of other tools: `specs/NNN-name/plan.md` of spec-kit, and files below `.wreckit` of wreckit.
//!
//! They are recognised by their path alone. `plan` reads the text of such a file as prose.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use super::place::{NAME, Place, look};
use super::repository;
use crate::shell::quote;

/// Folders below the top of a repository in which a tool keeps plans, each with the depth of the plans in it.
const FOLDERS: [(&str, usize); 3] = [("specs", 1), (".specify/specs", 1), (".wreckit", 3)];
/// The maximum number of folder entries to look at: a repository may hold anything.
const MOST: usize = 2_000;

/// A plan.md of another tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherPlan {
    /// The tool whose layout puts a plan.md there.
    pub tool: &'static str,
    /// Its path, relative to the caller's folder.
    pub file: String,
    /// The command to run next.
    pub command: String,
}

impl OtherPlan {
    /// Recognises by its path whether `place` is, or would be, a plan.md of another tool. `None` for a plan of ours.
    pub fn at(place: &Place, cwd: &Path) -> Option<Self> {
        let below = place.top.as_deref().and_then(|top| place.file.strip_prefix(top).ok());
        let tool = tool_of(below.unwrap_or(&place.file))?;
        let file = place.shown.to_string_lossy().into_owned();
        let command = own_above(place, cwd).unwrap_or_else(|| format!("plan -C {} init", shown_path(project(place))));
        Some(OtherPlan { tool, file, command })
    }

    /// Finds a plan of another tool in the repository of `cwd`, for a caller without a plan: the last one by name, which is the
    /// newest if the names are numbered.
    pub fn below(cwd: &Path) -> Option<Self> {
        let cwd = cwd.canonicalize().ok()?;
        let top = repository::above(&cwd).ok().flatten().map_or_else(|| cwd.clone(), |found| found.top);
        let mut left = MOST;
        let below = FOLDERS.iter().find_map(|(folder, depth)| newest(&top, Path::new(folder), *depth, &mut left))?;
        let (tool, folder) = (tool_of(&below.join(NAME))?, top.join(&below));
        let up: PathBuf = cwd.strip_prefix(&top).unwrap_or(Path::new("")).components().map(|_| "..").collect();
        let shown = up.join(&below);
        let has = |name: &str| folder.join(name).is_file();
        let command = match tool {
            "spec-kit" if has("tasks.md") => format!("plan init && plan import speckit {}", shown_path(&shown)),
            "wreckit" if has("prd.json") => {
                format!("plan init && plan import prd {}", shown_path(&shown.join("prd.json")))
            }
            _ => "plan init \"objective\"".to_owned(),
        };
        Some(OtherPlan { tool, file: shown.join(NAME).to_string_lossy().into_owned(), command })
    }

    /// `plan.md is a file of spec-kit`
    pub fn describe(&self) -> String {
        format!("{} is a file of {}", self.file, self.tool)
    }
}

fn shown_path(path: &Path) -> String {
    quote(&path.to_string_lossy())
}

/// The command that names the user's own plan in a folder further up.
fn own_above(place: &Place, cwd: &Path) -> Option<String> {
    let mut folder = cwd.canonicalize().ok()?;
    let mut name = PathBuf::new();
    while Some(&*folder) != place.top.as_deref() && folder.pop() {
        name.push("..");
        let found = look(&folder, None).ok().flatten();
        if let Some(own) = found.filter(|own| own.file != place.file) {
            return Some(format!("plan --file {}", shown_path(&name.join(&own.shown))));
        }
    }
    None
}

/// The project folder, above the folders of the tool.
fn project(place: &Place) -> &Path {
    let own = |folder: &&Path| !matches!(name_of(folder), "specs" | ".specify" | ".wreckit");
    let mut tools = place.root.ancestors().skip_while(own);
    tools.find(own).unwrap_or(&place.root)
}

fn name_of(folder: &Path) -> &str {
    folder.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Finds the folder, last by name, with a tool's plan.md, at most `depth` below `folder`. Both paths are relative to `top`.
fn newest(top: &Path, folder: &Path, depth: usize, left: &mut usize) -> Option<PathBuf> {
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let entries = fs::read_dir(top.join(folder)).ok()?.take(*left).flatten();
    let mut names: Vec<_> = entries.filter(is_folder).map(|entry| entry.file_name()).collect();
    *left -= names.len();
    names.sort_unstable();
    names.into_iter().rev().map(|name| folder.join(name)).find_map(|inside| {
        let file = inside.join(NAME);
        match tool_of(&file).is_some() && top.join(&file).is_file() {
            true => Some(inside),
            false if depth > 1 => newest(top, &inside, depth - 1, left),
            false => None,
        }
    })
}

/// The tool whose layout puts a plan.md at this path.
fn tool_of(file: &Path) -> Option<&'static str> {
    let folders: Vec<&str> = file
        .parent()?
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let numbered = |name: &str| name.split_once('-').is_some_and(|(number, _)| is_number(number));
    match &folders[..] {
        folders if folders.contains(&".wreckit") => Some("wreckit"),
        [.., "specs", feature] if numbered(feature) => Some("spec-kit"),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_other_tools_are_known() {
        for (file, tool) in [
            ("specs/001-photo-albums/plan.md", Some("spec-kit")),
            (".specify/specs/001-photo-albums/plan.md", Some("spec-kit")),
            (".wreckit/items/a/plan.md", Some("wreckit")),
            ("specs/plan.md", None),
            ("specs/api-v2/plan.md", None),
            ("plan.md", None),
        ] {
            assert_eq!(tool_of(Path::new(file)), tool, "{file}");
        }
    }

    #[test]
    fn the_newest_plan_below_is_named_with_what_takes_it_over() {
        let folder = tempfile::tempdir().unwrap();
        let below = || OtherPlan::below(folder.path()).map(|other| (other.describe(), other.command));
        let write = |name: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        };
        assert_eq!(below(), None);
        write("specs/notes/plan.md");
        assert_eq!(below(), None, "no layout of spec-kit");
        write(".wreckit/items/007 store/plan.md");
        let told = || ".wreckit/items/007 store/plan.md is a file of wreckit".to_owned();
        assert_eq!(below(), Some((told(), "plan init \"objective\"".to_owned())));
        write(".wreckit/items/007 store/prd.json");
        let command = "plan init && plan import prd '.wreckit/items/007 store/prd.json'";
        assert_eq!(below(), Some((told(), command.to_owned())));
        write("specs/001-search/plan.md");
        write("specs/002-export/plan.md");
        write("specs/002-export/tasks.md");
        let command = "plan init && plan import speckit specs/002-export";
        assert_eq!(below(), Some(("specs/002-export/plan.md is a file of spec-kit".to_owned(), command.to_owned())));
    }
}
