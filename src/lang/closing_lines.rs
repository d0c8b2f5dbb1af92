//! `nothing-ran`: verify is green, but no test ran or all were skipped, by the closing line of the test runner
//! (`SIGNOFF.md` §3).
//!
//! The reader accepts only closing lines in the form of a runner that a command of this `verify` starts, or of any runner if the
//! command is unknown. A run is
//! empty if it has closing lines and all of them together count no test. So a second test binary without tests, a
//! documentation block, or a package without test files does not harm an honest run.

pub use super::closing::TestTally;
use super::toolchain::{Closes, TestRunner};
use super::{called_runners, runners};

/// Counts the tests of a run by the closing lines of its runners, summed over all calls. `None` if no runner is recognised
/// or lines may be missing. The arguments are the same as for [`nothing_ran`].
pub fn tally(commands: &[Vec<&str>], output: &str, whole: bool) -> Option<TestTally> {
    let closings = closings(commands, output, whole)?;
    if is_unsure(commands, &closings) {
        return None;
    }
    (!closings.is_empty()).then(|| closings.iter().fold(TestTally::default(), |sum, (_, tally)| sum.and(*tally)))
}

/// Whether a line is the closing line of a runner. Such a line counts tests and names no test.
pub fn is_closing_line(line: &str) -> bool {
    let lines = [line.trim().to_owned()];
    runners().any(|runner| !runner.closings(&lines).is_empty())
}

/// Returns the message that a run had no tests. `None` if tests ran or no runner is recognised.
///
/// `commands` are the argv lists of the sequence. `output` is its output, both streams in order. `whole` is false if the
/// beginning of the output is missing. Then runners with one line per binary or package are ignored, because the missing
/// lines may have counted tests.
pub fn nothing_ran(commands: &[Vec<&str>], output: &str, whole: bool) -> Option<String> {
    let closings = closings(commands, output, whole)?;
    let sum = closings.iter().fold(TestTally::default(), |sum, (_, tally)| sum.and(*tally));
    let (runner, _) = closings.first().filter(|_| sum.ran == 0)?;
    Some(match sum.skipped.saturating_add(sum.left_out) {
        0 => format!("no test ran: {} reported 0 tests", runner.name),
        1 => format!("no test ran: {} skipped the only test", runner.name),
        skipped => format!("no test ran: {} skipped all {skipped} tests", runner.name),
    })
}

/// Returns the target of a `make` that printed only that it is up to date. A file or folder has the same name.
pub fn up_to_date(output: &str) -> Option<&str> {
    let (_, told) = output.trim().split_once(": ")?;
    let target = told.strip_prefix(['\'', '`'])?.strip_suffix("' is up to date.")?;
    (!target.contains(['\n', '\'', '`'])).then_some(target)
}

fn closings(commands: &[Vec<&str>], output: &str, whole: bool) -> Option<Vec<(&'static TestRunner, TestTally)>> {
    let lines: Vec<String> = output.lines().map(plain).collect();
    let mut closings = Vec::new();
    for (runner, calls) in called_runners(commands) {
        let mut found = runner.closings(&lines);
        if !found.is_empty() && !whole && runner.closes == Closes::Often {
            return None;
        }
        // A test may print a line in this form. The runner's own line comes last, once for each call.
        if let Some(calls) = calls.filter(|_| runner.closes == Closes::Once) {
            found.drain(..found.len().saturating_sub(calls));
        }
        closings.extend(found.into_iter().map(|tally| (runner, tally)));
    }
    Some(closings)
}

/// Whether there are more closing lines than calls, and they differ: then it is unknown which are the runner's.
fn is_unsure(commands: &[Vec<&str>], closings: &[(&TestRunner, TestTally)]) -> bool {
    let unsure = |(runner, calls): (&TestRunner, Option<usize>)| {
        let own: Vec<&TestTally> =
            closings.iter().filter(|(other, _)| other.name == runner.name).map(|(_, tally)| tally).collect();
        runner.closes == Closes::Aside
            && calls.is_some_and(|calls| own.len() > calls)
            && own.windows(2).any(|two| two[0] != two[1])
    };
    called_runners(commands).into_iter().any(unsure)
}

/// Returns a line without colour codes, carriage returns and surrounding white space.
fn plain(line: &str) -> String {
    let last = line.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or("");
    anstream::adapter::strip_str(last).to_string().trim().to_owned()
}

#[cfg(test)]
mod tests;
