#!/usr/bin/env python3
"""What tools/amd_static.py counts in machine code, and what it makes of a build, with tools that are made for it."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "tools" / "amd_static.py"
sys.path.insert(0, str(SCRIPT.parent))
import amd_static  # noqa: E402
import amd_static_tables  # noqa: E402
import gcn  # noqa: E402
import shared  # noqa: E402

# Kernels as llvm-objdump 15 prints them, the names of branches' targets shortened: rungs, and a kernel for gfx1100.
ISA = dict(re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", (HERE / "amd_static_isa.txt").read_text(), re.M))
REMARKS = (HERE / "amd_static_remarks.txt").read_text()


def counted(name, kernel=0):
    return gcn.count(list(gcn.kernels(ISA[name]).values())[kernel])


def code(*lines):
    """Instructions by hand, each of four bytes, `branch +2` over two of them."""
    return [gcn.Instruction(4 * i, name, str(int(rest) % 0x10000) if "branch" in name else rest)
            for i, (name, _, rest) in enumerate(line.partition(" ") for line in lines)]


class Counts(unittest.TestCase):
    def test_the_instructions_of_an_idea_are_counted_with_those_in_loops(self):
        r04 = counted("r04 gfx90a")
        self.assertEqual(r04["barriers"], {"all": 2, "in_loops": 1})
        self.assertEqual(r04["lds_loads"], {"all": 3, "in_loops": 2})
        self.assertEqual(r04["lds_stores"], {"all": 2, "in_loops": 1})
        self.assertEqual(r04["loads"], {"all": 1, "in_loops": 0})
        self.assertEqual(r04["loops"], {"barrier": 1})

    def test_r05_has_a_barrier_fewer_than_r04(self):
        self.assertEqual(counted("r05 gfx90a")["barriers"], {"all": 1, "in_loops": 1})

    def test_an_atomic_update_is_one_instruction_or_a_loop_that_swaps(self):
        for name, atomic, loops in (("r00 gfx90a", "add_f32", {}), ("r00 gfx1030", "cmpswap in a loop", {"atomic": 1})):
            facts = counted(name)
            self.assertEqual((amd_static_tables.atomics(facts), facts["loops"]), (atomic, loops))

    def test_loads_under_way_are_those_before_the_first_is_waited_for(self):
        r08 = counted("r08 gfx90a")
        self.assertEqual((r08["loads"], r08["loads_under_way"]), ({"all": 5, "in_loops": 5}, 4))

    def test_the_names_from_gfx11_on_are_known(self):
        facts = counted("gfx1100")
        self.assertEqual(facts["names"]["global_load_b128"], {"all": 1, "in_loops": 1})
        self.assertEqual(facts["names"]["ds_load_2addr_b32"], {"all": 1, "in_loops": 0})
        self.assertEqual((facts["lds_loads"]["all"], facts["lds_stores"]["all"], facts["barriers"]["all"]), (1, 1, 1))
        self.assertEqual(facts["cross_lane"]["all"], 2)  # ds_bpermute_b32 and v_mov_b32_dpp
        self.assertEqual(facts["loops"], {"load": 1, "atomic": 1})
        self.assertEqual(amd_static_tables.atomics(facts), "cmpswap_b32 in a loop")
        self.assertEqual(amd_static_tables.loads(facts), "16 B: 1 (1)")

    def test_loads_are_told_apart_by_their_width(self):
        self.assertEqual(amd_static_tables.loads(counted("gfx1100", 1)), "1 B: 1, 2 B: 1")
        widths = {"global_load_ubyte": 1, "global_load_sbyte_d16_hi": 1, "global_load_short_d16": 2,
                  "global_load_sshort": 2, "global_load_dword": 4, "global_load_dwordx2": 8, "global_load_dwordx3": 12,
                  "flat_load_dwordx4": 16, "global_load_i8": 1, "global_load_d16_hi_b16": 2, "global_load_u16": 2,
                  "global_load_b96": 12, "global_store_dword": None, "s_load_dwordx4": None, "ds_load_b32": None,
                  "scratch_load_b32": None}
        self.assertEqual({name: gcn.load_bytes(name) for name in widths}, widths)

    def test_what_stands_behind_the_end_does_not_count(self):
        self.assertIn("s_code_end", ISA["gfx1100"])
        facts = gcn.count(code("v_mov_b32_e32", "s_endpgm", "s_barrier", "s_code_end"))
        self.assertEqual((facts["instructions"], facts["barriers"]["all"]), (2, 0))

    def test_telling_that_all_lanes_have_a_value_is_no_cross_lane_operation(self):
        for name in ("v_readlane_b32", "v_add_f32_dpp", "v_permlanex16_b32", "ds_swizzle_b32"):
            self.assertEqual(gcn.kinds_of(name), ["cross_lane"])
        for name in ("v_readfirstlane_b32", "v_add_f32_e32"):
            self.assertEqual(gcn.kinds_of(name), [])

    def test_a_flat_address_counts_beside_what_is_done_with_it(self):
        facts = gcn.count(code("flat_load_dword v1, v[2:3]", "flat_atomic_add_f64 v[0:1], v[2:3]", "s_endpgm"))
        self.assertEqual([facts[kind]["all"] for kind in ("loads", "atomics", "flat")], [1, 1, 2])
        self.assertEqual((amd_static_tables.loads(facts), amd_static_tables.atomics(facts)), ("4 B: 1", "add_f64"))


class Loops(unittest.TestCase):
    """Control flow by hand."""

    def loops(self, *lines):
        return [sorted(places) for places in shared.loops(gcn.following(code(*lines)))]

    def test_straight_code_and_a_branch_ahead_have_none(self):
        self.assertEqual(self.loops("s_cbranch_execz 1", "s_barrier", "s_endpgm"), [])

    def test_a_branch_back_makes_one(self):
        self.assertEqual(self.loops("s_nop 0", "s_barrier", "s_cbranch_scc1 -2", "s_endpgm"), [[1, 2]])

    def test_a_branch_back_that_leads_nowhere_again_makes_none(self):
        self.assertEqual(self.loops("s_cbranch_scc1 2", "s_barrier", "s_endpgm", "s_branch -3"), [])

    def test_a_part_of_a_loop_that_lies_elsewhere_belongs_to_it(self):
        self.assertEqual(self.loops("s_cbranch_vccnz 2", "s_cbranch_scc1 -2", "s_endpgm", "s_barrier", "s_branch -4"),
                         [[0, 1, 3, 4]])

    def test_two_loops_behind_each_other_are_two_and_nested_ones_are_one(self):
        self.assertEqual(self.loops("s_cbranch_scc1 -1", "s_cbranch_scc0 -1", "s_endpgm"), [[0], [1]])
        self.assertEqual(self.loops("s_nop 0", "s_cbranch_scc1 -1", "s_cbranch_scc0 -3", "s_endpgm"), [[0, 1, 2]])

    def test_a_jump_whose_target_is_not_read_is_no_straight_code(self):
        for line in ("s_cbranch_scc1 9", "s_setpc_b64 s[30:31]", "s_swappc_b64 s[30:31], s[4:5]"):
            with self.assertRaises(amd_static.Failure):
                self.loops(line, "s_endpgm")

    def test_waits_bound_the_loads_under_way(self):
        def most(*lines):
            return gcn.count(code(*lines))["loads_under_way"]

        load = "global_load_dword v1, v[2:3], off"
        self.assertEqual(most(load, load, "s_waitcnt vmcnt(1)", load, "s_endpgm"), 2)
        self.assertEqual(most(load, load, "s_waitcnt lgkmcnt(0)", load, "s_endpgm"), 3)
        self.assertEqual(most(load, load, load, "s_waitcnt vmcnt(0)", load, "s_cbranch_scc1 -2", "s_endpgm"),
                         gcn.MOST_UNDER_WAY)  # the loop waits for none of its own
        self.assertEqual(most(load, load, "s_waitcnt vmcnt(0)", load, "s_cbranch_scc1 -3", "s_endpgm"), 1)


class Waves(unittest.TestCase):
    def test_they_are_what_the_compiler_says(self):
        lines = [line.split() for line in REMARKS.splitlines() if not line.startswith("#")]
        self.assertGreater(len(lines), 40)
        for architecture, wave, sgprs, vgprs, said in lines:
            with self.subTest(architecture=architecture, vgprs=vgprs):
                self.assertEqual(amd_static.waves(architecture, int(wave), int(vgprs), int(sgprs)), int(said))

    def test_shared_memory_may_allow_fewer(self):
        self.assertEqual(amd_static.waves("gfx90a", 64, 8, 16, lds=1024, block=256), 8)
        # Four blocks of four waves on four SIMDs; two of eight on two.
        self.assertEqual(amd_static.waves("gfx90a", 64, 8, 16, lds=1 << 14, block=256), 4)
        self.assertEqual(amd_static.waves("gfx1030", 32, 8, 16, lds=1 << 15, block=256), 8)

    def test_an_architecture_that_is_not_known_is_named(self):
        with self.assertRaisesRegex(amd_static.Failure, "gfx1301"):
            amd_static.waves("gfx1301", 32, 8, 8)


NOTES = """\
Displaying notes found in: .note
    AMDGPU Metadata:
        ---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .name:           x
        .size:           8
    .group_segment_fixed_size: 0
    .max_flat_workgroup_size: 1024
    .name:           {symbol}
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .vgpr_count:     4
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .name:           other
    .vgpr_count:     99
