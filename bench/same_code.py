#!/usr/bin/env python3
"""Compares the machine code of the HIP rungs on NVIDIA with that of the CUDA rungs in the same program.

    bench/same_code.py --ladder build/nvidia/bench/ladder [--records=FILE]

cuobjdump takes the program apart. A kernel of a HIP rung is held against that of the CUDA rung of the same name, type,
operation and block, instruction by instruction with its operands. One record of kind `same_code` for each rung goes to
FILE, behind a record of kind `run` that the program wrote itself, and a table to the terminal; where kernels differ, the
record has their names and how many instructions each side has. Exit status: 0 compared; 2 it could not be done as asked.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from evidence import find_tool, run_record  # noqa: E402
from sass import machine_code  # noqa: E402

# In a mangled name: ladder::hip::r04::, and how long the name of the file's own namespace is, which follows.
RUNG = re.compile(r"6ladder(?P<backend>3hip|4cuda)3(?P<rung>r\d\d)(?P<length>\d+)_GLOBAL__N_")


def fail(text):
    print(f"same_code: {text}", file=sys.stderr)
    sys.exit(2)


def place_of(name):
    """(backend, rung, the rest of its name) of a rung's kernel; the file's own namespace, which every file has another name
    for, is left out."""
    found = RUNG.search(name)
    if not found:
        return None
    begin = found.end("length") + int(found["length"])
    return found["backend"].lstrip("34"), found["rung"], name[begin:]


def code_of(kernel):
    """What a kernel does: predicates, opcodes and operands."""
    return [line[1:] for line in kernel]


def compared(kernels, demangled):
    """A record for each rung that HIP has kernels of."""
    at = {place_of(name): name for name in kernels if place_of(name)}
    records = {}
    for (backend, rung, rest), name in sorted(at.items()):
        if backend != "hip":
            continue
        record = records.setdefault(rung, {"kind": "same_code", "rung": rung, "kernels": 0, "identical": 0,
                                           "without_counterpart": 0, "different": []})
        record["kernels"] += 1
        other = at.get(("cuda", rung, rest))
        if other is None:
            record["without_counterpart"] += 1
        elif code_of(kernels[name]) == code_of(kernels[other]):
            record["identical"] += 1
        else:
            record["different"].append({"kernel": demangled.get(name, name), "instructions": len(kernels[name]),
                                        "instructions_cuda": len(kernels[other])})
    return list(records.values())


def demangle(names):
    tool = shutil.which("c++filt") or shutil.which("llvm-cxxfilt")
    if not tool or not names:
        return {}
    said = subprocess.run([tool], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, said.splitlines()))


def main():
    parser = argparse.ArgumentParser(description="The machine code of HIP's rungs on NVIDIA beside that of CUDA's.")
    parser.add_argument("--ladder", required=True, help="the built program, with both backends in it")
    parser.add_argument("--records", type=pathlib.Path, help="where the records go")
    arguments = parser.parse_args()
    cuobjdump = find_tool("cuobjdump")
    if not cuobjdump:
        fail("cuobjdump is not here: it comes with the CUDA toolkit")
    done = subprocess.run([cuobjdump, "-sass", arguments.ladder], capture_output=True, text=True)
    kernels = machine_code(done.stdout)
    if not kernels:
        fail(f"{arguments.ladder} has no machine code for NVIDIA: {done.stderr.strip() or 'cuobjdump printed none'}")
    records = compared(kernels, demangle([name for name in kernels if place_of(name)]))
    if not records:
        fail(f"{arguments.ladder} has no kernels of HIP rungs")
    if arguments.records:
        about = run_record(arguments.ladder, "hip", [], [pathlib.Path(__file__).name, *sys.argv[1:]])
        with open(arguments.records, "a") as file:
            for record in [about] + [{**record, "run": about["run"]} for record in records]:
                file.write(json.dumps(record) + "\n")
    for record in records:
        print(f"{record['rung']}  {record['identical']} of {record['kernels']} kernels are the same code"
              + (f", {record['without_counterpart']} have no counterpart" if record["without_counterpart"] else ""))
    print(f"{sum(r['identical'] for r in records)} of {sum(r['kernels'] for r in records)} in all")


if __name__ == "__main__":
    main()
