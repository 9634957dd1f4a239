#!/usr/bin/env python3
"""Looks at the inner loops of the CPU's rungs in their machine code.

    tools/host_loops.py OBJECT [--match REGEX]
    tools/host_loops.py --rungs FOLDER [--target AVX3,AVX2] [--csv FILE]

With --rungs: of each rung's object file in FOLDER (the build folder of `ladder_cpu` and `ladder_cpu_vectors`), for float sums,
float minima, sums of doubles and of int8, the loop that walks over the elements. What is told of it:
  elements       that one turn of the loop takes in
  instructions   of a turn, for each element
  bytes          of the widest register that an element is loaded into or added up in
  chains         registers that a turn reads before it writes them, and writes: what the next turn waits for. One that is stored
                 and loaded again in each turn is one chain through memory; a minimum that is only taken over where an element is
                 less is one through a branch, and the turn one in which it is not.
  operations in a row    of the longest way from such a register to itself: how many wait for one another in a turn
  prefetches     of a turn
--csv writes them with the compiler, the architecture that the build is for, and the commit.
Without: in each function whose name matches, the shortest loop with at least four loads of the widest vectors that the function
has. Needs objdump, and x86-64's machine code.
"""

import argparse
import collections
import csv
import pathlib
import re
import subprocess
import sys

WIDTHS = {"zmm": 64, "ymm": 32, "xmm": 16}
TYPES = {"f32": (2, 4), "f64": (3, 8), "i8": (4, 1)}  # of common/types.hpp: their place there, bytes
OPERATIONS = {"sum": 0, "product": 1, "min": 2, "max": 3}
ELEMENTS = {"f32": "float>(", "f64": "double>(", "i8": "none"}
SUMS_ALONE = {"c10": "fold<", "c12": "add_all<"}
CASES = [("f32", "sum"), ("f32", "min"), ("f64", "sum"), ("i8", "sum")]
COLUMNS = ["rung", "type", "op", "vectors", "elements", "instructions an element", "bytes", "chains", "operations in a row",
           "prefetches"]
SOURCE = re.compile(r"(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+)(?:,(\d))?)?\)")


def functions(path):
    """(name, [(address, instruction)]) of each function."""
    listing = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    for part in listing.split("\n\n"):
        head = re.match(r"\s*[0-9a-f]+ <(.*)>:", part)
        if head:
            yield head[1], [(int(address, 16), text) for address, text in re.findall(r"^\s*([0-9a-f]+):\s+(.*)$", part, re.M)]


def loops(code):
    """The instructions from each backward branch's target to it."""
    for address, text in code:
        branch = re.match(r"j\w+\s+([0-9a-f]+)\b", text)
        if branch and int(branch[1], 16) <= address:
            yield [text for at, text in code if int(branch[1], 16) <= at <= address]


def loads(body, register):
    return sum(register in text and "(%r" in text and "(%rsp" not in text for text in body)


def operands(text):
    """The mnemonic, and the operands in AT&T's order: the last one is written."""
    words = re.sub(r"\s*<.*|#.*", "", text).split(None, 1)
    if words[0] in ("lock", "rep", "data16", "cs", "notrack") and len(words) > 1:
        words = words[1].split(None, 1)
    return words[0], re.split(r",(?![^(]*\))", words[1].strip()) if len(words) > 1 else []


def plain(register):
    """zmm3, ymm3 and xmm3 are one register; a mask in braces is read too, but no operand of its own."""
    return re.sub(r"%[zyx]mm", "%mm", re.sub(r"\{.*", "", register))


def is_register(operand):
    return bool(re.match(r"%([zyx]mm\d+|k[0-7])", operand))


WIDENED = {"bw": 2, "wd": 2, "dq": 2, "bd": 4, "wq": 4, "bq": 8}
READS_ITS_TARGET = re.compile(r"v?p?ternlog|vfn?m(add|sub)|vpblend\w*m")  # besides those that have two operands


def steps_of(body):
    """(the mnemonic, registers read, register written or None) of each instruction on vector or mask registers, and whether a
    copy of a register is one."""
    for text in body:
        name, found = operands(text)
        if not found or not any(is_register(one) for one in found):
            continue
        written = plain(found[-1]) if is_register(found[-1]) else None
        if re.match(r"v?u?comis|kortest|ktest|vptest|vtest|k?prefetch", name):
            written = None
        read = [plain(one) for one in found[:-1] if is_register(one)]
        if written and (READS_ITS_TARGET.match(name) or (len(found) == 2 and not moves(name)) and not name.startswith("v")
                        and not name.startswith("k")):
            read.append(written)
        if re.search(r"\{%k\d\}", text):
            read += re.findall(r"\{(%k\d)\}", text)
        if re.match(r"v?p?xor", name) and len({plain(one) for one in found}) == 1:
            read = []  # a zero
        yield name, read, written


