#!/usr/bin/env python3
"""story.py PLAN_BINARY [STEP...] - one story of contract mode: a person in a terminal (tmux) and the real Claude Code in another, offline, against a
scripted model. The person approves, the agent works step by step, proposes, is refused, asks in the chat, and the person answers there.

Each step says who does what; what is claimed is looked up on the screens, in plan.md and in what the client asked its model.
"""
import json, os, re, shlex, subprocess, sys, time, traceback

import agent_model, clients, drives, world

WAIT = 60
PLAN = """---
mode: contract
---
# Plan: calc subtracts and multiplies

## Goal: Subtract
<!-- id: sub-1 -->
done_when: `sub 3 2` prints 1
verify: sh test.sh
failure_modes:
- the test does not call sub
- it prints a constant
- [ ] 1. write sub
- [ ] 2. read the flag
- [ ] 3. test it

## Goal: Multiply
<!-- id: mul-1 -->
done_when: `mul 3 2` prints 6
verify: sh test-mul.sh
failure_modes:
- the test does not call mul
- it prints a constant
- [ ] 4. write mul
- [ ] 5. test it
- [ ] 6. document both
"""
FILES = {"calc.sh": "add() {\n    echo $(($1 + $2))\n}\n", "test.sh": ": >RAN\n. ./calc.sh\n[ \"$(sub 3 2)\" = 1 ]\n",
         "test-mul.sh": ". ./calc.sh\n[ \"$(mul 3 2)\" = 6 ]\n", ".gitignore": ".env\nRAN\n", "plan.md": PLAN}


class Desk(clients.Bench):
    """A repository with a plan that nobody has approved, and a file that git ignores."""

    def repository(self):
        self.of_user = {}
        self.git("init", "-q")
        for name, text in FILES.items():
            self.write("repo/" + name, text)
        self.git("add", "-A")
        self.git("commit", "-qm", "start")
        self.write("repo/.env", "KEY=1\n")


class Pane:
    """A terminal of 120 columns."""

    def __init__(self, w, name, argv, env):
        self.w, self.name, self.socket = w, name, "plan-story-%s-%d" % (name, os.getpid())
        line = "cd %s && exec env -i %s %s" % (shlex.quote(w.repo), " ".join("%s=%s" % (k, shlex.quote(v)) for k, v in env.items()), shlex.join(argv))
        self.tmux("new-session", "-d", "-s", "s", "-x", "120", "-y", "50", line)

    def tmux(self, *args):
        env = {**os.environ, "TMUX_TMPDIR": self.w.tmp}
        return subprocess.run(["tmux", "-L", self.socket, "-f", "/dev/null", *args], capture_output=True, text=True, env=env).stdout

    def screen(self):
        return "\n".join(line.rstrip() for line in self.tmux("capture-pane", "-p", "-J", "-S", "-200", "-t", "s").rstrip().split("\n"))

    def type(self, text):
        self.tmux("send-keys", "-t", "s", "-l", text)
        time.sleep(0.3)
        self.tmux("send-keys", "-t", "s", "Enter")

    def sees(self, pattern, limit=WAIT):
        """Whether the screen comes to show this."""
        end = time.time() + limit
        while not (found := re.search(pattern, self.screen(), re.M)) and time.time() < end:
            time.sleep(0.2)
        return bool(found)

    def close(self):
        self.tmux("kill-server")


