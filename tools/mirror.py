#!/usr/bin/env python3
"""Compares each file of hip/ with its namesake in cuda/: the rungs, and what they stand on apart (HELD).

    tools/mirror.py [--source FOLDER] [--show] [--update]

A file of CUDA's is renamed (renames.csv) and compared with HIP's statement by statement: comments, blank lines and line breaks
do not count. A difference is reviewed: tools/mirror.txt has each file that differs, or that one side alone has, with the number
of lines of the diff, its hash and the reasons. Exit status 1 where a file differs otherwise than it was reviewed, no longer
differs, or has no reason. --show prints the differences; --update writes the list anew, with TODO where a reason is missing.
"""

import argparse
import csv
import difflib
import hashlib
import pathlib
import re
import sys
import textwrap

from shared import ROOT

TODO = "TODO"
ALONE = ["the other side does not have it"]  # in place of a diff
# What is compared, below a model's folder.
HELD = ("rungs/*.cu", "rungs/*.hip", "grid.hpp")
HEAD = """\
# Where the code of hip/ is not that of cuda/ renamed (tools/mirror.py): file, lines of the diff, its hash, and the reasons.
# tools/mirror.py --show prints the differences.
"""

with open(pathlib.Path(__file__).with_name("renames.csv"), encoding="utf-8") as lines:  # in the order of replacement
    RENAMES = list(csv.DictReader(lines))


def renamed(text):
    for line in RENAMES:
        text = re.sub(line["pattern"], line["replacement"], text)
    return text


STRING_OR_COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/""", re.S)


def statements(text):
    """The code of a source, cut behind each semicolon, brace and preprocessor line, without comments. Blanks are between words
    alone, and a string on two lines is one."""
    code = STRING_OR_COMMENT.sub(lambda match: match[1] or " ", text)
    parts = re.split(r"^([ \t]*#(?:[^\n\\]|\\.)*)$|(?<=[;{}])", code, flags=re.M | re.S)
    bare = (re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join((part or "").split())).replace('""', "") for part in parts)
    return [part for part in bare if part]


def sources(source, model):
    return {str(path.relative_to(source)) for pattern in HELD for path in (source / model).glob(pattern)}


def compare(source):
    """({file of hip/, else of cuda/: the lines of its diff}, number of files that both sides have)"""
    ours, theirs = {renamed(name): name for name in sources(source, "cuda")}, sources(source, "hip")
    found = {ours.get(name, name): ALONE for name in ours.keys() ^ theirs}
    for name in ours.keys() & theirs:
        both = statements(renamed((source / ours[name]).read_text())), statements((source / name).read_text())
        diff = list(difflib.unified_diff(*both, n=1, lineterm=""))[2:]  # without the files' names
        if diff:
            found[name] = [line for line in diff if not line.startswith("@@")]
    return found, len(ours.keys() & theirs)


def mark(diff):
    """What the list has of a diff: "3 lines 1a2b3c4d", or "alone"."""
    changed = sum(line[0] in "+-" for line in diff)
    return "alone" if diff is ALONE else f"{changed} lines {hashlib.sha256(repr(diff).encode()).hexdigest()[:8]}"


def reviewed(path):
    """{file: (mark, reasons)}"""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line and not line.startswith(("#", " ")):
            file, _, known = line.partition(" ")
            found[file] = known, ""
        elif line.startswith(" "):
            found[file] = known, f"{found[file][1]} {line.strip()}".strip()
    return found


def write(path, found, known):
    text = HEAD
    for file, diff in sorted(found.items()):
        before, reason = known.get(file, ("", ""))
        reason = reason if before == mark(diff) else f"{reason} {TODO}"
        text += f"\n{file} {mark(diff)}\n" + textwrap.fill(reason.strip(), 118, initial_indent="  ", subsequent_indent="  ",
                                                           break_long_words=False, break_on_hyphens=False) + "\n"
    path.write_text(text)


def complaints(found, known):
    for file in sorted(found.keys() | known):
        now, (before, reason) = mark(found[file]) if file in found else None, known.get(file, ("", ""))
        if now is None:
            yield f"{file}: reviewed as {before}, and is the other side's renamed"
        elif now != before:
            said = f"reviewed were {before}" if before else "nobody reviewed it"
            yield "\n  ".join([f"{file}: differs from the other side ({now}), {said}:", *found[file]])
        elif TODO in reason:
            yield f"{file}: the reason is still to be written"


def main():
    parser = argparse.ArgumentParser(description="Compares each file of hip/ with its namesake in cuda/.")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help="where cuda/ and hip/ are")
    parser.add_argument("--list", type=pathlib.Path, default=ROOT / "tools" / "mirror.txt", help="what was reviewed")
    parser.add_argument("--show", action="store_true", help="print the differences")
    parser.add_argument("--update", action="store_true", help="write the list as it is now")
    arguments = parser.parse_args()
    found, pairs = compare(arguments.source)
    if pairs == 0:
        sys.exit(f"no file of {arguments.source}/cuda has a namesake in hip/")
    known = reviewed(arguments.list)
    if arguments.show:
        print("\n".join("\n  ".join([file, *diff]) for file, diff in sorted(found.items())))
    if arguments.update:
        write(arguments.list, found, known)
        return 0
    bad = list(complaints(found, known))
    print("\n".join([*bad, *["A change belongs on both sides. Where it cannot be: --update, and review."] * bool(bad),
                     f"{pairs} files looked at"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
