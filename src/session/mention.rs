//! Detects whether a user's message mentions the plan: its file, "the plan", or a goal by id or subject (`INJECTION.md` §4).

use super::plan_snapshot::PlanSnapshot;
use super::shell;
use super::stop_words::{has_phrase, plain, spoken};
use crate::plan::model::GoalRef;

/// The number of bytes at the start of a message that are searched.
const LONGEST: usize = 16 << 10;
/// The minimum length of a goal's subject that counts as a mention: shorter subjects occur in any text.
const SHORTEST: usize = 8;

/// The phrases by which users refer to the plan, or to parts that only a plan has, in plain form. For languages without articles
/// the list contains the noun alone.
#[rustfmt::skip]
const CALLED: [&str; 67] = [
    "the plan", "this plan", "our plan", "my plan", "your plan", "next goal", "every goal", "each goal", "all goals",
    "all the goals", "remaining goals", "open goals", "der plan", "dem plan", "den plan", "des plans", "diesen plan",
    "unser plan", "unseren plan", "im plan", "am plan", "laut plan", "le plan", "du plan", "au plan", "ce plan",
    "notre plan", "mon plan", "ton plan", "el plan", "del plan", "al plan", "este plan", "nuestro plan", "mi plan",
    "o plano", "do plano", "no plano", "ao plano", "nosso plano", "meu plano", "il piano", "del piano", "al piano",
    "nel piano", "sul piano", "nostro piano", "het plan", "dit plan", "ons plan", "planu", "planem", "planie",
    "planen", "план", "плана", "плану", "планом", "плане", "плані", "plani", "planin", "计划", "計劃", "計画", "계획", "플랜",
];

/// A mention of the plan in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    /// It does not mention the plan.
    None,
    /// It asks about the plan.
    Question,
    /// It says what to do with the plan.
    Instruction,
}

/// Returns what `text` says about the plan of `place`.
pub(super) fn mention(place: &PlanSnapshot<'_>, text: &str) -> Mention {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST).unwrap_or(text.len());
    let said = spoken(&text[..end]).join("\n");
    if !names(place, &said) {
        Mention::None
    } else if said.ends_with(['?', '？', '؟']) {
        Mention::Question
    } else {
        Mention::Instruction
    }
}

fn names(place: &PlanSnapshot<'_>, said: &str) -> bool {
    let (lower, plain) = (said.to_lowercase(), plain(said));
    let file = place.shown.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    shell::names(&lower, &file)
        || CALLED.iter().any(|words| has_phrase(&plain, words))
        || place.plan().is_some_and(|plan| plan.live_goals().any(|goal| is_named(goal, &lower, &plain)))
}

/// True if the text mentions the goal. An id of letters only counts only in backticks or after the word `goal` (`goal docs`).
fn is_named(goal: GoalRef<'_, '_>, lower: &str, said: &str) -> bool {
    let id = goal.id().unwrap_or_default().to_lowercase();
    let is_word = id.chars().all(char::is_alphabetic);
    let by_id = match is_word {
        true => !id.is_empty() && (lower.contains(&format!("`{id}`")) || has_phrase(said, &format!("goal {id}"))),
        false => shell::names(lower, &id),
    };
    let subject = plain(goal.subject());
    let is_long = if subject.is_ascii() {
        subject.contains(' ') && subject.len() >= SHORTEST
    } else {
        subject.chars().count() >= SHORTEST / 2
    };
    by_id || (is_long && has_phrase(said, &subject))
}
