#!/usr/bin/env python3
"""clients.py PLAN_BINARY [CLIENT...] - the six real clients with `plan` installed in them, each through a whole piece of
work against a scripted model, offline: install, start, reminder, MCP, sign-off, compaction, stop, pause, uninstall.

What is claimed of a client is looked up in what it asked its model: each request is kept. A table at the end says which
client does what, and why one does not.
"""
import concurrent.futures, os, re, shutil, signal, subprocess, sys, time, traceback

import agent_model, drives, world

STEPS = ["install", "start", "reminder", "mcp", "sign-off", "compaction", "guard", "resume", "pause", "uninstall", "user scope"]
BLOCK = re.compile(r'(?:<|&lt;)plan file="plan\.md" mode=[^\n]*\n.*?(?:<|&lt;)/plan(?:>|&gt;)', re.S)
REMINDER = "plan.md has not changed for some turns"
KEPT = "Keep these lines in the summary."
PUSH = "You may have finished a step, but the plan is not finished."
SHORT = """# Plan: Sums

Objective: numbers that add up

## Goal: Add two numbers
<!-- id: add-1 -->
status: active
done_when: `add 2 3` prints 5
verify: sh test.sh
failure_modes:
- the test does not call add
- [x] 1. write add — it adds

## Goal: Subtract two numbers
<!-- id: sub-1 -->
status: open
done_when: `sub 3 2` prints 1
verify: sh test-sub.sh
failure_modes:
- the test does not call sub
"""
# Nearly as much as is ever shown at once.
PLAN = SHORT + "".join("""
## Goal: Number %d
<!-- id: number-%d -->
status: open
done_when: %s
verify: sh test.sh
failure_modes:
- it is another number
""" % (n, n, "`add %d 1` prints %d, whatever was added before it, in every shell that a system has; " % (n, n + 1) * 3) for n in range(18))
FILES = {"calc.sh": "add() {\n    echo $(($1 + $2))\n}\n", "test.sh": ". ./calc.sh\n[ \"$(add 2 3)\" = 5 ]\n", "plan.md": PLAN}


class Bench(world.World):
    """A world whose repository nobody set a trap in."""

    def repository(self):
        self.of_user = {}
        self.git("init", "-q")
        for name, text in FILES.items():
            self.write("repo/" + name, text)
        self.write("repo/calc.sh", world.BEFORE)
        self.git("add", "-A")
        self.git("commit", "-qm", "start")
        self.write("repo/calc.sh", FILES["calc.sh"])       # the work

    def sweep(self):
        """Ends what a client left behind; what that was. A server notices by its closed pipe that it is to end."""
        end = time.time() + 5
        while (left := self.left_running()) and time.time() < end:
            time.sleep(0.2)
        for pid in filter(str.isdigit, os.listdir("/proc")) if left else ():
            try:
                with open("/proc/%s/environ" % pid, "rb") as f:
                    if ("PLAN_HOSTS_TOKEN=" + self.token).encode() in f.read().split(b"\0"):
                        os.kill(int(pid), signal.SIGKILL)
            except OSError:
                continue
        return left

    def files(self, top=None):
        """Every file and folder of the repository, or of the home, but git's own and what npm installs."""
        top, found = top or self.repo, {}
        for folder, folders, files in os.walk(top):
            folders[:] = [f for f in folders if f not in (".git", "node_modules")]
            for path in (os.path.join(folder, name) for name in files):
                if os.path.isfile(path):
                    with open(path, "rb") as f:
                        found[os.path.relpath(path, top)] = f.read()
            found.update({os.path.relpath(os.path.join(folder, n), top) + "/": b"" for n in folders})
        return found


