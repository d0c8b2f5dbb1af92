//! Checks that a plan holds what a reader needs who did not write it (`plan lint --quality`): sections above the goals, places in
//! the code as `path:line`, and goals that can be tested and that name what could go wrong.
//!
//! Sections are recognised by English words in their headings, so a missing section is a warning and no error.

use super::goals::line;
use super::{Findings, quoted};
use crate::plan::model::{GoalRef, LintFinding, Plan, Span};
use crate::plan::scan::{LineKind, Scanner};

/// A section that a plan should have.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The heading, as a user would write it.
    pub heading: &'static str,
    /// The content of the section.
    pub says: &'static str,
    /// The beginnings of words by which a heading is recognised as this section.
    words: &'static [&'static str],
}

/// The sections that every plan should have. The overview may be the prose below the objective, and the goals are the phases. A
/// section about migration is optional: not every plan needs it.
pub const SECTIONS: [Section; 6] = [
    Section {
        heading: "Overview",
        says: "what is built, and why",
        words: &["overview", "summary", "introduction", "purpose"],
    },
    Section {
        heading: "Current state",
        says: "what is there today, as `path:line`",
        words: &["current", "today", "background", "context", "discover", "finding", "status quo", "as is"],
    },
    Section {
        heading: "Desired end state",
        says: "what is there afterwards, and how somebody sees it",
        words: &["desired", "end state", "target", "afterwards", "outcome", "to be"],
    },
    Section {
        heading: "Out of scope",
        says: "what the plan leaves alone",
        words: &["out of scope", "not in scope", "not doing", "non-goal", "non goal", "exclu"],
    },
    Section {
        heading: "Approach",
        says: "how the goals get there, and why in this order",
        words: &["approach", "implementation", "design", "architecture", "phases"],
    },
    Section { heading: "Testing strategy", says: "how it is tested", words: &["test", "verification", "validation"] },
];

/// The highest number of places that are looked up.
const MOST: usize = 1_000;

/// Returns the number of lines of a file, given its path relative to the plan's folder; `None` if there is no such file.
pub type LineCount<'l> = &'l dyn Fn(&str) -> Option<usize>;

/// Returns findings about missing parts of a plan that [`super::lint`] does not report, sorted by place.
pub fn quality(plan: &Plan<'_>, lines: LineCount<'_>) -> Vec<LintFinding> {
    let mut found = Findings { list: Vec::new() };
    let text = read(plan);
    let top = line(plan.objective_line.unwrap_or_default(), plan);
    let (says, headings): (Vec<_>, Vec<_>) =
        lacking(&text).map(|section| (section.says, format!("`## {}`", section.heading))).unzip();
    if !says.is_empty() {
        let message = format!("no section says {}", says.join("; "));
        found.warning("no-section", top, message, format!("write {} above the goals", headings.join(", ")));
    }
    if text.references.is_empty() {
        let message = "no place in the code is named as `path:line`";
        found.warning("no-reference", top, message, "name the places that the plan rests on");
    }
    for reference in &text.references {
        if let Some(why) = reference.fault(lines) {
            found.warning("dead-reference", reference.span, why, "name the place as it is now, or remove it");
        }
    }
    plan.live_goals().filter(|goal| !goal.status().is_finished()).for_each(|goal| of_goal(goal, &mut found));
    found.sorted()
}

/// Returns the sections that the plan lacks.
pub fn sections(plan: &Plan<'_>) -> Vec<&'static Section> {
    lacking(&read(plan)).collect()
}

/// Returns one sentence for each place in the plan that leads nowhere.
pub fn dead_references(plan: &Plan<'_>, lines: LineCount<'_>) -> Vec<String> {
    read(plan).references.iter().filter_map(|reference| reference.fault(lines)).collect()
}

fn of_goal(goal: GoalRef<'_, '_>, found: &mut Findings) {
    let heading = line(goal.raw().heading, goal.plan());
    let (name, typed) = (quoted(goal.name()), goal.typed());
    if goal.verify().is_none() {
        let remedy = format!("name the command of a test: `plan goal set {typed} --verify COMMAND`");
        found.warning("no-verify", heading, format!("no command tests {name}"), remedy);
        // If there is a `verify`, `lint` asks for failure modes.
        if goal.failure_modes().is_empty() {
            let remedy =
                format!("say how it could look right and be wrong: `plan goal set {typed} --failure-mode \"…\"`");
            found.warning("no-risk", heading, format!("{name} names no risk"), remedy);
        }
    }
    if goal.steps().is_empty() {
        let remedy = format!("say what to do first: `plan step add {typed} \"…\"`");
        found.note("no-steps", heading, format!("{name} has no steps: it does not say what to change"), remedy);
    }
}

/// The text of a plan, without the archive. References in finished goals, the log and quotes of other programs are left out.
#[derive(Default)]
struct Text<'a> {
    /// The headings in lower case, without the objective and the headings of goals.
    headings: Vec<String>,
    /// True if there is prose directly below the objective.
    has_intro: bool,
    references: Vec<Reference<'a>>,
}

