"""Energy of each rung: joules per 10^9 bytes of input, from the rounds of `ladder --energy`.

Energy has its own, complete records, independent of measurements of time.
"""

import pandas

from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows, fullest_run
from ..text import bytes_text, elements, number, seconds

PROBLEM = ["device", "space", "words", "type", "op", "n", "bytes", "data"]
RUNG = ["backend", "name", "tuning"]


def shown(rounds, values, least=0):
    """Median of the rounds, with the digits that the rounds and the counter's steps warrant; empty if no round is right."""
    middle = values.median()
    doubt = max((values.max() - values.min()) / 2 / middle, least)
    return Cell(number(middle, doubt), middle, tuple(rounds["where"])) if len(rounds) else Cell("")


def line_of(rung, rounds):
    right, wrong = rounds[rounds["ok"]], rounds[~rounds["ok"]]
    steps = right["uncertainty"].max()
    error = f": {wrong['error'].iloc[0] or 'failed'}" if len(wrong) else ""
    return dict(zip(("backend", "rung", "tuning"), rung, strict=True)) | {
        "J/GB": shown(right, right["joules_per_gb"], steps),
        "above idle": shown(right, (right["watts"] - right["idle_watts"]) / right["gbs"], steps),
        "W": shown(right, right["watts"], steps), "GB/s": shown(right, right["gbs"]),
        "rounds right": Cell(f"{len(right)} of {len(rounds)}{error}", len(right), tuple(rounds["where"]),
                             "wrong" if error else "")}


def table_of(records):
    """Table from the run with the most rungs for a problem on a device, then the latest."""
    some = fullest_run(records, "id")
    first, idle = as_rows(some.head(1))[0], some["idle_watts"]
    lines = [line_of(rung, rounds) for rung, rounds in some.groupby(RUNG, sort=False)]
    lines.sort(key=lambda line: (line["J/GB"].value is None, line["J/GB"].value or 0))
    data = "" if first["data"] == "exact" else f", {first['data']} data"
    note = (f"Counted by {first['source']}. The counter changes every {seconds(first['step_seconds'], 0.01)}; the idle device "
            f"takes {shown(some, idle, 0.001).text} W. J/GB: joules for 10⁹ bytes of input, the median of the rounds, with the "
            "digits that the rounds and the counter's steps leave; `above idle` is without what the idle device takes.")
    return Table(name_of("energy", first["device"], first["type"], first["op"], first["n"], data and first["data"]),
                 f"Energy on {first['device']}: {first['words']} {first['op']}, n = {elements(first['n'])} "
                 f"({bytes_text(first['bytes'])}), back to back{data}", lines, note)


def tables_of(study):
    records = pandas.DataFrame(study.others["energy"])
    return [table_of(some) for _, some in records.groupby(PROBLEM, sort=False)] if len(records) else []


def section(view):
    return section_of("energy", "Energy",
                      "Each rung ran back to back for some seconds, in several rounds, apart from all timing. The device's own "
                      "counter is of a GPU's whole board, or of the processors' packages.",
                      tables_of(view.study))