class Case:
    """One client through all steps."""

    def __init__(self, drive):
        self.drive, self.w, self.wrong, self.ran = drive, drive.w, {}, set()

    def expect(self, step, holds, words):
        self.ran.add(step)
        if not holds:
            self.wrong.setdefault(step, []).append(words)
        return holds

    @property
    def requests(self):
        return [r for r in self.drive.model.agent.requests if r.chose not in ("title", "side")]

    def main(self):
        """The requests of the agent itself."""
        return [r for r in self.requests if not r.chose.startswith(("judge:", "draft:", "summary"))]

    def answered(self, name):
        return next((r for r in self.main() if r.chose == name), None)

    # ---- the steps
    def work(self):
        d = self.drive
        before = self.w.files()
        self.install()
        d.model.agent.turns = [
            ("first", {"text": "one", "tools": [d.shell("echo one >> notes.txt")]}),
            ("second", {"text": "two", "tools": [d.edit("two.txt", "two")]}),
            ("third", {"text": "three", "tools": [d.shell("echo three >> notes.txt")]}),
            ("show", {"text": "look", "tools": [d.mcp("plan_show", goal="add-1")]}),
            ("complete", {"text": "sign", "tools": [d.complete()]}),
            ("signed", {"text": "go on", "tools": [d.shell("echo on")], "input_tokens": 100 if d.compacts_at_text else d.compacting}),
            ("after", {"text": "go on", "tools": [d.shell("echo on")]}),
            ("more", {**d.model.agent.more, "input_tokens": d.compacting if d.compacts_at_text else 100}),
        ]
        said = d.ask("Do the work in plan.md.")
        self.expect("start", not said, said)
        self.start()
        self.reminder()
        self.mcp()
        self.sign_off()
        self.compaction()
        self.guard()
        self.resume()
        self.own()
        self.uninstall(before)
        self.user_scope()

    def plan(self, *args):
        d = self.drive
        return subprocess.run([d.plan, *args], cwd=self.w.repo, env=d.environment(), capture_output=True, text=True, timeout=60)

    def install(self):
        d, todo = self.drive, self.drive.todo or "left to do"
        ran = self.plan("install", d.name)
        self.expect("install", ran.returncode == 0, "exit %d: %s" % (ran.returncode, ran.stderr))
        self.expect("install", (todo in ran.stdout) == bool(d.todo), "what is left to do: %s" % ran.stdout)
        first = self.w.files()
        d.consent()
        again = self.plan("install", d.name)
        self.expect("install", again.returncode == 0 and self.w.files() == first, "a second time changed something")
        self.expect("install", todo not in again.stdout, "left to do though it is done: %s" % again.stdout)

    def blocks(self, request):
        return [(role, block) for role, text in request.messages for block in BLOCK.findall(text)]

    def look(self, step, request, copies, words):
        """Whether a request holds the block so many times, and not in its system prompt, and small."""
        if not self.expect(step, request is not None, "%s: no such request" % words):
            return
        found = self.blocks(request)
        self.expect(step, len(found) == copies, "%s: %d copies of the block, expected %d: %s" % (words, len(found), copies, self.shape(request)))
        self.expect(step, not BLOCK.search(request.system), "%s: a block in the system prompt" % words)
        self.expect(step, all(len(b.encode()) < 9_000 for _, b in found), "%s: a block of %s bytes, of 10,000 that each takes" % (words, [len(b.encode()) for _, b in found]))

    @staticmethod
    def shape(request):
        return [(role, len(BLOCK.findall(text)), text[:70]) for role, text in request.messages]

    def start(self):
        first = self.answered("first")
        self.look("start", first, 1, "first request")
        self.expect("start", first and all(len(block) > 6_000 for _, block in self.blocks(first)), "the first block is not the whole plan")
        for request in filter(None, map(self.answered, ("second", "third", "show", "complete"))):
            self.look("start", request, 1, "request `%s`" % request.chose)

    def reminder(self):
        before, due = self.answered("third"), self.answered("show")
        self.expect("reminder", before and REMINDER not in before.text(), "it came before it was due")
        self.expect("reminder", due and due.text().count(REMINDER) == 1, "copies after three turns that modified files: %s" % (due and due.text().count(REMINDER)))
        later = self.answered("complete")
        self.expect("reminder", later and later.text().count(REMINDER) == (1 if self.drive.kept else 0), "copies one request later: %s" % (later and later.text().count(REMINDER)))

    def mcp(self):
        after = self.answered("complete")
        results = [text for _, text in after.messages[-3:] if not BLOCK.search(text)] if after else []
        # As the tool says it: the block of the transient hosts stands beside it.
        self.expect("mcp", any("the test does not call add" in text for text in results), "plan_show: %s" % str(results)[-900:])

    def sign_off(self):
        text = self.w.read("repo/plan.md")
        after = self.answered("signed")
        self.expect("sign-off", re.search(r"add-1 signed off \(verify green .*oracle accept by %s, " % self.drive.judge, text), "the log: %s" % text[-500:])
        self.expect("sign-off", "status: done" in text, "plan.md does not say done")
        judged = [r for r in self.requests if r.chose.startswith("judge:")]
        self.expect("sign-off", judged, "no judge was asked")
        self.expect("sign-off", not any(PUSH in r.text() or REMINDER in r.text() or "sign off: plan complete" in r.text() for r in judged), "our hooks spoke inside the judge")
        if "sign-off" in self.wrong:
            self.wrong["sign-off"].append("result: " + (after.messages[-1][1] if after else "none")[-900:])

    def compaction(self):
        summed = [i for i, r in enumerate(self.requests) if r.chose == "summary"]
        if not self.expect("compaction", summed, "the client did not ask for a summary: %s" % [r.chose for r in self.requests]):
            return
        asked = [r.system + r.text() for r in self.requests if r.chose == "summary"]
        kept = any(KEPT in text and "done: 1. write add — it adds" in text for text in asked)
        told = self.drive.name in ("claude", "pi", "opencode")
        self.expect("compaction", kept == told, "told to keep the steps: %s: %s" % (kept, [text[-900:] for text in asked]))
        after = [r for r in self.requests[summed[-1] + 1:] if not r.chose.startswith("judge:")]
        late = self.drive.is_late       # the client takes nothing between the compaction and the next request
        self.expect("compaction", len(after) > 2 and all("STUB-SUMMARY" in r.text() for r in after[:2]), "the summary is not there: not compacted")
        self.look("compaction", after[0] if after else None, 0 if late else 1, "first request after it")
        if late:
            self.look("compaction", after[1] if after[1:] else None, 1, "second request after it")

    def guard(self):
        ends = [r for r in self.main() if r.chose == "more"]
        self.expect("guard", len(ends) == 6, "%d requests answered with text alone, expected 1 and 5 pushes" % len(ends))
        for n, request in enumerate(ends):
            pushes = request.text().count(PUSH)
            self.expect("guard", pushes == n, "request %d after the first text: %d pushes: %s" % (n, pushes, self.shape(request)))
            copies = 1 + n if self.drive.kept else 1
            self.look("guard", request, copies, "push %d" % n)

    def resume(self):
        """The person changes the plan, then speaks again."""
        self.w.write("repo/plan.md", self.w.read("repo/plan.md").replace("Subtract two numbers", "Subtract two numbers, CHANGED"))
        self.pause()
        new = next((r for r in self.main() if r.chose == "pause"), None)
        fresh = [(i, role) for i, (role, text) in enumerate(new.messages) for b in BLOCK.findall(text) if "CHANGED" in b] if new else []
        self.expect("resume", len(fresh) == 1 and fresh[0][0] >= len(new.messages) - 2, "blocks of the plan as it is: %s of %s" % (fresh, new and len(new.messages)))
        self.expect("resume", new and not BLOCK.search(new.system), "a block in the system prompt")

    def pause(self):
        d = self.drive
        before = len(self.main())
        d.model.agent.turns = [("pause", {"text": "blocked", "tools": [d.pause("no subtraction here")]})]
        said = d.ask("Go on.", again=True)
        self.expect("pause", not said, said)
        new = self.main()[before:]
        self.expect("pause", [r.chose for r in new] == ["pause", "more"], "requests: %s" % [r.chose for r in new])
        self.expect("pause", "no subtraction here" in self.w.read("repo/plan.md"), "not in the log")

    def own(self):
        """Nothing of ours in any system prompt, nothing kept that is for one request, the person's own hooks as they were."""
        # P-70, F-44
        ours = [words for words in ('plan file="plan.md"', REMINDER, PUSH) if any(words in r.system for r in self.requests)]
        self.expect("start", not ours, "in the system prompt: %s" % ours)
        if "%OWN%" in str(self.drive.seen):
            self.expect("install", os.path.exists(self.w.dir + "/own-hook"), "the person's own hook did not run")
        if self.drive.kept:
            return
        for request in self.requests:
            if not request.chose.startswith("judge:"):
                copies = len(self.blocks(request))
                self.expect("start", copies == (0 if request.chose == "summary" else 1), "request `%s`: %d copies" % (request.chose, copies))
        stored = [os.path.join(f, n) for f, _, names in os.walk(self.w.home) for n in names if self.holds_block(os.path.join(f, n))]
        self.expect("start", not stored, "the block is stored: %s" % stored)

    @staticmethod
    def holds_block(path):
        if not os.path.isfile(path) or "node_modules" in path:
            return False
        with open(path, "rb") as f:
            return re.search(rb'plan file=\\*"plan\.md\\*" mode=', f.read()) is not None

    def uninstall(self, before):
        ran = self.plan("uninstall", self.drive.name)
        self.expect("uninstall", ran.returncode == 0, "exit %d: %s" % (ran.returncode, ran.stderr))
        after = self.w.files()
        mine = {"plan.md", "notes.txt", "two.txt"}
        changed = sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k) and k not in mine)
        self.expect("uninstall", not changed, "not as before: %s" % changed)

    def user_scope(self):
        """The same for all repositories of the person, beside the settings that the client works with."""
        d = self.drive
        d.end()
        before = self.w.files(self.w.home)
        ran = self.plan("install", d.name, "--scope", "user")
        self.expect("user scope", ran.returncode == 0, "install: exit %d: %s" % (ran.returncode, ran.stderr))
        after = self.w.files(self.w.home)
        settings = (".json", ".toml", ".md", ".ts")     # a client writes logs and the like as soon as it is asked something
        touched = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name) and name.endswith(settings) and "/state/plan/" not in name]
        d.model.agent.turns, d.is_user = [("hello", {"text": "Hello."})], True
        said = d.ask("Say hello.")
        self.expect("user scope", not said, said)
        self.look("user scope", self.answered("hello"), 1, "the request")
        d.end()
        ran = self.plan("uninstall", d.name, "--scope", "user")
        self.expect("user scope", ran.returncode == 0, "uninstall: exit %d: %s" % (ran.returncode, ran.stderr))
        after = self.w.files(self.w.home)
        changed = sorted(name for name in touched if before.get(name) != after.get(name))
        self.expect("user scope", touched and not changed, "installed in %s, not as before: %s" % (touched, changed))


