"""Cold beside hot: how many times as fast each rung is where its input is in cache already."""

from matplotlib.ticker import LogLocator

from .. import cells
from ..drawing import INK, finish, new, plain_numbers, rungs_down, style_of
from ..pairs import PROBLEM, beside, side
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import factor, joint, problem_text
from ..view import ladder_order

ASKED = [name for name in PROBLEM if name not in ("cache", "evicted_bytes")]
LIMIT = 12  # figures a report; what is beyond has its table


def cold_and_hot(view):
    """Hot measurements with the cold one of the same problem and tuning beside, `_cold` behind: of each backend on each problem
    those of two runs, or of one where there is one."""
    rows = view.right[view.right["sort"] != "variant"]
    hot, cold = (rows[rows["cache"] == cache] for cache in ("hot", "cold"))
    found = beside(hot, cold, ["backend", "rung", *ASKED, "tuning"], "_cold")
    # Of several tunings the one that is fastest cold.
    found = found.sort_values("time_cold", kind="stable").drop_duplicates(["run", "run_cold", "backend", "rung", *ASKED])
    sides = ["run", "run_cold"]
    found["here"] = found.groupby([*sides, "backend", *ASKED], dropna=False)["rung"].transform("size")
    found["in_all"] = found.groupby(sides)["rung"].transform("size")
    order = ["interleaved", "here", "in_all", *sides]
    found = found.sort_values(order, ascending=False, kind="stable")
    first = found.drop_duplicates(["backend", *ASKED])[["backend", *ASKED, *sides]]
    found = found.merge(first, on=["backend", *ASKED, *sides])
    return found.assign(times=[cells.quotient(side(row, "_cold"), row)[0] for row in as_rows(found)])


def times_text(row):
    return cells.speedup_text(side(row, "_cold"), row)


def table_of(identifier, title, rows):
    lines = [[Cell(row["name"], row["name"]), cells.time(side(row, "_cold")), cells.time(row),
              cells.speedup(side(row, "_cold"), row), cells.together(row)] for row in as_rows(rows)]
    return Table(identifier, title, ["rung", "cold", "hot", "times as fast hot", "from"], lines,
                 "The same tuning on both sides." + cells.of_processes(rows["processes"], rows["processes_cold"])
                 + ("" if rows["interleaved"].iloc[0] else cells.APART), folded=True)


def bars(identifier, title, rows):
    figure, axes = new(0.7 + 0.165 * len(rows), grid="x", room=(0.32, 0.9), xlabel="times as fast hot as cold")
    axes.barh(range(len(rows)), rows["times"] - 1, left=1, height=0.75, color=style_of(rows.iloc[0]["backend"])["color"])
    for place, row in enumerate(as_rows(rows)):
        axes.annotate(times_text(row).rstrip("×"), (max(1, row["times"]), place), xytext=(3, 0), textcoords="offset points",
                      va="center", fontsize=7.5)
    axes.axvline(1, color=INK, linewidth=1)
    rungs_down(axes, rows["name"])
    axes.set(xscale="log", xlim=(0.97 * min(1, rows["times"].min()), 1.15 * max(1.05, rows["times"].max())))
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 5, 7)))
    plain_numbers(axes.xaxis)
    most, least = (rows.loc[at].to_dict() for at in (rows["times"].idxmax(), rows["times"].idxmin()))
    middle = rows.sort_values("times").iloc[(len(rows) - 1) // 2]
    doubt = joint(middle["uncertainty"], middle["uncertainty_cold"])
    words = (f"Median of the rungs {factor(rows['times'].median(), doubt)}; most {most['name']}, {times_text(most)} "
             f"({cells.time(side(most, '_cold')).text} cold, {cells.time(most).text} hot); least {least['name']}, "
             f"{times_text(least)}.")
    return finish(figure, table_of(identifier, title, rows), [words])


def section(view):
    problems = {}
    for _, rows in cold_and_hot(view).groupby(["backend", *ASKED], dropna=False, sort=False):
        row = rows.iloc[0]
        identifier = name_of("caches", row["backend"], row["device"], row["type"], row["op"], row["n"], row["data"], row["scope"])
        rank = view.devices.index(row["device"]), row["data"] != "exact", -row["n"], row["type"] != "f32", row["op"] != "sum"
        title = (f"{row['backend']} on {row['device']}: {problem_text(row).replace(', hot', '')}"
                 + ("" if row["interleaved"] else "; hot and cold from separate processes"))
        # The same on another machine or with another seed would have the same name: the one of more rungs stays.
        if identifier not in problems or len(problems[identifier][2]) < len(rows):
            problems[identifier] = rank, title, ladder_order(rows)
    ordered = sorted(problems.items(), key=lambda item: item[1][0])
    parts = [(bars if place < LIMIT else table_of)(identifier, *rest) for place, (identifier, (_, *rest)) in enumerate(ordered)]
    return section_of("caches", "Cold and hot",
                      "Cold: the caches hold nothing of the input. Hot: the same rung ran over the same input just before. How "
                      "many times as fast it then is says how much of its cold time the memory was; what stays at 1 was bound by "
                      "something else, or is larger than the cache.", parts)
