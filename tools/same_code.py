#!/usr/bin/env python3
"""Compares the machine code of rungs: HIP's on NVIDIA with CUDA's, or an old build with a new one.

    tools/same_code.py --ladder build/nvidia/bench/ladder [--records=FILE]
    tools/same_code.py --before OLD --after NEW [--model cuda|hip|kokkos]

cuobjdump takes the programs apart (where the CUDA toolkit has none, PyPI's nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm do,
with their bin/ in PATH). Kernels are compared instruction by instruction with their operands; where the code lies does not
count. The first way compares each kernel of a HIP rung with that of the CUDA rung of the same name, type, operation and block.
A table goes to the terminal; one record of kind `same_code` for each rung, with the kernels that differ, goes to FILE behind a
record of kind `run` that the program wrote itself. Exit status: 0 compared; 2 it could not be done as asked.

The second way compares each kernel of each rung in NEW, an executable, library or object file, with that in OLD. Both have to
be built by the same compiler for one GPU architecture. A kernel is compared with that of its name; where a type of its arguments
has another name now, a kernel of the same rung with the same code will do. Exit status: 0 all are the same; 1 some differ, or are
on one side alone; 2 it could not be done.

docs/data/machine_code.csv keeps what the second way says of the commits that have records, so that tables can mark older code.
"""

import argparse
import collections
import pathlib
import re
import shutil

from sass import kernels_of, rung_of
from shared import Failure, append_records, ended, printed, run_record

# nvcc's name of the unnamed namespace of a file: a number, the file's name with its length, another number.
OWN = re.compile(r"_GLOBAL__N__[0-9a-f]{8}_(\d+)_")


def without_own_namespaces(name):
    """A mangled name without what differs between files, or builds, that have the same kernel."""
    while found := OWN.search(name):
        length = found.end() + int(found[1]) + len("_01234567") - found.start()
        name = name[:found.start() - len(str(length))] + "5_own_" + name[found.start() + length:]
    return name


def place_of(name):
    """(model, rung, the whole name without what each file calls otherwise) of a rung's kernel."""
    found = rung_of(name)
    return (*found, without_own_namespaces(name)) if found else None


def by_rung(kernels, model=None):
    """{(model, rung): {name: (predicates, opcodes and operands)}} of the kernels of all rungs, or those of one model."""
    found = collections.defaultdict(dict)
    for name, kernel in kernels.items():
        place = place_of(name)
        if place and model in (None, place[0]):
            found[place[:2]][place[2]] = [line[1:] for line in kernel]
    return found


def compared(kernels, demangled):
    """A record for each rung that HIP has kernels of."""
    originals, records = {place_of(name)[2]: name for name in kernels if place_of(name)}, []
    cuda = by_rung(kernels, "cuda")
    for (_, rung), mine in sorted(by_rung(kernels, "hip").items()):
        theirs = {name.replace("6ladder4cuda3", "6ladder3hip3"): code for name, code in cuda["cuda", rung].items()}
        different = [name for name in sorted(mine.keys() & theirs) if mine[name] != theirs[name]]
        identical = len(mine.keys() & theirs) - len(different)
        records.append({"rung": rung, "kernels": len(mine), "identical": identical,
                        "without_counterpart": len(mine.keys() - theirs),
                        "different": [{"kernel": demangled.get(originals[name], originals[name]), "instructions": len(mine[name]),
                                       "instructions_cuda": len(theirs[name])} for name in different]})
    return records


def changes(before, after, model=None):
    """For each rung: (model, rung, kernels now, those with the same code, [(old name, new name)] of the others); None in place of
    a name for a kernel that is on one side alone."""
    old, new = by_rung(before, model), by_rung(after, model)
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


def demangle(names):
    tool = shutil.which("c++filt") or shutil.which("llvm-cxxfilt")
    if not tool or not names:
        return {}
    return dict(zip(names, printed([tool], f"{tool} failed", input="\n".join(names)).splitlines(), strict=True))


def beside_cuda(ladder, records_file):
    kernels = kernels_of(ladder)
    records = compared(kernels, demangle([name for name in kernels if place_of(name)]))
    if not records:
        raise Failure(f"{ladder} has no kernels of HIP rungs")
    if records_file:
        append_records(records_file, "same_code", run_record(ladder, "hip"), records)
    for record in records:
        print(f"{record['rung']}  {record['identical']} of {record['kernels']} kernels are the same code"
              + (f", {record['without_counterpart']} have no counterpart" if record["without_counterpart"] else ""))
    print(f"{sum(r['identical'] for r in records)} of {sum(r['kernels'] for r in records)} in all")
    return 0


def old_and_new(before, after, model):
    old, new = kernels_of(before), kernels_of(after)
    found = list(changes(old, new, model))
    if not found:
        raise Failure(f"neither {before} nor {after} has kernels of the rungs" + (f" of {model}" if model else ""))
    names = demangle(sorted({name for *_, pairs in found for pair in pairs for name in pair if name}))
    for one, rung, kernels, same, different in found:
        print(f"{one:6} {rung}  {same} of {kernels} kernels are the same code")
        for ours, theirs in different:
            what = "differs" if ours and theirs else f"only {'before' if ours else 'after'}"
            print(f"    {what}: {names.get(ours or theirs, ours or theirs)}")
    same, kernels = (sum(row[i] for row in found) for i in (3, 2))
    differing = sum(len(row[4]) for row in found)
    print(f"{same} of {kernels} in all" + (f"; {differing} differ or are on one side alone" if differing else ""))
    return 1 if differing else 0


def main():
    parser = argparse.ArgumentParser(description="The machine code of HIP's rungs beside CUDA's, or of two builds.")
    parser.add_argument("--ladder", help="the built program, with CUDA and HIP in it")
    parser.add_argument("--records", type=pathlib.Path, help="where the records of --ladder go")
    parser.add_argument("--before", help="the old build's program, library or object file")
    parser.add_argument("--after", help="the new build's")
    parser.add_argument("--model", choices=("cuda", "hip", "kokkos"), help="with --after: this model alone")
    arguments = parser.parse_args()
    if bool(arguments.before) != bool(arguments.after) or bool(arguments.ladder) == bool(arguments.before):
        parser.error("one of --ladder, or --before with --after")
    if arguments.ladder:
        return beside_cuda(arguments.ladder, arguments.records)
    return old_and_new(arguments.before, arguments.after, arguments.model)


if __name__ == "__main__":
    ended(main)
