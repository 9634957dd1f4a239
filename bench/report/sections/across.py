"""What the page shows of performance portability besides the table of Φ: the code that each application takes, the navigation
chart of Φ over convergence, the cascade; and the same as files that p3-analysis and the Code Base Investigator read."""

import csv
import json

from .. import convergence, drawing
from ..cells import trace_of
from ..parts import Cell, Table, name_of
from ..text import elements, missing, number, percent
from . import phi
from .glance import name_of_model

KINDS = {"nvidia": "NVIDIA GPU", "amd": "AMD GPU", "host": "CPU"}
COLUMNS = ["problem", "application", "platform", "fom", "app eff", "arch eff", "date", "coverage_key"]
STATIC = ["vgprs", "sgprs", "lds_static_bytes", "lds_dynamic_bytes", "spills", "waves", "instructions"]


def code_table():
    """Lines of code on each kind of platform, and how far they differ; nothing where the sources are not here."""
    lines = []
    for application, words in phi.WORDS.items():
        counts = [len(convergence.lines_of(application, kind)) if convergence.supported(application, kind) else None
                  for kind in KINDS]
        if not any(counts):
            continue
        every = set().union(*(convergence.lines_of(application, kind) for kind in KINDS
                              if convergence.supported(application, kind)))
        apart = convergence.divergence(application, list(KINDS))
        lines.append([Cell(words), *(Cell("does not run there" if count is None else str(count)) for count in counts),
                      Cell(str(len(every))), Cell("one kind of platform" if apart is None else number(apart, None, 2))])
    return Table("code", "The code that each application takes", ["application", *(f"lines on {kind}" for kind in KINDS.values()),
                                                                "lines in all", "code divergence"], lines,
                 "Lines of code of the rungs and what they are written in, as the preprocessor leaves them on each kind of "
                 "platform; library rungs and the shared harness are not counted. Divergence: the mean over pairs of kinds of "
                 "what two do not share of their lines (Jaccard distance); 0: one source for all, 1: nothing in common."
                 ) if lines else None


def static_table(records):
    """What a compiler made of each rung for GPUs that nothing was run on; nothing where there are no such records."""
    lines = [[Cell(record["rung"]), Cell(record["backend"]), Cell(record["architecture"]),
              *(Cell(str(value), value, (record["where"],)) if isinstance(value, int) else Cell("")
                for value in (record["facts"].get(name) for name in STATIC))]
             for record in sorted(records, key=lambda one: (one["architecture"], one["rung"], one["backend"]))]
    heads = [
        "rung", "backend", "architecture", "VGPRs", "SGPRs", "static LDS, bytes", "dynamic LDS, bytes", "spills",
        "waves per SIMD", "instructions"]
    return Table("static", "Compiled for AMD, never run: what is in the machine code", heads, lines,
                 "None of these was measured, and none says how fast anything is.") if lines else None


def short(label):
    """The last word of a platform's name: NVIDIA H200, H200."""
    return label.partition(",")[0].split()[-1]


def colour(model, by):
    return "var(--ink)" if model == "native" else drawing.style_of(next(iter(by.values()))["row"]["backend"])["color"]


