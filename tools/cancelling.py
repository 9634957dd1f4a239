#!/usr/bin/env python3
"""cancelling.py FILE [--elements=268435456] [--condition=1e8] [--seed=1]

Writes floats that nearly cancel, shuffled, as a .npy file: numbers of the normal distribution and the same with the other sign,
of which a thousand are exchanged for ones that make the exact sum s such that the sum of all magnitudes is `condition` times |s|.
Prints what that condition number came out as. Needs numpy, and five times the memory of the file.
"""

import argparse
import math
import sys

import numpy as np

CHANGED = 1000


def cancelling(elements, condition, seed):
    """(the floats, their exact sum)"""
    random = np.random.Generator(np.random.SFC64(seed))
    half = random.standard_normal(elements // 2, dtype=np.float32)
    x = np.concatenate([half, -half])
    random.shuffle(x)
    wanted = float(np.abs(x).sum(dtype=np.float64)) / condition
    rest = -math.fsum(x[:CHANGED].tolist())  # all together are 0
    x[:CHANGED] = np.float32((wanted - rest) / CHANGED)
    return x, math.fsum([*x[:CHANGED].tolist(), rest])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--elements", type=int, default=1 << 28)
    parser.add_argument("--condition", type=float, default=1e8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.elements < 2 * CHANGED or options.elements % 2:
        sys.exit(f"cancelling: an even number of elements, {2 * CHANGED} at least, not {options.elements}")
    x, exact = cancelling(options.elements, options.condition, options.seed)
    np.save(options.file, x)
    print(f"{options.file}: {len(x)} floats, condition number {float(np.abs(x).sum(dtype=np.float64)) / abs(exact):.4g}")


if __name__ == "__main__":
    main()
