#!/usr/bin/env python3
"""What the compiler made of each HIP rung for AMD's GPUs: registers, LDS, instructions, loops. It needs no GPU.

    tools/amd_static.py --build build/hip-amd            prints the tables
    tools/amd_static.py --build build/hip-amd --write    writes them and the records
    tools/amd_static.py [--build build/hip-amd] --check  exit status 1 where these are stale

Of each rung the kernel of the first pass speaks, for float sums, at the block that the rung has by default (hip/table.hip).
The code objects are those in a build's objects, for whatever architectures they were compiled, and are taken apart by the
LLVM tools beside the compiler that made them, or in PATH. The facts become records of kind `static`, one for each rung and
architecture, in docs/results/amd-static/f32-sum.jsonl, and tables in the README.md beside. --check holds the tables against
the records and, given a build, the records against that; where another compiler made it, it says so instead.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import shlex
import shutil
import tempfile

import gcn
from amd_static_tables import page, tables
from shared import ROOT, Failure, ended, printed

OBJECTS = "hip/CMakeFiles/ladder_hip.dir/rungs"
WORD, SIZE = "float", 4  # a rung's type, and its bytes
# r30 has no block by default, it chooses one by size: this for most, with so many vectors. Its kernels are the header's.
TUNED_BLOCK, TUNED_VECTORS = 512, 4
LDS = 1 << 16  # bytes for four SIMDs (a compute unit of GFX9), for two from GFX10 on (half a work-group processor)

# What a SIMD has: most waves; by lanes in a wave, vector registers of each lane and how many are handed out at once.
# From LLVM's AMDGPUBaseInfo.cpp (getTotalNumVGPRs, getVGPRAllocGranule, getMaxWavesPerEU);
# tests/tools/amd_static_remarks.txt is what the compiler says of some kernels.
with open(pathlib.Path(__file__).with_name("amd_simds.csv"), encoding="utf-8") as lines:
    SIMDS = list(csv.DictReader(lines))
SCALARS = [(80, 10), (88, 9), (100, 8), (1 << 10, 7)]  # up to GFX9: as many waves with so many scalar registers


def waves(architecture, wave, vgprs, sgprs, lds=0, block=1024):
    """How many waves a SIMD can hold at once. `vgprs` has the accumulation registers in it where both are of one file,
    as the compiler counts them (GFX90A, GFX940)."""
    simd = next((simd for simd in SIMDS if re.fullmatch(simd["architecture"], architecture)), None)
    if not simd:
        raise Failure(f"{architecture}: what a SIMD of it has is not known here (tools/amd_simds.csv)")
    total, granule = int(simd[f"registers {wave}"]), int(simd[f"granule {wave}"])
    allowed = min(int(simd["waves"]), total // (max(1, -(-vgprs // granule)) * granule))
    gfx9 = architecture.startswith("gfx9")
    if gfx9:
        allowed = min(allowed, next(number for limit, number in SCALARS if sgprs <= limit))
    if lds:
        allowed = min(allowed, LDS // lds * -(-block // wave) // (4 if gfx9 else 2))
    return allowed


class Tools:
    """A compiler and LLVM's tools: those beside it before those in PATH."""

    def __init__(self, compiler):
        path = pathlib.Path(os.path.realpath(shutil.which(compiler) or compiler))
        self.folder = path.parent
        self.version = self(path.name, "--version").splitlines()[0]

    def __call__(self, name, *arguments, **more):
        tool = shutil.which(name, path=self.folder) or shutil.which(name)
        if not tool:
            raise Failure(f"{name} is neither in {self.folder}, beside the compiler, nor in PATH")
        return printed([tool, *arguments], f"{tool} failed", **more)


def commands(build):
    """{object's name: the words of the command that makes it}, without a launcher; of the rungs, which the tests compile too"""
    path = build / "compile_commands.json"
    if not path.exists():
        raise Failure(f"{build} has no compile_commands.json: is it the build folder of preset hip-amd?")
    found = {}
    for one in json.loads(path.read_text()):
        file, words = pathlib.Path(one["output"]), shlex.split(one["command"])
        if file.parent.as_posix().endswith(OBJECTS):
            options = next(i for i, word in enumerate(words) if word.startswith("-"))
            found[file.name] = words[options - 1:]
    return found


