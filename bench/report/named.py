"""Display names of a run's machine, devices and libraries."""

import re

NATIVE = ["cuda", "hip", "cpu"]  # baselines of portable models: the first one on the device


def machine(run, device):
    """Identifies a machine and its GPU, as far as the run records it: two GPUs of one model differ. Records without identities
    use the system's description."""
    told = run["machine"]
    host = told.get("id") or " ".join(str(told[name]) for name in ("system", "release", "architecture") if name in told)
    return " ".join(dict.fromkeys([host, device.get("id") or ""])).strip()


def device(device):
    """Name of a device; for a processor without the generic parts of its name, and with its number of cores."""
    cores = device.get("units")
    if device["kind"] != "cpu" or not cores:
        return device["name"]
    return re.sub(r"\((R|TM)\)| (Processor|CPU)\b", "", device["name"]) + f", {cores} core{'s' * (cores != 1)}"


def cub(run, rung):
    """CUB version of a CUB rung, else empty: the toolkit's, or for rungs with the other modes that of the newer CCCL."""
    if not rung.startswith("library_cub"):
        return ""
    build = run["build"].get("cuda", {})
    if rung.endswith(("newest", "reproducible", "not_guaranteed")):
        return build.get("cccl_of_modes", "")
    toolkit = re.search(r"\d+\.\d+", build.get("compiler", ""))  # older records lack the toolkit's CCCL version
    return build.get("cccl") or (f"of CUDA {toolkit[0]}" if toolkit else "")
