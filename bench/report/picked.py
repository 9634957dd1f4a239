"""What the page's picker shows, and its tables, as one JSON object: page.html embeds it, the scripts in front/ draw from it.

Texts are made here, by the one rule for digits; the scripts only place them. A cell is its text alone, or [text, value, places,
state], where `places` counts in the table's list of the lines that numbers come from."""

import base64
import csv
import gzip
import json
import math
import operator
import pathlib

import numpy

from . import charts, sources
from .cells import OVER, ratio_text
from .pairs import ASKED, PROBLEM, beside, doubt_of, fastest, pairs, ratio, side
from .sections import evidence
from .study import as_rows
from .text import elements, interval_text, missing, number
from .view import ALIKE, native_of

PREDICTIONS = pathlib.Path(__file__).parents[2] / "docs" / "predictions.csv"
QUANTILES = 11  # of the samples of a process: the least, every tenth part, the largest
FINE = 2000  # steps that the least has, in which those above it are told


def plain(value):
    """A value as JSON has it; nothing where it is no number."""
    if isinstance(value, (str, bool)) or value is None:
        return value
    if isinstance(value, (int, numpy.integer)):
        return int(value)
    value = float(value)
    return float(f"{value:.6g}") if math.isfinite(value) else None


def encoded(table, short):
    """A table, its note and its cells, each place once."""
    places = {}

    def cell(one):
        value = plain(one.value) if isinstance(one.value, (int, float, numpy.number)) else None
        if value is None and not one.trace and not one.state:
            return one.text
        return [one.text, value, places.setdefault(short(one.trace), len(places)) if one.trace else -1, one.state]

    rows = [[cell(one) for one in row] for row in table.rows]
    return {"id": table.id, "title": table.title, "heads": table.heads, "sides": table.sides, "note": table.note, "rows": rows,
            "places": list(places)}


def quantiles(study, row):
    """Of each process the quantiles of its samples: the least in tenths of a nanosecond, then how much each is above the last,
    in parts of the least."""
    found = []
    for process, seconds in study.apart.get((row["run"], row["id"]), {}).items():
        if process in row["by_process"]:
            ordered, last = sorted(seconds), (len(seconds) - 1) / (QUANTILES - 1)
            steps = [round(FINE * ordered[round(place * last)] / ordered[0]) for place in range(QUANTILES)]
            found.append([round(1e10 * ordered[0]), *map(operator.sub, steps[1:], steps)])
    return found


def beside_native(view):
    """{(run, id): what its speed is as a part of the native one's on the same problem: of the same rung in the same run, else in
    another; where the native model has no such rung, of its fastest in the same run, which is named}"""
    found = {}
    for device in view.devices:
        rows = view.right[(view.right["device"] == device) & (view.right["sort"] != "variant")]
        native, rungs = native_of(rows["backend"]), rows[rows["sort"] == "rung"]
        own, others = fastest(rungs[rungs["backend"] == native]), rows[rows["backend"] != native]
        for pair in as_rows(beside(others, own, ["run", *PROBLEM, "rung"], "_own")):
            found[pair["run"], pair["id"]] = part_of(side(pair, "_own"), pair)
        for pair in pairs(rungs, native, sorted(set(rungs["backend"]) - {native})).to_dict("records"):
            if not pair["interleaved"]:
                found[pair["run_other"], pair["id_other"]] = part_of(pair, side(pair, "_other"), " *")
        best = own.sort_values("time", kind="stable").drop_duplicates(["run", *PROBLEM])
        for pair in beside(others, best, ["run", *PROBLEM], "_own").to_dict("records"):
            if (pair["run"], pair["id"]) not in found:
                found[pair["run"], pair["id"]] = part_of(side(pair, "_own"), pair, f" of {pair['rung_own']}")
    return found


