#!/usr/bin/env python3
"""Makes the additions of docs/adding.md on a copy of the tree, counts the files that each touches against the page's table, and
builds and runs the contract of the CPU backend with them. LADDER names the program of this build.

Exit status 77: no git, CMake or Ninja, or no clone."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CMAKE = os.environ.get("CMAKE", "cmake")  # ctest sets the build's CMake: the system's may be too old
FIND = "{ Run<Queue> find(Type, Operation); }"

# Additions: each changed file with (pattern, replacement), or (file to copy, changes of the copy).
ADDITIONS = {
    "a rung of the CPU's ladder": {
        "common/ladder.hpp": [(r'(Rung\{"c13"[^}]*\},\n)', r'\1    Rung{"c98", "chunked", "c05", "chunks, dealt out in turn",\n'
                               r'         "of this test", workers_axis, "one result per thread"},' "\n")],
        "cpu/rungs/c98_chunked.cpp": ("cpu/rungs/c05_reduction_clause.cpp",
                                      [("c05", "c98"), (r"schedule\(static\)", "schedule(static, 1024)")]),
        "cpu/cpu_table.cpp": [(r"^namespace c13.*\n", rf"\g<0>namespace c98 {FIND}\n"),
                          (r'^ *Entry\{"c13".*\n', r'\g<0>    Entry{"c98", c98::find, {}, blocks},' "\n")]},
    "a rung on all device backends": {
        "common/ladder.hpp": [(r'(Rung\{"r31"[^}]*\},\n)', r'\1    Rung{"r99", "of_a_test", "r20", "nothing", "of this test",\n'
                               r'         block_axis | grid_axis, "one launch"},' "\n")]} | {
        path: change for backend, ending in (("cuda", "cu"), ("hip", "hip"), ("kokkos", "cpp")) for path, change in {
            f"{backend}/rungs/r99_of_a_test.{ending}": (f"{backend}/rungs/r20_last_block.{ending}", [("r20", "r99")]),
            f"{backend}/{backend}_table.{ending}": [
                (r"^namespace r31.*\n", rf"\g<0>namespace r99 {FIND}\n"),
                (r'^ *Entry\{"r31".*\n', r'\g<0>    Entry{"r99", r99::find, Tuning{.block = 256}},' "\n")]}.items()},
    "a type of 4 or 8 bytes": {
        "common/types.hpp": [(r"^(enum class Type : std::uint8_t \{[^}]*) \}", r"\1, u32 }"),
                             (r"types\{\n((?: +TypeFacts\{.*\},\n)+)", r'types{\n\1    TypeFacts{Type::u32, "u32", '
                              r'"unsigned int32", 4, Type::u32, true, 0, "<u4"},' "\n"),
                             (r"(using Natives =\s*std::tuple<[^>]*)>", r"\1, std::uint32_t>")]},
}
# Replaces a program: lists as the original does, and logs instead of measuring.
STAND_IN = """#!/bin/sh
case "$*" in *--list*|*benchmark_list_tests*|--version) exec {real} "$@" ;; esac
echo "$0 $*" >>{log}
"""


def make(tree, changes):
    for path, change in changes.items():
        source, edits = change if isinstance(change, tuple) else (path, change)
        text = (tree / source).read_text()
        for pattern, replacement in edits:
            text, found = re.subn(pattern, replacement, text, flags=re.MULTILINE)
            if not found:
                raise AssertionError(f"{source} has no {pattern!r}: this test no longer makes the addition as it is made")
        (tree / path).write_text(text)


class Adding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="ladder-adding-")
        cls.addClassCleanup(folder.cleanup)
        cls.tree = pathlib.Path(folder.name) / "tree"
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
        for path in filter(None, tracked.split("\0")):
            if (SOURCE / path).is_file() and not path.startswith("docs/results/"):
                (cls.tree / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(SOURCE / path, cls.tree / path)
        for changes in ADDITIONS.values():
            make(cls.tree, changes)
        environment = {**os.environ, "CCACHE_BASEDIR": str(cls.tree), "CCACHE_NOHASHDIR": "1"}
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        # Nothing is timed: compiles fast, with one vector width and only rungs of this project.
        flags = "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG -DHWY_COMPILE_ONLY_STATIC"
        for command in ([CMAKE, "--preset", "cpu", flags, "-DLADDER_WERROR=OFF", "-DCMAKE_UNITY_BUILD=ON",
                         "-DLADDER_UNITY=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON", *launcher],
                        [CMAKE, "--build", "--preset", "cpu", "--target", "contract_tests"]):
            done = subprocess.run(command, cwd=cls.tree, env=environment, capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(" ".join(command) + "\n" + (done.stdout + done.stderr)[-6000:])

    def test_each_addition_touches_as_many_files_as_the_page_says(self):
        page = (SOURCE / "docs/adding.md").read_text()
        for what, changes in ADDITIONS.items():
            places = re.search(rf"^\| {re.escape(what)} \| ([^|]*)", page, re.MULTILINE)
            self.assertIsNotNone(places, what)
            self.assertIn(str(len(changes)), re.findall(r"\d+", places[1]), sorted(changes))

    def test_the_rung_keeps_the_contract_on_the_new_type_too(self):
        done = subprocess.run([self.tree / "build/cpu/tests/contract_tests", "--gtest_filter=Contract/cpu.c98_*"],
                              capture_output=True, text=True, env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])
        self.assertIn("c98_chunked_is_right_at_every_size_by_every_tuning", done.stdout)

    def test_every_rung_reaches_the_script_that_sanitizes_all(self):
        """Uses stand-ins for the programs, which need a GPU: they list the same as the program of the build."""
        real, log = os.environ["LADDER"], self.tree / "log"
        for name in ("bin/compute-sanitizer", "stand_in/bench/ladder", "stand_in/tests/ladder_with_faults"):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_text(STAND_IN.format(real=real, log=log))
            (self.tree / name).chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.tree / 'bin'}:{os.environ['PATH']}", "SIZES": "1", "RUNS": "256"}
        subprocess.run(["sh", "tests/cuda/sanitize.sh", "stand_in", "memcheck"], cwd=self.tree, env=environment,
                       capture_output=True)
        listed = json.loads(subprocess.run([real, "--list", "--format=json"], check=True, capture_output=True, text=True).stdout)
        [sanitized] = re.findall(r"--scope=kernel --rungs=(r\S*)", log.read_text())
        self.assertEqual(sanitized.split(","), sorted(rung["id"] for rung in listed["ladders"]["device"]))


if __name__ == "__main__":
    if not (shutil.which("git") and shutil.which(CMAKE) and shutil.which("ninja") and (SOURCE / ".git").exists()):
        print("git, CMake or Ninja is missing here, or this is no clone")
        sys.exit(77)
    unittest.main(verbosity=2)