class Story(clients.Case):
    """The person's terminal P and the agent's A. Every step is a method; the table at the end lists them in order."""

    def __init__(self, drive):
        super().__init__(drive)
        self.env = {**drive.environment(), "TERM": "xterm-256color", "USER": "ada", "NO_COLOR": "1", "PS1": "$ ",
                    "GIT_CONFIG_NOSYSTEM": "1"}
        self.person = Pane(self.w, "P", ["sh"], self.env)
        self.agent = None
        self.typed = 0

    def close(self):
        for pane in filter(None, (self.agent, self.person)):
            pane.close()

    # ---- what the two do
    def types(self, step, line, rc=0, shows=None, answers=()):
        """A command of the person, their answers to its questions, and its exit status."""
        self.typed += 1
        mark = "rc%d=" % self.typed
        self.person.type("clear; %s; echo %s$?" % (line, mark))
        for question, answer in answers:
            self.expect(step, self.person.sees(question), "not asked `%s`: %s" % (question, self.person.screen()[-900:]))
            self.person.tmux("send-keys", "-t", "s", answer)
        self.expect(step, self.person.sees("^%s[0-9]" % mark), "%s does not end: %s" % (line, self.person.screen()[-900:]))
        screen = self.person.screen()
        self.expect(step, "\n%s%d" % (mark, rc) in screen, "%s: not exit %d: %s" % (line, rc, screen[-1200:]))
        for pattern in shows or ():
            self.expect(step, re.search(pattern, screen, re.M), "%s: no `%s` in %s" % (line, pattern, screen[-1500:]))
        return screen

    def does(self, step, prompt, lines, more="That was it."):
        """The person writes to the agent, which runs these commands (or calls these tools) one after the other: the requests, and what each
        of the commands printed."""
        model = self.drive.model.agent
        model.turns = [("line %d" % n, {"text": "", "tools": [self.drive.shell(line) if isinstance(line, str) else line]}) for n, line in enumerate(lines)]
        model.more = {"text": more}
        before = len(self.main())
        self.agent.type(prompt)
        end, ended = time.time() + WAIT, 0
        while time.time() < end and (not ended or time.time() - ended < 2):
            if not ended and not model.turns and any(r.chose == "more" for r in self.main()[before:]):
                ended = time.time()
            time.sleep(0.1)
        self.expect(step, ended, "the agent did not end its turn: %s" % self.agent.screen()[-900:])
        requests = self.main()[before:]
        results = [results_of(r.body) for r in requests[1:]]
        return requests, results + [""] * (len(lines) - len(results))

    def ends(self, step, requests, count=1):
        found = [r for r in requests if r.chose == "more"]
        self.expect(step, len(found) == count, "the agent ended its turn %d times, expected %d" % (len(found), count))

    def holds(self, step, text, *parts):
        for part in parts:
            self.expect(step, part in text, "no `%s` in: %s" % (part, text[-1500:]))

    def plan_md(self):
        return self.w.read("repo/plan.md")


def results_of(body):
    """The text of the last tool result of a request."""
    for message in reversed(body.get("messages") or []):
        content = message.get("content")
        for part in reversed(content if isinstance(content, list) else []):
            if isinstance(part, dict) and part.get("type") == "tool_result":
                return agent_model.texts(part.get("content"))
    return ""


