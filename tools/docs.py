#!/usr/bin/env python3
"""Writes the tables and the figures in README.md and docs/ from the program and from committed records.

    tools/docs.py [--check] [--ladder build/host/bench/ladder]

A table is enclosed by the lines `<!-- table: KIND key=value ... -->` and `<!-- end -->`; the text between them is
replaced. KIND is
  ladder     which=device|cpu                  the rungs, from `ladder --list --format=json`
  problem    records=FILE n=N [columns=HEAD,HEAD]    one problem in full, or these columns of it
  sizes      records=FILE value=VALUE          rungs down, sizes across
  cases      records=FILE value=VALUE          rungs down, types and operations across
  sweep      records=FILE over=AXIS            GB/s, rungs (and other swept axes) down, block, grid or items across
  step       rung=ID records=FILE [n=N,N] [against=ID] [diff=no] [facts=NAME,NAME] [beside=ID]    a rung of CUDA or of the CPU
                                               against its base: change, prediction, measurement, evidence
  source     records=FILE                      only the source of figures: machine, date, command
  ratios     records=FILE of=BACKEND to=BACKEND    the rungs that both backends have: the first one's speed relative to
                                               the other's, sizes across
  against    records=FILE rungs=RUNG,BACKEND:RUNG    these rungs, and their speed relative to the first, at each size
  of_report  records=FILE,FILE id=ID [rungs=RUNG,RUNG:BACKEND] [columns=HEAD,HEAD] [HEAD=TEXT]    a table of the report of these
                                               records, by its id, with its source
  csv        file=FILE [columns=HEAD,HEAD]     a whole table, or these columns of it
  energy     records=FILE                      joules per GB of each problem of ladder --energy
  devices                                      claims about GPU models, on every device measured
  machines                                     the folders of docs/results: machines, dates, numbers of files
VALUE is gbs, of_ceiling or time. Any field of a measurement narrows the selection (type=f32 n=1024 block=256), including
backend=. If records hold several backends and none is named, tables have a column for it, and the other kinds refuse.
A drawing is enclosed by `<!-- figure: NAME records=FILE,FILE -->` and `<!-- end -->`: the figure of that name in the report of
these records. It is written into docs/results/figures; figures there that no page uses are deleted. patterns.py draws the
figure pattern-RUNG, with data=docs/data/patterns.csv instead of records. A figure times-NAME (rungs=RUNG,RUNG, records=FILE and
further fields) shows the time of these rungs and of the ceiling over sizes; steps-NAME (also backends=BACKEND,BACKEND and n=N)
the fraction of the ceiling that each reaches.
A line `<!-- defaults: key=value ... -->` sets the defaults of a page's steps.
Records are JSON lines, gzipped or not, relative to the repository; `*` in a name matches several files. With --check nothing is
written: the exit status is 1 if a page would change. Without --ladder the tables that need the program are left unchanged, with
a message.
"""

import argparse
import functools
import os
import pathlib
import re
import sys

import shared
from shared import ROOT

try:
    import docs_tables as tables
    import patterns
    from report import charts
    from report.pages import devices, drawn, steps
    from report.pages.source import Sources
    from report.pages.tables import TABLES
    from report.parts import Figure, Table
    from report.sources import predictions
except ImportError as error:
    print(f"{error.name} is not installed (./study setup installs it)")
    sys.exit(77)

MADE = re.compile(r"(<!-- (?:table|figure): (\S+)([^\n]*?) -->\n).*?(<!-- end -->)", re.S)
DEFAULTS = re.compile(r"<!-- defaults: ([^\n]*?) -->")
DRAWINGS = "docs/results/figures"
OF_RECORDS = {**TABLES, "source": lambda records: records.source() + "\n"}
OF_LADDER = ("ladder", "step")


def pairs(text):
    return dict(part.split("=", 1) for part in text.split())


def spelled_out(files):
    """Expands `*` in comma-separated names of records files."""
    return ",".join(file if "*" not in file else ",".join(sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(file)))
                    for file in files.split(","))


