"""What a record is called, with what its run says: its machine, rung, tuning, file of data, version of CUB."""

import pathlib
import re


def data(run, record):
    """The name of the file that the data is from; empty where it is generated."""
    return pathlib.PurePath(str(run.get("data_file") or "")).name if record["data"] == "file" else ""


def machine(run, device):
    """One machine from another, as far as a run tells: two GPUs of one model are two. Records before the identities tell what
    the system is."""
    told = run.get("machine") or {}
    host = told.get("id") or " ".join(str(told[name]) for name in ("system", "release", "architecture") if name in told)
    return " ".join(dict.fromkeys([host, device.get("id") or ""])).strip()


def tuning(record, axes):
    """The axes that a record has: "block 256, grid 1056"."""
    return ", ".join(f"{axis} {record[axis]}" for axis in axes if record.get(axis) is not None)


def rung(record):
    return f"{record['rung']}_{record['slug']}" if record.get("slug") else record["rung"]


def cub(run, rung):
    """CUB's version, of a rung that is CUB's: the toolkit's, or that of the newer CCCL, which has the other modes; else empty."""
    if not rung.startswith("library_cub"):
        return ""
    build = (run.get("build") or {}).get("cuda") or {}
    if rung.endswith(("newest", "reproducible", "not_guaranteed")):
        return build.get("cccl_of_modes", "")
    toolkit = re.search(r"\d+\.\d+", build.get("compiler", ""))  # what records say before they have the toolkit's CCCL
    return build.get("cccl") or (f"of CUDA {toolkit[0]}" if toolkit else "")
