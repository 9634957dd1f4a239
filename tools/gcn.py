"""Machine code of AMD GPUs as llvm-objdump prints it: its control flow, and how often what stands in it."""

import re
import typing

import shared

BYTES = {"8": 1, "16": 2, "32": 4, "64": 8, "96": 12, "128": 16,
         "byte": 1, "short": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}
LOAD = re.compile(rf"(?:global|flat)_load_(?:d16_)?(?:hi_)?[usib]?({'|'.join(BYTES)})(?:_d16)?(?:_hi)?")
MOST_UNDER_WAY = 63  # what the counter of loads holds (vmcnt: six bits from GFX9 on)


class Instruction(typing.NamedTuple):
    address: int
    name: str
    operands: str


def kernels(text):
    """{symbol: its instructions} of what `llvm-objdump -d` prints."""
    found = {}
    for symbol, body in re.findall(r"^[0-9a-f]+ <(.+)>:\n((?:.+\n?)*)", text, re.M):
        lines = re.findall(r"^\t(\w+)[ \t]*(.*?)[ \t]*// ([0-9A-F]+):", body, re.M)
        found[symbol] = [Instruction(int(address, 16), name, operands) for name, operands, address in lines]
    return found


def following(code):
    """For each instruction the places of those that may be next."""
    def leads(one):
        targets = set()
        if re.match(r"s_cbranch|s_(branch|setpc_b64|swappc_b64|call_b64)$", one.name):
            offset = re.match(r"(\d+)", one.operands)  # in words of 4 bytes from the next instruction on, as 16 bits
            targets = {offset and one.address + 4 + 4 * ((int(offset[1]) + 0x8000) % 0x10000 - 0x8000)}
        return targets, one.name not in ("s_branch", "s_endpgm")

    return shared.following(code, leads)


def most_under_way(code, ways, places):
    """The most loads from memory that may have been begun in `places` and not been waited for. They come back in order,
    so `vmcnt(n)` leaves at most n under way; what else it counts, stores up to GFX9, makes that no more."""
    before = dict.fromkeys(places, 0)
    todo = set(places)
    most = 0
    while todo:
        i = todo.pop()
        left = before[i]
        if load_bytes(code[i].name):
            left = min(left + 1, MOST_UNDER_WAY)
        elif code[i].name == "s_waitcnt" and (wait := re.search(r"\bvmcnt\((\d+)\)", code[i].operands)):
            left = min(left, int(wait[1]))
        most = max(most, left)
        for j in ways[i] & places:
            if left > before[j]:
                before[j] = left
                todo.add(j)
    return most


def load_bytes(name):
    """What a load from memory brings to each lane; nothing for any other instruction."""
    match = LOAD.fullmatch(name)
    return BYTES[match[1]] if match else None


# name of a count: the instructions. From GFX11 on LDS is loaded and stored, before it was read and written. Cross-lane
# is what brings a lane's value to another; v_readfirstlane, which is left out, takes a value that all lanes have. An
# address is flat where the compiler did not find out that it is not in LDS: such a load counts here and there.
KINDS = {
    "barriers": re.compile(r"s_barrier"),
    "lds_loads": re.compile(r"ds_(read|load)"),
    "lds_stores": re.compile(r"ds_(write|store)"),
    "cross_lane": re.compile(r"ds_b?permute|ds_swizzle|v_permlane|v_readlane|v_writelane|v_\w+_dpp"),
    "loads": re.compile(r"(global|flat)_load"),
    "atomics": re.compile(r"(global|flat)_atomic"),
    "flat": re.compile(r"flat_"),
    "scratch": re.compile(r"scratch_|buffer_(load|store)"),
}
# What a loop goes by: the first of these kinds that is in it.
LOOPS = {"loads": "load", "barriers": "barrier", "lds_loads": "LDS", "atomics": "atomic"}


def kinds_of(name):
    return [kind for kind, pattern in KINDS.items() if pattern.match(name)]


def count(code):
    """What stands in a kernel: the instructions of each kind, and those of them that are in a loop; those of a kind by
    name; its loops, by what they are for; the most loads under way, in its loops if there are loads in any. What cannot
    be reached does not count: behind a kernel's end may be padding."""
    ways = following(code)
    alive = shared.reached(ways, [0])
    cycles = shared.loops(ways)
    looping = frozenset().union(*cycles)
    told = {i: kinds_of(code[i].name) for i in sorted(alive)}

    def counted(places):
        return {"all": len(places), "in_loops": len(looping.intersection(places))}

    def purpose_of(cycle):
        return next((word for kind, word in LOOPS.items() if any(kind in told[i] for i in cycle)), "other")

    purposes = [purpose_of(cycle) for cycle in cycles]
    loading = [cycle for cycle, purpose in zip(cycles, purposes) if purpose == "load"] or [frozenset(alive)]
    names = dict.fromkeys(code[i].name for i in told if told[i])
    return {"instructions": len(alive), **{kind: counted([i for i in told if kind in told[i]]) for kind in KINDS},
            "loops": {purpose: purposes.count(purpose) for purpose in sorted(set(purposes))},
            "loads_under_way": max(most_under_way(code, ways, places) for places in loading),
            "names": {name: counted([i for i in told if code[i].name == name]) for name in names}}
