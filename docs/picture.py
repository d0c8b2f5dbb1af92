#!/usr/bin/env python3
"""picture.py PLAN_BINARY: writes docs/picture.svg, the terminal of a real run: tests that were watered down, then the work done;
and docs/list.svg, the task list of the plan that tests/report/sample.py makes.

The binary is a debug build, which takes the temporary home for a person's. Light and dark follow the reader's system. Python's
standard library and git.
"""
import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

PLAN = """# Plan: Greetings

## Goal: Greet by name
<!-- id: greet-1 -->
status: open
done_when: `greet.sh Ada` says "Hello, Ada"
verify: sh test.sh
failure_modes:
- the name is ignored (check: sh check.sh)
"""
TESTS = {"test.sh": 'test "$(sh greet.sh Ada)" = "Hello, Ada"\n', "check.sh": 'test "$(sh greet.sh Bob)" = "Hello, Bob"\n'}
SCENES = [
    ("start", ["goal", "start", "greet-1"], {}),
    ("the agent does nothing, and waters the tests down", ["complete", "greet-1"], {"test.sh": "sh greet.sh Ada\n", "check.sh": "sh greet.sh Bob\n"}),
    ("the agent does the work", ["complete", "greet-1"],
     {**TESTS, "greet.sh": 'echo "Hello, $1"\n'}),
]
STYLE = """text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#24292f;white-space:pre}rect{fill:#f6f8fa;stroke:#d0d7de}
.c1{font-weight:bold}.c4{text-decoration:underline}.c2{fill:#6e7781}.c31{fill:#cf222e}.c32{fill:#116329}.c33{fill:#9a6700}.c34,.c36{fill:#0969da}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#161b22;stroke:#30363d}.c2{fill:#8d96a0}.c31{fill:#ff7b72}.c32{fill:#3fb950}.c33{fill:#d29922}.c34,.c36{fill:#58a6ff}}"""
WIDTH = 100


def lines(plan):
    with tempfile.TemporaryDirectory(prefix="plan-picture-") as folder:
        home, root = Path(folder, "home"), Path(folder, "greetings")
        home.mkdir()
        root.mkdir()
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "LANG": "C.UTF-8", "TERM": "xterm-256color",
               "PLAN_TEST_ACCOUNT": f"{os.getpid()}:{home}"}
        run = lambda *argv: subprocess.run(argv, cwd=root, env=env, capture_output=True, text=True)
        write = lambda files: [Path(root, name).write_text(text) for name, text in files.items()]
        write({**TESTS, "plan.md": PLAN, "greet.sh": "echo Hello\n"})
        for argv in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "base"]):
            run("git", *argv)
        run(plan, "judge", "set", "checks")
        for title, argv, files in SCENES:
            write(files)
            if files:
                yield f"\x1b[2m# {title}\x1b[0m"
            yield f"\x1b[1m$ plan {' '.join(argv)}\x1b[0m"
            yield from on_terminal([plan, *argv], root, env)
            yield ""


def on_terminal(argv, folder, env):
    """What stdout shows on a terminal of WIDTH columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDTH, 0, 0))
    process = subprocess.Popen(argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 1 << 16):
            text += part
    except OSError:  # Linux says so where the last writer is gone
        pass
    os.close(ours)
    process.wait()
    return text.decode().replace("\r\n", "\n").rstrip("\n").split("\n")


def task_list(plan):
    """What `plan` shows of a plan in every state."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests/report"))
    from sample import Sample

    with tempfile.TemporaryDirectory(prefix="plan-picture-") as folder:
        sample = Sample(plan, Path(folder, "sample")).make()
        yield "\x1b[1m$ plan\x1b[0m"
        yield from on_terminal([plan], sample.repo, {**sample.environment, "TERM": "xterm-256color"})


def svg(text, label):
    rows = []
    for number, line in enumerate(text):
        x, shown, style = 0, "", []
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if part.startswith("\x1b["):
                codes = part[2:-1].split(";")
                style = [] if codes in (["0"], [""]) else style + [f"c{code}" for code in codes]
                continue
            part = part if x + len(part) <= WIDTH else part[: WIDTH - x - 1] + "…" if x < WIDTH else ""
            x += len(part)
            shown += f'<tspan class="{" ".join(style)}">{html.escape(part)}</tspan>' if style and part else html.escape(part)
        rows.append(f'<text x="14" y="{26 + 18 * number}">{shown}</text>')
    height = 18 * len(text) + 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * 7.85 + 28:.0f} {height}" role="img" '
            f'aria-label="{label}"><style>{STYLE}</style>'
            f'<rect x="1" y="1" width="{WIDTH * 7.85 + 26:.0f}" height="{height - 2}" rx="8"/>{"".join(rows)}</svg>\n')


if __name__ == "__main__":
    program, here = os.path.abspath(sys.argv[1]), Path(__file__)
    run, shown = list(lines(program))[:-1], list(task_list(program))
    here.with_name("picture.svg").write_text(svg(run, "plan complete refuses a test that was watered down, then signs the work off"))
    here.with_name("list.svg").write_text(svg(shown, "the task list: what to look at first, active goals with their steps, ready and waiting goals"))
    print("\n".join([*run, "", *shown]))
