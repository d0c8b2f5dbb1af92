//! `no-waits`: sets the sleeps that the work added to 0. Verify must stay green; otherwise the work is right only as
//! long as everything else is quick enough.

mod sleep;

use std::path::PathBuf;

use self::sleep::Sleep;
use super::GateFinding;
use super::full::candidate::Candidate;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, idle_if, pass_if};
use super::goal_text;
use super::harness::is_code;
use crate::replay::Stop;

const ROW: &str = "no-waits";
/// How many changed files are read, and how many test files are searched for clocks.
const FILES: usize = 200;
/// A goal is about time if one of its words begins with one of these.
const SUBJECTS: [&str; 16] = [
    "wait", "sleep", "delay", "timeout", "pause", "retry", "retries", "backoff", "throttl", "debounc", "rate", "poll",
    "interval", "schedul", "slow", "anim",
];
/// Words in tests that measure time or replace the clock.
const CLOCKS: [&str; 22] = [
    "monotonic", "perf_counter", "time.time(", "datetime.now", "elapsed", "Date.now", "performance.now", "hrtime",
    "useFakeTimers", "mock.timers", "fake_timers", "freeze", "Instant::now", "time.Since", "time.Now", "time.pause",
    "Process.clock_gettime", "Timecop", "nanoTime", "currentTimeMillis", "clock_gettime", "date +%s",
];

/// A source file with new sleeps, and its bytes without them.
struct Sleeper {
    path: PathBuf,
    sleeps: Vec<Sleep>,
    without: Vec<u8>,
    /// Its bytes in the same form as `without`, but with all sleeps; `None` if the form is that of the work.
    same: Option<Vec<u8>>,
}

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    idle_if(candidate.base().is_none(), "there is no start to compare with")?;
    let found = sleeps(candidate)?;
    let Some((path, first)) = found.first().and_then(|file| Some((&file.path, file.sleeps.first()?))) else {
        return Ok(idle("the work added no sleep of a fixed time outside of loops"));
    };
    idle_if(goal_text::speaks_of(candidate.request.said, &SUBJECTS), "the goal is about time")?;
    idle_if(measures_time(candidate)?, "the tests measure time or replace the clock")?;
    let mut layout = candidate.last.clone();
    found.iter().for_each(|file| layout.put(&file.path, file.without.clone()));
    let what = "the tree with the sleeps of the work set to 0";
    pass_if(!probe.replay.run(&layout, what)?.is_red())?;
    // Repeated, to exclude chance.
    pass_if(!probe.replay.again(&layout, what)?.is_red())?;
    let mut same = candidate.last.clone();
    found.iter().for_each(|file| file.same.iter().for_each(|bytes| same.put(&file.path, bytes.clone())));
    pass_if(same != candidate.last && probe.replay.run(&same, "the sleeps in another form")?.is_red())?;
    probe.confirm_export()?;
    let seen = format!("verify is red when the sleeps that the work added are set to 0: `{}`", first.text);
    let expected = "work that is right without waiting for a fixed time";
    let path = path.display();
    let declare = goal_text::command(candidate.request.goal, &format!("{path} waits for a fixed time"));
    let resolve = format!("wait for the event itself, not for a time; if the goal requires the sleep: {declare}");
    Ok(GateFinding::block(ROW, expected, seen, &resolve).at(format!("{path}:{}", first.line)).into())
}

fn sleeps(candidate: &Candidate<'_>) -> Result<Vec<Sleeper>, Stop> {
    let mut found = Vec::new();
    for path in candidate.changed().filter(|path| candidate.is_source(path)).take(FILES) {
        let Some([then, now]) = candidate.texts(path)? else { continue };
        let sleeps = sleep::added(path, &then, &now);
        if !sleeps.is_empty() {
            let without = sleep::at_once(&now, &sleeps).into_bytes();
            let same = sleep::in_that_form(&now, &sleeps).map(String::into_bytes);
            found.push(Sleeper { path: path.to_owned(), sleeps, without, same });
        }
    }
    Ok(found)
}

/// Whether a test measures time or replaces the clock. Then the sleep itself may be what is tested.
fn measures_time(candidate: &Candidate<'_>) -> Result<bool, Stop> {
    let tests = candidate.last.paths().filter(|path| candidate.harness.is_harness(path) && is_code(path));
    for path in tests.take(FILES) {
        let Some(bytes) = candidate.now(path)? else { continue };
        let text = String::from_utf8_lossy(&bytes);
        if CLOCKS.iter().any(|word| text.contains(word)) || sleep::is_replaced(&text) {
            return Ok(true);
        }
    }
    Ok(false)
}
