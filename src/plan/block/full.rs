//! The whole plan as a block, for the start of a session and for the time after a compaction (`INJECTION.md` §1, `--full`).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use super::{Block, BlockLimits, BlockTally, View, ends, goal};
use crate::plan::model::{GoalRef, Plan};

/// A part of the plan.
enum BlockPart<'p, 'a> {
    /// Unchanged lines.
    Text(Range<usize>),
    /// A done or cancelled goal, shown in one line.
    Finished(GoalRef<'p, 'a>),
}

/// No limits: nothing is cut here. If the text does not fit, the summary takes its place.
const WHOLE: BlockLimits = BlockLimits { outcome: usize::MAX, fold: false, field: usize::MAX, goals: usize::MAX };

/// Returns the plan without its logs and its archive, with finished goals in one line each, followed by the last rejections and the
/// last log line. Returns `None` if it does not fit.
pub(super) fn full(view: &View<'_, '_>, tally: &BlockTally<'_, '_>) -> Option<String> {
    let plan = view.plan;
    let parts = parts(plan);
    let text = |range: &Range<usize>| {
        let bytes = &plan.source[range.clone()];
        std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
    };
    let length = |part: &BlockPart<'_, '_>| if let BlockPart::Text(range) = part { range.len() } else { 0 };
    if parts.iter().map(length).sum::<usize>() > 2 * view.most {
        return None;
    }
    let mut block = Block::new(view.file, tally.is_contract, view.most);
    for part in &parts {
        match part {
            BlockPart::Text(range) => {
                let text = text(range);
                let text = text.trim_start_matches('\u{feff}');
                let mut at = 0;
                while at < text.len() {
                    let end = memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length);
                    block.line("", text[at..end].trim_end(), usize::MAX);
                    block.room(0)?;
                    at = end + 1;
                }
            }
            BlockPart::Finished(goal) => {
                block.out.push_str(goal.status().word());
                block.out.push_str(": ");
                goal::heading(&mut block, *goal, &WHOLE);
                block.out.push('\n');
            }
        }
    }
    block.out.truncate(block.out.trim_end().len());
    block.out.push('\n');
    for goal in plan.live_goals().filter(|goal| !goal.status().is_finished()) {
        let name = format!("rejected: {} by ", goal.id().unwrap_or_default());
        goal::rejection(&mut block, &name, goal, view.record, usize::MAX);
    }
    ends(&mut block, view, tally, usize::MAX);
    block.finish()
}

/// Returns the parts above the archive in file order. A log ends at the next goal, whatever the level of the log's heading: goals
/// below a log of level 1 are shown.
fn parts<'p, 'a>(plan: &'p Plan<'a>) -> Vec<BlockPart<'p, 'a>> {
    let end = plan.archive.map_or(plan.source.len(), |archive| archive.start as usize);
    let finished = plan.live_goals().filter(|goal| goal.status().is_finished());
    let mut left_out: Vec<(Range<usize>, Option<GoalRef<'p, 'a>>)> =
        finished.map(|goal| (goal.raw().body.range(), Some(goal))).collect();
    for log in plan.logs.iter().filter(|log| !log.archived) {
        let range = log.heading.range().start..log.body.range().end;
        let goals = plan.goals.partition_point(|goal| goal.heading.range().start <= range.start);
        let below = plan.goals.get(goals).map_or(range.end, |goal| goal.heading.range().start);
        left_out.push((range.start..range.end.min(below), None));
    }
    left_out.sort_by_key(|(range, _)| range.start);
    let mut parts = Vec::new();
    let mut at = 0;
    for (range, goal) in left_out {
        // A log within a finished goal is left out with the goal.
        if range.start >= at {
            parts.push(BlockPart::Text(at..range.start));
            parts.extend(goal.map(BlockPart::Finished));
            at = range.end;
        }
    }
    parts.push(BlockPart::Text(at..end));
    parts
}
