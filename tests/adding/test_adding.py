#!/usr/bin/env python3
"""Makes the additions of docs/adding.md on a copy of the tree, counts the files that each touches against the page's table,
builds the CPU backend with them, and runs what they are for. Exit status 77: nothing to build with, or no git."""

import difflib
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
CMAKE = os.environ.get("CMAKE", "cmake")  # that of the build, where ctest runs this: the system's may be too old
MODEL = "tests/threads"  # the model that only the tests know
BACKENDS = {"cuda": "cu", "hip": "hip", "kokkos": "cpp"}


class Addition:
    """Edits of a tree, and what they touched."""

    def __init__(self, tree, what):
        self.tree, self.what, self.before, self.made = tree, what, {}, {}

    def write(self, path, text):
        file = self.tree / path
        self.before.setdefault(path, file.read_text() if file.exists() else "")
        file.write_text(text)
        self.made[path] = text

    def edit(self, path, pattern, replacement):
        old = (self.tree / path).read_text()
        new, found = re.subn(pattern, replacement, old, flags=re.MULTILINE)
        if not found:
            raise AssertionError(f"{self.what}: {path} has no {pattern!r}: this test no longer makes the addition as it is made")
        self.write(path, new)

    def after(self, path, line, new):
        """A new line behind the one that begins with `line`, which is a pattern."""
        self.edit(path, rf"^{line}.*\n", rf"\g<0>{new}\n")

    def files(self):
        return sorted(self.made)

    def edits(self):
        """Contiguous edits, over all files."""
        count = 0
        for path in self.files():
            old, new = self.before[path].splitlines(), self.made[path].splitlines()
            count += sum(tag != "equal" for tag, *_ in difflib.SequenceMatcher(None, old, new, False).get_opcodes())
        return count