...
"""
NAME = ("void ladder::hip::{rung}::(anonymous namespace)::reduce<float, ladder::Function<(ladder::Operation)0, float> >"
        "(float const*, long)")
PAGE = "# Head\n\n<!-- amd-static: f32 sum -->\n<!-- end -->\n\nTail\n"


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.build, self.results, self.tools = (self.folder / name for name in ("build", "results", "tools"))
        objects = self.build / amd_static.OBJECTS
        for path in (objects, self.results, self.tools):
            path.mkdir(parents=True)
        (self.results / "README.md").write_text(PAGE)
        entries = []
        for rung in ("r04_sequential_addressing", "r05_sync_at_loop_start"):
            (objects / f"{rung}.hip.o").write_text(rung[:3])
            command = f"/usr/bin/cache {self.tools}/clang++ -O3 -DNDEBUG -std=c++20 -DWHERE=/here -fPIE -mllvm -inline=1 -Wall"
            entries.append({"file": f"/here/{rung}.hip", "command": command, "output": str(objects / f"{rung}.hip.o")})
            test = self.build / "tests/hip/CMakeFiles/tests.dir/hip/rungs"
            entries.append({"file": f"/here/{rung}.hip", "command": "/nowhere/c++ -O1", "output": str(test / f"{rung}.hip.o")})
        (self.build / "compile_commands.json").write_text(json.dumps(entries))
        for rung in ("r04", "r05"):
            text = ISA[f"{rung} gfx90a"]
            symbol = next(iter(gcn.kernels(text)))
            (self.folder / f"{rung}.notes").write_text(NOTES.format(symbol=symbol))
            (self.folder / f"{rung}.names").write_text(NAME.format(rung=rung) + "\nother\n")
            (self.folder / f"{rung}.isa").write_text(text)
        # Each tool passes on which rung its file is of: what it prints lies there. The names come from stdin.
        self.tool("llvm-objcopy", 'cp "$2" "${1#*=.hip_fatbin=}"')
        self.tool("clang-offload-bundler", 'case $1 in --list) echo host; echo hipv4-amdgcn-amd-amdhsa--gfx90a ;; '
                                           '*) cp "${3#*=}" "${5#*=}" ;; esac')
        self.tool("llvm-readelf", 'cat "$here/$(cat "$2").notes"')
        self.tool("llvm-objdump", 'cat "$here/$(cat "$3").isa"')
        self.tool("llvm-cxxfilt", 'read symbol; case $symbol in *3r04*) rung=r04 ;; *) rung=r05 ;; esac; '
                                  'cat "$here/$rung.names"')
        self.compiled_by("clang version 15")

    def tool(self, name, does):
        (self.tools / name).write_text(f"#!/bin/sh\nhere='{self.folder}'\n{does}\n")
        (self.tools / name).chmod(0o755)

    def compiled_by(self, name):
        self.tool("clang++", f"printf '%s\\n' '{name}' 'Target: x86_64'")

    def run_script(self, *more, build=True):
        words = [*(["--build", self.build] if build else []), "--results", self.results, *more]
        done = subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def records(self):
        return [json.loads(line) for line in (self.results / "f32-sum.jsonl").read_text().splitlines()]

    def test_each_rung_has_a_record_and_a_line_of_the_table(self):
        status, text = self.run_script("--write")
        self.assertEqual(status, 0, text)
        records = self.records()
        self.assertEqual([(r["kind"], r["rung"], r["architecture"], r["block"]) for r in records],
                         [("static", "r04", "gfx90a", 256), ("static", "r05", "gfx90a", 256)])
        self.assertEqual({r["compiler"] for r in records}, {"clang version 15"})
        self.assertEqual(records[0]["flags"], "-O3 -DNDEBUG -std=c++20 -mllvm -inline=1")
        facts = records[0]["facts"]
        self.assertEqual((facts["vgprs"], facts["sgprs"], facts["waves"], facts["wave"]), (4, 16, 8, 64))
        page = (self.results / "README.md").read_text()
        self.assertIn("| r05_sync_at_loop_start | 256 | 4 | 16 |", page)
        self.assertTrue(page.startswith("# Head\n") and page.endswith("\nTail\n"))

    def test_nothing_of_the_machine_or_the_day_is_in_what_is_written(self):
        self.run_script("--write")
        text = (self.results / "f32-sum.jsonl").read_text() + (self.results / "README.md").read_text()
        self.assertNotIn(str(self.folder), text)
        self.assertNotIn("/here", text)

    def test_dynamic_shared_memory_is_a_value_of_each_thread(self):
        self.run_script("--write")
        facts = self.records()[0]["facts"]
        self.assertEqual((facts["lds_static_bytes"], facts["lds_dynamic_bytes"]), (0, 256 * 4))

    def test_columns_that_say_nothing_are_left_out_in_words(self):
        text = self.run_script()[1]
        self.assertIn("No kernel has accumulation registers, spilled registers, scratch memory or flat addresses", text)
        self.assertNotIn("AGPRs", text)

    def test_what_was_written_is_fresh(self):
        self.run_script("--write")
        self.assertEqual(self.run_script("--check"), (0, "fresh\n"))
        self.assertEqual(self.run_script("--check", build=False), (0, "fresh\n"))

    def test_another_number_is_stale_and_told(self):
        self.run_script("--write")
        notes = self.folder / "r05.notes"
        notes.write_text(notes.read_text().replace(".vgpr_count:     4", ".vgpr_count:     5"))
        status, text = self.run_script("--check")
        self.assertEqual(status, 1)
        self.assertIn("gfx90a r05: vgprs is 5, in the records 4", text)
        self.assertNotIn("r04", text)

    def test_a_rung_that_the_records_lack_is_stale(self):
        self.run_script("--write")
        file = self.results / "f32-sum.jsonl"
        file.write_text(file.read_text().splitlines()[0] + "\n")
        status, text = self.run_script("--check")
        self.assertEqual(status, 1)
        self.assertIn("gfx90a r05 is not in the records", text)

    def test_a_changed_table_is_stale_without_a_build_too(self):
        self.run_script("--write")
        page = self.results / "README.md"
        page.write_text(page.read_text().replace("| 256 | 4 |", "| 256 | 3 |", 1))
        status, text = self.run_script("--check", build=False)
        self.assertEqual(status, 1)
        self.assertIn("README.md is not what f32-sum.jsonl makes it", text)

    def test_another_compiler_is_not_compared_and_that_is_said(self):
        self.run_script("--write")
        self.compiled_by("clang version 17")
        notes = self.folder / "r05.notes"
        notes.write_text(notes.read_text().replace(".vgpr_count:     4", ".vgpr_count:     5"))
        said = "not compared: gfx90a is built by clang version 17, the records are of clang version 15\nfresh\n"
        self.assertEqual(self.run_script("--check"), (0, said))

    def test_a_kernel_that_is_not_there_is_named(self):
        (self.folder / "r05.names").write_text("one\nother\n")
        status, text = self.run_script()
        self.assertEqual(status, 2)
        self.assertIn("r05 has 0 kernels for float, operation 0, block 256, not one", text)

    def test_machine_code_that_cannot_be_followed_is_told(self):
        file = self.folder / "r04.isa"
        file.write_text(file.read_text().replace("s_cbranch_scc1", "s_setpc_b64 s[0:1], "))
        status, text = self.run_script()
        self.assertEqual(status, 2)
        self.assertIn("a jump whose target was not read", text)

    def test_a_build_without_objects_is_told(self):
        self.build = self.folder
        status, text = self.run_script()
        self.assertEqual(status, 2)
        self.assertIn("build preset hip-amd first", text)

    def test_a_tool_that_fails_is_told_with_what_it_says(self):
        self.tool("llvm-objdump", "echo it broke >&2; exit 3")
        status, text = self.run_script()
        self.assertEqual(status, 2)
        self.assertIn("it broke", text)


if __name__ == "__main__":
    unittest.main()
