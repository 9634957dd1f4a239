"""Machines, and how they were measured."""

from ..parts import Cell, Table, section_of
from ..text import bytes_text, listed, missing, number


def section(view):
    """A row per device and commit: number of measurements and processes, compilers."""
    study, lines = view.study, []
    measured = view.all.groupby(["run", "backend"], sort=False, as_index=False).agg(
        count=("rung", "size"), name=("device", "first"))
    measured["commit"] = [study.runs[run]["commit"] for run in measured["run"]]
    for (name, commit), some in measured.groupby(["name", "commit"], sort=False, dropna=False):
        abouts = {run: study.runs[run] for run in some["run"]}
        device, count = study.devices[tuple(some.iloc[0][["run", "backend"]])], int(some["count"].sum())
        peak, began = device["peak_gbs"], tuple(about["where"] for about in abouts.values())
        dates = sorted(str(about["date"])[:10] for about in abouts.values())
        compilers = dict.fromkeys(part["compiler"] for about in abouts.values() for part in about["build"].values()
                                  if part.get("compiler"))
        processes = sum(about["processes"] for about in abouts.values())
        lines.append({
            "device": name, "commit": str(commit), "backends": listed(some["backend"].unique()),
            "date": " to ".join(dict.fromkeys([dates[0], dates[-1]])), "processes": Cell(str(processes), processes, began),
            "measurements": Cell(str(count), count, began),
            "theoretical peak": Cell("unknown" if missing(peak) else f"{number(peak)} GB/s", peak, began),
            "source of the peak": str(device["peak_source"] or ""), "compilers": ", ".join(compilers),
            "eviction": eviction(device)})
    table = Table("machines", "Machines, and how they were measured", lines, "The command of each run is in its records.")
    return section_of("machines", "Machines", "", [table] * bool(lines))


def eviction(device):
    """How the caches are emptied before a cold sample."""
    found = device["eviction"] or {}
    if not found.get("bytes"):
        return ""
    workers = f" by {found['workers']} pinned workers" if found.get("workers") else ""
    return f"{found['kind']} of {bytes_text(found['bytes'])}{workers}" + (" (capped)" if found.get("capped") else "")