def charts_of(view, found, spaces, place):
    """{name: a chart as front/charts.js takes it}. `place`: makes the text that says where a number comes from."""
    marks = drawing.styles()

    def mark(model, by):
        return "cross" if model == "native" else marks.get(next(iter(by.values()))["row"]["backend"], marks[""])["mark"]

    charts = {}
    for kind, words in phi.KINDS.items():
        lines, strip = [], []
        for shift, (model, by) in enumerate(found.items()):
            words_of = name_of_model(model)
            down, own = phi.down_of(by, model, spaces, kind), {"color": colour(model, by), "mark": mark(model, by)}
            points = [[{"x": at + 0.03 * shift, "y": 100 * value.value, "text": f"{said} {percent(*value[:2])} %",
                        "from": place(trace_of(by[platform]["row"])) if platform in by else None}
                       for value, said in ((part, view.label(platform)), (so_far, f"Φ of the best {at}:"))]
                      for at, (platform, part, so_far) in enumerate(down, 1)]
            if points:
                strip.append([words_of, own["color"], [short(view.label(platform)) + (
                    f" {percent(*part[:2])} %" if part.value else ": does not run") for platform, part, _ in down]])
                lines += [{"name": words_of, "points": [one[0] for one in points], **own},
                          {"name": f"{words_of}: Φ so far", "points": [one[1] for one in points], "dash": "2 3", **own}]
        charts[f"cascade-{kind}"] = {
            "id": f"cascade-{kind}", "title": f"Cascade: efficiency {words}, from each application's best platform to its worst",
            "x": {"label": "platforms, best first", "low": 0.8, "high": len(spaces) + 0.4,
                  "ticks": list(range(1, len(spaces) + 1))},
            "y": {"label": f"% {words}", "low": 0, "high": 108}, "lines": lines, "strip": strip}
    kinds = [convergence.kind_of(space) for space in spaces.values()]
    lines = []
    for model, by in found.items():
        apart = convergence.divergence(model, kinds)
        whole = phi.phi(phi.on_all(model, by, spaces, "application"))
        if apart is None or missing(whole.value) or not all(phi.supported(model, space) for space in spaces.values()):
            continue
        ends = [100 * end for end in whole.estimate.ends] if whole.estimate else [None, None]
        lines.append({"name": name_of_model(model), "color": colour(model, by), "mark": mark(model, by), "points": [{
            "x": 1 - apart, "y": 100 * whole.value, "low": ends[0], "high": ends[1], "label": name_of_model(model),
            "text": f"Φ {phi.shown(whole)} at convergence {number(1 - apart, None, 2)}",
            "from": place(trace_of(*(one["row"] for one in by.values())))}]})
    if lines:
        charts["navigation"] = {
            "id": "navigation", "title": "Navigation chart: performance portability over code convergence",
            "x": {"label": "code convergence: 1 is one source for all platforms", "low": -0.05, "high": 1.1,
                  "ticks": [0, 0.25, 0.5, 0.75, 1]},
            "y": {"label": "Φ, % of the best on each platform", "low": 0, "high": 108}, "lines": lines,
            "note": "Top right is best: fast on all platforms from one source. Applications that do not run on all of them are "
                    "left out: their Φ is 0."}
    return charts


def of(view, place):
    """(tables, charts) for the page."""
    problem, found, spaces = phi.reached(view.standing[view.standing["sort"] == "rung"])
    tables = [code_table(), static_table(view.study.others["static"])]
    known = problem is not None and len(spaces) > 1
    return ([phi.table_of(problem, found, spaces, view.label)] if known else []) + [table for table in tables if table], (
        charts_of(view, found, spaces, place) if known else {})


def write(view, folder):
    """Writes performance.csv and coverage.csv as p3-analysis reads them, and a coverage file of each application and platform as
    the Code Base Investigator writes it. Nothing where no problem was measured on all platforms."""
    problem, found, spaces = phi.reached(view.standing[view.standing["sort"] == "rung"])
    if problem is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("coverage-*.json"):  # of an earlier report
        path.unlink()
    keys, name = {}, f"{problem['type']} {problem['op']} {elements(problem['n'])} {problem['cache']}"
    with open(folder / "performance.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        for model, by in found.items():
            for platform, one in by.items():
                kind = convergence.kind_of(spaces[platform])
                key = name_of(model, kind)
                keys[key] = convergence.coverage(model, kind)
                out.writerow([name, model, view.label(platform), one["row"]["gbs"], one["application"].value,
                              "" if missing(one["architectural"].value) else one["architectural"].value,
                              view.study.runs[one["row"]["run"]].get("date") or "", key])
    with open(folder / "coverage.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["coverage_key", "coverage"])
        for key, files in keys.items():
            out.writerow([key, json.dumps(files)])
            (folder / f"coverage-{key}.json").write_text(json.dumps(files, indent=1), encoding="utf-8")
