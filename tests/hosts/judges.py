#!/usr/bin/env python3
"""judges.py PLAN_BINARY [CASE...] - the real clients as judges of `plan complete`, each against a model by rule.

A case is HOST-WHAT: `claude-accept`, `codex-reject`, ... In every one the repository is full of traps, the model first
tries to write, and afterwards nothing but plan.md and `plan`'s own records may have changed, nothing may run on.
"""
import os, re, subprocess, sys

import trapped

MODEL = {"claude": "claude:sonnet", "codex": "codex:gpt-5.5", "pi": "pi:stub/stub-model", "gemini": "gemini:gemini-2.5-flash",
         "opencode": "opencode:stub/stub-model", "qwen": "qwen:stub-model"}
MARK = {"claude": {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ID": "outer"},
        "codex": {"CODEX_THREAD_ID": "outer", "CODEX_VERSION": "0.169.0"},
        "pi": {"AI_AGENT": "pi", "PI_CODING_AGENT": "true", "PI_SESSION_ID": "outer", "PI_PROVIDER": "stub", "PI_MODEL": "stub-model"},
        "gemini": {"GEMINI_CLI": "1"}, "opencode": {"AGENT": "1", "OPENCODE": "1", "OPENCODE_PID": "1"},
        "qwen": {"QWEN_CODE": "1", "QWEN_CODE_SESSION_ID": "outer", "QWEN_CODE_MODEL": "stub-model"}}
# Seconds in which a client has certainly asked its model. opencode first tries to fetch a package, here in vain.
SILENT = {"claude": 3, "codex": 3, "opencode": 60}
# Found by its marks: with the model of the session, where they name one.
MARKED = {"pi": MODEL["pi"], "qwen": MODEL["qwen"]}
SIGNED = r"^- \d{4}-\d\d-\d\d \d\d:\d\d  add-1 signed off \(verify green [\d.]+s, gate full, oracle accept by %s, contract [0-9a-f]{12}, tree [0-9a-f]{12}, at [0-9a-f]{7,}\+?\)$"
REJECTED = r"^- \d{4}-\d\d-\d\d \d\d:\d\d  add-1 rejected \(oracle %s\): missing: a test of negative numbers$"
UNTOLD = r"^- \d{4}-\d\d-\d\d \d\d:\d\d  add-1 inconclusive \(oracle %s\): .+$"

# what: (the model's verdict, exit code, status afterwards, log line, requests that must have been)
WHATS = {
    "accept": ("accept", 0, "done", SIGNED, ["write", "read", "judge"]),
    "spaced": ("accept", 0, "done", SIGNED, ["write", "read", "judge"]),      # a path that is told in the data
    "reject": ("reject", 1, "active", REJECTED, ["write", "read", "judge"]),
    "prose": ("prose", 3, "active", UNTOLD, ["prose"]),
    "refused": ("refused", 3, "active", UNTOLD, ["refused"]),
    "silent": ("silent", 3, "active", UNTOLD, ["silent"]),      # for longer than the time that is given
}


def run(plan, world, host, what):
    """One case; the list of what was not as it should be."""
    verdict, code, status, line, asked = WHATS[what]
    case = {"verdict": verdict, "find": [r"echo .*\+"], "failures": ["= 5 "], "write": world.repo + "/written"}
    port = world.start_model(case)
    # Once named with its model, else found by the marks of the session that this runs under.
    named = what in ("accept", "spaced")
    if what == "spaced":
        os.rename(world.repo, world.dir + "/the repo")
        os.symlink("the repo", world.repo)
        world.repo = world.dir + "/the repo"
    judge, env = (MODEL[host], {}) if named else (MARKED.get(host, host), MARK[host])
    before = world.tree()
    argv = [plan, "complete", "add-1", "--timeout", str(SILENT.get(host, 20) if what == "silent" else 100)] + (["--judge", judge] if named else [])
    ran = subprocess.run(argv, cwd=world.repo, env=world.environment(port, env), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=150)
    text, requests, wrong = world.read("repo/plan.md"), world.requests(), []

    def expect(holds, words):
        if not holds:
            wrong.append(words)

    expect(ran.returncode == code, "exit %d, expected %d" % (ran.returncode, code))
    expect("\nstatus: %s\n" % status in text, "the status is not `%s`" % status)
    # One that the call names is no setting of the user; the session's own host is nobody's choice.
    name = judge + (" (named by caller)" if named else "")
    expect(re.search(line % re.escape(name), text, re.M), "no log line `%s`" % (line % name))
    expect(what != "reject" or "a test of negative numbers" in ran.stdout, "what is missing is not on stdout")
    chosen = [r["chose"] for r in requests]
    expect(all(step in chosen for step in asked), "the model was asked for %s, expected %s" % (chosen, asked))
    models = {r["body"].get("model", "") for r in requests if r["chose"] in asked}
    expect(not named or all(judge.split(":")[1].rpartition("/")[2] in model for model in models), "the model was %s" % models)
    after = world.tree()
    expect(before == after, "changed: %s" % sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k)))
    trapped.contained(world, requests, expect)
    if wrong:
        wrong += ["stdout: " + ran.stdout.strip(), "stderr: " + ran.stderr.strip(), "plan.md ends: " + text[-600:]]
        results = [str(r["body"])[-700:] for r in requests[-1:]]
        wrong += ["last request ends: " + r for r in results]
    return wrong


if __name__ == "__main__":
    # Clients that work in a folder of their own: one that reads by its shell, one that reads by tools.
    sys.exit(trapped.main(run, MODEL, WHATS, lambda host, what: what == "spaced" and host not in ("codex", "qwen")))
