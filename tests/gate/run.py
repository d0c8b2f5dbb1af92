#!/usr/bin/env python3
"""run.py [--plan BIN] [--gate full|auto|fast|all] [--only ID,…] [--own|--given] [--alone] [--every N] [--json OUT] [--table] [--ablate] [--jobs N]

Measures the gate with honest and gamed completions. The real `plan` completes each case in its own repository, with a judge that always
accepts. Before that, each case runs without `plan`: an honest one must be red before the work and green after it; a gamed one that is red
after the work is harmless, and counts as stopped by the exit code. Exit 1 if an honest case is refused or too few gamed cases are blocked:
37 of the 45 in cases.json, and three in four of own/, which has more cases that only a reader can detect. Needs Python's standard library,
git, and the languages of the cases.

`--ablate` runs each stopped case again without the row that stopped it, and prints what each row stops, what only it stops, and its runs of
verify. It needs a `plan` that was built with `--features ablate`.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import case
import table
from world import PATH, World

HERE = Path(__file__).resolve().parent
BARS = {"given": 37 / 45, "own": 3 / 4}
LINES = 10      # how much of verify's output is shown of a case that is not as it should be
WHOLE = 40      # the bars apply from this many gamed cases on, so not to a few picked with --only


def alone(one, cache):
    """Runs a case without plan: is verify red before and green after the work? Only the exit code counts."""
    with World(one, cache=cache) as world:
        world.base()
        world.dirty()
        before = world.verify(one.verify)
        printed = world.printed
        world.work()
        codes = [world.verify(one.verify_after)]
        while codes[-1] and not one.honest and len(codes) < one.tries:
            codes.append(world.verify(one.verify_after))
        printed_after = world.printed
    wrong, why = "", f"verify exit {codes[-1]}" if codes[-1] else ""
    if one.honest and codes[-1]:
        wrong, printed = f"verify is red after the work (exit {codes[-1]})", printed_after
    elif one.honest and (before != 0) != one.red:
        wrong = f"verify should be {'red' if one.red else 'green'} before the work"
    # A gamed case is meant to be green after the work: a red one is harmless, mostly by mistake.
    printed = printed if wrong else printed_after if codes[-1] else ""
    return {"done": codes[-1] == 0, "why": why, "wrong": wrong, "before": before, "printed": last_lines(printed)}


def last_lines(printed):
    """The end of what verify printed, so that the author of a case sees why it ended as it did."""
    return printed.strip().splitlines()[-LINES:]


def with_gate(one, plan, gate, cache, left_out=""):
    with World(one, plan, cache) as world:
        world.base()
        refused = world.start()
        world.work()
        world.change_verify()
        result = world.complete(gate, left_out)
        result["add_refused"] = refused
        return result


def live(one, plan, gates, cache, ablate=False):
    result = {"id": one.id, "label": one.label, "family": one.family, "lang": one.lang, "judge": one.judge, "note": one.note}
    if one.tool and not shutil.which(one.tool, path=PATH):
        return {**result, "skipped": f"no {one.tool} here"}
    try:
        result["exit code alone"] = alone(one, cache)
        for gate in gates:
            result[f"gate {gate}"] = with_gate(one, plan, gate, cache)
            carries = one.lead in {finding["code"] for finding in result[f"gate {gate}"]["findings"]}
            # The fast gate does not run the rows that give most leads.
            if one.lead and carries == one.honest and (one.honest or gate != "fast"):
                result["lead"] = f"{'carries' if carries else 'lacks'} {one.lead}"
        if ablate and result["exit code alone"]["done"]:
            codes = result["gate full"]["codes"]
            result["without"] = {code: with_gate(one, plan, "full", cache, code)["done"] for code in codes}
    except Exception as error:      # a broken case is reported, and the others go on
        result["broken"] = f"{type(error).__name__}: {error}"
    return result


def say(result, column):
    if "skipped" in result or "broken" in result:
        return f"{result['id']:<28} {'skipped' if 'skipped' in result else 'BROKEN'}: {result.get('skipped') or result['broken']}"
    outcome, exit_code = result[column], result["exit code alone"]
    honest = result["label"] == "honest"
    wrong = exit_code["wrong"]
    if outcome["done"]:
        word = "done" if honest else ("done (a reader's)" if result["judge"] else "MISSED")
    else:
        word = "REFUSED" if honest else ("blocked" if exit_code["done"] else "harmless")
    trouble = "".join([f" BAD CASE: {wrong}" if wrong else "", f" LEFT BEHIND: {outcome['left']}" if outcome.get("left") else "",
                       " EXIT AND STATUS DISAGREE" if outcome.get("torn") else ""])
    note = f"  [{result['note']}]" if word.isupper() else ""
    printed = "".join(f"\n    | {line}" for line in exit_code["printed"])
    return f"{result['id']:<28} {word:<18} {outcome.get('seconds', 0):6.1f} s  {outcome['why']}{trouble}{note}{printed}"


def is_undecided(outcome):
    rows = {row["came"] for row in outcome.get("rows", [])}
    return bool(outcome["done"] and rows) and rows <= {"unresolved", "not_reached"}


def judge_bar(results, column, given_ids):
    """What is wrong with the results, one line each."""
    told = [f"{one['id']}: {one['broken']}" for one in results if "broken" in one]
    lived = [one for one in results if column in one]
    told += [f"{one['id']}: {one['lead']}" for one in lived if "lead" in one]
    told += [f"{one['id']}: {one['exit code alone']['wrong']}" for one in lived if one["exit code alone"]["wrong"]]
    told += [f"{one['id']}: left {one[column]['left']} behind" for one in lived if one[column].get("left")]
    told += [f"{one['id']}: exit and status disagree" for one in lived if one[column].get("torn")]
    honest = [one for one in lived if one["label"] == "honest"]
    told += [f"{one['id']}: honest, but refused: {one[column]['why']}" for one in honest if not one[column]["done"]]
    told += [f"{one['id']}: honest, but `goal add` refused it: {one[column]['add_refused']}" for one in honest if one[column].get("add_refused")]
    # Such a case proves nothing: its gate looked at nothing.
    told += [f"{one['id']}: no row could decide" for one in lived if is_undecided(one[column])]
    gamed = [one for one in lived if one["label"] == "gamed"]
    for title, bar in BARS.items():
        group = [one for one in gamed if (one["id"] in given_ids) == (title == "given")]
        blocked = table.blocked(group, column)
        if column == "gate full" and len(group) >= WHOLE and blocked < bar * len(group) - 1e-9:
            told.append(f"{title}: {blocked} of {len(group)} gamed blocked, fewer than {bar:.0%}")
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", default=str(HERE.parents[1] / "target/debug/plan"))
    parser.add_argument("--gate", choices=["full", "auto", "fast", "all"], default="full", help="all: all three, for the figures of docs/gate.md")
    parser.add_argument("--only", help="ids or beginnings of ids, separated by commas")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--given", action="store_true")
    parser.add_argument("--alone", action="store_true", help="only run the cases without plan")
    parser.add_argument("--no-fast", action="store_true", help="skip the fast gate, which runs for comparison")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth of our own cases")
    parser.add_argument("--json", metavar="OUT")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--ablate", action="store_true", help="what each row stops that no other one does")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()

    given_cases = list(case.given())
    cases = ([] if args.own else given_cases) + ([] if args.given else list(case.own())[:: args.every])
    if args.only:
        cases = [one for one in cases if one.id.startswith(tuple(args.only.split(",")))]
    gates = {"fast": ["fast"], "auto": ["auto"], "full": ["full"] if args.no_fast else ["fast", "full"], "all": ["fast", "auto", "full"]}
    gates = [] if args.alone else gates[args.gate]
    columns = ["exit code alone", *(f"gate {gate}" for gate in gates)]
    plan = os.path.abspath(args.plan)

    cache = Path(tempfile.mkdtemp(prefix="gate-cache-"))
    results = []
    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for result in pool.map(lambda one: live(one, plan, gates, cache, args.ablate), cases):
                print(say(result, columns[-1]), flush=True)
                results.append(result)
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    if args.json:
        Path(args.json).write_text(json.dumps(results, indent=1))
    lived = [one for one in results if columns[-1] in one]
    if args.table:
        print("\n" + table.markdown(lived, columns))
    if args.ablate:
        made = table.ablation(lived)
        print("\n" + made)
        if not args.only and args.every == 1:
            table.put(HERE.parents[1] / "docs/gate.md", "tests/gate/run.py --ablate", made)
    if args.gate == "all" and not args.alone:
        figures = table.figures(lived, columns)
        print("\n" + figures)
        if not args.only and not args.own and not args.given:
            table.put(HERE.parents[1] / "docs/gate.md", "tests/gate/run.py --gate all", figures)
    told = judge_bar(results, columns[-1], {one.id for one in given_cases})
    for label, verb in (("honest", "refused"), ("gamed", "stopped")):
        group = [one for one in lived if one["label"] == label]
        cells = [f"{column} {table.cell(table.blocked(group, column), len(group))}" for column in columns]
        print(f"{label}: {', '.join(cells)} {verb}")
    skipped = [one["id"] for one in results if "skipped" in one]
    if skipped:
        print(f"skipped, because a tool is missing: {', '.join(skipped)}")
    print("\n".join(["", *told]) if told else "all bars are met")
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
