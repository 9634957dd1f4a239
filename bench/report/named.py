"""Display names of a record and its run: machine, device, rung, tuning, data file, CUB version."""

import pathlib
import re


def data(run, record):
    """Name of the data file; empty for generated data."""
    return pathlib.PurePath(str(run.get("data_file") or "")).name if record["data"] == "file" else ""


def machine(run, device):
    """Identifies a machine and its GPU, as far as the run records it: two GPUs of one model differ. Records without identities
    use the system's description."""
    told = run.get("machine") or {}
    host = told.get("id") or " ".join(str(told[name]) for name in ("system", "release", "architecture") if name in told)
    return " ".join(dict.fromkeys([host, device.get("id") or ""])).strip()


def device(device):
    """Name of a device; for a processor without the generic parts of its name, and with its number of cores."""
    if device["kind"] != "cpu" or not device.get("units"):
        return device["name"]
    return re.sub(r"\((R|TM)\)| (Processor|CPU)\b", "", device["name"]) + f", {device['units']} cores"


def tuning(record, axes):
    """The record's tuning axes: "block 256, grid 1056"."""
    return ", ".join(f"{axis} {record[axis]}" for axis in axes if record.get(axis) is not None)


def rung(record):
    return f"{record['rung']}_{record['slug']}" if record.get("slug") else record["rung"]


def cub(run, rung):
    """CUB version of a CUB rung, else empty: the toolkit's, or for rungs with the other modes that of the newer CCCL."""
    if not rung.startswith("library_cub"):
        return ""
    build = (run.get("build") or {}).get("cuda") or {}
    if rung.endswith(("newest", "reproducible", "not_guaranteed")):
        return build.get("cccl_of_modes", "")
    toolkit = re.search(r"\d+\.\d+", build.get("compiler", ""))  # older records lack the toolkit's CCCL version
    return build.get("cccl") or (f"of CUDA {toolkit[0]}" if toolkit else "")
