"""bench/report: the first screen's sentences, waterfall and map, the costs of models, ratios of two models, and a model's mean
over platforms have the values that plain arithmetic gives."""

import math

import made
from cases import Case, data_of, kinds_of, page
from report.sections import glance, models, phi

MEDIANS = {("cuda", "r02"): 4e-3, ("cuda", "r03"): 2e-3, ("cuda", "r04"): 2e-3, ("hip", "r02"): 5e-3, ("hip", "r03"): 2e-3}
CUDA, HIP = ("cuda", "r02"), ("hip", "r02")
BEST = (1 << 20) / 900e9  # seconds at the ceiling


def named(lines, changes):
    """Changes fields of measurements: {(backend, rung): fields}."""
    for line in lines:
        if line["kind"] == "measurement":
            line |= changes.get((line["backend"], line["rung"]), {})
    return lines


def sentences_of(card):
    return ["".join(part if isinstance(part, str) else part.text for part in sentence) for sentence in card["sentences"]]


class Verdict(Case):
    def card(self, *files):
        one, = glance.cards_of(self.view(*files))
        return one

    def said(self, *files):
        return sentences_of(self.card(*files))

    def test_it_says_what_the_native_model_reaches(self):
        self.assertEqual(self.said(made.records("a", MEDIANS))[0], "CUDA reaches 0.5243 GB/s, 0.0583 % of the ceiling (r03).")

    def test_a_sweep_that_is_too_weak_gives_no_percentage(self):
        lines = made.records("a", MEDIANS)
        lines[1]["gbs"] = 0.1
        self.assertEqual(self.said(lines)[0], "CUDA reaches 0.5243 GB/s, sweep too weak (r03).")

    def test_several_devices_of_one_model_are_told_with_their_median_and_range(self):
        runs = [made.records(run, {("cuda", "r02"): time}) for run, time in (("a", 2e-3), ("b", 4e-3), ("c", 5e-3))]
        for number, lines in enumerate(runs):
            lines[0]["devices"][0]["id"] = f"GPU-{number}"
        cards = glance.cards_of(self.view(*runs))
        self.assertEqual(len(cards), 3)
        for card in cards:
            self.assertIn("3 devices of this model, at 2¹⁸: median 0.0291 % of the ceiling, from 0.0233 to 0.0583 %.",
                          sentences_of(card))

    def test_noise_is_what_two_copies_of_one_kernel_differ_by(self):
        lines = named(made.records("a", {("cuda", "r02"): 4e-3, ("cuda", "r03"): 4.04e-3}),
                      {("cuda", "r03"): {"rung": "alias_r02", "slug": ""}})
        self.assertIn("Noise: two copies of one kernel differ by less than 1.0 % (95 % of 1 pairs).", self.said(lines))
        self.assertNotIn("Noise", " ".join(self.said(made.records("a", MEDIANS))))


class Waterfall(Case):
    def steps(self, factor, uncertainty=1e-4):
        """Steps of r02, and of r03, which is `factor` times as fast."""
        lines = made.records("a", {("cuda", "r02"): 4e-3, ("cuda", "r03"): 4e-3 / factor})
        for line in lines:
            if line["kind"] == "summary":
                line["uncertainty"] = uncertainty
        card, = glance.cards_of(self.view(lines))
        return card["steps"]

    def test_a_step_goes_from_its_bases_speed_to_its_own(self):
        start, gain = self.steps(2)
        self.assertEqual((start["kind"], gain["kind"], gain["factor"].text), ("start", "gain", "2.00×"))
        self.assertAlmostEqual(gain["begin"], start["end"])

    def test_what_noise_may_be_is_told_from_gain(self):
        kinds = {factor: self.steps(factor, 0.01)[1]["kind"] for factor in (1.005, 1.05, 0.995, 0.95)}
        self.assertEqual(kinds, {1.005: "noise", 1.05: "gain", 0.995: "noise", 0.95: "loss"})


class Map(Case):
    def test_it_holds_the_best_of_each_model_as_a_part_of_the_ceiling(self):
        section = glance.section(self.view(made.records("a", MEDIANS)))
        values = {row["model"].text: row["A GPU"] for row in section.tables[0].rows}
        for model in ("CUDA", "HIP"):
            cell = values[f"{model}, best rung"]
            self.assertAlmostEqual(cell.value, (1 << 20) / 2e-3 / 900e9)
            self.assertEqual(len(cell.trace), 2)  # its summary and its ceiling

    def test_a_machine_that_measured_less_than_half_of_the_rungs_of_another_of_its_model_is_folded(self):
        runs = [made.records(run, {("cuda", rung): 2e-3 for rung in rungs}) for run, rungs in (
            ("a", ["r02"]), ("b", ["r02", "r03", "r04"]), ("c", ["r02", "r03"]))]
        for number, lines in enumerate(runs):
            lines[0]["devices"][0]["id"] = f"GPU-{number}"
        cards, section = glance.cards_of(self.view(*runs)), glance.section(self.view(*runs))
        self.assertEqual([(card["title"], card["folded"]) for card in cards],
                         [("A GPU", False), ("A GPU #2", False), ("A GPU #3", True)])
        self.assertEqual(section.tables[0].heads, ["model", "A GPU", "A GPU #2"])
        self.assertIn("1 more of these models measured a part of the ladder", section.tables[0].note)
        self.assertEqual(data_of(page.write(self.read(*runs), self.folder).read_text())["first"][0], "A GPU")


