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
    // The job of another plan file has a name of its own, so that its check can be told apart and required.
    let job = if name == "plan.md" { "plan audit".to_owned() } else { format!("plan audit of {name}") };
    // A JSON string is valid YAML.
    let json = |text: &str| serde_json::Value::from(text).to_string();
    Some(TEMPLATE.replace("{{name}}", &json(&job)).replace("{{plan_file}}", &json(name)))
}
