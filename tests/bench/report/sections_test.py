"""bench/report: the sections have the right numbers, each with its source lines, and omit missing data."""

import made
from cases import Case, kinds_of, records, rows_of, texts
from running import ROOT, run_main

# isort: split
import pandas

from report import __main__ as program
from report.sections import accuracy, batch, energy, evidence, scaling, sweeps
from report.view import View

SIZE = 1 << 30  # elements
BATCH = ROOT / "docs" / "results" / "h100-7bae97e6" / "batch_rows.jsonl.gz"


def counted(rung, facts, **fields):
    return {"kind": "evidence", "run": "r1", "rung": rung, "slug": made.SLUGS[rung], "backend": "cuda", "type": "f32",
            "op": "sum", "n": 1 << 20, "items": None, "block": 256, "grid": 4096, "kernel": "k",
            "opcodes": {"RED.E.ADD": 3, "REDUX": 5, "LDG": 7},
            "facts": {name: {"value": value, "unit": "", "source": "made up"} for name, value in facts.items()}} | fields


def summed(results, ulps=1.5, **fields):
    """Records of a rung on uniform data with these results of samples."""
    lines = made.run_of("r1", ("cuda", "r02", 4e-3, {"data": "uniform", "depth": 1 << 10} | fields))
    samples = [line for line in lines if line["kind"] == "sample"]
    for sample, result in zip(samples, results, strict=False):
        sample["result"] = result
    lines[-1]["ulps"] = ulps
    return lines


def column(table, head):
    return [row[head] for row in table.rows]


class Evidence(Case):
    def test_facts_stand_beside_the_step(self):
        facts = {"bank_conflicts_load": 10, "bank_conflicts_store": 20, "load_bits": 128, "dram_read": 8 << 20}
        found = self.section(evidence, made.records() + [counted("r02", {"load_bits": 32}), counted("r03", facts)])
        table = found.tables[0]
        self.assertEqual([cell.text for cell in column(table, "step")], ["", "2.00× r02"])
        self.assertEqual(kinds_of(column(table, "step")[1]), ["summary"] * 2)
        for head, values in (("bank conflicts per 10⁶ elements", [None, 30e6 / (1 << 20)]),
                             ("bytes per global load and lane", [4, 16]),
                             ("bytes read from DRAM per byte of input", [None, 2]), ("atomic updates of warps", [3, 3]),
                             ("blocks launched", [4096, 4096])):
            cells = column(table, head)
            self.assertEqual([cell.value for cell in cells], values, head)
            self.assertEqual(kinds_of(cells[1]), ["evidence"])


class Accuracy(Case):
    def row(self, lines):
        return self.section(accuracy, lines).tables[0].rows[0]

    def test_one_result_is_deterministic_and_two_are_not(self):
        row = self.row(summed(["1"] * 5))
        self.assertEqual([row[head].text for head in ("results", "over tunings")], ["1 of 5: deterministic", "one tuning"])
        row = self.row(summed(["1", "2", "1", "1", "1"]))
        self.assertEqual((row["results"].text, row["results"].state), ("2 of 5: varies", "low"))
        row = self.row(summed([], ulps=None))
        self.assertEqual([row[head].text for head in ("error, ulps", "results")], ["unknown"] * 2)

    def test_the_bound_is_said_until_it_says_nothing(self):
        ku = 2 ** 10 * 2.0 ** -24
        row = self.row(summed(["1"] * 5))
        self.assertAlmostEqual(row["bound"].value, ku / (1 - ku))
        self.assertEqual((row["depth"].value, row["error, ulps"].value), (1024, 1.5))
        self.assertEqual(self.row(summed(["1"] * 5, depth=1 << 20))["bound"].text, "vacuous")
        self.assertEqual(self.row(summed(["1"] * 5, depth=None))["bound"].text, "unknown")

    def test_tunings_of_one_run_are_held_against_each_other(self):
        for result, text in (("1", "the same in all 2"), ("2", "2 results in 2")):
            more = [line | {"id": "other"} for line in summed([result] * 5, block=128)[2:]]
            table = self.section(accuracy, summed(["1"] * 5) + more).tables[0]
            self.assertEqual([cell.text for cell in column(table, "over tunings")], [text] * 2)
            self.assertEqual([cell.text for cell in column(table, "results")], ["1 of 5: deterministic"] * 2)

    def test_each_file_of_data_is_a_problem_where_there_are_several(self):
        def of(run, file):
            lines = [line | {"run": run} for line in summed(["1"] * 5, data="file")]
            lines[0]["data_file"] = f"/tmp/{file}.npy"
            return lines

        self.assertEqual(self.row(of("r1", "x_1e2"))["data"].text, "file")
        table, = self.section(accuracy, of("r1", "x_1e2") + of("r2", "x_1e16")).tables
        self.assertEqual([cell.text for cell in column(table, "data")], ["file x_1e16", "file x_1e2"])

    def test_exact_data_and_integers_are_not_rounded(self):
        self.assertIsNone(self.section(accuracy, made.records()))
        self.assertIsNone(self.section(accuracy, summed(["1"] * 5, type="i32")))
        self.assertIsNone(self.section(accuracy, summed(["1"] * 5, op="min")))


