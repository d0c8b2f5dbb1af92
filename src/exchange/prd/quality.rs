//! The quality rules of user stories. They find weak stories in a file that is valid by the schema. All rules are in one table, and each
//! has its own check function.

use super::words::{SEEN, UNTESTABLE, VAGUE_THINGS, VAGUE_VERBS, WORK, begins_with, holds, is_english, is_measured};
use super::{Prd, Story};
use crate::plan::model::Severity;

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// A stable name.
    pub code: &'static str,
    /// The key of the story or file that it checks.
    pub key: &'static str,
    /// An error is refused by the consumers of the file; a warning makes a story hard to finish.
    pub severity: Severity,
    /// The rule in words.
    pub rule: &'static str,
    /// How to fix a violation.
    pub remedy: &'static str,
    /// An example of a finding, in its exact wording.
    pub found: &'static str,
    check: RuleCheck,
}

/// The check function of a rule, by the part that it checks.
#[derive(Debug)]
enum RuleCheck {
    /// Checks the list of stories.
    Stories(fn(&[Story]) -> Option<String>),
    /// Checks one story.
    Story(fn(&Story) -> Vec<String>),
    /// Checks one criterion.
    Criterion(fn(&str) -> Option<String>),
}

/// A violation of a quality rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualityFinding {
    /// The index of the story; `None` for the list.
    pub story: Option<usize>,
    /// The index of the criterion, if the finding is about one.
    pub criterion: Option<usize>,
    /// The index of the rule in [`RULES`].
    pub rule: usize,
    /// A text that tells what was found.
    pub what: String,
}

impl QualityFinding {
    /// Returns the violated rule.
    pub fn rule(&self) -> &'static Rule {
        &RULES[self.rule]
    }

    /// The message, with the name of the story in front.
    pub fn message(&self, name: &str) -> String {
        match (self.story, self.criterion) {
            (Some(_), Some(criterion)) => format!("{name} C{} {}", criterion + 1, self.what),
            (Some(_), None) => format!("{name}: {}", self.what),
            _ => self.what.clone(),
        }
    }
}

/// The most stories in a file.
pub const MOST_STORIES: usize = 15;
/// The fewest criteria of a story.
const FEWEST_CRITERIA: usize = 2;
/// A story with more criteria should be two stories.
const MOST_CRITERIA: usize = 7;

/// All rules, in the order in which findings about one story are reported.
pub const RULES: [Rule; 11] = [
    Rule {
        code: "story-count",
        key: "user_stories",
        severity: Severity::Error,
        rule: "1 to 15 stories",
        remedy: "write the first story, or split the plan in two",
        found: "stories: 16, expected 1 to 15",
        check: RuleCheck::Stories(count),
    },
    Rule {
        code: "story-id",
        key: "id",
        severity: Severity::Error,
        rule: "the id is `US-` and a number, or `US-`, three digits of the item, `-` and a number",
        remedy: "call it like `US-001` or `US-059-001`",
        found: "STORY-1: id is not US-###",
        check: RuleCheck::Story(id),
    },
    Rule {
        code: "story-priority",
        key: "priority",
        severity: Severity::Error,
        rule: "the priority is 1 (core) to 4 (optional)",
        remedy: "1 is what the rest needs, 4 is what can be left out",
        found: "US-001: priority 5, expected 1 to 4",
        check: RuleCheck::Story(priority),
    },
    Rule {
        code: "criteria-count",
        key: "acceptance_criteria",
        severity: Severity::Error,
        rule: "2 criteria or more",
        remedy: "say what is true when it is done, and one thing more: a bound, an error, an edge",
        found: "US-001: 1 criterion, expected 2 or more",
        check: RuleCheck::Story(criteria),
    },
    Rule {
        code: "blank-criterion",
        key: "acceptance_criteria",
        severity: Severity::Error,
        rule: "no criterion is blank",
        remedy: "write it or remove it",
        found: "US-001 C2 is blank",
        check: RuleCheck::Criterion(blank),
    },
    Rule {
        code: "too-large",
        key: "acceptance_criteria",
        severity: Severity::Warning,
        rule: "7 criteria at most; 3 to 7 are good",
        remedy: "split the story",
        found: "US-001: 9 criteria, expected 7 or fewer",
        check: RuleCheck::Story(too_large),
    },
    Rule {
        code: "vague-title",
        key: "title",
        severity: Severity::Warning,
        rule: "the title says an outcome or a measure, not that something is improved",
        remedy: "say what will be true: `p95 of search is below 50 ms`",
        found: "US-001: vague title: Improve, performance, no measure",
        check: RuleCheck::Story(vague),
    },
    Rule {
        code: "bundled",
        key: "title",
        severity: Severity::Warning,
        rule: "one goal in one title",
        remedy: "make a story of each",
        found: "US-001: three goals in one title (and … and)",
        check: RuleCheck::Story(bundled),
    },
    Rule {
        code: "steps-not-outcome",
        key: "acceptance_criteria",
        severity: Severity::Warning,
        rule: "criteria say what is true afterwards, not what to do to which file",
        remedy: "say what a user or a test sees; the work is steps of the goal (`plan step add`)",
        found: "US-001: steps of implementation, not an outcome",
        check: RuleCheck::Story(steps),
    },
    Rule {
        code: "untestable",
        key: "acceptance_criteria",
        severity: Severity::Warning,
        rule: "a criterion is something that a test can find true or false",
        remedy: "say what is seen or measured, and where",
        found: "US-001 C1 `works well` cannot be tested",
        check: RuleCheck::Criterion(untestable),
    },
    Rule {
        code: "no-verification",
        key: "acceptance_criteria",
        severity: Severity::Warning,
        rule: "a criterion names a test, a command, a number or something seen",
        remedy: "say how somebody who did not do the work finds out that it is done",
        found: "US-001: no criterion names a test, a command, a number or something seen",
        check: RuleCheck::Story(no_verification),
    },
];

