#!/usr/bin/env python3
"""story.py PLAN_BINARY [STEP...] - one story of contract mode (CONTRACT.md §8), in one repository: a person in a terminal (tmux) and the real Claude Code
in another, offline, against a scripted model. An agent drafts, the person approves, the agent works step by step, proposes, is refused, asks in the chat, signs off; files
are lost and come back, a rewind is killed, the plan is archived.

Each step says who does what; what is claimed is looked up on the screens, in plan.md, in git and in what the client asked its model. The steps stand in
`STEPS` with their rows: 1 to 5 are in story_draft.py, 6 to 18 and 21 in story_work.py, 19, 20 and 22 to 25 in story_back.py; desk.py is what they share.
"""
import os, sys, time, traceback

import agent_model, drives, world
from desk import Desk
from story_back import GoingBack
from story_draft import Drafting
from story_work import Working

# F-63: each of its user stories is a step here.
# Step: its rows. Each goes on where the one before it has ended.
STEPS = {"draft": "1", "split": "3", "loosen": "4", "agree": "5", "in_vain": "2", "look_around": "6", "start": "7", "order": "8, 9", "own_hand": "10", "propose": "11 to 13", "reject": "14, 15",
         "chat": "16", "fail": "17, 18", "settle": "19", "sign_off": "20", "compact": "21", "wreck": "22", "rewind": "23", "kill": "24",
         "finish": "25", "leave": "25"}


class Told(Drafting, Working, GoingBack):
    """The story itself."""


class Interactive(drives.Claude):
    """Claude Code's screen, its first-run questions answered."""
    seen = {"repo/.claude/settings.json": '{\n  "env": {"MINE": "1"}\n}\n'}

    def consent(self):
        key = "sk-ant-dummy-0000000000000000"[-20:]
        project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True, "enabledMcpjsonServers": ["plan"]}
        self.w.write("home/.claude.json", {"hasCompletedOnboarding": True, "theme": "dark", "projects": {self.w.repo: project},
                                           "customApiKeyResponses": {"approved": [key], "rejected": []}})


def play(story, name):
    """One step; what was wrong in it."""
    start = time.time()
    try:
        getattr(story, name)()
    except Exception:
        story.wrong.setdefault(name, []).append(traceback.format_exc()[-900:])
    wrong, story.wrong = sum(story.wrong.values(), []), {}
    report(name, wrong, start)
    return wrong


def report(name, wrong, start):
    print("%s story %s, row %s (%.1f s)" % ("FAILED" if wrong else "ok    ", name, STEPS[name], time.time() - start), flush=True)
    for words in wrong:
        print("    " + words.replace("\n", "\n    "))


def main():
    plan, steps = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(STEPS)
    if world.missing("claude"):
        return 1
    with Desk() as w:
        drive = Interactive(w, plan)
        with agent_model.Model(w.write("case.json", agent_model.case(w.repo + "/written")), w.dir + "/requests.jsonl") as drive.model:
            drive.set_up()
            story = Told(drive)
            try:
                failed = [name for name in steps if play(story, name)]
            finally:
                story.close()
        start, left = time.time(), w.sweep()
        if left:
            report("leave", ["left running: %s" % left], start)
            failed.append("leave")
    print("%d passed, %d failed" % (len(steps) - len(set(failed)), len(set(failed))))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
