//! Resolves the goals that a goal's `needs` names (`FORMAT.md` §1): by id, or by a subject that no other goal has. Every reader of
//! `needs` uses this module; `plan` itself writes ids.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::plan::model::{GoalRef, Key, Plan};

/// One goal that `needs` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The text in plan.md.
    pub written: String,
    /// The goal's id, else its subject; the written text if it names no goal.
    pub name: String,
    /// The indexes of the goals. Empty: no goal has this name, or several goals have this subject. Several: these goals have the
    /// same id.
    pub goals: Vec<usize>,
}

/// The names of a plan's goals, read once so that the needs of many goals can be resolved.
#[derive(Debug)]
pub struct NeedNames<'a> {
    ids: HashMap<&'a str, Vec<usize>>,
    /// Goals by subject in lower case; built once a name is no id.
    subjects: OnceCell<HashMap<String, Vec<usize>>>,
}

impl<'a> NeedNames<'a> {
    /// Reads the ids; reads none if no goal of the plan needs anything.
    pub fn new(plan: &Plan<'a>) -> Self {
        let mut ids: HashMap<&str, Vec<usize>> = HashMap::new();
        if plan.fields.iter().any(|field| field.key == Key::Needs) {
            plan.all_goals().filter_map(|goal| Some((goal.id()?, goal.index()))).for_each(|(id, index)| {
                ids.entry(id).or_default().push(index);
            });
        }
        NeedNames { ids, subjects: OnceCell::new() }
    }

    /// Returns the needs of a goal, in the order of plan.md.
    ///
    /// An item that contains a comma is one name if a goal has this name. Otherwise commas separate names, and spaces separate ids.
    pub fn of(&self, goal: GoalRef<'_, 'a>) -> Vec<Need> {
        if goal.field(Key::Needs).is_none() {
            return Vec::new();
        }
        let mut needs = Vec::new();
        for item in goal.list(Key::Needs) {
            let item = item.trim();
            match self.find(goal.plan(), item) {
                Some(need) if item.contains(',') => needs.push(need),
                _ => item.split(',').map(str::trim).for_each(|part| self.part(goal.plan(), part, &mut needs)),
            }
        }
        needs
    }

