//! The scenes of `plan demo`: four goals, one of them gamed, and one that a merge makes untrue.

use super::stage::{JUDGE, Ran, Stage};
use crate::error::{Error, Kind, Result};
use crate::plan::view::{Row, Style};
use crate::ui::Ui;

const GREET: &str = "echo hi\n";
const GREET_NAME: &str = "echo \"Hello, $1\"\n";
const GREET_NOBODY: &str = "[ -n \"$1\" ] || exit 2\necho \"Hello, $1\"\n";
const TEST: &str = "said=$(sh greet.sh Ada)\nif [ \"$said\" != \"Hello, Ada\" ]; then echo \"expected Hello, Ada, got $said\"; exit 1; fi\n\
     echo \"ok: $said\"\n";
const EMPTY: &str =
    "if sh greet.sh '' 2>/dev/null; then echo 'an empty name was greeted'; exit 1; fi\necho 'ok: refused'\n";
const WAVE: &str = "echo 'Bye, Ada'\n";
const WAVES: &str = "[ \"$(sh wave.sh)\" = 'Bye, Ada' ] || { echo 'expected Bye, Ada'; exit 1; }\n";
const LOUD: &str = "said=$(sh greet.sh Ada --loud)\nif [ \"$said\" != \"HELLO, ADA\" ]; then echo \"expected HELLO, ADA, got $said\"; exit 1; fi\n\
     echo \"ok: $said\"\n";

/// The play, scene by scene. It stops at the first command that does not end as it must.
pub(super) struct Play<'s> {
    ui: &'s Ui,
    stage: &'s Stage<'s>,
    /// The commands so far.
    pub(super) ran: Vec<Ran>,
}

/// A goal of the play.
struct DemoGoal {
    subject: &'static str,
    done_when: &'static str,
    verify: &'static str,
    failure_mode: &'static str,
}

impl<'s> Play<'s> {
    pub(super) fn new(ui: &'s Ui, stage: &'s Stage<'s>) -> Self {
        Play { ui, stage, ran: Vec::new() }
    }

    /// Plays every scene.
    pub(super) fn all(&mut self) -> Result<()> {
        self.repository()?;
        self.honest()?;
        self.checked()?;
        self.gamed()?;
        self.merged()?;
        self.scene(
            "The result: two goals signed off, two not, and a log that says why.",
            &["`!` marks a judge that the call named. Set yours once, with `plan judge set`, and the mark goes away."],
        )?;
        self.plan(&["--all"], 0)?;
        self.plan(&["show", "shout-on-demand-1"], 0)
    }

    fn repository(&mut self) -> Result<()> {
        let tests = [("test.sh", TEST), ("test-empty.sh", EMPTY), ("test-loud.sh", LOUD), ("test-wave.sh", WAVES)];
        for (name, text) in [("greet.sh", GREET)].into_iter().chain(tests) {
            self.stage.write(&format!("repo/{name}"), text)?;
        }
        self.stage.git(&["init", "-q", "-b", "main"])?;
        self.stage.git(&["add", "-A"])?;
        self.stage.git(&["commit", "-q", "-m", "A program that says hi"])?;
        self.scene(
            "A repository with a program that says hi.",
            &["The judge is a script inside `plan`. No model is asked."],
        )?;
        self.plan(&["init", "Friendlier greetings"], 0)
    }

    fn honest(&mut self) -> Result<()> {
        self.scene("1. An honest goal.", &["`plan` runs verify before the work. It must be red."])?;
        self.goal(&DemoGoal {
            subject: "Greet by name",
            done_when: "`greet.sh` holds \"Hello, $1\"",
            verify: "sh test.sh",
            failure_mode: "the test was emptied: `test.sh` still holds \"Hello, Ada\"",
        })?;
        self.scene("The agent does the work.", &["Verify is green, and the judge cites what it saw."])?;
        self.work("greet.sh", GREET_NAME)?;
        let judge = format!("cmd:{JUDGE}");
        let complete = ["complete", "greet-by-name-1", "--evidence", "greets by name", "--path", "greet.sh"];
        self.plan(&[&complete[..], &["--judge", &judge]].concat(), 0)
    }

    fn checked(&mut self) -> Result<()> {
        self.scene("2. A goal that needs no model.", &["Each failure mode has its own check."])?;
        self.goal(&DemoGoal {
            subject: "Refuse an empty name",
            done_when: "an empty name exits 2",
            verify: "sh test-empty.sh",
            failure_mode: "an empty name is greeted (check: sh test-empty.sh)",
        })?;
        self.work("greet.sh", GREET_NOBODY)?;
        self.plan(&["complete", "refuse-an-empty-name-1", "--judge", "checks"], 0)
    }

