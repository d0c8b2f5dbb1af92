//! A goal contract from its canonical form, as a record keeps it.

use serde_json::Value;

use super::{Digest, GoalContract, folded};
use crate::plan::contract::canonical::Canonical;

impl GoalContract {
    /// Reads the canonical form. The value may come from anybody: a key that is unknown, twice or out of order, or a value
    /// that is no text, is no contract, so that one digest stands for one contract only.
    pub fn read(value: &Value) -> Option<Self> {
        let mut contract = GoalContract {
            id: None,
            subject: String::new(),
            done_when: Vec::new(),
            verify: None,
            failure_modes: Vec::new(),
            needs: Vec::new(),
            kind: None,
            may_change: Vec::new(),
            json: String::new(),
            digest: Digest::of(b""),
        };
        for entry in value.as_array()? {
            let (key, values) = entry.as_array()?.split_first()?;
            let values: Vec<String> = values.iter().map(|value| value.as_str().map(folded)).collect::<Option<_>>()?;
            contract.take(key.as_str()?, values)?;
        }
        let mut canonical = Canonical::default();
        contract.write(&mut canonical);
        contract.digest = Digest::of(canonical.bytes());
        contract.json = canonical.into_string();
        (serde_json::from_str::<Value>(&contract.json).ok().as_ref() == Some(value)).then_some(contract)
    }

    fn take(&mut self, key: &str, mut values: Vec<String>) -> Option<()> {
        let mut one = || if values.len() == 1 { values.pop() } else { None };
        match key {
            "id" => self.id = Some(one()?),
            "subject" => self.subject = one()?,
            "verify" => self.verify = Some(one()?),
            "kind" => self.kind = Some(one()?),
            "done_when" => self.done_when = values,
            "failure_modes" => self.failure_modes = values,
            "needs" => self.needs = values,
            "may_change" => self.may_change = values,
            _ => return None,
        }
        Some(())
    }

    fn write(&self, out: &mut Canonical) {
        out.open();
        out.entry("id", self.id.as_ref());
        out.entry("subject", Some(&self.subject).filter(|text| !text.is_empty()));
        out.entry("done_when", &self.done_when);
        out.entry("verify", self.verify.as_ref());
        out.entry("failure_modes", &self.failure_modes);
        out.entry("needs", &self.needs);
        out.entry("kind", self.kind.as_ref());
        out.entry("may_change", &self.may_change);
        out.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::contract::goal_contract;
    use crate::plan::parse;

    const PLAN: &[u8] = b"## Goal: Make \"it\"  fast\n<!-- id: a-1 -->\ndone_when:\n- one\n- two\nverify: sh  a.sh\nfailure_modes: x (check: y)\n\
        needs: b-1, c-1\nkind: bugfix\nmay_change: tests/**\n";

    #[test]
    fn what_was_written_is_read() {
        for source in [PLAN, b"## Goal: x\n", b"## Goal:\n"] {
            let plan = parse(source).unwrap();
            let contract = goal_contract(plan.goal(0).unwrap());
            let value = serde_json::from_str(&contract.json).unwrap();
            assert_eq!(GoalContract::read(&value), Some(contract));
        }
    }

    #[test]
    fn anything_else_is_no_contract() {
        for text in [
            "null",
            "{}",
            "[[]]",
            r#"[["id"]]"#,
            r#"[["id",1]]"#,
            r#"[["id","a","b"]]"#,
            r#"[["other","a"]]"#,
            r#"[["subject","a"],["id","b"]]"#,
            r#"[["id","a"],["id","a"]]"#,
            r#"[["subject","a  b"]]"#,
            r#"[["done_when"]]"#,
        ] {
            assert_eq!(GoalContract::read(&serde_json::from_str(text).unwrap()), None, "{text}");
        }
    }
}
