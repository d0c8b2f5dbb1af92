"""drives.py - the six clients as clients.py drives them: what a person has set up, what the person does after `plan install`,
how a turn is run, what the tools are called, what makes the client compact its conversation.
"""
import json, os, shutil, subprocess, time


def call(name, **arguments):
    return {"name": name, "input": arguments}


class Drive:
    """What they have in common. `w` is the world (world.py), `ask(prompt, again)` runs a turn to its end."""
    kept = True             # text that a hook gives stays in the conversation
    compacting = 0          # input tokens, as the model counts them, at which the client compacts
    limit = 60              # seconds that a turn may take
    cannot = {}             # step: why
    seen = {}               # settings that are there before: file: text

    def __init__(self, w, plan):
        self.w, self.plan, self.model = w, plan, None

    def set_up(self):
        """The person's own settings, before `plan` comes."""
        for name, text in self.seen.items():
            self.w.write(name, text)

    def consent(self):
        """What the person does after `plan install`."""

    def environment(self):
        return self.w.environment(self.model.port, {"PATH": os.path.dirname(self.plan) + ":" + self.w.environment(self.model.port, {})["PATH"]})

    def run(self, argv, stdin="", timeout=None):
        ran = subprocess.run(argv, cwd=self.w.repo, env=self.environment(), input=stdin, capture_output=True, text=True, timeout=timeout or self.limit)
        return ran

    def ask(self, prompt, again=False):
        ran = self.run(self.argv(prompt, again))
        return "" if ran.returncode == 0 else "exit %d: %s %s" % (ran.returncode, ran.stdout[-600:], ran.stderr[-600:])

    def complete(self):
        """The call that signs the first goal off."""
        return self.shell('plan complete add-1 --evidence "test.sh calls add" --path calc.sh')

    def end(self):
        """Whatever was started is ended."""


class Claude(Drive):
    name, judge, compacting = "claude", "claude", 990_000
    seen = {"repo/.claude/settings.json": '{\n  "env": {"MINE": "1"},\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "true"}]}]\n  }\n}\n',
            "repo/.mcp.json": '{"mcpServers": {}}\n'}

    def shell(self, line):
        return call("Bash", command=line, description="d")

    def edit(self, file, text):
        return call("Write", file_path=os.path.join(self.w.repo, file), content=text)

    def mcp(self, tool, **arguments):
        return call("mcp__plan__" + tool, **arguments)

    def consent(self):
        self.w.write("home/.claude.json", {"hasCompletedOnboarding": True, "projects": {self.w.repo: {"hasTrustDialogAccepted": True}}})

    def argv(self, prompt, again):
        return ["claude", "-p", "--model=sonnet", *(["--continue"] if again else []), "--allowedTools", "Bash,Write,ToolSearch,mcp__plan", "--", prompt]


class Codex(Drive):
    name, judge, compacting = "codex", "codex", 50_000
    seen = {"repo/.codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}\n',
            "repo/.codex/config.toml": '# mine\n[tools.update_plan]\nenabled = true\n'}

    def set_up(self):
        super().set_up()
        self.w.write("home/.codex/config.toml", CODEX % (self.model.port, self.w.repo))
        # Its shell is one of a login, which starts from a PATH of its own.
        self.w.write("home/.bash_profile", 'export PATH="%s:$PATH"\n' % os.path.dirname(self.plan))

    def shell(self, line):
        return call("exec_command", cmd=line)

    def edit(self, file, text):
        return {"name": "apply_patch", "custom": True, "input": "*** Begin Patch\n*** Add File: %s\n+%s\n*** End Patch\n" % (file, text)}

    def mcp(self, tool, **arguments):
        return {"name": tool, "namespace": "mcp__plan", "input": arguments}

    def complete(self):
        """By the server: in the sandbox of its shell a judge would have no network."""
        return self.mcp("plan_complete", goal="add-1", evidence="test.sh calls add", paths=["calc.sh"])

    def hooks(self):
        """What Codex itself says of the hooks: key, trust, digest."""
        p = subprocess.Popen(["codex", "app-server"], cwd=self.w.repo, env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            for line in ('{"id":1,"method":"initialize","params":{"clientInfo":{"name":"t","version":"0"}}}', '{"method":"initialized"}',
                         json.dumps({"id": 2, "method": "hooks/list", "params": {"cwds": [self.w.repo]}})):
                p.stdin.write(line + "\n")
                p.stdin.flush()
            answer = next(d for d in map(json.loads, p.stdout) if d.get("id") == 2)
        finally:
            p.kill()
            p.communicate()
        return [hook for row in answer["result"]["data"] for hook in row["hooks"]]

    def consent(self):
        """As `Trust all` of its review of hooks writes it."""
        with open(self.w.home + "/.codex/config.toml", "a") as f:
            for hook in self.hooks():
                f.write('\n[hooks.state."%s"]\ntrusted_hash = "%s"\n' % (hook["key"], hook["currentHash"]))

    def argv(self, prompt, again):
        resume = ["resume", "--last"] if again else []
        return ["codex", "exec", "-s", "workspace-write", *resume, prompt]


CODEX = """model = "gpt-5.5"
model_provider = "stub"
model_auto_compact_token_limit = 20000

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:%s/v1"
experimental_bearer_token = "dummy"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects."%s"]
trust_level = "trusted"
"""
DRIVES = [Claude, Codex]
