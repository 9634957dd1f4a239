#!/usr/bin/env python3
"""bench/report: what threads bring and what waking them costs, of made-up records.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import unittest

import made
from cases import Case
from report import page
from report.sections import threads


def measured(run, rows, waits="passive", workers="4", floor=None):
    """A run on a CPU of these: (backend, rung, threads or none, n, cache, seconds)."""
    backends = sorted({row[0] for row in rows})
    first = made.records(run)[0]
    facts = {"default workers": {"value": workers, "source": "made up"}, "wait policy": {"value": waits, "source": "made up"}}
    first["devices"] = [first["devices"][0] | {"space": "host", "backends": backends, "name": "A CPU", "kind": "cpu", "units": 4,
                                               "facts": facts}]
    lines = [first]
    if floor:
        lines.append({"kind": "floor", "run": run, "space": "host", "what": "launch", "scope": "host", "count": 21,
                      "median": floor})
    for number, (backend, rung, count, n, cache, seconds) in enumerate(rows):
        some = made.records(run, {("cuda", "r02"): seconds}, backend=backend, rung=rung, slug=rung, n=n, bytes=4 * n,
                            workers=count, library=rung.startswith("library"), cache=cache, scope="host", block=None,
                            space="host", evicted_bytes=None, eviction=None)
        lines += [line | {"id": str(number)} for line in some[2:]]
    return lines


def times(backend, rung, n, seconds, cache="hot"):
    return [(backend, rung, count, n, cache, one) for count, one in seconds.items()]


SCALING = (times("cpu", "c07", 1 << 28, {1: 8.0, 2: 4.0, 4: 2.5}, "cold") + times("cpu", "c00", 1 << 28, {None: 30.0}, "cold")
           + times("cpu", "library_std_reduce", 1 << 28, {1: 8.0, 4: 4.0}, "cold"))


class Threads(Case):
    def texts(self, table):
        return [[cell.text for cell in row] for row in table.rows]

    def figure(self, section, start):
        return next((figure for figure in section.figures if figure.id.startswith(start)), None)

    def test_scaling_is_against_one_thread_of_the_same_rung(self):
        section = threads.section(self.view(measured("r1", SCALING)))
        table = self.figure(section, "threads").table
        self.assertEqual(table.heads, ["rung", "backend", "GB/s by 1", "by most", "2 threads", "4 threads", "efficiency"])
        self.assertEqual([[row[0].text.split("_")[0], *(cell.text for cell in row[4:])] for row in table.rows],
                         [["c07", "2.00×", "3.20×", "80 %"], ["library", "", "2.00×", "50 %"]])
        self.assertIn("3.20× by 4 threads", self.figure(section, "threads").words)

    def test_what_was_measured_by_one_number_of_threads_is_no_scaling(self):
        self.assertIsNone(threads.section(self.view(made.records())))
        rows = times("cpu", "c07", 1 << 28, {4: 2.5}, "cold")
        self.assertIsNone(threads.section(self.view(measured("r1", rows))))
        rows = times("cpu", "c07", 1 << 28, {2: 5.0, 4: 2.5}, "cold")
        self.assertIsNone(threads.section(self.view(measured("r1", rows))), "there is nothing to hold it against")

    def test_kokkos_has_as_many_as_its_process_was_given(self):
        runs = [measured(f"k{count}", times("kokkos/openmp", "r16", 1 << 28, {None: 8.0 / count}, "cold"), workers=str(count))
                for count in (1, 2, 4)]
        section = threads.section(self.view(*runs))
        table = self.figure(section, "threads").table
        [row] = table.rows
        self.assertEqual([cell.text.split("×")[0] for cell in row[4:]], ["2.00", "4.00", "100 %"])
        self.assertIn("separate processes", table.note)
        self.assertEqual(row[4].state, "separate")

    def waking(self):
        sizes = (16, 1 << 10, 1 << 16)
        files = []
        for waits, wakes in (("passive", 40e-6), ("active", 2e-6)):
            rows = [row for n in sizes for row in times("cpu", "c07", n, {1: 1e-9 * n, 4: wakes + 0.25e-9 * n})]
            rows += [row for n in sizes for row in times("cpu", "library_std_reduce", n, {4: 9e-6})]
            files.append(measured(waits, rows, waits, floor=wakes))
        return files

    def test_waking_stands_beside_spinning_with_the_size_from_which_threads_pay(self):
        section = threads.section(self.view(*self.waking()))
        figure = self.figure(section, "waking")
        self.assertEqual(figure.table.heads, ["rung", "model", "idle threads", "threads", "2⁴", "2¹⁰", "2¹⁶", "pays from"])
        rows = {(row[1].text, row[2].text): [cell.text for cell in row[3:]] for row in figure.table.rows}
        self.assertEqual(rows["OpenMP", "sleep"], ["4", "40.00", "40.26", "56.38", "2¹⁶"])
        self.assertEqual(rows["OpenMP", "spin"], ["4", "2.004", "2.256", "18.38", "2¹⁶"])
        self.assertEqual(rows["oneTBB", "spin"], ["4", "9.000", "9.000", "9.000", "not measured by one"])
        self.assertIn("An empty parallel region of OpenMP: 2.0 µs where they spin and 40 µs where they sleep",
                      figure.table.note)
        self.assertIn("OpenMP: c07, idle ones spin", figure.svg)

    def test_threads_that_never_pay_are_said_not_to(self):
        files = [measured(waits, [row for n in (16, 1 << 10) for row in times("cpu", "c07", n, {1: 1e-9 * n, 4: 1e-3})], waits)
                 for waits in ("passive", "active")]
        figure = self.figure(threads.section(self.view(*files)), "waking")
        self.assertEqual({row[-1].text for row in figure.table.rows}, {"never"})

    def test_one_policy_alone_is_no_study_of_waking(self):
        self.assertTrue(threads.section(self.view(self.waking()[0])) is None)

    def test_a_page_has_it(self):
        page.write(self.read(*self.waking()), self.folder / "page")
        made_page = (self.folder / "page" / "index.html").read_text()
        self.assertTrue("small inputs by all threads" in made_page)  # in a message it would be a book


if __name__ == "__main__":
    unittest.main()