class Told(Story):
    """The story itself, in the order in which it happens."""

    def agree(self):
        """P approves: nothing of the plan is run, the first step becomes active."""
        step = "approve"
        ran = self.plan("install", "claude")
        self.expect(step, ran.returncode == 0, ran.stderr)
        self.drive.consent()
        settings = json.loads(self.w.read("repo/.claude/settings.json"))
        self.expect(step, settings["permissions"]["deny"] == ["Bash(plan approve*)", "Bash(plan rewind*)"], "denied: %s" % settings["permissions"])
        self.w.git("add", "-A")
        self.w.git("commit", "-qm", "settings")
        self.types(step, "plan approve", 0, [r"plan approved by ada", r"→ Step 1: write sub", "/clear"], [("Approve this contract", "y")])
        self.expect(step, re.search(r"plan approved by ada via terminal \(contract [0-9a-f]{12}, steps to 6\)", self.plan_md()), self.plan_md())
        self.expect(step, not os.path.exists(self.w.repo + "/RAN"), "verify was run")
        self.types(step, "plan show --line", 0, [r"^Plan 0/2 · Subtract — write sub$"])

    def start(self):
        """A starts, and is shown the plan once, late in the conversation."""
        step = "start"
        allowed = "Bash,Write,mcp__plan"
        self.agent = Pane(self.w, "A", ["claude", "--model=sonnet", "--permission-mode", "default", "--allowedTools", allowed], self.env)
        self.expect(step, self.agent.sees(r"^\s*[❯>]"), "no prompt: %s" % self.agent.screen()[-1500:])
        requests, _ = self.does(step, "Work on the plan.", ["echo looked >> notes.txt"], "Done?")
        text = requests[0].text() if requests else ""
        self.holds(step, text, 'plan file="plan.md" mode="contract"', "- [/] 1. write sub")
        self.look(step, requests[0] if requests else None, 1, "first request")

    def order(self):
        """A skips a step, and is refused; then it works in order."""
        before = self.plan_md()
        _, said = self.does("order", "Go on.", ['plan step done 2 "x"; echo rc=$?'])
        self.holds("order", said[0], "refused: `done` needs the active step; step 2 is pending, step 1 is active", "rc=4")
        self.expect("order", self.plan_md() == before, "plan.md changed")
        line = "sed -i '$a sub() {\\n    echo $(($1 - $2))\\n}' calc.sh; plan step done 1 'sub, see calc.sh'; echo rc=$?"
        _, said = self.does("order", "Go on.", [line])
        self.holds("order", said[0], "✓ Step 1 complete → Step 2: read the flag", "rc=0")

    def own_hand(self):
        """A approves its own plan, in three ways."""
        step = "own hand"
        bare = "env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID -u AI_AGENT -u CLAUDE_CODE_ENTRYPOINT "
        before = self.plan_md().split("## Log")[1]
        _, said = self.does(step, "Go on.", [
            "plan approve --yes; echo rc=$?",
            bare + "script -qec 'plan approve --yes' /dev/null; echo rc=$?",
            bare + "plan review --key a::b --reply ok; echo rc=$?",
            bare + "plan __agree plan.md claude::x; echo rc=$?",
        ])
        self.expect(step, "denied" in said[0] or ("rc=4" in said[0] and "claude" in said[0]), "approve: %s" % said[0])
        for n in (1, 2):
            self.expect(step, "rc=4" in said[n] and "started by claude" in said[n], "way %d: %s" % (n, said[n]))
        self.holds(step, said[3], "a hook of the host passes an OK on", "rc=4")
        self.expect(step, self.plan_md().split("## Log")[1] == before, "a line in the log")

    def propose(self):
        """A changes the contract: only with a reason, and then everything waits."""
        step = "propose"
        self.agreed = self.plan_md().split("## Log")[0]
        requests, said = self.does(step, "Go on.", [
            'plan step add sub-1 "overflow"; echo rc=$?',
            'plan step add sub-1 "overflow" --because "ints wrap"; echo rc=$?',
            'plan step done 2 "x"; echo rc=$?',
            "plan complete sub-1; echo rc=$?",
        ])
        self.holds(step, said[0], "the approved contract changes only with a reason", "rc=4")
        self.holds(step, said[1], "proposed: step 7 added to sub-1; waits for approval", "rc=0")
        for n in (2, 3):
            self.expect(step, "waits" in said[n] and "rc=4" in said[n], "%d: %s" % (n, said[n]))
        self.expect(step, self.agent.sees("plan: a change of the contract waits: plan approve"), "no notice: %s" % self.agent.screen()[-1500:])
        self.ends(step, requests)
        requests, _ = self.does(step, "And?", ["echo more >> notes.txt"], "I wait.")
        self.ends(step, requests)

    def reject(self):
        """P reads the difference, says no, and takes the proposal back; the same again is refused."""
        step = "reject"
        self.types(step, "plan approve", 1, [r"\+.*overflow", "ints wrap"], [("Approve this contract", "n")])
        self.types(step, "plan review --reject 'not now'", 0, ["rejected: not now"])
        self.expect(step, self.plan_md().split("## Log")[0] == self.agreed, "not put back: %s" % self.plan_md())
        self.expect(step, "edit rejected: not now (contract" in self.plan_md(), self.plan_md())
        self.types(step, "plan audit", 0)
        _, said = self.does(step, "Go on.", ['plan step add sub-1 "overflow" --because "ints wrap"; echo rc=$?'])
        self.holds(step, said[0], "the same change was rejected", "not now", "rc=4")

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

    def fail(self):
        """A step fails: nothing behind its goal begins, until a retry is agreed."""
        step = "fail"
        _, said = self.does(step, "Go on.", [
            'plan step fail 2 "no such flag"; echo rc=$?', 'plan step start 3 && plan step done 3 "tested"; echo rc=$?',
            "plan step start 4; echo rc=$?", "plan next; echo rc=$?",
        ])
        self.holds(step, said[0], "✗ Step 2 failed", "rc=0")
        self.holds(step, said[1], "✓ Step 3 complete", "rc=0")
        self.holds(step, said[2], "refused: step 4 belongs to mul-1", "step 2 failed", "rc=4")
        self.holds(step, said[3], "plan step retry 2", "rc=1")
        self.expect(step, self.agent.sees("plan: step 2 failed, and nothing else of sub-1 can be done"), "no notice: %s" % self.agent.screen()[-1500:])
        _, said = self.does(step, "Go on.", ['plan step retry 2 --because "flag found"; echo rc=$?'])
        self.holds(step, said[0], "proposed: retry of step 2; waits for approval", "rc=0")
        self.types(step, "plan approve", 0, ["→ Step 2: read the flag"], [("Approve this contract", "y")])
        self.expect(step, "step 2 retried: flag found" in self.plan_md(), self.plan_md()[-900:])
        _, said = self.does(step, "Go on.", ['plan step done 2 "read"; echo rc=$?'])
        self.holds(step, said[0], "✓ Step 2 complete", "rc=0")

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
        requests, _ = self.does(step, "Go on.", ["echo on >> notes.txt"])
        self.holds(step, requests[0].text() if requests else "", 'plan file="plan.md" mode="contract"', "STUB-SUMMARY")

    def leave(self):
        """Everything is as it was before, and nothing runs on."""
        step = "leave"
        self.agent.type("/exit")
        ran = self.plan("uninstall", "claude")
        self.expect(step, ran.returncode == 0, ran.stderr)
        self.expect(step, not os.path.exists(self.w.repo + "/.claude/settings.json"), "left: .claude/settings.json")


