"""python3 -m report [--output FOLDER] RECORDS...

Makes a page, tables and figures from records files (or folders of them) of any machines. Exit status: 0 made; 1 made, but a
measurement is wrong, failed or unfinished, or the records have problems, which the page lists; 2 no report could be made.
"""

import argparse
import sys

from . import page, records
from .sections.ladder import wrong_by_mistake


def main(words=None):
    parser = argparse.ArgumentParser(prog="report", description="A page, tables and figures of a study, from its records.")
    parser.add_argument("records", nargs="+", help="records files (*.jsonl, *.jsonl.gz), or folders of them")
    parser.add_argument("--output", default="report", help="the folder that is written (report)")
    arguments = parser.parse_args(words)
    study = records.read(arguments.records)
    for problem in study.problems:
        print(f"report: {problem}", file=sys.stderr)
    if not study.rows and not study.others["energy"]:
        print("report: there is no measurement in these records", file=sys.stderr)
        return 2
    try:
        print(page.write(study, arguments.output))
    except OSError as error:
        print(f"report: --output={arguments.output}: cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    spoiled = len(wrong_by_mistake(study.measurements))
    if bad := sum(not one["ok"] for one in study.others["energy"]):
        print(f"report: {bad} of {len(study.others['energy'])} rounds of --energy are wrong or failed", file=sys.stderr)
    if spoiled:
        print(f"report: {spoiled} of {len(study.measurements)} measurements are wrong, failed or unfinished: the page lists them",
              file=sys.stderr)
    return 1 if study.problems or spoiled or bad else 0


if __name__ == "__main__":
    sys.exit(main())
