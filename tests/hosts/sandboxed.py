#!/usr/bin/env python3
"""sandboxed.py PLAN_BINARY [CASE...] - the real clients inside `plan __sandbox`, with tools that write and a model that uses
them, offline. Each with its control: the same call without the sandbox does write.

That `plan` gives a judge no such tools is shown by judges.py; here it is as if a client gave them all the same.
"""
import os, platform, subprocess, sys, time

import world

QUIET = ["--no-session", "--no-extensions", "--no-mcp", "--no-skills", "--no-prompt-templates", "--no-themes", "--no-context-files", "--no-approve", "--offline"]


def pi(w, more):
    return ["pi", "-p", "--model", "stub/stub-model", *QUIET, *more, "--system-prompt", "You are a judge.", "judge this"], w.home + "/.pi"


def claude(w, more):
    w.write("home/.claude/here", "")
    return ["claude", "-p", "--model=sonnet", "--setting-sources", "", "--no-session-persistence", *more, "judge this"], w.home + "/.claude"


def call(name, **arguments):
    return {"name": name, "input": arguments}


READING = ["--tools", "read,grep,find,ls"]
# name: (client, its arguments, the calls that read, the calls that write as (call, file), whether the client knows them)
CASES = {
    "pi-reads": (pi, READING, lambda w: [call("read", path="calc.sh"), call("grep", pattern="echo", path="."), call("ls", path=".")],
                 lambda w: [(call("write", path="written-1", content="x"), "written-1")], False),
    "pi-writes": (pi, [], lambda w: [call("read", path="calc.sh")],
                  lambda w: [(call("write", path="written-1", content="x"), "written-1"), (call("bash", command="echo x > written-2"), "written-2")], True),
    "claude-writes": (claude, ["--tools", "Read,Write,Bash", "--allowedTools", "Read,Write,Bash", "--permission-mode", "acceptEdits"],
                      lambda w: [call("Read", file_path=w.repo + "/calc.sh")],
                      lambda w: [(call("Write", file_path=w.repo + "/written-1", content="x"), "written-1"),
                                 (call("Bash", command="echo x > " + w.repo + "/written-2", description="t"), "written-2")], True),
}


def run(plan, name, inside):
    """One case; the list of what was not as it should be."""
    client, arguments, reads, writes, known = CASES[name]
    wrong = []
    with world.World() as w:
        reading, writing = reads(w), writes(w)
        w.port = w.start_script({"turns": [{"tools": [c]} for c in reading + [c for c, _ in writing]] + [{"text": "VERDICT: done"}]})
        argv, state = client(w, arguments)
        wrapper = [plan, "__sandbox", "--rw", w.tmp, "--rw", state, "--"] if inside else []
        env = w.environment(w.port, {"PI_OFFLINE": "1", "PI_TELEMETRY": "0", "CLAUDE_CODE_TMPDIR": w.tmp, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"})
        ran = subprocess.run(wrapper + argv, cwd=w.repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        requests = [str(r["body"]) for r in w.requests() if r["chose"].startswith(("turn", "default"))]

        def expect(holds, words):
            if not holds:
                wrong.append("%s: %s" % ("inside" if inside else "outside", words))

        expect(ran.returncode == 0 and "VERDICT: done" in ran.stdout, "exit %d: %s %s" % (ran.returncode, ran.stdout[-500:], ran.stderr[-500:]))
        expect(requests and "echo $(($1 + $2))" in requests[-1], "what the client read did not reach the model: %s" % (requests or [""])[-1][-1500:])
        for _, file in writing:
            there = os.path.exists(os.path.join(w.repo, file))
            expect(there == (known and not inside), "%s %s" % (file, "was written" if there else "was not written: the control shows nothing"))
        expect(not w.left_running(), "left running: %s" % w.left_running())
    return wrong


def main():
    plan, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    names = [name for name in CASES if not wanted or name in wanted]
    lacking = [client for client in (pi, claude) if world.missing(client.__name__)]
    names = [name for name in names if CASES[name][0] not in lacking]
    probe = subprocess.run([plan, "__sandbox", "--", "true"], capture_output=True, text=True)
    if probe.returncode != 0 or platform.system() != "Linux":
        print("skipped: no sandbox here: %s" % probe.stderr.strip())
        return 0
    failed = 0
    for name in names:
        start = time.time()
        try:
            wrong = run(plan, name, True) + run(plan, name, False)
        except subprocess.TimeoutExpired as late:
            wrong = [str(late)]
        failed += bool(wrong)
        print("%s %s (%.1f s)" % ("FAILED" if wrong else "ok    ", name, time.time() - start), flush=True)
        for words in wrong:
            print("    " + words.replace("\n", "\n    "))
    print("%d passed, %d failed inside the sandbox" % (len(names) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
