//! Reports the quality rules as findings with a place, for a prd.json and for the goals of a plan.

use super::export::story_goals;
use super::quality::{self, QualityFinding, findings};
use super::{Prd, Refusal, Story, placed};
use crate::plan::model::{Field, GoalRef, Key, LintFinding, Plan, Span};

/// Returns the findings about a prd.json.
///
/// # Errors
/// The source is not a prd.json.
pub fn file(source: &[u8]) -> Result<Vec<LintFinding>, Refusal> {
    let (prd, document) = placed(source)?;
    let found = findings(&prd).into_iter().map(|found| {
        let pointer = match (found.story, found.criterion) {
            (Some(story), Some(criterion)) => format!("/user_stories/{story}/acceptance_criteria/{criterion}"),
            (Some(story), None) => format!("/user_stories/{story}/{}", found.rule().key),
            _ => "/user_stories".to_owned(),
        };
        let start = document.offset(&pointer).unwrap_or_default();
        let length = source[start..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
        let name = found.story.map_or("", |story| &prd.user_stories[story].id);
        finding(&found, name, Span::new(start..start + length))
    });
    Ok(found.collect())
}

/// Returns the findings about the goals of a plan, checked as the stories that `plan export prd` makes of them.
pub fn goals(plan: &Plan<'_>) -> Vec<LintFinding> {
    let goals = story_goals(plan);
    let story = |goal: &GoalRef<'_, '_>| Story {
        // The export gives a valid id, so any valid id does here.
        id: quality::story_id(1),
        title: goal.subject().to_owned(),
        acceptance_criteria: goal.criteria().into_iter().map(std::borrow::Cow::into_owned).collect(),
        priority: goal.priority().into(),
        ..Story::default()
    };
    let prd = Prd { user_stories: goals.iter().map(story).collect(), ..Prd::default() };
    let place = |found: &QualityFinding| {
        let Some(goal) = found.story.map(|story| goals[story]) else { return (String::new(), Span::default()) };
        let field = goal.field(Key::DoneWhen).filter(|_| found.rule().key == "acceptance_criteria");
        let span = field.and_then(|field| criterion(plan, field, found.criterion?)).unwrap_or(goal.raw().subject);
        (goal.name().to_owned(), span)
    };
    let found = findings(&prd);
    let found = found.iter().map(|found| {
        let (name, span) = place(found);
        finding(found, &name, span)
    });
    found.collect()
}

/// Returns the place of a criterion: behind the colon, or in the list below.
fn criterion(plan: &Plan<'_>, field: &Field, index: usize) -> Option<Span> {
    let items = &plan.items[field.items.start as usize..field.items.end as usize];
    let behind = Some(field.value).filter(|value| !value.is_empty());
    behind.into_iter().chain(items.iter().map(|item| item.text)).nth(index)
}

fn finding(found: &QualityFinding, name: &str, span: Span) -> LintFinding {
    let rule = found.rule();
    LintFinding {
        code: rule.code,
        severity: rule.severity,
        span,
        message: found.message(name),
        remedy: rule.remedy.to_owned(),
    }
}
