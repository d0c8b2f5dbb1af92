#!/usr/bin/env python3
"""drafts.py PLAN_BINARY [CASE...] - the real clients as agents of `plan draft`, and two as planners of `plan ask`, each against a model by rule.

A case is HOST-WHAT: `claude-good`, `codex-third`, ... In every one the repository is full of traps, the model first tries to
write by every tool, and afterwards nothing but plan.md and `plan`'s own records may have changed, nothing may run on.
"""
import os, shutil, subprocess, sys

from judges import MODEL
import trapped

EMPTY = "# Plan: Sums\n"
# What stands before a call so that no Landlock is there, for `plan` and all below it.
UNBOXED = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=landlock_create_ruleset",
           "-e", "inject=landlock_create_ruleset:error=ENOSYS"]

# what: (the model's case, exit code, words of the output, requests that must have been)
WHATS = {
    "good": ({}, 0, ["drafted 2 goals, 3 steps with %s in 1 try, sandbox ", ", nothing else changed\n"], ["write", "read", "draft"]),
    "third": ({"bad": 2}, 0, ["in 3 tries, sandbox ", "try 2 of 3: goal `Subtract two numbers`: it has no `done_when`"], ["draft"]),
    "bad": ({"bad": 3}, 1, ["no draft: 3 answers of `%s` could not be used"], ["draft"]),
    "refused": ({"refused": True}, 3, ["no draft: "], ["refused"]),
    "changed": ({"outside": [["calc.sh", "x"], ["new.txt", "x"], [".git/config", "[a]\n\tb = c\n"]]}, 1,
                ["  source: file `calc.sh` modified\n", "  new file: file `new.txt` added\n", "  git's settings: git's own `config` modified\n"], ["draft"]),
    # `plan ask`: what the client read comes back as words.
    "ask": ({"reply": {"mode": "chat"}}, 0, ["asking %s (sandbox ", "calc.sh:2 echo $(($1 + $2))\n"], ["write", "read", "draft"]),
    "unboxed": ({}, 0, ["drafted 2 goals, 3 steps with %s in 1 try, sandbox none", ", nothing else changed\n"], ["write", "read", "draft"]),
}


def run(plan, world, host, what):
    """One case; the list of what was not as it should be."""
    case, code, words, asked = WHATS[what]
    outside = [[os.path.join(world.repo, file), text] for file, text in case.get("outside", [])]
    world.write("repo/plan.md", EMPTY)
    port = world.start_model({**case, "find": r"echo .*\+", "write": world.repo + "/written", "outside": outside}, "draft_model.py")
    before, agent = world.tree(), MODEL[host]
    verb = "ask" if what == "ask" else "draft"
    argv = [plan, verb, "calc subtracts and multiplies", "--with", agent]
    argv = (UNBOXED if what == "unboxed" else []) + argv
    ran = subprocess.run(argv, cwd=world.repo, env=world.environment(port, {}), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=250)
    text, requests, wrong = world.read("repo/plan.md"), world.requests(), []

    def expect(holds, words):
        if not holds:
            wrong.append(words)

    expect(ran.returncode == code, "exit %d, expected %d" % (ran.returncode, code))
    for part in words:
        part = part % agent if "%s" in part else part
        expect(part in ran.stdout + ran.stderr, "`%s` is not in the output" % part)
    chosen = [r["chose"] for r in requests]
    expect(all(step in chosen for step in asked), "the model was asked for %s, expected %s" % (chosen, asked))
    if what == "ask":
        expect(text == EMPTY, "plan.md was written")
    elif code == 0:
        expect("`calc.sh:2 echo $(($1 + $2))` adds." in text, "what the client read is not in the plan")
        expect("<!-- id: multiply-two-numbers-1 -->" in text and "- [ ] 3. write mul" in text, "ids or numbers are missing")
    else:
        expect(text == EMPTY, "plan.md was written")
        listed = subprocess.run([plan], cwd=world.repo, env=world.environment(port, {}), capture_output=True, text=True, timeout=60)
        expect("last draft failed: " in listed.stdout, "`plan` does not show the failure: %s" % listed.stdout)
    expect(what != "third" or "it has no `done_when`" in str([r["body"] for r in requests]), "the findings are in no prompt")
    after = world.tree()
    changed = sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))
    expect(changed == sorted(os.path.relpath(file, world.repo) for file, _ in outside), "changed: %s" % changed)
    trapped.contained(world, requests, expect)
    if wrong:
        wrong += ["stdout: " + ran.stdout.strip(), "stderr: " + ran.stderr.strip(), "plan.md ends: " + text[-600:]]
        wrong += ["last request ends: " + str(r["body"])[-900:] for r in requests[-1:]]
    return wrong


def lacks(host, what):
    """Codex has a sandbox of its own, which needs Landlock as well. Questions are asked like drafts: two clients show it."""
    return what == "ask" and host not in ("claude", "codex") or what == "unboxed" and (host == "codex" or not shutil.which("strace"))


if __name__ == "__main__":
    sys.exit(trapped.main(run, MODEL, WHATS, lacks))
