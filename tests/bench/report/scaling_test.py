"""bench/report: what more devices, ranks and threads bring, of made-up records."""

import made
from cases import Case
from report.sections import scaling

SIZE = 1 << 30  # elements


def with_device(lines, process=None, **device):
    """A run's lines, on another device."""
    lines[0]["devices"] = [lines[0]["devices"][0] | device]
    if process:
        lines[0]["process"] = {"index": process, "of": 2, "group": "p1"}
    return lines[:1] + lines[2:]  # without the ceiling


def on_gpus(run, rows, process=None):
    """On two GPUs: (rung, shares, n, seconds)."""
    shared = {"space": "two", "block": None, "family": "several devices"}
    lines = made.run_of(run, *(("several/cuda", rung, seconds, shared | {"n": n, "shares": count})
                               for rung, count, n, seconds in rows))
    lines[0]["axes"] = [*lines[0]["axes"], "shares"]
    return with_device(lines, process, space="two", backends=["several/cuda"], name="2 x A GPU")


def on_cpu(run, rows, workers="4"):
    """On a CPU: (backend, rung, threads or none, n, seconds)."""
    shared = {"scope": "host", "block": None, "space": "host", "evicted_bytes": None, "eviction": None}
    lines = made.run_of(run, *((backend, rung, seconds, shared | {"n": n, "workers": count})
                               for backend, rung, count, n, seconds in rows))
    facts = {"default workers": {"value": workers, "source": "made up"}}
    return with_device(lines, space="host", backends=sorted({row[0] for row in rows}), name="A CPU", kind="cpu", units=4,
                       facts=facts)


def times(backend, rung, n, seconds):
    return [(backend, rung, count, n, one) for count, one in seconds.items()]


class Scaling(Case):
    def tables(self, *files):
        """{the kind of scaling: the tables of it}"""
        section, found = scaling.section(self.view(*files)), {}
        for table in section.tables if section else ():
            found.setdefault("-".join(table.id.split("-")[:2]), []).append(table)
        return found

    def lines(self, table):
        return [[row[0].text.split("_")[0], *(cell.text for cell in row[4:])] for row in table.rows]

    def test_weak_scaling_is_not_what_strong_scaling_is(self):
        found = self.tables(on_gpus("r1", [("m00", 1, SIZE, 1.0), ("m00", 2, 2 * SIZE, 1.1)]))
        self.assertEqual({kind: self.lines(table) for kind, (table,) in found.items()},
                         {"shares-weak": [["m00", "1.82×", "91 %"]]})

    def test_what_has_not_one_share_or_thread_is_no_scaling(self):
        for lines in (made.records(), on_gpus("r1", [("m00", 2, SIZE, 1.0), ("m00", 4, SIZE, 0.5)]),
                      on_cpu("r1", times("cpu", "c07", 1 << 28, {2: 5.0, 4: 2.5}))):
            self.nothing(scaling.section(self.view(lines)))

    def test_what_is_of_two_runs_says_so_and_processes_of_a_study_are_one(self):
        table, = self.tables(on_gpus("r1", [("m00", 1, SIZE, 1.0)]), on_gpus("r2", [("m00", 2, SIZE, 0.5)]))["shares-strong"]
        self.assertEqual(table.rows[0][4].state, "separate")
        self.assertIn("separate processes", table.note)
        files = [on_gpus(f"p{index}", [("m00", 1, SIZE, 1.0), ("m00", 2, SIZE, time)], index)
                 for index, time in ((1, 0.5), (2, 0.52))]
        self.assertEqual([table.rows[0][4].state for table in self.tables(*files)["shares-strong"]], [""])

    def test_kokkos_has_as_many_as_its_process_was_given(self):
        runs = [on_cpu(f"k{count}", times("kokkos/openmp", "r16", 1 << 28, {None: 8.0 / count}), workers=str(count))
                for count in (1, 2, 4)]
        table, = scaling.section(self.view(*runs)).tables
        self.assertEqual(self.lines(table), [["r16", "2.00× *", "4.00× *", "100 %"]])
