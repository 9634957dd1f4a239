"""Beside the libraries: the best own rung of each backend against every library, on one problem and device.

A library that blocks has host scope only, so it stands beside nothing but host scope.
"""

from .. import cells
from ..pairs import PROBLEM, beside, side
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import listed, problem_text

CLASS = ["device", "type", "op", "data", "cache", "scope"]  # what a table is of; its rows differ in elements
LIBRARY = ["n", "backend", "rung"]


def beside_own(view):
    """Pairs of a library and the best own rung of each backend in each run, `_own` behind, what stands first before the others.
    Of several problems of a class with the same n, which differ in machine, seed or eviction, the first."""
    rows = view.weighed
    libraries = rows[rows["sort"] == "library"].drop_duplicates(["run", *PROBLEM, "backend", "rung"])
    own = rows[rows["sort"] == "rung"].drop_duplicates(["run", *PROBLEM, "backend"])
    found = beside(libraries, own, PROBLEM, "_own")
    return found.merge(found.drop_duplicates([*CLASS, "n"])[PROBLEM], on=PROBLEM)


def class_text(rows):
    return problem_text(rows.iloc[0], sized=False)


def short(row):
    return f"{row['rung'].removeprefix('library_')} ({row['backend']})"


def table_of(kind, rows):
    """The largest size first; of each library beside each backend the pair of one process, where one is."""
    backends, lines = sorted(rows["backend_own"].unique()), []
    together = rows.sort_values("interleaved", ascending=False, kind="stable").drop_duplicates([*LIBRARY, "backend_own"])
    first = rows.drop_duplicates(LIBRARY).sort_values(LIBRARY, ascending=[False, True, True])
    pairs = {tuple(pair[name] for name in [*LIBRARY, "backend_own"]): pair for pair in as_rows(together)}
    for row in as_rows(first):
        held = (pairs.get((*(row[name] for name in LIBRARY), backend)) for backend in backends)
        lines.append([cells.sized(row["n"]), Cell(short(row), short(row), (row["where"],)),
                      *(cells.part_of(pair, side(pair, "_own"), f", {pair['rung_own']}") if pair else Cell("") for pair in held),
                      cells.time(row), cells.gbs(row)])
    note = ("The library's time by that of the backend's best rung: above 1 the rung is faster. Both of one process where one "
            "has both; the library's own time is of the process that measured most."
            + cells.of_processes(rows["processes"], rows["processes_own"]))
    note += cells.APART * (not together["interleaved"].all())
    return Table(name_of("libraries", *kind), f"Beside the libraries on {kind[0]}: {class_text(rows)}",
                 ["n", "library", *backends, "its time", "its GB/s"], lines, note)


def section(view):
    """Of each device first the tables of what speaks for it."""
    found = dict(iter(beside_own(view).groupby(CLASS)))
    parts = []
    for device in view.devices:
        headline, scope = view.headlines[device], view.scopes[device]
        speaks = (headline.iloc[0]["type"], headline.iloc[0]["op"]) if len(headline) else None
        kinds = sorted((kind for kind in found if kind[0] == device), key=lambda kind: (
            kind[4] != "cold", kind[5] != scope, kind[3] != "exact", kind[1:3] != speaks, -found[kind]["n"].nunique(), kind))
        parts += [table_of(kind, found[kind]) for kind in kinds]
    names = listed(device for device in view.devices if any(kind[0] == device for kind in found))
    return section_of("libraries", "Beside the libraries",
                      f"The best own rung of each backend against what a vendor or a framework brings, on {names}: above 1 the "
                      "rung is faster. A library that blocks is compared in host scope only.", parts)