/// Returns the violations in a file: of the list first, then story by story.
pub fn findings(prd: &Prd) -> Vec<QualityFinding> {
    let mut found = Vec::new();
    for (rule, entry) in RULES.iter().enumerate() {
        if let RuleCheck::Stories(check) = entry.check {
            let what = check(&prd.user_stories);
            found.extend(what.map(|what| QualityFinding { story: None, criterion: None, rule, what }));
        }
    }
    for (index, story) in prd.user_stories.iter().enumerate() {
        for (rule, entry) in RULES.iter().enumerate() {
            let finding = |criterion, what| QualityFinding { story: Some(index), criterion, rule, what };
            match entry.check {
                RuleCheck::Stories(_) => {}
                RuleCheck::Story(check) => found.extend(check(story).into_iter().map(|what| finding(None, what))),
                RuleCheck::Criterion(check) => {
                    let criteria = story.acceptance_criteria.iter().enumerate();
                    found.extend(criteria.filter_map(|(at, text)| Some(finding(Some(at), check(text)?))));
                }
            }
        }
    }
    found
}

fn count(stories: &[Story]) -> Option<String> {
    let count = stories.len();
    (!(1..=MOST_STORIES).contains(&count)).then(|| format!("stories: {count}, expected 1 to {MOST_STORIES}"))
}

/// Returns the id with this number: `US-001`.
pub fn story_id(number: usize) -> String {
    format!("US-{number:03}")
}

/// True if the id is `US-` and a number, or `US-`, three digits, `-` and a number.
pub fn is_story_id(id: &str) -> bool {
    id_parts(id).is_some_and(|item| item.is_none_or(|item| item.len() == 3))
}

/// Returns the item part of an id with two numbers, `Some(None)` for one number, and `None` for any other id.
fn id_parts(id: &str) -> Option<Option<&str>> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let rest = id.strip_prefix("US-")?;
    match rest.split_once('-') {
        Some((item, number)) => (is_number(item) && is_number(number)).then_some(Some(item)),
        None => is_number(rest).then_some(None),
    }
}

fn id(story: &Story) -> Vec<String> {
    match id_parts(&story.id) {
        _ if is_story_id(&story.id) => Vec::new(),
        Some(_) => vec!["the item part has three digits".to_owned()],
        None => vec!["id is not US-###".to_owned()],
    }
}

fn priority(story: &Story) -> Vec<String> {
    let is_wrong = !(1..=4).contains(&story.priority);
    is_wrong.then(|| format!("priority {}, expected 1 to 4", story.priority)).into_iter().collect()
}

fn criteria(story: &Story) -> Vec<String> {
    match story.acceptance_criteria.len() {
        1 => vec![format!("1 criterion, expected {FEWEST_CRITERIA} or more")],
        count if count < FEWEST_CRITERIA => vec![format!("{count} criteria, expected {FEWEST_CRITERIA} or more")],
        _ => Vec::new(),
    }
}

fn too_large(story: &Story) -> Vec<String> {
    let count = story.acceptance_criteria.len();
    (count > MOST_CRITERIA)
        .then(|| format!("{count} criteria, expected {MOST_CRITERIA} or fewer"))
        .into_iter()
        .collect()
}

fn blank(criterion: &str) -> Option<String> {
    criterion.trim().is_empty().then(|| "is blank".to_owned())
}

