"""Batches of reductions: read speed of each rung and library on rows, columns and segments by length."""

from .. import cells
from ..charts import finish, heat_chart, label_of
from ..parts import Table, name_of, section_of
from ..study import as_rows
from ..text import elements, number, problem_text

PROBLEM = ["device", "type", "op", "data", "cache", "scope"]
# {kind: (title of the table, question of the heat map, label of its horizontal axis)}
KINDS = {"rows": ("Rows, by their length", "Where does one block per row lose?", "elements in a row"),
         "columns": ("Columns, by their number", "How many columns does a thread per column need?", "columns in a row"),
         "segments": ("Segments", "What do uneven segments cost?", "lengths of the segments")}


def order_of(shape):
    """Sort key by length: "rows:16" before "rows:100"; for a matrix of given size its number of columns."""
    last = shape.rpartition(":")[2].partition("/")[0].rpartition("x")[2]
    return (int(last), shape) if last.isdigit() else (0, shape)


def length_text(shape):
    """A shape without its kind: 1024, 2¹⁸, zipf:64."""
    length = shape.partition(":")[2]
    return elements(length) if length.isdigit() and int(length) > 9999 else length


def fastest(rows):
    """{(backend, name): {shape: its fastest row}}, a backend's rungs before its libraries, shapes by length."""
    best, found = rows.sort_values(["backend", "library", "name", "time"], kind="stable"), {}
    for row in as_rows(best.drop_duplicates(["backend", "name", "shape"])):
        found.setdefault((row["backend"], row["name"]), {})[row["shape"]] = row
    return {key: {shape: line[shape] for shape in sorted(line, key=order_of)} for key, line in found.items()}


def parts_of(kind, problem, rows):
    """A table with rungs and libraries as rows and shapes as columns, each with its fastest measurement, and the same as a heat
    map, a panel per backend; "weak" if the sweep of the ceiling was too weak."""
    found, known = fastest(rows), rows["of_ceiling"].notna().all()
    across = [length_text(shape) for shape in sorted(rows["shape"].unique(), key=order_of)]
    value, unit, factor = ("of_ceiling", "% of the read ceiling", 100) if known else ("gbs", "GB/s", 1)
    lines, drawn, words = [], [], []
    for (backend, name), line in found.items():
        first = next(iter(line.values()))
        lines.append({"rung": cells.called(first), "backend": backend} | dict.fromkeys(across, "") | {
            length_text(shape): cells.of_ceiling(row, "shade") if known else cells.gbs(row) for shape, row in line.items()})
        version = f"CUB {first['cub']}"  # names the first rung of this version
        label = version if first["cub"] and not any(one["name"] == version for one in drawn) else label_of(name)
        own = [{"panel": backend, "name": label, "x": length_text(shape), "value": factor * row[value],
                "text": "weak" if known and row[value] > cells.OVER else number(factor * row[value], None, 2)}
               for shape, row in line.items()]
        least, most = (choose(own, key=lambda one: one["value"]) for choose in (min, max))
        words.append(f"{label} on {backend}: from {least['text']} at {least['x']} to {most['text']} at {most['x']}.")
        drawn += own
    (title, question, x_title), identifier = KINDS[kind], name_of("batch", kind, *problem)
    asked = f"{problem[0]}: {problem_text(rows.iloc[0], sized=False)}; {unit}"
    return [Table(identifier, f"{title} on {asked}", lines,
                  "Bytes that are read count, not those of the results."),
            finish(heat_chart(drawn, across, x_title, unit, 100 if known else rows["gbs"].max()), identifier,
                   f"{question} {asked}", words)]


def section(view):
    """None without records of batches."""
    rows, parts = view.batch[view.batch["status"] == "right"], []
    for kind in KINDS:
        for problem, some in rows[rows["shape"].str.startswith(kind)].groupby(PROBLEM):
            parts += parts_of(kind, problem, some)
    return section_of("batch", "Many reductions at once",
                      "A result for each row, column or segment: where does a block per row lose, and what does the tuned rung "
                      "reach?", parts)
