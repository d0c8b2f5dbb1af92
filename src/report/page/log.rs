//! The section "Log": lines grouped by day.

use maud::{Markup, html};

use super::text::inline;
use crate::plan::text::counted;
use crate::report::log::{Log, LogEntry, Tone};

pub(super) fn section(log: &Log) -> Markup {
    html! {
        @if !log.days.is_empty() {
            section #log {
                h2 { "Log" }
                @for day in &log.days {
                    h3.day { (day.name) }
                    ol.log { @for entry in &day.entries { (line(entry)) } }
                }
                @if log.older > 0 {
                    p.small.soft { (counted(log.older, "older line")) " in plan.md." }
                }
            }
        }
    }
}

fn line(entry: &LogEntry) -> Markup {
    let (sign, class) = match entry.tone {
        Tone::Plain => ("·", "soft"),
        Tone::Started => ("→", "now"),
        Tone::Good => ("✓", "good"),
        Tone::Bad => ("✗", "bad"),
        Tone::Changed => ("~", "warn"),
        Tone::Given => ("–", "soft"),
    };
    html! {
        li {
            time { (entry.time) }
            span.mark.(class) aria-hidden="true" { (sign) }
            span.wrap {
                @if let Some((subject, anchor)) = &entry.goal {
                    @match anchor {
                        Some(anchor) => a href={ "#" (anchor) } { bdi { (subject) } },
                        None => bdi { (subject) },
                    }
                    " "
                }
                bdi { (inline(&entry.text)) }
                @if let Some(more) = &entry.more { span.more { bdi { (inline(more)) } } }
            }
        }
    }
}
