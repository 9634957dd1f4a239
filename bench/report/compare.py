"""python3 -m report.compare [--threshold PERCENT] [--all] OLD NEW: what changed beyond noise (`./study compare --help`).

Measurements are held against each other where machine, device, problem, backend, rung and tuning are the same. The ratio of
their times is judged by its 95 % interval (pairs.ends): wholly beyond the threshold it is a change, wholly within it none, and
across it too noisy to tell.
"""

import argparse
import collections
import math
import sys

import numpy
import pandas

from . import records
from .cells import ONE
from .pairs import PROBLEM, ends, ratio, side
from .study import as_rows
from .text import elements, interval_text, number, seconds

KEY = [*PROBLEM, "backend", "rung", "tuning", "place"]
WORDS = {"slower": "slower", "faster": "faster", "same": "no change", "noisy": "too noisy to tell", "now wrong": "now wrong",
         "missing": "missing in the new"}
CLOCKS = ("clock", "throttle", "power limit")  # of the conditions, what is to be the same on both sides


def verdict_of(low, high, threshold):
    if low > 1 + threshold:
        return "slower"
    if high < 1 / (1 + threshold):
        return "faster"
    return "same" if low >= 1 / (1 + threshold) and high <= 1 + threshold else "noisy"


def circumstances(study, rows, suffix=""):
    """{what: its values} of the runs and devices that these rows are of: what may make two sets of records differ."""
    found = collections.defaultdict(set)
    for run, backend in {(row["run" + suffix], row["backend"]) for row in rows if not pandas.isna(row["run" + suffix])}:
        record, device = study.runs[run], study.devices[run, backend]
        parts = ["cxx", "cuda", "kokkos"] if backend.startswith("kokkos") else ["cxx", backend]
        known = [*((name, record.get(name)) for name in ("commit", "version", "build_type")), ("device", device["name"]),
                 *((f"{part} {name}", value) for part in parts for name, value in record["build"].get(part, {}).items()),
                 *((name, fact["value"]) for name, fact in (device.get("facts") or {}).items()),
                 *((f"{name} at the {one['at']}", fact["value"]) for one in study.others["conditions"]
                   if (one["run"], one.get("space")) == (run, device["space"]) for name, fact in one["facts"].items()
                   if any(word in name for word in CLOCKS))]
        for name, value in known:
            if value not in (None, ""):
                found[name].add(str(value))
    return found


def differences(old, new):
    """A line for each circumstance that is not the same on both sides."""
    return [f"  {name}: {', '.join(sorted(old.get(name, {'not told'})))} -> {', '.join(sorted(new.get(name, {'not told'})))}"
            for name in {**old, **new} if old.get(name) != new.get(name)]


def problem_of(row):
    return f"{row['type']} {row['op']} {elements(row['n'])} {row['cache']} {row['scope']}"


def means(rows):
    """A line for each problem, and one for all: the geometric mean of new/old."""
    known = rows[rows["ratio"].notna()].sort_values(["type", "op", "n", "cache", "scope"])
    if known.empty:
        return ["  nothing was right on both sides"]
    lines = list(known.groupby(known.apply(problem_of, axis=1), sort=False)["ratio"])
    lines += [("all", known["ratio"])] if len(lines) != 1 else []
    return [f"  {problem}: {numpy.exp(numpy.log(ratios).mean()):.3f} over {len(ratios)}" for problem, ratios in lines]


def last_of_each(study):
    """The last measurement of each kind: a file may hold several runs."""
    return study.measurements.sort_values("run").drop_duplicates(KEY, keep="last")


def compared(old, new, threshold):
    """A row for each measurement of OLD that was right: NEW's beside it, the ratio of the times, its interval, a verdict."""
    left, right = last_of_each(old), last_of_each(new)
    pairs = left[left["status"] == "right"].merge(right, on=KEY, how="left", suffixes=("", "_new"))
    rows = []
    for pair in as_rows(pairs):
        low = high = change = doubt = numpy.nan
        verdict = "missing" if pandas.isna(pair["status_new"]) else "now wrong"
        if pair["status_new"] == "right":
            samples = old.samples.get((pair["run"], pair["id"]), []), new.samples.get((pair["run_new"], pair["id_new"]), [])
            change, doubt = ratio(side(pair, "_new"), pair)
            low, high = ends(pair, side(pair, "_new"), samples)
            verdict = verdict_of(low, high, threshold)
        rows.append(pair | {"ratio": change, "doubt": doubt, "low": low, "high": high, "verdict": verdict})
    return pandas.DataFrame(rows)


def shown(rows):
    heads = ["backend", "rung", "tuning", "problem", "old", "new", "new/old", "95 % interval", "verdict"]
    lines = []
    for row in as_rows(rows):
        known = not pandas.isna(row["ratio"])
        lines.append([row["backend"], row["name"], row["tuning"],
                      problem_of(row),
                      seconds(row["time"], row["uncertainty"]),
                      seconds(row["time_new"], row["uncertainty_new"]) if known else "",
                      number(row["ratio"], row["doubt"]) if known else "",
                      interval_text(row["low"], row["high"]), WORDS[row["verdict"]]])
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
                     for line in [heads, *lines])


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
    rows = compared(old, new, arguments.threshold / 100) if old.rows and new.rows else pandas.DataFrame()
    if rows.empty or (rows["verdict"] == "missing").all():
        print("compare: nothing in these records is of the same machine, device, problem, backend, rung and tuning",
              file=sys.stderr)
        return 2
    both = as_rows(rows[rows["verdict"] != "missing"])
    changed = differences(circumstances(old, both), circumstances(new, both, "_new"))
    print("\n".join(["What differs, old -> new:", *changed] if changed else
                    ["Device, clocks, compilers and commit are the same."]))
    counts = rows["verdict"].value_counts()
    listed = rows if arguments.all else rows[~rows["verdict"].isin(["same", "noisy", "missing"])]
    if len(listed):
        print(shown(listed.sort_values(["verdict", "ratio"], ascending=[True, False])))
    print("\n".join(["Geometric mean of new/old:", *means(rows)]))
    print(", ".join(f"{counts.get(verdict, 0)} {words}" for verdict, words in WORDS.items())
          + f" (threshold {arguments.threshold:g} %, separate processes).")
    known = [row for row in both if row["ratio"] == row["ratio"]]
    if single := sum(min(row["processes"], row["processes_new"]) < 2 for row in known):
        print(f"{single} of {len(known)} intervals are of samples alone, since a side has o{ONE}")
    return 1 if any(counts.get(verdict, 0) for verdict in ("slower", "now wrong")) else 0


if __name__ == "__main__":
    sys.exit(main())
