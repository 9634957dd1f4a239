"""python3 -m report.compare [--threshold PERCENT] [--all] OLD NEW: what changed beyond noise (`./study compare --help`).

Measurements are compared if machine, device, problem, backend, rung and tuning match. The verdict depends on the 95 % interval
of the ratio of times (pairs.ratio): entirely beyond the threshold it is a change, entirely within it no change, and across it
too noisy to tell.
"""

import argparse
import math
import sys

import pandas
import scipy.stats

from . import records
from .cells import ONE
from .pairs import key_of, ratio
from .text import elements, interval_text, number, seconds

WORDS = {"slower": "slower", "faster": "faster", "same": "no change", "noisy": "too noisy to tell", "now wrong": "now wrong",
         "missing": "missing in the new"}
CLOCKS = ("clock", "throttle", "power limit")  # conditions that must match on both sides
SHOWN = ["backend", "rung", "tuning", "problem", "old", "new", "new/old", "95 % interval", "verdict"]


def verdict_of(interval, threshold):
    if interval is None:
        return "noisy"
    low, high = interval
    if low > 1 + threshold:
        return "slower"
    if high < 1 / (1 + threshold):
        return "faster"
    return "same" if low >= 1 / (1 + threshold) and high <= 1 + threshold else "noisy"


def circumstances(study, rows):
    """{what: its values} for the runs and devices of these rows: possible causes of differences between two sets of records."""
    known = []
    for run, backend in {(row["run"], row["backend"]) for row in rows}:
        record, device = study.runs[run], study.devices[run, backend]
        parts = ["cxx", "cuda", "kokkos"] if backend.startswith("kokkos") else ["cxx", backend]
        clocks = {f"{name} at the {one['at']}": fact["value"] for one in study.others["conditions"]
                  if (one["run"], one.get("space")) == (run, device["space"]) for name, fact in one["facts"].items()
                  if any(word in name for word in CLOCKS)}
        known.append({**{name: record.get(name) for name in ("commit", "version", "build_type")}, "device": device["name"],
                      **{part: record["build"].get(part) for part in parts},
                      **{name: fact["value"] for name, fact in (device.get("facts") or {}).items()}, **clocks})
    told = pandas.json_normalize(known, sep=" ").replace("", None)
    return {name: set(values.dropna().astype(str)) for name, values in told.items() if values.notna().any()}


def differences(old, new):
    """A line for each circumstance that differs between both sides."""
    return [f"  {name}: {', '.join(sorted(old.get(name, {'not told'})))} -> {', '.join(sorted(new.get(name, {'not told'})))}"
            for name in {**old, **new} if old.get(name) != new.get(name)]


def means(both):
    """A line per problem, and one for all: the geometric mean of new/old."""
    ratios = both.groupby("problem", sort=False)["ratio"].agg(list)
    if ratios.empty:
        return ["  nothing was right on both sides"]
    every = {"all": list(both["ratio"])} if len(ratios) > 1 else {}
    return [f"  {problem}: {scipy.stats.gmean(some):.3f} over {len(some)}" for problem, some in {**ratios, **every}.items()]


def last_of_each(study):
    """Latest measurement of each kind: a file may hold several runs."""
    return {key_of(row, "backend", "rung", "tuning", "place", "shape"): row
            for row in sorted(study.rows, key=lambda row: row["run"])}


def compared(old, new, threshold):
    """A row for each right measurement of OLD: OLD's, NEW's, the ratio of times, a verdict, and the line to print."""
    others, found = last_of_each(new), []
    for key, row in last_of_each(old).items():
        if row["status"] != "right":
            continue
        other, value, shown = others.get(key), None, ["", "", ""]
        verdict = "now wrong" if other and other["status"] != "unfinished" else "missing"
        if other and other["status"] == "right":
            value, doubt, interval = ratio(other, row)
            verdict = verdict_of(interval, threshold)
            shown = [seconds(other["time"], other["uncertainty"]), number(value, doubt), interval_text(*interval or (None, None))]
        shape = f"{row['shape']} " if row["shape"] else ""
        problem = f"{row['type']} {row['op']} {shape}{elements(row['n'])} {row['cache']} {row['scope']}"
        shown = [row["backend"], row["name"], row["tuning"], problem, seconds(row["time"], row["uncertainty"]), *shown,
                 WORDS[verdict]]
        found.append({"row": row, "other": other, "problem": problem, "ratio": value, "verdict": verdict, "shown": shown,
                      "processes": min(row["processes"], other["processes"]) if other else 0})
    return pandas.DataFrame(found, columns=None if found else ["row", "other"])


def in_columns(lines):
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def main(words=None):
    parser = argparse.ArgumentParser(prog="compare", description="What changed beyond noise between two sets of records.")
    parser.add_argument("old", help="a records file, or a folder of them")
    parser.add_argument("new", help="the same")
    parser.add_argument("--threshold", type=float, default=1.0, metavar="PERCENT", help="what counts as a change (1)")
    parser.add_argument("--all", action="store_true", help="list what did not change, and what is missing, too")
    arguments = parser.parse_args(words)
    if not 0 <= arguments.threshold < math.inf:
        parser.error(f"--threshold {arguments.threshold}: it is a percentage, 0 or more")
    old, new = records.read([arguments.old]), records.read([arguments.new])
    for problem in old.problems + new.problems:
        print(f"compare: {problem}", file=sys.stderr)
    found = compared(old, new, arguments.threshold / 100)
    there = found[found["other"].notna()]
    if there.empty:
        print("compare: nothing in these records is of the same machine, device, problem, backend, rung and tuning",
              file=sys.stderr)
        return 2
    changed = differences(circumstances(old, there["row"]), circumstances(new, there["other"]))
    print("\n".join(["What differs, old -> new:", *changed] if changed else
                    ["Device, clocks, compilers and commit are the same."]))
    listed = found if arguments.all else found[~found["verdict"].isin(["same", "noisy", "missing"])]
    if len(listed):
        listed = listed.sort_values(["verdict", "ratio"], ascending=[True, False], kind="stable")
        print(in_columns([SHOWN, *listed["shown"]]))
    both = found[found["ratio"].notna()]
    print("\n".join(["Geometric mean of new/old:", *means(both)]))
    print(", ".join(f"{(found['verdict'] == verdict).sum()} {words}" for verdict, words in WORDS.items())
          + f" (threshold {arguments.threshold:g} %, separate processes).")
    if single := (both["processes"] < 2).sum():
        print(f"{single} of {len(both)} intervals are of samples alone, since a side has o{ONE}")
    return 1 if found["verdict"].isin(["slower", "now wrong"]).any() else 0


if __name__ == "__main__":
    sys.exit(main())
