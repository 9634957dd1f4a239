"""What the page shows of performance portability besides the table of Φ: its cascade, and what a compiler made for GPUs
that nothing was run on."""

from ..cells import trace_of
from ..charts import colour_of_backend, styles
from ..parts import Cell, Table
from ..text import percent
from . import phi
from .glance import name_of_model

STATIC = ["vgprs", "sgprs", "lds_static_bytes", "lds_dynamic_bytes", "spills", "waves", "instructions"]


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
    return "var(--ink)" if model == "native" else colour_of_backend(next(iter(by.values()))["row"]["backend"])


def charts_of(view, found, spaces, place):
    """{name: a chart as front/charts.js takes it}. `place`: makes the text that says where a number comes from."""
    marks = styles()

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
    return charts


def of(view, place):
    """(tables, charts) for the page."""
    problem, found, spaces = phi.reached(view.standing[view.standing["sort"] == "rung"])
    known = problem is not None and len(spaces) > 1
    tables = [phi.table_of(problem, found, spaces, view.label) if known else None, static_table(view.study.others["static"])]
    return [table for table in tables if table], charts_of(view, found, spaces, place) if known else {}
