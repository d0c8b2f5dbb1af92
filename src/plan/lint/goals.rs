//! Findings about goals: ids, fields, contracts and needs.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::{ASKED, Findings, checks, lines_of, quoted};
use crate::plan::glob::Glob;
use crate::plan::lookup::NeedNames;
use crate::plan::model::{Goal, GoalKind, GoalRef, Key, LintFinding, Plan, Severity, Span, Status};
use crate::plan::rules::{GoalRecords, Standing, cycles, placeholder_of, replacing};

pub(super) fn check(plan: &Plan<'_>, found: &mut Findings) {
    check_errors(plan, found);
    objective(plan, found);
    subjects(plan, found);
    for goal in plan.live_goals() {
        advice(goal, found);
    }
    let record = GoalRecords::new(plan);
    for (goal, standing) in record.unsigned(plan) {
        let span = goal.field(Key::Status).map_or(goal.raw().heading, |field| field.value);
        let what = match standing {
            Standing::OtherContract => "was signed off for another contract",
            _ if record.rejection(goal).is_some() => "was rejected last",
            _ => "has no sign-off in the log",
        };
        found.warning(
            "not-signed-off",
            span,
            format!("{} is done but {what}", quoted(goal.name())),
            format!("plan complete {}", goal.name()),
        );
    }
}

/// Adds the findings about goals that have errors, without advice.
pub(super) fn check_errors(plan: &Plan<'_>, found: &mut Findings) {
    let names = NeedNames::new(plan);
    duplicate_ids(plan, found);
    for goal in plan.live_goals() {
        fields(goal, found);
        needs(goal, &names, found);
    }
    found.list.extend(super::archived_open(plan));
    for ring in cycles(plan) {
        let Some(first) = ring.first().and_then(|index| plan.goal(*index)).filter(|_| ring.len() > 1) else { continue };
        let names: Vec<&str> =
            ring.iter().chain(ring.first()).filter_map(|index| plan.goal(*index)).map(GoalRef::name).collect();
        let span = first.field(Key::Needs).map_or(first.raw().heading, |field| field.lines);
        found.error(
            "needs-cycle",
            span,
            format!("these goals need each other: {}", shortened(&names)),
            "remove one of them from a `needs`",
        );
    }
}

/// Returns the finding about an unfinished goal below `# Archive`.
pub(super) fn archived_open(goal: GoalRef<'_, '_>) -> LintFinding {
    let name = goal.name();
    let span = goal.field(Key::Status).map_or(line(goal.raw().heading, goal.plan()), |field| field.value);
    LintFinding {
        code: "archived-open",
        severity: Severity::Error,
        span,
        message: format!(
            "{} is below `# Archive`, where nobody sees it, and is still {}",
            quoted(name),
            goal.status().word()
        ),
        remedy: format!(
            "`plan goal start {name}` brings it back above the archive; `plan goal cancel {name} \"why\"` gives it up"
        ),
    }
}

fn shortened(names: &[&str]) -> String {
    match names {
        [first, second, .., last] if names.len() > 8 => {
            format!("{first} -> {second} -> … -> {last} ({} goals)", names.len() - 1)
        }
        _ => names.join(" -> "),
    }
}

fn duplicate_ids(plan: &Plan<'_>, found: &mut Findings) {
    let (lines, id_lines) = (OnceCell::new(), OnceCell::new());
    let mut ids = HashMap::with_capacity(plan.goals.len());
    for goal in plan.all_goals() {
        let Some((_, slug)) = goal.raw().id else { continue };
        let first = *ids.entry(plan.text(slug)).or_insert(goal);
        if first.index() == goal.index() {
            continue;
        }
        let lines = lines.get_or_init(|| lines_of(plan, plan.goals.iter().map(|goal| goal.heading)));
        let of_id = |goal: &Goal| goal.id.map_or(goal.heading, |(line, _)| line);
        let id_lines = id_lines.get_or_init(|| lines_of(plan, plan.goals.iter().map(of_id)));
        let (one, other) = (id_lines[first.index()], id_lines[goal.index()]);
        found.error(
            super::DUPLICATE_ID,
            slug,
            format!("`{}` is already the id of the goal in line {}", plan.text(slug), lines[first.index()]),
            format!("remove the id of the newer goal (line {one} or {other}), then: plan lint --fix"),
        );
    }
}

