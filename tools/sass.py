"""Machine code as cuobjdump prints it, and the loops that are in it."""

import re

import shared


def loops(instructions):
    """How many loops a kernel has: cycles in its control flow, those that share an instruction counted as one.

    `instructions` are (address, predicate, opcode, operands). The path of a BRA.DIV is left out: it is the compiler's
    second copy of code around a warp-wide instruction, for warps that arrive diverged.
    """
    index = {address: i for i, (address, *_) in enumerate(instructions)}
    following = []
    for i, (address, predicate, opcode, operands) in enumerate(instructions):
        target = re.search(r"0x([0-9a-f]+)\s*$", operands)
        always = predicate in ("", "@PT") and not re.match(r"!?U?P\d", operands)
        after = set()
        if opcode.startswith("BRA") and not opcode.startswith("BRA.DIV"):
            to = int(target[1], 16) if target else None
            if to not in index:
                raise ValueError(f"a branch whose target was not read: {opcode} {operands}")
            if to != address or not always:  # a plain branch to itself only marks the end of the code
                after.add(index[to])
        branches = opcode.split(".")[0] == "BRA" and "DIV" not in opcode
        ends = always and (branches or opcode in ("EXIT", "RET.REL.NODEC"))
        if not ends and i + 1 < len(instructions):
            after.add(i + 1)
        following.append(after)
    return len(shared.loops(following)) if following else 0


def machine_code(text):
    """(address, predicate, opcode, operands) of every kernel in what `cuobjdump -sass` prints, by mangled name."""
    kernels = {}
    for part in re.split(r"\n\s*Function : ", text)[1:]:
        name, _, body = part.partition("\n")
        lines = re.findall(r"/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P[\dT]+)\s+)?([A-Z][A-Z0-9_.]*)([^;]*);", body)
        kernels[name.strip()] = [(int(address, 16), predicate, opcode, operands.strip())
                                 for address, predicate, opcode, operands in lines]
    return kernels
