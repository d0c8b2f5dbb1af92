"""story_draft.py - rows 1 to 5 of story.py: an agent drafts, the person has it drafted again, edits by hand, and approves."""
import json, os, shutil

import draft_model
from desk import SETTINGS, Story

# Its gaps as in draft_model.PLAN.
DRAFT = """# Plan: calc subtracts and multiplies

%s adds. Division stays out.

## Goal: Subtract
status: open
%sverify: sh test.sh
failure_modes:
- the test does not call sub
- it prints a constant
- [ ] write sub
- [ ] read the flag and test it

## Goal: Multiply
status: open
done_when: `mul 3 2` prints 6
verify: sh test-mul.sh
failure_modes:
- the test does not call mul
- it prints a constant
- [ ] write mul
- [ ] test it
- [ ] document both

PLAN-END[%s]
"""
CALL = "plan draft 'calc subtracts and multiplies' --with claude:sonnet"
MENU = r"What now\?:\n> Ready: approve it\n  Edit: say what to change\n  \$EDITOR: open plan\.md\n  Cancel"
EMPTY = "---\nmode: contract\n---\n# Plan: calc subtracts and multiplies\n"


class Drafting(Story):
    """One method a row; the person's `plan draft` of row 1 runs until they approve in row 5."""

    def drafts(self, plan, bad=0):
        """How the drafting agent answers from now on: with this plan, at first so many times without a criterion."""
        case = {"plan": plan, "bad": bad, "find": r"echo .*\+", "write": self.w.repo + "/PWNED"}
        self.drive.model.agent.drafter = draft_model.Drafter(self.w.write("draft.json", json.dumps(case)))

    def drafting(self):
        return [r for r in self.drive.model.agent.requests if r.chose.startswith("draft:")]

    # ---- row 1
    def draft(self):
        """P installs, and has a plan drafted: the agent tries to write, and writes nothing; the draft ends with the menu."""
        step = "draft"
        self.settings = {name: text for name, text in self.w.files().items() if name.startswith(SETTINGS)}
        self.types(step, "plan install claude", 0)
        self.drive.consent()
        denied = json.loads(self.w.read("repo/.claude/settings.json"))["permissions"]["deny"]
        self.expect(step, denied == ["Bash(plan approve*)", "Bash(plan rewind*)", "Bash(plan hook*)"], "denied: %s" % denied)
        self.w.git("add", "-A")
        self.w.git("commit", "-qm", "settings")
        shutil.copytree(self.w.repo, self.w.dir + "/copy")
        self.drafts(DRAFT)
        self.call = self.begins(CALL)
        self.asked(step, MENU)
        screen = self.person.screen()
        self.matches(step, screen, r"drafted 2 goals, 5 steps with claude:sonnet in 1 try, sandbox \S+, nothing else changed\n")
        self.expect(step, [r.chose for r in self.drafting()] == ["draft:write", "draft:read", "draft:draft"], "requests: %s" % [r.chose for r in self.drafting()])
        self.expect(step, not os.path.exists(self.w.repo + "/PWNED"), "the agent wrote")
        self.expect(step, self.w.git("status", "--porcelain") == "?? plan.md\n", self.w.git("status", "--porcelain"))

    # ---- row 3
    def split(self):
        """P says what to change: the agent is told, drafts again, and only what differs is shown."""
        step = "split"
        before = len(self.drafting())
        self.drafts(DRAFT.replace("- [ ] read the flag and test it", "- [ ] read the flag\n- [ ] test it"))
        self.press("Down", "Enter")
        self.asked(step, r"What is to change\?:$", "split step 2", "Enter")
        self.asked(step, r"drafted 2 goals, 6 steps[^?]*" + MENU)
        prompt = (self.drafting()[before:] or self.drafting())[0].text()
        self.holds(step, prompt, "<plan_feedback>\nsplit step 2\n</plan_feedback>", "- [ ] 2. read the flag and test it")
        shown = self.person.screen().split("6 steps with")[-1]
        self.matches(step, shown, r"\n-   2\. read the flag and test it\n", r"\n\+   2\. read the flag\n\+   3\. test it\n")

    # ---- row 4
    def loosen(self):
        """P opens the editor, and a failure mode goes: that stands above the difference. It is put back the same way."""
        step = "loosen"
        self.press("Down", "Down", "Enter")
        self.asked(step, r"! goal subtract-1 amended \(loosened: failure mode dropped\)\n[^?]*" + MENU)
        self.matches(step, self.person.screen(), r"loosened[^?]*\n- +- it prints a constant\n[^?]*Goal: Multiply — unchanged")
        self.press("Down", "Down", "Enter")
        self.asked(step, r"tightened[^?]*" + MENU)

    # ---- row 5
    def agree(self):
        """P approves: nothing of the plan is run, the first step becomes active."""
        step = "agree"
        self.press("Enter")
        self.asked(step, r"Approve this contract\?", "y", "Enter")
        self.ended(step, self.call, 0, [r"plan approved by ada \(contract", r"→ Step 1: write sub", "/clear"])
        self.matches(step, self.plan_md(), r"plan approved by ada via terminal \(contract [0-9a-f]{12}, steps to 6\)")
        self.expect(step, not os.path.exists(self.w.repo + "/RAN"), "verify was run")
        self.w.git("add", "plan.md")
        self.w.git("commit", "-qm", "plan")

    # ---- row 2
    def in_vain(self):
        """In a copy the agent's answers lack a criterion: three such are no draft; with the third it may be right, and it is told why."""
        step = "in vain"
        self.w.write("copy/plan.md", EMPTY)
        self.drafts(DRAFT, bad=3)
        self.types(step, "cd ../copy; " + CALL, 1, ["no draft: 3 answers of `claude:sonnet` could not be used"])
        self.expect(step, self.w.read("copy/plan.md") == EMPTY, "plan.md changed")
        self.types(step, "plan", 0, ["last draft failed: "])
        self.drafts(DRAFT, bad=2)
        before = len(self.drafting())
        call = self.begins(CALL)
        self.asked(step, r"in 3 tries, sandbox[^?]*" + MENU, "Down", "Down", "Down", "Enter")
        self.ended(step, call, 1, ["nothing was decided"])
        told = [r for r in self.drafting()[before:] if "Found in your answer:" in r.text() and "it has no `done_when`" in r.text()]
        self.expect(step, told, "the findings are in no prompt")
        self.types(step, "cd ../repo", 0)