class Page:
    """Regenerates the tables and figures of one page."""

    def __init__(self, path, sources, listing):
        self.path, self.text, self.sources, self.listing = path, path.read_text(), sources, listing
        self.drawings, self.passed_over = {}, set()  # {path: SVG, or a figure of the report}; kinds of tables
        found = DEFAULTS.search(self.text)
        self.defaults = pairs(found[1]) if found else {}

    def made(self):
        if len(re.findall("<!-- (?:table|figure): ", self.text)) != len(MADE.findall(self.text)):
            sys.exit("a '<!-- table:' or '<!-- figure:' without its end")
        return MADE.sub(lambda match: (self.drawing if match[1].startswith("<!-- figure") else self.table)(match), self.text)

    def drawing(self, match):
        head, name, rest, end = match.groups()
        path, given = ROOT / DRAWINGS / f"{name}.svg", pairs(rest)
        if "data" in given:
            title, svg = patterns.drawing_of(ROOT / given["data"], name.removeprefix("pattern-"))
            self.drawings[path] = charts.standing_alone(svg) + "\n"
            return f"{head}\n{self.image(path, title)}\n\n*{title}.*\n\n{end}"
        files, rungs = spelled_out(given["records"]), list(filter(None, given.get("rungs", "").split(",")))
        if make := drawn.DRAWN.get(name.partition("-")[0]):
            given.pop("records")
            one = make(self.sources[files], name, **given)
        else:
            one = tables.of_report(files, name, Figure)
        self.drawings[path] = one
        return f"{head}\n{self.image(path, one.words)}\n\n*{self.sources.in_short(files, rungs)}*\n\n{end}"

    def image(self, path, words):
        shown = pathlib.PurePath(os.path.relpath(path, self.path.parent)).as_posix()
        return f'<img src="{shown}" width="640" alt="{charts.escaped(words)}">'

    def table(self, match):
        head, kind, rest, end = match.groups()
        if kind in OF_LADDER and self.listing is None:
            self.passed_over.add(kind)
            return match[0]
        made = self.content(kind, pairs(rest))
        return f"{head}\n{made.within() if isinstance(made, Table) else made}\n{end}"

    def step(self, rung, launch="", diff="yes", **options):
        """Changes of a rung in its source, of a CPU's with the launch, followed by its measurements."""
        ladder = {one["id"]: one for ladder in self.listing["ladders"].values() for one in ladder}
        base, host = ladder[rung]["base"], rung.startswith("c")
        shown = tables.diff_block(base, rung, launch or host, "cpu" if host else "cuda") if base and diff == "yes" else ""
        return shown + steps.step(self.sources, ladder, rung, **{**self.defaults, **options})

    def of_records(self, make, records, **options):
        return make(self.sources[records], **options)

    def content(self, kind, options):
        makers = {"step": self.step,
                  "csv": tables.csv_table,
                  "devices": functools.partial(devices.table, ROOT),
                  "ladder": functools.partial(tables.ladder_table, self.listing),
                  "machines": functools.partial(tables.machines_table, self.sources, self.path.parent),
                  "of_report": functools.partial(tables.report_table, self.sources),
                  "energy": functools.partial(tables.energy_tables, self.sources),
                  **{name: functools.partial(self.of_records, make) for name, make in OF_RECORDS.items()}}
        if kind not in makers:
            sys.exit(f"no table of the kind '{kind}': {', '.join(makers)}")
        if "records" in options:
            options["records"] = spelled_out(options["records"])
        return makers[kind](**options)


def complaints(listing):
    """Yields rungs without step or drawing, and predictions for unknown rungs."""
    ladder, past = ((ROOT / "docs" / name).read_text() for name in ("ladder.md", "past.md"))
    rungs = listing["ladders"]["device"] if listing else []
    for rung in rungs:
        if f"\n### {rung['id']} {rung['slug']}\n" in past:
            if f"table: step rung={rung['id']} " not in past:
                yield f"docs/past.md: no step of {rung['id']}"
            continue  # needs no drawing: the page has the reason
        if f"table: step rung={rung['id']} " not in ladder:
            yield f"docs/ladder.md: no step of {rung['id']}, nor is it a section of docs/past.md"
        section = ladder.partition(f"\n### {rung['id']} ")[2].partition("\n### ")[0]
        if f"<!-- figure: pattern-{rung['id']} " not in section and "\nNot drawn: " not in section:
            yield f"docs/ladder.md: no drawing of {rung['id']}, and no word why"
    ids = {rung["id"] for rung in rungs}
    yield from (f"docs/predictions.csv: {line['rung']} against {line['against']}: no such rungs"
                for line in predictions(ROOT) if rungs and not {line["rung"], line["against"]} <= ids)


def is_fresh(path, drawing):
    """True if the file has this drawing: the same SVG, or for a figure of the report the same fingerprint, since bytes depend
    on fonts."""
    there = path.read_text() if path.exists() else ""
    return there == drawing if isinstance(drawing, str) else f'data-mark="{charts.mark_of(drawing.spec)}"' in there


def write_drawings(drawings, check):
    """Writes stale figures unless `check`. Returns their names."""
    wanted = {path: drawings.get(path, "") for path in {*drawings, *(ROOT / DRAWINGS).glob("*.svg")}}
    stale = {path: drawing for path, drawing in wanted.items() if not is_fresh(path, drawing)}
    for path, drawing in stale.items() if not check else ():
        if drawing:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(drawing if isinstance(drawing, str) else charts.svg_of(drawing) + "\n")
        else:
            path.unlink()
    return sorted(str(path.relative_to(ROOT)) for path in stale)


def main(words=None):
    parser = argparse.ArgumentParser(description="Writes the tables and the figures in README.md and docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a page would change")
    parser.add_argument("--ladder", help="the built program, for the tables that need it")
    arguments = parser.parse_args(words)
    listing = shared.listing(arguments.ladder) if arguments.ladder else None
    sources = Sources(ROOT)
    for complaint in complaints(listing):
        sys.exit(complaint)
    stale, drawings = [], {}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        filled, name = Page(path, sources, listing), str(path.relative_to(ROOT))
        try:
            made = filled.made()
        except SystemExit as error:
            sys.exit(f"{name}: {error}")
        drawings |= filled.drawings
        if filled.passed_over:
            print(f"{name}: tables were not looked at: {', '.join(sorted(filled.passed_over))} (no --ladder)")
        if made != filled.text:
            stale.append(name)
            if not arguments.check:
                path.write_text(made)
    stale += write_drawings(drawings, arguments.check)
    for name in stale:
        print(f"{name}: {'is stale: run tools/docs.py' if arguments.check else 'written'}")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    shared.ended(main)
