"""Parses machine code printed by cuobjdump, and finds its loops."""

import functools
import re
import subprocess

import shared

# Parts of mangled names: ladder::cuda::r04, or the header that r30 launches.
KERNELS = "(3r[0-9]|2v113reduce_detail)"  # pattern for ncu, after the model's name
RUNG = re.compile(r"6ladder\d(?P<model>hip|cuda|kokkos)(?:3(?P<rung>[rb]\d\d)|(?:2v1)?13reduce_detail)")

# A CUDA or HIP kernel, or a Kokkos functor, in a source.
DEFINED = re.compile(r"^struct (\w+)|__global__ void [^\n]*\s+(\w+)\(", re.M)


@functools.cache
def of_batches():
    """Names that the headers for batched reductions define."""
    headers = (shared.ROOT / "include" / "ladder").glob("*/detail/*batch*.hpp")
    return {one or other for header in headers for one, other in DEFINED.findall(header.read_text(encoding="utf-8"))}


def rung_of(kernel):
    """(model, rung) of a kernel's mangled name, or None. The header's kernels belong to r30, those of batches to b10."""
    found = RUNG.search(kernel)
    if not found or found["rung"]:
        return found and (found["model"], found["rung"])
    names = {kernel[length.end():length.end() + int(length[1])] for length in re.finditer(r"13reduce_detail(\d+)", kernel)}
    return found["model"], "b10" if names & of_batches() else "r30"


def kernels_of(file, *options):
    """Machine code of a file, or of the part that the options select. Raises Failure if there is none, or no cuobjdump."""
    cuobjdump = shared.find_tool("cuobjdump")
    if not cuobjdump:
        raise shared.Failure("cuobjdump is not here: it comes with the CUDA toolkit, and with nvidia-cuda-cuobjdump of PyPI")
    done = subprocess.run([cuobjdump, "-sass", *options, file], capture_output=True, text=True)
    kernels = machine_code(done.stdout)
    if not kernels:
        raise shared.Failure(f"{file} has no machine code for NVIDIA: {done.stderr.strip() or 'cuobjdump printed none'}")
    return kernels


def machine_code(text):
    """{mangled name: [(address, predicate, opcode, operands)]} from the output of `cuobjdump -sass`."""
    kernels = {}
    for part in re.split(r"\n\s*Function : ", text)[1:]:
        name, _, body = part.partition("\n")
        lines = re.findall(r"/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P[\dT]+)\s+)?([A-Z][A-Z0-9_.]*)([^;]*);", body)
        kernels[name.strip()] = [(int(address, 16), predicate, opcode, operands.strip())
                                 for address, predicate, opcode, operands in lines]
    return kernels


def loops(instructions):
    """Number of loops of a kernel: cycles in its control flow; those that share an instruction count as one.

    Ignores the path of a BRA.DIV: it is the compiler's second copy of code around a warp-wide instruction, for warps that
    arrive diverged.
    """
    index = {one[0]: i for i, one in enumerate(instructions)}
    ways = []  # for each instruction the indices of its successors
    for i, one in enumerate(instructions):
        targets, goes_on = leads(one)
        if not index.keys() >= targets:
            raise shared.Failure(f"a jump whose target was not read: {' '.join(one[1:])}")
        ways.append({index[to] for to in targets} | ({i + 1} if goes_on and i + 1 < len(instructions) else set()))
    beyond = [reached(ways, after) for after in ways]
    return len({frozenset(j for j in beyond[i] if i in beyond[j]) for i in reached(ways, [0] if ways else []) if i in beyond[i]})


def reached(ways, begin):
    """Indices reachable from `begin`, inclusive."""
    seen, todo = set(), list(begin)
    while todo:
        i = todo.pop()
        if i not in seen:
            seen.add(i)
            todo.extend(ways[i])
    return seen


def leads(instruction):
    """(jump targets of an instruction, True if execution may continue with the next instruction)."""
    address, predicate, opcode, operands = instruction
    target = re.search(r"0x([0-9a-f]+)\s*$", operands)
    always = predicate in ("", "@PT") and not re.match(r"!?U?P\d", operands)
    branches = re.match(r"BRA(?!\.DIV)", opcode)
    to = int(target[1], 16) if target else None
    jumps = branches and not (always and to == address)  # an unconditional branch to itself marks the end of the code
    return {to} if jumps else set(), not (always and (branches or opcode in ("EXIT", "RET.REL.NODEC")))
