"""View of the measurements for the sections of a report; selects which measurement represents a rung.

Several runs may have measured the same. All measurements of a rung on one problem come from one run: the one with the most
backends sampled in turn, then the most rungs of this backend, then the most samples, then the latest. Of several tunings in it
the fastest is chosen.
"""

import functools
import re

import numpy
import pandas

from .named import NATIVE
from .pairs import ASKED, PROBLEM


class View:
    """`all`: every measurement, with `sort` "rung", "library" or "variant" and a unique device name. `batch`: those of many
    reductions at once, which have a shape; `rows`: the others; `right`: those of `rows` that have times."""

    def __init__(self, study):
        self.study = study
        rows = study.measurements
        # The machines that have a device of one name are numbered, that with the most rungs first.
        place = ["device", "machine"]
        rungs = (rows["backend"] + rows["rung"]).groupby([rows[name] for name in place], sort=False).nunique()
        number = rungs.groupby("device", sort=False).rank(method="first", ascending=False).astype(int).rename("number")
        number = rows[place].join(number, on=place)["number"]
        device = rows["device"].where(number == 1, rows["device"] + " #" + number.astype(str))
        self.all = rows.assign(sort=numpy.array([*map(sort_of, rows["rung"], rows["library"])], dtype=object), device=device)
        shaped = self.all["shape"].notna()
        self.rows, self.batch = self.all[~shaped], self.all[shaped]
        self.right = self.rows[self.rows["status"] == "right"]

    @functools.cached_property
    def settled(self):
        """One row per problem, backend and rung, selected as the module's docstring describes."""
        rows = self.right
        own = rows[["backend", "rung", "count"]].where(rows["sort"] == "rung")  # libraries and variants do not count
        of_run = [rows[name] for name in ("run", *PROBLEM)]
        of_backend = [*of_run, rows["backend"]]
        weights = {"backends": own["backend"].groupby(of_run, dropna=False).transform("nunique"),
                   "rungs": own["rung"].groupby(of_backend, dropna=False).transform("nunique"),
                   "taken": own["count"].groupby(of_backend, dropna=False).transform("sum")}
        rows = rows.assign(**weights).sort_values([*weights, "run", "time"], ascending=[False] * 4 + [True], kind="stable")
        return rows.drop(columns=list(weights)).drop_duplicates([*PROBLEM, "backend", "rung"])

    @functools.cached_property
    def standing(self):
        """One row per request (ASKED), device, backend and rung, over all machines, seeds and evictions; rows of the device's
        headline problem take precedence."""
        heads = [rows.iloc[[0]] for rows in self.headlines.values() if len(rows)]
        first = self.settled.merge(pandas.concat(heads)[PROBLEM], on=PROBLEM) if heads else self.settled
        return pandas.concat([first, self.settled], ignore_index=True).drop_duplicates(["device", "backend", "rung", *ASKED])

    @functools.cached_property
    def devices(self):
        """Device names: GPUs first, then by the most bandwidth reached by any device of the name, then by the number of
        measurements."""
        found = self.right.groupby(["device", "device_kind"], sort=False)["gbs"].agg(["max", "size"]).reset_index()
        found["late"] = found["device_kind"] == "cpu"
        found["best"] = found.groupby(found["device"].str.split(" #").str[0])["max"].transform("max")
        ordered = found.sort_values(["late", "best", "size"], ascending=[True, False, False], kind="stable")
        return list(ordered["device"].drop_duplicates())

    def on(self, device):
        return self.settled[self.settled["device"] == device]

    @functools.cached_property
    def scopes(self):
        """{device: "kernel" if it has its own timer, else "host"}"""
        return {device: "kernel" if (self.on(device)["scope"] == "kernel").any() else "host" for device in self.devices}

    @functools.cached_property
    def headlines(self):
        """{device: rows of its headline problem, with libraries and without variants}"""
        return {device: self.headline(device) for device in self.devices}

    @functools.cached_property
    def whole(self):
        """Devices by model, those with the most rungs of known ceiling first, without those that have less than half of the
        most."""
        known = [rows.loc[rows["sort"] == "rung", "of_ceiling"].count() for rows in self.headlines.values()]
        found = pandas.DataFrame({"model": map(model_of_device, self.headlines), "rungs": known}, index=[*self.headlines])
        models = found.groupby("model", sort=False)
        found = found.assign(place=models.ngroup(), most=models["rungs"].transform("max"))
        return list(found[2 * found["rungs"] >= found["most"]].sort_values(
            ["place", "rungs"], ascending=[True, False], kind="stable").index)

    def headline(self, device):
        """Headline problem of a device, preferring in this order: its own scope, cold, exact data, most backends, five or more
        rungs, float sums, size."""
        def rank(group):
            first, rungs = group.iloc[0], group[group["sort"] == "rung"]
            return (first["scope"] == self.scopes[device], first["cache"] == "cold", first["data"] == "exact",
                    rungs["backend"].nunique(), min(rungs["rung"].nunique(), 5), (first["type"], first["op"]) == ("f32", "sum"),
                    first["bytes"])

        groups = (group for _, group in self.on(device).groupby(PROBLEM, dropna=False, sort=False))
        found = max((group for group in groups if (group["sort"] == "rung").any()), key=rank, default=self.on(device).iloc[:0])
        return found[found["sort"] != "variant"]


def model_of_device(device):
    """Model of a device: the second one of a name is "NVIDIA H200 #2"."""
    return device.partition(" #")[0]


def sort_of(rung, library):
    """"rung" of a ladder, "library", or "variant": rungs of tests and experiments, changed or wrong on purpose."""
    if re.fullmatch(r"[rc]\d\d", rung):
        return "rung"
    return "library" if library and "variant" not in rung else "variant"


def native_of(backends):
    """Native model among these backends, the vendor's or the CPU's; None if missing."""
    return next((backend for backend in NATIVE if backend in set(backends)), None)


def ladder_order(rows):
    """Sorts by rung; libraries follow, then variants."""
    place = {"rung": 0, "library": 1, "variant": 2}
    return rows.assign(place=rows["sort"].map(place)).sort_values(["place", "rung"], kind="stable").drop(columns="place")