    fn gamed(&mut self) -> Result<()> {
        let judge = format!("cmd:{JUDGE}");
        let claim = ["complete", "shout-on-demand-1", "--evidence", "implemented, all tests pass", "--judge", &judge];
        self.scene(
            "3. A gamed goal.",
            &["The agent does nothing and says it is done. Verify is red. No judge is asked."],
        )?;
        self.goal(&DemoGoal {
            subject: "Shout on demand",
            done_when: "`greet.sh` holds \"--loud\"",
            verify: "sh test-loud.sh",
            failure_mode: "the test was emptied: `test-loud.sh` still holds \"HELLO, ADA\"",
        })?;
        self.plan(&claim, 1)?;
        self.scene(
            "The agent waters the test down.",
            &["Verify is green now. The gate runs the test as it was at the start, and refuses. No judge is asked."],
        )?;
        self.work("test-loud.sh", "sh greet.sh Ada && echo ok: all tests pass\n")?;
        self.plan(&claim, 1)
    }

    /// One branch signs a goal off, the other softens its verify; the changed lines are not adjacent.
    fn merged(&mut self) -> Result<()> {
        self.scene("4. A merge that git gets wrong in silence.", &["One branch signs a goal off."])?;
        self.goal(&DemoGoal {
            subject: "Wave goodbye",
            done_when: "`wave.sh` says bye",
            verify: "sh test-wave.sh",
            failure_mode: "there is no wave (check: sh test-wave.sh)",
        })?;
        self.commit("A goal")?;
        self.stage.git(&["branch", "softer"])?;
        self.work("wave.sh", WAVE)?;
        self.plan(&["complete", "wave-goodbye-1", "--judge", "checks"], 0)?;
        self.commit("Wave")?;
        self.scene("The other branch edits its verify, two lines away.", &["Plain git merges both without a word."])?;
        self.stage.git(&["checkout", "-q", "softer"])?;
        self.stage.replace("repo/plan.md", "verify: sh test-wave.sh", "verify: sh test-loud.sh")?;
        self.ui.line("(someone edits plan.md)");
        self.ui.line("  | verify: sh test-loud.sh");
        self.commit("Softer")?;
        self.stage.git(&["checkout", "-q", "main"])?;
        self.git(&["merge", "-q", "--no-edit", "softer"])?;
        let text = self.stage.read("repo/plan.md")?;
        let goal = text.split("## Goal: Wave goodbye").nth(1).unwrap_or_default();
        let said = |line: &&str| line.starts_with("status:") || line.starts_with("verify:");
        self.ui.line("(plan.md now says of the goal)");
        goal.lines().take(6).filter(said).for_each(|line| self.ui.line(&format!("  | {line}")));
        self.scene(
            "The same merge with plan's driver.",
            &["Nobody signed the merged goal off, so it is active again."],
        )?;
        self.stage.git(&["reset", "-q", "--hard", "HEAD~1"])?;
        self.plan(&["install", "git"], 0)?;
        self.commit("Merge plan.md with plan")?;
        self.git(&["merge", "-q", "--no-edit", "softer"])?;
        self.plan(&["show", "wave-goodbye-1"], 0)
    }

    fn commit(&self, message: &str) -> Result<()> {
        self.stage.git(&["add", "-A"])?;
        self.stage.git(&["commit", "-q", "-m", message])
    }

    /// Runs a git command and shows it.
    fn git(&self, arguments: &[&str]) -> Result<()> {
        let ran = self.stage.shown_git(arguments)?;
        if ran.exit == 0 {
            return Ok(());
        }
        Err(Error::new(Kind::No, format!("the demo failed: `{}` ended with {}", ran.command, ran.exit)))
    }

    /// Prints a heading and the sentences below it, then pauses so that they can be read.
    fn scene(&self, title: &str, sentences: &[&str]) -> Result<()> {
        let sentences = sentences.iter().map(|sentence| Row::new(2).with(Style::Plain, format!("# {sentence}")));
        let heading = [Row::new(0), Row::new(2).with(Style::Title, format!("# {title}"))];
        self.ui.rows(&heading.into_iter().chain(sentences).collect::<Vec<_>>());
        self.stage.pause()
    }

    fn goal(&mut self, goal: &DemoGoal) -> Result<()> {
        let DemoGoal { subject, done_when, verify, failure_mode } = goal;
        let contract = ["--done-when", done_when, "--verify", verify, "--failure-mode", failure_mode];
        self.plan(&[&["goal", "add", subject], &contract[..], &["--start"]].concat(), 0)
    }

    /// Shows the file that the agent writes, and writes it.
    fn work(&self, name: &str, text: &str) -> Result<()> {
        self.ui.line(&format!("(the agent writes {name})"));
        text.lines().for_each(|line| self.ui.line(&format!("  | {line}")));
        self.stage.write(&format!("repo/{name}"), text)
    }

    fn plan(&mut self, arguments: &[&str], expected: i32) -> Result<()> {
        let ran = self.stage.plan(arguments)?;
        let wrong = (ran.exit != expected).then(|| {
            let Ran { command, exit, .. } = &ran;
            Error::new(Kind::No, format!("the demo failed: `{command}` ended with {exit}, expected {expected}"))
        });
        self.ran.push(ran);
        wrong.map_or(Ok(()), Err)
    }
}
