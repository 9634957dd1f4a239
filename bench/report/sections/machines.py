"""What was measured where, and how."""

from ..parts import Cell, Section, Table
from ..text import bytes_text, listed, missing, number


def section(view):
    """One row for each device and commit: what was measured there, by how many processes, with which compilers."""
    lines, study = {}, view.study
    measured = view.rows.groupby(["run", "backend"]).agg(count=("rung", "size"), device=("device", "first"))
    for (run, backend), device in study.devices.items():
        if (run, backend) in measured.index:
            about, (count, name) = study.runs[run], measured.loc[run, backend]
            lines.setdefault((name, about["commit"]), []).append((run, backend, about, device, count))
    rows = []
    for (name, commit), some in lines.items():
        abouts, (*_, device, _) = {run: about for run, _, about, *_ in some}, some[0]
        peak, began = device["peak_gbs"], tuple(about["where"] for about in abouts.values())
        dates = sorted(str(about["date"])[:10] for about in abouts.values())
        compilers = dict.fromkeys(part["compiler"] for about in abouts.values() for part in about.get("build", {}).values()
                                  if part.get("compiler"))
        processes, count = sum(about["processes"] for about in abouts.values()), int(sum(many for *_, many in some))
        rows.append([
            Cell(view.label(name), name), Cell(str(commit)), Cell(listed(dict.fromkeys(backend for _, backend, *_ in some))),
            Cell(" to ".join(dict.fromkeys([dates[0], dates[-1]]))), Cell(str(processes), processes, began),
            Cell(str(count), count, began), Cell("unknown" if missing(peak) else f"{number(peak)} GB/s", peak, began),
            Cell(str(device["peak_source"] or "")), Cell(", ".join(compilers)), Cell(eviction(device))])
    table = Table("machines", "Machines, and how they were measured", [
        "device", "commit", "backends", "date", "processes", "measurements", "theoretical peak", "source of the peak",
        "compilers", "eviction"], rows, "The command of each run is in its records.")
    return Section("machines", "Machines", "", [table])


def eviction(device):
    """What empties the caches before a cold sample."""
    found = device["eviction"] or {}
    if not found.get("bytes"):
        return ""
    workers = f" by {found['workers']} pinned workers" if found.get("workers") else ""
    return f"{found['kind']} of {bytes_text(found['bytes'])}{workers}" + (" (capped)" if found.get("capped") else "")
