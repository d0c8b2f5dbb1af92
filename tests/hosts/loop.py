#!/usr/bin/env python3
"""loop.py PLAN_BINARY [HOST...] - the real clients driven by `plan loop run`, each its own loop judge, against a scripted model.

Two turns: the first is judged (it says `done`, so that the second is told to sign off), the second spends the budget.
"""
import json, os, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor

from world import World, missing

MODEL = {"claude": "claude:sonnet", "codex": "codex:gpt-5.5", "pi": "pi:stub/stub-model", "gemini": "gemini:gemini-2.5-pro",
         "opencode": "opencode:stub/stub-model", "qwen": "qwen:stub-model"}
HOSTS = list(MODEL)
ASKED = r"DATA\[[0-9a-f]{32}\] begin"
VERDICT = {"done": True, "blocked": False, "reason": "it says so"}
CODEX = """model = "gpt-5.5"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:%s/v1"
env_key = "STUB_API_KEY"
wire_api = "responses"
"""


# Tools that no flag takes from a judge; they write nothing where it runs. `plan` gives it none to read with.
KEPT = {"claude": {"StructuredOutput"}, "codex": {"request_user_input", "apply_patch"},
        "qwen": {"structured_output", "glob", "grep_search", "read_file", "zoom_image"}}


def names(body):
    """The tools that a request offers."""
    tools = [t for tool in body.get("tools") or [] for t in tool.get("functionDeclarations", [tool])]
    return {t.get("name") or t.get("function", {}).get("name") or t.get("type") for t in tools}


def script(host):
    """Where a client holds its model to a schema by a tool, the verdict is a call of that; else it is text."""
    tool = {"claude": "StructuredOutput", "qwen": "structured_output"}.get(host)
    verdict = {"tools": [{"name": tool, "input": VERDICT}]} if tool else {"text": json.dumps(VERDICT)}
    return {"rules": [{"if": ASKED, "unless": '"name":"%s".*tool_result|"role":"tool"' % tool, "reply": verdict}],
            "default": {"text": "Step 1 is done."}}


def run(plan, world, host):
    """The list of what was not as it should be."""
    port = world.start_script(script(host))
    world.opencode_package()
    world.write("home/.codex/config.toml", CODEX % port)
    world.write("home/.gemini/trustedFolders.json", {world.repo: "TRUST_FOLDER"})
    argv = [plan, "loop", "run", "--with", MODEL[host], "--budget", "2"]
    env = world.environment(port, {})
    ran = subprocess.run(argv, cwd=world.repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=150)
    asked = [json.dumps(r["body"], ensure_ascii=False) for r in world.requests() if r["body"]]
    events = subprocess.run([plan, "events"], cwd=world.repo, env=env, capture_output=True, text=True).stdout
    judged = [e for e in map(json.loads, events.splitlines()) if e.get("what") in ("judged", "unreadable", "failed")]
    wrong = []

    def expect(holds, words):
        if not holds:
            wrong.append(words)

    lines = ran.stdout.splitlines()
    expect(ran.returncode == 1, "exit %d, expected 1" % ran.returncode)
    expect(lines[:2] == ["turn %d, %d left, goals 1 active: Step 1 is done." % (n, 2 - n) for n in (1, 2)], "not two turns")
    expect([e.get("done") for e in judged] == [True], "judged: %s" % judged)
    turns = [text for text in asked if "You may have finished a step" in text and "You decide whether" not in text]
    expect(any("Go on with: add-1" in text for text in turns), "no turn was told what to go on with")
    expect(any("You say that nothing is left" in text for text in turns), "no turn was told to sign off")
    expect(all(text.count('<plan file=') + text.count('<plan file=\\"') < 2 * text.count("You may have finished") + 1 for text in turns), "two copies of the block")
    judges = [r["body"] for r in world.requests() if r["body"] and "You decide whether" in json.dumps(r["body"])]
    expect(judges, "the loop judge was not asked")
    for tools in map(names, judges):
        expect(not tools - KEPT.get(host, set()), "the loop judge was given tools: %s" % sorted(tools))
    expect(not world.left_running(), "left running: %s" % world.left_running())
    if wrong:
        wrong += ["stdout: " + ran.stdout.strip(), "stderr: " + ran.stderr.strip(), "chosen: %s" % [r["chose"] for r in world.requests()]]
    return wrong


def main():
    plan, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    hosts = [host for host in wanted or HOSTS if not missing(host)]

    def one(host):
        start = time.time()
        with World() as world:
            try:
                wrong = run(plan, world, host)
            except subprocess.TimeoutExpired as late:
                wrong = [str(late)]
        print("%s loop-%s (%.1f s)" % ("FAILED" if wrong else "ok    ", host, time.time() - start), flush=True)
        for words in wrong:
            print("    " + words.replace("\n", "\n    "), flush=True)
        return bool(wrong)

    with ThreadPoolExecutor(2) as two:
        failed = sum(two.map(one, hosts))
    print("%d passed, %d failed" % (len(hosts) - failed, failed))
    return 1 if failed or not hosts else 0


if __name__ == "__main__":
    sys.exit(main())