def moves(name):
    return bool(re.match(r"v?mov|kmov|vbroadcast|v?cvt|v?pmov|v?lddqu|v?sqrt|v?rcp", name))


def carried(body):
    """{a register that the next turn needs: additions between its old value and its new one}."""
    steps = list(steps_of(body))
    first = {}
    for _, read, written in steps:
        for one in read:
            first.setdefault(one, "read")
        if written:
            first.setdefault(written, "written")
    writes = {written for _, _, written in steps if written}
    found = {}
    for register in sorted(one for one in writes if first[one] == "read"):
        depth = {register: 0}
        for name, read, written in steps:
            if written is None:
                continue
            before = [depth[one] for one in read if one in depth]
            if before:
                depth[written] = max(before) + (not moves(name))
            else:
                depth.pop(written, None)
        if depth.get(register, 0) > 0:
            found[register] = depth[register]
    return found


def through_memory(body):
    """How many places in memory a turn loads a vector register from before it stores one there."""
    first, stored = {}, set()
    for name, found in map(operands, body):
        if "cmpxchg" in name:
            return 1
        if len(found) < 2 or not any(map(is_register, found)):
            continue
        for part in found[:-1]:
            if "(" in part:
                first.setdefault(part, "loaded")
        if "(" in found[-1]:
            first.setdefault(found[-1], "stored")
            stored.add(found[-1])
    return sum(first[place] == "loaded" for place in stored)


def walked(body):
    """General registers that a turn moves on by a constant."""
    found = set()
    for text in body:
        name, parts = operands(text)
        if name in ("add", "sub", "addq", "subq") and len(parts) == 2 and parts[0].startswith("$") and parts[1] != "%rsp":
            found.add(parts[1])
        if name in ("inc", "dec", "incq") and parts:
            found.add(parts[0])
        moved = re.match(r"-?0x[0-9a-f]+\((%\w+)\)$", parts[0]) if name == "lea" and parts else None
        if moved and moved[1] == parts[1]:
            found.add(parts[1])
        added = name == "add" and len(parts) == 2 and parts[0].startswith("%r") and parts[1].startswith("%r")
        if added:  # by a stride that stays as it is
            found.add(parts[1])
    return found


def bytes_loaded(body, size):
    """Distinct bytes of the input that a turn loads into vector registers, and the widest load."""
    moving, shift, seen, widest = walked(body), collections.Counter(), {}, 0
    for text in body:
        name, parts = operands(text)
        if parts and len(parts) == 2 and parts[1] in moving and parts[0].startswith("$"):
            amount = int(parts[0][1:], 16)
            amount -= (amount >> 63) << 64
            shift[parts[1]] += amount if name.startswith("add") else -amount
        elif name == "lea" and parts[-1] in moving:
            moved = re.match(r"(-?0x[0-9a-f]+)\((%\w+)\)$", parts[0])
            if moved and moved[2] == parts[1]:
                shift[parts[1]] += int(moved[1], 16)
        elif name == "inc":
            shift[parts[0]] += 1
        for part in parts[:-1]:
            place = SOURCE.match(part)
            if not place or "prefetch" in name or name == "lea":
                continue
            base, index = place[2], place[3]
            if not moving & {base, index} or not any(is_register(one) for one in parts):
                continue
            register = next(one for one in parts[::-1] if is_register(one))
            width = max((WIDTHS[one[1:4]] for one in parts if one[1:4] in WIDTHS), default=16)
            if re.search(r"s[sd]$", name) and not re.match(r"v?cvt.*p[sd]", name):
                width = size
            elif re.match(r"vmovq|vmovsd|movq", name):
                width = 8
            elif re.match(r"v?cvtps2pd", name):
                width = WIDTHS[register[1:4]] // 2
            elif re.match(r"v?pmov[sz]x", name):
                width = WIDTHS[register[1:4]] // WIDENED[name[-2:]]
            elif re.match(r"vinsert\w(32x8|64x4|128|64x2|32x4)|vbroadcast", name):
                width = 32 if re.search("32x8|64x4", name) else 16
            at = int(place[1] or "0", 16) + shift[base] + shift[index] * int(place[4] or 1)
            seen.setdefault((base, index), set()).update(range(at, at + width))
            widest = max(widest, width)
    return sum(map(len, seen.values())), widest


def main_loop(code, size):
    """Of the loops that walk over elements and have no such loop in them, the one that loads most in a turn."""
    best, most = None, 0
    bodies = [body for body in loops(code) if walked(body) and not body[-1].startswith("jmp")]
    for body in bodies:
        text = " ".join(body)
        inside = any(len(other) < len(body) and " ".join(other) in text and bytes_loaded(other, size)[0] for other in bodies)
        loaded = bytes_loaded(body, size)[0]
        if not inside and (loaded > most or (loaded == most and best and len(body) < len(best))):
            best, most = body, loaded
    return best


