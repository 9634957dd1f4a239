#!/usr/bin/env python3
"""bench/report: the sections over sizes, scopes, cache states and tuning hold what plain arithmetic gives, and no false pair.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import gzip
import json
import pathlib
import unittest

import made
from cases import ONE_PROCESS, Case, records
from report.sections import caches, scopes, sizes, sweeps
from report.view import View

SECTIONS = (sizes, scopes, caches, sweeps)


def one_process(run, *measured):
    """The records of a run of these: (backend, rung, seconds, what is not as in made.py)."""
    lines = made.records(run)[:2]
    for number, (backend, rung, median, fields) in enumerate(measured):
        if "n" in fields:
            fields = {"bytes": 4 * fields["n"]} | fields
        for line in made.records(run, {(backend, rung): median}, **fields)[2:]:
            lines.append(line | {"id": str(number)})
    return lines


def floor(run, seconds, what="launch"):
    return {"kind": "floor", "run": run, "space": "cuda:0", "what": what, "scope": "kernel", "count": 21, "median": seconds}


def ceiling(run, n, gbs, cache="cold"):
    return {"kind": "ceiling", "run": run, "space": "cuda:0", "bytes": 4 * n, "cache": cache, "gbs": gbs}


def over_sizes(run="r1", factor=1.0, backends=("cuda", "hip"), **fields):
    return one_process(run, *((backend, rung, factor * seconds * n / (1 << 20), {"n": n} | fields) for backend in backends
                              for rung, seconds in (("r02", 4e-6), ("r03", 2e-6)) for n in (1 << 10, 1 << 20)))


class Sections(Case):
    def nothing(self, section, of=""):
        self.assertTrue(section is None, of)  # a section in a message would be a book

    def texts(self, table):
        return [[cell.text for cell in row] for row in table.rows]

    def figure(self, section, start):
        return next(figure for figure in section.figures if figure.id.startswith(start))


class Sizes(Sections):
    def test_one_size_is_no_course(self):
        self.nothing(sizes.section(self.view(made.records())))

    def test_the_numbers_are_what_plain_arithmetic_gives(self):
        lines = over_sizes() + [ceiling("r1", 1 << 10, 1600.0), ceiling("r1", 1 << 20, 2621.44)]
        section = sizes.section(self.view(lines))
        speeds = self.figure(section, "sizes-cuda").table
        self.assertEqual(speeds.heads, ["rung", "2¹⁰", "2²⁰"])
        self.assertAlmostEqual(speeds.rows[0][2].value, 4 * (1 << 20) / 4e-6 / 1e9)
        parts = next(table for table in section.tables if table.id.startswith("sizes-cuda"))
        self.assertEqual(self.texts(parts), [["r02_interleaved_divergent", "65.5", "40.0"],
                                             ["r03_interleaved_strided", "131", "80.0"]])
        self.assertEqual([[cell.state for cell in row] for row in parts.rows], [["", "", ""], ["", "good above", ""]])

    def test_a_figure_is_of_the_run_that_has_most_and_names_what_it_lacks(self):
        other = one_process("r2", ("cuda", "r04", 1e-6, {"n": 1 << 20}), ("cuda", "r03", 1e-9, {"n": 1 << 20}))
        table = self.figure(sizes.section(self.view(over_sizes(), other)), "sizes-cuda").table
        self.assertEqual([row[0].text for row in table.rows], ["r02_interleaved_divergent", "r03_interleaved_strided"])
        self.assertAlmostEqual(table.rows[1][2].value, 4 * (1 << 20) / 2e-6 / 1e9)
        self.assertIn("Not measured in it: r04_sequential_addressing", table.note)

    def test_the_floor_is_of_a_launch_and_not_of_a_pair(self):
        section = sizes.section(self.view(over_sizes() + [floor("r1", 1e-6, "clock"), floor("r1", 3e-6)]))
        self.assertIn("Launch floor 3.000 µs", self.figure(section, "sizes-cuda").svg)
        section = sizes.section(self.view(over_sizes() + [floor("r1", 1e-6, "clock")]))
        self.assertNotIn("Launch floor", self.figure(section, "sizes-cuda").svg)


class Scopes(Sections):
    def pair(self, kernel, host, run="r1"):
        return one_process(run, ("cuda", "r02", 4e-6, {"scope": "kernel"} | kernel),
                           ("cuda", "r02", 14e-6, {"scope": "host"} | host))

    def test_a_pair_of_one_process_has_its_difference_and_ratio(self):
        section = scopes.section(self.view(self.pair({}, {})))
        self.assertEqual(self.texts(section.tables[0]),
                         [["r02_interleaved_divergent", "4.000", "14.00", "10.000 ± 0.001", "3.50×"]])
        self.assertAlmostEqual(section.tables[0].rows[0][3].value, 10e-6)

    def test_what_is_not_the_same_is_no_pair(self):
        for other in ({"n": 1 << 19}, {"cache": "hot"}, {"type": "f64"}, {"op": "min"}, {"data": "normal"}, {"seed": 2},
                      {"block": 512}):
            self.nothing(scopes.section(self.view(self.pair({}, other))), other)
        kernel = one_process("r1", ("cuda", "r02", 4e-6, {"scope": "kernel"}))
        host = one_process("r2", ("cuda", "r02", 4e-6, {"scope": "host"}))
        self.nothing(scopes.section(self.view(kernel, host)))


class Caches(Sections):
    def test_one_process_gives_a_plain_ratio(self):
        lines = one_process("r1", ("cuda", "r02", 4e-6, {}), ("cuda", "r02", 2e-6, {"cache": "hot"}))
        cell = self.figure(caches.section(self.view(lines)), "caches").table.rows[0]
        self.assertEqual([one.text for one in cell], ["r02_interleaved_divergent", "4.000 µs", "2.000 µs", "2.00×",
                                                      "one process"])
        self.assertEqual(cell[3].state, "")

    def test_two_processes_are_said_to_be_and_come_last(self):
        hot = one_process("r2", ("cuda", "r02", 2e-6, {"cache": "hot"}))
        cold = one_process("r3", ("cuda", "r02", 4e-6, {}))
        row = self.figure(caches.section(self.view(hot, cold)), "caches").table.rows[0]
        self.assertEqual([row[3].text, row[3].state, row[4].text], ["2.00× *", "separate", "separate processes"])
        both = one_process("r1", ("cuda", "r02", 3e-6, {}), ("cuda", "r02", 1e-6, {"cache": "hot"}))
        row = self.figure(caches.section(self.view(hot, cold, both)), "caches").table.rows[0]
        self.assertEqual(row[3].text, "3.00×")

    def test_what_differs_in_more_than_the_cache_is_no_pair(self):
        for other in ({"n": 1 << 19}, {"scope": "host"}, {"type": "f64"}, {"op": "min"}, {"data": "normal"}, {"seed": 2},
                      {"block": 512}):
            lines = one_process("r1", ("cuda", "r02", 4e-6, {}), ("cuda", "r02", 2e-6, {"cache": "hot"} | other))
            self.nothing(caches.section(self.view(lines)), other)
        elsewhere = one_process("r2", ("cuda", "r02", 2e-6, {"cache": "hot"}))
        elsewhere[0]["machine"]["release"] = "7"
        self.nothing(caches.section(self.view(one_process("r1", ("cuda", "r02", 4e-6, {})), elsewhere)))


class Sweeps(Sections):
    def test_a_grid_that_follows_from_the_block_makes_lines_and_no_map(self):
        lines = one_process("r1", *(("cuda", "r02", 1e-3 / block, {"block": block, "grid": 1024 // block})
                                    for block in (64, 128, 256)))
        section = sweeps.section(self.view(lines))
        self.assertEqual([figure.id.split("-")[1] for figure in section.figures], ["block"])
        self.assertEqual(self.texts(section.figures[0].table)[0][1:], ["67.11", "134.2", "268.4", "block 256, grid 4"])

    def test_block_and_grid_make_a_map_whose_best_is_marked(self):
        lines = one_process("r1", *(("cuda", "r02", 1e-3 / (block + grid), {"block": block, "grid": grid}) for block in (64, 128)
                                    for grid in (10, 20, 40)))
        section = sweeps.section(self.view(lines))
        self.assertEqual([figure.id.split("-")[1] for figure in section.figures], ["map", "block"])
        table = section.figures[0].table
        self.assertEqual(table.heads, ["block", "grid 10", "grid 20", "grid 40"])
        self.assertEqual([[cell.state for cell in row] for row in table.rows], [["", "", "", ""], ["", "", "", "best"]])
        self.assertAlmostEqual(table.rows[1][3].value, (1 << 20) / (1e-3 / 168) / 1e9 / 900)
        self.assertNotIn("<image", section.figures[0].svg)

    def test_one_tuning_of_each_is_no_sweep(self):
        self.nothing(sweeps.section(self.view(made.records())))
        apart = [one_process(run, ("cuda", "r02", 4e-6, {"block": block})) for run, block in (("r1", 128), ("r2", 256))]
        self.nothing(sweeps.section(self.view(*apart)))

    def test_what_is_left_out_is_said(self):
        lines = one_process("r1", *(("cuda", "r02", 1e-6, {"block": block, "n": 1 << power}) for block in (64, 128)
                                    for power in range(10, 24)))
        section = sweeps.section(self.view(lines))
        self.assertEqual(len(section.figures), sweeps.LIMIT)
        self.assertIn("2²³", section.figures[0].title)
        self.assertIn("not drawn: r02 by block at 2¹¹ and r02 by block at 2¹⁰.", section.text)


class All(Sections):
    def test_every_number_names_the_lines_that_it_comes_from(self):
        lines = renamed(over_sizes(), "a") + [floor("r1", 3e-6), ceiling("r1", 1 << 10, 1600.0), ceiling("r1", 1 << 20, 2600.0)]
        lines += renamed(tuned(), "b")[2:]
        view = self.view(lines)
        for module in SECTIONS:
            section = module.section(view)
            tables = [*section.tables, *(figure.table for figure in section.figures)]
            self.assertTrue(tables)
            self.assertEqual(len({table.id for table in tables}), len(tables))
            for cell in (cell for table in tables for row in table.rows for cell in row[1:] if isinstance(cell.value, float)):
                self.assertTrue(cell.trace, cell)
                for place in cell.trace:
                    name, _, line = place.rpartition(":")
                    record = json.loads(pathlib.Path(name).read_text().splitlines()[int(line) - 1])
                    self.assertIn(record["kind"], ("summary", "ceiling"))

    def test_records_that_know_little_make_no_noise(self):
        lines = [line for line in renamed(over_sizes(backends=("cuda",)), "a")
                 + renamed(tuned(), "b")[2:] if line["kind"] != "ceiling"]
        for device in lines[0]["devices"]:
            device["peak_gbs"] = None
        view = self.view(lines)
        for module in SECTIONS:
            self.assertTrue(module.section(view).figures, module)

    def test_variants_stay_out(self):
        lines = [line | ({"rung": "alias_r02"} if line.get("kind") == "measurement" else {})
                 for line in renamed(over_sizes(), "a")]
        view = self.view(lines + [line | ({"rung": "alias_r02"} if line.get("kind") == "measurement" else {})
                                  for line in renamed(tuned(), "b")[2:]])
        for module in SECTIONS:
            self.nothing(module.section(view), module)

    def test_committed_records_by_another_way(self):
        """Without pandas and without the report's code: kernel and host time of an H200."""
        path = ONE_PROCESS / "one-process-kokkos.jsonl.gz"
        with gzip.open(path, "rt") as lines:
            found = [json.loads(line) for line in lines if '"kind":"sample"' not in line]
        measured = {r["id"]: r for r in found if r["kind"] == "measurement"}
        medians = {tuple(measured[r["id"]][name] for name in ("backend", "rung", "n", "scope")): r["median"]
                   for r in found if r["kind"] == "summary"}
        view = View(records.read([path]))
        tables = {table.id: table for table in scopes.section(view).tables}
        for backend, identifier in (("cuda", "scopes-cuda-nvidia_h200"), ("kokkos/cuda", "scopes-kokkos_cuda-nvidia_h200")):
            for row in tables[identifier].rows:
                rung = row[0].text if row[0].text.startswith("library") else row[0].text.split("_")[0]
                kernel, host = (medians[backend, rung, 1 << 30, scope] for scope in ("kernel", "host"))
                for cell, value in zip(row[5:], (kernel, host, host - kernel, host / kernel), strict=True):
                    self.assertAlmostEqual(cell.value, value, places=12)
        for row in self.figure(sizes.section(view), "sizes-kokkos").table.rows:
            rung = row[0].text if row[0].text.startswith("library") else row[0].text.split("_")[0]
            self.assertAlmostEqual(row[-1].value, (4 << 30) / medians["kokkos/cuda", rung, 1 << 30, "kernel"] / 1e9, places=6)


def renamed(lines, before):
    """The same with other names of measurements, for two lists to stand in one run."""
    return [line | ({"id": before + line["id"]} if "id" in line else {}) for line in lines]


def tuned():
    """One rung in both scopes and cache states, with two blocks and two grids."""
    return one_process("r1", *(("cuda", "r02", 1e-6 * block * grid,
                                {"scope": scope, "cache": cache, "block": block, "grid": grid})
                               for scope in ("kernel", "host") for cache in ("cold", "hot") for block in (64, 128)
                               for grid in (1, 2)))


if __name__ == "__main__":
    unittest.main()
