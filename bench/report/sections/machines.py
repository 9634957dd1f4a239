"""What was measured where, and how."""

from ..parts import Cell, Section, Table
from ..text import bytes_text, missing, number


def section(view):
    """One row for each run and backend; runs of one command and device (repeated trials) share one."""
    lines, study = {}, view.study
    measured = view.rows.groupby(["run", "backend"]).size()
    for (run, backend), device in study.devices.items():
        if (run, backend) in measured:
            about = study.runs[run]
            key = backend, device["name"], " ".join(about["command"]).replace("./", ""), about["commit"]
            lines.setdefault(key, []).append((about, device, measured[run, backend]))
    rows = []
    for (backend, name, command, commit), some in lines.items():
        about, device, _ = some[0]
        peak = device["peak_gbs"]
        began = tuple(one["where"] for one, _, _ in some)
        taken = sum(one["processes"] for one, _, _ in some)
        count = int(sum(many for *_, many in some))
        compilers = dict.fromkeys(part["compiler"] for part in about.get("build", {}).values() if part.get("compiler"))
        rows.append([
            Cell(backend, backend), Cell(str(name)), Cell("unknown" if missing(peak) else f"{number(peak)} GB/s", peak, began),
            Cell(str(device["peak_source"] or "")), Cell(str(about["date"])[:10]), Cell(str(commit)),
            Cell(str(taken), taken, began), Cell(str(count), count, began), Cell(", ".join(compilers)),
            Cell(eviction(device)), Cell(command)])
    table = Table("machines", "Machines, and how they were measured", [
        "backend", "device", "theoretical peak", "source of the peak", "date", "commit", "processes", "measurements",
        "compilers", "eviction", "command"], rows)
    return Section("machines", "Machines", "", [table])


def eviction(device):
    """What empties the caches before a cold sample."""
    found = device["eviction"] or {}
    if not found.get("bytes"):
        return ""
    workers = f" by {found['workers']} pinned workers" if found.get("workers") else ""
    return f"{found['kind']} of {bytes_text(found['bytes'])}{workers}" + (" (capped)" if found.get("capped") else "")
