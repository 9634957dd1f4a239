"""Makes records of one run or several processes on one GPU with two backends."""

import copy
import json

RUN = {"kind": "run", "run": "r1", "schema": 2, "date": "2026-01-02T03:04:05Z", "command": ["ladder"], "commit": "0123456789",
       "build": {"cxx": {"compiler": "GNU 12"}},
       "machine": {"system": "Linux", "release": "6", "architecture": "x86_64"}, "axes": ["block", "grid", "items", "workers"],
       "types": {name: {"words": words, "bytes": size} for name, words, size in (
           ("i32", "int32", 4), ("i64", "int64", 8), ("f32", "float", 4), ("f64", "double", 8))},
       "devices": [{"space": "cuda:0", "backends": ["cuda", "hip"], "name": "A GPU", "kind": "gpu", "peak_gbs": 1000.0,
                    "peak_source": "made up", "units": 10, "eviction": {"kind": "reads", "bytes": 240 << 20}}]}
SLUGS = {"r02": "interleaved_divergent", "r03": "interleaved_strided", "r04": "sequential_addressing"}
# Each changes the problem of a measurement, or makes it not comparable.
DIFFERENT = ({"n": 1 << 19}, {"scope": "host"}, {"cache": "hot"}, {"type": "f64"}, {"op": "min"}, {"data": "normal"}, {"seed": 2},
             {"evicted_bytes": 120 << 20})


def records(run="r1", medians=None, **fields):
    """Run record, and a measurement with samples and summary for each {(backend, rung): seconds}."""
    medians = medians or {("cuda", "r02"): 4e-3, ("cuda", "r03"): 2e-3, ("hip", "r02"): 5e-3, ("hip", "r03"): 2e-3}
    lines = [copy.deepcopy(RUN) | {"run": run}]
    lines.append({"kind": "ceiling", "run": run, "space": "cuda:0", "bytes": 1 << 20, "cache": "cold", "gbs": 900.0,
                  "configuration": "made up"})
    for (backend, rung), median in medians.items():
        name = f"{backend}-{rung}"
        lines.append({"kind": "measurement", "run": run, "id": name, "backend": backend, "rung": rung,
                      "slug": SLUGS.get(rung, rung), "library": rung.startswith("library"), "type": "f32", "op": "sum",
                      "n": 1 << 18, "scope": "kernel", "cache": "cold", "data": "exact", "seed": 1, "bytes": 1 << 20,
                      "block": 256, "grid": None, "items": None, "workers": None, "family": "trees", "eviction": "reads",
                      "evicted_bytes": 240 << 20} | fields)
        for index in range(5):
            lines.append({"kind": "sample", "run": run, "id": name, "index": index, "seconds": median, "ok": True})
        lines.append({"kind": "summary", "run": run, "id": name, "count": 5, "wrong": 0, "failed": 0, "error": None,
                      "median": median, "p5": median * 0.9, "p95": median * 1.1, "uncertainty": 1e-4,
                      "step": {"versus": "r02", "factor": 1.0} if rung == "r03" else None})
    return lines


def run_of(run, *rows):
    """Run with these measurements: (backend, rung, seconds, fields that differ from records())."""
    lines = records(run)[:2]
    for number, (backend, rung, median, fields) in enumerate(rows):
        fields = ({"bytes": 4 * fields["n"]} if "n" in fields else {}) | fields
        lines += [line | {"id": str(number)} for line in records(run, {(backend, rung): median}, **fields)[2:]]
    return lines


def processes(*medians, run="p", **fields):
    """Records of a study with a process for each of `medians`, as records() takes them."""
    lines = []
    for index, own in enumerate(medians, 1):
        some = records(f"{run}{index}", own, **fields)
        some[0]["process"] = {"index": index, "of": len(medians), "group": f"{run}1"}
        lines += some
    return lines


def energy(run="e1", rungs=None, rounds=3, **fields):
    """Run record, and the rounds of energy of each {(backend, rung): [(watts, GB/s)]}."""
    rungs = rungs or {("cuda", "r02"): [(400, 800), (404, 800), (396, 800)],
                      ("hip", "r03"): [(300, 1000), (300, 1000), (330, 1000)]}
    lines = [copy.deepcopy(RUN) | {"run": run, "process": {"index": 1, "of": 1, "group": run, "places": 0}}]
    for (backend, rung), found in rungs.items():
        for index, (watts, gbs) in enumerate(found, 1):
            lines.append({"kind": "energy", "run": run, "id": f"{backend}-{rung}", "backend": backend, "space": "cuda:0",
                          "rung": rung, "slug": SLUGS[rung], "type": "f32", "op": "sum", "n": 1 << 30, "block": 256,
                          "grid": None, "items": None, "workers": None, "data": "exact", "bytes": 1 << 32, "round": index,
                          "rounds": rounds, "source": "a made up counter", "step_seconds": 0.1, "idle_watts": 100.0, "ok": True,
                          "error": None, "watts": float(watts), "uncertainty": 0.001, "gbs": float(gbs),
                          "joules_per_gb": watts / gbs} | fields)
    return lines


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
