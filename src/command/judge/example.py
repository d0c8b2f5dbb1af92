#!/usr/bin/env python3
"""A judge for `plan`: the prompt on stdin, the answer on stdout, nothing but the standard library.

    plan judge example > ~/judge.py && chmod +x ~/judge.py
    plan judge set "cmd:$HOME/judge.py"
    plan judge test

It believes nothing that it has not found in a file. It understands sentences that name a file in backticks and a text in
quotation marks: a criterion such as `greet.sh` holds "Hello, $1", a failure mode such as
the farewell was lost: `greet.sh` still holds "Goodbye". Any other sentence counts as not shown.

To ask a model of your own, replace `shown`: see docs/judges.md.
"""
import json
import re
import sys


def read(prompt):
    """From the prompt: the nonce of this run, the data, and the token in the probe file."""
    nonce = re.search(r"^DATA\[([0-9a-f]{32})\] begin$", prompt, re.M).group(1)
    data = prompt.split(f"DATA[{nonce}] begin\n")[1].split(f"\nDATA[{nonce}] end")[0]
    probe = re.search(r"`(/[^`\n]*/probe)`", prompt).group(1)
    with open(probe) as file:
        return nonce, json.loads(data), file.read().strip()


def shown(question, is_criterion):
    """Is a criterion met, or a failure mode ruled out? With the citation, or the missing evidence."""
    check = question.get("check")
    if check:
        return check["passed"], f"check {question['id'][1:]}" if check["passed"] else f"its check ended with {check['end']}"
    # For a failure mode only `still holds` can be looked up, because `holds` could describe the failure itself.
    verb = "holds" if is_criterion else "still holds"
    found = re.search(r'`([^`]+)` %s "([^"]+)"' % verb, question["text"])
    if not found:
        return False, "the sentence names no file and text to look for"
    path, text = found.groups()
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if text in line:
                    return True, f'{path}:{number} "{line.strip()}"'
    except OSError:
        return False, f"there is no `{path}`"
    return False, f'`{path}` does not hold "{text}"'


def judge(prompt):
    nonce, data, token = read(prompt)
    lines, missing = [f"SIGNOFF[{nonce}]", f"probe: {token}"], []
    for question in data["criteria"] + data["failure_modes"]:
        name, is_criterion = question["id"], question["id"].startswith("C")
        holds, why = shown(question, is_criterion)
        word = "met" if is_criterion else "ruled out"
        lines.append(f"{name} {word if holds else 'not ' + word}: {why}")
        if not holds:
            missing.append(f"{name}: {why}")
    lines += [f"missing: {one}" for one in missing or ["none"]]
    lines += ["notes: a script, no model", f"VERDICT[{nonce}]: {'reject' if missing else 'accept'}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(judge(sys.stdin.read()))
