"""Includes go one way: include <- common <- models <- several; common <- bench, along its folders; all of them <- tests."""

import pathlib
import re
import unittest

from running import ROOT

MODELS = ["cuda", "hip", "kokkos", "cpu"]
FLOW = [f"bench/{folder}" for folder in ("cli", "plan", "results", "records", "run", "output")]
MAY_INCLUDE = {"include": [], "common": ["include"],
               "bench headers": ["common"], "bench program": ["common", "bench headers", *FLOW],
               **{model: ["common", "include"] for model in MODELS}, "several": ["common", "include", *MODELS],
               **{folder: ["common", "bench headers", *FLOW[:place]] for place, folder in enumerate(FLOW)}}
MAY_INCLUDE["bench/variants"] = ["common", "include", "cuda"]  # an experiment in a separate program
MAY_INCLUDE["bench/output"].remove("bench/records")  # both include the results, not each other


def part_of(file):
    """Part of the project that a file is in, as named in MAY_INCLUDE."""
    if file.parts[0] != "bench":
        return file.parts[0]
    return str(file.parent) if len(file.parts) > 2 else f"bench {'headers' if file.suffix == '.hpp' else 'program'}"


class Includes(unittest.TestCase):
    def test_no_file_includes_one_of_a_part_that_it_may_not(self):
        files = [path.relative_to(ROOT) for top in {part.split("/")[0].split()[0] for part in MAY_INCLUDE}
                 for path in (ROOT / top).rglob("*.*") if path.suffix in {".cpp", ".hpp", ".cu", ".cuh", ".hip"}]
        for file in files:
            for name in re.findall(r'^#include "(\w+/[^"]+)"', (ROOT / file).read_text(), re.M):
                included = part_of(pathlib.Path(name if (ROOT / name).exists() else f"include/{name}"))
                self.assertIn(included, [part_of(file), *MAY_INCLUDE[part_of(file)]], f"{file} includes {name}")
