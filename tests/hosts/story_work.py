"""story_work.py - rows 6 to 18 of story.py, and 21: the agent works, proposes, is refused, asks in the chat, compacts."""
import re, time

import clients
from desk import WAIT, Pane, Story


class Working(Story):
    """One method a row, or a few."""

    # ---- row 6
    def look_around(self):
        """P looks at what there is: the state, one line, the first checkpoint."""
        step = "look around"
        self.expect(step, self.state() == "active", "state %s" % self.state())
        self.types(step, "plan show --line", 0, [r"^Plan 0/2 · Subtract — write sub$"])
        self.types(step, "plan rewind --list", 0, [r"^   @1  .*  start \(step 0\)$", "^1 checkpoint;"])

    # ---- row 7
    def start(self):
        """A starts, and is shown the plan once, late in the conversation."""
        step = "start"
        allowed = "Bash,Write,mcp__plan"
        self.agent = Pane(self.w, "A", ["claude", "--model=sonnet", "--permission-mode", "default", "--allowedTools", allowed], self.env)
        self.expect(step, self.agent.sees(r"^\s*[❯>]"), "no prompt: %s" % self.agent.screen()[-1500:])
        requests, _ = self.does(step, "Work on the plan.", ["echo looked"], "Done?")
        text = requests[0].text() if requests else ""
        self.holds(step, text, 'plan file="plan.md" mode="contract"', "- [/] 1. write sub")
        self.look(step, requests[0] if requests else None, 1, "first request")

    # ---- rows 8, 9
    def order(self):
        """A skips a step, and is refused; then it works in order."""
        before = self.plan_md()
        _, said = self.does("order", "Go on.", ['plan step done 2 "x"; echo rc=$?'])
        self.holds("order", said[0], "refused: `done` needs the active step; step 2 is pending, step 1 is active", "rc=4")
        self.expect("order", self.plan_md() == before, "plan.md changed")
        # Claude Code itself looks at the repository too: what the index is, is asked right before and right after.
        line = "sum() { cksum < .git/index; }; before=$(sum); sed -i '$a sub() {\\n    echo $(($1 - $2))\\n}' calc.sh; plan step done 1 'sub, see calc.sh'; echo rc=$?; [ \"$before\" = \"$(sum)\" ] && echo same index"
        _, said = self.does("order", "Go on.", [line])
        self.holds("order", said[0], "✓ Step 1 complete → Step 2: read the flag", "rc=0", "same index")
        self.expect("order", self.checkpoints()[1:] == [(2, "step", "1")], "checkpoints: %s" % self.checkpoints())

    # ---- row 10
    def own_hand(self):
        """A approves its own plan, in three ways."""
        step = "own hand"
        before = self.plan_md().split("## Log")[1]
        _, said = self.does(step, "Go on.", [
            "plan approve --yes; echo rc=$?",
            self.BARE + "script -qec 'plan approve --yes' /dev/null; echo rc=$?",
            self.BARE + "plan review --key a::b --reply ok; echo rc=$?",
            self.BARE + "plan __agree plan.md claude::x; echo rc=$?",
        ])
        self.expect(step, "denied" in said[0] or ("rc=4" in said[0] and "claude" in said[0]), "approve: %s" % said[0])
        for n in (1, 2):
            self.expect(step, "rc=4" in said[n] and "started by claude" in said[n], "way %d: %s" % (n, said[n]))
        self.holds(step, said[3], "a hook of the host passes an OK on", "rc=4")
        self.expect(step, self.plan_md().split("## Log")[1] == before, "a line in the log")

    # ---- rows 11 to 13
    def propose(self):
        """A changes the contract: only with a reason, and then everything waits."""
        step = "propose"
        self.agreed = self.plan_md().split("## Log")[0]
        requests, said = self.does(step, "Go on.", [
            'plan step add subtract-1 "overflow"; echo rc=$?',
            'plan step add subtract-1 "overflow" --because "ints wrap"; echo rc=$?',
            'plan step done 2 "x"; echo rc=$?',
            "plan complete subtract-1; echo rc=$?",
        ])
        self.holds(step, said[0], "the approved contract changes only with a reason", "rc=4")
        self.holds(step, said[1], "proposed: step 7 added to subtract-1; waits for approval", "rc=0")
        for n in (2, 3):
            self.expect(step, "waits" in said[n] and "rc=4" in said[n], "%d: %s" % (n, said[n]))
        self.expect(step, self.agent.sees("plan: a change of the contract waits: plan approve"), "no notice: %s" % self.agent.screen()[-1500:])
        self.ends(step, requests)
        requests, _ = self.does(step, "And?", ["echo more"], "I wait.")
        self.ends(step, requests)

    # ---- rows 14, 15
    def reject(self):
        """P reads the difference, says no, and takes the proposal back; the same again is refused."""
        step = "reject"
        self.types(step, "plan approve", 1, [r"\+.*overflow", "ints wrap"], [("Approve this contract", "n", "Enter")])
        self.types(step, "plan review --reject 'not now'", 0, ["rejected: not now"])
        self.expect(step, self.plan_md().split("## Log")[0] == self.agreed, "not put back: %s" % self.plan_md())
        self.expect(step, "edit rejected: not now (contract" in self.plan_md(), self.plan_md())
        self.expect(step, "unexplained" not in self.types(step, "plan audit", 0), "audit: unexplained")
        _, said = self.does(step, "Go on.", ['plan step add subtract-1 "overflow" --because "ints wrap"; echo rc=$?'])
        self.holds(step, said[0], "the same change was rejected", "not now", "rc=4")

    # ---- row 16
    def chat(self):
        """A asks in the chat; P says more than OK, which is feedback, and then OK."""
        step = "chat"
        ask = 'plan step set 3 "mul with overflow check" --because "ints wrap" && plan review; echo rc=$?'
        _, said = self.does(step, "Go on.", [ask], "Please look at the plan.")
        self.holds(step, said[0], "overflow check", "rc=0")
        requests, _ = self.does(step, "OK but rename it", [], "I shall.")
        self.holds(step, requests[0].text() if requests else "", "<plan_feedback>", "OK but rename it")
        self.expect(step, "via host" not in self.plan_md(), "approved: %s" % self.plan_md())
        change = 'plan step set 3 "test it with overflow" --because "ints wrap"; echo rc=$?'
        _, said = self.does(step, "Go on.", [change, self.drive.mcp("plan_review")], "Please look at it again.")
        self.holds(step, said[0], "rc=0")
        self.holds(step, said[1], "test it with overflow", "<plan_review_pending>")
        requests, _ = self.does(step, "ok", [], "I go on.")
        self.expect(step, re.search(r"plan approved by ada via host \(contract [0-9a-f]{12}, steps to 6\)", self.plan_md()), self.plan_md()[-900:])
        self.holds(step, requests[0].text() if requests else "", "3. test it with overflow", "plan approved by ada")

    # ---- rows 17, 18
    def fail(self):
        """A step fails: nothing behind its goal begins, until a retry is agreed."""
        step = "fail"
        requests, said = self.does(step, "Go on.", [
            'plan step fail 2 "no such flag"; echo rc=$?', 'plan step start 3 && plan step done 3 "tested"; echo rc=$?',
            "plan step start 4; echo rc=$?", "plan next; echo rc=$?",
        ])
        self.ends(step, requests)
        self.holds(step, said[0], "✗ Step 2 failed", "rc=0")
        self.holds(step, said[1], "✓ Step 3 complete", "rc=0")
        self.expect(step, "→ Step" not in said[0] + said[1], "a step became active: %s" % said[:2])
        self.holds(step, said[2], "refused: step 4 belongs to multiply-1", "step 2 failed", "rc=4")
        self.holds(step, said[3], "plan step retry 2", "rc=1")
        self.expect(step, self.agent.sees("plan: step 2 failed, and no other step of subtract-1 can be done"), "no notice: %s" % self.agent.screen()[-1500:])
        _, said = self.does(step, "Go on.", ['plan step retry 2 --because "flag found"; echo rc=$?'])
        self.holds(step, said[0], "proposed: retry of step 2; waits for approval", "rc=0")
        self.expect(step, self.state() == "proposed", "state %s" % self.state())
        self.types(step, "plan approve", 0, ["→ Step 2: read the flag"], [("Approve this contract", "y", "Enter")])
        self.expect(step, "step 2 retried: flag found" in self.plan_md(), self.plan_md()[-900:])

    # ---- row 21
    def compact(self):
        """P compacts the conversation: the summary keeps what came of the steps, and the plan is shown again."""
        step = "compact"
        before = len(self.requests)
        self.agent.type("/compact")
        end = time.time() + WAIT
        while not (summed := [r for r in self.requests[before:] if r.chose == "summary"]) and time.time() < end:
            time.sleep(0.2)
        text = summed[0].text() if summed else ""
        self.expect(step, summed, "no request for a summary: %s" % [(r.chose, len(r.tools), [m[1][:100] for m in r.messages[-3:]]) for r in self.drive.model.agent.requests[-4:]])
        self.holds(step, text, clients.KEPT, "done: 1. write sub — sub, see calc.sh; 2. read the flag — read; 3. test it with overflow — tested")
        self.expect(step, self.agent.sees("ompacted"), "not compacted: %s" % self.agent.screen()[-900:])
        requests, _ = self.does(step, "Go on.", ["echo on"])
        self.holds(step, requests[0].text() if requests else "", 'plan file="plan.md" mode="contract"', "STUB-SUMMARY")