class Energy(Case):
    def tables(self, *files):
        return self.section(energy, made.records(), *files).tables

    def test_the_steps_of_the_counter_take_digits_too(self):
        table, = self.tables(made.energy(rungs={("cuda", "r02"): [(400.1, 800)] * 3}, uncertainty=0.03))
        self.assertEqual(texts(table)[0][3:6], ["0.50", "0.38", "400"])

    def test_a_wrong_round_is_told_and_has_no_part_in_the_numbers(self):
        lines = made.energy()
        lines[1] |= {"ok": False, "error": "wrong result: 7 is not 8", **dict.fromkeys(("watts", "gbs", "joules_per_gb"))}
        row = self.tables(lines)[0].rows[1]
        told = row["rounds right"]
        self.assertEqual((told.text, told.state, row["J/GB"].value), ("2 of 3: wrong result: 7 is not 8", "wrong", 0.5))
        path = made.write(self.folder / "a.jsonl", lines)
        self.assertEqual(run_main(program.main, path, "--output", self.folder / "page")[0], 1)

    def test_of_several_runs_the_one_with_the_most_rungs_speaks_then_the_latest_and_problems_are_apart(self):
        few = made.energy("e9", {("cuda", "r02"): [(1, 800)] * 3})
        late = made.energy("e2", {("cuda", "r02"): [(8, 800)] * 3, ("hip", "r03"): [(800, 800)] * 3})
        table, = self.tables(few, made.energy("e1"), late)
        self.assertEqual([cell.text for cell in column(table, "J/GB")], ["0.01000", "1.000"])
        self.assertEqual(len(self.tables(made.energy(), made.energy("e2", type="f64", n=1 << 29))), 2)

    def test_what_a_record_lacks_is_told(self):
        for change, words in (({"watts": None}, "without watts"), ({"joules_per_gb": -1}, "whose joules_per_gb is ")):
            lines = made.energy()
            lines[1] |= change
            study = self.read(lines)
            self.assertIn(words, study.problems[0].text)
            self.assertEqual(len(study.others["energy"]), 5)

    def test_a_page_may_have_it_alone(self):
        path = made.write(self.folder / "a.jsonl", made.energy())
        self.assertEqual(run_main(program.main, path, "--output", self.folder / "alone")[0], 0)
        rows = rows_of(self.folder / "alone" / "tables" / "energy-a_gpu-f32-sum-1073741824.csv")
        self.assertEqual([float(row["J/GB"]) for row in rows], [0.3, 0.5])


def tuned(*blocks_and_grids, **fields):
    """Records of a rung with these blocks and grids; larger ones are faster."""
    return made.run_of("r1", *(("cuda", "r02", 1e-3 / (block + grid), {"block": block, "grid": grid} | fields)
                               for block, grid in blocks_and_grids))


