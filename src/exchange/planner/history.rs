//! The history of a planner's session, read from the events of the steps that ran (`plan events`). There is no other state.
//!
//! ```text
//! execution     {goal, step, plan_step_id, plan_step_status, history, command, score}      a step or command came to its end
//! plan_created  {goal, revision: 0, steps: [numbers]}                                      a reply became a goal
//! plan_updated  {goal, revision: 1, steps: [numbers]}                                      a reply replaced what was not complete
//! ```

use serde_json::{Value, json};

/// The score of a command that never ran: it may work or fail.
const UNKNOWN: f64 = 0.5;

/// A step or a command that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The name of its goal; empty for a command without a goal.
    pub goal: String,
    /// The name of the step; empty for a command without a step.
    pub step: String,
    /// The command, with secrets masked; empty for a step without a command.
    pub command: String,
    /// True if it failed.
    pub is_failed: bool,
}

/// The runs and the plans of the events, in order.
#[derive(Clone, Debug, Default)]
pub struct History {
    runs: Vec<(u64, Run, f64)>,
    /// Goal, revision and the steps of each plan.
    plans: Vec<(String, u64, Vec<String>)>,
}

impl History {
    /// Reads the lines of `plan events`. It ignores every event that is neither a run nor a plan.
    pub fn read(lines: &[String]) -> Self {
        let mut history = History::default();
        for line in lines.iter().filter(|line| line.contains("\"history\":") || line.contains("\"revision\":")) {
            let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
            let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
            let (goal, step, command) = (text("goal"), text("step"), text("command"));
            if let Some(index) = event["history"].as_u64() {
                let run = Run { goal, step, command, is_failed: event["plan_step_status"] == "failed" };
                history.runs.push((index, run, event["score"].as_f64().unwrap_or(UNKNOWN)));
            } else if let Some(revision) = event["revision"].as_u64() {
                let steps = event["steps"].as_array().into_iter().flatten();
                let steps = steps.filter_map(|step| Some(step.as_str()?.to_owned())).collect();
                history.plans.push((goal, revision, steps));
            }
        }
        history
    }

    /// Adds a run. Returns the keys of its event: its index, its command, and the command's new score.
    pub fn push(&mut self, run: Run) -> Value {
        let index = self.runs.iter().map(|(index, ..)| index + 1).max().unwrap_or_default();
        let came = if run.is_failed { 0.0 } else { 1.0 };
        let score = ((self.score(&run.command) + came) * 500.0).round() / 1000.0;
        let event = match run.command.as_str() {
            "" => json!({ "history": index }),
            command => json!({ "history": index, "command": command, "score": score }),
        };
        self.runs.push((index, run, score));
        event
    }

    /// The score of a command: 1 always worked, 0 never did. The newest run weighs as much as all earlier runs.
    pub fn score(&self, command: &str) -> f64 {
        let last = self.runs.iter().rev().find(|(_, run, _)| !command.is_empty() && run.command == command);
        last.map_or(UNKNOWN, |(.., score)| *score)
    }

    /// Each command that ran, with its score, the lowest first.
    pub fn scores(&self) -> Vec<(&str, f64)> {
        let mut scores: Vec<(&str, f64)> = Vec::new();
        for (_, run, score) in self.runs.iter().rev().filter(|(_, run, _)| !run.command.is_empty()) {
            if !scores.iter().any(|(command, _)| *command == run.command) {
                scores.push((&run.command, *score));
            }
        }
        scores.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        scores
    }

    /// Looks at the newest runs, at most `most`. Returns their number and how many of them failed.
    pub fn newest(&self, most: usize) -> (usize, usize) {
        let newest = self.runs.iter().rev().take(most);
        (newest.len(), newest.filter(|(_, run, _)| run.is_failed).count())
    }

    /// The indexes of a step's runs, in the order of the runs.
    pub fn of_step(&self, goal: &str, step: &str) -> Vec<u64> {
        let is_its = |run: &Run| run.goal == goal && run.step == step;
        self.runs.iter().filter(|(_, run, _)| is_its(run)).map(|(index, ..)| *index).collect()
    }

    /// How often a step's command has failed in this goal since it last worked. Without a command, the failures of the step count.
    pub fn failures(&self, goal: &str, step: &str, command: &str) -> usize {
        let is_its =
            |run: &Run| run.goal == goal && if command.is_empty() { run.step == step } else { run.command == command };
        let runs = self.runs.iter().rev().map(|(_, run, _)| run).filter(|run| is_its(run));
        runs.take_while(|run| run.is_failed).count()
    }

    /// How often a reply has replaced the incomplete steps of a goal.
    pub fn revision(&self, goal: &str) -> u64 {
        self.plans.iter().filter(|(name, ..)| name == goal).map(|(_, revision, _)| *revision).max().unwrap_or_default()
    }

    /// The id of a step that came with a reply: its position in the reply, with the revision in front unless it is 0.
    pub(super) fn id(&self, goal: &str, step: &str) -> Option<String> {
        let plans = self.plans.iter().rev().filter(|(name, ..)| name == goal);
        plans.into_iter().find_map(|(_, revision, steps)| {
            let position = steps.iter().position(|name| name == step)? + 1;
            Some(if *revision == 0 { position.to_string() } else { format!("r{revision}-{position}") })
        })
    }
}
