//! The report as Markdown, for a terminal, a comment or a job summary: the goals with their verdicts.

use std::fmt::Write as _;

use super::Report;
use super::facts::GoalState;
use super::goal::{Criterion, CriterionAnswer, ReportGoal};
use super::page::{pieces, visible};

/// The summary. The text of a plan is escaped, so that no Markdown or HTML in it is interpreted.
pub(super) fn summary(report: &Report) -> String {
    let mut out = format!("# {}\n\n{}\n", escaped(&report.title), report.lead);
    if !report.attention.is_empty() {
        out.push_str("\n## Look at these first\n\n");
    }
    for notice in &report.attention {
        let goal = notice.goal.as_ref().map(|(subject, name, _)| format!(": {} ({})", escaped(subject), escaped(name)));
        let said = notice.sentences.iter().map(|text| format!(": {}", escaped(text))).collect::<String>();
        let command = notice.command.as_ref().map(|command| format!(" → {}", code(command))).unwrap_or_default();
        line(&mut out, &format!("- **{}**{}{said}{command}", notice.label, goal.unwrap_or_default()));
    }
    for state in GoalState::ALL {
        let goals: Vec<&ReportGoal> = report.goals.iter().filter(|goal| goal.state == state).collect();
        if goals.is_empty() {
            continue;
        }
        let word = state.word();
        let (first, rest) = word.split_at(1);
        line(&mut out, &format!("\n## {}{rest}\n", first.to_uppercase()));
        goals.into_iter().for_each(|goal| one(goal, &mut out));
    }
    visible(out)
}

fn one(goal: &ReportGoal, out: &mut String) {
    let id = goal.id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
    line(out, &format!("- {} {}{id}: {}", goal.state.sign(), escaped(&goal.subject), goal.told));
    let Some(body) = &goal.body else { return };
    if let Some(rejection) = &body.rejection {
        let missing = rejection.missing.iter().map(|text| format!(": {}", escaped(text))).collect::<String>();
        line(out, &format!("  - ✗ rejected by {}, {}{missing}", escaped(&rejection.by), rejection.at));
    }
    for criterion in body.criteria.iter().chain(&body.failure_modes) {
        criterion_lines(criterion, goal.state, out);
    }
}

/// Writes a criterion with its answers. A criterion without an answer is only written while the goal is active.
fn criterion_lines(criterion: &Criterion, state: GoalState, out: &mut String) {
    if criterion.answers.is_empty() && state != GoalState::Active {
        return;
    }
    line(out, &format!("  - {} {}", criterion.name, escaped(&criterion.text)));
    for answer in &criterion.answers {
        answer_lines(answer, out);
    }
}

fn answer_lines(answer: &CriterionAnswer, out: &mut String) {
    for cited in &answer.citations {
        let place = if cited.place.is_empty() { String::new() } else { format!(" {}", code(&cited.place)) };
        let quote = if cited.quote.is_empty() { String::new() } else { format!(" “{}”", escaped(&cited.quote)) };
        line(out, &format!("    - ✓{place}{quote}"));
    }
    if let Some(missing) = &answer.missing {
        line(out, &format!("    - ✗ missing: {}", escaped(missing)));
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Escapes one line of text, so that Markdown shows it unchanged; text between backticks is code, as on the page.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, piece) in pieces(text).into_iter().enumerate() {
        if index % 2 == 1 {
            out.push_str(&code(piece));
        } else {
            escape(piece, &mut out);
        }
    }
    out
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // A mention would notify somebody.
            '@' => out.push_str("&#64;"),
            '\\' | '*' | '[' | ']' | '`' | '~' => out.extend(['\\', character]),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
}

/// A code span whose fence is longer than any run of backticks inside.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let air = if longest > 0 { " " } else { "" };
    format!("{fence}{air}{text}{air}{fence}")
}
