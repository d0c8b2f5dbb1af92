"""drives.py - the six clients as clients.py drives them: what a person has set up, what the person does after `plan install`,
how a turn is run, what the tools are called, what makes the client compact its conversation.
"""
import json, os, re, subprocess, time, urllib.parse, urllib.request


def call(name, **arguments):
    return {"name": name, "input": arguments}


class Drive:
    """What they have in common. `w` is the world (world.py), `ask(prompt, again)` runs a turn to its end."""
    kept = True             # text that a hook gives stays in the conversation
    compacting = 0          # input tokens, as the model counts them, at which the client compacts
    compacts_at_text = False        # it compacts before a message alone, not between tools
    is_late = False         # the block comes one request later than the compaction
    todo = None             # what `plan install` says is left to do, until `consent`
    notes = {}              # step: how it is done here
    is_user = False         # installed for the person, not in the repository
    limit = 150              # seconds that a turn may take
    seen = {}               # settings that are there before, some with a hook of the person's own: file: text

    def __init__(self, w, plan):
        self.w, self.plan, self.model = w, plan, None

    def set_up(self):
        """The person's own settings, before `plan` comes."""
        for name, text in self.seen.items():
            self.w.write(name, text.replace("%OWN%", self.w.dir + "/own-hook"))

    def consent(self):
        """What the person does after `plan install`."""

    def environment(self):
        return self.w.environment(self.model.port, {"PATH": os.path.dirname(self.plan) + ":" + self.w.environment(self.model.port, {})["PATH"]})

    def run(self, argv, stdin="", timeout=None):
        return subprocess.run(argv, cwd=self.w.repo, env=self.environment(), input=stdin, capture_output=True, text=True, timeout=timeout or self.limit)

    def ask(self, prompt, again=False):
        ran = self.run(self.argv(prompt, again))
        return "" if ran.returncode == 0 else "exit %d: %s %s" % (ran.returncode, ran.stdout[-600:], ran.stderr[-600:])

    def command(self, line, tool, **arguments):
        """A command of `plan`, as the agent gives it in this client: in its shell, or by the tool of the server."""
        return self.shell(line)

    def complete(self):
        """The call that signs the first goal off."""
        line = 'plan complete add-1 --evidence "test.sh calls add" --path calc.sh'
        return self.command(line, "plan_complete", goal="add-1", evidence="test.sh calls add", paths=["calc.sh"])

    def pause(self, why):
        return self.command('plan pause "%s"' % why, "plan_pause", why=why)

    def end(self):
        """Whatever was started is ended."""


