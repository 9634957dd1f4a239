#!/usr/bin/env python3
"""bench/report: that the first screen's verdict, waterfall and map are what plain arithmetic makes of the records.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import json
import statistics
import unittest

import made
from cases import Case
from report.sections import glance

MEDIANS = {("cuda", "r02"): 4e-3, ("cuda", "r03"): 2e-3, ("cuda", "r04"): 2e-3, ("hip", "r02"): 5e-3, ("hip", "r03"): 2e-3}


def said(card):
    return ["".join(part if isinstance(part, str) else part.text for part in sentence) for sentence in card.sentences]


def named(lines, changes):
    """The lines with other rungs: {(backend, rung): the fields of its measurement}."""
    for line in lines:
        if line["kind"] == "measurement":
            line |= changes.get((line["backend"], line["rung"]), {})
    return lines


class Verdict(Case):
    def card(self, *files):
        (one,), _ = glance.section(self.view(*files))
        return one

    def test_it_says_what_the_other_model_costs_in_the_median_rung_and_at_worst(self):
        texts = said(self.card(made.records("a", MEDIANS)))
        self.assertIn("HIP by hand costs 10 % in the median rung, at worst 20 % (r02).", texts)

    def test_of_several_processes_it_has_an_interval(self):
        runs = [{**MEDIANS, ("hip", "r03"): 2e-3 * (1 + 0.002 * place), ("hip", "r02"): 5e-3 * (1 + 0.001 * place)}
                for place in range(5)]
        text = next(one for one in said(self.card(made.processes(*runs))) if one.startswith("HIP"))
        self.assertRegex(text, r"costs 10\.3 % \(10\.\d to 10\.\d\) in the median rung, at worst 20\.2 % \(20\.\d to 20\.\d\)")

    def test_a_gain_is_said_in_plain_words(self):
        medians = {("cuda", "r02"): 4e-3, ("hip", "r02"): 3.2e-3}
        texts = said(self.card(made.records("a", medians)))
        self.assertIn("HIP by hand is 25 % faster in the median rung, at worst 25 % faster (r02).", texts)

    def test_of_a_gain_the_interval_says_how_much_faster(self):
        runs = [{("cuda", "r02"): 4e-3, ("hip", "r02"): 3.2e-3 * (1 + 0.001 * place)} for place in range(5)]
        text = next(one for one in said(self.card(made.processes(*runs))) if one.startswith("HIP"))
        self.assertRegex(text, r"is 24\.8 % faster \(24\.\d to 25\.\d\) in the median rung")

    def test_an_interval_may_hold_a_cost_and_a_gain(self):
        runs = [{("cuda", "r02"): 4e-3, ("hip", "r02"): 4e-3 * (1 + 0.01 * place)} for place in (-3, -2, -1, 0, 1)]
        text = next(one for one in said(self.card(made.processes(*runs))) if one.startswith("HIP"))
        self.assertIn("is 1 % faster (−1 to 3) in the median rung", text)

    def test_what_a_user_writes_first_is_held_against_the_best_native_rung(self):
        stock = {"rung": "library_range_view", "slug": "", "library": True, "backend": "kokkos/cuda"}
        lines = named(made.records("a", MEDIANS), {("hip", "r02"): stock, ("hip", "r03"): {"backend": "kokkos/cuda"}})
        lines[0]["devices"][0]["backends"] = ["cuda", "kokkos/cuda"]
        texts = said(self.card(lines))
        self.assertIn("Kokkos's own parallel_reduce costs 60 % beside r03.", texts)  # 2 ms beside 5 ms
        self.assertIn("Kokkos by hand costs 0.0 % in the median rung, at worst 0.0 % (r03).", texts)

    def test_noise_is_what_two_copies_of_one_kernel_differ_by(self):
        lines = named(made.records("a", {("cuda", "r02"): 4e-3, ("cuda", "r03"): 4.04e-3}),
                      {("cuda", "r03"): {"rung": "alias_r02", "slug": ""}})
        self.assertIn("Noise: two copies of one kernel differ by less than 1.0 % (95 % of 1 pairs).", said(self.card(lines)))
        self.assertIn("Noise: not measured here.",
                      said(self.card(made.records("a", MEDIANS))))


class Waterfall(Case):
    def steps(self, factor, uncertainty=1e-4):
        """Of r02 and of r03, which is `factor` times as fast."""
        lines = made.records("a", {("cuda", "r02"): 4e-3, ("cuda", "r03"): 4e-3 / factor})
        for line in lines:
            if line["kind"] == "summary":
                line["uncertainty"] = uncertainty
        (card,), _ = glance.section(self.view(lines))
        return card.steps

    def test_a_step_goes_from_its_bases_speed_to_its_own_on_a_logarithmic_scale(self):
        start, gain = self.steps(2)
        self.assertEqual((start.kind, gain.kind, gain.factor.text), ("start", "gain", "2.00×"))
        self.assertAlmostEqual(gain.begin, start.end)
        _, loss = self.steps(0.5)
        self.assertEqual(loss.kind, "loss")

    def test_what_noise_may_be_is_told_from_gain(self):
        kinds = {factor: self.steps(factor, 0.01)[1].kind for factor in (1.005, 1.05, 0.995, 0.95)}
        self.assertEqual(kinds, {1.005: "noise", 1.05: "gain", 0.995: "noise", 0.95: "loss"})

    def test_every_step_lies_within_its_track(self):
        for factor in (1000, 2, 1, 0.001):
            for step in self.steps(factor):
                self.assertTrue(0 <= step.begin <= step.end <= 100.001, step)


class Map(Case):
    def test_it_holds_the_best_of_each_model_as_a_part_of_the_ceiling(self):
        _, section = glance.section(self.view(made.records("a", MEDIANS)))
        values = {row[0].text: row[1] for row in section.tables[0].rows}
        for model, least in (("CUDA", 2e-3), ("HIP", 2e-3)):
            cell = values[f"{model}, best rung"]
            self.assertAlmostEqual(cell.value, (1 << 20) / least / 900e9)
            self.assertEqual(len(cell.trace), 2)  # its summary and its ceiling

    def test_the_median_is_over_rungs_within_each_process(self):
        """As the mean over processes of the logarithm of each process's median ratio."""
        runs = [{**MEDIANS, ("hip", "r02"): 5e-3 * (1 + 0.01 * place)} for place in range(3)]
        (card,), _ = glance.section(self.view(made.processes(*runs)))
        cost = next(sentence for sentence in card.sentences if sentence[0].startswith("HIP"))[1]
        parts = [statistics.median([run["cuda", rung] / run["hip", rung] for rung in ("r02", "r03")]) for run in runs]
        self.assertAlmostEqual(cost.value, 1 - statistics.geometric_mean(parts), places=12)

    def test_a_hot_or_hostile_number_is_no_markup(self):
        lines = json.loads(json.dumps(made.records("a", MEDIANS)).replace("A GPU", "<b>A GPU</b>"))
        (card,), _ = glance.section(self.view(lines))
        self.assertEqual((card.title, card.id), ("<b>A GPU</b>", "machine-_b_a_gpu__b_"))


if __name__ == "__main__":
    unittest.main()
