"""bench/report: tables over block, items and grid hold what plain arithmetic gives, and no false pair."""

import made
from cases import Case, texts
from report.sections import sweeps


def tuned(*blocks_and_grids, **fields):
    """One rung by these blocks and grids, the faster the larger both are."""
    return made.run_of("r1", *(("cuda", "r02", 1e-3 / (block + grid), {"block": block, "grid": grid} | fields)
                               for block, grid in blocks_and_grids))


class Sweeps(Case):
    def section(self, *files):
        return sweeps.section(self.view(*files))

    def test_a_grid_that_follows_from_the_block_makes_a_line_and_no_map(self):
        lines = made.run_of("r1", *(("cuda", "r02", 1e-3 / block, {"block": block, "grid": 1024 // block})
                                    for block in (64, 128, 256)))
        table, = self.section([line for line in lines if line["kind"] != "ceiling"]).tables
        self.assertEqual(table.heads, ["threads per block", "64", "128", "256"])
        self.assertEqual(texts(table), [["r02_interleaved_divergent", "67.11", "134.2", "268.4"]])

    def test_where_block_and_grid_were_swept_each_block_is_a_line_whose_best_is_marked(self):
        table, = self.section(tuned(*((block, grid) for block in (64, 128) for grid in (10, 20, 40)))).tables
        self.assertEqual(table.heads, ["blocks in the grid", "10", "20", "40"])
        self.assertEqual([row[0].text for row in table.rows], ["r02_interleaved_divergent, block 64",
                                                               "r02_interleaved_divergent, block 128"])
        self.assertEqual([[cell.state for cell in row] for row in table.rows], [["", "shade", "shade", "best"]] * 2)
        self.assertAlmostEqual(table.rows[1][3].value, (1 << 20) / (1e-3 / 168) / 1e9 / 900)

    def test_one_tuning_of_each_is_no_sweep(self):
        self.nothing(self.section(made.records()))
        apart = [made.run_of(run, ("cuda", "r02", 4e-6, {"block": block})) for run, block in (("r1", 128), ("r2", 256))]
        self.nothing(self.section(*apart))

    def test_scopes_and_variants_stay_out(self):
        self.nothing(self.section(made.run_of("r1", ("cuda", "r02", 1e-6, {"block": 64}), ("cuda", "r02", 1e-6, {
            "block": 128, "scope": "host"}))))
        self.nothing(self.section([line | ({"rung": "alias_r02"} if line.get("kind") == "measurement" else {})
                                   for line in tuned((64, 10), (128, 10))]))
