"""world.py - a temporary folder with a repository and a home, in which a case or a workflow runs apart from the machine's settings."""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
JUDGE = "cmd:" + shlex.join([sys.executable, "-B", str(HERE / "accept.py")])
LIMIT = 900


def tool_folders():
    """Folders of the real python3 and rustc. The shims of version managers do not work without the user's home."""
    folders = [os.path.dirname(os.path.realpath(sys.executable))]
    try:
        root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
        folders.append(os.path.join(root, "bin"))
    except (OSError, subprocess.CalledProcessError):
        pass
    return folders


PATH = os.pathsep.join([*tool_folders(), os.environ["PATH"]])


class Place:
    """A repository and a home. Use it as a context; the folder is removed at the end."""

    def __init__(self, name, cache=None):
        self.name = name
        self.dir = Path(tempfile.mkdtemp(prefix="gate-case-"))
        self.repo, self.home, self.tmp = (self.dir / name for name in ("repo", "home", "tmp"))
        for folder in (self.repo, self.home, self.tmp):
            folder.mkdir()
        (self.home / ".gitconfig").write_text("[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n")
        self.env = {"PATH": PATH, "HOME": str(self.home), "TMPDIR": str(self.tmp), "LANG": "C.UTF-8", "CARGO_NET_OFFLINE": "true",
                    "GOPROXY": "off", "GOTOOLCHAIN": "local", "GIT_CONFIG_NOSYSTEM": "1"}
        if cache:
            self.env["GOCACHE"] = str(cache / "go")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir, ignore_errors=True)

    def run(self, *argv, at=None, check=True, env=None):
        done = subprocess.run(argv, cwd=at or self.repo, env={**self.env, **(env or {})}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=LIMIT)
        if check and done.returncode:
            raise RuntimeError(f"{self.name}: {shlex.join(map(str, argv))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def write(self, files, mtime=None):
        for name, text in files.items():
            path = self.repo / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            path.chmod(0o755 if text.startswith("#!") else 0o644)
            if mtime:       # an hour ago: Python tells stale byte code by the second and the size
                os.utime(path, (mtime, mtime))

    def shell(self, script, **env):
        if script:
            self.run("sh", "-eu", "-c", script, env=env)

    def commit(self, message):
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "-m", message, "--allow-empty")
        return self.run("git", "rev-parse", "HEAD").stdout.strip()

    def left(self):
        """Files that `plan` left in the temporary folder."""
        return sorted(path.name for path in self.tmp.glob("plan-*"))


class World(Place):
    """The place where one case runs."""

    def __init__(self, case, plan=None, cache=None):
        super().__init__(case.id, cache)
        self.case, self.plan, self.root = case, plan, self.repo / case.root
        self.printed = ""       # by the last run of verify

    def base(self):
        self.run("git", "init", "-q")
        self.write(self.case.base, time.time() - 3600)
        self.shell(self.case.base_sh)
        self.start_commit = self.commit("base")

    def dirty(self):
        """Writes the files that are uncommitted when the goal is started."""
        self.write(self.case.start, time.time() - 1800)
        self.shell(self.case.start_sh, BASE=self.start_commit, PLAN=str(self.plan or ""))

    def work(self):
        self.write(self.case.work)
        self.shell(self.case.work_sh, BASE=self.start_commit, PLAN=str(self.plan or ""))

    def verify(self, line):
        """The exit status of a verify line, run as `plan` runs it: without a shell, with `&&` and leading settings."""
        self.printed = ""
        for part in line.split(" && "):
            words, env = shlex.split(part), {}
            while "=" in words[0]:
                key, _, value = words.pop(0).partition("=")
                env[key] = value
            try:
                done = self.run(*words, at=self.root, check=False, env=env)
            except OSError as error:
                self.printed += f"{error}\n"
                return 127
            self.printed += done.stdout + done.stderr
            if done.returncode:
                return done.returncode
        return 0

    # ---- with plan
    def start(self):
        """Adds the goal as a person would; returns the code if `goal add` refused it."""
        case = self.case
        self.root.mkdir(parents=True, exist_ok=True)
        self.run(self.plan, "init", "A case", at=self.root)
        fields = {"--done-when": ["it works"], "--verify": [case.verify], "--kind": [case.kind],
                  "--failure-mode": case.failure_modes, "--may-change": case.may_change}
        flags = [word for flag, values in fields.items() for value in values for word in (flag, value)]
        added = self.run(self.plan, "goal", "add", "Do it", "--id", "it-1", *flags, at=self.root, check=False)
        if added.returncode:
            block = f"\n## Goal: Do it\n<!-- id: it-1 -->\nstatus: open\ndone_when: it works\nverify: {case.verify}\nkind: {case.kind}\n"
            for key, values in (("failure_modes", case.failure_modes), ("may_change", case.may_change)):
                block += f"{key}:\n" + "".join(f"- {value}\n" for value in values) if values else ""
            with open(self.root / "plan.md", "a") as file:
                file.write(block)
        self.start_commit = self.commit("plan")
        self.dirty()
        if case.started:
            self.run(self.plan, "goal", "start", "it-1", at=self.root)
        return added.stderr.strip() if added.returncode else ""

    def change_verify(self):
        if self.case.verify_after != self.case.verify:
            path = self.root / "plan.md"
            path.write_text(path.read_text().replace(f"verify: {self.case.verify}\n", f"verify: {self.case.verify_after}\n"))

    def complete(self, gate, left_out=""):
        """The result of `plan complete`: done or not, the finding that refused it, seconds, and files left behind."""
        paths = [word for path in self.case.evidence for word in ("--path", path)]
        begin = time.monotonic()
        done = self.run(self.plan, "complete", "it-1", "--gate", gate, "--judge", JUDGE, "--json", *paths, at=self.root, check=False,
                        env={"PLAN_ABLATE": left_out} if left_out else None)
        seconds = time.monotonic() - begin
        status = "status: done\n" in (self.root / "plan.md").read_text()
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = {}
        blocks = [finding["code"] for finding in report.get("findings", []) if finding["level"] == "block"]
        errors = [line for line in done.stderr.splitlines() if line.startswith("error")]
        why = ", ".join(dict.fromkeys(blocks)) or report.get("reason") or (errors or ["?"])[0]
        return {"done": status and done.returncode == 0, "exit": done.returncode, "why": "" if status else why, "codes": list(dict.fromkeys(blocks)), "seconds": seconds,
                "verify_seconds": (report.get("verify") or {}).get("seconds"), "findings": report.get("findings", []),
                "rows": report.get("rows", []), "left": self.left(), "torn": status != (done.returncode == 0),
                "said": "" if report else done.stdout + done.stderr}
