#!/usr/bin/env python3
"""draft_model.py - a model that drafts by rule, offline, behind a real client: drafts.py starts it on 127.0.0.1.

It first tries to write by every tool it knows, then reads, then answers with a plan that quotes what it read. So a draft that
is right proves that the client really read, in the sandbox and with the tools that `plan` gave it.

    draft_model.py --case CASE.json --log requests.jsonl [--port-file F] [--max-seconds 300]

CASE.json: {"plan": the answer, with the gaps of PLAN, "reply": that of `plan ask` in place of it, "bad": how many answers lack a criterion, "refused": true (HTTP 401), "find": REGEX of the line to quote,
            "write": FILE that it tries to write, "outside": [[FILE, TEXT], ...] that are changed while it drafts}
"""
import json, re

import judge_model
from judge_model import HIT, Talk

NONCE = re.compile(r"PLAN-END\[([0-9a-f]{32})\]")
PLAN = """# Plan: Sums

`%s` adds. Division stays out.

## Goal: Subtract two numbers
status: open
%sverify: sh test-sub.sh
failure_modes:
- the test does not call sub
- [ ] write the test
- [ ] write sub

## Goal: Multiply two numbers
status: open
done_when: `mul 3 2` prints 6
failure_modes:
- the test does not call mul
needs: Subtract two numbers
- [ ] write mul

PLAN-END[%s]
"""
LOOK = "cd '%s' && grep -rnE --exclude-dir=.git --exclude=plan.md '%s' ."


class Drafter(judge_model.Judge):
    def __init__(self, path):
        with open(path) as f:
            self.case = json.load(f)
        self.nonces = []

    def choose(self, body):
        talk = Talk(body)
        nonce = (judge_model.NONCE if "reply" in self.case else NONCE).search(talk.prompt)
        if not talk.tools or not nonce:         # a title or a summary: not the drafting
            return "side", {"text": '{"complexity_reasoning": "", "complexity_score": 50}' if "complexity_score" in str(body) else "DONE"}
        nonce = nonce.group(1)
        if nonce not in self.nonces:
            self.nonces.append(nonce)
        if self.case.get("refused"):
            return "refused", {"status": 401, "error": "authentication_error"}
        if not talk.results:
            return "write", {"tools": self.writes(talk)}
        if len(talk.results) == len(self.writes(talk)):
            return "read", {"tools": [self.search(talk)]}
        for file, text in self.case.get("outside", []):
            with open(file, "a") as f:
                f.write(text)
        return "draft", self.answer(talk, nonce)

    def search(self, talk):
        find = self.case["find"]
        if talk.client:
            name, arguments = talk.client[2](find, self.root(talk))
            return {"name": name, "input": arguments}
        if talk.anthropic:
            return {"name": "Grep", "input": {"pattern": find, "output_mode": "content", "-n": True}}
        return self.shell(talk, LOOK % (self.root(talk), find))

    def answer(self, talk, nonce):
        hit = HIT.search(talk.results[-1])
        place = [part for part in hit.groups() if part is not None] if hit else ["nothing found", "", ""]
        lacks = len(self.nonces) <= self.case.get("bad", 0)
        quoted = "%s:%s %s" % (place[0].rsplit("/", 1)[-1], *place[1:])
        if "reply" in self.case:                # of `plan ask`, each client's in its own way
            text = json.dumps({**self.case["reply"], "message": quoted})
            return {"tools": [{"name": "StructuredOutput", "input": {"reply": text}}]} if talk.anthropic else {"text": "Here:\n```json\n%s\n```" % text}
        text = self.case.get("plan", PLAN) % (quoted, "" if lacks else "done_when: `sub 3 2` prints 1\n", nonce)
        if talk.anthropic:
            return {"tools": [{"name": "StructuredOutput", "input": {"plan": text}}]}
        if talk.client and "structured_output" in talk.tools:
            return {"tools": [{"name": "structured_output", "input": {"plan": text}}]}
        if talk.client:
            return {"text": "I read it all.\n\n```markdown\n%s```\n" % text}
        return {"text": json.dumps({"plan": text})}


if __name__ == "__main__":
    judge_model.main(Drafter)
