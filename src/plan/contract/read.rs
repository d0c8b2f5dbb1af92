//! Reads a goal contract back from its canonical form, as it is stored in a record.

use super::{Digest, GoalContract};
use crate::plan::model::Key;

impl GoalContract {
    /// Reads the contract with this canonical form; `None` if it is not exactly a canonical form. The input may be hostile.
    pub fn read(json: &str) -> Option<Self> {
        let parts: Vec<Vec<String>> = serde_json::from_str(json).ok()?;
        // It must serialize back to the same text, so that nothing unknown hides in it.
        if serde_json::to_string(&parts).ok()? != json {
            return None;
        }
        let mut contract = GoalContract {
            id: None,
            subject: String::new(),
            done_when: Vec::new(),
            verify: None,
            failure_modes: Vec::new(),
            needs: Vec::new(),
            kind: None,
            may_change: Vec::new(),
            json: json.to_owned(),
            digest: Digest::of(json.as_bytes()),
        };
        for part in &parts {
            let (key, values) = part.split_first()?;
            let one = || values.first().cloned().filter(|_| values.len() == 1);
            match key.as_str() {
                "id" => contract.id = Some(one()?),
                "subject" => contract.subject = one()?,
                "done_when" => contract.done_when = values.to_vec(),
                "verify" => contract.verify = Some(one()?),
                "failure_modes" => contract.failure_modes = values.to_vec(),
                "needs" => contract.needs = values.to_vec(),
                "kind" => contract.kind = Some(one()?),
                "may_change" => contract.may_change = values.to_vec(),
                _ => return None,
            }
        }
        Some(contract)
    }

    /// Whether the contract has a field with this key. Always false for keys that are never part of a contract.
    pub fn has(&self, key: Key) -> bool {
        let parts: Vec<Vec<String>> = serde_json::from_str(&self.json).unwrap_or_default();
        parts.iter().any(|part| part.first().is_some_and(|word| word == key.word()))
    }

    /// Returns the contract of a goal without an id as it is once the goal gets this id; nothing else changes. A contract with
    /// an id keeps its id.
    #[must_use]
    pub fn with_id(self, id: &str) -> Self {
        let parts: Result<Vec<Vec<String>>, _> = serde_json::from_str(&self.json);
        let Ok(mut parts) = parts else { return self };
        if self.id.is_some() {
            return self;
        }
        parts.insert(0, vec!["id".to_owned(), id.to_owned()]);
        let with = serde_json::to_string(&parts).ok().and_then(|json| GoalContract::read(&json));
        with.unwrap_or(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::contract::goal_contract;
    use crate::plan::parse;

    #[test]
    fn an_id_that_a_goal_is_given_changes_nothing_else() {
        let of = |id: &str| {
            let text = format!("## Goal: \"Fäst\"\n{id}done_when: a\nverify: true\n");
            goal_contract(parse(text.as_bytes()).unwrap().all_goals().next().unwrap())
        };
        let (without, with) = (of(""), of("<!-- id: fast-1 -->\n"));
        assert_eq!(without.with_id("fast-1"), with);
        assert_eq!(with.clone().with_id("other-1"), with);
    }

    // P-12, P-72
    #[test]
    fn a_contract_is_read_back_as_it_was() {
        let text = "## Goal: A \"b\" \\ c\n<!-- id: a-1 -->\ndone_when:\n- one\n- two  words\nverify: sh a.sh\n\
            failure_modes:\n- x (check: true)\nneeds: b-1\nkind: bugfix\nmay_change: tests/** a\n";
        let plan = parse(text.as_bytes()).unwrap();
        let contract = goal_contract(plan.goal(0).unwrap());
        assert_eq!(GoalContract::read(&contract.json), Some(contract));
    }

    #[test]
    fn what_is_no_contract_is_not_read() {
        for json in [
            "", "{}", "[]x", "[[]]", r#"[["id"]]"#, r#"[["other","x"]]"#, r#"[["verify","a","b"]]"#,
            r#"[["id", "a"]]"#, "[1]",
        ] {
            assert_eq!(GoalContract::read(json), None, "{json}");
        }
    }
}
