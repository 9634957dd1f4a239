"""Machine code as cuobjdump prints it, and the loops that are in it."""

import functools
import re
import subprocess

import shared

# In a mangled name: ladder::cuda::r04, or the header that r30 launches.
KERNELS = "(3r[0-9]|2v113reduce_detail)"  # of a model, as ncu takes it behind the model's name
RUNG = re.compile(r"6ladder\d(?P<model>hip|cuda|kokkos)(?:3(?P<rung>[rb]\d\d)|(?:2v1)?13reduce_detail)")

# A kernel of CUDA and HIP, or a functor of Kokkos, in a source.
DEFINED = re.compile(r"^struct (\w+)|__global__ void [^\n]*\s+(\w+)\(", re.M)


@functools.cache
def of_batches():
    """The names that the headers for many reductions define."""
    headers = (shared.ROOT / "include" / "ladder").glob("*/detail/*batch*.hpp")
    return {one or other for header in headers for one, other in DEFINED.findall(header.read_text(encoding="utf-8"))}


def rung_of(kernel):
    """(model, rung) that a kernel's mangled name says, or None. The header's kernels are r30's, those of batches b10's."""
    found = RUNG.search(kernel)
    if not found or found["rung"]:
        return found and (found["model"], found["rung"])
    names = {kernel[length.end():length.end() + int(length[1])] for length in re.finditer(r"13reduce_detail(\d+)", kernel)}
    return found["model"], "b10" if names & of_batches() else "r30"


def kernels_of(file, *options):
    """The machine code of a file, or of what the options select in it; a Failure where there is none, or no cuobjdump."""
    cuobjdump = shared.find_tool("cuobjdump")
    if not cuobjdump:
        raise shared.Failure("cuobjdump is not here: it comes with the CUDA toolkit, and with nvidia-cuda-cuobjdump of PyPI")
    done = subprocess.run([cuobjdump, "-sass", *options, file], capture_output=True, text=True)
    kernels = machine_code(done.stdout)
    if not kernels:
        raise shared.Failure(f"{file} has no machine code for NVIDIA: {done.stderr.strip() or 'cuobjdump printed none'}")
    return kernels


def machine_code(text):
    """(address, predicate, opcode, operands) of every kernel in the output of `cuobjdump -sass`, by mangled name."""
    kernels = {}
    for part in re.split(r"\n\s*Function : ", text)[1:]:
        name, _, body = part.partition("\n")
        lines = re.findall(r"/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P[\dT]+)\s+)?([A-Z][A-Z0-9_.]*)([^;]*);", body)
        kernels[name.strip()] = [(int(address, 16), predicate, opcode, operands.strip())
                                 for address, predicate, opcode, operands in lines]
    return kernels


def loops(instructions):
    """The number of loops of a kernel: cycles in its control flow, those that share an instruction counted as one.

    The path of a BRA.DIV is left out: it is the compiler's second copy of code around a warp-wide instruction, for warps that
    arrive diverged.
    """
    index = {one[0]: i for i, one in enumerate(instructions)}
    ways = []  # for each instruction the places of those that may be next
    for i, one in enumerate(instructions):
        targets, goes_on = leads(one)
        if not index.keys() >= targets:
            raise shared.Failure(f"a jump whose target was not read: {' '.join(one[1:])}")
        ways.append({index[to] for to in targets} | ({i + 1} if goes_on and i + 1 < len(instructions) else set()))
    beyond = [reached(ways, after) for after in ways]
    return len({frozenset(j for j in beyond[i] if i in beyond[j]) for i in reached(ways, [0] if ways else []) if i in beyond[i]})


def reached(ways, begin):
    """The places that one gets to from those in `begin`, themselves included."""
    seen, todo = set(), list(begin)
    while todo:
        i = todo.pop()
        if i not in seen:
            seen.add(i)
            todo.extend(ways[i])
    return seen


def leads(instruction):
    """The addresses that an instruction may jump to, and whether the instruction behind it may be next."""
    address, predicate, opcode, operands = instruction
    target = re.search(r"0x([0-9a-f]+)\s*$", operands)
    always = predicate in ("", "@PT") and not re.match(r"!?U?P\d", operands)
    branches = re.match(r"BRA(?!\.DIV)", opcode)
    to = int(target[1], 16) if target else None
    jumps = branches and not (always and to == address)  # a plain branch to itself only marks the end of the code
    return {to} if jumps else set(), not (always and (branches or opcode in ("EXIT", "RET.REL.NODEC")))
