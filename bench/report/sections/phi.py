"""Performance portability of each model over all platforms of the report: a table, and its cascade."""

from .. import efficiency
from ..drawing import finish, legend_below, new, style_of
from ..parts import Cell, Section, Table
from ..text import elements

KINDS = {"architectural": "of the ceiling", "application": "of the best there"}


def table_of(problem, found, platforms):
    lines = []
    for model, by in sorted(found.items(), key=lambda item: -efficiency.phi(item[1], platforms, "application")):
        trace = tuple(one.row["summary_where"] for one in by.values())
        line = [Cell(model, model)]
        for kind in KINDS:
            value = efficiency.phi(by, platforms, kind)
            line.append(Cell(f"{value:.3f}" if value else "0", value, trace))
        for platform in platforms:
            one = by.get(platform)
            line.append(Cell("not supported", None, (), "low") if one is None else Cell(
                f"{100 * one.architectural:.1f} %, {100 * one.application:.1f} % ({one.row['name']}, {one.row['backend']})",
                one.application, (one.row["summary_where"],)))
        lines.append(line)
    return Table("performance-portability", f"{problem['type']} {problem['op']}, n = {elements(problem['n'])}, {problem['cache']}",
                 ["model", "Φ architectural", "Φ application", *platforms], lines,
                 "Φ: harmonic mean over the platforms of this report, zero where one is not supported (Pennycook, Sewall, Lee). "
                 "Architectural: of the read-only ceiling; application: of the best that any model reached there; of each platform "
                 "first the one, then the other. Each model's best rung; device time on a GPU, wall time on a CPU.")


def cascade(found, platforms, kind):
    """Efficiencies of each model from its best platform to its worst, and Φ of those so far (Sewall et al., 2020)."""
    figure, axes = new(2.8)
    places = range(1, len(platforms) + 1)
    told = []
    for model, by in found.items():
        colour, mark = style_of(next(iter(by.values())).row["backend"])
        down = sorted((getattr(by[one], kind) if one in by else 0.0 for one in platforms), reverse=True)
        so_far = [efficiency.harmonic_mean(down[:count]) for count in places]
        axes.plot(places, down, color=colour, marker=mark, label=model)
        axes.plot(places, so_far, color=colour, linestyle=":", linewidth=1.2)
        told.append(f"{model}: {', '.join(f'{one:.2f}' for one in down)}; Φ {so_far[-1]:.2f}.")
    axes.set_xticks(list(places), [f"best {count}" if count > 1 else "best" for count in places])
    axes.set_ylim(0, 1.08)
    axes.grid(axis="y")
    axes.set_xlabel("platforms, from a model's best to its worst")
    axes.set_ylabel(f"part {KINDS[kind]}")
    axes.plot([], [], color="#8a8a8a", linestyle=":", label="Φ of the platforms so far")
    legend_below(figure, axes)
    identifier = f"cascade-{kind}"
    title = f"Cascade: efficiency {KINDS[kind]} over {len(platforms)} platforms"
    return finish(figure, identifier, title, f"{title}. {' '.join(told)}")


def section(view):
    problem, found = efficiency.reached(view.settled[view.settled["sort"] == "rung"])
    platforms = list(dict.fromkeys(platform for by in found.values() for platform in by))
    if problem is None or len(platforms) < 2:
        return None
    return Section("phi", "Performance portability", "What each model keeps of the hardware over all platforms, in one number.",
                   [table_of(problem, found, platforms)], [cascade(found, platforms, kind) for kind in KINDS])