STEPS = ["agree", "start", "order", "own_hand", "propose", "reject", "chat", "fail", "compact", "leave"]


class Interactive(drives.Claude):
    """Claude Code's screen, its first-run questions answered."""
    seen = {}

    def consent(self):
        key = "sk-ant-dummy-0000000000000000"[-20:]
        project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True, "enabledMcpjsonServers": ["plan"]}
        self.w.write("home/.claude.json", {"hasCompletedOnboarding": True, "theme": "dark", "projects": {self.w.repo: project},
                                           "customApiKeyResponses": {"approved": [key], "rejected": []}})


def main():
    plan = os.path.abspath(sys.argv[1])
    if world.missing("claude"):
        return 1
    start, passed, failed = time.time(), 0, 0
    with Desk() as w:
        drive = Interactive(w, plan)
        with agent_model.Model(w.write("case.json", agent_model.case(w.repo + "/written")), w.dir + "/requests.jsonl") as drive.model:
            drive.set_up()
            story = Told(drive)
            try:
                for name in sys.argv[2:] or STEPS:
                    getattr(story, name)()
            except Exception:
                story.wrong.setdefault("story", []).append(traceback.format_exc()[-900:])
            finally:
                story.close()
        left = w.sweep()
        story.expect("leave", not left, "left running: %s" % left)
    for step in dict.fromkeys([*sorted(story.ran), *story.wrong]):
        wrong = story.wrong.get(step)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print("FAILED story %s" % step)
            print("\n".join("    " + words.replace("\n", "\n    ") for words in wrong))
    print("%s story (%.1f s)" % ("FAILED" if failed else "ok    ", time.time() - start))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
