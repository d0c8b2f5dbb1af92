//! Checks that a person can see the commands they agree to: a command must be short, and all its characters visible.

use super::Reply;
use crate::exchange::walk::Violation;
use crate::plan::text::is_hidden;

/// The longest command that a person will read before agreeing, in characters.
const COMMAND: usize = 1000;
/// The most steps that a person will read before agreeing.
const STEPS: usize = 100;

/// Returns the parts of a reply that a person could not see or would not read.
pub(super) fn violations(reply: &Reply) -> Vec<Violation> {
    let at = |pointer: String, command: &str| Some(Violation::new(pointer, unseen(command)?));
    match reply {
        Reply::Command(command) => at("/command".to_owned(), command).into_iter().collect(),
        Reply::Chat(_) => Vec::new(),
        Reply::Plan(plan) if plan.steps.len() > STEPS => {
            let what = format!("has {} steps, expected at most {STEPS}", plan.steps.len());
            vec![Violation::new("/plan/steps", what)]
        }
        Reply::Plan(plan) => {
            let steps = plan.steps.iter().enumerate();
            let commands = steps.filter_map(|(step, planned)| Some((step, planned.command.as_deref()?)));
            commands.filter_map(|(step, command)| at(format!("/plan/steps/{step}/command"), command)).collect()
        }
    }
}

/// Returns the reason why a command cannot be shown as it is, or `None` if it can.
pub fn unseen(command: &str) -> Option<String> {
    let length = command.chars().count();
    if length > COMMAND {
        return Some(format!("has {length} characters, expected at most {COMMAND}: put it into a script"));
    }
    let (column, found) =
        command.chars().enumerate().find(|(_, character)| character.is_control() || is_hidden(*character))?;
    let code = u32::from(found);
    Some(format!("has a character that is not shown, U+{code:04X} at column {}", column + 1))
}
