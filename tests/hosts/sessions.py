#!/usr/bin/env python3
"""sessions.py PLAN_BINARY [CLIENT...] - a person talks with each of the six real clients, offline, while plan.md is there: asks,
lets it work, says stop, changes their mind, agrees to a contract. Who is sent on, how often, and what is said, is looked up in what the client asked its
scripted model.
"""
import concurrent.futures, os, re, subprocess, sys, time, traceback

import agent_model, clients, drives, world

STEPS = ["settings", "question", "parallel", "resume", "forgetful", "stop", "instruction", "asks back", "by hand", "key", "refusal", "approval", "step"]
# Five of the languages of the table, each in another form.
STOPS = ["STOP. Explain why you changed that file.", "Das reicht für heute, danke.", "Arrête-toi, s'il te plaît.", "Хватит! Дальше я сам.", "先停一下"]
# What a client cannot read in its own settings, on the second line: file, text.
UNREADABLE = {"claude": ("repo/.claude/settings.json", '{\n  // mine\n  "env": {"MINE": "1"}\n}\n'),
              "codex": ("repo/.codex/hooks.json", '{\n  // mine\n  "hooks": {}\n}\n'),
              "pi": ("repo/.pi/mcp.json", '{\n  // mine\n  "mcpServers": {}\n}\n'),
              "gemini": ("repo/.gemini/settings.json", '{\n  "ui": {"hideTips": true},\n}\n'),
              "qwen": ("repo/.qwen/settings.json", '{"ui": {"hideTips": true},\n  "$version": 4,\n}\n')}
CONTRACT = """---
mode: contract
---
# Plan: Sums

## Goal: Add two numbers
<!-- id: add-1 -->
done_when: `add 2 3` prints 5
verify: sh test.sh
failure_modes:
- the test does not call add
- it prints a constant
- [ ] 1. write add
- [ ] 2. test it
- [ ] 3. document it
"""
# A start of these takes seconds of two cores: they hear one of the languages each, and begin first.
SLOW = {"gemini": 1, "opencode": 2, "qwen": 4}


