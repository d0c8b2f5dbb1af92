//! The job that audits pull requests: its place, and its text for one plan file.

use std::path::Path;

/// The folders in which GitHub looks for jobs, relative to the top of the work tree.
pub const FOLDERS: [&str; 2] = [".github", "workflows"];
/// The file's name.
pub const NAME: &str = "plan-audit.yml";
const TEMPLATE: &str = include_str!("plan-audit.yml");

/// The job for the plan file at this path, relative to the top of the work tree. `None` if a job cannot name the path.
pub fn text(plan_file: &Path) -> Option<String> {
    let name = plan_file.to_str().filter(|name| !name.contains("${{") && !name.chars().any(char::is_control))?;
    // A JSON string is valid YAML.
    Some(TEMPLATE.replace("{{plan_file}}", &serde_json::Value::from(name).to_string()))
}