    /// Returns the goals with exactly this subject, in any case: goals above the archive, else archived goals.
    pub fn with_subject(&self, plan: &Plan<'a>, subject: &str) -> &[usize] {
        let subjects = self.subjects.get_or_init(|| {
            let mut subjects: HashMap<String, Vec<usize>> = HashMap::new();
            for archived in [false, true] {
                let mut found: HashMap<String, Vec<usize>> = HashMap::new();
                for goal in plan.all_goals().filter(|goal| goal.raw().archived == archived) {
                    found.entry(goal.subject().to_lowercase()).or_default().push(goal.index());
                }
                found.into_iter().for_each(|(subject, goals)| {
                    subjects.entry(subject).or_insert(goals);
                });
            }
            subjects
        });
        subjects.get(&subject.to_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }

    fn part(&self, plan: &Plan<'a>, part: &str, needs: &mut Vec<Need>) {
        if part.is_empty() {
            return;
        }
        let words: Vec<&str> = part.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
        let unknown = |text: &str| Need { written: text.to_owned(), name: text.to_owned(), goals: Vec::new() };
        let whole = self.find(plan, part);
        let is_list = words.len() > 1
            && whole.is_none()
            && words.iter().any(|word| self.ids.contains_key(word) || looks_like_id(word));
        match whole {
            Some(need) => needs.push(need),
            None if is_list => {
                needs.extend(words.iter().map(|word| self.find(plan, word).unwrap_or_else(|| unknown(word))));
            }
            None => needs.push(unknown(part)),
        }
    }

    /// Returns the goal with this id, else the only goal with this subject.
    fn find(&self, plan: &Plan<'a>, text: &str) -> Option<Need> {
        let need = |name: &str, goals: &[usize]| Need {
            written: text.to_owned(),
            name: name.to_owned(),
            goals: goals.to_vec(),
        };
        if let Some(goals) = self.ids.get(text) {
            return Some(need(text, goals));
        }
        match self.with_subject(plan, text) {
            [index] => Some(need(plan.goal(*index)?.name(), &[*index])),
            _ => None,
        }
    }
}

/// True if a word ends like the ids that `plan` gives: `cache-layer-1`.
fn looks_like_id(word: &str) -> bool {
    word.rsplit_once('-').is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{Need, NeedNames};
    use crate::plan::{Plan, parse};

    fn needs(value: &str, others: &str) -> Vec<(String, String, usize)> {
        let source = format!("## Goal: First\n<!-- id: first-1 -->\nneeds: {value}\n{others}");
        let plan: Plan<'_> = parse(source.as_bytes()).unwrap();
        let found = NeedNames::new(&plan).of(plan.goal(0).unwrap());
        found.into_iter().map(|Need { written, name, goals }| (written, name, goals.len())).collect()
    }

    const OTHERS: &str = "## Goal: Sort, then merge\n<!-- id: sort-1 -->\n## Goal: Load test\n<!-- id: load-test-1 -->\n\
        ## Goal: Bare goal\n## Goal: Twice\n<!-- id: twice-1 -->\n## Goal: twice\n<!-- id: twice-2 -->\n\
        # Archive\n## Goal: Old one\n<!-- id: old-1 -->\n## Goal: Load Test\n<!-- id: load-test-0 -->\n";

    fn one(written: &str, name: &str, goals: usize) -> (String, String, usize) {
        (written.to_owned(), name.to_owned(), goals)
    }

    #[test]
    fn a_need_is_an_id_or_a_subject_that_no_other_goal_has() {
        for (value, expected) in [
            ("load-test-1", vec![one("load-test-1", "load-test-1", 1)]),
            ("LOAD test", vec![one("LOAD test", "load-test-1", 1)]),
            ("load test, old one", vec![one("load test", "load-test-1", 1), one("old one", "old-1", 1)]),
            ("Sort, then merge", vec![one("Sort, then merge", "sort-1", 1)]),
            ("Bare goal", vec![one("Bare goal", "Bare goal", 1)]),
            ("sort-1 load-test-1", vec![one("sort-1", "sort-1", 1), one("load-test-1", "load-test-1", 1)]),
            ("sort-1 old", vec![one("sort-1", "sort-1", 1), one("old", "old", 0)]),
            ("no-1 no-2", vec![one("no-1", "no-1", 0), one("no-2", "no-2", 0)]),
            ("no such goal", vec![one("no such goal", "no such goal", 0)]),
            ("twice", vec![one("twice", "twice", 0)]),
            ("twice-1", vec![one("twice-1", "twice-1", 1)]),
            (", ,", vec![]),
        ] {
            assert_eq!(needs(value, OTHERS), expected, "{value}");
        }
    }

    #[test]
    fn several_goals_with_the_needed_id_are_all_meant() {
        let twins = "## Goal: a\n<!-- id: a-1 -->\n## Goal: b\n<!-- id: a-1 -->\n";
        assert_eq!(needs("a-1", twins), [one("a-1", "a-1", 2)]);
    }

    proptest::proptest! {
        /// A resolved need has a name that resolves to the same goals: writing it changes nothing.
        #[test]
        fn resolving_is_stable_when_the_name_is_written(
            subjects in proptest::collection::vec("[aB ,1é-]{1,8}", 1..6),
            value in "[aB ,1é-]{1,12}",
        ) {
            let goals: String = subjects.iter().enumerate()
                .map(|(at, subject)| format!("## Goal: {subject}\n<!-- id: g{at} -->\n")).collect();
            let first = needs(&value, &goals);
            let ids: Vec<String> = first.iter().filter(|need| need.2 > 0).map(|need| need.1.clone()).collect();
            let again = needs(&ids.join(", "), &goals);
            proptest::prop_assert_eq!(ids, again.iter().map(|need| need.1.clone()).collect::<Vec<_>>());
            proptest::prop_assert!(again.iter().all(|need| need.2 > 0));
        }
    }
}