def flags_of(words):
    """What of a command may change a kernel's machine code; not the architecture, which a record names by itself."""
    wanted = re.compile(r"-(O|std=|DNDEBUG|m|f(?!diagnostics|color|PI))")
    return " ".join(word for before, word in zip(["", *words], words) if wanted.match(word) or before == "-mllvm")


def default_tunings():
    """{rung: its tuning, as {"block": 256, ...}} of hip/table.hip; empty where a rung chooses by itself."""
    text = (ROOT / "hip" / "table.hip").read_text()
    named = {name: {key: int(value) for key, value in re.findall(r"\.(\w+) = (\d+)", fields)}
             for name, fields in re.findall(r"\bTuning (\w+)\{([^}]*)\};", text)}
    return {rung: named.get(tuning, {}) for rung, tuning in re.findall(r'Entry\{"(r\d\d)", r\d\d::find, (\w+)', text)}


def metadata(notes):
    """{kernel: what the code object says of it} of what `llvm-readelf --notes` prints, its arguments left out."""
    kernels = []
    for begins, key, value in re.findall(r"^  (- |  )\.(\w+):[ ]*(.*)$", notes, re.M):
        if begins == "- ":
            kernels.append({})
        kernels[-1][key] = value.strip("'\"")
    return {kernel["name"]: kernel for kernel in kernels}


def code_objects(tools, file, folder):
    """(architecture, code object) of an object that the host's linker takes; the code object lives until the next."""
    bundle, code = folder / "bundle", folder / "code"
    tools("llvm-objcopy", f"--dump-section=.hip_fatbin={bundle}", file, folder / "rest")
    for target in tools("clang-offload-bundler", "--list", "--type=o", f"--input={bundle}").split():
        if target.startswith("hip"):
            tools("clang-offload-bundler", "--unbundle", "--type=o", f"--input={bundle}", f"--targets={target}",
                  f"--output={code}")
            yield re.search(r"gfx\w+", target)[0], code


def find_kernel(tools, symbols, rung, block):
    """(symbol, name) of the kernel of a rung's first pass: r04's has no block in its name, r16's has."""
    operations = re.search(r"enum class Operation[^{]*\{([^}]*)\}", (ROOT / "common" / "operations.hpp").read_text())[1]
    operation = operations.replace(" ", "").split(",").index("sum")
    function = rf"ladder::Function<\(ladder::Operation\){operation}, {WORD}>"
    if rung == "r30":
        choice = f"{block}u, {TUNED_VECTORS}u, false"
        wanted = re.compile(rf"(ladder::hip::reduce_detail::)(reduce<{choice}, {WORD} const\*, .*{function}>)\(")
    else:
        # r27 and r29 have sums alone, so that no function is named; r29 has the result's type.
        what = rf"{WORD}(?:, {WORD})?(?:, {function})?"
        wanted = re.compile(rf"(ladder::hip::{rung}::).*\b(reduce<{what}(?:, {block}u)?>)\(")
    names = tools("llvm-cxxfilt", input="\n".join(symbols)).replace("> >", ">>").splitlines()
    found = [(symbol, match[1] + match[2]) for symbol, name in zip(symbols, names) if (match := wanted.search(name))]
    if len(found) != 1:
        raise Failure(f"{rung} has {len(found)} kernels for {WORD}, operation {operation}, block {block}, not one")
    return found[0]


# fact: the entries of a kernel's metadata that it is the sum of
TOLD = {"wave": ["wavefront_size"], "vgprs": ["vgpr_count"], "agprs": ["agpr_count"], "sgprs": ["sgpr_count"],
        "spills": ["vgpr_spill_count", "sgpr_spill_count"], "scratch_bytes": ["private_segment_fixed_size"],
        "lds_static_bytes": ["group_segment_fixed_size"]}


def describe(tools, rung, architecture, code, block):
    """What a code object says of the one kernel that is asked for, and what its machine code says."""
    notes = metadata(tools("llvm-readelf", "--notes", code))
    symbol, name = find_kernel(tools, list(notes), rung, block)
    counted = gcn.count(gcn.kernels(tools("llvm-objdump", "-d", f"--disassemble-symbols={symbol}", code))[symbol])

    facts = {fact: sum(int(notes[symbol].get(key, 0)) for key in keys) for fact, keys in TOLD.items()}
    static = facts["lds_static_bytes"]
    # LDS that is used and not told of is what a launch adds: a value of each thread (`.shared` in the rungs' layouts).
    dynamic = block * SIZE if static == 0 and counted["lds_stores"]["all"] > 0 else 0
    held = waves(architecture, facts["wave"], facts["vgprs"], facts["sgprs"], static + dynamic, block)
    return {"kernel": name, "facts": {**facts, "lds_dynamic_bytes": dynamic, "waves": held, **counted}}


