#!/usr/bin/env python3
"""NumPy's reductions beside the CPU's rungs: a program of its own, since no C++ program calls them.

    tools/numpy_reduce.py [--sizes 2^12,2^16,2^28] [--types f32,f64] [--ops sum,min,max] [--samples 41] [--records FILE]

Hot, as `ladder --cache=hot` takes it: three calls before, then as many in a row as last 20 µs, and their mean is a sample; the
median of the samples is printed. NumPy reduces on one thread. --records appends a line of JSON for each, of kind `numpy`.
"""

import argparse
import json
import statistics
import sys
import time

try:
    import numpy
except ImportError:
    print("numpy is not installed")
    sys.exit(77)

TYPES = {"i8": numpy.int8, "i32": numpy.int32, "i64": numpy.int64, "f16": numpy.float16, "f32": numpy.float32,
         "f64": numpy.float64}
ACCUMULATORS = {"i8": numpy.int32, "i32": numpy.int32, "f16": numpy.float32}  # of sums; NumPy's own choice may be wider
LEAST = 20e-6


def count(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent or 1)


def call(op, array, kind):
    """What is timed."""
    if op == "sum":
        accumulator = ACCUMULATORS.get(kind)
        return lambda: array.sum(dtype=accumulator)
    return getattr(array, op)


def seconds(reduce, calls):
    start = time.perf_counter()
    for _ in range(calls):
        reduce()
    return time.perf_counter() - start


def samples_of(reduce, samples):
    for _ in range(3):
        reduce()
    calls = 1
    while (took := seconds(reduce, calls)) < LEAST:
        calls = max(calls + 1, int(1.1 * LEAST / took * calls))
    return calls, [seconds(reduce, calls) / calls for _ in range(samples)]


def main():
    parser = argparse.ArgumentParser(description="NumPy's reductions, timed as the ladder times its own hot ones.")
    parser.add_argument("--sizes", default="2^12,2^16,2^20,2^24,2^28")
    parser.add_argument("--types", default="f32,f64")
    parser.add_argument("--ops", default="sum,min,max")
    parser.add_argument("--samples", type=int, default=41)
    parser.add_argument("--records", help="a file to append to")
    given = parser.parse_args()
    print(f"NumPy {numpy.__version__}, one thread, hot\n{'type':>4} {'op':>4} {'n':>12} {'time':>12} {'GB/s':>7}")
    for kind in given.types.split(","):
        for n in map(count, given.sizes.split(",")):
            array = (numpy.arange(n, dtype=numpy.int64) % 127 - 63).astype(TYPES[kind])
            for op in given.ops.split(","):
                calls, found = samples_of(call(op, array, kind), given.samples)
                median = statistics.median(found)
                print(f"{kind:>4} {op:>4} {n:>12} {median * 1e6:>9.2f} µs {array.nbytes / median / 1e9:>7.1f}")
                if given.records:
                    with open(given.records, "a", encoding="utf-8") as file:
                        print(json.dumps({"kind": "numpy", "numpy": numpy.__version__, "type": kind, "op": op, "n": n,
                                          "bytes": array.nbytes, "calls": calls, "seconds": found}), file=file)


if __name__ == "__main__":
    main()
