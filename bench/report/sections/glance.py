"""The study at a glance: a verdict per machine, its ladder as a waterfall, and a map of all machines."""

import math

import numpy

from .. import cells
from ..charts import label_of
from ..pairs import ASKED, of_problem, ratio
from ..parts import Cell, Section, Table, name_of
from ..study import as_rows
from ..text import elements, number, percent, problem_text
from ..view import model_of_device, native_of
from . import ladder, models
from .models import MODELS, best_of, model_of, name_of_model, stock_of

KEPT = ("r12", "r16", "r20", "r30", "c13")  # shown even if close to their base: later rungs build on them
NEVER = "never run on AMD"


def noise_of(view, problem):
    """(relative difference that 95 % of pairs of a rung and its copy (alias) stay below, the sentence on it); (0, None) without
    pairs."""
    rows = of_problem(view.right, problem, ["device", *(name for name in ASKED if name != "n")])
    sizes = rows.loc[rows["rung"].str.startswith("alias_"), "n"].unique()
    n = min(sizes, key=lambda n: abs(math.log(n / problem["n"])), default=None)  # the nearest size measured
    rows = rows[rows["n"] == n].drop_duplicates(["run", "rung"])
    copies = rows.assign(rung="alias_" + rows["rung"]).merge(rows, on=["run", "rung"])
    both = zip(copies["by_process_x"], copies["by_process_y"], strict=True)
    logs = [math.log(copy[process] / own[process]) for own, copy in both for process in copy if process in own]
    if not logs:
        return 0.0, None
    noise, at = float(numpy.quantile(numpy.abs(logs), 0.95)), "" if n == problem["n"] else f" at {elements(n)}"
    return noise, [f"Noise: two copies of one kernel differ by less than {number(100 * noise, None, 2)} % (95 % of {len(logs)} "
                   f"pairs{at})."]


def among_devices(view, row):
    """A sentence on all devices of this model, at the size that most of them measured, at least a quarter of this one; None for
    one device."""
    model = model_of_device(row["device"])
    same = of_problem(view.standing, row, ["rung", "backend", *(name for name in ASKED if name != "n")])
    same = same[(same["device"].map(model_of_device) == model) & (same["of_ceiling"] <= cells.OVER)]
    # By the device's id: one GPU may have been in two machines.
    same = same.assign(own=same["machine"].str.split().str[-1]).drop_duplicates(["own", "n"])
    counts = same[same["n"] >= row["n"] / 4]["n"].value_counts().sort_index(ascending=False)
    if counts.empty or counts.max() < 2:
        return None
    same = same[same["n"] == counts.idxmax()].sort_values("of_ceiling")
    middle = Cell(percent(same["of_ceiling"].median()), same["of_ceiling"].median(), cells.trace_of(*as_rows(same)))
    least, most = (cells.of_ceiling(one) for one in (as_rows(same)[0], as_rows(same)[-1]))
    return [f"{len(same)} devices of this model, at {elements(same.iloc[0]['n'])}: median ", middle, " % of the ceiling, from ",
            least, " to ", most, " %."]


def kind_of(base, row, noise):
    """"gain", "loss", or "noise" if the step is within its interval or the difference of two copies of a kernel."""
    value, _, ends = ratio(base, row)
    low, high = ends or (value, value)
    within = low <= 1 <= high or abs(math.log(value)) <= noise
    return "noise" if within else "gain" if value > 1 else "loss"


def steps_of(rows, native, noise):
    """(steps of the native ladder, description of the scale). A step extends from its base's bandwidth to its own, in percent
    of the scale; `kind` is gain, loss, noise or start; small steps are folded at first."""
    own = ladder.ladder_order(rows[(rows["backend"] == native) & (rows["sort"] == "rung")])
    by_rung = {row["rung"]: row for row in as_rows(own)}
    main, speeds = ladder.most_common(row["run"] for row in by_rung.values()), own["gbs"]
    ceiling = [row["ceiling_gbs"] for row in by_rung.values() if row["ceiling_gbs"] > 0 and row["run"] == main]
    top = max([speeds.max(), *ceiling])

    found = []
    for row in by_rung.values():
        base, ends = by_rung.get(row["base"]), [0, 100 * row["gbs"] / top]
        kind, factor, small = "start", Cell(""), False
        if base and base["run"] == row["run"]:
            ends[0] = 100 * base["gbs"] / top
            kind, factor = kind_of(base, row, noise), cells.speedup(base, row)
            small = abs(math.log(factor.value)) < 0.03 and row["rung"] not in KEPT
        after = " *" if row["run"] != main else ""
        reached = cells.of_ceiling(row, after=" %" + after) if row["of_ceiling"] > 0 else cells.gbs(row, after=after)
        found.append({"rung": cells.named(row), "begin": min(ends), "end": max(ends), "kind": kind, "factor": factor,
                      "reached": reached, "small": small})
    return found, f"0 to {number(top)} GB/s" + ", the ceiling" * (top in ceiling)


