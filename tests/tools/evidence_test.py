"""Records of tools/evidence.py, from the output of stand-ins for the tools and the program."""

import csv
import io
import json
import os
import re
import unittest

import evidence
import sass
import shared
from running import ROOT, InFolder, run_tool

SASS = ROOT / "tests" / "tools" / "evidence_sass.txt"  # r09 and r10 by cuobjdump 13.0: sources and targets of jumps
R09, R10 = re.findall(r"Function : (\S+)", SASS.read_text())
LISTING = {"ladders": {"device": [{"id": "r09", "slug": "unroll_last_warp"}, {"id": "r10", "slug": "complete_unroll"}]},
           "rungs": [{"backend": "cuda", "id": "r09"}, {"backend": "cuda", "id": "r10"}]}
EXPECTED = {"barriers_per_warp": 1600 / (100 * 8), "instructions_per_element": 6400 * 32 / 1024, "bytes_per_shared_load": 128,
            "wavefronts_per_shared_load": 2, "load_bits": 128, "sectors_per_request": 1.5}


def ncu_csv(*launched, lacking=None):
    """Output of ncu for launches (kernel, nanoseconds, grid), all with the same counts, without the metric `lacking`."""
    metrics = [metric for metric in evidence.METRICS.values() if metric != lacking]
    heads = ["ID", "Kernel Name", *metrics, *evidence.LAUNCH, evidence.OPCODES]
    text = io.StringIO()
    text.write("==PROF== Connected to process 1\ncuda: a GPU\n")
    write = csv.writer(text, quoting=csv.QUOTE_ALL).writerow
    write(heads)
    write([""] * len(heads))
    counts = {"smsp__inst_executed.sum": "6,400", "smsp__inst_executed_op_shared_ld_pred_on_any.sum": "100",
              "smsp__sass_data_bytes_mem_shared_op_ld.sum": "12,800",
              "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": "200"}
    opcodes = "9 (LDS: 40; BAR.SYNC.DEFER_BLOCKING: 1,600; LDG.E: 10; LDG.E.128: 30; IMAD.X: 7)"
    for i, (kernel, time, grid) in enumerate(launched):
        write([i, kernel, *(counts.get(metric, "1.5") for metric in metrics), time, grid, "256 (0: 256)", opcodes])
    return text.getvalue()


