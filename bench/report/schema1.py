"""Records of schema 1 as schema 2 has them: the only place that knows what older records say in words or leave to be known.

Before schema 2 each backend described its device itself, what was evicted and which floor it is stood in prose, and the family
and the traits of a rung, the axes and the types were known to the program alone.
"""

import csv
import pathlib
import re

AXES = ["block", "grid", "items", "workers"]
TYPES = {"i32": {"words": "int32", "bytes": 4}, "i64": {"words": "int64", "bytes": 8},
         "f32": {"words": "float", "bytes": 4}, "f64": {"words": "double", "bytes": 8}}
with open(pathlib.Path(__file__).with_name("schema1.csv"), encoding="utf-8") as lines:  # items: per thread, where it is no axis
    RUNGS = {line["rung"]: line for line in csv.DictReader(lines)}
NAN_PROPAGATES = {"library_reduce", "library_std_reduce", "library_openblas"}  # of the libraries
UNITS = {"B": 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
DEVICE = ["name", "kind", "peak_gbs", "peak_source", "last_level_cache", "memory_bytes", "units"]


def converted(record, spaces):
    """A record of schema 1 as one of schema 2. `spaces`: {backend: memory space} of its run."""
    converters = {"run": run, "measurement": measurement, "floor": floor, "conditions": conditions, "ceiling": ceiling}
    return converters[record["kind"]](record, spaces) if record["kind"] in converters else record


def evicted(text):
    """Bytes read to evict, of "ordinary reads of 240.00 MiB, four times the L2 cache" or "... of 251658240 bytes (...)"."""
    found = re.search(r"([\d.]+) (bytes|[KMG]iB|B)\b", text or "")
    return round(float(found[1]) * UNITS[found[2]]) if found else None


def run(record, _):
    devices, models = {}, {}
    for old in record.get("devices", []):
        space, facts = old["memory_space"], old.get("facts") or {}
        device = devices.setdefault(space, {"space": space, "backends": [], **{name: old.get(name) for name in DEVICE},
                                            "eviction": eviction(old), "facts": facts})
        device["backends"].append(old["backend"])
        if device["peak_gbs"] is None:
            device |= {"peak_gbs": old.get("peak_gbs"), "peak_source": old.get("peak_source")}
        models[old["backend"]] = {name: fact for name, fact in facts.items() if device["facts"].get(name) != fact}
    flags, compilers = record.get("flags") or {}, record.get("compilers") or {}
    build = {"cxx": {"compiler": compilers.get("cxx", ""), "flags": flags.get("cxx", ""), "cpu_arch": flags.get("cpu_arch", "")}}
    if compilers.get("cuda"):
        build["cuda"] = {"compiler": compilers["cuda"], "flags": flags.get("cuda", ""),
                         "architectures": flags.get("cuda_architectures", "")}
    build |= {model: record[model] for model in ("hip", "kokkos") if (record.get(model) or {}).get("version")}
    gone = ("compilers", "flags", "hip", "kokkos")
    kept = {name: value for name, value in record.items() if name not in gone}
    return {"seed": None, "data_file": "", **kept, "schema": 2, "build": build, "axes": AXES, "types": TYPES,
            "devices": list(devices.values()), "models": models}


def eviction(device):
    text, cache = device.get("eviction") or "", device.get("last_level_cache")
    count, workers = evicted(text), re.search(r"by (\d+) pinned", text)
    return {"kind": "reads", "bytes": count, "workers": int(workers[1]) if workers else None,
            "capped": bool(count and cache and count < 4 * cache)}


def measurement(record, spaces):
    rung, library = record["rung"], record["library"]
    cold, read = record["cache"] == "cold", record.get("evicted_bytes")
    read = evicted(record.get("eviction")) if read is None else read
    known = RUNGS.get(rung, {})
    more = {"space": spaces.get(record["backend"]), "family": known.get("family"), "atomic": known.get("atomic") == "yes",
            "nan": "unspecified" if library and rung not in NAN_PROPAGATES else "propagates", "blocks": blocks(record),
            "eviction": "reads" if cold else None, "evicted_bytes": read if cold else 0}
    return {**dict.fromkeys(AXES), **record, **more}


def blocks(record):
    """Blocks of the launch that moves the most; nothing where the grid's limit may be above what there was to do."""
    block, grid, n = record.get("block"), record.get("grid"), record["n"]
    if not block:
        return None
    if grid:
        return grid if 16 * block * grid <= n else None
    items = record.get("items") or int(RUNGS.get(record["rung"], {}).get("items") or 1)
    return -(-n // (block * items))


def floor(record, spaces):
    what = "clock" if "pair" in record["what"] else "launch"  # an event pair, two readings of the clock; an empty launch
    return {**record, "space": spaces.get(record.get("backend")), "what": what}


def conditions(record, spaces):
    return {"seconds": None, **record, "space": spaces.get(record.get("backend"))}


def ceiling(record, _):
    """Its configuration in the words of today."""
    text = (record.get("configuration") or "").replace("loads a thread", "loads per thread")
    return {**record, "configuration": text.replace("blocks a multiprocessor", "blocks per SM")}
