#!/usr/bin/env python3
"""Writes the tables and the figures in README.md and docs/ from the program and from committed records.

    docs/generate.py [--check] [--ladder build/host/bench/ladder]

A table stands between a line `<!-- table: KIND key=value ... -->` and a line `<!-- end -->`; what lies between is
replaced. KIND is
  ladder     which=device|cpu                  the rungs, from `ladder --list --format=json`
  problem    records=FILE n=N [FIELD=VALUE]    one problem in full
  sizes      records=FILE value=VALUE          rungs down, sizes across
  cases      records=FILE value=VALUE          rungs down, types and operations across
  sweep      records=FILE over=AXIS value=VALUE    rungs (and other swept axes) down, block, grid or items across
  occupancy  records=FILE                      registers, shared memory, resident blocks, by block size
  step       rung=ID facts=NAME,NAME           a rung against its base: change, prediction, measurement, evidence, published
  published  source=NAME                       docs/data/published.csv beside what was measured here
  verdicts   records=FILE                      whether the results were right: rungs down, operations and sizes across
  source     records=FILE                      only where figures come from: machine, date, command
  steps_of   source=NAME                       the published speed-ups beside those here
  ratios     records=FILE of=BACKEND to=BACKEND [against=RUNG,RUNG:RUNG]    the rungs that both backends have: the first
                                               one's speed as a part of the other's, sizes across; against= adds libraries,
                                               or one of the first backend against one of the second
  against    records=FILE rungs=RUNG,BACKEND:RUNG    these rungs, and how many times as fast as the first, at each size
  facts_of   records=FILE backends=BACKEND,BACKEND [rungs=RUNG,RUNG]    registers, shared memory, launches, grid on each
  evidence_of records=FILE backends=a,b facts=NAME,NAME rungs=ID,ID    what the hardware did in each rung on each backend
  aa         records=FILE                      the A/A trial of tools/aa.py
  same_code  records=FILE                      tools/same_code.py: kernels of HIP's rungs that are the same code as CUDA's
  differences source=NAME                      docs/data/NAME.csv: lines of code in which two backends differ, and why
  renames                                      what tools/mirror.py calls what
VALUE is gbs, of_ceiling, of_peak or median; any field of a measurement narrows the selection (type=f32 n=1024 block=256),
backend= too; where records hold several backends and none is named, tables have a column for it, and the rest refuses.
A drawing stands between `<!-- figure: NAME records=FILE,FILE -->` and `<!-- end -->`: the report's figure of that name
(bench/report), of these records; it is written into docs/results/figures, and what is there and in no page is deleted. It
takes what ./study setup installs for the report; without it figures are left as they are, and that is said.
A figure in prose stands between `<!-- = KIND ... -->` and `<!-- /= -->`, on one line (docs/tables/steps.py: inline). A line
`<!-- defaults: key=value ... -->` says what the steps and figures of a page need not repeat.
Records are JSON lines, gzipped or not, relative to the repository. With --check nothing is written: the exit status is 1
where a page would change. Without --ladder the tables that need the list of rungs are left as they are, and that is said.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tables import compared, drawn, measured, mirrored, published, steps  # noqa: E402
from tables.records import ROOT, Files  # noqa: E402
from tables.text import count  # noqa: E402

DRAWING = re.compile(r"(<!-- figure: (\S+)([^\n]*?) -->\n)(.*?)(<!-- end -->)", re.S)
TABLE = re.compile(r"(<!-- table: (\w+)([^\n]*?) -->\n)(.*?)(<!-- end -->)", re.S)
FIGURE = re.compile(r"(<!-- = ([^\n>]*?) -->)([^\n]*?)(<!-- /= -->)")
DEFAULTS = re.compile(r"<!-- defaults: ([^\n]*?) -->")
MEASURED = {"problem": measured.problem_table, "sizes": measured.sizes_table, "cases": measured.cases_table,
            "sweep": measured.sweep_table, "occupancy": measured.occupancy_table, "verdicts": measured.verdicts_table,
            "source": measured.source_line, "aa": measured.aa_table, "evidence_of": steps.evidence_table,
            "same_code": mirrored.same_code_table, **compared.TABLES}

OTHERS = ["ladder", "step", "published", "steps_of", "differences", "renames"]


def pairs(text):
    return dict(part.split("=", 1) for part in text.split())


class Page:
    """Fills one page anew."""

    def __init__(self, path, files, listing):
        self.path, self.text, self.files, self.listing = path, path.read_text(), files, listing
        self.drawings, self.not_drawn = {}, ""  # {path: SVG}; why there are none
        found = DEFAULTS.search(self.text)
        self.defaults = pairs(found[1]) if found else {}
        self.passed_over = False

    def made(self):
        if re.search(r"^ {0,3}<!-- = ", self.text, re.M):
            sys.exit("a line begins with a figure: Markdown would take the whole line for HTML")
        for mark, filled in (("<!-- table: ", TABLE), ("<!-- figure: ", DRAWING), ("<!-- = ", FIGURE)):
            if self.text.count(mark) != len(filled.findall(self.text)):
                sys.exit(f"a '{mark.strip()}' without its end")
        return FIGURE.sub(self.figure, TABLE.sub(self.table, DRAWING.sub(self.drawing, self.text)))

    def drawing(self, match):
        head, name, rest, _, end = match.groups()
        try:
            text, path, svg = drawn.figure(self.path, self.files, name, **pairs(rest))
        except drawn.NotHere as why:
            self.drawings[drawn.FOLDER / f"{name}.svg"], self.not_drawn = None, str(why)
            return match[0]
        self.drawings[path] = svg
        return head + "\n" + text + "\n" + end

    def figure(self, match):
        return match[1] + steps.inline(self.files, self.defaults, match[2]) + match[4]

    def table(self, match):
        head, kind, rest, _, end = match.groups()
        options = pairs(rest)
        if kind in ("ladder", "step") and self.listing is None:
            self.passed_over = True
            return match[0]
        if kind == "ladder":
            made = steps.ladder_table(self.listing, **options)
        elif kind == "step":
            ladder = {rung["id"]: rung for rung in self.listing["ladders"]["device"]}
            made = steps.step_block(self.files, ladder, **{**self.defaults, **options})
        elif kind == "published":
            made = published.published_table(self.files, **options)
        elif kind == "steps_of":
            made = published.steps_table(self.files, **options)
        elif kind == "differences":
            made = mirrored.differences_table(**options)
        elif kind == "renames":
            made = mirrored.renames_table()
        elif kind in MEASURED:
            if "n" in options:
                options["n"] = ",".join(str(count(size)) for size in options["n"].split(","))
            made = MEASURED[kind](self.files[options.pop("records")], **options)
        else:
            sys.exit(f"no table of the kind '{kind}': {', '.join(OTHERS + [*MEASURED])}")
        return head + "\n" + made + "\n" + end


def complain_about_what_is_left_out(listing):
    """Ends where a rung has no step, a document no table, or a line of the data says nothing that is known."""
    ladder, published_page = ((ROOT / "docs" / name).read_text() for name in ("ladder.md", "published.md"))
    for source in {line["source"] for line in published.lines()}:
        if f"table: published source={source} " not in published_page:
            sys.exit(f"docs/published.md: no table of {source}")
    if listing is None:
        return
    rungs = listing["ladders"]["device"]
    for rung in rungs:
        if f"table: step rung={rung['id']} " not in ladder:
            sys.exit(f"docs/ladder.md: no step of {rung['id']}")
    ids, slugs = {rung["id"] for rung in rungs}, {rung["slug"] for rung in rungs} | {"library_cub", "library_thrust"}
    for line in steps.all_predictions():
        if not {line["rung"], line["against"]} <= ids:
            sys.exit(f"docs/predictions.csv: {line['rung']} against {line['against']}: no such rungs")
    for line in published.lines():
        if line["rung"] not in slugs:
            sys.exit(f"docs/data/published.csv: no rung is called {line['rung']}")


def write_drawings(drawings, check):
    """The names of the figures that are not what they should be, which are written unless it is only a check."""
    stale = []
    for path in {*drawings, *drawn.FOLDER.glob("*.svg")}:
        svg, there = drawings.get(path, ""), path.read_text() if path.exists() else ""
        if svg is None or svg == there:  # none: it could not be drawn here
            continue
        stale.append(str(path.relative_to(ROOT)))
        if not check and svg:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(svg)
        elif not check:
            path.unlink()
    return sorted(stale)


def main():
    parser = argparse.ArgumentParser(description="Writes the tables and the figures in README.md and docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a page would change")
    parser.add_argument("--ladder", help="the built program, for the tables that need the list of rungs")
    arguments = parser.parse_args()
    listing = None
    if arguments.ladder:
        listing = json.loads(subprocess.run([arguments.ladder, "--list", "--format=json"], check=True,
                                            capture_output=True, text=True).stdout)
    files = Files()
    complain_about_what_is_left_out(listing)
    stale, passed_over, drawings, not_drawn = [], [], {}, ""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        page = Page(path, files, listing)
        name = str(path.relative_to(ROOT))
        try:
            made = page.made()
        except SystemExit as error:
            sys.exit(f"{name}: {error}")
        drawings |= page.drawings
        not_drawn = page.not_drawn or not_drawn
        if page.passed_over:
            passed_over.append(name)
        if made != page.text:
            stale.append(name)
            if not arguments.check:
                path.write_text(made)
    stale += write_drawings(drawings, arguments.check)
    if not_drawn:
        print(f"Figures were not looked at: {not_drawn}.")
    for name in passed_over:
        print(f"{name}: tables of rungs were not looked at (no --ladder)")
    for name in stale:
        print(f"{name}: {'is stale: run docs/generate.py' if arguments.check else 'written'}")
    sys.exit(1 if arguments.check and stale else 0)


if __name__ == "__main__":
    main()
