#!/usr/bin/env python3
"""cancelling.py FILE [--elements=268435456] [--condition=1e8] [--type=f32|f16|bf16] [--seed=1]

Writes numbers that nearly cancel, shuffled: numbers of the normal distribution and the same with the other sign, of which a few
are exchanged so that the sum of all magnitudes is `condition` times the exact sum. A .npy file; of bf16, which such a file cannot
hold, the bare 16 bits of each. Prints the exact sum and what its condition number came out as. Needs numpy, and five times the
memory of the file.

Of floats a thousand are exchanged for one value, as long as a thousand of a float's steps are small beside the sum. Past that (a
condition number of about 1e10), and of types of 16 bits, a pair is exchanged for the sum and a zero; more pairs where the sum is
larger than any number among them. Halves are 4096 times as large as others, or a sum of theirs could not be as small as 1e16 asks
for: their least number is 6e-8.
"""

import argparse
import math
import sys

import numpy as np

CHANGED = 1000
TYPES = ("f32", "f16", "bf16")
LARGER = {"f16": np.float32(4096)}  # their numbers: all below 30000, and the largest half is 65504
LEAST = {"f32": 2.0 ** -126, "f16": 2.0 ** -24, "bf16": 2.0 ** -126}


def rounded(x, kind):
    """Floats that the type has, the nearest ones; of bf16, the upper half of a float, ties to even."""
    if kind == "f16":
        return x.astype(np.float16).astype(np.float32)
    if kind == "bf16":
        bits = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32)
        return ((bits + np.uint32(0x7FFF) + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return x


def magnitudes(x):
    return float(np.abs(x).sum(dtype=np.float64))


def by_a_thousand(x, condition):
    """Floats whose sum is made by a thousand of them, and the exact sum."""
    wanted = magnitudes(x) / condition
    rest = -math.fsum(x[:CHANGED].tolist())  # all together are 0
    x[:CHANGED] = np.float32((wanted - rest) / CHANGED)
    return x, math.fsum([*x[:CHANGED].tolist(), rest])


def by_pairs(half, condition, kind):
    """These numbers and their opposites, of which as many as it takes are parts of the sum and zeros; the sum."""
    wanted = magnitudes(half) * 2 / (condition - 1)
    parts = math.ceil(wanted / float(np.abs(half).max()))  # none is larger than the others
    wanted -= magnitudes(half[:parts]) * 2 / (condition - 1)
    part = rounded(np.array([wanted / parts], dtype=np.float32), kind)[0]
    x = np.concatenate([half, -half])
    x[:parts], x[len(half):len(half) + parts] = part, 0
    return x, parts * float(part)


def cancelling(elements, condition, seed, kind="f32"):
    """(the numbers as floats, their exact sum)"""
    random = np.random.Generator(np.random.SFC64(seed))
    half = rounded(random.standard_normal(elements // 2, dtype=np.float32) * LARGER.get(kind, np.float32(1)), kind)
    if kind == "f32":
        x = np.concatenate([half, -half])
        random.shuffle(x)
        x, exact = by_a_thousand(x, condition)
        if exact != 0 and abs(magnitudes(x) / abs(exact) / condition - 1) < 0.02:
            return x, exact
    if 2 * magnitudes(half) / condition < LEAST[kind]:
        sys.exit(f"cancelling: no {kind} is as small as the sum of {elements} would have to be for {condition:g}")
    x, exact = by_pairs(half, condition, kind)
    random.shuffle(x)
    return x, exact


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--elements", type=int, default=1 << 28)
    parser.add_argument("--condition", type=float, default=1e8)
    parser.add_argument("--type", choices=TYPES, default="f32")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.elements < 2 * CHANGED or options.elements % 2:
        sys.exit(f"cancelling: an even number of elements, {2 * CHANGED} at least, not {options.elements}")
    x, exact = cancelling(options.elements, options.condition, options.seed, options.type)
    if options.type == "bf16":
        (x.view(np.uint32) >> 16).astype("<u2").tofile(options.file)
    else:
        np.save(options.file, x.astype(np.float16) if options.type == "f16" else x)
    words = {"f32": "floats", "f16": "halves", "bf16": "bfloat16"}[options.type]
    print(f"{options.file}: {len(x)} {words}, exact sum {exact!r}, condition number {magnitudes(x) / abs(exact):.4g}")


if __name__ == "__main__":
    main()
