#!/usr/bin/env python3
"""How often the intervals between processes are right, of many processes that each measured the same code twice.

    tools/calibrate.py [--of=5] RECORDS...

A pair is a rung under two names (build/*/tests/ladder_with_faults has alias_r16, alias_r20 and alias_r30), or a rung on cuda and
on hip, with one tuning. The processes are cut, in their order, into groups of five (--of), and of each group the 95 % interval of
its ratio is made, as the report makes it. Prints for each pair and size how many groups there are, in how many the interval
holds 1, in what part it does where the same processes are put into groups at random, many times (so that what groups in their
order have by chance is seen), and how wide it is in the median, as a part of 1; then the same for each size, over all pairs of
two names. Of two backends the ratio need not be 1, so it is not counted.
"""

import argparse
import itertools
import math
import statistics
import sys

import shared
from shared import Failure

try:
    import numpy

    from report import intervals, records
    from report.pairs import PROBLEM
    from report.parts import Cell, Table
    from report.text import elements, number, problem_text
except ImportError as error:
    sys.exit(f"{error.name} is not installed (./study setup installs it)")

ALIAS = "alias_"
HEADS = ["groups", "1 is in the interval", "in groups at random", "median width"]
DRAWS = 400


def measured(study):
    """{(what is the same on both sides of a pair, backend, rung): (a row, {process: time})} of what is right."""
    found = {}
    for row in study.rows:
        key = (tuple(row[name] for name in [*PROBLEM, "tuning", "place"]), row["backend"], row["rung"])
        found.setdefault(key, (row, {}))[1].update(row["by_process"])
    return found


def pairs_of(study):
    """(words, a row, whether both sides are one code, {process: time} of each side) of each pair."""
    found = measured(study)
    for (same, backend, rung), (row, medians) in found.items():
        for other, one_code, words in (((same, backend, ALIAS + rung), True, f"{backend} {rung}, {ALIAS}{rung}"),
                                       ((same, "hip", rung), False, f"{rung}, cuda by hip")):
            if other in found and (one_code or backend == "cuda"):
                yield words, row, one_code, medians, found[other][1]


def intervals_of(over, under, size):
    """The interval of the ratio in each group of so many processes; what is left over is not used."""
    both = [process for process in over if process in under]
    groups = (both[first:first + size] for first in range(0, len(both) - size + 1, size))
    return [intervals.ratio({one: over[one] for one in group}, under).ends for group in groups]


def held_at_random(over, under, size):
    """The part of the intervals that hold 1, of the same processes in groups at random."""
    logs = numpy.array([math.log(over[process] / under[process]) for process in over if process in under])
    generator, used = numpy.random.default_rng(0), len(logs) // size * size
    groups = numpy.array([generator.permutation(logs)[:used] for _ in range(DRAWS)]).reshape(-1, size)
    half = intervals.student(size - 1) * groups.std(axis=1, ddof=1) / math.sqrt(size)
    return float(numpy.mean(numpy.abs(groups.mean(axis=1)) <= half))


def cells_of(ends, one_code, random):
    held = sum(low <= 1 <= high for low, high in ends)
    width = statistics.median(high - low for low, high in ends)
    return [Cell(str(len(ends)), len(ends)),
            Cell(f"{held} ({number(100 * held / len(ends), None, 3)} %)" if one_code else "", held / len(ends)),
            Cell(f"{number(100 * random, None, 3)} %" if one_code else "", random),
            Cell(number(100 * width, None, 2) + " %", width)]


def tables_of(study, size):
    """The table of pairs; of pairs of one code, where there are some, that over rungs and sizes and that over sizes."""
    found = [(words, row, one_code, intervals_of(over, under, size), held_at_random(over, under, size))
             for words, row, one_code, over, under in pairs_of(study) if len(over.keys() & under.keys()) >= size]
    found = sorted(found, key=lambda one: (one[0], problem_text(one[1], sized=False), one[1]["n"]))
    if not found:
        raise Failure(f"no pair was measured right in {size} processes")
    yield Table("", "", ["pair", "problem", "n", *HEADS], [
        [Cell(words), Cell(problem_text(row, sized=False)), Cell(elements(row["n"])), *cells_of(ends, one_code, random)]
        for words, row, one_code, ends, random in found], sides="llrrrrr")
    same = [(row["rung"].removeprefix(ALIAS), row["n"], ends, random) for _, row, one_code, ends, random in found if one_code]
    for heads, of in ((["rung", "n"], lambda one: one[:2]), (["n"], lambda one: one[1:2])):
        if same:
            yield Table("", "", [*heads, *HEADS], [
                [*(Cell(elements(part) if isinstance(part, int) else part) for part in names),
                 *cells_of([one for *_, ends, _ in some for one in ends], True, statistics.mean(random for *_, random in some))]
                for names, some in ((names, list(some)) for names, some in itertools.groupby(sorted(same, key=of), key=of))],
                sides="l" * (len(heads) - 1) + "rrrrr")


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", metavar="RECORDS")
    parser.add_argument("--of", type=int, default=5, help="processes per group (5)")
    arguments = parser.parse_args(words)
    if arguments.of < 2:
        parser.error(f"--of={arguments.of}: an interval is of two processes or more")
    study = records.read(arguments.records, samples=False)
    for problem in study.problems:
        print(f"calibrate: {problem}", file=sys.stderr)
    print("\n".join(table.grid() for table in tables_of(study, arguments.of)), end="")
    return 0


if __name__ == "__main__":
    shared.ended(main)