def drive(make, plan):
    """One client; its Case, and the seconds that it took."""
    start = time.time()
    with Bench() as w:
        d = make(w, plan)
        with agent_model.Model(w.write("case.json", agent_model.case(w.repo + "/written")), w.dir + "/requests.jsonl") as d.model:
            case = Case(d)
            try:
                d.set_up()
                case.work()
            except Exception:
                case.wrong.setdefault("drive", []).append(traceback.format_exc()[-900:])
            finally:
                d.end()
            left = w.sweep()
            case.expect("uninstall", not left, "left running: %s" % left)
        if os.environ.get("PLAN_HOSTS_KEEP"):
            shutil.copytree(w.dir, os.path.join(os.environ["PLAN_HOSTS_KEEP"], d.name), symlinks=True, dirs_exist_ok=True)
    return case, time.time() - start


def main():
    plan, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    makes = [m for m in drives.DRIVES if (not wanted or m.name in wanted) and not world.missing(m.name)]
    passed = failed = 0
    table = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for make, (case, seconds) in zip(makes, pool.map(lambda make: drive(make, plan), makes)):
            for step in STEPS + ["drive"]:
                wrong = case.wrong.get(step)
                if wrong or step in case.ran:
                    passed, failed = passed + (not wrong), failed + bool(wrong)
                    note = "; " + make.notes[step] if step in make.notes else ""
                    table.append("%s | %s | %s" % (make.name, step, "FAILED" if wrong else "ok" + note))
                    if wrong:
                        print("FAILED %s %s" % (make.name, step))
                        print("\n".join("    " + words.replace("\n", "\n    ") for words in wrong))
            print("%s %s (%.1f s)" % ("FAILED" if case.wrong else "ok    ", make.name, seconds), flush=True)
    print("\n".join(table))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not makes else 0


if __name__ == "__main__":
    sys.exit(main())