def card_of(view, device):
    """Card of a machine: sentences of texts and cells, and the steps of its native ladder. Folded if another machine of its
    model measured more: its tab comes after the others, and the map omits it."""
    rows = view.headlines[device]
    best = best_of(rows, "rung")
    if not best:
        return None
    native, first = native_of(best) or next(iter(best)), rows.iloc[0]
    fastest, (noise, on_noise) = best[native], noise_of(view, first)
    part = [", ", cells.of_ceiling(fastest, after=" % of the ceiling")] if fastest["of_ceiling"] > 0 else []
    sentences = [[f"{name_of_model(native)} reaches ", cells.gbs(fastest), " GB/s", *part, f" ({fastest['rung']})."],
                 among_devices(view, fastest),
                 *(models.cost_of(view, rows, native, one) for one in best if models.model_of(one) == "kokkos"), on_noise]
    steps, scale = steps_of(rows, native, noise)
    return {"id": name_of("machine", device), "title": device, "problem": problem_text(first), "scale": scale, "steps": steps,
            "sentences": list(filter(None, sentences)), "folded": device not in view.whole}


def reached_on(rows):
    """{(model, index of the line, its label): row}: best rung, the model's stock reduction, best library."""
    found = {}
    for backend, row in best_of(rows, "rung").items():
        found[model_of(backend), 0, "best rung"] = row
        if stock := stock_of(rows, backend):
            found[model_of(backend), 1, stock[1]] = stock[0]
    return found | {(model_of(backend), 2, "best library"): row for backend, row in best_of(rows, "library").items()}


def map_of(view):
    """Models as rows, machines as columns, fractions of the ceiling. Several devices at once have their own section."""
    columns = {device: found for device in view.whole if (found := reached_on(view.headlines[device]))}
    order, spaces = list(MODELS), {device["space"].partition(":")[0] for device in view.study.devices.values()}
    amd = ["AMD GPU"] if "hip" not in spaces and (view.rows["backend"] == "hip").any() else []  # if nothing was measured there
    count = sum(device not in view.whole and len(view.headlines[device]) > 0 for device in view.devices)
    folded = f" {count} more of these models measured a part of the ladder: see above." if count else ""
    keys = sorted(set().union(*columns.values()), key=lambda key: (order.index(key[0]) if key[0] in order else len(order), key))
    table = []
    for key in keys:
        model, place, line = key
        row = {"model": f"{name_of_model(model)}, {line}"} | {
            device: shade(found[key]) if key in found else "–" for device, found in columns.items()}
        table.append(row | dict.fromkeys(amd, NEVER if model in ("hip", "kokkos") and place == 0 else "–"))
    return Table("glance", "What each model reaches of each machine's read-only ceiling", table,
        "The fastest of its kind, and which it is; GB/s where no ceiling is known. Ceiling: the best read-only sweep of as many "
        "bytes in the same process. –: does not run there, or was not measured."
        + folded + cells.of_processes(*(view.headlines[device]["processes"] for device in view.whole))
        + cells.note_of_cubs(row for found in columns.values() for (_, place, _), row in found.items() if place == 2))


def shade(row):
    name = label_of(row["rung"])
    return cells.of_ceiling(row, "shade", after=f" % {name}") if row["of_ceiling"] > 0 else cells.gbs(row, after=f" GB/s {name}")


def cards_of(view):
    """The cards of all machines, folded ones last."""
    return [card for card in (card_of(view, device) for device in dict.fromkeys([*view.whole, *view.devices])) if card]


def section(view):
    tables = [table for table in (map_of(view), models.table_of(view)) if table and table.rows]
    return Section("glance", "At a glance", "", tables)
