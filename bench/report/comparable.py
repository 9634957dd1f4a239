"""What may stand in one ratio.

Two measurements are of one problem where machine, device, elements, type, operation, data, cache state, what was evicted and
scope are the same. Where they come from one process besides, their ratio is `interleaved`: both were sampled in turn, under
the same clocks. Else it is of `separate processes`, and said to be.
"""

import re

import pandas

PROBLEM = ["machine", "device", "type", "op", "n", "data", "seed", "cache", "evicted", "scope"]
ASKED = ["type", "op", "n", "data", "cache", "scope"]  # of these what was asked for; the others are as they came
TUNING = ["block", "grid", "items", "workers"]
UNITS = {"B": 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def same_problem(one, other):
    """Whether two rows are of one problem; what is known of neither is the same."""
    return all(one[name] == other[name] or (pandas.isna(one[name]) and pandas.isna(other[name])) for name in PROBLEM)


def of_problem(rows, row):
    """Those of the rows that are of the row's problem."""
    for name in PROBLEM:
        rows = rows[rows[name].isna() if pandas.isna(row[name]) else rows[name] == row[name]]
    return rows


def evicted_bytes(count, text):
    """How much was read to evict. Records without the field say it in their backend's words: "240.00 MiB", "251658240 bytes"."""
    if count is not None and count == count:
        return int(count)
    found = re.search(r"([\d.]+) (bytes|[KMG]iB|B)\b", text or "")
    return round(float(found[1]) * UNITS[found[2]]) if found else None


def machine_of(run):
    """One machine from another, as far as a run tells: there is no name of a host in the records."""
    machine = run.get("machine") or {}
    return " ".join(str(machine[name]) for name in ("system", "release", "architecture") if name in machine)


def with_problem(study):
    """The measurements, with the columns of PROBLEM and the device's facts beside each."""
    rows = study.measurements.copy()
    devices = study.devices.reset_index()[["run", "backend", "name", "kind", "memory_space", "peak_gbs", "units"]]
    rows = rows.merge(devices.rename(columns={"name": "device", "kind": "device_kind"}), on=["run", "backend"], how="left")
    rows["machine"] = [machine_of(study.runs.loc[run]) for run in rows["run"]]
    # Hot: nothing is evicted, whatever the backend would do when cold.
    rows["evicted"] = [evicted_bytes(count, text) if cache == "cold" else 0
                       for count, text, cache in zip(rows["evicted_bytes"], rows["eviction"], rows["cache"])]
    rows[["evicted", "seed"]] = rows[["evicted", "seed"]].apply(pandas.to_numeric)  # NaN where it is not known
    rows["gbs"] = rows["bytes"] / rows["median"] / 1e9
    rows["of_peak"] = rows["gbs"] / rows["peak_gbs"].astype(float)
    rows["name"] = [f"{rung}_{slug}" if slug else rung for rung, slug in zip(rows["rung"], rows["slug"])]
    return rows.merge(ceilings_of(study), on=["run", "memory_space", "bytes", "cache"], how="left").assign(
        of_ceiling=lambda all: all["gbs"] / all["ceiling_gbs"])


def ceilings_of(study):
    """The best read-only sweep at each byte count and cache state of a device in a run, and the line that has it."""
    names = {"space": "memory_space", "gbs": "ceiling_gbs", "where": "ceiling_where"}
    columns = ["run", "space", "bytes", "cache", "gbs", "where"]
    if study.ceilings.empty:
        return study.ceilings.reindex(columns=columns).rename(columns=names)
    return (study.ceilings[columns].sort_values("gbs").drop_duplicates(["run", "space", "bytes", "cache"], keep="last")
            .rename(columns=names))