fn vague(story: &Story) -> Vec<String> {
    let title = story.title.to_lowercase();
    if is_measured(&title) || !begins_with(&title, &VAGUE_VERBS) {
        return Vec::new();
    }
    let first = story.title.split_whitespace().next().unwrap_or_default();
    let things = VAGUE_THINGS.iter().copied().filter(|thing| holds(&title, thing));
    let words: Vec<&str> = std::iter::once(first).chain(things).chain(["no measure"]).collect();
    vec![format!("vague title: {}", words.join(", "))]
}

fn bundled(story: &Story) -> Vec<String> {
    let title = story.title.to_lowercase();
    let goals = title.split(" and ").filter(|part| begins_with(part.trim(), &WORK)).count();
    let number = match goals {
        0 | 1 => return Vec::new(),
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        more => more.to_string(),
    };
    vec![format!("{number} goals in one title ({})", vec!["and"; goals - 1].join(" … "))]
}

/// Reports a story if more than half of its criteria are work.
fn steps(story: &Story) -> Vec<String> {
    let work = story.acceptance_criteria.iter().filter(|text| begins_with(&text.to_lowercase(), &WORK)).count();
    let is_checklist = work >= FEWEST_CRITERIA && 2 * work > story.acceptance_criteria.len();
    is_checklist.then(|| "steps of implementation, not an outcome".to_owned()).into_iter().collect()
}

fn untestable(criterion: &str) -> Option<String> {
    let text = criterion.to_lowercase();
    let phrase = UNTESTABLE.iter().find(|phrase| holds(&text, phrase)).filter(|_| !is_measured(&text))?;
    Some(format!("`{phrase}` cannot be tested"))
}

/// Reports nothing if another rule already criticizes the criteria.
fn no_verification(story: &Story) -> Vec<String> {
    let criteria = &story.acceptance_criteria;
    let is_said =
        !criteria_are_judged(story) || criteria.iter().any(|text| untestable(text).is_some() || blank(text).is_some());
    let is_named = |text: &String| {
        let lower = text.to_lowercase();
        is_measured(&lower) || !is_english(text) || SEEN.iter().any(|word| holds(&lower, word))
    };
    if is_said || criteria.iter().any(is_named) {
        return Vec::new();
    }
    vec!["no criterion names a test, a command, a number or something seen".to_owned()]
}

fn criteria_are_judged(story: &Story) -> bool {
    criteria(story).is_empty() && steps(story).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    // W-15: the examples of the documentation are findings of their own rule, word for word
    #[test]
    fn each_rule_finds_its_example() {
        for rule in &RULES {
            let text = rule.found;
            assert!(rule.rule.len() < 100 && !rule.remedy.is_empty() && !text.is_empty(), "{}", rule.code);
        }
        let story = |title: &str, criteria: &[&str]| Story {
            id: "US-001".to_owned(),
            title: title.to_owned(),
            acceptance_criteria: criteria.iter().map(|&text| text.to_owned()).collect(),
            priority: 1,
            ..Story::default()
        };
        let found = |story: Story| -> Vec<String> {
            let name = story.id.clone();
            let prd = Prd { user_stories: vec![story], ..Prd::default() };
            findings(&prd).iter().map(|finding| format!("{} {}", finding.rule().code, finding.message(&name))).collect()
        };
        let good = ["20 orders a minute", "no double in 100 drills"];
        let nine = ["shows 1"; 9];
        let cases = [
            (story("Orders survive", &good), ""),
            (Story { id: "STORY-1".to_owned(), ..story("a", &good) }, "story-id"),
            (Story { priority: 5, ..story("a", &good) }, "story-priority"),
            (story("a", &["It is stored"]), "criteria-count"),
            (story("a", &["shows 1", " "]), "blank-criterion"),
            (story("a", &nine), "too-large"),
            (story("Improve performance", &good), "vague-title"),
            (story("Improve p95 to 50 ms", &good), ""),
            (story("Improvements are listed", &good), ""),
            (story("Refactor a and add b and update c", &good), "bundled"),
            (story("Orders and receipts and refunds print", &good), ""),
            (story("a", &["Create x.py", "Add class Queue", "It says 3"]), "steps-not-outcome"),
            (story("a", &["Add-ons are listed", "Importing says 3"]), ""),
            (story("a", &["Works well", "says 3"]), "untestable"),
            (story("a", &["Works well: p95 under 50 ms", "says 3"]), ""),
            (story("a", &["Orders are kept", "Orders are sent later"]), "no-verification"),
            (story("a", &["Bestellungen bleiben, wo sie waren", "sie gehen später hinaus"]), ""),
        ];
        for (story, code) in cases {
            let (title, criteria) = (story.title.clone(), story.acceptance_criteria.clone());
            let found = found(story);
            let example = RULES.iter().find(|rule| rule.code == code).map(|rule| format!("{code} {}", rule.found));
            assert_eq!(found, example.into_iter().collect::<Vec<_>>(), "{title}: {criteria:?}");
        }
    }
}
