//! What the log says about a goal before this run.

mod starts;

pub use starts::{BY_HAND, Seen, every_start, red_stays, seen, starts};

use crate::plan::log::LogLine;
use crate::plan::model::Plan;

/// The last log text that names the goal as the subject of a line of ours.
pub fn last_line<'a>(plan: &Plan<'a>, id: &str) -> Option<&'a str> {
    let is_about = |text: &&str| LogLine::parse(text).and_then(LogLine::goal).is_some_and(|(named, _)| named == id);
    plan.log_lines().rev().map(|(_, text)| text).find(is_about)
}
