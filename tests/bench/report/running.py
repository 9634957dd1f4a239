"""Shared by the tests of Python programs: a folder for each test, programs that stand in for others, and the output of a run."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


class InFolder(unittest.TestCase):
    """Has a folder, deleted after each test."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def program(self, name, text):
        """Path of an executable script in the folder."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def change(self, name, before, after):
        """Replaces the first occurrence of a text, which must exist, in a file of the folder."""
        path = self.folder / name
        text = path.read_text()
        self.assertIn(before, text)
        path.write_text(text.replace(before, after, 1))


def run_tool(name, *words, **more):
    """(exit status, output) of a script of tools/ in a process of its own."""
    done = subprocess.run([sys.executable, ROOT / "tools" / name, *words], capture_output=True, text=True, **more)
    return done.returncode, done.stdout + done.stderr


def run_main(main, *words):
    """(exit status, output) of a program's main function."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:
            status = end.code
    return (1, out.getvalue() + status) if isinstance(status, str) else (status, out.getvalue())
