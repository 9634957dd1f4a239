"""bench/report: what more devices, ranks and threads bring, and what waking threads costs, of made-up records."""

import made
from cases import Case, figure_of
from report.sections import scaling

SIZE = 1 << 30  # elements


def with_device(lines, process=None, **device):
    """A run's lines, on another device."""
    lines[0]["devices"] = [lines[0]["devices"][0] | device]
    if process:
        lines[0]["process"] = {"index": process, "of": 2, "group": "p1"}
    return lines[:1] + lines[2:]  # without the ceiling


def on_gpus(run, rows, process=None, skew=None):
    """On two GPUs: (rung, shares, n, seconds)."""
    shared = {"space": "two", "block": None, "family": "several devices"}
    lines = made.run_of(run, *(("several/cuda", rung, seconds, shared | {"n": n, "shares": count})
                               for rung, count, n, seconds in rows))
    lines[0]["axes"] = [*lines[0]["axes"], "shares"]
    for line in lines:
        if skew and line["kind"] == "summary":
            line["release_skew"] = skew
    return with_device(lines, process, space="two", backends=["several/cuda"], name="2 x A GPU")


def on_cpu(run, rows, waits="passive", workers="4", floor=None):
    """On a CPU: (backend, rung, threads or none, n, cache, seconds)."""
    shared = {"scope": "host", "block": None, "space": "host", "evicted_bytes": None, "eviction": None}
    lines = made.run_of(run, *((backend, rung, seconds, shared | {"n": n, "workers": count, "cache": cache})
                               for backend, rung, count, n, cache, seconds in rows))
    facts = {"default workers": {"value": workers, "source": "made up"}, "wait policy": {"value": waits, "source": "made up"}}
    lines = with_device(lines, space="host", backends=sorted({row[0] for row in rows}), name="A CPU", kind="cpu", units=4,
                        facts=facts)
    return lines + [{"kind": "floor", "run": run, "space": "host", "what": "launch", "scope": "host", "count": 21,
                     "median": floor}] * bool(floor)


def times(backend, rung, n, seconds, cache="hot"):
    return [(backend, rung, count, n, cache, one) for count, one in seconds.items()]


def lines_of(figure):
    return [[row[0].text.split("_")[0], *(cell.text for cell in row[4:])] for row in figure.table.rows]


# m00 halves the time and m02 does not quite, of as many elements in all and in each share.
BOTH = [("m00", 1, SIZE, 1.0), ("m00", 2, SIZE, 0.5), ("m00", 1, 2 * SIZE, 2.0), ("m00", 2, 2 * SIZE, 1.0),
        ("m02", 1, SIZE, 1.0), ("m02", 2, SIZE, 0.625), ("m02", 1, 2 * SIZE, 2.0), ("m02", 2, 2 * SIZE, 1.25)]
SCALING = (times("cpu", "c07", 1 << 28, {1: 8.0, 2: 4.0, 4: 2.5}, "cold") + times("cpu", "c00", 1 << 28, {None: 30.0}, "cold")
           + times("cpu", "library_std_reduce", 1 << 28, {1: 8.0, 4: 4.0}, "cold"))


class Shares(Case):
    def figures(self, *files):
        return {figure.id: figure for figure in scaling.section(self.view(*files)).figures}

    def one(self, start, *files):
        return figure_of(scaling.section(self.view(*files)), f"shares-{start}")

    def test_strong_and_weak_scaling_come_from_one_file(self):
        found = self.figures(on_gpus("r1", BOTH))
        self.assertEqual([name.split("-")[1] for name in found], ["strong", "strong", "weak"])
        weak = next(figure for name, figure in found.items() if "weak" in name)
        self.assertEqual(weak.table.heads, ["rung", "backend", "GB/s by 1", "by most", "2 shares", "efficiency"])
        self.assertIn("2³⁰ elements (4 GiB) in each share, weak scaling", weak.title)
        strong = list(found.values())[0]
        self.assertIn("n = 2³¹ (8 GiB)", strong.title)
        for figure in (weak, strong):
            self.assertEqual(lines_of(figure), [["m00", "2.00×", "100 %"], ["m02", "1.60×", "80 %"]])
        one, most = (cell.value for cell in weak.table.rows[0][2:4])  # of all elements
        self.assertAlmostEqual(one, 4 * SIZE / 1e9)
        self.assertAlmostEqual(most, 8 * SIZE / 1e9)

    def test_weak_scaling_is_not_what_strong_scaling_is(self):
        found = self.figures(on_gpus("r1", [("m00", 1, SIZE, 1.0), ("m00", 2, 2 * SIZE, 1.1)]))
        self.assertEqual([(name.split("-")[1], lines_of(figure)) for name, figure in found.items()],
                         [("weak", [["m00", "1.82×", "91 %"]])])

    def test_more_numbers_of_shares_are_a_line(self):
        rows = [("m00", count, SIZE, 1.0 / count) for count in (1, 2, 4, 8)]
        self.assertEqual(lines_of(self.one("strong", on_gpus("r1", rows))), [["m00", "2.00×", "4.00×", "8.00×", "100 %"]])

    def test_one_number_of_shares_is_no_scaling(self):
        for lines in (made.records(), on_gpus("r1", [("m00", 2, SIZE, 1.0)]),
                      on_gpus("r1", [("m00", 2, SIZE, 1.0), ("m00", 4, SIZE, 0.5)])):
            self.assertIsNone(scaling.section(self.view(lines)))

    def test_what_is_of_two_runs_says_so(self):
        figure = self.one("strong", on_gpus("r1", [("m00", 1, SIZE, 1.0)]), on_gpus("r2", [("m00", 2, SIZE, 0.5)]))
        self.assertEqual(figure.table.rows[0][4].state, "separate")
        self.assertIn("separate processes", figure.table.note)

    def test_processes_of_a_study_are_one_line(self):
        files = [on_gpus(f"p{index}", [("m00", 1, SIZE, 1.0), ("m00", 2, 2 * SIZE, time)], index)
                 for index, time in ((1, 1.0), (2, 1.05))]
        self.assertTrue(lines_of(self.one("weak", *files))[0][1].startswith("2."))

    def test_how_far_apart_devices_were_let_go_is_told(self):
        self.assertIn("The shares were let go within 400 ns of each other.",
                      self.one("weak", on_gpus("r1", BOTH, skew=0.4e-6)).table.note)
        self.assertNotIn("let go", self.one("weak", on_gpus("r1", BOTH)).table.note)