def collect(build):
    """The records of a build."""
    files = sorted((build / OBJECTS).glob("r*.hip.o"))
    if not files:
        raise Failure(f"no objects in {build / OBJECTS}: build preset hip-amd first")
    compiled, tunings, records = commands(build), default_tunings(), []
    tools = Tools(compiled[files[0].name][0])
    for file in files:
        rung, slug = re.fullmatch(r"(r\d\d)_(\w+)\.hip\.o", file.name).groups()
        block, items = tunings[rung].get("block", TUNED_BLOCK), tunings[rung].get("items")
        with tempfile.TemporaryDirectory() as folder:
            for architecture, code in code_objects(tools, file, pathlib.Path(folder)):
                records.append({
                    "kind": "static", "backend": "hip", "architecture": architecture, "rung": rung, "slug": slug,
                    "type": "f32", "op": "sum", "block": block, "items": items, "compiler": tools.version,
                    "flags": flags_of(compiled[file.name]),
                    "command": "tools/amd_static.py --build build/hip-amd --write",
                    **describe(tools, rung, architecture, code, block)})
    if not records:
        raise Failure(f"the objects in {build / OBJECTS} have no code for an AMD GPU")
    return sorted(records, key=lambda one: (len(one["architecture"]), one["architecture"], one["rung"]))


NOT_COMPARED = {"facts": None, "command": None}  # the facts one by one; the command says how, not what


def differences(built, committed):
    """What a build says that the records do not, field by field; and what could not be compared."""
    wrong, not_compared = [], []
    for architecture in dict.fromkeys(record["architecture"] for record in built + committed):
        ours, theirs = ({record["rung"]: {**record, **record["facts"], **NOT_COMPARED} for record in records
                         if record["architecture"] == architecture} for records in (built, committed))
        if not ours or not theirs:
            not_compared.append(f"{architecture} is not in the {'records' if ours else 'build'}")
            continue
        compiler, before = (next(iter(side.values()))["compiler"] for side in (ours, theirs))
        if compiler != before:
            not_compared.append(f"{architecture} is built by {compiler}, the records are of {before}")
            continue
        wrong += [f"{architecture} {rung} is not in the {'records' if rung in ours else 'build'}"
                  for rung in sorted(ours.keys() ^ theirs.keys())]
        wrong += [f"{architecture} {rung}: {name} is {ours[rung].get(name)}, in the records {theirs[rung].get(name)}"
                  for rung in sorted(ours.keys() & theirs.keys()) for name in ours[rung] | theirs[rung]
                  if ours[rung].get(name) != theirs[rung].get(name)]
    return wrong, not_compared


def check(built, file, readme):
    """The exit status: whether records and tables are what a build and the records make them; what is not is printed."""
    if not file.exists():
        raise Failure(f"{file} is not there: --write makes it")
    committed = [json.loads(line) for line in file.read_text().splitlines()]
    wrong, not_compared = differences(built, committed) if built else ([], [])
    if page(readme.read_text(), committed) != readme.read_text():
        wrong.append(f"{readme.name} is not what {file.name} makes it")
    stale = "Stale: run tools/amd_static.py --write, and review what changed."
    print("\n".join([*(f"not compared: {line}" for line in not_compared), *wrong, stale if wrong else "fresh"]))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="What the compiler made of each HIP rung for AMD's GPUs.")
    parser.add_argument("--build", type=pathlib.Path, help="a build folder of preset hip-amd")
    parser.add_argument("--write", action="store_true", help="write the records and the tables")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where they would change")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "docs" / "results" / "amd-static")
    arguments = parser.parse_args()
    file, readme = arguments.results / "f32-sum.jsonl", arguments.results / "README.md"
    if not arguments.build and not arguments.check:
        parser.error("--build says what is to be looked at")
    records = collect(arguments.build) if arguments.build else []
    if arguments.check:
        return check(records, file, readme)
    if arguments.write:
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        readme.write_text(page(readme.read_text(), records))
    print(tables(records))
    return 0


if __name__ == "__main__":
    ended(main)
