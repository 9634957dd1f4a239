"""Which model to pick: for each machine, what part of the native model's speed the others reach, in a few numbers."""

import statistics

from .. import cells, intervals
from ..charts import label_of
from ..pairs import ASKED, of_problem, pairs, ratio
from ..parts import Cell, Table
from ..study import as_rows
from ..text import elements
from ..view import native_of

MODELS = {"cuda": "CUDA", "hip": "HIP", "kokkos": "Kokkos", "cpu": "CPU"}
# What a user of a model writes first, by the rung that times it: the first that was measured.
STOCK = {"kokkos": (("library_range_view", "library_range"), "parallel_reduce")}
KERNELS = {"trees": "tree", "unrolled": "tree",  # by the family of a rung
           "grid stride": "grid-stride", "vector loads": "grid-stride", "one launch": "grid-stride"}
LIBRARIES = {"library_cub": "CUB (run-to-run)", "library_cub_not_guaranteed": "CUB (not guaranteed)",  # in CUB's own words
             "library_cub_reproducible": "CUB (gpu-to-gpu)", "library_std_reduce": "std::reduce"}
DEFAULTS = ["library_cub"]  # of a library with several modes the one that a user gets, which is told before a faster one


def model_of(backend):
    return backend.partition("/")[0]


def name_of_model(backend):
    return MODELS.get(model_of(backend), model_of(backend))


def best_of(rows, sort):
    """The fastest row of a sort for each backend: {backend: row}."""
    rows = rows[rows["sort"] == sort].sort_values("time", kind="stable").drop_duplicates("backend")
    return {row["backend"]: row for row in as_rows(rows)}


def stock_of(rows, backend):
    """(row, its name) of what a user of the model writes first; nothing where it was not measured."""
    rungs, name = STOCK.get(model_of(backend), ((), ""))
    own = rows[rows["backend"] == backend].drop_duplicates("rung").set_index("rung", drop=False)
    return next(((own.loc[rung].to_dict(), name) for rung in rungs if rung in own.index), None)


def rungs_of(view, rows, native, backend):
    """The pairs of the rungs that both have on the problem of these rows."""
    same = of_problem(view.right[view.right["sort"] == "rung"], rows.iloc[0], ["device", *ASKED])
    return pairs(same[same["backend"] == native], same[same["backend"] == backend])


def beside_of(view, rows, native, best, row):
    """The native rung that a model's own reduction is held against: the best of the same run, if it is there."""
    own = of_problem(view.right, row, ["run", "scope", "cache", "type", "op", "n", "data"])
    return best_of(own[own["backend"] == native], "rung").get(native, best[native])


def mean_part(found):
    """The geometric mean of the parts of these pairs, with its interval where two processes or more measured every pair."""
    both = [{run: time / other["by_process"][run] for run, time in one["by_process"].items() if run in other["by_process"]}
            for one, other in found]
    runs = sorted(set.intersection(*map(set, both)))
    estimate = intervals.of([statistics.geometric_mean(parts[run] for parts in both) for run in runs])
    value = estimate.value if estimate else statistics.geometric_mean(ratio(*pair)[0] for pair in found)
    return cells.part(value, estimate and estimate.ends, cells.trace_of(*(row for side in zip(*found) for row in side)),
                      "" if all(one["run"] == other["run"] for one, other in found) else "separate", f", {len(found)} rungs")


def line_of(view, rows, native, best, backend):
    """Of a model beside the native one: rungs by hand, mean and least; its best beside the best; what it brings itself."""
    found = rungs_of(view, rows, native, backend)
    if found:
        worst = min(found, key=lambda pair: ratio(*pair)[0])
        hand = [mean_part(found), cells.part_of(*worst, after=f", {worst[0]['rung']}")]
    else:
        hand = [Cell("other rungs")] * 2
    return [*hand, cells.part_of(best[native], best[backend])]


def cost_of(view, rows, native, backend):
    """What a model costs, as a sentence of texts and cells: tree kernels, those with a grid-stride loop, its own reduction.
    Nothing where it has no such kernel."""
    found = sorted(rungs_of(view, rows, native, backend), key=lambda pair: ratio(*pair)[0])
    said = [f"{name_of_model(backend)} relative to {name_of_model(native)}:"]
    for kind in dict.fromkeys(KERNELS.values()):
        if some := [pair for pair in found if KERNELS.get(pair[0]["family"]) == kind]:
            most = [" to ", cells.ratio(*some[-1])] if len(some) > 1 else []
            said += [f" {kind} kernels ", cells.ratio(*some[0]), *most, ","]
    if len(said) == 1:
        return None
    if stock := stock_of(rows, backend):
        beside = beside_of(view, rows, native, best_of(rows, "rung"), stock[0])
        said += [f" {stock[1]} ", cells.ratio(beside, stock[0]), ","]
    return [*said[:-1], "."]


def own_of(view, rows, native, best, backend):
    """What comes with the model: its reduction, or the best of its libraries."""
    own = [stock for stock in [stock_of(rows, backend)] if stock]
    if not own and (fastest := best_of(rows, "library").get(backend)):
        usual = as_rows(rows[(rows["backend"] == backend) & rows["rung"].isin(DEFAULTS)].head(1))
        libraries = {row["rung"]: row for row in [*usual, fastest]}.values()
        own = [(row, LIBRARIES.get(row["rung"], label_of(row["rung"])).replace("CUB", f"CUB {row['cub']}")) for row in libraries]
    parts = [cells.part_of(beside_of(view, rows, native, best, row), row, after=f", {name}") for row, name in own]
    return Cell("; ".join(part.text for part in parts), parts[0].value, sum((part.trace for part in parts), ()),
                parts[0].state) if parts else Cell("–")


def table_of(view):
    lines, shown = [], []
    for device in view.whole:
        rows = view.headlines[device]
        rows = rows[rows["sort"] != "variant"]
        best = best_of(rows, "rung")
        native = native_of(best)
        if not native or len(best) < 2:
            continue
        shown.append(rows["processes"])
        where = f"{view.label(device)}, n = {elements(rows.iloc[0]['n'])}"
        for backend in [native, *(backend for backend in best if backend != native and not backend.endswith("/serial"))]:
            ours = [Cell("1"), Cell("1"), Cell("1")] if backend == native else line_of(view, rows, native, best, backend)
            lines.append([Cell(where, where), Cell(name_of_model(backend), backend), *ours,
                          own_of(view, rows, native, best, backend)])
    if not lines:
        return None
    note = ("Speed relative to the native model (CUDA on a GPU, the CPU's own ladder): 1 is as fast, 0.5 takes twice as long. "
            "`mean` (geometric) and `worst` cover the rungs that both models have; `best` compares the fastest rung of each; "
            "`its own` compares the model's own reduction with the fastest native rung.")
    if any(cell.text == "other rungs" for one in lines for cell in one):
        note += " Other rungs: a CPU has a ladder of its own, so that only the best compare."
    return Table("models", "Which model costs what", ["machine", "model", "mean", "worst", "best", "its own"], lines,
                 note + cells.apart(lines) + cells.of_processes(*shown), sides="llllll")
