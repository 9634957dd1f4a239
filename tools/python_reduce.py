#!/usr/bin/env python3
"""What people call from Python, beside the rungs: a program of its own, since no C++ program calls it.

    tools/python_reduce.py [--library numpy|torch|cupy|jax] [--sizes 2^12,2^16,2^28] [--types f32,f64] [--ops sum,min,max]
                           [--samples 41] [--records FILE]

Hot, as `ladder --cache=hot` takes it: three calls before, then as many in a row as last 20 µs on a CPU and 5 ms on a GPU, and
their mean is a sample; the median of the samples is printed. On a GPU the host waits once behind the last of them, so that at
large sizes the time is the device's, and at small ones that of a call from Python. NumPy reduces on one thread of the CPU, torch
and JAX on a GPU where they see one, CuPy on nothing else. --records appends a line of JSON for each, of kind `python`.
Exit status: 77 where the library is not installed.
"""

import argparse
import importlib
import json
import statistics
import sys
import time

TYPES = {"i8": "int8", "i32": "int32", "i64": "int64", "f16": "float16", "f32": "float32", "f64": "float64"}
ACCUMULATORS = {"i8": "int32", "i32": "int32", "f16": "float32"}  # of sums; a library's own choice may be wider
LEAST = {"cpu": 20e-6, "gpu": 5e-3}


def accumulator_of(kind):
    return ACCUMULATORS.get(kind, TYPES[kind])


def imported(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")
        sys.exit(77)


class OfArrays:
    """NumPy, and what has its words: an array with methods, types by their names."""

    def __init__(self, name):
        self.module = imported(name)
        self.version = imported(name.split(".")[0]).__version__
        self.device, self.where = "cpu", "one thread of the CPU"

    def array(self, n, kind):
        return (self.module.arange(n, dtype="int64") % 127 - 63).astype(TYPES[kind])

    def call(self, op, array, kind):
        """What is timed."""
        if op == "sum":
            accumulator = accumulator_of(kind)
            return lambda: array.sum(dtype=accumulator)
        return getattr(array, op)

    def wait(self, result):
        """Until the device has done all that was asked of it, of which `result` was the last."""


class Cupy(OfArrays):
    def __init__(self):
        super().__init__("cupy")
        name = self.module.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.device, self.where = "gpu", name

    def wait(self, result):
        self.module.cuda.get_current_stream().synchronize()


class Jax(OfArrays):
    def __init__(self):
        jax = imported("jax")
        jax.config.update("jax_enable_x64", True)
        super().__init__("jax.numpy")
        found = jax.devices()[0]
        self.device, self.where, self.compiled = "cpu" if found.platform == "cpu" else "gpu", found.device_kind, jax.jit

    def call(self, op, array, kind):
        accumulator = accumulator_of(kind)
        compiled = self.compiled((lambda x: x.sum(dtype=accumulator)) if op == "sum" else lambda x: getattr(x, op)())
        return lambda: compiled(array)

    def wait(self, result):
        result.block_until_ready()


class Torch(OfArrays):
    def __init__(self):
        super().__init__("torch")
        if self.module.cuda.is_available():
            self.device, self.where = "gpu", self.module.cuda.get_device_name(0)
        else:
            self.where = f"{self.module.get_num_threads()} threads of the CPU"

    def array(self, n, kind):
        place = "cuda" if self.device == "gpu" else "cpu"
        return (self.module.arange(n, device=place) % 127 - 63).to(getattr(self.module, TYPES[kind]))

    def call(self, op, array, kind):
        if op == "sum":
            accumulator = getattr(self.module, accumulator_of(kind))
            return lambda: array.sum(dtype=accumulator)
        return getattr(array, op)

    def wait(self, result):
        if self.device == "gpu":
            self.module.cuda.synchronize()


LIBRARIES = {"numpy": lambda: OfArrays("numpy"), "torch": Torch, "cupy": Cupy, "jax": Jax}


def seconds(library, reduce, calls):
    start = time.perf_counter()
    for _ in range(calls):
        result = reduce()
    library.wait(result)
    return time.perf_counter() - start


def samples_of(library, reduce, samples):
    seconds(library, reduce, 3)
    calls = 1
    while (took := seconds(library, reduce, calls)) < LEAST[library.device]:
        calls = max(calls + 1, int(1.1 * LEAST[library.device] / took * calls))
    return calls, [seconds(library, reduce, calls) / calls for _ in range(samples)]


def count(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent or 1)


def main():
    parser = argparse.ArgumentParser(description="Python's reductions, timed as the ladder times its own hot ones.")
    parser.add_argument("--library", choices=LIBRARIES, default="numpy")
    parser.add_argument("--sizes", default="2^12,2^16,2^20,2^24,2^28")
    parser.add_argument("--types", default="f32,f64")
    parser.add_argument("--ops", default="sum,min,max")
    parser.add_argument("--samples", type=int, default=41)
    parser.add_argument("--records", help="a file to append to")
    given = parser.parse_args()
    library = LIBRARIES[given.library]()
    print(f"{given.library} {library.version}, {library.where}, hot\n{'type':>4} {'op':>4} {'n':>12} {'time':>12} {'GB/s':>7}")
    for kind in given.types.split(","):
        for n in map(count, given.sizes.split(",")):
            array = library.array(n, kind)
            for op in given.ops.split(","):
                calls, found = samples_of(library, library.call(op, array, kind), given.samples)
                median = statistics.median(found)
                print(f"{kind:>4} {op:>4} {n:>12} {median * 1e6:>9.2f} µs {array.nbytes / median / 1e9:>7.1f}")
                if given.records:
                    with open(given.records, "a", encoding="utf-8") as file:
                        print(json.dumps({"kind": "python", "library": given.library, "version": library.version,
                                          "device": library.where, "type": kind, "op": op, "n": n, "bytes": array.nbytes,
                                          "calls": calls, "seconds": found}), file=file)


if __name__ == "__main__":
    main()
