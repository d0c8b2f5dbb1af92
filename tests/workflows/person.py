"""person.py - a newcomer at work: types what README and --help say, declares nothing, and pastes the one command that a refusal names."""
import re
import shlex
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "gate"))
from world import JUDGE, Place  # noqa: E402

JUDGES = {"a judge that accepts": JUDGE, "checks": "checks"}
MOST = 4        # refusals of one command; then it is a dead end


class DeadEnd(Exception):
    """A refusal that names no command, more than one, or one that does not help."""


class Person(Place):
    """Use as a context. `commands`: every `plan` that was typed or pasted; `refusals`: what was refused, and what mended it."""

    def __init__(self, name, plan, judge, python, node):
        super().__init__(re.sub(r"\W+", "-", name))
        self.plan_program, self.judge = plan, judge
        self.env["PATH"] = f"{Path(plan).parent}:{self.env['PATH']}"
        for program in (python, node):
            if program:
                self.env["PATH"] = f"{Path(program).parent}:{self.env['PATH']}"
        self.commands, self.refusals, self.said = [], [], []
        self.goal = None

    # ---- what a person does
    def project(self, files):
        """A repository with a history; the plan comes later."""
        self.run("git", "init", "-q")
        # Written long ago: two versions within a second are one to Python's bytecode.
        self.write(files, time.time() - 3600)
        self.commit("base")

    def begin(self, subject, *options, start=True):
        """A plan, a judge, a goal, as README's first page has it."""
        self.type("plan", "init", "Our project")
        self.type("plan", "judge", "set", self.judge)
        self.add(subject, *options, start=start)

    def add(self, subject, *options, start=True):
        said = self.type("plan", "goal", "add", subject, *options, *(["--start"] if start else []))
        self.goal = next(line for line in said.splitlines() if re.fullmatch(r"[a-z0-9-]+-\d+", line))

    def complete(self):
        """Signed off, whatever it takes of what the refusals say."""
        self.type("plan", "complete", self.goal)
        text = (self.repo / "plan.md").read_text()
        block = text[text.index(f"<!-- id: {self.goal} -->"):]
        if "status: done" not in block.split("\n## ")[0]:
            raise DeadEnd(f"{self.goal} is not done")

    def type(self, *argv):
        """One command, and where it is refused the one that the refusal names, and then the same again."""
        line = shlex.join(argv)
        for _ in range(MOST):
            done = self.run("sh", "-c", line, check=False)
            self.commands.append(line)
            said = done.stdout + done.stderr
            self.said.append(f"$ {line}\n{said}")
            if done.returncode == 0:
                return said
            pasted = self.named(line, said, done.returncode)
            self.refusals.append((self.reason(said), pasted))
            if pasted != line:
                mended = self.run("sh", "-c", pasted, check=False)
                self.commands.append(pasted)
                self.said.append(f"$ {pasted}\n{mended.stdout}{mended.stderr}")
                if mended.returncode:
                    raise DeadEnd(f"`{pasted}`, which the refusal named, ends with {mended.returncode}: {mended.stderr.strip() or mended.stdout.strip()}")
                if pasted.split()[:2] == line.split()[:2]:
                    return mended.stdout
        raise DeadEnd(f"`{line}` is refused {MOST} times")

    @staticmethod
    def reason(said):
        """The codes of what blocked, or what was missing, in a few words."""
        codes = re.findall(r"^  block    ([a-z-]+):", said, re.M)
        codes += re.findall(r"^missing: open lead: ([a-z-]+)", said, re.M)
        missing = re.findall(r"^missing: (?!open lead)(.*)", said, re.M) + re.findall(r"^error: (.*)", said, re.M)
        return ", ".join(dict.fromkeys(codes)) or "; ".join(missing) or said.strip().splitlines()[0]

    @staticmethod
    def named(line, said, code):
        """The one command that a refusal names: `next: plan …`, or the only `plan …` in backticks."""
        after = re.findall(r"^\s*next: (plan .*)$", said, re.M)
        quoted = [one for one in re.findall(r"`(plan [^`]*)`", said) if "…" not in one]
        named = list(dict.fromkeys(after or quoted))
        if len(named) != 1:
            what = "no command" if not named else f"{len(named)} commands ({'; '.join(named)})"
            raise DeadEnd(f"`{line}` is refused (exit {code}) and names {what}:\n{said}")
        return named[0]