class Evidence(InFolder):
    def setUp(self):
        super().setUp()
        self.tool("ncu", ncu_csv((R09, "900", "50"), (R09, "2,000", "100"), (R09, "90", "1"), (R10, "1,000", "100")))
        self.tool("cuobjdump", SASS.read_text())
        names = ("reduce/cuda/r09_unroll_last_warp/f32/sum/n:1024/block:256/exact\n"
                 "reduce/cuda/r10_complete_unroll/f32/sum/n:1024/block:256/items:8/exact\n")
        program = (f"#!/bin/sh\ncase \"$*\" in\n*--list\\ *) cat <<'END'\n{json.dumps(LISTING)}\nEND\n;;\n"
                   f"*list_tests*) printf '%s' '{names}' ;;\n"
                   "*) for word; do case $word in --records=*) file=${word#*=} ;; esac; done\n"
                   "echo '{\"kind\":\"run\",\"run\":\"one\",\"command\":[\"ladder\"],\"commit\":\"abc\"}' >\"$file\" ;;\nesac\n")
        self.program("ladder", program)

    def tool(self, name, output):
        (self.folder / f"{name}.out").write_text(output)
        self.program(name, f"#!/bin/sh\ncat '{self.folder}/{name}.out'\n")

    def run_script(self, *more):
        file = self.folder / "evidence.jsonl"
        status, text = run_tool("evidence.py", "--ladder", self.folder / "ladder", "--records", file, *more, env={
            **os.environ, "PATH": f"{self.folder}:/usr/bin:/bin", "CUDA_HOME": "/nowhere"})
        return status, text, [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def test_each_rung_has_a_record_with_the_facts_that_the_ideas_are_about_behind_that_of_the_run(self):
        status, text, (run, *records) = self.run_script()
        self.assertEqual((status, run["kind"], run["commit"], run["command"][0]), (0, "run", "abc", "evidence.py"), text)
        self.assertEqual([(r["kind"], r["rung"], r["n"], r["items"], r["block"]) for r in records],
                         [("evidence", "r09", 1024, None, 256), ("evidence", "r10", 1024, 8, 256)])
        self.assertEqual(records[0]["grid"], 100)  # grid of the longest launch
        self.assertEqual([r["facts"]["loops"]["value"] for r in records], [1, 0])  # a path for diverged warps is no loop
        facts = {name: fact["value"] for name, fact in records[0]["facts"].items()}
        self.assertEqual({name: facts[name] for name in EXPECTED}, EXPECTED)

    def test_two_measurements_of_a_rung_are_refused(self):
        self.change("ladder", "r10_complete_unroll/f32", "r09_unroll_last_warp/f32")
        status, text, records = self.run_script()
        self.assertEqual((status, records), (2, []))
        self.assertIn("one size, type and tuning", text)

    def test_a_rung_without_a_launch_and_a_count_that_ncu_does_not_have_are_named(self):
        for launched, lacking, count, said in (
                ([R09], None, 2, "no launch was seen of r10"),
                ([R09, R10], "dram__bytes_read.sum", 3, "ncu told nothing of dram__bytes_read.sum")):
            (self.folder / "evidence.jsonl").unlink(missing_ok=True)
            self.tool("ncu", ncu_csv(*((kernel, "900", "50") for kernel in launched), lacking=lacking))
            status, text, records = self.run_script()
            self.assertEqual((status, len(records)), (1, count))
            self.assertIn(said, text)

    def test_where_ncu_fails_or_counts_nothing_its_words_are_passed_on_and_there_are_no_records(self):
        broken = f"#!/bin/sh\ncat '{self.folder}/ncu.out'\necho '==ERROR== it broke'\nexit 3\n"
        for script, said in ((broken, "it broke"), ("#!/bin/sh\necho '==ERROR== ERR_NVGPUCTRPERM'\n", "ERR_NVGPUCTRPERM")):
            (self.folder / "ncu").write_text(script)
            status, text, records = self.run_script()
            self.assertEqual((status, records), (2, []))
            self.assertIn(said, text)

    def test_without_cuobjdump_loops_are_not_counted_and_that_is_said(self):
        (self.folder / "cuobjdump").write_text("#!/bin/sh\nexit 1\n")
        status, text, records = self.run_script()
        self.assertEqual(status, 0)
        self.assertIn("loops are not counted", text)
        self.assertNotIn("loops", records[1]["facts"])


class Loops(unittest.TestCase):
    """Uses control flow written by hand: (address, predicate, opcode, operands)."""

    def test_cycles_are_loops_and_those_that_share_an_instruction_are_one(self):
        back, end = (16, "@P0", "BRA", "0x0"), (32, "", "EXIT", "")
        for code, count, why in (
                ([(0, "", "FADD", ""), back, end], 1, "a branch back"),
                ([(0, "@P0", "BRA", "0x30"), (16, "", "FADD", ""), end, (48, "", "BRA", "0x10")], 0, "back, but nowhere again"),
                ([(0, "@P0", "BRA", "0x0"), (16, "", "FADD", ""), (32, "@P0", "BRA", "0x20"), (48, "", "EXIT", "")], 2,
                 "in a row"),
                ([(0, "", "FADD", ""), (16, "@P0", "BRA", "0x10"), (32, "@P1", "BRA", "0x0"), (48, "", "EXIT", "")], 1, "nested"),
                ([(0, "", "BRA.U", "!UP0, 0x20"), (16, "@P0", "BRA", "0x10"), end], 1, "a uniform branch passed")):
            with self.subTest(why):
                self.assertEqual(sass.loops(code), count)

    def test_a_branch_to_nowhere_is_no_straight_code(self):
        with self.assertRaises(shared.Failure):
            sass.loops([(0, "", "BRA", "`(.L_1)"), (16, "", "EXIT", "")])
