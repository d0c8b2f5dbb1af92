#!/usr/bin/env python3
"""run.py [--plan BIN] [--only WORDS,…] [--check|--write] [--verbose] [--jobs N]

What honest people do, lived through with the real `plan` in real repositories: each workflow as a newcomer who never declares `kind` or
`may_change` and pastes the one command that a refusal names, once with a judge that always accepts and once with `checks`. Prints for each
how many commands and refusals it took. Exit 1: a dead end, or more than one refusal. `--write` puts the table into docs/gate.md, `--check`
fails where another stands there. Python's standard library and git; workflows whose language is missing are skipped, and then nothing is
written or compared.
"""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
from pathlib import Path

from flows import FLOWS
from person import HERE, JUDGES, DeadEnd, Person
from table import put

TOP = HERE.parents[1]
PAGE = TOP / "docs/gate.md"
MAKER = "tests/workflows/run.py"
ONE_GOAL = 6    # commands for a first goal of one's own


def tools():
    """What stands here of the languages, by the names that workflows need."""
    found = {}
    if shutil.which("cargo"):
        found["cargo"] = None
    for python in (HERE / ".venv/bin/python3", Path(sys.executable)):
        if python.exists() and subprocess.run([python, "-c", "import pytest"], capture_output=True).returncode == 0:
            found["pytest"] = str(python)
            break
    packed = sorted((TOP / "tests/hosts/packed/node_modules").glob("node-*/bin/node"))
    for node in [*packed, shutil.which("node")]:
        if node and subprocess.run([node, "--input-type=module-typescript", "-e", "const a: number = 1"], capture_output=True).returncode == 0:
            found["node-ts"] = str(node)
            break
    return found


def live(title, needs, function, judge, plan, found):
    """Commands, refusals, and why it came to no end."""
    python, node = ("pytest" in needs and found["pytest"]), ("node-ts" in needs and found["node-ts"])
    with Person(title, plan, JUDGES[judge], python, node) as person:
        try:
            function(person)
            end = f"left behind: {person.left()}" if person.left() else ""
        except DeadEnd as dead:
            end = str(dead)
        return {"title": title, "judge": judge, "commands": len(person.commands), "refusals": person.refusals, "end": end, "said": person.said}


def cell(one):
    if one["end"]:
        return "dead end"
    return f"{one['commands']}, {len(one['refusals'])}"


def table(results):
    """Markdown: a row for each workflow."""
    rows = {}
    for one in results:
        rows.setdefault(one["title"], {})[one["judge"]] = one
    lines = ["| workflow | " + " | ".join(JUDGES) + " | refused by, and the command that it named |", "| --- | --- | --- | --- |"]
    for title, both in rows.items():
        refused = {reason: pasted for one in both.values() for reason, pasted in one["refusals"]}
        told = "; ".join(f"`{reason}`: `{shown(pasted)}`" for reason, pasted in refused.items()) or "–"
        lines.append(f"| {title} | " + " | ".join(cell(both[judge]) for judge in JUDGES if judge in both) + f" | {told} |")
    return "\n".join(lines)


def shown(command):
    """Without the goal's own id."""
    words = command.split()
    return " ".join("ID" if at in (2, 3) and word.rsplit("-", 1)[-1].isdigit() else word for at, word in enumerate(words)).replace("|", "\\|")


def on_page():
    """The table that stands in docs/gate.md."""
    return PAGE.read_text().partition(f"<!-- table of {MAKER} -->")[2].partition("<!-- end of table -->")[0].strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", default=str(TOP / "target/debug/plan"))
    parser.add_argument("--only", help="parts of titles, with commas")
    parser.add_argument("--judge", choices=list(JUDGES))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="everything that was typed and said")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()

    found, plan = tools(), os.path.abspath(args.plan)
    wanted = [one for one in FLOWS if not args.only or any(part in one[0] for part in args.only.split(","))]
    skipped = [title for title, needs, _ in wanted if not all(need in found for need in needs)]
    runs = [(title, needs, function, judge) for title, needs, function in wanted if title not in skipped
            for judge in JUDGES if not args.judge or judge == args.judge]
    results = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for one in pool.map(lambda run: live(*run, plan, found), runs):
            results.append(one)
            if args.verbose:
                print("\n".join(one["said"]))
            print(f"{one['title']}, {one['judge']}: {cell(one)}", *(f"   {reason} -> {pasted}" for reason, pasted in one["refusals"]), sep="\n", flush=True)
            if one["end"]:
                print(f"   {one['end']}")
    made = table(results)
    print(f"\n(commands, refusals)\n\n{made}")
    told = [f"{one['title']}, {one['judge']}: {one['end'].splitlines()[0]}" for one in results if one["end"]]
    told += [f"{one['title']}, {one['judge']}: {len(one['refusals'])} refusals" for one in results if not one["end"] and len(one["refusals"]) > 1]
    first = [one for one in results if one["title"] == FLOWS[0][0]]
    told += [f"a first goal takes {one['commands']} commands" for one in first if one["commands"] > ONE_GOAL]
    if skipped:
        print(f"skipped, for want of a tool: {', '.join(skipped)}")
    elif not args.only and not args.judge:
        if args.write:
            put(PAGE, MAKER, made)
        elif args.check and on_page() != made:
            told.append("docs/gate.md shows another table: python3 tests/workflows/run.py --write")
    print("\n".join(["", *told]) if told else "no dead end, at most one refusal each")
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