class Talk(clients.Case):
    """One client, one session, many messages."""

    def __init__(self, drive):
        super().__init__(drive)
        self.asked = 0

    def say(self, step, prompt, turns, more="All finished."):
        """A message of the person, and what the agent does then; the requests that this made."""
        d = self.drive
        d.model.agent.turns, d.model.agent.more = [("turn %d" % n, {"text": "", "tools": tools}) for n, tools in enumerate(turns)], {"text": more}
        before = len(self.main())
        said = d.ask(prompt, again=self.asked > 0)
        self.asked += 1
        self.expect(step, not said, said)
        return self.main()[before:]

    def ends(self, step, requests, expected, words):
        """How often the agent ended its turn: once, and once more for each push."""
        ends = [r for r in requests if r.chose == "more"]
        holds, chosen = len(ends) == expected, [r.chose for r in requests]
        self.expect(step, holds, "%s: the agent ended its turn %d times, expected %d: %s; what the hooks remember: %s" % (words, len(ends), expected, chosen, holds or self.state()))

    def state(self):
        """What the hooks remember of the session."""
        folder = "repo/.git/plan/sessions"
        names = os.listdir(os.path.join(self.w.dir, folder)) if os.path.isdir(os.path.join(self.w.dir, folder)) else []
        return [self.w.read(folder + "/" + name) for name in sorted(names) if name.endswith(".json")]

    def talk(self):
        d = self.drive
        self.w.write("repo/plan.md", clients.SHORT)
        self.w.write("repo/calc.sh", world.BEFORE)
        self.w.git("add", "-A")
        self.w.git("commit", "-qm", "plan")
        self.settings()
        self.question()
        self.parallel()
        self.forgetful()
        self.stop()
        self.asks_back()
        self.by_hand()
        if d.name == "codex":
            self.key()
        self.contract()

    def settings(self):
        """What the client would drop is refused, with the command that mends it."""
        d, option = self.drive, []
        if d.name in UNREADABLE:
            file, text = UNREADABLE[d.name]
            self.w.write(file, text)
            ran = self.plan("install", d.name)
            self.expect("settings", ran.returncode == 2 and "line 2 of" in ran.stderr and os.path.basename(file) in ran.stderr, "not refused: exit %d: %s" % (ran.returncode, ran.stderr))
            self.expect("settings", self.w.read(file) == text, "written all the same")
            option = ["--remove-comments"]
            self.expect("settings", "plan install %s --remove-comments" % d.name in ran.stderr, "no command: %s" % ran.stderr)
        ran = self.plan("install", d.name, *option)
        self.expect("settings", ran.returncode == 0, "install: exit %d: %s" % (ran.returncode, ran.stderr))
        blind = d.name in ("pi", "gemini", "qwen", "claude")
        self.expect("settings", ("at the top of the repository" in ran.stdout) == blind, "of subfolders: %s" % ran.stdout)
        d.consent()

    def question(self):
        requests = self.say("question", "What does calc.sh do?", [[self.drive.shell("cat calc.sh")], [self.drive.shell("ls -la; grep -rn add .")]], "It adds two numbers.")
        self.ends("question", requests, 1, "a question was answered")
        self.look("settings", requests[0] if requests else None, 1, "the settings are read: the first request")

    def parallel(self):
        """Four tools at once are one turn; and what did not change is not said again."""
        d = self.drive
        at_once = [d.shell("echo %d >> made-%d.txt" % (n, n)) for n in range(4)]
        requests = self.say("parallel", "Make some files.", [at_once, [d.edit("five.txt", "5")], [d.shell("echo 6 >> six.txt")]], "Made.")
        reminded = [r.chose for r in requests if clients.REMINDER in r.text()]
        first = reminded[0] if reminded else "none"
        self.expect("parallel", first == "more", "reminded of the plan first in `%s`, expected after three turns" % first)
        self.ends("parallel", requests, 1, "it does not work on the plan")
        self.look("resume", requests[0] if requests else None, 1, "the plan as it was")

    def forgetful(self):
        d = self.drive
        requests = self.say("forgetful", "Work through plan.md until every goal is signed off.", [[d.shell("cat plan.md")], [d.edit("sum.sh", "sum")]])
        self.ends("forgetful", requests, 6, "told to work through plan.md")
        text = requests[-1].text() if requests else ""
        self.expect("forgetful", "only this was asked" in text and "plan pause" in text, "no way out: %s" % text[-600:])

    def stop(self):
        d = self.drive
        for n, said in enumerate(STOPS if d.name not in SLOW else STOPS[SLOW[d.name]:][:1]):
            requests = self.say("stop", said, [[d.edit("stop-%d.txt" % n, "x")]], "Ok.")
            self.ends("stop", requests, 1, said)
        requests = self.say("instruction", "Stop using mocks in these tests", [[d.edit("mocks.txt", "x")]])
        self.ends("instruction", requests, 6, "an instruction that holds the word")

    def asks_back(self):
        d = self.drive
        requests = self.say("asks back", "Go on.", [[d.edit("back.txt", "x")]], "I can do it in two ways. Which one do you want?\n\n1. fast\n2. small")
        self.ends("asks back", requests, 2, "a question to the person")
        text = requests[-1].messages[-1][1] if requests else ""
        self.expect("asks back", 'plan pause "question"' in requests[-1].text(), "the push: %s" % text)

    def by_hand(self):
        d = self.drive
        requests = self.say("by hand", "Finish it.", [[d.shell("sed 's/status: active/status: done/' plan.md > new.md; cat new.md > plan.md")]], "Is that all?")
        after = next((r for r in requests if r.chose == "more"), None)
        self.expect("by hand", after and "add-1: done without a sign-off" in after.text(), "the next request: %s" % (after and after.messages[-1][1]))

    def key(self):
        """Codex hands the server the variable that the provider's `env_key` names; without it the refusal says the line."""
        d = self.drive
        self.w.git("checkout", "-q", "plan.md")
        self.w.write("repo/calc.sh", clients.FILES["calc.sh"])      # the work
        config = "repo/.codex/config.toml"
        with_key, self.drive.model.agent.more = self.w.read(config), {"text": "Is that all?"}
        line = 'env_vars = ["STUB_API_KEY"]'
        self.expect("key", line in with_key, "the settings: %s" % with_key)
        self.w.write(config, with_key.replace(line + "\n", ""))
        requests = self.say("key", "Sign it off.", [[d.complete()]], "Is that all?")
        text = "\n".join(r.text() for r in requests)
        self.expect("key", '"exit":3' in text and "env_vars = [" in text and "plan install codex" in text, "without the variable: %s" % text[-900:])
        ran = self.plan("install", "codex")
        self.expect("key", ran.returncode == 0 and "STUB_API_KEY" in self.w.read(config), "the command of the refusal: %s %s" % (ran.stdout, ran.stderr))
        self.say("key", "Again.", [[d.complete()]], "Is that all?")
        # On a busy machine its shell answers the judge too late, and it says no: that it had its key is what counts here.
        log = self.w.read("repo/plan.md")
        self.expect("key", "add-1 signed off" in log or "add-1 rejected (oracle codex" in log, "the judge was not asked: %s" % log[-400:])

    def contract(self):
        """Contract mode: the agent is refused, the person's OK in the chat approves, a step goes through; then a proposal, and OK again."""
        # CONTRACT.md §1, §3
        d = self.drive
        self.w.write("repo/plan.md", CONTRACT)
        done = lambda n: d.command("plan step done %d 'as agreed'" % n, "plan_step", do="done", step=str(n), text="as agreed")
        bare = "env -i PATH=\"$PATH\" HOME=\"$HOME\" script -qec 'plan approve --yes' /dev/null"
        requests = self.say("refusal", "Work on the plan.", [[d.shell("plan approve --yes")], [d.shell(bare)], [done(1)], [d.mcp("plan_review")]], "Please look at it.")
        # Claude Code's settings deny it, before `plan` is started.
        self.told("refusal", requests, 0, "has been denied" if d.name == "claude" else "only a person may do this, and `plan` was started by " + d.name)
        self.told("refusal", requests, 1, "only a person may do this, and `plan` was started by " + d.name)
        self.told("refusal", requests, 2, "refused: `step done 1` needs an approved plan; this one was never approved")
        self.told("refusal", requests, 3, "<plan_review_pending>")
        self.ends("refusal", requests, 1, "the plan waits for a person")
        self.expect("refusal", self.w.read("repo/plan.md") == CONTRACT, "plan.md: %s" % self.w.read("repo/plan.md"))
        change = d.command("plan step set 3 'document all of it' --because 'more to tell'", "plan_step", do="set", step="3", text="document all of it", because="more to tell")
        requests = self.say("approval", "OK", [[done(1)], [change], [done(2)], [d.command("plan review", "plan_review")]], "Please look at the change.")
        self.approved(1, requests)
        self.told("step", requests, 0, "✓ Step 1 complete → Step 2: test it")
        self.told("refusal", requests, 2, "refused: `step done 2` waits: since ")
        self.ends("refusal", requests, 1, "a change waits for a person")
        requests = self.say("approval", "好", [[done(2)]], "Is that all?")
        self.approved(2, requests)
        self.told("step", requests, 0, "✓ Step 2 complete → Step 3: document all of it")
        text = self.w.read("repo/plan.md")
        self.expect("step", "- [x] 1. write add — as agreed\n- [x] 2. test it — as agreed\n- [/] 3. document all of it\n" in text, "plan.md: %s" % text)

    def told(self, step, requests, n, part):
        """What the tool of a turn said: it stands in the request after it."""
        said = "\n".join(text for _, text in requests[n + 1].messages[-3:]) if requests[n + 1:] else "none"
        self.expect(step, part in said, "no `%s` in what was told of turn %d: %s" % (part, n, said[-1500:]))

    def approved(self, times, requests):
        """In the log, and the agent knows."""
        found = re.findall(r"plan approved by \S+ via host \(contract [0-9a-f]{12}, steps to 3\)", self.w.read("repo/plan.md"))
        self.expect("approval", len(found) == times, "%d approvals, expected %d: %s" % (len(found), times, self.w.read("repo/plan.md")))
        self.expect("approval", requests and "plan approved by" in requests[0].text(), "the agent is not told: %s" % (requests and requests[0].text()[-1500:]))


