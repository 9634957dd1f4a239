"""Performance portability of each model over all platforms of the report: a table, and its cascade."""

import math

import numpy

from .. import efficiency
from ..drawing import GREY, finish, legend_below, new, style_of
from ..parts import Cell, Section, Table
from ..text import elements, number, percent

KINDS = {"architectural": "of the ceiling", "application": "of the best there"}


def table_of(problem, found, spaces):
    phis = {model: [efficiency.phi(efficiency.on_all(model, by, spaces, kind)) for kind in KINDS] for model, by in found.items()}
    lines = []
    for model in sorted(found, key=lambda model: -numpy.nan_to_num(phis[model][-1][0])):  # by the application's
        by = found[model]
        trace = tuple(one["row"]["summary_where"] for one in by.values())
        line = [Cell(model, model), *(Cell(number(value, doubt, 3) or "unknown", value, trace) for value, doubt in phis[model])]
        for platform, space in spaces.items():
            one = by.get(platform)
            if one is None:
                line.append(Cell("not measured" if efficiency.supported(model, space) else "not supported", None, (), "low"))
            else:
                of_ceiling = percent(*one["architectural"])
                line.append(Cell(f"{of_ceiling + ' %' if of_ceiling else 'unknown'}, {percent(*one['application'])} % "
                                 f"({one['row']['name']}, {one['row']['backend']})", one["application"][0],
                                 (one["row"]["summary_where"],)))
        lines.append(line)
    words = next(iter(next(iter(found.values())).values()))["row"]["words"]
    title = f"{words} {problem['op']}, n = {elements(problem['n'])}, {problem['cache']}"
    return Table("performance-portability", title, ["model", "Φ architectural", "Φ application", *spaces], lines,
                 "Φ: harmonic mean over the platforms of this report, zero where one is not supported (Pennycook, Sewall, Lee). "
                 "Architectural: of the read-only ceiling. Application: of the best that any model reached there. Under each "
                 "platform first the one, then the other. Each model's best rung, of whichever process; device time on a GPU, "
                 "wall time on a CPU.")


def cascade(found, spaces, kind):
    """Efficiencies of each model from its best platform to its worst, and Φ of those so far (Sewall et al., 2020)."""
    figure, axes = new(2.8, grid="y", xlabel="platforms, from a model's best to its worst", ylabel=f"part {KINDS[kind]}",
                       ylim=(0, 1.08))
    places = range(1, len(spaces) + 1)
    told = []
    for model, by in found.items():
        style = style_of(next(iter(by.values()))["row"]["backend"])
        parts = efficiency.on_all(model, by, spaces, kind)
        if any(math.isnan(value) for value, _ in parts):
            told.append(f"{model}: not known on all of them.")
            continue
        down = sorted(parts, key=lambda part: part[0], reverse=True)
        so_far = [efficiency.phi(down[:count]) for count in places]
        axes.plot(places, [value for value, _ in down], label=model, **style)
        axes.plot(places, [value for value, _ in so_far], color=style["color"], linestyle=":", linewidth=1.2)
        told.append(f"{model}: {', '.join(number(*one, 3) for one in down)}; Φ {number(*so_far[-1], 3)}.")
    axes.set_xticks(list(places), [f"best {count}" if count > 1 else "best" for count in places])
    axes.plot([], [], color=GREY, linestyle=":", label="Φ of the platforms so far")
    legend_below(figure, axes)
    title = f"Cascade: efficiency {KINDS[kind]} over {len(spaces)} platforms"
    return finish(figure, Table(f"cascade-{kind}", title, [], []), told)


def section(view):
    problem, found, spaces = efficiency.reached(view.settled[view.settled["sort"] == "rung"])
    if problem is None or len(spaces) < 2:
        return None
    return Section("phi", "Performance portability", "What each model keeps of the hardware over all platforms, in one number.",
                   [table_of(problem, found, spaces)], [cascade(found, spaces, kind) for kind in KINDS])