fn fields(goal: GoalRef<'_, '_>, found: &mut Findings) {
    let plan = goal.plan();
    for field in goal.fields() {
        let key = field.key.word();
        let text = plan.text(field.value);
        let span = if field.value.is_empty() { line(field.lines, plan) } else { field.value };
        if field.repeated {
            found.error(
                "repeated-field",
                line(field.lines, plan),
                format!("`{key}` appears twice in this goal; the first one counts"),
                "remove one of them; until then this goal cannot be written to",
            );
            continue;
        }
        match field.key {
            Key::Status if Status::from_word(text).is_none() => found.error(
                "unknown-status",
                span,
                format!("expected `open`, `active`, `done` or `cancelled`, found {}", quoted(text)),
                "write one of these words; until then it reads as `open`",
            ),
            Key::Priority if !matches!(text, "1" | "2" | "3" | "4") => found.error(
                "bad-priority",
                span,
                format!("expected a priority from 1 (core) to 4 (optional), found {}", quoted(text)),
                "until then it reads as 2",
            ),
            Key::Kind if GoalKind::from_word(text).is_none() => found.error(
                "unknown-kind",
                span,
                format!("expected `feature`, `bugfix`, `refactor`, `docs`, `test` or `chore`, found {}", quoted(text)),
                "write one of these words; until then it reads as `feature`",
            ),
            _ if field.value.is_empty() && field.items.is_empty() && field.continuations.is_empty() => {
                found.warning(
                    "empty-field",
                    span,
                    format!("`{key}` has no value"),
                    if field.key.is_list() {
                        "write it after the colon, or as `- ` items below; or remove the line"
                    } else {
                        "write it after the colon, on the same line; or remove the line"
                    },
                );
            }
            Key::MayChange => globs(goal, field.lines, found),
            _ => {}
        }
    }
}

fn globs(goal: GoalRef<'_, '_>, lines: Span, found: &mut Findings) {
    for text in goal.may_change() {
        let Err(error) = Glob::parse(&text) else { continue };
        let span = word_in(goal.plan(), lines, &text).unwrap_or_else(|| line(lines, goal.plan()));
        found.error("bad-glob", span, error.message, "until then it names no file");
    }
}

fn needs(goal: GoalRef<'_, '_>, names: &NeedNames<'_>, found: &mut Findings) {
    let Some(field) = goal.field(Key::Needs) else { return };
    let (plan, mut unread) = (goal.plan(), field.lines);
    for need in names.of(goal) {
        // The needs come in file order, so each one is searched for after the one before it.
        let span = word_in(plan, unread, &need.written);
        unread.start = span.map_or(unread.start, |span| span.end);
        let span = span.unwrap_or_else(|| line(field.lines, plan));
        let name = quoted(&need.name);
        match need.goals.first().and_then(|index| plan.goal(*index)) {
            _ if need.goals.contains(&goal.index()) => {
                found.error("needs-itself", span, format!("{name} needs itself"), "remove it here");
            }
            None => unknown(plan, (names, &need.written), span, found),
            Some(other) if other.status() == Status::Cancelled => found.warning(
                "needs-cancelled",
                span,
                format!("{name} is cancelled and will never be done"),
                "remove it here, or start that goal again",
            ),
            Some(_) => {}
        }
    }
}

/// Reports a need that names no goal, or that is the subject of several goals.
fn unknown<'a>(plan: &Plan<'a>, (names, written): (&NeedNames<'a>, &str), span: Span, found: &mut Findings) {
    let same = names.with_subject(plan, written);
    if same.len() > 1 {
        let ids = same.iter().filter_map(|index| Some(format!("`{}`", plan.goal(*index)?.id()?)));
        let remedy = format!("write the id of the goal you mean: {}", ids.collect::<Vec<_>>().join(" or "));
        let message = format!("{} goals have the subject {}", same.len(), quoted(written));
        return found.error("needs-unknown", span, message, remedy);
    }
    let near = Some(found.list.len()).filter(|count| *count < ASKED).map(|_| plan.meant(written));
    let remedy = match near.and_then(|near| near.first().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`plan list --all` shows the goals; write an id here".to_owned(),
    };
    found.error("needs-unknown", span, format!("no goal has the id or subject {}", quoted(written)), remedy);
}

/// Adds the findings that are only advice: a goal may stay as it is.
fn advice(goal: GoalRef<'_, '_>, found: &mut Findings) {
    let raw = goal.raw();
    let heading = line(raw.heading, goal.plan());
    match (raw.id, raw.bad_id) {
        (_, Some(bad)) => found.warning(
            "bad-id",
            line(bad, goal.plan()),
            "an id is a small letter or digit, then up to 63 small letters, digits, `-` or `_`",
            "`plan lint --fix` gives the goal one; until then it is addressed by its subject",
        ),
        (None, None) => found.warning(
            "no-id",
            heading,
            format!("{} has no id", quoted(goal.subject())),
            "`plan lint --fix` gives it one; until then it is addressed by its subject",
        ),
        (Some(_), None) => {}
    }
    if goal.subject().is_empty() {
        found.warning("no-subject", heading, "this goal has no subject", "write one after `Goal:`");
    }
    if goal.field(Key::Status).is_none() {
        found.note(
            "no-status",
            heading,
            format!("{} has no status and reads as open", quoted(goal.name())),
            "add `status: open`",
        );
    }
    if !goal.status().is_finished() {
        contract(goal, heading, found);
        checks::check(goal, found);
    }
}

