"""What portability costs: each rung's speed in the other models as a part of the native one's, on one device."""

from .. import cells
from ..charts import INK, Line, elements_axis, finish, lines_chart, of_rung, point
from ..pairs import ASKED, PROBLEM, favoured, interval_of, of_problem, pairs, side
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, interval_text, problem_text
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


def part_cell(pair):
    """Which process each is of stands beside it."""
    part = cells.ratio(pair, side(pair, "_other"))
    return Cell(part.text.removesuffix(" *"), part.value, part.trace)


def how_known(found):
    """How the intervals of these pairs are made."""
    note = "The interval, a bar in the figure: "
    if found[["processes", "processes_other"]].to_numpy().max() > 1:
        note += ("between processes, Student's t on the logarithms of each process's ratio, of separate studies Welch's. Of one "
                 "process: ")
    return (note + "bootstrap of the times' ratio, of both sides' samples."
            + cells.of_processes(found["processes"], found["processes_other"]))


def ratio_figure(view, device, native, other, found):
    lines, shown = [], []
    middle = found.groupby("n")["part"].median()
    for place, (_, some) in enumerate(found.sort_values("n").groupby("rung", sort=True)):
        pairs_of = [(pair, interval_of(view.study, pair)) for pair in as_rows(some)]
        shown.append(of_rung(some.iloc[0], [point(pair["n"], pair["part"], part_cell(pair).text, *edges)
                                            for pair, edges in pairs_of], place))
        lines += [[Cell(pair["name"], pair["name"]), cells.sized(pair["n"]), part_cell(pair), Cell(interval_text(*edges)),
                   cells.together(pair)] for pair, edges in pairs_of]
    shown.append(Line("median of the rungs", [point(n, part, f"{part:.2f}") for n, part in middle.items()], INK, [6, 3],
                      dots=False, end="median"))
    y = {"title": f"speed as a part of {native}'s", "log": 10, "low": min(0.9, found["part"].min() / 1.05),
         "high": max(1.05, found["part"].max() * 1.05)}
    chart = lines_chart(shown, elements_axis(found["n"]), y, [(1, f"as fast as {native}")], height=360)
    title = f"{other} beside {native} on {device}: {problem_text(found.iloc[0], sized=False)}"
    worst = found.loc[found["part"].idxmin()].to_dict()
    words = ["The median of the rungs is " + ", ".join(f"{part:.2f} at {elements(n)}" for n, part in middle.items()) + ".",
             f"The least is {part_cell(worst).text}, {worst['name']} at {elements(worst['n'])}."]
    table = Table(name_of("ratio", other, device), title, ["rung", "n", "part", "95 % interval", "from"], lines,
                  how_known(found))
    return finish(chart, table, words)


def section(view):
    """A matrix for each problem that both sides have, the headline's first; and their course over sizes, for each backend."""
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
        plain = rows[rows.index.isin(view.plain(device).index)]
        beside = {other: favoured(pairs(plain, native, [other])) for other in others}
        parts += [ratio_figure(view, device, native, *one) for one in beside.items() if not one[1].empty]
    return section_of("portability", "What portability costs, rung by rung",
                      f"Each rung beside the same rung in the native model: 1 is the same speed. {cells.COLOURED}", parts)
