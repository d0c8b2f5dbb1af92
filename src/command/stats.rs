//! `plan stats`: counts how the work with a plan went.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use serde_json::{Value, json};

use super::{Context, Exit};
use crate::error::Result;
use crate::plan::stats::Stats;
use crate::plan::view::{Row, Style};
use crate::session::events;
use crate::store;

/// Count sign-offs, rejections by reason, requests to continue and rewinds; show the time to done
///
/// Most counts come from plan.md and its log. The requests to continue come from the events of this clone, which keeps only the newest.
/// Nothing is sent anywhere.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan stats --json")]
pub struct Args {}

/// Counts and prints.
pub fn run(context: &Context, _: &Args) -> Result<Exit> {
    let place = context.place()?;
    let source = store::read(&place)?;
    let stats = Stats::of(&place.parse(&source)?);
    let minutes = minutes(&stats.courses);
    let pushes = pushes(&events::all(&place));
    let rows: Vec<Row> = rows(&stats, &minutes, &pushes)
        .into_iter()
        .map(|(name, text)| Row::new(COLUMN).with(Style::Dim, format!("{name:COLUMN$}")).with(Style::Plain, text))
        .collect();
    context.ui.rows(&rows);
    let mut body = serde_json::to_value(&stats).unwrap_or_default();
    body["minutes_to_done"] = minutes.into();
    body["pushes"] = json!(pushes);
    context.ui.json(&body);
    Ok(Exit::Yes)
}

/// The column where the counts begin.
const COLUMN: usize = 14;

/// Returns names with their counts. Events that never happened have no row, except for sign-offs.
fn rows(stats: &Stats, minutes: &[i64], pushes: &BTreeMap<String, usize>) -> Vec<(&'static str, String)> {
    let all = |counts: &BTreeMap<&'static str, usize>| -> String {
        counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
    };
    let count = |count: usize| if count == 0 { String::new() } else { count.to_string() };
    let part = |count: usize, part: usize, what: &str| match (count, part) {
        (0, _) => String::new(),
        (count, 0) => count.to_string(),
        (count, part) => format!("{count}, {part} of them {what}"),
    };
    let signed_off = match stats.signed_off {
        0 => "none".to_owned(),
        goals => format!("{}; {} of {goals} goals at the first try", stats.sign_offs, stats.first_try),
    };
    let mut rows = vec![
        ("goals", all(&stats.goals)),
        ("sign-offs", signed_off),
        ("rejections", rejections(stats)),
        ("inconclusive", count(stats.inconclusive)),
        ("reopened", count(stats.reopened)),
        ("steps", all(&stats.steps)),
        ("amendments", part(stats.amendments, stats.loosened, "loosened")),
        ("approvals", count(stats.approvals)),
        ("proposals", count(stats.proposals)),
        ("rewinds", count(stats.rewinds)),
        ("pauses", count(stats.pauses)),
        ("time to done", times(minutes)),
        ("asked on", pushed(pushes)),
    ];
    rows.retain(|(_, text)| !text.is_empty());
    rows
}

/// `6: 3 verify exit 1, 2 gate trivial, 1 judge claude`, the most frequent first.
fn rejections(stats: &Stats) -> String {
    let mut reasons: Vec<(&String, &usize)> = stats.rejections.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let all: usize = stats.rejections.values().sum();
    let reasons: Vec<String> =
        reasons.iter().map(|(why, count)| format!("{count} {}", why.replacen("oracle ", "judge ", 1))).collect();
    if all == 0 { String::new() } else { format!("{all}: {}", reasons.join(", ")) }
}

/// `median 2 h 10 min, from 14 min to 1 d 3 h`
fn times(minutes: &[i64]) -> String {
    match minutes {
        [] => String::new(),
        [only] => span(*only),
        [first, .., last] => {
            let median = minutes[(minutes.len() - 1) / 2];
            format!("median {}, from {} to {}", span(median), span(*first), span(*last))
        }
    }
}

fn span(minutes: i64) -> String {
    let (days, hours, rest) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    match (days, hours) {
        (0, 0) => format!("{rest} min"),
        (0, _) => format!("{hours} h {rest} min"),
        (_, _) => format!("{days} d {hours} h"),
    }
}

fn pushed(pushes: &BTreeMap<String, usize>) -> String {
    let all: usize = pushes.values().sum();
    match (pushes.len(), pushes.values().max()) {
        (0, _) | (_, None) => String::new(),
        (1, _) => format!("{all} in 1 session"),
        (sessions, Some(most)) => format!("{all} in {sessions} sessions, at most {most} in one"),
    }
}

/// Returns the minutes of each course, shortest first. A course whose clock went back is left out.
fn minutes(courses: &[(String, String)]) -> Vec<i64> {
    let time = |stamp: &str| DateTime::strptime("%Y-%m-%d %H:%M", stamp).ok();
    let between = |(from, to): &(String, String)| Some(time(to)?.duration_since(time(from)?).as_mins());
    let mut minutes: Vec<i64> = courses.iter().filter_map(between).filter(|minutes| *minutes >= 0).collect();
    minutes.sort_unstable();
    minutes
}

/// Counts the pushes of each session.
fn pushes(lines: &[String]) -> BTreeMap<String, usize> {
    let mut pushes = BTreeMap::new();
    let events = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    for event in events.filter(|event| event["event"] == "continuation") {
        let session = event["session"].as_str().unwrap_or_default().to_owned();
        *pushes.entry(session).or_default() += 1;
    }
    pushes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_people_tell_them() {
        let course = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let courses = [
            course("2026-06-15 10:00", "2026-06-16 13:00"),
            course("2026-06-15 10:00", "2026-06-15 10:14"),
            course("2026-06-15 10:00", "2026-06-15 12:10"),
            course("2026-06-15 10:00", "2026-06-15 09:00"),
            course("no stamp", "2026-06-15 09:00"),
        ];
        assert_eq!(minutes(&courses), [14, 130, 1620]);
        assert_eq!(times(&minutes(&courses)), "median 2 h 10 min, from 14 min to 1 d 3 h");
        assert_eq!((times(&[]), times(&[5])), (String::new(), "5 min".to_owned()));
    }

    #[test]
    fn pushes_are_counted_by_session() {
        let line = |event: &str, session: &str| format!("{{\"event\":\"{event}\",\"session\":\"{session}\"}}");
        let lines = [
            line("continuation", "a"),
            line("signoff", "a"),
            line("continuation", "b"),
            line("continuation", "a"),
            "cut".into(),
        ];
        assert_eq!(pushed(&pushes(&lines)), "3 in 2 sessions, at most 2 in one");
        assert_eq!(pushed(&pushes(&lines[..1])), "1 in 1 session");
        assert_eq!(pushed(&pushes(&[])), "");
    }
}
