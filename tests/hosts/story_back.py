"""story_back.py - rows 19, 20 and 22 to 25 of story.py: a goal is signed off, files are lost and come back, a rewind is killed, the plan ends."""
import glob, json, os, re, subprocess

from desk import SETTINGS, Story

IDENTITY = "git -c user.name=a -c user.email=a@example.org "
REWIND = "plan rewind 2"
# `renameat` before the fourth: a kept tree, the journal, and the first of the two files that are written.
KILLED = "strace -f -qq -o /dev/null -e trace=renameat -e inject=renameat:signal=KILL:when=4 %s --yes" % REWIND


class GoingBack(Story):
    """One method a row, or a few."""

    def finds(self, criterion, *failures):
        """What the judge cites from now on."""
        judge = self.drive.model.agent.judge
        judge.case.update(find=[criterion], failures=list(failures))
        judge.wanted = [criterion, *failures]

    def kept(self):
        """Every file but plan.md, with its permission bits; and what plan.md says above its log."""
        files = {name: (os.stat(os.path.join(self.w.repo, name)).st_mode, data) for name, data in self.w.files().items() if name != "plan.md"}
        return files, self.plan_md().split("## Log")[0]

    def of_git(self):
        """HEAD, all refs, and the index byte for byte."""
        with open(self.w.repo + "/.git/index", "rb") as index:
            return self.w.git("rev-parse", "HEAD"), self.w.git("for-each-ref"), index.read()

    def same(self, step, expected, words):
        """Whether files and marks are as expected, and which are not."""
        (was, marks), (now, found) = expected, self.kept()
        self.expect(step, was == now, "%s: not the same: %s" % (words, sorted(name for name in was.keys() | now.keys() if was.get(name) != now.get(name))))
        self.expect(step, marks == found, "%s: plan.md is\n%s\nand was\n%s" % (words, found, marks))

    # ---- row 19
    def settle(self):
        """The last step of a goal names the sign-off; a mark set by hand is said, and never repaired."""
        step = "settle"
        _, said = self.does(step, "Go on.", ['plan step done 2 "read"; echo rc=$?'])
        self.holds(step, said[0], "✓ Step 2 complete", "✓ Goal subtract-1: all steps settled → plan complete subtract-1", "rc=0")
        self.files_of_2, before = self.kept()[0], self.plan_md()
        ticked = "sed -i 's/- \\[ \\] 5\\./- [x] 5./' plan.md"
        self.types(step, ticked + "; plan", 0, ["1 to look at", r"^ +step 5 is complete, and the log does not say so"])
        self.expect(step, "- [x] 5. " in self.plan_md(), "the tick was taken back")
        self.types(step, "sed -i 's/- \\[x\\] 5\\./- [ ] 5./' plan.md", 0)
        self.expect(step, self.plan_md() == before, "plan.md is not as before the tick")

    # ---- row 20
    def sign_off(self):
        """A completes the goal: the whole gate, a judge that reads, and then the next goal begins."""
        step = "sign off"
        self.finds(r"echo .*\$1 - ", r"\$\(sub 3 2\)", r"echo .*\$1 - ")
        _, said = self.does(step, "Go on.", ['plan complete subtract-1 --evidence "test.sh calls sub" --path calc.sh; echo rc=$?'])
        self.holds(step, said[0], "rc=0")
        text = self.plan_md()
        goal = text.split("<!-- id: subtract-1 -->")[1].split("## Goal")[0]
        self.holds(step, goal, "status: done")
        self.matches(step, text, r"subtract-1 signed off \(verify green .*gate full.*oracle accept by claude:", r"multiply-1 started \(.*verify not run\)")
        self.holds(step, text, "- [/] 4. ")
        judged = [r for r in self.requests if r.chose.startswith("judge:")]
        self.expect(step, judged, "no judge was asked")

    # ---- row 22
    def wreck(self):
        """A loses a file, empties .gitignore, commits, and calls the step done: what is there is saved."""
        step = "wreck"
        line = "rm calc.sh; : > .gitignore; echo junk > junk.txt; mkdir e; %scommit -qam wip; plan step done 4 'mul'; echo rc=$?" % IDENTITY
        before = self.checkpoints()
        _, said = self.does(step, "Go on.", [line])
        self.holds(step, said[0], "✓ Step 4 complete", "rc=0")
        self.holds(step, self.w.git("status", "--porcelain"), "?? .env", "?? junk.txt")
        new = [one[1:] for one in self.checkpoints()[len(before):]]
        self.expect(step, new == [("step", "4")], "checkpoints that came: %s" % new)

    # ---- row 23
    def rewind(self):
        """A may not go back, in two ways. P looks first, then goes: files and marks of the end of step 2, and nothing of git's."""
        step = "rewind"
        self.wrecked, git = self.kept(), self.of_git()
        _, said = self.does(step, "Go on.", [REWIND + "; echo rc=$?", self.BARE + "script -qec '%s --yes' /dev/null; echo rc=$?" % REWIND])
        self.expect(step, "denied" in said[0] or ("rc=4" in said[0] and "claude" in said[0]), "rewind: %s" % said[0])
        self.holds(step, said[1], "refused: only a person may do this, and `plan` was started by claude", "run it in your own terminal: `plan rewind 2`", "rc=4")
        preview = [r"^  of step 4: 1 deleted, 1 changed, 1 new$", r"^  stays: \.env \(ignored at the end of step 2\)$", r"^  HEAD is 1 commit past the checkpoint; it stays"]
        self.types(step, REWIND + " --dry-run", 0, preview)
        self.same(step, self.wrecked, "after a look")
        self.types(step, REWIND, 0, preview + ["^rewound 3 files to the end of step 2"], [("Rewind 3 files", "y")])
        files, marks = self.kept()
        for name in ("calc.sh", ".gitignore"):
            self.expect(step, files.get(name) == self.files_of_2[name], "%s is not as at the end of step 2" % name)
        self.expect(step, "junk.txt" not in files and ".env" in files, "junk.txt or .env: %s" % sorted(files))
        self.expect(step, self.of_git() == git, "HEAD, a ref or the index changed")
        self.holds(step, marks, "- [/] 4. ")
        self.holds(step, marks.split("## Goal")[1], "status: done")
        self.holds(step, self.plan_md(), "rewound to step 2 (checkpoint ")
        self.expect(step, "reopened" not in self.plan_md(), "a goal was reopened")

    # ---- row 24
    def kill(self):
        """P goes forward again; a rewind is killed in the middle; no step counts, and everything can be put back."""
        step = "kill"
        self.types(step, "plan rewind --undo", 0, ["^rewound 3 files to before the rewind"], [("Rewind 3 files", "y")])
        self.same(step, self.wrecked, "after the undo")
        git = self.of_git()
        self.types(step, KILLED, 137)
        self.types(step, "plan", 0, [r"interrupted after 2 of 3 files"])
        _, said = self.does(step, "Go on.", ["plan step done 5 x; echo rc=$?"])
        self.holds(step, said[0], "refused: a rewind to step 2 was interrupted after 2 of 3 files", "rc=4")
        self.types(step, "plan rewind --undo", 0, ["^rewound "], [("Rewind ", "y")])
        self.same(step, self.wrecked, "after the interrupted rewind was undone")
        self.expect(step, self.of_git() == git, "HEAD, a ref or the index changed")
        self.types(step, "plan rewind --list", 0, ["checkpoints;"])
        self.expect(step, "interrupted after" not in self.person.screen(), self.person.screen()[-900:])

    # ---- row 25
    def finish(self):
        """P rewinds once more, A does the rest and signs off; P archives. Then git cleans up and pushes all that it has."""
        step = "finish"
        self.types(step, REWIND, 0, ["^rewound 3 files to the end of step 2"], [("Rewind 3 files", "y")])
        self.finds(r"echo .*\$1 \* ", r"\$\(mul 3 2\)", r"echo .*\$1 \* ")
        _, said = self.does(step, "Go on.", [
            "sed -i '$a mul() {\\n    echo $(($1 * $2))\\n}' calc.sh; plan step done 4 'mul, see calc.sh'; echo rc=$?",
            "plan step done 5 'green'; echo rc=$?", "echo 'sub and mul' > README; plan step done 6 'README'; echo rc=$?",
            'plan complete multiply-1 --evidence "test-mul.sh calls mul" --path calc.sh; echo rc=$?',
        ])
        for result in said:
            self.holds(step, result, "rc=0")
        self.matches(step, self.plan_md(), r"multiply-1 signed off \(verify green .*gate full.*oracle accept by claude:")
        self.expect(step, self.state() == "complete", "state %s" % self.state())
        self.types(step, "plan", 0, ["^2 of 2 signed off$", "^contract  complete: "])
        self.types(step, "plan audit", 0, ["^0 findings, "])
        notes = [one["code"] for one in json.loads(self.plan("audit", "--json").stdout)["findings"]]
        # That a judge may have been redirected is said of every world of these tests: the model is a stub.
        self.expect(step, [code for code in notes if code != "judge-redirected"] == ["approval-not-at-terminal"], "notes: %s" % notes)
        self.types(step, "plan archive", 0)
        self.holds(step, self.plan_md(), "# Archive")
        self.clean_and_push(step)

    def clean_and_push(self, step):
        """`git gc` in another work tree takes no checkpoint; a mirror gets none."""
        listed, folder = self.checkpoints(), self.w.repo + "/.git/plan/checkpoints"
        other, mirror = self.w.dir + "/other", self.w.dir + "/mirror.git"
        self.w.git("worktree", "add", "-q", other)
        self.types(step, "git -C ../other gc -q --prune=now", 0)
        self.types(step, "plan rewind --list", 0, ["start \\(step 0\\)", "%d checkpoints;" % len(listed)])
        self.expect(step, listed and self.checkpoints() == listed, "checkpoints before and after gc: %s, %s" % (listed, self.checkpoints()))
        env = {**self.env, "GIT_ALTERNATE_OBJECT_DIRECTORIES": folder + "/objects"}
        for record in glob.glob(folder + "/*/[0-9]*.json"):
            with open(record) as f:
                tree = json.load(f)["tree"]
            ran = subprocess.run(["git", "rev-list", "--objects", tree], cwd=self.w.repo, env=env, capture_output=True, text=True)
            self.expect(step, ran.returncode == 0 and tree in ran.stdout, "%s is not whole: %s" % (record, ran.stderr))
        self.w.git("worktree", "remove", "--force", other)
        self.w.git("init", "-q", "--bare", mirror)
        self.types(step, "git push -q --mirror ../mirror.git", 0)
        refs = self.w.git("-C", mirror, "for-each-ref", "--format=%(refname)").split()
        self.expect(step, refs and all(re.match("refs/(heads|plan/(approved|starts|signoffs))/", ref) for ref in refs), "refs of the mirror: %s" % refs)
        for name, text in (("junk.txt", "junk\n"), (".env", "KEY=1\n")):
            blob = self.w.git("hash-object", self.w.write("blob", text)).strip()
            self.expect(step, os.path.exists("%s/objects/%s/%s" % (folder, blob[:2], blob[2:])), "%s is in no checkpoint" % name)
            self.expect(step, blob not in self.w.git("-C", mirror, "cat-file", "--batch-all-objects", "--batch-check"), "the mirror holds " + name)

    def leave(self):
        """The settings are as before, byte for byte; nothing runs on, and nothing lies in the temporary folder."""
        step = "leave"
        self.agent.type("/exit")
        ran = self.plan("uninstall", "claude")
        self.expect(step, ran.returncode == 0, ran.stderr)
        left = {name: text for name, text in self.w.files().items() if name.startswith(SETTINGS)}
        self.expect(step, left == self.settings, "settings: %s, before: %s" % (left, self.settings))
        files = [name for name in os.listdir(self.w.tmp) if not name.startswith(("tmux-", "claude-", "cc-socks"))]
        self.expect(step, not files, "left in the temporary folder: %s" % files)
