"""bench/report: the source beside a rung is that of the commit that was measured, and no record reads another file."""

import types
import unittest
from unittest import mock

from cases import ROOT
from report import sources

NAME = "r04_sequential_addressing"
PATH = f"cuda/rungs/{NAME}.cu"


def of(commit, rungs=(("cuda", NAME, None),)):
    """What is found of rungs (model, name, base) of a run at this commit."""
    study = types.SimpleNamespace(runs={"a": {"commit": commit}})
    return sources.of(study, {(model, name[:3], "a"): (name, base) for model, name, base in rungs}, {"a": 0})


def git_with(blobs, remote=""):
    """A git that has these: {"commit:path": text}."""
    def answer(*words, text=""):
        if words[0] == "remote":
            return remote.encode()
        return b"".join(f"{'0' * 40} blob {len(blobs[name].encode())}\n{blobs[name]}\n".encode() if name in blobs
                        else f"{name} missing\n".encode() for name in text.split())

    return mock.patch.object(sources, "git", answer)


class Sources(unittest.TestCase):
    def test_it_is_that_of_the_commit_where_git_has_it(self):
        with git_with({f"abc123:{PATH}": "// r04 as\n// it was\n\nint old;\n"}, "git@example.org:who/what.git\n"):
            one, = of("abc123-dirty")["files"]
        self.assertEqual((one["why"], one["code"]), ("r04 as it was", ["int old;"]))
        self.assertEqual((one["url"], one["said"]), (f"https://example.org/who/what/blob/abc123/{PATH}",
                                                     "Sources as they were at abc123."))

    def test_else_it_is_that_of_this_copy_and_said_to_be_and_an_address_with_a_password_is_no_link(self):
        for remote in ("", "https://me:secret@example.org/who/what.git"):
            with git_with({}, remote):
                one, = of("abc123")["files"]
            self.assertTrue((ROOT / PATH).read_text().rstrip().endswith("\n".join(one["code"])))
            self.assertEqual((one["said"], one["url"]), ("Sources as they are in this copy of the project.", None))

    def test_a_rung_has_what_it_changed_of_its_base_and_what_the_native_model_has_not(self):
        texts = {"cuda/rungs/r03_base.cu": "// Why.\nvoid r03() {\n  a();\n}\n",
                 "cuda/rungs/r04_own.cu": "void r04() {\n  b();\n}\n",
                 "hip/rungs/r04_own.hip": "void r04() {\n    b();\n  c();\n}\n"}
        with git_with({f"abc:{path}": text for path, text in texts.items()}):
            found = of("abc", [("cuda", "r03_base", None), ("cuda", "r04_own", "r03"), ("hip", "r04_own", None)])
        place, base, native = found["of"]["cuda r04 0"]
        self.assertEqual([found["files"][at]["rung"] for at in (place, base, native)], ["r04", "r03", "r04"])
        self.assertEqual(found["changes"], {f"{base} {place}": ["  void r04() {", "-   a();", "+   b();", "  }"]})
        place, base, native = found["of"]["hip r04 0"]
        self.assertEqual((base, found["foreign"][f"{native} {place}"]), (None, [2]))

    def test_no_record_reads_another_file(self):
        with git_with({}):
            for model, name in (("cuda", "r04_/../../../README"), ("..", NAME), ("/etc", "passwd"), ("cuda", "../table")):
                self.assertEqual(of("abc123", [(model, name, None)])["files"], [], (model, name))

    def test_without_git_there_is_this_copy(self):
        with mock.patch.object(sources.subprocess, "run", side_effect=FileNotFoundError):
            self.assertEqual(len(of("abc123")["files"]), 1)