/// `path:line`, `path:line-line`
struct Reference<'a> {
    path: &'a str,
    line: usize,
    span: Span,
}

impl Reference<'_> {
    fn fault(&self, lines: LineCount<'_>) -> Option<String> {
        let Reference { path, line, .. } = self;
        match lines(path) {
            None => Some(format!("`{path}:{line}` leads nowhere: there is no file `{path}`")),
            Some(1) if *line > 1 => Some(format!("`{path}:{line}` leads nowhere: `{path}` has 1 line")),
            Some(count) if count < *line => Some(format!("`{path}:{line}` leads nowhere: `{path}` has {count} lines")),
            Some(_) => None,
        }
    }
}

/// Whether a path is the host of a network address, as in `example.com:443`.
fn is_host(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or_default();
    !path.contains('/')
        && (last.bytes().all(|byte| byte.is_ascii_digit())
            || ["com", "org", "net", "io", "dev", "local"].contains(&last))
}

fn lacking(text: &Text<'_>) -> impl Iterator<Item = &'static Section> {
    let is_it = |section: &Section, heading: &String| section.words.iter().any(|word| holds(heading, word));
    let is_there = move |at: usize, section: &Section| {
        at == 0 && text.has_intro || text.headings.iter().any(|heading| is_it(section, heading))
    };
    SECTIONS.iter().enumerate().filter(move |(at, section)| !is_there(*at, section)).map(|(_, section)| section)
}

/// Whether a word of `text` begins with `word`.
fn holds(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

fn read<'a>(plan: &Plan<'a>) -> Text<'a> {
    let skipped = skipped(plan);
    let end = plan.archive.map_or(plan.source.len(), |archive| archive.start as usize);
    let objective = plan.objective_line.map(|line| line.start as usize);
    let goals: Vec<usize> = plan.goals.iter().map(|goal| goal.body.start as usize).collect();
    let (mut text, mut is_intro) = (Text::default(), false);
    let mut scanner = Scanner::new(plan.source, plan.front.map_or(0, |front| front.end as usize));
    while let Some(line) = scanner.line().filter(|line| line.start < end) {
        let of = |start: usize| plan.text(Span::new(start..line.end));
        match line.kind {
            LineKind::Heading { start, end, .. } => {
                is_intro = Some(line.start) == objective;
                if !is_intro && goals.binary_search(&line.start).is_err() {
                    text.headings.push(plan.text(Span::new(start..end)).to_lowercase());
                }
            }
            LineKind::Text | LineKind::Item { .. } if !of(line.start).trim_start().starts_with('>') => {
                text.has_intro |= is_intro;
                let behind = skipped.partition_point(|span| span.start as usize <= line.start);
                if !skipped[..behind].last().is_some_and(|span| span.range().contains(&line.start)) {
                    references(of(line.start), line.start, &mut text.references);
                }
            }
            _ => {}
        }
    }
    text
}

/// Returns the parts that are over, in file order: the log and finished goals.
fn skipped(plan: &Plan<'_>) -> Vec<Span> {
    let finished = plan.live_goals().filter(|goal| goal.status().is_finished()).map(|goal| goal.raw().body);
    let mut skipped: Vec<Span> = finished.chain(plan.logs.iter().map(|log| log.body)).collect();
    skipped.sort_unstable_by_key(|span| span.start);
    skipped
}

