#!/usr/bin/env python3
"""judge_model.py - a model that judges by rule, offline, behind a real client: `run.sh` starts it on 127.0.0.1.

It speaks the protocols of stub_model.py and knows nothing but what the client sends: the nonce and the probe's path
from the prompt, the probe's content and the cited lines from the results of the tools that it asked the client to run.
So a verdict that is right proves that the client really read, in the sandbox and with the tools that `plan` gave it.

    judge_model.py --case CASE.json --log requests.jsonl [--port-file F] [--max-seconds 300]

CASE.json: {"verdict": "accept" | "reject" | "prose" (no verdict object) | "refused" (HTTP 401) | "silent",
            "find": [REGEX of the line to cite, for C1, C2, ...], "failures": [the same for F1, F2, ...],
            "write": FILE that it tries to write by every tool it knows, before it judges}
"""
import argparse, json, os, re, threading

import stub_model

ROOT = re.compile(r"folder of plan\.md is `(/[^`\n]+)`")
ROOT_IN_DATA = re.compile(r'^\{"root":("(?:[^"\\\n]|\\.)*")', re.M)
NONCE = re.compile(r"(?:SIGNOFF|VERDICT|DATA)\[([0-9a-f]{32})\]")
PROBE = re.compile(r"(/[^\s\"'`\\]*/probe)\b")


def text_of(content):
    """The text in a message, a tool result or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content.get("text", content.get("content", content.get("output", ""))))
    return "\n".join(text_of(part) for part in content or [])


# The four clients whose models are asked by chat completions or by Gemini's protocol, each known by a tool that only it has:
# its calls that write, its call that reads a file, its call that searches, what it is told of a hit (line, text).
CLIENTS = {
    "ls": (lambda f: [("write", {"path": f, "content": "x"}), ("edit", {"path": f, "edits": [{"oldText": "", "newText": "x"}]}), ("bash", {"command": "touch " + f})],
           lambda f: ("read", {"path": f}), lambda w, root: ("grep", {"pattern": w, "path": root})),
    "list_directory": (lambda f: [("enter_plan_mode", {"reason": "x"}), ("exit_plan_mode", {"plan_filename": "p.md"}), ("write_file", {"file_path": f, "content": "x"}),
                                   ("replace", {"file_path": f, "old_string": "", "new_string": "x", "instruction": "x"}), ("run_shell_command", {"command": "touch " + f, "description": "t"})],
                        lambda f: ("read_file", {"file_path": f}), lambda w, root: ("grep_search", {"pattern": w, "dir_path": root})),
    "structured_output": (lambda f: [("write_file", {"file_path": f, "content": "x"}), ("edit", {"file_path": f, "old_string": "", "new_string": "x"}),
                                     ("run_shell_command", {"command": "touch " + f, "description": "t", "is_background": False})],
                          lambda f: ("read_file", {"file_path": f}), lambda w, root: ("grep_search", {"pattern": w, "path": root})),
    "read": (lambda f: [("write", {"filePath": f, "content": "x"}), ("edit", {"filePath": f, "oldString": "", "newString": "x"}), ("bash", {"command": "touch " + f, "description": "t"})],
             lambda f: ("read", {"filePath": f}), lambda w, root: ("grep", {"pattern": w, "path": root})),
}
# `calc.sh:2: text`; `File: calc.sh` or `/repo/calc.sh:`, then below it `L2: text` or `Line 2: text`.
HIT = re.compile(r"^(?:\./)?(/[^\n:]+|[^\s:]+):(\d+):\s*(.*?)\s*$|^(?:File: )?(\S+?):?\n(?:L\d+- .*\n|L\d+-\n)*\s*(?:L|Line )(\d+): *(.*?)\s*$", re.M)


class Talk:
    """A request's conversation, the same for all protocols: what the user said, what the tools returned."""

    def __init__(self, body):
        self.prompt, calls, results = "", [], {}
        declared = [d for t in body.get("tools") or [] for d in t.get("functionDeclarations") or [t.get("function") or t]]
        self.tools = [t.get("name") or t.get("type") for t in declared]
        chat = bool(body.get("tools")) and "function" in body["tools"][0]
        self.client = next((CLIENTS[name] for name in CLIENTS if name in self.tools), None) if chat or "contents" in body else None
        self.anthropic = "messages" in body and not self.client
        for item in body.get("messages") or body.get("input") or [dict(c, content=c["parts"]) for c in body.get("contents", [])]:
            calls += [call["id"] for call in item.get("tool_calls") or []]
            if item.get("role") == "tool":
                results[item["tool_call_id"]] = text_of(item["content"])
                continue
            for part in item["content"] if isinstance(item.get("content"), list) else [item]:
                kind = part.get("type", "")
                if "functionCall" in part:
                    calls.append(part["functionCall"]["id"])
                elif "functionResponse" in part:
                    response = part["functionResponse"]["response"]
                    results[part["functionResponse"]["id"]] = str(response.get("output") or response)
                elif kind == "tool_use" or kind.endswith("_call"):
                    calls.append(part.get("call_id") or part["id"])
                elif kind == "tool_result" or kind.endswith("_call_output"):
                    results[part.get("call_id") or part["tool_use_id"]] = text_of(part.get("content", part.get("output", "")))
                elif item.get("role") == "user":
                    self.prompt += text_of(part) + "\n"
        self.results = [results[c] for c in calls if c in results]      # the client answers in the order of completion


