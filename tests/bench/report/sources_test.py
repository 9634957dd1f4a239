"""bench/report: the source beside a rung is that of the commit that was measured, and no record reads another file."""

import types
import unittest
from unittest import mock

from cases import ROOT
from report import sources

NAME = "r04_sequential_addressing"
OLD = "// r04 as it was\nint old;\n"


def of(commit, model="cuda", name=NAME):
    """What is found of one rung of a run at this commit."""
    study = types.SimpleNamespace(runs={"a": {"commit": commit}})
    return sources.of(study, {(model, name, "a")}, {"a": 0})


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
        path = f"cuda/rungs/{NAME}.cu"
        with git_with({f"abc123:{path}": OLD}, "git@example.org:who/what.git\n"):
            found = of("abc123-dirty")
        self.assertEqual(found["of"], {"cuda r04 0": 0})
        self.assertEqual(found["files"], [{"path": path, "text": OLD, "url": f"https://example.org/who/what/blob/abc123/{path}",
                                           "said": "Sources as they were at abc123."}])

    def test_else_it_is_that_of_this_copy_and_said_to_be(self):
        with git_with({}):
            one, = of("abc123")["files"]
        self.assertEqual(one["text"], (ROOT / "cuda" / "rungs" / f"{NAME}.cu").read_text())
        self.assertEqual((one["said"], one["url"]), ("Sources as they are in this copy of the project.", None))

    def test_an_address_with_a_password_is_no_link(self):
        with git_with({f"abc123:cuda/rungs/{NAME}.cu": OLD}, "https://me:secret@example.org/who/what.git"):
            one, = of("abc123")["files"]
        self.assertIsNone(one["url"])

    def test_no_record_reads_another_file(self):
        with git_with({}):
            for model, name in (("cuda", "r04_/../../../README"), ("..", NAME), ("/etc", "passwd"), ("cuda", "../table")):
                self.assertEqual(of("abc123", model, name)["files"], [], (model, name))

    def test_without_git_there_is_this_copy(self):
        with mock.patch.object(sources.subprocess, "run", side_effect=FileNotFoundError):
            self.assertEqual(len(of("abc123")["files"]), 1)
