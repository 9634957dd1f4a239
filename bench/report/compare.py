"""python3 -m report.compare [--threshold PERCENT] [--all] OLD NEW: what changed beyond noise (`./study compare --help`).

Measurements are held against each other where machine, device, problem, backend, rung and tuning are the same. The ratio of
their times is judged by its 95 % interval (pairs.ends): wholly beyond the threshold it is a change, wholly within it none, and
across it too noisy to tell.
"""

import argparse
import collections
import math
import statistics
import sys

from . import records
from .cells import ONE
from .pairs import ends, key_of, ratio
from .text import elements, interval_text, number, seconds

WORDS = {"slower": "slower", "faster": "faster", "same": "no change", "noisy": "too noisy to tell", "now wrong": "now wrong",
         "missing": "missing in the new"}
CLOCKS = ("clock", "throttle", "power limit")  # of the conditions, what is to be the same on both sides


def verdict_of(low, high, threshold):
    if low > 1 + threshold:
        return "slower"
    if high < 1 / (1 + threshold):
        return "faster"
    return "same" if low >= 1 / (1 + threshold) and high <= 1 + threshold else "noisy"


def circumstances(study, rows):
    """{what: its values} of the runs and devices that these rows are of: what may make two sets of records differ."""
    found = collections.defaultdict(set)
    for run, backend in {(row["run"], row["backend"]) for row in rows}:
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
    return f"{row['type']} {row['op']} {row['shape'] or elements(row['n'])} {row['cache']} {row['scope']}"


def means(found):
    """A line for each problem, and one for all: the geometric mean of new/old."""
    by_problem = collections.defaultdict(list)
    for one in sorted((one for one in found if one["ratio"]), key=lambda one: [
            one["old"][name] for name in ("type", "op", "n", "cache", "scope")]):
        by_problem[problem_of(one["old"])].append(one["ratio"])
    if not by_problem:
        return ["  nothing was right on both sides"]
    if len(by_problem) > 1:
        by_problem["all"] = sum(by_problem.values(), [])
    return [f"  {problem}: {statistics.geometric_mean(ratios):.3f} over {len(ratios)}" for problem, ratios in by_problem.items()]


def last_of_each(study):
    """The last measurement of each kind: a file may hold several runs."""
    return {key_of(row, "backend", "rung", "tuning", "place", "shape"): row
            for row in sorted(study.rows, key=lambda row: row["run"])}


def compared(old, new, threshold):
    """For each measurement of OLD that was right: it, NEW's, the ratio of the times, its uncertainty and interval, a verdict."""
    right, found = last_of_each(new), []
    for key, one in last_of_each(old).items():
        if one["status"] != "right":
            continue
        other, change, doubt, low, high = right.get(key), None, None, None, None
        verdict = "now wrong" if other else "missing"
        if other and other["status"] == "right":
            samples = old.samples.get((one["run"], one["id"]), []), new.samples.get((other["run"], other["id"]), [])
            change, doubt = ratio(other, one)
            low, high = ends(one, other, samples)
            verdict = verdict_of(low, high, threshold)
        found.append({"old": one, "new": other, "ratio": change, "doubt": doubt, "low": low, "high": high, "verdict": verdict})
    return found


def shown(found):
    lines = [["backend", "rung", "tuning", "problem", "old", "new", "new/old", "95 % interval", "verdict"]]
    for one in found:
        row, new = one["old"], one["new"]
        times = [seconds(new["time"], new["uncertainty"]), number(one["ratio"], one["doubt"])] if one["ratio"] else ["", ""]
        lines.append([row["backend"], row["name"], row["tuning"], problem_of(row), seconds(row["time"], row["uncertainty"]),
                      *times, interval_text(one["low"], one["high"]), WORDS[one["verdict"]]])
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
    both = [one for one in found if one["new"]]
    if not both:
        print("compare: nothing in these records is of the same machine, device, problem, backend, rung and tuning",
              file=sys.stderr)
        return 2
    changed = differences(*(circumstances(study, [one[side] for one in both]) for study, side in ((old, "old"), (new, "new"))))
    print("\n".join(["What differs, old -> new:", *changed] if changed else
                    ["Device, clocks, compilers and commit are the same."]))
    counts = collections.Counter(one["verdict"] for one in found)
    if listed := [one for one in found if arguments.all or one["verdict"] not in ("same", "noisy", "missing")]:
        print(shown(sorted(listed, key=lambda one: (one["verdict"], -(one["ratio"] or 0)))))
    print("\n".join(["Geometric mean of new/old:", *means(found)]))
    print(", ".join(f"{counts[verdict]} {words}" for verdict, words in WORDS.items())
          + f" (threshold {arguments.threshold:g} %, separate processes).")
    known = [one for one in both if one["ratio"]]
    if single := sum(min(one["old"]["processes"], one["new"]["processes"]) < 2 for one in known):
        print(f"{single} of {len(known)} intervals are of samples alone, since a side has o{ONE}")
    return 1 if any(counts[verdict] for verdict in ("slower", "now wrong")) else 0


if __name__ == "__main__":
    sys.exit(main())
