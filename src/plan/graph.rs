//! Draws goals, their needs and their steps as a graph (`CLI.md`, `plan show --format`).

pub mod layout;

use std::collections::HashMap;
use std::fmt::Write;

use super::lookup::{Need, NeedNames};
use super::model::{GoalRef, Mark, Plan, Status};
use super::text::is_hidden;

/// Returns a Mermaid flowchart: a node for each goal, an arrow from a needed goal to the goal that needs it, steps in a subgraph.
pub fn mermaid(plan: &Plan<'_>) -> String {
    let mut out = String::from("flowchart TD\n");
    for goal in plan.live_goals() {
        let (node, label) = (node(goal), mermaid_label(&goal_label(goal)));
        let class = goal.status().word();
        if goal.steps().is_empty() {
            let _ = writeln!(out, "  {node}[\"{label}\"]:::{class}");
            continue;
        }
        let _ = writeln!(out, "  subgraph {node}[\"{label}\"]");
        for (index, step) in steps(goal) {
            let _ = writeln!(out, "    s{index}[\"{}\"]:::{}", mermaid_label(&step), plan.steps[index].mark.word());
        }
        let _ = writeln!(out, "  end\n  class {node} {class}");
    }
    for (from, to) in edges(plan) {
        let _ = writeln!(out, "  g{from} --> g{to}");
    }
    for (from, to) in step_edges(plan) {
        let _ = writeln!(out, "  s{from} -.-> s{to}");
    }
    out.push_str("  classDef active stroke-width:3px\n  classDef done,complete stroke:#2a2\n  classDef failed stroke:#c22\n  classDef cancelled,skipped stroke-dasharray:4\n");
    out
}

/// Returns a Graphviz digraph with the same nodes and arrows.
pub fn dot(plan: &Plan<'_>) -> String {
    let mut out = String::from("digraph plan {\n  rankdir=TB;\n  compound=true;\n  node [shape=box];\n");
    for goal in plan.live_goals() {
        let (node, label) = (node(goal), dot_label(&goal_label(goal)));
        let style = match goal.status() {
            Status::Open => "solid",
            Status::Active => "bold",
            Status::Done => "filled",
            Status::Cancelled => "dashed",
        };
        let _ = writeln!(out, "  {node} [label=\"{label}\", style={style}];");
        for (index, step) in steps(goal) {
            let style = match plan.steps[index].mark {
                Mark::Pending => "solid",
                Mark::Active => "bold",
                Mark::Complete => "filled",
                Mark::Failed => "diagonals",
                Mark::Skipped => "dashed",
            };
            let _ = writeln!(
                out,
                "  s{index} [label=\"{}\", shape=plain, style={style}];\n  {node} -> s{index} [arrowhead=none, style=dotted];",
                dot_label(&step)
            );
        }
    }
    for (from, to) in edges(plan) {
        let _ = writeln!(out, "  g{from} -> g{to};");
    }
    for (from, to) in step_edges(plan) {
        let _ = writeln!(out, "  s{from} -> s{to} [style=dashed];");
    }
    out.push_str("}\n");
    out
}

fn node(goal: GoalRef<'_, '_>) -> String {
    format!("g{}", goal.index())
}

fn goal_label(goal: GoalRef<'_, '_>) -> String {
    match goal.id() {
        Some(id) => format!("{id}: {}", goal.subject()),
        None => goal.subject().to_owned(),
    }
}

/// Returns the index in [`Plan::steps`] and the label of each step.
fn steps(goal: GoalRef<'_, '_>) -> impl Iterator<Item = (usize, String)> {
    let (plan, first) = (goal.plan(), goal.raw().steps.start as usize);
    goal.steps().iter().enumerate().map(move |(at, step)| {
        let number = step.number.map(|number| format!("{number}. ")).unwrap_or_default();
        (first + at, format!("[{}] {number}{}", step.mark.character(), plan.text(step.text)))
    })
}

/// Returns edges from a needed goal to the goal that needs it, as indices. Names that match no live goal are left out.
pub fn edges(plan: &Plan<'_>) -> Vec<(usize, usize)> {
    let names = NeedNames::new(plan);
    let is_live = |index: &usize| plan.goal(*index).is_some_and(|goal| !goal.raw().archived);
    let first = |need: Need| need.goals.into_iter().find(is_live);
    plan.live_goals()
        .flat_map(|goal| names.of(goal).into_iter().filter_map(first).map(move |from| (from, goal.index())))
        .collect()
}

fn step_edges(plan: &Plan<'_>) -> Vec<(usize, usize)> {
    let live = |step: usize| plan.goal(plan.steps[step].goal as usize).is_some_and(|goal| !goal.raw().archived);
    let mut by_number = HashMap::new();
    for (index, step) in plan.steps.iter().enumerate().filter(|(index, _)| live(*index)) {
        if let Some(number) = step.number {
            by_number.entry(number).or_insert(index);
        }
    }
    let afters = |index: usize| {
        let range = &plan.steps[index].after;
        &plan.afters[range.start as usize..range.end as usize]
    };
    (0..plan.steps.len())
        .filter(|index| live(*index))
        .flat_map(|to| {
            afters(to)
                .iter()
                .filter_map(|number| by_number.get(number))
                .map(move |from| (*from, to))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Escapes text for use between quotes: characters that Mermaid would read as markup or HTML become entities.
fn mermaid_label(text: &str) -> String {
    let mut label = String::with_capacity(text.len());
    for c in shown(text) {
        match c {
            '"' | '<' | '>' | '&' | '#' | '`' | '%' | ';' | '\\' | '{' | '}' => {
                let _ = write!(label, "#{};", u32::from(c));
            }
            c => label.push(c),
        }
    }
    label
}

/// Escapes text for use between quotes; a bare backslash would begin an escape.
fn dot_label(text: &str) -> String {
    let mut label = String::with_capacity(text.len());
    for c in shown(text) {
        if matches!(c, '"' | '\\') {
            label.push('\\');
        }
        label.push(c);
    }
    label
}

fn shown(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !is_hidden(*c))
}

#[cfg(test)]
mod tests {
    use super::{dot, mermaid};
    use crate::plan::parse;

    const SOURCE: &str = "## Goal: A \"b\" <script> #1; \\n\n<!-- id: a-1 -->\nstatus: done\n## Goal: C\nneeds: a-1, nobody\n- [x] 1. one\n- [ ] 2. two (after 1)\n# Archive\n## Goal: D\nneeds: a-1\n";

    #[test]
    fn mermaid_has_nodes_arrows_and_no_markup_from_the_plan() {
        let text = mermaid(&parse(SOURCE.as_bytes()).unwrap());
        let expected = "flowchart TD
  g0[\"a-1: A #34;b#34; #60;script#62; #35;1#59; #92;n\"]:::done
  subgraph g1[\"C\"]
    s0[\"[x] 1. one\"]:::complete
    s1[\"[ ] 2. two\"]:::pending
  end
  class g1 open
  g0 --> g1
  s0 -.-> s1
";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn dot_has_nodes_arrows_and_escaped_labels() {
        let text = dot(&parse(SOURCE.as_bytes()).unwrap());
        for line in [
            "  g0 [label=\"a-1: A \\\"b\\\" <script> #1; \\\\n\", style=filled];",
            "  g1 [label=\"C\", style=solid];",
            "  s1 [label=\"[ ] 2. two\", shape=plain, style=solid];",
            "  g0 -> g1;",
            "  s0 -> s1 [style=dashed];",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        assert!(!text.contains("g2"));
    }
}
