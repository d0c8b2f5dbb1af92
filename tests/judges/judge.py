#!/usr/bin/env python3
"""judge.py MODE [ARGUMENT] - a judge that does one thing: prompt on stdin, answer on stdout, nothing but the standard library.

It knows what a model would know: the nonce and the probe's path from the prompt, what stands in the files that it opens.
MODE is the name of a function below; `accept` and `reject` are honest, the others are what a judge must not get away with.
ARGUMENT: for `writes` and `has-written` the file, for `calls_plan` the program.
"""
import json
import os
import re
import subprocess
import sys
import time


class Prompt:
    def __init__(self, text):
        self.text = text
        self.nonce = re.search(r"^DATA\[([0-9a-f]{32})\] begin$", text, re.M).group(1)
        path = re.search(r"`(/[^`\n]*/probe)`", text).group(1)
        self.scratch, self.probe = os.path.dirname(path), open(path).read().strip()
        data = text.split(f"DATA[{self.nonce}] begin\n")[1].split(f"\nDATA[{self.nonce}] end")[0]
        self.data = json.loads(data)


def cited(prompt):
    """The first line that shows something in the first evidence file, as a citation; nothing where there is none."""
    for path in prompt.data["evidence"]["files"]:
        try:
            for number, line in enumerate(open(path, errors="replace"), 1):
                if line.strip():
                    return f'{path}:{number} "{line.strip()}"'
        except OSError:
            pass
    return None


def block(prompt, verdict="accept", cite=None, missing=(), nonce=None, probe=None, without=()):
    """A whole answer. Failure modes are ruled out by their own check where it passed."""
    cite = cite or cited(prompt)
    missing = list(missing)
    lines = [f"SIGNOFF[{nonce or prompt.nonce}]", f"probe: {probe or prompt.probe}"]
    for question in prompt.data["criteria"] + prompt.data["failure_modes"]:
        name, check = question["id"], question.get("check")
        if name in without:
            continue
        words = ("met", "not met") if name.startswith("C") else ("ruled out", "not ruled out")
        if name.startswith("F") and check and check["passed"]:
            lines.append(f"{name} ruled out: check {name[1:]}")
        elif cite and not (check and not check["passed"]) and verdict == "accept":
            lines.append(f"{name} {words[0]}: {cite}")
        else:
            lines.append(f"{name} {words[1]}: no file shows it")
            missing.append(f"something that shows {name}")
            verdict = "reject"
    lines += [f"missing: {one}" for one in missing or ["none"]]
    return "\n".join(lines + ["notes: scripted", f"VERDICT[{nonce or prompt.nonce}]: {verdict}"]) + "\n"


def accept(p): return block(p)
def reject(p): return block(p, "reject")
def accept_with_missing(p): return block(p, missing=["a load test"])
def unanswered(p): return block(p, without=["C1"])
def citation_not_there(p): return block(p, cite=cited(p).split(' "')[0] + ' "no such words"')
def citation_outside(p): return block(p, cite='../outside.txt:1 "outside"')
def citation_absolute(p): return block(p, cite='/etc/passwd:1 "root"')
def citation_plan(p): return block(p, cite='plan.md:1 "# Plan"')
def citation_prose(p): return block(p, cite="I looked and it is fine")
def wrong_nonce(p): return block(p, nonce="0123456789abcdef0123456789abcdef")
def wrong_probe(p): return block(p, probe="0123456789abcdef")
def two_verdicts(p): return block(p) + f"VERDICT[{p.nonce}]: reject\n"
def text_after(p): return block(p) + "\nOn second thoughts, I would not.\n"
def not_accepted(p): return block(p).replace("]: accept", "]: not accepted")
def accept_or_reject(p): return block(p).replace("]: accept", "]: accept | reject")
def quotes_a_verdict(p): return open("review.txt").read()
def thinks_first(p): return "<think>\n" + block(p, "reject") + "</think>\n" + block(p)
def silence(p): return ""
def carriage_returns(p): return block(p).replace("\n", "\r\n")
def carriage_return(p): return block(p).replace("notes: scripted", "notes: scripted\rC1 not met: no")
def escapes(p): return "\x1b[2J" + block(p)


def mends(p):
    """Unanswered at first, whole when told what was wrong."""
    return block(p, without=[] if any("C1" in why for why in p.data["earlier"]) else ["C1"])


def crash_after_accept(p):
    print(block(p), end="", flush=True)
    print("out of credit\x1b[31m", file=sys.stderr)
    sys.exit(7)


def killed_after_accept(p):
    print(block(p), end="", flush=True)
    os.kill(os.getpid(), 9)


def crashes_once(p):
    return block(p) if p.data["earlier"] else crash_after_accept(p)


def time_out(p):
    print(block(p), end="", flush=True)
    subprocess.Popen(["sleep", "600"])
    subprocess.Popen(["sleep", "601"], start_new_session=True)
    time.sleep(602)


def leaves_a_child(p):
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    return block(p)


def garbage(p):
    sys.stdout.buffer.write(os.urandom(100_000))
    return ""


def flood(p):
    for _ in range(1600):
        sys.stdout.write("x" * 65535 + "\n")
    return block(p)


def writes(p):
    with open(sys.argv[2], "a") as file:
        file.write("written by the judge\n")
    return block(p)


def has_written(p):
    """Has somebody else write it, who may (`tests/support/hand.rs`)."""
    asking, outside = p.scratch + "/asking", p.scratch + "/outside"
    with open(asking, "w") as file:
        file.write(f"{os.environ['HOME']}\necho '# written for the judge' >> '{sys.argv[2]}'\n")
    os.rename(asking, outside)
    while os.path.exists(outside):
        time.sleep(0.01)
    return block(p)


def calls_plan(p):
    """Signs off the goal by itself, and tells what came of it."""
    for words in (["complete", p.data["goal"]["id"], "--judge", "cmd:true"], ["log", "signed off by hand"]):
        done = subprocess.run([sys.argv[2], *words], stdin=subprocess.DEVNULL, capture_output=True)
        print(f"plan {words[0]}: exit {done.returncode}", file=sys.stderr)
    return block(p, "reject")


def shows_its_surroundings(p):
    """Everything that it was given, as notes, for a test to look at."""
    shown = {"env": dict(os.environ), "cwd": os.getcwd(), "argv": sys.argv, "scratch": p.scratch,
             "files": sorted(os.listdir(p.scratch)), "nonce": p.nonce, "probe": p.probe}
    return block(p).replace("notes: scripted", "notes: " + json.dumps(shown))


def main():
    mode = sys.argv[1].replace("-", "_")
    if mode == "reads_nothing":
        sys.stdin.close()
        return
    prompt = Prompt(sys.stdin.read())
    sys.stdout.write(globals()[mode](prompt))


if __name__ == "__main__":
    main()
