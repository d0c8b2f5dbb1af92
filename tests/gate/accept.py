#!/usr/bin/env python3
"""accept.py - a judge that always accepts, with citations that hold. So only the gate blocks."""
import json
import re
import sys

prompt = sys.stdin.read()
nonce = re.search(r"^DATA\[([0-9a-f]{32})\] begin$", prompt, re.M).group(1)
probe = open(re.search(r"`(/[^`\n]*/probe)`", prompt).group(1)).read().strip()
data = json.loads(prompt.split(f"DATA[{nonce}] begin\n")[1].split(f"\nDATA[{nonce}] end")[0])
print(f"SIGNOFF[{nonce}]\nprobe: {probe}")
for question in data["criteria"] + data["failure_modes"]:
    word = "met" if question["id"].startswith("C") else "ruled out"
    print(f"{question['id']} {word}: gone no/such/file")
print(f"missing: none\nnotes: it always says so\nVERDICT[{nonce}]: accept")
