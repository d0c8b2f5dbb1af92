//! Formats the stamps of log lines, `YYYY-MM-DD HH:MM`, for readers.

use jiff::civil::DateTime;

/// Reads a stamp; `None` if it is no date.
pub(super) fn read(stamp: &str) -> Option<DateTime> {
    DateTime::strptime("%Y-%m-%d %H:%M", stamp).ok()
}

/// Minutes since 1970, to compare and to measure times.
pub(super) fn minutes(time: DateTime) -> i64 {
    let start = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);
    time.duration_since(start).as_secs() / 60
}

/// `15 June`; returns the stamp unchanged if it is no date.
pub(super) fn day(stamp: &str) -> String {
    formatted(stamp, "%-d %B")
}

/// `15 June 11:20`
pub(super) fn day_and_time(stamp: &str) -> String {
    formatted(stamp, "%-d %B %H:%M")
}

/// `Friday, 19 June 2026`
pub(super) fn long_day(stamp: &str) -> String {
    formatted(stamp, "%A, %-d %B %Y")
}

fn formatted(stamp: &str, format: &str) -> String {
    read(stamp).map_or_else(|| stamp.to_owned(), |time| time.strftime(format).to_string())
}
