#!/usr/bin/env python3
"""Compares the machine code of rungs: HIP's on NVIDIA with CUDA's, or an old build with a new one.

    tools/same_code.py --ladder build/nvidia/bench/ladder
    tools/same_code.py --before OLD --after NEW [--model cuda|hip|kokkos]

cuobjdump disassembles the programs; without the CUDA toolkit PyPI's nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm will do,
with their bin/ in PATH. Kernels are compared instruction by instruction with their operands, ignoring addresses. The first form
compares each kernel of a HIP rung with that of the CUDA rung of the same name, type, operation and block.

The second form compares each kernel of each rung in NEW, an executable, library or object file, with that in OLD. Both must be
built by the same compiler for one GPU architecture. Kernels are matched by name; if the name of an argument's type changed, by
equal code within the rung. Names are printed as they are in the code: `| c++filt` makes them readable. Exit status: 0 all are
equal; 1 some differ, or exist on one side only; 2 not possible.

docs/data/machine_code.csv has the second form's results for commits with records, so that tables can mark older code.
"""

import argparse
import collections
import re

from sass import kernels_of, rung_of
from shared import Failure, ended

# nvcc's name for a file's unnamed namespace: a number, the file's name with its length, another number.
OWN = re.compile(r"_GLOBAL__N__[0-9a-f]{8}_(\d+)_")


def without_own_namespaces(name):
    """The mangled name without file-specific namespaces, so that equal kernels of different files or builds match."""
    while found := OWN.search(name):
        length = found.end() + int(found[1]) + len("_01234567") - found.start()
        name = name[:found.start() - len(str(length))] + "5_own_" + name[found.start() + length:]
    return name


def place_of(name):
    """(model, rung, name without file-specific parts) of a rung's kernel."""
    found = rung_of(name)
    return (*found, without_own_namespaces(name)) if found else None


def by_rung(kernels, model=None):
    """{(model, rung): {name: (predicates, opcodes and operands)}} for the kernels of all rungs, or of one model."""
    found = collections.defaultdict(dict)
    for name, kernel in kernels.items():
        place = place_of(name)
        if place and model in (None, place[0]):
            found[place[:2]][place[2]] = [line[1:] for line in kernel]
    return found


def beside(kernels):
    """(CUDA's kernels of the rungs that HIP has, under HIP's names; HIP's kernels), both as returned by by_rung."""
    hip = by_rung(kernels, "hip")
    cuda = {("hip", rung): {name.replace("6ladder4cuda", "6ladder3hip"): code for name, code in found.items()}
            for (_, rung), found in by_rung(kernels, "cuda").items() if ("hip", rung) in hip}
    return cuda, hip


def changes(old, new):
    """Yields (model, rung, number of kernels now, number with the same code, [(old name, new name)] of the others) per rung;
    None replaces the name of a kernel that only one side has."""
    for place in sorted(old.keys() | new.keys()):
        left, right = old.get(place, {}), new.get(place, {})
        different = [(name, name) for name in left.keys() & right.keys() if left[name] != right[name]]
        gone = sorted(left.keys() - right.keys())
        for name in sorted(right.keys() - left.keys()):
            renamed = next((one for one in gone if left[one] == right[name]), None)
            if renamed:
                gone.remove(renamed)
            else:
                different.append((None, name))
        same = len(right) - len(different)
        yield *place, len(right), same, sorted([*different, *((name, None) for name in gone)], key=str)


def told(found):
    """Prints the output of `changes`; returns True if all code is the same."""
    for model, rung, kernels, same, different in found:
        print(f"{model:6} {rung}  {same} of {kernels} kernels are the same code")
        for ours, theirs in different:
            what = "differs" if ours and theirs else f"only {'before' if ours else 'after'}"
            print(f"    {what}: {ours or theirs}")
    same, kernels = (sum(row[i] for row in found) for i in (3, 2))
    differing = sum(len(row[4]) for row in found)
    print(f"{same} of {kernels} in all" + (f"; {differing} differ or are on one side alone" if differing else ""))
    return not differing


def main():
    parser = argparse.ArgumentParser(description="The machine code of HIP's rungs beside CUDA's, or of two builds.")
    parser.add_argument("--ladder", help="the built program, with CUDA (before) and HIP (after) in it")
    parser.add_argument("--before", help="the old build's program, library or object file")
    parser.add_argument("--after", help="the new build's")
    parser.add_argument("--model", choices=("cuda", "hip", "kokkos"), help="with --after: this model alone")
    arguments = parser.parse_args()
    if bool(arguments.before) != bool(arguments.after) or bool(arguments.ladder) == bool(arguments.before):
        parser.error("one of --ladder, or --before with --after")
    if arguments.ladder:
        sides = beside(kernels_of(arguments.ladder))
    else:
        sides = (by_rung(kernels_of(file), arguments.model) for file in (arguments.before, arguments.after))
    found = list(changes(*sides))
    if not found:
        raise Failure("there are no kernels of the rungs to compare")
    return 0 if told(found) else 1


if __name__ == "__main__":
    ended(main)