def told(body, size):
    """What the columns after `vectors` say of a loop over elements of `size` bytes."""
    loaded, widest = bytes_loaded(body, size)
    chains = carried(body)
    elements = loaded // size
    stored = through_memory(body)
    if stored and not chains:
        names, depth = f"{stored}, through memory", 1
    elif stored:
        names, depth = f"{len(chains) + stored}, {stored} through memory", max(chains.values())
    elif not chains and any(re.match(r"v?u?comis", text) for text in body):
        names, depth = "1, through a branch", 1
    else:
        names, depth = str(len(chains)), max(chains.values(), default=0)
    return [str(elements), f"{len(body) / elements:.2f}", str(widest), names, str(depth),
            str(sum("prefetch" in text for text in body))]


def belongs(name, rung, kind, operation, target):
    """Whether a function is a rung's for a type and operation, and where it has its loop."""
    case = f"ladder::Case<(ladder::Type){TYPES[kind][0]}, (ladder::Operation){OPERATIONS[operation]}>"
    if rung >= "c08" and f"::N_{target}::" not in name:
        return False
    if rung in SUMS_ALONE:  # whose loop knows the type only
        return operation == "sum" and f"::{rung}::" in name and SUMS_ALONE[rung] + ELEMENTS[kind] in name
    if f"::{rung}::" not in name or case not in name:
        return False
    if rung >= "c08":
        return True
    return rung == "c00" or "_omp_fn" in name


def rungs_in(folder, target):
    """The rows of COLUMNS for all rungs whose object files are in the folder."""
    for path in sorted(pathlib.Path(folder).glob("**/rungs/c[0-9][0-9]_*.o")):
        rung = path.name[:3]
        code_of = list(functions(str(path)))
        for kind, operation in CASES:
            size = TYPES[kind][1]
            found = [main_loop(code, size) for name, code in code_of if belongs(name, rung, kind, operation, target)]
            found = [body for body in found if body]
            if found:
                body = max(found, key=lambda one: (bytes_loaded(one, size)[0], -len(one)))
                yield [rung, kind, operation, target if rung >= "c08" else "the compiler's", *told(body, size)]


def made_by(folder):
    """(compiler, architecture, commit) of the object files in a build folder, each "unknown" where nothing tells."""
    folder = pathlib.Path(folder).resolve()
    told = ["unknown"] * 3
    first = next(folder.glob("**/rungs/c00_*.o"), None)
    if first:
        lines = subprocess.run(["objdump", "-s", "-j", ".comment", first], capture_output=True, text=True).stdout.splitlines()
        found = re.search(r"GCC: \(.*?\) ([\d.]+)", "".join(line[-16:] for line in lines if re.match(r" [0-9a-f]{4} ", line)))
        told[0] = f"GCC {found[1].rstrip('.')}" if found else told[0]
    for place in (folder, *folder.parents):
        if (place / "CMakeCache.txt").exists():
            found = re.search(r"^LADDER_CPU_ARCH:\w+=(.*)$", (place / "CMakeCache.txt").read_text(), re.M)
            told[1] = found[1] if found else told[1]
            break
    ask = ["git", "-C", folder, "rev-parse", "--short=10", "HEAD"]
    commit = subprocess.run(ask, capture_output=True, text=True).stdout.strip()
    told[2] = commit or told[2]
    return told


def of_rungs(given):
    rows = []
    for target in given.target.split(","):
        rows += [row for row in rungs_in(given.rungs, target) if row not in rows]
    if given.csv:
        with open(given.csv, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            made = made_by(given.rungs)
            writer.writerows([[*COLUMNS, "compiler", "architecture", "commit"], *([*row, *made] for row in rows)])
    for row in [COLUMNS, *rows]:
        print("  ".join(row))
    return 0 if rows else 1


def main():
    parser = argparse.ArgumentParser(description="Looks at inner loops in machine code.")
    parser.add_argument("object", nargs="?")
    parser.add_argument("--match", default="fold<", help="of functions' names, as they are written in C++")
    parser.add_argument("--rungs", metavar="FOLDER", help="of the CPU's rungs")
    parser.add_argument("--target", default="AVX2", help="of Highway's, for c08 and later; several with commas")
    parser.add_argument("--csv", metavar="FILE")
    given = parser.parse_args()
    if given.rungs:
        return of_rungs(given)
    if not given.object:
        parser.error("an object file, or --rungs")
    found = 0
    for name, code in functions(given.object):
        if not re.search(given.match, name):
            continue
        register = next((one for one in WIDTHS if any(one in text for _, text in code)), None)
        bodies = [body for body in loops(code) if register and loads(body, register) >= 4]
        if bodies:
            found += 1
            body = min(bodies, key=len)
            prefetches = sum("prefetch" in text for text in body)
            print(f"{name}: {len(body)} instructions, {loads(body, register)} loads of {WIDTHS[register]} bytes, "
                  f"{prefetches} prefetches")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
