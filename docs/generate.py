#!/usr/bin/env python3
"""Writes the tables in README.md and docs/ from the program and from committed records.

    docs/generate.py [--check] [--ladder build/host/bench/ladder]

A table stands between a line `<!-- table: KIND key=value ... -->` and a line `<!-- end -->`; what lies between is
replaced. KIND is
  ladder   which=device|cpu                 the rungs, from `ladder --list --format=json`
  problem  records=FILE n=N [type= op= cache= scope= backend=]   one problem in full
  sizes    records=FILE value=gbs|of_ceiling|median [type= op= cache= scope= backend=]   rungs down, sizes across
  cases    records=FILE bytes=B value=gbs|of_ceiling|median [cache= scope= backend=]   rungs down, types and operations across
  aa       records=FILE                                          the A/A trial of tests/aa.py
Records are JSON lines, gzipped or not, relative to the repository. With --check nothing is written: the exit status is 1
where a page would change. Without --ladder the tables of kind `ladder` are left as they are, and that is said.
"""

import argparse
import gzip
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = re.compile(r"(<!-- table: (\w+)([^\n]*?) -->\n)(.*?)(<!-- end -->)", re.S)
TYPES = {"f32": "float", "f64": "double", "i32": "int32", "i64": "int64"}


def parsed(line):
    """The record, or nothing for a line that a kill cut short."""
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None


class Records:
    """The last run of a records file, by kind."""

    def __init__(self, path):
        opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
        with opened as lines:
            self.lines = lines.read().splitlines()
        records = [record for record in map(parsed, self.lines) if record]
        runs = [r for r in records if r["kind"] == "run"]
        self.path = path
        self.run = runs[-1]
        records = [r for r in records if r.get("run") == self.run["run"]]
        self.measurements = [r for r in records if r["kind"] == "measurement"]
        self.summaries = {r["id"]: r for r in records if r["kind"] == "summary"}
        self.ceilings = [r for r in records if r["kind"] == "ceiling"]
        self.floors = [r for r in records if r["kind"] == "floor"]

    def select(self, **wanted):
        """Measurements with their summaries, those whose fields are as wanted."""
        chosen = []
        for measurement in self.measurements:
            if all(str(measurement[key]) == value for key, value in wanted.items()):
                chosen.append((measurement, self.summaries[measurement["id"]]))
        if not chosen:
            sys.exit(f"{self.path}: no measurement with {wanted}")
        return chosen

    def ceiling(self, measurement):
        space = {d["backend"]: d["memory_space"] for d in self.run["devices"]}[measurement["backend"]]
        for ceiling in self.ceilings:
            key = (ceiling["space"], ceiling["bytes"], ceiling["cache"])
            if key == (space, measurement["bytes"], measurement["cache"]):
                return ceiling
        return None

    def source(self):
        """Machine, date and command: what a figure has to come with."""
        devices = "; ".join(
            f"{d['name']} ({d['backend']}, theoretical peak "
            + (f"{d['peak_gbs']:.0f} GB/s" if d["peak_gbs"] else "unknown") + ")"
            for d in self.run["devices"])
        command = " ".join(self.run["command"][1:])
        program = pathlib.PurePath(self.run["command"][0]).name
        where = self.path.relative_to(ROOT)
        return (f"{devices}; {self.run['date'][:10]}, commit {self.run['commit']}: `{program} {command}`. "
                f"Records: `{where}`.")


def number(value, uncertainty, most=4):
    """With as many digits as its relative uncertainty warrants: the last is the first uncertain one."""
    if value is None:
        return "unknown"
    if not value:
        return "0"
    place = lambda x: math.floor(math.log10(abs(x)))
    digits = 4 if not uncertainty else place(value) - place(uncertainty * value) + 1
    digits = max(1, min(most, digits))
    step = 10.0 ** (place(value) - digits + 1)
    return f"{round(value / step) * step:.{max(0, digits - 1 - place(value))}f}"


def seconds(value, uncertainty):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return number(value / scale, uncertainty) + " " + unit
    return number(value / 1e-9, uncertainty) + " ns"


def elements(n):
    return f"2^{n.bit_length() - 1}" if n >= 16 and n & (n - 1) == 0 else str(n)


