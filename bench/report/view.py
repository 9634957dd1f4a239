"""The measurements as the sections of a report see them, and which of several stands for what.

Several runs may have measured the same. What stands for a rung on one problem comes from one run: that in which the most
backends were sampled in turn, then the most rungs of this one, then the most samples, then the latest. Of several tunings in
it the fastest stands.
"""

import collections
import functools
import re

import numpy
import pandas

from .pairs import ASKED, PROBLEM

NATIVE = ["cuda", "hip", "cpu"]  # what portable models are held against: the first that is on the device


class View:
    """`all` has every measurement, with `sort` "rung", "library" or "variant", and its device by the name that tells it from
    others. `batch` has those of many reductions at once, which have a shape, `rows` the others, `right` those that have times."""

    def __init__(self, study):
        self.study = study
        rows = study.measurements
        machines, named = {}, []  # {a device's name: {a machine of that name: its number}}
        for run, backend, device, machine in rows[["run", "backend", "device", "machine"]].itertuples(index=False):
            name = self.with_cores(run, backend, device)
            number = machines.setdefault(name, {}).setdefault(machine, len(machines[name]) + 1)
            named.append(f"{name} #{number}" if number > 1 else name)
        self.all = rows.assign(sort=numpy.array([*map(sort_of, rows["rung"], rows["library"])], dtype=object),
                               device=numpy.array(named, dtype=object))
        shaped = self.all["shape"].notna()
        self.rows, self.batch = self.all[~shaped], self.all[shaped]
        self.right = self.rows[self.rows["status"] == "right"]

    @functools.cached_property
    def settled(self):
        """One row for each problem, backend and rung: see above."""
        rows = self.right
        own = rows[["backend", "rung", "count"]].where(rows["sort"] == "rung")  # libraries and variants weigh nothing
        of_run = [rows[name] for name in ("run", *PROBLEM)]
        of_backend = [*of_run, rows["backend"]]
        weights = {"backends": own["backend"].groupby(of_run, dropna=False).transform("nunique"),
                   "rungs": own["rung"].groupby(of_backend, dropna=False).transform("nunique"),
                   "taken": own["count"].groupby(of_backend, dropna=False).transform("sum")}
        rows = rows.assign(**weights).sort_values([*weights, "run", "time"], ascending=[False] * 4 + [True], kind="stable")
        return rows.drop(columns=list(weights)).drop_duplicates([*PROBLEM, "backend", "rung"])

    @functools.cached_property
    def cores(self):
        """{processor: the numbers of its cores that there are}"""
        found = {}
        for one in self.study.devices.values():
            if one["kind"] == "cpu" and one["units"]:
                found.setdefault(one["name"], set()).add(one["units"])
        return found

    def with_cores(self, run, backend, name):
        """A device's name; where there are processors of one name, with the cores that tell them apart."""
        return f"{name}, {self.study.devices[run, backend]['units']} cores" if len(self.cores.get(name, ())) > 1 else name

    def label(self, device):
        """A device as people call it: a processor with its cores, and without what all processors have in their names."""
        name, mark, number = str(device).partition(" #")
        cores = self.cores.get(name, ())
        return (re.sub(r"\((R|TM)\)| (Processor|CPU)\b", "", name) + (f", {next(iter(cores))} cores" if len(cores) == 1 else "")
                + mark + number)

    @functools.cached_property
    def standing(self):
        """One row for each that was asked for on a device, backend and rung, whatever machine, seed and eviction: of what speaks
        for its device first."""
        heads = [rows.iloc[[0]] for rows in self.headlines.values() if len(rows)]
        first = self.settled.merge(pandas.concat(heads)[PROBLEM], on=PROBLEM) if heads else self.settled
        return pandas.concat([first, self.settled], ignore_index=True).drop_duplicates(["device", "backend", "rung", *ASKED])

    @functools.cached_property
    def devices(self):
        """Names of devices, GPUs first, and of one kind those of the name with the most bandwidth reached first; of one name that
        which most was measured on."""
        found = self.right.groupby(["device", "device_kind"], sort=False)["gbs"].agg(["max", "size"]).reset_index()
        found["late"] = found["device_kind"] == "cpu"
        found["best"] = found.groupby(found["device"].str.split(" #").str[0])["max"].transform("max")
        ordered = found.sort_values(["late", "best", "size"], ascending=[True, False, False], kind="stable")
        return list(ordered["device"].drop_duplicates())

    def on(self, device):
        return self.settled[self.settled["device"] == device]

    @functools.cached_property
    def scopes(self):
        """{device: "kernel" where it has a timer of its own, else "host"}"""
        return {device: "kernel" if (self.on(device)["scope"] == "kernel").any() else "host" for device in self.devices}

    @functools.cached_property
    def headlines(self):
        """{device: the rows, libraries with them, of the problem that speaks for it}"""
        return {device: self.headline(device) for device in self.devices}

    @functools.cached_property
    def whole(self):
        """The devices, but for those with less than half of the rungs that were measured on another of their model."""
        rungs, most = {}, collections.Counter()
        for device, rows in self.headlines.items():
            rungs[device] = rows.loc[rows["sort"] == "rung", "rung"].nunique()
            most[model_of_device(device)] = max(most[model_of_device(device)], rungs[device])
        return [device for device in self.devices if 2 * rungs[device] >= most[model_of_device(device)]]

    def headline(self, device):
        """Of the problems that the most backends have measured, the largest; float sums, cold, in the device's own scope where
        there is a choice."""
        def rank(group):
            first, rungs = group.iloc[0], group[group["sort"] == "rung"]
            return (first["scope"] == self.scopes[device], first["cache"] == "cold", first["data"] == "exact",
                    rungs["backend"].nunique(), min(rungs["rung"].nunique(), 5), (first["type"], first["op"]) == ("f32", "sum"),
                    first["bytes"])

        groups = (group for _, group in self.on(device).groupby(PROBLEM, dropna=False, sort=False))
        return max((group for group in groups if (group["sort"] == "rung").any()), key=rank, default=self.on(device).iloc[:0])


def model_of_device(device):
    """What all devices of a model have in common: the second one of a name is "NVIDIA H200 #2"."""
    return device.partition(" #")[0]


def sort_of(rung, library):
    """A rung of the ladder, a library's, or what tests and trials have besides: rungs changed or wrong on purpose."""
    if re.fullmatch(r"[rc]\d\d", rung):
        return "rung"
    return "library" if library and "variant" not in rung else "variant"


def native_of(backends):
    """The model of the vendor, or of the CPU, among these; nothing where there is none."""
    return next((backend for backend in NATIVE if backend in set(backends)), None)


def ladder_order(rows):
    """Along the ladder; libraries behind it, variants last."""
    place = {"rung": 0, "library": 1, "variant": 2}
    return rows.assign(place=rows["sort"].map(place)).sort_values(["place", "rung"], kind="stable").drop(columns="place")
