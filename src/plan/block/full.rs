//! The whole plan as a block, for the start of a session and after its context was compacted (`INJECTION.md` §1, `--full`).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use super::{Block, Limits, Tally, View, ends, goal};
use crate::plan::model::{GoalRef, Plan};

/// A part of the plan.
enum Part<'p, 'a> {
    /// Lines as they stand.
    Text(Range<usize>),
    /// A goal that is done or cancelled: one line says it.
    Finished(GoalRef<'p, 'a>),
}

/// Nothing is cut here: what does not fit gives way to the summary.
const WHOLE: Limits = Limits { outcome: usize::MAX, fold: false, field: usize::MAX, goals: usize::MAX };

/// The plan without its logs and its archive, finished goals in one line each, then what was rejected last and the last log
/// line: where it was. None where it does not fit.
pub(super) fn full(view: &View<'_, '_>, tally: &Tally<'_, '_>) -> Option<String> {
    let plan = view.plan;
    let parts = parts(plan);
    let text = |range: &Range<usize>| {
        let bytes = &plan.source[range.clone()];
        std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
    };
    let length = |part: &Part<'_, '_>| if let Part::Text(range) = part { range.len() } else { 0 };
    if parts.iter().map(length).sum::<usize>() > 2 * view.most {
        return None;
    }
    let mut block = Block::new(view.file, tally.is_contract, view.most);
    for part in &parts {
        match part {
            Part::Text(range) => {
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
            Part::Finished(goal) => {
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

/// The part above the archive in file order. A log ends where a goal begins, whatever its heading's level: goals below a
/// log of level 1 are shown.
fn parts<'p, 'a>(plan: &'p Plan<'a>) -> Vec<Part<'p, 'a>> {
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
        // A log within a finished goal went with it.
        if range.start >= at {
            parts.push(Part::Text(at..range.start));
            parts.extend(goal.map(Part::Finished));
            at = range.end;
        }
    }
    parts.push(Part::Text(at..end));
    parts
}