class Threads(Case):
    def test_scaling_is_against_one_thread_of_the_same_rung(self):
        figure = figure_of(scaling.section(self.view(on_cpu("r1", SCALING))), "threads")
        self.assertEqual(figure.table.heads,
                         ["rung", "backend", "GB/s by 1", "by most", "2 threads", "4 threads", "efficiency"])
        self.assertEqual(lines_of(figure), [["c07", "2.00×", "3.20×", "80 %"], ["library", "", "2.00×", "50 %"]])
        self.assertIn("3.20× by 4 threads", figure.words)

    def test_what_has_no_one_thread_is_no_scaling(self):
        for seconds in ({4: 2.5}, {2: 5.0, 4: 2.5}):
            rows = times("cpu", "c07", 1 << 28, seconds, "cold")
            self.assertIsNone(scaling.section(self.view(on_cpu("r1", rows))))
        self.assertIsNone(scaling.section(self.view(made.records())))

    def test_kokkos_has_as_many_as_its_process_was_given(self):
        runs = [on_cpu(f"k{count}", times("kokkos/openmp", "r16", 1 << 28, {None: 8.0 / count}, "cold"), workers=str(count))
                for count in (1, 2, 4)]
        table = figure_of(scaling.section(self.view(*runs)), "threads").table
        [row] = table.rows
        self.assertEqual([cell.text.split("×")[0] for cell in row[4:]], ["2.00", "4.00", "100 %"])
        self.assertIn("separate processes", table.note)
        self.assertEqual(row[4].state, "separate")

    def waking(self):
        files = []
        for waits, wakes in (("passive", 40e-6), ("active", 2e-6)):
            rows = []
            for n in (16, 1 << 10, 1 << 16):
                rows += times("cpu", "c07", n, {1: 1e-9 * n, 4: wakes + 0.25e-9 * n})
                rows += times("cpu", "library_std_reduce", n, {4: 9e-6})
            files.append(on_cpu(waits, rows, waits, floor=wakes))
        return files

    def test_waking_stands_beside_spinning_with_the_size_from_which_threads_pay(self):
        table, = scaling.section(self.view(*self.waking())).tables
        self.assertEqual(table.heads, ["rung", "backend", "idle threads", "threads", "2⁴", "2¹⁰", "2¹⁶", "pays from"])
        rows = {(row[0].text[:3], row[2].text): [cell.text for cell in row[3:]] for row in table.rows}
        self.assertEqual(rows["c07", "sleep"], ["4", "40.00", "40.26", "56.38", "2¹⁶"])
        self.assertEqual(rows["c07", "spin"], ["4", "2.004", "2.256", "18.38", "2¹⁶"])
        self.assertEqual(rows["lib", "spin"], ["4", "9.000", "9.000", "9.000", "not measured by one"])
        self.assertIn("An empty parallel region of OpenMP takes 2.0 µs where they spin.", table.note)

    def test_threads_that_never_pay_are_said_not_to(self):
        files = [on_cpu(waits, [row for n in (16, 1 << 10) for row in times("cpu", "c07", n, {1: 1e-9 * n, 4: 1e-3})], waits)
                 for waits in ("passive", "active")]
        table, = scaling.section(self.view(*files)).tables
        self.assertEqual({row[-1].text for row in table.rows}, {"never"})

    def test_one_policy_alone_is_no_study_of_waking(self):
        self.nothing(scaling.section(self.view(self.waking()[0])))

    def test_a_page_has_both(self):
        self.page_of(on_gpus("r1", BOTH), made.records("r2"), *self.waking())
        for name in ("shares-weak-*", "waking-*"):
            self.assertTrue(self.table(name))
