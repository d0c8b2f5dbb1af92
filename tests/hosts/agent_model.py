"""agent_model.py - the model behind a client that clients.py drives: it plays the agent by a script, judges by rule where it is
asked to (judge_model.py), and answers what a client asks beside that (titles, summaries). Runs inside the test's own process.

Every request is kept, in order, with what was answered: `Request`.
"""
import json, re, threading

import draft_model, judge_model, stub_model

TITLE = re.compile(r"title generator|Generate a (short )?title|summarize this coding conversation", re.I)
# What the six clients write when they want their conversation summed up.
SUMMARY = re.compile(r"CRITICAL: Respond with TEXT ONLY|CONTEXT CHECKPOINT COMPACTION|<state_snapshot>|context summarization assistant"
                     r"|anchored summary|summariz(e|ing) (our|the) conversation|create a (detailed|structured) (context )?(checkpoint )?summary", re.I)
SUMMED_UP = "<state_snapshot><overall_goal>STUB-SUMMARY</overall_goal></state_snapshot>"


def texts(value):
    """Every text in a part of a request, whatever it is wrapped in."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(texts, value)))
    if isinstance(value, dict):
        return "\n".join(filter(None, (texts(v) for k, v in value.items() if k not in ("type", "id", "role"))))
    return ""


class Request:
    """One request of a client to its model, the same for the four protocols."""

    def __init__(self, body, path):
        self.body, self.path, self.chose = body, path, ""
        self.system = texts(body.get("system") or body.get("instructions") or body.get("systemInstruction") or body.get("system_instruction"))
        self.messages = []              # (role, all its text)
        for item in body.get("messages") or body.get("input") or body.get("contents") or []:
            role = item.get("role") or item.get("type", "")
            text = texts({k: v for k, v in item.items() if k != "role"})
            # A system message that stands first is the system prompt; Claude Code sends what hooks say as a later one.
            if role == "system" and not self.messages and "system" not in body:
                self.system += text
            else:
                self.messages.append((role, text))
        tools = body.get("tools") or []
        tools = [f for t in tools for f in t.get("functionDeclarations") or [t]]
        self.tools = [(t.get("function") or t).get("name") or t.get("type", "") for t in tools]

    def text(self):
        return "\n".join(text for _, text in self.messages)


class Agent:
    """Chooses replies; stands where stub_model.Script stands. `turns` are (name, reply); then it says `more` for ever."""

    def __init__(self, judge):
        self.judge, self.turns, self.more = judge, [], {"text": "That was one step."}
        self.requests, self.lock, self.said = [], threading.Lock(), 0
        self.drafter = None             # answers as the agent of `plan draft` (draft_model.py)

    def choose(self, body):
        request = Request(body, "")
        with self.lock:
            request.chose, reply = self.pick(request)
            self.requests.append(request)
        return request.chose, reply

    def pick(self, request):
        # Claude Code may send what hooks say behind the message that is to be answered.
        last = next((text for role, text in reversed(request.messages) if role != "system"), "")
        if "complexity_score" in str(request.body.get("generationConfig")):     # Gemini CLI has the model chosen
            return "side", {"text": '{"complexity_reasoning": "r", "complexity_score": 10}'}
        prompt = request.system + request.text()
        if judge_model.NONCE.search(prompt) and judge_model.PROBE.search(prompt) and "plan_show" not in str(request.tools):
            chose, reply = self.judge.choose(request.body)
            return "judge:" + chose, reply
        if self.drafter and request.tools and draft_model.NONCE.search(prompt):
            chose, reply = self.drafter.choose(request.body)
            return "draft:" + chose, reply
        if TITLE.search(request.system) and not request.tools:
            return "title", {"text": "A title"}
        if SUMMARY.search(last) or (SUMMARY.search(prompt) and not request.tools):
            return "summary", {"text": SUMMED_UP}
        if not request.tools:
            return "side", {"text": "ok"}
        if self.turns:
            return self.turns.pop(0)
        self.said += 1
        return "more", self.more


class Model:
    """The server around an Agent. Use as a context."""

    def __init__(self, case_file, log):
        self.server = stub_model.Server(("127.0.0.1", 0), stub_model.Handler)
        self.agent = self.server.script = Agent(judge_model.Judge(case_file))
        self.server.log, self.server.log_lock, self.server.count = open(log, "a"), threading.Lock(), 0
        self.port = str(self.server.server_address[1])
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.server.log.close()


def case(plan_file):
    """What the judge half is told (judge_model.py): it accepts, and cites what it finds."""
    return json.dumps({"verdict": "accept", "find": [r"echo .*\+"], "failures": ["= 5 "], "write": plan_file})
