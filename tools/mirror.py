#!/usr/bin/env python3
"""Compares each rung of hip/ with its namesake in cuda/.

    tools/mirror.py [--source FOLDER]

The CUDA rung is renamed (renames.csv) and compared with HIP's statement by statement, ignoring comments, blank lines and line
breaks. If they differ, the head comment of HIP's rung has the size of the difference and its reason:

    // Unlike CUDA's (3 lines, 7f960b94): a wavefront has 32 or 64 lanes, ...

The number counts the lines that a diff removes or adds; the second figure is their hash. Exit status 1 if a rung's difference
does not match its head comment, which is printed with the diff. hip/hip_table.hip has the reason for each missing HIP rung.
"""

import argparse
import csv
import difflib
import hashlib
import pathlib
import re
import sys

from shared import ROOT

with open(pathlib.Path(__file__).with_name("renames.csv"), encoding="utf-8") as lines:  # in the order of replacement
    RENAMES = list(csv.DictReader(lines))

STRING_OR_COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/""", re.S)
SAID = re.compile(r"Unlike CUDA's \((\d+ lines?, [0-9a-f]{8})\):")


def renamed(text):
    for line in RENAMES:
        text = re.sub(line["pattern"], line["replacement"], text)
    return text


def statements(text):
    """Source code without comments, split after each semicolon, brace and preprocessor line. Keeps blanks only between words
    and joins adjacent string literals."""
    code = STRING_OR_COMMENT.sub(lambda match: match[1] or " ", text)
    parts = re.split(r"^([ \t]*#(?:[^\n\\]|\\.)*)$|(?<=[;{}])", code, flags=re.M | re.S)
    bare = (re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join((part or "").split())).replace('""', "") for part in parts)
    return [part for part in bare if part]


def difference(cuda, hip):
    """Diff lines of the two rungs, after renaming CUDA's."""
    diff = difflib.unified_diff(statements(renamed(cuda)), statements(hip), n=1, lineterm="")
    return [line for line in list(diff)[2:] if not line.startswith("@@")]  # omit the file names


def mark(diff):
    """Summary of a diff for a head comment: "3 lines, 7f960b94"; None for an empty diff."""
    changed = sum(line[0] in "+-" for line in diff)
    count = f"{changed} line{'s' if changed > 1 else ''}"
    return f"{count}, {hashlib.sha256(repr(diff).encode()).hexdigest()[:8]}" if diff else None


def main():
    parser = argparse.ArgumentParser(description="Compares each rung of hip/ with its namesake in cuda/.")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help="where cuda/ and hip/ are")
    source, bad, pairs = parser.parse_args().source, [], 0
    for path in sorted((source / "hip" / "rungs").glob("*.hip")):
        other = source / "cuda" / "rungs" / f"{path.stem}.cu"
        if not other.is_file():
            bad.append(f"{path.name}: CUDA has no such rung")
            continue
        pairs += 1
        hip = path.read_text()
        diff, said = difference(other.read_text(), hip), SAID.search(re.sub(r"\n// ?", " ", hip))
        if mark(diff) != (said and said[1]):
            bad.append("\n  ".join([f"{path.name}: differs by {mark(diff)}, and its head says {said and said[1]}:", *diff]))
    if pairs == 0:
        sys.exit(f"no rung of {source}/hip has a namesake in cuda/")
    print("\n".join([*bad, *["A change belongs on both sides. Where it cannot be, the head says why."] * bool(bad),
                     f"{pairs} rungs compared"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
