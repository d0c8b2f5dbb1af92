//! The timeline: one lane per goal, from its start to its sign-off.

use serde::Serialize;

use super::facts::{GoalState, ReportFacts};
use super::stamp;
use crate::plan::log::GoalEvent;
use crate::plan::model::GoalRef;

/// The most lanes. If there are more, goals that are not signed off are kept first, then the newest.
const MOST: usize = 60;
/// From this many minutes on, the axis shows days without times.
const DAYS: i64 = 4 * 24 * 60;

/// The lanes, one below the other, on one axis.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Timeline {
    pub(super) lanes: Vec<Lane>,
    /// The labels below the axis, at equal distances.
    pub(super) ticks: Vec<String>,
    pub(super) left_out: usize,
}

/// The lane of a goal.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Lane {
    pub(super) subject: String,
    pub(super) anchor: String,
    pub(super) state: GoalState,
    pub(super) bars: Vec<Bar>,
    pub(super) marks: Vec<Mark>,
}

/// A stretch of time, in tenths of a percent of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Bar {
    pub(super) from: u16,
    pub(super) to: u16,
    pub(super) kind: BarKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BarKind {
    /// Finished work.
    Work,
    /// Work that goes on now.
    Running,
    /// The goal is done, but no sign-off covers it.
    Uncovered,
}

/// A sign on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Mark {
    pub(super) at: u16,
    pub(super) what: MarkKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MarkKind {
    SignedOff,
    Rejected,
    Uncovered,
    Cancelled,
}

/// The lanes of all goals that were started, by start.
pub(super) fn timeline(facts: &ReportFacts<'_, '_>) -> Timeline {
    let times: Vec<_> = facts.plan.log_lines().filter_map(|(at, _)| stamp::read(at)).collect();
    let (Some(first), Some(last)) = (times.iter().copied().min(), times.iter().copied().max()) else {
        return Timeline::default();
    };
    let axis = Axis { start: stamp::minutes(first), length: (stamp::minutes(last) - stamp::minutes(first)).max(1) };
    let mut lanes: Vec<(u16, u16, Lane)> = facts.shown().filter_map(|goal| lane(facts, goal, axis)).collect();
    let mut left_out = 0;
    if lanes.len() > MOST {
        let all = lanes.len();
        // Goals that are not signed off come first, then the goals that ended last.
        lanes.sort_by_key(|(_, end, lane)| {
            (matches!(lane.state, GoalState::SignedOff | GoalState::Cancelled), u16::MAX - end)
        });
        lanes.truncate(MOST);
        left_out = all - MOST;
    }
    lanes.sort_by_key(|(start, ..)| *start);
    let is_long = axis.length >= DAYS;
    let (count, format) = if is_long { (5, "%-d %B") } else { (3, "%-d %B %H:%M") };
    let tick = |index: i64| {
        let time = first.saturating_add(jiff::SignedDuration::from_mins(axis.length * index / (count - 1)));
        time.strftime(format).to_string()
    };
    let ticks = if lanes.is_empty() { Vec::new() } else { (0..count).map(tick).collect() };
    Timeline { lanes: lanes.into_iter().map(|(.., lane)| lane).collect(), ticks, left_out }
}

/// The time span that all lanes share, in minutes.
#[derive(Clone, Copy)]
struct Axis {
    start: i64,
    length: i64,
}

impl Axis {
    /// The place of a stamp on the axis, in tenths of a percent.
    fn place(self, at: &str) -> Option<u16> {
        let minutes = stamp::minutes(stamp::read(at)?) - self.start;
        u16::try_from(minutes.clamp(0, self.length).saturating_mul(1000) / self.length).ok()
    }
}

/// The start and the end of a lane, and the lane.
fn lane(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>, axis: Axis) -> Option<(u16, u16, Lane)> {
    let state = facts.state(goal);
    let (mut bars, mut marks): (Vec<Bar>, Vec<Mark>) = (Vec::new(), Vec::new());
    let mut begun: Option<u16> = None;
    for dated in facts.history(goal) {
        let Some(at) = axis.place(dated.at) else { continue };
        let ended = match dated.event {
            GoalEvent::Started(_) => {
                begun.get_or_insert(at);
                continue;
            }
            GoalEvent::Rejected { .. } => {
                marks.push(Mark { at, what: MarkKind::Rejected });
                continue;
            }
            GoalEvent::SignedOff(_) => MarkKind::SignedOff,
            GoalEvent::Cancelled { .. } => MarkKind::Cancelled,
            _ => continue,
        };
        if let Some(from) = begun.take() {
            bars.push(Bar { from: from.min(at), to: at, kind: BarKind::Work });
        }
        marks.push(Mark { at, what: ended });
    }
    match (state, begun) {
        (GoalState::Active, Some(from)) => bars.push(Bar { from, to: 1000, kind: BarKind::Running }),
        (GoalState::NotCovered, open) => {
            let end = bars.last().map(|bar| bar.to).or(open);
            bars.extend(end.map(|from| Bar { from, to: 1000, kind: BarKind::Uncovered }));
            marks.extend(end.map(|_| Mark { at: 1000, what: MarkKind::Uncovered }));
        }
        _ => {}
    }
    let start = bars.iter().map(|bar| bar.from).chain(marks.iter().map(|mark| mark.at)).min()?;
    let end = bars.iter().map(|bar| bar.to).chain(marks.iter().map(|mark| mark.at)).max()?;
    let lane = Lane { subject: goal.subject().to_owned(), anchor: facts.anchor(goal).to_owned(), state, bars, marks };
    Some((start, end, lane))
}