class Claude(Drive):
    name, judge, compacting = "claude", "claude:claude-sonnet[0-9a-z.-]*", 990_000
    todo = "trust the folder"
    seen = {"repo/.claude/settings.json": '{\n  "env": {"MINE": "1"},\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "touch %OWN%"}]}]\n  }\n}\n',
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
    name, judge, compacting = "codex", "codex:gpt-5.5", 50_000
    todo = "review the hooks"
    notes = {"sign-off": "by the tool of `plan mcp`, which a person approves: the shell's sandbox has no network",
             "pause": "by the tool of `plan mcp`: the shell's sandbox keeps .git from being written"}
    seen = {"repo/.codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "touch %OWN%"}]}]}}\n',
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

    def command(self, line, tool, **arguments):
        """In the sandbox of its shell a judge would have no network, and the git folder, where the lock and the hold are, cannot be written."""
        return self.mcp(tool, **arguments)

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
        # A tool that runs what the plan says, outside the client's sandbox, is approved by a person; here once for all.
        approved = ["-c", 'mcp_servers.plan.tools.plan_complete.approval_mode="approve"']
        if self.is_user:        # the review, as `consent` has it, would write into the settings that are compared
            approved = ["--dangerously-bypass-hook-trust"]
        return ["codex", "exec", "-s", "workspace-write", *approved, *resume, prompt]


class Pi(Drive):
    name, judge, kept, compacting = "pi", "pi:stub/stub-model", False, 127_500
    todo = "trust the folder"
    seen = {"repo/.pi/mcp.json": '{\n  "mcpServers": {}\n}\n'}

    def set_up(self):
        super().set_up()
        self.w.configure(self.model.port)
        self.w.write("home/.pi/agent/settings.json", {"compaction": {"enabled": True, "reserveTokens": 1000, "keepRecentTokens": 50}, "enableInstallTelemetry": False})

    def shell(self, line):
        return call("bash", command=line)

    def edit(self, file, text):
        return call("write", path=file, content=text)

    def mcp(self, tool, **arguments):
        return call("mcp__plan__" + tool, **arguments)

    def consent(self):
        self.w.write("home/.pi/agent/trust.json", {self.w.repo: True})

    def argv(self, prompt, again):
        return ["pi", "-p", "--model", "stub/stub-model", *(["--continue"] if again else []), prompt]


class Gemini(Drive):
    name, judge, kept, compacting, compacts_at_text = "gemini", "gemini:gemini-2.5-flash", False, 900_000, True
    todo = "trust the folder"
    notes = {"compaction": "before the next message alone, here the push; the block comes with each request"}
    seen = {"repo/.gemini/settings.json": '{\n  // mine\n  "ui": {"hideTips": true},\n  "hooks": {\n    "AfterAgent": [{"hooks": [{"type": "command", "command": "touch %OWN%"}]}]\n  }\n}\n'}

    def set_up(self):
        super().set_up()
        self.w.configure(self.model.port)

    def shell(self, line):
        return call("run_shell_command", command=line, description="d")

    def edit(self, file, text):
        return call("write_file", file_path=os.path.join(self.w.repo, file), content=text)

    def mcp(self, tool, **arguments):
        return call("mcp_plan_" + tool, **arguments)

    def consent(self):
        self.w.write("home/.gemini/trustedFolders.json", {self.w.repo: "TRUST_FOLDER"})

    def argv(self, prompt, again):
        return ["gemini", "-m", "gemini-2.5-flash", "-y", *(["--resume", "latest"] if again else []), "-p", prompt]


class Opencode(Drive):
    name, judge, kept, compacting = "opencode", "opencode:stub/stub-model", False, 126_000
    notes = {"guard": "by its server, as its screen has it; not possible in `opencode run`, which ends with the agent's turn"}
    seen = {"repo/opencode.json": '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "snapshot": false,\n}\n'}
    server = session = base = None

    def set_up(self):
        super().set_up()
        self.w.configure(self.model.port)
        self.w.opencode_package()

    def shell(self, line):
        return call("bash", command=line, description="d")

    def edit(self, file, text):
        return call("write", filePath=os.path.join(self.w.repo, file), content=text)

    def mcp(self, tool, **arguments):
        return call("plan_" + tool, **arguments)

    def serve(self):
        """`run` ends when the agent does, before it can be sent on: so as its other clients do, by the server."""
        log = open(self.w.dir + "/serve.log", "w")
        self.server = subprocess.Popen(["opencode", "serve", "--port", "0"], cwd=self.w.repo, env=self.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.time() + 90
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", self.w.read("serve.log"))):
            assert time.time() < end and self.server.poll() is None, "opencode does not serve: " + self.w.read("serve.log")
            time.sleep(0.1)
        self.base = found.group(0)
        self.session = self.post("/session", {"title": "t"})["id"]

    def post(self, path, body):
        url = "%s%s?directory=%s" % (self.base, path, urllib.parse.quote(self.w.repo))
        request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=self.limit) as answer:
            return json.loads(answer.read() or b"null")

    def ask(self, prompt, again=False):
        if not self.server:
            self.serve()
        self.post("/session/%s/message" % self.session, {"parts": [{"type": "text", "text": prompt}]})
        # Sent on, it works on by itself: until it has asked its model nothing for a while, and no hook is at work.
        # On a busy machine that takes it longer.
        while_idle = 3 * max(1, os.getloadavg()[0] / os.cpu_count())
        end, seen, since = time.time() + self.limit, 0, time.time()
        while time.time() < end and time.time() - since < while_idle:
            asked = len(self.model.agent.requests)
            if seen != asked or any("plan hook" in line for line in self.w.left_running()):
                seen, since = asked, time.time()
            time.sleep(0.2)
        return ""

    def end(self):
        if self.server:
            self.server.terminate()
            try:
                self.server.wait(10)
            except subprocess.TimeoutExpired:
                self.server.kill()
                self.server.wait()
            self.server = None


class Qwen(Drive):
    name, judge, compacting = "qwen", "qwen:stub-model", 175_000
    todo = "approve the MCP server"
    is_late = True
    notes = {"compaction": "with the next tool's result: nothing that a hook says at the compaction reaches the request after it"}
    seen = {"repo/.qwen/settings.json": '{\n  // mine\n  "ui": {"hideTips": true},\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "touch %OWN%"}]}]\n  },\n  "$version": 4\n}\n'}

    def set_up(self):
        super().set_up()
        self.w.configure(self.model.port)

    def shell(self, line):
        return call("run_shell_command", command=line, description="d", is_background=False)

    def edit(self, file, text):
        return call("write_file", file_path=os.path.join(self.w.repo, file), content=text)

    def mcp(self, tool, **arguments):
        return call("mcp__plan__" + tool, **arguments)

    def consent(self):
        ran = self.run(["qwen", "mcp", "approve", "plan"])
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def argv(self, prompt, again):
        return ["qwen", "--yolo", *(["--continue"] if again else []), "-p", prompt]


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
DRIVES = [Claude, Codex, Pi, Gemini, Opencode, Qwen]