fn contract(goal: GoalRef<'_, '_>, heading: Span, found: &mut Findings) {
    if goal.criteria().is_empty() && goal.field(Key::DoneWhen).is_none() {
        found.warning(
            "no-done-when",
            heading,
            format!("{} has no `done_when`", quoted(goal.name())),
            "add `done_when:` with a criterion that someone else can check",
        );
    }
    if let Some((key, hole)) = placeholder_of(goal) {
        let span = goal.field(key).map_or(heading, |field| line(field.lines, goal.plan()));
        found.warning(
            "placeholder",
            span,
            format!("a placeholder `{hole}` is left in `{}`", key.word()),
            format!("{}; until then the goal is not started", replacing(goal, key)),
        );
    }
    let Some(verify) = goal.field(Key::Verify).filter(|_| goal.verify().is_some()) else { return };
    let modes = goal.failure_modes();
    if modes.is_empty() {
        found.warning(
            "no-failure-modes",
            verify.value,
            "there is a `verify`, but no `failure_modes`",
            "name two or three ways the work could look right and still be wrong, including one in which verify passes anyway",
        );
    } else if !modes.iter().any(|mode| names_a_false_pass(&mode.text)) {
        let span = goal.field(Key::FailureModes).map_or(heading, |field| line(field.lines, goal.plan()));
        found.note(
            "no-false-pass",
            span,
            "no failure mode seems to say how `verify` could pass while the goal is not met",
            "add one, for example: verify passes on a mock, on too small an input, on a test that asserts nothing",
        );
    }
}

/// Whether a failure mode seems to describe a false pass: a guess by the words that users write about it.
fn names_a_false_pass(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "verify", "test", "pass", "green", "gamed", "mock", "assert", "trivial", "check", "bench", "stub", "fixture",
        "skip", "cached", "by luck", "hard-coded", "hardcoded", "threshold",
    ]
    .iter()
    .any(|word| text.contains(word))
}

fn objective(plan: &Plan<'_>, found: &mut Findings) {
    if let Some(first) = plan.live_goals().next().filter(|_| plan.objective.is_none()) {
        found.note(
            "no-objective",
            line(first.raw().heading, plan),
            "no heading states the plan's objective",
            "add `# Plan: <objective>` at the top",
        );
    }
}

/// Reports goals with the same subject, because a goal without an id is addressed by its subject, which must then be unique.
fn subjects(plan: &Plan<'_>, found: &mut Findings) {
    let mut seen: HashMap<String, (usize, bool)> = HashMap::new();
    let lines = OnceCell::new();
    for goal in plan.live_goals().filter(|goal| !goal.subject().is_empty()) {
        let bare = goal.id().is_none();
        match seen.get(&goal.subject().to_lowercase()) {
            Some((first, first_bare)) if bare || *first_bare => {
                let line_number =
                    lines.get_or_init(|| lines_of(plan, plan.goals.iter().map(|goal| goal.heading)))[*first];
                found.warning(
                    "same-subject",
                    goal.raw().subject,
                    format!("the goal in line {line_number} has the same subject, and without an id one cannot be told from the other"),
                    "`plan lint --fix` gives both an id",
                );
            }
            Some(_) => {}
            None => {
                seen.insert(goal.subject().to_lowercase(), (goal.index(), bare));
            }
        }
    }
}

/// Returns the first line of a span, without its line ending.
pub(super) fn line(span: Span, plan: &Plan<'_>) -> Span {
    let text = plan.source.get(span.range()).unwrap_or_default();
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    Span::new(span.start as usize..span.start as usize + text[..end].trim_ascii_end().len())
}

/// Returns the place of a word in some lines.
fn word_in(plan: &Plan<'_>, lines: Span, word: &str) -> Option<Span> {
    let text = plan.source.get(lines.range()).unwrap_or_default();
    let edge = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b',' | b' ' | b'\t' | b'\r' | b'\n' | b':'));
    memchr::memmem::find_iter(text, word.as_bytes())
        .find(|at| edge(text.get(at + word.len())) && edge(at.checked_sub(1).and_then(|before| text.get(before))))
        .map(|at| {
            let start = lines.start as usize + at;
            Span::new(start..start + word.len())
        })
}
