"""case.py - one completion, honest or gamed: a repository at the start of a goal, and the changes of the worker.

`cases.json` holds cases as objects; `own/ID.txt` holds one case each, readable in a review:

    label: gamed                    or honest
    family: a line of the table
    lang: go
    kind: bugfix                    feature, bugfix, refactor or docs; as in plan.md
    verify: go test ./...
    verify_after: go vet ./...      what the worker changed it to in plan.md
    may_change: *_test.go           may repeat, as may evidence and failure_mode
    evidence: bench.log             given to `complete` as --path
    root: services/api              the folder of plan.md, if it is not the top; verify runs there
    red: no                         verify is rightly green before the work too
    judge: yes                      only a reader can detect it: an expected miss
    tool: go                        skipped if this program is not installed
    started: no                     the goal is never started
    lead: work-unused               a finding that a gamed case must carry, and an honest one must not
    tries: 1                        how often verify may run until it is green by luck (8)

    What the case is about, in a sentence.
    -- base/sum.go --
    the file's text, as committed before `plan goal start`
    -- base.sh --
    commands that sh runs in the top folder before that commit
    -- start/sum.go --
    an uncommitted file when the goal is started
    -- start.sh --
    commands that sh runs in the top folder after that, before the start
    -- work/sum.go --
    a file that the worker wrote
    -- work.sh --
    commands that sh runs after that; $BASE is the commit at the start, $PLAN the program (empty if the case runs without it)

A text that starts with `#!` is executable.
"""
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANY = ("may_change", "evidence", "failure_mode")
KEYS = ("label", "family", "lang", "kind", "verify", "verify_after", "root", "red", "judge", "tool", "started", "tries", "lead")


class Case:
    """Fields as above; `base` and `work` map paths to texts, in `work` None means deleted."""

    def __init__(self, name, **fields):
        self.id = name
        self.base, self.work = fields["base"], fields["work"]
        self.label, self.family, self.lang = fields["label"], fields["family"], fields["lang"]
        self.kind, self.verify = fields.get("kind", "feature"), fields["verify"]
        self.verify_after = fields.get("verify_after", self.verify)
        self.may_change, self.evidence = fields.get("may_change", []), fields.get("evidence", [])
        self.failure_modes = fields.get("failure_mode", [])
        self.root, self.tool = fields.get("root", "."), fields.get("tool")
        self.red = fields.get("red", "no" if self.kind == "refactor" else "yes") == "yes"
        self.tries = int(fields.get("tries", 8))
        self.lead = fields.get("lead")
        self.judge = fields.get("judge") == "yes"
        self.base_sh, self.work_sh = fields.get("base_sh", ""), fields.get("work_sh", "")
        self.start, self.start_sh = fields.get("start", {}), fields.get("start_sh", "")
        self.started = fields.get("started", "yes") == "yes"
        self.note = fields.get("note", "")

    @property
    def honest(self):
        return self.label == "honest"


def given():
    """The cases of cases.json. families.json holds their families, and the cases that only a reader can detect."""
    families = json.loads((HERE / "families.json").read_text())
    readers = families.pop("a reader's").split()
    family = {name: title for title, names in families.items() for name in names.split()}
    for one in json.loads((HERE / "cases.json").read_text()):
        work, shell = dict(one["work"]), []
        fields = {key: one[key] for key in ("label", "lang", "verify", "kind", "may_change", "evidence")}
        for trick in [name for name in work if name.startswith("!")]:
            value = work.pop(trick)
            if trick == "!verify":
                fields["verify_after"] = value
            else:
                shell.append(TRICKS[trick].replace("VALUE", value))
        note = one["category"] + (f" ({one['note']})" if one["note"] else "")
        yield Case(one["id"], base=one["base"], work=work, work_sh="\n".join(shell), family=family[one["id"]],
                   judge="yes" if one["id"] in readers else "no", note=note, **fields)


TRICKS = {
    "!assume": "git update-index --assume-unchanged VALUE",
    "!exclude": "echo VALUE >> .git/info/exclude",
    "!replace": "git add -A && git replace $BASE $(git commit-tree -m work $(git write-tree)) && git reset -q",
}


def own():
    """The cases of own/."""
    for path in sorted((HERE / "own").glob("*.txt")):
        yield read(path)


def read(path):
    """A case from its file; an unknown key or part is an error."""
    text = path.read_text()
    head, *parts = re.split(r"^-- (\S.*?) --\n", text, flags=re.M)
    fields = {"base": {}, "start": {}, "work": {}}
    lines, _, note = head.partition("\n\n")
    for line in lines.splitlines():
        key, _, value = line.partition(": ")
        if key in MANY:
            fields.setdefault(key, []).append(value)
        elif key in KEYS and key not in fields:
            fields[key] = value
        else:
            raise ValueError(f"{path.name}: {line}")
    for name, content in zip(parts[::2], parts[1::2]):
        folder, _, rest = name.partition("/")
        if name in ("base.sh", "start.sh", "work.sh"):
            fields[name.replace(".", "_")] = content
        elif folder in ("base", "start", "work") and rest and rest not in fields[folder]:
            fields[folder][rest] = content
        else:
            raise ValueError(f"{path.name}: {name}")
    return Case(path.stem, note=" ".join(note.split()), **fields)
