"""tools/rung_diffs.py finds changed steps, tested with a made-up ladder of two rungs."""

import json

from running import InFolder, run_tool

BASE = "// r00: a head\n\nnamespace r00 {\nload;\nadd;\n}  // namespace r00\n"


class RungDiffs(InFolder):
    def setUp(self):
        super().setUp()
        self.rungs = self.folder / "gpu" / "rungs"
        self.rungs.mkdir(parents=True)
        (self.rungs / "r00_plain.cu").write_text(BASE)
        self.write_rung(BASE.replace("r00", "r01").replace("add;", "add_better;"))
        listing = {"ladders": {"device": [{"id": "r00", "base": ""}, {"id": "r01", "base": "r00"}]}}
        self.program("ladder", f"#!/bin/sh\ncat <<'END'\n{json.dumps(listing)}\nEND\n")

    def write_rung(self, text):
        (self.rungs / "r01_better.cu").write_text(text)

    def run_script(self, limits, *more):
        (self.folder / "limits.csv").write_text(limits)
        return run_tool("rung_diffs.py", "--ladder", self.folder / "ladder", "--source", self.folder, "--limits",
                        self.folder / "limits.csv", *more)

    def test_a_step_passes_with_the_reviewed_number_of_lines_alone(self):
        self.assertEqual(self.run_script("r01,r00,gpu,2\n"), (0, "1 steps looked at\n"))
        for limits, said in (("r01,r00,gpu,9\n", "differs from r00 in 2 lines, 9 were reviewed"),
                             ("", "it has not been reviewed"), ("r01,r00,gpu,2\nr01,r00,cpu,3\n", "is reviewed, but not there")):
            status, text = self.run_script(limits)
            self.assertEqual(status, 1)
            self.assertIn(said, text)
        self.write_rung(BASE.replace("r00", "r01").replace("add;", "add_better;\nand_more;"))
        status, text = self.run_script("r01,r00,gpu,2\n")
        self.assertEqual(status, 1)
        self.assertIn("gpu: r01 differs from r00 in 3 lines, 2 were reviewed", text)
        self.assertIn("+ and_more;", text)

    def test_heads_blank_lines_and_names_do_not_count(self):
        self.write_rung("// another head\n// of two lines\n\n\n" + BASE[BASE.index("namespace"):].replace("r00", "r01")
                        .replace("add;", "\n  add_better;"))
        self.assertEqual(self.run_script("r01,r00,gpu,2\n")[0], 0)

    def test_a_folder_without_steps_is_no_pass(self):
        for file in self.rungs.iterdir():
            file.unlink()
        self.assertEqual(self.run_script("")[0], 1)

    def test_an_update_writes_what_then_passes(self):
        self.run_script("", "--update")
        self.assertEqual(self.run_script((self.folder / "limits.csv").read_text())[0], 0)
