"""Table cells of measurements, with significant digits and the records' lines they come from.

A row is a measurement, as a dictionary or as a line of a table; two compared measurements are a pair (pairs.py)."""

import math

from . import intervals
from .pairs import ratio as quotient
from .parts import Cell
from .text import listed, missing, number, percent, rounded, seconds

LITTLE = 0.9  # below this fraction of another's speed it is low
OVER = 1.01  # fraction of the ceiling; above it no percentage is shown, as in bench/output/tables.cpp
WEAK = "sweep too weak"
NOTE_ABOVE = f" {WEAK}: no read-only sweep of that process was as fast, or the input was in cache."
ONE = "ne process: how far the next would differ is not known; `--processes=5` tells."


def trace_of(*rows):
    """Source lines of these rows' times."""
    return tuple(dict.fromkeys(place for row in rows for place in row["summary_where"]))


def of_processes(*counts):
    """Note text about the number of processes. `counts`: columns of process counts."""
    known = sorted({int(one) for column in counts for one in column if one > 0})
    if known == [1]:
        return " O" + ONE
    few = " Where it is of o" + ONE if 1 in known else ""
    return f" n = {listed(map(str, known), 'or')} processes; ± and the digits follow from their 95 % confidence interval.{few}"


def cubs(rows):
    """CUB versions of these rows, with their rungs if several; empty if none."""
    found = {}
    for row in rows:
        if row["cub"]:
            found.setdefault(row["cub"], {})[row["rung"]] = None
    if len(found) < 2:
        return "".join(f"CUB {version}" for version in found)
    ordered = sorted(found.items(), key=lambda one: min(one[1]))
    return "CUB " + listed(f"{version} ({', '.join(rungs)})" for version, rungs in ordered)


def note_of_cubs(rows):
    """The CUB versions as a sentence for a table's note."""
    found = cubs(rows)
    return f" {found}." if found else ""


def named(row):
    return Cell(row["name"], row["name"], (row["where"],))


def called(row):
    """The rung's name, for CUB's rungs with CUB's version."""
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
    """Bandwidth of the row's read-only sweep, as text."""
    return number(row["ceiling_gbs"], row["ceiling_uncertainty"])


def spread(row):
    """5th to 95th percentile relative to the time; two digits, as an uncertainty."""
    value = (row["p95"] - row["p5"]) / row["time"]
    return Cell("") if missing(value) else Cell(number(100 * value, None, 2) + " %", value, trace_of(row))


def ratio(slow, fast, after=""):
    """time(slow) / time(fast), i.e. the speed of `fast` relative to `slow`; marked if from separate processes."""
    state = "" if slow["run"] == fast["run"] else "separate"
    value, doubt, _ = quotient(slow, fast)
    return Cell(number(value, doubt, 3) + after + mark(state), value, trace_of(slow, fast), state)


def part_of(fast, slow, after=""):
    """Speed of `slow` relative to `fast`, to thousandths with its interval; two digits without an interval."""
    found, state = intervals.ratio(fast["by_process"], slow["by_process"]), "" if slow["run"] == fast["run"] else "separate"
    value = found.value if found else fast["time"] / slow["time"]
    text = number(value, None, 2)
    if found:
        reach = max(0.001, value - found.ends[0], found.ends[1] - value)
        place = -3 if reach < 0.0095 else -2
        text = f"{rounded(value, place)} ± {rounded(math.ceil(reach * 10 ** -place - 1e-6) / 10 ** -place, place)}"
    return Cell(text + after + mark(state), value, trace_of(fast, slow), state)


def speedup_text(slow, fast):
    return number(*quotient(slow, fast)[:2], 3) + "×"


def speedup(slow, fast, after=""):
    return ratio(slow, fast, f"×{after}")


def between(row):
    """Half of the 95 % interval between processes, relative to the time, and their number; empty for one process."""
    if row["processes"] < 2:
        return Cell("")
    return Cell(f"{number(100 * row['uncertainty'], None, 2)} % ({row['processes']:.0f})", row["uncertainty"], trace_of(row))


def apart(table):
    """Note text for a table with ratios of separate processes."""
    some = any("separate" in cell.state for row in table.rows for cell in row.values())
    return " * from separate processes: clocks and neighbours may have differed." if some else ""


def mark(state):
    return " *" if "separate" in state else ""


def checked(row):
    """Number of right samples, or what is wrong with the measurement."""
    if row["status"] == "right":
        return Cell(f"{row['count']:.0f} of {row['count']:.0f}", row["count"], trace_of(row))
    said = row["status"]
    if said == "wrong":
        said += f" in {row['wrong']:.0f} of {row['count'] + row['wrong']:.0f}"
    elif said == "failed" and isinstance(row["error"], str) and row["error"]:
        said += f": {row['error']}"
    return Cell(said, None, (row["where"], *trace_of(row)), "wrong")
