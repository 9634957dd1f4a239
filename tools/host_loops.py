#!/usr/bin/env python3
"""Counts the instructions of a CPU rung's inner loop in its machine code: of an object file's functions, by vector width.

    tools/host_loops.py OBJECT [--match REGEX]

In each function whose name matches, the shortest loop with at least four loads of the widest vectors that the function has
speaks for it: how many instructions it takes, how many of them load such a vector, how many are prefetches. Needs objdump.
"""

import argparse
import re
import subprocess
import sys

WIDTHS = {"zmm": 64, "ymm": 32, "xmm": 16}


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


def main():
    parser = argparse.ArgumentParser(description="Counts the instructions of inner loops.")
    parser.add_argument("object")
    parser.add_argument("--match", default="fold<", help="of functions' names, as they are written in C++")
    given = parser.parse_args()
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
