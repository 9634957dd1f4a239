"""Comparison of models: for each machine, speeds relative to the native model in a few numbers."""

from .. import cells
from ..charts import label_of
from ..pairs import ASKED, of_problem, pairs, ratio
from ..parts import Cell, Table
from ..study import as_rows
from ..text import elements
from ..view import native_of

MODELS = {"cuda": "CUDA", "hip": "HIP", "kokkos": "Kokkos", "cpu": "CPU"}
# The stock reduction that a model's user writes first, by the rung that times it: the first one measured.
STOCK = {"kokkos": (("library_range_view", "library_range"), "parallel_reduce")}
KERNELS = {"trees": "tree", "unrolled": "tree",  # by a rung's family
           "grid stride": "grid-stride", "vector loads": "grid-stride", "one launch": "grid-stride"}
HEADS = {kind: f"{kind} kernels" for kind in KERNELS.values()}
LIBRARIES = {"library_cub": "CUB (run-to-run)", "library_cub_not_guaranteed": "CUB (not guaranteed)",  # CUB's terms
             "library_cub_reproducible": "CUB (gpu-to-gpu)", "library_std_reduce": "std::reduce"}
DEFAULTS = ["library_cub"]  # default mode of a library, listed before faster ones


def model_of(backend):
    return backend.partition("/")[0]


def name_of_model(backend):
    return MODELS.get(model_of(backend), model_of(backend))


def best_of(rows, sort):
    """{backend: its fastest row of a sort}."""
    rows = rows[rows["sort"] == sort].sort_values("time", kind="stable").drop_duplicates("backend")
    return {row["backend"]: row for row in as_rows(rows)}


def stock_of(rows, backend):
    """(row, name) of the model's stock reduction; None if not measured."""
    rungs, name = STOCK.get(model_of(backend), ((), ""))
    own = rows[rows["backend"] == backend].drop_duplicates("rung").set_index("rung", drop=False)
    return next(((own.loc[rung].to_dict(), name) for rung in rungs if rung in own.index), None)


def beside_of(view, rows, native, best, row):
    """Baseline of a model's own reduction: the best native rung of the same run if there is one."""
    own = of_problem(view.right, row, ["run", "scope", "cache", "type", "op", "n", "data"])
    return best_of(own[own["backend"] == native], "rung").get(native, best[native])


def joined(parts, between):
    """Merges cells; the value is the first's."""
    trace = sum((part.trace for part in parts), ())
    return Cell(between.join(part.text for part in parts), parts[0].value, trace, parts[0].state)


def kernels_of(view, rows, native, backend):
    """{kind of kernel: range of the speeds relative to native} over the rungs that both have on the problem of these rows."""
    same = of_problem(view.right[view.right["sort"] == "rung"], rows.iloc[0], ["device", *ASKED])
    both = pairs(same[same["backend"] == native], same[same["backend"] == backend])
    both.sort(key=lambda pair: ratio(*pair)[0])
    found = {}
    for kind in HEADS:
        if some := [pair for pair in both if KERNELS.get(pair[0]["family"]) == kind]:
            found[kind] = joined([cells.ratio(*pair) for pair in ([some[0], some[-1]] if len(some) > 1 else some)], " to ")
    return found


def cost_of(view, rows, native, backend):
    """Cost of a model as a sentence of texts and cells: each kind of kernel, and its own reduction. None without such
    kernels."""
    parts = [(f" {kind} kernels ", part) for kind, part in kernels_of(view, rows, native, backend).items()]
    if not parts:
        return None
    if stock := stock_of(rows, backend):
        beside = beside_of(view, rows, native, best_of(rows, "rung"), stock[0])
        parts.append((f" {stock[1]} ", cells.ratio(beside, stock[0])))
    said = [word for words, part in parts for word in (words, part, ",")]
    return [f"{name_of_model(backend)} relative to {name_of_model(native)}:", *said[:-1], "."]


def own_of(view, rows, native, best, backend):
    """The model's own reduction, or the best of its libraries."""
    own = [stock for stock in [stock_of(rows, backend)] if stock]
    if not own and (fastest := best_of(rows, "library").get(backend)):
        usual = as_rows(rows[(rows["backend"] == backend) & rows["rung"].isin(DEFAULTS)].head(1))
        libraries = {row["rung"]: row for row in [*usual, fastest]}.values()
        own = [(row, LIBRARIES.get(row["rung"], label_of(row["rung"])).replace("CUB", f"CUB {row['cub']}")) for row in libraries]
    return joined([cells.part_of(beside_of(view, rows, native, best, row), row, after=f", {name}") for row, name in own],
                  "; ") if own else Cell("–")


def line_of(view, rows, native, best, backend):
    """A model relative to the native one: kernels, best to best, own reduction."""
    own = own_of(view, rows, native, best, backend)
    if backend == native:
        return dict.fromkeys([*HEADS.values(), "best"], "1") | {"library primitive": own}
    found = kernels_of(view, rows, native, backend)
    absent = "–" if found else "other rungs"
    return {**{head: found.get(kind, absent) for kind, head in HEADS.items()},
            "best": cells.part_of(best[native], best[backend]), "library primitive": own}


def table_of(view):
    lines, shown = [], []
    for device in view.whole:
        rows = view.headlines[device]
        best = best_of(rows, "rung")
        native = native_of(best)
        if not native or len(best) < 2:
            continue
        shown.append(rows["processes"])
        where = f"{device}, n = {elements(rows.iloc[0]['n'])}"
        for backend in sorted(best, key=lambda backend: backend != native):
            if not backend.endswith("/serial"):
                lines.append({"machine": where, "model": Cell(name_of_model(backend), backend)}
                             | line_of(view, rows, native, best, backend))
    if not lines:
        return None
    note = ("Speed relative to the native model (CUDA on a GPU, the CPU's own ladder): 1 is as fast, 0.5 takes twice as long. "
            "Kernels: the slowest and the fastest of the rungs that both models have; `best` compares the fastest rung of each; "
            "`library primitive` compares the model's own reduction with the fastest native rung.")
    if any("other rungs" in line.values() for line in lines):
        note += " Other rungs: a CPU has a ladder of its own, so that only the best compare."
    table = Table("models", "Which model costs what", lines)
    table.note = note + cells.apart(table) + cells.of_processes(*shown)
    return table
