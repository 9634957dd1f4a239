"""What portability costs: each rung's speed in the other models as a part of the native one's, on one device."""

from .. import cells
from ..pairs import ASKED, PROBLEM, of_problem, pairs, side
from ..parts import Table, name_of, section_of
from ..text import problem_text
from ..view import native_of


def matrix(group, native, others, device):
    problem, present = group.iloc[0], [other for other in others if (group["backend_other"] == other).any()]
    lines = cells.by_rung(group.sort_values("rung"), "backend_other", present,
                          lambda pair: cells.coloured(pair, side(pair, "_other")))
    note = (f"Speed as a part of {native}'s on the same device, in {cells.same_processes(problem)}, sampled in turn; each side's "
            "best measured tuning.")
    note += cells.of_processes(group["processes"], group["processes_other"])
    return Table(name_of("portability", device, *(problem[name] for name in ASKED)),
                 f"Beside {native} on {device}: {problem_text(problem)}", ["rung", *present], lines,
                 note + ("" if group["interleaved"].all() else cells.APART))


def section(view):
    """A matrix for each problem that both sides have, the headline's first."""
    parts = []
    for device in view.devices:
        rows = view.right[(view.right["device"] == device) & (view.right["sort"] == "rung")]
        native, found = native_of(rows["backend"]), []
        others = [backend for backend in rows["backend"].unique() if backend != native]
        for _, group in pairs(rows, native, others).groupby(PROBLEM, dropna=False, sort=False):
            one, table = group.iloc[0], matrix(group, native, others, device)
            table.folded = of_problem(view.headlines[device], one).empty
            found.append(((table.folded, one["scope"] != "kernel", one["cache"] != "cold", -one["n"], -len(table.rows)), table))
        parts += [table for _, table in sorted(found, key=lambda one: one[0])]
    return section_of("portability", "What portability costs, rung by rung",
                      f"Each rung beside the same rung in the native model: 1 is the same speed. {cells.COLOURED}", parts)
