"""The program and the report, from the program's records, print every number of a run with the same digits.

The environment variable LADDER names the program; exit status 77 if it is not set."""

import os
import re
import subprocess
import sys

from cases import Case
from report.pages import source, tables

LADDER = os.environ.get("LADDER")
if not LADDER:
    print("not run: the environment names no LADDER (the built program)")
    sys.exit(77)
OF_TERMINAL = {"% peak": "% of peak", "% ceiling": "% of ceiling", "± 95 %": "±"}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def cells_of(lines):
    """Cells of a table that the program printed: at least two blanks separate the columns in every line."""
    width = max(map(len, lines))
    padded = [line.ljust(width) for line in lines]
    blank = "".join(" " if all(line[place] == " " for line in padded) else "x" for place in range(width))
    places = [found.span() for found in re.finditer(r"x+( x+)*", blank)]
    return [[line[begin:end].strip() for begin, end in places] for line in padded]


def tables_of(text):
    """Yields (title, heads, rows) of each table that the program printed."""
    for block in text.split("\n\n"):
        lines = block.strip("\n").splitlines()
        begin = next((place for place, line in enumerate(lines) if line.startswith("backend ")), None)
        if begin is not None:
            heads, *rows = cells_of(lines[begin:])
            yield lines[0], heads, rows


def plain(text):
    """Converts a number to the terminal's form: x for ×, 2^20 for 2²⁰, 7/7 for 7 of 7; no process count after an interval."""
    text = re.sub("2([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: "2^" + found[1].translate(SUPERSCRIPTS), text)
    text = re.sub(r" % \(\d+\)$", " %", text)
    return re.sub(r"(\d+) of (\d+)", r"\1/\2", text).replace("×", "x")


class BothWays(Case):
    def run_of(self, *options):
        """(output of the program, its records as a page cites them)"""
        file = self.folder / "run.jsonl"
        done = subprocess.run([LADDER, *options, f"--records={file}"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout, source.Source(self.folder, file.name)

    def same(self, heads, rows, table):
        """Compares the common columns in every row of the program's table; returns the number of compared cells."""
        by_rung = {row["rung"].text: {plain(head): cell for head, cell in row.items()} for row in table.rows}
        self.assertEqual(sorted(by_rung), sorted(row[heads.index("rung")] for row in rows))
        compared = 0
        for row in rows:
            mine = by_rung[row[heads.index("rung")]]
            for head, text in zip(heads, row, strict=True):
                if head in ("backend", "rung", "n", "tuning"):
                    continue
                of_report = plain(mine[OF_TERMINAL.get(head, head)].text)
                self.assertEqual(of_report, text, f"{row[1]}, {head}")
                compared += 1
        return compared

    def compared(self, printed, records):
        """Compares each size of the single printed table; returns the number of compared cells."""
        (_, heads, rows), = tables_of(printed)
        place = heads.index("n")
        return sum(self.same(heads, [row for row in rows if row[place] == n],
                             tables.problem_table(records, n=n)) for n in {row[place] for row in rows})

    def test_one_process(self):
        printed, records = self.run_of("--backends=cpu", "--rungs=c00,c05..c07", "--sizes=2^12,2^16", "--samples=9",
                                       "--cache=hot")
        columns = 6 if "theoretical peak unknown" in printed else 7  # no column "% peak" without a peak
        self.assertEqual(self.compared(printed, records), 2 * 4 * columns)

    def test_several_processes(self):
        printed, records = self.run_of("--backends=cpu", "--rungs=c00,c06,c07", "--sizes=2^10,2^13", "--samples=5", "--cache=hot",
                                       "--processes=3")
        columns = 7 if "theoretical peak unknown" in printed else 8  # with the interval
        self.assertEqual(self.compared(printed, records), 2 * 3 * columns)
