"""Two sources of one rung held against each other: the lines in which models differ, and their machine code."""

import csv
import subprocess
import sys

from .records import ROOT
from .text import table


def quoted(file, part):
    """The line of a file that has this part in it; ends where none has it, so that a quotation stays true."""
    if not file:
        return "-"
    found = [line.strip() for line in (ROOT / file).read_text().splitlines() if part in line]
    if not found:
        sys.exit(f"{file}: no line has '{part}' any more")
    code = found[0].replace("|", "\\|")
    return f"`{code}` ([{file}](../{file}))"


def differences_table(source):
    """docs/data/<source>.csv: what differs, the line of each side that shows it, and why."""
    with open(ROOT / "docs" / "data" / f"{source}.csv", newline="") as file:
        rows = [[line["what"], quoted(line["cuda_file"], line["cuda_line"]), quoted(line["hip_file"], line["hip_line"]),
                 line["why"]] for line in csv.DictReader(file)]
    return table(["what", "CUDA", "HIP", "why"], "llll", rows)


def renames_table():
    """What tools/mirror.py calls what."""
    return subprocess.run([sys.executable, ROOT / "tools" / "mirror.py", "--renames"], check=True, capture_output=True,
                          text=True).stdout.strip() + "\n"


def same_code_table(records):
    """How many of a rung's kernels are the same machine code on both sides."""
    if not records.same_code:
        sys.exit(f"{records.path}: no records of kind same_code")
    rows = [[record["rung"], str(record["kernels"]), str(record["identical"])] for record in records.same_code]
    rows.append(["all", *(str(sum(record[field] for record in records.same_code)) for field in ("kernels", "identical"))])
    return table(["rung", "kernels", "the same code"], "lrr", rows) + "\n" + records.source() + "\n"
