"""Tables of tools/docs.py made from the program, files of docs/data, the report and the page itself."""

import csv
import dataclasses
import functools
import itertools
import os
import pathlib
import re
import sys

from report import named, records, sources
from report.parts import Table
from report.sections import SECTIONS, energy
from report.sections.ladder import ASKED_HEADS
from report.text import power
from report.view import View
from shared import ROOT

SAID = [*ASKED_HEADS, "backend", "scaling", "release skew"]  # shown in the title if equal in all rows


def ladder_table(listing, which):
    heads = {"rung": "id", "slug": "slug", "the one change": "idea", "base": "base", "from": "sources"}
    return Table("", "", [{head: rung[name] or "-" for head, name in heads.items()} for rung in listing["ladders"][which]])


def diff_block(base, rung, launch, folder):
    """Changes in a rung's source; without the launch unless `launch` is given."""
    found = [sorted((ROOT / folder / "rungs").glob(f"{name}_*")) for name in (base, rung)]
    for name, files in zip((base, rung), found):
        if len(files) != 1:
            sys.exit(f"{folder}/rungs: {len(files)} files of {name}")
    lines = sources.changes(*(sources.of_file(file) for file, in found), context=1,
                            until=None if launch else "template <class Case>")
    return "```diff\n" + "\n".join(lines) + "\n```\n\n"


def csv_table(file, columns=""):
    """A committed CSV file, or these columns of it, with _ for a blank."""
    with open(ROOT / file, newline="") as lines:
        table = Table("", "", csv.DictReader(lines))
    return table.with_columns(columns.replace("_", " ").split(",")) if columns else table


def machines_table(sources, place):
    """Folders of docs/results with packed records. `place`: folder of the page, the base of relative links."""
    rows = []
    for folder in sorted({file.parent for file in (ROOT / "docs" / "results").glob("*/*.jsonl.gz")}):
        runs = [sources[file.relative_to(ROOT).as_posix()].run for file in sorted(folder.glob("*.jsonl.gz"))]
        devices = [device for run in runs for device in run["devices"]]
        models = sorted({backend for device in devices for backend in device["backends"]})
        days = sorted({run["date"][:10] for run in runs})
        page = folder / "README.md" if (folder / "README.md").exists() else folder
        link = pathlib.PurePath(os.path.relpath(page, place)).as_posix()
        several = sum(run["processes"] > 1 for run in runs)
        rows.append({"folder": f"[{folder.name}]({link})", "machine": "; ".join(dict.fromkeys(map(named.device, devices))),
                     "backends": ", ".join(models), "files": str(len(runs)), "of several processes": str(several),
                     "measured": " to ".join(dict.fromkeys((days[0], days[-1])))})
    return Table("", "", rows)


@functools.cache
def view_of(files):
    return View(records.read([ROOT / file for file in files.split(",")]))


@functools.cache
def parts_of(files, make):
    """Tables and figures of one report section for these records files."""
    section = make(view_of(files))
    return [*section.tables, *section.figures] if section else []


def of_report(files, name, kind=Table):
    """A table or figure of the report of these records files, by id. Makes sections until one contains it."""
    parts = itertools.chain.from_iterable(parts_of(files, make) for make in SECTIONS)
    found = next((part for part in parts if part.id == name and isinstance(part, kind)), None)
    return found or sys.exit(f"no {kind.__name__.lower()} {name} in the report of {files}")


def with_power(text):
    """Converts 2^20 to 2²⁰."""
    return re.sub(r"^2\^(\d+)$", lambda found: power(2, found[1]), text)


def report_table(sources, records, id, rungs="", columns="", **wanted):  # noqa: A002  (as the page has it)
    """A table of the report with its source. Optionally only these rungs (rung, or rung:backend), these columns, and the rows
    with the wanted texts under a head. Requested values that are equal in all rows move to the title."""
    table = of_report(records, id)
    if wanted:
        table = table.narrowed(SAID, {head: with_power(text) for head, text in wanted.items()})
    if rungs:
        def fits(row, words):
            texts = [str(cell.value or cell.text) for cell in list(row.values())[:2]]
            return all(any(re.fullmatch(rf"{word}|{word}_.*" if word[-1].isdigit() else word, text) for text in texts)
                       for word in words.split(":"))

        table = dataclasses.replace(table, rows=[row for words in rungs.split(",") for row in table.rows if fits(row, words)])
    if columns:
        table = table.with_columns(list(map(with_power, columns.split(","))))
    shown = [words.partition(":")[0] for words in rungs.split(",") if words]
    return dataclasses.replace(table, note=f"{table.note} {sources.in_short(records, shown)}")


def energy_tables(sources, records):
    """All energy tables of a file."""
    return "\n".join(table.within() for table in energy.tables_of(sources[records].study))
