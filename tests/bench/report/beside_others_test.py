"""bench/report: the sections that hold measurements beside evidence and exact results have the
right numbers, each with the lines that it comes from, and leave out what the records do not have."""

import made
from cases import Case, kinds_of
from report.sections import accuracy, evidence

SECTIONS = (evidence, accuracy)


def counted(rung, facts, **fields):
    return {"kind": "evidence", "run": "r1", "rung": rung, "slug": made.SLUGS[rung], "backend": "cuda", "type": "f32",
            "op": "sum", "n": 1 << 20, "items": None, "block": 256, "grid": 4096, "kernel": "k",
            "opcodes": {"RED.E.ADD": 3, "REDUX": 5, "LDG": 7},
            "facts": {name: {"value": value, "unit": "", "source": "made up"} for name, value in facts.items()}} | fields


def summed(results, ulps=1.5, **fields):
    """A rung on uniform data, whose samples have these results."""
    lines = made.run_of("r1", ("cuda", "r02", 4e-3, {"data": "uniform", "depth": 1 << 10} | fields))
    samples = [line for line in lines if line["kind"] == "sample"]
    for sample, result in zip(samples, results, strict=False):
        sample["result"] = result
    lines[-1]["ulps"] = ulps
    return lines


class Sections(Case):
    def section(self, module, *files):
        return module.section(self.view(*files))

    def column(self, table, head):
        return [row[table.heads.index(head)] for row in table.rows]


class Evidence(Sections):
    def test_facts_stand_beside_the_step(self):
        facts = {"bank_conflicts_load": 10, "bank_conflicts_store": 20, "load_bits": 128, "dram_read": 8 << 20}
        found = self.section(evidence, made.records() + [counted("r02", {"load_bits": 32}), counted("r03", facts)])
        table = found.tables[0]
        self.assertEqual([cell.text for cell in self.column(table, "step")], ["", "2.00× r02"])
        self.assertEqual(kinds_of(self.column(table, "step")[1]), ["summary"] * 2)
        for head, values in (("bank conflicts per 10⁶ elements", [None, 30e6 / (1 << 20)]),
                             ("bytes per global load and lane", [4, 16]),
                             ("bytes read from DRAM per byte of input", [None, 2]), ("atomic updates of warps", [3, 3]),
                             ("blocks launched", [4096, 4096])):
            cells = self.column(table, head)
            self.assertEqual([cell.value for cell in cells], values, head)
            self.assertEqual(kinds_of(cells[1]), ["evidence"])


class Accuracy(Sections):
    def row(self, lines):
        table = self.section(accuracy, lines).tables[0]
        return dict(zip(table.heads, table.rows[0], strict=True))

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
            self.assertEqual([cell.text for cell in self.column(table, "over tunings")], [text] * 2)
            self.assertEqual([cell.text for cell in self.column(table, "results")], ["1 of 5: deterministic"] * 2)

    def test_each_file_of_data_has_a_table_where_there_are_several(self):
        def of(run, file):
            lines = [line | {"run": run} for line in summed(["1"] * 5, data="file")]
            lines[0]["data_file"] = f"/tmp/{file}.npy"
            return lines

        one = self.section(accuracy, of("r1", "x_1e2")).tables
        self.assertEqual([table.title.rsplit(", ", 1)[1] for table in one], ["file data"])
        two = self.section(accuracy, of("r1", "x_1e2") + of("r2", "x_1e16")).tables
        self.assertEqual(sorted(table.title.rsplit(", ", 1)[1] for table in two), ["file x_1e16 data", "file x_1e2 data"])
        self.assertEqual(len({table.id for table in two}), 2)

    def test_exact_data_and_integers_are_not_rounded(self):
        self.assertIsNone(self.section(accuracy, made.records()))
        self.assertIsNone(self.section(accuracy, summed(["1"] * 5, type="i32")))
        self.assertIsNone(self.section(accuracy, summed(["1"] * 5, op="min")))


class All(Sections):
    def test_every_number_has_its_lines(self):
        timed = made.run_of("r1", ("cuda", "r02", 4e-3, {}), ("cuda", "r03", 2e-3, {}))
        files = timed + [counted("r02", {"loops": 1}), counted("r03", {"loops": 2})], summed(["1"] * 5)
        for line in files[1]:
            line["run"] = "r2"
        for module in SECTIONS:
            self.traced(self.section(module, *files))