def part_of(slow, fast, after=""):
    """[text, value] of the second's speed as a part of the first's, and where it is known the ends of its interval and these as
    text."""
    part, doubt = ratio(slow, fast)[0], doubt_of(slow, fast)
    ends = [part * (1 - doubt), part * (1 + doubt)] if doubt else []
    return [ratio_text(slow, fast) + after, plain(part), *([*map(plain, ends), interval_text(*ends)] if ends else [])]


def point(view, row, parts, runs):
    """What is drawn of a row of a ladder."""
    study, step = view.study, row["step"] if isinstance(row["step"], dict) else {}
    low, high = (row["low"], row["high"]) if not missing(row["low"]) else (row["p5"], row["p95"])
    return {"rung": row["rung"], "sort": row["sort"], "base": step.get("versus"), "run": runs.setdefault(row["run"], len(runs)),
            "time": plain(row["time"]), "low": plain(low), "high": plain(high), "processes": int(row["processes"]),
            "gbs": plain(row["gbs"]), "ceiling": plain(row["of_ceiling"]), "part": parts.get((row["run"], row["id"])),
            "q": quantiles(study, row), "other": other_runs(view, row)}


def other_runs(view, row):
    """What other runs measured of the same, where that is more than a twentieth away: text, run."""
    same = view.alike.get(tuple(row[name] for name in ALIKE), ())
    return [[f"{number(one['gbs'], one['uncertainty'])} GB/s", one["run"]] for one in same
            if one["run"] != row["run"] and abs(math.log(one["gbs"] / row["gbs"])) > 0.05]


def told():
    """{rung: what was expected of its step before it was measured: factor, against, n, because}; empty where the file is not."""
    if not PREDICTIONS.is_file():
        return {}
    with open(PREDICTIONS, newline="", encoding="utf-8") as lines:
        return {line["rung"]: [line["factor"], line["against"], int(line["n"]), line["because"]]
                for line in csv.DictReader(lines)}


def data_of(view, sections, short):
    """The whole object."""
    titles = [{"id": section.id, "title": section.title} for section in sections]
    if view is None or view.right.empty:
        tables = [encoded(table, short) | {"section": section.id} for section in sections for table in section.tables]
        return {"tables": tables, "sections": titles, "first": [], "labels": {}, "runs": [], "styles": charts.styles(),
                "light": [], "told": {}, "sources": {"files": [], "of": {}}}
    runs, parts, tables, ladders = {}, beside_native(view), [], []
    for section in sections:
        for table in [*section.tables, *(figure.table for figure in section.figures if figure.table)]:
            one = encoded(table, short) | {"section": section.id}
            if table.about:
                one |= {"about": {name: plain(value) for name, value in table.about.items()},
                        "points": [point(view, row, parts, runs) for row in table.extra]}
                ladders.append(table)
            tables.append(one)
    abouts = [table.about for table in ladders]
    heads = [view.headlines[device].iloc[0] for device in view.devices if len(view.headlines[device])]
    first = [{name: plain(row[name]) for name in ("device", *ASKED)} for row in heads]
    rungs = {(model, row["slug"] and f"{row['rung']}_{row['slug']}", row["run"]) for row in as_rows(view.settled)
             for model in [row["backend"].partition("/")[0]] if row["sort"] == "rung" and row["run"] in runs}
    return {"tables": tables, "first": first, "sections": titles, "styles": charts.styles(), "told": told(),
            "over": OVER, "fine": FINE,
            "light": [one | {"bars": [[words, text, plain(value), short(trace)] for words, text, value, trace in one["bars"]]}
                      for one in evidence.busy(view)],
            "sources": sources.of(view.study, rungs, runs),
            "labels": {"device": {device: view.label(device) for device in view.devices},
                       "n": {str(about["n"]): elements(about["n"]) for about in abouts}},
            "runs": [{"id": run, **{name: view.study.runs[run].get(name) for name in ("commit", "date")}} for run in runs]}


def packed(data):
    """As JSON that is compressed, a fifth of its size, and is no markup, whatever a record says; front/begin.js unpacks it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