def drive(make, plan):
    """One client; its Talk, and the seconds that it took."""
    start = time.time()
    with clients.Bench() as w:
        d = make(w, plan)
        d.seen = {}
        with agent_model.Model(w.write("case.json", agent_model.case(w.repo + "/written")), w.dir + "/requests.jsonl") as d.model:
            talk = Talk(d)
            try:
                d.set_up()
                talk.talk()
            except Exception:
                talk.wrong.setdefault("drive", []).append(traceback.format_exc()[-900:])
            finally:
                d.end()
            left = w.sweep()
            talk.expect("settings", not left, "left running: %s" % left)
    return talk, time.time() - start


def attempt(make, plan):
    """Qwen Code loses the output of a command in about one conversation of four. Then, and only then, it tries again, twice at most."""
    seconds = 0
    for again in range(3):
        talk, more = drive(make, plan)
        seconds += more
        wrong = [words for step in talk.wrong.values() for words in step]
        if again == 2 or not wrong or not all("Output: (empty)" in words for words in wrong):
            return talk, seconds
        print("%s lost the output of a command: once more" % make.name, flush=True)


class KeyedCodex(drives.Codex):
    """Codex with a provider whose key stands in a variable."""

    def set_up(self):
        super().set_up()
        text = self.w.read("home/.codex/config.toml")
        self.w.write("home/.codex/config.toml", text.replace('experimental_bearer_token = "dummy"', 'env_key = "STUB_API_KEY"'))


def main():
    plan, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    makes = [KeyedCodex if m is drives.Codex else m for m in drives.DRIVES]
    makes = [m for m in makes if (not wanted or m.name in wanted) and not world.missing(m.name)]
    makes.sort(key=lambda make: make.name not in SLOW)
    passed = failed = 0
    # They mostly wait for one another.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for make, (talk, seconds) in zip(makes, pool.map(lambda make: attempt(make, plan), makes)):
            for step in STEPS + ["drive"]:
                wrong = talk.wrong.get(step)
                if wrong or step in talk.ran:
                    passed, failed = passed + (not wrong), failed + bool(wrong)
                    if wrong:
                        print("FAILED %s %s" % (make.name, step))
                        print("\n".join("    " + words.replace("\n", "\n    ") for words in wrong))
            print("%s %s (%.1f s)" % ("FAILED" if talk.wrong else "ok    ", make.name, seconds), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not makes else 0


if __name__ == "__main__":
    sys.exit(main())
