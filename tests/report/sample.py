"""A repository with a plan in every state, made by the real commands: goals that are signed off with citations, one whose contract was
changed by hand since, one that was rejected twice, one that was amended, and text in several scripts.

    python3 sample.py PLAN FOLDER      PLAN is the program, FOLDER a new folder; prints the repository
"""

import os
import pathlib
import subprocess
import sys

JUDGE = '''#!/usr/bin/env python3
import json, pathlib, re, sys
prompt = sys.stdin.read()
nonce = re.search(r"SIGNOFF\\[([0-9a-f]+)\\]", prompt).group(1)
probe = re.search(r"(/[^`\\"]*/probe)", prompt).group(1)
goal = re.search(r'"id":\\s*"([a-z0-9-]*-1)"', prompt) or re.search(r'\\["id",\\s*"([^"]+)"\\]', prompt)
answers = json.loads(pathlib.Path(__file__).with_name("answers.json").read_text())[goal.group(1)]
lines, verdict = answers
print(f"SIGNOFF[{nonce}]", "probe: " + pathlib.Path(probe).read_text().strip(), *lines, f"VERDICT[{nonce}]: {verdict}", sep="\\n")
'''

PLAN = """\
# Plan: Harbour kiosk: orders without a network

The ferry terminal loses its network about once a day. The kiosk has to go on selling.

- Paper is printed at once, money moves later.
- Nothing is charged *twice*, see [the decision](https://example.com/adr/7).

| wait | attempt |
| --- | --- |
| 1 s | 1 |
| 5 min | 9 |

## Goal: Choose a payment terminal
<!-- id: choose-terminal-1 -->
priority: 1
done_when: A terminal is named in docs/terminal.md, with the reason
verify: sh test/has.sh docs/terminal.md Vendor
failure_modes:
- The vendor's claim was not tried

## Goal: Keep orders on disk
<!-- id: queue-on-disk-1 -->
priority: 1
needs: choose-terminal-1
done_when:
- The cable is out for 10 minutes: no order lost
- Power lost after the print: the order is sent after the restart
verify: sh test/has.sh logs/cable.log taken
failure_modes:
- The log is of another day
- [ ] 1. One line an order, fsync before the print
- [ ] 2. SQLite instead
- [ ] 3. Send what waits, oldest first

## Goal: Each order is charged once
<!-- id: each-order-once-1 -->
priority: 1
needs: queue-on-disk-1
done_when:
- Two sends of one order make one charge at the provider
- The key of an order survives a restart between two sends
verify: sh test/has.sh bench/double.log charges
failure_modes:
- The fake provider never loses an answer (check: grep -c dropped logs/provider.log)
- The key is made of the time, and the clock drifts by 2 s a day
- [ ] 4. Key of an order (UUID v7)
- [ ] 5. Fake provider that drops answers
- [ ] 6. Send with the key of the order, also after a restart
- [ ] 7. Retry with backoff, 1 s to 5 min

## Goal: Refunds at the counter
<!-- id: refunds-1 -->
needs: choose-terminal-1
done_when:
- A partial refund leaves the rest of the order paid
- A refund over 20 € asks for a supervisor
verify: sh test/has.sh logs/supervisor.log asked && sh test/has.sh logs/refund.log paid
failure_modes:
- Nobody was asked

## Goal: Show how many orders wait
<!-- id: queue-length-1 -->
needs: queue-on-disk-1
priority: 3
done_when: With 3 orders waiting the screen says 3; above 20 the number is red
verify: sh test/has.sh logs/screen.log red
- [ ] 8. Number in the corner
- [ ] 9. Colours, and a word for those who do not see them

## Goal: Print receipts — größer als 80 mm, 日本語, عربي
<!-- id: receipts-1 -->
done_when: The test page shows ä ö ü ß € and 「領収書」 as they are
verify: sh test/has.sh fixtures/receipt.txt 領収書
failure_modes:
- The printer has other fonts than the screen

Code page 858 has the euro sign; 850 does not. Someone wrote <script>alert(1)</script> into the order's
name, and [it](javascript:alert(1)) prints as text.

## Goal: Opening day
<!-- id: opening-day-1 -->
needs: each-order-once-1, refunds-1, receipts-1
done_when: 100 orders on the counter, the cable out for ten of them, and the till agrees

## Goal: Loyalty cards
<!-- id: loyalty-1 -->
done_when: A card is read

## Log
"""

ANSWERS = """{
"choose-terminal-1": [["C1 met: docs/terminal.md:2 \\"Vendor B: prints with the cable out\\"", "F1 ruled out: docs/terminal.md:3 \\"tried for 600 s\\"", "missing: none"], "accept"],
"queue-on-disk-1": [["C1 met: logs/cable.log:3 \\"20 taken, 20 sent\\"", "C2 met: tests/test_power.py:2 \\"assert sent == [order.id]\\"", "F1 ruled out: logs/cable.log:1 \\"2026-06-16 cable out\\"", "missing: none"], "accept"],
"refunds-1": [["C1 met: logs/refund.log:1 \\"order.paid == 2\\"", "C2 met: logs/supervisor.log:1 \\"20.01 asked, 20.00 not\\"", "F1 ruled out: logs/supervisor.log:1 \\"20.01 asked\\"", "missing: none"], "accept"],
"receipts-1": [["C1 met: fixtures/receipt.txt:1 \\"ä ö ü ß € 領収書\\"", "F1 ruled out: fixtures/receipt.txt:2 \\"printed with the fonts of the printer\\"", "missing: none"], "accept"],
"each-order-once-1": [["C1 met: bench/double.log:1 \\"100 drills, 100 charges\\"", "C2 not met: kiosk/send.py:1 makes the key anew", "F1 ruled out: check 1", "F2 ruled out: kiosk/send.py:1 \\"key = uuid7()\\"", "missing: C2: `key = uuid7()` in kiosk/send.py:1: after a restart the key is made anew"], "reject"]
}"""

