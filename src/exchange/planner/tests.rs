//! Every sample of fixtures/exchange/planner, held against expected.tsv.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{READER, Reply, export, read};
use crate::exchange::{ReadOptions, SourceFile, write};
use crate::plan::change::edits;
use crate::plan::edit::apply;
use crate::plan::{lint, parse};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/exchange/planner")
}

fn files(name: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder().join(name)).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: PathBuf| {
        (format!("{name}/{}", path.file_name().unwrap().to_str().unwrap()), std::fs::read_to_string(path).unwrap())
    };
    entries.map(named).collect()
}

#[test]
fn every_violation_of_an_invalid_reply_is_named_at_once() {
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(folder().join("expected.tsv")).unwrap().lines().skip(1) {
        let (file, violation) = line.split_once('\t').unwrap();
        expected.entry(file.to_owned()).or_default().insert(violation.to_owned());
    }
    for (name, text) in files("invalid") {
        let found: BTreeSet<String> = read(text.as_bytes()).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(found, expected[&name], "{name}");
    }
}

#[test]
fn a_plan_becomes_one_goal_with_its_steps() {
    for (name, text) in files("valid") {
        let reply = read(text.as_bytes()).unwrap();
        let list = (READER.read)(&[SourceFile::new(name.clone(), text)], &ReadOptions::default());
        let Reply::Plan(planned) = reply else {
            assert!(list.unwrap_err().message.ends_with("and no plan"), "{name}");
            continue;
        };
        let list = list.unwrap();
        let source = b"# Plan: x\n\n## Log\n";
        let plan = parse(source).unwrap();
        let import = write(&plan, &list, false, "2026-06-15 14:33").unwrap();
        let after = apply(source, &edits(&plan, &import.changes).unwrap()).unwrap();
        let plan = parse(&after).unwrap();
        assert!(lint::errors(&plan).is_empty(), "{name}");
        let steps: Vec<_> = (0..plan.steps.len()).filter_map(|at| plan.step(at)).collect();
        assert_eq!((plan.goals.len(), steps.len()), (1, planned.steps.len()), "{name}");
        for (step, planned) in steps.iter().zip(&planned.steps) {
            assert_eq!((step.text(), step.run()), (planned.label(), planned.command.as_deref()), "{name}");
        }
        assert_eq!(write(&plan, &list, false, "2026-06-15 14:33").unwrap().changes, [], "{name}");
        // And out again: what a step says and how far it is.
        let (state, skipped) = export(plan.goal(0).unwrap()).unwrap();
        let Ok(Reply::Plan(again)) = read(state.to_string().as_bytes()) else { panic!("{name}: {state}") };
        let of = |plan: &super::PlannedSteps| -> Vec<_> {
            plan.steps.iter().map(|step| (step.label().to_owned(), step.command.clone(), step.status)).collect()
        };
        assert_eq!((of(&again), skipped), (of(&planned), 0), "{name}");
    }
}
