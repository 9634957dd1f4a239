#!/usr/bin/env python3
"""Holds each rung of hip/ against its namesake in cuda/, the idioms that rungs are written in and the headers: HELD below.

    tools/mirror.py [--source FOLDER] [--update]
    tools/mirror.py --renames

A file of CUDA's is renamed (renames.csv, which --renames prints) and compared with that of HIP's, statement by
statement: comments, blank lines and where a line is broken do not count. What is different then is reviewed, and stands
in tools/mirror.txt with the reason; so does a file that one side alone has. Exit status 1 where something differs that
does not stand there, where something stands there that is no longer so, and where a reason is still to be written.
--update writes the list anew: what is as it was keeps its reason, what is new has TODO for one, for the next review.
"""

import argparse
import collections
import csv
import dataclasses
import difflib
import pathlib
import re
import sys
import textwrap

from shared import ROOT

TODO = "TODO"
# What is held, by where a model's folder is. A platform.hpp is not: in it a model says what differs.
HELD = {"": ("rungs/*.cu", "rungs/*.hip", "atomics.hpp", "exact.hpp", "fixed_tree.hpp", "grid.hpp", "index.hpp",
             "tree.hpp", "vector.hpp", "calling.hpp", "library/polled.*", "library/mapped.*",
             "library/graph.*"),
        "include/ladder/": ("*.hpp", "detail/*.hpp"),
        "several/": ("m0*.cu", "m0*.hip", "peers.hpp", "rungs.hpp")}

# What is called what, in the order in which it is replaced.
with open(pathlib.Path(__file__).with_name("renames.csv"), encoding="utf-8") as lines:
    RENAMES = list(csv.DictReader(lines))


def shown_renames():
    lines = [f"| {line['cuda']} | {line['hip']} | {line['what']} |\n" for line in RENAMES]
    return "".join(["| in cuda/ | in hip/ | |\n|---|---|---|\n", *lines])


def renamed(text):
    for line in RENAMES:
        text = re.sub(line["pattern"], line["replacement"], text)
    return text


@dataclasses.dataclass(frozen=True)
class Statement:
    """A piece of code up to its semicolon or brace: compared by its tokens, shown on one line."""

    tokens: tuple
    text: str = dataclasses.field(compare=False)
    line: int = dataclasses.field(compare=False, default=0)