class Judge:
    """Chooses the reply to a request: stands where stub_model.Script stands."""

    def __init__(self, path):
        with open(path) as f:
            self.case = json.load(f)
        self.wanted = self.case["find"] + self.case.get("failures", [])

    def choose(self, body):
        talk = Talk(body)
        nonce, probe = NONCE.search(talk.prompt), PROBE.search(talk.prompt)
        if not talk.tools or not nonce or not probe:        # a title or a summary: not the judging
            return "side", {"text": '{"complexity_reasoning": "", "complexity_score": 50}' if "complexity_score" in str(body) else "DONE"}
        if self.case["verdict"] == "prose":
            return "prose", {"text": "All criteria are met.\nVERDICT: accept"}
        if self.case["verdict"] == "refused":
            return "refused", {"status": 401, "error": "authentication_error"}
        if self.case["verdict"] == "silent":
            return "silent", {"delay": 60}
        if not talk.results:
            return "write", {"tools": self.writes(talk)}
        if len(talk.results) < len(self.writes(talk)) + 1 + len(self.wanted):
            return "read", {"tools": self.reads(talk, probe.group(1))}
        found = talk.results[len(self.writes(talk)):]
        return "judge", self.verdict(talk, nonce.group(1), found[0], found[1:])

    def writes(self, talk):
        file = self.case["write"]
        if talk.client:
            return [{"name": name, "input": arguments} for name, arguments in talk.client[0](file)]
        if talk.anthropic:
            return [{"name": "Write", "input": {"file_path": file, "content": "x"}},
                    {"name": "Edit", "input": {"file_path": file, "old_string": "", "new_string": "x"}},
                    {"name": "Bash", "input": {"command": "touch " + file, "description": "t"}}]
        return [self.shell(talk, "touch %s && echo WRITTEN" % file),
                {"name": "apply_patch", "custom": True, "input": "*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n" % file}]

    def reads(self, talk, probe):
        if talk.client:
            _, read, search = talk.client
            calls = [read(probe)] + [search(w, self.root(talk)) for w in self.wanted]
            return [{"name": name, "input": arguments} for name, arguments in calls]
        if talk.anthropic:
            return [{"name": "Read", "input": {"file_path": probe}}] + [
                {"name": "Grep", "input": {"pattern": w, "output_mode": "content", "-n": True}} for w in self.wanted]
        look = "cd '%s' && grep -rnE --exclude-dir=.git --exclude=plan.md '%s' ."
        return [self.shell(talk, "cat " + probe)] + [self.shell(talk, look % (self.root(talk), w)) for w in self.wanted]

    @staticmethod
    def root(talk):
        told = [json.loads(path) for path in ROOT_IN_DATA.findall(talk.prompt)]
        return next(iter(ROOT.findall(talk.prompt) + told), ".")

    @staticmethod
    def shell(talk, line):
        for name in ("shell_command", "exec_command", "shell"):
            if name in talk.tools:
                key = "cmd" if name == "exec_command" else "command"
                return {"name": name, "input": {key: ["sh", "-c", line] if name == "shell" else line}}
        return {"name": "no_shell", "input": {}}

    def verdict(self, talk, nonce, probe, found):
        token = re.search(r"\b[0-9a-f]{8,}\b", probe)
        answers = []
        for i, result in enumerate(found):
            hit = HIT.search(result)
            place = [part for part in hit.groups() if part is not None] if hit else []
            ok = hit is not None and self.case["verdict"] == "accept"
            criteria = len(self.case["find"])
            name, state = ("C%d" % (i + 1), "met") if i < criteria else ("F%d" % (i + 1 - criteria), "ruled out")
            answers.append({"id": name, "state": state if ok else "not " + state,
                            "citation": '%s:%s "%s"' % (os.path.basename(place[0]), *place[1:]) if hit else "nothing found"})
        ok = not any(a["state"].startswith("not") for a in answers)
        answer = {"nonce": nonce, "probe": token.group(0) if token else "unread", "answers": answers,
                  "missing": [] if ok else ["a test of negative numbers"], "notes": "", "verdict": "accept" if ok else "reject"}
        if talk.anthropic:
            return {"tools": [{"name": "StructuredOutput", "input": answer}]}
        if talk.client and "structured_output" in talk.tools:
            return {"tools": [{"name": "structured_output", "input": answer}]}
        if talk.client:
            return {"text": self.lines(answer)}
        return {"text": json.dumps(answer)}


    @staticmethod
    def lines(answer):
        """The same as the block of lines that the prompt asks for."""
        lines = ["SIGNOFF[%s]" % answer["nonce"], "probe: " + answer["probe"]]
        lines += ["%(id)s %(state)s: %(citation)s" % a for a in answer["answers"]]
        lines += ["missing: " + m for m in answer["missing"] or ["none"]]
        return "I read it all.\n\n" + "\n".join(lines + ["notes: ", "VERDICT[%s]: %s" % (answer["nonce"], answer["verdict"])])


def main(rule=Judge):
    a = argparse.ArgumentParser()
    a.add_argument("--case", required=True)
    a.add_argument("--log", required=True)
    a.add_argument("--port-file", required=True)
    a.add_argument("--max-seconds", type=float, default=300)
    a = a.parse_args()
    server = stub_model.Server(("127.0.0.1", 0), stub_model.Handler)
    server.script, server.log, server.log_lock, server.count = rule(a.case), open(a.log, "a"), threading.Lock(), 0
    with open(a.port_file, "w") as f:
        f.write(str(server.server_address[1]))
    stopper = threading.Timer(a.max_seconds, server.shutdown)
    stopper.daemon = True
    stopper.start()
    server.serve_forever(poll_interval=0.1)


if __name__ == "__main__":
    main()
