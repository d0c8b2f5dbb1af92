"""desk.py - what story.py is played at: a repository, the person's terminal, the agent's terminal (both tmux), and how each of the two acts."""
import json, os, re, shlex, subprocess, time

import agent_model, clients

WAIT = 60
# What `plan install claude` writes in a repository.
SETTINGS = (".claude/settings.json", ".mcp.json", "CLAUDE.md")
FILES = {"calc.sh": "add() {\n    echo $(($1 + $2))\n}\n", "test.sh": ": >RAN\n. ./calc.sh\n[ \"$(sub 3 2)\" = 1 ]\n",
         "test-mul.sh": ". ./calc.sh\n[ \"$(mul 3 2)\" = 6 ]\n", ".gitignore": ".env\nRAN\n"}
# Drops a failure mode, and the next time puts it back.
EDITOR = 'if [ -e ../was.md ]; then mv ../was.md "$1"; else cp "$1" ../was.md; sed -i "0,/^- it prints a constant/{//d}" "$1"; fi\n'


class Desk(clients.Bench):
    """A repository without a plan, and with a file that git ignores."""

    def repository(self):
        self.of_user = {}
        self.git("init", "-q")
        for name, text in FILES.items():
            self.write("repo/" + name, text)
        self.git("add", "-A")
        self.git("commit", "-qm", "start")
        self.write("repo/.env", "KEY=1\n")


class Pane:
    """A terminal of 120 columns."""

    def __init__(self, w, name, argv, env):
        self.w, self.name, self.socket = w, name, "plan-story-%s-%d" % (name, os.getpid())
        line = "cd %s && exec env -i %s %s" % (shlex.quote(w.repo), " ".join("%s=%s" % (k, shlex.quote(v)) for k, v in env.items()), shlex.join(argv))
        self.tmux("new-session", "-d", "-s", "s", "-x", "120", "-y", "50", line)

    def tmux(self, *args):
        env = {**os.environ, "TMUX_TMPDIR": self.w.tmp}
        return subprocess.run(["tmux", "-L", self.socket, "-f", "/dev/null", *args], capture_output=True, text=True, env=env).stdout

    def screen(self):
        return "\n".join(line.rstrip() for line in self.tmux("capture-pane", "-p", "-J", "-S", "-200", "-t", "s").rstrip().split("\n"))

    def type(self, text):
        self.tmux("send-keys", "-t", "s", "-l", text)
        time.sleep(0.3)
        self.tmux("send-keys", "-t", "s", "Enter")

    def sees(self, pattern, limit=WAIT):
        """Whether the screen comes to show this."""
        end = time.time() + limit
        while not (found := re.search(pattern, self.screen(), re.M)) and time.time() < end:
            time.sleep(0.2)
        return bool(found)

    def close(self):
        self.tmux("kill-server")


class Story(clients.Case):
    """The person's terminal P and the agent's A; what of it happens when stands in story.py."""
    # An agent that hides what its host says of itself.
    BARE = "env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID -u AI_AGENT -u CLAUDE_CODE_ENTRYPOINT "

    def __init__(self, drive):
        super().__init__(drive)
        self.env = {**drive.environment(), "TERM": "xterm-256color", "USER": "ada", "NO_COLOR": "1", "PS1": "$ ",
                    "GIT_CONFIG_NOSYSTEM": "1", "EDITOR": "sh " + self.w.write("editor.sh", EDITOR)}
        self.person = Pane(self.w, "P", ["sh"], self.env)
        self.agent = None
        self.typed = 0

    def close(self):
        for pane in filter(None, (self.agent, self.person)):
            pane.close()

    # ---- what the two do
    def types(self, step, line, rc=0, shows=None, answers=()):
        """A command of the person, their answers to its questions, and its exit status."""
        mark = self.begins(line)
        for question, *keys in answers:
            self.asked(step, question, *keys)
        return self.ended(step, mark, rc, shows)

    def begins(self, line):
        """A command of the person begins; the mark that ends it."""
        self.typed += 1
        mark = "rc%d=" % self.typed
        self.person.type("clear; %s; echo %s$?" % (line, mark))
        return mark

    def press(self, *keys):
        for key in keys:
            self.person.tmux("send-keys", "-t", "s", key)
            time.sleep(0.1)

    def asked(self, step, question, *keys):
        self.expect(step, self.person.sees(question), "not asked `%s`: %s" % (question, self.person.screen()[-1500:]))
        self.press(*keys)

    def ended(self, step, mark, rc, shows=None):
        self.expect(step, self.person.sees("^%s[0-9]" % mark), "it does not end: %s" % self.person.screen()[-900:])
        screen = self.person.screen()
        self.expect(step, re.search("^%s%d$" % (mark, rc), screen, re.M), "not exit %d: %s" % (rc, screen[-1200:]))
        for pattern in shows or ():
            self.expect(step, re.search(pattern, screen, re.M), "no `%s` in %s" % (pattern, screen[-1500:]))
        return screen

    def does(self, step, prompt, lines, more="That was it."):
        """The person writes to the agent, which runs these commands (or calls these tools) one after the other: the requests, and what each
        of the commands printed. Over when the agent has nothing more to do and nobody sends it on."""
        model = self.drive.model.agent
        model.turns = [("line %d" % n, {"text": "", "tools": [self.drive.shell(line) if isinstance(line, str) else line]}) for n, line in enumerate(lines)]
        model.more = {"text": more}
        before = seen = len(self.main())
        self.agent.type(prompt)
        quiet = min(3, max(1, os.getloadavg()[0] / os.cpu_count()))     # seconds; on a busy machine a hook begins later
        end, since, is_over = time.time() + WAIT, time.time(), False
        while time.time() < end and not is_over:
            time.sleep(0.1)
            asked = self.main()
            if len(asked) > seen:
                seen, since = len(asked), time.time()
            elif not model.turns and any(r.chose == "more" for r in asked[before:]) and time.time() - since > quiet:
                is_over = not any("plan hook" in line for line in self.w.left_running())
        self.expect(step, is_over, "the agent did not end its turn: %s" % self.agent.screen()[-900:])
        requests = self.main()[before:]
        results = [results_of(r.body) for r in requests[1:]]
        return requests, results + [""] * (len(lines) - len(results))

    def ends(self, step, requests, count=1):
        found = [r for r in requests if r.chose == "more"]
        self.expect(step, len(found) == count, "the agent ended its turn %d times, expected %d" % (len(found), count))

    def holds(self, step, text, *parts):
        for part in parts:
            self.expect(step, part in text, "no `%s` in: %s" % (part, text[-1500:]))

    def matches(self, step, text, *patterns):
        for pattern in patterns:
            self.expect(step, re.search(pattern, text), "no `%s` in: %s" % (pattern, text[-1500:]))

    def checkpoints(self):
        """The checkpoints that `plan` lists: (number, kind, step)."""
        listed = json.loads(self.plan("rewind", "--list", "--json").stdout)["checkpoints"]
        return [(one["number"], one["kind"], one["step"]) for one in listed]

    def state(self):
        return json.loads(self.plan("--json").stdout)["state"]

    def plan_md(self):
        return self.w.read("repo/plan.md")


def results_of(body):
    """The text of the last tool result of a request."""
    for message in reversed(body.get("messages") or []):
        content = message.get("content")
        for part in reversed(content if isinstance(content, list) else []):
            if isinstance(part, dict) and part.get("type") == "tool_result":
                return agent_model.texts(part.get("content"))
    return ""