TOKEN = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)
                      |(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
                      |"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'
                      |\d(?:'?[\w.])*|\w+|\S""", re.M | re.S | re.X)


def statement(text, line=0, rename=False):
    return Statement(tuple(match[0] for match in TOKEN.finditer(renamed(text) if rename else text)), text, line)


def statements(source, rename=False):
    """The statements of a source. A brace opens a block where a space is before it, as clang-format writes it, and else
    a list of values: a statement of its own for each of them that is a list itself, such as the lines of a table."""
    found, text, begin = [], "", 1
    open_at, before = [], ""  # what is open: "{" a block, "[" a list of values, "(" all else
    tokens = [match for match in TOKEN.finditer(source) if not match["comment"]]

    def finish():
        nonlocal text
        if text:
            found.append(statement(text, begin, rename))
        text = ""

    for match, following in zip(tokens, [*(match[0] for match in tokens[1:]), ""]):
        token, spaced = match[0], match.start() > 0 and source[match.start() - 1].isspace()
        here = source.count("\n", 0, match.start()) + 1
        if match["directive"]:
            finish()
            found.append(statement(re.sub(r"\s+", " ", re.sub(r"//.*|\\\n", " ", token)).strip(), here, rename))
            continue
        block = token == "{" and spaced and before not in ("=", "return", ",")
        if token == "}" and open_at and open_at[-1] == "{" and not text.endswith("{"):
            finish()
        begin = begin if text else here
        if token[0] == before[:1] == '"':  # one string on two lines
            text = text[:-1] + token[1:]
        else:
            tight = before in ("(", "[", "{") or token in (")", "]", "}")
            text += (" " if text and spaced and not tight else "") + token
        if token in ("(", "["):
            open_at.append("(")
        elif token == "{":
            open_at.append("{" if block else "[")
            if block and following != "}":
                finish()
        elif token in (")", "]", "}"):
            ended = open_at.pop() if open_at else ""
            if ended == "{" and following not in (";", ",", "(", ")", "else", "catch"):
                finish()
        elif token == ";" and open_at[-1:] != ["("] or token == "," and before == "}" and open_at[-1:] == ["["]:
            finish()
        before = token
    finish()
    return found


@dataclasses.dataclass(frozen=True)
class Hunk:
    """One place where two files differ: the statement before it, in hip/, and what is removed and added."""

    before: tuple
    removed: tuple
    added: tuple

    def lines(self):
        return [f"{mark} {one.text}" for mark, group in (("-", self.removed), ("+", self.added)) for one in group]


def hunks(ours, theirs):
    """Where hip's statements `theirs` are not cuda's `ours`."""
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    return [Hunk(tuple(theirs[max(j - 1, 0):j]), tuple(ours[i:i_end]), tuple(theirs[j:j_end]))
            for kind, i, i_end, j, j_end in matcher.get_opcodes() if kind != "equal"]


@dataclasses.dataclass
class Entry:
    """What was reviewed: a reason, and the places that it explains."""

    file: str
    reason: str
    hunks: list
    line: int = 0


ALONE = Hunk((), (), ())  # the one place of a file that one side alone has


def read_entries(path):
    entries, number, file, reason_open = [], 0, None, False
    hunk = {" ": [], "-": [], "+": []}  # before, removed, added

    def end_of_hunk():
        if hunk["-"] or hunk["+"]:
            entries[-1].hunks.append(Hunk(*map(tuple, hunk.values())))
        elif hunk[" "]:
            sys.exit(f"{path.name}:{number}: nothing differs behind this statement")
        for group in hunk.values():
            group.clear()

    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        code = re.fullmatch(r"    ([-+ ]) (.*)", line)
        if not code or code[1] == " " or code[1] == "-" and hunk["+"]:
            end_of_hunk()
        if code:
            hunk[code[1]].append(statement(code[2], number, rename=code[1] == "-"))
        elif not line.startswith(" "):
            file = line
        elif reason_open:
            entries[-1].reason += " " + line.strip()
        elif file is None:
            sys.exit(f"{path.name}:{number}: a reason without a file")
        else:
            entries.append(Entry(file, line.strip(), [], number))
        reason_open = line.startswith(" ") and not code
    end_of_hunk()
    return [dataclasses.replace(entry, hunks=entry.hunks or [ALONE]) for entry in entries]


HEAD = """\
# Where the code of hip/ is not that of cuda/ renamed, and why: tools/mirror.py (--renames: what is called what).
# Below the name of a file: a reason, and the places that it explains, each behind the statement that goes before it:
# - in cuda/, + in hip/. A name with a reason alone is a file that the other side does not have.
"""


def write_entries(path, entries):
    text, file = HEAD, None
    for entry in sorted(entries, key=lambda entry: entry.file):  # stable: places of one file stay in their order
        text += f"\n{entry.file}\n" if entry.file != file else ""
        file = entry.file
        text += textwrap.fill(entry.reason, 118, initial_indent="  ", subsequent_indent="  ", break_long_words=False,
                              break_on_hyphens=False) + "\n"
        for hunk in entry.hunks:
            text += "".join(f"    {line}\n" for line in [*(f"  {one.text}" for one in hunk.before), *hunk.lines()])
    path.write_text(text)


def sources(source, model):
    return {str(path.relative_to(source)) for above, patterns in HELD.items() for pattern in patterns
            for path in (source / above / model).glob(pattern) if path.name != "platform.hpp"}


def compare(source):
    """{file: its places}; how many have a namesake; {hip's file: cuda's}."""
    ours, theirs = {renamed(name): name for name in sources(source, "cuda")}, sources(source, "hip")
    found, pairs = {}, 0
    for name in sorted(ours.keys() | theirs):
        if name not in theirs:
            found[ours[name]] = [ALONE]
        elif name not in ours:
            found[name] = [ALONE]
        else:
            pairs += 1
            found[name] = hunks(statements((source / ours[name]).read_text(), rename=True),
                                statements((source / name).read_text()))
    return found, pairs, ours


def explained(entries, found):
    """[(entry, its places that are still so, those that are not)], and {file: places that no entry explains}."""
    left, parts = {file: collections.Counter(places) for file, places in found.items()}, []
    for entry in entries:
        parts.append((entry, [], []))
        for hunk in entry.hunks:
            there = left.get(entry.file, {}).get(hunk)
            parts[-1][1 if there else 2].append(hunk)
            if there:
                left[entry.file][hunk] -= 1
    return parts, {file: list(places.elements()) for file, places in left.items()}


def complaints(parts, left, originals, listed):
    """What is wrong, each as a text with its lines."""
    for entry, _, gone in parts:
        where = f"{listed}:{entry.line}"
        if entry.reason == TODO:
            yield f"{where}: {entry.file}: the reason is still to be written"
        for hunk in gone:
            if hunk == ALONE:
                yield f"{where}: {entry.file} is reviewed as being on one side alone, and is not"
            else:
                yield "\n  ".join([f"{where}: {entry.file}: reviewed, but no longer so:", *hunk.lines()])
    for file, places in left.items():
        for hunk in places:
            if hunk == ALONE:
                yield f"{file}: the other side does not have it, and no reason was reviewed"
                continue
            lines = [f"  {mark} {path}:{one.line}: {one.text}"
                     for mark, path, group in (("-", originals.get(file), hunk.removed), ("+", file, hunk.added))
                     for one in group]
            yield f"{file} is not {originals[file]} renamed, and that was not reviewed:\n" + "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Holds each rung of hip/ against its namesake in cuda/.")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help="where cuda/ and hip/ are")
    parser.add_argument("--list", type=pathlib.Path, default=ROOT / "tools" / "mirror.txt", help="what was reviewed")
    parser.add_argument("--update", action="store_true", help="write the list as it is now")
    parser.add_argument("--renames", action="store_true", help="print what is called what, as a table")
    arguments = parser.parse_args()
    if arguments.renames:
        return print(shown_renames(), end="")
    found, pairs, originals = compare(arguments.source)
    if pairs == 0:
        sys.exit(f"no file of {arguments.source}/cuda has a namesake in hip/")
    parts, left = explained(read_entries(arguments.list), found)
    if arguments.update:  # without what is no longer so, and with what has no reason yet
        kept = [dataclasses.replace(entry, hunks=still) for entry, still, _ in parts if still]
        return write_entries(arguments.list, kept + [Entry(file, TODO, [hunk]) for file in left for hunk in left[file]])
    bad = list(complaints(parts, left, originals, arguments.list.name))
    print("\n".join(bad + ["A change belongs on both sides. Where it cannot be: --update, and review."] * bool(bad)
                    + [f"{pairs} files looked at"]))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
