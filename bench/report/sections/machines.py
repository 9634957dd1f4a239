"""What was measured where, and how."""

import pandas

from ..parts import Cell, Section, Table


def section(view):
    """One row for each run and backend; runs of one command and device (repeated trials) share one."""
    lines = {}
    study = view.study
    for (run, backend), device in study.devices.iterrows():
        about = study.runs.loc[run]
        of_it = view.rows[(view.rows["run"] == run) & (view.rows["backend"] == backend)]
        if of_it.empty:
            continue
        command = " ".join(about["command"]).replace("./", "")
        key = backend, device["name"], command, about["commit"]
        lines.setdefault(key, []).append((about, device, of_it))
    rows = []
    for (backend, name, command, commit), some in lines.items():
        about, device, of_it = some[0]
        peak = device["peak_gbs"]
        known = bool(peak) and not pandas.isna(peak)
        began = tuple(one["where"] for one, _, _ in some)
        count = sum(len(one) for _, _, one in some)
        rows.append([
            Cell(backend, backend), Cell(str(name)), Cell(f"{peak:.0f} GB/s" if known else "unknown", peak if known else None, began),
            Cell(str(device["peak_source"] or "")), Cell(str(about["date"])[:10]), Cell(str(commit)), Cell(str(len(some)), len(some), began),
            Cell(str(count), count, began), Cell(compilers(about)), Cell(str(of_it["eviction"].iloc[0] or "")), Cell(command)])
    table = Table("machines", "Machines, and how they were measured", [
        "backend", "device", "theoretical peak", "source of the peak", "date", "commit", "processes", "measurements", "compilers", "eviction",
        "command"], rows)
    return Section("machines", "Machines", "", [table])


def compilers(about):
    found = about.get("compilers")
    return ", ".join(value for value in found.values() if value) if isinstance(found, dict) else ""
