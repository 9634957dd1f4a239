"""bench/report: the sections over sizes and tuning hold what plain arithmetic gives, and no false pair."""

import made
from cases import ONE_PROCESS, Case, figure_of, records, summaries_of, texts
from report.sections import sizes, sweeps
from report.view import View

SECTIONS = (sizes, sweeps)


def floor(run, seconds, what="launch"):
    return {"kind": "floor", "run": run, "space": "cuda:0", "what": what, "scope": "kernel", "count": 21, "median": seconds}


def ceiling(run, n, gbs, cache="cold"):
    return {"kind": "ceiling", "run": run, "space": "cuda:0", "bytes": 4 * n, "cache": cache, "gbs": gbs}


def over_sizes(run="r1", factor=1.0, backends=("cuda", "hip"), **fields):
    return made.run_of(run, *((backend, rung, factor * seconds * n / (1 << 20), {"n": n} | fields) for backend in backends
                              for rung, seconds in (("r02", 4e-6), ("r03", 2e-6)) for n in (1 << 10, 1 << 20)))


class Sizes(Case):
    def test_one_size_is_no_course(self):
        self.nothing(sizes.section(self.view(made.records())))

    def test_the_numbers_are_what_plain_arithmetic_gives(self):
        lines = over_sizes() + [ceiling("r1", 1 << 10, 1600.0), ceiling("r1", 1 << 20, 2621.44)]
        section = sizes.section(self.view(lines))
        speeds = figure_of(section, "sizes-cuda").table
        self.assertEqual(speeds.heads, ["rung", "2¹⁰", "2²⁰"])
        self.assertAlmostEqual(speeds.rows[0][2].value, 4 * (1 << 20) / 4e-6 / 1e9)
        parts = next(table for table in section.tables if table.id.startswith("sizes-cuda"))
        self.assertEqual(texts(parts), [["r02_interleaved_divergent", "65.5", "40.0"],
                                             ["r03_interleaved_strided", "sweep too weak", "80.0"]])
        self.assertEqual([[cell.state for cell in row] for row in parts.rows], [["", "", ""], ["", "good above", ""]])

    def test_a_figure_is_of_the_run_that_has_most_and_names_what_it_lacks(self):
        other = made.run_of("r2", ("cuda", "r04", 1e-6, {"n": 1 << 20}), ("cuda", "r03", 1e-9, {"n": 1 << 20}))
        table = figure_of(sizes.section(self.view(over_sizes(), other)), "sizes-cuda").table
        self.assertEqual([row[0].text for row in table.rows], ["r02_interleaved_divergent", "r03_interleaved_strided"])
        self.assertAlmostEqual(table.rows[1][2].value, 4 * (1 << 20) / 2e-6 / 1e9)
        self.assertIn("Not measured in it: r04_sequential_addressing", table.note)

    def test_the_floor_is_of_a_launch_and_not_of_a_pair(self):
        section = sizes.section(self.view(over_sizes() + [floor("r1", 1e-6, "clock"), floor("r1", 3e-6)]))
        self.assertIn("Launch floor 3.000 µs", figure_of(section, "sizes-cuda").words)
        section = sizes.section(self.view(over_sizes() + [floor("r1", 1e-6, "clock")]))
        self.assertNotIn("Launch floor", figure_of(section, "sizes-cuda").words)


class Sweeps(Case):
    def test_a_grid_that_follows_from_the_block_makes_lines_and_no_map(self):
        lines = made.run_of("r1", *(("cuda", "r02", 1e-3 / block, {"block": block, "grid": 1024 // block})
                                    for block in (64, 128, 256)))
        section = sweeps.section(self.view(lines))
        self.assertEqual([figure.id.split("-")[1] for figure in section.figures], ["block"])
        self.assertEqual(texts(section.figures[0].table)[0][1:], ["67.11", "134.2", "268.4", "block 256, grid 4"])

    def test_block_and_grid_make_a_map_whose_best_is_marked(self):
        lines = made.run_of("r1", *(("cuda", "r02", 1e-3 / (block + grid), {"block": block, "grid": grid}) for block in (64, 128)
                                    for grid in (10, 20, 40)))
        section = sweeps.section(self.view(lines))
        self.assertEqual([figure.id.split("-")[1] for figure in section.figures], ["block"])
        table, = section.tables
        self.assertEqual(table.heads, ["block", "grid 10", "grid 20", "grid 40"])
        self.assertEqual([[cell.state for cell in row] for row in table.rows], [["", *["shade"] * 3],
                                                                                ["", "shade", "shade", "best"]])
        self.assertAlmostEqual(table.rows[1][3].value, (1 << 20) / (1e-3 / 168) / 1e9 / 900)

    def test_one_tuning_of_each_is_no_sweep(self):
        self.nothing(sweeps.section(self.view(made.records())))
        apart = [made.run_of(run, ("cuda", "r02", 4e-6, {"block": block})) for run, block in (("r1", 128), ("r2", 256))]
        self.nothing(sweeps.section(self.view(*apart)))

    def test_what_is_left_out_is_said(self):
        lines = made.run_of("r1", *(("cuda", "r02", 1e-6, {"block": block, "n": 1 << power}) for block in (64, 128)
                                    for power in range(10, 24)))
        section = sweeps.section(self.view(lines))
        self.assertEqual(len(section.figures), sweeps.LIMIT)
        self.assertIn("2²³", section.figures[0].title)
        self.assertIn("not drawn: r02 by block at 2¹¹ and r02 by block at 2¹⁰.", section.text)


class All(Case):
    def test_every_number_names_the_lines_that_it_comes_from(self):
        lines = renamed(over_sizes(), "a") + [floor("r1", 3e-6), ceiling("r1", 1 << 10, 1600.0), ceiling("r1", 1 << 20, 2600.0)]
        lines += renamed(tuned(), "b")[2:]
        view = self.view(lines)
        for module in SECTIONS:
            self.traced(module.section(view))

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
                 for line in renamed(over_sizes(), "a") + renamed(tuned(), "b")[2:]]
        view = self.view(lines)
        for module in SECTIONS:
            self.nothing(module.section(view), module)

    def test_committed_records_by_another_way(self):
        path = ONE_PROCESS / "one-process-kokkos.jsonl.gz"
        medians = {tuple(one[name] for name in ("backend", "rung", "n", "scope")): summary["median"]
                   for one, summary in summaries_of(path)}
        view = View(records.read([path]))
        for row in figure_of(sizes.section(view), "sizes-kokkos").table.rows:
            rung = row[0].text if row[0].text.startswith("library") else row[0].text.split("_")[0]
            self.assertAlmostEqual(row[-1].value, (4 << 30) / medians["kokkos/cuda", rung, 1 << 30, "kernel"] / 1e9, places=6)


def renamed(lines, before):
    """The same with other names of measurements, for two lists to stand in one run."""
    return [line | ({"id": before + line["id"]} if "id" in line else {}) for line in lines]


def tuned():
    """One rung in both scopes and cache states, with two blocks and two grids."""
    return made.run_of("r1", *(("cuda", "r02", 1e-6 * block * grid,
                                {"scope": scope, "cache": cache, "block": block, "grid": grid})
                               for scope in ("kernel", "host") for cache in ("cold", "hot") for block in (64, 128)
                               for grid in (1, 2)))
