"""How many times as fast as one several are: threads of a CPU, devices or ranks that share the elements."""

from . import cells
from .charts import INK, Line, counts_axis, finish, lines_chart, of_rung, point
from .parts import Cell, Table


def lines(rows, what):
    """{(backend, rung): {how many: row}} of what was measured by one and by more, `what` being the column of how many; of the
    same number the first of the rows."""
    found = {}
    for row in rows:
        found.setdefault((row["backend"], row["rung"]), {}).setdefault(int(row[what]), row)
    return {key: dict(sorted(by.items())) for key, by in found.items() if 1 in by and len(by) > 1}


def times_of_one(by, many):
    """The speed of so many against that of one."""
    return cells.speedup(by[1], by[many]) if many in by else Cell("")


def table(identifier, title, found, one):
    """`found` as lines() makes it; `one` is what there is one or more of: "thread"."""
    numbers = sorted({many for by in found.values() for many in by})
    rows = []
    for (backend, _), by in found.items():
        most = max(by)
        part = by[1]["time"] / by[most]["time"] / most
        rows.append([Cell(by[1]["name"], by[1]["name"]), Cell(backend), cells.gbs(by[1]), cells.gbs(by[most]),
                     *(times_of_one(by, many) for many in numbers[1:]), Cell(f"{100 * part:.0f} %", part)])
    heads = ["rung", "backend", "GB/s by 1", "by most", *(f"{many} {one}s" for many in numbers[1:]), "efficiency"]
    apart = any(row["run"] != by[1]["run"] for by in found.values() for row in by.values())
    note = f"Times as fast as by one {one}; efficiency: that by the most, divided by how many they are."
    note += cells.APART * apart
    return Table(identifier, title, heads, rows, note, sides="ll" + "r" * (len(heads) - 2))


def figure(identifier, title, found, one, sentences=()):
    """The same drawn; `sentences` stand behind what it shows in words."""
    most = max(max(by) for by in found.values())
    shown, words = [Line("as many times as fast", [point(1, 1), point(most, most)], INK, [2, 2], dots=False, end="linear")], []
    for place, ((backend, _), by) in enumerate(found.items()):
        points = [point(many, by[1]["time"] / row["time"], f"{many} {one}s: {times_of_one(by, many).text}")
                  for many, row in by.items()]
        line = of_rung(by[1], points, place)
        shown.append(line if backend == "cpu" else line._replace(name=f"{line.name} on {backend}", end=f"{line.end} ({backend})"))
        words.append(f"{by[1]['name']} on {backend}: {times_of_one(by, max(by)).text} by {max(by)} {one}s.")
    chart = lines_chart(shown, counts_axis(f"{one}s", [1 << power for power in range(most.bit_length())]),
                        {"title": f"times as fast as one {one}", "log": 2})
    return finish(chart, table(identifier, title, found, one), [*words, *sentences])