/// Adds the places that a line names to `found`; `start` is the place of the line's first byte.
fn references<'a>(text: &'a str, start: usize, found: &mut Vec<Reference<'a>>) {
    let is_around = |c: char| c.is_whitespace() || "`\"'()[]{}<>,;".contains(c);
    let mut at = start;
    for word in text.split_inclusive(is_around) {
        let span = Span::new(at..at + word.trim_end_matches(is_around).len());
        at += word.len();
        let Some((path, behind)) = word.trim_end_matches(is_around).split_once(':') else { continue };
        let digits = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = behind.split_at(digits);
        let is_end = rest.is_empty() || rest.starts_with(['-', ':', '.', '–']);
        let is_path = path.contains(['/', '.'])
            && !is_host(path)
            && !path.starts_with(['.', '-', '/'])
            && !path.contains(['*', '|', '=']);
        let line = number.parse().ok().filter(|line| *line > 0 && is_path && is_end);
        found.extend(line.filter(|_| found.len() < MOST).map(|line| Reference { path, line, span }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parse;

    const GOOD: &str = "\
# Plan: Faster search

Searches take 400 ms at the 95th percentile; people notice.

## Current state
- `src/search.rs:12` asks the index for every word (see src/index.rs:3-7).

## Desired end state
p95 below 50 ms in `bench/search.json`.

## Out of scope
The index format.

## Approach
Cache first: it needs no new format. At 14:33 on localhost:8080 or example.com:443.

## Testing strategy
The bench, and a test per cache state.

## Goal: Cache lookups
<!-- id: cache-1 -->
status: open
done_when: a second lookup reads no file
verify: sh bench.sh
failure_modes:
- verify passes with the cache off
- [ ] 1. wire it

## Goal: Old
<!-- id: old-1 -->
status: done
See gone.rs:1.

## Log
- 2026-06-15 14:02  looked at gone.rs:7
";

    fn lines(path: &str) -> Option<usize> {
        ["src/search.rs", "src/index.rs"].contains(&path).then_some(20)
    }

    fn found(source: &str) -> Vec<String> {
        let plan = parse(source.as_bytes()).unwrap();
        let told = |finding: &LintFinding| {
            format!("{} {}: {}", plan.line_of(finding.span.start as usize), finding.code, finding.message)
        };
        quality(&plan, &lines).iter().map(told).collect()
    }

    // W-10, W-16, W-17: a plan whose sections, phases, tests and risks are there has no finding; each that is missing is named
    #[test]
    fn each_section_and_each_part_of_a_goal_is_asked_for() {
        assert_eq!(found(GOOD), [""; 0]);
        for (from, to, expected) in [
            (
                "Searches take 400 ms at the 95th percentile; people notice.\n",
                "",
                "1 no-section: no section says what is built, and why",
            ),
            ("## Current state", "## Files", "1 no-section: no section says what is there today, as `path:line`"),
            (
                "## Desired end state",
                "## Files",
                "1 no-section: no section says what is there afterwards, and how somebody sees it",
            ),
            ("## Out of scope", "## Files", "1 no-section: no section says what the plan leaves alone"),
            ("## Approach", "## Files", "1 no-section: no section says how the goals get there, and why in this order"),
            ("## Testing strategy", "## Files", "1 no-section: no section says how it is tested"),
            ("verify: sh bench.sh\n", "", "20 no-verify: no command tests `cache-1`"),
            ("- [ ] 1. wire it\n", "", "20 no-steps: `cache-1` has no steps: it does not say what to change"),
        ] {
            assert_eq!(found(&GOOD.replace(from, to)), [expected], "{from}");
        }
        let bare = GOOD.replace("verify: sh bench.sh\nfailure_modes:\n- verify passes with the cache off\n", "");
        assert_eq!(found(&bare), ["20 no-risk: `cache-1` names no risk", "20 no-verify: no command tests `cache-1`"]);
        // Headings as people write them.
        let other = GOOD.replace("Out of scope", "What We're NOT Doing").replace("Current state", "Key Discoveries");
        assert_eq!(found(&other), [""; 0]);
        assert_eq!(found("").len(), 2, "an empty file has neither sections nor places");
    }

    // W-27: a place that leads nowhere is named with its line; addresses, times, the log and finished goals are none
    #[test]
    fn a_place_that_leads_nowhere_is_named() {
        let dead = GOOD.replace("src/search.rs:12", "src/search.rs:21").replace("src/index.rs:3-7", "src/gone.rs:3:7");
        assert_eq!(
            found(&dead),
            [
                "6 dead-reference: `src/search.rs:21` leads nowhere: `src/search.rs` has 20 lines",
                "6 dead-reference: `src/gone.rs:3` leads nowhere: there is no file `src/gone.rs`",
            ]
        );
        let none = GOOD.replace("src/search.rs:12", "the search").replace("src/index.rs:3-7", "the index");
        assert_eq!(found(&none), ["1 no-reference: no place in the code is named as `path:line`"]);
        let quoted = GOOD.replace("Cache first", "> of another program: gone.rs:9\n\nCache first");
        assert_eq!(found(&quoted), [""; 0]);
    }
}