def table(heads, sides, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join("---:" if s == "r" else "---" for s in sides) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def rung_name(measurement):
    return measurement["rung"] + ("_" + measurement["slug"] if measurement["slug"] else "")


def tuning(measurement):
    parts = [(k, measurement[k]) for k in ("block", "grid", "items", "workers") if measurement[k] is not None]
    return ", ".join(f"{key} {value}" for key, value in parts)


def percent(part, uncertainty):
    return "unknown" if part is None else number(100 * part, uncertainty, 3)


def speedup(value, uncertainty, named=True):
    if not value:
        return ""
    return number(value["factor"], value.get("uncertainty", uncertainty), 3) + "×" + (f" {value['versus']}" if named else "")


def checked(summary):
    if summary["wrong"]:
        return f"**wrong {summary['wrong']}**"
    return "**failed**" if summary["failed"] else f"{summary['count']} of {summary['count']}"


def problem_table(records, n, **wanted):
    rows = []
    chosen = records.select(n=n, **wanted)
    several = len({m["backend"] for m, _ in chosen}) > 1
    for m, s in chosen:
        row = [m["backend"]] if several else []
        row += [rung_name(m), tuning(m)]
        if "median" in s:
            u = s["uncertainty"]
            spread = 100 * (s["p95"] - s["p5"]) / s["median"]
            row += [seconds(s["median"], u), number(s["gbs"], u), "in cache" if (s["of_peak"] or 0) > 1 else percent(s["of_peak"], u),
                    percent(s["of_ceiling"], s.get("of_ceiling_uncertainty", u)),
                    speedup(s["step"], u), speedup(s["cumulative"], u, False), f"{spread:.2g} %"]
        else:
            row += [""] * 7
        rows.append(row + [checked(s)])
    heads = ["rung", "tuning", "time", "GB/s", "% peak", "% ceiling", "step", "total", "spread", "checked"]
    first = chosen[0][0]
    ceilings = {id(c): c for c in (records.ceiling(m) for m, _ in chosen) if c}.values()
    size = first["bytes"] / 2**30
    text = (f"{TYPES[first['type']]} {first['op']}, {elements(first['n'])} elements "
            + (f"({size:g} GiB)" if size >= 0.25 else f"({first['bytes'] / 2**20:g} MiB)")
            + f", {first['cache']}, {first['scope']} scope"
            + "".join(f"; read-only ceiling {c['gbs']:.0f} GB/s ({c['configuration']})" for c in ceilings) + ".\n\n")
    text += table((["backend"] if several else []) + heads, ("l" if several else "") + "llrrrrlrrl", rows)
    return text + "\n" + records.source() + "\n"


def matrix(records, chosen, value, column, heads):
    """Rungs down, the distinct values of `column(measurement)` across, in the order of `heads`."""
    lines = {}
    for m, s in chosen:
        cell = checked(s)
        if "median" in s:
            u = s["uncertainty"]
            cell = {"gbs": lambda: number(s["gbs"], u, 3),
                    "of_ceiling": lambda: percent(s["of_ceiling"], s.get("of_ceiling_uncertainty", u)),
                    "median": lambda: number(s["median"] * 1e6, u, 3)}[value]()
        line = lines.setdefault((m["backend"], rung_name(m)), {})
        if column(m) in line:
            sys.exit(f"{records.path}: two measurements of {rung_name(m)} for one cell: narrow the selection")
        line[column(m)] = cell
    several = len({backend for backend, _ in lines}) > 1
    rows = [([key[0]] if several else []) + [key[1]] + [cells.get(c, "") for c in heads] for key, cells in lines.items()]
    titles = (["backend"] if several else []) + ["rung"] + [elements(c) if isinstance(c, int) else c for c in heads]
    sides = "l" * (2 if several else 1) + "r" * len(heads)
    return table(titles, sides, rows) + "\n" + records.source() + "\n"


UNITS = {"gbs": "GB/s", "of_ceiling": "% of the ceiling", "median": "µs"}


def sizes_table(records, value, **wanted):
    chosen = records.select(**wanted)
    first = chosen[0][0]
    text = (f"{TYPES[first['type']]} {first['op']}, {first['cache']}, {first['scope']} scope: {UNITS[value]} by number of "
            "elements.\n\n")
    return text + matrix(records, chosen, value, lambda m: m["n"], sorted({m["n"] for m, _ in chosen}))


def cases_table(records, value, **wanted):
    chosen = records.select(**wanted)
    first = chosen[0][0]
    heads = list(dict.fromkeys(f"{m['type']} {m['op']}" for m, _ in chosen))
    text = f"{first['bytes'] / 2**30:g} GiB, {first['cache']}, {first['scope']} scope: {UNITS[value]}.\n\n"
    return text + matrix(records, chosen, value, lambda m: f"{m['type']} {m['op']}", heads)


def aa_table(records):
    sys.path.insert(0, str(ROOT / "tests"))
    import aa

    rows = []
    for (backend, n, size, scope), apart in aa.differences(records.lines).items():
        close = sum(difference <= 0.01 for difference in apart)
        rows.append([backend, elements(n), f"{size / 2**20:g} MiB", scope, f"{close} of {len(apart)}",
                     f"{100 * statistics.median(apart):.2g} %", f"{100 * aa.percentile95(apart):.2g} %"])
    heads = ["backend", "n", "input", "scope", "at most 1 % apart", "median difference", "95th percentile"]
    return table(heads, "lrrlrrr", rows) + "\n" + records.source() + "\n"


def ladder_table(listing, which):
    rows = [[r["id"], r["slug"], r["idea"].replace("|", "\\|"), r["base"] or "-", r["sources"]]
            for r in listing["ladders"][which]]
    return table(["rung", "slug", "the one change", "base", "from"], "lllll", rows)


def main():
    parser = argparse.ArgumentParser(description="Writes the tables in README.md and docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a page would change")
    parser.add_argument("--ladder", help="the built program, for the tables of rungs")
    arguments = parser.parse_args()
    listing = None
    if arguments.ladder:
        listing = json.loads(subprocess.run([arguments.ladder, "--list", "--format=json"], check=True,
                                            capture_output=True, text=True).stdout)
    loaded = {}

    def fill(match):
        head, kind, rest, old, end = match.groups()
        options = dict(part.split("=", 1) for part in rest.split())
        if kind == "ladder":
            if listing is None:
                print("tables of rungs: not looked at (no --ladder)")
                return match.group(0)
            return head + "\n" + ladder_table(listing, **options) + "\n" + end
        path = ROOT / options.pop("records")
        records = loaded.setdefault(path, Records(path) if path not in loaded else None)
        make = {"problem": problem_table, "sizes": sizes_table, "cases": cases_table, "aa": aa_table}[kind]
        return head + "\n" + make(records, **options) + "\n" + end

    stale = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        made = MARK.sub(fill, text)
        if made == text:
            continue
        stale.append(str(page.relative_to(ROOT)))
        if not arguments.check:
            page.write_text(made)
    for name in stale:
        print(f"{name}: {'is stale: run docs/generate.py' if arguments.check else 'written'}")
    sys.exit(1 if arguments.check and stale else 0)


if __name__ == "__main__":
    main()