class Models(Case):
    MEDIANS = {key: value for key, value in MEDIANS.items() if key[1] != "r04"}

    def rows(self, *files):
        table = models.table_of(self.view(*files))
        return {row["model"].text: [cell.text for cell in row.values()][2:] for row in table.rows}, table.note

    def test_what_a_user_writes_first_is_held_against_the_best_native_rung(self):
        stock = {"rung": "library_range_view", "slug": "", "library": True, "backend": "kokkos/cuda"}
        lines = named(made.records("a", self.MEDIANS), {("hip", "r02"): stock, ("hip", "r03"): {"backend": "kokkos/cuda"}})
        lines[0]["devices"][0]["backends"] = ["cuda", "kokkos/cuda"]
        rows, _ = self.rows(lines)
        self.assertEqual(rows["Kokkos"], ["1.00", "–", "1.0", "0.40, parallel_reduce"])

    def test_what_kokkos_costs_is_one_sentence(self):
        times = {("cuda", "r02"): 4e-3, ("cuda", "r03"): 2e-3, ("cuda", "r16"): 1e-3}
        kokkos = {("hip", "r02"): 5e-3, ("hip", "r03"): 4e-3, ("hip", "r16"): 1e-3, ("hip", "library_range_view"): 2e-3}
        strides = dict.fromkeys([("cuda", "r16"), ("hip", "r16")], {"family": "grid stride"})
        lines = named(made.records("a", times | kokkos), strides)
        lines[0]["devices"][0]["backends"] = ["cuda", "kokkos/cuda"]
        card, = glance.cards_of(self.view([line | ({"backend": "kokkos/cuda"} if line.get("backend") == "hip" else {})
                                           for line in lines]))
        self.assertIn("Kokkos relative to CUDA: tree kernels 0.500 to 0.800, grid-stride kernels 1.00, parallel_reduce 0.500.",
                      sentences_of(card))

    def test_a_ladder_of_other_rungs_has_its_best_alone(self):
        rows, note = self.rows(made.records("a", {("cuda", "r02"): 4e-3, ("hip", "r03"): 5e-3}))
        self.assertEqual(rows["HIP"], ["other rungs", "other rungs", "0.80", "–"])
        self.assertIn("Other rungs:", note)


def platform(name, *medians, run, **fields):
    """Records of a GPU of this name with a ceiling of 900 GB/s, a process for each of `medians`."""
    lines = made.processes(*medians, run=run, **fields)
    for line in lines:
        for device in line.get("devices", ()):
            device["name"] = name
    return lines


class Ratios(Case):
    def test_one_process_gives_a_plain_ratio(self):
        found, _ = self.beside(made.records())
        self.assertEqual({rung: cell.text for rung, cell in found.items()}, {"r02": "0.80", "r03": "1.0"})
        self.assertEqual(kinds_of(found["r02"]), ["summary"] * 2)

    def test_what_the_native_model_has_not_is_held_against_its_best(self):
        found, _ = self.beside(made.records("a", {CUDA: 4e-3, ("hip", "r03"): 5e-3}))
        self.assertEqual(found["r03"].text, "0.80, r02")

    def test_two_processes_are_said_to_be(self):
        found, note = self.beside(made.records("a", {CUDA: 4e-3}), made.records("b", {HIP: 5e-3}))
        self.assertEqual(found["r02"].text, "0.80 *")
        self.assertIn("separate processes", note)

    def test_what_is_not_the_same_problem_is_in_no_ratio(self):
        for change in made.DIFFERENT:
            one, two = made.records("a", {CUDA: 4e-3}), made.records("b", {HIP: 5e-3}, **change)
            self.assertEqual(self.beside(one, two)[0]["r02"].text, "", change)
        apart, _ = self.beside(made.records("a", {CUDA: 4e-3}), platform("Another GPU", {HIP: 5e-3}, run="b"))
        self.assertEqual(apart["r02"].text, "")


class OverPlatforms(Case):
    def rows(self, *files):
        return {row["application"].value: list(row.values()) for row in phi.section(self.view(*files)).tables[0].rows}

    def test_it_is_the_harmonic_mean_and_zero_where_a_platform_is_missing(self):
        one = platform("One", {CUDA: BEST, HIP: 2 * BEST}, run="a")
        two = platform("Two", {HIP: 4 * BEST}, run="b")
        rows = self.rows(one, two)
        self.assertAlmostEqual(rows["hip"][1].value, 2 / (1 / 0.5 + 1 / 0.25))  # 1/2 and 1/4 of the ceilings
        self.assertAlmostEqual(rows["hip"][2].value, 2 / (1 / 0.5 + 1 / 1.0))  # 1/2 and all of the best there
        self.assertTrue(math.isnan(rows["cuda"][1].value))  # the second platform supports CUDA, but has no measurement of it
        two[0]["devices"][0]["space"] = "hip:0"
        rows = self.rows(one, [line | ({"space": "hip:0"} if line["kind"] == "ceiling" else {}) for line in two])
        self.assertEqual([cell.value for cell in rows["cuda"][1:3]], [0.0, 0.0])  # the second platform does not support CUDA
        self.assertAlmostEqual(rows["hip"][1].value, 2 / (1 / 0.5 + 1 / 0.25))

    def test_of_two_devices_of_one_name_the_one_with_the_most_models_is_the_platform(self):
        files = [platform("One", {CUDA: BEST}, run="a"), platform("One", {CUDA: 2 * BEST, HIP: 2 * BEST}, run="b"),
                 platform("Two", {CUDA: BEST}, run="c")]
        for number, lines in enumerate(files):
            lines[0]["devices"][0]["id"] = f"GPU-{number}"
        self.assertAlmostEqual(self.rows(*files)["cuda"][1].value, 2 / (1 / 0.5 + 1 / 1.0))

    def test_of_one_process_it_has_no_interval(self):
        rows = self.rows(*(platform(name, {CUDA: 4e-3}, run=run) for name, run in (("One", "p"), ("Two", "q"))))
        self.assertNotIn(" to ", rows["cuda"][1].text)
