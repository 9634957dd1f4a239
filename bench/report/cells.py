"""Numbers of measurements as cells: each with the digits that it warrants and the lines of the records that it comes from.

A row is a measurement, as a dictionary or as a line of a table; two measurements side by side are a pair (pairs.py)."""

import math

from . import intervals
from .pairs import ratio as quotient
from .parts import Cell
from .text import listed, missing, number, percent, rounded, seconds

LITTLE = 0.9  # of another's speed: under it, it is low
OVER = 1.01  # of the ceiling: beyond it no share is told, as in the program's own table (bench/output/tables.cpp)
WEAK = "sweep too weak"
NOTE_ABOVE = f" {WEAK}: no read-only sweep of that process was as fast, or the input was in cache."
ONE = "ne process: how far the next would differ is not known; `--processes=5` tells."


def trace_of(*rows):
    """The lines that these rows' times come from."""
    return tuple(dict.fromkeys(place for row in rows for place in row["summary_where"]))


def of_processes(*counts):
    """What a table's note says of the processes behind its numbers. `counts`: columns of how many."""
    known = sorted({int(one) for column in counts for one in column if one > 0})
    if known == [1]:
        return " O" + ONE
    few = " Where it is of o" + ONE if 1 in known else ""
    return f" n = {listed(map(str, known), 'or')} processes; ± and the digits follow from their 95 % confidence interval.{few}"


def cubs(rows):
    """The versions of CUB among these rows, of several with the rungs that each is of; empty where there is none."""
    found = {}
    for row in rows:
        if row["cub"]:
            found.setdefault(row["cub"], {})[row["rung"]] = None
    if len(found) < 2:
        return "".join(f"CUB {version}" for version in found)
    ordered = sorted(found.items(), key=lambda one: min(one[1]))
    return "CUB " + listed(f"{version} ({', '.join(rungs)})" for version, rungs in ordered)


def note_of_cubs(rows):
    """The same as a sentence of a table's note."""
    found = cubs(rows)
    return f" {found}." if found else ""


def named(row):
    return Cell(row["name"], row["name"], (row["where"],))


def called(row):
    """The same with CUB's version, where the rung is CUB's."""
    return Cell(f"{row['name']}, CUB {row['cub']}" if row["cub"] else row["name"], row["name"], (row["where"],))


def time(row, state=""):
    return Cell(seconds(row["time"], row["uncertainty"]) + mark(state), row["time"], trace_of(row), state)


def microseconds(row, state="", most=4):
    return Cell(number(1e6 * row["time"], row["uncertainty"], most), row["time"], trace_of(row), state)


def gbs(row, state="", most=4, after=""):
    return Cell(number(row["gbs"], row["uncertainty"], most) + after, row["gbs"], trace_of(row), state)


def of_peak(row):
    text = "in cache" if (row["of_peak"] or 0) > 1 else percent(row["of_peak"], row["uncertainty"]) or "unknown"
    return Cell(text, row["of_peak"], trace_of(row))


def of_ceiling(row, state="", unknown="", after=""):
    if missing(row["of_ceiling"]):
        return Cell(unknown, row["of_ceiling"], (), state)
    text = WEAK if row["of_ceiling"] > OVER else percent(row["of_ceiling"], row["of_ceiling_uncertainty"]) + after
    return Cell(text, row["of_ceiling"], (*trace_of(row), *row["ceiling_where"]), state)


def ceiling_gbs(row):
    """The bandwidth of the read-only sweep that a row stands below, as text."""
    return number(row["ceiling_gbs"], row["ceiling_uncertainty"])


def spread(row):
    """From the 5th to the 95th percentile, as a part of the time: in two digits, since it says how sure others are."""
    value = (row["p95"] - row["p5"]) / row["time"]
    return Cell(number(100 * value, None, 2) + " %", value, trace_of(row))


def ratio(slow, fast, after=""):
    """The first's time by the second's, which is the second's speed as a part of the first's; marked where they are of two
    processes."""
    state = "" if slow["run"] == fast["run"] else "separate"
    value, doubt = quotient(slow, fast)
    return Cell(number(value, doubt, 3) + after + mark(state), value, trace_of(slow, fast), state)


def part_of(fast, slow, after=""):
    """The second's speed as a part of the first's, in thousandths with how far its interval reaches; two digits where there is
    none."""
    found, state = intervals.ratio(fast["by_process"], slow["by_process"]), "" if slow["run"] == fast["run"] else "separate"
    value = found.value if found else fast["time"] / slow["time"]
    text = number(value, None, 2)
    if found:
        reach = max(0.001, value - found.ends[0], found.ends[1] - value)
        place = -3 if reach < 0.0095 else -2
        text = f"{rounded(value, place)} ± {rounded(math.ceil(reach * 10 ** -place - 1e-6) / 10 ** -place, place)}"
    return Cell(text + after + mark(state), value, trace_of(fast, slow), state)


def speedup_text(slow, fast):
    return number(*quotient(slow, fast), 3) + "×"


def speedup(slow, fast, after=""):
    return ratio(slow, fast, f"×{after}")


def between(row):
    """Half of the 95 % interval between processes, as a part of the time, and their number; nothing where there is one."""
    if row["processes"] < 2:
        return Cell("")
    return Cell(f"{number(100 * row['uncertainty'], None, 2)} % ({row['processes']:.0f})", row["uncertainty"], trace_of(row))


def apart(lines):
    """What a table's note says where a ratio in it is of two processes."""
    some = any("separate" in cell.state for line in lines for cell in line)
    return " * from separate processes: clocks and neighbours may have differed." if some else ""


def mark(state):
    return " *" if "separate" in state else ""


def checked(row):
    """How many of the samples were right, or what is wrong with the measurement."""
    if row["status"] == "right":
        return Cell(f"{row['count']:.0f} of {row['count']:.0f}", row["count"], trace_of(row))
    said = row["status"]
    if said == "wrong":
        said += f" in {row['wrong']:.0f} of {row['count'] + row['wrong']:.0f}"
    elif said == "failed" and isinstance(row["error"], str) and row["error"]:
        said += f": {row['error']}"
    return Cell(said, None, (row["where"], *trace_of(row)), "wrong")
