"""table.py - the results as Markdown, by family and by language, with Wilson's 95 % intervals."""
from math import sqrt
from statistics import median

LANGUAGES = {"py": "Python", "sh": "shell", "rs": "Rust", "go": "Go", "node": "Node", "make": "make", "c": "C", "perl": "Perl",
             "rb": "Ruby", "php": "PHP", "java": "Java", "cpp": "C++"}

def wilson(hits, of, z=1.96):
    """The interval of a rate (Wilson 1927), in per cent."""
    if not of:
        return (0, 100)
    rate, square = hits / of, z * z / of
    middle, half = rate + square / 2, z * sqrt(rate * (1 - rate) / of + square / of / 4)
    return tuple(round(100 * max(0.0, min(1.0, (middle + sign * half) / (1 + square)))) for sign in (-1, 1))


def cell(hits, of):
    low, high = wilson(hits, of)
    return f"{hits} of {of} ({low}–{high} %)"


def blocked(results, column):
    return sum(1 for one in results if not one[column]["done"])


def rows(results, columns, key, name):
    groups = {}
    for one in results:
        groups.setdefault(one[key], []).append(one)
    head = [f"| {name} | cases | " + " | ".join(columns) + " |", "| --- |" + " ---: |" * (len(columns) + 1)]
    for title, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        title = LANGUAGES.get(title, title).removeprefix("honest: ")
        head.append(f"| {title} | {len(group)} | " + " | ".join(str(blocked(group, column)) for column in columns) + " |")
    total = " | ".join(cell(blocked(results, column), len(results)) for column in columns)
    return head + [f"| total | {len(results)} | {total} |"]


def markdown(results, columns):
    """The tables: gamed completions that were stopped and honest ones that were refused, by family and by language."""
    gamed = [one for one in results if one["label"] == "gamed"]
    honest = [one for one in results if one["label"] == "honest"]
    parts = [("Gamed: stopped", gamed, "family"), ("Gamed: stopped, by language", gamed, "lang"),
             ("Honest: refused", honest, "family"), ("Honest: refused, by language", honest, "lang")]
    out = []
    for title, group, key in parts:
        if group:
            title = f"{title} (Wilson 95 % intervals)"
            out += [title, "", *rows(group, columns, key, "language" if key == "lang" else "what"), ""]
    missed = [one for one in gamed if one[columns[-1]]["done"]]
    if missed:
        out += ["Gamed, but done all the same", ""]
        out += [f"- {one['id']}: {one['note']}{' (for a reader)' if one['judge'] else ''}" for one in missed]
    return "\n".join(out)


def figures(results, columns):
    """One row per gate: what it stops, what it refuses, and how long it takes."""
    lines = ["| | gamed, stopped | honest, refused | seconds, median | 9 in 10 below | longest |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for column in columns:
        groups = [[one for one in results if one["label"] == label] for label in ("gamed", "honest")]
        stopped, refused = (cell(blocked(group, column), len(group)) for group in groups)
        took = sorted(one[column]["seconds"] for one in groups[1] if "seconds" in one[column])
        times = [f"{median(took):.1f}", f"{took[len(took) * 9 // 10]:.1f}", f"{took[-1]:.1f}"] if took else ["–"] * 3
        lines.append(f"| {column} | {stopped} | {refused} | " + " | ".join(times) + " |")
    return "\n".join(lines)


def ablation(results):
    """For each row: what it stops, what only it stops, honest work that it refuses, and its cost for all cases."""
    of, cost = {}, {}
    for one in results:
        outcome = one["gate full"]
        for ran in outcome["rows"]:
            runs, seconds = cost.get(ran["row"], (0, 0.0))
            cost[ran["row"]] = (runs + ran["runs"], seconds + ran["seconds"])
        for code, is_done in one.get("without", {}).items():
            counts = of.setdefault(code, {"gamed": [0, 0], "honest": [0, 0]})[one["label"]]
            counts[0] += 1
            counts[1] += is_done
    lines = ["| row | gamed, stopped | only by it | honest, refused | runs of verify | seconds |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    rows = sorted(of.keys() | cost.keys(), key=lambda row: (-of.get(row, {"gamed": [0, 0]})["gamed"][1], row))
    for row in rows:
        counts = of.get(row, {"gamed": [0, 0], "honest": [0, 0]})
        runs, seconds = cost.get(row, (0, 0.0))
        lines.append(f"| `{row}` | {counts['gamed'][0]} | {counts['gamed'][1]} | {counts['honest'][0]} | {runs} | {seconds:.0f} |")
    return "\n".join(lines)


def put(page, maker, made):
    """Writes a table between the comments that name its script."""
    begin, end = f"<!-- table of {maker} -->", "<!-- end of table -->"
    head, _, rest = page.read_text().partition(begin)
    page.write_text(f"{head}{begin}\n{made}\n{end}{rest.partition(end)[2]}")