FILES = {
    "docs/terminal.md": "# Terminal\nVendor B: prints with the cable out\ntried for 600 s\n",
    "logs/cable.log": "2026-06-16 cable out\n2026-06-16 cable in\n20 taken, 20 sent\n",
    "tests/test_power.py": "def test_power():\n    assert sent == [order.id]\n",
    "logs/refund.log": "order.paid == 2\n",
    "logs/supervisor.log": "20.01 asked, 20.00 not\n",
    "fixtures/receipt.txt": "ä ö ü ß € 領収書\nprinted with the fonts of the printer\n",
    "bench/double.log": "100 drills, 100 charges\n",
    "logs/provider.log": "20 dropped\n",
    "kiosk/send.py": "key = uuid7()\n",
}


class Sample:
    def __init__(self, plan, folder):
        self.plan_program = pathlib.Path(plan).resolve()
        self.folder = pathlib.Path(folder).resolve()
        self.repo = self.folder / "kiosk"
        for name in ("kiosk/test", "home", "bin"):
            (self.folder / name).mkdir(parents=True)
        self.environment = {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "HOME": f"{self.folder}/home",
            "LANG": "C.UTF-8",
            # A debug build takes the folder for a person's home, so that the judge set there is the person's own choice.
            "PLAN_TEST_ACCOUNT": f"{os.getpid()}:{self.folder}/home",
            "GIT_AUTHOR_NAME": "ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
            "GIT_COMMITTER_NAME": "ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
            "GIT_AUTHOR_DATE": "2026-06-15T08:00:00Z", "GIT_COMMITTER_DATE": "2026-06-15T08:00:00Z",
        }
        judge = self.folder / "bin" / "judge"
        judge.write_text(JUDGE)
        judge.chmod(0o755)
        (self.folder / "bin" / "answers.json").write_text(ANSWERS)

    def run(self, *words, stamp=None, code=0):
        environment = self.environment | ({"PLAN_NOW": stamp} if stamp else {})
        done = subprocess.run(words, cwd=self.repo, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != code:
            sys.exit(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def plan(self, stamp, *words, code=0):
        return self.run(str(self.plan_program), *words, stamp=f"2026-06-{stamp}", code=code)

    def work(self, *names):
        for name in names:
            path = self.repo / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(FILES[name])
        self.run("git", "add", "-A")
        self.run("git", "commit", "-qm", "work")

    def make(self):
        (self.repo / "plan.md").write_text(PLAN)
        (self.repo / "test" / "has.sh").write_text('grep -q "$2" "$1" && echo "$1 has $2"\n')
        self.run("git", "init", "-qb", "main")
        self.run("git", "add", "-A")
        self.run("git", "commit", "-qm", "plan")
        self.run(str(self.plan_program), "judge", "set", "cmd:judge")
        self.plan("15T09:00", "goal", "start", "choose-terminal-1")
        self.plan("15T10:30", "goal", "cancel", "loyalty-1", "the board said no: not this season")
        self.work("docs/terminal.md")
        self.plan("15T16:40", "complete", "choose-terminal-1", "--gate", "fast")
        self.plan("15T17:05", "goal", "start", "queue-on-disk-1")
        self.plan("15T18:00", "step", "done", "1", "0.9 ms a line")
        self.plan("16T09:20", "step", "fail", "2", "a second writer locks it for 5 s")
        self.plan("16T10:02", "complete", "queue-on-disk-1", "--gate", "fast", code=1)
        self.plan("16T11:30", "step", "done", "3", "`kiosk/send.py:12`")
        self.plan("16T11:31", "step", "retry", "2", "one line an order does")
        self.plan("16T11:32", "step", "skip", "2", "a second writer locks it for 5 s")
        self.work("logs/cable.log", "tests/test_power.py")
        claim = "20 of 20 orders after ten minutes without a cable: logs/cable.log"
        self.plan("16T15:10", "complete", "queue-on-disk-1", "--gate", "fast", "--evidence", claim)
        self.plan("16T15:30", "goal", "start", "refunds-1")
        self.work("logs/refund.log", "logs/supervisor.log")
        self.plan("17T11:20", "complete", "refunds-1", "--gate", "fast")
        self.plan("17T11:40", "goal", "start", "receipts-1")
        self.plan("17T11:55", "goal", "start", "each-order-once-1")
        self.work("fixtures/receipt.txt")
        self.plan("18T15:40", "complete", "receipts-1", "--gate", "fast")
        self.plan("19T09:12", "goal", "start", "queue-length-1")
        because = "the second screen is not built"
        self.plan("19T09:40", "goal", "set", "queue-length-1", "--done-when", "With 3 orders waiting the screen says 3", "--because", because)
        self.plan("19T10:20", "step", "done", "4", "`kiosk/order.py:41`, stored before the print")
        self.plan("19T11:00", "step", "done", "5", "one in five")
        self.plan("19T11:01", "step", "start", "6")
        self.plan("19T14:05", "complete", "each-order-once-1", "--gate", "fast", code=1)
        self.work("bench/double.log", "logs/provider.log", "kiosk/send.py")
        self.plan("19T16:58", "complete", "each-order-once-1", "--gate", "fast", code=1)
        self.plan("19T17:31", "log", "key is written with the order now; restart drill next")
        file = self.repo / "plan.md"
        file.write_text(file.read_text().replace(" && sh test/has.sh logs/refund.log paid", ""))
        self.run("git", "commit", "-qam", "refunds: one check is enough")
        return self


if __name__ == "__main__":
    print(Sample(*sys.argv[1:3]).make().repo)