class Sweeps(Case):
    def test_a_grid_that_follows_from_the_block_makes_a_line_and_no_map(self):
        lines = made.run_of("r1", *(("cuda", "r02", 1e-3 / block, {"block": block, "grid": 1024 // block})
                                    for block in (64, 128, 256)))
        table, = self.section(sweeps, [line for line in lines if line["kind"] != "ceiling"]).tables
        self.assertEqual(table.heads, ["threads per block", "64", "128", "256"])
        self.assertEqual(texts(table), [["r02_interleaved_divergent", "67.1", "134", "268"]])

    def test_where_block_and_grid_were_swept_each_block_is_a_line_whose_best_is_marked(self):
        table, = self.section(sweeps, tuned(*((block, grid) for block in (64, 128) for grid in (10, 20, 40)))).tables
        self.assertEqual(table.heads, ["blocks in the grid", "10", "20", "40"])
        self.assertEqual([cell.text for cell in column(table, "blocks in the grid")], [
            "r02_interleaved_divergent, block 64", "r02_interleaved_divergent, block 128"])
        self.assertEqual([[cell.state for cell in row.values()] for row in table.rows], [["", "shade", "shade", "best"]] * 2)
        self.assertAlmostEqual(column(table, "40")[1].value, (1 << 20) / (1e-3 / 168) / 1e9 / 900)

    def test_one_tuning_of_each_is_no_sweep(self):
        self.assertIsNone(self.section(sweeps, made.records()))
        apart = [made.run_of(run, ("cuda", "r02", 4e-6, {"block": block})) for run, block in (("r1", 128), ("r2", 256))]
        self.assertIsNone(self.section(sweeps, *apart))

    def test_scopes_and_variants_stay_out(self):
        self.assertIsNone(self.section(sweeps, made.run_of("r1", ("cuda", "r02", 1e-6, {"block": 64}), ("cuda", "r02", 1e-6, {
            "block": 128, "scope": "host"}))))
        self.assertIsNone(self.section(sweeps, [line | ({"rung": "alias_r02"} if line.get("kind") == "measurement" else {})
                                   for line in tuned((64, 10), (128, 10))]))


class Batch(Case):
    @classmethod
    def setUpClass(cls):
        cls.study = records.read([BATCH])

    def test_measurements_with_a_shape_stand_apart_from_the_others(self):
        view = View(self.study)
        self.assertTrue(view.rows.empty)
        self.assertEqual(len(view.batch), len(self.study.rows))

    def test_no_share_above_the_ceiling_is_told(self):
        hot = records.read([BATCH])
        hot.measurements = hot.measurements.assign(of_ceiling=1.2)
        (figure,) = batch.section(View(hot)).figures
        self.assertEqual({cell["text"] for panel in figure.spec["vconcat"] for cell in panel["data"]["values"]}, {"weak"})

    def test_two_devices_of_one_name_are_two_tables(self):
        twice = records.read([BATCH])
        other = twice.measurements.assign(machine="another")
        twice.measurements = pandas.concat([twice.measurements, other], ignore_index=True)
        self.assertEqual(len(batch.section(View(twice)).tables), 2)


def with_device(lines, process=None, **device):
    """A run's lines with another device."""
    lines[0]["devices"] = [lines[0]["devices"][0] | device]
    if process:
        lines[0]["process"] = {"index": process, "of": 2, "group": "p1"}
    return lines[:1] + lines[2:]  # without the ceiling


def on_gpus(run, rows, process=None):
    """Records on two GPUs; rows: (rung, shares, n, seconds)."""
    shared = {"space": "two", "block": None, "family": "several devices"}
    lines = made.run_of(run, *(("several/cuda", rung, seconds, shared | {"n": n, "shares": count})
                               for rung, count, n, seconds in rows))
    lines[0]["axes"] = [*lines[0]["axes"], "shares"]
    return with_device(lines, process, space="two", backends=["several/cuda"], name="2 x A GPU")


def on_cpu(run, rows, workers="4"):
    """Records on a CPU; rows: (backend, rung, threads or None, n, seconds)."""
    shared = {"scope": "host", "block": None, "space": "host", "evicted_bytes": None, "eviction": None}
    lines = made.run_of(run, *((backend, rung, seconds, shared | {"n": n, "workers": count})
                               for backend, rung, count, n, seconds in rows))
    facts = {"default workers": {"value": workers, "source": "made up"}}
    return with_device(lines, space="host", backends=sorted({row[0] for row in rows}), name="A CPU", kind="cpu", units=4,
                       facts=facts)


def times(backend, rung, n, seconds):
    return [(backend, rung, count, n, one) for count, one in seconds.items()]


class Scaling(Case):
    def lines(self, *files):
        """(table, its rows as [scaling, rung, speed-up of each number ..., efficiency])"""
        table, = self.section(scaling, *files).tables
        return table, [[row[7], row[9].split("_")[0], *row[12:]] for row in texts(table)]

    def test_weak_scaling_is_not_what_strong_scaling_is(self):
        _, lines = self.lines(on_gpus("r1", [("m00", 1, SIZE, 1.0), ("m00", 2, 2 * SIZE, 1.1)]))
        self.assertEqual(lines, [["weak", "m00", "1.82×", "91 %"]])

    def test_what_has_not_one_share_or_thread_is_no_scaling(self):
        for lines in (made.records(), on_gpus("r1", [("m00", 2, SIZE, 1.0), ("m00", 4, SIZE, 0.5)]),
                      on_cpu("r1", times("cpu", "c07", 1 << 28, {2: 5.0, 4: 2.5}))):
            self.assertIsNone(self.section(scaling, lines))

    def test_what_is_of_two_runs_says_so_and_processes_of_a_study_are_one(self):
        table, _ = self.lines(on_gpus("r1", [("m00", 1, SIZE, 1.0)]), on_gpus("r2", [("m00", 2, SIZE, 0.5)]))
        self.assertEqual(column(table, "2 shares")[0].state, "separate")
        self.assertIn("separate processes", table.note)
        files = [on_gpus(f"p{index}", [("m00", 1, SIZE, 1.0), ("m00", 2, SIZE, time)], index)
                 for index, time in ((1, 0.5), (2, 0.52))]
        self.assertEqual(column(self.lines(*files)[0], "2 shares")[0].state, "")

    def test_kokkos_has_as_many_as_its_process_was_given(self):
        runs = [on_cpu(f"k{count}", times("kokkos/openmp", "r16", 1 << 28, {None: 8.0 / count}), workers=str(count))
                for count in (1, 2, 4)]
        self.assertEqual(self.lines(*runs)[1], [["strong", "r16", "2.00× *", "4.00× *", "100 %"]])
