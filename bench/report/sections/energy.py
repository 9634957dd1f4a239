"""What a rung takes in energy: joules for 10^9 bytes of input, of the rounds that `ladder --energy` measured.

Energy belongs to no measurement of the time: it has records of its own, which say all that they are of.
"""

import statistics

from ..parts import Cell, Table, name_of, section_of
from ..text import bytes_text, elements, number, seconds

PROBLEM = ["device", "space", "words", "type", "op", "n", "bytes", "data"]
RUNG = ["backend", "name", "tuning"]


def over(rounds, value):
    """(median, half of the range as a part of it)"""
    values = [value(one) for one in rounds]
    middle = statistics.median(values)
    return middle, (max(values) - min(values)) / 2 / middle if middle else 0


def above_idle(one):
    return (one["watts"] - one["idle_watts"]) / one["gbs"]


def shown(rounds, value, least=0):
    """A median with the digits that the rounds, and the counter's steps, leave it."""
    middle, half = over(rounds, value)
    return Cell(number(middle, max(half, least)), middle, trace_of(rounds))


def trace_of(rounds):
    return tuple(one["where"] for one in rounds)


def line_of(rounds):
    first, right = rounds[0], [one for one in rounds if one["ok"]]
    line = [Cell(first["backend"], first["backend"]), Cell(first["name"], first["name"]), Cell(first["tuning"])]
    if right:
        least = max(one["uncertainty"] for one in right)
        half = over(right, lambda one: one["joules_per_gb"])[1]
        line += [shown(right, lambda one: one["joules_per_gb"], least), Cell(f"{number(200 * half, None, 2)} %", 2 * half),
                 Cell(f"{number(100 * least, None, 2)} %", least), shown(right, above_idle, least),
                 shown(right, lambda one: one["watts"], least), shown(right, lambda one: one["gbs"])]
    else:
        line += [Cell("")] * 6
    wrong = next((str(one.get("error") or "failed") for one in rounds if not one["ok"]), "")
    text = f"{len(right)} of {len(rounds)}" + (f": {wrong}" if wrong else "")
    return [*line, Cell(text, len(right), trace_of(rounds), "wrong" if wrong else "")]


def grouped(records, names):
    found = {}
    for one in records:
        found.setdefault(tuple(one[name] for name in names), []).append(one)
    return found


def speaking(records):
    """Of the runs that measured a problem on a device the one with the most rungs, of several the latest."""
    runs = grouped(records, ["run"])
    return max(runs.values(), key=lambda some: (len(grouped(some, RUNG)), some[0]["run"]))


def table_of(records, label):
    some = speaking(records)
    first, lines = some[0], [line_of(rounds) for rounds in grouped(some, RUNG).values()]
    lines.sort(key=lambda line: (line[3].value is None, line[3].value or 0))
    idle, half = over(some, lambda one: one["idle_watts"])
    data = "" if first["data"] == "exact" else f", {first['data']} data"
    note = (f"Counted by {first['source']}. The counter changes every {seconds(first['step_seconds'], 0.01)}; the idle device "
            f"takes {number(idle, max(half, 0.001))} W. J/GB: joules for 10⁹ bytes of input, the median of the rounds; `spread` "
            "is from the least to the most of them, `steps` what the counter's steps leave open at most, `above idle` is "
            "without what the idle device takes.")
    return Table(name_of("energy", first["device"], first["type"], first["op"], first["n"], data and first["data"]),
                 f"Energy on {label(first['device'])}: {first['words']} {first['op']}, n = {elements(first['n'])} "
                 f"({bytes_text(first['bytes'])}), back to back{data}",
                 ["backend", "rung", "tuning", "J/GB", "spread", "steps", "above idle", "W", "GB/s", "rounds right"], lines, note,
                 sides="lllrrrrrrl")


def tables_of(study, label=str):
    return [table_of(records, label) for records in grouped(study.others["energy"], PROBLEM).values()]


def of_study(study, label=str):
    return section_of("energy", "Energy",
                      "Each rung ran back to back for some seconds in each of several rounds, apart from all timing, while the "
                      "device's own counter was read. What is counted is the whole board of a GPU, or the processors' packages.",
                      tables_of(study, label))


def section(view):
    return of_study(view.study, view.label)
