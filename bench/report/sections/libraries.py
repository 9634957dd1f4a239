"""Beside the libraries: the best own rung of each backend against every library, on one problem and device.

A library that blocks has host scope only, so it stands beside nothing but host scope.
"""

import dataclasses

from .. import cells
from ..comparable import PROBLEM
from ..drawing import INK, finish, legend_below, new, over_elements, plain_numbers, style_of
from ..parts import Cell, Section, Table, name_of
from ..text import elements, listed, problem_text

CLASS = ["device", "type", "op", "data", "cache", "scope"]  # what a table is of; its rows differ in elements


@dataclasses.dataclass
class Run:
    """What a run has of one problem: the fastest row of each library, (backend, rung), and of each backend's own rungs."""

    name: str
    libraries: dict = dataclasses.field(default_factory=dict)
    best: dict = dataclasses.field(default_factory=dict)
    rungs: set = dataclasses.field(default_factory=set)
    taken: int = 0

    def weight(self):
        return len(self.best), len(self.rungs), self.taken, self.name


def runs_of(rows):
    """The runs that measured a problem, those first that say most of it: the most backends, then rungs, then samples."""
    runs = {}
    for row in rows.sort_values("median", kind="stable").to_dict("records"):
        run = runs.setdefault(row["run"], Run(row["run"]))
        run.taken += row["count"]
        if row["sort"] == "library":
            run.libraries.setdefault((row["backend"], row["rung"]), row)
        else:
            run.best.setdefault(row["backend"], row)
            run.rungs.add((row["backend"], row["rung"]))
    return sorted(runs.values(), key=Run.weight, reverse=True)


def pair_of(runs, library, backend):
    """(the library's row, the best own row of the backend), of one run where one has both; nothing without one of them."""
    for run in runs:
        if library in run.libraries and backend in run.best:
            return run.libraries[library], run.best[backend]
    beside = next((run.libraries[library] for run in runs if library in run.libraries), None)
    best = next((run.best[backend] for run in runs if backend in run.best), None)
    return None if beside is None or best is None else (beside, best)


def classes(view):
    """{class: {n: runs}} of all problems that have a library and an own rung. Of several with the same n, which differ in
    machine, seed or eviction, the one that most runs' backends have."""
    rows = view.right[view.right["sort"] != "variant"]
    found = {}
    for _, group in rows.groupby(PROBLEM, dropna=False, sort=False):
        kinds = set(group["sort"])
        if len(kinds) < 2:
            continue
        first, runs = group.iloc[0], runs_of(group)
        by_n = found.setdefault(tuple(first[name] for name in CLASS), {})
        if first["n"] not in by_n or runs[0].weight() > by_n[first["n"]][0].weight():
            by_n[first["n"]] = runs
    return found


def class_text(by_n):
    run = next(iter(by_n.values()))[0]
    return problem_text(next(iter([*run.best.values(), *run.libraries.values()])), sized=False)


def short(library):
    backend, rung = library
    return f"{rung.removeprefix('library_')} ({backend})"


def table_of(kind, by_n):
    backends = list(dict.fromkeys(backend for runs in by_n.values() for run in runs for backend in sorted(run.best)))
    lines, separate = [], False
    for n in sorted(by_n, reverse=True):
        runs = by_n[n]
        for library in sorted({library for run in runs for library in run.libraries}):
            row = next(run.libraries[library] for run in runs if library in run.libraries)
            found = [pair_of(runs, library, backend) for backend in backends]
            separate |= any(pair and pair[0]["run"] != pair[1]["run"] for pair in found)
            held = [cells.coloured(*pair, f" {pair[1]['rung']}") if pair else Cell("") for pair in found]
            lines.append([cells.sized(n), Cell(short(library), short(library), (row["where"],)), *held, cells.time(row),
                          cells.gbs(row)])
    note = ("The library's time by that of the backend's best rung: above 1 the rung is faster. Both of one process where one "
            "has both; the library's own time is of the process that measured most.")
    if separate:
        note += cells.APART
    return Table(name_of("libraries", *kind), f"Beside the libraries on {kind[0]}: {class_text(by_n)}",
                 ["n", "library", *backends, "its time", "its GB/s"], lines, note)


def over_sizes(kind, by_n):
    """The best rung of each backend beside the best library of the same run, over N; nothing where no run has both."""
    points = {}
    for n in sorted(by_n):
        for run in by_n[n]:
            for backend, row in run.best.items():
                if run.libraries and n not in points.get(backend, {}):
                    points.setdefault(backend, {})[n] = min(run.libraries.values(), key=lambda one: one["median"]), row
    if not points:
        return None
    figure, axes = new(3.2)
    axes.axhline(1, color=INK, linewidth=1)
    lines, told, values = [], [], []
    for backend, by in points.items():
        colour, mark = style_of(backend)
        ratios = {n: library["median"] / row["median"] for n, (library, row) in by.items()}
        values += ratios.values()
        axes.plot(list(ratios), list(ratios.values()), color=colour, marker=mark, label=backend)
        said = [f"{cells.ratio_text(*by[n])} at {elements(n)}"
                for n in (max(ratios), min(ratios, key=ratios.get), max(ratios, key=ratios.get))]
        told.append(f"{backend}: {said[0]}" + (f", from {said[1]} to {said[2]}." if len(ratios) > 1 else "."))
        lines += [[Cell(backend, backend), cells.sized(n), Cell(row["name"], row["name"], cells.trace_of(row)),
                   Cell(short((library["backend"], library["rung"])), None, cells.trace_of(library)), cells.ratio(library, row)]
                  for n, (library, row) in by.items()]
    over_elements(axes)
    if max(values) > 4 or min(values) < 0.25:
        axes.set_yscale("log")
        plain_numbers(axes.yaxis)
    else:
        axes.set_ylim(min(0.8, *values) - 0.03, max(1.1, *values) + 0.03)
    axes.grid(axis="y")
    axes.set_ylabel("library's time / best rung's time")
    legend_below(figure, axes)
    identifier = name_of("beside-libraries", *kind)
    title = f"Best rung beside the best library on {kind[0]}: {class_text(by_n)}"
    words = f"{title}. Above 1 the rung is faster. {' '.join(told)}"
    table = Table(identifier, title, ["backend", "n", "best rung", "best library", "library's time by the rung's"], lines,
                  "Each pair is of one process.")
    return finish(figure, table, words)


def section(view):
    """Of each device first the tables of what speaks for it; the first one open."""
    found = classes(view)
    tables, figures = [], []
    for device in view.devices:
        headline, scope = view.headlines[device], view.scopes[device]
        speaks = (headline.iloc[0]["type"], headline.iloc[0]["op"]) if len(headline) else None
        kinds = sorted((kind for kind in found if kind[0] == device), key=lambda kind: (
            kind[4] != "cold", kind[5] != scope, kind[3] != "exact", kind[1:3] != speaks, -len(found[kind]), kind))
        for place, kind in enumerate(kinds):
            tables.append(table_of(kind, found[kind]))
            tables[-1].folded = place > 0
        figures += [figure for figure in (over_sizes(kind, found[kind]) for kind in kinds[:1]) if figure]
    if not tables:
        return None
    names = listed(dict.fromkeys(kind[0] for kind in found))
    return Section("libraries", "Beside the libraries",
                   f"The best own rung of each backend against what a vendor or a framework brings, on {names}: above 1 the "
                   f"rung is faster. {cells.COLOURED} A library that blocks is compared in host scope only.",
                   tables, figures)