def stated(what):
    """The numbers of a row of the page's table: "4 or 6" is two."""
    for line in (SOURCE / "docs/adding.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 3 and cells[1] == what:
            return [int(number) for number in re.findall(r"\d+", cells[2])]
    raise AssertionError(f"docs/adding.md states no places for {what!r}")


def add_cpu_rung(tree):
    """c98: OpenMP hands out the elements in chunks."""
    add = Addition(tree, "a rung of the CPU's ladder")
    add.edit("common/ladder.hpp", r'(Rung\{"c07"[^}]*\},\n)',
             r'\1    Rung{"c98", "chunked", "c05", "chunks of elements, dealt out in turn",\n'
             r'         "of this test", workers_axis, "one result per thread"},' "\n")
    base = (tree / "cpu/rungs/c05_reduction_clause.cpp").read_text()
    add.write("cpu/rungs/c98_chunked.cpp", base.replace("c05", "c98").replace("schedule(static)", "schedule(static, 1024)"))
    add.after("cpu/table.cpp", "namespace c07", "namespace c98 { Run<Queue> find(Type, Operation); }")
    add.after("cpu/table.cpp", ' *Entry{"c07"', '    Entry{"c98", c98::find, {}, blocks},')
    return add


def add_device_rung(tree):
    """r99 after r20, on all backends that have blocks."""
    add = Addition(tree, "a rung on all device backends")
    add.edit("common/ladder.hpp", r'(Rung\{"r31"[^}]*\},\n)',
             r'\1    Rung{"r99", "of_a_test", "r20", "nothing", "of this test", block_axis | grid_axis,' '\n'
             r'         "one launch"},' "\n")
    for backend, ending in BACKENDS.items():
        base = (tree / f"{backend}/rungs/r20_last_block.{ending}").read_text()
        add.write(f"{backend}/rungs/r99_of_a_test.{ending}", base.replace("r20", "r99"))
        add.after(f"{backend}/table.{ending}", "namespace r31", "namespace r99 { Run<Queue> find(Type, Operation); }")
        add.after(f"{backend}/table.{ending}", ' *Entry{"r31"', '    Entry{"r99", r99::find, Tuning{.block = 256}},')
    return add


def add_axis(tree):
    """How many elements a chunk of c98 has."""
    add = Addition(tree, "an axis")
    add.after("common/problem.hpp", "  unsigned workers", "  unsigned chunk = 0;    ///< elements in a chunk, on a CPU")
    add.edit("common/ladder.hpp", "^  shares_axis = 16$", "  shares_axis = 16,\n  chunk_axis = 32")
    add.after("common/ladder.hpp", "    Axis{workers_axis",
              '    Axis{chunk_axis, "chunk", &Tuning::chunk, "elements per chunk, on a CPU"},')
    add.edit("cpu/backend.cpp", r"return \{\.workers = (tuning\.workers [^;]*)\};",
             r"const bool chunks = (rungs()[rung].rung.axes & chunk_axis) != 0;" "\n"
             r"    return {.workers = \1," "\n"
             r"            .chunk = !chunks ? 0 : tuning.chunk != 0 ? tuning.chunk : 1024};")
    return add


def use_axis(tree):
    """c98 has the axis: not counted, as it is the rung's own."""
    use = Addition(tree, "c98 with the axis")
    use.edit("common/ladder.hpp", r'(Rung\{"c98"[^}]*) workers_axis,', r"\1 workers_axis | chunk_axis,")
    use.edit("cpu/rungs/c98_chunked.cpp", r"schedule\(static, 1024\)", "schedule(static, chunk)")
    use.after("cpu/rungs/c98_chunked.cpp", "    const int workers", "    const int chunk = static_cast<int>(tuning.chunk);")


def add_type(tree):
    """Unsigned integers of 32 bits."""
    add = Addition(tree, "a type of 4 or 8 bytes")
    types = "common/types.hpp"
    add.edit(types, r"^(enum class Type : std::uint8_t \{[^}]*) \}", r"\1, u32 }")
    add.edit(types, r"types\{\n((?: +TypeFacts\{.*\},\n)+)",
             r'types{\n\1    TypeFacts{Type::u32, "u32", "unsigned int32", 4, Type::u32, true, 0, "<u4"},' "\n")
    add.edit(types, r"(using Natives =\s*std::tuple<[^>]*)>", r"\1, std::uint32_t>")
    return add


class Adding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="ladder-adding-")
        cls.tree = pathlib.Path(cls.folder.name) / "tree"
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
        for path in filter(None, tracked.split("\0")):
            if (SOURCE / path).is_file() and not path.startswith("docs/results/"):
                (cls.tree / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(SOURCE / path, cls.tree / path)
        cls.additions = [add_cpu_rung(cls.tree), add_device_rung(cls.tree), add_axis(cls.tree), add_type(cls.tree)]
        use_axis(cls.tree)
        cls.build()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def build(cls):
        environment = {**os.environ, "CCACHE_BASEDIR": str(cls.tree), "CCACHE_NOHASHDIR": "1"}
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        targets = ["contract_tests", "ladder", "ladder_with_threads"]
        # Nothing is timed here: what compiles fastest will do, and one width of vectors.
        flags = "-O0 -DNDEBUG -DHWY_COMPILE_ONLY_STATIC"
        configure = [CMAKE, "--preset", "cpu", f"-DCMAKE_CXX_FLAGS_RELEASE={flags}", "-DCMAKE_UNITY_BUILD=ON", *launcher]
        for command in (configure, [CMAKE, "--build", "--preset", "cpu", "--target", *targets]):
            done = subprocess.run(command, cwd=cls.tree, env=environment, capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(" ".join(command) + "\n" + (done.stdout + done.stderr)[-6000:])

    def run_of(self, program, *arguments):
        done = subprocess.run([self.tree / "build/cpu" / program, *arguments], capture_output=True, text=True, cwd=self.tree,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])
        return done.stdout

    def records_of(self, *arguments):
        file = self.tree / "records.jsonl"
        file.unlink(missing_ok=True)
        self.run_of("bench/ladder", "--backends=cpu", "--sizes=10007", "--samples=2", "--cache=hot", "--no-ceilings",
                    f"--records={file}", *arguments)
        return [json.loads(line) for line in file.read_text().splitlines()]

    def test_each_addition_touches_as_many_files_as_the_page_says(self):
        for add in self.additions:
            with self.subTest(add.what):
                print(f"{add.what}: {len(add.files())} files, {add.edits()} edits: {', '.join(add.files())}", file=sys.stderr)
                numbers = stated(add.what)
                if len(numbers) == 1:
                    self.assertEqual(len(add.files()), numbers[0], add.files())
                else:
                    self.assertLessEqual(len(add.files()), max(numbers), add.files())

    def test_a_model_is_its_folder_and_one_line(self):
        names = r"add_subdirectory\(threads\)|_with_threads|ladder_threads\b|ladder::threads"
        found = subprocess.run(["git", "grep", "-nIE", names, "--", "*.txt", "*.cmake", "*.?pp", "*.json", "*.py", ":!" + MODEL,
                                ":!tests/adding"], cwd=SOURCE, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual([line.split(":")[0] for line in found], ["tests/CMakeLists.txt"], found)
        lines = sum(len(file.read_text().splitlines()) for file in (SOURCE / MODEL).iterdir())
        print(f"a model for the tests alone: a folder of {lines} lines and 1 line", file=sys.stderr)
        programs = {program: json.loads(self.run_of(program, "--list", "--format=json"))
                    for program in ("bench/ladder", "tests/threads/ladder_with_threads")}
        has = {program: {rung["backend"] for rung in listed["rungs"]} for program, listed in programs.items()}
        self.assertEqual(has, {"bench/ladder": {"cpu"}, "tests/threads/ladder_with_threads": {"cpu", "threads"}})

    def test_the_rung_keeps_the_contract_on_the_new_type_too(self):
        said = self.run_of("tests/contract_tests", "--gtest_filter=Contract/cpu.c98_*")
        self.assertRegex(said, r"\[  PASSED  \] [1-9]")
        self.assertIn("c98_chunked_is_right_at_every_size_by_every_tuning", said)

    def test_the_axis_is_in_help_names_and_records(self):
        self.assertRegex(self.run_of("bench/ladder", "--help"), r"--chunk TEXT +Elements per chunk, on a CPU")
        records = self.records_of("--rungs=c05,c98", "--chunk=64,512")
        self.assertIn("chunk", next(record for record in records if record["kind"] == "run")["axes"])
        measured = {record["name"]: record["chunk"] for record in records if record["kind"] == "measurement"}
        self.assertEqual(sorted(measured.values(), key=str), [512, 64, None], measured)
        for name, chunk in measured.items():
            self.assertEqual(f"/chunk:{chunk}/" in name, chunk is not None, name)

    def test_the_type_is_measured_and_right(self):
        records = self.records_of("--rungs=c05,c98", "--types=u32", "--ops=sum,min,max")
        self.assertEqual(next(record for record in records if record["kind"] == "run")["types"]["u32"],
                         {"words": "unsigned int32", "bytes": 4})
        samples = [record for record in records if record["kind"] == "sample"]
        self.assertEqual((len(samples), {sample["ok"] for sample in samples}), (12, {True}))


if __name__ == "__main__":
    if not (shutil.which("git") and shutil.which(CMAKE) and shutil.which("ninja") and (SOURCE / ".git").exists()):
        print("git, CMake or Ninja is missing here, or this is no clone")
        sys.exit(77)
    unittest.main(verbosity=2)
